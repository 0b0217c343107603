//! The way out to providers: a stored answer, or else a call that is paced, counted and stored.

use std::fmt;
use std::sync::Arc;

use futures::FutureExt;
use futures::future::BoxFuture;
use map_providers::{Call, CallError, Gateway, PlainGateway, Reply};
use tracing::Instrument;

use super::pace::{Slot, failed, wait_until};
use super::store::{self, Kept};
use super::{Inquiry, request_key};
use crate::clock::{Clock, Moment};
use crate::db::Db;
use crate::ids::Ids;
use crate::measure;

/// What the operator lets a provider cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// The provider's name; calls to others are not limited.
    pub provider: &'static str,
    /// Calls for one search; `None` for no limit.
    pub per_search: Option<i64>,
    /// Calls in a calendar month (UTC); `None` for no limit.
    pub per_month: Option<i64>,
}

/// Asks providers, for one inquiry or for none. Cheap to clone.
#[derive(Clone)]
pub struct ProviderGateway {
    parts: Arc<Parts>,
    inquiry: Option<Inquiry>,
}

struct Parts {
    db: Db,
    clock: Arc<dyn Clock>,
    ids: Arc<dyn Ids>,
    plain: PlainGateway,
    budget: Option<Budget>,
}

impl fmt::Debug for ProviderGateway {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ProviderGateway").field("inquiry", &self.inquiry).finish_non_exhaustive()
    }
}

impl ProviderGateway {
    /// Asks, within a budget where there is one.
    pub fn new(
        db: Db,
        (clock, ids): (Arc<dyn Clock>, Arc<dyn Ids>),
        plain: PlainGateway,
        budget: Option<Budget>,
    ) -> Self {
        ProviderGateway { parts: Arc::new(Parts { db, clock, ids, plain, budget }), inquiry: None }
    }

    /// The same, for a search.
    #[must_use]
    pub fn on_behalf_of(&self, inquiry: Inquiry) -> ProviderGateway {
        ProviderGateway { parts: self.parts.clone(), inquiry: Some(inquiry) }
    }

    async fn ask(&self, call: &Call) -> Result<Reply, CallError> {
        let Parts { db, clock, .. } = &*self.parts;
        let request = request_key(call);
        let is_stored = !call.fresh_for.is_zero();
        if is_stored && let Some(reply) = store::answer(db, &request, clock.now()).await.map_err(failed)? {
            return Ok(reply);
        }
        let holder = self.parts.ids.uuid(clock.now()).simple().to_string();
        let slot = Slot::wait_for((db, &**clock), call.provider, holder, (call.pace, call.timeout)).await?;
        let answered = self.ask_in_turn(call).await;
        slot.give_back(db).await;
        let reply = answered?;
        if is_stored && (call.is_worth_storing)(&reply) {
            self.keep(call, &request, &reply).await?;
        }
        Ok(reply)
    }

    async fn ask_in_turn(&self, call: &Call) -> Result<Reply, CallError> {
        let turn = self.take_turn(call).await?;
        wait_until(turn, &*self.parts.clock).await;
        measure::provider_called(call.provider, call.kind);
        let answered = self.call_traced(call).await;
        if answered.as_ref().is_err() || answered.as_ref().is_ok_and(|reply| reply.status >= 400) {
            measure::provider_failed(call.provider, call.kind);
        }
        if call.pace.concurrent_max <= 1 {
            self.delay_turns(call).await;
        }
        answered
    }

    async fn call_traced(&self, call: &Call) -> Result<Reply, CallError> {
        let (provider, kind, status) = (call.provider, call.kind, tracing::field::Empty);
        let span = tracing::info_span!(
            "provider call",
            provider.name = provider,
            provider.kind = kind,
            provider.status = status
        );
        let answered = self.parts.plain.call(call).instrument(span.clone()).await;
        if let Ok(reply) = &answered {
            span.record("provider.status", reply.status);
        }
        answered
    }

    /// Moves the next turn to an interval from now, where requests follow one another. This process may have been slow to send its
    /// own, and the provider counts from when that arrived.
    async fn delay_turns(&self, call: &Call) {
        let Parts { db, clock, .. } = &*self.parts;
        let next = Moment::from_micros(clock.now().micros().saturating_add(interval_micros(call)));
        if let Err(error) = store::delay_turns(db, call.provider, next).await {
            // The answer is good all the same, and whoever asks next needs the database for its own turn.
            tracing::warn!(error = &error as &dyn std::error::Error, "the next turn at a provider was not delayed");
        }
    }

    /// Takes a turn and counts the call, together: a call that may cost money is counted before it is made, so that a crash can
    /// make the count too high but never too low.
    async fn take_turn(&self, call: &Call) -> Result<Moment, CallError> {
        let Parts { db, clock, budget, .. } = &*self.parts;
        let now = clock.now();
        let mut tx = db.begin().await.map_err(failed)?;
        // The row of the turn is the lock: whoever counts next sees what this transaction counts.
        let turn = store::take_turn(&mut tx, call.provider, now, interval_micros(call)).await.map_err(failed)?;
        let budget = budget.filter(|budget| budget.provider == call.provider);
        let counted = (call.provider, call.kind);
        let month = now.month();
        if !store::count(&mut tx, counted, &month, budget.and_then(|budget| budget.per_month)).await.map_err(failed)? {
            return Err(over(call.provider, "month"));
        }
        if let Some(inquiry) = &self.inquiry
            && !store::count(&mut tx, counted, inquiry.as_str(), budget.and_then(|budget| budget.per_search))
                .await
                .map_err(failed)?
        {
            return Err(over(call.provider, "search"));
        }
        tx.commit().await.map_err(failed)?;
        Ok(turn)
    }

    async fn keep(&self, call: &Call, request: &str, reply: &Reply) -> Result<(), CallError> {
        // Only text is stored; an answer in another form is used once.
        let Ok(body) = std::str::from_utf8(&reply.body) else { return Ok(()) };
        if body.contains('\0') {
            return Ok(());
        }
        let seconds = i64::try_from(call.fresh_for.as_secs()).unwrap_or(i64::MAX / 2);
        let expires_at = self.parts.clock.now().plus_seconds(seconds);
        let kept = Kept { request, provider: call.provider, status: reply.status, body, expires_at };
        store::keep(&self.parts.db, &kept).await.map_err(failed)
    }
}

fn interval_micros(call: &Call) -> i64 {
    i64::try_from(call.pace.interval.as_micros()).unwrap_or(i64::MAX / 4)
}

fn over(provider: &str, span: &str) -> CallError {
    CallError::OverBudget(format!(
        "the operator's budget for the provider {provider} is used up for this {span}; `{provider}_calls_per_{span}` is the setting"
    ))
}

impl Gateway for ProviderGateway {
    fn call<'a>(&'a self, call: &'a Call) -> BoxFuture<'a, Result<Reply, CallError>> {
        // In a task of its own: whoever waits may pause, or go away, in the middle of a transaction. And what is paid for is stored.
        let (gateway, call) = (self.clone(), call.clone());
        let asking = tokio::spawn(async move { gateway.ask(&call).await }.in_current_span());
        async move {
            let ended = asking.await;
            ended.unwrap_or_else(|_| Err(CallError::Unreachable("the process is stopping".to_owned())))
        }
        .boxed()
    }

    fn is_stored<'a>(&'a self, call: &'a Call) -> BoxFuture<'a, bool> {
        async move {
            let known = store::answer(&self.parts.db, &request_key(call), self.parts.clock.now()).await;
            !call.fresh_for.is_zero() && known.is_ok_and(|known| known.is_some())
        }
        .boxed()
    }
}
