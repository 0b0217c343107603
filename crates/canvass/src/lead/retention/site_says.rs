//! What a business's own website says where its lead shows the listing's value.

use page_facts::SiteFacts;
use serde::{Deserialize, Serialize};

use crate::lead::address;
use crate::lead::own_site::{site_phone, site_rating};
use crate::listing::{Listing, PostalAddress};

/// Values of a website that take the place of a listing's when those are deleted.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct SiteSays {
    /// The business's name in its structured data.
    pub name: Option<String>,
    /// The first number that a person answers, in E.164.
    pub phone: Option<String>,
    /// The address that is this business's, when that is certain.
    pub address: PostalAddress,
    /// In the syntax of OpenStreetMap.
    pub hours: Option<String>,
    /// Average rating in its structured data.
    pub rating: Option<f64>,
    /// Reviews behind the rating.
    pub review_count: Option<i64>,
}

impl SiteSays {
    /// What the website of a listing says.
    pub(in crate::lead) fn of(listing: &Listing, facts: &SiteFacts) -> SiteSays {
        let (rating, review_count) = site_rating(facts);
        SiteSays {
            name: facts.schema_org.name.clone(),
            phone: site_phone(facts),
            address: address::of_website(listing, facts).unwrap_or_default(),
            hours: facts.hours.as_ref().map(|found| found.hours.clone()),
            rating,
            review_count: review_count.filter(|_| rating.is_some()),
        }
    }
}
