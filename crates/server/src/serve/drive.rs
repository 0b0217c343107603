//! Serves one connection, HTTP/1 or HTTP/2, until it ends, times out or has to make room for another.

use std::convert::Infallible;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use hyper::body::Incoming;
use hyper::server::conn::{http1, http2};
use hyper::service::service_fn;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use tokio::net::TcpStream;
use tower::ServiceExt;

use super::send_events::send_events;
use super::served::ServedResponse;
use super::take_over::{TakeOver, WatchedIo};
use crate::connection::{Connection, ConnectionPlace};
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
/// What an HTTP/2 connection starts with, as far as it has to be seen.
const HTTP2_START: &[u8] = b"PRI * HTTP/2.0";
/// Pause until more of a start is there that could be either.
const START_PAUSE: Duration = Duration::from_millis(5);

/// Serves one connection until it ends, times out, has to make room for another, or the server closes.
pub(super) async fn drive(stream: TcpStream, service: Service, edge: Edge, place: ConnectionPlace) {
    // Responses are small and complete; Nagle's algorithm would only delay them.
    let _ = stream.set_nodelay(true);
    let started = tokio::select! {
        biased;
        version = starts_http2(&stream) => Some(version),
        _ = over(&place.connection, &edge) => None,
    };
    // Boxed, so that a connection has room only for the version it speaks.
    match started {
        Some(Ok(true)) => Box::pin(drive_http2(stream, service, edge, place)).await,
        Some(Ok(false)) => Box::pin(drive_http1(stream, service, edge, place)).await,
        // A client that disconnects is not an error.
        Some(Err(_)) | None => {}
    }
}

/// Whether a connection starts as HTTP/2 does.
async fn starts_http2(stream: &TcpStream) -> std::io::Result<bool> {
    let mut start = [0; HTTP2_START.len()];
    loop {
        let seen = stream.peek(&mut start).await?;
        if seen == 0 || !HTTP2_START.starts_with(&start[..seen]) {
            return Ok(false);
        }
        if seen == HTTP2_START.len() {
            return Ok(true);
        }
        tokio::time::sleep(START_PAUSE).await;
    }
}

/// Why a connection is ended from this side.
enum Over {
    /// It makes room for another.
    Evicted,
    /// It timed out.
    Overdue,
    /// The server closes.
    Closed,
}

/// Resolves when a connection has to end.
async fn over(connection: &Connection, edge: &Edge) -> Over {
    tokio::select! {
        biased;
        () = connection.evicted() => Over::Evicted,
        () = connection.overdue(&edge.limits) => Over::Overdue,
        () = edge.closed() => Over::Closed,
    }
}

async fn drive_http1(stream: TcpStream, service: Service, edge: Edge, place: ConnectionPlace) {
    let connection = place.connection.clone();
    let take_over = TakeOver::default();
    let handler = {
        let (connection, take_over) = (connection.clone(), take_over.clone());
        service_fn(move |request| handle_http1(service.clone(), connection.clone(), take_over.clone(), request))
    };
    // `Connection::overdue` limits the time for a head.
    let mut serving = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(None)
        .max_buf_size(HTTP1_BUFFER_BYTES_MAX)
        .serve_connection(WatchedIo::new(stream, take_over.clone()), handler);
    let over = tokio::select! {
        biased;
        // A client that disconnects is not an error.
        _ = &mut serving => return,
        response = take_over.taken() => {
            let stream = serving.into_parts().io.into_inner();
            // In a task of its own, because this one has room for much that a stream does not need.
            tokio::spawn(send_events(stream, response, edge.app.clock.now(), place));
            return;
        }
        over = over(&connection, &edge) => over,
    };
    Pin::new(&mut serving).graceful_shutdown();
    finish(over, serving).await;
}

async fn drive_http2(stream: TcpStream, service: Service, edge: Edge, place: ConnectionPlace) {
    let connection = place.connection.clone();
    let handler = {
        let connection = connection.clone();
        service_fn(move |request| handle(service.clone(), connection.clone(), request))
    };
    let mut serving = http2_builder().serve_connection(TokioIo::new(stream), handler);
    let over = tokio::select! {
        biased;
        _ = &mut serving => return,
        over = over(&connection, &edge) => over,
    };
    Pin::new(&mut serving).graceful_shutdown();
    finish(over, serving).await;
}

/// Lets a connection end that was told to.
async fn finish(over: Over, serving: impl Future) {
    match over {
        Over::Evicted => {}
        Over::Overdue => drop(tokio::time::timeout(GOODBYE_TIME_MAX, serving).await),
        // Requests in progress may finish; the caller cuts them off after the grace period.
        Over::Closed => drop(serving.await),
    }
}

fn http2_builder() -> http2::Builder<TokioExecutor> {
    let mut builder = http2::Builder::new(TokioExecutor::new());
    builder
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
    Ok(response.map(|body| ServedResponse::new(body, in_flight)))
}

/// As `handle`, but an event stream is sent without hyper, whose buffers are larger than all else that a stream needs.
async fn handle_http1(
    service: Service,
    connection: Arc<Connection>,
    take_over: TakeOver,
    request: http::Request<Incoming>,
) -> Result<http::Response<ServedResponse>, Infallible> {
    // The older version knows no chunks.
    let may_take_over = request.version() == http::Version::HTTP_11 && request.method() != http::Method::HEAD;
    let response = handle(service, connection, request).await?;
    match may_take_over {
        true => take_over.offer(response).await,
        false => Ok(response),
    }
}
