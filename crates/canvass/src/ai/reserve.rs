//! Reserves one use before a model is asked: a row with its subject, so that nothing is ever charged twice.

use super::metered::{Feature, HELD_SECONDS, Hold, PaidBy};
use super::store::{self, Use};
use crate::account::Account;
use crate::app::App;
use crate::clock::Moment;
use crate::db::{DbError, Tx};

/// The result of a reservation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reserved {
    /// One use is held.
    Held(Hold),
    /// This subject was paid for before, and served by this engine: nothing more is charged for it.
    Paid {
        /// What did the work.
        engine: String,
        /// What paid for it.
        source: PaidBy,
    },
    /// Another request holds a use for the same subject.
    Busy,
    /// The allowance is used up, and there is no key of the account's own.
    UsedUp,
}

/// A use to be reserved.
#[derive(Clone, Copy, Debug)]
pub struct Wanted<'a> {
    /// Decides which allowance pays.
    pub feature: Feature,
    /// A lead's id, or one request's: paid for once.
    pub subject: &'a str,
    /// Decides who may take the hold over.
    pub holder: Holder<'a>,
}

/// Who reserves a use.
#[derive(Clone, Copy, Debug)]
pub enum Holder<'a> {
    /// A request without an Idempotency-Key.
    Request,
    /// A job, or a request with an Idempotency-Key. It takes over what an earlier worker of the same job, or an earlier request
    /// under the same key, had reserved.
    Job {
        /// The job's id, or the subject of the key's claim.
        id: &'a str,
        /// The epoch of the job's lease, or of the claim.
        epoch: i64,
    },
}

impl Holder<'_> {
    fn name(self, app: &App) -> String {
        match self {
            Holder::Request => app.ids.uuid(app.clock.now()).to_string(),
            Holder::Job { id, epoch } => format!("{id}:{epoch}"),
        }
    }

    /// Whether what `holder` had reserved is ours to take over.
    fn succeeds(self, holder: &str) -> bool {
        match self {
            Holder::Request => false,
            Holder::Job { id, epoch } => holder.split_once(':').is_some_and(|(job, before)| {
                // A worker that was suspended past its lease must not take from its successor.
                job == id && before.parse::<i64>().is_ok_and(|before| before <= epoch)
            }),
        }
    }
}

/// Reserves one use.
pub async fn reserve(app: &App, account: &Account, wanted: Wanted<'_>) -> Result<Reserved, DbError> {
    let now = app.clock.now();
    let mut tx = app.db.begin().await?;
    // From here on, decisions about this account are made one at a time.
    let balance = store::lock(&mut tx, account.id).await?;
    give_back_expired(app, &mut tx, account, wanted.subject).await?;
    let mut hold = Hold {
        account: account.id,
        feature: wanted.feature,
        subject: wanted.subject.to_owned(),
        source: PaidBy::Plan,
        holder: wanted.holder.name(app),
        month: now.month(),
    };
    if let Some(found) = store::find(&mut tx, &hold).await? {
        return succeed(tx, now, wanted.holder, Succession { hold, found }).await;
    }
    let included = wanted.feature.included(app.settings.plans.of(account.tier));
    hold.source = if store::take_of_plan(&mut tx, &hold, included).await? {
        PaidBy::Plan
    } else if store::take_of_pack(&mut tx, account.id).await? {
        PaidBy::Pack
    } else if balance.own_key.is_some() {
        PaidBy::Own
    } else {
        return Ok(Reserved::UsedUp);
    };
    store::insert(&mut tx, &hold, now.plus_seconds(HELD_SECONDS), now).await?;
    tx.commit().await?;
    Ok(Reserved::Held(hold))
}

/// A use that was found where a new one was wanted.
struct Succession {
    hold: Hold,
    found: Use,
}

/// What an earlier use of the same subject means now.
async fn succeed(mut tx: Tx, now: Moment, holder: Holder<'_>, uses: Succession) -> Result<Reserved, DbError> {
    let Succession { hold, found } = uses;
    match found.held_until {
        None => Ok(Reserved::Paid { engine: found.engine, source: found.source }),
        Some(until) if is_alive(until, now) && !holder.succeeds(&found.holder) => Ok(Reserved::Busy),
        Some(_) => {
            // The holder died: what it had reserved is ours.
            let hold = Hold { source: found.source, month: found.month, ..hold };
            store::take_over(&mut tx, &hold, now.plus_seconds(HELD_SECONDS)).await?;
            tx.commit().await?;
            Ok(Reserved::Held(hold))
        }
    }
}

/// Whether a hold until this moment counts. One that ends later than any hold can was written by a clock that was ahead.
fn is_alive(until: Moment, now: Moment) -> bool {
    now < until && until <= now.latest_ahead(HELD_SECONDS)
}

/// Gives back what holders that died had reserved for other subjects.
async fn give_back_expired(app: &App, tx: &mut Tx, account: &Account, subject: &str) -> Result<(), DbError> {
    for dead in store::expired(tx, account.id, app.clock.now()).await? {
        if dead.subject != subject {
            super::settle::give_back_in(tx, &dead).await?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_job_succeeds_to_its_earlier_workers_only() {
        let job = Holder::Job { id: "a", epoch: 3 };
        let taken = ["a:2", "a:3", "a:4", "b:2", "a", "a:x", ""].map(|holder| job.succeeds(holder));
        assert_eq!(taken, [true, true, false, false, false, false, false]);
        assert!(!Holder::Request.succeeds("a:2"));
    }
}
