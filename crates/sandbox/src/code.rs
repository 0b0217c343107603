//! Short codes of businesses. A code encodes town, trade and number, scrambled by the seed, so that the business can be
//! generated again from its code, and a code of another world means nothing here.

use std::collections::HashMap;
use std::sync::OnceLock;

use places::Category;

/// Characters of a code: 64 bits, five per character.
pub(crate) const CODE_CHARS: usize = 13;

/// Digits and letters allowed in host names, without those that look alike.
const ALPHABET: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";

const FIRST_FACTOR: u64 = 0x9FB2_1C65_1E98_DF25;
const SECOND_FACTOR: u64 = 0xD6E8_FEB8_6659_FD93;

/// Identifies a business of the world.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Key {
    pub(crate) town: u32,
    pub(crate) trade: u16,
    /// The number within town and trade, from zero.
    pub(crate) number: u16,
}

impl Key {
    /// The code of this business in the world with this seed.
    pub(crate) fn code(self, seed: u64) -> String {
        let plain = (u64::from(self.town) << 32) | (u64::from(self.trade) << 16) | u64::from(self.number);
        let mut bits = u128::from(scramble(plain ^ scramble(seed)));
        let mut code = [0u8; CODE_CHARS];
        for place in code.iter_mut().rev() {
            *place = ALPHABET[(bits & 31) as usize];
            bits >>= 5;
        }
        code.iter().map(|byte| char::from(*byte)).collect()
    }

    /// Parses a code; `None` when it is not valid.
    pub(crate) fn read(code: &str, seed: u64) -> Option<Key> {
        if code.len() != CODE_CHARS {
            return None;
        }
        let mut bits = 0u128;
        for byte in code.bytes() {
            let digit = ALPHABET.iter().position(|letter| *letter == byte)?;
            bits = (bits << 5) | digit as u128;
        }
        let plain = unscramble(u64::try_from(bits).ok()?) ^ scramble(seed);
        Some(Key { town: (plain >> 32) as u32, trade: (plain >> 16) as u16, number: plain as u16 })
    }

    /// The keys of random streams about this business.
    pub(crate) fn keys(self) -> [u64; 3] {
        [u64::from(self.town), u64::from(self.trade), u64::from(self.number)]
    }
}

fn scramble(value: u64) -> u64 {
    let value = value.wrapping_mul(FIRST_FACTOR);
    let value = (value ^ (value >> 32)).wrapping_mul(SECOND_FACTOR);
    value ^ (value >> 32)
}

fn unscramble(value: u64) -> u64 {
    let value = (value ^ (value >> 32)).wrapping_mul(inverse(SECOND_FACTOR));
    (value ^ (value >> 32)).wrapping_mul(inverse(FIRST_FACTOR))
}

/// The multiplicative inverse of an odd number, by Newton's method: each round doubles the number of correct bits.
const fn inverse(odd: u64) -> u64 {
    let mut guess = odd;
    let mut round = 0;
    while round < 6 {
        guess = guess.wrapping_mul(2u64.wrapping_sub(odd.wrapping_mul(guess)));
        round += 1;
    }
    guess
}

/// Index of trades in both directions.
struct Trades {
    by_key: HashMap<u16, &'static Category>,
    by_slug: HashMap<&'static str, u16>,
}

/// Keys are derived from the slug, not from the position in the list, so that a new trade does not change existing codes.
static TRADES: OnceLock<Trades> = OnceLock::new();

fn trades() -> &'static Trades {
    TRADES.get_or_init(|| {
        let mut all: Vec<&'static Category> = places::categories().iter().collect();
        all.sort_by_key(|category| category.slug);
        let mut trades = Trades { by_key: HashMap::new(), by_slug: HashMap::new() };
        for category in all {
            let mut key = hash(category.slug);
            while trades.by_key.contains_key(&key) {
                key = key.wrapping_add(1);
            }
            trades.by_key.insert(key, category);
            trades.by_slug.insert(category.slug, key);
        }
        trades
    })
}

pub(crate) fn trade_key(category: &Category) -> u16 {
    trades().by_slug.get(category.slug).copied().unwrap_or_else(|| hash(category.slug))
}

pub(crate) fn trade_of(key: u16) -> Option<&'static Category> {
    trades().by_key.get(&key).copied()
}

/// FNV-1a, folded to sixteen bits.
fn hash(slug: &str) -> u16 {
    let whole = slug.bytes().fold(0x811C_9DC5u32, |sum, byte| (sum ^ u32::from(byte)).wrapping_mul(0x0100_0193));
    ((whole >> 16) ^ (whole & 0xFFFF)) as u16
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_valid_in_their_own_world_only() {
        for town in [0, 1, 4_671_654, u32::MAX] {
            let key = Key { town, trade: 513, number: 65_535 };
            let code = key.code(42);
            assert_eq!((code.len(), Key::read(&code, 42)), (CODE_CHARS, Some(key)));
            assert_ne!(Key::read(&code, 43), Some(key));
        }
    }

    #[test]
    fn invalid_codes_are_rejected() {
        for text in ["", "short", "zzzzzzzzzzzzz", "ABCDEFGHJKMNP", "0000000000000000", "ééééééé", "00000000000 0"]
        {
            assert_eq!(Key::read(text, 1).filter(|key| key.code(1) != text), None, "{text}");
        }
    }

    #[test]
    fn every_trade_has_a_unique_key() {
        for category in places::categories() {
            assert_eq!(trade_of(trade_key(category)).map(|found| found.slug), Some(category.slug));
        }
    }
}
