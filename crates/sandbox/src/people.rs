//! People: common first names and surnames by language, combined at random.

use crate::lang::Lang;
use crate::random::Random;
use crate::words;

/// A person's name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Person {
    pub(crate) first: &'static str,
    pub(crate) last: &'static str,
    pub(crate) gender: Gender,
}

/// The grammatical gender of a person's title, in languages that have one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Gender {
    Woman,
    Man,
}

impl Person {
    /// A random person with names of a language.
    pub(crate) fn draw(random: &mut Random, lang: Lang) -> Person {
        let gender = if random.percent(48.0) { Gender::Woman } else { Gender::Man };
        let firsts = if gender == Gender::Woman { "women" } else { "men" };
        Person { first: words::draw(random, lang, firsts), last: words::draw(random, lang, "last"), gender }
    }

    pub(crate) fn name(&self) -> String {
        format!("{} {}", self.first, self.last)
    }
}
