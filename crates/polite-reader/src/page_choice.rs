//! Chooses which pages of a site are worth a request, by the words in their links.

use std::sync::LazyLock;

use aho_corasick::AhoCorasick;
use url::Url;

use crate::domain::site_of;
use crate::limits::LINK_TEXT_BYTES_MAX;
use crate::links::{Link, PageLinks, resolve};
use crate::page_keywords::{KEYWORDS, Keywords};
use crate::report::PageKind;
use crate::tracking::drop_tracking;

/// A page worth reading.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PageChoice {
    pub(crate) url: Url,
    pub(crate) kind: PageKind,
    pub(crate) points: i32,
}

/// The pages chosen from one page's links.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PageChoices {
    pub(crate) pages: Vec<PageChoice>,
    /// Whether links were ignored for lack of memory.
    pub(crate) is_cut: bool,
}

/// Paths that never have content, whatever their links say.
const NEVER: [&str; 6] = ["/cdn-cgi/", "/wp-admin", "/wp-login", "/cart", "/checkout", "/login"];

/// Words that turn a team page into a job offer, or a contact page into a product.
const MISLEADING: [&str; 18] = [
    "join",
    "career",
    "careers",
    "job",
    "jobs",
    "employment",
    "hiring",
    "vacancies",
    "karriere",
    "stellenangebote",
    "emploi",
    "empleo",
    "lavora",
    "vacatures",
    "lenses",
    "blog",
    "software",
    "template",
];

/// Points of a frame: a page made of frames has its content there.
const FRAME_POINTS: i32 = 70;

/// Points deducted per folder below the root.
const DEPTH_COST: i32 = 8;

/// Points deducted per additional word: "contact" beats "contact lenses".
const EXTRA_WORD_COST: i32 = 12;

/// Fewest points for a page to be worth a request.
const POINTS_MIN: i32 = 15;

/// Fewest points for a second page of the same kind.
const SECOND_POINTS_MIN: i32 = 60;

/// Pages read per kind; a site with forty team pages has one team.
const fn per_kind_max(kind: PageKind) -> usize {
    match kind {
        PageKind::Contact | PageKind::Team | PageKind::Home => 2,
        _ => 1,
    }
}

struct Matcher {
    words: AhoCorasick,
    /// Indexed by pattern.
    meanings: Vec<Meaning>,
}

/// The meaning of a matched keyword.
struct Meaning {
    kind: PageKind,
    points: i32,
    words: usize,
    /// Whether it counts next to other words.
    in_company: bool,
}

/// All keywords with `-` on both sides, so that only whole words match.
static MATCHER: LazyLock<Option<Matcher>> = LazyLock::new(|| {
    let mut patterns = Vec::new();
    let mut meanings = Vec::new();
    for words in &KEYWORDS {
        for word in words.words.split_whitespace() {
            let in_company = !word.ends_with('!');
            let word = word.trim_end_matches('!');
            patterns.push(format!("-{word}-"));
            let Keywords { kind, points, .. } = *words;
            meanings.push(Meaning { kind, points, words: word.split('-').count(), in_company });
        }
    }
    AhoCorasick::new(patterns).ok().map(|words| Matcher { words, meanings })
});

/// Bytes a candidate takes besides its URL, which is stored twice while the best are chosen.
const CANDIDATE_BYTES: usize = 200;

/// The best pages behind a page's links, best first, at most `count`. Examines only as many candidates as fit into
/// `room_bytes`.
pub(crate) fn choose(found: &PageLinks<'_>, home: &Url, count: usize, room_bytes: usize) -> PageChoices {
    let base = found.base.and_then(|href| resolve(home, href)).unwrap_or_else(|| home.clone());
    let by_words = found.links.iter().filter_map(|link| {
        let (kind, points) = score(link)?;
        let url = same_site_page(&base, link.href, home)?;
        Some(PageChoice { points: points - depth_cost(&url), url, kind })
    });
    let frames = found.frames.iter().filter_map(|src| same_site_page(&base, src, home));
    let frames = frames.map(|url| PageChoice { url, kind: PageKind::Home, points: FRAME_POINTS });
    let (mut left_bytes, mut is_cut) = (room_bytes, false);
    let fitting = by_words.chain(frames).take_while(|choice| {
        let bytes = 2 * choice.url.as_str().len() + CANDIDATE_BYTES;
        let fits = bytes <= left_bytes;
        left_bytes = left_bytes.saturating_sub(bytes);
        is_cut |= !fits;
        fits
    });
    let pages = pick(fitting.collect(), home, count);
    PageChoices { pages, is_cut }
}

/// Best first, no page twice, no kind too often. Ties are decided by their order on the page.
fn pick(mut candidates: Vec<PageChoice>, home: &Url, count: usize) -> Vec<PageChoice> {
    candidates.sort_by_key(|choice| -choice.points);
    let mut chosen: Vec<PageChoice> = Vec::new();
    let mut seen = vec![page_name(home)];
    for choice in candidates {
        if chosen.len() >= count || choice.points < POINTS_MIN {
            break;
        }
        let of_kind = chosen.iter().filter(|other| other.kind == choice.kind).count();
        let name = page_name(&choice.url);
        if of_kind > 0 && choice.points < SECOND_POINTS_MIN {
            continue;
        }
        if of_kind < per_kind_max(choice.kind) && !seen.contains(&name) {
            seen.push(name);
            chosen.push(choice);
        }
    }
    chosen
}

/// Kind and points of a link by its URL or its text, whichever scores higher.
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

/// The best keyword in a folded text, minus the cost of its other words.
fn meaning(folded: &str) -> Option<(PageKind, i32)> {
    let matcher = MATCHER.as_ref()?;
    let words = folded.split('-').filter(|word| !word.is_empty()).count();
    if folded.split('-').any(|word| MISLEADING.contains(&word)) {
        return None;
    }
    let best = matcher.words.find_overlapping_iter(folded).filter_map(|found| {
        let meaning = &matcher.meanings[found.pattern().as_usize()];
        let extra = i32::try_from(words.saturating_sub(meaning.words)).unwrap_or(i32::MAX / 100);
        let points = meaning.points.saturating_sub(extra.saturating_mul(EXTRA_WORD_COST));
        (extra == 0 || meaning.in_company).then_some((meaning.kind, points))
    });
    best.max_by_key(|(_, points)| *points).filter(|(_, points)| *points >= POINTS_MIN)
}

fn depth_cost(url: &Url) -> i32 {
    let folders =
        url.path_segments().map_or(0, |parts| parts.filter(|part| !part.is_empty()).count().saturating_sub(1));
    let folders = i32::try_from(folders).unwrap_or(100).min(100);
    // A query usually means a filtered view.
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
    if NEVER.iter().any(|start| url.path().starts_with(start)) {
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

/// The deduplication key of a page: host without `www`, path without a trailing slash, query.
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

/// Folds raw bytes to `-lower-case-words-without-accents-`. Tags are dropped and entities replaced by their letter. Bytes
/// that are not UTF-8 are read as Latin-1, which fits most such pages.
fn fold(raw: &[u8]) -> String {
    let text = match std::str::from_utf8(raw) {
        Ok(text) => text.to_owned(),
        // Truncation may have split the last character; anything else is a legacy charset.
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

/// `&uuml;` becomes `u`; `&amp;` and unknown entities become a space.
fn entity_letter(name: &str) -> char {
    let accents = ["uml", "acute", "grave", "circ", "tilde", "cedil", "ring", "slash", "caron"];
    let accented = name.get(1..).is_some_and(|rest| accents.contains(&rest));
    if accented { name.chars().next().unwrap_or(' ') } else { ' ' }
}

/// Decodes percent escapes in URLs.
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
            // Combining marks are dropped; everything else separates words.
            '\u{300}'..='\u{36f}' => continue,
            _ => '-',
        };
        if c != '-' || !out.ends_with('-') {
            out.push(c);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::LINKS_BYTES_MAX;
    use crate::links::scan;

    fn chosen(html: &str) -> Vec<(PageKind, String)> {
        let home = Url::parse("https://www.shop.com/").unwrap();
        let choices = choose(&scan(html.as_bytes()), &home, 5, LINKS_BYTES_MAX).pages;
        choices.into_iter().map(|choice| (choice.kind, choice.url[url::Position::BeforePath..].to_owned())).collect()
    }

    #[test]
    fn pages_are_recognised_by_their_url_in_many_languages() {
        use PageKind::{About, Book, Contact, Imprint, Location, Order, Team};
        let cases = [
            ("/contact", Contact),
            ("/contact-us/", Contact),
            ("/Contact.aspx", Contact),
            ("/pages/contact-us", Contact),
            ("/kontakt", Contact),
            ("/contactez-nous", Contact),
            ("/contacto", Contact),
            ("/contatti", Contact),
            ("/fale-conosco", Contact),
            ("/yhteystiedot", Contact),
            ("/kapcsolat", Contact),
            ("/iletisim", Contact),
            ("/get-in-touch", Contact),
            ("/impressum", Imprint),
            ("/imprint.html", Imprint),
            ("/mentions-legales", Imprint),
            ("/aviso-legal", Imprint),
            ("/team", Team),
            ("/our-team", Team),
            ("/meet-the-doctors", Team),
            ("/ueber-uns", About),
            ("/%C3%BCber-uns", About),
            ("/about", About),
            ("/about_us.php", About),
            ("/a-propos", About),
            ("/sobre-nosotros", About),
            ("/chi-siamo", Team),
            ("/over-ons", About),
            ("/o-nas", About),
            ("/om-oss", About),
            ("/quem-somos", Team),
            ("/equipe", Team),
            ("/book-online", Book),
            ("/termin-buchen", Book),
            ("/prenota", Book),
            ("/afspraak-maken", Book),
            ("/order-online", Order),
            ("/bestellen", Order),
            ("/locations", Location),
            ("/anfahrt", Location),
        ];
        for (path, kind) in cases {
            assert_eq!(chosen(&format!("<a href='{path}'>x</a>")), [(kind, path.to_owned())], "{path}");
        }
    }

    #[test]
    fn pages_are_recognised_by_their_link_text() {
        use PageKind::{About, Contact, Team};
        let cases: [(&[u8], PageKind); 9] = [
            ("Über uns".as_bytes(), About),
            (b"&Uuml;ber uns", About),
            (b"\xdcber uns", About), // Latin-1
            ("À propos".as_bytes(), About),
            (b"<span class=x>Contact</span> <b>us</b>", Contact),
            ("Équipe".as_bytes(), Team),
            ("Контакты".as_bytes(), Contact),
            ("联系我们".as_bytes(), Contact),
            (b"O&nbsp;nas", About),
        ];
        for (text, kind) in cases {
            let html = [b"<a href=/p/7>".as_slice(), text, b"</a>"].concat();
            let home = Url::parse("https://www.shop.com/").unwrap();
            let kinds: Vec<_> =
                choose(&scan(&html), &home, 5, LINKS_BYTES_MAX).pages.into_iter().map(|choice| choice.kind).collect();
            assert_eq!(kinds, [kind], "{}", String::from_utf8_lossy(text));
        }
    }

    #[test]
    fn pages_not_worth_a_request_are_left_out() {
        let links = [
            "/",
            "/index.html",
            "https://www.shop.com",
            "/blog/2020/01/how-we-cook",
            "/products/blue-shirt",
            "/contact.pdf",
            "/team.jpg",
            "https://other.com/contact",
            "//evil.com/contact",
            "mailto:contact@shop.com",
            "tel:123",
            "#contact",
            "javascript:contact()",
            "https://shop.com:8081/contact",
            "/wp-login.php",
            "/cart",
            "/contactless-payment-explained",
            "/cdn-cgi/l/email-protection#contact",
            "/project-management",
            "/join-our-team",
            "/contact-lenses",
            "/order-of-the-garter",
        ];
        for href in links {
            assert_eq!(chosen(&format!("<a href='{href}'>read more</a>")), [], "{href}");
        }
    }

    #[test]
    fn the_best_page_of_a_kind_wins_and_no_page_is_chosen_twice() {
        let html = "<a href=/blog/contact-lenses-for-children-and-adults>x</a><a href=/CONTACT/>Contact</a><a href=/contact>Contact</a>
            <a href=http://shop.com/contact?utm_source=x>Contact</a><a href=/contact#form>Form</a>";
        assert_eq!(chosen(html), [(PageKind::Contact, "/CONTACT/".to_owned())]);
    }

    #[test]
    fn forty_team_pages_count_as_one() {
        let team: String = (0..40).map(|at| format!("<a href=/team/person-{at}>Our team</a>")).collect();
        let html = format!("{team}<a href=/contact>c</a><a href=/about>a</a>");
        let kinds: Vec<_> = chosen(&html).into_iter().map(|(kind, _)| kind).collect();
        assert_eq!(kinds, [PageKind::Contact, PageKind::About, PageKind::Team, PageKind::Team]);
    }

    #[test]
    fn subdomains_and_plain_links_belong_to_the_site() {
        assert_eq!(chosen("<a href='https://book.shop.com/book'>Book</a>").len(), 1);
        let home = Url::parse("https://www.shop.com/").unwrap();
        let found = choose(&scan(b"<a href='http://www.shop.com/contact'>"), &home, 5, LINKS_BYTES_MAX).pages;
        assert_eq!(found[0].url.as_str(), "https://www.shop.com/contact");
    }

    #[test]
    fn relative_links_follow_the_base() {
        assert_eq!(chosen("<base href='/de/'><a href=kontakt>K</a>"), [(PageKind::Contact, "/de/kontakt".to_owned())]);
    }

    proptest::proptest! {
        #![proptest_config(proptest::prelude::ProptestConfig::with_cases(100))]

        #[test]
        fn any_page_is_accepted(html in proptest::collection::vec(proptest::prelude::any::<u8>(), 0..400)) {
            let home = Url::parse("https://www.shop.com/").unwrap();
            choose(&scan(&html), &home, 5, LINKS_BYTES_MAX);
        }

        #[test]
        fn any_near_html_is_taken(parts in proptest::collection::vec("<a |href|=|\"|'|>|</a>|<!--|-->|<script|contact|&uuml;|%C3|/|\u{fc}| ", 0..60)) {
            let home = Url::parse("https://www.shop.com/").unwrap();
            choose(&scan(parts.concat().as_bytes()), &home, 5, LINKS_BYTES_MAX);
        }
    }
}
