//! The bytes of an event stream: events as they come, and a sign of life when none does.

use std::sync::Arc;

use axum::body::Bytes;
use canvass::db::DbError;
use canvass::search::{self, Event, Follower, Search};
use futures::stream::{self, Stream, StreamExt};
use serde_json::json;
use tokio::time::Instant;

use crate::api::search::{SearchView, StartedView};
use crate::edge::Edge;
use crate::edge::caller::{Api, Authorized};

/// Tells a client how long to wait before it reconnects, in milliseconds. Part of the first event of a stream: in a block
/// of its own some clients take it for an empty event.
const RETRY: &str = "retry: 3000\n";
/// What is sent when nothing happens, so that no proxy takes the connection for dead.
const KEEP_ALIVE: &str = ": keep-alive\n\n";
/// Ends an event.
const END: &str = "\n\n";

/// The pieces of a stream. Those of a lead are shared by all who follow its search.
pub(super) fn of(
    follower: Follower,
    edge: &Edge,
    caller: &Authorized<Api>,
) -> impl Stream<Item = Result<Bytes, std::io::Error>> + Send + use<> {
    let check_at = Instant::now() + edge.limits.keep_alive;
    let live = Live { follower, edge: edge.clone(), caller: caller.clone(), check_at, retry: RETRY };
    stream::unfold(Some(live), next).flat_map(|pieces| {
        stream::iter(match pieces {
            Ok(pieces) => pieces.into_iter().filter(|piece| !piece.is_empty()).map(Ok).collect::<Vec<_>>(),
            Err(error) => vec![Err(error)],
        })
    })
}

/// The parts of one event: what precedes the data, the data, what follows it.
type Pieces = Result<[Bytes; 3], std::io::Error>;

/// A stream that is being sent.
struct Live {
    follower: Follower,
    edge: Edge,
    caller: Authorized<Api>,
    /// When the key is looked at again: at every sign of life, and as often while events come.
    check_at: Instant,
    /// What is still to be said in the next event.
    retry: &'static str,
}

/// The next event as it is sent, or a sign of life. The stream just ends when the key does not work any more.
async fn next(live: Option<Live>) -> Option<(Pieces, Option<Live>)> {
    let mut live = live?;
    let event = tokio::time::timeout_at(live.check_at, live.follower.next()).await;
    if event.is_err() || Instant::now() >= live.check_at {
        // Boxed, so that a stream which waits has no room for it.
        match Box::pin(live.caller.recheck(&live.edge.app)).await {
            Ok(()) => live.check_at = Instant::now() + live.edge.limits.keep_alive,
            Err(problem) if problem.status.is_server_error() => return Some(broken_off()),
            Err(_) => return None,
        }
    }
    match event {
        Err(_) => Some((Ok([KEEP_ALIVE.into(), Bytes::new(), Bytes::new()]), Some(live))),
        Ok(Ok(event)) => event.map(|event| {
            let retry = std::mem::take(&mut live.retry);
            (Ok(written(event, retry)), Some(live))
        }),
        Ok(Err(error)) => {
            warn(&error);
            Some(broken_off())
        }
    }
}

fn warn(error: &Arc<DbError>) {
    tracing::warn!(error = &**error as &dyn std::error::Error, "a stream broke off");
}

/// Cut off in the middle, the client knows that it has to come back.
fn broken_off() -> (Pieces, Option<Live>) {
    (Err(std::io::Error::other("the stream broke off")), None)
}

fn written(event: Event, retry: &str) -> [Bytes; 3] {
    let (id, name, data) = match event {
        Event::Started(search) => (0, "search_started", started(&search).into()),
        Event::Lead { number, json } => (number, "lead", json),
        Event::Done(search) => {
            let id = search.leads_found + 1;
            (id, "search_done", serde_json::to_vec(&SearchView::from(*search)).unwrap_or_default().into())
        }
    };
    [format!("{retry}id: {id}\nevent: {name}\ndata: ").into(), data, END.into()]
}

fn started(search: &Search) -> String {
    let StartedView { search_id, requested, poll, .. } = StartedView::from(search);
    let (industry, location) = (&search.request.industry, &search.request.location);
    // What was true when it happened, however long ago that was.
    let status = search::Status::Running.name();
    json!({"search_id": search_id, "industry": industry, "location": location, "requested": requested,
        "status": status, "poll": poll})
    .to_string()
}
