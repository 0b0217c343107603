//! What is known of a watched website, field by field, and with which version of the finders it was learnt.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::snapshot::{CUSTOM, Field, PagesRead, Snapshot, Values};
use crate::clock::Moment;
use crate::lead::Lead;
use crate::suppression::SuppressedSet;

/// How long an older build leaves alone what a newer one has learnt, in seconds, since the newer one last checked it. Longer
/// than a rolling update takes; after a rollback, the older build then learns the field anew.
const NEWER_KEPT_SECONDS: i64 = 7 * 24 * 60 * 60;

/// What a website shows, as far as that is settled. A field that is not there is unknown; one without values is known to
/// show nothing.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub(super) struct Baseline {
    /// By name: fields that only a newer build knows are kept as they are.
    fields: BTreeMap<String, Learnt>,
    /// The pages that were read whole; `None` when that is not known.
    pages: Option<BTreeSet<String>>,
    /// Whether every chosen page was read.
    complete: bool,
}

/// The values of one field.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Learnt {
    values: Values,
    /// See [`Field::version`].
    version: u32,
    /// When a build with this version last checked it.
    at: Moment,
}

/// How one field of a baseline relates to what this build reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BaselineState {
    /// Nothing is known, or it was learnt with another version: the next read is learnt, and raises no alert.
    Unknown,
    /// It was learnt with a newer version, by a build that is still at work: it is left alone.
    Newer,
    /// It was learnt with the same version.
    Comparable,
}

/// How far a read can be compared with a baseline.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reach {
    /// Nothing is known yet: the read becomes the baseline.
    First,
    /// Both read every chosen page: whatever differs has changed.
    Whole,
    /// The same pages were read.
    SamePages,
    /// Every page of the baseline was read, and others.
    MorePages,
    /// A page of the baseline was not read: nothing is gone for sure.
    FewerPages,
    /// The read is incomplete, and it is not known which pages the baseline stands on.
    Nothing,
}

/// The versions of one build, and the time of its read.
#[derive(Clone, Copy, Debug)]
pub(super) struct Build {
    pub(super) version: fn(Field) -> u32,
    pub(super) now: Moment,
}

impl Baseline {
    /// What a complete read learnt whose pages were not kept, as a lead's are not.
    pub(super) fn of_complete(snapshot: &Snapshot, now: Moment) -> Baseline {
        let build = Build { version: Field::version, now };
        let mut baseline = Baseline { complete: true, ..Baseline::default() };
        for (field, values) in snapshot.fields() {
            baseline.set(field, values.clone(), build);
        }
        baseline
    }

    /// The values of a field; `None` when they are unknown.
    pub(super) fn values(&self, field: Field) -> Option<&Values> {
        self.fields.get(field.name()).map(|learnt| &learnt.values)
    }

    pub(super) fn set(&mut self, field: Field, values: Values, build: Build) {
        let learnt = Learnt { values, version: (build.version)(field), at: build.now };
        self.fields.insert(field.name().to_owned(), learnt);
    }

    pub(super) fn standing(&self, field: Field, build: Build) -> BaselineState {
        let Some(learnt) = self.fields.get(field.name()) else { return BaselineState::Unknown };
        let own = (build.version)(field);
        if learnt.version == own {
            BaselineState::Comparable
        } else if learnt.version > own && build.now < learnt.at.plus_seconds(NEWER_KEPT_SECONDS) {
            BaselineState::Newer
        } else {
            BaselineState::Unknown
        }
    }

    /// Whether the suppression list covers an email that the website shows, or the pages it was read from.
    pub(super) fn is_covered_by(&self, list: &SuppressedSet) -> bool {
        let mut emails = self.values(Field::Emails).into_iter().flat_map(Values::keys);
        let mut pages = self.pages.iter().flatten();
        !list.is_empty()
            && (emails.any(|email| list.covers_email(email)) || pages.any(|page| list.covers_website(page)))
    }

    /// Whether a page was read before.
    pub(super) fn has_page(&self, url: Option<&String>) -> bool {
        url.zip(self.pages.as_ref()).is_some_and(|(url, pages)| pages.contains(url))
    }

    /// How far a read can be compared with this.
    pub(super) fn reach_of(&self, read: &PagesRead, build: Build) -> Reach {
        if Field::READ.into_iter().all(|field| self.standing(field, build) == BaselineState::Unknown) {
            return Reach::First;
        }
        match &self.pages {
            _ if self.complete && read.complete => Reach::Whole,
            Some(pages) if *pages == read.urls => Reach::SamePages,
            Some(pages) if read.complete || pages.is_subset(&read.urls) => Reach::MorePages,
            Some(_) => Reach::FewerPages,
            None => Reach::Nothing,
        }
    }

    /// Whether every chosen page was read.
    pub(super) fn is_complete(&self) -> bool {
        self.complete
    }

    /// Takes over the pages of a read whose findings are all in this baseline.
    pub(super) fn add_pages(&mut self, read: &PagesRead, reach: Reach) {
        if reach == Reach::First || read.complete {
            (self.pages, self.complete) = (Some(read.urls.clone()), read.complete);
        } else if !self.complete
            && let Some(pages) = &mut self.pages
        {
            pages.extend(read.urls.iter().cloned());
        }
    }

    /// Makes a lead show what is known, where this knows it.
    pub(super) fn restore(&self, lead: &mut Lead) {
        let one = |field| self.values(field).map(|values| values.keys().next().cloned());
        let list = |field| self.values(field).map(|values| values.keys().cloned().collect::<Vec<_>>());
        let basic = &mut lead.signals.basic;
        if let Some(platform) = one(Field::Platform) {
            basic.platform = Some(platform.unwrap_or_else(|| CUSTOM.to_owned()));
        }
        basic.ecommerce = one(Field::Ecommerce).map_or(basic.ecommerce, |sells| Some(sells.is_some()));
        for (field, tool) in [
            (Field::Booking, &mut basic.booking),
            (Field::OnlineOrdering, &mut basic.online_ordering),
            (Field::Chat, &mut basic.chat),
            (Field::Emails, &mut lead.primary_email),
            (Field::OwnerName, &mut lead.owner_name),
        ] {
            *tool = one(field).unwrap_or_else(|| tool.take());
        }
        if let Some(networks) = list(Field::AdNetworks) {
            (basic.has_ad_pixel, basic.ad_networks) = (Some(!networks.is_empty()), Some(networks));
        }
        if let Some(analytics) = list(Field::Analytics) {
            (basic.has_analytics, basic.analytics) = (Some(!analytics.is_empty()), Some(analytics));
        }
    }
}

/// A baseline as it is stored, by this version or by one that kept neither pages nor versions.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Stored {
    fields: BTreeMap<String, Learnt>,
    pages: Option<BTreeSet<String>>,
    complete: bool,
    /// What the version before wrote, from complete reads only.
    shows: BTreeMap<String, BTreeSet<String>>,
}

/// The version of every field before versions were kept.
const FIRST_VERSION: u32 = 1;

impl TryFrom<String> for Baseline {
    type Error = serde_json::Error;

    fn try_from(text: String) -> Result<Self, serde_json::Error> {
        let Stored { mut fields, pages, complete, shows } = serde_json::from_str(&text)?;
        let is_old = !shows.is_empty();
        for (field, values) in shows {
            let values = values.into_iter().map(|value| (value, None)).collect();
            fields.entry(field).or_insert(Learnt { values, version: FIRST_VERSION, at: Moment::from_micros(0) });
        }
        Ok(Baseline { fields, pages, complete: complete || is_old })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn build(version: fn(Field) -> u32, day: i64) -> Build {
        Build { version, now: Moment::from_micros(0).plus_seconds(day * 24 * 60 * 60) }
    }

    #[test]
    fn a_baseline_of_the_version_before_is_known_with_version_one() {
        let text = r#"{"read_by":7,"shows":{"chat":["tawk"],"weather":["rain"]}}"#;
        let baseline = Baseline::try_from(text.to_owned()).unwrap();
        assert_eq!(baseline.values(Field::Chat).unwrap().keys().collect::<Vec<_>>(), ["tawk"]);
        assert_eq!(baseline.standing(Field::Chat, build(|_| 1, 0)), BaselineState::Comparable);
        assert_eq!(baseline.standing(Field::Chat, build(|_| 2, 0)), BaselineState::Unknown);
        assert!(baseline.is_complete());
        let again = Baseline::try_from(serde_json::to_string(&baseline).unwrap()).unwrap();
        assert_eq!(again, baseline, "fields that this version does not know are kept too");
    }

    #[test]
    fn what_a_newer_build_learnt_is_left_alone_until_that_build_is_gone() {
        let mut baseline = Baseline::default();
        baseline.set(Field::Chat, Values::new(), build(|_| 2, 0));
        let standing = |version, day| baseline.standing(Field::Chat, build(version, day));
        assert_eq!(standing(|_| 1, 6), BaselineState::Newer);
        assert_eq!(standing(|_| 1, 8), BaselineState::Unknown, "after a rollback it is learnt anew");
        assert_eq!((standing(|_| 2, 8), standing(|_| 3, 0)), (BaselineState::Comparable, BaselineState::Unknown));
    }
}
