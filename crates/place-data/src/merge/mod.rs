//! Makes one place of the records that several sources have of it.

mod blocks;
mod cluster;
mod fields;
mod find;
mod grid;
mod index;
mod links;
mod merger;
mod parallel;
mod survey;
mod tiles;

use std::fmt;
use std::sync::Arc;

use crate::{Place, Rank};
pub use fields::merge;
pub use find::{FoundMerged, MergedPlaces, find};
pub use merger::{Merger, merge_all};

/// The name of a source as the operator lists it, such as `overture` or `osm`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SourceTag(Arc<str>);

impl From<&str> for SourceTag {
    fn from(name: &str) -> SourceTag {
        SourceTag(name.into())
    }
}

impl fmt::Display for SourceTag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl SourceTag {
    /// The name.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// A part of a place that can come from another source than the rest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Field {
    /// The name over the door.
    Name,
    /// The position.
    Point,
    /// The main category.
    Category,
    /// Whether it is in business.
    Status,
    /// The first website. Sources of further websites follow with the same field; so for emails, phones and profiles.
    Website,
    /// Profiles in social networks.
    Social,
    /// Email addresses.
    Email,
    /// Phone numbers.
    Phone,
    /// The brand.
    Brand,
    /// Street and house number.
    Street,
    /// Town or city.
    Locality,
    /// Postal code.
    Postcode,
    /// State or region.
    Region,
    /// Country.
    Country,
    /// Opening hours.
    OpeningHours,
    /// Rating and number of reviews.
    Rating,
}

impl Field {
    /// The field's name in reports, such as `opening_hours`.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Field::Name => "name",
            Field::Point => "point",
            Field::Category => "category",
            Field::Status => "status",
            Field::Website => "website",
            Field::Social => "social",
            Field::Email => "email",
            Field::Phone => "phone",
            Field::Brand => "brand",
            Field::Street => "street",
            Field::Locality => "locality",
            Field::Postcode => "postcode",
            Field::Region => "region",
            Field::Country => "country",
            Field::OpeningHours => "opening_hours",
            Field::Rating => "rating",
        }
    }
}

/// A place made of the records of one or several sources.
#[derive(Clone, Debug, PartialEq)]
pub struct Merged {
    /// The place, with the id of its first record in the operator's order of sources.
    pub place: Place,
    /// The source of that id.
    pub source: SourceTag,
    /// The ids of the other records.
    pub aliases: Vec<(SourceTag, String)>,
    /// Where each field comes from, in the order of [`Field`]; of websites, profiles, emails and phones one for each value, in
    /// their order. Empty when there is only one record.
    pub field_sources: Vec<(Field, SourceTag)>,
}

impl Merged {
    /// A place that one source has.
    #[must_use]
    pub fn single(source: SourceTag, place: Place) -> Merged {
        Merged { place, source, aliases: Vec::new(), field_sources: Vec::new() }
    }

    /// Its position among the places of several sources: as [`Rank::of`], but by source and id, because two sources may have the
    /// same id for different places.
    #[must_use]
    pub fn rank(&self) -> Rank {
        let place = &self.place;
        Rank::of_contacts(place, format!("{}:{}", self.source, place.id))
    }

    /// Where the (first) value of a field comes from.
    #[must_use]
    pub fn source_of(&self, field: Field) -> &SourceTag {
        let found = self.field_sources.iter().find(|(known, _)| *known == field);
        found.map_or(&self.source, |(_, source)| source)
    }

    /// Where a value of a field with several values comes from, by its position.
    #[must_use]
    pub fn source_of_value(&self, field: Field, position: usize) -> &SourceTag {
        let mut found = self.field_sources.iter().filter(|(known, _)| *known == field);
        found.nth(position).map_or(&self.source, |(_, source)| source)
    }

    /// The id of the first record that a source has of this place.
    #[must_use]
    pub fn id_in(&self, source: &SourceTag) -> &str {
        let alias = || self.aliases.iter().find(|(alias, _)| alias == source).map(|(_, id)| id.as_str());
        if *source == self.source { &self.place.id } else { alias().unwrap_or(&self.place.id) }
    }

    /// All sources that have a record of this place, in the operator's order.
    pub fn sources(&self) -> impl Iterator<Item = &SourceTag> {
        std::iter::once(&self.source).chain(self.aliases.iter().map(|(source, _)| source))
    }
}
