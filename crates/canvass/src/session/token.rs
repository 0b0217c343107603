//! The token of a session, as its cookie carries it.

use std::fmt;

use sha2::{Digest, Sha256};

use crate::ids::Ids;

/// How every token begins, so that one can be recognised, and hidden, wherever it turns up.
pub const SESSION_PREFIX: &str = "cv_sess_";
/// Random base62 characters after the prefix: 256 bits.
const RANDOM_CHARS: usize = 43;

/// A well-formed token. Never printed: its `Debug` shows only the prefix.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct SessionToken(String);

impl SessionToken {
    /// Generates a new token.
    pub(super) fn generate(ids: &dyn Ids) -> SessionToken {
        SessionToken(format!("{SESSION_PREFIX}{}", ids.letters_and_digits(RANDOM_CHARS)))
    }

    /// The only form in which it is stored: SHA-256 in hexadecimal.
    pub(super) fn hash(&self) -> String {
        hex::encode(Sha256::digest(self.0.as_bytes()))
    }

    /// Reads a token; anything of another form is refused without asking the database.
    pub fn parse(text: &str) -> Option<SessionToken> {
        let random = text.strip_prefix(SESSION_PREFIX)?;
        let well_formed = random.len() == RANDOM_CHARS && random.bytes().all(|byte| byte.is_ascii_alphanumeric());
        well_formed.then(|| SessionToken(text.to_owned()))
    }

    /// The token itself, for the cookie. Never log it.
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for SessionToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{SESSION_PREFIX}...")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_prefix_and_43_letters_and_digits_are_a_token() {
        let token = format!("{SESSION_PREFIX}{}", "aB3".repeat(15).split_at(43).0);
        assert_eq!(SessionToken::parse(&token).unwrap().reveal(), token);
        let wrong = [String::new(), token.replace("sess", "live"), token.replace("aB3a", "aB-a"), token.clone() + "x"];
        for wrong in wrong.iter().chain([&token[..50].to_owned(), &token.repeat(1_000)]) {
            assert_eq!(SessionToken::parse(wrong), None, "{wrong}");
        }
        assert_eq!(format!("{:?}", SessionToken::parse(&token).unwrap()), "cv_sess_...");
    }
}
