//! Ranks how likely a title is to mean the owner of the business.

/// What an explicit claim of ownership or foundation is worth without a title.
pub(super) const FOUNDER_RANK: u8 = 64;

/// Words of owners' titles with their rank, most reliable first.
const OWNERS: &[(&str, u8)] = &[
    ("owner", 72),
    ("proprietor", 72),
    ("proprietress", 72),
    ("prop.", 72),
    ("sole trader", 72),
    ("inhaber", 72),
    ("propietari", 72),
    ("dueñ", 72),
    ("titolare", 72),
    ("eigena", 72),
    ("zaakvoerder", 60),
    ("proprietário", 72),
    ("proprietária", 72),
    ("propriétaire", 72),
    ("gérant", 64),
    ("founder", 64),
    ("gründer", 64),
    ("fondat", 64),
    ("fundador", 64),
    ("oprichter", 64),
    ("founding", 56),
    ("ceo", 56),
    ("chief executive", 56),
    ("geschäftsführ", 56),
    ("geschäftsinhaber", 72),
    ("gastgeber", 60),
    ("titular", 64),
    ("amministratore unico", 60),
    ("amministratore delegato", 56),
    ("vennoot", 60),
    ("director general", 50),
    ("directora general", 50),
    ("directeur général", 50),
    ("directrice générale", 50),
    ("direttore generale", 50),
    ("algemeen directeur", 50),
    ("diretor geral", 50),
    ("sócio-gerente", 60),
    ("sócia-gerente", 60),
    ("sócio-fundador", 64),
    ("sócia-fundadora", 64),
    ("dirigeant", 56),
    ("geschäftsleitung", 48),
    ("ägare", 72),
    ("ägarinna", 72),
    ("innehavare", 72),
    ("delägare", 71),
    ("grundare", 64),
    ("medgrundare", 63),
    ("vd", 56),
    ("indehaver", 72),
    ("medindehaver", 71),
    ("ejer", 72),
    ("medejer", 71),
    ("grundlægger", 64),
    ("stifter", 64),
    ("adm. direktør", 56),
    ("administrerende direktør", 56),
    ("innehaver", 72),
    ("medeier", 71),
    ("grunnlegger", 64),
    ("daglig leder", 56),
    ("omistaja", 72),
    ("yrittäjä", 72),
    ("perustaja", 64),
    ("toimitusjohtaja", 56),
    ("właściciel", 72),
    ("współwłaściciel", 71),
    ("założyciel", 64),
    ("prezes", 50),
    ("majitel", 72),
    ("spolumajitel", 71),
    ("jednatel", 60),
    ("konateľ", 60),
    ("zakladatel", 64),
    ("zakladateľ", 64),
    ("tulajdonos", 72),
    ("társtulajdonos", 71),
    ("alapító", 64),
    ("ügyvezető", 56),
    ("proprietar", 72),
    ("proprietară", 72),
    ("kurucu", 64),
    ("sahibi", 72),
    ("vlasni", 72),
    ("osnivač", 64),
    ("lastni", 72),
    ("savinink", 72),
    ("īpašnie", 72),
    ("president", 50),
    ("managing partner", 48),
    ("managing attorney", 48),
    ("managing lawyer", 48),
    ("managing director", 48),
    ("managing member", 48),
    ("managing broker", 48),
    ("sole practitioner", 48),
    ("principal", 40),
];
/// The rank of whoever owns the business; a co-owner's is one less.
pub(super) const OWNER_RANK: u8 = 72;
/// What the owner of a business is called the owner of, in one word with it.
const OWNED: &[&str] = &[
    "praxis",
    "praxismit",
    "salon",
    "studio",
    "laden",
    "firmen",
    "betriebs",
    "geschäfts",
    "kanzlei",
    "apotheken",
    "büro",
    "agentur",
    "hotel",
    "restaurant",
    "café",
    "werkstatt",
    "hof",
    "mit",
    "allein",
];
/// Words of them that take endings.
const STEMS: &[&str] = &[
    "inhaber",
    "propietari",
    "dueñ",
    "eigena",
    "gérant",
    "gründer",
    "fondat",
    "fundador",
    "oprichter",
    "geschäftsführ",
    "geschäftsinhaber",
    "titular",
    "vennoot",
    "directora general",
    "gastgeber",
    "dirigeant",
    "właściciel",
    "współwłaściciel",
    "założyciel",
    "majitel",
    "spolumajitel",
    "jednatel",
    "konateľ",
    "zakladatel",
    "zakladateľ",
    "vlasni",
    "osnivač",
    "lastni",
    "savinink",
    "īpašnie",
];
/// From this rank on a title of any length counts; below it, a longer one names a department.
pub(super) const SURE_RANK: u8 = 56;
/// Words of a title that ranks lower.
const LOW_WORDS_MAX: usize = 4;
/// What the head of the business adds to the rank of a founder.
const FOUNDER_IN_OFFICE: u8 = 4;

/// Parts of titles that contain an owner's word and mean someone else.
const NOT_OWNERS: &[&str] = &[
    "vice",
    "assistant",
    "product owner",
    "process owner",
    "former",
    "ex-",
    "past ",
    "homeowner",
    "home owner",
    "pet owner",
    "business owner",
    "owner's",
    "owner’s",
    "owner relations",
    "owner services",
    "principal engineer",
    "principal consultant",
    "principal software",
    "principal analyst",
    "principal product",
    "principal designer",
    "principal scientist",
    "principal investigator",
    "principal lecturer",
    "school principal",
    "elect",
    "emeritus",
    "board president",
    "president of the board",
    "regional",
    "branch",
    "market president",
    "area president",
    "division president",
    "chapter",
    "club president",
    "student",
    "class president",
    "district",
    "global",
    "practice leader",
    "svp",
    "evp",
    " to the ",
    "office of",
];

/// How likely a title means the owner; 0 when it does not. Owners come before founders who run the business, founders,
/// presidents, and principals.
pub(crate) fn rank(title: &str) -> u8 {
    let lower = title.to_lowercase();
    let parts = lower
        .split([',', '/', '|', '&', '(', ';', '•', '+', '–'])
        .flat_map(|part| part.split(" and "))
        .flat_map(|part| part.split(" - "));
    let is_long = lower.split_whitespace().count() > LOW_WORDS_MAX;
    let ranks: Vec<u8> =
        parts.map(|part| rank_of_part(part.trim())).filter(|rank| *rank >= SURE_RANK || !is_long).collect();
    let best = ranks.iter().copied().max().unwrap_or(0);
    let is_founder = (FOUNDER_RANK - 1..=FOUNDER_RANK).contains(&best);
    let runs_it = ranks.iter().any(|rank| (45..=SURE_RANK).contains(rank));
    if is_founder && runs_it { best + FOUNDER_IN_OFFICE } else { best }
}

fn rank_of_part(part: &str) -> u8 {
    let known = OWNERS.iter().filter(|(word, _)| has_word(part, word)).map(|(_, rank)| *rank).max();
    let best = known.or_else(|| owns_what_the_word_says(part)).unwrap_or(0);
    // "Managing Director, Mergers" runs a department; an owner's title is short.
    if best == 0
        || (best < SURE_RANK && part.split_whitespace().count() > 3)
        || NOT_OWNERS.iter().any(|words| part.contains(words))
    {
        return 0;
    }
    best - u8::from(part.contains("co-") || part.contains("cofounder"))
}

/// Whether a word of a title is an owner's. Only where words begin is compared: a search for each word would cost more.
fn has_word(part: &str, word: &str) -> bool {
    let bytes = part.as_bytes();
    let first = word.as_bytes().first();
    (0..bytes.len()).any(|at| {
        bytes.get(at) == first
            && bytes[at..].starts_with(word.as_bytes())
            && !part[..at].ends_with(char::is_alphanumeric)
            && ends(part, at, word)
    })
}

/// `Praxisinhaberin`, `Salonbesitzer`: German joins what is owned to its owner. Accounts and rights have holders too.
fn owns_what_the_word_says(part: &str) -> Option<u8> {
    let word = part.rsplit(' ').next()?;
    let masculine = word.strip_suffix("in").unwrap_or(word);
    let owned = masculine.strip_suffix("inhaber").or_else(|| masculine.strip_suffix("besitzer"))?;
    OWNED.contains(&owned.trim_end_matches('-')).then_some(OWNER_RANK)
}

/// Whether the word ends where it should: `Presidential` is not `president`, but `propietari` has many endings.
fn ends(part: &str, at: usize, word: &str) -> bool {
    let rest = part[at + word.len()..].strip_prefix('s').unwrap_or(&part[at + word.len()..]);
    STEMS.contains(&word) || !rest.starts_with(char::is_alphanumeric)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn owners_are_ranked() {
        let order = [
            "Owner",
            "Co-Owner",
            "Founder & CEO",
            "Founder",
            "Co-Founder",
            "CEO",
            "President",
            "Principal",
            "Office Manager",
        ];
        for pair in order.windows(2) {
            assert!(rank(pair[0]) > rank(pair[1]), "{pair:?}");
        }
        for title in [
            "Owner/Operator",
            "Owner & Head Stylist",
            "Broker/Owner",
            "Owner, Vice President",
            "Accountant and Owner",
            "Owner, Principal",
            "Inhaberin",
            "Praxisinhaberin",
            "Salonbesitzer",
            "Owner - Principal Consultant",
            "Dueña",
        ] {
            assert_eq!(rank(title), 72, "{title}");
        }
        for title in [
            "Vice President",
            "Assistant to the Owner",
            "Product Owner",
            "Sales Manager",
            "Small Business Owner",
            "President-Elect",
            "Owner’s Representative",
            "Managing Director Technology Investment Banking",
            "Managing Director Mergers and Acquisitions",
            "Presidential Innovation Fellow",
            "Branch President",
            "Chapter President",
            "Kontoinhaber",
        ] {
            assert_eq!(rank(title), 0, "{title}");
        }
    }
}
