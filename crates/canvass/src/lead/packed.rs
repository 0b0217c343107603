//! How a lead lies in the database: packed, a tenth of the size of its JSON.
//!
//! Most of a lead's JSON is in every other lead as well, and much of what websites say is said by others, so both are compressed
//! with Zstandard against dictionaries of what they have in common. `scripts/lead-dictionaries` makes the dictionaries.

mod compress;
mod earlier;

use compress::{DOCUMENTS, SITES, compress, decompress};

use super::upgrade::UpgradeError;

/// The form that documents and websites are packed in; the first byte.
const FORM: u8 = 2;
/// No lead is as large. A damaged length must not take the memory.
const TEXT_BYTES_MAX: usize = 64 * 1024 * 1024;
/// Bits of a length in each of its bytes; the highest says whether another byte follows.
const LENGTH_BITS: u32 = 7;
/// Bytes of a length, at most.
const LENGTH_BYTES_MAX: u32 = 5;

/// Packs the JSON of a lead and of its score.
pub fn pack_document(lead: &str, premium: &str) -> Vec<u8> {
    pack(lead, premium, |both| compress(both, &DOCUMENTS))
}

/// The JSON of a lead and of its score.
pub fn unpack_document(packed: &[u8]) -> Result<(String, String), UpgradeError> {
    match packed.split_first() {
        Some((&FORM, rest)) => unpack(rest, |compressed, length| decompress(compressed, length, &DOCUMENTS)),
        _ => earlier::unpack_document(packed),
    }
}

/// Packs what is kept of a website: what its score was computed from, and its text.
pub fn pack_site(facts: &str, text: Option<&str>) -> Vec<u8> {
    pack(facts, text.unwrap_or_default(), |both| compress(both, &SITES))
}

/// What is kept of a website.
pub fn unpack_site(packed: &[u8]) -> Result<(String, Option<String>), UpgradeError> {
    let (facts, text) = match packed.split_first() {
        Some((&FORM, rest)) => unpack(rest, |compressed, length| decompress(compressed, length, &SITES))?,
        _ => earlier::unpack_site(packed)?,
    };
    Ok((facts, Some(text).filter(|text| !text.is_empty())))
}

/// Whether a document or a website is packed in the form of an earlier version.
pub(super) fn is_outdated(packed: &[u8]) -> bool {
    packed.first() != Some(&FORM)
}

/// The form, the length of the first text, that of both, and both compressed.
fn pack(first: &str, second: &str, compress: impl Fn(&[u8]) -> Vec<u8>) -> Vec<u8> {
    let both = [first, second].concat();
    let mut packed = vec![FORM];
    write_length(&mut packed, first.len());
    write_length(&mut packed, both.len());
    packed.extend_from_slice(&compress(both.as_bytes()));
    packed
}

fn unpack(
    packed: &[u8],
    decompress: impl Fn(&[u8], usize) -> Option<Vec<u8>>,
) -> Result<(String, String), UpgradeError> {
    let (first, rest) = read_length(packed).ok_or(UpgradeError::Unpacked)?;
    let (length, compressed) = read_length(rest).ok_or(UpgradeError::Unpacked)?;
    // Nothing at all would be taken for the compressed form of an empty text.
    if first > length || length > TEXT_BYTES_MAX || compressed.is_empty() {
        return Err(UpgradeError::Unpacked);
    }
    split(decompress(compressed, length), first, length)
}

/// Both texts, if they are as long as they should be.
fn split(text: Option<Vec<u8>>, first: usize, length: usize) -> Result<(String, String), UpgradeError> {
    let mut both = text.and_then(|text| String::from_utf8(text).ok()).ok_or(UpgradeError::Unpacked)?;
    if both.len() != length || !both.is_char_boundary(first) {
        return Err(UpgradeError::Unpacked);
    }
    let second = both.split_off(first);
    Ok((both, second))
}

/// Seven bits in each byte, the lowest first: two bytes for the length of most leads.
fn write_length(to: &mut Vec<u8>, length: usize) {
    let mut rest = length;
    while rest >= 1 << LENGTH_BITS {
        to.push((rest & 0x7f) as u8 | 0x80);
        rest >>= LENGTH_BITS;
    }
    to.push(rest as u8);
}

/// A length, and what follows it.
fn read_length(bytes: &[u8]) -> Option<(usize, &[u8])> {
    let mut length = 0;
    for (place, byte) in (0..LENGTH_BYTES_MAX).zip(bytes) {
        length |= usize::from(byte & 0x7f) << (place * LENGTH_BITS);
        if byte & 0x80 == 0 {
            return Some((length, &bytes[place as usize + 1..]));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::lead::{LeadJson, sample_lead};

    /// As the versions that packed leads wrote one, the first of them first. Never rewritten: stored leads look like this.
    const WRITTEN: [&str; 2] = [include_str!("packed/first.hex"), include_str!("packed/second.hex")];

    #[test]
    fn a_lead_packed_by_an_earlier_release_is_read() {
        let expected = (LeadJson::of(&sample_lead()).as_str().to_owned(), r#"{"premium_locked":false}"#.to_owned());
        for (form, written) in (1..).zip(WRITTEN) {
            let packed = hex::decode(written.trim()).unwrap();
            assert_eq!((packed[0], unpack_document(&packed).unwrap()), (form, expected.clone()));
            assert_eq!(is_outdated(&packed), form != FORM);
        }
    }

    #[test]
    fn a_lead_is_much_smaller_than_its_json() {
        let json = LeadJson::of(&sample_lead()).as_str().to_owned();
        let packed = pack_document(&json, "{}");
        assert!(packed.len() * 4 < json.len(), "{} of {}", packed.len(), json.len());
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
