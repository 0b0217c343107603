//! Everything a verb needs, built once: database, clock, random numbers, settings and the ports of the nouns.

use std::net::SocketAddr;
use std::ops::Deref;
use std::sync::{Arc, OnceLock};

use ::sandbox::Weather;
use polite_reader::{Reader, ReaderSettings};
use tokio::sync::OnceCell;
use url::Url;

use crate::ai::Ai;
use crate::clock::{self, Clock, SystemClock};
use crate::config::Settings;
use crate::db::{self, Db, OpenError, Readiness};
use crate::fair_line::FairLine;
use crate::geocode::Geocoders;
use crate::ids::{Ids, SystemIds};
use crate::jobs::Bell;
use crate::keys::Authenticator;
use crate::listing::{Outside, Source as ListingSource, Sources};
use crate::sandbox::{Sandbox, Sites};
use crate::search::Reads;
use crate::session::{Sessions, StoredSessions};
use crate::steps::{NoSteps, Steps};
use crate::suppression::Suppressions;
use crate::usage::UsageReads;
use crate::website::{self, LocalSites, Politeness, ReaderError};

/// The application. Cheap to clone: clones share their parts.
#[derive(Clone, Debug)]
pub struct App(Arc<Parts>);

/// What an [`App`] is made of.
#[derive(Debug)]
pub struct Parts {
    /// Stores everything but the files in the data folder.
    pub db: Db,
    /// Whether the database takes writes, asked at most once a second.
    pub readiness: Readiness,
    /// The time that everything goes by: the database's, or a test's.
    pub clock: Arc<dyn Clock>,
    /// Ids and random bytes.
    pub ids: Arc<dyn Ids>,
    /// The operator's settings, validated.
    pub settings: Settings,
    /// Finds out who an API key belongs to.
    pub authenticator: Authenticator,
    /// Finds out who a session belongs to.
    pub sessions: Arc<dyn Sessions>,
    /// Where listings come from.
    pub sources: Sources,
    /// Who locates street addresses.
    pub geocoders: Geocoders,
    /// The sandbox, when it is the source of listings.
    pub sandbox: Option<Arc<Sandbox>>,
    /// Wakes those who wait for a search or for work.
    pub bell: Bell,
    /// Coalesced reads, shared by all who follow the same search.
    pub reads: Reads,
    /// The same for what accounts have used.
    pub usage_reads: UsageReads,
    /// Whom nobody may read, deliver or watch.
    pub suppressions: Suppressions,
    /// The AI provider, or the built-in rules.
    pub ai: Ai,
    /// Called at every named step; tests kill the process there.
    pub steps: Arc<dyn Steps>,
    /// Whose turn it is to read a website, among the searches of this process.
    pub websites: FairLine,
    /// Limits of the reader that no setting names.
    reading: ReaderSettings,
    reader: OnceCell<Reader>,
    /// The address this process listens on, once it does; the setting may name port 0 for any free one.
    listening: OnceLock<SocketAddr>,
}

/// What an application takes from outside; tests replace it.
#[derive(Clone, Debug)]
pub struct Ports {
    /// The time that everything goes by: the database's, or a test's.
    pub clock: Arc<dyn Clock>,
    /// Ids and random bytes.
    pub ids: Arc<dyn Ids>,
    /// Called at every named step; tests kill the process there.
    pub steps: Arc<dyn Steps>,
    /// Finds out who a session belongs to, instead of the database.
    pub sessions: Option<Arc<dyn Sessions>>,
    /// Where listings come from, instead of what the settings say.
    pub source: Option<Arc<dyn ListingSource>>,
    /// Limits of the reader of websites that no setting names, such as its deadlines.
    pub reading: ReaderSettings,
}

impl Default for Ports {
    fn default() -> Self {
        Ports {
            clock: Arc::new(SystemClock),
            ids: Arc::new(SystemIds),
            steps: Arc::new(NoSteps),
            sessions: None,
            source: None,
            reading: ReaderSettings::default(),
        }
    }
}

impl App {
    /// Opens the database the settings name and brings its schema up to date.
    pub async fn start(settings: Settings) -> Result<App, OpenError> {
        let url = settings.database_url.as_ref().map(|url| url.reveal());
        let db = db::open(url, &settings.data).await?;
        db::migrate(&db, &settings.data).await?;
        let clock = clock::of_database(&db).await.map_err(|error| OpenError::on(&db, error))?;
        Ok(App::new(db, settings, Ports { clock, ..Ports::default() }))
    }

    /// Assembles an application from its parts.
    pub fn new(db: Db, settings: Settings, ports: Ports) -> App {
        let sandbox = settings.source.is_sandbox().then(|| Arc::new(Sandbox::new(&settings)));
        let outside = Outside { db: db.clone(), clock: ports.clock.clone(), ids: ports.ids.clone() };
        let sources = ports.source.map_or_else(|| Sources::of(&settings, sandbox.as_ref(), &outside), Sources::one);
        let geocoders = Geocoders::of(&settings, sandbox.as_ref(), &outside);
        let stored = || Arc::new(StoredSessions::new(db.clone(), ports.clock.clone())) as Arc<dyn Sessions>;
        let sessions = ports.sessions.clone().unwrap_or_else(stored);
        App(Arc::new(Parts {
            authenticator: Authenticator::new(db.clone(), ports.clock.clone()),
            reads: Reads::new(db.clone()),
            usage_reads: UsageReads::new(db.clone()),
            readiness: Readiness::new(db.clone()),
            suppressions: Suppressions::new(db.clone()),
            ai: Ai::new(&settings),
            clock: ports.clock,
            ids: ports.ids,
            steps: ports.steps,
            sessions,
            bell: Bell::default(),
            websites: FairLine::new(ports.reading.global_concurrency),
            reading: ports.reading,
            reader: OnceCell::new(),
            listening: OnceLock::new(),
            settings,
            geocoders,
            sources,
            sandbox,
            db,
        }))
    }

    /// Notes where this process listens. Only the first call takes effect: a process listens once.
    pub fn listens_on(&self, address: SocketAddr) {
        // Fails only when it is known already.
        let _ = self.listening.set(address);
        if let Some(sandbox) = &self.sandbox {
            sandbox.listens_on(address.port());
        }
    }

    /// Where clients reach this server: `base_url`, else where this process listens, else where it was told to.
    pub fn base_url(&self) -> Url {
        self.settings.reached_at(self.listening.get().copied().unwrap_or(self.settings.listen))
    }

    /// Where clients reach this process: `base_url`, else where it listens. `None` for a worker without either.
    pub fn own_url(&self) -> Option<Url> {
        let is_known = self.settings.base_url.is_some() || self.listening.get().is_some();
        is_known.then(|| self.base_url())
    }

    /// The reader of websites, built when it is first needed.
    pub async fn reader(&self) -> Result<&Reader, ReaderError> {
        self.reader
            .get_or_try_init(|| async {
                let sites = match &self.sandbox {
                    Some(sandbox) => Some(sandbox.sites(&self.db).await?),
                    None => None,
                };
                let sites = sites.map(|sites| local_sites(&self.settings, sites));
                Ok(website::reader(&self.settings, sites.as_ref(), &self.reading)?)
            })
            .await
    }
}

/// The sandbox's websites, as the reader reaches them.
fn local_sites(settings: &Settings, sites: &Sites) -> LocalSites {
    LocalSites {
        address: sites.address,
        politeness: match settings.sandbox_weather {
            Weather::Calm => Politeness::NoGap,
            Weather::Web => Politeness::AsOnTheWeb,
        },
        authority: sites.authority.as_ref().map(|authority| authority.der.clone()),
    }
}

impl Deref for App {
    type Target = Parts;

    fn deref(&self) -> &Parts {
        &self.0
    }
}
