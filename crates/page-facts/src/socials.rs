//! Finds the business's profiles on social networks and review sites, ignoring share buttons, posts and vendors.

use std::borrow::Cow;

use rustc_hash::FxHashMap;

use crate::document::Document;
use crate::domains::{host_of, label, path_of};
use crate::facts::{Evidence, FoundSocial, Method};
use crate::site::Site;
use crate::structured::business::Structured;
use crate::word_set::WordSet;

/// Longest profile URL that is read, in bytes.
const ADDRESS_BYTES_MAX: usize = 1_000;
/// Steps charged per link.
const LINK_STEPS: usize = 40;
const PROFILE_STEPS: usize = 1_500;
/// Profiles examined per page.
const PROFILES_MAX: usize = 500;

/// Networks where a plain link is enough, because most businesses have a profile there.
const MAIN_NETWORKS: &[&str] =
    &["facebook", "instagram", "linkedin", "x", "youtube", "tiktok", "pinterest", "yelp", "google"];

/// First path segments that are never a profile, on any network.
static NOT_PROFILES: WordSet = WordSet::new(
    "share sharer sharer.php share.php sharearticle sharing intent dialog plugins login signup home search
     explore hashtag help about legal privacy policies policy terms tos tr watch embed playlist results feed
     p reel reels stories tv pin i tag tags settings business ads status photo photo.php photos video videos
     events story.php permalink.php gaming marketplace cws company-beta posts pulse jobs learning feeds
     shorts live create download apps directory developers docs account accounts oauth v l.php l wp-content
     js widgets widgets.js sdk.js en_us ajax save submit news www.facebook.com www.instagram.com undefined
     null # 2008 rsrc.php iframe_api player_api badges web discover foryou upload uas checkpoint authwall
     mail messages",
);

/// Handles of site builders and of the networks themselves, left in by themes.
static VENDOR_HANDLES: WordSet = WordSet::new(
    "wix squarespace shopify wordpress wordpressdotcom weebly godaddy webflow facebook facebookapp meta
     instagram twitter x youtube google linkedin pinterest tiktok yelp elegantthemes envato themeforest
     yourpage yourprofile yourusername username example profile user yourhandle your-page page handle
     elementor youraccount",
);

/// Labels of all known hosts; any other link is skipped immediately.
static NETWORKS: WordSet = WordSet::new(
    "alignable angi angieslist assets avvo bbb behance bsky business co com crunchbase discord dribbble etsy
     facebook fb flickr fosstodon g github goo google hachyderm healthgrades houzz instagr instagram
     linkedin linktr maps mastodon medium mstdn nextdoor open pinterest profile reddit slideshare
     snapchat soundcloud spotify substack t telegram threads thumbtack tiktok tripadvisor trustpilot
     tumblr twitch twitter vimeo vk wa www x xing yelp youtube",
);

/// The profile a link points to: the network's slug and the normalised URL.
#[must_use]
pub fn profile(url: &str) -> Option<(&'static str, String)> {
    if url.len() > ADDRESS_BYTES_MAX {
        return None;
    }
    let host = network_host(url)?;
    let path = path_of(url);
    let bare = path.split(['?', '#']).next().unwrap_or("");
    let words: Vec<&str> = bare.split('/').filter(|w| !w.is_empty()).collect();
    let first = words.first().copied().unwrap_or("");
    let second = words.get(1).copied().unwrap_or("");
    let domain = base_domain(&host);
    match domain {
        "facebook.com" | "fb.com" | "fb.me" => facebook(path, &words),
        "instagram.com" | "instagr.am" => {
            handle(first).filter(|_| words.len() <= 2).map(|h| ("instagram", format!("https://www.instagram.com/{h}")))
        }
        "linkedin.com" => match first {
            "company" | "in" | "school" | "showcase" | "pub" if !second.is_empty() => {
                Some(("linkedin", format!("https://www.linkedin.com/{first}/{second}")))
            }
            _ => None,
        },
        "twitter.com" | "x.com" => handle(first.trim_start_matches('@'))
            .filter(|h| h.len() <= 15 && words.len() == 1)
            .map(|h| ("x", format!("https://x.com/{h}"))),
        "youtube.com" => youtube(&words),
        "tiktok.com" => first
            .strip_prefix('@')
            .filter(|h| !h.is_empty() && words.len() == 1)
            .map(|h| ("tiktok", format!("https://www.tiktok.com/@{h}"))),
        "yelp.com" | "yelp.co.uk" | "yelp.ca" | "yelp.de" | "yelp.fr" | "yelp.com.au" | "yelp.ie" => {
            (first == "biz" && !second.is_empty()).then(|| ("yelp", format!("https://www.{domain}/biz/{second}")))
        }
        "google.com" | "goo.gl" | "g.page" | "g.co" | "business.site" => google(&host, path, &words),
        _ if label(domain) == "pinterest" => {
            handle(first).filter(|_| words.len() <= 2).map(|h| ("pinterest", format!("https://www.pinterest.com/{h}")))
        }
        _ => other(domain, &host, &words),
    }
}

/// The host of a URL in lower case, if it may be one of a network.
fn network_host(url: &str) -> Option<Cow<'_, str>> {
    let host = host_of(url);
    let host = if host.bytes().any(|b| b.is_ascii_uppercase()) {
        Cow::Owned(host.to_ascii_lowercase())
    } else {
        Cow::Borrowed(host)
    };
    NETWORKS.contains(label(base_domain(&host))).then_some(host)
}

/// The registrable domain of a known host; cheaper than the public suffix list.
fn base_domain(host: &str) -> &str {
    let mut dots = host.rmatch_indices('.').map(|(at, _)| at);
    let (_, Some(second)) = (dots.next(), dots.next()) else { return host };
    let two = &host[second + 1..];
    if matches!(two, "co.uk" | "com.au" | "com.mx" | "co.kr" | "com.br" | "co.nz") {
        dots.next().map_or(host, |third| &host[third + 1..])
    } else {
        two
    }
}

/// The path segment when it can be a handle.
fn handle(word: &str) -> Option<&str> {
    let lower = word.to_ascii_lowercase();
    let fits = word.len() > 1 && word.len() <= 60 && word.chars().all(|c| c.is_alphanumeric() || "._-%".contains(c));
    (fits
        && !NOT_PROFILES.contains(lower.as_str())
        && !VENDOR_HANDLES.contains(lower.as_str())
        && !lower.ends_with(".php")
        && !lower.ends_with(".js"))
    .then_some(word)
}

fn facebook(path: &str, words: &[&str]) -> Option<(&'static str, String)> {
    let address = match words {
        ["profile.php", ..] | ["people", "_", ..] => {
            let id: String = path.split_once("id=")?.1.chars().take_while(char::is_ascii_digit).collect();
            (!id.is_empty()).then(|| format!("profile.php?id={id}"))?
        }
        ["pages", "category", _, name, ..] => (*name).to_owned(),
        ["pages", name, id, ..] => format!("pages/{name}/{id}"),
        ["people", name, id, ..] => format!("people/{name}/{id}"),
        ["groups", group, ..] => format!("groups/{group}"),
        ["p", name] => format!("p/{name}"),
        ["pg", name, ..] => handle(name)?.to_owned(),
        [name] | [name, "about" | "reviews" | "photos" | "timeline" | "info" | "home"] => handle(name)?.to_owned(),
        // A path of two segments is a post or a tab.
        _ => return None,
    };
    Some(("facebook", format!("https://www.facebook.com/{address}")))
}

fn youtube(words: &[&str]) -> Option<(&'static str, String)> {
    let address = match words {
        ["channel" | "c" | "user", name, ..] => format!("{}/{name}", words[0]),
        [name, ..] if name.starts_with('@') && name.len() > 1 => (*name).to_owned(),
        [name] => handle(name)?.to_owned(),
        _ => return None,
    };
    let vendor =
        words.last().is_some_and(|w| VENDOR_HANDLES.contains(w.trim_start_matches('@').to_ascii_lowercase().as_str()));
    (!vendor).then(|| ("youtube", format!("https://www.youtube.com/{address}")))
}

fn google(host: &str, path: &str, words: &[&str]) -> Option<(&'static str, String)> {
    let first = words.first().copied().unwrap_or("");
    let is_place = match host {
        "g.page" | "maps.app.goo.gl" | "g.co" => !first.is_empty() && (host != "g.co" || first == "kgs"),
        "goo.gl" => first == "maps",
        "maps.google.com" => path.contains("cid="),
        _ => first == "maps" && (words.get(1) == Some(&"place") || path.contains("cid=")),
    };
    let address = if path.contains("cid=") { path } else { path.split(['?', '#']).next().unwrap_or(path) };
    is_place.then(|| ("google", format!("https://{host}{}", address.trim_end_matches('/'))))
}

/// Networks recognised by host and shape of the path alone.
fn other(domain: &str, host: &str, words: &[&str]) -> Option<(&'static str, String)> {
    let (network, path) = talking(domain, host, words).or_else(|| listing(domain, host, words))?;
    let address = format!("https://{host}/{path}");
    Some((network, address.trim_end_matches('/').to_owned()))
}

/// Messaging, gaming and video networks.
fn talking(domain: &str, host: &str, words: &[&str]) -> Option<(&'static str, String)> {
    let first = words.first().copied().unwrap_or("");
    let second = words.get(1).copied().unwrap_or("");
    let at_handle = || first.strip_prefix('@').filter(|h| !h.is_empty() && words.len() == 1);
    Some(match domain {
        "threads.net" | "threads.com" => ("threads", format!("@{}", at_handle()?)),
        "bsky.app" if first == "profile" && words.len() == 2 => ("bluesky", format!("profile/{second}")),
        "medium.com" => ("medium", format!("@{}", at_handle()?)),
        "mastodon.social" | "fosstodon.org" | "mstdn.social" | "hachyderm.io" => {
            ("mastodon", format!("@{}", at_handle()?))
        }
        "snapchat.com" if first == "add" && !second.is_empty() => ("snapchat", format!("add/{second}")),
        "t.me" | "telegram.me" if first != "share" && words.len() == 1 => ("telegram", handle(first)?.to_owned()),
        "wa.me" if words.len() == 1 && first.bytes().all(|b| b.is_ascii_digit()) => ("whatsapp", first.to_owned()),
        "vimeo.com" if words.len() == 1 && !first.bytes().all(|b| b.is_ascii_digit()) => {
            ("vimeo", handle(first)?.to_owned())
        }
        "twitch.tv" if words.len() == 1 => ("twitch", handle(first)?.to_owned()),
        "discord.gg" if words.len() == 1 => ("discord", first.to_owned()),
        "discord.com" if first == "invite" && !second.is_empty() => ("discord", format!("invite/{second}")),
        "github.com" if words.len() == 1 => ("github", handle(first)?.to_owned()),
        "soundcloud.com" if words.len() == 1 => ("soundcloud", handle(first)?.to_owned()),
        "spotify.com" if host == "open.spotify.com" && matches!(first, "artist" | "user" | "show") => {
            ("spotify", format!("{first}/{second}"))
        }
        "houzz.com" if matches!(first, "pro" | "professionals" | "user") && !second.is_empty() => {
            ("houzz", words.join("/"))
        }
        "nextdoor.com" if matches!(first, "pages" | "business" | "profile") && !second.is_empty() => {
            ("nextdoor", format!("{first}/{second}"))
        }
        "tripadvisor.com" | "tripadvisor.co.uk" | "tripadvisor.ca" if first.contains("_Review-") => {
            ("tripadvisor", first.to_owned())
        }
        _ => return None,
    })
}

/// Directories, review sites and portfolios.
fn listing(domain: &str, host: &str, words: &[&str]) -> Option<(&'static str, String)> {
    let first = words.first().copied().unwrap_or("");
    let second = words.get(1).copied().unwrap_or("");
    Some(match domain {
        "trustpilot.com" if first == "review" && !second.is_empty() => ("trustpilot", format!("review/{second}")),
        "bbb.org" if words.contains(&"profile") => ("bbb", words.join("/")),
        "alignable.com" if words.len() >= 2 => ("alignable", words.join("/")),
        "reddit.com" if matches!(first, "r" | "user" | "u") && words.len() == 2 => {
            ("reddit", format!("{first}/{second}"))
        }
        "behance.net" if words.len() == 1 => ("behance", handle(first)?.to_owned()),
        "dribbble.com" if words.len() == 1 => ("dribbble", handle(first)?.to_owned()),
        "xing.com" if matches!(first, "companies" | "pages" | "profile") => ("xing", format!("{first}/{second}")),
        "vk.com" if words.len() == 1 => ("vk", handle(first)?.to_owned()),
        "etsy.com" if first == "shop" && !second.is_empty() => ("etsy", format!("shop/{second}")),
        "angi.com" | "angieslist.com" if first == "companylist" => ("angi", words.join("/")),
        "thumbtack.com" if words.len() >= 3 && words.contains(&"service") => ("thumbtack", words.join("/")),
        "tumblr.com"
            if host != "tumblr.com" && host != "www.tumblr.com" && words.is_empty() && host != "assets.tumblr.com" =>
        {
            ("tumblr", String::new())
        }
        "substack.com" if host != "substack.com" && words.is_empty() => ("substack", String::new()),
        "slideshare.net" if words.len() == 1 => ("slideshare", handle(first)?.to_owned()),
        "flickr.com" if matches!(first, "photos" | "people") && words.len() == 2 => {
            ("flickr", format!("{first}/{second}"))
        }
        "crunchbase.com" if first == "organization" && words.len() == 2 => ("crunchbase", format!("{first}/{second}")),
        "linktr.ee" if words.len() == 1 => ("linktree", handle(first)?.to_owned()),
        "avvo.com" if first == "attorneys" && words.len() >= 2 => ("avvo", words.join("/")),
        "healthgrades.com" if words.len() >= 2 => ("healthgrades", words.join("/")),
        _ => return None,
    })
}

/// One link to a profile.
#[derive(Debug, Clone)]
pub(crate) struct SocialMention {
    pub(crate) network: &'static str,
    pub(crate) address: String,
    pub(crate) method: Method,
    pub(crate) snippet: String,
    /// Evidence that it is the business's own; higher is stronger.
    pub(crate) weight: u32,
}

/// Finds the profiles one page links to.
pub(crate) fn find(document: &Document<'_>, structured: &Structured, site: &Site) -> Vec<SocialMention> {
    let mut found = Vec::new();
    for (address, method) in structured.same_as.iter().take(PROFILES_MAX) {
        if !document.budget.spend(PROFILE_STEPS) {
            break;
        }
        if let Some((network, address)) = profile(address) {
            found.push(SocialMention {
                network,
                weight: 40 + similarity(&address, site),
                snippet: address.clone(),
                address,
                method: *method,
            });
        }
    }
    // The last host that is no network's, as it was written. Most links name the same one as those before: the site's own.
    let mut other = "";
    for link in document.links.iter().filter(|link| {
        link.href.starts_with("//") || link.href.get(..4).is_some_and(|s| s.eq_ignore_ascii_case("http"))
    }) {
        if found.len() >= PROFILES_MAX || !document.budget.spend(LINK_STEPS) {
            break;
        }
        if !other.is_empty() && link.href.strip_prefix(other).is_some_and(|path| path.starts_with('/')) {
            continue;
        }
        let Some((network, address)) = profile(&link.href) else {
            if network_host(&link.href).is_none() {
                other = link.href.strip_suffix(path_of(&link.href)).filter(|start| start.contains("//")).unwrap_or("");
            }
            continue;
        };
        if !document.budget.spend(PROFILE_STEPS) {
            break;
        }
        // Review sites are linked for other businesses too; the site's own profile contains its name.
        if matches!(network, "trustpilot") && similarity(&address, site) == 0 {
            continue;
        }
        let place = document.line(document.line_at(link.start)).1;
        let text = document.text.get(link.start..link.end).unwrap_or("").trim();
        // An icon has no text; a profile mentioned in an article does.
        let weight = similarity(&address, site)
            + if place.footer || place.nav { 20 } else { 0 }
            + if text.len() < 16 { 10 } else { 0 };
        let shown = if text.is_empty() { link.label.unwrap_or(&address) } else { text };
        let snippet = shown.chars().take(120).map(|c| if c == '\n' { ' ' } else { c }).collect();
        found.push(SocialMention { network, address, method: Method::Link, snippet, weight });
    }
    found
}

/// How similar a handle is to the name of the site.
fn similarity(address: &str, site: &Site) -> u32 {
    let handle = address.trim_end_matches('/').rsplit('/').next().unwrap_or("");
    match site.similarity(handle) {
        2 => 60,
        1 => 40,
        _ => 0,
    }
}

/// Merges the mentions of all pages: the most likely profile of each network.
pub(crate) fn merge(mentions: &[(String, SocialMention)]) -> Vec<FoundSocial> {
    let mut times: FxHashMap<String, u32> = FxHashMap::default();
    for (_, mention) in mentions {
        *times.entry(mention.address.to_lowercase()).or_default() += 1;
    }
    let mut best: Vec<(u32, usize)> = Vec::new();
    for (index, (_, mention)) in mentions.iter().enumerate() {
        let seen = times.get(mention.address.to_lowercase().as_str()).copied().unwrap_or(1).min(4);
        // A person's LinkedIn page ranks below the company's.
        let person = u32::from(mention.address.contains("linkedin.com/in/")) * 15;
        let weight = (mention.weight + seen * 3).saturating_sub(person);
        match best.iter_mut().find(|(_, known)| mentions[*known].1.network == mention.network) {
            Some(known) if known.0 < weight => *known = (weight, index),
            Some(_) => {}
            None => best.push((weight, index)),
        }
    }
    best.iter()
        // A profile in running text that shares nothing with the site's name belongs to someone else.
        .filter(|(weight, index)| *weight >= 10 || MAIN_NETWORKS.contains(&mentions[*index].1.network))
        .map(|(_, index)| {
            let (url, mention) = &mentions[*index];
            let evidence = Evidence { url: url.clone(), method: mention.method, snippet: mention.snippet.clone() };
            FoundSocial { network: mention.network.to_owned(), profile_url: mention.address.clone(), evidence }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(url: &str, expect: &str) {
        let found = profile(url).map(|(network, address)| format!("{network} {address}")).unwrap_or_default();
        assert_eq!(found, expect, "{url}");
    }

    #[test]
    fn profiles_are_normalised() {
        check("http://facebook.com/JoesPlumbing/?ref=page", "facebook https://www.facebook.com/JoesPlumbing");
        check("https://m.facebook.com/pages/Joes/123?x", "facebook https://www.facebook.com/pages/Joes/123");
        check(
            "https://www.facebook.com/profile.php?id=100&x=1",
            "facebook https://www.facebook.com/profile.php?id=100",
        );
        check("//www.instagram.com/joes.plumbing/", "instagram https://www.instagram.com/joes.plumbing");
        check("https://uk.linkedin.com/company/joes/about/", "linkedin https://www.linkedin.com/company/joes");
        check("https://twitter.com/@joes?lang=en", "x https://x.com/joes");
        check("https://x.com/joes", "x https://x.com/joes");
        check("https://www.youtube.com/@joes/videos", "youtube https://www.youtube.com/@joes");
        check("https://youtube.com/channel/UC123", "youtube https://www.youtube.com/channel/UC123");
        check("https://tiktok.com/@joes", "tiktok https://www.tiktok.com/@joes");
        check("https://www.pinterest.co.uk/joes/", "pinterest https://www.pinterest.com/joes");
        check("https://www.yelp.com/biz/joes-austin?x=1", "yelp https://www.yelp.com/biz/joes-austin");
        check("https://g.page/joes", "google https://g.page/joes");
        check("https://www.google.com/maps/place/Joes/@30,-97", "google https://google.com/maps/place/Joes/@30,-97");
        check("https://joes.tumblr.com/", "tumblr https://joes.tumblr.com");
    }

    #[test]
    fn buttons_and_posts_are_not_profiles() {
        for url in [
            "https://www.facebook.com/sharer/sharer.php?u=x",
            "https://www.facebook.com/sharer.php?u=x",
            "https://www.facebook.com/",
            "https://facebook.com/tr?id=1",
            "https://www.facebook.com/dialog/share",
            "https://twitter.com/intent/tweet?x",
            "https://twitter.com/share?url=x",
            "https://twitter.com/joes/status/1",
            "https://x.com/home",
            "https://www.linkedin.com/shareArticle?mini=true",
            "https://www.linkedin.com/",
            "https://pinterest.com/pin/create/button/?url=x",
            "https://www.instagram.com/p/abc/",
            "https://www.youtube.com/watch?v=1",
            "https://youtu.be/x",
            "https://t.me/share/url?x",
            "https://www.facebook.com/wix",
            "https://www.google.com/maps/dir/x",
            "https://www.google.com/",
            "https://wa.me/?text=x",
            "https://www.instagram.com/",
            "https://www.yelp.com/",
            "https://twitter.com/squarespace",
            "https://www.reddit.com/submit?url=x",
            "https://acme.com/x",
        ] {
            check(url, "");
        }
    }
}
