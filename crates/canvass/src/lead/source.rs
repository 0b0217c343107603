//! Where a business was listed.

use serde::{Deserialize, Serialize};

use crate::listing::{About, ListedBy};

/// The sandbox, and its attribution at the time when leads did not name their source. Neither may change.
const SANDBOX: &str = "sandbox";
const SANDBOX_ATTRIBUTION: &str = "Made-up businesses of the Canvass sandbox";

/// The listing source of a business, and whom to credit when its data is shown.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ListingSource {
    /// As `coverage.source` of a search has it.
    pub name: String,
    /// Null when the source asks for none.
    pub attribution: Option<String>,
}

impl ListingSource {
    /// The source of a business that was stored before sources were: the id begins with its name.
    pub(crate) fn of_business_id(business_id: &str) -> ListingSource {
        let name = business_id.split_once(':').map_or(business_id, |(source, _)| source);
        ListingSource { name: name.to_owned(), attribution: (name == SANDBOX).then(|| SANDBOX_ATTRIBUTION.to_owned()) }
    }
}

impl From<&About> for ListingSource {
    fn from(about: &About) -> ListingSource {
        ListingSource { name: about.name.clone(), attribution: about.attribution.clone() }
    }
}

impl From<&ListedBy> for ListingSource {
    fn from(by: &ListedBy) -> ListingSource {
        ListingSource { name: by.source.clone(), attribution: by.attribution.clone() }
    }
}
