//! Shows the progress of a search's enrichment, lead by lead.

use super::{Enrichment, Status, added, store};
use crate::account::Account;
use crate::ai::{self, Feature};
use crate::app::App;
use crate::db::DbError;
use crate::lead;
use crate::owned::Owned;
use crate::search::Search;

/// The enrichment of one lead.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeadProgress {
    /// Each lead appears once.
    pub lead_id: String,
    /// A name of a [`super::Verdict`]; `None` while it waits.
    pub status: Option<String>,
    /// Why it was skipped or failed.
    pub reason: Option<String>,
    /// The owner on the lead as it is now.
    pub owner_name: Option<String>,
    /// The owner's title, as the website words it.
    pub owner_title: Option<String>,
    /// The best email on the lead as it is now.
    pub primary_email: Option<String>,
    /// The fields that enrichment found or bettered, each with its evidence on the lead.
    pub added: Vec<&'static str>,
}

/// The progress of a search's newest enrichment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EnrichmentProgress {
    /// [`Status::None`] when none was requested.
    pub status: Status,
    /// Why it ended before every lead was looked at.
    pub stopped_because: Option<String>,
    /// `rules`, or a model's name.
    pub engine: String,
    /// Names and addresses that were not found in the text, and dropped.
    pub rejected_ungrounded: i64,
    /// Uses left this month, packs included.
    pub remaining: i64,
    /// In the order of the search.
    pub leads: Vec<LeadProgress>,
}

impl EnrichmentProgress {
    /// The number of leads with this verdict.
    pub fn count(&self, verdict: &str) -> usize {
        self.leads.iter().filter(|lead| lead.status.as_deref() == Some(verdict)).count()
    }
}

/// Shows the newest enrichment of a search of the account.
pub async fn show(app: &App, account: &Account, search: &Owned<Search>) -> Result<EnrichmentProgress, DbError> {
    let newest = store::newest(&app.db, search.account(), search.id).await?;
    let leads = match &newest {
        Some(newest) => store::rows(&app.db, newest.id).await?.into_iter().map(lead_progress).collect(),
        None => Vec::new(),
    };
    // Read last: what a lead cost is then never missing from what is left.
    let remaining = ai::remaining(app, account, Feature::Enrich).await?.left();
    Ok(progress(app, newest, leads, remaining))
}

fn progress(app: &App, newest: Option<Enrichment>, leads: Vec<LeadProgress>, remaining: i64) -> EnrichmentProgress {
    match newest {
        Some(newest) => EnrichmentProgress {
            status: newest.status,
            stopped_because: newest.stopped_because,
            engine: newest.engine,
            rejected_ungrounded: newest.rejected_ungrounded,
            remaining,
            leads,
        },
        None => EnrichmentProgress {
            status: Status::None,
            stopped_because: None,
            engine: app.ai.engine().to_owned(),
            rejected_ungrounded: 0,
            remaining,
            leads,
        },
    }
}

fn lead_progress(row: store::LeadRow) -> LeadProgress {
    let lead = row.lead.parse().ok();
    let of = |field: fn(lead::Lead) -> Option<String>| lead.clone().and_then(field);
    LeadProgress {
        owner_name: of(|lead| lead.owner_name),
        owner_title: of(|lead| lead.owner_title),
        primary_email: of(|lead| lead.primary_email),
        added: lead.as_ref().map(added).unwrap_or_default(),
        lead_id: row.lead_id,
        status: row.status,
        reason: row.reason,
    }
}
