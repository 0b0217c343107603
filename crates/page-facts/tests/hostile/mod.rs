//! Pages designed to be slow to read: the worst case of every finder as text, or as one giant attribute, script, JSON-LD
//! value or text node. Seeded, so they are the same on every machine. Shared by the tests and `examples/throughput.rs`.

mod pieces;

use pieces::{ENCODINGS, NUMBERS, PAGES, PAYLOADS, SITES};

/// Regions for which pages of phone numbers are read.
const REGIONS: [Option<&str>; 4] = [Some("GB"), Some("US"), Some("DE"), None];

/// A kind of hostile page.
#[derive(Debug, Clone)]
pub(crate) struct Shape {
    /// Its name in reports.
    pub(crate) name: String,
    /// The region given by the listing.
    pub(crate) region: Option<&'static str>,
    /// Pages of the site, which share the requested size.
    pub(crate) pages: usize,
    frame: Frame,
    piece: &'static str,
}

/// The markup around the repeated piece.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Frame {
    /// None: the piece has its own markup.
    Bare,
    /// One text node.
    Text,
    /// A line per piece.
    Lines,
    /// One attribute.
    Attribute,
    /// One script.
    Script,
    /// A script per piece.
    Scripts,
    /// One string of JSON-LD.
    JsonLd,
    /// An element that turns microdata on.
    Items,
    /// Bytes that are not UTF-8, given in hexadecimal.
    Bytes,
}

/// Every shape, in a fixed order.
pub(crate) fn shapes() -> Vec<Shape> {
    let one = |name: String, frame, piece| Shape { name, region: None, pages: 1, frame, piece };
    let mut all: Vec<Shape> = PAGES.iter().map(|(name, piece)| one((*name).to_owned(), Frame::Bare, piece)).collect();
    for (name, piece) in PAYLOADS {
        for (frame, suffix) in [
            (Frame::Text, "in one text"),
            (Frame::Lines, "in lines"),
            (Frame::Attribute, "in one attribute"),
            (Frame::Script, "in one script"),
            (Frame::Scripts, "in many scripts"),
            (Frame::JsonLd, "in one JSON-LD string"),
            (Frame::Items, "with microdata"),
        ] {
            all.push(one(format!("{name}, {suffix}"), frame, piece));
        }
    }
    for (name, piece) in NUMBERS {
        for region in REGIONS {
            let name = format!("{name}, region {}", region.unwrap_or("not said"));
            all.push(Shape { region, ..one(name, Frame::Text, piece) });
        }
    }
    all.extend(ENCODINGS.iter().map(|(name, piece)| one((*name).to_owned(), Frame::Bytes, piece)));
    all.extend(SITES.iter().map(|(name, piece)| Shape { pages: 64, ..one((*name).to_owned(), Frame::Bare, piece) }));
    all
}

impl Shape {
    /// The pages of this shape's site, together at least `bytes` long.
    pub(crate) fn bodies(&self, bytes: usize, seed: u64) -> Vec<Vec<u8>> {
        let mut rng = Rng::new(seed);
        (0..self.pages).map(|_| self.body(bytes / self.pages, &mut rng)).collect()
    }

    fn body(&self, bytes: usize, rng: &mut Rng) -> Vec<u8> {
        let (start, before, after, end) = match self.frame {
            Frame::Bare => ("", "", "", ""),
            Frame::Text => ("<p>", "", "", "</p>"),
            Frame::Lines => ("", "<p>", "</p>", ""),
            Frame::Attribute => ("<a title=\"", "", "", "\">x</a>"),
            Frame::Script => ("<script>", "", "", "</script>"),
            Frame::Scripts => ("", "<script>", "</script>", ""),
            Frame::JsonLd => (
                "<script type=\"application/ld+json\">{\"@type\":\"Dentist\",\"name\":\"a\",\"email\":\"",
                "",
                "",
                "\"}</script>",
            ),
            Frame::Items => {
                ("<div itemscope itemtype=\"https://schema.org/Dentist\">", "<b itemprop=name>", "</b>", "</div>")
            }
            Frame::Bytes => return self.raw_body(bytes),
        };
        let mut body = start.as_bytes().to_vec();
        while body.len() < bytes {
            body.extend_from_slice(before.as_bytes());
            rng.fill(self.piece, &mut body);
            body.extend_from_slice(after.as_bytes());
        }
        body.extend_from_slice(end.as_bytes());
        body
    }

    fn raw_body(&self, bytes: usize) -> Vec<u8> {
        let byte = |pair: &[u8]| std::str::from_utf8(pair).ok().and_then(|hex| u8::from_str_radix(hex, 16).ok());
        let (start, rest) = self.piece.split_once('|').unwrap_or(("", self.piece));
        let piece: Vec<u8> = rest.as_bytes().chunks_exact(2).filter_map(byte).collect();
        let mut body = start.as_bytes().to_vec();
        while body.len() < bytes {
            body.extend_from_slice(&piece);
        }
        body
    }
}

/// A small deterministic random number generator.
#[derive(Debug)]
pub(crate) struct Rng {
    state: u64,
    count: u64,
}

impl Rng {
    pub(crate) fn new(seed: u64) -> Rng {
        Rng { state: seed | 1, count: 0 }
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        self.state
    }

    /// Appends a piece: `{n}` is a counter, `{w}` a word, `{c}` a capitalised word, `{d}` a digit.
    fn fill(&mut self, piece: &str, body: &mut Vec<u8>) {
        self.count += 1;
        let mut rest = piece;
        while let Some(at) = rest.find('{') {
            let (kind, end) = (rest.as_bytes().get(at + 1), rest.as_bytes().get(at + 2));
            let (Some(kind @ (b'n' | b'w' | b'c' | b'd')), Some(b'}')) = (kind, end) else {
                body.extend_from_slice(&rest.as_bytes()[..=at]);
                rest = &rest[at + 1..];
                continue;
            };
            body.extend_from_slice(&rest.as_bytes()[..at]);
            match kind {
                b'n' => body.extend_from_slice(self.count.to_string().as_bytes()),
                b'd' => body.push(b'0' + (self.next() % 10) as u8),
                kind => self.word(*kind == b'c', body),
            }
            rest = &rest[at + 3..];
        }
        body.extend_from_slice(rest.as_bytes());
    }

    fn word(&mut self, capital: bool, body: &mut Vec<u8>) {
        for index in 0..5 {
            let letter = b'a' + (self.next() % 26) as u8;
            body.push(if capital && index == 0 { letter.to_ascii_uppercase() } else { letter });
        }
    }
}
