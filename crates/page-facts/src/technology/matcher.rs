//! Finds the hosts and marks of the rule table in a page: hosts of URLs by hash, marks by one SIMD pass.

use memchr::{memmem, memrchr2};
use rustc_hash::FxHashSet;

use crate::budget::Budget;
use crate::document::Document;
use crate::glances::Seen;
use crate::technology::rules::{HostEntry, Mark, Place, RULES, Tail};

/// URLs looked at in one page.
const URLS_MAX: usize = 30_000;
/// Steps of looking up one name of a host.
const LOOKUP_STEPS: usize = 16;
/// Steps of checking one host of the table, its zone and its path.
const ENTRY_STEPS: usize = 200;
/// Steps of checking one mark.
const MARK_STEPS: usize = 60;
/// Steps of reading the URL around a mark.
const AROUND_STEPS: usize = 120;
/// Bytes before a mark in which its URL begins.
const URL_BYTES_MAX: usize = 120;
/// Hits kept of one page; each rule is kept once for each zone.
const HITS_MAX: usize = 400;
/// Longest host that is looked up.
const HOST_BYTES_MAX: usize = 80;
/// Bytes looked back to tell whether a place is inside a tag.
const LOOK_BACK_BYTES: usize = 8 * 1024;

/// First words of a path that lead to the vendor, not to the business's own page there.
const VENDOR_PATHS: &[&str] = &[
    "",
    "login",
    "log-in",
    "signin",
    "sign-in",
    "sign_in",
    "signup",
    "sign-up",
    "sign_up",
    "register",
    "pricing",
    "about",
    "about-us",
    "features",
    "blog",
    "help",
    "support",
    "legal",
    "terms",
    "privacy",
    "careers",
    "download",
    "app",
    "apps",
    "partners",
    "home",
    "en",
    "us",
    "contact",
    "contact-us",
    "product",
    "products",
    "solutions",
    "users",
    "session",
    "account",
    "accounts",
    "demo",
    "business",
    "for-business",
    "press",
    "faq",
    "search",
    "explore",
    "en-us",
    "password",
    "auth",
    "dashboard",
    "integrations",
    "marketplace",
    "merchant",
    "policies",
    "cookies",
    "security",
    "developers",
    "docs",
    "company",
    "resources",
    "customers",
    "index.html",
    "favicon.ico",
    "pro",
];

/// Where a host or mark was seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Zone {
    /// In a tag that is no link: the page loads it.
    Load,
    /// In a link.
    Link,
    /// In a script.
    Script,
}

/// A rule that was seen.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Hit {
    pub(crate) rule: usize,
    pub(crate) zone: Zone,
    pub(crate) at: usize,
    pub(crate) is_mark: bool,
}

/// Finds every rule that shows in a page, or in a script when there is no document.
pub(crate) fn hits(source: &str, document: Option<&Document<'_>>, site: Option<&str>, budget: &Budget) -> Vec<Hit> {
    let mut matcher = Matcher {
        source,
        document,
        site,
        budget,
        found: Vec::new(),
        known: FxHashSet::default(),
        known_marks: FxHashSet::default(),
        last_host: None,
        looked_to: 0,
        bracket: None,
    };
    matcher.urls();
    matcher.marks();
    matcher.found
}

struct Matcher<'s, 'h> {
    source: &'s str,
    document: Option<&'s Document<'h>>,
    /// The registrable domain of the page.
    site: Option<&'s str>,
    budget: &'s Budget,
    found: Vec<Hit>,
    /// The rules found, each with where.
    known: FxHashSet<(usize, Zone)>,
    /// The rules that a mark has shown.
    known_marks: FxHashSet<usize>,
    /// The host last asked about, and whether it is another site's.
    last_host: Option<(String, bool)>,
    /// Everything before this byte was searched for angle brackets.
    looked_to: usize,
    /// The last angle bracket before it.
    bracket: Option<usize>,
}

impl Matcher<'_, '_> {
    fn urls(&mut self) {
        let bytes = self.source.as_bytes();
        let plain = memmem::find_iter(bytes, b"//").take(URLS_MAX).map(|at| at + 2);
        let escaped = memmem::find_iter(bytes, b"\\/\\/").take(URLS_MAX).map(|at| at + 4);
        for from in plain.chain(escaped) {
            if !self.url(from) {
                return;
            }
        }
    }

    /// Looks up the host that starts at `from`, and each of its parents. `false` when the budget is spent.
    fn url(&mut self, from: usize) -> bool {
        let mut buffer = [0; HOST_BYTES_MAX];
        let Some(host) = host_at(&self.source.as_bytes()[from..], &mut buffer) else { return true };
        if !self.budget.spend(host.len()) {
            return false;
        }
        let end = from + host.len();
        let mut name = host;
        loop {
            if !self.budget.spend(LOOKUP_STEPS) {
                return false;
            }
            if let Some(entries) = RULES.hosts.get(name) {
                if !self.budget.spend(ENTRY_STEPS * entries.len()) {
                    return false;
                }
                let is_below = name.len() < host.trim_start_matches("www.").len();
                // `book.acme-tool.com` is a place of its own; `acme-tool.com` alone is the vendor's front door.
                let is_own = is_below
                    || (!name.starts_with("www.") && !name.ends_with(".co.uk") && name.matches('.').count() > 1);
                for entry in entries {
                    self.host_entry(entry, (from, end), is_own);
                }
            }
            match name.split_once('.') {
                Some((_, parent)) if parent.contains('.') => name = parent,
                _ => return true,
            }
        }
    }

    fn host_entry(&mut self, entry: &HostEntry, (start, end): (usize, usize), is_own: bool) {
        let Some(zone) = self.zone(start).filter(|_| is_own || !entry.only_below) else { return };
        let fits = match (entry.place, zone) {
            (Place::Load, Zone::Load | Zone::Script) => true,
            (Place::Link, Zone::Link | Zone::Script) => true,
            // A booking page in a frame is linked all the more.
            (Place::Link, Zone::Load) => true,
            (Place::Load, Zone::Link) => false,
        };
        if !fits {
            return;
        }
        let path = path_at(&self.source[end..]);
        let first = path.trim_start_matches('/').split(['/', '?', '#']).next().unwrap_or("");
        let is_vendors = entry.place == Place::Link
            && !is_own
            && entry.path.len() < 2
            && VENDOR_PATHS.contains(&first)
            && !path.contains("#/");
        let is_login = entry.place == Place::Link
            && ["/login", "/signin", "/sign_in", "/sign-in"].iter().any(|word| path.contains(word));
        if path_fits(&path, &entry.path) && !is_vendors && !is_login {
            self.keep(Hit { rule: entry.rule, zone, at: start, is_mark: false });
        }
    }

    fn marks(&mut self) {
        match self.document {
            Some(document) => self.each_mark(&document.marks),
            None => self.each_mark(&Seen::look(self.source).marks),
        }
    }

    fn each_mark(&mut self, marks: &[(usize, usize)]) {
        for (mark, at) in marks {
            if !self.budget.spend(MARK_STEPS) {
                return;
            }
            self.mark(&RULES.marks[*mark], *at);
        }
    }

    fn mark(&mut self, mark: &Mark, start: usize) {
        let end = start + mark.literal.len();
        let Some(zone) = self.zone(start) else { return };
        let plugin = if mark.literal == "/wp-content" { plugin_rule(&self.source[end..]) } else { None };
        let plugin = plugin.filter(|rule| !self.known.contains(&(*rule, zone)));
        let mark_zone = if zone == Zone::Link { Zone::Load } else { zone };
        let is_new = !self.known_marks.contains(&mark.rule)
            && !self.known.contains(&(mark.rule, mark_zone))
            && tail_fits(mark, &self.source.as_bytes()[end..]);
        // Whose URL it is is asked last, since it costs most.
        if (plugin.is_none() && !is_new)
            || (mark.literal.starts_with('/') && (!self.budget.spend(AROUND_STEPS) || self.is_elsewhere(start)))
        {
            return;
        }
        if let Some(rule) = plugin {
            self.keep(Hit { rule, zone, at: start, is_mark: false });
        }
        if is_new {
            self.keep(Hit { rule: mark.rule, zone: mark_zone, at: start, is_mark: true });
        }
    }

    /// Whether a path belongs to a URL of another site: a picture taken from a blog does not make this one a blog.
    fn is_elsewhere(&mut self, at: usize) -> bool {
        let (Some(site), Some(host)) = (self.site, host_before(self.source, at)) else { return false };
        // The pictures of a page mostly come from one host.
        match &self.last_host {
            Some((last, is_elsewhere)) if last == host => *is_elsewhere,
            _ => {
                let is_elsewhere = is_host_elsewhere(&host.to_ascii_lowercase(), site);
                self.last_host = Some((host.to_owned(), is_elsewhere));
                is_elsewhere
            }
        }
    }

    fn keep(&mut self, hit: Hit) {
        if self.found.len() < HITS_MAX && self.known.insert((hit.rule, hit.zone)) {
            if hit.is_mark {
                self.known_marks.insert(hit.rule);
            }
            self.found.push(hit);
        }
    }

    /// Which part of the page byte `at` belongs to; `None` for text and comments.
    fn zone(&mut self, at: usize) -> Option<Zone> {
        let Some(document) = self.document else { return Some(Zone::Script) };
        let inside = |ranges: &[(usize, usize)]| {
            let after = ranges.partition_point(|(start, _)| *start <= at);
            after > 0 && at < ranges[after - 1].1
        };
        let after = document.scripts.partition_point(|script| script.start <= at);
        if let Some(script) = after.checked_sub(1).map(|index| &document.scripts[index])
            && at < script.start + script.body.len()
        {
            return Some(if script.is_json_ld { Zone::Link } else { Zone::Script });
        }
        if inside(&document.comments) {
            return None;
        }
        if inside(&document.anchors) {
            return Some(Zone::Link);
        }
        let bracket = self.bracket_before(at)?;
        (self.source.as_bytes()[bracket] == b'<').then_some(Zone::Load)
    }

    /// The last angle bracket before `at`. Places are asked for in order, so each byte is searched once in a pass.
    fn bracket_before(&mut self, at: usize) -> Option<usize> {
        if at < self.looked_to {
            (self.looked_to, self.bracket) = (0, None);
        }
        let floor = at.saturating_sub(LOOK_BACK_BYTES);
        let from = floor.max(self.looked_to);
        let found = memrchr2(b'<', b'>', &self.source.as_bytes()[from..at]).map(|place| from + place);
        self.bracket = found.or(self.bracket);
        self.looked_to = at;
        self.bracket.filter(|bracket| *bracket >= floor)
    }
}

/// The host of the URL whose path goes on at `at`, slashes perhaps escaped.
fn host_before(source: &str, at: usize) -> Option<&str> {
    let before = crate::page::around(source, at, URL_BYTES_MAX, 0);
    let is_border = |byte: &u8| matches!(byte, b'"' | b'\'' | b' ' | b'(' | b'=' | b',' | b'>' | b'\n');
    let url = &before[before.as_bytes().iter().rposition(is_border).map_or(0, |border| border + 1)..];
    let host = match (memmem::find(url.as_bytes(), b"//"), memmem::find(url.as_bytes(), b"/\\/")) {
        (Some(plain), _) => &url[plain + 2..],
        (None, Some(escaped)) => &url[escaped + 3..],
        (None, None) => return None,
    };
    host.split(['/', '\\']).next()
}

/// Whether a host, in lower case, is neither the site's nor one that delivers the files of others.
fn is_host_elsewhere(host: &str, site: &str) -> bool {
    let is_delivery = [
        "cdn",
        "wp.com",
        "cloudfront",
        "amazonaws",
        "imgix",
        "static",
        "assets",
        "akamai",
        "fastly",
        "kinsta",
        "wpengine",
    ]
    .iter()
    .any(|word| host.contains(word));
    !is_delivery && crate::domains::registrable(host).is_some_and(|domain| domain != site)
}

/// Copies the host at the start of `bytes` in lower case; `None` when it has no dot or is too long.
fn host_at<'b>(bytes: &[u8], buffer: &'b mut [u8; HOST_BYTES_MAX]) -> Option<&'b str> {
    let mut length = 0;
    let mut has_dot = false;
    for byte in bytes.iter().take(HOST_BYTES_MAX + 1) {
        if !(byte.is_ascii_alphanumeric() || *byte == b'.' || *byte == b'-') {
            break;
        }
        *buffer.get_mut(length)? = byte.to_ascii_lowercase();
        has_dot |= *byte == b'.';
        length += 1;
    }
    if !has_dot {
        return None;
    }
    std::str::from_utf8(&buffer[..length]).ok()
}

/// The path after a host, in lower case, with `\/` and `&amp;` undone.
fn path_at(rest: &str) -> String {
    let rest = crate::page::around(rest, 0, 0, 200);
    let end = rest.find(|c: char| c.is_whitespace() || "\"'<>`)".contains(c)).unwrap_or(rest.len());
    let path = rest[..end].replace("\\/", "/").replace("&amp;", "&").replace("\\u0026", "&").to_ascii_lowercase();
    let path = path.trim_end_matches('\\');
    // Some write the address with a doubled slash.
    if path.starts_with("//") { path[1..].to_owned() } else { path.to_owned() }
}

/// Whether a path begins with what a rule asks, up to the end of a word.
fn path_fits(path: &str, asked: &str) -> bool {
    let Some(rest) = path.strip_prefix(asked) else { return false };
    let open_end = asked.is_empty() || asked.ends_with(|c: char| !c.is_ascii_alphanumeric());
    open_end || !rest.starts_with(|c: char| c.is_ascii_alphanumeric())
}

/// The rule of the plugin or theme whose path goes on like this after `/wp-content`.
fn plugin_rule(rest: &str) -> Option<usize> {
    plugin_at(rest).and_then(|folder| RULES.plugins.get(&folder).copied())
}

/// The folder of a plugin or theme right after `/wp-content`, slashes perhaps escaped.
fn plugin_at(rest: &str) -> Option<String> {
    let rest = crate::page::around(rest, 0, 0, 120);
    let rest = rest.trim_start_matches(['/', '\\']);
    let (prefix, rest) = match rest.strip_prefix("plugins") {
        Some(rest) => ("", rest),
        None => ("theme:", rest.strip_prefix("themes")?),
    };
    let folder = rest.trim_start_matches(['/', '\\']).split(['/', '\\', '"', '\'', '?']).next()?;
    Some(format!("{prefix}{folder}"))
}

fn tail_fits(mark: &Mark, rest: &[u8]) -> bool {
    match mark.tail {
        Tail::Anything => true,
        Tail::Digits => rest.len() >= 5 && rest[..5].iter().all(u8::is_ascii_digit),
        // Ten in an Analytics id; a brand such as G-SHOCK has fewer.
        Tail::Capitals => rest.len() >= 8 && rest[..8].iter().all(|b| b.is_ascii_uppercase() || b.is_ascii_digit()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_read_as_browsers_would() {
        assert_eq!(path_at("/A/b?c=1&amp;d\" x"), "/a/b?c=1&d");
        assert_eq!(path_at("\\/a\\/b\\\""), "/a/b");
        assert_eq!(path_at("//resources/x"), "/resources/x");
        assert_eq!(path_at(""), "");
    }
}
