//! Matches the rule table against a page: hosts of URLs by hash, markers by one SIMD scan.

use std::ops::Range;

use memchr::{memchr, memchr_iter, memmem};
use rustc_hash::FxHashSet;

use crate::budget::StepBudget;
use crate::document::Document;
use crate::explain;
use crate::prescan::Prescan;
use crate::technology::named::{
    HOST_BYTES_MAX, LOWER_IN_HOSTS, host_at, is_picture, path_at, path_fits, plugin_rule, tail_fits,
};
use crate::technology::owner::PageHost;
use crate::technology::rules::{Category, HostEntry, HostUse, Marker, RULES};
use crate::technology::zones::{NotInUse, SourceZone, Zones};
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
/// Steps charged for reading the code before a position in a script.
const CODE_STEPS: usize = 300;
/// Bytes before a host in which a list of hosts shows.
const LIST_BYTES_MAX: usize = 80;
/// Hits kept per page; each rule is kept once per zone.
const HITS_MAX: usize = 400;

/// First path segments that lead to the vendor's own pages, not to the business's page there.
static VENDOR_PATHS: WordSet = WordSet::new(
    "login log-in signin sign-in sign_in signup sign-up sign_up register pricing about about-us features
     blog help support legal terms privacy careers download app apps partners home en us contact contact-us
     product products solutions users session account accounts demo business for-business press faq search
     explore en-us password auth dashboard integrations marketplace merchant policies cookies security
     developers docs company resources customers index.html favicon.ico pro",
);

/// Subdomains that every vendor keeps for itself.
static VENDOR_HOSTS: WordSet = WordSet::new(
    "help support blog docs developer developers status careers jobs community academy learn knowledge kb news press
     investors legal partners info marketing ir trust",
);

/// A rule that matched.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RuleHit {
    pub(crate) rule: usize,
    pub(crate) zone: SourceZone,
    pub(crate) at: usize,
    pub(crate) by: HitBy,
}

/// What a rule matched by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum HitBy {
    Host,
    Marker,
    /// The folder of a WordPress plugin or theme.
    Plugin,
}

/// Finds the rules that match a page, or a script when there is no document.
pub(crate) fn hits(source: &str, document: Option<&Document<'_>>, url: &str, budget: &StepBudget) -> Vec<RuleHit> {
    let mut matcher = Matcher {
        source,
        document,
        host: PageHost::of(url),
        zones: Zones::new(source, document),
        budget,
        found: Vec::new(),
        known: FxHashSet::default(),
        last_plain: PlainHost::default(),
    };
    matcher.urls();
    matcher.markers();
    matcher.found
}

struct Matcher<'s, 'h> {
    source: &'s str,
    document: Option<&'s Document<'h>>,
    host: PageHost,
    zones: Zones<'s, 'h>,
    budget: &'s StepBudget,
    found: Vec<RuleHit>,
    /// The rules found, per zone.
    known: FxHashSet<(usize, SourceZone)>,
    last_plain: PlainHost,
}

/// A host that no rule names. Most URLs of a page name the same one as those before: the site's own.
#[derive(Default)]
struct PlainHost {
    /// Where it was found in the source.
    place: Range<usize>,
    /// How many domains were looked up for it.
    lookups: usize,
}

impl PlainHost {
    /// Whether the same host is written at `at`.
    fn is_at(&self, source: &str, at: usize) -> bool {
        let (host, rest) = (&source.as_bytes()[self.place.clone()], &source.as_bytes()[at..]);
        let is_end = |byte: &u8| LOWER_IN_HOSTS[usize::from(*byte)] == 0;
        !host.is_empty() && rest.starts_with(host) && rest.get(host.len()).is_none_or(is_end)
    }

    /// Charges what the lookups would have cost. `false` when the budget is spent.
    fn charge(&self, budget: &StepBudget) -> bool {
        budget.spend(self.place.len()) && (0..self.lookups).all(|_| budget.spend(LOOKUP_STEPS))
    }
}

impl Matcher<'_, '_> {
    fn urls(&mut self) {
        let bytes = self.source.as_bytes();
        let plain = memmem::find_iter(bytes, b"//").take(URLS_MAX).map(|at| at + 2);
        let backslash = memchr(b'\\', bytes).unwrap_or(bytes.len());
        let escaped = memmem::find_iter(&bytes[backslash..], b"\\/\\/").take(URLS_MAX).map(|at| backslash + at + 4);
        for from in plain.chain(escaped) {
            if !self.url(from) {
                return;
            }
        }
    }

    /// Looks up the host that starts at `from`, and each of its parent domains. `false` when the budget is spent.
    fn url(&mut self, from: usize) -> bool {
        if self.last_plain.is_at(self.source, from) {
            return self.last_plain.charge(self.budget);
        }
        let mut buffer = [0; HOST_BYTES_MAX];
        let Some(host) = host_at(&self.source.as_bytes()[from..], &mut buffer) else { return true };
        if !self.budget.spend(host.len()) {
            return false;
        }
        let end = from + host.len();
        let mut plain = PlainHost { place: from..end, lookups: 0 };
        let mut is_plain = true;
        let mut name = host;
        loop {
            if !self.budget.spend(LOOKUP_STEPS) {
                return false;
            }
            plain.lookups += 1;
            if let Some(entries) = RULES.hosts.get(name) {
                is_plain = false;
                if !self.budget.spend(ENTRY_STEPS * entries.len()) {
                    return false;
                }
                let is_below = name.len() < host.trim_start_matches("www.").len();
                // `book.acme-tool.com` is a customer's page; `acme-tool.com` alone is the vendor's home page.
                let is_below_site =
                    || public_suffix::domain(name.trim_end_matches('.')).is_some_and(|site| site != name);
                let is_own = is_below || (!name.starts_with("www.") && is_below_site());
                let is_vendors = is_below && host.split('.').next().is_some_and(|label| VENDOR_HOSTS.contains(label));
                for entry in entries.iter().filter(|entry| !is_vendors || entry.host_use != HostUse::Link) {
                    self.host_entry(entry, from..end, is_own);
                }
            }
            let mut dots = memchr_iter(b'.', name.as_bytes());
            match (dots.next(), dots.next()) {
                (Some(dot), Some(_)) => name = &name[dot + 1..],
                _ => break,
            }
        }
        if is_plain {
            self.last_plain = plain;
        }
        true
    }

    fn host_entry(&mut self, entry: &HostEntry, host: Range<usize>, is_own: bool) {
        if !is_own && entry.only_below {
            return;
        }
        let zone = match self.zones.at(host.start) {
            Ok(zone) => zone,
            Err(reason) => return refuse(entry.rule, reason),
        };
        if self.known.contains(&(entry.rule, zone)) {
            return;
        }
        let path = path_at(&self.source[host.end..]);
        if !path_fits(&path, &entry.path) {
            return;
        }
        let is_bare = path.trim_matches(['/', ';', ',']).is_empty();
        match objection(entry, zone, &path, is_own) {
            Some(reason) => refuse(entry.rule, reason),
            None if zone == SourceZone::Script && self.is_commented_code(host.start) => {
                refuse(entry.rule, "commented out");
            }
            None if zone == SourceZone::Script && is_bare && is_listed(self.source, &host) => {
                refuse(entry.rule, "only named in a list of hosts");
            }
            None => self.keep(RuleHit { rule: entry.rule, zone, at: host.start, by: HitBy::Host }),
        }
    }

    fn is_commented_code(&self, at: usize) -> bool {
        !self.budget.spend(CODE_STEPS) || self.zones.is_commented_code(at)
    }

    fn markers(&mut self) {
        match self.document {
            Some(document) => self.each_marker(&document.markers),
            None => self.each_marker(&Prescan::scan(self.source).markers),
        }
    }

    fn each_marker(&mut self, literals: &[(usize, usize)]) {
        for (literal, at) in literals {
            if !self.budget.spend(MARKER_STEPS) {
                return;
            }
            for marker in &RULES.literals[*literal].1 {
                self.marker(marker, *at);
            }
        }
    }

    fn marker(&mut self, marker: &Marker, start: usize) {
        let end = start + marker.literal.len();
        if !tail_fits(&marker.tail, &self.source.as_bytes()[end..]) {
            return;
        }
        let zone = match self.zones.at(start) {
            Ok(zone) => zone,
            Err(reason) => return refuse(marker.rule, reason),
        };
        let plugin = if marker.rule == RULES.wordpress { plugin_rule(&self.source[start..]) } else { None };
        let plugin = plugin.filter(|rule| !self.known.contains(&(*rule, zone)));
        let is_new = !self.known.contains(&(marker.rule, zone));
        if plugin.is_none() && !is_new {
            return;
        }
        // The owner of the URL is checked last, because it costs most.
        let is_path = marker.literal.contains('/');
        if is_path && (!self.budget.spend(AROUND_STEPS) || self.host.is_elsewhere(self.source, start)) {
            return refuse(marker.rule, "a file of another site");
        }
        if zone == SourceZone::Script && self.is_commented_code(start) {
            return refuse(marker.rule, "commented out");
        }
        if let Some(rule) = plugin {
            self.keep(RuleHit { rule, zone, at: start, by: HitBy::Plugin });
        }
        self.keep(RuleHit { rule: marker.rule, zone, at: start, by: HitBy::Marker });
    }

    fn keep(&mut self, hit: RuleHit) {
        if self.found.len() < HITS_MAX && self.known.insert((hit.rule, hit.zone)) {
            let rule = &RULES.list[hit.rule];
            explain::accepted(rule.categories[0].finder(), reason(hit), &rule.name);
            self.found.push(hit);
        }
    }
}

/// Why a URL on a host of a rule does not show its use.
fn objection(entry: &HostEntry, zone: SourceZone, path: &str, is_own: bool) -> Option<NotInUse> {
    let first = path.trim_start_matches('/').split(['/', '?', '#']).next().unwrap_or("");
    if entry.host_use == HostUse::Link {
        let is_vendors = !is_own
            && entry.path.len() < 2
            && (first.is_empty() || VENDOR_PATHS.contains(first))
            && !path.contains("#/");
        let is_login = ["/login", "/log-in", "/signin", "/sign_in", "/sign-in"].iter().any(|word| path.contains(word));
        return (is_vendors || is_login).then_some("the vendor's own page, not this business's page there");
    }
    let is_platform = RULES.list[entry.rule].categories[0] == Category::Platform;
    match zone {
        SourceZone::Link => Some("only a link"),
        _ if entry.host_use == HostUse::Image => None,
        SourceZone::Shown if is_platform => Some("only an image or a frame from there"),
        _ if is_platform && is_picture(path) => Some("only an image or a frame from there"),
        _ => None,
    }
}

/// The kind of evidence, in the words of an explanation.
fn reason(hit: RuleHit) -> &'static str {
    match (hit.by, hit.zone) {
        (HitBy::Host, SourceZone::Load) => "loaded from its host",
        (HitBy::Host, SourceZone::Shown) => "an image or a frame from its host",
        (HitBy::Host, SourceZone::Script) => "loaded by a script from its host",
        (HitBy::Host, SourceZone::Link) => "a link to this business's page there",
        (HitBy::Marker, SourceZone::Script) => "its code in a script",
        (HitBy::Marker, _) => "its markup",
        (HitBy::Plugin, _) => "files of its WordPress plugin or theme",
    }
}

fn refuse(rule: usize, reason: NotInUse) {
    let rule = &RULES.list[rule];
    explain::refused(rule.categories[0].finder(), reason, &rule.name);
}

/// Whether a script names a host in a list: of hosts to connect to early, of hosts that a policy allows, of cookies to ask for.
fn is_listed(source: &str, host: &Range<usize>) -> bool {
    let before = crate::page::around(source, host.start, LIST_BYTES_MAX, 0);
    if ["preconnect", "dns-prefetch"].iter().any(|hint| memmem::find(before.as_bytes(), hint.as_bytes()).is_some()) {
        return true;
    }
    let before = before.trim_end_matches(['/', '\\', ':']).trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let after = source[host.end..].trim_start_matches(['/', '\\']);
    let (Some(open), Some(close)) = (before.chars().next_back(), after.chars().next()) else { return false };
    if open == ' ' && matches!(close, ' ' | ';') {
        return true;
    }
    let before = before[..before.len() - open.len_utf8()].trim_end_matches(|c: char| c.is_whitespace() || c == '\\');
    let after = after[close.len_utf8()..].trim_start();
    open == close && before.ends_with(['[', ',']) && after.starts_with([',', ']'])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::technology::named::plugin_at;

    #[test]
    fn paths_are_read_as_in_browsers() {
        assert_eq!(path_at("/A/b?c=1&amp;d\" x"), "/a/b?c=1&d");
        assert_eq!(path_at("\\/a\\/b\\\""), "/a/b");
        assert_eq!(path_at("//resources/x"), "/resources/x");
        assert_eq!(path_at(""), "");
    }

    #[test]
    fn plugins_are_found_in_any_layout() {
        for (path, folder) in [
            ("/wp-content/plugins/woocommerce/a.css", Some("woocommerce")),
            ("/wp-content\\/themes\\/Divi\\/a.css", Some("theme:Divi")),
            ("/app/plugins/woocommerce/a.css", Some("woocommerce")),
            ("/content/plugins/woocommerce/a.css", Some("woocommerce")),
            ("/wp-content/uploads/a.png", None),
            ("/wp-json", None),
        ] {
            assert_eq!(plugin_at(path).as_deref(), folder, "{path}");
        }
    }

    #[test]
    fn a_list_of_hosts_is_no_use() {
        for (script, expected) in [
            (r#"a=["https://x.test","https://y.test"]"#, true),
            (r#"{"blocked":["https:\/\/y.test","https:\/\/x.test\/"]}"#, true),
            (r#"{"policy":"script-src 'self' https://x.test https://y.test;"}"#, true),
            (r#"["link",{"rel":"dns-prefetch","href":"//x.test"}]"#, true),
            (r#"init({api_host:"https://x.test",id:1})"#, false),
            (r#"s=(p=="https:"?"https://x.test":"http://y.test")+"/a.js""#, false),
            (r#"{"api_url":"https:\/\/x.test","id":"1"}"#, false),
        ] {
            let start = script.find("x.test").unwrap();
            assert_eq!(is_listed(script, &(start..start + 6)), expected, "{script}");
        }
    }
}
