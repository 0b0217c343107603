//! Long responses that are asked for again, such as the leads of a finished search, are neither put together nor compressed anew.
//!
//! A response with a tag is determined by it, so its bytes are kept under the tag as they were sent: compressed. Whoever accepts
//! no encoding is sent them decompressed, which is still several times as fast as reading them from the database; a response that
//! is asked for again at once, as by several people who watch a search end, stays decompressed for some seconds. The handler has
//! run by then and permitted the request; only its body, which is a stream nobody has read from, is replaced.

use std::io::{BufReader, Cursor, Read, Write};
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use axum::body::{Body, Bytes, HttpBody};
use axum::response::Response;
use futures::stream;
use http::header::{CONTENT_ENCODING, ETAG};
use http::{HeaderValue, StatusCode};
use hyper::body::{Frame, SizeHint};
use moka::sync::Cache;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use zstd::stream::{read::Decoder, write::Encoder};

/// Bytes of all responses that are kept compressed.
const COMPRESSED_BYTES_MAX: u64 = 24 * 1024 * 1024;
/// Bytes of one of them at most. 2,500 leads take about one.
const RESPONSE_BYTES_MAX: usize = 6 * 1024 * 1024;
/// Bytes below which a response is as quickly made as found.
const RESPONSE_BYTES_MIN: usize = 16 * 1024;
/// How long a response is kept when nobody asks for it.
const COMPRESSED_WHILE_IDLE: Duration = Duration::from_secs(10 * 60);
/// Responses that are decompressed in memory, with those that are still being sent to slow readers.
const PLAIN_MAX: usize = 2;
/// Bytes of one of these at most. 2,500 leads take eight million.
const PLAIN_BYTES_MAX: usize = 12 * 1024 * 1024;
/// How long a response stays decompressed when nobody asks for it.
const PLAIN_WHILE_IDLE: Duration = Duration::from_secs(10);
/// The least that saves most: it is decompressed more often than compressed.
const LEVEL: i32 = 1;
/// Bytes decompressed at a time.
const CHUNK_BYTES: usize = 128 * 1024;

/// A response's tag and encoding; those without an encoding are kept in one of our own.
type Key = (HeaderValue, Option<HeaderValue>);

/// Responses as they were sent.
#[derive(Clone, Debug, Default)]
pub(crate) struct RenderCache(Arc<Responses>);

#[derive(Debug)]
struct Responses {
    compressed: Cache<Key, Bytes>,
    /// Those that were sent without an encoding, and again within seconds.
    plain: Mutex<Vec<PlainResponse>>,
    /// Whoever holds the bytes of one of them holds a permit: the list, or a body that is being sent.
    plain_permits: Arc<Semaphore>,
}

#[derive(Debug)]
struct PlainResponse {
    key: Key,
    bytes: Bytes,
    asked_at: Instant,
}

impl Default for Responses {
    fn default() -> Self {
        let weigh = |_: &Key, bytes: &Bytes| u32::try_from(bytes.len()).unwrap_or(u32::MAX);
        let compressed = Cache::builder().weigher(weigh).max_capacity(COMPRESSED_BYTES_MAX);
        Responses {
            compressed: compressed.time_to_idle(COMPRESSED_WHILE_IDLE).build(),
            plain: Mutex::default(),
            plain_permits: Arc::new(Semaphore::new(PLAIN_MAX)),
        }
    }
}

impl RenderCache {
    /// A response to GET as it is kept, or one that is kept while it is sent. After it was compressed.
    pub(super) fn reuse(&self, response: Response) -> Response {
        let tag = response.headers().get(ETAG).cloned();
        // A body of known length was put together before it came here: there is nothing to save.
        let is_new = response.status() == StatusCode::OK && response.body().size_hint().exact().is_none();
        let Some(tag) = tag.filter(|_| is_new) else { return response };
        let key = (tag, response.headers().get(CONTENT_ENCODING).cloned());
        response.map(|body| self.find(&key).unwrap_or_else(|| self.keep(body, key)))
    }

    fn find(&self, key: &Key) -> Option<Body> {
        if let Some(plain) = self.0.find_plain(key, Instant::now()) {
            return Some(plain.into());
        }
        let compressed = self.0.compressed.get(key)?;
        if key.1.is_some() {
            return Some(compressed.into());
        }
        let body = decompressed(compressed);
        let Ok(permit) = Arc::clone(&self.0.plain_permits).try_acquire_owned() else { return Some(body) };
        let kept = Some(Kept::Plain(Plain { bytes: Vec::new(), _permit: permit }));
        Some(Body::new(Keeping { body, kept, key: key.clone(), to: self.clone() }))
    }

    fn keep(&self, body: Body, key: Key) -> Body {
        let kept = match key.1 {
            Some(_) => Some(Kept::AsSent(Vec::new())),
            None => Encoder::new(Vec::new(), LEVEL).ok().map(Kept::Compressed),
        };
        Body::new(Keeping { body, kept, key, to: self.clone() })
    }
}

impl Responses {
    /// A response without an encoding that was asked for lately; those that were not are dropped.
    fn find_plain(&self, key: &Key, now: Instant) -> Option<Bytes> {
        let mut plain = self.plain.lock().unwrap_or_else(PoisonError::into_inner);
        plain.retain(|one| now.saturating_duration_since(one.asked_at) < PLAIN_WHILE_IDLE);
        let found = plain.iter_mut().find(|one| one.key == *key)?;
        found.asked_at = now;
        Some(found.bytes.clone())
    }

    fn keep_plain(&self, key: Key, bytes: Bytes) {
        let mut plain = self.plain.lock().unwrap_or_else(PoisonError::into_inner);
        // Two may have been sent at the same time.
        if plain.iter().all(|one| one.key != key) {
            plain.push(PlainResponse { key, bytes, asked_at: Instant::now() });
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
    to: RenderCache,
}

enum Kept {
    AsSent(Vec<u8>),
    Compressed(Encoder<'static, Vec<u8>>),
    Plain(Plain),
}

/// A response without an encoding.
struct Plain {
    bytes: Vec<u8>,
    _permit: OwnedSemaphorePermit,
}

impl AsRef<[u8]> for Plain {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

impl Keeping {
    fn see(&mut self, data: &[u8]) {
        let (length, bytes_max) = match &mut self.kept {
            Some(Kept::AsSent(bytes)) => {
                bytes.extend_from_slice(data);
                (bytes.len(), RESPONSE_BYTES_MAX)
            }
            Some(Kept::Compressed(encoder)) => match encoder.write_all(data) {
                Ok(()) => (encoder.get_ref().len(), RESPONSE_BYTES_MAX),
                Err(_) => (usize::MAX, RESPONSE_BYTES_MAX),
            },
            Some(Kept::Plain(plain)) => {
                plain.bytes.extend_from_slice(data);
                (plain.bytes.len(), PLAIN_BYTES_MAX)
            }
            None => return,
        };
        if length > bytes_max {
            self.kept = None;
        }
    }

    fn end(&mut self) {
        let bytes = match self.kept.take() {
            Some(Kept::AsSent(bytes)) => bytes,
            Some(Kept::Compressed(encoder)) => encoder.finish().unwrap_or_default(),
            Some(Kept::Plain(mut plain)) => {
                plain.bytes.shrink_to_fit();
                return self.to.0.keep_plain(self.key.clone(), Bytes::from_owner(plain));
            }
            None => return,
        };
        if bytes.len() >= RESPONSE_BYTES_MIN {
            self.to.0.compressed.insert(self.key.clone(), bytes.into_boxed_slice().into());
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
    use std::future::ready;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use axum::Router;
    use axum::extract::Request;
    use axum::middleware::map_response;
    use axum::routing::get;
    use futures::StreamExt;
    use http_body_util::BodyExt;
    use sha2::{Digest, Sha256};
    use tower::ServiceExt;

    use super::*;

    /// Responses of noise, which does not compress, under the tag in the path. Those whose tag begins with "broken" break off.
    fn server(read: Arc<AtomicUsize>, cache: &RenderCache) -> Router {
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
        let cache = cache.clone();
        let reuse = map_response(move |response: Response| ready(cache.reuse(response)));
        Router::new().route("/{tag}", get(answer)).layer(reuse)
    }

    async fn ask(server: &Router, tag: &str) -> Option<Bytes> {
        let request = Request::get(format!("/{tag}")).body(Body::empty()).unwrap();
        let response = server.clone().oneshot(request).await.unwrap();
        response.into_body().collect().await.ok().map(http_body_util::Collected::to_bytes)
    }

    #[tokio::test]
    async fn the_same_response_is_read_once_and_another_is_another() {
        let read = Arc::new(AtomicUsize::new(0));
        let server = server(read.clone(), &RenderCache::default());
        let first = ask(&server, "a").await.unwrap();
        assert_eq!((first.len(), read.load(Ordering::Relaxed)), (40 * 1_024, 40));
        // Decompressed, and then as it was decompressed.
        for _ in 0..3 {
            assert_eq!(ask(&server, "a").await.unwrap(), first);
        }
        assert_eq!(read.load(Ordering::Relaxed), 40, "it came from the cache");
        assert_ne!(ask(&server, "bb").await.unwrap(), first);
        assert_eq!(read.load(Ordering::Relaxed), 80);
    }

    #[tokio::test]
    async fn a_response_that_broke_off_is_not_kept() {
        let read = Arc::new(AtomicUsize::new(0));
        let server = server(read.clone(), &RenderCache::default());
        assert!(ask(&server, "broken").await.is_none());
        assert!(ask(&server, "broken").await.is_none());
        assert_eq!(read.load(Ordering::Relaxed), 62, "it was read again");
    }

    #[tokio::test]
    async fn few_are_decompressed_in_memory_at_a_time() {
        let (read, cache) = (Arc::new(AtomicUsize::new(0)), RenderCache::default());
        let server = server(read.clone(), &cache);
        for tag in ["a", "b", "c"] {
            let first = ask(&server, tag).await.unwrap();
            assert_eq!([ask(&server, tag).await.unwrap(), ask(&server, tag).await.unwrap()], [first.clone(), first]);
        }
        assert_eq!(read.load(Ordering::Relaxed), 3 * 40, "each was put together once");
        let kept = cache.0.plain.lock().unwrap().iter().map(|one| one.key.0.clone()).collect::<Vec<_>>();
        assert_eq!(kept, [r#""a""#, r#""b""#]);
        assert_eq!(cache.0.plain_permits.available_permits(), 0);
        let later = Instant::now() + PLAIN_WHILE_IDLE;
        assert_eq!(cache.0.find_plain(&(HeaderValue::from_static(r#""a""#), None), later), None);
        assert_eq!(cache.0.plain_permits.available_permits(), PLAIN_MAX);
    }
}
