//! Remembers the answer to a request that spends, so that asking again with the same key spends nothing.
//!
//! A request claims its key, does its work, and leaves its answer. The transaction that makes something (a search, a
//! watch, a spent AI use) also writes into the key's row what it made ([`settle`]), so effect and key commit together:
//! whatever is lost afterwards, the connection, the process or the answer, the row tells whether it happened. A key
//! whose row says so is never given back; a repeat finds what was made and answers from it.
//!
//! A claim is held for a few seconds and renewed while its request lives ([`hold`]). Each take-over raises the row's
//! epoch, and [`settle`] names it: a request that was suspended past its hold can make nothing any more.

mod claim;
mod store;

pub use claim::{Claim, ClaimError, Claimed, TakenOver, claim, free, hold, keep, let_go, settle};
pub use store::forget_old;

use sha2::{Digest, Sha256};

use crate::hash::hex;

/// How long an answer is remembered.
pub const REMEMBERED_SECONDS: i64 = 24 * 60 * 60;
/// Characters an idempotency key may have.
pub const KEY_CHARS_MAX: usize = 255;

/// An idempotency key: 1 to 255 visible ASCII characters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IdempotencyKey(String);

impl IdempotencyKey {
    /// Reads a key as a client sent it.
    pub fn parse(text: &str) -> Option<IdempotencyKey> {
        let sound = (1..=KEY_CHARS_MAX).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_graphic());
        sound.then(|| IdempotencyKey(text.to_owned()))
    }

    /// The key as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// What a request asked for, in 64 characters.
pub fn fingerprint(parts: &[&[u8]]) -> String {
    let mut hash = Sha256::new();
    for part in parts {
        // The length keeps "ab" + "c" apart from "a" + "bc".
        hash.update((part.len() as u64).to_le_bytes());
        hash.update(part);
    }
    hex(&hash.finalize())
}

/// An answer worth repeating.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// HTTP status.
    pub status: u16,
    /// Its content type.
    pub content_type: String,
    /// Its body.
    pub body: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn where_one_part_ends_matters() {
        assert_ne!(fingerprint(&[b"ab", b"c"]), fingerprint(&[b"a", b"bc"]));
        assert_eq!(fingerprint(&[b"ab", b"c"]), fingerprint(&[b"ab", b"c"]));
    }

    #[test]
    fn a_key_is_visible_ascii_of_bounded_length() {
        assert!(IdempotencyKey::parse("7c6f-1").is_some());
        for wrong in ["", "a b", "ä", "a\0", &"x".repeat(256)] {
            assert_eq!(IdempotencyKey::parse(wrong), None, "{wrong:?}");
        }
    }
}
