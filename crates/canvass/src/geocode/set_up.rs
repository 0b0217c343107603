//! The geocoders that this version knows, set up as the settings say.

use std::sync::Arc;
use std::time::Duration;

use map_providers::ProviderError;
use map_providers::geocode::census::Census;
use map_providers::geocode::google::{GoogleGeocoder, GoogleGeocoderSettings};
use map_providers::geocode::nominatim::Nominatim;
use map_providers::geocode::overture::OvertureAddresses;
use map_providers::geocode::photon::Photon;
use map_providers::geocode::{Geocoder, HIT_FRESH_FOR};
use place_data::OvertureSettings;
use url::Url;

use super::Geocoders;
use super::sandbox::SandboxStreets;
use crate::config::{GeocoderName, GeocoderNames, Settings};
use crate::listing::Outside;
use crate::listing::sources::live::user_agent;
use crate::listing::sources::place_data::overture_settings;
use crate::sandbox::Sandbox;

/// Seconds in a day.
const DAY_SECONDS: u64 = 24 * 60 * 60;

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

/// A geocoder, or why it cannot be used.
type Made = Result<Arc<dyn Geocoder>, String>;

/// Each geocoder that the settings name, or why it cannot be used.
pub(crate) fn each(settings: &Settings) -> Vec<(&'static str, Made)> {
    names(settings).into_iter().map(|name| (name.name(), geocoder(settings, None, name))).collect()
}

/// Whom to ask, in which order.
fn names(settings: &Settings) -> Vec<GeocoderName> {
    match &settings.maps.geocoders {
        GeocoderNames::These(names) => names.clone(),
        GeocoderNames::Auto if settings.source.is_sandbox() => vec![GeocoderName::Sandbox],
        GeocoderNames::Auto => {
            // A download of places holds no addresses.
            let has_addresses = settings.maps.addresses.is_some() || settings.places.is_none();
            let mut names: Vec<GeocoderName> = has_addresses.then_some(GeocoderName::Overture).into_iter().collect();
            names.push(GeocoderName::Census);
            names.extend(settings.maps.nominatim_url.as_ref().map(|_| GeocoderName::Nominatim));
            names.extend(settings.maps.photon_url.as_ref().map(|_| GeocoderName::Photon));
            names.extend(settings.maps.google_api_key.as_ref().map(|_| GeocoderName::Google));
            names
        }
    }
}

/// A geocoder with this name. An error says which setting is missing or wrong.
fn geocoder(settings: &Settings, sandbox: Option<&Arc<Sandbox>>, name: GeocoderName) -> Made {
    let agent = user_agent(settings);
    let needed = |url: &Option<Url>| {
        url.as_ref().map(ToString::to_string).ok_or_else(|| format!("set CANVASS_{}_URL", name.name().to_uppercase()))
    };
    let made: Result<Arc<dyn Geocoder>, _> = match name {
        GeocoderName::Overture => OvertureAddresses::new(address_files(settings)).map(|made| Arc::new(made) as _),
        GeocoderName::Census => Census::new(settings.maps.census_url.as_str(), &agent).map(|made| Arc::new(made) as _),
        GeocoderName::Nominatim => {
            Nominatim::new(&needed(&settings.maps.nominatim_url)?, &agent).map(|made| Arc::new(made) as _)
        }
        GeocoderName::Photon => {
            Photon::new(&needed(&settings.maps.photon_url)?, &agent).map(|made| Arc::new(made) as _)
        }
        GeocoderName::Google => {
            let key = settings.maps.google_api_key.as_ref().ok_or("set CANVASS_GOOGLE_API_KEY")?;
            let mut google = GoogleGeocoderSettings::new(settings.maps.google_geocode_url.clone(), key.reveal());
            let kept = Duration::from_secs(settings.maps.google_keep_days.unsigned_abs() * DAY_SECONDS);
            google.keep_for = kept.min(HIT_FRESH_FOR);
            Ok(Arc::new(GoogleGeocoder::new(google)) as _)
        }
        GeocoderName::Sandbox => {
            let sandbox = sandbox.ok_or("it knows only the sandbox's own world, which is not the source here")?;
            Ok(Arc::new(SandboxStreets(sandbox.clone())) as _)
        }
    };
    made.map_err(|error: ProviderError| error.to_string())
}

/// Where the addresses lie: beside the places, unless the settings say otherwise.
fn address_files(settings: &Settings) -> OvertureSettings {
    OvertureSettings {
        places: settings.maps.addresses.clone().or_else(|| settings.places.clone()),
        ..overture_settings(settings)
    }
}
