//! Verbs with which a sentence says that somebody began, bought, leads or owns the business.

use crate::page::around;
use crate::people::affiliation;
use crate::people::ownership::business_words::{self, Object};
use crate::people::ownership::persons::{Reference, Who};
use crate::people::ownership::statements::{Paragraph, Reader, ends_sentence, last_before};
use crate::people::ownership::{Clue, departures, passives};
use crate::site::Site;
use crate::word_set::WordSet;

/// Bytes between a participle and the `by` of whoever did it: `purchased in 2018 by`.
const BY_BYTES_MAX: usize = 40;
/// Bytes between `turned` and `into`.
const INTO_BYTES_MAX: usize = 70;
/// Bytes between a verb and the subject that follows it, and before a verb and its subject.
const INVERTED_BYTES_MAX: usize = 45;
/// Bytes between the business and the person who is behind it.
const BEHIND_BYTES_MAX: usize = 60;

/// Bytes between somebody and their generation.
const HEIR_BYTES_MAX: usize = 24;
/// Words between `where` and a verb.
const RELATIVE_WORDS_MAX: usize = 5;
/// Longest entry of a list of years, in bytes.
const ENTRY_BYTES_MAX: usize = 120;

/// Words before a verb that make it a wish.
const WISHES: &[&str] = &[
    "hopes", "hope", "hoping", "plans", "plan", "planning", "aspires", "like", "wants", "möchte", "aimerait", "intends",
];
/// Words that begin a clause about whom the words before them name.
static RELATIVES: WordSet = WordSet::new("who qui che que die der");
/// What stands before the names of those whom a sentence is not about.
const ASIDES: &[&str] = &[" by", " to", " with", " of", " de", " di", " von", " da", " from", " for"];
/// What makes a participle passive.
static PASSIVE_AUXILIARIES: WordSet = WordSet::new("was were been is are being and then later originally first");

impl Reader<'_, '_, '_> {
    /// `Ann decided to open her own bakery`, `Ann Lee leads the company`.
    pub(super) fn verb(&mut self, paragraph: &Paragraph<'_>, (at, end): (usize, usize), said: (Clue, &'static str)) {
        let line = paragraph.line;
        if let Some(by) = by_whom(line, (at, end)) {
            self.passive(paragraph, (at, by), said);
            return;
        }
        let after = &line[end..];
        let object = business_words::object(object_text(after), self.page.site)
            .filter(|_| !after.trim_start().starts_with("by "));
        let is_it = after.trim_start().starts_with("it ")
            && said == (Clue::Stated, "Owner")
            && business_words::names_this(&line[..at], self.page.site);
        let object = object.or_else(|| object_before(paragraph, (at, end))).or(is_it.then_some(Object::This));
        let Some(object) = object else { return };
        let sentence = affiliation::sentence(line, at);
        if said.0 == Clue::Leads && passives::is_employed(sentence) {
            return;
        }
        if !self.is_told(sentence) || is_wish(&line[..at]) || is_career(sentence, &line[at..end]) {
            return;
        }
        match (object, said) {
            _ if self.is_aside(paragraph, at) => return,
            (Object::This, said) => self.give(paragraph, at, said),
            // `from Waco, where she owned a practice`
            (Object::Own, _) if is_of_a_place(&line[..at]) => return,
            (Object::Own, (Clue::Stated, title)) => self.give(paragraph, at, (Clue::Own, title)),
            _ => return,
        };
    }

    /// `In 2009 she took over from her father`, `Bob Ray bought the shop from Joe Gray`.
    pub(super) fn takes(&mut self, paragraph: &Paragraph<'_>, (at, end): (usize, usize), title: &'static str) {
        let line = paragraph.line;
        if let Some(by) = by_whom(line, (at, end)) {
            self.passes(paragraph, (at, by), title);
            return;
        }
        let (after, sentence) = (object_text(&line[end..]), affiliation::sentence(line, at));
        if is_sold(line, at, self.page.site) {
            self.is_sold = true;
            return;
        }
        let object = business_words::object(after, self.page.site);
        // `The clinic was founded in 1970. Dr. Lee bought it in 2005.`
        let is_it =
            after.starts_with("it ") && business_words::object_in(&line[..at], self.page.site) == Some(Object::This);
        let object = object.or(is_it.then_some(Object::This));
        let is_succession = || business_words::is_succession(after);
        if !self.is_told(sentence) || is_wish(&line[..at]) || !(object.is_some() || is_succession()) {
            return;
        }
        departures::bought_from(self.persons, self.clues, (line, end), &paragraph.references);
        let clue = if object == Some(Object::Own) { Clue::Own } else { Clue::Stated };
        let takers = self.give(paragraph, at, (clue, title));
        if clue == Clue::Stated {
            let year = departures::year(sentence);
            self.takers.extend(takers.into_iter().map(|person| (person, year)));
        }
    }

    /// Notes who took it over in earlier years, without believing that they still have it.
    pub(super) fn takes_long_ago(&mut self, paragraph: &Paragraph<'_>, at: usize) {
        let year = departures::year(affiliation::sentence(paragraph.line, at));
        if let Some((person, year)) = self.subject(paragraph, at).zip(year) {
            self.takers.push((person, Some(year)));
        }
    }

    /// `Ann's company, Acme Soap,`.
    pub(super) fn possessions(&mut self, paragraph: &Paragraph<'_>) {
        let line = paragraph.line;
        for reference in &paragraph.references {
            let Who::Person(person) = reference.who else { continue };
            let after = &line[reference.end..];
            let Some(rest) = after.strip_prefix("'s ").or_else(|| after.strip_prefix("’s ")) else { continue };
            let near = around(rest, 0, 0, BEHIND_BYTES_MAX);
            let Some((thing, name)) = near.split_once(", ") else { continue };
            let is_business = thing.split(' ').count() <= 2 && thing.split(' ').any(business_words::is_business);
            if is_business && affiliation::begins_with_site(name, self.page.site) {
                self.add(person, (Clue::Stated, "Owner"), (line, reference.at));
            }
        }
    }

    /// `2008 übernahm Hans Meier den Betrieb`, `wird von Hans Meier geführt`: the business is anywhere in the sentence.
    pub(super) fn around(&mut self, paragraph: &Paragraph<'_>, (at, end): (usize, usize), title: &'static str) {
        let (line, sentence) = (paragraph.line, affiliation::sentence(paragraph.line, at));
        let Some(object) = business_words::object_in(sentence, self.page.site).filter(|_| self.is_told(sentence))
        else {
            return;
        };
        let said = (if object == Object::This { Clue::Stated } else { Clue::Own }, title);
        let next = paragraph.references.iter().find(|reference| reference.at >= end);
        let behind = next.filter(|next| next.at - end <= INVERTED_BYTES_MAX && is_clause(&line[end..next.at]));
        match behind {
            Some(Reference { who: Who::Person(person), at: place, .. })
                if !business_words::ends_in_elder(line[..*place].trim_end()) =>
            {
                self.add(*person, said, (line, at));
                self.note_taker(*person, title, sentence);
            }
            Some(Reference { who: Who::Speaker, .. }) => self.say(paragraph, at, said),
            _ => {
                let people = self.give(paragraph, at, said);
                people.into_iter().for_each(|person| self.note_taker(person, title, sentence));
            }
        }
    }

    /// Notes who owns the business since a year, whoever began it.
    fn note_taker(&mut self, person: usize, title: &str, sentence: &str) {
        if !departures::is_founding(Some(title)) {
            self.takers.push((person, departures::year(sentence)));
        }
    }

    /// `Ann Lee and her team look forward to meeting you`.
    pub(super) fn team(&mut self, paragraph: &Paragraph<'_>, at: usize) {
        let last = paragraph.references.iter().rev().find(|reference| reference.end <= at);
        if let Some(Reference { who: Who::Person(_), end, at: start }) = last
            && at - end <= 2
            && self.is_told(affiliation::sentence(paragraph.line, at))
            && !affiliation::thanks_somebody(affiliation::sentence(paragraph.line, at))
            && !passives::is_employed(affiliation::sentence(paragraph.line, at))
        {
            for reference in paragraph.references.iter().filter(|reference| reference.at == *start) {
                if let Who::Person(one) = reference.who {
                    self.add(one, (Clue::Leads, ""), (paragraph.line, at));
                }
            }
        }
    }

    /// `Ann Lee, third generation of winemakers,`, `is a third-generation baker`; anybody may be a third-generation Texan.
    pub(super) fn heir(&mut self, paragraph: &Paragraph<'_>, (at, end): (usize, usize)) {
        let line = paragraph.line;
        let Some(last) = last_before(paragraph, at).filter(|_| self.is_about()) else { return };
        let is_theirs = at - last.end <= HEIR_BYTES_MAX;
        if is_theirs && !line[end..].trim_start().starts_with(char::is_uppercase) {
            self.give(paragraph, at, (Clue::Leads, ""));
        }
    }

    /// `She turned her hobby into Acme Candles`.
    pub(super) fn turns(&mut self, paragraph: &Paragraph<'_>, (at, end): (usize, usize)) {
        let line = paragraph.line;
        let near = around(&line[end..], 0, 0, INTO_BYTES_MAX);
        let Some(into) = near.find(" into ").filter(|into| !ends_sentence(&near[..*into])) else { return };
        let object = business_words::object(&line[end + into + " into ".len()..], self.page.site);
        let clue = match object {
            Some(Object::This) => Clue::Stated,
            Some(Object::Own) => Clue::Own,
            None => return,
        };
        if self.is_told(affiliation::sentence(line, at)) {
            self.give(paragraph, at, (clue, "Founder"));
        }
    }

    /// `She went into business for herself`: a business of her own, and on the pages of one it is this.
    pub(super) fn independent(&mut self, paragraph: &Paragraph<'_>, (at, end): (usize, usize)) {
        // `Übernahme der Praxis`, not of a task.
        let is_noun = paragraph.line[at..end].contains("ung de") || paragraph.line[at..end].contains("nahme de");
        let is_business =
            || business_words::object_in(affiliation::sentence(paragraph.line, at), self.page.site).is_some();
        if !self.is_about() || is_wish(&paragraph.line[..at]) || (is_noun && !is_business()) {
            return;
        }
        // `Since 2002 in private practice`: in a list of years the page tells of whom it presents.
        if paragraph.references.is_empty() && paragraph.line.len() <= ENTRY_BYTES_MAX {
            let person = paragraph.heading.or_else(|| self.persons.only());
            person.into_iter().for_each(|person| self.add(person, (Clue::Own, ""), (paragraph.line, at)));
            return;
        }
        self.give(paragraph, at, (Clue::Own, ""));
    }

    /// `In 2010 Acme Flowers was born`, `a one-woman business`: the page tells of whoever began it.
    pub(super) fn born(&mut self, paragraph: &Paragraph<'_>, (at, end): (usize, usize)) {
        let line = paragraph.line;
        let from = line[..at].rfind(['.', ',', ';']).map_or(0, |stop| stop + 1);
        let is_person_count = line[at..end].starts_with("one") || line[at..end].starts_with("One");
        let is_business = if is_person_count {
            business_words::object(&format!("a {}", &line[end..].trim_start()), self.page.site).is_some()
        } else {
            let subject = line[from..at].trim_start();
            business_words::names_this(subject, self.page.site)
                || business_words::object(&subject.to_lowercase(), self.page.site) == Some(Object::This)
        };
        if !is_business || !self.is_about() {
            return;
        }
        let named = || {
            paragraph.references.iter().find_map(|reference| match reference.who {
                Who::Person(person) => Some(person),
                _ => None,
            })
        };
        let person = paragraph.heading.or_else(named).or_else(|| self.persons.only());
        person.into_iter().for_each(|person| self.add(person, (Clue::Own, ""), (line, at)));
    }

    /// `Ann Lee is the driving force behind Acme`, `Meet the woman behind Acme: Ann Lee`.
    pub(super) fn behind(&mut self, paragraph: &Paragraph<'_>, (at, end): (usize, usize)) {
        let line = paragraph.line;
        let after = &line[end..];
        if business_words::object(after.trim_start(), self.page.site) != Some(Object::This) {
            return;
        }
        let next = paragraph.references.iter().find(|reference| reference.at >= end);
        let follows = |next: &&Reference| {
            let between = &line[end..next.at];
            between.len() <= BEHIND_BYTES_MAX
                && [" is ", ": ", ", ", " – ", " está ", " est ", " è ", " steht ", " staat "]
                    .iter()
                    .any(|sign| between.ends_with(sign))
        };
        match (last_before(paragraph, at), next.filter(follows)) {
            (None, Some(Reference { who: Who::Person(person), .. })) => {
                self.add(*person, (Clue::Stated, ""), (line, at));
            }
            (Some(_), _) => {
                self.give(paragraph, at, (Clue::Stated, ""));
            }
            _ => {}
        }
    }

    /// Whether a clause is about somebody in passing: `painted by Ann Lee, who owns a studio nearby`.
    fn is_aside(&self, paragraph: &Paragraph<'_>, at: usize) -> bool {
        let line = paragraph.line;
        if business_words::names_this(affiliation::sentence(line, at), self.page.site) {
            return false;
        }
        let before = paragraph.references.iter().rev().filter(|reference| reference.end <= at);
        let named = before.into_iter().find(|reference| matches!(reference.who, Who::Person(_)));
        named.is_some_and(|named| {
            let is_relative = line[named.end..at].split(' ').any(|word| RELATIVES.contains(word));
            let before = line[..named.at].trim_end();
            is_relative && ASIDES.iter().any(|word| before.ends_with(word))
        })
    }
}

/// `the bakery that Ann Lee opened in 2004`: the business before its subject.
fn object_before(paragraph: &Paragraph<'_>, (at, end): (usize, usize)) -> Option<Object> {
    let line = paragraph.line;
    let after = line[end..].trim_start();
    let is_bare = after.is_empty()
        || after.starts_with("in ")
        || after.starts_with("with ")
        || line[end..].starts_with(['.', ',']);
    let subject = last_before(paragraph, at).filter(|last| is_bare && at - last.end <= 2)?;
    let before = line[..subject.at].trim_end();
    let before = ["that", "which"].iter().find_map(|word| before.strip_suffix(word)).unwrap_or(before);
    let thing = before.trim_end_matches([' ', ',']).rsplit(' ').next()?.to_lowercase();
    business_words::is_business(&thing).then_some(Object::This)
}

/// What a verb is about: `and operates Acme` after `owns` is about Acme, `of Acme` after `the opening` too.
fn object_text(after: &str) -> &str {
    let after = after.trim_start();
    let after = after.strip_prefix("of ").unwrap_or(after);
    let second = after.strip_prefix("and ").or_else(|| after.strip_prefix("& "));
    second.and_then(|rest| rest.split_once(' ')).map_or(after, |(_, object)| object)
}

/// Where `by` ends that names who did what a participle says: `was purchased in 2018 by`.
fn by_whom(line: &str, (at, end): (usize, usize)) -> Option<usize> {
    let before = line[..at].trim_end();
    let last = before.rsplit(' ').next().unwrap_or("").to_lowercase();
    let is_passive =
        before.is_empty() || before.ends_with([',', '.', '–', ':', '(']) || PASSIVE_AUXILIARIES.contains(&last);
    let near = around(&line[end..], 0, 0, BY_BYTES_MAX);
    let by = near.find(" by ").filter(|by| *by > 0 && is_passive && is_clause(&near[..*by]))?;
    Some(end + by + " by ".len())
}

/// `Acme was acquired in 2004`, by somebody unnamed.
fn is_sold(line: &str, at: usize, site: &Site) -> bool {
    let before = line[..at].trim_end();
    let subject = [" was", " has been", " were"].iter().find_map(|verb| before.strip_suffix(verb));
    subject.is_some_and(|subject| business_words::names_this(&subject[business_words::last_sentence(subject)..], site))
}

/// `Ann started as a server and now runs the bar`: what somebody rose to.
fn is_career(sentence: &str, verb: &str) -> bool {
    let rose = ["tarted as ", "egan as ", "way up", "romoted", "oined "].iter().any(|word| sentence.contains(word));
    rose && verb.starts_with("run")
}

/// Whether a verb stands in a clause about some place: `, where she owned`.
fn is_of_a_place(before: &str) -> bool {
    let words = before.trim_end().rsplit(' ').take(RELATIVE_WORDS_MAX);
    words.into_iter().any(|word| word == "where")
}

/// Whether a text lies within one clause.
fn is_clause(text: &str) -> bool {
    !text.contains(['.', ';', '!', '?'])
}

/// Whether the words before a verb make it a wish: `hopes to`.
fn is_wish(before: &str) -> bool {
    before.trim_end().rsplit(' ').take(3).any(|word| WISHES.contains(&word))
}
