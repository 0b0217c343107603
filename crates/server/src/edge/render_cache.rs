//! Long responses that are asked for again, such as the leads of a finished search, are neither put together nor compressed anew.
//!
//! A response with a tag is determined by it, so its bytes are kept under the tag as they were sent: compressed. Whoever accepts
//! no encoding is sent them decompressed, which is still several times as fast as reading them from the database. The handler has
//! run by then and permitted the request; only its body, which is a stream nobody has read from, is replaced.

use std::io::{BufReader, Cursor, Read, Write};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::body::{Body, Bytes, HttpBody};
use axum::extract::Request;
use axum::middleware::Next;
use axum::response::Response;
use futures::stream;
use http::header::{CONTENT_ENCODING, ETAG};
use http::{HeaderValue, Method, StatusCode};
use hyper::body::{Frame, SizeHint};
use moka::sync::Cache;
use zstd::stream::{read::Decoder, write::Encoder};

/// Bytes of all responses that are kept, as they are kept.
const KEPT_BYTES_MAX: u64 = 24 * 1024 * 1024;
/// Bytes of one response at most, as it is kept. 2,500 leads take about one.
const RESPONSE_BYTES_MAX: usize = 6 * 1024 * 1024;
/// Bytes below which a response is as quickly made as found.
const RESPONSE_BYTES_MIN: usize = 16 * 1024;
/// How long a response is kept when nobody asks for it.
const KEPT_WHILE_IDLE: Duration = Duration::from_secs(10 * 60);
/// The least that saves most: it is decompressed more often than compressed.
const LEVEL: i32 = 1;
/// Bytes decompressed at a time.
const CHUNK_BYTES: usize = 128 * 1024;

/// A response's tag and encoding; those without an encoding are kept in one of our own.
type Key = (HeaderValue, Option<HeaderValue>);

/// Responses as they were sent.
#[derive(Clone, Debug)]
pub(crate) struct RenderCache(Arc<Cache<Key, Bytes>>);

impl Default for RenderCache {
    fn default() -> Self {
        let weigh = |_: &Key, bytes: &Bytes| u32::try_from(bytes.len()).unwrap_or(u32::MAX);
        let cache = Cache::builder().weigher(weigh).max_capacity(KEPT_BYTES_MAX).time_to_idle(KEPT_WHILE_IDLE);
        RenderCache(Arc::new(cache.build()))
    }
}

impl RenderCache {
    /// Sends a response that is kept, or keeps one that is sent. Around the layer that compresses.
    pub(super) async fn reuse(self, request: Request, next: Next) -> Response {
        let is_get = request.method() == Method::GET;
        let response = next.run(request).await;
        let tag = response.headers().get(ETAG).cloned();
        // A body of known length was put together before it came here: there is nothing to save.
        let is_new = response.status() == StatusCode::OK && response.body().size_hint().exact().is_none();
        let Some(tag) = tag.filter(|_| is_get && is_new) else { return response };
        let key = (tag, response.headers().get(CONTENT_ENCODING).cloned());
        match self.0.get(&key) {
            Some(kept) => response.map(|_| if key.1.is_some() { kept.into() } else { decompressed(kept) }),
            None => response.map(|body| Body::new(Keeping::new(body, key, self))),
        }
    }
}

/// A body in chunks, as they are asked for.
fn decompressed(kept: Bytes) -> Body {
    let Ok(decoder) = Decoder::new(Cursor::new(kept)) else { return Body::empty() };
    let chunks = stream::try_unfold(decoder, |mut decoder: Decoder<'_, BufReader<Cursor<Bytes>>>| async move {
        let mut chunk = Vec::with_capacity(CHUNK_BYTES);
        decoder.by_ref().take(CHUNK_BYTES as u64).read_to_end(&mut chunk)?;
        Ok::<_, std::io::Error>((!chunk.is_empty()).then_some((chunk, decoder)))
    });
    Body::from_stream(chunks)
}

/// A body that is kept while it is sent: if it is sent to its end, and is not too long.
struct Keeping {
    body: Body,
    kept: Option<Kept>,
    key: Key,
    cache: RenderCache,
}

enum Kept {
    AsSent(Vec<u8>),
    Compressed(Encoder<'static, Vec<u8>>),
}

impl Keeping {
    fn new(body: Body, key: Key, cache: RenderCache) -> Keeping {
        let kept = match key.1 {
            Some(_) => Some(Kept::AsSent(Vec::new())),
            None => Encoder::new(Vec::new(), LEVEL).ok().map(Kept::Compressed),
        };
        Keeping { body, kept, key, cache }
    }

    fn see(&mut self, data: &[u8]) {
        let length = match &mut self.kept {
            Some(Kept::AsSent(bytes)) => {
                bytes.extend_from_slice(data);
                bytes.len()
            }
            Some(Kept::Compressed(encoder)) => match encoder.write_all(data) {
                Ok(()) => encoder.get_ref().len(),
                Err(_) => usize::MAX,
            },
            None => return,
        };
        if length > RESPONSE_BYTES_MAX {
            self.kept = None;
        }
    }

    fn end(&mut self) {
        let bytes = match self.kept.take() {
            Some(Kept::AsSent(bytes)) => bytes,
            Some(Kept::Compressed(encoder)) => encoder.finish().unwrap_or_default(),
            None => return,
        };
        if bytes.len() >= RESPONSE_BYTES_MIN {
            self.cache.0.insert(self.key.clone(), bytes.into());
        }
    }
}

impl HttpBody for Keeping {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        let polled = Pin::new(&mut self.body).poll_frame(context);
        match &polled {
            Poll::Ready(Some(Ok(frame))) => frame.data_ref().into_iter().for_each(|data| self.see(data)),
            Poll::Ready(Some(Err(_))) => self.kept = None,
            Poll::Ready(None) => self.end(),
            Poll::Pending => {}
        }
        polled
    }

    fn is_end_stream(&self) -> bool {
        // Only a poll that finds the end tells that it was reached.
        false
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use axum::Router;
    use axum::extract::State;
    use axum::middleware::from_fn_with_state;
    use axum::routing::get;
    use futures::StreamExt;
    use http_body_util::BodyExt;
    use sha2::{Digest, Sha256};
    use tower::ServiceExt;

    use super::*;

    /// Responses of noise, which does not compress, under the tag in the path. Those whose tag begins with "broken" break off.
    fn server(read: Arc<AtomicUsize>) -> Router {
        let answer = move |axum::extract::Path(tag): axum::extract::Path<String>| async move {
            let broken = tag.starts_with("broken");
            let header = format!("\"{tag}\"");
            let chunks = stream::iter(0..40u32).map(move |chunk| {
                read.fetch_add(1, Ordering::Relaxed);
                let noise = (0..32).flat_map(|part| Sha256::digest(format!("{tag} {chunk} {part}")));
                if broken && chunk == 30 { Err(std::io::Error::other("gone")) } else { Ok(noise.collect::<Vec<u8>>()) }
            });
            ([(ETAG, header)], Body::from_stream(chunks))
        };
        let reuse = |State(cache): State<RenderCache>, request, next| cache.reuse(request, next);
        let kept = from_fn_with_state(RenderCache::default(), reuse);
        Router::new().route("/{tag}", get(answer)).layer(kept)
    }

    async fn ask(server: &Router, tag: &str) -> Option<Bytes> {
        let request = Request::get(format!("/{tag}")).body(Body::empty()).unwrap();
        let response = server.clone().oneshot(request).await.unwrap();
        response.into_body().collect().await.ok().map(http_body_util::Collected::to_bytes)
    }

    #[tokio::test]
    async fn the_same_response_is_read_once_and_another_is_another() {
        let read = Arc::new(AtomicUsize::new(0));
        let server = server(read.clone());
        let first = ask(&server, "a").await.unwrap();
        assert_eq!((first.len(), read.load(Ordering::Relaxed)), (40 * 1_024, 40));
        assert_eq!(ask(&server, "a").await.unwrap(), first);
        assert_eq!(read.load(Ordering::Relaxed), 40, "it came from the cache");
        assert_ne!(ask(&server, "bb").await.unwrap(), first);
        assert_eq!(read.load(Ordering::Relaxed), 80);
    }

    #[tokio::test]
    async fn a_response_that_broke_off_is_not_kept() {
        let read = Arc::new(AtomicUsize::new(0));
        let server = server(read.clone());
        assert!(ask(&server, "broken").await.is_none());
        assert!(ask(&server, "broken").await.is_none());
        assert_eq!(read.load(Ordering::Relaxed), 62, "it was read again");
    }
}
