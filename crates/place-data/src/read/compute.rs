//! Reads and decodes off the threads that answer requests, on a few threads of its own.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, LazyLock, Mutex, OnceLock, PoisonError};

use tokio::sync::oneshot;

use crate::Error;

/// Threads at most. What is decoded at once takes memory, and the allocator keeps some for every thread that ever decoded:
/// a few that stay need much less than a pool that hands each row group to another thread.
const WORKERS_MAX: usize = 4;

type Job = Box<dyn FnOnce() + Send>;

/// How many jobs run at once.
pub(super) fn workers() -> usize {
    // The system reads several files to answer.
    static WORKERS: OnceLock<usize> = OnceLock::new();
    *WORKERS.get_or_init(|| std::thread::available_parallelism().map_or(1, usize::from).min(WORKERS_MAX))
}

/// Runs some work as soon as a worker is free. Work that nobody waits for any more is not begun.
pub(super) async fn compute<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T, Error> {
    static JOBS: LazyLock<Sender<Job>> = LazyLock::new(start);
    let (done, result) = oneshot::channel();
    let job = move || {
        if !done.is_closed() {
            let _ = done.send(work());
        }
    };
    JOBS.send(Box::new(job)).map_err(|_| Error::Cancelled)?;
    result.await.map_err(|_| Error::Cancelled)
}

/// Starts the workers.
fn start() -> Sender<Job> {
    let (send, receive) = channel::<Job>();
    let jobs = Arc::new(Mutex::new(receive));
    for _ in 0..workers() {
        let jobs = jobs.clone();
        let work = move || {
            loop {
                let next = jobs.lock().unwrap_or_else(PoisonError::into_inner).recv();
                let Ok(job) = next else { return };
                // Whoever waits for a job that panics sees that it was cancelled.
                let _ = catch_unwind(AssertUnwindSafe(job));
            }
        };
        let _ = std::thread::Builder::new().name("place-data".to_owned()).spawn(work);
    }
    send
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_panic_ends_the_job_and_no_worker() {
        for _ in 0..2 * WORKERS_MAX {
            let panicked: Result<(), Error> = compute(|| panic!("a file made to break the decoder")).await;
            assert!(matches!(panicked, Err(Error::Cancelled)));
        }
        assert_eq!(compute(|| 7).await.unwrap(), 7);
    }
}
