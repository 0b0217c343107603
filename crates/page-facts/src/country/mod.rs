//! Decides which country's phone numbers a site writes without a country code. Clues of all pages are weighed against
//! each other, because each of them misleads now and then: `lang="en-GB"` is the default of templates that American
//! sites use, and a shop lists the currencies of half the world.

pub(crate) mod cities;
pub(crate) mod endings;
pub(crate) mod names;
pub(crate) mod postcodes;

use rlibphonenumber::Region;

use crate::budget::StepBudget;
use crate::domains::host_of;
use crate::phones::candidates::PARSE_STEPS;
use crate::phones::number::PhoneNumber;

/// Numbers without a country code kept to test a country against.
const SAMPLES_MAX: usize = 6;
/// Countries that are tested against the samples.
const TESTED_MAX: usize = 4;
/// A lead of this many points needs no test.
const CLEAR_LEAD: i32 = 9;
/// Points for a sample that is valid in a country, and the most that samples give.
const SAMPLE_POINTS: (i32, i32) = (4, 12);
/// Points for the United States when nothing else is known; most sites are under a generic domain.
const PRIOR_POINTS: i32 = 2;
/// Points that a number with a leading zero takes from North America, where none has one, and their limit.
const ZERO_POINTS: (i32, i32) = (3, 6);
/// Points from which a country other than the main one is tried as well.
const OTHER_POINTS: i32 = 8;
/// Countries tried besides the main one.
const OTHERS_MAX: usize = 2;

/// Regions of the North American Numbering Plan. A number of any of them has the same form and country code.
const NORTH_AMERICAN: &[Region] = &[
    Region::US,
    Region::CA,
    Region::PR,
    Region::DO,
    Region::JM,
    Region::TT,
    Region::BS,
    Region::BB,
    Region::BM,
    Region::GU,
    Region::VI,
    Region::VG,
    Region::KY,
    Region::TC,
    Region::AG,
    Region::AI,
    Region::AS,
    Region::DM,
    Region::GD,
    Region::KN,
    Region::LC,
    Region::MP,
    Region::MS,
    Region::SX,
    Region::VC,
];

/// Whether a region belongs to the North American Numbering Plan.
pub(crate) fn is_north_american(region: Region) -> bool {
    NORTH_AMERICAN.contains(&region)
}

/// The countries by which numbers without a country code are read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Regions {
    pub(crate) main: Region,
    /// Others that the pages give much evidence for; tried where the main one does not fit.
    pub(crate) others: Vec<Region>,
}

impl Regions {
    /// One country and no others.
    #[cfg(test)]
    pub(crate) fn only(main: Region) -> Regions {
        Regions { main, others: Vec::new() }
    }
}

/// What a clue is. Clues of one kind count up to a limit, so that a footer on every page does not outweigh the rest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Clue {
    /// The country of a postal address, as found by the address finder or given in structured data.
    Address,
    /// A postcode of a country's own form, such as `TX 78701`.
    Postcode,
    /// A number with its country code.
    PlusNumber,
    /// A number of a country's own form, such as `(512) 555-0100`.
    NumberShape,
    /// The top-level domain.
    Ending,
    /// A currency.
    Currency,
    /// The country's name at the end of a line.
    Name,
    /// A large city that the text names.
    City,
    /// The page's `lang`.
    Language,
    /// A script that one country uses, or the language of the words.
    Script,
}

impl Clue {
    /// Points for one clue, and the most that all of its kind give.
    fn points(self) -> (i32, i32) {
        match self {
            Clue::Address => (12, 24),
            Clue::Postcode => (6, 18),
            Clue::PlusNumber => (5, 15),
            Clue::NumberShape => (5, 15),
            Clue::Ending => (10, 10),
            Clue::Currency => (3, 5),
            Clue::Name => (3, 6),
            Clue::City => (3, 6),
            Clue::Language => (1, 5),
            Clue::Script => (5, 5),
        }
    }
}

/// The clues of all pages read so far.
#[derive(Debug, Default)]
pub(crate) struct CountryClues {
    /// Points by country and kind.
    points: Vec<(Region, Clue, i32)>,
    /// Numbers with a leading zero.
    zeros: i32,
    /// Numbers without a country code, as written.
    samples: Vec<String>,
}

impl CountryClues {
    /// Adds one clue.
    pub(crate) fn add(&mut self, region: Region, clue: Clue) {
        self.add_points(region, clue, clue.points().0);
    }

    pub(crate) fn add_points(&mut self, region: Region, clue: Clue, points: i32) {
        // The regions of the North American plan share their numbers, so they stand together.
        let region = if is_north_american(region) { Region::US } else { region };
        let most = clue.points().1;
        match self.points.iter_mut().find(|(known, kind, _)| *known == region && *kind == clue) {
            Some((_, _, sum)) => *sum = (*sum + points).min(most),
            None => self.points.push((region, clue, points.min(most))),
        }
    }

    /// Adds what a page's URL and language say.
    pub(crate) fn add_page(&mut self, url: &str, lang: Option<&str>) {
        if let Some(region) = endings::of_host(host_of(url)) {
            self.add(region, Clue::Ending);
        }
        if let Some((region, points)) = lang.and_then(endings::of_language) {
            // Every page of a site declares the same language: it counts once.
            if !self.points.iter().any(|(known, clue, _)| *known == region && *clue == Clue::Language) {
                self.add_points(region, Clue::Language, points);
            }
        }
    }

    /// Adds the countries of the postal addresses on a page.
    pub(crate) fn add_addresses(&mut self, regions: &[Region]) {
        regions.iter().for_each(|region| self.add(*region, Clue::Address));
    }

    /// Adds a number without a country code as something to test countries against.
    pub(crate) fn add_sample(&mut self, raw: &str) {
        if self.samples.len() < SAMPLES_MAX && !self.samples.iter().any(|known| known == raw) {
            self.samples.push(raw.to_owned());
        }
    }

    /// Notes a number with a leading zero.
    pub(crate) fn add_zero(&mut self) {
        self.zeros += 1;
    }

    /// Whether the text need not be searched for names of countries any more.
    pub(crate) fn is_clear(&self) -> bool {
        let ranking = self.ranking();
        let second = ranking.get(1).map_or(0, |(_, points)| *points);
        ranking.first().is_some_and(|(_, points)| points - second.max(0) >= CLEAR_LEAD)
    }

    /// The countries for numbers without a country code; the listing's country, when given, is the main one.
    pub(crate) fn decide(&self, listing: Option<Region>, budget: &StepBudget) -> Regions {
        let mut ranking = self.ranking();
        if listing.is_none() && !self.is_clear() {
            self.test(&mut ranking, budget);
        }
        let best = ranking.first().filter(|(_, points)| *points > 0).map_or(Region::US, |(region, _)| *region);
        let main = listing.unwrap_or(best);
        let others = ranking
            .into_iter()
            .filter(|(region, points)| {
                *points >= OTHER_POINTS && *region != main && !(is_north_american(main) && is_north_american(*region))
            })
            .map(|(region, _)| region)
            .take(OTHERS_MAX)
            .collect();
        Regions { main, others }
    }

    /// Every country there is a clue for, best first.
    fn ranking(&self) -> Vec<(Region, i32)> {
        let zero = (self.zeros * ZERO_POINTS.0).min(ZERO_POINTS.1);
        let mut ranking = vec![(Region::US, PRIOR_POINTS - zero)];
        for (region, _, points) in &self.points {
            match ranking.iter_mut().find(|(known, _)| known == region) {
                Some((_, sum)) => *sum += points,
                None => ranking.push((*region, *points)),
            }
        }
        // The sort is stable: among equals the United States, then the clue found first.
        ranking.sort_by_key(|(_, points)| std::cmp::Reverse(*points));
        ranking
    }

    /// Gives points to the leading countries for the samples that are valid there.
    fn test(&self, ranking: &mut [(Region, i32)], budget: &StepBudget) {
        for (region, points) in ranking.iter_mut().take(TESTED_MAX) {
            let mut valid = 0;
            for sample in &self.samples {
                if !budget.spend(PARSE_STEPS) {
                    return;
                }
                valid += i32::from(PhoneNumber::parse_national(sample, *region).is_some());
            }
            *points += (valid * SAMPLE_POINTS.0).min(SAMPLE_POINTS.1);
        }
        ranking.sort_by_key(|(_, points)| std::cmp::Reverse(*points));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decide(url: &str, lang: &str, clues: &[(Region, Clue)], samples: &[&str]) -> Region {
        let mut all = CountryClues::default();
        all.add_page(url, Some(lang));
        clues.iter().for_each(|(region, clue)| all.add(*region, *clue));
        samples.iter().for_each(|sample| all.add_sample(sample));
        samples.iter().filter(|sample| sample.starts_with('0')).for_each(|_| all.add_zero());
        all.decide(None, &StepBudget::default()).main
    }

    #[test]
    fn clues_are_weighed() {
        for (url, lang, clues, samples, expect) in [
            ("https://a.com/", "en", &[][..], &[][..], Region::US),
            ("https://a.com/", "en-gb", &[(Region::US, Clue::NumberShape)], &[], Region::US),
            ("https://a.com/", "en-gb", &[(Region::US, Clue::Postcode)], &[], Region::US),
            ("https://a.com/", "en-gb", &[], &["512-555-0100"], Region::US),
            ("https://a.com/", "en-gb", &[], &["020 7946 0958"], Region::GB),
            ("https://a.com/", "en", &[(Region::GB, Clue::Postcode)], &["020 7946 0958"], Region::GB),
            ("https://a.co.uk/", "en-US", &[], &[], Region::GB),
            ("https://a.de/", "en-US", &[], &[], Region::DE),
            ("https://a.com/", "de", &[], &[], Region::DE),
            ("https://a.com/", "de", &[(Region::AT, Clue::Postcode)], &[], Region::AT),
            ("https://a.com/", "fr-CA", &[], &[], Region::US),
            ("https://a.com/", "es-es", &[(Region::MX, Clue::Address)], &["55 5555 0100"], Region::MX),
            // Shown in many currencies, at home in none of them.
            ("https://a.com/", "en", &[(Region::GB, Clue::Currency), (Region::US, Clue::NumberShape)], &[], Region::US),
        ] {
            assert_eq!(decide(url, lang, clues, samples), expect, "{url} {lang} {clues:?} {samples:?}");
        }
    }

    #[test]
    fn the_listing_decides_and_strong_evidence_is_tried_too() {
        let mut clues = CountryClues::default();
        clues.add_page("https://a.de/", Some("de"));
        let regions = clues.decide(Some(Region::AT), &StepBudget::default());
        assert_eq!(regions, Regions { main: Region::AT, others: vec![Region::DE] });
        let regions = clues.decide(None, &StepBudget::default());
        assert_eq!(regions, Regions::only(Region::DE));
    }
}
