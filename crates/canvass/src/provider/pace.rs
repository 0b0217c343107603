//! Keeps to a provider's pace, together with all other processes that share the database.

use std::time::Duration;

use map_providers::{CallError, Pace};

use super::store;
use crate::clock::{Clock, Moment};
use crate::db::{Db, DbError};

/// How long to wait before looking for a free slot again.
const SLOT_LOOK_EVERY: Duration = Duration::from_millis(200);
/// How long a request may wait for a slot.
const SLOT_WAIT_MAX: Duration = Duration::from_secs(120);
/// What a slot is held for beyond the time that a request may take, in seconds: the holder's clock may be behind.
const SLOT_MARGIN_SECONDS: i64 = 5;

/// A slot of a provider that is held.
pub(super) struct Slot {
    provider: &'static str,
    number: i64,
    holder: String,
}

impl Slot {
    /// Waits for a slot, and holds it for as long as the request may take.
    pub(super) async fn wait_for(
        (db, clock): (&Db, &dyn Clock),
        provider: &'static str,
        holder: String,
        (pace, timeout): (Pace, Duration),
    ) -> Result<Slot, CallError> {
        let began = tokio::time::Instant::now();
        loop {
            let now = clock.now();
            let seconds = i64::try_from(timeout.as_secs()).unwrap_or(i64::MAX / 2).saturating_add(SLOT_MARGIN_SECONDS);
            let until = now.plus_seconds(seconds);
            let taken = store::take_slot(db, provider, &holder, (pace.concurrent_max.max(1), now, until)).await;
            if let Some(number) = taken.map_err(failed)? {
                return Ok(Slot { provider, number, holder });
            }
            if began.elapsed() > SLOT_WAIT_MAX {
                return Err(CallError::TimedOut(SLOT_WAIT_MAX));
            }
            tokio::time::sleep(SLOT_LOOK_EVERY).await;
        }
    }

    /// Gives it back. What is not given back ends by itself.
    pub(super) async fn give_back(self, db: &Db) {
        if let Err(error) = store::free_slot(db, self.provider, self.number, &self.holder).await {
            tracing::warn!(error = &error as &dyn std::error::Error, "a provider's slot stays held for a while");
        }
    }
}

/// Waits until it is our turn.
pub(super) async fn wait_until(turn: Moment, clock: &dyn Clock) {
    let micros = u64::try_from(turn.micros() - clock.now().micros()).unwrap_or(0);
    tokio::time::sleep(Duration::from_micros(micros)).await;
}

pub(super) fn failed(error: DbError) -> CallError {
    tracing::warn!(error = &error as &dyn std::error::Error, "what is known of a provider cannot be read or stored");
    CallError::Store("the database is not available".to_owned())
}
