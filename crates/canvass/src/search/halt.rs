//! Why work on a search stops before everything is settled.

use crate::db::DbError;
use crate::listing::SourceError;

/// Why no more listings are settled.
#[derive(Debug)]
pub(super) enum Halt {
    /// The source cannot go on.
    Source(SourceError),
    /// This machine cannot read websites.
    Interrupted(String),
    /// The database failed.
    Db(DbError),
}
