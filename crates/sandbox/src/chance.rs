//! Chance that is none: the same keys give the same numbers, on every machine and in every run.

/// What a stream of numbers is for, so that one decision never shifts another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u64)]
pub(crate) enum Purpose {
    /// How many businesses a town has.
    Count = 1,
    /// Where a business lies.
    Point,
    /// What a business is like in a listing.
    Listing,
    /// Who owns it.
    Owner,
    /// Its phone number.
    Phone,
    /// What its reviews say.
    Reviews,
    /// How its website is built.
    Site,
    /// What goes wrong with its website.
    Hostility,
    /// What changes at one age.
    Age,
    /// Whether the website is down at one age.
    Outage,
    /// The words of one page.
    Page,
}

/// A stream of numbers that depends on its keys alone (SplitMix64).
#[derive(Debug, Clone)]
pub(crate) struct Chance(u64);

impl Chance {
    /// The stream for a purpose and the thing it is about.
    pub(crate) fn of(seed: u64, purpose: Purpose, keys: &[u64]) -> Chance {
        let mut state = mix(seed ^ (purpose as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15));
        for key in keys {
            state = mix(state ^ key.wrapping_mul(0xD6E8_FEB8_6659_FD93));
        }
        Chance(state)
    }

    /// The next number.
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        mix(self.0)
    }

    /// A number below `limit`; zero when there is none.
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

    /// True in so many cases of a hundred.
    pub(crate) fn percent(&mut self, share: f64) -> bool {
        self.unit() * 100.0 < share
    }

    /// One of the list; the list is never empty.
    pub(crate) fn pick<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.below(list.len())]
    }
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
    fn the_same_keys_give_the_same_numbers_and_others_do_not() {
        let first = |seed, purpose, keys: &[u64]| Chance::of(seed, purpose, keys).next();
        let known = first(1, Purpose::Site, &[2, 3]);
        assert_eq!(known, first(1, Purpose::Site, &[2, 3]));
        for other in
            [first(2, Purpose::Site, &[2, 3]), first(1, Purpose::Age, &[2, 3]), first(1, Purpose::Site, &[3, 2])]
        {
            assert_ne!(known, other);
        }
    }

    #[test]
    fn numbers_stay_in_their_range_and_use_it() {
        let mut chance = Chance::of(7, Purpose::Page, &[]);
        let drawn: Vec<usize> = (0..1_000).map(|_| chance.between(3, 6)).collect();
        assert!((3..=6).all(|number| drawn.contains(&number)) && drawn.iter().all(|number| (3..=6).contains(number)));
        assert_eq!(chance.below(0), 0);
        assert!((0..1_000).all(|_| (0.0..1.0).contains(&chance.unit())));
    }
}
