//! Recognises job titles: a phrase with a head noun (`manager`, `hygienist`), or letters after which a job is named (`RDH`).
//! A list of nouns with few exceptions covers far more titles than a list of titles.

use crate::people::owners;
use crate::people::title_words::{
    AFTER_HEADS, COLLECTIVE, HEADS, LETTERS, MEMBER_OF, MODIFIERS, NEVER_FIRST, PHRASE_ENDS, PRODUCTS, RANKS,
    SENTENCE_WORDS, WEAK_HEADS,
};
use crate::word_set::{WORD_BYTES_MAX, lower_ascii};

/// Whether a line has the length of a title.
pub(crate) fn may_be_title(text: &str) -> bool {
    (2..=90).contains(&text.trim().len())
}

/// Whether a short line is a title and nothing else.
pub(crate) fn is_title(text: &str) -> bool {
    let text = text.trim();
    // `Project Specialist I`: a grade, not a pronoun.
    let text = text.strip_suffix(" I").unwrap_or(text);
    if !may_be_title(text) {
        return false;
    }
    let words = text.split_whitespace().take(12).count();
    // `Studio Owner, E-RYT 500`: the number belongs to the letters.
    let is_number = || without_grade(text).bytes().filter(u8::is_ascii_digit).count() > 2;
    if words > 11
        || is_number()
        || ends_as_sentence(text)
        || text.contains(['@', '$', '“', '%', '©', '→', '"', '?', '!', '…', '#'])
        || (text.contains('+') && !text.contains(" + "))
    {
        return false;
    }
    let last = text.rsplit(' ').next().unwrap_or("");
    // `Manager Name` is the label of a template.
    if words > 1 && (last == "Name" || PRODUCTS.contains_any_case(last) && !matches!(last, "Chair" | "Desk")) {
        return false;
    }
    let starts_well = text.chars().next().is_some_and(|c| c.is_uppercase() || words <= 3);
    // A title is written in capitals, or is short.
    let is_prose =
        words > 6 && text.split(' ').filter(|word| word.len() > 3 && word.starts_with(char::is_lowercase)).count() > 3;
    if !starts_well || is_prose {
        return false;
    }
    let lower = text.to_lowercase();
    !is_degree(&lower)
        && !is_past(&lower)
        && !reads_as_sentence(&lower)
        && (names_a_title(&lower) || is_credentials(text))
}

/// A title without the letters and the number behind it: `Studio Owner, E-RYT 500`.
pub(super) fn without_grade(title: &str) -> &str {
    title.split_once(", ").filter(|(_, letters)| ends_in_grade(letters)).map_or(title, |(title, _)| title)
}

/// Whether letters such as `RYT` and a number of three digits follow a title.
fn ends_in_grade(letters: &str) -> bool {
    letters.rsplit_once([' ', '-']).is_some_and(|(letters, number)| {
        number.len() == 3
            && number.bytes().all(|byte| byte.is_ascii_digit())
            && letters.len() <= 8
            && letters.bytes().all(|byte| byte.is_ascii_uppercase() || matches!(byte, b'-' | b' '))
    })
}

/// `MA, LPC, ADC`: letters, some of which name a job and others a degree.
pub(crate) fn is_credentials(text: &str) -> bool {
    let is_letters = |part: &str| {
        (2..=8).contains(&part.len()) && part.bytes().all(|b| b.is_ascii_uppercase() || matches!(b, b'-' | b'/' | b'.'))
    };
    let mut parts = text.split(',').map(str::trim);
    text.contains(", ")
        && !is_list_of_letters(&text.to_lowercase())
        && parts.clone().all(is_letters)
        && parts.any(|part| LETTERS.contains(part.replace('.', "").to_lowercase().as_str()))
}

/// `Former Staff Writer`: what somebody was; `Verified Expert`: what a marketplace calls its freelancers.
pub(super) fn is_past(lower: &str) -> bool {
    ["former ", "formerly ", "ex-", "verified "].iter().any(|start| lower.starts_with(start))
}

/// `Master of Accounting ’25`: what somebody studied.
fn is_degree(lower: &str) -> bool {
    ["master of ", "bachelor of ", "doctor of ", "associate of ", "masters in ", "ph.d. in "]
        .iter()
        .any(|degree| lower.starts_with(degree))
}

/// A full stop ends a title only after an abbreviation.
fn ends_as_sentence(text: &str) -> bool {
    let abbreviations = [
        "Inc.", "Sr.", "Jr.", "Prop.", "prop.", "Mgr.", "Asst.", "Rep.", "Dir.", "Exec.", "Pres.", "Admin.", "Esq.",
        "Mktg.",
    ];
    let is_abbreviated =
        || abbreviations.iter().any(|end| text.ends_with(end)) || (text.len() < 12 && text.matches('.').count() > 1);
    text.ends_with([':', '…', '”', ';', ',']) || (text.ends_with('.') && !is_abbreviated())
}

pub(crate) fn reads_as_sentence(lower: &str) -> bool {
    // `Shop Foreman` and `Call Center Manager` begin like buttons.
    let lower = ["shop ", "call center ", "contact center ", "book "]
        .iter()
        .find_map(|start| lower.strip_prefix(start).filter(|rest| is_all_title(rest)))
        .unwrap_or(lower);
    let mut words = words_of(lower);
    words.next().is_some_and(|word| NEVER_FIRST.contains(word) || SENTENCE_WORDS.contains(word))
        || words.any(|word| SENTENCE_WORDS.contains(word))
}

fn words_of(lower: &str) -> impl Iterator<Item = &str> {
    lower.split(|c: char| !c.is_alphanumeric() && !matches!(c, '\'' | '’' | '-')).filter(|word| !word.is_empty())
}

fn names_a_title(lower: &str) -> bool {
    // `Prop.`, which is short for the owner; without its full stop it is something else.
    if lower == "prop." {
        return true;
    }
    let joined;
    let lower = if lower.contains('.') {
        joined = join_initials(lower);
        joined.as_str()
    } else {
        lower
    };
    let names_one = |part: &str| {
        let part = part.trim().trim_end_matches('.');
        has_strong_head(part)
            || ends_in_weak_head(part)
            || (part.len() == lower.trim_end_matches('.').len() && is_letters(part))
    };
    lower.split([',', '/', '|', '&', '(', ')', '–', '+']).any(names_one) || is_list_of_letters(lower)
}

/// `OTD, OTR/L`: nothing but letters that name a job.
fn is_list_of_letters(lower: &str) -> bool {
    lower.contains(',') && lower.split(',').all(|letters| LETTERS.contains(letters.trim()))
}

/// A strong noun, unless it only describes what follows: `Designer Jeans`, `Agent Portal`.
fn has_strong_head(part: &str) -> bool {
    let mut before = "";
    let mut words = words_of(part).peekable();
    while let Some(word) = words.next() {
        let is_head = word.split('-').any(is_strong_head);
        let is_described = |next: &str| AFTER_HEADS.contains(next) || is_title_word(next) || next.len() < 4;
        if is_head && (RANKS.contains(word) || words.peek().is_none_or(|next| is_described(next))) {
            return true;
        }
        let is_member = word == "member" && MEMBER_OF.contains(before);
        if is_member || (matches!(before, "head" | "co-head") && word == "of") {
            return true;
        }
        before = word;
    }
    false
}

/// A weak noun must end a part of a title: `Head Host`, `Crew Leader, Nights`, `Lead of Design`.
fn ends_in_weak_head(part: &str) -> bool {
    let last = part.rsplit([' ', '-']).next().unwrap_or("");
    let count = part.split_whitespace().count();
    ((1..=5).contains(&count) && is_weak_head(last) && is_alone_enough(part, count))
        || part.rsplit(" of ").nth(1).is_some_and(is_weak_head)
}

/// Turns `v.p. of sales` into `vp of sales`.
fn join_initials(lower: &str) -> String {
    let join = |word: &str| {
        let is_dotted = word.len() >= 3 && word.bytes().enumerate().all(|(at, byte)| at % 2 == 0 || byte == b'.');
        if is_dotted { word.replace('.', "") } else { word.to_owned() }
    };
    lower.split(' ').map(join).collect::<Vec<_>>().join(" ")
}

/// Whether a line is nothing but letters that stand behind a name: `CPA, CFP®`.
pub(super) fn is_only_letters(line: &str) -> bool {
    let line = line.replace('®', "");
    let lower = line.to_lowercase();
    is_credentials(&line) || is_list_of_letters(&lower) || is_letters(&lower)
}

fn is_letters(part: &str) -> bool {
    let bare: String = part.chars().filter(|c| *c != '.').collect();
    LETTERS.contains(bare.as_str())
}

/// `Operations`, `Sales`, `Staff` or `Expert` alone head a section rather than name someone's job.
pub(crate) fn is_alone_enough(part: &str, words: usize) -> bool {
    words > 1
        || !matches!(
            part,
            "operations" | "sales" | "staff" | "expert" | "crew" | "master" | "lead" | "author" | "professional"
        )
}

fn is_strong_head(word: &str) -> bool {
    HEADS.contains(word)
        || word == "foremen"
        || singular(word).is_some_and(|one| HEADS.contains(one))
        || has_head_ending(word)
}

fn is_weak_head(word: &str) -> bool {
    WEAK_HEADS.contains(word)
}

/// `nephrologist`, `dietician`, `hydrotherapist`: professions are too many to list.
fn has_head_ending(word: &str) -> bool {
    // Most words end in another letter than all of these.
    word.len() > 8
        && word.ends_with(['t', 'r', 'n', 'u'])
        && [
            "ologist",
            "therapist",
            "odontist",
            "iatrist",
            "ographer",
            "ecologist",
            "leiter",
            "leiterin",
            "meister",
            "meisterin",
            "berater",
            "beraterin",
            "techniker",
            "technikerin",
            "kaufmann",
            "kauffrau",
            "ärztin",
            "anwalt",
            "anwältin",
            "therapeut",
            "therapeutin",
            "führer",
            "führerin",
            "inhaber",
            "inhaberin",
            "assistentin",
            "verwalter",
            "verwalterin",
            "leider",
            "leidster",
            "medewerker",
            "medewerkster",
            "adviseur",
            "manager",
        ]
        .iter()
        .any(|end| word.ends_with(end))
}

fn singular(word: &str) -> Option<&str> {
    word.strip_suffix('s').filter(|one| one.len() > 3 && !one.ends_with('s'))
}

/// Members who have a title as such; those of a team or a crew are simply its people.
const BOARDS: &[&str] = &["Board Member", "Council Member", "Committee Member"];

/// `Owners`, `Dental Assistants`: the title of each person below it, when a heading names several.
pub(crate) fn singular_title(title: &str) -> Option<String> {
    let title = title.trim().trim_end_matches(':').trim_end();
    // `Learn About the Partners`: what leads up to the title is no part of it.
    let leads =
        |word: &&str| NEVER_FIRST.contains_any_case(word) || matches!(*word, "The" | "the" | "Our" | "OUR" | "Know");
    let lead: usize = title.split(' ').take_while(leads).map(|word| word.len() + 1).sum();
    let title = title.get(lead..).unwrap_or(title);
    if let Some(one) = title.strip_suffix("men").filter(|one| is_head(&format!("{}man", one.to_lowercase()))) {
        return Some(format!("{one}man"));
    }
    // `Geschäftsführung: Ann Lee, Bob Ray`: the title of each.
    if COLLECTIVE.contains_any_case(title) || COLLECTIVE.contains(title.to_lowercase().as_str()) {
        return Some(title.to_owned());
    }
    let one = title.strip_suffix(['s', 'S'])?;
    let last = one.rsplit([' ', '-', '/']).next()?.to_lowercase();
    let is_head = HEADS.contains(last.as_str())
        || BOARDS.contains(&one)
        || matches!(last.as_str(), "leader" | "operator" | "installer" | "driver" | "developer");
    (is_head && one.split_whitespace().count() <= 4 && !one.contains(" of ")).then(|| one.to_owned())
}

/// Whether a title is that of several people: `Owners`, `Strategies for Chief Officers`.
pub(crate) fn is_of_several(title: &str) -> bool {
    // `Chief of Dentists` is one; `Board of Directors` is not.
    let head = title.split_once(" of ").and_then(|(head, _)| head.rsplit(' ').next());
    if head.is_some_and(is_plain_head) {
        return false;
    }
    let last = title.rsplit([' ', '-', '/']).next().unwrap_or("").to_lowercase();
    singular_title(title).is_some()
        || last.strip_suffix('s').is_some_and(|one| HEADS.contains(one) || RANKS.contains(one))
}

/// Whether a word, given in lower case, occurs in titles.
pub(crate) fn is_title_word(word: &str) -> bool {
    is_strong_head(word) || is_weak_head(word)
}

/// Whether a word, given in lower case, is the noun of a title: what a title before a name ends in.
pub(crate) fn is_head(word: &str) -> bool {
    let word = word.trim_end_matches('.');
    word.split(['/', '-'])
        .next_back()
        .is_some_and(|last| HEADS.contains(last) || has_head_ending(last) || is_weak_head(last))
}

/// The same for the nouns that are a title anywhere, without allocating.
pub(crate) fn is_plain_head(word: &str) -> bool {
    word.len() <= 20 && word.is_ascii() && HEADS.contains_any_case(word)
}

/// Whether every word of a phrase, in any case, belongs to a title and the last is its noun.
pub(crate) fn is_title_phrase(phrase: &str) -> bool {
    let last = phrase.split_whitespace().next_back().unwrap_or("");
    is_head_in_any_case(last) && is_all_title(&phrase.to_lowercase())
}

/// [`is_head`] of a word in any case.
fn is_head_in_any_case(word: &str) -> bool {
    let mut buffer = [0; WORD_BYTES_MAX];
    match lower_ascii(word, &mut buffer) {
        Some(lower) => is_head(lower),
        None => is_head(&word.to_lowercase()),
    }
}

/// Whether every word of a phrase, given in lower case, belongs to a title and the last is its noun.
pub(crate) fn is_all_title(lower: &str) -> bool {
    let words: Vec<&str> = lower.split_whitespace().collect();
    words.last().is_some_and(|last| is_head(last))
        && words.iter().all(|word| {
            let word = word.trim_end_matches([',', '.']);
            MODIFIERS.contains(word) || is_head(word)
        })
}

fn is_noun(lower: &str) -> bool {
    let last = lower.rsplit(['-', '/']).next().unwrap_or(lower);
    is_strong_head(last) || is_weak_head(last)
}

/// Whether nothing but words that describe a noun precede it.
fn is_described(text: &str) -> bool {
    text.split_whitespace().all(|word| MODIFIERS.contains(word.to_lowercase().as_str()))
}

/// Words of a title in a sentence.
const PHRASE_WORDS_MAX: usize = 7;

/// The title at the start of a sentence part, such as `lead hygienist` in `lead hygienist with us since 2004`, and its end.
pub(crate) fn phrase(text: &str) -> Option<&str> {
    let mut end = None;
    let (mut at, mut after_of) = (0, 0);
    for word in text.split(' ').take(PHRASE_WORDS_MAX) {
        let bare = word.trim_end_matches([',', '.', ';', ':', ')', '!']).trim_end_matches("’s").trim_end_matches("'s");
        let lower = bare.to_lowercase();
        let is_abbreviation = matches!(lower.as_str(), "sr" | "jr" | "asst");
        // `a comprehensive, fee-only advisor`: a comma after an adjective ends nothing.
        let is_adjective = word.ends_with(',') && end.is_none() && bare.starts_with(char::is_lowercase);
        let word_end = at + bare.len();
        match lower.as_str() {
            // `Director of Operations`, but `Founder of Acme`.
            "of" if end == Some(at.saturating_sub(1)) => {
                if owners::rank(&text[..at]) > 0 {
                    break;
                }
                after_of = 3;
            }
            "and" | "&" if end == Some(at.saturating_sub(1)) => after_of = 0,
            // `business and real estate attorney`
            "and" | "&" if end.is_none() && at > 0 && is_described(&text[..at]) => {}
            // `owner and a florist` names the title first.
            "a" | "an" => break,
            "the" if end.is_some() && after_of == 0 => break,
            lower if PHRASE_ENDS.contains(lower) || bare.contains(|c: char| c.is_ascii_digit()) => break,
            lower if is_noun(lower) => {
                end = Some(word_end);
                after_of = 0;
            }
            _ if after_of > 0 => {
                end = Some(word_end);
                after_of -= 1;
            }
            _ => {}
        }
        if bare.len() < word.len() && !is_abbreviation && !is_adjective {
            break;
        }
        at += word.len() + 1;
    }
    end.and_then(|end| text.get(..end))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Titles, one per line.
    const TITLES: &str = "
        Owner
        Founder & CEO
        Vice President, Sales
        Office Manager
        Attorney at Law
        Co-Founder
        Senior Project Manager
        Inhaberin
        Head of Marketing
        Lead Instructor
        Partner
        Controller
        Office Mgr.
        Asst. Mgr
        RDH
        R.D.H.
        Certified Dental Assistant
        Program Director
        Department Head
        Crew Leader
        Truck Driver
        Board Member
        Nephrologist
        Head Sales Rep.
        VP Engineering
        Managing Director Technology Banking
        Assistant Vice President
        Nurse Practitioner
        Engineer II
        Support Specialist I
        MA, LPC, ADC
        Owner/Operator
        Dental Hygienists
        V.P. of Sales
        C.F.O.
        Shop Foreman
        Mortgage Loan Originator
        Call Center Manager
        Of Counsel
        Legal Assistant / Notary
        Kitchen Manager & Sous Chef
        Deputy Town Clerk
        Office Mgr./Bookkeeper
        Alderman, Ward 3
    ";

    /// Lines that are no titles.
    const OTHERS: &str = "
        Contact our manager
        Meet the owner
        We are hiring a manager.
        Plumbing
        Project manager jobs
        Read more
        Find a dentist
        5 stars from the owner of a house who was happy
        Member
        Senior Member
        Operations
        Web Server Hosting
        Window Cleaner Sale
        Book a stylist
        Sales
        Staff
        Designer Jeans
        Agent Portal
        became President
        TX, OK, LA
        MD
        As office manager she keeps everything running smoothly
        Shop Our Designers
        Book a Call
        Call Center Hours
        Manager bag
        Designer Tote Bag
        Manager tools that make every small business run better
    ";

    #[test]
    fn titles_are_distinguished_from_other_lines() {
        let lines = |text: &'static str| text.lines().map(str::trim).filter(|line| !line.is_empty());
        lines(TITLES).for_each(|title| assert!(is_title(title), "{title}"));
        lines(OTHERS).for_each(|text| assert!(!is_title(text), "{text}"));
        assert!(!is_title(""));
    }

    #[test]
    fn a_sentence_names_a_title_up_to_its_last_noun() {
        for (text, title) in [
            ("broker with us since 2004", Some("broker")),
            ("lead hygienist, and", Some("lead hygienist")),
            ("director of sales and marketing for", Some("director of sales")),
            ("owner and head stylist at", Some("owner and head stylist")),
            ("office manager who has", Some("office manager")),
            ("great fan of football", None),
            ("graduate of the university", None),
        ] {
            assert_eq!(phrase(text), title, "{text}");
        }
    }

    #[test]
    fn a_heading_for_several_people_gives_each_their_title() {
        for (text, one) in [
            ("Owners", Some("Owner")),
            ("Our Dental Assistants", Some("Dental Assistant")),
            ("Learn About the Partners", Some("Partner")),
            ("Get to Know Your Dentists", Some("Dentist")),
            ("Foremen", Some("Foreman")),
            ("Services", None),
            ("Owner", None),
            ("Board of Directors", None),
        ] {
            assert_eq!(singular_title(text).as_deref(), one, "{text}");
        }
    }
}
