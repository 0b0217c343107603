//! A short seeded run over mutated, truncated, mixed and joined pages: no panic, and bounded work.

use page_facts::{Context, RawPage, facts};

use crate::read;

/// Mutated pages per run.
const ROUNDS: usize = 1_500;

/// A small deterministic random number generator.
struct Rng(u64);

impl Rng {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, limit: usize) -> usize {
        usize::try_from(self.next() % limit.max(1) as u64).expect("less than a usize")
    }
}

#[test]
fn mutated_pages_are_read_without_a_panic() {
    let pages: Vec<Vec<u8>> = crate::pages().into_iter().map(|(_, body)| body).collect();
    let mut rng = Rng(0x5EED_CAFE_F00D_1234);
    for _ in 0..ROUNDS {
        let mut body = pages[rng.below(pages.len())].clone();
        for _ in 0..=rng.below(12) {
            mutate(&mut body, &pages, &mut rng);
        }
        let found = read(&body);
        assert_eq!(found.pages.len(), 1);
        assert!(found.emails.iter().filter(|email| email.is_primary).count() <= 1);
        assert!(found.people.iter().filter(|person| person.is_owner).count() <= 1);
        assert!(found.emails.iter().all(|email| email.confidence < 1.0));
    }
}

/// Pages built of pieces per run.
const PIECED: usize = 4_000;
/// Pieces of one page.
const PIECES_MAX: usize = 60;

/// Whole pieces of addresses, numbers, names, titles, hours and emails: each finder has something to start from.
const PIECES: &[&str] = &[
    "TX",
    "Texas",
    "N.Y.",
    "tx",
    "Québec",
    "ON",
    "NSW",
    "78701",
    "10115",
    "K1A 0B6",
    "SW1A 1AA",
    "75002",
    "1012 JL",
    "Austin",
    "Zürich",
    "İzmir",
    "Łódź",
    "São Paulo",
    "1200 Elm St",
    "Hauptstraße 1",
    "12 rue de la Paix",
    "Suite 5",
    "PO Box 9",
    "USA",
    "Österreich",
    "Ann Lee",
    "José Ñuñez",
    "Dr. Ann Lee, DDS",
    "Lee, Ann",
    "Ann & Bob Lee",
    "Owner",
    "Gérant :",
    "Geschäftsführer:",
    "Inh.",
    "founded by",
    "founded in 1985 by",
    "our owner",
    "is the owner of",
    "Acme",
    "ẞ",
    "İ",
    "ǅ",
    "\u{212a}",
    "ﬁ",
    "+1",
    "(512)",
    "555-0100",
    "512.555.PAUL",
    "030 901820",
    "+ 34 91",
    "Tel.",
    "Fax",
    "x12",
    "Mon-Fri",
    "Montag",
    "lundi",
    "8:30 am",
    "5pm",
    "18 Uhr",
    "9h30",
    "24/7",
    "closed",
    "joe@acme.com",
    "joe [at] acme",
    "mailto:",
    "05.03.2024 10:30",
    "NMLS #1",
    "“",
    "”",
    "«",
    "§",
    "№",
];

/// What stands between pieces.
const SEPARATORS: &[&str] = &[
    " ",
    " ",
    ", ",
    "\n",
    ".",
    "·",
    "•",
    "|",
    " | ",
    "–",
    "—",
    "-",
    ":",
    ": ",
    "/",
    "(",
    ")",
    "&nbsp;",
    "\u{a0}",
    "\u{3000}",
    "\u{200b}",
    "\u{301}",
    "\u{202e}",
    "🙂",
    "é",
    "ß",
    "’",
    "'",
    "\"",
    "<br>",
    "<p>",
    "</p>",
    "<td>",
    "<tr>",
    "<li>",
    "<h3>",
    "</h3>",
    "<b>",
    "</b>",
    "<a href='tel:512·555'>",
    "<a href='mailto:é@acme.com'>",
    "</a>",
    "<address>",
    "<blockquote>",
    "，",
    "：",
    "＠",
    "\u{0}",
    "&#8209;",
    "…",
    "...",
    "®",
    "@",
    "#",
    "+",
];

/// Pieces in an order in which finders read on; only what stands between them is random.
const RECIPES: &[&[&str]] = &[
    &["1200 Elm St", "Austin", "TX", "78701"],
    &["1200 Elm St", "New York", "N.Y.", "USA", "10001"],
    &["12 rue Éluard", "Montréal", "Québec", "H2X 1Y4"],
    &["Hauptstraße 1", "D", "10115", "Berlin", "Tel.", "030", "901820"],
    &["12 High St", "Leeds", "LS1 4AP"],
    &["Ann Lee", "Owner"],
    &["Dr.", "José Ñuñez", "DDS", "Owner", "Acme"],
    &["Geschäftsführerin", "İpek Öztürk"],
    &["Our", "firm", "was", "founded", "in", "1985", "by", "master", "plumber", "Ann Lee"],
    &["Ann Lee", "is", "the", "owner", "of", "Acme"],
    &["Contact", "Sales Manager", "Ann Lee", "at", "512", "555", "0100"],
    &["Owners", "Ann", "&", "Bob Lee"],
    &["Tel", "+", "34", "91", "555", "01", "00"],
    &["(302)", "555", "PAUL"],
    &["open", "Mon", "-", "Fri", "8:30", "am", "to", "5", "pm"],
    &["geöffnet", "montags", "bis", "freitags", "9", "bis", "18", "Uhr"],
    &["joe", "@", "acme", ".", "com"],
    &["joe", "[at]", "acme", "[dot]", "com"],
    &["Ann Lee", "1931", "–", "2014", "founder"],
];

/// A recipe with random separators, and now and then another piece in place of one of its own.
fn recipe(body: &mut String, rng: &mut Rng) {
    for piece in RECIPES[rng.below(RECIPES.len())] {
        body.push_str(if rng.below(12) == 0 { PIECES[rng.below(PIECES.len())] } else { piece });
        for _ in 0..=rng.below(2) {
            body.push_str(SEPARATORS[if rng.below(3) == 0 { 0 } else { rng.below(SEPARATORS.len()) }]);
        }
    }
}

#[test]
fn pieces_in_any_order_are_read_without_a_panic() {
    let mut rng = Rng(0x0BAD_5EED_0000_0B07);
    let regions = [None, Some("US"), Some("DE"), Some("GB"), Some("IT"), Some("TR")];
    let paths = ["", "about", "our-team", "contact", "blog/x"];
    for _ in 0..PIECED {
        let mut body = String::new();
        for _ in 0..=rng.below(PIECES_MAX) {
            if rng.below(3) > 0 {
                recipe(&mut body, &mut rng);
                continue;
            }
            body.push_str(PIECES[rng.below(PIECES.len())]);
            for _ in 0..=rng.below(2) {
                body.push_str(SEPARATORS[rng.below(SEPARATORS.len())]);
            }
        }
        let url = format!("https://www.acme.com/{}", paths[rng.below(paths.len())]);
        let page = RawPage { url: &url, content_type: Some("text/html; charset=utf-8"), body: body.as_bytes() };
        let context = Context { region: regions[rng.below(regions.len())], business_name: Some("Acme"), scripts: &[] };
        assert_eq!(facts(&[page], &context).pages.len(), 1, "{body}");
    }
}

fn mutate(body: &mut Vec<u8>, pages: &[Vec<u8>], rng: &mut Rng) {
    let at = rng.below(body.len());
    match rng.below(8) {
        0 => body.truncate(at),
        1 if !body.is_empty() => body[at] = (rng.next() & 0xFF) as u8,
        2 => body.insert(at, b"<>\"'@&\0[({\\/ "[rng.below(13)]),
        3 if !body.is_empty() => {
            body.remove(at);
        }
        4 => {
            let other = &pages[rng.below(pages.len())];
            let from = rng.below(other.len());
            let to = (from + rng.below(200)).min(other.len());
            body.splice(at..at, other[from..to].iter().copied());
        }
        5 => {
            let end = (at + rng.below(60)).min(body.len());
            body.drain(at..end);
        }
        6 => {
            let end = (at + rng.below(40)).min(body.len());
            let piece = body[at..end].repeat(20);
            body.splice(at..at, piece);
        }
        _ => body.extend_from_slice("é🙂\u{202E}".as_bytes()),
    }
}

#[test]
fn the_same_pages_yield_the_same_facts() {
    for (name, body) in crate::pages() {
        assert_eq!(read(&body), read(&body), "{name}");
    }
}
