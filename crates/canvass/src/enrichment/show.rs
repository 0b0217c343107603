//! Shows where the enrichment of a search stands, lead by lead.

use super::{Enrichment, Status, store};
use crate::account::Account;
use crate::ai::{self, Feature};
use crate::app::App;
use crate::db::DbError;
use crate::lead;
use crate::owned::Owned;
use crate::search::Search;

/// What became of one lead.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// Which lead.
    pub lead_id: String,
    /// What became of it; none while it waits.
    pub status: Option<String>,
    /// Why, in one word, when that is not plain.
    pub reason: Option<String>,
    /// The owner, as the lead says now.
    pub owner_name: Option<String>,
    /// Their title.
    pub owner_title: Option<String>,
    /// The best email, as the lead says now.
    pub primary_email: Option<String>,
}

/// Where an enrichment stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct State {
    /// In short.
    pub status: Status,
    /// Why it ended before all leads were looked at.
    pub stopped_because: Option<String>,
    /// Who answers.
    pub engine: String,
    /// What was said and did not stand in the text.
    pub rejected_ungrounded: i64,
    /// Uses left.
    pub remaining: i64,
    /// Lead by lead.
    pub lines: Vec<Line>,
}

impl State {
    /// How many leads ended like this.
    pub fn count(&self, verdict: &str) -> usize {
        self.lines.iter().filter(|line| line.status.as_deref() == Some(verdict)).count()
    }
}

/// Shows the newest enrichment of a search of the account.
pub async fn show(app: &App, account: &Account, search: &Owned<Search>) -> Result<State, DbError> {
    let newest = store::newest(&app.db, search.account(), search.id).await?;
    let lines = match &newest {
        Some(newest) => store::rows(&app.db, newest.id).await?.into_iter().map(line).collect(),
        None => Vec::new(),
    };
    // Read last: what a lead cost is then never missing from what is left.
    let remaining = ai::remaining(app, account, Feature::Enrich).await?.left();
    Ok(state(app, newest, lines, remaining))
}

fn state(app: &App, newest: Option<Enrichment>, lines: Vec<Line>, remaining: i64) -> State {
    match newest {
        Some(newest) => State {
            status: newest.status,
            stopped_because: newest.stopped_because,
            engine: newest.engine,
            rejected_ungrounded: newest.rejected_ungrounded,
            remaining,
            lines,
        },
        None => State {
            status: Status::None,
            stopped_because: None,
            engine: app.ai.engine().to_owned(),
            rejected_ungrounded: 0,
            remaining,
            lines,
        },
    }
}

fn line(row: store::Row) -> Line {
    let lead = row.lead.parse().ok();
    let of = |field: fn(lead::Lead) -> Option<String>| lead.clone().and_then(field);
    Line {
        owner_name: of(|lead| lead.owner_name),
        owner_title: of(|lead| lead.owner_title),
        primary_email: of(|lead| lead.primary_email),
        lead_id: row.lead_id,
        status: row.status,
        reason: row.reason,
    }
}
