//! All SQL about leases: one set of statements for every table of jobs.

use super::{Job, Lease, Table, Taken, Terms};
use crate::clock::Moment;
use crate::db::{Db, DbError, Sql, Tx, sql_of};
use crate::ids::Id;

/// Who takes jobs, and the times that decide which.
#[derive(Clone, Copy, Debug)]
pub(super) struct Claim<'a> {
    /// A name no other worker has.
    pub(super) owner: &'a str,
    pub(super) now: Moment,
    pub(super) terms: Terms,
}

impl Claim<'_> {
    fn lease_until_max(self) -> Moment {
        self.now.latest_ahead(self.terms.lease_max)
    }

    fn due_max(self) -> Moment {
        self.now.latest_ahead(self.terms.wait_max)
    }
}

#[derive(from_row::FromRow)]
struct TakenRow<J> {
    lease_epoch: i64,
    #[row(flatten)]
    job: J,
}

/// Selects ids of jobs that are due and free, those that have waited longest first: `$1` is now, `$2` the latest a lease
/// can end, `$3` the latest a job can be due, `$4` how many. Two ranges of one index: jobs that are due, and those put off
/// further than any can be.
fn due<J: Job>(lock: &str) -> String {
    let Table { name, id, open, takeable, due_at, .. } = J::TABLE;
    let range = |condition: &str| {
        format!(
            "select {id} from (select {id} from {name} where {open} and {takeable} and {due_at} {condition}
                and (lease_until <= $1 or lease_until > $2) order by {due_at}, {id} limit $4 {lock}) as some_due"
        )
    };
    format!("{} union all {} limit $4", range("<= $1"), range("> $3"))
}

/// Whether any job could be taken now. Takes no lock: on SQLite, asking does not wait for the writer.
pub(super) async fn is_any_due<J: Job>(db: &Db, claim: Claim<'_>) -> Result<bool, DbError> {
    let found: Option<(String,)> = bind_due(sql_of(due::<J>("")), claim, 1).optional(db).await?;
    Ok(found.is_some())
}

/// Takes jobs that are due, at most `limit`. Rows that another transaction has locked are passed over.
pub(super) async fn take<J: Job>(tx: &mut Tx, claim: Claim<'_>, limit: i64) -> Result<Vec<Taken<J>>, DbError> {
    let statement = sql_of(take_from::<J>(&due::<J>(tx.skip_locked())));
    taken(bind_due(statement, claim, limit), claim, tx).await
}

/// Takes the jobs from one id to another, due or not, as far as they are free.
pub(super) async fn take_between<J: Job>(
    tx: &mut Tx,
    claim: Claim<'_>,
    first: Id<J::Of>,
    last: Id<J::Of>,
) -> Result<Vec<Taken<J>>, DbError> {
    let Table { name, id, open, takeable, .. } = J::TABLE;
    let lock = tx.skip_locked();
    let statement = sql_of(take_from::<J>(&format!(
        "select {id} from {name} where {open} and {takeable} and (lease_until <= $1 or lease_until > $2)
            and {id} >= $3 and {id} <= $4 {lock}"
    )));
    taken(statement.bind(claim.now).bind(claim.lease_until_max()).bind(first).bind(last), claim, tx).await
}

fn bind_due(statement: Sql, claim: Claim<'_>, limit: i64) -> Sql {
    statement.bind(claim.now).bind(claim.lease_until_max()).bind(claim.due_max()).bind(limit)
}

/// Leases the rows that `chosen` selects: `$5` is the owner, `$6` the lease's end. Materialized, so that PostgreSQL chooses
/// and locks them once.
fn take_from<J: Job>(chosen: &str) -> String {
    let Table { name, id, on_take, .. } = J::TABLE;
    format!(
        "with chosen as materialized ({chosen})
         update {name} set lease_owner = $5, lease_until = $6, lease_epoch = lease_epoch + 1{on_take}
         where {id} in (select {id} from chosen) returning *"
    )
}

async fn taken<J: Job>(statement: Sql, claim: Claim<'_>, tx: &mut Tx) -> Result<Vec<Taken<J>>, DbError> {
    let until = claim.now.plus_seconds(claim.terms.lease);
    let rows: Vec<TakenRow<J>> = statement.bind(claim.owner).bind(until).all(tx).await?;
    let taken = |row: TakenRow<J>| Taken { lease: Lease { id: row.job.id(), epoch: row.lease_epoch }, job: row.job };
    Ok(rows.into_iter().map(taken).collect())
}

/// An update of a leased row that changes nothing once the lease is lost. `set` is the assignments, with values from `$3`
/// on; `$1` and `$2` are the guard's. `tail` is what follows it: a further condition, or what to return.
pub fn guarded<J: Job>(lease: &Lease<J>, set: &'static str, tail: &'static str) -> Sql {
    let Table { name, id, open, .. } = J::TABLE;
    let text = format!("update {name} set {set} where {id} = $1 and {open} and lease_epoch = $2 {tail}");
    sql_of(text).bind(lease.id).bind(lease.epoch)
}

/// Moves the end of a lease. `false` when it is lost.
pub(super) async fn renew<J: Job>(tx: &mut Tx, lease: &Lease<J>, until: Moment) -> Result<bool, DbError> {
    Ok(guarded(lease, "lease_until = $3", "").bind(until).run(tx).await? > 0)
}

/// Gives a job back, to be taken by anyone from `due_at` on. `false` when the lease is lost.
pub async fn hand_back_in<J: Job>(tx: &mut Tx, lease: &Lease<J>, due_at: Moment) -> Result<bool, DbError> {
    let Table { name, id, open, due_at: column, .. } = J::TABLE;
    let text = format!(
        "update {name} set lease_owner = null, lease_until = 0, {column} = $3
         where {id} = $1 and {open} and lease_epoch = $2"
    );
    Ok(sql_of(text).bind(lease.id).bind(lease.epoch).bind(due_at).run(tx).await? > 0)
}

/// Gives back everything a worker holds, as due as it was.
pub(super) async fn hand_back_all<J: Job>(tx: &mut Tx, owner: &str) -> Result<u64, DbError> {
    let Table { name, open, .. } = J::TABLE;
    let text = format!("update {name} set lease_owner = null, lease_until = 0 where lease_owner = $1 and {open}");
    sql_of(text).bind(owner).run(tx).await
}
