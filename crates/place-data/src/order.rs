//! The order of places: best first, and the same for everyone who asks.

use std::cmp::Reverse;

use crate::Place;

/// The position of a place among others: those that can be reached come first, then those that are surer to exist.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Rank {
    /// Whether it has a website, and a phone number: 2, 1 or 0 of the two.
    reachable: Reverse<u8>,
    /// In millionths. A place whose source does not say counts as sure.
    confidence: Reverse<u32>,
    id: String,
}

impl Rank {
    /// The position of this place.
    pub fn of(place: &Place) -> Rank {
        Rank::of_contacts(place, place.id.clone())
    }

    /// The position of this place under another id.
    pub(crate) fn of_contacts(place: &Place, id: String) -> Rank {
        let reachable = u8::from(!place.websites.is_empty()) + u8::from(!place.phones.is_empty());
        Rank::new(reachable, place.confidence, id)
    }

    /// The position of a place with a website, a phone number, both or none.
    pub(crate) fn new(reachable: u8, confidence: Option<f64>, id: String) -> Rank {
        Rank { reachable: Reverse(reachable), confidence: Reverse(millionths(confidence)), id }
    }

    /// The position as text, for a cursor.
    pub fn to_text(&self) -> String {
        format!("{} {} {}", self.reachable.0, self.confidence.0, self.id)
    }

    /// The position that was written so.
    pub fn parse(text: &str) -> Option<Rank> {
        let mut parts = text.splitn(3, ' ');
        let (reachable, confidence, id) = (parts.next()?, parts.next()?, parts.next()?);
        let confidence: u32 = confidence.parse().ok()?;
        let rank =
            Rank { reachable: Reverse(reachable.parse().ok()?), confidence: Reverse(confidence), id: id.to_owned() };
        (rank.reachable.0 <= 2 && confidence <= 1_000_000).then_some(rank)
    }
}

/// A confidence in millionths. A place whose source does not say counts as sure.
pub(crate) fn millionths(confidence: Option<f64>) -> u32 {
    (confidence.unwrap_or(1.0).clamp(0.0, 1.0) * 1e6).round() as u32
}
