//! Enriches one lead: reserve, ask, check, then save and spend in one transaction.

use super::check::{Checked, check};
use super::improve::{Origin, improve};
use super::{Skip, Verdict, store};
use crate::account::Account;
use crate::ai::{self, Brief, Chosen, Feature, Hold, Holder, ModelError, Reserved, Source, Wanted};
use crate::app::App;
use crate::cpu_pool;
use crate::db::{DbError, Tx};
use crate::ids::{LeadId, SearchId};
use crate::lead::{self, store::Whole};
use crate::search;
use crate::steps::Step;

/// What enriching a lead did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Enriched {
    /// What became of it.
    pub verdict: Verdict,
    /// What was said and did not stand in the text.
    pub rejected: i64,
    /// Who answered.
    pub engine: String,
}

/// A lead cannot be enriched.
#[derive(Debug, thiserror::Error)]
pub enum EnrichError {
    /// The account has no such lead.
    #[error("there is no such lead on this account")]
    NotFound,
    /// The provider failed; nothing was spent.
    #[error("{0}; nothing was spent. Try again in a moment")]
    Model(#[from] ModelError),
    /// The database failed.
    #[error(transparent)]
    Db(#[from] DbError),
}

/// Which row of a job this is part of: it is settled in the same transaction.
#[derive(Clone, Copy, Debug)]
pub(super) struct Task<'a> {
    pub(super) lease: &'a super::Lease,
    pub(super) lead: LeadId,
}

/// What a lead was found to be worth asking about.
struct Question {
    whole: Whole,
    brief: Brief,
}

/// What paid for an answer.
enum Paid {
    Now(Hold),
    Before,
}

/// Enriches one lead of an account.
pub async fn enrich(app: &App, account: &Account, lead: LeadId) -> Result<Enriched, EnrichError> {
    enrich_as(app, account, lead, None).await
}

/// The same, as part of a job.
pub(super) async fn enrich_as(
    app: &App,
    account: &Account,
    lead: LeadId,
    task: Option<Task<'_>>,
) -> Result<Enriched, EnrichError> {
    let whole = lead::store::whole(&app.db, account.id, lead).await?.ok_or(EnrichError::NotFound)?;
    let Some(question) = question(app, whole).await else {
        return skip(app, task, Skip::NoText).await;
    };
    let (paid, model) = match pay(app, account, lead, task).await? {
        Ok(ready) => ready,
        Err(why) => return skip(app, task, why).await,
    };
    app.steps.reach(Step::EnrichHeld);
    match model.who(&question.brief).await {
        Ok(who) => {
            app.steps.reach(Step::EnrichAnswered);
            let checked = check(&question.brief, &who);
            save(app, account, (lead, question.whole.search), &Answer { checked, model, paid, task }).await
        }
        Err(error) => {
            if let Paid::Now(hold) = &paid {
                ai::give_back(app, hold).await?;
            }
            Err(error.into())
        }
    }
}

/// An answer that was checked, and what it cost.
struct Answer<'a> {
    checked: Checked,
    model: Chosen,
    paid: Paid,
    task: Option<Task<'a>>,
}

/// What is known of a lead. The finders read its text again, which takes a while.
async fn question(app: &App, whole: Whole) -> Option<Question> {
    let fence = app.ids.uuid(app.clock.now()).simple().to_string();
    let question = cpu_pool::run(move || {
        let lead = lead::parse(&whole.body).ok()?;
        let brief = Brief::of(&lead, whole.site_text.as_deref(), fence);
        (!brief.is_empty()).then_some(Question { whole, brief })
    });
    question.await
}

/// Reserves what a lead costs, and chooses who answers; or says why it is left out.
async fn pay(
    app: &App,
    account: &Account,
    lead: LeadId,
    task: Option<Task<'_>>,
) -> Result<Result<(Paid, Chosen), Skip>, EnrichError> {
    let job = task.map(|task| (task.lease.enrichment.to_string(), task.lease.epoch));
    let holder = job.as_ref().map_or(Holder::Request, |(id, epoch)| Holder::Job { id, epoch: *epoch });
    let wanted = Wanted { feature: Feature::Enrich, subject: &lead.to_string(), holder };
    let reserved = ai::reserve(app, account, wanted).await?;
    Ok(match reserved {
        Reserved::UsedUp => Err(Skip::Allowance),
        Reserved::Busy => Err(Skip::InProgress),
        Reserved::Paid { engine } => {
            let model = ai::choose(app, account.id, Source::Plan).await?;
            // The same engine would say the same; another one may know more, and costs nothing.
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

async fn skip(app: &App, task: Option<Task<'_>>, why: Skip) -> Result<Enriched, EnrichError> {
    let skipped = Enriched { verdict: Verdict::Skipped(why), rejected: 0, engine: app.ai.engine().to_owned() };
    if let Some(task) = task {
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
    answer: &Answer<'_>,
) -> Result<Enriched, EnrichError> {
    let engine = answer.model.name();
    let mut tx = app.db.begin().await?;
    let settled = match &answer.paid {
        Paid::Now(hold) => ai::spend(&mut tx, hold, engine).await?,
        Paid::Before => ai::store::served_by(&mut tx, account.id, &lead.to_string(), engine).await.map(|()| true)?,
    };
    let mut done =
        Enriched { verdict: Verdict::Unchanged, rejected: answer.checked.rejected, engine: engine.to_owned() };
    if !settled {
        // Taken for dead, and somebody else has it: what they find counts.
        done.verdict = Verdict::Skipped(Skip::InProgress);
        return Ok(done);
    }
    app.steps.reach(Step::EnrichSpent);
    if write(app, &mut tx, lead, answer).await? {
        done.verdict = Verdict::Enriched;
    }
    app.steps.reach(Step::EnrichWritten);
    if let Some(task) = answer.task
        && !store::settle(&mut tx, task, &done).await?
    {
        // Another worker has the job: dropped here, the transaction leaves no trace, and the hold is given back.
        drop(tx);
        if let Paid::Now(hold) = &answer.paid {
            ai::give_back(app, hold).await?;
        }
        done.verdict = Verdict::Skipped(Skip::InProgress);
        return Ok(done);
    }
    app.steps.reach(Step::EnrichSettled);
    tx.commit().await?;
    app.steps.reach(Step::EnrichSaved);
    app.bell.ring(search);
    Ok(done)
}

/// Puts what was found onto the lead as it is now.
async fn write(app: &App, tx: &mut Tx, id: LeadId, answer: &Answer<'_>) -> Result<bool, DbError> {
    if answer.checked.owner.is_none() && answer.checked.email.is_none() {
        return Ok(false);
    }
    let Some(whole) = lead::store::lock(tx, id).await? else { return Ok(false) };
    let Ok(mut lead) = lead::parse(&whole.body) else { return Ok(false) };
    let had_email = lead.primary_email.is_some();
    let origin = Origin { method: answer.model.method(), at: app.clock.now() };
    if !improve(&mut lead, &answer.checked, origin) {
        return Ok(false);
    }
    let Some(score) = lead::rescore(&lead, &whole.facts, &app.settings.score) else { return Ok(false) };
    lead::store::update(tx, &lead, &score).await?;
    let more = i64::from(!had_email && lead.primary_email.is_some());
    search::store::leads_changed(tx, whole.search, more).await?;
    Ok(true)
}
