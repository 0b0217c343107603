//! Decides whether a sentence about an owner is about this business: pages quote, list and thank owners of others.

use crate::page::around;
use crate::people::{names, titles};
use crate::site::Site;
use crate::word_set::WordSet;

/// Words read as a company name.
const COMPANY_WORDS_MAX: usize = 5;
/// Bytes after a title in which a company may be named.
const COMPANY_BYTES_MAX: usize = 60;

/// Words after `owner of the` of which one says what is owned.
const THING_WORDS_MAX: usize = 5;

/// Bytes of a sentence on either side of the phrase; most sentences are shorter.
const SENTENCE_BYTES_MAX: usize = 500;

/// Words before `owner` that refer to customers, such as owners of a house or a dog.
static OTHER_OWNERS: WordSet = WordSet::new(
    "home house property pet car vehicle dog cat boat horse previous former original franchise truck land business",
);

/// Words before a title that link it to this business.
static OURS: WordSet = WordSet::new(
    "our the its by meet with is as contact ask current new proud company shop studio store restaurant practice salon
     clinic firm office site's company's shop's studio's firm's practice's and your second-generation third-generation
     fourth-generation generation present longtime long-time founding le la l'actuel il su el unser unsere unserer onze
     notre nos nuestro nuestra ihr der die suo sua son sa zijn haar",
);

/// The same on a page about many businesses.
static SURELY_OURS: WordSet = WordSet::new("our site's company's");

/// Words with which a business refers to itself.
static SELF_WORDS: WordSet = WordSet::new(
    "we our us i my company business shop store studio firm practice clinic salon restaurant office bakery cafe
     agency school gym garage farm brewery winery dealership wir unser unsere nous notre nosotros nuestra nuestro",
);

/// Words that only the business itself uses on a page about anything.
static SURELY_SELF_WORDS: WordSet = WordSet::new("our we unser unsere notre nuestra nuestro");

/// Verbs that introduce a quotation.
static SAYING: WordSet = WordSet::new(
    "says said explains explained notes noted adds added tells told according writes wrote recommends suggests shares",
);

/// What a page is about.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum PageSubject {
    /// Mostly the business itself.
    Business,
    /// An article: only sentences that name the business count.
    Anything,
}

/// The company named after a title.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NamedCompany {
    /// This business.
    Own,
    /// A different company.
    Another,
    /// No company is named.
    Unnamed,
}

/// Whether the words before `owner` make it the owner of something else.
pub(super) fn owns_something_else(before: &str) -> bool {
    last_word(before).is_some_and(|word| OTHER_OWNERS.contains(&word))
}

/// The sentence of a line around byte `at`.
pub(super) fn sentence(line: &str, at: usize) -> &str {
    let before = around(line, at, SENTENCE_BYTES_MAX, 0);
    let after = around(line, at, 0, SENTENCE_BYTES_MAX);
    let from = at - before.len() + before.rfind(". ").map_or(0, |end| end + 2);
    let to = at + after.find(". ").unwrap_or(after.len());
    &line[from..to]
}

/// Whether a sentence is about this business.
pub(super) fn speaks_of_itself(sentence: &str, site: &Site, subject: PageSubject) -> bool {
    let own = if subject == PageSubject::Business { &SELF_WORDS } else { &SURELY_SELF_WORDS };
    let mut words = sentence.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.any(|word| own.contains(word.to_lowercase().as_str())) || site.is_named_in(sentence)
}

/// Whether what was founded or is owned has a name of its own that is not the site's: `Globex was`, `Sandy Creek Ranch,`.
pub(super) fn is_of_another(before: &str, site: &Site) -> bool {
    let before = before.trim_end_matches([' ', ',']);
    let verbs = [" was", " is", " is now", " has been", " were", " are"];
    let subject = verbs.iter().find_map(|verb| before.strip_suffix(verb)).unwrap_or(before);
    let words: Vec<&str> = subject.split_whitespace().rev().take_while(|word| is_capital(word)).take(5).collect();
    let first = words.last().map_or("", |word| word.trim_end_matches(','));
    let is_general = SUBJECTS.contains(first.to_lowercase().as_str());
    let text: Vec<&str> = words.into_iter().rev().collect();
    !text.is_empty() && !is_general && site.similarity(&text.concat()) == 0 && !site.is_called(&text)
}

/// Whether a sentence that begins with a participle goes on about somebody else: `Founded by Ann Lee in 2006, Globex is`.
pub(super) fn goes_on_about_another(after: &str, site: &Site) -> bool {
    let Some((_, rest)) = after.split_once(", ") else { return false };
    let first = rest.split(|c: char| !c.is_alphanumeric()).next().unwrap_or("").to_lowercase();
    let is_other = !SUBJECTS.contains(first.as_str()) && !names::is_first_name(&first);
    is_capital(rest) && is_other && !begins_with_site(rest, site) && site.similarity(&first) == 0
}

/// Words that begin a sentence and name no company.
static SUBJECTS: WordSet = WordSet::new(
    "we our the it this i a an family locally proudly founded originally first established started opened owned company
     business shop store firm practice today now since in veteran woman women minority independently privately",
);

/// `Veteran Owned & Operated by`, at the start of a line: whose it is goes without saying.
pub(super) fn is_owner_label(before: &str) -> bool {
    let mut words = before.split([' ', '-']).filter(|word| !word.is_empty());
    !before.trim().is_empty() && words.all(|word| LABEL_WORDS.contains(word.to_lowercase().as_str()))
}

static LABEL_WORDS: WordSet =
    WordSet::new("veteran woman women minority independently privately locally family proudly owned and &");

/// Whether a sentence thanks or names those who support the business.
pub(super) fn thanks_somebody(sentence: &str) -> bool {
    let mut words = sentence.split(|c: char| !c.is_alphabetic());
    words.any(|word| THANKS.contains(word.to_lowercase().as_str()))
}

static THANKS: WordSet =
    WordSet::new("thank thanks thanked grateful sponsor sponsors sponsored donor donors donated courtesy");

fn is_capital(word: &str) -> bool {
    word.starts_with(char::is_uppercase)
}

/// Whether a text begins with this business: its name, or `the shop`, `his own practice`, `our company`.
pub(super) fn is_this_business(text: &str, site: &Site, subject: PageSubject) -> bool {
    if begins_with_site(text, site) {
        return true;
    }
    let mut words = around(text, 0, 0, COMPANY_BYTES_MAX).split(' ').map(|word| word.trim_matches([',', '.', ';']));
    let is_article = matches!(words.next(), Some("the" | "our" | "this" | "his" | "her" | "their"));
    let is_self =
        words.take(3).any(|word| SELF_WORDS.contains(word) && !matches!(word, "i" | "my" | "us" | "our" | "we"));
    subject == PageSubject::Business && is_article && is_self
}

/// Whether a sentence says `our` or `us`.
pub(super) fn says_ours(sentence: &str) -> bool {
    let mut words = sentence.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.any(|word| matches!(word, "our" | "Our" | "us" | "we" | "We"))
}

/// Whether the words before a title link it to this business: `our owner`, `Acme's founder`, or the start of a line.
pub(super) fn is_ours(before: &str, site: &Site, subject: PageSubject) -> bool {
    let trimmed = before.trim_end();
    let starts = trimmed.is_empty() || trimmed.ends_with(['.', '!', '?', ':', '|', '–', '•']);
    let ours = if subject == PageSubject::Business { &OURS } else { &SURELY_OURS };
    let word = last_word(before);
    (starts && subject == PageSubject::Business)
        || word.is_some_and(|word| ours.contains(word.replace('’', "'").as_str()))
        || ends_in_site(trimmed, site)
}

/// Whether the words before a name make its bearer somebody from elsewhere: `our client Ann Lee`, `built for Ann Lee`.
pub(super) fn is_outsider(before: &str) -> bool {
    let is_one = |word: String| OUTSIDERS.contains(word.as_str());
    !before.trim_end().ends_with("ask for") && last_word(before).is_some_and(is_one)
}

/// Whether a text ends in the name of such a person: `a kitchen for Ann Lee`.
pub(super) fn is_of_outsider(before: &str) -> bool {
    let before = around(before, before.len(), COMPANY_BYTES_MAX, 0);
    let is_name = |word: &&str| word.starts_with(char::is_uppercase) && !word.ends_with(['.', '!', ':']);
    let length: usize = before.rsplit(' ').take_while(is_name).map(|word| word.len() + 1).sum();
    before.len().checked_sub(length).is_some_and(|end| is_outsider(before[..end].trim_end()))
}

/// Whether what follows `owner` is owned, and is not a business: ` of the house`, ` of two dogs`.
pub(super) fn owns_a_thing(after: &str) -> bool {
    let Some(rest) = after.strip_prefix(" of ") else { return false };
    let near = around(rest, 0, 0, COMPANY_BYTES_MAX);
    let near = near.split([',', '.', ';', '!', '?', '(', ':', '–']).next().unwrap_or(near);
    let words = near.split(' ').map(|word| word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase());
    if near.contains(" next door") || near.contains(" nearby") {
        return true;
    }
    near.starts_with(|c: char| c.is_lowercase() || c.is_ascii_digit())
        && words.into_iter().take(THING_WORDS_MAX).any(|word| THINGS.contains(word.as_str()))
}

/// What people own besides businesses.
static THINGS: WordSet = WordSet::new(
    "house home houses homes property building land lot car truck boat yacht horse horses dog dogs cat cats puppy pet pets cow
     motorcycle bike apartment condo cottage cabin painting collection block",
);

/// Whether a line of a footer credits whoever made the website or its pictures: `created by Ann Lee | website`.
pub(super) fn is_credit(line: &str) -> bool {
    const MADE: &[&str] = &[
        "reated by",
        "esigned by",
        "eveloped by",
        "uilt by",
        " made by",
        "Made by",
        "owered by",
        "ebsite by",
        "hoto by",
        "hotos by",
        "hotography by",
    ];
    MADE.iter().any(|words| line.contains(words))
}

static OUTSIDERS: WordSet = WordSet::new(
    "client clients customer customers patient patients guest guests student students tenant landlord supplier suppliers
     vendor vendors neighbor neighbour homeowner homeowners resident residents sponsor donor for from like unlike kundin
     kunde cliente",
);

/// Whether a name continues as a company name: `Raphael Tours & Events`, `Smith & Sons`.
pub(super) fn goes_on_as_company(after: &str) -> bool {
    let rest = after.strip_prefix(" & ").or_else(|| after.strip_prefix(" and "));
    let next = rest.and_then(|rest| rest.split(|c: char| !c.is_alphanumeric()).next()).unwrap_or("");
    let is_pronoun = ["I", "We", "He", "She", "They"].contains(&next);
    next.starts_with(char::is_uppercase) && !is_pronoun && !names::is_first_name(&next.to_lowercase())
        || ["Inc", "LLC", "Ltd", "Corp", "GmbH", "Co."]
            .iter()
            .any(|end| after.trim_start_matches([',', ' ']).starts_with(end))
}

/// Words between a person and a company.
pub(super) const OF: &[&str] = &[" of ", " at ", " @ "];
/// The same after a title.
pub(super) const OF_OR_COMMA: &[&str] =
    &[" of ", " at ", " @ ", " der ", " von ", " des ", " de la ", " de ", " du ", " di ", " della ", " van ", ", "];

/// The company named after a name or title: ` of Acme`, ` and head baker at Acme`, `, Acme`.
pub(super) fn company_after(after: &str, signs: &[&str], site: &Site) -> NamedCompany {
    let near = around(after, 0, 0, COMPANY_BYTES_MAX);
    // The company must be named before the sentence ends; its own name may contain a dot (`Dr. Doe Dental`).
    let sentence = near.split(['.', ';', '!', '?', '(', '”', '"']).next().unwrap_or(near);
    for sign in signs {
        let Some(at) = sentence.find(*sign) else { continue };
        let (between, company) = (&near[..at], &near[at + sign.len()..]);
        let company = company.strip_prefix("the ").unwrap_or(company);
        // `, with` and `of the company` name no company; before a comma only the rest of the title may stand.
        let between = between.trim_start_matches(" and").trim_start_matches(" &");
        // `at 555-0100` is a number, `at 3M` a company.
        let first = company.split(' ').next().unwrap_or("");
        let is_number = !first.contains(char::is_alphabetic);
        if is_number
            || !company.starts_with(|c: char| c.is_uppercase() || c.is_ascii_digit())
            || *sign == ", " && !between.is_empty() && !titles::is_title(between)
        {
            continue;
        }
        return if begins_with_site(company, site) { NamedCompany::Own } else { NamedCompany::Another };
    }
    NamedCompany::Unnamed
}

/// Whether a sentence is a quotation.
pub(super) fn quotes_somebody(sentence: &str) -> bool {
    let mut words = sentence.split(|c: char| !c.is_alphabetic());
    sentence.contains(['“', '”', '"']) || words.any(|word| SAYING.contains_any_case(word))
}

fn last_word(text: &str) -> Option<String> {
    text.split_whitespace().next_back().map(|word| word.trim_matches([',', '(', '"', '“']).to_lowercase())
}

/// Whether a text begins with the business's name, or the first half of it.
pub(super) fn begins_with_site(text: &str, site: &Site) -> bool {
    let words: Vec<&str> = text.split_whitespace().take(COMPANY_WORDS_MAX).collect();
    (1..=words.len()).any(|count| site.is_called(&words[..count]))
}

fn ends_in_site(text: &str, site: &Site) -> bool {
    let text = text.strip_suffix("’s").or_else(|| text.strip_suffix("'s")).unwrap_or(text);
    let mut words: Vec<&str> = text.split_whitespace().rev().take(COMPANY_WORDS_MAX).collect();
    words.reverse();
    (0..words.len()).any(|from| site.is_called(&words[from..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn site() -> Site {
        Site::named("https://www.acme-roofing.com/", Some("Acme Roofing & Sons"))
    }

    #[test]
    fn a_company_after_a_title_is_ours_or_anothers() {
        for (after, expected) in [
            (" of Acme Roofing, a family firm", NamedCompany::Own),
            (" and head roofer at Acme Roofing & Sons.", NamedCompany::Own),
            (", Acme Roofing", NamedCompany::Own),
            (" and CEO, Yuool", NamedCompany::Another),
            (" of PwnTestPrep, which has a funny name", NamedCompany::Another),
            (" and creative director of Beth Helmstetter Events.", NamedCompany::Another),
            (" of the company", NamedCompany::Unnamed),
            (" of St. Acme", NamedCompany::Another),
            (" and a keen gardener", NamedCompany::Unnamed),
            (", at 555-555-0100", NamedCompany::Unnamed),
            (" at 3M", NamedCompany::Another),
            (". At Other Corp they say so.", NamedCompany::Unnamed),
            ("", NamedCompany::Unnamed),
        ] {
            assert_eq!(company_after(after, OF_OR_COMMA, &site()), expected, "{after}");
        }
    }

    #[test]
    fn a_company_name_with_a_dot_is_read_completely() {
        let site = Site::named("https://dental-4f2a.com/", Some("Dr. Doe Dental"));
        assert_eq!(company_after(" of Dr. Doe Dental and is there most days.", OF, &site), NamedCompany::Own);
    }

    #[test]
    fn the_word_before_a_title_says_whose_owner_it_is() {
        for before in ["", "Meet our ", "It is open. ", "Acme Roofing ", "Say hello to Acme Roofing’s "] {
            assert!(is_ours(before, &site(), PageSubject::Business), "{before}");
        }
        for before in ["it all, says ", "Holloway Events ", "I spoke to small business "] {
            assert!(!is_ours(before, &site(), PageSubject::Business) || owns_something_else(before), "{before}");
        }
        assert!(!is_ours("", &site(), PageSubject::Anything) && is_ours("our ", &site(), PageSubject::Anything));
    }

    #[test]
    fn a_company_is_not_mistaken_for_its_owner() {
        assert!(goes_on_as_company(" & Events") && goes_on_as_company(", LLC") && goes_on_as_company(" and Sons"));
        assert!(!goes_on_as_company(" and Bob Ray") && !goes_on_as_company(" in 1990") && !goes_on_as_company(""));
    }
}
