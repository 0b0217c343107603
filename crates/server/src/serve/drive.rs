//! Serves one connection, HTTP/1 or HTTP/2, until it ends, times out or has to make room for another.

use std::convert::Infallible;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use axum::body::{Body, Bytes};
use hyper::body::{Body as HttpBody, Frame, Incoming, SizeHint};
use hyper::service::service_fn;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto;
use tokio::net::TcpStream;
use tower::ServiceExt;

use crate::connection::{Connection, ConnectionPlace, InFlight};
use crate::edge::Edge;
use crate::router::Service;

/// Bytes of an HTTP/1 head, and of the buffers of such a connection.
const HTTP1_BUFFER_BYTES_MAX: usize = 64 * 1024;
/// Requests in flight per HTTP/2 connection.
const STREAMS_MAX: u32 = 100;
/// HTTP/2 receive windows in bytes, per stream and per connection.
const STREAM_WINDOW_BYTES: u32 = 64 * 1024;
const CONNECTION_WINDOW_BYTES: u32 = 512 * 1024;
/// Bytes of a request's headers after decompression; the URL has its own limit.
const HEADERS_BYTES_MAX: u32 = 32 * 1024;
/// Bytes of a response buffered per stream.
const SEND_BUFFER_BYTES_MAX: usize = 128 * 1024;
/// Streams a client may reset before they were processed, and streams reset because of its errors; more ends the
/// connection.
const PENDING_RESETS_MAX: usize = 20;
const ERROR_RESETS_MAX: usize = 100;
/// Interval of HTTP/2 keep-alive pings.
const PING_EVERY: Duration = Duration::from_secs(15);
/// Time for a client to read that its connection is being closed.
const GOODBYE_TIME_MAX: Duration = Duration::from_secs(5);
/// Bytes of a response passed on at a time. They count as sent, though the client may not have read them yet.
const PIECE_BYTES_MAX: usize = 64 * 1024;

/// Serves one connection until it ends, times out, has to make room for another, or the server closes.
pub(super) async fn drive(stream: TcpStream, service: Service, edge: Edge, place: ConnectionPlace) {
    // Responses are small and complete; Nagle's algorithm would only delay them.
    let _ = stream.set_nodelay(true);
    let connection = place.connection.clone();
    let handler = {
        let connection = connection.clone();
        service_fn(move |request| handle(service.clone(), connection.clone(), request))
    };
    let builder = builder();
    let mut serving = pin!(builder.serve_connection(TokioIo::new(stream), handler));
    let closed = edge.closed();
    tokio::select! {
        biased;
        // A client that disconnects is not an error.
        _ = serving.as_mut() => return,
        () = connection.evicted() => return,
        () = connection.overdue(&edge.limits) => {}
        () = closed => {
            serving.as_mut().graceful_shutdown();
            // Requests in progress may finish; the caller cuts them off after the grace period.
            let _ = serving.await;
            return;
        }
    }
    serving.as_mut().graceful_shutdown();
    let _ = tokio::time::timeout(GOODBYE_TIME_MAX, serving).await;
}

fn builder() -> auto::Builder<TokioExecutor> {
    let mut builder = auto::Builder::new(TokioExecutor::new());
    // `Connection::overdue` limits the time for a head, for both versions and before the version is known.
    builder.http1().timer(TokioTimer::new()).header_read_timeout(None).max_buf_size(HTTP1_BUFFER_BYTES_MAX);
    builder
        .http2()
        .timer(TokioTimer::new())
        .keep_alive_interval(Some(PING_EVERY))
        .max_concurrent_streams(STREAMS_MAX)
        .initial_stream_window_size(STREAM_WINDOW_BYTES)
        .initial_connection_window_size(CONNECTION_WINDOW_BYTES)
        .max_header_list_size(HEADERS_BYTES_MAX)
        .max_send_buf_size(SEND_BUFFER_BYTES_MAX)
        .max_pending_accept_reset_streams(PENDING_RESETS_MAX)
        .max_local_error_reset_streams(ERROR_RESETS_MAX);
    builder
}

async fn handle(
    service: Service,
    connection: Arc<Connection>,
    mut request: http::Request<Incoming>,
) -> Result<http::Response<ServedResponse>, Infallible> {
    let in_flight = connection.begin_request();
    request.extensions_mut().insert(connection);
    let response = service.oneshot(request.map(Body::new)).await?;
    Ok(response.map(|body| ServedResponse { body, rest: Bytes::new(), _in_flight: in_flight }))
}

/// The body of a response; its request is in flight until the body is dropped.
struct ServedResponse {
    body: Body,
    /// The remainder of a frame that was too large to pass on at once.
    rest: Bytes,
    _in_flight: InFlight,
}

impl ServedResponse {
    fn piece(&mut self) -> Frame<Bytes> {
        let bytes = self.rest.len().min(PIECE_BYTES_MAX);
        Frame::data(self.rest.split_to(bytes))
    }
}

impl HttpBody for ServedResponse {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Self::Error>>> {
        if !self.rest.is_empty() {
            return Poll::Ready(Some(Ok(self.piece())));
        }
        let frame = match ready!(Pin::new(&mut self.body).poll_frame(context)) {
            Some(Ok(frame)) => frame,
            ended => return Poll::Ready(ended),
        };
        Poll::Ready(Some(Ok(match frame.into_data() {
            Ok(data) => {
                self.rest = data;
                self.piece()
            }
            Err(other) => other,
        })))
    }

    fn is_end_stream(&self) -> bool {
        self.rest.is_empty() && self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        let (rest, body) = (self.rest.len() as u64, self.body.size_hint());
        let mut hint = SizeHint::new();
        hint.set_lower(body.lower() + rest);
        if let Some(upper) = body.upper() {
            hint.set_upper(upper + rest);
        }
        hint
    }
}
