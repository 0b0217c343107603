//! Adds up what callers use of their rate limits on all servers of one PostgreSQL database, a few times a second.
//!
//! Requests that reach several servers within one interval may pass on each of them. Whatever passes beyond the limit is
//! paid back: the caller waits longer afterwards, so its mean rate is the limit's.

use std::collections::HashMap;
use std::time::Duration;

use canvass::clock::Moment;
use canvass::db::{Db, DbError};
use canvass::request_rate::{self, Used};
use tokio::time::MissedTickBehavior;

use super::Edge;
use super::rate_limit::RateLimits;
use super::via::Via;

/// How often servers tell each other what was used.
pub const SHARE_EVERY: Duration = Duration::from_millis(250);
/// Rounds between two searches for callers that can be forgotten: a minute.
const FORGET_EVERY: u32 = 240;

/// Shares until the process ends. A server with a SQLite database is alone and has nobody to tell.
pub async fn keep_sharing(edge: Edge) {
    let Some(limits) = &edge.rate_limits else { return };
    let mut turn = tokio::time::interval(SHARE_EVERY);
    turn.set_missed_tick_behavior(MissedTickBehavior::Delay);
    for round in 1_u32.. {
        turn.tick().await;
        if matches!(edge.app.db, Db::Pg { .. }) {
            share(&edge, limits).await;
        }
        if round % FORGET_EVERY == 0 {
            limits.forget_idle();
        }
    }
}

async fn share(edge: &Edge, limits: &RateLimits) {
    let taken = limits.take_unshared();
    if taken.is_empty() {
        return;
    }
    match add(edge, &taken).await {
        Ok(totals) => {
            let now = edge.app.clock.now();
            for (via, full_at) in totals {
                limits.learn(via, between(now, full_at));
            }
        }
        // Until the database is back, this server counts for itself.
        Err(error) => {
            tracing::debug!(error = &error as &dyn std::error::Error, "rates of requests could not be shared");
            limits.put_back(taken);
        }
    }
}

/// Adds what was used here, and returns when each caller's quota is whole again.
async fn add(edge: &Edge, taken: &[(Via, Duration)]) -> Result<Vec<(Via, Moment)>, DbError> {
    let names: HashMap<String, Via> = taken.iter().map(|(via, _)| (via.to_string(), *via)).collect();
    let used = taken.iter().map(|(via, used)| {
        let micros = i64::try_from(used.as_micros()).unwrap_or(i64::MAX);
        Used { caller: via.to_string(), micros }
    });
    let totals = request_rate::add(&edge.app.db, used.collect(), edge.app.clock.now()).await?;
    Ok(totals.into_iter().filter_map(|(name, full_at)| Some((*names.get(&name)?, full_at))).collect())
}

fn between(now: Moment, later: Moment) -> Duration {
    Duration::from_micros(u64::try_from(later.micros() - now.micros()).unwrap_or_default())
}
