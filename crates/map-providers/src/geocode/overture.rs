//! Street addresses out of Overture's theme of addresses: files in a folder or in a bucket, no request to any geocoder.

use std::sync::Arc;

use futures::FutureExt;
use futures::future::BoxFuture;
use place_data::{Error, Overture, OvertureSettings, StreetTest};

use super::interpolate::{crossing, door};
use super::street::Street;
use super::{AddressQuery, Door, Geocoder};
use crate::{Gateway, ProviderError};

/// Whom to name wherever a result is shown.
pub const ATTRIBUTION: &str = "© Overture Maps Foundation, OpenAddresses";

/// Addresses of Overture's latest release, or of any folder of such files.
#[derive(Clone, Debug)]
pub struct OvertureAddresses {
    overture: Arc<Overture>,
}

impl OvertureAddresses {
    /// Looks for addresses where these settings say; `places` is the folder or the address of the release or of the files.
    ///
    /// # Errors
    /// When the settings cannot be used.
    pub fn new(settings: OvertureSettings) -> Result<OvertureAddresses, ProviderError> {
        let overture = Overture::addresses(settings).map_err(|error| failed(&error))?;
        Ok(OvertureAddresses { overture: Arc::new(overture) })
    }

    async fn locate(&self, query: &AddressQuery) -> Result<Option<Door>, ProviderError> {
        let Some(street) = Street::of(&query.street) else { return Ok(None) };
        let streets = Street::crossing(&query.street).filter(|_| query.number.is_none());
        let wanted: Vec<Street> =
            streets.iter().flat_map(|(one, other)| [one, other]).chain([&street]).cloned().collect();
        let is_wanted: StreetTest = Arc::new(move |name: &str| {
            Street::of(name).is_some_and(|known| wanted.iter().any(|street| street.likeness(&known).is_some()))
        });
        let (_, addresses) = self.overture.latest().await.map_err(|error| failed(&error))?;
        let found = addresses.addresses(&query.within, &is_wanted).await.map_err(|error| failed(&error))?;
        // A street may have "and" in its name, so the whole is looked for first.
        let whole = door(query, &street, &found);
        Ok(whole.or_else(|| crossing(query, &streets?, &found)))
    }
}

impl Geocoder for OvertureAddresses {
    fn name(&self) -> &'static str {
        "overture"
    }

    fn find<'a>(
        &'a self,
        _: &'a dyn Gateway,
        query: &'a AddressQuery,
    ) -> BoxFuture<'a, Result<Option<Door>, ProviderError>> {
        self.locate(query).boxed()
    }

    fn check<'a>(&'a self, _: &'a dyn Gateway) -> BoxFuture<'a, Result<String, ProviderError>> {
        async move {
            let (release, _) = self.overture.latest().await.map_err(|error| failed(&error))?;
            Ok(format!("the addresses of {release} are there"))
        }
        .boxed()
    }
}

fn failed(error: &Error) -> ProviderError {
    match error {
        Error::Unreachable { .. } | Error::Cancelled | Error::Io { .. } => {
            ProviderError::Transient { reason: error.to_string(), after: None }
        }
        _ => ProviderError::Permanent(error.to_string()),
    }
}
