//! What happens in a search, as it happens or long after: the stored rows, in order, and a bell that says when to look.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

use super::{Search, store};
use crate::app::App;
use crate::db::{Coalesce, Db, DbError};
use crate::ids::SearchId;
use crate::jobs::Subscription;
use crate::lead::{self, Lock, StoredLead};

/// Leads read for a follower in one go: what a client that never reads makes us hold.
const AHEAD_LEADS: i64 = 16;
/// Searches whose revisions are read in one statement.
const REVISIONS_AT_ONCE: usize = 500;

/// Something that happened.
#[derive(Clone, Debug, PartialEq)]
pub enum Event {
    /// It began.
    Started(Box<Search>),
    /// A lead was delivered.
    Lead {
        /// Its number within the search.
        number: i64,
        /// The lead, as JSON.
        json: String,
    },
    /// It ended.
    Done(Box<Search>),
}

/// From where on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Resume {
    /// From the beginning.
    Beginning,
    /// After the event with this id.
    After(i64),
}

type Answer<T> = Result<T, Arc<DbError>>;

/// Reads shared by everyone who follows the same search.
#[derive(Debug)]
pub struct Reads {
    leads: Coalesce<(SearchId, i64), Answer<Arc<Vec<StoredLead>>>>,
    search: Coalesce<SearchId, Answer<Option<Search>>>,
}

impl Reads {
    /// Reads from this database.
    pub fn new(db: Db) -> Reads {
        let other = db.clone();
        Reads {
            leads: Coalesce::new(move |(search, number)| {
                let db = db.clone();
                async move { lead::store::after(&db, search, number, AHEAD_LEADS).await.map(Arc::new).map_err(Arc::new) }
            }),
            search: Coalesce::new(move |search| {
                let db = other.clone();
                async move { store::read(&db, search).await.map_err(Arc::new) }
            }),
        }
    }

    /// A search as it stands.
    pub(super) async fn search(&self, search: SearchId) -> Answer<Option<Search>> {
        Ok(self.search.ask(search).await.transpose()?.flatten())
    }
}

/// Follows one search.
#[derive(Debug)]
pub struct Follower {
    app: App,
    search: SearchId,
    lock: Lock,
    listener: Subscription,
    after: i64,
    ready: VecDeque<Event>,
    ended: bool,
}

/// Follows a search, which the caller has made sure belongs to the account.
pub fn follow(app: &App, search: &Search, resume: Resume, lock: Lock) -> Follower {
    let listener = app.bell.listen(search.id);
    let mut ready = VecDeque::new();
    let after = match resume {
        Resume::Beginning => {
            ready.push_back(Event::Started(Box::new(search.clone())));
            0
        }
        Resume::After(number) => number,
    };
    Follower { app: app.clone(), search: search.id, lock, listener, after, ready, ended: false }
}

impl Follower {
    /// The next event; waits for it. `None` after the last one.
    pub async fn next(&mut self) -> Result<Option<Event>, Arc<DbError>> {
        loop {
            if let Some(event) = self.ready.pop_front() {
                return Ok(Some(event));
            }
            if self.ended {
                return Ok(None);
            }
            if !self.look().await? {
                self.listener.rung().await;
            }
        }
    }

    /// Looks for what is new. `false` when there is nothing.
    async fn look(&mut self) -> Result<bool, Arc<DbError>> {
        // The status first: a lead that is stored after it was read is then still found before the end is told.
        let Some(search) = self.app.reads.search(self.search).await? else {
            self.ended = true;
            return Ok(true);
        };
        if search.leads_found > self.after {
            let leads = self.app.reads.leads.ask((self.search, self.after)).await.transpose()?.unwrap_or_default();
            for lead in leads.iter() {
                self.after = lead.number;
                self.ready.push_back(Event::Lead { number: lead.number, json: lead.json(self.lock) });
            }
            return Ok(!leads.is_empty());
        }
        if search.is_running() {
            return Ok(false);
        }
        self.ended = true;
        self.ready.push_back(Event::Done(Box::new(search)));
        Ok(true)
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
