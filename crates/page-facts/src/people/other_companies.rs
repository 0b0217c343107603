//! Recognises people of other companies, who are quoted or thanked on a page.

use std::sync::LazyLock;

use aho_corasick::AhoCorasick;

use crate::people::mention::PersonMention;
use crate::people::{name_words, titles};
use crate::site::Site;
use crate::word_set::WordSet;

/// Titles after which a comma introduces a company, never a department.
const TOP_TITLES: &[&str] = &[
    "ceo",
    "cto",
    "cfo",
    "coo",
    "cmo",
    "founder",
    "co-founder",
    "cofounder",
    "owner",
    "president",
    "chief executive officer",
    "organizer",
    "organiser",
];

/// Public offices, which are held by people in the news.
const OFFICES: [&str; 6] = ["federal judge", "district judge", "senator", "congressman", "congresswoman", "governor"];

/// What precedes the name of a company.
const COMPANY_SIGNS: [&str; 3] = [" at ", " @ ", " @"];

/// What the name of a company ends in.
const FORMS: [&str; 7] = [" inc ", " inc. ", " llc ", " ltd ", " corp ", " corporation ", " gmbh "];

/// Longest line that can be a company name, in bytes.
const COMPANY_LINE_BYTES_MAX: usize = 200;

/// `CEO at Acme`, `Founder, Acme`: whether a title names a company other than this site's.
pub(crate) fn names_another(title: &str, site: &Site) -> bool {
    let title = titles::without_grade(title);
    let mut lower = title.to_lowercase();
    if lower.contains('|') {
        lower = lower.replace(" | ", ", ");
    }
    lower.push(' ');
    let signs = Signs::of(&lower);
    if signs.lawyer {
        return false;
    }
    if signs.office && !is_own(title, site) {
        return true;
    }
    if is_partner_level(title) || is_top_of_another(title, site) || is_before_top(title, site) {
        return true;
    }
    for sign in COMPANY_SIGNS.iter().filter(|_| signs.company) {
        if let Some((_, company)) = lower.split_once(sign) {
            return !is_own(company, site);
        }
    }
    let after_top = lower.split_once(", ").is_some_and(|(head, rest)| {
        ends_in_top_title(head)
            && !ends_in_top_title(rest.split([',', '&']).next().unwrap_or("").trim())
            && !is_role_like(rest)
    });
    (signs.form || after_top) && !is_own(&lower, site)
}

/// What in a title, given in lower case, may tell of a company.
#[derive(Default)]
struct Signs {
    lawyer: bool,
    office: bool,
    company: bool,
    form: bool,
}

impl Signs {
    fn of(lower: &str) -> Signs {
        let mut signs = Signs::default();
        let Some(search) = SIGNS.as_ref() else { return signs };
        for found in search.find_overlapping_iter(lower) {
            let sign = match found.pattern().as_usize() {
                0 => &mut signs.lawyer,
                index if index <= OFFICES.len() => &mut signs.office,
                index if index <= OFFICES.len() + COMPANY_SIGNS.len() => &mut signs.company,
                _ => &mut signs.form,
            };
            *sign = true;
        }
        signs
    }
}

/// All of them in one search.
static SIGNS: LazyLock<Option<AhoCorasick>> = LazyLock::new(|| {
    let lawyer = ["at law"];
    AhoCorasick::new(lawyer.iter().chain(&OFFICES).chain(&COMPANY_SIGNS).chain(&FORMS)).ok()
});

/// Last words of company names.
static COMPANY_ENDS: WordSet = WordSet::new(
    "inc llc ltd corp gmbh group agency company co advisors advisers partners consulting solutions media labs
     technologies technology software systems ventures capital holdings associates realty university institute
     foundation bank studios magazine international worldwide enterprises industries",
);

/// Whether a short line is another company's name, as shown below the author of a testimonial.
pub(crate) fn is_company_line(line: &str, site: &Site) -> bool {
    let words = line.split_whitespace().take(7).count();
    if !(2..=6).contains(&words) || line.len() > COMPANY_LINE_BYTES_MAX {
        return false;
    }
    let last = line.split_whitespace().next_back().unwrap_or("").trim_end_matches('.').to_lowercase();
    COMPANY_ENDS.contains(last.as_str())
        && line.split_whitespace().all(|word| !word.starts_with(char::is_lowercase))
        && !is_own(line, site)
        // `Our Sponsors & Partners` begins the next section.
        && !line.get(..4).is_some_and(|start| start.eq_ignore_ascii_case("our "))
}

/// Whether a line is a business that bears a surname: `Lee Roofing` that of `Lee`.
pub(super) fn is_business_of(line: &str, surname: &str) -> bool {
    let words = || line.split_whitespace();
    let last = words().next_back().unwrap_or("").trim_end_matches('.').to_lowercase();
    (2..=5).contains(&words().take(6).count())
        && words().any(|word| word == surname)
        && (COMPANY_ENDS.contains(last.as_str()) || name_words::is_business_word(&last))
}

/// Last words of companies whose people are guests elsewhere; brokers and advisers name the house they work for.
static GUESTS_ENDS: WordSet = WordSet::new(
    "ventures capital university institute foundation bank magazine software technologies labs media district",
);

/// Steps of partnership that companies give to each other.
static LEVELS: WordSet = WordSet::new("gold silver platinum bronze diamond premier preferred strategic channel");

/// `Gold Partner`: another company.
fn is_partner_level(title: &str) -> bool {
    let level = title.strip_suffix(" Partner").unwrap_or("");
    LEVELS.contains(level.to_lowercase().as_str())
}

/// `Professor of Economics, Other University`: someone of another company.
pub(crate) fn is_guest(title: &str, site: &Site) -> bool {
    let Some((_, house)) = title.rsplit_once(", ") else { return false };
    let last = house.rsplit(' ').next().unwrap_or("").to_lowercase();
    let is_named = house.contains(' ') && house.split(' ').all(|word| word.starts_with(char::is_uppercase));
    is_named && GUESTS_ENDS.contains(last.as_str()) && !titles::is_title(house) && !is_own(house, site)
}

/// Words before a top title that are not a company.
static BEFORE_TOP: WordSet = WordSet::new(
    "proud head board practice studio salon shop store clinic sole current creative master licensed general senior
     vice interim acting visionary the a an our and co medical clinical dental technical program managing registered
     certified local original first second third generation team new branch regional market district area division
     chapter club student executive bank",
);

/// The [`TOP_TITLES`] of one word.
static TOP_WORDS: WordSet = WordSet::new("ceo cto cfo coo cmo founder cofounder owner president organizer organiser");

fn words_of(part: &str) -> impl Iterator<Item = &str> {
    part.split(|c: char| c.is_whitespace() || matches!(c, '/' | '&' | '-')).filter(|word| !word.is_empty())
}

/// `Club Soda Co-Founder`: whether the words before a top title name a company other than this site's.
fn is_before_top(title: &str, site: &Site) -> bool {
    // Only the part between the same commas belongs to the title: `Senior Engineer, CTO` names no company.
    let is_top = |word: &str| TOP_WORDS.contains_any_case(word);
    let Some(part) = title.split(',').find(|part| words_of(part).any(is_top)) else { return false };
    let before: Vec<&str> = words_of(part).take_while(|word| !is_top(word)).collect();
    // `Hair Stylist & Co-Owner` has two titles.
    let is_two = part.contains(['&', '/']) && titles::is_title(before.join(" ").trim_end_matches(" Co"));
    if is_two {
        return false;
    }
    let is_title = |word: &&str| {
        let lower = word.to_lowercase();
        BEFORE_TOP.contains(lower.as_str()) || titles::is_title_word(&lower) || !word.starts_with(char::is_uppercase)
    };
    // Credentials (`DDS, Owner`) are not a company either.
    let is_letters = |word: &&str| word.chars().all(|c| c.is_uppercase() || "®™.".contains(c));
    before.iter().any(|word| !is_title(word) && !is_letters(word)) && !is_own(&before.concat(), site)
}

/// Words of the names of societies that have presidents.
static SOCIETIES: WordSet =
    WordSet::new("chamber association society league rotary council federation guild union alliance");

/// `CEO of Other Corp`: after a top title, a capitalised word that is not a department is a company.
fn is_top_of_another(title: &str, site: &Site) -> bool {
    let Some((head, company)) = title.split_once(" of ") else { return false };
    // `President of the Waco Chamber of Commerce`
    let is_society = company.split([' ', ',']).any(|word| SOCIETIES.contains(word.to_lowercase().as_str()));
    if company.to_lowercase().contains("chamber of commerce") && !is_own(company, site) {
        return true;
    }
    let company = company.strip_prefix("the ").filter(|_| is_society).unwrap_or(company);
    let first = company.split_whitespace().next().unwrap_or("");
    first.starts_with(char::is_uppercase)
        && ends_in_top_title(&head.to_lowercase())
        && !DEPARTMENTS.contains(first.to_lowercase().trim_matches(','))
        && !is_own(company, site)
}

fn ends_in_top_title(head: &str) -> bool {
    TOP_TITLES.iter().any(|title| head.ends_with(title)) && !head.contains("vice")
}

/// `Founder, Lead Designer` continues with another title.
fn is_role_like(rest: &str) -> bool {
    [
        "designer",
        "director",
        "manager",
        "editor",
        "attorney",
        "lead",
        "partner",
        "officer",
        "chef",
        "artist",
        "engineer",
        "coach",
        "therapist",
        "board",
        "chair",
    ]
    .iter()
    .any(|word| rest.contains(word))
        || rest
            .split([',', '&'])
            .next()
            .is_some_and(|part| titles::is_head(part.trim().rsplit(' ').next().unwrap_or("")))
}

/// Whether a company name is the site's.
fn is_own(company: &str, site: &Site) -> bool {
    site.similarity(company) > 0
}

/// Drops people when three or more each belong to another company: `Designer, McCann`, `Art Director, Warner Bros`. They
/// are customers or speakers. `refused` people of other companies count; `None` on a page about the staff, where most of
/// the people must have a company each: some lawyers of a firm are `Partner, Immigration`.
pub(crate) fn drop_strangers(found: &mut Vec<PersonMention>, site: &Site, refused: Option<usize>) {
    let house = |mention: &PersonMention| -> Option<String> {
        let (_, house) = mention.title.as_deref()?.split_once(", ")?;
        let is_department =
            house.to_lowercase().split_whitespace().any(|word| DEPARTMENTS.contains(word.trim_matches(',')));
        (!is_department && !titles::is_title(house) && !is_own(house, site)).then(|| house.to_owned())
    };
    let mut houses: Vec<String> = found.iter().filter_map(&house).collect();
    houses.sort();
    houses.dedup();
    let is_most = refused.is_some() || houses.len() * 2 > found.len();
    if is_most && houses.len() + refused.unwrap_or(0) >= 3 {
        found.retain(|mention| house(mention).is_none());
    }
}

/// Departments and credentials that may follow a comma in a title.
static DEPARTMENTS: WordSet = WordSet::new(
    "sales marketing operations advisory engineering product products hr human consulting finance tax audit
     legal security cybersecurity data analytics technology it services design research development
     communications education training infrastructure management north us europe global regional admissions
     programs strategy growth customer client accounting lcsw lmft phd md msc ma ms mba cpa rn lcswr lpc
     psychology department school division center team board piano music ai cloud partner director manager
     reviews running events employment immigration litigation conveyancing probate property disputes corporate banking
     insolvency compliance nursing pediatrics radiology surgery oncology cardiology orthopedics",
);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_other_companies_are_recognised() {
        let site = Site::of("https://acme-roofing.com/");
        assert!(is_company_line("Pure Financial Advisors", &site) && is_company_line("Other Corp.", &site));
        for line in ["Acme Roofing Group", "Our Services", "Jane Doe", "ask one of our partners", "Partners"] {
            assert!(!is_company_line(line, &site), "{line}");
        }
    }

    #[test]
    fn another_company_in_a_title_is_recognised() {
        let site = Site::of("https://acme-roofing.com/");
        for title in [
            "CEO at Other Corp",
            "Founder, Hey Girl Studio",
            "CTO, Picap",
            "Founder & CEO, Amorphous Data",
            "Manager, Other LLC",
            "CEO of Base44",
            "Club Soda Co-Founder",
            "American Writers Museum President",
            "Founder & CEO of Other Corp",
            "CEO | Globex",
            "Gold Partner",
        ] {
            assert!(names_another(title, &site), "{title}");
        }
        for title in [
            "Attorney at Law",
            "CEO at Acme Roofing",
            "Owner, Lead Designer",
            "Director, HR Consulting",
            "President, CEO",
            "Founder & CEO",
            "Founder, Acme Roofing",
            "Owner of Acme Roofing",
            "President of Operations",
            "Practice Owner",
            "Distinguished Engineer, CTO, Cybersecurity Services",
            "Dentist & Owner",
            "DDS, Owner",
            "Head Chef/Owner",
            "Acme Roofing Founder",
            "Second Generation Owner",
            "Owner of the company",
            "Owner, Principal",
            "Owner, Operator",
            "President, Broker",
            "Owner | Photographer",
            "Owner | Lead Designer",
        ] {
            assert!(!names_another(title, &site), "{title}");
        }
        for title in ["Professor of Economics, Other University", "Partner, Other Ventures"] {
            assert!(is_guest(title, &site), "{title}");
        }
        for title in ["Managing Partner", "Agent, Other Realty", "Manager, Media", "Director, Acme Roofing Foundation"]
        {
            assert!(!is_guest(title, &site), "{title}");
        }
    }
}
