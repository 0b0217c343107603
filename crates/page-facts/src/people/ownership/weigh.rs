//! Decides which person owns the business: titles and clues of all pages are added up, and the leader must be clear.

use rustc_hash::FxHashMap;

use crate::explain;
use crate::facts::{Evidence, FoundPerson, Method};
use crate::finders::Finder;
use crate::people::owners::{OWNER_RANK, SURE_RANK};
use crate::people::ownership::persons::ends_of;
use crate::people::ownership::{Clue, OwnerClue};
use crate::site::Site;
use crate::word_set::WordSet;

/// Clues of a site that are weighed.
const SITE_CLUES_MAX: usize = 2_000;
/// Points from which on somebody is believed to own the business.
const POINTS_MIN: i32 = 40;
/// The most that clues give to somebody without an owner's title: less than a founder's title.
const CLUES_MAX: i32 = 63;
/// The most that they add to such a title: less than the difference between an owner and a founder.
const BESIDE_TITLE_MAX: i32 = 3;
/// Points by which somebody without such a title must lead.
const LEAD_MIN: i32 = 8;
/// Points that the title of somebody who works for others takes.
const SUBORDINATE_POINTS: i32 = -24;
/// The most points of whoever left or sold the business, also beside an owner's title.
const LEFT_POINTS: i32 = -40;
/// People with titles from which on a business is too large for clues short of a statement.
const TEAM_MAX: usize = 10;

/// Words of titles of those who work for others.
static SUBORDINATES: WordSet = WordSet::new(
    "manager chief assistant associate counsel receptionist coordinator apprentice intern agent representative clerk secretary trainee
     student junior teacher principal professor editor reporter author minister pastor reverend rabbi",
);
/// The same unless a sentence says that they own it.
static DIRECTORS: WordSet = WordSet::new("director direktor direktorin dean head");
/// Words in the names of what nobody owns.
const PUBLIC: &[&str] = &[
    "church",
    "ministries",
    "parish",
    "diocese",
    "university",
    "elementary",
    "high school",
    "middle school",
    "public school",
    "school district",
    "public library",
    "city of ",
    "county of ",
    "town of ",
    "village of ",
    "township",
    "chamber of commerce",
    "rotary",
    "historical society",
    "ministry of ",
    "department of ",
    "association",
    "federation",
    "museum",
    "orchestra",
    "symphony",
    "foundation",
    "humane society",
    "food bank",
    "animal shelter",
    " rescue",
    " league",
    "football club",
    "soccer",
    "rugby",
    "cricket club",
    "youth ",
    " scouts",
    "feuerwehr",
    "verein",
    " choir",
    "baptist",
    "lutheran",
    "methodist",
    "presbyterian",
    "catholic",
    "episcopal",
];

/// Domains of what nobody owns.
const PUBLIC_ENDINGS: &[&str] = &[".edu", ".gov", ".mil", ".ac.uk", ".gov.uk"];

/// The first and last word of a name.
type Ends = (Option<String>, Option<String>);

/// Adds up the clues of a site.
pub(crate) struct Weighing<'c> {
    clues: Vec<(&'c str, &'c OwnerClue)>,
    /// Whether the business's name is that of something that nobody owns.
    is_public: bool,
    /// Whether it is that of a school, whose principal is its head.
    is_school: bool,
}

/// Somebody who may own the business.
pub(crate) struct Candidate<'c> {
    pub(crate) name: &'c str,
    pub(crate) points: i32,
    /// The title that the strongest clue implies.
    pub(crate) title: Option<&'static str>,
    /// The page and the text of that clue.
    pub(crate) evidence: (&'c str, &'c str),
    is_stated: bool,
}

impl Candidate<'_> {
    /// The person as reported: nothing else presents them.
    pub(crate) fn person(&self) -> FoundPerson {
        let (url, snippet) = self.evidence;
        FoundPerson {
            name: self.name.to_owned(),
            title: self.title.map(str::to_owned),
            is_owner: false,
            email: None,
            evidence: Evidence { url: url.to_owned(), method: Method::Text, snippet: snippet.to_owned() },
        }
    }
}

impl<'c> Weighing<'c> {
    /// The clues of all pages, each with its page.
    pub(crate) fn new(clues: &'c [(String, OwnerClue)], site: &Site) -> Weighing<'c> {
        let name = site.business().unwrap_or("").to_lowercase();
        let domain = site.domain.as_deref().unwrap_or("");
        let is_public = PUBLIC.iter().any(|words| name.contains(words))
            || PUBLIC_ENDINGS.iter().any(|ending| domain.ends_with(ending));
        let is_school = name.contains("school");
        Weighing { clues: clues.iter().map(|(url, clue)| (url.as_str(), clue)).collect(), is_public, is_school }
    }

    /// Takes the rank of all but owners where nobody owns anything: founders, presidents, principals.
    pub(crate) fn disown(&self, found: &mut [(u8, FoundPerson)]) {
        let is_principal = |title: &Option<String>| title.as_deref().is_some_and(|title| title.ends_with("rincipal"));
        if self.is_school {
            found.iter_mut().filter(|(_, person)| is_principal(&person.title)).for_each(|(rank, _)| *rank = 0);
        }
        if self.is_public {
            found.iter_mut().filter(|(rank, _)| *rank + 1 < OWNER_RANK).for_each(|(rank, _)| *rank = 0);
        }
    }

    /// Everyone whom clues speak for or against, `found` being those whom finders reported with their ranks.
    pub(crate) fn candidates(&self, found: &[(u8, FoundPerson)]) -> Vec<Candidate<'c>> {
        let mut places: FxHashMap<Ends, usize> = FxHashMap::default();
        let mut people: Vec<Vec<(&'c str, &'c OwnerClue)>> = Vec::new();
        for (url, clue) in self.clues.iter().take(SITE_CLUES_MAX) {
            let place = *places.entry(ends_of(&clue.name)).or_insert(people.len());
            if place == people.len() {
                people.push(Vec::new());
            }
            people[place].push((url, clue));
        }
        let others = found.iter().filter(|(_, person)| !places.contains_key(&ends_of(&person.name))).count();
        let titled = found.iter().filter(|(_, person)| person.title.is_some()).count();
        let is_active = |clues: &&Vec<(&str, &OwnerClue)>| clues.iter().any(|(_, clue)| clue.clue.is_active());
        let active: Vec<&Vec<(&str, &OwnerClue)>> = people.iter().filter(is_active).collect();
        let is_pair = match (&people[..], &active[..]) {
            ([one, two], _) => are_partners(one, two),
            (_, [one, two]) => are_partners(one, two),
            _ => false,
        };
        let around = match &people[..] {
            [_] if others == 0 => Others::None,
            _ if others == 0 && is_pair => Others::Partner,
            _ if titled >= TEAM_MAX => Others::Many,
            _ => Others::Some,
        };
        // Of several whom a page presents none is whom it is about, unless they are a couple.
        for kind in [Clue::Presented, Clue::Described, Clue::Opening] {
            let has = |clues: &&Vec<(&str, &OwnerClue)>| clues.iter().any(|(_, clue)| clue.clue == kind);
            let names: Vec<&str> = people.iter().filter(has).map(|clues| clues[0].1.name.as_str()).collect();
            if !is_one_or_couple(&names) {
                people.iter_mut().for_each(|clues| clues.retain(|(_, clue)| clue.clue != kind));
            }
        }
        people.iter().filter_map(|clues| self.candidate(clues, around)).collect()
    }

    /// Adds up the clues of one person.
    fn candidate(&self, mine: &[(&'c str, &'c OwnerClue)], others: Others) -> Option<Candidate<'c>> {
        let name = mine.first()?.1.name.as_str();
        let mut sums: Vec<(Clue, i32)> = Vec::new();
        for (_, clue) in mine {
            let (points, most) = clue.clue.points();
            match sums.iter_mut().find(|(known, _)| *known == clue.clue) {
                Some((_, sum)) if points > 0 => *sum = (*sum + points).min(most),
                Some(_) => {}
                None => sums.push((clue.clue, points)),
            }
        }
        let states = |(clue, _): &(Clue, i32)| matches!(clue, Clue::Stated | Clue::Provider | Clue::NamePartner);
        let is_stated = others == Others::Partner || sums.iter().any(states);
        if matches!(others, Others::None | Others::Partner) {
            sums.push((Clue::Alone, Clue::Alone.points().0));
            Clue::Alone.explain(name);
        }
        let best = mine.iter().max_by_key(|(_, clue)| (clue.clue.points().0, clue.title.is_some()));
        let evidence = best.map_or(("", ""), |(url, clue)| (*url, clue.snippet.as_str()));
        let title = mine.iter().find_map(|(_, clue)| clue.title.filter(|_| clue.clue == Clue::Stated));
        let points: i32 = sums.iter().map(|(_, points)| points).sum();
        // Whoever left does not own it, however much else is said of them.
        let has_left = sums.iter().any(|(clue, _)| matches!(clue, Clue::Left | Clue::Superseded));
        let points = if has_left { points.min(LEFT_POINTS) } else { points };
        let is_active = sums.iter().any(|(clue, _)| clue.is_active());
        let is_refused = self.is_public || !is_active || (others == Others::Many && !is_stated);
        Some(Candidate { name, points: if is_refused { points.min(0) } else { points }, title, evidence, is_stated })
    }
}

/// Who else a site names.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Others {
    None,
    /// Nobody but somebody who did the same: `Ann and Bob Lee turned their hobby into a business`.
    Partner,
    Some,
    /// So many that the business is large.
    Many,
}

/// Whether names are of one person, or of two who share a surname.
fn is_one_or_couple(names: &[&str]) -> bool {
    let surname = |name: &str| name.rsplit(' ').next().map(str::to_lowercase);
    match names {
        [_] => true,
        [one, two] => surname(one) == surname(two),
        _ => false,
    }
}

/// Whether one sentence says of two people that they have a business.
fn are_partners(one: &[(&str, &OwnerClue)], two: &[(&str, &OwnerClue)]) -> bool {
    let is_shared = |one: &OwnerClue, other: &OwnerClue| {
        one.clue == other.clue
            && matches!(one.clue, Clue::Own | Clue::Leads | Clue::Presented | Clue::Signed)
            && one.snippet == other.snippet
    };
    one.iter().any(|(_, clue)| two.iter().any(|(_, other)| is_shared(clue, other)))
}

/// Who owns the business.
pub(crate) enum Owner<'w, 'c> {
    /// One of the people found, by place.
    Found(usize),
    /// Somebody whom only clues point at.
    Pointed(&'w Candidate<'c>),
}

/// Somebody compared with the others.
struct Ranked<'w, 'c> {
    points: i32,
    rank: u8,
    candidate: Option<&'w Candidate<'c>>,
    owner: Owner<'w, 'c>,
}

/// Decides between the people found, each with the rank of their title, and those whom clues point at.
pub(crate) fn owner<'w, 'c>(found: &[(u8, FoundPerson)], candidates: &'w [Candidate<'c>]) -> Option<Owner<'w, 'c>> {
    let places: FxHashMap<Ends, usize> =
        candidates.iter().enumerate().map(|(place, candidate)| (ends_of(candidate.name), place)).collect();
    let mut pointed: Vec<bool> = vec![true; candidates.len()];
    let mut titled = Vec::new();
    for (place, (rank, person)) in found.iter().enumerate() {
        let known = places.get(&ends_of(&person.name)).copied();
        known.into_iter().for_each(|known| pointed[known] = false);
        let candidate = known.and_then(|known| candidates.get(known));
        let points = with_title(*rank, person.title.as_deref(), candidate);
        titled.push(Ranked { points, rank: *rank, candidate, owner: Owner::Found(place) });
    }
    let pointed = candidates.iter().zip(pointed).filter(|(_, is_pointed)| *is_pointed).map(|(candidate, _)| Ranked {
        points: candidate.points.min(CLUES_MAX),
        rank: 0,
        candidate: Some(candidate),
        owner: Owner::Pointed(candidate),
    });
    let mut ranked: Vec<Ranked<'w, 'c>> = titled.into_iter().chain(pointed).collect();
    ranked.sort_by_key(|one| std::cmp::Reverse(one.points));
    let mut ranked = ranked.into_iter();
    let first = ranked.next()?;
    if leads(&first, ranked.next().as_ref()) {
        explain::accepted(Finder::Owner, "enough points, and the most, for owning the business", first.name(found));
        return Some(first.owner);
    }
    explain::refused(Finder::Owner, "too few points, or no clear lead, for owning the business", first.name(found));
    None
}

impl Ranked<'_, '_> {
    fn name<'n>(&'n self, found: &'n [(u8, FoundPerson)]) -> &'n str {
        match self.owner {
            Owner::Found(place) => found.get(place).map_or("", |(_, person)| person.name.as_str()),
            Owner::Pointed(candidate) => candidate.name,
        }
    }
}

/// The points of somebody with a title of this rank: clues settle who of several owners comes first.
fn with_title(rank: u8, title: Option<&str>, candidate: Option<&Candidate<'_>>) -> i32 {
    let clues = candidate.map_or(0, |candidate| candidate.points);
    if rank > 0 {
        return i32::from(rank) + clues.min(BESIDE_TITLE_MAX);
    }
    let lower = title.unwrap_or("").to_lowercase();
    let is_stated = candidate.is_some_and(|candidate| candidate.is_stated);
    let is_employed = |word: &str| SUBORDINATES.contains(word) || !is_stated && DIRECTORS.contains(word);
    let is_subordinate = lower.split(|c: char| !c.is_alphanumeric()).any(is_employed);
    (clues + if is_subordinate { SUBORDINATE_POINTS } else { 0 }).min(CLUES_MAX)
}

/// Whether the first of two owns the business: enough points, and a clear lead unless both are said to.
fn leads(first: &Ranked<'_, '_>, second: Option<&Ranked<'_, '_>>) -> bool {
    if first.points < POINTS_MIN {
        return false;
    }
    let Some(second) = second.filter(|_| first.rank < SURE_RANK) else { return true };
    let is_said = |one: &Ranked<'_, '_>| one.candidate.is_some_and(|candidate| candidate.is_stated);
    let lead = if first.rank > 0 { 1 } else { LEAD_MIN };
    (is_said(first) && is_said(second)) || first.points - second.points >= lead
}
