//! Sentences that name the person after what was done: `founded in 2004 by Ann Lee`, `in the hands of Bob Ray`.

use crate::people::affiliation::{self, PageSubject};
use crate::people::names;
use crate::people::owner_labels;
use crate::people::ownership::business_words;
use crate::people::ownership::departures;
use crate::people::ownership::persons::Who;
use crate::people::ownership::statements::{Paragraph, Reader};
use crate::people::ownership::told_lines::LABEL_BYTES_MAX;
use crate::people::ownership::{Clue, unlisted_names};
use crate::word_set::WordSet;

/// Bytes between `founded by` and the name.
const NAME_BYTES_MAX: usize = 70;
/// Longest line that credits whoever made a website or a picture, in bytes.
const CREDIT_BYTES_MAX: usize = 90;
/// Words of `Under the`.
const SHORT_WORDS_MAX: usize = 3;
/// Verbs that link the business to `a shop run by`.
const LINKS: &[&str] = &[" is a", " are a", " was a", " as a", "A "];

impl Reader<'_, '_, '_> {
    /// `founded in 2004 by husband and wife team Ann and Bob Lee`.
    pub(super) fn passive(&mut self, paragraph: &Paragraph<'_>, place: (usize, usize), said: (Clue, &'static str)) {
        let by = self.done_by(paragraph, place, said);
        // `Founded by Ann Lee, now run by her son Bob Lee`
        let is_now = paragraph.line[..place.0].trim_end().ends_with("now") && said == (Clue::Stated, "Owner");
        if is_now {
            self.takers.extend(by.into_iter().map(|person| (person, None)));
        }
    }

    /// `was purchased by Bob Ray`, `in the hands of Bob Ray`: others own it no longer.
    pub(super) fn passes(&mut self, paragraph: &Paragraph<'_>, place: (usize, usize), title: &'static str) {
        let takers = self.done_by(paragraph, place, (Clue::Stated, title));
        let year = departures::year(affiliation::sentence(paragraph.line, place.0));
        self.takers.extend(takers.into_iter().map(|person| (person, year)));
    }

    /// Gives the clue to whoever is named after the phrase. Returns who got it.
    fn done_by(
        &mut self,
        paragraph: &Paragraph<'_>,
        (at, end): (usize, usize),
        said: (Clue, &'static str),
    ) -> Vec<usize> {
        let line = paragraph.line;
        if !self.is_of_this_business(paragraph, at) {
            return Vec::new();
        }
        let before = &line[..at];
        let is_noun = line[at..end].trim_end().ends_with(" of");
        if said.0 != Clue::Own && !is_noun && is_of_a_part(&before[business_words::last_sentence(before)..]) {
            return Vec::new();
        }
        if said.0 == Clue::Leads && is_employed(affiliation::sentence(line, at)) {
            return Vec::new();
        }
        let Some(first) = paragraph.references.iter().find(|reference| reference.at >= end) else {
            return self.unlisted(paragraph, (at, end), said);
        };
        let between = line[end..first.at].trim_start();
        if first.at - end > NAME_BYTES_MAX || !leads_to_name(between, &line[first.at..first.end]) {
            return self.unlisted(paragraph, (at, end), said);
        }
        let after = &line[first.end..];
        let both = paragraph.references.iter().filter(|reference| reference.at == first.at);
        let both: Vec<usize> = both
            .filter_map(|reference| match reference.who {
                Who::Person(person) => Some(person),
                _ => None,
            })
            .filter(|person| !self.page.site.is_named_in(self.persons.name(*person)))
            .collect();
        if affiliation::goes_on_as_company(after) || is_thing_of(line, first.end, end) {
            return Vec::new();
        }
        both.iter().for_each(|person| self.add(*person, said, (line, at)));
        both
    }

    /// Whether the subject of a passive phrase is this business: `The food drive is run by` somebody else.
    fn is_of_this_business(&self, paragraph: &Paragraph<'_>, at: usize) -> bool {
        let (line, site) = (paragraph.line, self.page.site);
        let (before, sentence) = (&line[..at], affiliation::sentence(line, at));
        let subject = &before[business_words::last_sentence(before)..];
        let is_label = line.len() <= LABEL_BYTES_MAX
            && (subject.trim().is_empty() || affiliation::is_owner_label(subject))
            && !line.contains(" is ")
            && !affiliation::is_credit(line)
            && !self.page.document.line(paragraph.index).1.footer;
        // `Under the ownership of Ann Lee, the salon`
        let subject = if subject.trim().split(' ').count() <= SHORT_WORDS_MAX && subject.starts_with(['U', 'I']) {
            sentence
        } else {
            subject
        };
        let is_business = |word: &str| {
            let word = word.to_lowercase();
            business_words::is_business(&word) || matches!(word.as_str(), "ownership" | "torch" | "reins" | "keys")
        };
        // `It all started when Ann Lee`
        let is_story =
            ["It ", "it ", "Our story", "The story", "Our journey"].iter().any(|word| subject.starts_with(word));
        // `Welcome to the dental office of Ann Lee`
        let is_welcome = subject.trim_start().starts_with("Welcome to ");
        let is_general = is_story
            || is_welcome
            || subject.trim().is_empty()
            || affiliation::is_owner_label(subject)
            || affiliation::speaks_of_itself(subject, site, PageSubject::Business)
            || business_words::names_this(subject, site)
            || subject.split(|c: char| !c.is_alphanumeric()).any(is_business);
        let is_some = business_words::ends_in_some_business(before)
            && !(LINKS.iter().any(|link| subject.contains(link))
                && (business_words::names_this(subject, site) || subject.starts_with(['W', 'T', 'A'])));
        let is_named = business_words::names_this(sentence, site);
        let is_credit = line.len() <= CREDIT_BYTES_MAX && affiliation::is_credit(line);
        if is_credit && !business_words::names_this(line, site) {
            return false;
        }
        let sentence_end = at + business_words::sentence_end(&line[at..]);
        if subject.trim().is_empty() && affiliation::goes_on_about_another(&line[at..sentence_end], site) {
            return false;
        }
        let is_tied = is_general && !is_some && (is_named || !affiliation::is_of_another(before, site));
        is_tied && (self.is_told(sentence) || is_label || is_welcome)
    }

    /// A name on no list after the phrase: its surname is known, or the page goes on with the first name.
    fn unlisted(
        &mut self,
        paragraph: &Paragraph<'_>,
        (at, end): (usize, usize),
        said: (Clue, &'static str),
    ) -> Vec<usize> {
        let line = paragraph.line;
        let text = line[end..].trim_start();
        if said == (Clue::Stated, "Owner") && is_first_name_alone(text) {
            self.owners_called += 1;
        }
        // `The business began in Ann Arbor`
        if line[..end].trim_end().ends_with(" in") {
            return Vec::new();
        }
        let name =
            owner_labels::founder(text).map(|(name, _)| name.name).or_else(|| unlisted_names::after(self.page, text));
        let person = name.and_then(|name| self.persons.add(&name));
        person.into_iter().for_each(|person| self.add(person, said, (line, at)));
        person.into_iter().collect()
    }
}

/// Whether a text begins with a first name and no surname: `Ann and her family`.
fn is_first_name_alone(text: &str) -> bool {
    let word = text.split(|c: char| !c.is_alphabetic()).next().unwrap_or("");
    let rest = text[word.len()..].trim_start();
    word.starts_with(char::is_uppercase)
        && names::is_first_name_in_any_case(word)
        && !rest.starts_with(|c: char| c.is_uppercase() || matches!(c, '(' | '"' | '“'))
}

/// Whether the subject of a phrase is some thing rather than the business: `Our new website was`, `a play that was`.
fn is_of_a_part(subject: &str) -> bool {
    let words: Vec<String> =
        subject.split_whitespace().map(|word| word.trim_matches([',', ':']).to_lowercase()).collect();
    let is_link = |word: &String| LINK_WORDS.contains(word) || word.ends_with("ly");
    let noun = words.iter().rposition(|word| !is_link(word));
    let Some(noun) = noun else { return false };
    let is_capital = subject.split_whitespace().nth(noun).is_some_and(|word| word.starts_with(char::is_uppercase));
    let is_plain = words[noun].chars().all(char::is_alphabetic) && !is_capital;
    let is_determined = words[noun.saturating_sub(3)..noun].iter().any(|word| DETERMINERS.contains(word));
    is_plain && is_determined && !business_words::is_business(&words[noun]) && !OURSELVES.contains(&words[noun])
}

/// Words between a subject and what was done.
static LINK_WORDS: WordSet = WordSet::new(
    "is was are were been has have had being be that which now still today and also first then originally locally family owned
     a an in the",
);
static DETERMINERS: WordSet = WordSet::new("our the this a an his her their my");
/// Nouns for a business besides its kind.
static OURSELVES: WordSet = WordSet::new(
    "team crew family ownership torch reins keys place dream idea story journey hobby brand concept location tradition
     history product project collective group duo venue property spot",
);

/// Whether whoever leads something is employed by others to do so.
pub(super) fn is_employed(sentence: &str) -> bool {
    ["xecutive director", "anager", "rincipal", "astor", "oard"].iter().any(|word| sentence.contains(word))
}

/// Whether nothing but a description stands between a phrase and the name: `in 2004 by husband and wife team`, `the Lee
/// family:`, `in Waco by`.
fn leads_to_name(between: &str, name: &str) -> bool {
    let mut last = "";
    let is_of_others = between.split(' ').any(|word| {
        let bare = word.trim_matches([':', ',']);
        let is_place = matches!(last, "in" | "near" | "from");
        last = word;
        let is_family = !bare.is_empty() && name.ends_with(bare);
        // `Josie and Ann Lee`, the first on no list.
        let is_partner = between
            .trim_end()
            .strip_suffix(['d', '&'])
            .is_some_and(|rest| rest.trim_end_matches("an").trim_end() == word);
        bare.starts_with(char::is_uppercase) && !is_partner && !is_honorific(bare) && !is_family && !is_place
    });
    let is_one_sentence = !between.contains(';') && business_words::sentence_end(between) == between.len();
    is_one_sentence && !is_of_others && !business_words::ends_in_elder(between.trim_end())
}

/// `in Ann Lee's honor`, `began in Ann Lee Park`: what follows is not the person's doing. Kitchens and garages are.
fn is_thing_of(line: &str, name_end: usize, end: usize) -> bool {
    const HOMES: &[&str] = &[
        "kitchen", "garage", "basement", "home", "house", "barn", "backyard", "living", "dorm", "spare", "dream",
        "passion", "vision", "love", "desire", "hobby", "idea", "own", "attic", "garden", "truck", "dining", "bedroom",
    ];
    let after = line[name_end..].strip_prefix("'s ").or_else(|| line[name_end..].strip_prefix("’s "));
    let owned = after.map(|rest| rest.split(' ').take(3).any(|word| HOMES.contains(&word.trim_matches([',', '.']))));
    let is_place = line[..end].trim_end().ends_with(" in");
    match owned {
        Some(is_home) => !is_home,
        None => is_place && line[end..name_end].trim_start().starts_with(char::is_uppercase),
    }
}

/// `Dr.`, `Chef`: what stands before a name in the middle of a sentence.
fn is_honorific(word: &str) -> bool {
    matches!(
        word.trim_end_matches('.'),
        "Dr" | "Mr" | "Mrs" | "Ms" | "Chef" | "Master" | "Sensei" | "Herr" | "Frau" | "M" | "Mme" | "Captain" | "Drs"
    )
}
