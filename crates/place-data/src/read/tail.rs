//! The bytes of a file's metadata: its footer and, where it has them, its page indexes.

use bytes::Bytes;
use parquet::errors::ParquetError;
use parquet::file::metadata::ParquetMetaDataPushDecoder;

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
