//! People: first names and surnames by language, common ones, put together by chance.

use crate::chance::Chance;
use crate::lang::Lang;
use crate::words;

/// Somebody.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Person {
    pub(crate) first: &'static str,
    pub(crate) last: &'static str,
    pub(crate) gender: Gender,
}

/// Which form of a title a person takes in languages that have two.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Gender {
    Woman,
    Man,
}

impl Person {
    /// Somebody of a language.
    pub(crate) fn draw(chance: &mut Chance, lang: Lang) -> Person {
        let gender = if chance.percent(48.0) { Gender::Woman } else { Gender::Man };
        let firsts = if gender == Gender::Woman { "women" } else { "men" };
        Person { first: words::draw(chance, lang, firsts), last: words::draw(chance, lang, "last"), gender }
    }

    /// First name and surname.
    pub(crate) fn name(&self) -> String {
        format!("{} {}", self.first, self.last)
    }
}
