//! The jobs of one process: which verb runs which, and how many at a time.

use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{Semaphore, watch};

use crate::app::App;
use crate::db::DbError;
use crate::enrichment::{self, Enrichment};
use crate::jobs::{self, Runner};
use crate::notify::{self, OutboxMail};
use crate::radar;
use crate::search::{self, Search};
use crate::sign_in::Letter;

/// How long jobs may take to be finished or handed back at shutdown.
const SHUTDOWN_TIME_MAX: Duration = Duration::from_secs(5);
/// E-mails sent concurrently: a slow mail server holds up nothing but mail.
const MAILS_AT_ONCE: usize = 1;

/// Works until `stop` resolves; then hands back what is running.
pub async fn work(app: App, stop: impl Future<Output = ()>) {
    let (stopping, shutdown) = watch::channel(false);
    let jobs = Jobs::new(&app);
    let working = async {
        tokio::join!(
            jobs.searches.keep_running(shutdown.clone()),
            jobs.enrichments.keep_running(shutdown.clone()),
            jobs.mails.keep_running(shutdown.clone()),
            jobs.letters.keep_running(shutdown.clone()),
            radar::keep_checking(app.clone(), shutdown.clone()),
        )
    };
    let stopped = async {
        stop.await;
        stopping.send_replace(true);
        tokio::time::sleep(SHUTDOWN_TIME_MAX).await;
    };
    tokio::select! {
        _ = working => {}
        () = stopped => tracing::warn!("some jobs were not handed back; others take them when their leases run out"),
    }
}

/// Hears what other processes do, so that waiters in this one are woken. Runs for as long as the process does.
pub async fn hear_others(app: App) {
    tokio::join!(jobs::hear_others(app.clone()), search::notice_others(app));
}

/// Works until nothing is left that is due now.
pub async fn until_idle(app: &App) -> Result<(), DbError> {
    let mut jobs = Jobs::new(app);
    loop {
        let (searches, enrichments, mails, letters) = tokio::try_join!(
            jobs.searches.run_due(),
            jobs.enrichments.run_due(),
            jobs.mails.run_due(),
            jobs.letters.run_due()
        )?;
        if searches.is_empty() && enrichments.is_empty() && mails.is_empty() && letters.is_empty() {
            return radar::until_idle(app).await;
        }
    }
}

/// What runs the jobs that work on behalf of requests. Searches and enrichments share `searches_at_once`.
struct Jobs {
    searches: Runner<Search, ()>,
    enrichments: Runner<Enrichment, ()>,
    mails: Runner<OutboxMail, ()>,
    letters: Runner<Letter, ()>,
}

impl Jobs {
    fn new(app: &App) -> Jobs {
        let room = Arc::new(Semaphore::new(app.settings.searches_at_once));
        Jobs {
            searches: Runner::new(app, room.clone(), search::run),
            enrichments: Runner::new(app, room, enrichment::run),
            mails: Runner::new(app, Arc::new(Semaphore::new(MAILS_AT_ONCE)), notify::send).finishing(),
            letters: Runner::new(app, Arc::new(Semaphore::new(MAILS_AT_ONCE)), notify::send_letter).finishing(),
        }
    }
}
