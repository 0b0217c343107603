//! Merges the people of all pages and decides which of them owns the business.

use rustc_hash::FxHashMap;

use crate::facts::{Evidence, FoundPerson};
use crate::people::mention::{OwnerClaim, PersonMention};
use crate::people::owners::{self, FOUNDER_RANK, SURE_RANK};
use crate::people::ownership::OwnerClue;
use crate::people::ownership::persons::{begins_with, ends_of};
use crate::people::ownership::weigh::{self, Owner, Weighing};
use crate::people::titles;
use crate::site::Site;

/// People kept per site.
const PEOPLE_MAX: usize = 500;
/// Longest of the words that tell people of one name apart, in bytes.
const SUFFIX_BYTES_MAX: usize = 3;

/// Merges the mentions of all pages: one entry per name, the owner first. `clues` may make somebody the owner whom nothing
/// else presents.
pub(crate) fn merge(
    mentions: &[(String, PersonMention)],
    clues: &[(String, OwnerClue)],
    site: &Site,
) -> Vec<FoundPerson> {
    let mut found = by_name(mentions);
    let weighing = Weighing::new(clues, site);
    disown(&mut found);
    weighing.disown(&mut found);
    found.sort_by_key(|(rank, _)| std::cmp::Reverse(*rank));
    let candidates = weighing.candidates(&found);
    let owner = weigh::owner(&found, &candidates);
    let mut people: Vec<FoundPerson> = found.into_iter().map(|(_, person)| person).collect();
    match owner {
        Some(Owner::Found(place)) => people[..=place].rotate_right(1),
        Some(Owner::Pointed(candidate)) => people.insert(0, candidate.person()),
        None => return people,
    }
    people[0].is_owner = true;
    people
}

/// One entry per name, each with the rank of the most likely of its owner's titles.
fn by_name(mentions: &[(String, PersonMention)]) -> Vec<(u8, FoundPerson)> {
    let mut found: Vec<(u8, FoundPerson)> = Vec::new();
    let mut places: FxHashMap<(Option<String>, Option<String>), usize> = FxHashMap::default();
    for (url, mention) in mentions {
        let evidence = || Evidence { url: url.clone(), method: mention.method, snippet: mention.snippet.clone() };
        let (claimed, rank) = match mention.claim {
            OwnerClaim::Title | OwnerClaim::OneOfSeveral => (None, 0),
            OwnerClaim::Founder => (Some("Founder".to_owned()), FOUNDER_RANK),
        };
        let title = mention.title.clone().or(claimed);
        let of_title = title.as_deref().map_or(0, owners::rank);
        let is_shared = mention.claim == OwnerClaim::OneOfSeveral && of_title < SURE_RANK;
        let rank = if is_shared { 0 } else { of_title.max(rank) };
        let is_full = found.len() >= PEOPLE_MAX;
        let known = places.get(&ends_of(&mention.name)).copied();
        let known =
            known.or_else(|| found.iter().position(|(_, person)| has_surname_more(&person.name, &mention.name)));
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
    found
}

/// Gives those whom a page names twice, once with all of their surnames, the longer name.
pub(super) fn complete_names(people: &mut [PersonMention]) {
    for at in 0..people.len() {
        let name = &people[at].name;
        let is_longer = |other: &&PersonMention| other.name.len() > name.len() && has_surname_more(&other.name, name);
        if let Some(longer) = people.iter().find(is_longer).map(|other| other.name.clone()) {
            people[at].name = longer;
        }
    }
}

/// `Ana Ruiz Soto` and `Ana Ruiz`: one of the names has another surname, as many have in Spanish and Portuguese.
fn has_surname_more(one: &str, other: &str) -> bool {
    let (long, short) = if one.len() > other.len() { (one, other) } else { (other, one) };
    let more = long.get(short.len() + 1..).unwrap_or("");
    // `Jr` and `III` tell a son from his father; `Ana Ruiz Ostéopathe` is a name and a title.
    begins_with(long, short)
        && more.len() > SUFFIX_BYTES_MAX
        && !more.contains(' ')
        && !titles::is_title_word(&more.to_lowercase())
}

/// Heads of schools and of boards own nothing: a principal among teachers, a president beside a treasurer and a secretary.
fn disown(found: &mut [(u8, FoundPerson)]) {
    let has = |wanted: &[&str]| {
        found.iter().any(|(_, person)| {
            let title = person.title.as_deref().unwrap_or("").to_lowercase();
            wanted.iter().any(|word| title.contains(word))
        })
    };
    let is_officer = |wanted: &str| {
        let is_one = |title: &str| title.get(..wanted.len()).is_some_and(|start| start.eq_ignore_ascii_case(wanted));
        found.iter().any(|(_, person)| person.title.as_deref().is_some_and(is_one))
    };
    let is_school = has(&["teacher", "assistant principal", "vice principal", "grade"]);
    let is_board = is_officer("Treasurer") && is_officer("Secretary");
    for (rank, person) in found.iter_mut() {
        let title = person.title.as_deref().unwrap_or("").to_lowercase();
        let is_head = (is_school && title.ends_with("principal")) || (is_board && title.ends_with("president"));
        if is_head && *rank < SURE_RANK {
            *rank = 0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_surname_is_no_title_and_tells_nobody_apart() {
        assert!(has_surname_more("Ana Ruiz Soto", "Ana Ruiz") && has_surname_more("Ana Ruiz", "Ana Ruiz Soto"));
        for other in ["Ana Ruiz Ostéopathe", "Ana Ruiz III", "Ana Ruiz de Soto", "Ana Ruizo", "Ana Ruiz"] {
            assert!(!has_surname_more(other, "Ana Ruiz"), "{other}");
        }
        assert!(!has_surname_more("Ana Ruiz", "Ana"));
    }
}
