//! Sends one e-mail: about the end of a search, or with a link that lets somebody in.

use std::time::Duration;

use lettre::Message;
use tracing::Instrument;

use super::compose::Sender;
use super::store::{self, MailState, OutboxMail};
use super::{Ending, PostError, WAIT_SECONDS_MAX, compose, compose_letter, post};
use crate::account;
use crate::app::App;
use crate::db::DbError;
use crate::jobs::{self, Job, Taken};
use crate::measure;
use crate::server_address;
use crate::sign_in::{self, Letter};
use crate::steps::Step;

/// How long a mail server may take for one e-mail.
const SEND_TIME_MAX: Duration = Duration::from_secs(60);
/// Tries before an e-mail is given up. With the waits between them, about nine hours: a mail server may be down overnight.
pub const TRIES_MAX: i64 = 16;
/// The wait after the first try; each further wait is twice as long.
const FIRST_WAIT_SECONDS: i64 = 30;

/// An e-mail as a job.
trait Mail: Job {
    /// Times it was taken to be sent.
    fn tries(&self) -> i64;

    /// The message. The outer error is the database's, the inner one the mail's.
    fn message(
        &self,
        app: &App,
        sender: &Sender,
    ) -> impl Future<Output = Result<Result<Message, PostError>, DbError>> + Send;
}

impl Mail for OutboxMail {
    fn tries(&self) -> i64 {
        self.tries
    }

    async fn message(&self, app: &App, sender: &Sender) -> Result<Result<Message, PostError>, DbError> {
        let Ok(ending) = serde_json::from_str::<Ending>(&self.ending) else { return Ok(Err(PostError::Unreadable)) };
        let Some(account) = account::find(&app.db, ending.account).await? else { return Ok(Err(PostError::Nobody)) };
        let to = account::notification_email(&app.db, &account).await?;
        Ok(compose::compose(&ending, &to, self.created_at, sender))
    }
}

impl Mail for Letter {
    fn tries(&self) -> i64 {
        self.tries
    }

    async fn message(&self, app: &App, sender: &Sender) -> Result<Result<Message, PostError>, DbError> {
        let Some(link) = sign_in::store::find_link(&app.db, self.link).await? else {
            return Ok(Err(PostError::Nobody));
        };
        let address = match link.address(app, &sender.base) {
            Ok(address) => address,
            Err(error) => return Ok(Err(PostError::Folder(error))),
        };
        Ok(compose_letter::compose(&link, &address, self.created_at, sender))
    }
}

/// Sends an e-mail about the end of a search, and settles or postpones it.
pub async fn send(app: App, mail: Taken<OutboxMail>) {
    settle(&app, &mail).await;
}

/// Sends an e-mail with a link, and settles or postpones it.
pub async fn send_letter(app: App, letter: Taken<Letter>) {
    settle(&app, &letter).await;
}

async fn settle<M: Mail>(app: &App, mail: &Taken<M>) {
    let span = tracing::info_span!("mail", mail.kind = M::TABLE.name, mail.outcome = tracing::field::Empty);
    if let Err(error) = try_send(app, mail).instrument(span).await {
        let (error, id) = (&error as &dyn std::error::Error, mail.lease.id);
        tracing::warn!(error, mail.id = %id, "an e-mail could not be settled; it is sent again");
    }
}

async fn try_send<M: Mail>(app: &App, mail: &Taken<M>) -> Result<(), DbError> {
    app.steps.reach(Step::BeforeMail);
    let sent = deliver(app, &mail.job).await?;
    app.steps.reach(Step::AfterMail);
    let now = app.clock.now();
    let mut tx = app.db.begin().await?;
    let (id, kind, tries) = (mail.job.id(), M::TABLE.name, mail.job.tries());
    let outcome;
    match sent {
        Ok(()) => {
            store::settle(&mut tx, &mail.lease, MailState::Sent, now).await?;
            tracing::info!(mail.id = %id, mail.kind = kind, "sent an e-mail");
            outcome = "sent";
        }
        Err(error) if error.is_permanent() || tries >= TRIES_MAX => {
            store::settle(&mut tx, &mail.lease, MailState::GivenUp, now).await?;
            tracing::warn!(mail.id = %id, mail.kind = kind, mail.tries = tries, "gave up an e-mail: {error}");
            outcome = "given_up";
        }
        Err(error) => {
            let wait = wait_seconds(tries).min(M::terms(&app.settings).wait_max);
            jobs::hand_back_in(&mut tx, &mail.lease, now.plus_seconds(wait)).await?;
            tracing::info!(mail.id = %id, mail.kind = kind, mail.tries = tries, "an e-mail is retried in {wait} seconds: {error}");
            outcome = "retried";
        }
    }
    app.steps.reach(Step::MailNoted);
    tx.commit().await?;
    tracing::Span::current().record("mail.outcome", outcome);
    measure::mail_tried(kind, outcome);
    Ok(())
}

/// Hands an e-mail over. The outer error is the database's, the inner one the mail's.
async fn deliver<M: Mail>(app: &App, mail: &M) -> Result<Result<(), PostError>, DbError> {
    let sender = Sender { from: app.settings.mail_from.clone(), base: server_address::find(app).await? };
    let message = match mail.message(app, &sender).await? {
        Ok(message) => message,
        Err(error) => return Ok(Err(error)),
    };
    let name = mail.id().to_string();
    let posting = post::post(&app.settings, &name, &message);
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
