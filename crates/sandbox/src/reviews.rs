//! What customers say: a few lines by their stars.

use crate::chance::Chance;
use crate::lang::Lang;
use crate::people::Person;
use crate::words;

/// What one customer said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Review {
    /// First name and an initial.
    pub author: String,
    /// Stars, one to five.
    pub rating: u8,
    /// The words.
    pub text: String,
}

/// A few reviews around an average.
pub(crate) fn draw(chance: &mut Chance, lang: Lang, average: f64) -> Vec<Review> {
    let count = chance.between(1, 4);
    (0..count).map(|_| review(chance, lang, average)).collect()
}

fn review(chance: &mut Chance, lang: Lang, average: f64) -> Review {
    let person = Person::draw(chance, lang);
    let stars = average + chance.unit() * 1.6 - 0.8;
    let rating = stars.round().clamp(1.0, 5.0) as u8;
    let lines = words::list(lang, if rating >= 4 { "praise" } else { "complaint" });
    let first = chance.below(lines.len());
    let mut text = lines[first].to_owned();
    if chance.percent(45.0) && lines.len() > 1 {
        let second = (first + 1 + chance.below(lines.len() - 1)) % lines.len();
        text.push(' ');
        text.push_str(lines[second]);
    }
    let initial: String = person.last.chars().take(1).collect();
    Review { author: format!("{} {initial}.", person.first), rating, text }
}
