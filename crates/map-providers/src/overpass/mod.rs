//! OpenStreetMap as it is now, asked through the Overpass API.
//!
//! A query names the tags of a category and is generous in everything; places are made of the answer by the code of the OpenStreetMap
//! import, and only those of the category that lie in the cell and in the area are kept. Ids are those of the import: `n12` for node
//! 12, `w12` and `r12` for ways and relations. Only the point differs for ways and relations: the server gives the middle of
//! their box, an import a point inside of them.

mod answer;
mod ask;
mod check;
mod divide;
mod extent;
mod found;
mod query;
mod status;

use std::time::Duration;

use answer::Excess;
use ask::{Asked, Servers};
use extent::Extent;
use futures::FutureExt;
use futures::future::BoxFuture;
use url::Url;

use crate::{Answer, Gateway, ListingProvider, ProviderError, Question};

/// The provider's name, as settings, leads and calls show it.
const NAME: &str = "overpass";
/// Calls that run a query; each takes one of the server's slots.
const QUERY: &str = "query";
/// Calls that ask whether there is a free slot; they take none.
const STATUS: &str = "status";

/// How to ask.
#[derive(Clone, Debug)]
pub struct OverpassSettings {
    /// The servers in the order in which they are tried: `https://overpass-api.de/api/interpreter`, with or without its last part.
    pub endpoints: Vec<Url>,
    /// Queries under way at once. A server that allows fewer is believed.
    pub slots_max: u32,
    /// The least time between the starts of two queries.
    pub interval: Duration,
    /// How long the server may work on a query. Servers prefer queries that ask for little.
    pub timeout: Duration,
    /// Bytes of memory that the server may use for a query.
    pub memory_bytes_max: u64,
    /// Bytes of one answer; a cell with a larger one is divided.
    pub answer_bytes_max: usize,
    /// How long a busy server is waited for, all in all, before it is given up for this time.
    pub wait_max: Duration,
    /// The first pause after a server was too busy; later ones are longer.
    pub pause: Duration,
    /// How long an answer may be reused.
    pub fresh_for: Duration,
}

impl OverpassSettings {
    /// Asks these servers as the operators of the public ones wish.
    #[must_use]
    pub fn at(endpoints: Vec<Url>) -> OverpassSettings {
        OverpassSettings {
            endpoints,
            slots_max: 2,
            interval: Duration::from_secs(1),
            timeout: Duration::from_secs(60),
            memory_bytes_max: 256 * 1024 * 1024,
            answer_bytes_max: 16 * 1024 * 1024,
            wait_max: Duration::from_secs(120),
            pause: Duration::from_secs(3),
            fresh_for: Duration::from_secs(24 * 60 * 60),
        }
    }
}

/// Lists the businesses that OpenStreetMap has.
#[derive(Clone, Debug)]
pub struct Overpass {
    settings: OverpassSettings,
}

impl Overpass {
    /// Asks by these settings.
    #[must_use]
    pub fn new(settings: OverpassSettings) -> Overpass {
        Overpass { settings }
    }

    async fn ask_cell(&self, gateway: &dyn Gateway, question: &Question) -> Result<Answer, ProviderError> {
        let tags = question.category.osm;
        if tags.is_empty() {
            let kind = question.category.plural.to_lowercase();
            return Err(ProviderError::Permanent(format!("OpenStreetMap has no tag for {kind}")));
        }
        let Some(extent) = Extent::of(&question.area, &question.cell) else { return Ok(Answer::Whole(Vec::new())) };
        if let Some(cells) = divide::at_first(&question.cell) {
            return Ok(Answer::Divide(cells));
        }
        let query = query::query(tags, &extent, &self.settings);
        match Servers::new(&self.settings, gateway).ask(&query).await? {
            Asked::Whole(document) => Ok(Answer::Whole(found::found(&document.objects, question))),
            Asked::TooMuch(excess) => {
                divide::smaller(&question.cell).map(Answer::Divide).ok_or_else(|| too_much_for_any(excess))
            }
        }
    }
}

/// Why even the smallest cell gets no answer.
fn too_much_for_any(excess: Excess) -> ProviderError {
    match excess {
        Excess::Time => ProviderError::Transient {
            reason: "the OpenStreetMap server is too slow even for a small area".to_owned(),
            after: None,
        },
        Excess::Memory => {
            ProviderError::Permanent("the OpenStreetMap server has too little memory even for a small area".to_owned())
        }
        Excess::Bytes => {
            ProviderError::Permanent("the OpenStreetMap server sends too much even for a small area".to_owned())
        }
    }
}

impl ListingProvider for Overpass {
    fn name(&self) -> &'static str {
        NAME
    }

    fn ask<'a>(
        &'a self,
        gateway: &'a dyn Gateway,
        question: &'a Question,
    ) -> BoxFuture<'a, Result<Answer, ProviderError>> {
        self.ask_cell(gateway, question).boxed()
    }

    fn estimate(&self, question: &Question) -> Vec<(&'static str, u32)> {
        if question.category.osm.is_empty() {
            return Vec::new();
        }
        let queries = divide::queries(question);
        vec![(QUERY, queries), (STATUS, queries)]
    }

    fn check<'a>(&'a self, gateway: &'a dyn Gateway) -> BoxFuture<'a, Result<String, ProviderError>> {
        check::check(Servers::new(&self.settings, gateway)).boxed()
    }
}
