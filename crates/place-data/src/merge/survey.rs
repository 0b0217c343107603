//! A first look at the records of all sources: where they lie and how they rank, without what they say.

use std::cmp::Ordering;

use places::Point;

use crate::matching::{Common, ContactKeys, Contacts};
use crate::read::{QueryRows, RowAt};
use crate::{Error, Place};

/// The columns that are looked at.
const COLUMNS: [&str; 8] =
    ["id", "names.primary", "geometry", "confidence", "websites", "socials", "phones", "addresses"];
/// How much ids may take together, in bytes: what can be addressed.
const IDS_BYTES_MAX: usize = u32::MAX as usize;

/// Many texts in one.
#[derive(Debug, Default)]
pub(super) struct Texts {
    text: String,
    ends: Vec<u32>,
}

impl Texts {
    /// Adds a text; `false` when there is no more room.
    pub(super) fn push(&mut self, text: &str) -> bool {
        let fits = self.text.len() + text.len() <= IDS_BYTES_MAX;
        if fits {
            self.text.push_str(text);
            self.ends.push(u32::try_from(self.text.len()).unwrap_or(u32::MAX));
        }
        fits
    }

    pub(super) fn get(&self, at: usize) -> &str {
        let start = at.checked_sub(1).map_or(0, |before| self.ends[before] as usize);
        &self.text[start..self.ends[at] as usize]
    }

    /// The memory it takes.
    pub(super) fn bytes(&self) -> usize {
        self.text.capacity() + self.ends.capacity() * size_of::<u32>()
    }
}

/// What a rank is made of, but for the id.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Standing {
    pub(super) has_website: bool,
    pub(super) has_phone: bool,
    /// NaN when the source does not say.
    pub(super) confidence: f64,
}

impl Standing {
    fn of(place: &Place) -> Standing {
        Standing {
            has_website: !place.websites.is_empty(),
            has_phone: !place.phones.is_empty(),
            confidence: place.confidence.unwrap_or(f64::NAN),
        }
    }

    /// That of a place made of two records.
    pub(super) fn with(self, other: Standing) -> Standing {
        Standing {
            has_website: self.has_website || other.has_website,
            has_phone: self.has_phone || other.has_phone,
            // The greater one; a number if one of them is.
            confidence: self.confidence.max(other.confidence),
        }
    }

    /// Whether there is a website, and a phone number: 2, 1 or 0 of the two.
    pub(super) fn reachable(self) -> u8 {
        u8::from(self.has_website) + u8::from(self.has_phone)
    }

    pub(super) fn confidence(self) -> Option<f64> {
        Some(self.confidence).filter(|confidence| !confidence.is_nan())
    }
}

/// A record without what it says.
#[derive(Clone, Copy, Debug)]
pub(super) struct Record {
    /// The position of its source.
    pub(super) source: u16,
    /// The position of its id.
    id: u32,
    pub(super) row: RowAt,
    /// Longitude and latitude.
    pub(super) point: [f32; 2],
    pub(super) standing: Standing,
}

/// What is looked at of a record.
struct Glance {
    id: String,
    point: Point,
    standing: Standing,
    /// Hashes of its phones, websites and profiles.
    keys: Vec<u64>,
}

/// All records, in the order of their sources and ids.
#[derive(Debug, Default)]
pub(super) struct Surveyed {
    pub(super) records: Vec<Record>,
    ids: Texts,
    pub(super) common: Common,
}

impl Surveyed {
    pub(super) fn id(&self, record: u32) -> &str {
        self.ids.get(self.records[record as usize].id as usize)
    }

    /// Looks at the records of all sources.
    pub(super) async fn of(sets: &[QueryRows]) -> Result<Surveyed, Error> {
        let mut surveyed = Surveyed::default();
        for (source, rows) in (0_u16..).zip(sets) {
            let mut contacts = ContactKeys::default();
            let look = |place: Place| {
                let keys: Vec<u64> = Contacts::of(&place).keys().collect();
                Glance { standing: Standing::of(&place), point: place.point, id: place.id, keys }
            };
            let mut full = false;
            let take = |found: Vec<(RowAt, Glance)>| {
                for (row, Glance { id, point: at, standing, keys }) in found {
                    contacts.add(keys);
                    let number = u32::try_from(surveyed.ids.ends.len()).unwrap_or(u32::MAX);
                    full |= !surveyed.ids.push(&id);
                    let point = [at.longitude as f32, at.latitude as f32];
                    surveyed.records.push(Record { source, id: number, row, point, standing });
                }
            };
            rows.scan(&COLUMNS, look, take).await?;
            if full {
                return Err(Error::TooMany { most: surveyed.ids.ends.len() as u64 });
            }
            surveyed.common.add(contacts);
        }
        surveyed.sort();
        Ok(surveyed)
    }

    fn sort(&mut self) {
        let ids = &self.ids;
        let place = |record: &Record| (record.point[1], record.point[0]);
        let by_place = |a: &Record, b: &Record| place(a).partial_cmp(&place(b)).unwrap_or(Ordering::Equal);
        self.records.sort_unstable_by(|a, b| {
            let by_id = || ids.get(a.id as usize).cmp(ids.get(b.id as usize));
            a.source.cmp(&b.source).then_with(by_id).then_with(|| by_place(a, b)).then(a.row.cmp(&b.row))
        });
    }
}
