//! Passwords: which are good enough, and the hash that is stored of them.

mod hash;
mod set;
pub(crate) mod store;

pub use hash::{hash, verify};
pub use set::{SetError, set};
pub use store::is_set;

use std::fmt;

/// Fewest and most characters of a password. The upper limit only keeps hashing cheap.
const CHARS_MIN: usize = 10;
const CHARS_MAX: usize = 256;
/// Least strength, of 0 to 4 as zxcvbn estimates it: 2 withstands guessing through this server for years.
const STRENGTH_MIN: u8 = 2;
/// Characters that are examined for strength, which costs more than linear time.
const EXAMINED_CHARS: usize = 64;

/// A password that is good enough. Never printed.
#[derive(Clone, PartialEq, Eq)]
pub struct Password(String);

/// A password that would be guessed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WeakPassword {
    /// Too few characters.
    #[error("a password has at least {CHARS_MIN} characters; a few words that only you would put together are good")]
    Short,
    /// Too many characters.
    #[error("a password has at most {CHARS_MAX} characters")]
    Long,
    /// Easy to guess.
    #[error("this password would soon be guessed; add a word or two that have nothing to do with the others")]
    Common,
}

impl Password {
    /// Accepts a password for the account of this address.
    pub fn parse(text: &str, email: &str) -> Result<Password, WeakPassword> {
        let chars = text.chars().count();
        if chars < CHARS_MIN {
            return Err(WeakPassword::Short);
        }
        if chars > CHARS_MAX {
            return Err(WeakPassword::Long);
        }
        let examined: String = text.chars().take(EXAMINED_CHARS).collect();
        let known: Vec<&str> =
            email.split(['@', '.']).chain([email, "canvass"]).filter(|part| !part.is_empty()).collect();
        let strength = u8::from(zxcvbn::zxcvbn(&examined, &known).score());
        if strength < STRENGTH_MIN { Err(WeakPassword::Common) } else { Ok(Password(text.to_owned())) }
    }

    fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Password {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Password(...)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: Result<(), WeakPassword>) {
        assert_eq!(Password::parse(text, "ada@analytical.example").map(|_| ()), expected, "{text}");
    }

    #[test]
    fn what_would_be_guessed_is_refused() {
        check("short", Err(WeakPassword::Short));
        check("password123", Err(WeakPassword::Common));
        check("aaaaaaaaaaaaaaaa", Err(WeakPassword::Common));
        check("ada@analytical.example", Err(WeakPassword::Common));
        check(&"x".repeat(300), Err(WeakPassword::Long));
    }

    #[test]
    fn a_few_words_or_any_random_letters_are_accepted() {
        check("lantern crane violet dust", Ok(()));
        check("q8Fz2vLr0wKd", Ok(()));
        check("Schlüsselbundträger 🗝", Ok(()));
    }

    #[test]
    fn debug_output_does_not_hold_the_password() {
        let password = Password::parse("lantern crane violet dust", "").unwrap();
        assert_eq!(format!("{password:?}"), "Password(...)");
    }
}
