//! A copy of everything that is stored about an account, as one JSON document that is written as it is read.

use serde_json::{Value, json};

use super::store;
use crate::account::Account;
use crate::activity::{self, Kind};
use crate::app::App;
use crate::db::DbError;
use crate::lead::Lock;
use crate::session::AuthenticatedSession;
use crate::{account, credits, keys, mark, radar, view};

/// Rows read by one statement.
const CHUNK_ROWS: i64 = 500;
/// Activities that are listed.
const ACTIVITIES_MAX: i64 = 10_000;

/// The parts of the document, in order.
#[derive(Clone, Debug)]
enum Part {
    Account,
    Keys,
    Activity,
    Views,
    Searches,
    /// Behind this lead.
    Leads(String),
    Marks,
    /// Before this line of the ledger.
    Credits(Option<i64>),
    Watches,
    End,
}

/// The document, piece by piece.
#[derive(Debug)]
pub struct OwnDataStream {
    app: App,
    account: Account,
    next: Option<Part>,
}

/// Begins a copy of everything that is stored about the account of a signed-in person.
pub async fn export(app: &App, by: &AuthenticatedSession) -> Result<OwnDataStream, DbError> {
    let mut tx = app.db.begin().await?;
    activity::record(&mut tx, app, by.account.id, Kind::DataExported.by(&by.device)).await?;
    tx.commit().await?;
    Ok(OwnDataStream { app: app.clone(), account: by.account.clone(), next: Some(Part::Account) })
}

impl OwnDataStream {
    /// The next piece; `None` at the end.
    pub async fn next(&mut self) -> Result<Option<String>, DbError> {
        let Some(part) = self.next.take() else { return Ok(None) };
        let (text, next) = match part {
            Part::Account => (format!("{{\"account\":{}", self.account().await?), Some(Part::Keys)),
            Part::Keys => (member("keys", self.keys().await?), Some(Part::Activity)),
            Part::Activity => (member("activity", self.activity().await?), Some(Part::Views)),
            Part::Views => (member("views", self.views().await?), Some(Part::Searches)),
            Part::Searches => (member("searches", self.searches().await?), Some(Part::Leads(String::new()))),
            Part::Leads(after) => self.leads(after).await?,
            Part::Marks => (member("marks", self.marks().await?), Some(Part::Credits(None))),
            Part::Credits(before) => self.credits(before).await?,
            Part::Watches => (member("watches", self.watches().await?), Some(Part::End)),
            Part::End => ("}\n".to_owned(), None),
        };
        self.next = next;
        Ok(Some(text))
    }

    async fn account(&self) -> Result<Value, DbError> {
        let notified = account::notification_email(&self.app.db, &self.account).await?;
        Ok(json!({
            "email": self.account.email.as_str(), "notification_email": notified.as_str(),
            "tier": self.account.tier, "credits": self.account.credits, "created_at": self.account.created_at,
        }))
    }

    async fn keys(&self) -> Result<Vec<Value>, DbError> {
        let keys = keys::list(&self.app.db, self.account.id).await?.into_iter();
        let shown = keys.map(|key| {
            json!({"name": key.name, "prefix": key.prefix, "created_at": key.created_at,
                   "last_used_at": key.last_used_at, "revoked_at": key.revoked_at})
        });
        Ok(shown.collect())
    }

    async fn activity(&self) -> Result<Vec<Value>, DbError> {
        let happened = activity::list(&self.app.db, self.account.id, ACTIVITIES_MAX).await?.into_iter();
        let shown = happened
            .map(|one| json!({"at": one.created_at, "kind": one.kind, "detail": one.detail, "device": one.device}));
        Ok(shown.collect())
    }

    async fn views(&self) -> Result<Vec<Value>, DbError> {
        let views = view::list(&self.app.db, self.account.id).await?.into_iter();
        Ok(views.map(|view| json!({"name": view.name, "settings": parsed(&view.settings)})).collect())
    }

    async fn searches(&self) -> Result<Vec<Value>, DbError> {
        let searches = store::searches(&self.app.db, self.account.id).await?.into_iter();
        let shown = searches.map(|search| {
            json!({"search_id": search.id, "request": parsed(&search.request), "status": search.status,
                   "leads_found": search.leads_found, "created_at": search.created_at})
        });
        Ok(shown.collect())
    }

    async fn leads(&self, after: String) -> Result<(String, Option<Part>), DbError> {
        let leads = store::leads(&self.app.db, self.account.id, &after, CHUNK_ROWS).await?;
        let lock = Lock::of(&self.account);
        let json: Vec<String> = leads.iter().map(|lead| lead.json(lock)).collect();
        let last = leads.last().map(|lead| Part::Leads(lead.id.to_string()));
        Ok((array_piece("leads", after.is_empty(), &json), Some(last.unwrap_or(Part::Marks))))
    }

    async fn marks(&self) -> Result<Vec<Value>, DbError> {
        let marks = mark::list(&self.app.db, self.account.id, None).await?.into_iter();
        let shown = marks.map(|marked| {
            json!({"lead_id": marked.lead.to_string(), "starred": marked.mark.starred, "note": marked.mark.note,
                   "tags": marked.mark.tags})
        });
        Ok(shown.collect())
    }

    async fn credits(&self, before: Option<i64>) -> Result<(String, Option<Part>), DbError> {
        let lines = credits::page(&self.app.db, self.account.id, before, CHUNK_ROWS).await?;
        let json = lines.iter().map(|line| {
            json!({"line": line.line, "amount": line.amount, "balance": line.balance, "reason": line.reason.name(),
                   "subject": line.subject, "note": line.note, "created_at": line.created_at})
            .to_string()
        });
        let json: Vec<String> = json.collect();
        let last = lines.last().map(|line| Part::Credits(Some(line.line)));
        Ok((array_piece("credits", before.is_none(), &json), Some(last.unwrap_or(Part::Watches))))
    }

    async fn watches(&self) -> Result<Vec<Value>, DbError> {
        let watches = radar::list(&self.app.db, self.account.id).await?.into_iter();
        let shown = watches.map(|watch| {
            json!({"watch_id": watch.id.to_string(), "lead_id": watch.lead.to_string(), "business_id": watch.business_id,
                   "score": watch.score, "site_status": watch.site_status, "created_at": watch.created_at,
                   "last_checked_at": watch.last_checked_at})
        });
        Ok(shown.collect())
    }
}

fn member(name: &str, values: Vec<Value>) -> String {
    format!(",\n\"{name}\":{}", Value::Array(values))
}

/// A piece of an array that comes in several: the first opens it, the empty one at the end closes it.
fn array_piece(name: &str, is_first: bool, values: &[String]) -> String {
    let before = match (is_first, values.is_empty()) {
        (true, _) => format!(",\n\"{name}\":["),
        (false, false) => ",".to_owned(),
        (false, true) => String::new(),
    };
    let end = if values.is_empty() { "]" } else { "" };
    format!("{before}{}{end}", values.join(","))
}

/// Stored JSON as it is, or as text when it cannot be read.
fn parsed(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|_| Value::String(text.to_owned()))
}
