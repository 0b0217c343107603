//! Who is calling: an account, and the key or session through which it is used. Handlers ask for a caller by the
//! permission they need, so that none can forget to check it.

use std::marker::PhantomData;
use std::ops::Deref;
use std::sync::Arc;

use axum::extract::FromRequestParts;
use canvass::App;
use canvass::account::Account;
use canvass::ids::KeyId;
use canvass::keys::{self, AuthenticatedKey};
use canvass::plan::{Permission, Plans};
use canvass::session::AuthenticatedSession;
use http::request::Parts;

use super::credential::{ended_session, missing_key, missing_session, wrong_key};
use super::via::Via;
use super::{Edge, Problem};

/// Someone who showed a working key or an open session. What the plan lets them do is not checked yet: see
/// [`Authorized`].
#[derive(Clone, Debug)]
pub struct Caller {
    account: Arc<Account>,
    via: Via,
    session: Option<Arc<AuthenticatedSession>>,
}

impl From<&AuthenticatedKey> for Caller {
    fn from(found: &AuthenticatedKey) -> Caller {
        Caller { account: Arc::new(found.account.clone()), via: Via::Key(found.key), session: None }
    }
}

impl From<Arc<AuthenticatedSession>> for Caller {
    fn from(found: Arc<AuthenticatedSession>) -> Caller {
        let (account, via) = (Arc::new(found.account.clone()), Via::Session(found.session));
        Caller { account, via, session: Some(found) }
    }
}

impl Caller {
    /// The caller a key stands for, found by its id: a signed link names the key it was made with. `None` once that key
    /// is revoked.
    pub async fn of_key(app: &App, key: KeyId) -> Result<Option<Caller>, Problem> {
        Ok(keys::find_working(&app.db, key).await?.as_ref().map(Caller::from))
    }

    /// The account, as it was when the request came in.
    pub fn account(&self) -> &Account {
        &self.account
    }

    /// The key or session.
    pub fn via(&self) -> Via {
        self.via
    }

    /// Refuses what the plan does not allow this caller.
    pub fn require(&self, plans: &Plans, permission: Permission) -> Result<(), Problem> {
        Ok(plans.allows(self.account.subscription(), self.via.actor(), permission)?)
    }

    /// The same caller with a permission that its plan grants.
    pub fn authorize<P: Need>(self, plans: &Plans) -> Result<Authorized<P>, Problem> {
        self.require(plans, P::PERMISSION)?;
        Ok(Authorized { caller: self, need: PhantomData })
    }

    /// The caller as it is now. Refused when the key was revoked or the session has ended since.
    async fn refreshed(&self, app: &App) -> Result<Caller, Problem> {
        match self.via {
            Via::Key(key) => Caller::of_key(app, key).await?.ok_or_else(wrong_key),
            Via::Session(session) => {
                let found = app.sessions.find_open(session).await.map_err(|error| Problem::from(&*error))?;
                found.map(Caller::from).ok_or_else(ended_session)
            }
        }
    }
}

/// A permission, as a type that a handler's signature can name.
pub trait Need: Send + Sync + 'static {
    /// The permission.
    const PERMISSION: Permission;
}

/// Needs [`Permission::ShowAccount`].
#[derive(Debug)]
pub enum ShowAccount {}
/// Needs [`Permission::Api`].
#[derive(Debug)]
pub enum Api {}
/// Needs [`Permission::Radar`].
#[derive(Debug)]
pub enum Radar {}

impl Need for ShowAccount {
    const PERMISSION: Permission = Permission::ShowAccount;
}

impl Need for Api {
    const PERMISSION: Permission = Permission::Api;
}

impl Need for Radar {
    const PERMISSION: Permission = Permission::Radar;
}

/// A caller whose plan grants `P`. The only way from a request to its account.
#[derive(Debug)]
pub struct Authorized<P> {
    caller: Caller,
    need: PhantomData<fn() -> P>,
}

impl<P> Clone for Authorized<P> {
    fn clone(&self) -> Self {
        Authorized { caller: self.caller.clone(), need: PhantomData }
    }
}

impl<P> Deref for Authorized<P> {
    type Target = Caller;

    fn deref(&self) -> &Caller {
        &self.caller
    }
}

impl<P: Need> Authorized<P> {
    /// Refuses when the key or session has ended, or the plan no longer grants `P`: long requests ask again.
    pub async fn recheck(&self, app: &App) -> Result<(), Problem> {
        self.refreshed(app).await?.require(&app.settings.plans, P::PERMISSION)
    }
}

impl<P: Need> FromRequestParts<Edge> for Authorized<P> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, edge: &Edge) -> Result<Self, Problem> {
        // Missing only on a route outside of `auth::identify`: a fault of ours, and then nobody may pass.
        let caller = parts.extensions.get::<Caller>().cloned().ok_or_else(missing_key)?;
        caller.authorize(&edge.app.settings.plans)
    }
}

/// A person who is signed in: the session that the request came by.
#[derive(Clone, Debug)]
pub struct SignedIn(Arc<AuthenticatedSession>);

impl Deref for SignedIn {
    type Target = AuthenticatedSession;

    fn deref(&self) -> &AuthenticatedSession {
        &self.0
    }
}

impl<S: Sync> FromRequestParts<S> for SignedIn {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Problem> {
        let caller = parts.extensions.get::<Caller>().and_then(|caller| caller.session.clone());
        caller.map(SignedIn).ok_or_else(missing_session)
    }
}

/// Checks a caller again from time to time while its client waits.
pub struct Rechecks<'a, P> {
    edge: &'a Edge,
    caller: &'a Authorized<P>,
    at: tokio::time::Instant,
}

impl<'a, P: Need> Rechecks<'a, P> {
    /// The first is due after one keep-alive interval.
    pub fn of(edge: &'a Edge, caller: &'a Authorized<P>) -> Rechecks<'a, P> {
        Rechecks { edge, caller, at: tokio::time::Instant::now() + edge.limits.keep_alive }
    }

    /// Resolves when the next one is due.
    pub fn due(&self) -> tokio::time::Sleep {
        tokio::time::sleep_until(self.at)
    }

    /// Checks now. An error means that the client has to be sent away.
    pub async fn make(&mut self) -> Result<(), Problem> {
        self.at = tokio::time::Instant::now() + self.edge.limits.keep_alive;
        self.caller.recheck(&self.edge.app).await
    }
}
