//! Views that a person keeps: which columns, filters and order the web app shows. What is in one is the web app's business.

mod save;
mod store;

pub use save::{SaveError, save};
pub use store::{list, remove};

/// Views of one account.
pub const VIEWS_MAX: i64 = 100;
/// Characters of a name.
pub const NAME_CHARS_MAX: usize = 80;
/// Bytes of the settings of a view.
pub const SETTINGS_BYTES_MAX: usize = 8 * 1024;

/// A kept view.
#[derive(Clone, Debug, PartialEq, Eq, from_row::FromRow)]
pub struct View {
    /// Unique within the account.
    pub name: String,
    /// A JSON object.
    pub settings: String,
}
