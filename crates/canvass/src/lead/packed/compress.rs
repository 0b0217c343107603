//! Zstandard with a dictionary, and one context for each thread: making one takes longer than a lead.

use std::cell::RefCell;
use std::sync::LazyLock;

use zstd::bulk::{Compressor, Decompressor};
use zstd::dict::{DecoderDictionary, EncoderDictionary};
use zstd::zstd_safe::CParameter;

/// Level 9 saves another 3 %, and takes nearly twice as long.
const LEVEL: i32 = 6;

/// What leads have in common, and what websites have. They can never change, because what is stored refers to them.
pub(super) static DOCUMENTS: LazyLock<Dictionary> =
    LazyLock::new(|| Dictionary::of(include_bytes!("documents_2.dictionary")));
pub(super) static SITES: LazyLock<Dictionary> = LazyLock::new(|| Dictionary::of(include_bytes!("sites_2.dictionary")));

thread_local! {
    static COMPRESSOR: RefCell<Compressor<'static>> = RefCell::new(compressor());
    static DECOMPRESSOR: RefCell<Decompressor<'static>> = RefCell::new(Decompressor::default());
}

/// A dictionary, prepared for both directions.
pub(super) struct Dictionary {
    encoder: EncoderDictionary<'static>,
    decoder: DecoderDictionary<'static>,
}

impl Dictionary {
    fn of(bytes: &'static [u8]) -> Dictionary {
        Dictionary { encoder: EncoderDictionary::copy(bytes, LEVEL), decoder: DecoderDictionary::copy(bytes) }
    }
}

/// Without what is known anyway: which dictionary, and how long the text is.
fn compressor() -> Compressor<'static> {
    let mut compressor = Compressor::new(LEVEL).expect("the level exists");
    for flag in [CParameter::DictIdFlag(false), CParameter::ContentSizeFlag(false)] {
        compressor.set_parameter(flag).expect("the flag exists");
    }
    compressor
}

pub(super) fn compress(text: &[u8], dictionary: &'static Dictionary) -> Vec<u8> {
    COMPRESSOR.with_borrow_mut(|compressor| {
        compressor.set_prepared_dictionary(&dictionary.encoder).expect("no compression is under way");
        compressor.compress(text).expect("memory is written to")
    })
}

/// A text of this length. `None` when it is damaged, or longer.
pub(super) fn decompress(compressed: &[u8], length: usize, dictionary: &'static Dictionary) -> Option<Vec<u8>> {
    let mut text = Vec::with_capacity(length);
    DECOMPRESSOR.with_borrow_mut(|decompressor| {
        decompressor.set_prepared_dictionary(&dictionary.decoder).ok()?;
        decompressor.decompress_to_buffer(compressed, &mut text).ok()
    })?;
    Some(text)
}
