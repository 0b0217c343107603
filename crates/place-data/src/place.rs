//! A place as every format gives it.

use places::Point;
use serde::{Deserialize, Serialize};

/// A place as every format gives it. Values are as the source has them; the listing that is made of it cleans them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Place {
    /// Stable for as long as the source knows the place: a GERS id, `n123` for an OpenStreetMap node.
    pub id: String,
    /// Its name in the local language.
    pub name: String,
    /// What the name was taken from.
    pub name_source: NameSource,
    /// The same name in other languages: language code and name.
    pub translations: Vec<(String, String)>,
    /// Where it lies.
    pub point: Point,
    /// What kind of place it is, in the source's own words.
    pub categories: Categories,
    /// How sure the source is that the place exists, 0 to 1; `None` when it does not say.
    pub confidence: Option<f64>,
    /// Whether it is in business.
    pub status: OperatingStatus,
    /// Addresses of websites.
    pub websites: Vec<String>,
    /// Profiles in social networks.
    pub socials: Vec<String>,
    /// Email addresses.
    pub emails: Vec<String>,
    /// Phone numbers, as written.
    pub phones: Vec<String>,
    /// The brand it belongs to.
    pub brand: Option<Brand>,
    /// Postal addresses, the main one first.
    pub addresses: Vec<Address>,
    /// Opening hours in OpenStreetMap's notation.
    pub opening_hours: Option<String>,
    /// Average rating, 0 to 5.
    pub rating: Option<f64>,
    /// Reviews that the rating is the average of.
    pub review_count: Option<i64>,
    /// Where the record comes from.
    pub origins: Vec<Origin>,
}

impl Place {
    /// A place of which nothing else is known.
    pub fn new(id: impl Into<String>, name: impl Into<String>, point: Point) -> Place {
        Place {
            id: id.into(),
            name: name.into(),
            name_source: NameSource::Name,
            translations: Vec::new(),
            point,
            categories: Categories::default(),
            confidence: None,
            status: OperatingStatus::Open,
            websites: Vec::new(),
            socials: Vec::new(),
            emails: Vec::new(),
            phones: Vec::new(),
            brand: None,
            addresses: Vec::new(),
            opening_hours: None,
            rating: None,
            review_count: None,
            origins: Vec::new(),
        }
    }
}

/// What a name was taken from: sources without a name for a place may still say whose it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum NameSource {
    /// The place's own name.
    #[default]
    Name,
    /// The brand, which is the same for all its branches.
    Brand,
    /// The company that runs the place.
    Operator,
}

/// What kind of place it is. The names are those of Overture's taxonomy (either generation), OpenStreetMap tags such as
/// `craft=plumber`, or Canvass's own categories such as `canvass:plumber`.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Categories {
    /// The main category.
    pub primary: Option<String>,
    /// From the widest category down to the main one; for formats without a hierarchy, everything the place is.
    pub hierarchy: Vec<String>,
    /// Further categories.
    pub alternates: Vec<String>,
    /// The category a layman would name.
    pub basic: Option<String>,
}

/// Whether a place is in business.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum OperatingStatus {
    /// It is, as far as the source knows.
    #[default]
    Open,
    /// It is closed for now.
    TemporarilyClosed,
    /// It has closed for good.
    PermanentlyClosed,
}

impl OperatingStatus {
    /// Its name in a place file.
    pub fn name(self) -> &'static str {
        match self {
            OperatingStatus::Open => "open",
            OperatingStatus::TemporarilyClosed => "temporarily_closed",
            OperatingStatus::PermanentlyClosed => "permanently_closed",
        }
    }

    /// The status with this name; a place whose status is not known is taken for open.
    pub fn of(name: &str) -> OperatingStatus {
        let closed = [OperatingStatus::TemporarilyClosed, OperatingStatus::PermanentlyClosed];
        closed.into_iter().find(|status| status.name() == name).unwrap_or_default()
    }
}

/// A brand.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Brand {
    /// Its name.
    pub name: Option<String>,
    /// Its id at Wikidata, such as `Q38076`.
    pub wikidata: Option<String>,
}

/// A postal address.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Address {
    /// Street, house number and unit, as written in its country.
    pub freeform: Option<String>,
    /// Town or city.
    pub locality: Option<String>,
    /// Postal code.
    pub postcode: Option<String>,
    /// State or region: the second part of its ISO 3166-2 code where there is one, such as `TX`.
    pub region: Option<String>,
    /// ISO 3166-1 alpha-2.
    pub country: Option<String>,
}

/// Where a record comes from.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Origin {
    /// The data set, such as `meta` or `OpenStreetMap`.
    pub dataset: String,
    /// The record's id there.
    pub record_id: Option<String>,
    /// When it was last changed there, RFC 3339 or a date.
    pub updated: Option<String>,
}
