//! The stored JSON of a lead, and how its score is spliced in when the lead is shown.
//!
//! A lead is stored as the JSON it is shown as, without its score, and packed ([`super::packed`]). That JSON ends in the object `signals`, so showing a
//! lead means putting the members of the score before the last two braces: a list of 2,500 leads parses none of them.

use super::packed::{pack_document, pack_site, unpack_document, unpack_site};
use super::upgrade::{ENDING, UpgradeError, upgraded_lead, upgraded_premium};
use super::{Lead, Lock, Premium};
use crate::signals::{Score, Site};

/// The members that stand in place of a locked score; a test compares them with [`Premium::locked`].
const LOCKED: &str = r#"{"premium_locked":true,"score":null,"reasons":null}"#;

/// A lead as JSON of the current version, without its score.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeadJson(String);

/// The columns that hold a lead, as some version of Canvass wrote them: packed, or as text in earlier ones.
#[derive(Clone, Debug, from_row::FromRow)]
pub(crate) struct LeadColumns {
    document: Option<Vec<u8>>,
    body: String,
    version: i64,
}

/// What is kept of a website beside its lead.
#[derive(Clone, Debug)]
pub(crate) struct KeptSite {
    /// JSON of [`crate::signals::Site`]: what the score was computed from, beside the lead itself.
    pub(crate) facts: String,
    /// Its text, and what customers wrote; nothing when neither was found.
    pub(crate) text: Option<String>,
}

/// The columns that hold what is kept of a website: packed, or as text in earlier versions.
#[derive(Clone, Debug, from_row::FromRow)]
pub(crate) struct SiteColumns {
    site: Option<Vec<u8>>,
    facts: String,
    site_text: Option<String>,
}

/// The part of a lead that Signals+ opens, as a JSON object of the current version.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PremiumJson(String);

/// A lead and its score as JSON of the current version.
#[derive(Clone, Debug)]
pub struct LeadDocument {
    lead: LeadJson,
    premium: PremiumJson,
}

/// The columns that hold a lead and its score, as some version of Canvass wrote them.
#[derive(Clone, Debug, from_row::FromRow)]
pub(crate) struct DocumentColumns {
    document: Option<Vec<u8>>,
    body: String,
    premium: String,
    version: i64,
}

impl DocumentColumns {
    /// The packed form; nothing of a lead that is stored as text.
    pub(super) fn packed(&self) -> Option<&[u8]> {
        self.document.as_deref()
    }
}

impl SiteColumns {
    /// The packed form; nothing of a website that is stored as text.
    pub(super) fn packed(&self) -> Option<&[u8]> {
        self.site.as_deref()
    }
}

impl KeptSite {
    /// What is kept of a website, for storage.
    pub(super) fn packed_of(site: &Site, text: Option<&str>) -> Vec<u8> {
        pack_site(&serde_json::to_string(site).expect("site facts are plain data"), text)
    }

    /// The same, of one that is stored as text.
    pub(super) fn packed(&self) -> Vec<u8> {
        pack_site(&self.facts, self.text.as_deref())
    }
}

impl LeadDocument {
    /// The lead as clients see it, without parsing it.
    pub fn json(&self, lock: Lock) -> String {
        self.lead.shown(&self.premium, lock)
    }

    /// A lead and its score for storage.
    pub(super) fn packed_of(lead: &Lead, score: &Score) -> Vec<u8> {
        let premium = PremiumJson::of(&Premium::open(score));
        pack_document(&LeadJson::of(lead).0, &premium.0)
    }

    /// The same, of one that is stored as text.
    pub(super) fn packed(&self) -> Vec<u8> {
        pack_document(&self.lead.0, &self.premium.0)
    }

    /// Parses the lead. Fails only when the stored text was damaged.
    pub fn lead(&self) -> Result<Lead, serde_json::Error> {
        self.lead.parse()
    }

    /// Parses the score, unless it is locked. Fails only when the stored text was damaged.
    pub fn premium(&self, lock: Lock) -> Result<Premium, serde_json::Error> {
        if lock == Lock::Open { self.premium.parse() } else { Ok(Premium::locked()) }
    }
}

impl LeadJson {
    /// Serializes a lead for storage.
    pub fn of(lead: &Lead) -> LeadJson {
        let text = serde_json::to_string(lead).expect("a lead is plain data");
        debug_assert!(text.ends_with(ENDING));
        LeadJson(text)
    }

    /// Fails only when the stored text was damaged.
    pub fn parse(&self) -> Result<Lead, serde_json::Error> {
        serde_json::from_str(&self.0)
    }

    /// The lead with its score, or with the score locked, as clients see it.
    pub(super) fn shown(&self, premium: &PremiumJson, lock: Lock) -> String {
        let premium = if lock == Lock::Open { &premium.0 } else { LOCKED };
        let lead = self.0.strip_suffix(ENDING).unwrap_or(&self.0);
        let members = premium.strip_prefix('{').and_then(|rest| rest.strip_suffix('}')).unwrap_or_default();
        let mut text = String::with_capacity(lead.len() + members.len() + 3);
        for part in [lead, ",", members, ENDING] {
            text.push_str(part);
        }
        text
    }

    /// Its text.
    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }
}

impl PremiumJson {
    /// Serializes a score for storage.
    pub fn of(premium: &Premium) -> PremiumJson {
        PremiumJson(serde_json::to_string(premium).expect("a score is plain data"))
    }

    /// Fails only when the stored text was damaged.
    pub fn parse(&self) -> Result<Premium, serde_json::Error> {
        serde_json::from_str(&self.0)
    }
}

impl TryFrom<LeadColumns> for LeadJson {
    type Error = UpgradeError;

    fn try_from(stored: LeadColumns) -> Result<LeadJson, UpgradeError> {
        let body = match stored.document {
            Some(packed) => unpack_document(&packed)?.0,
            None => stored.body,
        };
        upgraded_lead(body, stored.version).map(LeadJson)
    }
}

impl TryFrom<DocumentColumns> for LeadDocument {
    type Error = UpgradeError;

    fn try_from(stored: DocumentColumns) -> Result<LeadDocument, UpgradeError> {
        let DocumentColumns { document, body, premium, version } = stored;
        let (body, premium) = match document {
            Some(packed) => unpack_document(&packed)?,
            None => (body, premium),
        };
        let lead = upgraded_lead(body, version).map(LeadJson)?;
        Ok(LeadDocument { lead, premium: upgraded_premium(premium, version).map(PremiumJson)? })
    }
}

impl TryFrom<SiteColumns> for KeptSite {
    type Error = UpgradeError;

    fn try_from(stored: SiteColumns) -> Result<KeptSite, UpgradeError> {
        let (facts, text) = match stored.site {
            Some(packed) => unpack_site(&packed)?,
            None => (stored.facts, stored.site_text),
        };
        Ok(KeptSite { facts, text })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::signals::Reason;

    #[test]
    fn a_locked_score_is_written_as_its_type_says() {
        assert_eq!(PremiumJson::of(&Premium::locked()).0, LOCKED);
    }

    #[test]
    fn the_score_is_spliced_into_the_signals_of_a_shown_lead() {
        let lead = crate::lead::sample_lead();
        let reason = Reason { key: "no_booking".into(), reason: "A \"quoted\" }} reason.".into(), points: 12 };
        let open = Premium { premium_locked: false, score: Some(12), reasons: Some(vec![reason]) };
        let (json, premium) = (LeadJson::of(&lead), PremiumJson::of(&open));
        for (lock, expected) in [(Lock::Open, open), (Lock::Premium, Premium::locked())] {
            let shown: serde_json::Value = serde_json::from_str(&json.shown(&premium, lock)).unwrap();
            let mut whole = serde_json::to_value(&lead).unwrap();
            let members = serde_json::to_value(&expected).unwrap();
            whole["signals"].as_object_mut().unwrap().extend(members.as_object().unwrap().clone());
            assert_eq!(shown, whole);
        }
    }
}
