//! Runs jobs of one kind in this process: takes what is due, as much as there is room for, and hands it back at shutdown.

use std::sync::Arc;

use futures::FutureExt;
use futures::future::BoxFuture;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};
use tokio::task::{JoinError, JoinSet};

use super::{Job, Taken, lease};
use crate::app::App;
use crate::db::DbError;
use crate::ids::Id;
use crate::measure::RunningJob;

/// Turns `true` when the process shuts down.
pub type Shutdown = watch::Receiver<bool>;

/// What becomes of running jobs at shutdown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AtShutdown {
    /// They are cancelled and handed back, for others to go on with at once.
    HandBack,
    /// They are finished: half-done they would have to be repeated from the start.
    Finish,
}

/// Whether there may be more to take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum More {
    Perhaps,
    None,
}

type Run<J, T> = Box<dyn Fn(App, Taken<J>) -> BoxFuture<'static, T> + Send + Sync>;

/// Runs jobs of one kind.
pub struct Runner<J: Job, T> {
    app: App,
    owner: String,
    run: Run<J, T>,
    /// One permit for each job that may run; several runners can share them.
    room: Arc<Semaphore>,
    /// Jobs taken in one transaction, once there is room for so many.
    batch: u32,
    at_shutdown: AtShutdown,
    running: JoinSet<T>,
}

impl<J: Job, T: Send + 'static> Runner<J, T> {
    /// Runs each job with `run`, one for each permit of `room`.
    pub fn new<F>(app: &App, room: Arc<Semaphore>, run: impl Fn(App, Taken<J>) -> F + Send + Sync + 'static) -> Self
    where
        F: Future<Output = T> + Send + 'static,
    {
        Runner {
            app: app.clone(),
            owner: app.ids.uuid(app.clock.now()).to_string(),
            run: Box::new(move |app, taken| run(app, taken).boxed()),
            room,
            batch: 1,
            at_shutdown: AtShutdown::HandBack,
            running: JoinSet::new(),
        }
    }

    /// Takes `batch` jobs at a time.
    #[must_use]
    pub fn in_batches_of(self, batch: u32) -> Self {
        Runner { batch, ..self }
    }

    /// Lets jobs finish at shutdown.
    #[must_use]
    pub fn finishing(self) -> Self {
        Runner { at_shutdown: AtShutdown::Finish, ..self }
    }

    /// Runs jobs as they become due, until shutdown.
    pub async fn keep_running(mut self, mut shutdown: Shutdown) {
        let mut bell = self.app.bell.work::<J>();
        while !*shutdown.borrow() {
            let room = tokio::select! {
                room = self.room() => room,
                () = begun(&mut shutdown) => break,
            };
            // Each time, not only when there is nothing to do: else what has ended would pile up under load.
            while let Some(ended) = self.running.try_join_next() {
                logged::<J, T>(ended);
            }
            // Before looking: what is announced while we look is looked for again.
            bell.mark_heard();
            match self.take_due(room).await {
                Ok(More::Perhaps) => continue,
                Ok(More::None) => {}
                Err(error) => {
                    let (error, table) = (&error as &dyn std::error::Error, J::TABLE.name);
                    tracing::warn!(error, job.table = table, "could not look for work");
                }
            }
            tokio::select! {
                () = begun(&mut shutdown) => break,
                () = bell.rung() => {}
                () = tokio::time::sleep(self.app.bell.look_every()) => {}
            }
        }
        self.wind_up().await;
    }

    /// Runs what is due now, until nothing is, and gives what became of each.
    pub async fn run_due(&mut self) -> Result<Vec<T>, DbError> {
        let mut more = More::Perhaps;
        while more == More::Perhaps {
            let room = self.room().await;
            more = self.take_due(room).await?;
        }
        Ok(self.finish_all().await)
    }

    /// Starts the jobs from one id to another, due or not, at most a batch, as soon as there is room for one.
    pub async fn start_between(&mut self, first: Id<J::Of>, last: Id<J::Of>) -> Result<(), DbError> {
        let room = self.room().await;
        let taken = lease::take_between(&self.app, &self.owner, first, last).await?;
        self.start(taken, room);
        Ok(())
    }

    /// Resolves when a batch can run.
    async fn room(&self) -> OwnedSemaphorePermit {
        self.room.clone().acquire_many_owned(self.batch).await.expect("nobody closes the semaphore")
    }

    async fn take_due(&mut self, room: OwnedSemaphorePermit) -> Result<More, DbError> {
        let taken = lease::take(&self.app, &self.owner, i64::from(self.batch)).await?;
        let more = if taken.is_empty() { More::None } else { More::Perhaps };
        self.start(taken, room);
        Ok(more)
    }

    /// Starts each job in a task of its own, which keeps its permit until it ends.
    fn start(&mut self, taken: Vec<Taken<J>>, mut room: OwnedSemaphorePermit) {
        for taken in taken {
            let permit = room.split(1);
            let running = (self.run)(self.app.clone(), taken);
            let counted = RunningJob::of(J::TABLE.name);
            self.running.spawn(async move {
                let _held = (permit, counted);
                running.await
            });
        }
    }

    /// Waits for the jobs that were started, and gives what became of each.
    pub async fn finish_all(&mut self) -> Vec<T> {
        let mut done = Vec::new();
        while let Some(ended) = self.running.join_next().await {
            done.extend(logged::<J, T>(ended));
        }
        done
    }

    async fn wind_up(mut self) {
        match self.at_shutdown {
            AtShutdown::HandBack => self.running.shutdown().await,
            AtShutdown::Finish => drop(self.finish_all().await),
        }
        if let Err(error) = lease::hand_back_all::<J>(&self.app, &self.owner).await {
            let (error, table) = (&error as &dyn std::error::Error, J::TABLE.name);
            tracing::warn!(error, job.table = table, "some jobs were not handed back; their leases run out");
        }
    }
}

/// Resolves when shutdown begins.
async fn begun(shutdown: &mut Shutdown) {
    if shutdown.wait_for(|begun| *begun).await.is_err() {
        std::future::pending::<()>().await;
    }
}

/// What a job gave. One that panicked keeps its lease until that runs out, and is then taken again.
fn logged<J: Job, T>(ended: Result<T, JoinError>) -> Option<T> {
    ended
        .inspect_err(|error| {
            let error = error as &dyn std::error::Error;
            tracing::error!(error, job.table = J::TABLE.name, "a job panicked");
        })
        .ok()
}

impl<J: Job, T> std::fmt::Debug for Runner<J, T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Runner").field("table", &J::TABLE.name).field("running", &self.running.len()).finish()
    }
}
