//! Customer reviews: a few lines each, by number of stars.

use crate::lang::Lang;
use crate::people::Person;
use crate::random::Random;
use crate::words;

/// One customer's review.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Review {
    /// First name and an initial.
    pub author: String,
    /// Stars, one to five.
    pub rating: u8,
    /// In the language of the business.
    pub text: String,
}

/// A few reviews around an average.
pub(crate) fn draw(random: &mut Random, lang: Lang, average: f64) -> Vec<Review> {
    let count = random.between(1, 4);
    (0..count).map(|_| review(random, lang, average)).collect()
}

fn review(random: &mut Random, lang: Lang, average: f64) -> Review {
    let person = Person::draw(random, lang);
    let stars = average + random.unit() * 1.6 - 0.8;
    let rating = stars.round().clamp(1.0, 5.0) as u8;
    let lines = words::list(lang, if rating >= 4 { "praise" } else { "complaint" });
    let first = random.below(lines.len());
    let mut text = lines[first].to_owned();
    if random.percent(45.0) && lines.len() > 1 {
        let second = (first + 1 + random.below(lines.len() - 1)) % lines.len();
        text.push(' ');
        text.push_str(lines[second]);
    }
    let initial: String = person.last.chars().take(1).collect();
    Review { author: format!("{} {initial}.", person.first), rating, text }
}
