//! The events of a search, live or replayed: the stored rows in order, and a bell that says when to look for more.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

use bytes::Bytes;

use super::{Search, store};
use crate::app::App;
use crate::db::{Coalesce, Db, DbError};
use crate::ids::SearchId;
use crate::jobs::Subscription;
use crate::lead::{self, Lock};
use crate::owned::Owned;

/// Leads read for a follower in one go: the most that a client which never reads makes us hold.
const AHEAD_LEADS: i64 = 16;
/// Searches whose revisions are read in one statement.
const REVISIONS_AT_ONCE: usize = 500;

/// One event of a search.
#[derive(Clone, Debug, PartialEq)]
pub enum Event {
    /// The first event.
    Started(Box<Search>),
    /// A lead was delivered.
    Lead {
        /// Its number within the search.
        number: i64,
        /// The lead, as JSON; all followers share it.
        json: Bytes,
    },
    /// The last event.
    Done(Box<Search>),
}

/// Where a follower begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Resume {
    /// With the first event.
    Beginning,
    /// After the event with this id.
    After(i64),
}

/// A lead as JSON, with its number within the search.
type NumberedLead = (i64, Bytes);

/// A search, the number of the lead that was seen last, and what its reader may see.
type Place = (SearchId, i64, Lock);

type SharedRead<T> = Result<T, Arc<DbError>>;

/// Reads that all followers of a search share.
#[derive(Debug)]
pub struct Reads {
    looks: Coalesce<Place, SharedRead<Option<Arc<Look>>>>,
    search: Coalesce<SearchId, SharedRead<Option<Search>>>,
}

/// What is new behind a place.
#[derive(Debug)]
struct Look {
    search: Search,
    /// The next leads, but not more than one reads ahead.
    leads: Vec<NumberedLead>,
}

impl Reads {
    /// Reads from `db`.
    pub fn new(db: Db) -> Reads {
        let other = db.clone();
        Reads {
            looks: Coalesce::new(move |place| {
                let db = db.clone();
                async move { look(&db, place).await.map(|look| look.map(Arc::new)).map_err(Arc::new) }
            }),
            search: Coalesce::new(move |search| {
                let db = other.clone();
                async move { store::read(&db, search).await.map_err(Arc::new) }
            }),
        }
    }

    /// A search as it is now.
    pub(super) async fn search(&self, search: SearchId) -> SharedRead<Option<Search>> {
        Ok(self.search.ask(search).await.transpose()?.flatten())
    }
}

/// The search before its leads: a lead stored in between is then still found before the end is reported.
async fn look(db: &Db, (search, after, lock): Place) -> Result<Option<Look>, DbError> {
    let Some(search) = store::read(db, search).await? else { return Ok(None) };
    let has_more = search.leads_found > after && search.leads_deleted_at.is_none();
    let leads = if has_more { lead::store::after(db, search.id, after, AHEAD_LEADS).await? } else { Vec::new() };
    let leads = leads.iter().map(|lead| (lead.number, lead.json(lock).into())).collect();
    Ok(Some(Look { search, leads }))
}

/// Follows one search, event by event.
#[derive(Debug)]
pub struct Follower {
    app: App,
    search: SearchId,
    lock: Lock,
    listener: Subscription,
    after: i64,
    ready: VecDeque<Event>,
    /// Whether there is nothing more until the bell rings.
    saw_all: bool,
    ended: bool,
}

/// Follows a search of the caller's account.
pub fn follow(app: &App, search: &Owned<Search>, resume: Resume, lock: Lock) -> Follower {
    let listener = app.bell.listen(search.id);
    let mut ready = VecDeque::new();
    let after = match resume {
        Resume::Beginning => {
            ready.push_back(Event::Started(Box::new(Search::clone(search))));
            0
        }
        Resume::After(number) => number,
    };
    Follower { app: app.clone(), search: search.id, lock, listener, after, ready, saw_all: false, ended: false }
}

impl Follower {
    /// Waits for the next event. `None` after the last one. No event is lost when a caller stops waiting.
    pub async fn next(&mut self) -> Result<Option<Event>, Arc<DbError>> {
        loop {
            if let Some(event) = self.ready.pop_front() {
                return Ok(Some(event));
            }
            if self.ended {
                return Ok(None);
            }
            // Thousands of followers wait most of the time: what they need to look is allocated only while they do.
            self.ready = VecDeque::new();
            if self.saw_all {
                self.listener.rung().await;
                // A caller may stop waiting while we look, and what has rung does not ring again.
                self.saw_all = false;
            }
            Box::pin(self.look()).await?;
        }
    }

    /// Reads what is new, and notes whether it was all there is.
    async fn look(&mut self) -> Result<(), Arc<DbError>> {
        let place = (self.search, self.after, self.lock);
        let Some(look) = self.app.reads.looks.ask(place).await.transpose()?.flatten() else {
            self.ended = true;
            return Ok(());
        };
        for (number, json) in &look.leads {
            self.after = *number;
            self.ready.push_back(Event::Lead { number: *number, json: json.clone() });
        }
        // What is stored from now on rings.
        self.saw_all = look.search.is_running() && (look.leads.is_empty() || self.after >= look.search.leads_found);
        if look.leads.is_empty() && !look.search.is_running() {
            self.ended = true;
            self.ready.push_back(Event::Done(Box::new(look.search.clone())));
        }
        Ok(())
    }
}

/// Rings for searches that other processes have moved, whenever they may have. Runs for as long as the process does.
pub async fn notice_others(app: App) {
    let mut anything = app.bell.anything();
    let mut seen: HashMap<SearchId, i64> = HashMap::new();
    loop {
        anything.rung().await;
        let listened = app.bell.listened_to();
        seen.retain(|search, _| listened.contains(search));
        for some in listened.chunks(REVISIONS_AT_ONCE) {
            // A look that fails is made up for by the next.
            for (search, revision) in store::revisions(&app.db, some).await.unwrap_or_default() {
                // Also when it is seen for the first time: it may have moved since its follower looked.
                if seen.insert(search, revision) != Some(revision) {
                    app.bell.ring(search);
                }
            }
        }
    }
}
