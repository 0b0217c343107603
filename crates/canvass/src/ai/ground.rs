//! Whether something really stands in a text: character for character, once both are written the same way.
//!
//! Written the same way means: Unicode forms folded (NFKC), one kind of quote and dash, one space for all white space,
//! nothing invisible, lower case. Nothing is guessed: `Jon Smith` is not `John Smith`.

pub use super::wording::{is_invisible, normal, shown};
use super::{Brief, PageText};

/// Characters of a snippet.
const SNIPPET_CHARS_MAX: usize = 160;
/// Bytes between a name and what is said of it.
const NEAR_BYTES_MAX: usize = 60;

/// Words that say a business is somebody's, in the main languages; parts of words, as titles are inflected.
const OWNING: [&str; 27] = [
    "owner",
    "owned by",
    "founder",
    "founded by",
    "founding",
    "proprietor",
    "proprietress",
    "president",
    "ceo",
    "chief executive",
    "principal",
    "managing partner",
    "managing director",
    "managing member",
    "inhaber",
    "geschäftsführer",
    "gründer",
    "gérant",
    "propriétaire",
    "fondat",
    "propietari",
    "dueñ",
    "fundad",
    "titolare",
    "eigenaar",
    "oprichter",
    "proprietári",
];

/// Words that make a word for owning mean something else.
const NOT_OWNING: [&str; 22] = [
    "vice",
    "assistant",
    "former",
    "ex",
    "past",
    "previous",
    "home owner",
    "homeowner",
    "house owner",
    "property owner",
    "business owner",
    "franchise owner",
    "dog owner",
    "cat owner",
    "pet owner",
    "car owner",
    "boat owner",
    "product owner",
    "principal engineer",
    "principal consultant",
    "school principal",
    "not the",
];
/// Words that may stand between a name and what is said of it.
const BETWEEN_WORDS_MAX: usize = 3;
/// Bytes of the rest of a title, before the company it is held at.
const TITLE_BYTES_MAX: usize = 30;
/// Words of a title on a line of its own.
const TITLE_WORDS_MAX: usize = 6;

/// Where `needle` stands in `text` as whole words, both [`normal`]: the first place.
pub fn find(text: &str, needle: &str) -> Option<usize> {
    places(text, needle).next()
}

/// Every place where `needle` stands in `text` as whole words, both [`normal`].
fn places<'t>(text: &'t str, needle: &'t str) -> impl Iterator<Item = usize> + 't {
    let whole = move |at: usize| {
        let before = text[..at].chars().next_back();
        let after = text[at + needle.len()..].chars().next();
        !before.is_some_and(char::is_alphanumeric) && !after.is_some_and(char::is_alphanumeric)
    };
    let found = (!needle.is_empty()).then(|| text.match_indices(needle)).into_iter().flatten();
    found.map(|(at, _)| at).filter(move |at| whole(*at))
}

/// Where something stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Quotation {
    /// The page; the business's website when a customer said it.
    pub url: String,
    /// The words around it.
    pub snippet: String,
}

/// Whether words name an owner.
pub fn is_owning(title: &str) -> bool {
    let title = normal(title);
    owning(&title).next().is_some()
}

/// Where a text has words for owning, that do not mean something else there.
fn owning(text: &str) -> impl Iterator<Item = std::ops::Range<usize>> {
    let is_other = NOT_OWNING.iter().any(|word| find(text, word).is_some());
    let starts_word = |at: usize| !text[..at].ends_with(char::is_alphanumeric);
    let found = OWNING.iter().flat_map(move |word| text.match_indices(word).map(|(at, word)| at..at + word.len()));
    found.filter(move |place| !is_other && starts_word(place.start))
}

/// Where the text says that this person owns the business: the name, and close to it the title, or else any word for
/// owning. `None` when it does not stand there.
pub fn owner(brief: &Brief, name: &str, title: Option<&str>) -> Option<Quotation> {
    let (name, title) = (normal(name), title.map(normal));
    if !is_person(&name) || name == normal(&brief.business_name) {
        return None;
    }
    let others = brief.facts.people.iter().map(|person| normal(&person.name)).filter(|other| *other != name);
    // The finders examined the owner they found more closely than this check does.
    let is_sure = brief.facts.owner().is_some_and(|owner| normal(&owner.name) == name);
    let own = (!is_sure).then(|| own_names(brief));
    let near = Near { title: title.as_deref(), others: others.collect(), own };
    let said = |text: &str| {
        let lines: Vec<String> = text.lines().map(normal).filter(|line| !line.is_empty()).collect();
        (0..lines.len()).any(|place| {
            let next = lines.get(place + 1).map_or("", String::as_str);
            let before = place.checked_sub(1).map_or("", |before| lines[before].as_str());
            if near.own.is_some() && lines[place].starts_with(&name) && is_quotation(before) {
                return false;
            }
            let mut at = places(&lines[place], &name);
            at.any(|at| is_said_near(&lines[place], next, at..at + name.len(), &near))
        })
    };
    let page = brief.pages.iter().find(|page| said(&page.text));
    let on_page = page.map(|PageText { url, text }| Quotation { url: url.clone(), snippet: line_with(text, &name) });
    let by_customer = || {
        let review = brief.reviews.iter().find(|review| said(review))?;
        Some(Quotation { url: brief.website.clone().unwrap_or_default(), snippet: line_with(review, &name) })
    };
    on_page.or_else(by_customer)
}

/// Two to five words of letters: anything else is no person's name.
fn is_person(name: &str) -> bool {
    let words: Vec<&str> = name.split(' ').collect();
    let letters = |word: &&str| word.chars().all(|c| c.is_alphabetic() || "'.-,".contains(c));
    (2..=5).contains(&words.len()) && words.iter().all(letters) && name.chars().count() <= 60
}

/// Whether the title, or any word for owning, stands close to a name: on its line, or on the next when the name ends
/// its own, as on a card. What stands on the line before belongs to someone else.
fn is_said_near(line: &str, next: &str, name: std::ops::Range<usize>, near: &Near<'_>) -> bool {
    let from = floor(line, name.start.saturating_sub(NEAR_BYTES_MAX));
    let (before, rest) = (&line[from..name.start], &line[name.end..]);
    let is_alone = !rest.chars().any(char::is_alphanumeric);
    // `Owner: Jane Doe` under a name is about Jane Doe.
    let is_title = next.split(' ').count() <= TITLE_WORDS_MAX && !next.contains([':', '@']) && !next.contains(" by ");
    let after = if is_alone && is_title { next } else { rest };
    let after = &after[..floor(after, NEAR_BYTES_MAX.min(after.len()))];
    // A full stop ends the statement about a person.
    let before = before.rsplit(". ").next().unwrap_or(before);
    let after = after.split(". ").next().unwrap_or(after);
    near.places(before).any(|place| near.reaches(&before[place.end..]))
        || near.places(after).any(|place| near.reaches(&after[..place.start]) && !near.is_anothers(&after[place.end..]))
}

/// Whether a line is a quotation, so that the next names the speaker.
fn is_quotation(line: &str) -> bool {
    line.ends_with(['"', '»']) || line.starts_with(['"', '«']) && line.len() > NEAR_BYTES_MAX
}

/// What the business is called, and its domain; letters and digits only.
fn own_names(brief: &Brief) -> Vec<String> {
    let host = brief.website.as_deref().and_then(|url| url::Url::parse(url).ok()?.host_str().map(str::to_owned));
    let label =
        host.as_deref().and_then(public_suffix::domain).and_then(|domain| domain.split('.').next().map(str::to_owned));
    let names = [Some(brief.business_name.clone()), label].into_iter().flatten();
    names.map(|name| squeezed(&normal(&name))).filter(|name| !name.is_empty()).collect()
}

fn squeezed(text: &str) -> String {
    text.chars().filter(|letter| letter.is_alphanumeric()).collect()
}

/// What is looked for beside a name, and the others who may be meant instead.
struct Near<'a> {
    title: Option<&'a str>,
    /// The names of the other people the finders know.
    others: Vec<String>,
    /// What the business is called, where a company behind a title must be this one.
    own: Option<Vec<String>>,
}

impl Near<'_> {
    fn places(&self, side: &str) -> Box<dyn Iterator<Item = std::ops::Range<usize>>> {
        let found: Vec<std::ops::Range<usize>> = match self.title {
            Some(title) => places(side, title).map(|at| at..at + title.len()).collect(),
            None => owning(side).collect(),
        };
        Box::new(found.into_iter())
    }

    /// Whether a title goes on with another company: `ceo of other corp`, `founder at other corp`.
    fn is_anothers(&self, rest: &str) -> bool {
        let Some(own) = &self.own else { return false };
        let behind = |sign: &&str| rest.split_once(*sign).filter(|(title, _)| title.len() <= TITLE_BYTES_MAX);
        let named = [" of ", " at ", " @ ", " @"].iter().find_map(behind).map(|(_, company)| company);
        // Behind a comma only what ends a line as short as on a card is a company.
        let on_card = rest.strip_prefix(", ").filter(|company| company.len() <= TITLE_BYTES_MAX);
        let Some(company) = named.or(on_card) else { return false };
        let first = company.split(' ').next().unwrap_or_default().trim_matches(|c: char| !c.is_alphanumeric());
        let plain = [
            "the", "our", "this", "a", "an", "his", "her", "their", "my", "both", "two", "and", "who", "with", "since",
        ];
        let company = squeezed(company);
        let is_own = own.iter().any(|own| company.starts_with(own.as_str()) || own.starts_with(&squeezed(first)));
        !plain.contains(&first) && !is_own && !is_owning(first) && !first.starts_with(|c: char| c.is_ascii_digit())
    }

    /// Whether words between a name and a title leave it that person's: few, with no other name among them.
    fn reaches(&self, between: &str) -> bool {
        let words = between.split(|c: char| !c.is_alphanumeric() && c != '\'').filter(|word| !word.is_empty());
        words.count() <= BETWEEN_WORDS_MAX && !self.others.iter().any(|other| between.contains(other.as_str()))
    }
}

fn floor(text: &str, at: usize) -> usize {
    (0..=at).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0)
}

/// The line of a text in which something stands, cut to a snippet's length.
fn line_with(text: &str, needle: &str) -> String {
    let line = text.lines().find(|line| find(&normal(line), needle).is_some()).unwrap_or_default();
    let words = line.split_whitespace().collect::<Vec<_>>().join(" ");
    let at = words.to_lowercase().find(needle.split(' ').next().unwrap_or_default()).unwrap_or(0);
    let skipped = words[..floor(&words, at)].chars().count().saturating_sub(SNIPPET_CHARS_MAX / 4);
    words.chars().skip(skipped).take(SNIPPET_CHARS_MAX).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn brief(text: &str) -> Brief {
        let page = PageText { url: "http://a.example/".into(), text: text.into() };
        Brief { business_name: "Acme Plumbing".into(), pages: vec![page], ..Brief::default() }
    }

    #[test]
    fn texts_are_compared_in_one_way_of_writing() {
        assert_eq!(normal("  Jane\u{a0}\u{200b}O’Neill –  OWNER\n"), "jane o'neill - owner");
        assert_eq!(normal("ﬁre Ｃｏ"), "fire co");
        assert!(find(&normal("Ask for Ann Lee."), "ann lee").is_some());
        assert!(find(&normal("Ask for Joann Leeson."), "ann lee").is_none());
        assert!(find("anything", "").is_none());
    }

    fn check(text: &str, name: &str, title: Option<&str>, expected: bool) {
        assert_eq!(owner(&brief(text), name, title).is_some(), expected, "{text:?} {name} {title:?}");
    }

    #[test]
    fn an_owner_must_stand_in_the_text_with_something_that_says_so() {
        check("Jane Doe, Owner", "Jane Doe", Some("Owner"), true);
        check("Jane Doe, Owner", "JANE  DOE", None, true);
        check("Jane Doe\nFounder & CEO\nBob Ray\nForeman", "Jane Doe", Some("Founder & CEO"), true);
        check("Acme was founded by Jane Doe in 1998.", "Jane Doe", None, true);
        check("Jane Doe\nOwner\nBob Ray\nForeman", "Bob Ray", Some("Owner"), false);
        check("Jane Doe, Owner\nBob Ray", "Bob Ray", None, false);
        check("Jane Doe, Owner", "Jane Smith", Some("Owner"), false);
        check("Jane Doe, Owner", "Jane Doe", Some("President"), false);
        check("Jane Doe answers the phone.", "Jane Doe", None, false);
        check("Jane Doe answers the phone. The owner is away.", "Jane Doe", None, false);
        check("Jane Doe, Owner", "Jane", Some("Owner"), false);
        check("Acme Plumbing, Owner", "Acme Plumbing", Some("Owner"), false);
        check("Jane Doe, Vice President", "Jane Doe", None, false);
        check("Jane Doe, Assistant to the Owner", "Jane Doe", None, false);
        check("Jane Doe, former owner", "Jane Doe", None, false);
        check("We helped dog owner Jane Doe.", "Jane Doe", None, false);
        check("Bob Ray\nOwner: Jane Doe", "Bob Ray", None, false);
        check("Bob Ray\nFounded by Jane Doe", "Bob Ray", None, false);
        check("Our owner Jane Doe and receptionist Bob Ray", "Bob Ray", None, false);
        check("Bob Ray, receptionist, and Jane Doe, owner", "Bob Ray", None, false);
        check("Jane Doe, CEO of Other Corp", "Jane Doe", None, false);
        check("Jane Doe\nFounder at Other Corp", "Jane Doe", None, false);
        check("Jane Doe\nCEO, Other Corp", "Jane Doe", Some("CEO"), false);
        check("\u{201c}They were great.\u{201d}\nJane Doe\nCEO", "Jane Doe", None, false);
        check("Jane Doe, owner of Acme Plumbing", "Jane Doe", None, true);
        check("Jane Doe, owner of the company", "Jane Doe", None, true);
        check("Jane Doe, President, CEO", "Jane Doe", Some("President"), true);
        check("Jane Doe, owner and pastry chef, offers her services.", "Jane Doe", None, true);
        check("Jane Doe, dentist and owner", "Jane Doe", None, true);
        check("Our founder and head baker Jane Doe", "Jane Doe", None, true);
        check("Jane Doe is the proud owner of Acme", "Jane Doe", None, true);
        check("Jane Doe 24/7, Owner", "Jane Doe 24/7", Some("Owner"), false);
        check(&format!("{} Jane Doe, Owner", "é".repeat(500)), "Jane Doe", Some("Owner"), true);
    }
}
