//! Sends an event stream on a socket of its own: chunk by chunk, with nothing kept between two events.

use std::fmt::Write;
use std::io;
use std::time::{Duration, SystemTime};

use bytes::{Buf, Bytes};
use canvass::clock::Moment;
use futures::FutureExt;
use http::header::{CONNECTION, DATE, TRANSFER_ENCODING};
use http::{HeaderMap, HeaderValue, StatusCode};
use http_body_util::BodyExt;
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;

use super::served::ServedResponse;
use crate::connection::ConnectionPlace;

/// Bytes of events sent in one chunk.
const CHUNK_BYTES_MAX: usize = 64 * 1024;
/// Slices handed to the system at once.
const SLICES_MAX: usize = 64;

/// Sends the response until it ends, the client goes away, or the connection has to make room for another.
pub(super) async fn send_events(
    mut stream: TcpStream,
    response: http::Response<ServedResponse>,
    now: Moment,
    place: ConnectionPlace,
) {
    let (mut parts, mut body) = response.into_parts();
    let head = head(parts.status, &mut parts.headers, now);
    drop(parts);
    let sending = async {
        stream.write_all(head.as_bytes()).await?;
        drop(head);
        loop {
            let chunk = tokio::select! {
                biased;
                chunk = next_chunk(&mut body) => chunk?,
                left = client_left(&stream) => return left,
            };
            let is_last = chunk.is_empty();
            write(&mut stream, chunk).await?;
            if is_last {
                return stream.shutdown().await;
            }
        }
    };
    tokio::select! {
        biased;
        // A client that went away is not an error.
        _ = sending => {}
        () = place.connection.evicted() => {}
    }
}

/// Resolves when the client has closed its side. What it sends meanwhile is not read by anyone.
async fn client_left(stream: &TcpStream) -> io::Result<()> {
    let mut unread = [0; 64];
    loop {
        stream.readable().await?;
        match stream.try_read(&mut unread) {
            Ok(0) => return Ok(()),
            Ok(_) => {}
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
            Err(error) => return Err(error),
        }
    }
}

/// Status line and headers of a response whose connection ends with it.
fn head(status: StatusCode, headers: &mut HeaderMap, now: Moment) -> String {
    headers.insert(TRANSFER_ENCODING, HeaderValue::from_static("chunked"));
    headers.insert(CONNECTION, HeaderValue::from_static("close"));
    let now = SystemTime::UNIX_EPOCH + Duration::from_micros(now.micros().unsigned_abs());
    if let Ok(date) = HeaderValue::from_str(&httpdate::fmt_http_date(now)) {
        headers.entry(DATE).or_insert(date);
    }
    let mut text = format!("HTTP/1.1 {} {}\r\n", status.as_u16(), status.canonical_reason().unwrap_or("OK"));
    for (name, value) in headers.iter() {
        if let Ok(value) = value.to_str() {
            // Writing to a string cannot fail.
            let _ = write!(text, "{name}: {value}\r\n");
        }
    }
    text.push_str("\r\n");
    text
}

/// Waits for the next piece, and takes what else is there. Empty at the end.
async fn next_chunk(body: &mut ServedResponse) -> io::Result<Vec<Bytes>> {
    let mut pieces = Vec::new();
    let mut bytes = 0;
    let mut frame = body.frame().await;
    while let Some(piece) = frame {
        // Breaking off without the last chunk tells the client to come back.
        let piece = piece.map_err(io::Error::other)?.into_data().unwrap_or_default();
        bytes += piece.len();
        if !piece.is_empty() {
            pieces.push(piece);
        }
        if bytes >= CHUNK_BYTES_MAX || pieces.len() >= SLICES_MAX {
            break;
        }
        match body.frame().now_or_never() {
            Some(next) if next.is_some() => frame = next,
            // The end is seen again by the next call.
            _ => break,
        }
    }
    Ok(pieces)
}

/// Writes one chunk; the last one if there is nothing in it.
async fn write(stream: &mut TcpStream, pieces: Vec<Bytes>) -> io::Result<()> {
    let size: usize = pieces.iter().map(Bytes::len).sum();
    let start = Bytes::from(format!("{size:x}\r\n"));
    let whole = std::iter::once(start).chain(pieces).chain([Bytes::from_static(b"\r\n")]);
    let mut rest = whole.fold(Chain::default(), Chain::with);
    stream.write_all_buf(&mut rest).await
}

/// Pieces that are written one behind the other.
#[derive(Default)]
struct Chain(std::collections::VecDeque<Bytes>);

impl Chain {
    fn with(mut self, piece: Bytes) -> Chain {
        self.0.push_back(piece);
        self
    }
}

impl Buf for Chain {
    fn remaining(&self) -> usize {
        self.0.iter().map(Bytes::len).sum()
    }

    fn chunk(&self) -> &[u8] {
        self.0.front().map_or(&[], |piece| piece)
    }

    fn chunks_vectored<'a>(&'a self, slices: &mut [io::IoSlice<'a>]) -> usize {
        let pairs = slices.iter_mut().zip(&self.0);
        pairs.map(|(slice, piece)| *slice = io::IoSlice::new(piece)).count()
    }

    fn advance(&mut self, mut bytes: usize) {
        while let Some(front) = self.0.front_mut() {
            if bytes < front.len() {
                front.advance(bytes);
                return;
            }
            bytes -= front.len();
            self.0.pop_front();
        }
    }
}
