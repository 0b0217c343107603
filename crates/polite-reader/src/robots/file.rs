//! The `robots.txt` parser, by RFC 9309: encodings, lines, groups, and which of their rules apply to us.

use std::time::Duration;

use super::pattern::Pattern;
use crate::limits::ROBOTS_BYTES_MAX;

/// Recognised line names, with common misspellings.
const USER_AGENT: [&str; 3] = ["user-agent", "useragent", "user agent"];
const DISALLOW: [&str; 6] = ["disallow", "dissallow", "dissalow", "disalow", "diasllow", "disallaw"];
const ALLOW: [&str; 1] = ["allow"];
const CRAWL_DELAY: [&str; 3] = ["crawl-delay", "crawldelay", "crawl delay"];

/// The rules of a file that apply to one product token.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Robots {
    rules: Vec<RobotsRule>,
    crawl_delay: Option<Duration>,
}

/// One `Allow` or `Disallow` line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct RobotsRule {
    pattern: Pattern,
    verb: Verb,
    /// Line number, from 1.
    pub(crate) line: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Verb {
    Disallow,
    Allow,
}

/// What a file says about one path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Decision<'r> {
    pub(crate) is_allowed: bool,
    /// The rule that decided; `None` when no rule matches.
    pub(crate) rule: Option<&'r RobotsRule>,
}

/// Whom a `User-agent` line addresses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Addressee {
    Us,
    Everyone,
    Others,
}

/// The parser's state.
#[derive(Default)]
struct Parsing {
    /// Rules of groups that name us, and of groups for everyone. `None` until there is such a group.
    ours: Option<Robots>,
    everyones: Option<Robots>,
    /// Whom the current group addresses.
    is_ours: bool,
    is_everyones: bool,
    /// Whether the current group has rules, so that the next `User-agent` line starts another group.
    has_rules: bool,
}

impl Robots {
    /// Parses a file for the product `token`. `is_cut`: the file is longer than what is given.
    pub(crate) fn parse(file: &[u8], token: &str, is_cut: bool) -> Self {
        let text = decode(file, is_cut);
        let mut parsing = Parsing::default();
        for (number, line) in (1..).zip(lines(&text)) {
            if let Some((name, value)) = fields(line) {
                parsing.take(RobotsField { name, value, number }, token);
            }
        }
        parsing.ours.or(parsing.everyones).unwrap_or_default()
    }

    /// Decides about a path with its query: the longest match wins, and `Allow` wins ties.
    pub(crate) fn decide(&self, path: &str) -> Decision<'_> {
        if path == "/robots.txt" {
            return Decision { is_allowed: true, rule: None };
        }
        let path = Pattern::normal_path(path);
        let matching = self.rules.iter().filter(|rule| rule.pattern.matches(&path));
        // `max_by_key` returns the last of equal elements; the first such line is the better explanation.
        let rule = matching.rev().max_by_key(|rule| (rule.pattern.len(), rule.verb));
        Decision { is_allowed: rule.is_none_or(|rule| rule.verb == Verb::Allow), rule }
    }

    pub(crate) fn crawl_delay(&self) -> Option<Duration> {
        self.crawl_delay
    }

    /// Approximate memory use.
    pub(crate) fn weight_bytes(&self) -> usize {
        // Vectors may be half empty.
        self.rules.iter().map(|rule| rule.pattern.len() + 2 * size_of::<RobotsRule>()).sum()
    }
}

impl Parsing {
    fn take(&mut self, field: RobotsField<'_>, token: &str) {
        let RobotsField { name, value, number } = field;
        let is = |names: &[&str]| names.iter().any(|known| known.eq_ignore_ascii_case(name));
        if is(&USER_AGENT) {
            self.take_agent(addressee(value, token));
        } else if is(&DISALLOW) || is(&ALLOW) {
            self.has_rules = true;
            let verb = if is(&ALLOW) { Verb::Allow } else { Verb::Disallow };
            // An empty pattern matches nothing.
            if let Some(pattern) = Pattern::parse(value) {
                self.for_each_list(|list| list.rules.push(RobotsRule { pattern: pattern.clone(), verb, line: number }));
            }
        } else if is(&CRAWL_DELAY) {
            // Not part of the protocol, so it must not end the list of agents; the longest one applies.
            let delay = value.parse().ok().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
            self.for_each_list(|list| list.crawl_delay = list.crawl_delay.max(delay));
        }
    }

    fn take_agent(&mut self, addressee: Addressee) {
        if self.has_rules {
            (self.is_ours, self.is_everyones, self.has_rules) = (false, false, false);
        }
        match addressee {
            Addressee::Us => {
                self.is_ours = true;
                self.ours.get_or_insert_default();
            }
            Addressee::Everyone => {
                self.is_everyones = true;
                self.everyones.get_or_insert_default();
            }
            Addressee::Others => {}
        }
    }

    /// Calls `add` with the rule lists that the current group belongs to.
    fn for_each_list(&mut self, add: impl FnMut(&mut Robots)) {
        let ours = self.ours.as_mut().filter(|_| self.is_ours);
        let everyones = self.everyones.as_mut().filter(|_| self.is_everyones);
        ours.into_iter().chain(everyones).for_each(add);
    }
}

/// Whom an agent line addresses. The name ends at the first character that cannot be in a product token, so a version or
/// further words do not matter.
fn addressee(value: &str, token: &str) -> Addressee {
    if value.strip_prefix('*').is_some_and(|rest| !rest.starts_with(|next: char| !next.is_whitespace())) {
        return Addressee::Everyone;
    }
    let end = value.find(|c: char| !is_token_char(c)).unwrap_or(value.len());
    if value[..end].eq_ignore_ascii_case(token) { Addressee::Us } else { Addressee::Others }
}

/// The product token of a user agent, which robots rules are matched with.
pub(crate) fn product_token(agent: &str) -> &str {
    let agent = agent.trim();
    &agent[..agent.find(|c: char| !is_token_char(c)).unwrap_or(agent.len())]
}

/// RFC 9309 allows letters, `-` and `_`; names with digits exist all the same.
fn is_token_char(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '-' || c == '_'
}

/// The lines of a file, which end with CR, LF or both.
pub(crate) fn lines(text: &str) -> impl Iterator<Item = &str> {
    text.split('\n').flat_map(|line| {
        let line = line.strip_suffix('\r').unwrap_or(line);
        line.split('\r')
    })
}

/// A line of the file, split at its colon.
struct RobotsField<'t> {
    name: &'t str,
    value: &'t str,
    /// Line number, from 1.
    number: usize,
}

/// Name and value of a line, without its comment.
fn fields(line: &str) -> Option<(&str, &str)> {
    let line = line.split('#').next().unwrap_or_default().trim();
    let (name, value) = match line.split_once(':') {
        Some(parts) => parts,
        // The colon is sometimes missing.
        None => {
            line.split_once(char::is_whitespace).filter(|(_, value)| !value.trim().contains(char::is_whitespace))?
        }
    };
    Some((name.trim(), value.trim()))
}

/// The text of a file in UTF-8 or UTF-16, without its byte-order mark. A line truncated by the size limit is dropped: half a
/// pattern means something else.
pub(crate) fn decode(file: &[u8], is_cut: bool) -> String {
    let kept = &file[..file.len().min(ROBOTS_BYTES_MAX)];
    let is_cut = is_cut || kept.len() < file.len();
    let mut text = match kept {
        [0xff, 0xfe, rest @ ..] => utf16(rest, u16::from_le_bytes),
        [0xfe, 0xff, rest @ ..] => utf16(rest, u16::from_be_bytes),
        // Without a byte-order mark, the zeros next to the letters tell.
        [first, 0, second, 0, ..] if first.is_ascii() && second.is_ascii() => utf16(kept, u16::from_le_bytes),
        [0, first, 0, second, ..] if first.is_ascii() && second.is_ascii() => utf16(kept, u16::from_be_bytes),
        _ => String::from_utf8_lossy(kept).into_owned(),
    };
    if is_cut {
        text.truncate(text.rfind(['\n', '\r']).map_or(0, |end| end + 1));
    }
    // Complete, partial and doubled byte-order marks, and ones that an editor took for letters.
    let noise = |c: char| !c.is_ascii() || (c.is_ascii_control() && !c.is_ascii_whitespace());
    text.drain(..text.len() - text.trim_start_matches(noise).len());
    text
}

fn utf16(bytes: &[u8], read: fn([u8; 2]) -> u16) -> String {
    let units = bytes.as_chunks::<2>().0.iter().map(|unit| read(*unit));
    // UTF-32 read as UTF-16 has zeros in between.
    char::decode_utf16(units).map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER)).filter(|c| *c != '\0').collect()
}
