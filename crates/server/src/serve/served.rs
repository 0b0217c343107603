//! The body of a response, in pieces, as long as its request is in flight.

use std::pin::Pin;
use std::task::{Context, Poll, ready};

use axum::body::{Body, Bytes};
use hyper::body::{Body as HttpBody, Frame, SizeHint};

use crate::connection::InFlight;

/// Bytes of a response passed on at a time. They count as sent, though the client may not have read them yet.
const PIECE_BYTES_MAX: usize = 64 * 1024;

/// The body of a response; its request is in flight until the body is dropped.
pub(super) struct ServedResponse {
    body: Body,
    /// The remainder of a frame that was too large to pass on at once.
    rest: Bytes,
    _in_flight: InFlight,
}

impl ServedResponse {
    pub(super) fn new(body: Body, in_flight: InFlight) -> ServedResponse {
        ServedResponse { body, rest: Bytes::new(), _in_flight: in_flight }
    }

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
