//! Merges the people of all pages and decides which of them owns the business.

use rustc_hash::FxHashMap;

use crate::facts::{Evidence, FoundPerson};
use crate::people::mention::{OwnerClaim, PersonMention};
use crate::people::titles;

/// People kept per site.
const PEOPLE_MAX: usize = 500;
/// Owner rank of a person whose ownership rests on more than a title.
const FOUNDER_RANK: u8 = 16;

/// Merges the mentions of all pages: one entry per name, the owner first.
pub(crate) fn merge(mentions: &[(String, PersonMention)]) -> Vec<FoundPerson> {
    let mut found: Vec<(u8, FoundPerson)> = Vec::new();
    let mut places: FxHashMap<(Option<String>, Option<String>), usize> = FxHashMap::default();
    for (url, mention) in mentions {
        let evidence = || Evidence { url: url.clone(), method: mention.method, snippet: mention.snippet.clone() };
        let (claimed, rank) = match mention.claim {
            OwnerClaim::Title => (None, 0),
            OwnerClaim::Founder => (Some("Founder".to_owned()), FOUNDER_RANK),
            OwnerClaim::Namesake => (None, FOUNDER_RANK),
        };
        let title = mention.title.clone().or(claimed);
        let rank = title.as_deref().map_or(0, titles::owner_rank).max(rank);
        let is_full = found.len() >= PEOPLE_MAX;
        let known = places.get(&ends_of(&mention.name)).copied();
        match known.and_then(|place| found.get_mut(place)) {
            Some((known_rank, known)) => {
                if known.title.is_none() || rank > *known_rank {
                    known.title = title.or(known.title.take());
                    known.evidence = evidence();
                }
                *known_rank = rank.max(*known_rank);
                known.email = known.email.take().or_else(|| mention.email.clone());
            }
            None if !is_full => {
                places.insert(ends_of(&mention.name), found.len());
                let (name, email) = (mention.name.clone(), mention.email.clone());
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

/// The first and last word of a name: `Jane Doe` and `Jane A. Doe` are the same person.
fn ends_of(name: &str) -> (Option<String>, Option<String>) {
    let mut words = name.split(' ').map(str::to_lowercase);
    let first = words.next();
    (first, words.next_back())
}
