//! Enriches one lead: reserve, ask, check, then save and spend in one transaction.

use super::check::{Checked, check};
use super::improve::{Origin, improve};
use super::{Enriched, Skip, Task, Verdict, store};
use crate::account::Account;
use crate::ai::{self, Brief, Chosen, Feature, Hold, Holder, ModelError, PaidBy, RULES, Reserved, Wanted};
use crate::app::App;
use crate::cpu_pool;
use crate::db::{DbError, Tx};
use crate::fair_line::Sharer;
use crate::idempotency::{self, Claim, TakenOver};
use crate::ids::{LeadId, SearchId};
use crate::lead::{self, store::WholeLead};
use crate::search;
use crate::steps::Step;

/// The status of a website that was read.
const SITE_READ: &str = "ok";

/// A lead cannot be enriched.
#[derive(Debug, thiserror::Error)]
pub enum EnrichError {
    /// The account has no such lead.
    #[error("there is no such lead on this account")]
    NotFound,
    /// The provider failed; nothing was spent.
    #[error("{0}; nothing was spent. Try again in a moment")]
    Model(#[from] ModelError),
    /// Another request with the same Idempotency-Key is in progress.
    #[error(transparent)]
    TakenOver(#[from] TakenOver),
    /// The database failed.
    #[error(transparent)]
    Db(#[from] DbError),
}

/// Who asked for a lead to be enriched: their row is settled in the transaction that saves the lead.
#[derive(Clone, Copy, Debug)]
pub(super) enum Asker<'a> {
    /// A job.
    Job(Task<'a>),
    /// A request, and its claim when it may be repeated.
    Request(Option<&'a Claim>),
}

impl<'a> Asker<'a> {
    fn task(self) -> Option<Task<'a>> {
        if let Asker::Job(task) = self { Some(task) } else { None }
    }

    fn claim(self) -> Option<&'a Claim> {
        if let Asker::Request(claim) = self { claim } else { None }
    }

    /// The id of the job or claim, and its epoch; `None` for a request without a key.
    fn epoch(self) -> Option<(String, i64)> {
        match self {
            Asker::Job(task) => Some((task.lease.id.to_string(), task.lease.epoch)),
            Asker::Request(claim) => claim.map(|claim| (claim.subject.to_string(), claim.epoch)),
        }
    }
}

/// What was saved, as a claim remembers it.
#[derive(serde::Serialize, serde::Deserialize)]
struct Saved {
    changed: bool,
    rejected: i64,
    engine: String,
}

impl Saved {
    fn of(done: &Enriched) -> String {
        let changed = done.verdict == Verdict::Enriched;
        let saved = Saved { changed, rejected: done.rejected, engine: done.engine.clone() };
        serde_json::to_string(&saved).expect("what was saved is plain data")
    }

    fn read(made: &str) -> Option<Enriched> {
        let Saved { changed, rejected, engine } = serde_json::from_str(made).ok()?;
        let verdict = if changed { Verdict::Enriched } else { Verdict::Unchanged };
        Some(Enriched { verdict, rejected, engine })
    }
}

/// A lead, and what a model is asked about it.
struct Question {
    whole: WholeLead,
    brief: Brief,
}

/// What pays for an answer.
enum Paid {
    Now(Hold),
    Before,
}

/// Enriches one lead of an account, once for each claim.
pub async fn enrich(
    app: &App,
    account: &Account,
    lead: LeadId,
    claim: Option<&Claim>,
) -> Result<Enriched, EnrichError> {
    match claim.and_then(Claim::made).and_then(Saved::read) {
        Some(earlier) => Ok(earlier),
        None => enrich_for(app, account, lead, Asker::Request(claim)).await,
    }
}

/// Enriches one lead, for a request or as part of a job.
pub(super) async fn enrich_for(
    app: &App,
    account: &Account,
    lead: LeadId,
    asker: Asker<'_>,
) -> Result<Enriched, EnrichError> {
    let whole = lead::store::whole(&app.db, account.id, lead).await?.ok_or(EnrichError::NotFound)?;
    let question = match question(app, whole).await {
        Ok(question) => question,
        Err(why) => return skip(app, asker, why).await,
    };
    let (paid, model) = match pay(app, account, lead, asker).await? {
        Ok(ready) => ready,
        Err(why) => return skip(app, asker, why).await,
    };
    app.steps.reach(Step::EnrichHeld);
    let asking = model.who(&question.brief);
    let answered = match &paid {
        Paid::Now(hold) => ai::while_held(app, hold, asking).await,
        Paid::Before => asking.await,
    };
    match answered {
        Ok(who) => {
            app.steps.reach(Step::EnrichAnswered);
            let checked = check(&question.brief, &who);
            save(app, account, (lead, question.whole.search), &CheckedAnswer { checked, model, paid, asker }).await
        }
        Err(error) => {
            if let Paid::Now(hold) = &paid {
                ai::give_back(app, hold).await?;
            }
            Err(error.into())
        }
    }
}

/// A model's answer after the check, and what paid for it.
struct CheckedAnswer<'a> {
    checked: Checked,
    model: Chosen,
    paid: Paid,
    asker: Asker<'a>,
}

/// What is known of a lead, or why that is too little. The finders read its text again, which takes CPU time.
async fn question(app: &App, whole: WholeLead) -> Result<Question, Skip> {
    let fence = app.ids.uuid(app.clock.now()).simple().to_string();
    let question = cpu_pool::run(Sharer::CHORES, move || {
        let lead = whole.lead.parse().map_err(|_| Skip::NoText)?;
        let brief = Brief::of(&lead, whole.site.text.as_deref(), fence);
        match brief.is_empty() {
            false => Ok(Question { whole, brief }),
            // A website that was read had a text.
            true if lead.site_status == SITE_READ => Err(Skip::TextDeleted),
            true => Err(Skip::NoText),
        }
    });
    question.await
}

/// Reserves what a lead costs and chooses the model; or says why the lead is skipped.
async fn pay(
    app: &App,
    account: &Account,
    lead: LeadId,
    asker: Asker<'_>,
) -> Result<Result<(Paid, Chosen), Skip>, EnrichError> {
    let held_by = asker.epoch();
    let holder = held_by.as_ref().map_or(Holder::Request, |(id, epoch)| Holder::Job { id, epoch: *epoch });
    let wanted = Wanted { feature: Feature::Enrich, subject: &lead.to_string(), holder };
    let reserved = ai::reserve(app, account, wanted).await?;
    Ok(match reserved {
        Reserved::UsedUp => Err(Skip::Allowance),
        Reserved::Busy => Err(Skip::InProgress),
        Reserved::Paid { engine, .. } => {
            let model = ai::choose(app, account.id, PaidBy::Plan).await?;
            // The same engine would give the same answer; another one may find more, at no further charge.
            if model.name() == engine { Err(Skip::AlreadyEnriched) } else { Ok((Paid::Before, model)) }
        }
        Reserved::Held(hold) => match ai::choose(app, account.id, hold.source).await {
            Ok(model) => Ok((Paid::Now(hold), model)),
            Err(error) => {
                ai::give_back(app, &hold).await?;
                return Err(error.into());
            }
        },
    })
}

async fn skip(app: &App, asker: Asker<'_>, why: Skip) -> Result<Enriched, EnrichError> {
    let skipped = Enriched { verdict: Verdict::Skipped(why), rejected: 0, engine: app.ai.engine().to_owned() };
    // A job returns to a lead that another request holds.
    if let Some(task) = asker.task().filter(|_| why != Skip::InProgress) {
        let mut tx = app.db.begin().await?;
        store::settle(&mut tx, task, &skipped).await?;
        tx.commit().await?;
    }
    Ok(skipped)
}

/// Saves what was found and spends what it cost, together or not at all.
async fn save(
    app: &App,
    account: &Account,
    (lead, search): (LeadId, SearchId),
    answer: &CheckedAnswer<'_>,
) -> Result<Enriched, EnrichError> {
    let engine = answer.model.name();
    let mut tx = app.db.begin().await?;
    if engine == RULES {
        ai::lock_for_refund(&mut tx, account.id).await?;
    }
    let settled = match &answer.paid {
        Paid::Now(hold) => ai::spend(&mut tx, hold, engine).await?,
        Paid::Before => ai::store::served_by(&mut tx, account.id, &lead.to_string(), engine).await.map(|()| true)?,
    };
    let rejected = i64::try_from(answer.checked.rejected.len()).unwrap_or(i64::MAX);
    let mut done = Enriched { verdict: Verdict::Unchanged, rejected, engine: engine.to_owned() };
    if !settled {
        // This worker was taken for dead, and another one has the hold: its result counts.
        done.verdict = Verdict::Skipped(Skip::InProgress);
        return Ok(done);
    }
    app.steps.reach(Step::EnrichSpent);
    if write(app, &mut tx, lead, answer).await? {
        done.verdict = Verdict::Enriched;
    } else if let (RULES, Paid::Now(hold)) = (engine, &answer.paid) {
        // The built-in rules cost nothing to run: only what they improve is charged.
        ai::refund(&mut tx, hold).await?;
    }
    app.steps.reach(Step::EnrichWritten);
    if !settle(&mut tx, answer.asker, &done).await? {
        // Another worker has the row: dropped here, the transaction leaves no trace, and the hold is given back.
        drop(tx);
        if let Paid::Now(hold) = &answer.paid {
            ai::give_back(app, hold).await?;
        }
        done.verdict = Verdict::Skipped(Skip::InProgress);
        return if answer.asker.claim().is_some() { Err(TakenOver.into()) } else { Ok(done) };
    }
    app.steps.reach(Step::EnrichSettled);
    tx.commit().await?;
    app.steps.reach(Step::EnrichSaved);
    app.bell.ring(search);
    Ok(done)
}

/// Settles the row of the asker. `false` when that is no longer theirs: then nothing may be saved.
async fn settle(tx: &mut Tx, asker: Asker<'_>, done: &Enriched) -> Result<bool, DbError> {
    match asker {
        Asker::Job(task) => store::settle(tx, task, done).await,
        Asker::Request(claim) => idempotency::settle(tx, claim, &Saved::of(done)).await,
    }
}

/// Writes what was found to the lead as it is now.
async fn write(app: &App, tx: &mut Tx, id: LeadId, answer: &CheckedAnswer<'_>) -> Result<bool, DbError> {
    if answer.checked.owner.is_none() && answer.checked.email.is_none() {
        return Ok(false);
    }
    let Some(whole) = lead::store::lock(tx, id).await? else { return Ok(false) };
    let Ok(mut lead) = whole.lead.parse() else { return Ok(false) };
    let had_email = lead.primary_email.is_some();
    let origin = Origin { method: answer.model.method(), at: app.clock.now() };
    if !improve(&mut lead, &answer.checked, origin) {
        return Ok(false);
    }
    let Some(score) = lead::rescore(&lead, &whole.site.facts, &app.settings.score) else { return Ok(false) };
    lead::store::update(tx, &lead, &score).await?;
    let more = i64::from(!had_email && lead.primary_email.is_some());
    search::store::leads_changed(tx, whole.search, more).await?;
    Ok(true)
}
