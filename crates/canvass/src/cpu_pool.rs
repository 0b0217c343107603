//! Runs CPU-bound work off the async worker threads, at most one job per core at a time.

use std::num::NonZero;
use std::sync::LazyLock;
use std::thread::available_parallelism;

use tokio::task::{JoinError, JoinHandle, spawn_blocking};

use crate::fair_line::{FairLine, Sharer};

/// One place for each core, shared by all of this process: whoever signs in is not behind the pages of hundreds of websites.
static CORES: LazyLock<FairLine> = LazyLock::new(|| FairLine::new(cores()));

fn cores() -> usize {
    available_parallelism().map_or(1, NonZero::get)
}

/// Begins a computation once a core is free for it. It keeps the core until it ends, even when the caller has gone.
pub(crate) async fn start<T: Send + 'static>(
    sharer: Sharer,
    work: impl FnOnce() -> T + Send + 'static,
) -> JoinHandle<T> {
    let place = CORES.wait(sharer, 1).await;
    spawn_blocking(move || {
        let _place = place;
        work()
    })
}

/// The result of a computation that [`start`] began. Its panic goes on here; a process that is ending waits for nothing.
pub(crate) async fn finished<T>(ended: Result<T, JoinError>) -> T {
    match ended.map_err(JoinError::try_into_panic) {
        Ok(result) => result,
        Err(Ok(panic)) => std::panic::resume_unwind(panic),
        Err(Err(_)) => std::future::pending().await,
    }
}

/// Runs a computation and waits for its result.
pub(crate) async fn run<T: Send + 'static>(sharer: Sharer, work: impl FnOnce() -> T + Send + 'static) -> T {
    let started = start(sharer, work).await;
    finished(started.await).await
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use futures::FutureExt;

    use super::*;

    #[tokio::test]
    async fn as_many_run_at_once_as_there_are_cores_and_the_async_thread_stays_free() {
        let cores = cores();
        let (mut ends, mut running) = (Vec::new(), Vec::new());
        for number in 0..cores {
            let (end, wait) = mpsc::channel::<()>();
            running.push(start(Sharer::CHORES, move || wait.recv().map_or(0, |()| number)).await);
            ends.push(end);
        }
        // This test has one thread; were the work done on it, this line would not be reached.
        let mut next = Box::pin(run(Sharer::REQUESTS, || 7));
        assert!((&mut next).now_or_never().is_none(), "every core is taken");
        ends[0].send(()).unwrap();
        assert_eq!(next.await, 7);
        for end in &ends[1..] {
            end.send(()).unwrap();
        }
        for (number, work) in running.into_iter().enumerate() {
            assert_eq!(finished(work.await).await, number);
        }
    }
}
