//! How a lead lies in the database: packed, a quarter of the size of its JSON.
//!
//! Most of a lead's JSON is in every other lead as well, so it is compressed against a dictionary of what leads have in common. LZ4,
//! because lists of thousands of leads are read often. What is kept of a website is read rarely and one at a time: that is Zstandard.

use super::upgrade::UpgradeError;

/// What leads have in common. It can never change, because stored leads refer to it; a better one would be another form.
const DICTIONARY: &[u8] = include_bytes!("packed/dictionary_1.txt");
/// The form that documents are packed in.
const DOCUMENT: u8 = 1;
/// The form that websites are packed in.
const SITE: u8 = 1;
/// A higher level saves 1 % and takes twice the time.
const SITE_LEVEL: i32 = 3;
/// The form, the length of the first text, and that of both.
const HEAD_BYTES: usize = 9;
/// No lead is as large. A damaged length must not take the memory.
const TEXT_BYTES_MAX: usize = 64 * 1024 * 1024;

/// Packs the JSON of a lead and of its score.
pub fn pack_document(lead: &str, premium: &str) -> Vec<u8> {
    let text = [lead, premium].concat();
    with_head(DOCUMENT, lead, &text, &lz4_flex::block::compress_with_dict(text.as_bytes(), DICTIONARY))
}

/// The JSON of a lead and of its score.
pub fn unpack_document(packed: &[u8]) -> Result<(String, String), UpgradeError> {
    let (head, compressed) = head_of(packed, DOCUMENT)?;
    let text = lz4_flex::block::decompress_with_dict(compressed, head.length, DICTIONARY);
    split(text.map_err(|_| UpgradeError::Unpacked)?, &head)
}

/// Packs what is kept of a website: what its score was computed from, and its text.
pub fn pack_site(facts: &str, text: Option<&str>) -> Vec<u8> {
    let both = [facts, text.unwrap_or_default()].concat();
    let compressed = zstd::bulk::compress(both.as_bytes(), SITE_LEVEL).expect("memory is written to");
    with_head(SITE, facts, &both, &compressed)
}

/// What is kept of a website.
pub fn unpack_site(packed: &[u8]) -> Result<(String, Option<String>), UpgradeError> {
    let (head, compressed) = head_of(packed, SITE)?;
    let text = zstd::bulk::decompress(compressed, head.length).map_err(|_| UpgradeError::Unpacked)?;
    let (facts, text) = split(text, &head)?;
    Ok((facts, Some(text).filter(|text| !text.is_empty())))
}

/// What stands before the compressed bytes.
struct Head {
    first: usize,
    length: usize,
}

fn with_head(form: u8, first: &str, both: &str, compressed: &[u8]) -> Vec<u8> {
    let length = |text: &str| u32::try_from(text.len()).unwrap_or(u32::MAX).to_le_bytes();
    let mut packed = Vec::with_capacity(HEAD_BYTES + compressed.len());
    packed.push(form);
    packed.extend_from_slice(&length(first));
    packed.extend_from_slice(&length(both));
    packed.extend_from_slice(compressed);
    packed
}

fn head_of(packed: &[u8], form: u8) -> Result<(Head, &[u8]), UpgradeError> {
    let (head, compressed) = packed.split_at_checked(HEAD_BYTES).ok_or(UpgradeError::Unpacked)?;
    let length = |at: usize| u32::from_le_bytes([head[at], head[at + 1], head[at + 2], head[at + 3]]) as usize;
    let read = Head { first: length(1), length: length(5) };
    if head[0] != form || read.first > read.length || read.length > TEXT_BYTES_MAX {
        return Err(UpgradeError::Unpacked);
    }
    Ok((read, compressed))
}

fn split(text: Vec<u8>, head: &Head) -> Result<(String, String), UpgradeError> {
    let mut first = String::from_utf8(text).map_err(|_| UpgradeError::Unpacked)?;
    if first.len() != head.length || !first.is_char_boundary(head.first) {
        return Err(UpgradeError::Unpacked);
    }
    let second = first.split_off(head.first);
    Ok((first, second))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::lead::{LeadJson, sample_lead};

    /// As the first release that packed leads wrote it. Never rewritten: stored leads look like this.
    const FIRST: &str = include_str!("packed/first.hex");

    #[test]
    fn a_lead_packed_by_an_earlier_release_is_read() {
        let packed = hex::decode(FIRST.trim()).unwrap();
        let expected = (LeadJson::of(&sample_lead()).as_str().to_owned(), r#"{"premium_locked":false}"#.to_owned());
        assert_eq!(unpack_document(&packed).unwrap(), expected);
    }

    #[test]
    fn a_lead_is_much_smaller_than_its_json() {
        let json = LeadJson::of(&sample_lead()).as_str().to_owned();
        let packed = pack_document(&json, "{}");
        assert!(packed.len() * 3 < json.len(), "{} of {}", packed.len(), json.len());
    }

    proptest! {
        #[test]
        fn what_is_packed_is_unpacked_and_damage_is_an_error(
            first in ".{0,400}",
            second in ".{0,400}",
            noise in proptest::collection::vec(any::<(proptest::sample::Index, u8)>(), 1..4),
        ) {
            let (document, site) = (pack_document(&first, &second), pack_site(&first, Some(&second)));
            prop_assert_eq!(unpack_document(&document).unwrap(), (first.clone(), second.clone()));
            prop_assert_eq!(unpack_site(&site).unwrap(), (first, Some(second).filter(|text| !text.is_empty())));
            for mut packed in [document, site] {
                let cut = &packed[..noise[0].0.index(packed.len())];
                prop_assert!(unpack_document(cut).is_err() && unpack_site(cut).is_err());
                for (place, byte) in &noise {
                    *place.get_mut(&mut packed) = *byte;
                }
                // Whatever comes of it, it is an answer.
                let _ = (unpack_document(&packed), unpack_site(&packed));
            }
        }
    }
}
