//! All SQL about the ledger.

use super::{BALANCE_MAX, Bill, Discrepancy, LedgerEntry, LedgerLine};
use crate::clock::Moment;
use crate::db::{Db, DbError, Tx, Value, insert_rows, sql};
use crate::ids::AccountId;

/// The balance of a ledger and the number of its last line.
#[derive(Clone, Copy, Debug, from_row::FromRow)]
struct Head {
    credits: i64,
    ledger_lines: i64,
}

/// Adds one line and moves the balance with it. `None`, and nothing changed, when the balance would leave its range.
pub(crate) async fn add(
    tx: &mut Tx,
    account: AccountId,
    entry: LedgerEntry,
    now: Moment,
) -> Result<Option<i64>, DbError> {
    let Some(head) = move_balance(tx, account, entry.amount, 1).await? else { return Ok(None) };
    let row = vec![
        account.into(),
        head.ledger_lines.into(),
        entry.amount.into(),
        head.credits.into(),
        entry.reason.name().into(),
        entry.subject.into(),
        entry.note.into(),
        now.into(),
    ];
    insert(tx, vec![row]).await?;
    Ok(Some(head.credits))
}

/// Takes one credit for each subject, all or none, one line each. `None`, and nothing changed, when they are too few.
pub(super) async fn take_each(tx: &mut Tx, account: AccountId, bill: Bill<'_>) -> Result<Option<i64>, DbError> {
    let count = i64::try_from(bill.subjects.len()).unwrap_or(i64::MAX);
    let Some(head) = move_balance(tx, account, -count, count).await? else { return Ok(None) };
    let mut rows: Vec<Vec<Value>> = Vec::with_capacity(bill.subjects.len());
    for (subject, after) in bill.subjects.iter().zip((0..count).rev()) {
        rows.push(vec![
            account.into(),
            (head.ledger_lines - after).into(),
            (-1i64).into(),
            (head.credits + after).into(),
            bill.reason.name().into(),
            subject.as_str().into(),
            Value::Text(None),
            bill.at.into(),
        ]);
    }
    insert(tx, rows).await?;
    Ok(Some(head.credits))
}

/// The only statement that changes a balance. Its guard keeps every balance in range, and its row lock serialises
/// concurrent writers of one ledger.
async fn move_balance(tx: &mut Tx, account: AccountId, amount: i64, lines: i64) -> Result<Option<Head>, DbError> {
    sql("update account set credits = credits + $2, ledger_lines = ledger_lines + $3
         where id = $1 and credits + $2 between 0 and $4
         returning credits, ledger_lines")
    .bind(account)
    .bind(amount)
    .bind(lines)
    .bind(BALANCE_MAX)
    .optional(tx)
    .await
}

async fn insert(tx: &mut Tx, rows: Vec<Vec<Value>>) -> Result<(), DbError> {
    let head = "insert into credit_entry
        (account_id, line, amount, balance, reason, subject, note, created_at) values";
    insert_rows(head, rows, "").run(tx).await.map(|_| ())
}

/// The balance as it is inside this transaction.
pub(crate) async fn balance(tx: &mut Tx, account: AccountId) -> Result<i64, DbError> {
    let found: Option<(i64,)> = sql("select credits from account where id = $1").bind(account).optional(tx).await?;
    Ok(found.map_or(0, |(credits,)| credits))
}

/// Whether the ledger has a refill for a date between these two.
pub(crate) async fn was_refilled(tx: &mut Tx, account: AccountId, between: [Moment; 2]) -> Result<bool, DbError> {
    // The subject of a refill is its date, written so that dates sort as text.
    let found: Option<(i64,)> = sql("select line from credit_entry
         where account_id = $1 and reason = 'refill' and subject > $2 and subject < $3 limit 1")
    .bind(account)
    .bind(between[0].to_string())
    .bind(between[1].to_string())
    .optional(tx)
    .await?;
    Ok(found.is_some())
}

/// Lines numbered below `before`, newest first; from the newest when `None`.
pub async fn page(db: &Db, account: AccountId, before: Option<i64>, limit: i64) -> Result<Vec<LedgerLine>, DbError> {
    sql("select line, amount, balance, reason, subject, note, created_at from credit_entry
         where account_id = $1 and line < $2 order by line desc limit $3")
    .bind(account)
    .bind(before.unwrap_or(i64::MAX))
    .bind(limit)
    .all(db)
    .await
}

/// How many lines there are.
pub async fn count(db: &Db, account: AccountId) -> Result<i64, DbError> {
    let (lines,) = sql("select ledger_lines from account where id = $1").bind(account).one(db).await?;
    Ok(lines)
}

/// Accounts whose balance is not the sum of their lines.
pub(super) async fn discrepancies(db: &Db) -> Result<Vec<Discrepancy>, DbError> {
    sql("select a.id as account, a.credits as balance, cast(coalesce(sum(e.amount), 0) as bigint) as ledger
         from account a left join credit_entry e on e.account_id = a.id
         group by a.id, a.credits, a.ledger_lines
         having a.credits <> coalesce(sum(e.amount), 0) or a.ledger_lines <> count(e.line)")
    .all(db)
    .await
}
