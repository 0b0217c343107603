//! Jobs: rows for workers to process, and the leases under which they do.
//!
//! The row is the job. Each kind of job lives in its noun's own table, which has the columns `lease_owner`, `lease_until`
//! and `lease_epoch`; [`Job`] says what else this module needs to know about the table. A worker takes a row by writing its
//! lease into it, renews the lease while it works, and makes every change through [`guarded`], which names the lease's
//! epoch: a worker that was taken for dead finds a newer epoch in the row and changes nothing.

mod bell;
mod hear;
mod lease;
mod renew;
mod run;
mod store;

pub use bell::{Bell, Subscription};
pub use hear::hear_others;
pub use lease::{renew, take};
pub(crate) use renew::renewing;
pub use renew::under_lease;
pub use run::{AtShutdown, Runner, Shutdown};
pub use store::{guarded, hand_back_in};

use std::fmt;

use crate::config::Settings;
use crate::db::Row;
use crate::ids::Id;

/// A row that is a job.
pub trait Job: Row + fmt::Debug + 'static {
    /// What its id is an id of.
    type Of: 'static;

    /// Where it is stored.
    const TABLE: Table;

    /// Identifies its row.
    fn id(&self) -> Id<Self::Of>;

    /// How long it may be leased, and how far ahead it may be put off.
    fn terms(settings: &Settings) -> Terms;
}

/// A table of jobs: names and conditions that go into statements as they are.
#[derive(Clone, Copy, Debug)]
pub struct Table {
    /// The table; also the name under which the bell announces work.
    pub name: &'static str,
    /// The column of the id.
    pub id: &'static str,
    /// Holds for rows that are not finished. A lease on any other row is lost.
    pub open: &'static str,
    /// Holds for rows that may be taken now, beside being open, due and free.
    pub takeable: &'static str,
    /// The column with the time from which a row is due.
    pub due_at: &'static str,
    /// Assignments made when a row is taken, each after a comma.
    pub on_take: &'static str,
}

/// The times that go with a kind of job, in seconds. A stored time further ahead than the longest was written by a clock
/// that was ahead, and is not waited for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Terms {
    /// How long a worker is believed to be alive without renewing its lease.
    pub lease: i64,
    /// The longest lease that any server's settings allow.
    pub lease_max: i64,
    /// The longest time for which a job is put off.
    pub wait_max: i64,
}

/// The right to work on a job. It ends when it is not renewed in time, and when the job is finished.
pub struct Lease<J: Job> {
    /// The job's id.
    pub id: Id<J::Of>,
    /// How often the job has been taken. Every write under this lease names it.
    pub epoch: i64,
}

/// A job, and the lease to work on it.
pub struct Taken<J: Job> {
    /// The right to work on it.
    pub lease: Lease<J>,
    /// The row as it was when it was taken.
    pub job: J,
}

// Derived, these would ask the same of `J`, which is only a name here.
impl<J: Job> Clone for Lease<J> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<J: Job> Copy for Lease<J> {}

impl<J: Job> fmt::Debug for Lease<J> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Lease({} {}, epoch {})", J::TABLE.name, self.id, self.epoch)
    }
}

impl<J: Job> fmt::Debug for Taken<J> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Taken").field("lease", &self.lease).field("job", &self.job).finish()
    }
}
