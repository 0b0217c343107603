//! Asks map providers over HTTP: which businesses an area has, and where a street address lies.
//!
//! Knows protocols, no database. Every request passes a [`Gateway`], which the caller brings: it keeps the provider's policy
//! across processes, counts what is paid for, and answers from what was stored. A provider builds requests, reads answers and
//! decides how an area is divided; it keeps no state.

mod cell;
mod gateway;
pub mod geocode;
pub mod google;
pub mod overpass;
mod plain;
mod provider;

pub use cell::Cell;
pub use gateway::{Call, CallError, Gateway, Pace, Reply};
pub use plain::PlainGateway;
pub use provider::{Answer, Found, ListingProvider, ProviderError, Question};
