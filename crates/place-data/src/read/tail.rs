//! The bytes of a file's metadata: its footer and, where it has them, its page indexes.

use bytes::Bytes;
use parquet::errors::ParquetError;
use parquet::file::metadata::ParquetMetaDataPushDecoder;

use crate::soundness::{FOOTER_END_BYTES, footer_start};

/// Parts of a file from which its metadata can be decoded.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Tail {
    /// The size of the whole file.
    pub(super) size: u64,
    /// Position and content.
    pub(super) parts: Vec<(u64, Bytes)>,
}

impl Tail {
    /// A decoder that knows these parts.
    pub(super) fn decoder(&self) -> Result<ParquetMetaDataPushDecoder, ParquetError> {
        self.push_into(ParquetMetaDataPushDecoder::try_new(self.size)?)
    }

    /// A decoder, now with these parts.
    pub(super) fn push_into(
        &self,
        mut decoder: ParquetMetaDataPushDecoder,
    ) -> Result<ParquetMetaDataPushDecoder, ParquetError> {
        for (start, bytes) in &self.parts {
            decoder.push_range(*start..*start + bytes.len() as u64, bytes.clone())?;
        }
        Ok(decoder)
    }

    /// The bytes of the footer, if they are among the parts.
    pub(super) fn footer(&self) -> Option<Bytes> {
        let end = self.size.checked_sub(FOOTER_END_BYTES)?;
        let ending = self.range(end, self.size)?;
        self.range(footer_start(self.size, ending.as_ref().try_into().ok()?), end)
    }

    /// A part of the file, if it is known.
    pub(super) fn range(&self, from: u64, to: u64) -> Option<Bytes> {
        self.parts.iter().find_map(|(start, bytes)| {
            let from = usize::try_from(from.checked_sub(*start)?).ok()?;
            let to = usize::try_from(to - start).ok().filter(|to| *to <= bytes.len())?;
            Some(bytes.slice(from..to))
        })
    }

    /// The parts as one piece, for a cache: the size, then each part behind its position and its length.
    pub(super) fn to_bytes(&self) -> Vec<u8> {
        let mut all = self.size.to_le_bytes().to_vec();
        for (start, bytes) in &self.parts {
            all.extend_from_slice(&start.to_le_bytes());
            all.extend_from_slice(&(bytes.len() as u64).to_le_bytes());
            all.extend_from_slice(bytes);
        }
        all
    }

    /// What was written so; `None` for anything else.
    pub(super) fn parse(bytes: &Bytes) -> Option<Tail> {
        let size = number(bytes, 0)?;
        let (mut rest, mut parts) = (bytes.slice(8..), Vec::new());
        while !rest.is_empty() {
            let (start, length) = (number(&rest, 0)?, usize::try_from(number(&rest, 8)?).ok()?);
            let end = length.checked_add(16).filter(|end| *end <= rest.len())?;
            if start.checked_add(length as u64)? > size {
                return None;
            }
            parts.push((start, rest.slice(16..end)));
            rest = rest.slice(end..);
        }
        Some(Tail { size, parts })
    }
}

fn number(bytes: &[u8], at: usize) -> Option<u64> {
    Some(u64::from_le_bytes(bytes.get(at..at + 8)?.try_into().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_footer_is_found_in_the_parts() {
        let file = Bytes::from_static(b"PAR1....FOOT\x04\0\0\0PAR1");
        let tail = |parts| Tail { size: file.len() as u64, parts };
        assert_eq!(tail(vec![(6, file.slice(6..))]).footer().as_deref(), Some(b"FOOT".as_slice()));
        assert_eq!(
            tail(vec![(12, file.slice(12..)), (0, file.slice(..12))]).footer().as_deref(),
            Some(b"FOOT".as_slice())
        );
        assert_eq!(tail(vec![(12, file.slice(12..))]).footer(), None, "it is not fetched yet");
        assert_eq!(Tail { size: 3, parts: Vec::new() }.footer(), None);
    }

    #[test]
    fn parts_come_back_as_they_were_kept() {
        let tail =
            Tail { size: 100, parts: vec![(90, Bytes::from_static(b"0123456789")), (40, Bytes::from_static(b"abc"))] };
        let kept = Bytes::from(tail.to_bytes());
        assert_eq!(Tail::parse(&kept), Some(tail));
        for cut in [0, 7, 9, 30, kept.len() - 1] {
            assert_eq!(Tail::parse(&kept.slice(..cut)), None, "{cut}");
        }
    }
}
