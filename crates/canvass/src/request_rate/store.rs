//! All SQL about rates of requests.

use super::Used;
use crate::clock::Moment;
use crate::db::{Db, DbError, Tx, sql};

/// Moves the time at which each caller's quota is whole again, and returns it. A time beyond `wrong` counts as past.
pub(super) async fn add(
    tx: &mut Tx,
    used: &[Used],
    (now, wrong): (Moment, Moment),
) -> Result<Vec<(String, Moment)>, DbError> {
    let rows = used.iter().map(|one| vec![one.caller.as_str().into(), (now.micros() + one.micros).into()]);
    sql("insert into request_rate (caller, full_at) values")
        .bind(now)
        .bind(wrong)
        .values(
            rows.collect(),
            "on conflict (caller) do update set full_at = excluded.full_at + case
                 when request_rate.full_at between $1 and $2 then request_rate.full_at - $1 else 0 end
             returning caller, full_at",
        )
        .all(tx)
        .await
}

pub(super) async fn delete_whole(db: &Db, now: Moment) -> Result<(), DbError> {
    let mut tx = db.begin().await?;
    sql("delete from request_rate where full_at < $1").bind(now).run(&mut tx).await?;
    tx.commit().await
}
