//! `wait_for_search`: waits for a search to end, and sends progress meanwhile.
//!
//! The longest wait is shorter than assistants wait for a tool. The wait ends when the client disconnects, which does not
//! affect the search.

use std::time::{Duration, Instant};

use canvass::Owned;
use canvass::search::{self, Search, Waiter};
use schemars::JsonSchema;

use super::call::{ToolCall, ToolResponse};
use super::definition::{Content, Effect, ToolDefinition};
use super::schema;
use super::search::{SearchArguments, SearchView, shown};
use crate::edge::Problem;
use crate::edge::caller::{Api, Authorized, Rechecks};
use crate::mcp::progress::Progress;

/// Longest wait in seconds: when the call does not say, and at most.
const WAIT_SECONDS_DEFAULT: i64 = 25;
const WAIT_SECONDS_MAX: i64 = 45;

pub(super) const WAIT_FOR_SEARCH: ToolDefinition = ToolDefinition {
    name: "wait_for_search",
    title: "Wait for a search",
    description: "Waits until a search ends or the time is up, then reports its state. Returns early when the search \
                  ends. If status is still \"running\", call it again; for long searches tell the user how far it is \
                  first. Disconnecting does not stop the search.",
    content: Content::Own,
    effect: Effect::READS,
    input: schema::input::<WaitArguments>,
    output: schema::output::<SearchView>,
    run: |call| Box::pin(wait(call)),
};

#[derive(JsonSchema)]
#[expect(dead_code, reason = "it only describes the arguments; Fields reads them")]
struct WaitArguments {
    #[schemars(flatten)]
    search: SearchArguments,
    /// Longest wait. Use 0 to look without waiting.
    #[schemars(range(min = 0, max = WAIT_SECONDS_MAX), extend("default" = WAIT_SECONDS_DEFAULT))]
    timeout_seconds: Option<i64>,
}

async fn wait(mut call: ToolCall) -> Result<ToolResponse, Problem> {
    let path = call.search()?;
    let seconds = call.fields.integer("timeout_seconds", 0..=WAIT_SECONDS_MAX).unwrap_or(WAIT_SECONDS_DEFAULT);
    call.finish()?;
    let search = path.find().await?;
    let patience = Duration::from_secs(u64::try_from(seconds).unwrap_or_default());
    let waits = search.is_running() && seconds > 0;
    let search = if waits { until_ended(&call, path.caller(), &search, patience).await? } else { search.into_inner() };
    shown(&search)
}

/// The search once it has ended, or in its last state when the time is up, the client disconnects or the server stops.
async fn until_ended(
    call: &ToolCall,
    caller: &Authorized<Api>,
    owned: &Owned<Search>,
    patience: Duration,
) -> Result<Search, Problem> {
    let mut search = Search::clone(owned);
    let waiter = search::wait(&call.edge.app, owned);
    let rechecks = Rechecks::of(&call.edge, caller);
    let mut waiting = Waiting {
        call,
        waiter,
        rechecks,
        progress: Progress::of(&call.context, call.accepts),
        until: Instant::now() + patience,
    };
    loop {
        // Read after subscribing to the bell, so that nothing in between is missed.
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
    call: &'a ToolCall,
    waiter: Waiter,
    rechecks: Rechecks<'a, Api>,
    progress: Progress,
    until: Instant,
}

impl Waiting<'_> {
    /// Waits for the search to change, and sends progress. `false` when the wait is over.
    async fn moves(&mut self, search: &Search) -> Result<bool, Problem> {
        loop {
            self.progress.tell(search.leads_found, search.requested, "leads found").await;
            tokio::select! {
                () = self.waiter.moved() => return Ok(true),
                // Progress that was held back may be sent now.
                () = self.progress.due() => {}
                () = self.rechecks.due() => self.rechecks.make().await?,
                () = tokio::time::sleep_until(self.until.into()) => return Ok(false),
                () = self.call.context.ct.cancelled() => return Ok(false),
                () = self.call.edge.closed() => return Ok(false),
            }
        }
    }
}
