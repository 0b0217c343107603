//! Hostile input: every page must yield some facts, without a panic and with bounded work.

use crate::read;

/// Size of each page.
const BYTES: usize = 300_000;

/// Pieces that are slow to read or likely to break a parser.
const PIECES: &[&str] = &[
    "@",
    "a@",
    "@a.com",
    "joe@acme.com ",
    "<",
    ">",
    "&",
    "&#",
    "&#64;",
    "\"",
    "'",
    "<a href=\"",
    "<a href='x' ",
    "<script>",
    "</script>",
    "<!--",
    "<div ",
    "<div itemscope itemprop=a>",
    "[at]",
    "a [at] b (dot) ",
    " at x dot ",
    "512-555-0134 ",
    "5",
    "+",
    "(",
    "-",
    "<p>Jane Doe<p>Owner ",
    "founded by Jane Doe ",
    "//",
    "\\/\\/",
    "//a.b/",
    "/wp-content/plugins/",
    "<span style=display:none>",
    "<span style='bidi-override'>",
    "{\"a\":",
    "<script type=application/ld+json>{",
    "%40",
    "fromCharCode(64,",
    "'+'@'+'",
    "\u{0}",
    "\u{feff}",
    "é@é",
    "İ",
    "🙂",
    "<svg>",
    "<title>",
    "<textarea>",
    "mailto:",
    "tel:",
    "©",
    "data-cfemail=",
    "owner ",
    "Dr. ",
    ", ",
    "https://facebook.com/",
    "Austin, TX 78701 ",
    "1 Elm St, ",
    "12345 ",
    "SW1A 1AA ",
    "K1A 0B6",
    "Mon-Fri 9-5 ",
    "<p>Monday<p>9am-5pm",
    "<address>",
];

#[test]
fn repeated_pieces_are_read_to_the_end() {
    for piece in PIECES {
        let page = piece.repeat(BYTES / piece.len());
        let found = read(page.as_bytes());
        assert_eq!(found.pages.len(), 1, "{piece}");
        assert!(found.emails.len() <= 400 && found.phones.len() <= 400 && found.people.len() <= 400, "{piece}");
    }
}

#[test]
fn unusual_encodings_are_read() {
    let plain = "<p>Write to joe@acme-roofing.com</p>";
    let utf16: Vec<u8> = plain.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let marked: Vec<u8> = [0xFE, 0xFF].into_iter().chain(plain.encode_utf16().flat_map(u16::to_be_bytes)).collect();
    for body in [
        plain.as_bytes().to_vec(),
        utf16,
        marked,
        [&[0xEF, 0xBB, 0xBF], plain.as_bytes()].concat(),
        [plain.as_bytes(), &[0xFF, 0xC3, 0x28]].concat(),
    ] {
        assert_eq!(read(&body).emails[0].email, "joe@acme-roofing.com");
    }
    for body in [
        &[0u8; 5000][..],
        &[0xFF; 5000],
        &[0xC3; 5000],
        &[0x80; 5000],
        &[0x1B, b'$', b'B', 0xFF, 0x24],
        b"",
        b"\xFF\xFE",
        b"\xFF\xFEa",
    ] {
        assert!(read(body).emails.is_empty());
    }
}

#[test]
fn every_truncation_of_a_page_is_read() {
    for (_, body) in crate::pages() {
        for end in (0..body.len()).step_by(7) {
            read(&body[..end]);
        }
    }
}

#[test]
fn deep_and_huge_structures_are_read() {
    let deep = format!("<script type=application/ld+json>{}</script>", "[{\"a\":".repeat(50_000));
    read(deep.as_bytes());
    read(format!("{}x{}", "<div>".repeat(100_000), "</div>".repeat(100_000)).as_bytes());
    read(format!("<a href=\"{}\" title='{}'>x</a>", "x@".repeat(200_000), "y".repeat(400_000)).as_bytes());
    read(format!("<p class={}>joe@acme-roofing.com", "a".repeat(1_000_000)).as_bytes());
    let found = read(format!("{}<p>joe@acme-roofing.com</p>", " ".repeat(5_000_000)).as_bytes());
    assert!(found.pages[0].cut && found.emails.is_empty(), "content beyond the limit is not read");
}

#[test]
fn invalid_page_urls_are_accepted() {
    for url in [
        "",
        "x",
        "https://",
        "https://[::1]/",
        "//a",
        "http://192.168.0.1/",
        "https://müller.de/",
        "https://a.b.c.d.e/",
        "\u{0}",
    ] {
        let page = page_facts::RawPage {
            url,
            content_type: Some("text/html; charset="),
            body: b"<p>joe@acme-roofing.com 512-555-0134",
        };
        let context = page_facts::Context { region: Some("??"), business_name: Some(""), scripts: &[page] };
        assert_eq!(page_facts::facts(&[page, page], &context).emails.len(), 1, "{url}");
    }
}
