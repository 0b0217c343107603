//! Owners whom no single sentence names: a first name on one page or in a review and the whole name on another page, someone who
//! speaks of their own business, someone whose name the business bears, the only practitioner of a practice. A search looks at each page alone and leaves these out; whoever enriches a lead
//! has the whole website before them.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use page_facts::FoundPerson;
use regex::{Captures, Regex};

use super::ground::{Quotation, find, normal};
use super::rules::belongs_to;
use super::{Brief, PageText};

/// An owner, where that is said, and the title it is said with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Inferred {
    /// The whole name.
    pub name: String,
    /// The title; `None` where only a sentence says it.
    pub title: Option<String>,
    /// What it rests on.
    pub said: Quotation,
}

/// Mentions of a practitioner that make a page theirs, where the name is on one page only.
const MENTIONS_MIN: usize = 3;
/// Characters of a snippet.
const SNIPPET_CHARS_MAX: usize = 160;
/// Pages on which others speak.
const OTHERS_SPEAK: [&str; 9] =
    ["testimonial", "review", "blog", "news", "press", "stories", "case-stud", "portfolio", "partners"];

/// A business in the words of its owner.
const BUSINESS: &str = "business|company|shop|store|practice|studio|salon|restaurant|bakery|firm|clinic|cafe|café|agency|\
    gallery|garage|gym|office|school|inn|farm|nursery|bar|brewery|boutique|spa|garden|kennel|winery|dealership|brokerage";

/// `owner Jane`, `Jane, our founder`, `Jane opened the bakery`, `founded in 1998 by Jane`: a first name alone.
static BY_FIRST_NAME: LazyLock<Regex> = LazyLock::new(|| {
    let name = r"[A-Z]\p{Ll}{2,}";
    let title = "co-owner|owner|co-founder|founder|proprietor|owner-operator";
    let pattern = format!(
        r"(?x)
        \b(?i:our|the|and|shop|salon|studio|store|practice)?\ ?(?P<t1>(?i:{title})),?\ (?P<n1>{name})(?P<r1>\b)
        | \b(?P<n2>{name})(?:,|\ is)\ (?i:the|our)\ (?:\p{{Ll}}+\ ){{0,2}}(?P<t2>(?i:{title}))(?P<r2>\b)
        | \b(?P<n3>{name})\ (?:first\ )?(?:opened|founded|started|established)\ (?:the|our|this|her|his|their)\ (?:\p{{Ll}}+\ ){{0,2}}(?:{BUSINESS})(?P<r3>\b)
        | \b(?i:founded|opened|started|established|owned(?:\ and\ operated)?)\ (?:in\ \d{{4}}\ )?by\ (?P<n4>{name})(?P<r4>\b)"
    );
    Regex::new(&pattern).expect("the pattern is constant, and tests use it")
});

/// `I'm Jane Doe`, `My name is Jane`.
static INTRODUCTION: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r"\b(?:I['’]m|I am|[Mm]y name is)\s+(?:Dr\. )?(?P<name>[A-Z]\p{Ll}+(?: [A-Z]\.)?(?: [A-Z][\p{L}'’-]+)?)\b",
    )
    .expect("the pattern is constant, and tests use it")
});

/// `I opened my studio`, `I own`, `my business`: what only an owner says.
static OWN_BUSINESS: LazyLock<Regex> = LazyLock::new(|| {
    let pattern = format!(
        r"(?x) \bI\ (?:\p{{Ll}}+ly\ |first\ |finally\ |then\ |also\ )?(?:opened|founded|started|established|launched|own|bought|created)\ (?:and\ \p{{Ll}}+\ )?(?:my|the|this|our|a)\ (?:\p{{Ll}}+\ ){{0,2}}(?:{BUSINESS})\b
        | \b[Mm]y\ (?:own\ )?(?:\p{{Ll}}+\ )?(?:{BUSINESS})\b"
    );
    Regex::new(&pattern).expect("the pattern is constant, and tests use it")
});

/// Several practitioners, or several people behind one word.
static SEVERAL: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r"(?i)\b(?:our|the|all|both|two|three|four|five|six) (?:\p{L}+ ){0,2}(?:doctors|dentists|attorneys|lawyers|physicians|chiropractors|veterinarians|therapists|accountants|photographers|architects|surgeons|optometrists|providers|practitioners|associates|partners|clinicians|counselors)\b",
    )
    .expect("the pattern is constant, and tests use it")
});

/// Professions that are practised alone.
static PROFESSION: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r"(?i)\b(?:dentist|orthodontist|endodontist|periodontist|physician|veterinarian|chiropractor|optometrist|podiatrist|attorney|lawyer|solicitor|cpa|accountant|photographer|architect|psychologist|psychotherapist|counselor|therapist|surgeon|dermatologist|acupuncturist|d\.?d\.?s\.?|d\.?m\.?d\.?|d\.?v\.?m\.?|d\.?c\.?|esq\.?|zahnarzt|zahnärztin|rechtsanwalt|rechtsanwältin|notar|steuerberater|steuerberaterin)(?:\b|$)",
    )
    .expect("the pattern is constant, and tests use it")
});

/// `the owner, Jane, came by`, `Jane, the owner,`: customers use first names.
static BY_CUSTOMERS: LazyLock<Regex> = LazyLock::new(|| {
    let name = r"[A-Z]\p{Ll}{2,}";
    let pattern = format!(
        r"\b(?:[Tt]he|[Tt]heir) owner,? (?P<n1>{name})\b|\b(?P<n2>{name}),? (?:who is |is )?(?:the|their) owner\b"
    );
    Regex::new(&pattern).expect("the pattern is constant, and tests use it")
});

/// What follows the name of a living person who is described: `Jane Doe, DDS, is`.
static DESCRIBED: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r"^(?:,? [A-Z][A-Za-z.]{1,5},?)? (?:is|has|holds|speciali[sz]es|brings|offers|works|lives|loves|enjoys|practices|creates|believes|provides|leads|runs|teaches|designs|builds|makes|helps)\b",
    )
    .expect("the pattern is constant, and tests use it")
});

/// Words by which a sentence is about a person, and words by which it is about the past.
static PRONOUN: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"\b(?i:he|she|his|her)\b").expect("the pattern is constant, and tests use it"));
static PAST: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?i)\b(?:the late|passed away|in memory|named after|retired|legacy|1[78]\d\d|19[0-4]\d)\b")
        .expect("the pattern is constant, and tests use it")
});

/// Words of businesses' names that are no names of people.
const TRADE_WORDS: [&str; 44] = [
    "photography",
    "dental",
    "law",
    "group",
    "family",
    "company",
    "studio",
    "studios",
    "salon",
    "design",
    "designs",
    "interiors",
    "construction",
    "plumbing",
    "electric",
    "roofing",
    "heating",
    "cooling",
    "services",
    "service",
    "realty",
    "homes",
    "insurance",
    "agency",
    "associates",
    "partners",
    "consulting",
    "accounting",
    "bakery",
    "restaurant",
    "cafe",
    "fitness",
    "yoga",
    "music",
    "school",
    "academy",
    "auto",
    "motors",
    "jewelers",
    "florist",
    "flowers",
    "therapy",
    "the",
    "and",
];

/// Jobs below an owner's.
static SUBORDINATE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r"(?i)\b(?:assistant|receptionist|technician|coordinator|apprentice|intern|associate|clerk|hygienist|representative|secretary|employee)\b",
    )
    .expect("the pattern is constant, and tests use it")
});

/// The owner, where the website as a whole leaves no doubt.
pub fn owner(brief: &Brief) -> Option<Inferred> {
    let pages = || brief.pages.iter().filter(|page| !do_others_speak(&page.url));
    let by_first_name = || pages().find_map(|page| page.text.lines().find_map(|line| first_name(brief, page, line)));
    let in_own_words = || pages().find_map(|page| own_words(brief, page));
    let by_customers = || brief.reviews.iter().find_map(|review| customers_owner(brief, review));
    by_first_name()
        .or_else(in_own_words)
        .or_else(|| namesake(brief))
        .or_else(|| sole_practitioner(brief))
        .or_else(by_customers)
}

/// Someone whose whole name the business bears, and whom a line of its pages describes as a person of today.
fn namesake(brief: &Brief) -> Option<Inferred> {
    let words: Vec<&str> = brief.business_name.split([' ', ',']).filter(|word| !word.is_empty()).collect();
    words.windows(2).find_map(|pair| {
        let is_name = |word: &&str| {
            word.chars().count() > 2
                && word.starts_with(char::is_uppercase)
                && word.chars().skip(1).all(|letter| letter.is_lowercase() || letter.is_uppercase())
                && !TRADE_WORDS.contains(&word.to_lowercase().as_str())
        };
        if !pair.iter().all(is_name) {
            return None;
        }
        let name = pair.join(" ");
        let pages = brief.pages.iter().filter(|page| !do_others_speak(&page.url));
        let (page, line) = pages
            .flat_map(|page| page.text.lines().map(move |line| (page, line)))
            .find(|(_, line)| is_described(line, &name))?;
        is_known_person(brief, &name).then(|| Inferred { name, title: None, said: quoted(page, line) })
    })
}

/// Whether a line begins with the name and goes on about a living person.
fn is_described(line: &str, name: &str) -> bool {
    let line = line.trim_start_matches("Meet ").trim_start_matches("Dr. ");
    let Some(rest) = line.strip_prefix(name) else { return false };
    DESCRIBED.is_match(rest) && PRONOUN.is_match(rest) && !PAST.is_match(line)
}

/// Whether anything but the business's name says that this is a person: the finders, a mailbox, the first name by itself.
fn is_known_person(brief: &Brief, name: &str) -> bool {
    let first = first_word(name);
    let alone = Regex::new(&format!(
        r"\b{}(?:['’]s|,)? (?:is|has|was|and|grew|loves|enjoys|earned|graduated|studied)\b",
        regex::escape(first)
    ));
    brief.facts.people.iter().any(|person| person.name == name)
        || brief.emails.iter().any(|known| belongs_to(&known.email, name))
        || alone.is_ok_and(|alone| brief.pages.iter().any(|page| alone.is_match(&page.text)))
}

/// A first name that a customer calls the owner, with the one whole name that the website has for it.
fn customers_owner(brief: &Brief, review: &str) -> Option<Inferred> {
    BY_CUSTOMERS.captures_iter(review).find_map(|found| {
        let first = found.name("n1").or_else(|| found.name("n2"))?;
        let rest = review[first.end()..].trim_start();
        let end = found.get(0)?.end();
        let goes_on = review[first.end()..].starts_with(' ') && rest.starts_with(char::is_uppercase);
        if goes_on || review[end..].trim_start().starts_with("of ") {
            return None;
        }
        let name = whole_name(brief, first.as_str())?;
        let is_below = |person: &FoundPerson| {
            person.name == name && person.title.as_deref().is_some_and(|title| SUBORDINATE.is_match(title))
        };
        let snippet = review.split_whitespace().collect::<Vec<_>>().join(" ").chars().take(SNIPPET_CHARS_MAX).collect();
        let said = Quotation { url: brief.website.clone().unwrap_or_default(), snippet };
        let is_subordinate = brief.facts.people.iter().any(is_below);
        (!is_subordinate).then(|| Inferred { name, title: Some("Owner".to_owned()), said })
    })
}

fn do_others_speak(url: &str) -> bool {
    let url = url.to_lowercase();
    OTHERS_SPEAK.iter().any(|part| url.contains(part))
}

/// A first name that a line calls the owner, with the one whole name that the website has for it.
fn first_name(brief: &Brief, page: &PageText, line: &str) -> Option<Inferred> {
    if line.contains(['"', '“', '”', '«', '»']) {
        return None;
    }
    BY_FIRST_NAME.captures_iter(line).find_map(|found| {
        let part = |names: [&str; 4]| names.into_iter().find_map(|name| found.name(name));
        let first = part(["n1", "n2", "n3", "n4"])?;
        let end = part(["r1", "r2", "r3", "r4"])?.end();
        if is_of_something_else(brief, line, &found, end) {
            return None;
        }
        let title = found.name("t1").or_else(|| found.name("t2")).map(|title| capital(title.as_str()));
        let name = whole_name(brief, first.as_str())?;
        Some(Inferred { name, title, said: quoted(page, line) })
    })
}

/// `dog owner Jane`, `former owner Jane`, `Jane, the owner of a dog`, `owner Jane Doe` (which others examine).
fn is_of_something_else(brief: &Brief, line: &str, found: &Captures<'_>, end: usize) -> bool {
    let before = found.get(0).map_or("", |whole| &line[..whole.start()]);
    let last = before.split_whitespace().next_back().unwrap_or_default().to_lowercase();
    let not_owning = [
        "former",
        "previous",
        "past",
        "ex",
        "dog",
        "cat",
        "pet",
        "home",
        "car",
        "boat",
        "property",
        "business",
        "product",
        "not",
        "with",
        "original",
        "late",
        "franchise",
        "fellow",
        "team",
    ];
    let rest = line[end..].trim_start_matches([',', '.']).trim_start();
    let goes_on = rest.starts_with(|letter: char| letter.is_uppercase()) && !line[end..].starts_with([',', '.', ';']);
    let of_another = rest.strip_prefix("of ").is_some_and(|what| {
        let plain = ["the ", "this ", "our ", "both "];
        !plain.iter().any(|word| what.starts_with(word))
            && !normal(what).starts_with(&normal(first_word(&brief.business_name)))
    });
    not_owning.contains(&last.trim_matches(|letter: char| !letter.is_alphanumeric())) || goes_on || of_another
}

fn first_word(text: &str) -> &str {
    text.split_whitespace().next().unwrap_or_default()
}

fn capital(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

/// The one whole name that begins with this first name; `None` when there are several, or none that is surely a name.
fn whole_name(brief: &Brief, first: &str) -> Option<String> {
    let begins = |name: &&FoundPerson| name.name.split(' ').next() == Some(first);
    let known: BTreeSet<&str> = brief.facts.people.iter().filter(begins).map(|person| person.name.as_str()).collect();
    let mut known = known.into_iter();
    match (known.next(), known.next()) {
        (Some(name), None) => Some(name.to_owned()),
        (Some(_), Some(_)) => None,
        (None, _) => name_of_a_mailbox(brief, first),
    }
}

/// A whole name in the text that one of the website's mailboxes belongs to, too.
fn name_of_a_mailbox(brief: &Brief, first: &str) -> Option<String> {
    let pattern = format!(r"\b{}(?: [A-Z]\.)? [A-Z][\p{{L}}'’-]+\b", regex::escape(first));
    let pattern = Regex::new(&pattern).ok()?;
    let names: BTreeSet<&str> =
        brief.pages.iter().flat_map(|page| pattern.find_iter(&page.text)).map(|found| found.as_str()).collect();
    let is_theirs = |name: &&&str| {
        let surname = name.split(' ').next_back().unwrap_or_default().to_lowercase();
        brief.emails.iter().any(|known| belongs_to(&known.email, name) && known.email.to_lowercase().contains(&surname))
    };
    let mut theirs = names.iter().filter(is_theirs);
    let name = theirs.next()?;
    theirs.next().is_none().then(|| (*name).to_owned())
}

/// Someone who introduces themselves and speaks of their own business on the same page.
fn own_words(brief: &Brief, page: &PageText) -> Option<Inferred> {
    let lines = || page.text.lines().filter(|line| !line.contains(['"', '“', '”', '«', '»']));
    lines().find(|line| OWN_BUSINESS.is_match(line))?;
    let mut said = lines().filter_map(|line| INTRODUCTION.captures(line).map(|found| (line, found)));
    let (line, found) = said.next()?;
    let name = found.name("name")?.as_str();
    // Two people who introduce themselves are a team page.
    if said.any(|(_, other)| other.name("name").is_some_and(|other| other.as_str() != name)) {
        return None;
    }
    let name = match name.split(' ').count() {
        1 => whole_name(brief, name)?,
        _ => brief
            .facts
            .people
            .iter()
            .map(|person| &person.name)
            .find(|known| known.as_str() == name)
            .cloned()
            .or_else(|| name_of_a_mailbox(brief, first_word(name)).filter(|known| known == name))?,
    };
    Some(Inferred { name, title: None, said: quoted(page, line) })
}

/// The only practitioner of a practice, whom the website is about.
fn sole_practitioner(brief: &Brief) -> Option<Inferred> {
    if brief.pages.iter().any(|page| SEVERAL.is_match(&page.text)) {
        return None;
    }
    let titled: BTreeSet<&str> =
        brief.facts.people.iter().filter(|person| person.title.is_some()).map(|person| person.name.as_str()).collect();
    let mut titled = titled.into_iter();
    let (Some(name), None) = (titled.next(), titled.next()) else { return None };
    let person = brief.facts.people.iter().find(|person| person.name == name && person.title.is_some())?;
    let title = person.title.as_deref().filter(|title| PROFESSION.is_match(title))?;
    let folded = normal(name);
    let surname = folded.split(' ').next_back().unwrap_or_default().to_owned();
    let texts: Vec<String> = brief.pages.iter().map(|page| normal(&page.text)).collect();
    let pages = texts.iter().filter(|text| find(text, &surname).is_some()).count();
    let mentions: usize = texts.iter().map(|text| text.matches(surname.as_str()).count()).sum();
    let page = brief.pages.iter().find(|page| find(&normal(&page.text), &folded).is_some())?;
    let line = page.text.lines().find(|line| find(&normal(line), &folded).is_some())?;
    (pages > 1 && mentions >= MENTIONS_MIN).then(|| Inferred {
        name: name.to_owned(),
        title: Some(title.to_owned()),
        said: quoted(page, line),
    })
}

fn quoted(page: &PageText, line: &str) -> Quotation {
    let words = line.split_whitespace().collect::<Vec<_>>().join(" ");
    Quotation { url: page.url.clone(), snippet: words.chars().take(SNIPPET_CHARS_MAX).collect() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lead::sample_lead;

    /// A website of these pages, each an address and a text.
    fn website(pages: &[(&str, &str)]) -> Brief {
        let text: String =
            pages.iter().map(|(path, text)| format!("# http://acmebakery.com/{path}\n{text}\n\n")).collect();
        let mut lead = sample_lead();
        (lead.business_name, lead.website) = ("Acme".into(), Some("http://acmebakery.com/".into()));
        lead.emails.clear();
        Brief::of(&lead, Some(&text), "fence".into())
    }

    fn check(pages: &[(&str, &str)], expected: Option<&str>) {
        assert_eq!(owner(&website(pages)).map(|found| found.name).as_deref(), expected, "{pages:?}");
    }

    const TEAM: &str = "Our team\nJane Doe\nHead Baker\nBob Ray\nManager\n";

    #[test]
    fn a_first_name_on_one_page_and_the_whole_name_on_another_are_one_person() {
        check(&[("", "Owner Jane bakes every morning."), ("team", TEAM)], Some("Jane Doe"));
        check(&[("", "Jane opened the bakery in 1998 with two ovens."), ("team", TEAM)], Some("Jane Doe"));
        check(&[("", "Jane is the proud owner, and her bread is famous."), ("team", TEAM)], Some("Jane Doe"));
        check(&[("", "Founded in 1998 by Jane, we bake bread."), ("team", TEAM)], Some("Jane Doe"));
        for other in [
            "Dog owner Jane loves our treats.",
            "Former owner Jane retired.",
            "“Owner Jane is great,” says a customer.",
            "Jane is the owner of Rex.",
            "Jane bakes every morning.",
            "Ann opened the bakery in 1998.",
        ] {
            check(&[("", other), ("team", TEAM)], None);
        }
        check(&[("testimonials", "Owner Jane was there."), ("team", TEAM)], None);
        let two = "Our team\nJane Doe\nHead Baker\nJane Ray\nManager\n";
        check(&[("", "Owner Jane bakes every morning."), ("team", two)], None);
        let mailbox = "Jane Marsh answers: jane.marsh@acmebakery.com";
        check(&[("", "Owner Jane bakes every morning."), ("contact", mailbox)], Some("Jane Marsh"));
    }

    #[test]
    fn someone_who_speaks_of_their_own_business_owns_it() {
        let story = "Hi, I'm Jane Doe.\nI opened my studio in 2009 after ten years as a teacher.";
        check(&[("about", story), ("team", TEAM)], Some("Jane Doe"));
        check(&[("about", "My name is Jane.\nMy little shop is my joy."), ("team", TEAM)], Some("Jane Doe"));
        check(&[("about", "I'm Jane Doe.\nI love bread."), ("team", TEAM)], None);
        let both = "I'm Jane Doe.\nI'm Bob Ray.\nI opened my studio in 2009.";
        check(&[("about", both), ("team", TEAM)], None);
        check(&[("reviews", story), ("team", TEAM)], None);
    }

    #[test]
    fn whoever_the_business_is_named_after_owns_it_if_they_live_today() {
        let named = |pages: &[(&str, &str)]| Brief { business_name: "Jane Doe Photography".into(), ..website(pages) };
        let check = |text: &str, expected: Option<&str>| {
            let brief = named(&[("about", text)]);
            assert_eq!(owner(&brief).map(|found| found.name).as_deref(), expected, "{text}");
        };
        check("Jane Doe is a wedding photographer, and her work hangs in Boston. Jane loves dogs.", Some("Jane Doe"));
        check("Jane Doe, CPP, has taken pictures all her life.\nWrite to jane@acmebakery.com", Some("Jane Doe"));
        // The business as a whole, a name of the past, and a sentence without a person.
        check("Doe Photography has offices in her town. Doe is open.", None);
        check("Jane Doe is remembered for her pictures of 1898. Jane loves dogs.", None);
        check("Jane Doe is our brand. Jane loves dogs.", None);
        // The finders know her by her profession.
        check("Jane Doe is a wedding photographer, and her work hangs in Boston.", Some("Jane Doe"));
        check("Jane Doe was a photographer, and her work hangs in Boston. Jane loves dogs.", None);
    }

    #[test]
    fn customers_name_the_owner_by_the_first_name() {
        let check = |review: &str, team: &str, expected: Option<&str>| {
            let brief = Brief { reviews: vec![review.into()], ..website(&[("team", team)]) };
            assert_eq!(owner(&brief).map(|found| found.name).as_deref(), expected, "{review} {team}");
        };
        check("The owner, Jane, came by herself.", TEAM, Some("Jane Doe"));
        check("Jane is the owner and a gem.", TEAM, Some("Jane Doe"));
        check("Jane is the owner of a dog they groomed.", TEAM, None);
        check("The owner, Ann, came by herself.", TEAM, None);
        check("Jane came by herself.", TEAM, None);
        check("The owner, Jane, came by.", "Our team\nJane Doe\nReceptionist\nBob Ray\nManager\n", None);
    }

    #[test]
    fn the_only_practitioner_of_a_practice_is_its_owner() {
        let home = "Dr. Doe has cared for smiles since 1999. Call Dr. Doe today.";
        let about = "Jane Doe\nDentist\nDr. Doe studied in Boston.";
        check(&[("", home), ("about", about)], Some("Jane Doe"));
        check(&[("", "Our dentists are here for you. Dr. Doe, too."), ("about", about)], None);
        check(&[("", home), ("about", "Jane Doe\nDentist\nBob Ray\nDentist")], None);
        check(&[("", home), ("about", "Jane Doe\nReceptionist")], None);
        check(&[("about", about)], None);
    }
}
