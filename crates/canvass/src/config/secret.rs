//! A value that must not be printed: its `Debug` shows dots, and there is no `Display`.
//!
//! Our own type rather than the `secrecy` crate's, whose extra is to wipe memory: these values also live in the
//! environment, the settings file and the TLS and database libraries, which are not wiped.

use std::fmt;

/// A password, a key, or an address that holds one.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    /// Hides a value.
    pub fn new(value: impl Into<String>) -> Self {
        Secret(value.into())
    }

    /// The value, for the one place that needs it.
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("...")
    }
}
