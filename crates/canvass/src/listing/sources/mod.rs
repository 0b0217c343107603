//! The sources of listings, one file each, and which of them this server uses.

pub mod sandbox;

use std::sync::Arc;

use super::{Source, SourceError};

/// The sources that this server uses.
#[derive(Clone, Debug)]
pub struct Sources(Vec<Arc<dyn Source>>);

impl Sources {
    /// Uses one source.
    pub fn one(source: Arc<dyn Source>) -> Sources {
        Sources(vec![source])
    }

    /// The source that new searches use.
    pub fn current(&self) -> &dyn Source {
        &**self.0.first().expect("a server has at least one source")
    }

    /// The source that a search began with.
    pub fn named(&self, name: &str) -> Result<&dyn Source, SourceError> {
        let found = self.0.iter().find(|source| source.about().name == name);
        found.map(|source| &**source).ok_or_else(|| {
            SourceError::permanent(format!(
                "it began with the listing source {name:?}, which this server no longer uses"
            ))
        })
    }
}
