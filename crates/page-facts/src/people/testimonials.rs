//! Finds the lines that customers wrote or signed, so that nobody is read from them.

use std::sync::LazyLock;

use aho_corasick::{AhoCorasick, AhoCorasickKind};

use crate::document::{Document, LineContext};
use crate::page::around;
use crate::people::{names, other_companies, speaker};
use crate::site::Site;

/// Lines that the heading of a section with testimonials applies to.
const HEADING_LINES: usize = 60;
/// The same for a line that is not marked as a heading.
const PLAIN_LINES: usize = 25;
/// Steps charged for examining a heading inside such a section.
const HEADING_STEPS: usize = 2_000;
/// Bytes of the paragraph before a name that are checked for a customer's voice.
const PARAGRAPH_BYTES_MAX: usize = 2_000;
/// A blockquote with more lines is a layout.
const QUOTE_LINES_MAX: usize = 8;

/// For each line, whether people of the business may be read from it.
pub(super) fn readable_lines(document: &Document<'_>, lines_max: usize) -> Vec<bool> {
    let count = document.lines.len().min(lines_max);
    let mut readable = vec![true; count];
    let mut until = 0;
    let mut index = 0;
    while index < count {
        let (line, place) = document.line(index);
        if place.quote {
            let end = (index..count).find(|at| !document.line(*at).1.quote).unwrap_or(count);
            readable[index..end].fill(is_layout(document, index, end));
            index = end;
            continue;
        }
        if let Some(lines) = lines_silenced(document, index) {
            until = index + lines;
        } else if place.heading && index < until && ends_section(document, line) {
            until = 0;
        }
        readable[index] = !place.nav && !place.testimonial && index >= until;
        index += 1;
    }
    readable
}

/// Old pages indent with `blockquote`: whole sections, with headings or contacts inside.
fn is_layout(document: &Document<'_>, from: usize, to: usize) -> bool {
    to - from > QUOTE_LINES_MAX
        || (from..to).any(|at| {
            let (line, place) = document.line(at);
            place.heading || (line.len() < 80 && line.contains('@'))
        })
}

/// How many lines a heading such as "Testimonials" silences. A menu entry of that name silences none.
fn lines_silenced(document: &Document<'_>, index: usize) -> Option<usize> {
    let (line, place) = document.line(index);
    if !(7..200).contains(&line.len()) || place.nav || (!place.heading && (place.link || line.len() > 60)) {
        return None;
    }
    let is_heading =
        TESTIMONIALS.as_ref().is_some_and(|words| words.is_match(line)) && !is_menu(document, index, place);
    is_heading.then_some(if place.heading { HEADING_LINES } else { PLAIN_LINES })
}

/// Whether a line is part of a menu: it contains a link, or its neighbours are links.
fn is_menu(document: &Document<'_>, index: usize, place: LineContext) -> bool {
    let start = document.lines.get(index).map_or(0, |line| line.start);
    let end = document.lines.get(index + 1).map_or(document.text.len(), |line| line.start);
    let link = document.links.partition_point(|link| link.start < start);
    let has_link = document.links.get(link).is_some_and(|link| link.start < end);
    let is_link = |at: usize| document.line(at).1.link;
    let (line, _) = document.line(index);
    !place.heading && (has_link || line.contains('|') || (index > 0 && is_link(index - 1) && is_link(index + 1)))
}

fn ends_section(document: &Document<'_>, line: &str) -> bool {
    let is_team = || TEAM.as_ref().is_some_and(|words| words.is_match(line));
    let is_short = line.split_whitespace().take(8).count() < 8;
    is_short && document.budget.spend(HEADING_STEPS) && (is_team() || line.len() > 8) && names::parse(line).is_none()
}

/// Whether the lines before a name are a quotation, so that the name is its author's. On a page that presents people they may be
/// the words of the one above.
pub(super) fn follows_quote(document: &Document<'_>, site: &Site, index: usize, presents_people: bool) -> bool {
    if index == 0 {
        return is_rated(document, index);
    }
    let (before, place) = document.line(index - 1);
    let (line, here) = document.line(index);
    // A customer writes "us" and "my roof" before the name; a team page has the name in a heading.
    let end = around(before, before.len(), PARAGRAPH_BYTES_MAX, 0);
    let is_short = before.len() <= 60;
    let tells = before.len() > 25
        && !place.heading
        && if is_short { speaker::is_short_praise(before) } else { speaker::is_customer(end, site) };
    let quoted =
        before.ends_with(['”', '"', '’', '»']) || (before.starts_with(['“', '"', '«', '„', '‘']) && before.len() > 40);
    // `Our goal is a smile.`, said by whoever runs the business.
    let quoted = quoted
        && !speaker::is_business(before)
        && !(presents_people && here.heading && names_come_first(document, site, index - 1));
    let is_quote = place.quote && !here.quote;
    let tells = if here.heading {
        !place.heading && before.len() > 25 && praises_above(document, site, index)
    } else {
        tells && !is_biography(document, index - 1) && !names_come_first(document, site, index - 1)
    };
    is_quote || quoted || tells || is_rated(document, index) || line.starts_with(['-', '–', '—', '~', '“', '"'])
}

/// Whether stars stand near above a name or below it: `★★★★★`, `Rated 5 out of 5`. The next name above is another's.
fn is_rated(document: &Document<'_>, index: usize) -> bool {
    let is_name = |at: usize| names::parse(document.line(at).0).is_some();
    let above = (index.saturating_sub(LINES_TO_NAME)..index).rev().find(|at| is_rating(document.line(*at).0));
    above.is_some_and(|at| !(at + 1..index).any(is_name))
        || is_rating(document.line(index + 1).0)
        || is_rating(document.line(index + 2).0)
}

/// Longest line that is a rating, in bytes, and stars of one.
const RATING_BYTES_MAX: usize = 30;
const STARS_MIN: usize = 3;

fn is_rating(line: &str) -> bool {
    let is_star = |c: &char| matches!(c, '★' | '☆' | '⭐' | '🌟' | '✩' | '✪');
    let has_stars = || !line.is_ascii() && line.chars().filter(is_star).count() >= STARS_MIN;
    line.len() <= RATING_BYTES_MAX && (line.starts_with("Rated ") || line == "5 stars" || has_stars())
}

/// Whether a paragraph tells about the person named above it: `Ann Lee`, `Ann is our groomer`.
fn is_biography(document: &Document<'_>, index: usize) -> bool {
    let (line, _) = document.line(index);
    let first = line.split(|c: char| !c.is_alphanumeric()).next().unwrap_or("");
    first.len() > 1
        && first.starts_with(char::is_uppercase)
        && (1..=LINES_TO_NAME).any(|back| {
            let name = index.checked_sub(back).map_or("", |at| document.line(at).0);
            name.len() <= NAME_BYTES_MAX && name.split(' ').any(|word| word == first)
        })
}

/// Whether a name in a heading signs the praise above it. The first such name of a row shows it: above it stands no other
/// name, whose own words these might be.
fn praises_above(document: &Document<'_>, site: &Site, index: usize) -> bool {
    let is_praise = |at: usize| {
        let (line, _) = document.line(at);
        let line = around(line, line.len(), PARAGRAPH_BYTES_MAX, 0);
        speaker::is_praise(line) || (line.len() <= 120 && speaker::is_short_praise(line))
    };
    let Some(paragraph) = index.checked_sub(1) else { return false };
    is_praise(paragraph) && !is_biography(document, paragraph) && !names_come_first(document, site, paragraph)
}

/// Whether names stand above paragraphs here: `Ann Lee`, `Owner`, `I love my job.` The first name of the row shows it.
fn names_come_first(document: &Document<'_>, site: &Site, mut paragraph: usize) -> bool {
    for _ in 0..ROW_MAX {
        let name = (1..=LINES_TO_NAME)
            .filter_map(|back| paragraph.checked_sub(back))
            .find(|at| names::parse(document.line(*at).0).is_some());
        // `Johnson Controls`, `Gold Partner`
        let is_person = |at: &usize| !other_companies::names_another(document.line(*at + 1).0, site);
        let Some(name) = name.filter(is_person) else { return false };
        match name.checked_sub(1).filter(|at| document.line(*at).0.len() > 25 && !document.line(*at).1.heading) {
            Some(above) => paragraph = above,
            None => return true,
        }
    }
    true
}

/// Lines between a biography and the name above it: a title, contacts.
const LINES_TO_NAME: usize = 3;
/// Longest line with a name, in bytes.
const NAME_BYTES_MAX: usize = 60;
/// Names of a row that are followed upwards.
const ROW_MAX: usize = 12;

/// Whether a page or section about the staff is announced: by its address, its title or a heading.
pub(super) fn is_about_staff(text: &str) -> bool {
    TEAM.as_ref().is_some_and(|words| words.is_match(text))
}

/// Whether an address or a title announces the story of the business.
pub(super) fn tells_story(text: &str) -> bool {
    STORY.as_ref().is_some_and(|words| words.is_match(text))
}

fn search(words: &[&str]) -> Option<AhoCorasick> {
    AhoCorasick::builder().ascii_case_insensitive(true).kind(Some(AhoCorasickKind::DFA)).build(words).ok()
}

/// Words with which pages and sections announce the people of a business.
static TEAM: LazyLock<Option<AhoCorasick>> = LazyLock::new(|| {
    search(&[
        "team",
        "staff",
        "about us",
        "about-us",
        "aboutus",
        "about.",
        "our people",
        "meet ",
        "leadership",
        "management",
        "who we are",
        "our doctors",
        "our attorneys",
        "our agents",
        "employees",
        "directory",
        "board of",
        "contact",
        "our story",
        "our crew",
        "faculty",
        "officers",
        "personnel",
        "bios",
        "providers",
        "/about",
        "our company",
        "impressum",
        "imprint",
        "mentions-legales",
        "mentions légales",
        "aviso-legal",
        "note-legali",
        "colofon",
    ])
});

/// Words with which pages announce the story of a business.
static STORY: LazyLock<Option<AhoCorasick>> = LazyLock::new(|| {
    search(&[
        "about",
        "our-story",
        "/story",
        "our story",
        "history",
        "who-we-are",
        "who we are",
        "our-company",
        "ueber-uns",
        "uber-uns",
        "über uns",
        "geschichte",
        "a-propos",
        "à propos",
        "qui-sommes",
        "histoire",
        "nosotros",
        "quienes-somos",
        "historia",
        "chi-siamo",
        "chi siamo",
        "storia",
        "over-ons",
        "over ons",
        "geschiedenis",
    ])
});

/// Headings of sections with testimonials.
static TESTIMONIALS: LazyLock<Option<AhoCorasick>> = LazyLock::new(|| {
    search(&[
        "testimonial",
        "reviews",
        "what our client",
        "what our customer",
        "what our patient",
        "what our user",
        "what people",
        "what clients",
        "what customers",
        "what they say",
        "clients say",
        "customers say",
        "our references",
        "client references",
        "customer references",
        "patients say",
        "hear from",
        "success stories",
        "kind words",
        "customer stories",
        "they say about",
        "people are saying",
        "are saying",
        "what others say",
        "customers love",
        "trusted by",
        "loved by",
        "our alumni",
        "our graduates",
        "happy customers",
        "happy clients",
        "speakers",
        "sponsors",
        "former staff",
        "former team",
        "former employees",
        "former members",
        "former presidents",
        "former directors",
        "former owners",
        "past presidents",
        "past officers",
        "past directors",
        "past members",
        "hall of fame",
        "student of the",
        "students of the",
        "player of the",
        "athlete of the",
        "our donors",
        "our suppliers",
        "our judges",
        "the jury",
        "unsere lieferanten",
        "nos fournisseurs",
        "nos producteurs",
        "nostri fornitori",
        "nuestros proveedores",
        "onze leveranciers",
        "exhibitors",
        "performers",
        "preferred vendors",
        "recommended vendors",
        "panelists",
        "client feedback",
        "customer story",
        "client stories",
        "our customers",
        "our clients",
        "about the client",
        "our investors",
        "award winners",
        "recipients",
        "guest preachers",
        "guest artists",
        "guest instructors",
        "featured artist",
        "our vendors",
        "our tenants",
        "tenant directory",
        "business directory",
        "class of 20",
        "opponents",
        "listed by",
        " comments",
        "customer feedback",
        "our word for it",
        "client love",
        "customer love",
        "wall of love",
        "neighbors say",
        "neighbours say",
        "clients love",
        "happy homeowners",
        "homeowners say",
        "happy patients",
        "happy couples",
        "happy families",
        "from our clients",
        "from our customers",
        "from our patients",
        "from our guests",
        "client spotlight",
        "customer spotlight",
        "case stud",
        "success story",
        "in their words",
        "in their own words",
        "word of mouth",
        "kundenstimmen",
        "das sagen unsere",
        "referenzen",
        "témoignage",
        "avis client",
        "ils parlent de nous",
        "opiniones",
        "testimonios",
        "dicono di noi",
        "recensioni",
        "ervaringen",
        "klanten over ons",
        "depoimentos",
    ])
});

#[cfg(test)]
mod tests {
    use super::*;

    fn readable(html: &str, name: &str) -> bool {
        let document = Document::parse(html);
        let lines = readable_lines(&document, 100);
        let at = (0..lines.len()).find(|at| document.line(*at).0 == name).unwrap();
        lines[at]
    }

    #[test]
    fn what_customers_wrote_is_not_read() {
        for html in [
            "<h2>Testimonials</h2><p>Great!</p><p>Ann Lee</p>",
            "<p>What our customers say</p><p>Great!</p><p>Ann Lee</p>",
            "<h2>Our investors</h2><p>Ann Lee</p><p>Partner</p>",
            "<h3>3 Comments</h3><p>Ann Lee</p><p>I am an owner.</p>",
            "<blockquote>Great!<br>Ann Lee</blockquote>",
            "<div class=testimonial-card><p>Great!</p><p>Ann Lee</p></div>",
            "<nav>Menu</nav><h2><a href=/r>Reviews</a></h2><p>Ann Lee</p>",
        ] {
            assert!(!readable(html, "Ann Lee"), "{html}");
        }
        for html in [
            "<ul><li>» <a href=/t>Testimonials</a></ul><p>Ann Lee</p>",
            "<p><a href=/>Home</a></p><p>Testimonials</p><p><a href=/c>Contact</a></p><p>Ann Lee</p>",
            "<h2>Our customers</h2><p>Globex</p><h2>Leadership</h2><p>Ann Lee</p>",
            "<h2>Testimonials</h2><p>Great!</p><h2>Staff</h2><p>Ann Lee</p>",
            "<blockquote><h2>Our staff</h2><p>Ann Lee</p></blockquote>",
            "<blockquote><p>Ann Lee</p><p>ann@acme.com</p></blockquote>",
            "<div class=testimonial-card><p>Great!</p></div><p>Ann Lee</p>",
        ] {
            assert!(readable(html, "Ann Lee"), "{html}");
        }
    }
}
