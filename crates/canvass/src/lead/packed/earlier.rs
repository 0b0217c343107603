//! Reads what earlier versions packed: leads with LZ4 against a dictionary of text, websites with Zstandard alone.

use super::{TEXT_BYTES_MAX, split};
use crate::lead::upgrade::UpgradeError;

/// What leads have in common. It can never change, because stored leads refer to it.
const DICTIONARY: &[u8] = include_bytes!("dictionary_1.txt");
/// The form of both.
const FORM: u8 = 1;
/// The form, the length of the first text, and that of both.
const HEAD_BYTES: usize = 9;

/// The JSON of a lead and of its score.
pub(super) fn unpack_document(packed: &[u8]) -> Result<(String, String), UpgradeError> {
    let (head, compressed) = head_of(packed)?;
    let text = lz4_flex::block::decompress_with_dict(compressed, head.length, DICTIONARY).ok();
    split(text, head.first, head.length)
}

/// What is kept of a website, and its text.
pub(super) fn unpack_site(packed: &[u8]) -> Result<(String, String), UpgradeError> {
    let (head, compressed) = head_of(packed)?;
    let text = zstd::bulk::decompress(compressed, head.length).ok();
    split(text, head.first, head.length)
}

/// What stands before the compressed bytes.
struct Head {
    first: usize,
    length: usize,
}

fn head_of(packed: &[u8]) -> Result<(Head, &[u8]), UpgradeError> {
    let (head, compressed) = packed.split_at_checked(HEAD_BYTES).ok_or(UpgradeError::Unpacked)?;
    let length = |at: usize| u32::from_le_bytes([head[at], head[at + 1], head[at + 2], head[at + 3]]) as usize;
    let read = Head { first: length(1), length: length(5) };
    if head[0] != FORM || read.first > read.length || read.length > TEXT_BYTES_MAX {
        return Err(UpgradeError::Unpacked);
    }
    Ok((read, compressed))
}
