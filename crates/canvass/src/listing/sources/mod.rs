//! The sources of listings, one module each, and which of them this server uses.

pub mod live;
pub mod mixed;
pub mod place_data;
pub mod sandbox;
mod unusable;

use std::sync::Arc;

use ::place_data::Library;
use ::place_data::library::Format;
use map_providers::PlainGateway;

use self::live::LiveSource;
use self::mixed::{MixedSource, Part};
use self::place_data::{Member, OVERTURE, PlaceDataSource};
use self::sandbox::SandboxSource;
use self::unusable::Unusable;
use super::{Has, Source, SourceError};
use crate::clock::Clock;
use crate::config::Settings;
use crate::db::Db;
use crate::ids::Ids;
use crate::provider::ProviderGateway;
use crate::sandbox::Sandbox;

/// The sources that this server uses.
#[derive(Clone, Debug)]
pub struct Sources {
    /// The first is that of new searches; the others are for searches that began with them.
    all: Vec<Arc<dyn Source>>,
    place_data: Option<PlaceDataSource>,
    problem: Option<String>,
    /// What every source has that this server could use.
    offers: Vec<(String, Has)>,
}

impl Sources {
    /// Uses one source.
    pub fn one(source: Arc<dyn Source>) -> Sources {
        Sources { all: vec![source], place_data: None, problem: None, offers: offers(None) }
    }

    /// Uses the sources that the settings name. Where that cannot be, [`Sources::problem`] says why, and searches fail with it.
    pub fn of(settings: &Settings, sandbox: Option<&Arc<Sandbox>>, outside: &Outside) -> Sources {
        if let Some(sandbox) = sandbox {
            return Sources::one(Arc::new(SandboxSource::new(sandbox.clone())));
        }
        let sources = match chosen(settings, outside) {
            Ok(sources) => sources,
            Err(problem) => {
                let unusable = Arc::new(Unusable::new(settings.source.to_string(), problem.clone()));
                Sources { problem: Some(problem), ..Sources::one(unusable) }
            }
        };
        Sources { offers: offers(Some(settings)), ..sources }
    }

    fn of_members(members: Vec<Member>, confidence_min: f64) -> Sources {
        let each: Vec<Member> = if members.len() > 1 { members.clone() } else { Vec::new() };
        let current = PlaceDataSource::new(members, confidence_min);
        let mut all: Vec<Arc<dyn Source>> = vec![Arc::new(current.clone())];
        all.extend(
            each.into_iter().map(|one| Arc::new(PlaceDataSource::new(vec![one], confidence_min)) as Arc<dyn Source>),
        );
        Sources { all, place_data: Some(current), problem: None, offers: Vec::new() }
    }

    /// Uses these, at least one of them live; alone they serve searches that began with one of them.
    fn of_parts(parts: Vec<Part>) -> Sources {
        let place_data = parts.iter().find_map(|part| match part {
            Part::Files(files) => Some(files.clone()),
            Part::Live(_) => None,
        });
        let alone = |part: &Part| match part {
            Part::Files(files) => Arc::new(files.clone()) as Arc<dyn Source>,
            Part::Live(live) => Arc::new(live.clone()) as Arc<dyn Source>,
        };
        let mut all: Vec<Arc<dyn Source>> = parts.iter().map(alone).collect();
        if parts.len() > 1 {
            all.insert(0, Arc::new(MixedSource::new(parts)));
        }
        Sources { all, place_data, problem: None, offers: Vec::new() }
    }

    /// The source that new searches use.
    pub fn current(&self) -> &dyn Source {
        &**self.all.first().expect("a server has at least one source")
    }

    /// The place data that new searches use, when they use any.
    pub fn place_data(&self) -> Option<&PlaceDataSource> {
        self.place_data.as_ref()
    }

    /// Why the sources that the settings name cannot be used, and what to do.
    pub fn problem(&self) -> Option<&str> {
        self.problem.as_deref()
    }

    /// The names of all sources, used or not, whose listings have what is asked for.
    pub fn with(&self, asked: impl Fn(&Has) -> bool) -> Vec<String> {
        self.offers.iter().filter(|(_, has)| asked(has)).map(|(name, _)| name.clone()).collect()
    }

    /// The source that a search began with.
    pub fn named(&self, name: &str) -> Result<&dyn Source, SourceError> {
        let found = self.all.iter().find(|source| source.about().name == name);
        found.map(|source| &**source).ok_or_else(|| {
            SourceError::permanent(format!(
                "it began with the listing source {name:?}, which this server no longer uses"
            ))
        })
    }
}

/// What each source has: the imports of these settings, and the sandbox.
fn offers(settings: Option<&Settings>) -> Vec<(String, Has)> {
    let imports = settings.and_then(|settings| Library::in_folder(settings.places_folder()).list().ok());
    let imports = imports.into_iter().flatten().map(|import| {
        let tally = &import.tally;
        (import.name.clone(), Has { ratings: tally.has_ratings, reviews: tally.has_reviews, phones: tally.has_phones })
    });
    let sandbox = ("sandbox".to_owned(), Has { ratings: true, reviews: true, phones: true });
    imports.chain([sandbox]).collect()
}

/// What live sources need of the application.
#[derive(Clone, Debug)]
pub struct Outside {
    /// Stores what providers answer.
    pub db: Db,
    /// The time that everything goes by.
    pub clock: Arc<dyn Clock>,
    /// Ids of inquiries.
    pub ids: Arc<dyn Ids>,
}

impl Outside {
    /// The way out to providers.
    pub fn gateway(&self, settings: &Settings) -> Result<ProviderGateway, String> {
        let plain = PlainGateway::new(&live::user_agent(settings)).map_err(|error| error.to_string())?;
        Ok(ProviderGateway::new(
            self.db.clone(),
            (self.clock.clone(), self.ids.clone()),
            plain,
            Some(live::budget(settings)),
        ))
    }
}

/// The sources that the settings name: sets of place data, live providers, or both.
fn chosen(settings: &Settings, outside: &Outside) -> Result<Sources, String> {
    if !settings.source.iter().any(live::is_live) {
        return Ok(Sources::of_members(members(settings)?, settings.places_confidence));
    }
    let mut parts = Vec::new();
    for name in settings.source.iter() {
        parts.push(if live::is_live(name) {
            let gateway = outside.gateway(settings)?;
            let provider = live::provider(settings, name)?;
            let ports = (outside.clock.clone(), outside.ids.clone());
            Part::Live(LiveSource::new(live::about(settings, name), provider, gateway, ports))
        } else {
            Part::Files(PlaceDataSource::new(vec![member(settings, name)?], settings.places_confidence))
        });
    }
    Ok(Sources::of_parts(parts))
}

/// The sets of place data that the settings name.
pub(crate) fn members(settings: &Settings) -> Result<Vec<Member>, String> {
    let mut names: Vec<String> =
        settings.source.iter().filter(|name| !live::is_live(name)).map(str::to_owned).collect();
    if settings.source.is_all() {
        let library = Library::in_folder(settings.places_folder());
        let imports = library.list().map_err(|error| error.to_string())?;
        // Downloads of a release are read as overture, where CANVASS_PLACES names them.
        let imports = imports.into_iter().filter(|import| import.format != Format::Overture);
        names = std::iter::once(OVERTURE.to_owned()).chain(imports.map(|import| import.name)).collect();
    }
    names.iter().map(|name| member(settings, name)).collect()
}

fn member(settings: &Settings, name: &str) -> Result<Member, String> {
    if name == OVERTURE {
        return Member::overture(settings).map_err(|error| format!("the source overture cannot be used: {error}"));
    }
    Member::import(settings, name).map_err(|error| {
        format!("the source {name:?} cannot be used: {error}. `canvass places import` imports files; CANVASS_SOURCE=overture needs none")
    })
}
