//! Deterministic random numbers: the same seed and keys give the same numbers on every machine and in every run.

/// What a stream of numbers is used for, so that one decision never shifts another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u64)]
pub(crate) enum Purpose {
    /// The number of businesses in a town.
    Count = 1,
    /// The location of a business.
    Point,
    /// The listing of a business.
    Listing,
    /// The owner of a business.
    Owner,
    /// The phone number of a business.
    Phone,
    /// The reviews of a business.
    Reviews,
    /// The structure of a website.
    Site,
    /// The misbehaviour of a website.
    Hostility,
    /// What changes at one age.
    Age,
    /// Whether the website is down at one age.
    Outage,
    /// The words of one page.
    Page,
    /// The weather of a website.
    Weather,
}

/// A SplitMix64 generator whose stream depends on its keys alone.
#[derive(Debug, Clone)]
pub(crate) struct Random(u64);

impl Random {
    /// The stream for a purpose and the object it is about.
    pub(crate) fn of(seed: u64, purpose: Purpose, keys: &[u64]) -> Random {
        let mut state = mix(seed ^ (purpose as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15));
        for key in keys {
            state = mix(state ^ key.wrapping_mul(0xD6E8_FEB8_6659_FD93));
        }
        Random(state)
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        mix(self.0)
    }

    /// A number below `limit`; zero when `limit` is zero.
    pub(crate) fn below(&mut self, limit: usize) -> usize {
        ((u128::from(self.next()) * limit as u128) >> 64) as usize
    }

    /// A number of the range, both ends included.
    pub(crate) fn between(&mut self, low: usize, high: usize) -> usize {
        low + self.below(high.saturating_sub(low) + 1)
    }

    /// A number from 0 up to, but not including, 1.
    pub(crate) fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// A number of the standard normal distribution, by the Box-Muller transform.
    pub(crate) fn normal(&mut self) -> f64 {
        // 1 - unit() is never zero, so its logarithm is finite.
        let radius = (-2.0 * (1.0 - self.unit()).ln()).sqrt();
        radius * (std::f64::consts::TAU * self.unit()).cos()
    }

    /// True with a probability of `share` percent.
    pub(crate) fn percent(&mut self, share: f64) -> bool {
        self.unit() * 100.0 < share
    }

    /// One element of a list, which must not be empty.
    pub(crate) fn pick<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.below(list.len())]
    }
}

/// A key made of text, by FNV-1a.
pub(crate) fn key_of(text: &str) -> u64 {
    text.bytes().fold(0xCBF2_9CE4_8422_2325, |key, byte| (key ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01B3))
}

fn mix(mut value: u64) -> u64 {
    value = (value ^ (value >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    value = (value ^ (value >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    value ^ (value >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_keys_yield_the_same_numbers_and_other_keys_do_not() {
        let first = |seed, purpose, keys: &[u64]| Random::of(seed, purpose, keys).next();
        let known = first(1, Purpose::Site, &[2, 3]);
        assert_eq!(known, first(1, Purpose::Site, &[2, 3]));
        for other in
            [first(2, Purpose::Site, &[2, 3]), first(1, Purpose::Age, &[2, 3]), first(1, Purpose::Site, &[3, 2])]
        {
            assert_ne!(known, other);
        }
    }

    #[test]
    fn numbers_stay_in_their_range_and_cover_it() {
        let mut random = Random::of(7, Purpose::Page, &[]);
        let drawn: Vec<usize> = (0..1_000).map(|_| random.between(3, 6)).collect();
        assert!((3..=6).all(|number| drawn.contains(&number)) && drawn.iter().all(|number| (3..=6).contains(number)));
        assert_eq!(random.below(0), 0);
        assert!((0..1_000).all(|_| (0.0..1.0).contains(&random.unit())));
    }
}
