//! Extracts what a path names: a search, lead or watch of the caller's account. Malformed, unknown and foreign ids are all
//! the same 404.

use axum::extract::{FromRequestParts, RawPathParams};
use canvass::account::Account;
use canvass::idempotency::Claim;
use canvass::ids::{LeadId, SearchId, WatchId};
use canvass::lead::{self, Lock, StoredLead};
use canvass::radar::{self, Watch};
use canvass::search::{self, Search};
use canvass::{App, Owned};
use http::request::Parts;

use super::caller::{Api, Authorized, Need, Radar};
use super::{Edge, Problem};

/// A search named in a path, with the caller who asks for it.
#[derive(Debug)]
pub struct SearchPath(Named<Api>);

/// A lead named in a path, with the caller who asks for it.
#[derive(Debug)]
pub struct LeadPath(Named<Api>);

/// A watch named in a path, with the caller who asks for it.
#[derive(Debug)]
pub struct WatchPath(Named<Radar>);

#[derive(Debug)]
struct Named<P> {
    app: App,
    caller: Authorized<P>,
    id: String,
    claim: Option<Claim>,
}

impl<P: Need> Named<P> {
    async fn from_parts(parts: &mut Parts, edge: &Edge) -> Result<Named<P>, Problem> {
        let caller = Authorized::from_request_parts(parts, edge).await?;
        let params = RawPathParams::from_request_parts(parts, edge).await;
        let id = params.ok().and_then(|params| params.iter().next().map(|(_, id)| id.to_owned()));
        let claim = parts.extensions.get::<Claim>().cloned();
        Ok(Named { app: edge.app.clone(), caller, id: id.unwrap_or_default(), claim })
    }
}

impl FromRequestParts<Edge> for SearchPath {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, edge: &Edge) -> Result<Self, Problem> {
        Named::from_parts(parts, edge).await.map(SearchPath)
    }
}

impl FromRequestParts<Edge> for LeadPath {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, edge: &Edge) -> Result<Self, Problem> {
        Named::from_parts(parts, edge).await.map(LeadPath)
    }
}

impl FromRequestParts<Edge> for WatchPath {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, edge: &Edge) -> Result<Self, Problem> {
        Named::from_parts(parts, edge).await.map(WatchPath)
    }
}

impl SearchPath {
    /// The search that a tool's argument names.
    pub fn of(app: &App, caller: Authorized<Api>, id: String) -> SearchPath {
        SearchPath(Named { app: app.clone(), caller, id, claim: None })
    }

    /// For rechecks while the client waits.
    pub fn caller(&self) -> &Authorized<Api> {
        &self.0.caller
    }

    /// The caller's account.
    pub fn account(&self) -> &Account {
        self.0.caller.account()
    }

    /// For calling verbs.
    pub fn app(&self) -> &App {
        &self.0.app
    }

    /// Whether the account sees scores.
    pub fn lock(&self) -> Lock {
        Lock::of(self.account())
    }

    /// The claim of the request's `Idempotency-Key`, when it carries one.
    pub fn claim(&self) -> Option<&Claim> {
        self.0.claim.as_ref()
    }

    /// The id; a malformed one is 404.
    pub fn id(&self) -> Result<SearchId, Problem> {
        SearchId::parse(&self.0.id).ok_or_else(Self::missing)
    }

    /// Looks it up; 404 unless it belongs to the account.
    pub async fn find(&self) -> Result<Owned<Search>, Problem> {
        let found = search::find(&self.0.app.db, self.account().id, self.id()?).await?;
        found.ok_or_else(Self::missing)
    }

    /// The 404 for it.
    pub fn missing() -> Problem {
        Problem::not_found("search")
    }
}

impl LeadPath {
    /// The lead that a tool's argument names.
    pub fn of(app: &App, caller: Authorized<Api>, id: String) -> LeadPath {
        LeadPath(Named { app: app.clone(), caller, id, claim: None })
    }

    /// The caller's account.
    pub fn account(&self) -> &Account {
        self.0.caller.account()
    }

    /// For calling verbs.
    pub fn app(&self) -> &App {
        &self.0.app
    }

    /// Whether the account sees scores.
    pub fn lock(&self) -> Lock {
        Lock::of(self.account())
    }

    /// The claim of the request's `Idempotency-Key`, when it carries one.
    pub fn claim(&self) -> Option<&Claim> {
        self.0.claim.as_ref()
    }

    /// Looks it up; 404 unless it belongs to the account.
    pub async fn find(&self) -> Result<Owned<StoredLead>, Problem> {
        let missing = || Problem::not_found("lead");
        let id = LeadId::parse(&self.0.id).ok_or_else(missing)?;
        lead::find(&self.0.app.db, self.account().id, id).await?.ok_or_else(missing)
    }
}

impl WatchPath {
    /// The caller's account.
    pub fn account(&self) -> &Account {
        self.0.caller.account()
    }

    /// For calling verbs.
    pub fn app(&self) -> &App {
        &self.0.app
    }

    /// The id; a malformed one is 404.
    pub fn id(&self) -> Result<WatchId, Problem> {
        WatchId::parse(&self.0.id).ok_or_else(Self::missing)
    }

    /// Looks it up; 404 unless it belongs to the account.
    pub async fn find(&self) -> Result<Owned<Watch>, Problem> {
        let found = radar::find(&self.0.app.db, self.account().id, self.id()?).await?;
        found.ok_or_else(Self::missing)
    }

    /// The 404 for it.
    pub fn missing() -> Problem {
        Problem::not_found("watch")
    }
}
