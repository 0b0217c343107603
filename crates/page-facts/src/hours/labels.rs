//! Tells from the words above and beside a block of hours whether they are those of the business.

use std::sync::LazyLock;

use aho_corasick::{AhoCorasick, AhoCorasickKind};

use crate::document::Document;
use crate::page::around;

/// Lines above a block in which a label is looked for.
const ABOVE_LINES: usize = 3;
/// Longest line that is a label, in bytes.
const LABEL_BYTES_MAX: usize = 70;
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
    "lun",
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
    for above in 1..=ABOVE_LINES.min(first) {
        let line = document.line(first - above).0;
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
    if has(&OTHER_SEARCH, text) {
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
    has(&OTHER_SEARCH, line)
}

/// Whether a text says that it is about opening hours.
pub(crate) fn is_own(text: &str) -> bool {
    has(&OWN_SEARCH, text)
}

/// Whether a block is in a language whose clocks have 24 hours.
pub(crate) fn is_foreign(text: &str) -> bool {
    has(&FOREIGN_SEARCH, around(text, 0, 0, BLOCK_BYTES_MAX))
}
