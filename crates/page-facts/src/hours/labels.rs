//! Tells from the words above and beside a block of hours whether they are those of the business.

use std::sync::LazyLock;

use aho_corasick::{AhoCorasick, AhoCorasickKind};

use crate::document::Document;
use crate::hours::languages::Language;
use crate::hours::tokens::Token;
use crate::page::around;

/// Lines above a block in which a label is looked for.
const ABOVE_LINES: usize = 3;
/// The same with heads of columns between, and the longest of these, in bytes.
const ABOVE_WITH_HEADS: usize = 6;
const HEAD_BYTES_MAX: usize = 12;
/// Longest line that is a label, in bytes.
const LABEL_BYTES_MAX: usize = 70;
/// Matches examined per text, and bytes before one of them.
const MATCHES_MAX: usize = 8;
const OWN_USE_BYTES: usize = 40;
/// Bytes of a block that are searched.
const BLOCK_BYTES_MAX: usize = 600;

/// Whose hours they are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Label {
    /// The business's own.
    Own,
    /// Of a support line, a course, a holiday.
    Other,
    /// Nothing says.
    None,
}

const OWN: &[&str] = &[
    "hours",
    "open",
    "ffnungszeiten",
    "geschäftszeiten",
    "sprechzeiten",
    "ladenöffnung",
    "bürozeiten",
    "geöffnet",
    "für sie da",
    "für euch da",
    "godziny",
    "otwart",
    "czynne",
    "horário",
    "aberto",
    "ppettider",
    "bningstider",
    "pningstider",
    "aukiolo",
    "otevírací",
    "otváracie",
    "saatleri",
    "ежим работы",
    "асы работы",
    "рафик работы",
    "одини роботи",
    "аботно време",
    "nyitva",
    "ράριο",
    "radno vr",
    "delovni čas",
    "lahtiolek",
    "darba laik",
    "darbo laik",
    "horari",
    "abrimos",
    "horaires",
    "ouvert",
    "heures d",
    "horario",
    "abierto",
    "orari",
    "apert",
    "openingstijden",
    "geopend",
    "visit us",
];

const OTHER: &[&str] = &[
    "happy hour",
    "support",
    "customer service",
    "customer care",
    "service desk",
    "call ",
    "call:",
    "phone",
    "hotline",
    "erreichbar",
    "joignable",
    "service client",
    "kundendienst",
    "kundtjänst",
    "kundeservice",
    "bereikbaar",
    "klantenservice",
    "atención al cliente",
    "assistenza clienti",
    "infolinia",
    "reachable",
    "answered",
    "our agents",
    "representatives",
    "help desk",
    "helpdesk",
    "by email",
    "par mail",
    "chat",
    "deliver",
    "mass ",
    "masses",
    "class",
    "course",
    "session",
    "worship",
    "kitchen",
    "brunch",
    "lunch",
    "dinner",
    "breakfast",
    "holiday",
    "christmas",
    "thanksgiving",
    "easter sunday",
    "easter monday",
    "easter hours",
    " event",
    "events",
    "workshop",
    "webinar",
    "pickup",
    "pick-up",
    "drive-thru",
    "drive thru",
    "lesson",
    "registration",
    "whatsapp",
    "telefonisch",
    "kundenservice",
    "liefer",
    "feiertag",
    "emergency",
    "bar open",
    "training",
    "tour",
    "office visit",
    "questions?",
    "questions",
    "helpline",
    "livraison",
    "téléphone",
    "before ",
    "weihnacht",
    "ramadan",
    "practice",
    "meeting",
    "bible",
    "sunday school",
    "confession",
    "showtime",
    "doors open",
    "last updated",
    "posted",
];

/// Ends of what stands before `holidays` where they are joined to a day.
const JOINTS: &[&str] =
    &[" and", "&", " und", " u.", "/", "+", "bank", "public", "major", "legal", "federal", "national"];

/// Words that no English line contains.
const FOREIGN: &[&str] = &[
    "uhr",
    "montag",
    "freitag",
    "lundi",
    "vendredi",
    "lunes",
    "viernes",
    "lunedì",
    "venerdì",
    "maandag",
    "vrijdag",
    "bis ",
    "geschlossen",
    "fermé",
    "cerrado",
    "chiuso",
    "gesloten",
    "samedi",
    "mo-fr",
    "mo - fr",
    "mo–fr",
    "mo.",
    "lun.",
    "lun ",
    "lun-",
    "lun:",
    " h ",
];

/// Labels that name the business, its shop or its office.
const BUSINESS: &[&str] =
    &["business hours", "hours of operation", "office hours", "store hours", "shop hours", "opening hours", "showroom"];

static BUSINESS_SEARCH: LazyLock<Option<AhoCorasick>> = LazyLock::new(|| search(BUSINESS));
static OWN_SEARCH: LazyLock<Option<AhoCorasick>> = LazyLock::new(|| search(OWN));
static OTHER_SEARCH: LazyLock<Option<AhoCorasick>> = LazyLock::new(|| search(OTHER));
static FOREIGN_SEARCH: LazyLock<Option<AhoCorasick>> = LazyLock::new(|| search(FOREIGN));

fn search(words: &[&str]) -> Option<AhoCorasick> {
    AhoCorasick::builder().kind(Some(AhoCorasickKind::DFA)).ascii_case_insensitive(true).build(words).ok()
}

fn has(search: &LazyLock<Option<AhoCorasick>>, text: &str) -> bool {
    search.as_ref().is_some_and(|words| words.is_match(text))
}

/// The label of the block that starts at line `first`: on the block's own lines, else the nearest above.
pub(crate) fn of(document: &Document<'_>, first: usize, block: &str) -> Label {
    let own = judge(around(block, 0, 0, BLOCK_BYTES_MAX));
    if own != Label::None {
        return own;
    }
    let mut lines = 0;
    for above in 1..=ABOVE_WITH_HEADS.min(first) {
        let line = document.line(first - above).0;
        // `Day`, `Morning`, `Afternoon`: heads of the columns stand between.
        lines += usize::from(line.len() > HEAD_BYTES_MAX || line.contains(' '));
        if lines > ABOVE_LINES {
            break;
        }
        if line.len() > LABEL_BYTES_MAX {
            continue;
        }
        // A phone number above the hours does not make them those of the phone.
        let has_digits = line.bytes().any(|b| b.is_ascii_digit());
        match judge(line) {
            Label::None => {}
            Label::Other if has_digits || above > 2 => {}
            label => return label,
        }
    }
    Label::None
}

fn judge(text: &str) -> Label {
    if is_other(text) {
        Label::Other
    } else if has(&OWN_SEARCH, text) {
        Label::Own
    } else {
        Label::None
    }
}

/// Whether the words say that hours with a time zone are those of the business, not of a phone line for the whole country.
pub(crate) fn names_business(document: &Document<'_>, first: usize, block: &str) -> bool {
    has(&BUSINESS_SEARCH, around(block, 0, 0, BLOCK_BYTES_MAX))
        || (1..=ABOVE_LINES.min(first))
            .any(|above| has(&BUSINESS_SEARCH, around(document.line(first - above).0, 0, 0, LABEL_BYTES_MAX)))
}

/// `Hours: M-F 7am - 4pm PST`: the line says itself what it is.
pub(crate) fn starts_with_hours(block: &str) -> bool {
    block.get(..6).is_some_and(|start| start.eq_ignore_ascii_case("hours:"))
}

/// Whether a line is about something else than the opening hours of the business.
pub(crate) fn is_other(line: &str) -> bool {
    let found = OTHER_SEARCH.iter().flat_map(|words| words.find_iter(line));
    found.take(MATCHES_MAX).any(|found| !is_own_use(&line[..found.start()], &line[found.start()..]))
}

/// Whether a word about something else is part of the business's own hours here: `closed Sundays and holidays`,
/// `closed for lunch 12-1`, `Sat call for appointment`.
fn is_own_use(before: &str, from: &str) -> bool {
    let before = around(before, before.len(), OWN_USE_BYTES, 0).to_lowercase();
    let before = before.rsplit('\n').next().unwrap_or("").trim_end();
    let starts = |word: &str| from.get(..word.len()).is_some_and(|start| start.eq_ignore_ascii_case(word));
    if is_left_out(before) {
        return true;
    }
    let is_closed = before.contains("closed") || before.contains("geschlossen");
    if starts("holiday") || starts("feiertag") {
        return is_closed || JOINTS.iter().any(|joint| before.ends_with(joint)) || is_day_off(before, from);
    }
    (starts("lunch") && is_closed) || starts("call for app")
}

/// `every day except`, `every day except on`: what follows is left out.
fn is_left_out(before: &str) -> bool {
    let mut words = before.rsplit(' ').skip_while(|word| matches!(*word, "on" | "for" | "an" | ""));
    words.next().is_some_and(|word| matches!(Language::default().token(word), Some((Token::Except, _))))
}

/// `Sunday holiday`, with which the line or the phrase ends.
fn is_day_off(before: &str, from: &str) -> bool {
    let ends = !from["holiday".len().min(from.len())..].trim_start_matches(' ').starts_with(char::is_alphanumeric);
    let day = before.trim_end_matches([' ', ':', '-', '–']).rsplit(|c: char| !c.is_alphabetic()).next().unwrap_or("");
    ends && matches!(Language::default().token(day), Some((Token::Day(_), _)))
}

/// Whether a text says that it is about opening hours.
pub(crate) fn is_own(text: &str) -> bool {
    has(&OWN_SEARCH, text)
}

/// Whether a block is in a language whose clocks have 24 hours.
pub(crate) fn is_foreign(text: &str) -> bool {
    has(&FOREIGN_SEARCH, around(text, 0, 0, BLOCK_BYTES_MAX))
}
