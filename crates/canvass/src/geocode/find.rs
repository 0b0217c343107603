//! Finds a street address: what is remembered, or else what the first geocoder says that knows it.

use map_providers::geocode::{AddressQuery, MISS_FRESH_FOR};
use sha2::{Digest, Sha256};

use super::{Finding, Geocoders, LocatedDoor, store};
use crate::db::DbError;

impl Geocoders {
    /// Where the address lies. A geocoder that fails is passed over; the next one may know.
    pub async fn find(&self, query: &AddressQuery) -> Result<Finding, DbError> {
        let parts = &*self.0;
        let Some(gateway) = &parts.gateway else { return Ok(Finding::Unknown(Vec::new())) };
        let key = self.key(query);
        if let Some(known) = store::known(&parts.db, &key, parts.clock.now()).await? {
            return Ok(known.map_or_else(|| Finding::Unknown(Vec::new()), Finding::Found));
        }
        let mut failures = Vec::new();
        for geocoder in &parts.geocoders {
            match geocoder.find(gateway, query).await {
                Ok(Some(door)) => {
                    let found = LocatedDoor { door, by: geocoder.name().to_owned() };
                    self.remember(&key, Some(&found), geocoder.remembered_for()).await?;
                    return Ok(Finding::Found(found));
                }
                Ok(None) => {}
                Err(error) => failures.push(format!("The geocoder {} did not answer: {error}.", geocoder.name())),
            }
        }
        // What a geocoder that is down might know must be asked again.
        if failures.is_empty() {
            self.remember(&key, None, MISS_FRESH_FOR).await?;
        }
        Ok(Finding::Unknown(failures))
    }

    async fn remember(
        &self,
        key: &str,
        found: Option<&LocatedDoor>,
        fresh_for: std::time::Duration,
    ) -> Result<(), DbError> {
        let seconds = i64::try_from(fresh_for.as_secs()).unwrap_or(i64::MAX / 2);
        store::remember(&self.0.db, key, found, self.0.clock.now().plus_seconds(seconds)).await
    }

    /// What an answer is remembered under: the address, and who was asked in which order.
    fn key(&self, query: &AddressQuery) -> String {
        let mut hash = Sha256::new();
        for part in [self.names().join(","), query.one_line().to_lowercase(), query.country.to_owned()] {
            hash.update(part.as_bytes());
            hash.update([0]);
        }
        hex::encode(hash.finalize())
    }
}
