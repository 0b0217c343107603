//! Puts the people of all pages together, and says which of them owns the business.

use rustc_hash::FxHashMap;

use crate::facts::{Evidence, FoundPerson};
use crate::people::{Claim, Sighting, titles};

/// People kept of one site.
const PEOPLE_MAX: usize = 500;
/// How near to owning the business somebody is whom more than a title makes its owner.
const FOUNDER_RANK: u8 = 16;

/// Puts the sightings of all pages together: one entry a name, the owner first.
pub(crate) fn merge(sightings: &[(String, Sighting)]) -> Vec<FoundPerson> {
    let mut found: Vec<(u8, FoundPerson)> = Vec::new();
    let mut places: FxHashMap<(Option<String>, Option<String>), usize> = FxHashMap::default();
    for (url, sighting) in sightings {
        let evidence = || Evidence { url: url.clone(), method: sighting.method, snippet: sighting.snippet.clone() };
        let (claimed, rank) = match sighting.claim {
            Claim::Title => (None, 0),
            Claim::Founder => (Some("Founder".to_owned()), FOUNDER_RANK),
            Claim::Namesake => (None, FOUNDER_RANK),
        };
        let title = sighting.title.clone().or(claimed);
        let rank = title.as_deref().map_or(0, titles::owner_rank).max(rank);
        let is_full = found.len() >= PEOPLE_MAX;
        let known = places.get(&ends_of(&sighting.name)).copied();
        match known.and_then(|place| found.get_mut(place)) {
            Some((known_rank, known)) => {
                if known.title.is_none() || rank > *known_rank {
                    known.title = title.or(known.title.take());
                    known.evidence = evidence();
                }
                *known_rank = rank.max(*known_rank);
                known.email = known.email.take().or_else(|| sighting.email.clone());
            }
            None if !is_full => {
                places.insert(ends_of(&sighting.name), found.len());
                let (name, email) = (sighting.name.clone(), sighting.email.clone());
                found.push((rank, FoundPerson { name, title, is_owner: false, email, evidence: evidence() }));
            }
            None => {}
        }
    }
    found.sort_by_key(|(rank, _)| std::cmp::Reverse(*rank));
    if let Some((rank, first)) = found.first_mut() {
        first.is_owner = *rank > 0;
    }
    found.into_iter().map(|(_, person)| person).collect()
}

/// The first and the last word of a name: `Jane Doe` and `Jane A. Doe` are the same person.
fn ends_of(name: &str) -> (Option<String>, Option<String>) {
    let mut words = name.split(' ').map(str::to_lowercase);
    let first = words.next();
    (first, words.next_back())
}
