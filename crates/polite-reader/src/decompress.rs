//! Decompresses bodies, never beyond the page limit. Complete bodies go through libdeflate, which is two to three times as
//! fast as a streaming decoder; what it cannot handle (bombs, truncated or multi-member bodies) goes through a streaming
//! decoder that stops at the limit.

use std::cell::RefCell;
use std::io::{self, Read};

use bytes::Bytes;
use flate2::read::{DeflateDecoder, MultiGzDecoder, ZlibDecoder};
use libdeflater::{DecompressionError, Decompressor};
use memchr::memmem;

use crate::body::detached;
use crate::buffer_pool;
use crate::fetch_error::FetchError;

/// The first bytes of gzip data.
const GZIP_MAGIC: [u8; 2] = [0x1f, 0x8b];

/// The highest compression ratio of DEFLATE.
const DEFLATE_RATIO_MAX: usize = 1_032;

/// Ratio up to which a gzip body's claimed length is trusted; beyond it the body is streamed. Real pages stay below
/// 1 : 30.
const BELIEVED_RATIO_MAX: usize = 64;

thread_local! {
    static DECOMPRESSOR: RefCell<Decompressor> = RefCell::new(Decompressor::new());
}

/// A decompressed body.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PlainBody {
    pub(crate) body: Bytes,
    /// Whether there was, or may have been, more.
    pub(crate) cut: bool,
}

/// A body as received, possibly compressed.
#[derive(Debug, Clone, Default)]
pub(crate) struct CompressedBody {
    raw: Bytes,
    encoding: ContentEncoding,
    /// Bytes kept after decompression.
    limit: usize,
    ending: BodyEnd,
}

/// How receiving a body ended.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum BodyEnd {
    /// Completely.
    #[default]
    Whole,
    /// At the size limit.
    AtLimit,
    /// The memory budget was exhausted; another attempt may get further.
    OutOfMemory,
    /// The sender broke off or took too long.
    BrokeOff,
}

impl CompressedBody {
    pub(crate) fn new(raw: Bytes, encoding: ContentEncoding, limit: usize) -> Self {
        Self { raw: detached(raw), encoding, limit, ending: BodyEnd::Whole }
    }

    /// Sets how receiving it ended.
    pub(crate) fn ended(self, ending: BodyEnd) -> Self {
        Self { ending, ..self }
    }

    pub(crate) fn is_whole(&self) -> bool {
        self.ending == BodyEnd::Whole
    }

    /// Whether another attempt may get more of it.
    pub(crate) fn broke_off(&self) -> bool {
        self.ending == BodyEnd::BrokeOff
    }

    /// Whether every attempt gives the same bytes, as long as the page does not change.
    pub(crate) fn is_repeatable(&self) -> bool {
        matches!(self.ending, BodyEnd::Whole | BodyEnd::AtLimit)
    }

    pub(crate) fn len(&self) -> usize {
        self.raw.len()
    }

    /// Upper bound on its decompressed size.
    pub(crate) fn plain_bytes_max(&self) -> usize {
        let packed = self.encoding == ContentEncoding::Deflate || self.raw.starts_with(&GZIP_MAGIC);
        let unpacked = if packed { self.raw.len().saturating_mul(DEFLATE_RATIO_MAX) } else { self.raw.len() };
        unpacked.min(self.limit)
    }

    pub(crate) fn decompress(&self) -> Result<PlainBody, FetchError> {
        let decoded = decode(self.encoding, self.raw.clone(), self.limit)?;
        Ok(PlainBody { cut: decoded.cut || !self.is_whole(), ..decoded })
    }
}

/// The declared `Content-Encoding`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum ContentEncoding {
    #[default]
    Identity,
    Gzip,
    Deflate,
}

impl ContentEncoding {
    /// Parses a `Content-Encoding` header.
    pub(crate) fn parse(field: &str) -> Result<Self, FetchError> {
        match field.trim().to_ascii_lowercase().as_str() {
            "" | "identity" | "none" | "utf-8" => Ok(Self::Identity),
            "gzip" | "x-gzip" => Ok(Self::Gzip),
            "deflate" => Ok(Self::Deflate),
            other => Err(FetchError::ContentEncoding(other.chars().take(40).collect())),
        }
    }
}

/// Decompresses a body, keeping at most `limit` bytes.
fn decode(encoding: ContentEncoding, raw: Bytes, limit: usize) -> Result<PlainBody, FetchError> {
    // Servers mislabel in both directions; the gzip magic number is reliable.
    let gzipped = raw.starts_with(&GZIP_MAGIC);
    match encoding {
        _ if gzipped => gunzip(&raw, limit),
        ContentEncoding::Deflate => inflate(&raw, limit),
        ContentEncoding::Identity | ContentEncoding::Gzip => {
            let kept = raw.len().min(limit);
            Ok(PlainBody { body: raw.slice(..kept), cut: raw.len() > limit })
        }
    }
}

fn gunzip(raw: &[u8], limit: usize) -> Result<PlainBody, FetchError> {
    // The last four bytes state the uncompressed length, if the sender is honest.
    let claimed = raw.last_chunk::<4>().map_or(0, |tail| u32::from_le_bytes(*tail) as usize);
    let plausible = claimed <= limit && claimed <= raw.len().saturating_mul(BELIEVED_RATIO_MAX);
    if plausible && !may_have_members(raw) {
        let mut out = buffer_pool::buffer(claimed);
        let done = DECOMPRESSOR.with_borrow_mut(|decoder| decoder.gzip_decompress(raw, &mut out));
        match done {
            Ok(length) if length == claimed => return Ok(PlainBody { body: buffer_pool::into_bytes(out), cut: false }),
            Ok(_) | Err(DecompressionError::BadData | DecompressionError::InsufficientSpace) => {}
        }
    }
    stream(MultiGzDecoder::new(raw), limit)
}

/// libdeflate stops after the first member; a magic number further on may start another.
fn may_have_members(raw: &[u8]) -> bool {
    raw.len() > 18 && memmem::find(&raw[18..], &[0x1f, 0x8b, 0x08]).is_some()
}

/// "deflate" means a zlib stream, but some servers omit the zlib header.
fn inflate(raw: &[u8], limit: usize) -> Result<PlainBody, FetchError> {
    stream(ZlibDecoder::new(raw), limit).or_else(|_| stream(DeflateDecoder::new(raw), limit))
}

/// Reads until the limit, the end or the first error, and keeps what came before it.
fn stream(decoder: impl Read, limit: usize) -> Result<PlainBody, FetchError> {
    let mut out = Vec::new();
    let mut limited = decoder.take(limit as u64 + 1);
    let ended: io::Result<usize> = limited.read_to_end(&mut out);
    let cut = out.len() > limit || ended.is_err();
    out.truncate(limit);
    if out.is_empty() && ended.is_err() {
        return Err(FetchError::Damaged);
    }
    out.shrink_to_fit();
    Ok(PlainBody { body: out.into(), cut })
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use flate2::Compression;
    use flate2::write::{DeflateEncoder, GzEncoder, ZlibEncoder};

    use super::*;

    const LIMIT: usize = 100_000;

    fn gzip(text: &[u8]) -> Vec<u8> {
        let mut out = GzEncoder::new(Vec::new(), Compression::default());
        out.write_all(text).unwrap();
        out.finish().unwrap()
    }

    fn text(length: usize) -> Vec<u8> {
        (0..length).map(|at| b"the quick brown fox "[(at * at / 7) % 20]).collect()
    }

    fn check(encoding: ContentEncoding, raw: Vec<u8>) -> (Vec<u8>, bool) {
        let decoded = decode(encoding, raw.into(), LIMIT).unwrap();
        (decoded.body.to_vec(), decoded.cut)
    }

    #[test]
    fn complete_bodies_are_decompressed_in_every_encoding() {
        let page = text(50_000);
        let mut zlib = ZlibEncoder::new(Vec::new(), Compression::default());
        zlib.write_all(&page).unwrap();
        let mut raw = DeflateEncoder::new(Vec::new(), Compression::default());
        raw.write_all(&page).unwrap();
        let cases = [
            (ContentEncoding::Gzip, gzip(&page)),
            (ContentEncoding::Identity, gzip(&page)), // mislabelled
            (ContentEncoding::Gzip, page.clone()),    // mislabelled the other way
            (ContentEncoding::Identity, page.clone()),
            (ContentEncoding::Deflate, zlib.finish().unwrap()),
            (ContentEncoding::Deflate, raw.finish().unwrap()),
        ];
        for (encoding, raw) in cases {
            assert_eq!(check(encoding, raw), (page.clone(), false), "{encoding:?}");
        }
    }

    #[test]
    fn a_bomb_stops_at_the_limit() {
        let (body, cut) = check(ContentEncoding::Gzip, gzip(&vec![b'a'; 5_000_000]));
        assert_eq!((body.len(), cut), (LIMIT, true));
    }

    #[test]
    fn a_claimed_length_is_not_trusted() {
        let page = text(5_000);
        for claim in [0_u32, 1, 4_999, 5_001, 99_999, u32::MAX] {
            let mut raw = gzip(&page);
            let tail = raw.len() - 4;
            raw[tail..].copy_from_slice(&claim.to_le_bytes());
            let (body, _) = check(ContentEncoding::Gzip, raw);
            assert_eq!(body, page, "claimed {claim}");
        }
    }

    #[test]
    fn several_members_are_one_body() {
        let mut raw = gzip(b"first ");
        raw.extend(gzip(b"second"));
        assert_eq!(check(ContentEncoding::Gzip, raw), (b"first second".to_vec(), false));
    }

    #[test]
    fn a_truncated_body_gives_what_arrived() {
        let page = text(60_000);
        let mut raw = gzip(&page);
        raw.truncate(raw.len() / 2);
        let (body, cut) = check(ContentEncoding::Gzip, raw);
        assert!(cut && !body.is_empty() && page.starts_with(&body));
    }

    #[test]
    fn noise_after_the_magic_number_is_an_error() {
        assert_eq!(
            decode(ContentEncoding::Gzip, Bytes::from_static(b"\x1f\x8bnonsense"), LIMIT),
            Err(FetchError::Damaged)
        );
    }

    #[test]
    fn unknown_encodings_are_named_in_the_error() {
        assert_eq!(ContentEncoding::parse("br"), Err(FetchError::ContentEncoding("br".into())));
        assert_eq!(ContentEncoding::parse(" GZip "), Ok(ContentEncoding::Gzip));
    }

    proptest::proptest! {
        #![proptest_config(proptest::prelude::ProptestConfig::with_cases(100))]

        #[test]
        fn any_bytes_stay_under_the_limit(
            mut raw in proptest::collection::vec(proptest::prelude::any::<u8>(), 0..600),
            magic in proptest::prelude::any::<bool>(),
            limit in 0_usize..500,
        ) {
            if magic {
                raw.splice(..0, *b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03");
            }
            for encoding in [ContentEncoding::Identity, ContentEncoding::Gzip, ContentEncoding::Deflate] {
                if let Ok(decoded) = decode(encoding, raw.clone().into(), limit) {
                    assert!(decoded.body.len() <= limit);
                }
            }
        }
    }
}
