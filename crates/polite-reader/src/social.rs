//! "Websites" that are a page on another site: social networks, link collections, directories and marketplaces. They are
//! recognised by name and never requested.

use url::{Host, Url};

use crate::domain::site_of;

/// The display name of such a site.
pub(crate) type SocialName = &'static str;

/// Registrable domains of such sites.
const SOCIAL_SITES: [(&str, SocialName); 74] = [
    ("facebook.com", "Facebook"),
    ("fb.com", "Facebook"),
    ("fb.me", "Facebook"),
    ("fb.watch", "Facebook"),
    ("messenger.com", "Messenger"),
    ("m.me", "Messenger"),
    ("instagram.com", "Instagram"),
    ("instagr.am", "Instagram"),
    ("threads.net", "Threads"),
    ("threads.com", "Threads"),
    ("twitter.com", "X"),
    ("x.com", "X"),
    ("linkedin.com", "LinkedIn"),
    ("lnkd.in", "LinkedIn"),
    ("youtube.com", "YouTube"),
    ("youtu.be", "YouTube"),
    ("tiktok.com", "TikTok"),
    ("pinterest.com", "Pinterest"),
    ("pin.it", "Pinterest"),
    ("snapchat.com", "Snapchat"),
    ("reddit.com", "Reddit"),
    ("vk.com", "VK"),
    ("ok.ru", "OK"),
    ("xing.com", "Xing"),
    ("whatsapp.com", "WhatsApp"),
    ("wa.me", "WhatsApp"),
    ("t.me", "Telegram"),
    ("telegram.me", "Telegram"),
    ("discord.gg", "Discord"),
    ("discord.com", "Discord"),
    ("line.me", "LINE"),
    ("bsky.app", "Bluesky"),
    ("nextdoor.com", "Nextdoor"),
    ("linktr.ee", "Linktree"),
    ("linktree.com", "Linktree"),
    ("lnk.bio", "a link page"),
    ("linkin.bio", "a link page"),
    ("bio.link", "a link page"),
    ("bio.site", "a link page"),
    ("beacons.ai", "a link page"),
    ("campsite.bio", "a link page"),
    ("taplink.cc", "a link page"),
    ("taplink.at", "a link page"),
    ("msha.ke", "a link page"),
    ("solo.to", "a link page"),
    ("allmylinks.com", "a link page"),
    ("about.me", "about.me"),
    ("yelp.com", "Yelp"),
    ("yelp.to", "Yelp"),
    ("yellowpages.com", "Yellow Pages"),
    ("bbb.org", "BBB"),
    ("tripadvisor.com", "Tripadvisor"),
    ("foursquare.com", "Foursquare"),
    ("g.page", "Google Maps"),
    ("g.co", "Google Maps"),
    ("goo.gl", "Google Maps"),
    ("doordash.com", "DoorDash"),
    ("ubereats.com", "Uber Eats"),
    ("grubhub.com", "Grubhub"),
    ("seamless.com", "Seamless"),
    ("postmates.com", "Postmates"),
    ("deliveroo.co.uk", "Deliveroo"),
    ("just-eat.co.uk", "Just Eat"),
    ("lieferando.de", "Lieferando"),
    ("opentable.com", "OpenTable"),
    ("booking.com", "Booking.com"),
    ("airbnb.com", "Airbnb"),
    ("etsy.com", "Etsy"),
    ("ebay.com", "eBay"),
    ("amazon.com", "Amazon"),
    ("angi.com", "Angi"),
    ("thumbtack.com", "Thumbtack"),
    ("houzz.com", "Houzz"),
    ("healthgrades.com", "Healthgrades"),
];

/// Labels that such sites use under many country domains.
const SOCIAL_LABELS: [(&str, SocialName); 4] =
    [("pinterest", "Pinterest"), ("yelp", "Yelp"), ("tripadvisor", "Tripadvisor"), ("facebook", "Facebook")];

/// Hosts on which a business has a site of its own although the domain is one of the above.
const OWN_SITES: [&str; 3] = ["sites.google.com", "business.google.com", "shop.app"];

/// The site a URL belongs to, when it is not a website of its own.
pub(crate) fn social_name(url: &Url) -> Option<SocialName> {
    let Some(Host::Domain(host)) = url.host() else { return None };
    let host = host.trim_end_matches('.');
    if OWN_SITES.contains(&host) {
        return None;
    }
    let site = site_of(url);
    if let Some((_, name)) = SOCIAL_SITES.iter().find(|(known, _)| *known == site) {
        return Some(name);
    }
    let label = site.split('.').next().unwrap_or_default();
    if let Some((_, name)) = SOCIAL_LABELS.iter().find(|(known, _)| *known == label) {
        // pinterest.de and yelp.co.uk, but not facebook.mybakery.com.
        return public_suffix::suffix(site).is_some_and(|suffix| suffix.len() <= 6).then_some(*name);
    }
    let maps =
        label == "google" && (host.starts_with("maps.") || host.starts_with("plus.") || is_maps_path(url.path()));
    maps.then_some("Google Maps")
}

fn is_maps_path(path: &str) -> bool {
    ["/maps", "/search", "/local", "/travel"].iter().any(|start| path.starts_with(start))
}
