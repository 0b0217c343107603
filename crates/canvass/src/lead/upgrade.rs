//! Stored leads of older versions, brought to the current one when they are read.
//!
//! Every change to the stored form of [`Lead`](super::Lead) that older rows lack gets a new version and one step here.
//! Steps see the members of a lead in their stored order and leave the text of every other member as it is.

use std::fmt;

use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::value::{RawValue, to_raw_value};

use super::ListingSource;

/// How the JSON of a lead ends in every version: `signals` closes, then the lead. The score is spliced in before it.
pub(super) const ENDING: &str = "}}";

/// The version that leads are written in. One more than there are steps.
pub(super) const VERSION: i64 = 3;

/// Turns a lead of one version into the next.
type Step = fn(&mut Members) -> Result<(), serde_json::Error>;

/// The step at place `n` turns version `n + 1` into version `n + 2`.
const STEPS: [Step; 2] = [name_source, add_hours];

/// The version of rows written before versions were stored: a lead without its last two braces, a score without its
/// outer ones.
const UNBRACED: i64 = 1;

/// Why a stored lead cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum UpgradeError {
    /// A newer release wrote it.
    #[error("the lead is stored in version {0}, which this release does not know; run the release that wrote it")]
    Unknown(i64),
    /// The stored bytes are damaged, or a newer release packed them in another way.
    #[error("the stored lead cannot be unpacked: it is damaged, or a newer release wrote it")]
    Unpacked,
    /// The stored text is damaged.
    #[error("the stored lead is not valid JSON")]
    Damaged(#[from] serde_json::Error),
}

/// The JSON of a lead in the current version. Text of the current version is not parsed.
pub(super) fn upgraded_lead(mut text: String, version: i64) -> Result<String, UpgradeError> {
    let steps = steps_from(version)?;
    if steps.is_empty() {
        return Ok(text);
    }
    if version == UNBRACED {
        text.push_str(ENDING);
    }
    let mut members: Members = serde_json::from_str(&text)?;
    for step in steps {
        step(&mut members)?;
    }
    Ok(serde_json::to_string(&members)?)
}

/// The JSON of a score in the current version.
pub(super) fn upgraded_premium(text: String, version: i64) -> Result<String, UpgradeError> {
    steps_from(version)?;
    Ok(if version == UNBRACED { format!("{{{text}}}") } else { text })
}

/// The steps that a row of this version still needs.
fn steps_from(version: i64) -> Result<&'static [Step], UpgradeError> {
    let done = usize::try_from(version - 1).ok();
    done.and_then(|done| STEPS.get(done..)).ok_or(UpgradeError::Unknown(version))
}

/// Version 2 says where the business was listed, and whom to credit for it.
fn name_source(lead: &mut Members) -> Result<(), serde_json::Error> {
    let business_id: String = lead.get("business_id")?;
    let ListingSource { name, attribution } = ListingSource::of_business_id(&business_id);
    lead.insert_after("business_id", "source", &name)?;
    lead.insert_after("source", "attribution", &attribution)
}

/// Version 3 has opening hours.
fn add_hours(lead: &mut Members) -> Result<(), serde_json::Error> {
    lead.insert_after("rating_source", "hours", &None::<String>)
}

/// The members of a JSON object in their stored order, each with the text it was stored with.
struct Members(Vec<(String, Box<RawValue>)>);

impl Members {
    /// The value of a member; that of a missing one is read from `null`.
    fn get<T: serde::de::DeserializeOwned>(&self, name: &str) -> Result<T, serde_json::Error> {
        let found = self.0.iter().find(|(one, _)| one == name);
        serde_json::from_str(found.map_or("null", |(_, value)| value.get()))
    }

    /// Adds a member behind another, or first when that is missing.
    fn insert_after(&mut self, before: &str, name: &str, value: &impl Serialize) -> Result<(), serde_json::Error> {
        let place = self.0.iter().position(|(one, _)| one == before).map_or(0, |place| place + 1);
        self.0.insert(place, (name.to_owned(), to_raw_value(value)?));
        Ok(())
    }
}

impl<'de> Deserialize<'de> for Members {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Members, D::Error> {
        struct InOrder;
        impl<'de> Visitor<'de> for InOrder {
            type Value = Members;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("a JSON object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Members, A::Error> {
                let mut members = Vec::new();
                while let Some(member) = map.next_entry()? {
                    members.push(member);
                }
                Ok(Members(members))
            }
        }
        deserializer.deserialize_map(InOrder)
    }
}

impl Serialize for Members {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, value)| (name, value)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lead::{Lead, LeadJson, Premium, sample_lead};

    /// Rows as each version wrote them. Rows are added here with every new version, never rewritten.
    const VERSION_1: &str = include_str!("stored/version_1.json.txt");
    const VERSION_1_PREMIUM: &str = include_str!("stored/version_1.premium.txt");
    const VERSION_2: &str = include_str!("stored/version_2.json");
    const VERSION_2_PREMIUM: &str = include_str!("stored/version_2.premium.json");
    const VERSION_3: &str = include_str!("stored/version_3.json");

    #[test]
    fn a_row_of_every_version_reads_as_the_same_lead() {
        for (version, text) in [(1, VERSION_1), (2, VERSION_2), (3, VERSION_3)] {
            let upgraded = upgraded_lead(text.trim_end().to_owned(), version).unwrap();
            assert_eq!(upgraded, VERSION_3.trim_end(), "version {version}");
            let lead: Lead = serde_json::from_str(&upgraded).unwrap();
            assert_eq!((lead.source.as_str(), lead.city.as_deref()), ("sandbox", Some("Austin")));
            assert_eq!(lead.attribution.as_deref(), Some("Made-up businesses of the Canvass sandbox"));
            assert_eq!(LeadJson::of(&lead).as_str(), upgraded, "an upgraded row is what this release writes");
        }
        for (version, text) in [(1, VERSION_1_PREMIUM), (2, VERSION_2_PREMIUM)] {
            let upgraded = upgraded_premium(text.trim_end().to_owned(), version).unwrap();
            let premium: Premium = serde_json::from_str(&upgraded).unwrap();
            assert_eq!((premium.premium_locked, premium.score), (false, Some(56)), "version {version}");
        }
    }

    #[test]
    fn a_row_of_the_current_version_is_not_parsed() {
        assert_eq!(VERSION, i64::try_from(STEPS.len()).unwrap() + 1);
        assert_eq!(upgraded_lead("not JSON".into(), VERSION).unwrap(), "not JSON");
    }

    #[test]
    fn a_row_of_an_unknown_version_or_with_damaged_text_says_so() {
        for version in [-1, 0, VERSION + 1, i64::MAX] {
            let refused = upgraded_lead("{}".into(), version);
            assert!(matches!(refused, Err(UpgradeError::Unknown(said)) if said == version), "{refused:?}");
        }
        assert!(matches!(upgraded_lead("{\"business_id\":".into(), 1), Err(UpgradeError::Damaged(_))));
    }

    #[test]
    fn numbers_keep_the_digits_they_were_stored_with() {
        let mut lead = sample_lead();
        (lead.latitude, lead.longitude) = (Some(30.267_152_999_999_998), Some(-97.743_061_000_000_01));
        let stored = LeadJson::of(&lead).as_str().to_owned();
        let before =
            stored.replacen("\"source\":\"test\",\"attribution\":null,", "", 1).replacen("\"hours\":null,", "", 1);
        let upgraded = upgraded_lead(before.strip_suffix(ENDING).unwrap().to_owned(), 1).unwrap();
        assert_eq!(upgraded, stored);
    }
}
