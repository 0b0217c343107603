//! Extracts what a path names: a search, lead or watch of the caller's account. Malformed, unknown and foreign ids are all
//! the same 404.

use std::marker::PhantomData;

use axum::extract::{FromRequestParts, RawPathParams};
use canvass::account::Account;
use canvass::db::{Db, DbError};
use canvass::idempotency::Claim;
use canvass::ids::{AccountId, LeadId, SearchId, WatchId};
use canvass::lead::{self, Lock, StoredLead};
use canvass::radar::{self, Watch};
use canvass::search::{self, Search};
use canvass::{App, Owned};
use http::request::Parts;

use super::caller::{Api, Authorized, Need, Radar};
use super::{Edge, Problem};

/// A search named in a path.
pub type SearchPath = PathTo<Search>;

/// A lead named in a path.
pub type LeadPath = PathTo<StoredLead>;

/// A watch named in a path.
pub type WatchPath = PathTo<Watch>;

/// What a path names, with the caller who asks for it.
#[derive(Debug)]
pub struct PathTo<T: Resource> {
    app: App,
    caller: Authorized<T::Need>,
    id: String,
    claim: Option<Claim>,
    names: PhantomData<T>,
}

/// What a path can name.
pub trait Resource: Sized {
    /// What the caller must be allowed to do.
    type Need: Need;
    /// Its id.
    type Id;
    /// Its name in a 404.
    const NAME: &'static str;

    /// Parses an id.
    fn parse(id: &str) -> Option<Self::Id>;

    /// Looks one up among those of the account.
    fn find(
        db: &Db,
        account: AccountId,
        id: Self::Id,
    ) -> impl Future<Output = Result<Option<Owned<Self>>, DbError>> + Send;
}

impl Resource for Search {
    type Need = Api;
    type Id = SearchId;
    const NAME: &'static str = "search";

    fn parse(id: &str) -> Option<SearchId> {
        SearchId::parse(id)
    }

    async fn find(db: &Db, account: AccountId, id: SearchId) -> Result<Option<Owned<Search>>, DbError> {
        search::find(db, account, id).await
    }
}

impl Resource for StoredLead {
    type Need = Api;
    type Id = LeadId;
    const NAME: &'static str = "lead";

    fn parse(id: &str) -> Option<LeadId> {
        LeadId::parse(id)
    }

    async fn find(db: &Db, account: AccountId, id: LeadId) -> Result<Option<Owned<StoredLead>>, DbError> {
        lead::find(db, account, id).await
    }
}

impl Resource for Watch {
    type Need = Radar;
    type Id = WatchId;
    const NAME: &'static str = "watch";

    fn parse(id: &str) -> Option<WatchId> {
        WatchId::parse(id)
    }

    async fn find(db: &Db, account: AccountId, id: WatchId) -> Result<Option<Owned<Watch>>, DbError> {
        radar::find(db, account, id).await
    }
}

impl<T: Resource> FromRequestParts<Edge> for PathTo<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, edge: &Edge) -> Result<Self, Problem> {
        let caller = Authorized::from_request_parts(parts, edge).await?;
        let params = RawPathParams::from_request_parts(parts, edge).await;
        let id = params.ok().and_then(|params| params.iter().next().map(|(_, id)| id.to_owned()));
        let claim = parts.extensions.get::<Claim>().cloned();
        Ok(PathTo { claim, ..PathTo::of(&edge.app, caller, id.unwrap_or_default()) })
    }
}

impl<T: Resource> PathTo<T> {
    /// What a tool's argument names.
    pub fn of(app: &App, caller: Authorized<T::Need>, id: String) -> PathTo<T> {
        PathTo { app: app.clone(), caller, id, claim: None, names: PhantomData }
    }

    /// For rechecks while the client waits.
    pub fn caller(&self) -> &Authorized<T::Need> {
        &self.caller
    }

    /// The caller's account.
    pub fn account(&self) -> &Account {
        self.caller.account()
    }

    /// For calling verbs.
    pub fn app(&self) -> &App {
        &self.app
    }

    /// Whether the account sees scores.
    pub fn lock(&self) -> Lock {
        Lock::of(self.account())
    }

    /// The claim of the request's `Idempotency-Key`, when it carries one.
    pub fn claim(&self) -> Option<&Claim> {
        self.claim.as_ref()
    }

    /// The id; a malformed one is 404.
    pub fn id(&self) -> Result<T::Id, Problem> {
        T::parse(&self.id).ok_or_else(Self::missing)
    }

    /// Looks it up; 404 unless it belongs to the account.
    pub async fn find(&self) -> Result<Owned<T>, Problem> {
        let found = T::find(&self.app.db, self.account().id, self.id()?).await?;
        found.ok_or_else(Self::missing)
    }

    /// The 404 for it.
    pub fn missing() -> Problem {
        Problem::not_found(T::NAME)
    }
}
