//! The version of how websites are read, in a file of its own because signals need it and settings need signals.

/// Grows when the same website is read differently, whatever the finders: other pages are chosen, limits move, findings
/// become leads in another way. Raise it then: Radar learns every field of every watched website anew, without alerts.
/// Finders have versions of their own ([`page_facts::Finder`]).
pub const READING_VERSION: u32 = 1;
