//! Settings of map providers and geocoders.

use url::Url;

use super::value::{count, one, required, web_address, yes_or_no};
use super::{GeocoderNames, Given, Secret, SettingError};

/// Map providers and geocoders.
#[derive(Clone, Debug, PartialEq)]
pub struct MapSettings {
    /// Overpass servers, in the order in which they are tried.
    pub overpass_url: Vec<Url>,
    /// Queries under way at an Overpass server at once.
    pub overpass_slots: u32,
    /// The operator's key for Google's APIs.
    pub google_api_key: Option<Secret>,
    /// Where the Places API is.
    pub google_url: Url,
    /// Where the Geocoding API is.
    pub google_geocode_url: Url,
    /// Whether reviews are fetched.
    pub google_reviews: bool,
    /// Calls to Google for one search; `None` for no limit.
    pub google_calls_per_search: Option<i64>,
    /// Calls to Google in a month; `None` for no limit.
    pub google_calls_per_month: Option<i64>,
    /// Days for which what Google lists is stored; with 0, until the search has ended.
    pub google_keep_days: i64,
    /// Who locates street addresses.
    pub geocoders: GeocoderNames,
    /// Where releases of addresses are read; where places are when not set.
    pub addresses: Option<String>,
    /// Whether a street address that cannot be located is refused.
    pub geocode_required: bool,
    /// Where the US Census geocoder is.
    pub census_url: Url,
    /// A Nominatim server.
    pub nominatim_url: Option<Url>,
    /// A Photon server.
    pub photon_url: Option<Url>,
}

pub(super) fn settings(given: &Given) -> Result<MapSettings, SettingError> {
    Ok(MapSettings {
        overpass_url: required(given, "overpass_url", web_addresses)?,
        overpass_slots: required(given, "overpass_slots", |value| count(value, 100))?.unsigned_abs() as u32,
        google_api_key: one(given, "google_api_key", |value| Ok(Secret::new(value)))?,
        google_url: required(given, "google_url", web_address)?,
        google_geocode_url: required(given, "google_geocode_url", web_address)?,
        google_reviews: required(given, "google_reviews", yes_or_no)?,
        google_calls_per_search: required(given, "google_calls_per_search", limit)?,
        google_calls_per_month: required(given, "google_calls_per_month", limit)?,
        google_keep_days: required(given, "google_keep_days", days)?,
        geocoders: required(given, "geocoders", GeocoderNames::parse)?,
        addresses: one(given, "addresses", |value| Ok(value.to_owned()))?,
        geocode_required: required(given, "geocode_required", yes_or_no)?,
        census_url: required(given, "census_url", web_address)?,
        nominatim_url: one(given, "nominatim_url", web_address)?,
        photon_url: one(given, "photon_url", web_address)?,
    })
}

fn web_addresses(value: &str) -> Result<Vec<Url>, String> {
    value.split(',').map(|one| web_address(one.trim())).collect()
}

/// A number of days, at most ten years.
fn days(value: &str) -> Result<i64, String> {
    let number: Option<i64> = value.parse().ok().filter(|number| (0..=3_650).contains(number));
    number.ok_or_else(|| {
        "must be a whole number of days, at most 3650, or 0 to store nothing beyond the search".to_owned()
    })
}

/// A number of calls; 0 for no limit.
fn limit(value: &str) -> Result<Option<i64>, String> {
    let number: Option<i64> = value.parse().ok().filter(|number| (0..=1_000_000_000).contains(number));
    let number = number.ok_or_else(|| "must be a whole number, or 0 for no limit".to_owned())?;
    Ok((number > 0).then_some(number))
}
