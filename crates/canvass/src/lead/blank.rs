//! A lead of a business that asked to be removed: its row stays, because it was paid for; nothing in it tells who it was.

use super::{Lead, OpenSignals};
use crate::clock::Moment;
use crate::ids::{LeadId, SearchId};
use crate::signals::Basic;

/// What a blanked lead has instead of a name.
pub const BLANK_NAME: &str = "Removed on request";
/// What it has instead of a business id. Ids of businesses begin with the name of their source and a colon.
pub const BLANK_BUSINESS_ID: &str = "suppressed";

impl Lead {
    /// What is left of a lead once its business is suppressed.
    pub(crate) fn blanked(lead_id: LeadId, search_id: SearchId, delivered_at: Moment) -> Lead {
        Lead {
            lead_id,
            search_id,
            business_id: BLANK_BUSINESS_ID.to_owned(),
            source: String::new(),
            attribution: None,
            delivered_at,
            business_name: BLANK_NAME.to_owned(),
            industry: String::new(),
            website: None,
            site_status: "none".to_owned(),
            phone: None,
            address: None,
            street: None,
            city: None,
            state: None,
            postal_code: None,
            country: None,
            latitude: None,
            longitude: None,
            rating: None,
            review_count: None,
            rating_source: None,
            hours: None,
            is_chain: false,
            owner_name: None,
            owner_title: None,
            primary_email: None,
            emails: Vec::new(),
            socials: Default::default(),
            evidence: Vec::new(),
            signals: OpenSignals { basic: Basic::default() },
        }
    }

    /// Whether it was blanked because its business is suppressed.
    pub fn is_blank(&self) -> bool {
        self.business_id == BLANK_BUSINESS_ID
    }
}
