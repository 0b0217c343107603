//! Works through watches: many at a time, as a worker that never ends, or once because somebody asked.

use std::time::Duration;

use polite_reader::Reader;
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio::time::Instant;

use super::check::{Confirm, Outcome, check};
use super::lease::{self, Taken};
use super::store;
use crate::app::App;
use crate::db::DbError;
use crate::ids::WatchId;
use crate::website::ReaderError;

/// Watches one process checks at the same time.
const CHECKS_AT_ONCE_MAX: usize = 128;
/// Watches that are taken together, once there is room for so many: each taking is one statement.
const TAKE_WATCHES: usize = 32;
/// How often a worker looks for watches that have become due.
const LOOK_EVERY: Duration = Duration::from_secs(2);

/// Which watches to check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Which {
    /// Those that are due.
    Due,
    /// Every one.
    All,
    /// This one.
    One(WatchId),
}

/// What a sweep did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct Swept {
    /// Watches checked.
    pub checked: u64,
    /// Alerts told.
    pub alerts: u64,
    /// Watches of which something is in doubt, to be read once more.
    pub in_doubt: u64,
    /// Businesses whose website could not be read, or not completely, or that have none.
    pub unreadable: u64,
}

/// Why nothing can be checked.
#[derive(Debug, thiserror::Error)]
pub enum SweepError {
    /// There is no such watch.
    #[error("there is no watch with that id")]
    NoWatch,
    /// Reading websites is turned off.
    #[error("websites are not read (read_websites = false), so that nothing can be checked")]
    ReadingOff,
    /// There is nothing to read with.
    #[error(transparent)]
    Reader(#[from] ReaderError),
    /// The database failed.
    #[error(transparent)]
    Db(#[from] DbError),
}

/// Checks watches now. What one read does not find any more is read again at once, unless only those are wanted that
/// are due anyway.
pub async fn check_now(app: &App, which: Which) -> Result<Swept, SweepError> {
    if !app.settings.read_websites {
        return Err(SweepError::ReadingOff);
    }
    if let Which::One(watch) = which
        && !store::exists(&app.db, watch).await?
    {
        return Err(SweepError::NoWatch);
    }
    let reader = app.reader().await?.clone();
    Ok(Workers::new(app, reader, which).until_done().await?)
}

/// Checks whatever is due, until nothing is.
pub async fn until_idle(app: &App) -> Result<(), DbError> {
    match check_now(app, Which::Due).await {
        Ok(_) | Err(SweepError::ReadingOff | SweepError::NoWatch) => Ok(()),
        Err(SweepError::Db(error)) => Err(error),
        Err(SweepError::Reader(error)) => {
            tracing::warn!(error = &error as &dyn std::error::Error, "watches cannot be checked");
            Ok(())
        }
    }
}

/// Checks watches as they become due, until asked to stop; then hands back what it has begun.
pub async fn keep_checking(app: App, mut stop: watch::Receiver<bool>) {
    if !app.settings.read_websites {
        return;
    }
    let reader = match app.reader().await {
        Ok(reader) => reader.clone(),
        Err(error) => {
            tracing::error!(error = &error as &dyn std::error::Error, "watches cannot be checked");
            return;
        }
    };
    let mut workers = Workers::new(&app, reader, Which::Due);
    let mut look_at = Instant::now();
    while !*stop.borrow() {
        if look_at <= Instant::now() && workers.has_room() {
            match workers.take_more().await {
                Ok(More::Perhaps) => {}
                Ok(More::None) => look_at = Instant::now() + LOOK_EVERY,
                Err(error) => {
                    tracing::warn!(error = &error as &dyn std::error::Error, "could not look for watches");
                    look_at = Instant::now() + LOOK_EVERY;
                }
            }
        }
        tokio::select! {
            _ = stop.wait_for(|asked| *asked) => break,
            true = workers.finish_one() => {}
            () = tokio::time::sleep_until(look_at), if workers.has_room() => {}
        }
    }
    workers.disband().await;
}

/// Whether there may be more to take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum More {
    Perhaps,
    None,
}

/// Those who check watches in this process.
struct Workers<'a> {
    app: &'a App,
    reader: Reader,
    owner: String,
    which: Which,
    /// The last watch taken, when they are taken in order.
    behind: Option<WatchId>,
    running: JoinSet<Result<Outcome, DbError>>,
    swept: Swept,
}

impl<'a> Workers<'a> {
    fn new(app: &'a App, reader: Reader, which: Which) -> Workers<'a> {
        let owner = app.ids.uuid(app.clock.now()).to_string();
        Workers { app, reader, owner, which, behind: None, running: JoinSet::new(), swept: Swept::default() }
    }

    async fn until_done(mut self) -> Result<Swept, DbError> {
        let mut more = More::Perhaps;
        loop {
            while more == More::Perhaps && self.has_room() {
                more = self.take_more().await?;
            }
            if !self.finish_one().await {
                return Ok(self.swept);
            }
        }
    }

    fn has_room(&self) -> bool {
        self.running.len() + TAKE_WATCHES <= CHECKS_AT_ONCE_MAX
    }

    /// Takes a few watches and begins to check them.
    async fn take_more(&mut self) -> Result<More, DbError> {
        let limit = i64::try_from(TAKE_WATCHES).expect("a small number");
        let (taken, more) = match self.which {
            Which::Due => {
                let taken = lease::take_due(self.app, &self.owner, limit).await?;
                let more = if taken.len() < TAKE_WATCHES { More::None } else { More::Perhaps };
                (taken, more)
            }
            Which::One(watch) => (lease::take_between(self.app, &self.owner, (watch, watch)).await?, More::None),
            Which::All => {
                let ids = store::ids_after(&self.app.db, self.behind, limit).await?;
                let (Some(first), Some(last)) = (ids.first(), ids.last()) else { return Ok(More::None) };
                self.behind = Some(*last);
                (lease::take_between(self.app, &self.owner, (*first, *last)).await?, More::Perhaps)
            }
        };
        taken.into_iter().for_each(|taken| self.begin(taken));
        Ok(more)
    }

    fn begin(&mut self, taken: Taken) {
        let (app, reader) = (self.app.clone(), self.reader.clone());
        let confirm = if self.which == Which::Due { Confirm::Later } else { Confirm::AtOnce };
        self.running.spawn(async move { check(&app, &reader, &taken, confirm).await });
    }

    /// Waits for one check to end. `false` when none is under way.
    async fn finish_one(&mut self) -> bool {
        let Some(done) = self.running.join_next().await else { return false };
        match done {
            Ok(Ok(outcome)) => self.swept.add(outcome),
            // Its lease runs out, and somebody checks it again.
            Ok(Err(error)) => tracing::warn!(error = &error as &dyn std::error::Error, "a check was interrupted"),
            Err(error) => tracing::error!(error = &error as &dyn std::error::Error, "a check broke off"),
        }
        true
    }

    /// Breaks off what is under way and hands it back.
    async fn disband(mut self) {
        self.running.shutdown().await;
        if let Err(error) = lease::hand_back(self.app, &self.owner).await {
            tracing::warn!(error = &error as &dyn std::error::Error, "some watches were not handed back");
        }
    }
}

impl Swept {
    fn add(&mut self, outcome: Outcome) {
        self.checked += u64::from(outcome != Outcome::Lost);
        self.alerts += u64::from(outcome == Outcome::Told);
        self.in_doubt += u64::from(outcome == Outcome::InDoubt);
        self.unreadable += u64::from(outcome == Outcome::Unreadable);
    }
}
