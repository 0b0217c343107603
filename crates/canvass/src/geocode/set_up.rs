//! The geocoders that this version knows, set up as the settings say.

use std::sync::Arc;

use map_providers::geocode::Geocoder;
use map_providers::geocode::census::Census;
use map_providers::geocode::nominatim::Nominatim;
use map_providers::geocode::photon::Photon;
use url::Url;

use super::Geocoders;
use crate::config::{GeocoderName, GeocoderNames, Settings};
use crate::listing::Outside;
use crate::listing::sources::live::user_agent;
use crate::sandbox::Sandbox;

impl Geocoders {
    /// Asks those whom the settings name. One that cannot be set up is left out, and `doctor` says why.
    pub fn of(settings: &Settings, sandbox: Option<&Arc<Sandbox>>, outside: &Outside) -> Geocoders {
        let geocoders = names(settings).into_iter().filter_map(|name| match geocoder(settings, sandbox, name) {
            Ok(geocoder) => Some(geocoder),
            Err(problem) => {
                tracing::warn!("the geocoder {} is not used: {problem}", name.name());
                None
            }
        });
        let geocoders: Vec<Arc<dyn Geocoder>> = geocoders.collect();
        let gateway = if geocoders.is_empty() { None } else { outside.gateway(settings).ok() };
        Geocoders::new(geocoders, gateway, outside.db.clone(), outside.clock.clone())
    }
}

/// Whom to ask, in which order.
fn names(settings: &Settings) -> Vec<GeocoderName> {
    match &settings.geocoders {
        GeocoderNames::These(names) => names.clone(),
        GeocoderNames::Auto if settings.source.is_sandbox() => vec![GeocoderName::Sandbox],
        GeocoderNames::Auto => {
            let mut names = vec![GeocoderName::Overture, GeocoderName::Census];
            names.extend(settings.nominatim_url.as_ref().map(|_| GeocoderName::Nominatim));
            names.extend(settings.photon_url.as_ref().map(|_| GeocoderName::Photon));
            names.extend(settings.google_api_key.as_ref().map(|_| GeocoderName::Google));
            names
        }
    }
}
