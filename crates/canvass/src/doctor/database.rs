//! Whether the database answers, is of this version, and its books are right.

use super::{Check, whole};
use crate::ai;
use crate::config::Settings;
use crate::credits;
use crate::db::{self, Db, DbError};

pub(super) async fn examine(settings: &Settings) -> Vec<Check> {
    let url = settings.database_url.as_ref().map(|url| url.reveal());
    if url.is_none() && !db::file_in(&settings.data).exists() {
        return vec![Check::ok("database", "SQLite in the data folder; it is made at the first start")];
    }
    let db = match db::open(url, &settings.data).await {
        Ok(db) => db,
        Err(error) => {
            let advice = "check CANVASS_DATABASE_URL: the server's address, the user, the password, the database name";
            return vec![Check::fail("database", whole(&error), advice)];
        }
    };
    let checks = vec![schema(&db).await, books(&db).await];
    db.close().await;
    checks
}

async fn schema(db: &Db) -> Check {
    match db::pending(db).await {
        Ok(0) => Check::ok("database", format!("{} answers and is up to date", db.name())),
        Ok(count) => Check::warn(
            "database",
            format!("{} answers; {count} schema steps are missing", db.name()),
            "run `canvass migrate`, or just start the server: it does the same",
        ),
        Err(error) => Check::fail("database", whole(&error), "see whether the database server runs and has room"),
    }
}

async fn books(db: &Db) -> Check {
    match wrong_accounts(db).await {
        Ok(wrong) if wrong.is_empty() => {
            Check::ok("ledger", "every balance is the sum of its lines, every AI allowance used the sum of its uses")
        }
        Ok(wrong) => {
            let says = format!("the books disagree for {}", wrong.join(", "));
            Check::fail("ledger", says, "keep a copy of the database and report this: it must never happen")
        }
        // Before the first migration there are no books.
        Err(_) => Check::warn("ledger", "there are no books yet", "run `canvass migrate`"),
    }
}

/// The accounts whose credits or AI allowance do not add up.
async fn wrong_accounts(db: &Db) -> Result<Vec<String>, DbError> {
    let credits = credits::audit(db).await?.into_iter().map(|one| one.account);
    let mut wrong: Vec<String> = credits
        .chain(ai::audit(db).await?.into_iter().map(|one| one.account))
        .map(|account| account.to_string())
        .collect();
    wrong.sort();
    wrong.dedup();
    Ok(wrong)
}
