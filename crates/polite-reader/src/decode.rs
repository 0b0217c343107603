//! Takes compression off, never past the page limit. Whole bodies go through libdeflate, which is
//! two to three times as fast as a streaming decoder; what it cannot take (bombs, cut or
//! many-membered bodies) goes through a streaming one that stops at the limit.

use std::cell::RefCell;
use std::io::{self, Read};

use bytes::Bytes;
use flate2::read::{DeflateDecoder, MultiGzDecoder, ZlibDecoder};
use libdeflater::{DecompressionError, Decompressor};
use memchr::memmem;

use crate::failure::Failure;
use crate::reuse;
use crate::wire::detached;

/// How gzip begins.
const GZIP_MAGIC: [u8; 2] = [0x1f, 0x8b];

/// Bytes that DEFLATE can make of one.
const DEFLATE_RATIO_MAX: usize = 1_032;

/// Bytes a gzip body may claim per byte sent before we stop believing its claim and stream it.
/// Honest pages stay below 1 : 30.
const BELIEVED_RATIO_MAX: usize = 64;

thread_local! {
    static DECOMPRESSOR: RefCell<Decompressor> = RefCell::new(Decompressor::new());
}

/// A body without its compression.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Decoded {
    pub(crate) body: Bytes,
    /// Whether there was, or may have been, more.
    pub(crate) cut: bool,
}

/// A body as it came, compressed where it was.
#[derive(Debug, Clone, Default)]
pub(crate) struct Packed {
    wire: Bytes,
    encoding: Encoding,
    /// Bytes that are kept of it once it is opened.
    limit: usize,
    ending: Ending,
}

/// How the bytes of a body ended.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Ending {
    /// All of it is here.
    #[default]
    Whole,
    /// We stopped at the limit for its size.
    AtLimit,
    /// The memory budget had no more room; another time there may be.
    OutOfMemory,
    /// The sender broke off, or took too long.
    BrokeOff,
}

impl Packed {
    pub(crate) fn new(wire: Bytes, encoding: Encoding, limit: usize) -> Self {
        Self { wire: detached(wire), encoding, limit, ending: Ending::Whole }
    }

    /// The same body, with what is known of its ending.
    pub(crate) fn ended(self, ending: Ending) -> Self {
        Self { ending, ..self }
    }

    pub(crate) fn is_whole(&self) -> bool {
        self.ending == Ending::Whole
    }

    /// Whether another attempt may bring more of it.
    pub(crate) fn broke_off(&self) -> bool {
        self.ending == Ending::BrokeOff
    }

    /// Whether every attempt gives the same bytes, as long as the page does not change.
    pub(crate) fn is_repeatable(&self) -> bool {
        matches!(self.ending, Ending::Whole | Ending::AtLimit)
    }

    pub(crate) fn len(&self) -> usize {
        self.wire.len()
    }

    /// Bytes it may have when opened, at most.
    pub(crate) fn open_bytes_max(&self) -> usize {
        let packed = self.encoding == Encoding::Deflate || self.wire.starts_with(&GZIP_MAGIC);
        let unpacked = if packed { self.wire.len().saturating_mul(DEFLATE_RATIO_MAX) } else { self.wire.len() };
        unpacked.min(self.limit)
    }

    /// Takes the compression off.
    pub(crate) fn open(&self) -> Result<Decoded, Failure> {
        let decoded = decode(self.encoding, self.wire.clone(), self.limit)?;
        Ok(Decoded { cut: decoded.cut || !self.is_whole(), ..decoded })
    }
}

/// Compression as the server named it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Encoding {
    #[default]
    Identity,
    Gzip,
    Deflate,
}

impl Encoding {
    /// Reads a `Content-Encoding` field.
    pub(crate) fn parse(field: &str) -> Result<Self, Failure> {
        match field.trim().to_ascii_lowercase().as_str() {
            "" | "identity" | "none" | "utf-8" => Ok(Self::Identity),
            "gzip" | "x-gzip" => Ok(Self::Gzip),
            "deflate" => Ok(Self::Deflate),
            other => Err(Failure::Encoding(other.chars().take(40).collect())),
        }
    }
}

/// Takes the compression off a body, keeping `limit` bytes at most.
fn decode(encoding: Encoding, wire: Bytes, limit: usize) -> Result<Decoded, Failure> {
    // Servers mislabel both ways; the gzip magic does not lie.
    let gzipped = wire.starts_with(&GZIP_MAGIC);
    match encoding {
        _ if gzipped => gunzip(&wire, limit),
        Encoding::Deflate => inflate(&wire, limit),
        Encoding::Identity | Encoding::Gzip => {
            let kept = wire.len().min(limit);
            Ok(Decoded { body: wire.slice(..kept), cut: wire.len() > limit })
        }
    }
}

fn gunzip(wire: &[u8], limit: usize) -> Result<Decoded, Failure> {
    // The last four bytes say how long the text is, if the sender is honest.
    let claimed = wire.last_chunk::<4>().map_or(0, |tail| u32::from_le_bytes(*tail) as usize);
    let plausible = claimed <= limit && claimed <= wire.len().saturating_mul(BELIEVED_RATIO_MAX);
    if plausible && !may_have_members(wire) {
        let mut out = reuse::buffer(claimed);
        let done = DECOMPRESSOR.with_borrow_mut(|decoder| decoder.gzip_decompress(wire, &mut out));
        match done {
            Ok(length) if length == claimed => return Ok(Decoded { body: reuse::lend(out), cut: false }),
            Ok(_) | Err(DecompressionError::BadData | DecompressionError::InsufficientSpace) => {}
        }
    }
    stream(MultiGzDecoder::new(wire), limit)
}

/// libdeflate stops after the first member; a magic further on may be the start of another.
fn may_have_members(wire: &[u8]) -> bool {
    wire.len() > 18 && memmem::find(&wire[18..], &[0x1f, 0x8b, 0x08]).is_some()
}

/// "deflate" means a zlib stream, but some servers send it without the zlib header.
fn inflate(wire: &[u8], limit: usize) -> Result<Decoded, Failure> {
    stream(ZlibDecoder::new(wire), limit).or_else(|_| stream(DeflateDecoder::new(wire), limit))
}

/// Reads until the limit, the end or the first damage; what came before the damage is kept.
fn stream(decoder: impl Read, limit: usize) -> Result<Decoded, Failure> {
    let mut out = Vec::new();
    let mut limited = decoder.take(limit as u64 + 1);
    let ended: io::Result<usize> = limited.read_to_end(&mut out);
    let cut = out.len() > limit || ended.is_err();
    out.truncate(limit);
    if out.is_empty() && ended.is_err() {
        return Err(Failure::Damaged);
    }
    out.shrink_to_fit();
    Ok(Decoded { body: out.into(), cut })
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

    fn check(encoding: Encoding, wire: Vec<u8>) -> (Vec<u8>, bool) {
        let decoded = decode(encoding, wire.into(), LIMIT).unwrap();
        (decoded.body.to_vec(), decoded.cut)
    }

    #[test]
    fn whole_bodies_come_out_whole_in_every_encoding() {
        let page = text(50_000);
        let mut zlib = ZlibEncoder::new(Vec::new(), Compression::default());
        zlib.write_all(&page).unwrap();
        let mut raw = DeflateEncoder::new(Vec::new(), Compression::default());
        raw.write_all(&page).unwrap();
        let cases = [
            (Encoding::Gzip, gzip(&page)),
            (Encoding::Identity, gzip(&page)), // mislabelled
            (Encoding::Gzip, page.clone()),    // mislabelled the other way
            (Encoding::Identity, page.clone()),
            (Encoding::Deflate, zlib.finish().unwrap()),
            (Encoding::Deflate, raw.finish().unwrap()),
        ];
        for (encoding, wire) in cases {
            assert_eq!(check(encoding, wire), (page.clone(), false), "{encoding:?}");
        }
    }

    #[test]
    fn a_bomb_stops_at_the_limit() {
        let (body, cut) = check(Encoding::Gzip, gzip(&vec![b'a'; 5_000_000]));
        assert_eq!((body.len(), cut), (LIMIT, true));
    }

    #[test]
    fn a_claimed_length_is_not_believed() {
        let page = text(5_000);
        for claim in [0_u32, 1, 4_999, 5_001, 99_999, u32::MAX] {
            let mut wire = gzip(&page);
            let tail = wire.len() - 4;
            wire[tail..].copy_from_slice(&claim.to_le_bytes());
            let (body, _) = check(Encoding::Gzip, wire);
            assert_eq!(body, page, "claimed {claim}");
        }
    }

    #[test]
    fn several_members_are_one_body() {
        let mut wire = gzip(b"first ");
        wire.extend(gzip(b"second"));
        assert_eq!(check(Encoding::Gzip, wire), (b"first second".to_vec(), false));
    }

    #[test]
    fn a_torn_body_gives_what_arrived() {
        let page = text(60_000);
        let mut wire = gzip(&page);
        wire.truncate(wire.len() / 2);
        let (body, cut) = check(Encoding::Gzip, wire);
        assert!(cut && !body.is_empty() && page.starts_with(&body));
    }

    #[test]
    fn noise_after_the_magic_is_damage() {
        assert_eq!(decode(Encoding::Gzip, Bytes::from_static(b"\x1f\x8bnonsense"), LIMIT), Err(Failure::Damaged));
    }

    #[test]
    fn unknown_encodings_are_named() {
        assert_eq!(Encoding::parse("br"), Err(Failure::Encoding("br".into())));
        assert_eq!(Encoding::parse(" GZip "), Ok(Encoding::Gzip));
    }

    proptest::proptest! {
        #![proptest_config(proptest::prelude::ProptestConfig::with_cases(100))]

        #[test]
        fn any_bytes_stay_under_the_limit(
            mut wire in proptest::collection::vec(proptest::prelude::any::<u8>(), 0..600),
            magic in proptest::prelude::any::<bool>(),
            limit in 0_usize..500,
        ) {
            if magic {
                wire.splice(..0, *b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03");
            }
            for encoding in [Encoding::Identity, Encoding::Gzip, Encoding::Deflate] {
                if let Ok(decoded) = decode(encoding, wire.clone().into(), limit) {
                    assert!(decoded.body.len() <= limit);
                }
            }
        }
    }
}
