//! One open connection to a host, in HTTP/1.1 or, if the host offers it, in HTTP/2. Either way it carries one request at a
//! time: pacing decides when the next one is sent, not the protocol.

use std::sync::{Arc, Mutex, PoisonError};

use bytes::Bytes;
use http::{Request, Response, Version};
use http_body_util::Empty;
use hyper::body::Incoming;
use hyper::client::conn::{http1, http2};
use hyper_util::rt::TokioIo;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::task::JoinSet;
use url::Url;

use crate::fetch_error::FetchError;
use crate::limits::{HTTP2_WINDOW_BYTES, RESPONSE_HEAD_BYTES_MAX};
use crate::small_reads::SmallReads;

/// What requests are sent with.
enum Sender {
    Http1(http1::SendRequest<Empty<Bytes>>),
    Http2(http2::SendRequest<Empty<Bytes>>),
}

/// An open connection. Dropping it closes it at once, whatever the host is still sending.
pub(crate) struct Connection {
    sender: Sender,
    origin: (String, String, u16),
    tasks: Tasks,
}

impl Drop for Connection {
    fn drop(&mut self) {
        self.tasks.abort();
    }
}

impl Connection {
    /// Begins to speak HTTP/1.1 over a stream to the host of a URL.
    pub(crate) async fn http1<S>(stream: S, url: &Url) -> Result<Self, FetchError>
    where
        S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
    {
        let mut builder = http1::Builder::new();
        builder
            .max_buf_size(RESPONSE_HEAD_BYTES_MAX)
            // Old servers and firewalls only recognise header names in the case browsers used to write.
            .title_case_headers(true)
            .ignore_invalid_headers_in_responses(true)
            .allow_obsolete_multiline_headers_in_responses(true)
            .allow_spaces_after_header_name_in_responses(true);
        let (sender, connection) =
            builder.handshake(TokioIo::new(SmallReads(stream))).await.map_err(|_| FetchError::Closed)?;
        let tasks = Tasks::default();
        // Errors reach whoever awaits the response.
        tasks.spawn(async move { drop(connection.await) });
        Ok(Self { sender: Sender::Http1(sender), origin: origin(url), tasks })
    }

    /// Begins to speak HTTP/2.
    pub(crate) async fn http2<S>(stream: S, url: &Url) -> Result<Self, FetchError>
    where
        S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
    {
        let tasks = Tasks::default();
        let mut builder = http2::Builder::new(tasks.clone());
        builder
            .initial_stream_window_size(HTTP2_WINDOW_BYTES)
            .initial_connection_window_size(HTTP2_WINDOW_BYTES)
            .max_header_list_size(u32::try_from(RESPONSE_HEAD_BYTES_MAX).unwrap_or(u32::MAX))
            .max_concurrent_reset_streams(1);
        let (sender, connection) =
            builder.handshake(TokioIo::new(SmallReads(stream))).await.map_err(|_| FetchError::Closed)?;
        tasks.spawn(async move { drop(connection.await) });
        Ok(Self { sender: Sender::Http2(sender), origin: origin(url), tasks })
    }

    /// Whether a request for this URL may use this connection.
    pub(crate) fn serves(&self, url: &Url) -> bool {
        let (scheme, host, port) = &self.origin;
        let same = url.scheme() == scheme && url.host_str() == Some(host) && url.port_or_known_default() == Some(*port);
        same && !self.is_closed()
    }

    /// The protocol that the host chose.
    pub(crate) fn version(&self) -> Version {
        match self.sender {
            Sender::Http1(_) => Version::HTTP_11,
            Sender::Http2(_) => Version::HTTP_2,
        }
    }

    /// Sends a request and waits for the head of its response.
    pub(crate) async fn send(&mut self, request: Request<Empty<Bytes>>) -> hyper::Result<Response<Incoming>> {
        match &mut self.sender {
            Sender::Http1(sender) => {
                sender.ready().await?;
                sender.send_request(request).await
            }
            Sender::Http2(sender) => {
                sender.ready().await?;
                sender.send_request(request).await
            }
        }
    }

    fn is_closed(&self) -> bool {
        match &self.sender {
            Sender::Http1(sender) => sender.is_closed(),
            Sender::Http2(sender) => sender.is_closed(),
        }
    }
}

fn origin(url: &Url) -> (String, String, u16) {
    let host = url.host_str().unwrap_or_default().to_owned();
    (url.scheme().to_owned(), host, url.port_or_known_default().unwrap_or_default())
}

/// The tasks that drive a connection. A task of HTTP/2 would otherwise outlive it for as long as the host does not read.
#[derive(Clone, Default)]
struct Tasks(Arc<Mutex<JoinSet<()>>>);

impl Tasks {
    fn spawn(&self, task: impl Future<Output = ()> + Send + 'static) {
        let mut tasks = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        // What has ended is not kept.
        while tasks.try_join_next().is_some() {}
        tasks.spawn(task);
    }

    fn abort(&self) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).abort_all();
    }
}

impl<F> hyper::rt::Executor<F> for Tasks
where
    F: Future + Send + 'static,
{
    fn execute(&self, task: F) {
        self.spawn(async move { drop(task.await) });
    }
}
