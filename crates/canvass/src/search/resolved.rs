//! What a search looks for, resolved when it starts and stored with it: a worker never parses the words again, and
//! new data does not move it.

use places::SavedArea;
use serde::{Deserialize, Serialize};

use super::{Search, SearchSpec, Unknown};
use crate::db::{DbError, Tx};
use crate::listing::{Query, Resolution, Source, SourceError, Words};
use crate::provider::{self, Calls};

/// A resolved query, as it is stored.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Resolved {
    /// The slug of the category.
    category: String,
    area: SavedArea,
    /// The name of the source.
    pub(super) source: String,
    /// Which version of the source's data.
    pub(super) data_version: String,
}

impl TryFrom<&str> for Resolved {
    type Error = Unknown;

    fn try_from(text: &str) -> Result<Self, Unknown> {
        serde_json::from_str(text).map_err(|_| Unknown(text.to_owned()))
    }
}

impl Resolved {
    /// What is asked of the source. An error when the embedded data no longer knows the category or the area.
    pub(super) fn query(&self) -> Result<Query, SourceError> {
        let gone = |what: &str| SourceError::permanent(format!("this version no longer knows {what}"));
        let category = places::category(&self.category).ok_or_else(|| gone(&self.category))?;
        let area = self.area.restore().ok_or_else(|| gone(&self.area.name))?;
        Ok(Query { category, area })
    }

    pub(super) fn json(&self) -> String {
        serde_json::to_string(self).expect("a resolved query is plain data")
    }
}

/// The calls to live providers that a search has made so far.
pub(super) async fn calls(tx: &mut Tx, search: &Search) -> Result<Calls, DbError> {
    let resolved = search.resolved.as_deref().and_then(|resolved| Resolved::try_from(resolved).ok());
    match resolved {
        Some(resolved) => provider::calls_for(tx, &resolved.data_version).await,
        None => Ok(Calls::new()),
    }
}

/// Resolves what a search looks for.
pub(super) async fn resolve(source: &dyn Source, spec: &SearchSpec) -> Result<(Resolved, Resolution), SourceError> {
    let words = Words { industry: &spec.request.industry, location: &spec.request.location };
    let resolution = source.resolve(&spec.query, words).await?;
    let resolved = Resolved {
        category: spec.query.category.slug.to_owned(),
        area: SavedArea::from(&spec.query.area),
        source: source.about().name.clone(),
        data_version: resolution.data_version.clone(),
    };
    Ok((resolved, resolution))
}
