//! Matches the rule table against a page: hosts of URLs by hash, markers by one SIMD scan.

use std::ops::Range;

use memchr::{memmem, memrchr2};
use rustc_hash::FxHashSet;

use crate::budget::StepBudget;
use crate::document::Document;
use crate::prescan::Prescan;
use crate::technology::rules::{HostEntry, HostUse, Marker, MarkerTail, RULES};
use crate::word_set::WordSet;

/// URLs examined per page.
const URLS_MAX: usize = 30_000;
/// Steps charged per host name looked up.
const LOOKUP_STEPS: usize = 16;
/// Steps charged for checking one host entry, its zone and its path.
const ENTRY_STEPS: usize = 200;
/// Steps charged for checking one marker.
const MARKER_STEPS: usize = 60;
/// Steps charged for reading the URL around a marker.
const AROUND_STEPS: usize = 120;
/// Bytes before a marker in which its URL may start.
const URL_BYTES_MAX: usize = 120;
/// Hits kept per page; each rule is kept once per zone.
const HITS_MAX: usize = 400;
/// Longest host that is looked up, in bytes.
const HOST_BYTES_MAX: usize = 80;
/// Bytes searched backwards to decide whether a position is inside a tag.
const LOOK_BACK_BYTES: usize = 8 * 1024;

/// First path segments that lead to the vendor's own pages, not to the business's page there.
static VENDOR_PATHS: WordSet = WordSet::new(
    "login log-in signin sign-in sign_in signup sign-up sign_up register pricing about about-us features
     blog help support legal terms privacy careers download app apps partners home en us contact contact-us
     product products solutions users session account accounts demo business for-business press faq search
     explore en-us password auth dashboard integrations marketplace merchant policies cookies security
     developers docs company resources customers index.html favicon.ico pro",
);

/// The part of the page a host or marker is in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum SourceZone {
    /// A tag other than a link: the page loads it.
    Load,
    /// A link tag.
    Link,
    /// An inline script.
    Script,
}

/// A rule that matched.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RuleHit {
    pub(crate) rule: usize,
    pub(crate) zone: SourceZone,
    pub(crate) at: usize,
    pub(crate) is_marker: bool,
}

/// Finds the rules that match a page, or a script when there is no document.
pub(crate) fn hits(
    source: &str,
    document: Option<&Document<'_>>,
    site: Option<&str>,
    budget: &StepBudget,
) -> Vec<RuleHit> {
    let mut matcher = Matcher {
        source,
        document,
        site,
        budget,
        found: Vec::new(),
        known: FxHashSet::default(),
        known_markers: FxHashSet::default(),
        last_host: None,
        looked_to: 0,
        bracket: None,
    };
    matcher.urls();
    matcher.markers();
    matcher.found
}

struct Matcher<'s, 'h> {
    source: &'s str,
    document: Option<&'s Document<'h>>,
    /// The registrable domain of the page.
    site: Option<&'s str>,
    budget: &'s StepBudget,
    found: Vec<RuleHit>,
    /// The rules found, per zone.
    known: FxHashSet<(usize, SourceZone)>,
    /// The rules that a marker has matched.
    known_markers: FxHashSet<usize>,
    /// The last host checked, and whether it belongs to another site.
    last_host: Option<(String, bool)>,
    /// Everything before this byte has been searched for angle brackets.
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

    /// Looks up the host that starts at `from`, and each of its parent domains. `false` when the budget is spent.
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
                // `book.acme-tool.com` is a customer's page; `acme-tool.com` alone is the vendor's home page.
                let is_own = is_below
                    || (!name.starts_with("www.") && !name.ends_with(".co.uk") && name.matches('.').count() > 1);
                for entry in entries {
                    self.host_entry(entry, from..end, is_own);
                }
            }
            match name.split_once('.') {
                Some((_, parent)) if parent.contains('.') => name = parent,
                _ => return true,
            }
        }
    }

    fn host_entry(&mut self, entry: &HostEntry, host: Range<usize>, is_own: bool) {
        let Some(zone) = self.zone(host.start).filter(|_| is_own || !entry.only_below) else { return };
        let fits = match (entry.host_use, zone) {
            (HostUse::Load, SourceZone::Load | SourceZone::Script) => true,
            (HostUse::Link, SourceZone::Link | SourceZone::Script) => true,
            // Embedding a booking page in a frame is stronger than linking it.
            (HostUse::Link, SourceZone::Load) => true,
            (HostUse::Load, SourceZone::Link) => false,
        };
        if !fits {
            return;
        }
        let path = path_at(&self.source[host.end..]);
        let first = path.trim_start_matches('/').split(['/', '?', '#']).next().unwrap_or("");
        let is_vendors = entry.host_use == HostUse::Link
            && !is_own
            && entry.path.len() < 2
            && (first.is_empty() || VENDOR_PATHS.contains(first))
            && !path.contains("#/");
        let is_login = entry.host_use == HostUse::Link
            && ["/login", "/signin", "/sign_in", "/sign-in"].iter().any(|word| path.contains(word));
        if path_fits(&path, &entry.path) && !is_vendors && !is_login {
            self.keep(RuleHit { rule: entry.rule, zone, at: host.start, is_marker: false });
        }
    }

    fn markers(&mut self) {
        match self.document {
            Some(document) => self.each_marker(&document.markers),
            None => self.each_marker(&Prescan::scan(self.source).markers),
        }
    }

    fn each_marker(&mut self, markers: &[(usize, usize)]) {
        for (marker, at) in markers {
            if !self.budget.spend(MARKER_STEPS) {
                return;
            }
            self.marker(&RULES.markers[*marker], *at);
        }
    }

    fn marker(&mut self, marker: &Marker, start: usize) {
        let end = start + marker.literal.len();
        let Some(zone) = self.zone(start) else { return };
        let plugin = if marker.literal == "/wp-content" { plugin_rule(&self.source[end..]) } else { None };
        let plugin = plugin.filter(|rule| !self.known.contains(&(*rule, zone)));
        let mark_zone = if zone == SourceZone::Link { SourceZone::Load } else { zone };
        let is_new = !self.known_markers.contains(&marker.rule)
            && !self.known.contains(&(marker.rule, mark_zone))
            && tail_fits(marker, &self.source.as_bytes()[end..]);
        // The owner of the URL is checked last, because it costs most.
        if (plugin.is_none() && !is_new)
            || (marker.literal.starts_with('/') && (!self.budget.spend(AROUND_STEPS) || self.is_elsewhere(start)))
        {
            return;
        }
        if let Some(rule) = plugin {
            self.keep(RuleHit { rule, zone, at: start, is_marker: false });
        }
        if is_new {
            self.keep(RuleHit { rule: marker.rule, zone: mark_zone, at: start, is_marker: true });
        }
    }

    /// Whether a path belongs to a URL of another site: an image loaded from a blog does not make this site a blog.
    fn is_elsewhere(&mut self, at: usize) -> bool {
        let (Some(site), Some(host)) = (self.site, host_before(self.source, at)) else { return false };
        // Most images of a page come from one host.
        match &self.last_host {
            Some((last, is_elsewhere)) if last == host => *is_elsewhere,
            _ => {
                let is_elsewhere = is_host_elsewhere(&host.to_ascii_lowercase(), site);
                self.last_host = Some((host.to_owned(), is_elsewhere));
                is_elsewhere
            }
        }
    }

    fn keep(&mut self, hit: RuleHit) {
        if self.found.len() < HITS_MAX && self.known.insert((hit.rule, hit.zone)) {
            if hit.is_marker {
                self.known_markers.insert(hit.rule);
            }
            self.found.push(hit);
        }
    }

    /// Which part of the page byte `at` belongs to; `None` for text and comments.
    fn zone(&mut self, at: usize) -> Option<SourceZone> {
        let Some(document) = self.document else { return Some(SourceZone::Script) };
        let inside = |ranges: &[(usize, usize)]| {
            let after = ranges.partition_point(|(start, _)| *start <= at);
            after > 0 && at < ranges[after - 1].1
        };
        let after = document.scripts.partition_point(|script| script.start <= at);
        if let Some(script) = after.checked_sub(1).map(|index| &document.scripts[index])
            && at < script.start + script.body.len()
        {
            return Some(if script.is_json_ld { SourceZone::Link } else { SourceZone::Script });
        }
        if inside(&document.comments) {
            return None;
        }
        if inside(&document.anchors) {
            return Some(SourceZone::Link);
        }
        let bracket = self.bracket_before(at)?;
        (self.source.as_bytes()[bracket] == b'<').then_some(SourceZone::Load)
    }

    /// The last angle bracket before `at`. Positions are queried in order, so each byte is searched once per pass.
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

/// The host of the URL whose path continues at `at`; slashes may be escaped.
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

/// Whether a host, given in lower case, is neither the site's own nor a CDN.
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

/// The path after a host, in lower case, with `\/` and `&amp;` decoded.
fn path_at(rest: &str) -> String {
    let rest = crate::page::around(rest, 0, 0, 200);
    let end = rest.find(|c: char| c.is_whitespace() || "\"'<>`)".contains(c)).unwrap_or(rest.len());
    let path = rest[..end].replace("\\/", "/").replace("&amp;", "&").replace("\\u0026", "&").to_ascii_lowercase();
    let path = path.trim_end_matches('\\');
    // Some sites write a doubled slash.
    if path.starts_with("//") { path[1..].to_owned() } else { path.to_owned() }
}

/// Whether a path starts with the rule's path, up to the end of a segment.
fn path_fits(path: &str, asked: &str) -> bool {
    let Some(rest) = path.strip_prefix(asked) else { return false };
    let open_end = asked.is_empty() || asked.ends_with(|c: char| !c.is_ascii_alphanumeric());
    open_end || !rest.starts_with(|c: char| c.is_ascii_alphanumeric())
}

/// The rule for the plugin or theme in a path that continues like this after `/wp-content`.
fn plugin_rule(rest: &str) -> Option<usize> {
    plugin_at(rest).and_then(|folder| RULES.plugins.get(&folder).copied())
}

/// The folder of a plugin or theme directly after `/wp-content`; slashes may be escaped.
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

fn tail_fits(marker: &Marker, rest: &[u8]) -> bool {
    match marker.tail {
        MarkerTail::Anything => true,
        MarkerTail::Digits => rest.len() >= 5 && rest[..5].iter().all(u8::is_ascii_digit),
        // Analytics ids have ten; a brand such as G-SHOCK has fewer.
        MarkerTail::Capitals => {
            rest.len() >= 8 && rest[..8].iter().all(|b| b.is_ascii_uppercase() || b.is_ascii_digit())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_read_as_in_browsers() {
        assert_eq!(path_at("/A/b?c=1&amp;d\" x"), "/a/b?c=1&d");
        assert_eq!(path_at("\\/a\\/b\\\""), "/a/b");
        assert_eq!(path_at("//resources/x"), "/resources/x");
        assert_eq!(path_at(""), "");
    }
}
