//! The live providers that this version knows, set up as the settings say.

use std::sync::Arc;

use map_providers::ListingProvider;
use map_providers::google::{Google, GoogleSettings};
use map_providers::overpass::{Overpass, OverpassSettings};

use crate::config::Settings;
use crate::listing::{About, Has};
use crate::provider::Budget;

/// OpenStreetMap as it is now.
pub const OVERPASS: &str = "overpass";
/// Google's Places API.
pub const GOOGLE: &str = "google";

/// Whether a source is asked live.
pub fn is_live(name: &str) -> bool {
    [OVERPASS, GOOGLE].contains(&name)
}

/// How this server introduces itself to providers.
pub fn user_agent(settings: &Settings) -> String {
    let version = env!("CARGO_PKG_VERSION");
    match &settings.contact_url {
        Some(contact) => format!("canvass/{version} (+{contact})"),
        None => format!("canvass/{version}"),
    }
}

/// The provider with this name. An error says which setting is missing.
pub fn provider(settings: &Settings, name: &str) -> Result<Arc<dyn ListingProvider>, String> {
    if name == OVERPASS {
        let mut overpass = OverpassSettings::at(settings.maps.overpass_url.clone());
        overpass.slots_max = settings.maps.overpass_slots;
        return Ok(Arc::new(Overpass::new(overpass)));
    }
    let key =
        settings.maps.google_api_key.as_ref().ok_or("the source google needs a key: set CANVASS_GOOGLE_API_KEY")?;
    let mut google = GoogleSettings::new(settings.maps.google_url.clone(), key.reveal());
    google.with_reviews = settings.maps.google_reviews;
    Ok(Arc::new(Google::new(google)))
}

/// What a provider is like.
pub fn about(settings: &Settings, name: &str) -> About {
    let is_google = name == GOOGLE;
    let attribution = if is_google { "Google Maps" } else { "\u{a9} OpenStreetMap contributors (ODbL)" };
    About {
        name: name.to_owned(),
        attribution: Some(attribution.to_owned()),
        has: Has { ratings: is_google, reviews: is_google, phones: true },
        retention_days: is_google.then(|| settings.maps.google_keep_days.unsigned_abs().try_into().unwrap_or(u32::MAX)),
    }
}

/// What the operator lets Google cost, all of its services together.
pub fn budget(settings: &Settings) -> Budget {
    let (per_search, per_month) = (settings.maps.google_calls_per_search, settings.maps.google_calls_per_month);
    Budget { provider: GOOGLE, per_search, per_month }
}
