//! What changed between two baselines, in words, with the page that shows it.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::baseline::Baseline;
use super::snapshot::{CUSTOM, Field};
use crate::clock::Moment;
use crate::lead::Evidence;

/// How something changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// It is there now and was not before.
    Added,
    /// It is not there any more.
    Removed,
    /// Another value took its place.
    Changed,
    /// A number grew.
    Increased,
    /// A number shrank.
    Decreased,
}

impl Kind {
    /// In the order of the API's enumeration.
    pub const ALL: [Kind; 5] = [Kind::Added, Kind::Removed, Kind::Changed, Kind::Increased, Kind::Decreased];

    /// The name used in API responses.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Added => "added",
            Kind::Removed => "removed",
            Kind::Changed => "changed",
            Kind::Increased => "increased",
            Kind::Decreased => "decreased",
        }
    }
}

/// One change of one field.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Change {
    /// For lists, each entry that came or went is a change of its own.
    pub field: Field,
    /// Numbers increase or decrease; everything else is added, removed or changed.
    pub change: Kind,
    /// A boolean, a number, a name, or null when there was nothing.
    pub before: Value,
    /// Of the same kind as `before`.
    pub after: Value,
    /// One sentence for a salesperson.
    pub summary: String,
    /// The page that shows the new state; the website itself when something is gone.
    pub evidence: Evidence,
}

/// The read that shows the new state.
#[derive(Clone, Copy, Debug)]
pub(super) struct Proof<'a> {
    /// The website's address after redirects.
    pub(super) url: &'a str,
    pub(super) evidence: &'a [Evidence],
    pub(super) seen_at: Moment,
}

/// One value that came, went, or took another's place.
struct Move<'a> {
    field: Field,
    before: Option<&'a str>,
    after: Option<&'a str>,
}

/// What differs between two baselines. A field that either does not know is no change.
pub(super) fn diff(before: &Baseline, after: &Baseline, proof: Proof<'_>) -> Vec<Change> {
    let mut changes = Vec::new();
    for field in Field::READ {
        if field == Field::AdNetworks {
            changes.extend(pixel_move(before, after).map(|moved| moved.reported(proof)));
        }
        changes.extend(moves(field, before, after).into_iter().map(|moved| moved.reported(proof)));
    }
    changes
}

/// A move of the score, when it is at least `step` points.
pub(super) fn score_change(before: i64, after: i64, step: i64, proof: Proof<'_>) -> Option<Change> {
    let (change, verb) = match after - before {
        far if far >= step => (Kind::Increased, "rose"),
        far if far <= -step => (Kind::Decreased, "fell"),
        _ => return None,
    };
    let summary = format!("The opportunity score {verb} from {before} to {after}.");
    let evidence = Evidence { method: "score".to_owned(), ..proof.at(Field::Score, &after.to_string(), &summary) };
    Some(Change { field: Field::Score, change, before: before.into(), after: after.into(), summary, evidence })
}

fn moves<'a>(field: Field, before: &'a Baseline, after: &'a Baseline) -> Vec<Move<'a>> {
    let (Some(before), Some(after)) = (before.values(field), after.values(field)) else { return Vec::new() };
    let mut gone = before.keys().filter(|value| !after.contains_key(*value)).map(String::as_str);
    let mut new = after.keys().filter(|value| !before.contains_key(*value)).map(String::as_str);
    if !field.is_list() {
        let moved = Move { field, before: gone.next(), after: new.next() };
        return if moved.before.is_none() && moved.after.is_none() { Vec::new() } else { vec![moved] };
    }
    let went = gone.map(|value| Move { field, before: Some(value), after: None });
    went.chain(new.map(|value| Move { field, before: None, after: Some(value) })).collect()
}

/// The first pixel that came, or the last that went.
fn pixel_move<'a>(before: &Baseline, after: &'a Baseline) -> Option<Move<'a>> {
    let (before, after) = (before.values(Field::AdNetworks)?, after.values(Field::AdNetworks)?);
    let field = Field::HasAdPixel;
    match (before.is_empty(), after.keys().next()) {
        (true, Some(first)) => Some(Move { field, before: None, after: Some(first) }),
        (false, None) => Some(Move { field, before: Some("any"), after: None }),
        _ => None,
    }
}

impl Move<'_> {
    fn reported(&self, proof: Proof<'_>) -> Change {
        let change = match (self.before, self.after) {
            // A website is always built with something.
            _ if self.field == Field::Platform => Kind::Changed,
            (None, _) => Kind::Added,
            (_, None) => Kind::Removed,
            _ => Kind::Changed,
        };
        Change {
            field: self.field,
            change,
            before: self.shown(self.before),
            after: self.shown(self.after),
            summary: self.summary(),
            evidence: self.evidence(proof),
        }
    }

    fn shown(&self, value: Option<&str>) -> Value {
        match (self.field, value) {
            (Field::Ecommerce | Field::HasAdPixel, value) => value.is_some().into(),
            (Field::Platform, value) => value.unwrap_or(CUSTOM).into(),
            (_, value) => value.into(),
        }
    }

    fn evidence(&self, proof: Proof<'_>) -> Evidence {
        let Some(after) = self.after else {
            let snippet = "found on no page that was read";
            return Evidence { method: "absent".to_owned(), ..proof.at(self.field, "", snippet) };
        };
        let field = if self.field == Field::HasAdPixel { Field::AdNetworks } else { self.field };
        let names =
            |found: &&Evidence| found.field == field.name() && (found.value == after || field == Field::Ecommerce);
        proof.evidence.iter().find(names).cloned().unwrap_or_else(|| proof.at(field, after, ""))
    }

    fn summary(&self) -> String {
        match (self.before, self.after) {
            (Some(before), Some(after)) => self.replaced(before, after),
            (None, Some(after)) => self.came(after),
            (before, None) => self.went(before.unwrap_or_default()),
        }
    }

    fn came(&self, value: &str) -> String {
        match self.field {
            Field::Platform => format!("The website is now built with {value}."),
            Field::Ecommerce => "The website now has an online store.".to_owned(),
            Field::Booking => format!("Customers can now book online ({value})."),
            Field::OnlineOrdering => format!("Customers can now order online ({value})."),
            Field::Chat => format!("The website now has a live chat ({value})."),
            Field::HasAdPixel => "The business started to use advertising pixels.".to_owned(),
            Field::AdNetworks => format!("The website added an advertising pixel from {value}."),
            Field::Analytics => format!("The website added analytics from {value}."),
            Field::Emails => format!("The website lists a new email address: {value}."),
            Field::OwnerName => format!("The website now names {value} as the owner."),
            Field::Score => String::new(),
        }
    }

    fn went(&self, value: &str) -> String {
        match self.field {
            Field::Platform => format!("The website moved from {value} to an unknown platform."),
            Field::Ecommerce => "The website no longer has an online store.".to_owned(),
            Field::Booking => format!("Customers can no longer book online ({value})."),
            Field::OnlineOrdering => format!("Customers can no longer order online ({value})."),
            Field::Chat => format!("The website no longer has a live chat ({value})."),
            Field::HasAdPixel => "The business no longer uses advertising pixels.".to_owned(),
            Field::AdNetworks => format!("The website removed the advertising pixel from {value}."),
            Field::Analytics => format!("The website removed analytics from {value}."),
            Field::Emails => format!("The website no longer lists the email address {value}."),
            Field::OwnerName => format!("The website no longer names {value} as the owner."),
            Field::Score => String::new(),
        }
    }

    fn replaced(&self, before: &str, after: &str) -> String {
        match self.field {
            Field::Platform => format!("The website moved from {before} to {after}."),
            Field::Booking => format!("Online booking moved from {before} to {after}."),
            Field::OnlineOrdering => format!("Online ordering moved from {before} to {after}."),
            Field::Chat => format!("The live chat moved from {before} to {after}."),
            Field::OwnerName => format!("The website now names {after} as the owner instead of {before}."),
            _ => format!("{} changed from {before} to {after}.", self.field.name()),
        }
    }
}

impl Proof<'_> {
    /// The website as a whole as evidence.
    fn at(&self, field: Field, value: &str, snippet: &str) -> Evidence {
        Evidence {
            field: field.name().to_owned(),
            value: value.to_owned(),
            url: self.url.to_owned(),
            method: "site".to_owned(),
            snippet: snippet.to_owned(),
            seen_at: self.seen_at,
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::snapshot::Snapshot;
    use super::*;

    fn proof() -> Proof<'static> {
        Proof { url: "http://acme.localhost/", evidence: &[], seen_at: Moment::from_micros(0) }
    }

    fn shows(field: Field, values: &[&str]) -> Baseline {
        let mut snapshot = Snapshot::default();
        snapshot.set(field, values.iter().map(|value| ((*value).to_owned(), None)).collect());
        Baseline::of_complete(&snapshot, Moment::from_micros(0))
    }

    fn check(field: Field, before: &[&str], after: &[&str], expected: Value) {
        let changes = diff(&shows(field, before), &shows(field, after), proof());
        let told: Vec<Value> = changes
            .iter()
            .map(|change| json!([change.field, change.change, change.before, change.after, change.summary]))
            .collect();
        assert_eq!(Value::from(told), expected);
    }

    #[test]
    fn changes_are_told_in_words() {
        check(
            Field::Platform,
            &["wix"],
            &["wordpress"],
            json!([["platform", "changed", "wix", "wordpress", "The website moved from wix to wordpress."]]),
        );
        check(
            Field::Platform,
            &[],
            &["wix"],
            json!([["platform", "changed", "custom", "wix", "The website is now built with wix."]]),
        );
        check(
            Field::Ecommerce,
            &[],
            &["true"],
            json!([["ecommerce", "added", false, true, "The website now has an online store."]]),
        );
        check(
            Field::Booking,
            &["calendly"],
            &[],
            json!([["booking", "removed", "calendly", null, "Customers can no longer book online (calendly)."]]),
        );
    }

    #[test]
    fn the_first_pixel_and_the_last_are_told_beside_whose_they_are() {
        check(
            Field::AdNetworks,
            &[],
            &["meta"],
            json!([
                ["has_ad_pixel", "added", false, true, "The business started to use advertising pixels."],
                ["ad_networks", "added", null, "meta", "The website added an advertising pixel from meta."]
            ]),
        );
        check(
            Field::AdNetworks,
            &["google", "meta"],
            &["meta"],
            json!([[
                "ad_networks",
                "removed",
                "google",
                null,
                "The website removed the advertising pixel from google."
            ]]),
        );
    }

    #[test]
    fn what_is_unknown_on_either_side_is_no_change() {
        let (known, unknown) = (shows(Field::Chat, &["tawk"]), Baseline::default());
        assert_eq!(diff(&known, &unknown, proof()), vec![]);
        assert_eq!(diff(&unknown, &known, proof()), vec![]);
    }

    #[test]
    fn a_score_is_told_only_from_the_step_on() {
        let told = |after| score_change(50, after, 10, proof()).map(|change| change.change);
        assert_eq!((told(59), told(41)), (None, None));
        assert_eq!((told(60), told(40)), (Some(Kind::Increased), Some(Kind::Decreased)));
    }
}
