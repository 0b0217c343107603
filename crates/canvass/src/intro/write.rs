//! Writes an intro: reserve, ask, check, spend. A model that does not pass the check twice is replaced by the rules.

use super::check;
use crate::account::Account;
use crate::ai::{self, Brief, Feature, Hold, Holder, Model, ModelError, RULES, Reserved, Wanted};
use crate::app::App;
use crate::db::DbError;
use crate::idempotency::{self, Claim, TakenOver};
use crate::ids::LeadId;
use crate::lead;

/// How often a model may try.
const TRIES_MAX: usize = 2;

/// An intro.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Intro {
    /// Two or three sentences.
    pub text: String,
    /// Uses left.
    pub remaining: i64,
    /// `rules`, or a model's name.
    pub engine: String,
}

/// An intro cannot be written.
#[derive(Debug, thiserror::Error)]
pub enum IntroError {
    /// The account has no such lead, or its name may not be stored any longer.
    #[error("there is no such lead on this account")]
    NotFound,
    /// There is nothing left to pay with.
    #[error(
        "this month's AI intro allowance is used up; wait for next month, ask the operator for a pack, or set your own AI key"
    )]
    UsedUp,
    /// Another request with the same Idempotency-Key is at it.
    #[error(transparent)]
    TakenOver(#[from] TakenOver),
    /// The provider failed; nothing was spent.
    #[error("{0}; nothing was spent. Try again in a moment")]
    Model(#[from] ModelError),
    /// The database failed.
    #[error(transparent)]
    Db(#[from] DbError),
}

/// Writes an intro for a lead, paid for once for each claim. The text is kept nowhere: when the answer to a request was lost
/// on its way, a repeat under the same claim writes it anew and spends nothing.
pub async fn write(app: &App, account: &Account, lead: LeadId, claim: Option<&Claim>) -> Result<Intro, IntroError> {
    let whole = lead::store::whole(&app.db, account.id, lead).await?.ok_or(IntroError::NotFound)?;
    let fence = app.ids.uuid(app.clock.now()).simple().to_string();
    let lead = whole.lead.parse().map_err(|_| IntroError::NotFound)?;
    if lead.is_nameless() {
        return Err(IntroError::NotFound);
    }
    let brief = Brief::of(&lead, whole.site.text.as_deref(), fence);
    let (hold, source) = match reserve(app, account, claim).await? {
        Reserved::Held(hold) => (Some(hold.clone()), hold.source),
        // Paid for, and the answer was lost on its way: written again.
        Reserved::Paid { source, .. } => (None, source),
        Reserved::Busy => return Err(TakenOver.into()),
        Reserved::UsedUp => return Err(IntroError::UsedUp),
    };
    let writing = async { compose(&*ai::choose(app, account.id, source).await?, &brief).await };
    let written = match &hold {
        Some(hold) => ai::while_held(app, hold, writing).await,
        None => writing.await,
    };
    let (text, engine) = settle(app, (hold, claim), written).await?;
    let remaining = ai::remaining(app, account, Feature::Intro).await?.left();
    Ok(Intro { text, remaining, engine })
}

/// Reserves one use. Its subject is the request: the same one for every repeat under one claim.
async fn reserve(app: &App, account: &Account, claim: Option<&Claim>) -> Result<Reserved, DbError> {
    let subject = claim.map_or_else(|| app.ids.uuid(app.clock.now()), |claim| claim.subject).to_string();
    let holder = match claim {
        Some(claim) => Holder::Job { id: &subject, epoch: claim.epoch },
        None => Holder::Request,
    };
    ai::reserve(app, account, Wanted { feature: Feature::Intro, subject: &subject, holder }).await
}

/// Spends what a text cost, in one transaction with the claim it was written under; or gives it back when there is none.
async fn settle(
    app: &App,
    (hold, claim): (Option<Hold>, Option<&Claim>),
    written: Result<(String, String), ModelError>,
) -> Result<(String, String), IntroError> {
    match (written, hold) {
        (Ok(written), Some(hold)) => {
            let mut tx = app.db.begin().await?;
            // When the reservation was lost, the request that took it over is charged; this one is not.
            ai::spend(&mut tx, &hold, &written.1).await?;
            if !idempotency::settle(&mut tx, claim, &hold.subject).await? {
                return Err(TakenOver.into());
            }
            tx.commit().await?;
            Ok(written)
        }
        (Ok(written), None) => Ok(written),
        (Err(error), hold) => {
            if let Some(hold) = hold {
                ai::give_back(app, &hold).await?;
            }
            Err(error.into())
        }
    }
}

/// A text that passes the check, and who wrote it.
async fn compose(model: &dyn Model, brief: &Brief) -> Result<(String, String), ModelError> {
    if model.name() == RULES {
        return Ok((by_rules(brief), RULES.to_owned()));
    }
    for _ in 0..TRIES_MAX {
        let text = model.intro(brief).await?;
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        match check(brief, &text) {
            Ok(()) => return Ok((text, model.name().to_owned())),
            // What it said stays out of the log; what was wrong with it may go there.
            Err(fault) => tracing::info!(ai.engine = model.name(), "an intro did not pass the check: {fault}"),
        }
    }
    Ok((by_rules(brief), RULES.to_owned()))
}

/// What the rules write is checked like any model's text: an unforeseen name or line must not get past them.
pub(super) fn by_rules(brief: &Brief) -> String {
    let text = ai::rules_intro(brief);
    if check(brief, &text).is_ok() { text } else { ai::rules_quiet_intro(brief) }
}
