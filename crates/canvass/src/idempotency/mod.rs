//! Idempotency keys: the response to a request that spends is stored, so that a retry with the same key spends nothing.
//!
//! A request claims its key, does its work, and stores its response. The transaction that makes something (a search, a
//! watch, a spent AI use) also writes into the key's row what it made ([`settle`]), so effect and key commit together:
//! whatever is lost afterwards, the connection, the process or the response, the row tells whether it happened. A key
//! whose row says so is never released; a retry finds what was made and responds from it.
//!
//! A claim is held for a few seconds and renewed while its request runs ([`hold`]). Each take-over raises the row's
//! epoch, and [`settle`] checks it: a request that was suspended past its hold can no longer make anything.

mod claim;
mod store;

pub use claim::{ClaimError, Claimed, TakenOver, claim, free, hold, keep, let_go, settle};
pub use store::forget_old;
pub(crate) use store::forget_replies;

use sha2::{Digest, Sha256};
use uuid::Uuid;

use crate::ids::AccountId;

/// How long a response is kept for retries.
pub const REMEMBERED_SECONDS: i64 = 24 * 60 * 60;
/// Characters an idempotency key may have.
pub const KEY_CHARS_MAX: usize = 255;

/// A claim that was not renewed for this long counts as abandoned.
const HELD_SECONDS: i64 = 10;

/// An idempotency key: 1 to 255 visible ASCII characters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IdempotencyKey(String);

impl IdempotencyKey {
    /// Validates a key as a client sent it.
    pub fn parse(text: &str) -> Option<IdempotencyKey> {
        let sound = (1..=KEY_CHARS_MAX).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_graphic());
        sound.then(|| IdempotencyKey(text.to_owned()))
    }

    /// The key as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// SHA-256 of what a request asks for, in hexadecimal: retries must ask for the same.
pub fn fingerprint(parts: &[&[u8]]) -> String {
    let mut hash = Sha256::new();
    for part in parts {
        // The length keeps "ab" + "c" apart from "a" + "bc".
        hash.update((part.len() as u64).to_le_bytes());
        hash.update(part);
    }
    hex::encode(hash.finalize())
}

/// A key held by one request, or one under which something was made already.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim {
    /// Keys of different accounts are unrelated.
    pub account: AccountId,
    /// As the client chose it.
    pub key: IdempotencyKey,
    /// The id of whatever this request makes, the same for every retry.
    pub subject: Uuid,
    /// Number of times the key has been claimed; every write of this claim checks it.
    pub(crate) epoch: i64,
    /// What a request under this key has made, in a form that its noun reads back.
    made: Option<String>,
}

impl Claim {
    /// What an earlier request under this key has made. When `Some`, nothing more may be made or spent.
    pub fn made(&self) -> Option<&str> {
        self.made.as_deref()
    }
}

/// A response that retries receive again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SavedResponse {
    /// HTTP status.
    pub status: u16,
    /// Value of the `Content-Type` header.
    pub content_type: String,
    /// UTF-8 text.
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
