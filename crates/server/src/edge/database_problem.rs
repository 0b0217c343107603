//! What a failure of the database means for the client.

use std::sync::Arc;

use canvass::db::DbError;
use http::header::RETRY_AFTER;
use http::{HeaderValue, StatusCode};

use super::problem::{OVERLOAD_WAIT_SECONDS, Problem};

/// `Retry-After` while the storage needs its operator, in seconds.
const STORAGE_WAIT_SECONDS: &str = "60";

impl Problem {
    /// What a failure of the database means for the client. Does not log it.
    pub(crate) fn of_database(error: &DbError) -> Problem {
        match error {
            DbError::Unavailable(_) => {
                Problem::unavailable("the database does not answer or is overloaded; try again in a moment")
            }
            DbError::StorageFull(_) => Problem::storage(
                "storage_full",
                "the server's disk is full, so the request could not be stored; its operator has to free space (`canvass \
                 doctor` shows where). Try again afterwards",
            ),
            DbError::ReadOnly(_) => Problem::storage(
                "storage_read_only",
                "the server's database is read-only, so the request could not be stored; its operator has to make it \
                 writable (`canvass doctor` shows what to do). Try again afterwards",
            ),
            DbError::Damaged(_) => Problem::storage(
                "storage_damaged",
                "the server's database cannot be read or written; its operator has to look at the disk (`canvass \
                 doctor` shows what to do). Try again afterwards",
            ),
            DbError::CommitUnknown(_) => Problem::unknown_outcome(),
            DbError::Refused(_) => Problem::internal(),
        }
    }

    /// 503: the database's storage needs its operator first.
    fn storage(code: &'static str, detail: &'static str) -> Problem {
        let problem = Problem::new(StatusCode::SERVICE_UNAVAILABLE, code, detail);
        problem.with(RETRY_AFTER, HeaderValue::from_static(STORAGE_WAIT_SECONDS))
    }

    /// 503: whether the request was carried out is not known.
    fn unknown_outcome() -> Problem {
        let detail = "the connection to the database was lost while this request was being stored: it may have been \
                      carried out, or not. Look before you repeat it, or repeat it with the Idempotency-Key it had";
        let problem = Problem::new(StatusCode::SERVICE_UNAVAILABLE, "outcome_unknown", detail);
        problem.with(RETRY_AFTER, HeaderValue::from_static(OVERLOAD_WAIT_SECONDS))
    }
}

impl From<&DbError> for Problem {
    fn from(error: &DbError) -> Problem {
        tracing::error!(error = error as &dyn std::error::Error, "the database failed a request");
        Problem::of_database(error)
    }
}

impl From<DbError> for Problem {
    fn from(error: DbError) -> Problem {
        Problem::from(&error)
    }
}

impl From<Arc<DbError>> for Problem {
    fn from(error: Arc<DbError>) -> Problem {
        Problem::from(&*error)
    }
}
