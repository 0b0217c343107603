//! The sources of listings, one module each, and which of them this server uses.

pub mod live;
pub mod place_data;
pub mod sandbox;
mod unusable;

use std::sync::Arc;

use ::place_data::Library;
use ::place_data::library::Format;

use self::place_data::{Member, OVERTURE, PlaceDataSource};
use self::sandbox::SandboxSource;
use self::unusable::Unusable;
use super::{Has, Source, SourceError};
use crate::config::Settings;
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
    pub fn of(settings: &Settings, sandbox: Option<&Arc<Sandbox>>) -> Sources {
        if let Some(sandbox) = sandbox {
            return Sources::one(Arc::new(SandboxSource::new(sandbox.clone())));
        }
        let sources = match members(settings) {
            Ok(members) => Sources::of_members(members, settings.places_confidence),
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

/// The sets of place data that the settings name.
fn members(settings: &Settings) -> Result<Vec<Member>, String> {
    let mut names: Vec<String> = settings.source.iter().map(str::to_owned).collect();
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
