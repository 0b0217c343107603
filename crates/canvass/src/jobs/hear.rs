//! Rings this process's bell for what other processes commit.
//!
//! On PostgreSQL triggers notify as they commit: `search ID` when a search moved, `work TABLE` when a job can be taken. On
//! SQLite a counter in the file tells of other processes' commits. Where neither is to be had (the connection is
//! lost, or goes through a pooler that passes no notifications on), the bell is rung often enough to do without.

use std::time::Duration;

use tokio::time::{Instant, timeout_at};

use super::Bell;
use crate::app::App;
use crate::db::{CommitCounter, DbError, Notifications};
use crate::ids::SearchId;

/// How often everything is looked at while others are not heard, and how often SQLite's counter is read.
const LOOK_EVERY: Duration = Duration::from_millis(500);
/// How often everything is looked at while others are heard, in case a notification was lost.
const LOOK_EVERY_HEARING: Duration = Duration::from_secs(30);
/// How often a listener makes sure that it still hears.
const PING_EVERY: Duration = Duration::from_secs(20);
/// How long it waits to hear itself.
const PING_TIME_MAX: Duration = Duration::from_secs(10);
/// How long to wait before listening is tried again.
const LISTEN_AGAIN: Duration = Duration::from_secs(5);

/// What a listener sends to itself.
const PING: &str = "ping";

/// Rings for what other processes do, for as long as this process runs.
pub async fn hear_others(app: App) {
    tokio::select! {
        () = look_regularly(&app.bell) => {}
        () = hear(&app) => {}
    }
}

/// Rings for everything every so often: rarely while others are heard.
async fn look_regularly(bell: &Bell) {
    let mut hears = bell.hearing();
    loop {
        let every = if *hears.borrow_and_update() { LOOK_EVERY_HEARING } else { LOOK_EVERY };
        tokio::select! {
            () = tokio::time::sleep(every) => bell.ring_anything(),
            Ok(()) = hears.changed() => {}
        }
    }
}

async fn hear(app: &App) {
    let mut is_known = false;
    loop {
        let lost = match hear_once(app).await {
            Ok(never) => match never {},
            Err(lost) => lost,
        };
        // Once for each time that hearing ends, not for each try to begin again.
        if app.bell.set_hearing(false) || !is_known {
            tracing::warn!("changes by other processes are polled for, as they are not heard: {lost}");
            is_known = true;
        }
        tokio::time::sleep(LISTEN_AGAIN).await;
    }
}

/// Why others are not heard.
#[derive(Debug, thiserror::Error)]
enum Lost {
    #[error("the connection that listens is lost ({0})")]
    Db(#[from] DbError),
    #[error("no notification arrives; a connection pooler may hold them back")]
    Silence,
}

enum Never {}

/// Hears until that fails.
async fn hear_once(app: &App) -> Result<Never, Lost> {
    if let Some(counter) = CommitCounter::open(&app.db).await? {
        return hear_sqlite(&app.bell, counter).await;
    }
    match Notifications::listen(&app.db).await? {
        Some(notifications) => hear_postgres(&app.bell, notifications).await,
        None => Err(Lost::Silence),
    }
}

async fn hear_sqlite(bell: &Bell, mut counter: CommitCounter) -> Result<Never, Lost> {
    let mut last = counter.read().await?;
    began(bell);
    loop {
        tokio::time::sleep(LOOK_EVERY).await;
        let count = counter.read().await?;
        if count != last {
            last = count;
            bell.ring_everything();
        }
    }
}

async fn hear_postgres(bell: &Bell, mut notifications: Notifications) -> Result<Never, Lost> {
    loop {
        notifications.ping(PING).await?;
        let answered_by = Instant::now() + PING_TIME_MAX;
        let ping_at = Instant::now() + PING_EVERY;
        let mut is_heard = false;
        // Any notification shows that the connection is alive.
        while let Ok(payload) = timeout_at(if is_heard { ping_at } else { answered_by }, notifications.next()).await {
            let payload = payload?;
            if !is_heard {
                is_heard = true;
                began(bell);
            }
            ring(bell, &payload);
        }
        if !is_heard {
            return Err(Lost::Silence);
        }
    }
}

/// Notes that others are heard from now on, and rings for what was missed before.
fn began(bell: &Bell) {
    if bell.set_hearing(true) {
        tracing::info!("changes by other processes are heard");
        bell.ring_everything();
    }
}

fn ring(bell: &Bell, payload: &str) {
    match payload.split_once(' ') {
        Some(("search", id)) => SearchId::parse(id).into_iter().for_each(|search| bell.ring(search)),
        Some(("work", table)) => bell.ring_work_of(table),
        // A ping, or what a newer version announces.
        _ => {}
    }
}
