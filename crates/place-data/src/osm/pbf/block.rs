//! The objects in a block of a PBF file, decoded one after the other.

use super::wire::{Corrupt, Deltas, Fields, Packed};
use crate::osm::element::{Coordinate, ElementId, ElementKind, WayNodes};

/// Items of one list in a block; more do not fit into one.
const LIST_ITEMS_MAX: usize = 1 << 20;
/// Billionths of a degree per step of the grid of coordinates.
const NANODEGREES_PER_STEP: i128 = 100;

/// A block: strings that its objects refer to, and groups of objects.
pub(super) struct Block<'a> {
    pub(super) strings: Vec<&'a [u8]>,
    groups: Vec<&'a [u8]>,
    /// Billionths of a degree per unit of coordinates, and where these count from.
    granularity: i64,
    latitude_offset: i64,
    longitude_offset: i64,
    /// Milliseconds per unit of timestamps.
    date_granularity: i64,
}

/// A tag, as indexes of its key and its value among the strings.
pub(super) type TagIndexes = (u32, u32);

/// What an object has, whatever its kind.
pub(super) struct Decoded<'b> {
    pub(super) id: ElementId,
    pub(super) tags: &'b [TagIndexes],
    /// In the block's units: see [`Block::seconds`].
    pub(super) timestamp: i64,
}

/// A position in the block's units: see [`Block::coordinate`]. Nearly all nodes are passed over without looking at it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct RawPosition {
    latitude: i64,
    longitude: i64,
}

/// How much of nodes is decoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NodeDetail {
    /// Ids alone.
    Ids,
    Positions,
    /// Positions, tags and time of the last edit.
    Everything,
}

/// Members of a relation, by kind.
#[derive(Default)]
pub(super) struct Members {
    pub(super) ways: Vec<i64>,
    pub(super) nodes: Vec<i64>,
}

impl<'a> Block<'a> {
    pub(super) fn parse(bytes: &'a [u8]) -> Result<Block<'a>, Corrupt> {
        let mut block = Block {
            strings: Vec::new(),
            groups: Vec::new(),
            granularity: 100,
            latitude_offset: 0,
            longitude_offset: 0,
            date_granularity: 1000,
        };
        for field in Fields::of(bytes) {
            match field? {
                (1, value) => block.strings = strings(value.bytes()?)?,
                (2, value) => push(&mut block.groups, value.bytes()?)?,
                (17, value) => block.granularity = value.int()?,
                (18, value) => block.date_granularity = value.int()?,
                (19, value) => block.latitude_offset = value.int()?,
                (20, value) => block.longitude_offset = value.int()?,
                _ => {}
            }
        }
        Ok(block)
    }

    /// Calls a function with every node and its position.
    pub(super) fn nodes(
        &self,
        detail: NodeDetail,
        mut take: impl FnMut(Decoded<'_>, RawPosition) -> Result<(), Corrupt>,
    ) -> Result<(), Corrupt> {
        for field in self.groups.iter().flat_map(|group| Fields::of(group)) {
            match field? {
                (1, value) => self.node(value.bytes()?, &mut take)?,
                (2, value) => DenseNodes::parse(value.bytes()?, detail)?.each(&mut take)?,
                _ => {}
            }
        }
        Ok(())
    }

    fn node(
        &self,
        message: &[u8],
        take: &mut impl FnMut(Decoded<'_>, RawPosition) -> Result<(), Corrupt>,
    ) -> Result<(), Corrupt> {
        let mut node = Message::default();
        let (mut latitude, mut longitude, mut id) = (0, 0, None);
        for field in Fields::of(message) {
            match field? {
                (1, value) => id = Some(value.signed()?),
                (8, value) => latitude = value.signed()?,
                (9, value) => longitude = value.signed()?,
                other => node.field(other)?,
            }
        }
        let number = id.ok_or("a node has no id")?;
        let tags = node.tags()?;
        let id = ElementId { kind: ElementKind::Node, number };
        take(Decoded { id, tags: &tags, timestamp: node.timestamp }, RawPosition { latitude, longitude })
    }

    /// Whether there are any ways.
    pub(super) fn has_ways(&self) -> bool {
        self.groups.iter().flat_map(|group| Fields::of(group)).any(|field| matches!(field, Ok((3, _))))
    }

    /// Calls a function with every way and its nodes.
    pub(super) fn ways(
        &self,
        mut take: impl FnMut(Decoded<'_>, &WayRefs<'_>) -> Result<(), Corrupt>,
    ) -> Result<(), Corrupt> {
        self.messages(3, ElementKind::Way, |message, decoded| {
            let refs = Deltas::of(message.lists[0]);
            let (latitudes, longitudes) = (Deltas::of(message.lists[1]), Deltas::of(message.lists[2]));
            take(decoded, &WayRefs { block: self, refs, latitudes, longitudes })
        })
    }

    /// Calls a function with every relation and its members.
    pub(super) fn relations(
        &self,
        mut take: impl FnMut(Decoded<'_>, &MemberRefs<'_>) -> Result<(), Corrupt>,
    ) -> Result<(), Corrupt> {
        self.messages(4, ElementKind::Relation, |message, decoded| {
            let (ids, kinds) = (Deltas::of(message.lists[1]), Packed::of(message.lists[2]));
            take(decoded, &MemberRefs { ids, kinds })
        })
    }

    fn messages(
        &self,
        number: u64,
        kind: ElementKind,
        mut take: impl FnMut(&Message<'_>, Decoded<'_>) -> Result<(), Corrupt>,
    ) -> Result<(), Corrupt> {
        for field in self.groups.iter().flat_map(|group| Fields::of(group)) {
            let (found, value) = field?;
            if found != number {
                continue;
            }
            let mut message = Message::default();
            for field in Fields::of(value.bytes()?) {
                message.field(field?)?;
            }
            let id = ElementId { kind, number: message.id.ok_or("a way or relation has no id")? };
            let tags = message.tags()?;
            take(&message, Decoded { id, tags: &tags, timestamp: message.timestamp })?;
        }
        Ok(())
    }

    /// `None` when the position is off the globe.
    pub(super) fn coordinate(&self, RawPosition { latitude, longitude }: RawPosition) -> Option<Coordinate> {
        let steps = |value: i64, offset: i64| -> Option<i64> {
            let nanodegrees = i128::from(value) * i128::from(self.granularity) + i128::from(offset);
            i64::try_from(nanodegrees / NANODEGREES_PER_STEP).ok()
        };
        Coordinate::from_steps(steps(latitude, self.latitude_offset)?, steps(longitude, self.longitude_offset)?)
    }

    /// A timestamp as seconds since 1970; zero means that there is none.
    pub(super) fn seconds(&self, timestamp: i64) -> Option<i64> {
        (timestamp != 0)
            .then(|| timestamp.checked_mul(self.date_granularity))
            .flatten()
            .map(|millis| millis.div_euclid(1000))
    }

    /// The text with this index.
    pub(super) fn string(&self, index: u32) -> Result<&'a [u8], Corrupt> {
        self.strings
            .get(index as usize)
            .copied()
            .ok_or_else(|| "an object refers to a string that its block does not have".into())
    }
}

fn push<'a>(list: &mut Vec<&'a [u8]>, item: &'a [u8]) -> Result<(), Corrupt> {
    if list.len() == LIST_ITEMS_MAX {
        return Err(Corrupt(format!("a list has more than {LIST_ITEMS_MAX} items")));
    }
    list.push(item);
    Ok(())
}

fn strings(table: &[u8]) -> Result<Vec<&[u8]>, Corrupt> {
    let mut strings = Vec::new();
    for field in Fields::of(table) {
        if let (1, value) = field? {
            push(&mut strings, value.bytes()?)?;
        }
    }
    Ok(strings)
}

/// The fields that nodes, ways and relations have in common.
#[derive(Default)]
struct Message<'a> {
    id: Option<i64>,
    keys: Packed<'a>,
    values: Packed<'a>,
    timestamp: i64,
    /// Fields 8 to 10: the nodes of a way with their latitudes and longitudes, or the roles, ids and kinds of members.
    lists: [&'a [u8]; 3],
}

impl<'a> Message<'a> {
    fn field(&mut self, (number, value): (u64, super::wire::FieldValue<'a>)) -> Result<(), Corrupt> {
        match number {
            1 => self.id = Some(value.int()?),
            2 => self.keys = Packed::of(value.bytes()?),
            3 => self.values = Packed::of(value.bytes()?),
            4 => self.timestamp = timestamp(value.bytes()?)?,
            8..=10 => self.lists[number as usize - 8] = value.bytes()?,
            _ => {}
        }
        Ok(())
    }

    fn tags(&self) -> Result<Vec<TagIndexes>, Corrupt> {
        let (mut keys, mut values) = (self.keys.clone(), self.values.clone());
        let mut tags = Vec::new();
        while let Some(key) = keys.number()? {
            let value = values.number()?.ok_or("an object has more keys than values")?;
            tags.push((index(key), index(value)));
        }
        Ok(tags)
    }
}

/// An index of a string; one that is too large refers to no string.
fn index(number: u64) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

fn timestamp(info: &[u8]) -> Result<i64, Corrupt> {
    for field in Fields::of(info) {
        if let (2, value) = field? {
            return value.int();
        }
    }
    Ok(0)
}

/// The nodes of a way, not decoded yet.
pub(super) struct WayRefs<'a> {
    block: &'a Block<'a>,
    refs: Deltas<'a>,
    latitudes: Deltas<'a>,
    longitudes: Deltas<'a>,
}

impl WayRefs<'_> {
    pub(super) fn nodes(&self) -> Result<WayNodes, Corrupt> {
        let refs = self.refs.clone().collect(LIST_ITEMS_MAX)?;
        if self.latitudes.is_empty() {
            return Ok(WayNodes { refs: refs.into(), located: Box::default() });
        }
        let (mut latitudes, mut longitudes) = (self.latitudes.clone(), self.longitudes.clone());
        let mut located = Vec::with_capacity(refs.len());
        for _ in &refs {
            let pair = latitudes.number()?.zip(longitudes.number()?);
            let (latitude, longitude) = pair.ok_or("a way has more nodes than coordinates")?;
            located.push(self.block.coordinate(RawPosition { latitude, longitude }));
        }
        Ok(WayNodes { refs: refs.into(), located: located.into() })
    }
}

/// The members of a relation, not decoded yet.
pub(super) struct MemberRefs<'a> {
    ids: Deltas<'a>,
    kinds: Packed<'a>,
}

impl MemberRefs<'_> {
    /// The members that have a position of their own; relations among them are left out.
    pub(super) fn members(&self) -> Result<Members, Corrupt> {
        let mut members = Members::default();
        let mut kinds = self.kinds.clone();
        for id in self.ids.clone().collect(LIST_ITEMS_MAX)? {
            match kinds.number()?.ok_or("a relation has more members than kinds of members")? {
                0 => members.nodes.push(id),
                1 => members.ways.push(id),
                _ => {}
            }
        }
        Ok(members)
    }
}

/// Nodes as files usually store them: one list for each property.
struct DenseNodes<'a> {
    ids: Deltas<'a>,
    latitudes: Deltas<'a>,
    longitudes: Deltas<'a>,
    /// Key, value, key, value, 0 for each node; empty when no node has tags.
    tags: Packed<'a>,
    timestamps: Deltas<'a>,
    detail: NodeDetail,
}

impl<'a> DenseNodes<'a> {
    fn parse(message: &'a [u8], detail: NodeDetail) -> Result<DenseNodes<'a>, Corrupt> {
        let empty = || Deltas::of(&[]);
        let (tags, timestamps) = (Packed::default(), empty());
        let mut dense = DenseNodes { ids: empty(), latitudes: empty(), longitudes: empty(), tags, timestamps, detail };
        for field in Fields::of(message) {
            match field? {
                (1, value) => dense.ids = Deltas::of(value.bytes()?),
                (5, value) if detail == NodeDetail::Everything => dense.timestamps = timestamps_of(value.bytes()?)?,
                (8, value) => dense.latitudes = Deltas::of(value.bytes()?),
                (9, value) => dense.longitudes = Deltas::of(value.bytes()?),
                (10, value) if detail == NodeDetail::Everything => dense.tags = Packed::of(value.bytes()?),
                _ => {}
            }
        }
        Ok(dense)
    }

    fn each(mut self, take: &mut impl FnMut(Decoded<'_>, RawPosition) -> Result<(), Corrupt>) -> Result<(), Corrupt> {
        let mut tags = Vec::new();
        while let Some(number) = self.ids.number()? {
            let id = ElementId { kind: ElementKind::Node, number };
            if self.detail == NodeDetail::Ids {
                take(Decoded { id, tags: &[], timestamp: 0 }, RawPosition { latitude: 0, longitude: 0 })?;
                continue;
            }
            let position = self.latitudes.number()?.zip(self.longitudes.number()?);
            let (latitude, longitude) = position.ok_or("a block has more nodes than coordinates")?;
            let timestamp = self.timestamps.number()?.unwrap_or(0);
            self.next_tags(&mut tags)?;
            take(Decoded { id, tags: &tags, timestamp }, RawPosition { latitude, longitude })?;
        }
        Ok(())
    }

    fn next_tags(&mut self, tags: &mut Vec<TagIndexes>) -> Result<(), Corrupt> {
        tags.clear();
        while let Some(key) = self.tags.number()?.filter(|key| *key != 0) {
            let value = self.tags.number()?.ok_or("a node has more keys than values")?;
            tags.push((index(key), index(value)));
        }
        Ok(())
    }
}

fn timestamps_of(info: &[u8]) -> Result<Deltas<'_>, Corrupt> {
    for field in Fields::of(info) {
        if let (2, value) = field? {
            return Ok(Deltas::of(value.bytes()?));
        }
    }
    Ok(Deltas::of(&[]))
}
