//! Threads of their own for background work. On shared threads a request would wait in line behind the tasks of hundreds of
//! websites; on its own it competes with them for the CPU only, and the operating system prefers whoever has used little of it.

use std::future::Future;
use std::io;

use tokio::runtime::{Builder, Runtime};
use tokio::task::JoinHandle;

/// Runs background work; dropped, it ends all of it.
#[derive(Debug)]
pub(super) struct Background(Option<Runtime>);

impl Background {
    /// As many threads as there are cores.
    pub(super) fn new() -> io::Result<Background> {
        Ok(Background(Some(Builder::new_multi_thread().thread_name("background").enable_all().build()?)))
    }

    /// Begins something in the background.
    pub(super) fn spawn(&self, work: impl Future<Output = ()> + Send + 'static) -> JoinHandle<()> {
        self.0.as_ref().expect("it is there until it is dropped").spawn(work)
    }
}

impl Drop for Background {
    fn drop(&mut self) {
        // Not by waiting: that is not allowed on a thread that runs tasks.
        self.0.take().into_iter().for_each(Runtime::shutdown_background);
    }
}
