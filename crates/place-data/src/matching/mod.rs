//! Decides whether two records describe the same business.
//!
//! Each kind of evidence (name, distance, phone, website, address, kind of place) adds or subtracts points, which are roughly
//! log odds; from [`SAME_MIN`] on two records are the same business. A few combinations rule it out whatever the rest says,
//! because records of one house share so much: different names, a department and the place it belongs to, numbered branches.
//!
//! A business that moved (the same name and phone, other address within a few kilometres) is one business: it is one contact.
//! Branches of a chain are several: without the same phone, address or page, nothing beyond about 200 m is the same.

mod address;
mod contact;
mod edits;
mod fold;
mod name;
mod points;
mod profile;
mod shared_contacts;
mod trade;
mod words;

use places::Point;

use crate::Place;
pub(crate) use address::{AddressAgreement, AddressProfile};
pub(crate) use contact::{Phone, WebAddress};
pub(crate) use name::is_alike;
use name::{NameComparison, NameContext};
pub(crate) use profile::Contacts;
pub use profile::Profile;
pub(crate) use shared_contacts::{Common, ContactKeys};
use trade::TradeAgreement;

/// Points from which on two records are the same business.
pub const SAME_MIN: f64 = 4.0;
/// Points of two records of one source that are clearly the same business: a source is expected not to repeat itself.
pub const DUPLICATE_MIN: f64 = 7.5;

/// Metres per mile.
const MILE_METRES: f64 = 1_609.344;
/// Similarity below which names are different names, if both are in the same script.
const NAME_SIMILARITY_MIN: f32 = 0.45;
/// The same for names of different trades that both have words of their own, and the weight of these.
const TRADE_SIMILARITY_MIN: f32 = 0.6;
pub(crate) const APART_MIN: f32 = 0.3;
/// The same for names of people, which share surnames and titles.
const PERSON_CONFLICT_MAX: f32 = 0.7;

/// How much speaks for two records being the same business, by kind of evidence, in points.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MatchScore {
    /// How similar the names are and how much that says.
    pub name: f64,
    /// How far apart they lie, in view of what else agrees.
    pub distance: f64,
    /// Shared or different phone numbers.
    pub phone: f64,
    /// Shared or different websites, profiles and email addresses.
    pub website: f64,
    /// House number, street, unit and postal code.
    pub address: f64,
    /// Whether they are the same kind of place.
    pub category: f64,
    /// What rules it out, whatever the points say.
    pub ruled_out: Option<RuledOut>,
}

/// Why two records cannot be the same business.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RuledOut {
    /// The names are different names, or those of two people.
    Name,
    /// The names have different numbers or directions.
    Branch,
    /// One is a department of the other, such as a hotel's restaurant.
    Department,
    /// One is a facility such as an ATM, the other is not.
    Facility,
    /// They are too far apart for what else agrees.
    Distance,
}

impl MatchScore {
    /// The sum of all points; negative infinity if something rules out that the records are the same business.
    #[must_use]
    pub fn total(&self) -> f64 {
        if self.ruled_out.is_some() {
            return f64::NEG_INFINITY;
        }
        self.name + self.distance + self.phone + self.website + self.address + self.category
    }

    /// Whether the records are the same business.
    #[must_use]
    pub fn is_same(&self) -> bool {
        self.total() >= SAME_MIN
    }
}

/// Whether two records describe the same business.
#[must_use]
pub fn same(a: &Place, b: &Place) -> bool {
    score(a, b).is_same()
}

/// How much speaks for two records being the same business.
#[must_use]
pub fn score(a: &Place, b: &Place) -> MatchScore {
    compare(&Profile::new(a), &Profile::new(b))
}

/// [`score`] of places that are prepared already.
#[must_use]
pub fn compare(a: &Profile, b: &Profile) -> MatchScore {
    let trade = a.trade.compare(&b.trade);
    let names = best_names(a, b, trade);
    let mut score = MatchScore {
        name: points::name(names, trade).max(points::brand(a, b, names)),
        distance: 0.0,
        phone: 0.0,
        website: 0.0,
        address: 0.0,
        category: points::category(trade) + points::department(a, b, trade),
        ruled_out: ruled_out(a, b, names, trade),
    };
    // Most pairs end here; the rest of the evidence cannot change it.
    if score.ruled_out.is_none() {
        points::add_rest(a, b, names, &mut score);
    }
    score
}

/// The pair of names that are most alike. `None` when they are in different scripts and cannot be compared.
fn best_names(a: &Profile, b: &Profile, trade: TradeAgreement) -> Option<NameComparison> {
    let context = NameContext {
        towns: [&a.towns, &b.towns],
        streets: [a.address.street(), b.address.street()],
        same_trade: trade == TradeAgreement::Same,
    };
    let mut best: Option<NameComparison> = None;
    let mut same_script = false;
    for one in &a.names {
        for other in &b.names {
            same_script |= one.latin == other.latin;
            let found = one.compare(other, &context);
            if best.is_none_or(|best| found.similarity > best.similarity) {
                best = Some(found);
            }
        }
    }
    best.filter(|best| same_script || best.similarity >= NAME_SIMILARITY_MIN)
}

fn ruled_out(a: &Profile, b: &Profile, names: Option<NameComparison>, trade: TradeAgreement) -> Option<RuledOut> {
    if trade == TradeAgreement::Facility {
        return Some(RuledOut::Facility);
    }
    if let Some(names) = names {
        let people = a.names.iter().chain(&b.names).any(|name| name.person);
        let other_person = people && names.conflict >= PERSON_CONFLICT_MAX;
        // "Oakhurst Pediatrics" and "Oakhurst Cardiology" are two, whatever they share.
        let other_trade = !matches!(trade, TradeAgreement::Same | TradeAgreement::Unknown)
            && names.apart >= APART_MIN
            && names.similarity < TRADE_SIMILARITY_MIN;
        if names.similarity < NAME_SIMILARITY_MIN || other_person || other_trade {
            return Some(RuledOut::Name);
        }
        if names.other_branch {
            return Some(RuledOut::Branch);
        }
    }
    // "St. Casimir's Church" and "St. Casimir's School", however vague their categories are.
    let other_departments = a.called != 0 && b.called != 0 && a.called & b.called == 0 && trade != TradeAgreement::Same;
    let department = other_departments
        || a.trade.is_department_of(&b.trade, a.called & !b.called)
        || b.trade.is_department_of(&a.trade, b.called & !a.called);
    department.then_some(RuledOut::Department)
}

/// Great-circle distance.
pub(crate) fn metres(a: Point, b: Point) -> f64 {
    a.miles_to(b) * MILE_METRES
}
