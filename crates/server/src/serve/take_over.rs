//! Takes a connection over from hyper when its response is an event stream.

use std::convert::Infallible;
use std::io;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};

use hyper::rt::{Read, ReadBufCursor, Write};
use hyper_util::rt::TokioIo;
use tokio::net::TcpStream;
use tokio::sync::Notify;

use super::served::ServedResponse;
use crate::streaming::EventStream;

/// Between the handler of a connection, which sees the response, and its driver, which can take the socket back.
#[derive(Clone, Default)]
pub(super) struct TakeOver(Arc<Offer>);

#[derive(Default)]
struct Offer {
    response: Mutex<Option<http::Response<ServedResponse>>>,
    offered: Notify,
    /// Whether bytes of an earlier response are still to be written.
    is_blocked: AtomicBool,
}

impl TakeOver {
    /// Hands an event stream to the driver, and never returns then; gives any other response back.
    pub(super) async fn offer(
        self,
        response: http::Response<ServedResponse>,
    ) -> Result<http::Response<ServedResponse>, Infallible> {
        let is_stream = response.extensions().get::<EventStream>().is_some();
        // hyper has tried to write all of an earlier response before it reads the next request.
        if !is_stream || self.0.is_blocked.load(Ordering::Relaxed) {
            return Ok(response);
        }
        *self.lock() = Some(response);
        self.0.offered.notify_one();
        std::future::pending().await
    }

    /// Resolves when a response was handed over.
    pub(super) async fn taken(&self) -> http::Response<ServedResponse> {
        loop {
            if let Some(response) = self.lock().take() {
                return response;
            }
            self.0.offered.notified().await;
        }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Option<http::Response<ServedResponse>>> {
        self.0.response.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A socket that notes whether the last write had to wait.
pub(super) struct WatchedIo {
    io: TokioIo<TcpStream>,
    take_over: TakeOver,
}

impl WatchedIo {
    pub(super) fn new(stream: TcpStream, take_over: TakeOver) -> WatchedIo {
        WatchedIo { io: TokioIo::new(stream), take_over }
    }

    pub(super) fn into_inner(self) -> TcpStream {
        self.io.into_inner()
    }

    fn noted<T>(&self, written: Poll<T>) -> Poll<T> {
        self.take_over.0.is_blocked.store(written.is_pending(), Ordering::Relaxed);
        written
    }
}

impl Read for WatchedIo {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: ReadBufCursor<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.io).poll_read(context, buffer)
    }
}

impl Write for WatchedIo {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.io).poll_write(context, bytes);
        self.noted(written)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.io).poll_write_vectored(context, slices);
        self.noted(written)
    }

    fn is_write_vectored(&self) -> bool {
        self.io.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.io).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.io).poll_shutdown(context)
    }
}
