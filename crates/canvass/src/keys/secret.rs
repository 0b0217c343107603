//! The secret of a key: generated, checked for typing mistakes, and hashed.

use std::fmt;

use sha2::{Digest, Sha256};

use crate::ids::{BASE62, Ids};

/// How every key begins.
pub const KEY_PREFIX: &str = "cv_live_";
/// Random characters of a key: 190 bits.
const RANDOM_CHARS: usize = 32;
/// Characters of the checksum at its end.
const CHECK_CHARS: usize = 6;
/// Leading characters that may be shown again.
const SHOWN_CHARS: usize = KEY_PREFIX.len() + 4;

/// A well-formed key. Never printed: its `Debug` shows only how it begins.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct SecretKey(String);

impl SecretKey {
    /// Generates a new key.
    pub fn generate(ids: &dyn Ids) -> SecretKey {
        let mut key = format!("{KEY_PREFIX}{}", ids.letters_and_digits(RANDOM_CHARS));
        key.push_str(&check_chars(&key));
        SecretKey(key)
    }

    /// Reads a key. The checksum reveals typing mistakes without asking the database.
    pub fn parse(text: &str) -> Option<SecretKey> {
        let body = text.strip_prefix(KEY_PREFIX)?;
        if body.len() != RANDOM_CHARS + CHECK_CHARS || !body.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
            return None;
        }
        let (signed, check) = text.split_at(text.len() - CHECK_CHARS);
        (check_chars(signed) == check).then(|| SecretKey(text.to_owned()))
    }

    /// The only form in which it is stored: SHA-256 in hexadecimal.
    pub fn hash(&self) -> String {
        hex::encode(Sha256::digest(self.0.as_bytes()))
    }

    /// Its first characters, to recognise it by.
    pub fn prefix(&self) -> &str {
        &self.0[..SHOWN_CHARS]
    }

    /// The key itself, to be shown to its owner once.
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for SecretKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}...", self.prefix())
    }
}

fn check_chars(signed: &str) -> String {
    let mut rest = u64::from(crc32fast::hash(signed.as_bytes()));
    let mut check = [b'0'; CHECK_CHARS];
    for place in check.iter_mut().rev() {
        *place = BASE62[(rest % 62) as usize];
        rest /= 62;
    }
    check.iter().copied().map(char::from).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ids::SeededIds;

    #[test]
    fn a_key_is_read_back_and_any_single_typing_mistake_is_seen() {
        let key = SecretKey::generate(&SeededIds::new(7));
        let text = key.reveal();
        assert_eq!(text.len(), 46);
        assert_eq!(SecretKey::parse(text), Some(key.clone()));
        for place in 0..text.len() {
            let mut wrong: Vec<char> = text.chars().collect();
            wrong[place] = if wrong[place] == 'x' { 'y' } else { 'x' };
            assert_eq!(SecretKey::parse(&wrong.iter().collect::<String>()), None, "place {place}");
        }
    }

    #[test]
    fn the_stored_hash_of_a_key_never_changes() {
        let key = SecretKey::parse("cv_live_0123456789ABCDEFGHIJKLMNOPQRSTUV06URWe").unwrap();
        assert_eq!(key.hash(), "b05e75a9b81a66ce41aa40407d169b5e67631bf90b17ade80eec24cd50d8bbb9");
    }

    #[test]
    fn what_is_not_a_key_is_not_read() {
        for wrong in ["", "cv_live_", "cv_live_\0", "Bearer x", &"é".repeat(23), &"cv_live_".repeat(1_000)] {
            assert_eq!(SecretKey::parse(wrong), None);
        }
    }

    #[test]
    fn debug_output_does_not_hold_the_key() {
        let key = SecretKey::generate(&SeededIds::new(7));
        assert!(!format!("{key:?}").contains(&key.reveal()[SHOWN_CHARS..]));
    }
}
