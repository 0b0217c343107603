//! Chooses which pages of a site are worth a request, by the words in their links.

use std::sync::LazyLock;

use aho_corasick::AhoCorasick;
use url::Url;

use crate::limits::LINK_TEXT_BYTES_MAX;
use crate::links::{Found, Link, resolve};
use crate::page_words::WORDS;
use crate::report::PageKind;
use crate::site_address::{is_tracking_parameter, site_of};

/// A page worth reading.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Choice {
    pub(crate) url: Url,
    pub(crate) kind: PageKind,
    pub(crate) points: i32,
}

/// Points a frame is worth: a page made of frames has its content there.
const FRAME_POINTS: i32 = 70;

/// Points taken for each folder a page lies deeper than the root.
const DEPTH_COST: i32 = 8;

/// Points taken for each word beside the ones that matched: "contact" beats "contact lenses".
const EXTRA_WORD_COST: i32 = 6;

/// Points below which a page is not worth a request.
const POINTS_MIN: i32 = 15;

/// Pages of one kind that are read; a site with forty team pages has one team.
const fn per_kind_max(kind: PageKind) -> usize {
    match kind {
        PageKind::Contact | PageKind::Team | PageKind::Home => 2,
        _ => 1,
    }
}

struct Matcher {
    words: AhoCorasick,
    /// Kind, points and number of words, by pattern.
    meanings: Vec<(PageKind, i32, usize)>,
}

/// Every word, with a `-` on both sides so that only whole words match.
static MATCHER: LazyLock<Option<Matcher>> = LazyLock::new(|| {
    let mut patterns = Vec::new();
    let mut meanings = Vec::new();
    for words in &WORDS {
        for word in words.words.split_whitespace() {
            patterns.push(format!("-{word}-"));
            meanings.push((words.kind, words.points, word.split('-').count()));
        }
    }
    AhoCorasick::new(patterns).ok().map(|words| Matcher { words, meanings })
});

/// The best pages behind a page's links, best first, `count` at most.
pub(crate) fn choose(found: &Found<'_>, home: &Url, count: usize) -> Vec<Choice> {
    let base = found.base.and_then(|href| resolve(home, href)).unwrap_or_else(|| home.clone());
    let mut candidates: Vec<Choice> = Vec::new();
    for link in &found.links {
        let Some((kind, points)) = score(link) else { continue };
        let Some(url) = same_site_page(&base, link.href, home) else { continue };
        candidates.push(Choice { points: points - depth_cost(&url), url, kind });
    }
    for src in &found.frames {
        if let Some(url) = same_site_page(&base, src, home) {
            candidates.push(Choice { url, kind: PageKind::Home, points: FRAME_POINTS });
        }
    }
    pick(candidates, home, count)
}

/// Best first, no page twice, no kind too often. The order of the page decides ties.
fn pick(mut candidates: Vec<Choice>, home: &Url, count: usize) -> Vec<Choice> {
    candidates.sort_by_key(|choice| -choice.points);
    let mut chosen: Vec<Choice> = Vec::new();
    let mut seen = vec![page_name(home)];
    for choice in candidates {
        if chosen.len() >= count || choice.points < POINTS_MIN {
            break;
        }
        let of_kind = chosen.iter().filter(|other| other.kind == choice.kind).count();
        let name = page_name(&choice.url);
        if of_kind < per_kind_max(choice.kind) && !seen.contains(&name) {
            seen.push(name);
            chosen.push(choice);
        }
    }
    chosen
}

/// Kind and points of a link by its address and its text, whichever says more.
fn score(link: &Link<'_>) -> Option<(PageKind, i32)> {
    let path = link.href.split(|byte| matches!(byte, b'?' | b'#')).next().unwrap_or_default();
    let by_path = path.rsplit(|byte| *byte == b'/').find(|segment| !segment.is_empty()).and_then(|last| {
        let last = without_extension(last);
        meaning(&fold(last))
    });
    let by_text = meaning(&fold(&link.text[..link.text.len().min(LINK_TEXT_BYTES_MAX)]));
    match (by_path, by_text) {
        (Some(path), Some(text)) if text.1 > path.1 => Some(text),
        (Some(path), Some(_)) => Some((path.0, path.1 + 3)),
        (one, other) => one.or(other),
    }
}

/// The best meaning among the words of a folded text, less what the other words cost.
fn meaning(folded: &str) -> Option<(PageKind, i32)> {
    let matcher = MATCHER.as_ref()?;
    let words = folded.split('-').filter(|word| !word.is_empty()).count();
    let best = matcher.words.find_overlapping_iter(folded).map(|found| {
        let (kind, points, length) = matcher.meanings[found.pattern().as_usize()];
        let extra = i32::try_from(words.saturating_sub(length)).unwrap_or(i32::MAX / 100);
        (kind, points.saturating_sub(extra.saturating_mul(EXTRA_WORD_COST)))
    });
    best.max_by_key(|(_, points)| *points).filter(|(_, points)| *points >= POINTS_MIN)
}

fn depth_cost(url: &Url) -> i32 {
    let folders =
        url.path_segments().map_or(0, |parts| parts.filter(|part| !part.is_empty()).count().saturating_sub(1));
    let folders = i32::try_from(folders).unwrap_or(100).min(100);
    // A query usually means a filtered view of something.
    folders * DEPTH_COST + if url.query().is_some() { DEPTH_COST } else { 0 }
}

fn without_extension(segment: &[u8]) -> &[u8] {
    let dot = segment.iter().rposition(|byte| *byte == b'.');
    dot.map_or(segment, |dot| &segment[..dot])
}

/// A page of the same registrable domain that is likely to be HTML.
fn same_site_page(base: &Url, href: &[u8], home: &Url) -> Option<Url> {
    let mut url = resolve(base, href)?;
    if site_of(&url) != site_of(home)
        || url.port_or_known_default() != home.port_or_known_default() && url.port().is_some()
    {
        return None;
    }
    let file = url.path().rsplit('/').next().unwrap_or_default();
    let extension = file.rsplit_once('.').map(|(_, extension)| extension.to_ascii_lowercase());
    let readable = ["html", "htm", "php", "asp", "aspx", "jsp", "shtml", "xhtml", "cfm", "do", "phtml", "php5"];
    if extension.is_some_and(|extension| !readable.contains(&extension.as_str())) {
        return None;
    }
    if home.scheme() == "https" && url.scheme() == "http" && url.host_str() == home.host_str() && url.port().is_none() {
        url.set_scheme("https").ok()?;
    }
    drop_tracking(&mut url);
    Some(url)
}

/// Takes tracking parameters off a URL, so that one page has one address.
pub(crate) fn drop_tracking(url: &mut Url) {
    if url.query().is_none() {
        return;
    }
    let kept: Vec<(String, String)> = url
        .query_pairs()
        .filter(|(name, _)| !is_tracking_parameter(name))
        .map(|(name, value)| (name.into(), value.into()))
        .collect();
    if kept.len() == url.query_pairs().count() {
        return;
    }
    url.set_query(None);
    if !kept.is_empty() {
        url.query_pairs_mut().extend_pairs(kept);
    }
}

/// What makes two addresses the same page: host without `www`, path without its last slash, query.
fn page_name(url: &Url) -> String {
    let host = url.host_str().unwrap_or_default();
    let path = url.path().trim_end_matches('/');
    let path =
        ["/index.html", "/index.php", "/index.htm"].iter().find_map(|index| path.strip_suffix(index)).unwrap_or(path);
    format!(
        "{}{}?{}",
        host.strip_prefix("www.").unwrap_or(host),
        path.to_ascii_lowercase(),
        url.query().unwrap_or_default()
    )
}

/// Folds raw bytes to `-lower-case-words-without-accents-`. Tags are left out; entities stand for
/// their letter. Pages of other charsets than UTF-8 are read as Latin-1, which fits most.
fn fold(raw: &[u8]) -> String {
    let text = match std::str::from_utf8(raw) {
        Ok(text) => text.to_owned(),
        // A cut may have torn the last letter; anything else is an old charset.
        Err(error) if error.error_len().is_none() => String::from_utf8_lossy(&raw[..error.valid_up_to()]).into_owned(),
        Err(_) => raw.iter().map(|byte| char::from(*byte)).collect(),
    };
    let mut out = String::with_capacity(text.len() + 2);
    out.push('-');
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '<' => {
                while chars.next_if(|c| *c != '>').is_some() {}
                chars.next();
                push_folded(&mut out, ' ');
            }
            '&' => {
                let name: String = std::iter::from_fn(|| chars.next_if(char::is_ascii_alphanumeric)).take(8).collect();
                chars.next_if_eq(&';');
                push_folded(&mut out, entity_letter(&name));
            }
            '%' => push_percent(&mut out, &mut chars),
            c => push_folded(&mut out, c),
        }
    }
    push_folded(&mut out, ' ');
    out
}

/// `&uuml;` is a u to us; `&amp;` and unknown ones are a gap.
fn entity_letter(name: &str) -> char {
    let accents = ["uml", "acute", "grave", "circ", "tilde", "cedil", "ring", "slash", "caron"];
    let accented = name.get(1..).is_some_and(|rest| accents.contains(&rest));
    if accented { name.chars().next().unwrap_or(' ') } else { ' ' }
}

/// Percent codes in addresses: decoded where they make UTF-8.
fn push_percent(out: &mut String, chars: &mut std::iter::Peekable<std::str::Chars<'_>>) {
    let mut bytes = Vec::new();
    loop {
        let code: String = std::iter::from_fn(|| chars.next_if(char::is_ascii_hexdigit)).take(2).collect();
        match u8::from_str_radix(&code, 16) {
            Ok(byte) => bytes.push(byte),
            Err(_) => break,
        }
        if chars.next_if_eq(&'%').is_none() {
            break;
        }
    }
    for c in String::from_utf8_lossy(&bytes).chars() {
        push_folded(out, c);
    }
}

fn push_folded(out: &mut String, c: char) {
    for c in c.to_lowercase() {
        let c = match c {
            'à' | 'á' | 'â' | 'ã' | 'ä' | 'å' | 'ą' | 'ă' | 'ā' => 'a',
            'è' | 'é' | 'ê' | 'ë' | 'ę' | 'ě' | 'ē' => 'e',
            'ì' | 'í' | 'î' | 'ï' | 'ı' => 'i',
            'ò' | 'ó' | 'ô' | 'õ' | 'ö' | 'ő' | 'ø' => 'o',
            'ù' | 'ú' | 'û' | 'ü' | 'ű' | 'ů' => 'u',
            'ç' | 'ć' | 'č' => 'c',
            'ñ' | 'ń' | 'ň' => 'n',
            'ś' | 'š' | 'ş' | 'ș' => 's',
            'ź' | 'ż' | 'ž' => 'z',
            'ł' => 'l',
            'ý' => 'y',
            'ğ' => 'g',
            'ť' | 'ț' | 'ţ' => 't',
            'ř' => 'r',
            'ώ' | 'ό' => {
                if c == 'ώ' {
                    'ω'
                } else {
                    'ο'
                }
            }
            'ί' => 'ι',
            c if c.is_alphanumeric() => c,
            // Combining marks vanish, everything else parts words.
            '\u{300}'..='\u{36f}' => continue,
            _ => '-',
        };
        if c != '-' || !out.ends_with('-') {
            out.push(c);
        }
    }
}
