//! Looks at everything once.

use super::{Overview, Today, store};
use crate::clock::Moment;
use crate::db::{Db, DbError};
use crate::ids::SearchId;
use crate::provider;

const DAY_MICROS: i64 = 24 * 60 * 60 * 1_000_000;

/// How things stand on a database now.
pub async fn look(db: &Db, now: Moment) -> Result<Overview, DbError> {
    let day = now.micros().div_euclid(DAY_MICROS);
    let midnight = SearchId::earliest_at(Moment::from_micros(day * DAY_MICROS));
    let month = now.month();
    let calls = provider::calls_of(db, &month).await?;
    Ok(Overview {
        database: db.name(),
        database_bytes: store::database_bytes(db).await?,
        searches: store::searches(db, now).await?,
        enrichments: store::enrichments(db, now).await?,
        mails: store::mails(db, now).await?,
        letters: store::letters(db, now).await?,
        radar: store::watches(db, now).await?,
        workers: store::workers(db, now).await?,
        today: Today { leads: store::leads_on(db, day).await?, searches: store::searches_since(db, midnight).await? },
        provider_calls: calls.into_iter().map(Into::into).collect(),
    })
}
