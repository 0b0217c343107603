//! Bounds what request bodies may cost while they arrive: time, pace, and the memory of the whole process.
//!
//! Every body is wrapped before a handler sees it, and charged only for what a handler reads. What was charged is given
//! back when the body has been read to its end or is given up. What a handler left unread is handed to `Unread`.

use std::pin::Pin;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;

use axum::body::{Body, Bytes};
use hyper::body::{Body as HttpBody, Frame, SizeHint};
use tokio::time::{Instant, Sleep};

use crate::limits::Limits;

/// Bytes charged before more of a body is read: about what one read brings.
const AHEAD_BYTES: u64 = 16 * 1024;

/// The bytes of unfinished bodies that this process holds.
#[derive(Debug)]
pub struct BodyBudget {
    bytes_max: usize,
    held: AtomicUsize,
}

/// Why reading a body was given up.
#[derive(Debug, thiserror::Error)]
pub enum UploadError {
    /// The client sent too slowly.
    #[error("the request body came too slowly")]
    TooSlow,
    /// Other bodies use up the whole budget.
    #[error("too many request bodies are being received")]
    OverBudget,
    /// The client disconnected.
    #[error(transparent)]
    Broken(#[from] axum::Error),
}

impl BodyBudget {
    /// An unused budget.
    pub fn new(limits: &Limits) -> Arc<BodyBudget> {
        Arc::new(BodyBudget { bytes_max: limits.unfinished_bodies_bytes, held: AtomicUsize::new(0) })
    }

    /// Bytes held now.
    pub fn held(&self) -> usize {
        self.held.load(Ordering::Relaxed)
    }

    /// The same body, bounded, and where to find what is left of it. One that has no bytes stays as it is.
    pub(super) fn bound(self: &Arc<Self>, body: Body, limits: &Limits) -> (Body, Unread) {
        let unread = Unread::default();
        if body.is_end_stream() {
            return (body, unread);
        }
        let pace = Pace {
            started: Instant::now(),
            grace: limits.body_grace,
            bytes_per_second: limits.body_bytes_per_second.max(1),
            longest: limits.body_time,
        };
        let charge = Charge { budget: self.clone(), bytes: 0 };
        let upload = Upload { body, received: 0, charge, pace, timer: None, failed: false, unread: unread.clone() };
        (Body::new(upload), unread)
    }
}

/// The rest of a body that its handler dropped before the end.
#[derive(Clone, Debug, Default)]
pub(super) struct Unread(Arc<Mutex<Option<Rest>>>);

/// What is left of a body.
#[derive(Debug)]
pub(super) struct Rest {
    /// Yields what has not been read.
    pub body: Body,
    /// Whether a handler read any of it.
    pub begun: bool,
}

impl Unread {
    /// The rest, once the body has been dropped. `None` when it was read to its end or failed.
    pub(super) fn take(&self) -> Option<Rest> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

/// A body as it arrives.
struct Upload {
    body: Body,
    received: u64,
    charge: Charge,
    pace: Pace,
    /// Made when something has to be waited for: most bodies are there at once.
    timer: Option<Pin<Box<Sleep>>>,
    /// Whether reading it was given up, so that more of it is not worth waiting for.
    failed: bool,
    unread: Unread,
}

impl Drop for Upload {
    fn drop(&mut self) {
        if !self.failed && !self.body.is_end_stream() {
            let rest = Rest { body: std::mem::take(&mut self.body), begun: self.received > 0 };
            *self.unread.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(rest);
        }
    }
}

/// What a body holds of the budget.
struct Charge {
    budget: Arc<BodyBudget>,
    bytes: u64,
}

impl Charge {
    /// Holds at least so many bytes. `false` when the budget does not allow it.
    fn grow_to(&mut self, bytes: u64) -> bool {
        let Some(more) = bytes.checked_sub(self.bytes).filter(|more| *more > 0) else { return true };
        let Ok(more_bytes) = usize::try_from(more) else { return false };
        let max = self.budget.bytes_max;
        let grown = self.budget.held.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |held| {
            held.checked_add(more_bytes).filter(|held| *held <= max)
        });
        if grown.is_ok() {
            self.bytes = bytes;
        }
        grown.is_ok()
    }
}

impl Drop for Charge {
    fn drop(&mut self) {
        self.budget.held.fetch_sub(usize::try_from(self.bytes).unwrap_or_default(), Ordering::Relaxed);
    }
}

/// How fast a body has to come.
struct Pace {
    started: Instant,
    grace: Duration,
    bytes_per_second: u64,
    longest: Duration,
}

impl Pace {
    /// When more than so many bytes have to be there.
    fn deadline(&self, received: u64) -> Instant {
        let earned = Duration::from_millis(received.saturating_mul(1_000) / self.bytes_per_second);
        self.started + (self.grace + earned).min(self.longest)
    }
}

impl Upload {
    /// What the next read may bring.
    fn ahead(&self) -> u64 {
        self.body.size_hint().exact().map_or(AHEAD_BYTES, |rest| rest.min(AHEAD_BYTES))
    }

    fn is_too_slow(&mut self, context: &mut Context<'_>) -> bool {
        let deadline = self.pace.deadline(self.received);
        let timer = self.timer.get_or_insert_with(|| Box::pin(tokio::time::sleep_until(deadline)));
        if timer.deadline() != deadline {
            timer.as_mut().reset(deadline);
        }
        timer.as_mut().poll(context).is_ready()
    }

    fn poll_next(&mut self, context: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, UploadError>>> {
        let needed = self.received + self.ahead();
        if !self.charge.grow_to(needed) {
            return Poll::Ready(Some(Err(UploadError::OverBudget)));
        }
        let frame = match Pin::new(&mut self.body).poll_frame(context) {
            Poll::Pending if self.is_too_slow(context) => return Poll::Ready(Some(Err(UploadError::TooSlow))),
            Poll::Pending => return Poll::Pending,
            Poll::Ready(None) => return Poll::Ready(None),
            Poll::Ready(Some(frame)) => frame?,
        };
        self.received += frame.data_ref().map_or(0, |data| data.len() as u64);
        let received = self.received;
        if self.charge.grow_to(received) {
            Poll::Ready(Some(Ok(frame)))
        } else {
            Poll::Ready(Some(Err(UploadError::OverBudget)))
        }
    }
}

impl HttpBody for Upload {
    type Data = Bytes;
    type Error = UploadError;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, UploadError>>> {
        let frame = self.poll_next(context);
        self.failed |= matches!(frame, Poll::Ready(Some(Err(_))));
        frame
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

#[cfg(test)]
mod tests {
    use futures::stream;
    use http_body_util::BodyExt;

    use super::*;

    fn pieces(count: usize, bytes: usize) -> Body {
        Body::from_stream(stream::iter((0..count).map(move |_| Ok::<_, std::io::Error>(vec![b' '; bytes]))))
    }

    /// What went wrong with a body.
    async fn fault(body: Body) -> Option<String> {
        body.collect().await.err().map(|error| error.to_string())
    }

    #[tokio::test]
    async fn what_bodies_hold_is_bounded_and_given_back() {
        let limits = Limits { unfinished_bodies_bytes: 100_000, ..Limits::default() };
        let budget = BodyBudget::new(&limits);
        let mut first = budget.bound(pieces(5, 10_000), &limits).0;
        for _ in 0..5 {
            first.frame().await.unwrap().unwrap();
        }
        assert_eq!(budget.held(), 40_000 + 16 * 1024);
        let refused = fault(budget.bound(pieces(10, 10_000), &limits).0).await;
        assert_eq!(refused.as_deref(), Some("too many request bodies are being received"));
        drop(first);
        assert_eq!((fault(budget.bound(pieces(8, 10_000), &limits).0).await, budget.held()), (None, 0));
    }

    #[tokio::test]
    async fn what_a_handler_leaves_unread_can_be_taken() {
        let limits = Limits { unfinished_bodies_bytes: 100_000, ..Limits::default() };
        let budget = BodyBudget::new(&limits);
        let (mut body, unread) = budget.bound(pieces(5, 10_000), &limits);
        body.frame().await.unwrap().unwrap();
        assert!(unread.take().is_none(), "its handler still has it");
        drop(body);
        let rest = unread.take().unwrap();
        assert!(rest.begun);
        assert_eq!(rest.body.collect().await.unwrap().to_bytes().len(), 40_000);
        let (body, unread) = budget.bound(pieces(1, 10), &limits);
        drop(body);
        assert!(!unread.take().unwrap().begun);
        let (body, unread) = budget.bound(pieces(20, 10_000), &limits);
        assert!(fault(body).await.is_some());
        assert!(unread.take().is_none(), "one that failed is not read on");
    }

    #[tokio::test(start_paused = true)]
    async fn a_body_must_keep_up_its_pace_and_end_in_time() {
        let limits = Limits::default();
        let budget = BodyBudget::new(&limits);
        let every = |pause: Duration, bytes: usize, count: usize| {
            let pieces = stream::unfold(0, move |number| async move {
                tokio::time::sleep(pause).await;
                (number < count).then(|| (Ok::<_, std::io::Error>(vec![b' '; bytes]), number + 1))
            });
            fault(budget.bound(Body::from_stream(pieces), &limits).0)
        };
        assert_eq!(every(Duration::from_secs(1), 20_000, 40).await, None);
        let slow = Some("the request body came too slowly".to_owned());
        assert_eq!(every(Duration::from_secs(3_600), 1, 1).await, slow, "nothing comes");
        let started = Instant::now();
        assert_eq!(every(Duration::from_secs(1), 1, 1_000).await, slow, "a byte a second");
        assert!(started.elapsed() < Duration::from_secs(12), "{:?}", started.elapsed());
        assert_eq!(every(Duration::from_secs(5), 200_000, 1_000).await, slow, "without end");
        assert_eq!(budget.held(), 0);
    }
}
