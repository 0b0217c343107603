//! Checks watches: as they become due for as long as the process runs, or once on request.

use std::sync::Arc;
use std::time::Duration;

use polite_reader::Reader;
use tokio::sync::Semaphore;
use tracing::Instrument;

use super::check::{CheckOutcome, Confirm, check};
use super::{Watch, store};
use crate::app::App;
use crate::db::DbError;
use crate::ids::WatchId;
use crate::jobs::{self, Lease, Runner, Shutdown};
use crate::measure;
use crate::website::ReaderError;

/// Watches one process checks concurrently.
const CHECKS_AT_ONCE_MAX: usize = 128;
/// Watches taken in one transaction, once there is room for so many.
const TAKE_WATCHES: u32 = 32;

/// The pause before each try to hand a watch back.
const HAND_BACK_WAIT_SECONDS: [u64; 5] = [1, 2, 4, 8, 16];

/// Which watches to check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Which {
    /// Those that are due.
    Due,
    /// Every one, due or not.
    All,
    /// This one, due or not.
    One(WatchId),
}

/// What a sweep did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct Swept {
    /// Watches checked.
    pub checked: u64,
    /// Alerts raised.
    pub alerts: u64,
    /// Watches with something in doubt, to be read once more.
    pub in_doubt: u64,
    /// Businesses whose website could not be read well enough to compare anything, or that have none.
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

/// Checks watches now. A caller that names watches waits for the answer: then what one read misses is read again at once.
pub async fn check_now(app: &App, which: Which) -> Result<Swept, SweepError> {
    if !app.settings.read_websites {
        return Err(SweepError::ReadingOff);
    }
    let reader = app.reader().await?.clone();
    let checked = match which {
        Which::Due => runner(app, reader, Confirm::Later).run_due().await?,
        Which::One(watch) if !store::exists(&app.db, watch).await? => return Err(SweepError::NoWatch),
        Which::One(watch) => {
            let mut runner = runner(app, reader, Confirm::AtOnce);
            runner.start_between(watch, watch).await?;
            runner.finish_all().await
        }
        Which::All => check_all(app, runner(app, reader, Confirm::AtOnce)).await?,
    };
    Ok(checked.into_iter().flatten().fold(Swept::default(), Swept::with))
}

async fn check_all(app: &App, mut runner: Checks) -> Result<Vec<Option<CheckOutcome>>, DbError> {
    let mut after = None;
    loop {
        let ids = store::ids_after(&app.db, after, i64::from(TAKE_WATCHES)).await?;
        let (Some(first), Some(last)) = (ids.first(), ids.last()) else { return Ok(runner.finish_all().await) };
        runner.start_between(*first, *last).await?;
        after = Some(*last);
    }
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

/// Checks watches as they become due, until shutdown.
pub async fn keep_checking(app: App, shutdown: Shutdown) {
    if !app.settings.read_websites {
        return;
    }
    match app.reader().await {
        Ok(reader) => runner(&app, reader.clone(), Confirm::Later).keep_running(shutdown).await,
        Err(error) => tracing::error!(error = &error as &dyn std::error::Error, "watches cannot be checked"),
    }
}

/// Runs checks. A check that fails gives `None`: it is handed back and taken again.
type Checks = Runner<Watch, Option<CheckOutcome>>;

fn runner(app: &App, reader: Reader, confirm: Confirm) -> Checks {
    let run = move |app: App, taken: jobs::Taken<Watch>| {
        let reader = reader.clone();
        async move {
            let (id, outcome) = (taken.lease.id, tracing::field::Empty);
            let span = tracing::info_span!("radar check", watch.id = %id, watch.outcome = outcome);
            let checked = check(&app, &reader, &taken, confirm).instrument(span.clone()).await;
            if let Ok(outcome) = &checked {
                span.record("watch.outcome", outcome.name());
                measure::radar_checked(outcome.name());
            }
            let failed = |error: &DbError| {
                let error = error as &dyn std::error::Error;
                tracing::warn!(error, watch.id = %taken.lease.id, "a check was interrupted");
            };
            let checked = checked.inspect_err(failed).ok();
            if checked.is_none() {
                hand_back(&app, &taken.lease).await;
            }
            checked
        }
    };
    Runner::new(app, Arc::new(Semaphore::new(CHECKS_AT_ONCE_MAX)), run).in_batches_of(TAKE_WATCHES)
}

/// Hands a watch back whose check failed, so that nobody waits for its lease to run out. The database may need a moment.
async fn hand_back(app: &App, lease: &Lease<Watch>) {
    for seconds in HAND_BACK_WAIT_SECONDS {
        tokio::time::sleep(Duration::from_secs(seconds)).await;
        let handed = async {
            let mut tx = app.db.begin().await?;
            jobs::hand_back_in(&mut tx, lease, app.clock.now()).await?;
            tx.commit().await
        };
        if handed.await.is_ok() {
            return;
        }
    }
}

impl Swept {
    fn with(self, outcome: CheckOutcome) -> Swept {
        Swept {
            checked: self.checked + u64::from(outcome != CheckOutcome::Lost),
            alerts: self.alerts + u64::from(outcome == CheckOutcome::Alerted),
            in_doubt: self.in_doubt + u64::from(outcome == CheckOutcome::InDoubt),
            unreadable: self.unreadable + u64::from(outcome == CheckOutcome::Unreadable),
        }
    }
}
