//! Reads refused bodies to their end, for a while: an HTTP/1 client that is still sending when the connection closes never
//! sees the response, and one that sent everything keeps its connection.
//!
//! Nothing of it is kept, and only a few at a time are waited for. HTTP/2 needs none of this: a stream ends by itself.

use std::time::Duration;

use axum::body::Body;
use http::Version;
use http_body_util::BodyExt;

use super::Edge;

/// For how long.
const DRAIN_TIME_MAX: Duration = Duration::from_secs(5);

/// How much of a refused body is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Drain {
    /// A message that could have been accepted.
    Message,
    /// One that was announced to be too large.
    Large,
}

impl Drain {
    fn bytes_max(self) -> usize {
        match self {
            Drain::Message => 64 * 1024,
            Drain::Large => 4 * 1024 * 1024,
        }
    }
}

/// Reads a refused body of a request of this version.
pub async fn drain(edge: &Edge, version: Version, mut body: Body, how: Drain) {
    use hyper::body::Body as _;
    if version >= Version::HTTP_2 || body.is_end_stream() {
        return;
    }
    let Ok(_slot) = edge.drains.try_acquire() else { return };
    let reading = async {
        let mut read = 0;
        while let Some(Ok(frame)) = body.frame().await {
            read += frame.data_ref().map_or(0, bytes::Bytes::len);
            if read > how.bytes_max() {
                return;
            }
        }
    };
    let _ = tokio::time::timeout(DRAIN_TIME_MAX, reading).await;
}
