//! Sends one e-mail of the outbox.

use std::time::Duration;

use super::compose::Sender;
use super::store::{self, MailState, OutboxMail};
use super::{Ending, PostError, WAIT_SECONDS_MAX, compose, post};
use crate::account;
use crate::app::App;
use crate::db::DbError;
use crate::jobs::{self, Taken};
use crate::steps::Step;

/// How long a mail server may take for one e-mail.
const SEND_TIME_MAX: Duration = Duration::from_secs(60);
/// Tries before an e-mail is given up. With the waits between them, about nine hours: a mail server may be down overnight.
pub const TRIES_MAX: i64 = 16;
/// The wait after the first try; each further wait is twice as long.
const FIRST_WAIT_SECONDS: i64 = 30;
/// Sends an e-mail that was taken, and settles or postpones it.
pub async fn send(app: App, mail: Taken<OutboxMail>) {
    if let Err(error) = try_send(&app, &mail).await {
        let (error, search) = (&error as &dyn std::error::Error, mail.lease.id);
        tracing::warn!(error, search.id = %search, "an e-mail could not be settled; it is sent again");
    }
}

async fn try_send(app: &App, mail: &Taken<OutboxMail>) -> Result<(), DbError> {
    app.steps.reach(Step::BeforeMail);
    let sent = deliver(app, &mail.job).await?;
    app.steps.reach(Step::AfterMail);
    let now = app.clock.now();
    let mut tx = app.db.begin().await?;
    let (search, tries) = (mail.job.search, mail.job.tries);
    match sent {
        Ok(()) => {
            store::settle(&mut tx, &mail.lease, MailState::Sent, now).await?;
            tracing::info!(search.id = %search, "sent the e-mail about the end of a search");
        }
        Err(error) if error.is_permanent() || tries >= TRIES_MAX => {
            store::settle(&mut tx, &mail.lease, MailState::GivenUp, now).await?;
            tracing::warn!(search.id = %search, mail.tries = tries, "gave up an e-mail: {error}");
        }
        Err(error) => {
            let wait = wait_seconds(tries);
            jobs::hand_back_in(&mut tx, &mail.lease, now.plus_seconds(wait)).await?;
            tracing::info!(search.id = %search, mail.tries = tries, "an e-mail is retried in {wait} seconds: {error}");
        }
    }
    app.steps.reach(Step::MailNoted);
    tx.commit().await
}

/// Hands an e-mail over. The outer error is the database's, the inner one the mail's.
async fn deliver(app: &App, mail: &OutboxMail) -> Result<Result<(), PostError>, DbError> {
    let Ok(ending) = serde_json::from_str::<Ending>(&mail.ending) else { return Ok(Err(PostError::Unreadable)) };
    let Some(account) = account::find(&app.db, ending.account).await? else { return Ok(Err(PostError::Nobody)) };
    let sender = Sender { from: app.settings.mail_from.clone(), base: app.base_url() };
    let message = match compose::compose(&ending, &account.email, mail.created_at, &sender) {
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
        assert_eq!((wait_seconds(0), wait_seconds(70)), (3_600, 3_600), "an impossible number of tries waits longest");
    }
}
