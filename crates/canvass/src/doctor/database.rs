//! Whether the database answers, is of this version, and its books are right.

use super::{Check, whole};
use crate::ai;
use crate::config::Settings;
use crate::credits;
use crate::db::{self, Db, DbError, Found, OpenError, Schema};

const NAME: &str = "database";

pub(super) async fn examine(settings: &Settings) -> Vec<Check> {
    let url = settings.database_url.as_ref().map(|url| url.reveal());
    match look(url, settings).await {
        Ok(checks) => checks,
        Err(error) => vec![Check::fail(NAME, whole(&error), error.advice())],
    }
}

async fn look(url: Option<&str>, settings: &Settings) -> Result<Vec<Check>, OpenError> {
    if let Some(file) = db::file_of(url, &settings.data)? {
        match db::inspect(&file)? {
            Found::Nothing => {
                let says = format!("SQLite in {}, which is created at the first start", file.display());
                return Ok(vec![Check::ok(NAME, says)]);
            }
            Found::Empty => {
                let says = format!("{} is empty; the next start sets it up anew", file.display());
                return Ok(vec![Check::warn(NAME, says, db::EMPTY_ADVICE)]);
            }
            Found::Database => {}
        }
    }
    let db = match db::open_to_look(url, &settings.data).await {
        Err(error @ OpenError::Unmerged(_)) => return Ok(vec![Check::warn(NAME, error.to_string(), error.advice())]),
        opened => opened?,
    };
    let checks = match db::schema(&db).await {
        Ok(schema) => Ok(vec![up_to_date(&db, schema), books(&db, schema).await]),
        Err(error) => Err(error),
    };
    db.close().await;
    checks
}

fn up_to_date(db: &Db, schema: Schema) -> Check {
    match schema {
        Schema::Current => Check::ok(NAME, format!("{} answers and is up to date", db.name())),
        Schema::Behind(count) => Check::warn(
            NAME,
            format!("{} answers; {count} schema steps are missing", db.name()),
            "run `canvass migrate`, or just start the server: it does the same",
        ),
    }
}

async fn books(db: &Db, schema: Schema) -> Check {
    if schema != Schema::Current {
        return Check::warn("ledger", "not audited: the schema is not up to date", "run `canvass migrate`");
    }
    match wrong_accounts(db).await {
        Ok(wrong) if wrong.is_empty() => {
            Check::ok("ledger", "every balance is the sum of its lines, every AI allowance used the sum of its uses")
        }
        Ok(wrong) => {
            let says = format!("the books disagree for {}", wrong.join(", "));
            Check::fail("ledger", says, "keep a copy of the database and report this: it must never happen")
        }
        Err(error) => Check::fail("ledger", whole(&error), "run this again when the database answers"),
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
