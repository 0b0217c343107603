//! `wait_for_search`: waits a while for a search to end, and tells of its progress meanwhile.
//!
//! Nobody is kept waiting for longer than assistants wait for a tool. When the client goes away the waiting ends; the
//! search knows nothing of either.

use std::time::{Duration, Instant};

use canvass::Owned;
use canvass::search::{self, Search, Waiter};

use super::search::told;
use super::{Answer, Call};
use crate::edge::Problem;
use crate::edge::caller::{Api, Authorized, Rechecks};
use crate::mcp::progress::Progress;

/// Seconds waited when not said, and at most.
const WAIT_SECONDS_DEFAULT: i64 = 25;
const WAIT_SECONDS_MAX: i64 = 45;

pub(super) async fn wait(mut call: Call) -> Result<Answer, Problem> {
    let path = call.search()?;
    let seconds = call.fields.integer("timeout_seconds", 0..=WAIT_SECONDS_MAX).unwrap_or(WAIT_SECONDS_DEFAULT);
    call.finish()?;
    let search = path.find().await?;
    let patience = Duration::from_secs(u64::try_from(seconds).unwrap_or_default());
    let waits = search.is_running() && seconds > 0;
    let search = if waits { until_ended(&call, path.caller(), &search, patience).await? } else { search.into_inner() };
    told(&search)
}

/// The search when it has ended, or as it stands when the time is up, the client is gone, or this server goes away.
async fn until_ended(
    call: &Call,
    caller: &Authorized<Api>,
    owned: &Owned<Search>,
    patience: Duration,
) -> Result<Search, Problem> {
    let mut search = Search::clone(owned);
    let waiter = search::wait(&call.edge.app, owned);
    let rechecks = Rechecks::of(&call.edge, caller);
    let mut waiting =
        Waiting { call, waiter, rechecks, progress: Progress::of(call), until: Instant::now() + patience };
    loop {
        // After the bell is listened to: what happened before that is seen here.
        match waiting.waiter.look().await.map_err(|error| Problem::from(&*error))? {
            Some(now) => search = now,
            None => return Ok(search),
        }
        if !search.is_running() || !waiting.moves(&search).await? {
            return Ok(search);
        }
    }
}

struct Waiting<'a> {
    call: &'a Call,
    waiter: Waiter,
    rechecks: Rechecks<'a, Api>,
    progress: Progress,
    until: Instant,
}

impl Waiting<'_> {
    /// Waits for the search to move on, telling where it stands. `false` when there is no more reason to wait.
    async fn moves(&mut self, search: &Search) -> Result<bool, Problem> {
        loop {
            self.progress.tell(search.leads_found, search.requested, "leads found").await;
            tokio::select! {
                () = self.waiter.moved() => return Ok(true),
                // Something is left to be told, and not too early any more.
                () = self.progress.due() => {}
                () = self.rechecks.due() => self.rechecks.make().await?,
                () = tokio::time::sleep_until(self.until.into()) => return Ok(false),
                () = self.call.context.ct.cancelled() => return Ok(false),
                () = self.call.edge.closed() => return Ok(false),
            }
        }
    }
}
