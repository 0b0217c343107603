//! Sends what is due in the outbox, once each.

use std::time::Duration;

use super::compose::Sender;
use super::store::{self, State, Taken};
use super::{Ending, PostError, compose, post};
use crate::account;
use crate::app::App;
use crate::db::DbError;
use crate::steps::Step;

/// E-mails looked at in one go.
const DUE_MAX: i64 = 16;
/// How long a mail server may take for one e-mail.
const SEND_TIME_MAX: Duration = Duration::from_secs(60);
/// How long an e-mail belongs to whoever took it: longer than sending it may take, so that no two send it at once.
pub(super) const LEASE_SECONDS: i64 = 120;
/// Tries before an e-mail is given up. With the waits between them, about nine hours: a mail server may be down overnight.
pub const TRIES_MAX: i64 = 16;
/// How long to wait behind the first try; each further wait is twice as long.
const FIRST_WAIT_SECONDS: i64 = 30;
/// How long to wait at most.
pub(super) const WAIT_SECONDS_MAX: i64 = 60 * 60;

/// Sends every e-mail that is due, and says how many were tried.
pub async fn send_due(app: &App) -> Result<usize, DbError> {
    let mut tried = 0;
    loop {
        let before = tried;
        for due in store::due(&app.db, app.clock.now(), DUE_MAX).await? {
            let now = app.clock.now();
            let mut tx = app.db.begin().await?;
            // Another worker may have been faster.
            let Some(taken) = store::take(&mut tx, due, (now, now.plus_seconds(LEASE_SECONDS))).await? else {
                continue;
            };
            tx.commit().await?;
            send(app, &taken).await?;
            tried += 1;
        }
        if tried == before {
            return Ok(tried);
        }
    }
}

async fn send(app: &App, taken: &Taken) -> Result<(), DbError> {
    app.steps.reach(Step::BeforeMail);
    let sent = deliver(app, taken).await?;
    app.steps.reach(Step::AfterMail);
    let now = app.clock.now();
    let mut tx = app.db.begin().await?;
    let search = taken.search_id;
    match sent {
        Ok(()) => {
            store::settle(&mut tx, taken, State::Sent, now).await?;
            tracing::info!(search.id = %search, "the end of a search was told by e-mail");
        }
        Err(error) if error.is_lasting() || taken.tries >= TRIES_MAX => {
            store::settle(&mut tx, taken, State::GivenUp, now).await?;
            tracing::warn!(search.id = %search, mail.tries = taken.tries, "an e-mail was given up: {error}");
        }
        Err(error) => {
            let wait = wait_seconds(taken.tries);
            store::postpone(&mut tx, taken, now.plus_seconds(wait)).await?;
            tracing::info!(search.id = %search, mail.tries = taken.tries, "an e-mail waits {wait} seconds more: {error}");
        }
    }
    app.steps.reach(Step::MailNoted);
    tx.commit().await
}

/// Hands an e-mail over. The outer error is the database's, the inner one the mail's.
async fn deliver(app: &App, taken: &Taken) -> Result<Result<(), PostError>, DbError> {
    let Ok(ending) = serde_json::from_str::<Ending>(&taken.ending) else { return Ok(Err(PostError::Unreadable)) };
    let Some(account) = account::find(&app.db, ending.account).await? else { return Ok(Err(PostError::Nobody)) };
    let sender = Sender { from: app.settings.mail_from.clone(), base: app.base_url() };
    let message = match compose::compose(&ending, &account.email, taken.created_at, &sender) {
        Ok(message) => message,
        Err(error) => return Ok(Err(error)),
    };
    let posting = post::post(&app.settings, ending.search, &message);
    Ok(tokio::time::timeout(SEND_TIME_MAX, posting).await.unwrap_or(Err(PostError::TimedOut)))
}

/// 30 seconds, 1, 2, 4 ... minutes, an hour at most.
fn wait_seconds(tries: i64) -> i64 {
    let doubled = u32::try_from(tries - 1).ok().and_then(|times| FIRST_WAIT_SECONDS.checked_shl(times));
    doubled.unwrap_or(WAIT_SECONDS_MAX).clamp(FIRST_WAIT_SECONDS, WAIT_SECONDS_MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_double_up_to_an_hour() {
        let waits: Vec<i64> = (1..=9).map(wait_seconds).collect();
        assert_eq!(waits, [30, 60, 120, 240, 480, 960, 1_920, 3_600, 3_600]);
        assert_eq!((wait_seconds(0), wait_seconds(70)), (3_600, 3_600), "tries that cannot be are not hurried");
    }
}
