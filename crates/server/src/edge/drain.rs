//! Reads what a handler left of a request body, for a while: an HTTP/1 client that is still sending when the connection
//! closes never sees the response, and one that sent everything keeps its connection.
//!
//! Nothing of it is kept, and only a few at a time are waited for. HTTP/2 needs none of this: a stream ends by itself.

use std::time::Duration;

use axum::body::Body;
use http_body_util::BodyExt;

use super::Edge;

/// For how long.
const DRAIN_TIME_MAX: Duration = Duration::from_secs(5);
/// Bytes read of one body.
const DRAIN_BYTES_MAX: usize = 4 * 1024 * 1024;

/// Reads the rest of a body and drops it.
pub async fn drain(edge: &Edge, mut body: Body) {
    let Ok(_slot) = edge.drains.try_acquire() else { return };
    let reading = async {
        let mut read = 0;
        while let Some(Ok(frame)) = body.frame().await {
            read += frame.data_ref().map_or(0, bytes::Bytes::len);
            if read > DRAIN_BYTES_MAX {
                return;
            }
        }
    };
    let _ = tokio::time::timeout(DRAIN_TIME_MAX, reading).await;
}
