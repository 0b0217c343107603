//! When sentences say that something was: whoever founded or bought a business decades ago, or owned it under its former
//! name, is not its owner.

use crate::page::lower_in_place;

/// Founders of earlier years no longer run the business, nor do its buyers.
pub(super) const FOUNDED_MIN: u16 = 1962;
pub(super) const BOUGHT_MIN: u16 = 1985;

/// The clause of a line around byte `at`: between commas.
pub(super) fn clause(line: &str, at: usize) -> &str {
    let from = line[..at].rfind(", ").map_or(0, |comma| comma + 2);
    let to = line[at..].find([',', ';', '.']).map_or(line.len(), |end| at + end);
    &line[from..to]
}

/// Whether a sentence names a year so long ago that its people no longer run the business.
pub(super) fn is_long_ago(sentence: &str, least: u16) -> bool {
    let years = sentence.split(|c: char| !c.is_ascii_digit()).filter(|digits| digits.len() == 4);
    years.filter_map(|year| year.parse::<u16>().ok()).any(|year| (1700..least).contains(&year))
}

/// Whether a sentence names a year so long ago that whoever founded something then no longer runs it.
pub(super) fn is_of_earlier_years(sentence: &str) -> bool {
    is_long_ago(sentence, FOUNDED_MIN)
}

/// `Acme, formerly Ray's, owned by Joe Ray, is now`: whose the business was under its former name.
pub(super) fn is_of_predecessor(sentence: &str, phrase: &str) -> bool {
    let (Some(former), Some(at)) = (sentence.find("ormerly "), lower_in_place(sentence).find(phrase)) else {
        return false;
    };
    former < at && sentence[at..].contains(" is now ")
}
