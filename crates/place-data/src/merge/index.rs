//! Which records of several sources are one place, and the order of the places: all that is kept of very many places. What they
//! say is read when it is asked for.
//!
//! The map is cut into tiles, whose records are compared one tile after the other. Records that are linked, directly or through
//! others, are then grouped together, in whichever tiles they lie; so the result does not depend on the tiles.

use std::cmp::Reverse;
use std::sync::Arc;

use super::cluster::{ClusterRecord, Link, cluster};
use super::links::links;
use super::survey::{Standing, Surveyed, Texts};
use super::tiles::{At, TILE_RECORDS, Tile, Tiling};
use super::{Merged, SourceTag, merge};
use crate::matching::Profile;
use crate::order::millionths;
use crate::read::{QueryRows, RowAt};
use crate::{Error, Place, Rank, schema};

/// Records of larger groups that are read again at once.
const REGROUPED_RECORDS: usize = 8_192;

/// A source and the rows that a query finds in it.
pub(super) type Set = (SourceTag, QueryRows);

/// Which records are one place, and the order of the places.
#[derive(Debug)]
pub(super) struct MergedIndex {
    sets: Vec<Set>,
    /// Source and row of each record, those of one place together, the best place first.
    members: Vec<(u16, RowAt)>,
    /// Where those of each place end.
    ends: Vec<u32>,
    standings: Vec<Standing>,
    /// What places of the same standing are ordered by.
    ids: Texts,
}

impl MergedIndex {
    /// Compares the records of all sources.
    pub(super) async fn build(sets: Vec<Set>) -> Result<MergedIndex, Error> {
        MergedIndex::in_tiles(sets, TILE_RECORDS).await
    }

    /// The same with tiles of so many records.
    async fn in_tiles(sets: Vec<Set>, tile_records: usize) -> Result<MergedIndex, Error> {
        let rows: Vec<QueryRows> = sets.iter().map(|(_, rows)| rows.clone()).collect();
        let surveyed = Arc::new(Surveyed::of(&rows).await?);
        let links = all_links(&sets, &surveyed, tile_records).await?;
        let heads = grouped(&sets, &surveyed, links).await?;
        let work = move || MergedIndex::ordered(sets, &surveyed, &heads);
        tokio::task::spawn_blocking(work).await.map_err(|_| Error::Cancelled)?
    }

    /// Brings the places into order. `heads` has the first record of its place for each record.
    fn ordered(sets: Vec<Set>, surveyed: &Surveyed, heads: &[u32]) -> Result<MergedIndex, Error> {
        let mut standings: Vec<Standing> = surveyed.records.iter().map(|record| record.standing).collect();
        let mut by_head: Vec<(u32, u32)> = heads.iter().copied().zip(0..).collect();
        by_head.sort_unstable();
        by_head.iter().filter(|(head, record)| head != record).for_each(|(head, record)| {
            standings[*head as usize] = standings[*head as usize].with(standings[*record as usize]);
        });
        let mut groups: Vec<&[(u32, u32)]> = by_head.chunk_by(|one, other| one.0 == other.0).collect();
        let tag = |head: u32| sets[usize::from(surveyed.records[head as usize].source)].0.as_str();
        let name = |head: u32| tag(head).bytes().chain([b':']).chain(surveyed.id(head).bytes());
        let standing = |group: &&[(u32, u32)]| {
            let standing = standings[group[0].0 as usize];
            (Reverse(standing.reachable()), Reverse(millionths(standing.confidence())))
        };
        groups.sort_unstable_by(|one, other| {
            standing(one).cmp(&standing(other)).then_with(|| name(one[0].0).cmp(name(other[0].0)))
        });
        let mut index = MergedIndex {
            sets: Vec::new(),
            members: Vec::new(),
            ends: Vec::new(),
            standings: Vec::new(),
            ids: Texts::default(),
        };
        for group in groups {
            let head = group[0].0;
            let records = group.iter().map(|(_, record)| &surveyed.records[*record as usize]);
            index.members.extend(records.map(|record| (record.source, record.row)));
            index.ends.push(u32::try_from(index.members.len()).unwrap_or(u32::MAX));
            index.standings.push(standings[head as usize]);
            if !index.ids.push(&format!("{}:{}", tag(head), surveyed.id(head))) {
                return Err(Error::TooMany { most: index.ends.len() as u64 });
            }
        }
        Ok(MergedIndex { sets, ..index })
    }

    /// How many places there are.
    pub(super) fn total(&self) -> usize {
        self.ends.len()
    }

    /// The memory it takes.
    pub(super) fn bytes(&self) -> usize {
        self.ids.bytes()
            + self.members.capacity() * size_of::<(u16, RowAt)>()
            + self.ends.capacity() * size_of::<u32>()
            + self.standings.capacity() * size_of::<Standing>()
    }

    fn rank(&self, place: usize) -> Rank {
        let standing = self.standings[place];
        Rank::new(standing.reachable(), standing.confidence(), self.ids.get(place).to_owned())
    }

    /// The best places behind a position, at most so many.
    pub(super) async fn after(&self, after: Option<&Rank>, most: usize) -> Result<Vec<(Rank, Merged)>, Error> {
        let (mut first, mut end) = (0, self.total());
        while let Some(after) = after.filter(|_| first < end) {
            let middle = first.midpoint(end);
            if self.rank(middle) > *after { end = middle } else { first = middle + 1 }
        }
        let places = first..self.total().min(first + most);
        let start = |place: usize| place.checked_sub(1).map_or(0, |before| self.ends[before] as usize);
        let base = start(places.start);
        let mut read = self.read(&self.members[base..start(places.end)]).await?;
        let mut merged = Vec::with_capacity(places.len());
        for place in places {
            let parts = read[start(place) - base..start(place + 1) - base].iter_mut().filter_map(Option::take);
            let one = merge(parts.collect()).ok_or_else(changed)?;
            merged.push((self.rank(place), one));
        }
        Ok(merged)
    }

    /// Everything about these records.
    async fn read(&self, members: &[(u16, RowAt)]) -> Result<Vec<Option<(SourceTag, Place)>>, Error> {
        let mut read: Vec<Option<(SourceTag, Place)>> = members.iter().map(|_| None).collect();
        for (number, (tag, rows)) in (0_u16..).zip(&self.sets) {
            let own = members.iter().enumerate().filter(|(_, (source, _))| *source == number);
            let wanted: Vec<(RowAt, usize)> = own.map(|(at, (_, row))| (*row, at)).collect();
            for (at, place) in read_again(rows, wanted, |place| place).await? {
                read[at] = Some((tag.clone(), place));
            }
        }
        Ok(read)
    }
}

fn changed() -> Error {
    Error::malformed(
        "the place data",
        "a place that was found cannot be read any more; its files were changed meanwhile",
    )
}

/// What `each` makes of the places of some rows, each with what was given beside the row.
async fn read_again<T: Send + 'static>(
    rows: &QueryRows,
    mut wanted: Vec<(RowAt, usize)>,
    each: impl Fn(Place) -> T + Clone + Send + 'static,
) -> Result<Vec<(usize, T)>, Error> {
    wanted.sort_unstable();
    let places: Vec<RowAt> = wanted.iter().map(|(row, _)| *row).collect();
    let read = rows.some(&places, &schema::COLUMNS, each).await?;
    if read.len() != wanted.len() {
        return Err(changed());
    }
    Ok(wanted.into_iter().zip(read).map(|((_, at), (_, made))| (at, made)).collect())
}

/// The records of an area, ready to be compared.
struct Prepared {
    profiles: Vec<Profile>,
    sources: Vec<usize>,
}

/// Prepares these records, which are sorted.
async fn prepare(sets: &[Set], surveyed: &Surveyed, records: &[u32]) -> Result<Prepared, Error> {
    let mut profiles: Vec<Option<Profile>> = records.iter().map(|_| None).collect();
    let record = |at: u32| &surveyed.records[at as usize];
    for (number, (_, rows)) in (0_u16..).zip(sets) {
        let own = records.iter().enumerate().filter(|(_, at)| record(**at).source == number);
        let wanted: Vec<(RowAt, usize)> = own.map(|(position, at)| (record(*at).row, position)).collect();
        for (position, profile) in read_again(rows, wanted, |place| Profile::new(&place)).await? {
            profiles[position] = Some(profile);
        }
    }
    let mut profiles = profiles.into_iter().collect::<Option<Vec<Profile>>>().ok_or_else(changed)?;
    profiles.iter_mut().for_each(|profile| profile.mark_common(&surveyed.common));
    Ok(Prepared { profiles, sources: records.iter().map(|at| usize::from(record(*at).source)).collect() })
}

/// The links between all records.
async fn all_links(sets: &[Set], surveyed: &Surveyed, tile_records: usize) -> Result<Vec<Link>, Error> {
    let points: Vec<At> = surveyed.records.iter().map(|record| record.point).collect();
    let tiling = Tiling::new(&points, tile_records);
    let mut all = Vec::new();
    for number in 0..tiling.count() {
        let Tile { records, within } = tiling.tile(number, &points);
        let Prepared { profiles, sources } = prepare(sets, surveyed, &records).await?;
        // Each link is found in the tile of its first record.
        let work = move || links(&profiles, &sources, |first| within[first as usize]);
        let found = tokio::task::spawn_blocking(work).await.map_err(|_| Error::Cancelled)?;
        let number = |at: u32| records[at as usize];
        all.extend(found.into_iter().map(|link| Link { a: number(link.a), b: number(link.b), points: link.points }));
    }
    Ok(all)
}

/// A link with the first record that its records are linked with.
type RootedLink = (u32, Link);

/// Groups linked records. Gives for each record the first record of its place.
async fn grouped(sets: &[Set], surveyed: &Surveyed, links: Vec<Link>) -> Result<Vec<u32>, Error> {
    let mut heads: Vec<u32> = (0..).zip(&surveyed.records).map(|(at, _)| at).collect();
    for link in &links {
        let (one, other) = (root(&mut heads, link.a), root(&mut heads, link.b));
        heads[one.max(other) as usize] = one.min(other);
    }
    let mut links: Vec<RootedLink> = links.into_iter().map(|link| (root(&mut heads, link.a), link)).collect();
    links.sort_unstable_by_key(|(root, link)| (*root, link.a, link.b));
    let mut heads: Vec<u32> = (0..).zip(&surveyed.records).map(|(at, _)| at).collect();
    let mut larger: Vec<&[RootedLink]> = Vec::new();
    for linked in links.chunk_by(|one, other| one.0 == other.0) {
        match linked {
            [(_, link)] => heads[link.b as usize] = link.a,
            several => larger.push(several),
        }
    }
    let mut open = larger.as_slice();
    while !open.is_empty() {
        let mut count = 0;
        let fits = open.iter().take_while(|linked| {
            count += linked.len();
            count <= REGROUPED_RECORDS
        });
        let (now, later) = open.split_at(fits.count().max(1));
        regroup(sets, surveyed, (now, &mut heads)).await?;
        open = later;
    }
    Ok(heads)
}

/// The first record that a record is linked with so far.
fn root(heads: &mut [u32], of: u32) -> u32 {
    let mut at = of;
    while heads[at as usize] != at {
        heads[at as usize] = heads[heads[at as usize] as usize];
        at = heads[at as usize];
    }
    at
}

/// Groups records of which more than two are linked.
async fn regroup(
    sets: &[Set],
    surveyed: &Surveyed,
    (linked, heads): (&[&[RootedLink]], &mut [u32]),
) -> Result<(), Error> {
    let mut records: Vec<u32> = linked.iter().copied().flatten().flat_map(|(_, link)| [link.a, link.b]).collect();
    records.sort_unstable();
    records.dedup();
    let Prepared { profiles, sources } = prepare(sets, surveyed, &records).await?;
    let position = |record: u32| u32::try_from(records.partition_point(|known| *known < record)).unwrap_or(u32::MAX);
    let links: Vec<Link> = linked
        .iter()
        .copied()
        .flatten()
        .map(|(_, link)| Link { a: position(link.a), b: position(link.b), points: link.points })
        .collect();
    let work = move || {
        let known = sources.iter().zip(&profiles).map(|(source, profile)| ClusterRecord { source: *source, profile });
        cluster(&known.collect::<Vec<_>>(), links)
    };
    for group in tokio::task::spawn_blocking(work).await.map_err(|_| Error::Cancelled)? {
        for record in &group {
            heads[records[*record as usize] as usize] = records[group[0] as usize];
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests;
