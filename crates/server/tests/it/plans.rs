//! How the databases find rows: every statement in the code is explained by both, and none may read a whole table.

use std::collections::BTreeSet;
use std::error::Error as _;

use canvass::db::{Db, DbError, sql};
use rstest::rstest;

use crate::support::{On, TestApp};
use crate::tidy::{before_tests, files, root};

/// Statements that read a whole table on purpose, by how they begin, and why.
const READ_EVERYTHING: &[(&str, &str)] = &[
    ("select * from account where email <> $1 and not exists", "the operator's list of all accounts"),
    ("select id from account where email <> $1 limit 1", "ends at the first account"),
    ("select account, month, used, uses from", "doctor adds up every allowance"),
    ("select a.id as account, a.credits as balance", "doctor adds up every ledger"),
    ("select cast(coalesce(sum( (select leads from usage_day", "looks into an index for each account"),
    ("select entry, note, added_at from suppression", "every process has a copy of the list"),
    ("select version, checksum from _sqlx_migrations", "a row for each migration"),
    ("delete from letter where link_id in (select id from access_link where expires_at", "letters go with their links"),
    ("insert into account (", "SQLite would look for rows that wait for this account, but only while there are any"),
];
/// Statements of one database only: they have a twin for the other, or need none.
const NOT_SHARED: &[&str] = &[
    "select count(*) filter (where name = '_sqlx_migrations')",
    "select (to_regclass(",
    "select cast(extract(epoch from clock_timestamp())",
    "select 'canvass_' || md5(current_schema())",
    "select pg_notify($1, $2)",
    "insert into readiness",
    "select page_count * page_size from pragma_page_count()",
    "select pg_database_size(",
    "select name from sqlite_master",
];

/// The statements written in the source of the nouns, as they are sent. Those put together at run time are left out.
fn statements() -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for (_, text) in files(&root().join("crates/canvass/src"), &[".rs"]) {
        for literal in literals(before_tests(&text)) {
            let literal = literal.split_whitespace().collect::<Vec<_>>().join(" ");
            let verb = literal.split(' ').next().unwrap_or_default();
            let is_statement = ["select", "insert", "update", "delete", "with"].contains(&verb) && literal.len() > 15;
            let is_shared = !NOT_SHARED.iter().any(|start| literal.starts_with(start));
            if is_statement && is_shared && !literal.contains('{') && !literal.ends_with("values") {
                found.insert(literal);
            }
        }
    }
    assert!(found.len() > 200, "only {} statements were found", found.len());
    found
}

/// The string literals of a source text, without escapes.
fn literals(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(start) = rest.find('"') {
        let mut literal = String::new();
        let mut letters = rest[start + 1..].char_indices();
        let mut end = rest.len() - start - 1;
        while let Some((at, letter)) = letters.next() {
            match letter {
                '"' => {
                    end = at;
                    break;
                }
                // A quotation mark inside, or a line that goes on.
                '\\' => literal.extend(letters.next().map(|(_, letter)| letter)),
                letter => literal.push(letter),
            }
        }
        found.push(literal);
        rest = rest.get(start + 1 + end + 1..).unwrap_or_default();
    }
    found
}

/// A statement that its caller completes with a list of values gets one.
fn completed(statement: &str) -> (String, usize) {
    let places = |statement: &str| {
        let numbers = statement.split('$').skip(1);
        let numbers =
            numbers.filter_map(|rest| rest.split(|letter: char| !letter.is_ascii_digit()).next()?.parse().ok());
        numbers.max().unwrap_or(0)
    };
    let before: usize = places(statement);
    if statement.ends_with(" in") {
        return (format!("{statement} (${}, ${})", before + 1, before + 2), before + 2);
    }
    (statement.to_owned(), before)
}

fn leaked(text: String) -> &'static str {
    Box::leak(text.into_boxed_str())
}

/// What PostgreSQL says of a statement whose parameters have a type only once they are bound. SQLite's plan has to do.
const UNTYPED: [&str; 2] = ["could not determine data type of parameter", "operator is not unique: unknown"];

/// Lines of the plan that read a whole table, or a whole index that is not about a part of it; or why there is no plan.
async fn scans(db: &Db, statement: &str) -> Vec<String> {
    match plan(db, statement).await {
        Ok(scans) => scans,
        Err(error) => {
            let reason = error.source().map_or_else(|| error.to_string(), ToString::to_string);
            if UNTYPED.iter().any(|untyped| reason.contains(untyped)) { Vec::new() } else { vec![reason] }
        }
    }
}

async fn plan(db: &Db, statement: &str) -> Result<Vec<String>, DbError> {
    let (text, places) = completed(statement);
    match db {
        Db::Sqlite { .. } => {
            let mut explain = sql(leaked(format!("explain query plan {text}")));
            for _ in 0..places {
                explain = explain.bind(None::<String>);
            }
            let lines: Vec<(i64, i64, i64, String)> = explain.all(db).await?;
            let partial = partial_indexes(db).await;
            let lines = lines.into_iter().map(|(.., line)| line);
            Ok(lines.filter(|line| is_sqlite_scan(line, &text, &partial)).collect())
        }
        Db::Pg { .. } => {
            let mut tx = db.begin().await.unwrap();
            let nulls = vec!["null"; places].join(", ");
            let execute =
                if places > 0 { format!("explain execute asked ({nulls})") } else { "explain execute asked".into() };
            for step in
                ["set local enable_seqscan = off".to_owned(), "set local plan_cache_mode = force_generic_plan".into()]
            {
                sql(leaked(step)).run(&mut tx).await.unwrap();
            }
            sql(leaked(format!("prepare asked as {text}"))).run(&mut tx).await?;
            let lines: Vec<(String,)> = sql(leaked(execute)).all(&mut tx).await?;
            sql("deallocate asked").run(&mut tx).await?;
            drop(tx);
            let lines: Vec<String> = lines.into_iter().map(|(line,)| line).collect();
            Ok(postgres_scans(&lines, &partial_indexes(db).await))
        }
    }
}

/// Indexes that hold only some rows of their table, such as those of running searches.
async fn partial_indexes(db: &Db) -> Vec<String> {
    let text = match db {
        Db::Sqlite { .. } => "select name from sqlite_master where type = 'index' and sql like '% where %'",
        Db::Pg { .. } => {
            "select relname::text from pg_index join pg_class on pg_class.oid = indexrelid where indpred is not null"
        }
    };
    sql(text).all::<(String,)>(db).await.unwrap().into_iter().map(|(name,)| name).collect()
}

fn is_sqlite_scan(line: &str, statement: &str, partial: &[String]) -> bool {
    let Some(rest) = line.strip_prefix("SCAN ") else { return false };
    let table = rest.split(' ').next().unwrap_or_default();
    // What a subquery has found is not a table.
    let is_derived = statement.contains(&format!(") as {table}"))
        || statement.contains(&format!(") {table}"))
        || statement.contains(&format!("with {table} as"))
        || rest.starts_with("CONSTANT")
        || rest.starts_with('(');
    let is_partial = rest.split("INDEX ").nth(1).is_some_and(|index| partial.iter().any(|name| name == index.trim()));
    !is_derived && !is_partial
}

fn postgres_scans(lines: &[String], partial: &[String]) -> Vec<String> {
    let depth = |line: &str| line.len() - line.trim_start().len();
    let mut found = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        let details = lines[at + 1..].iter().take_while(|next| depth(next) > depth(line) && !next.contains("->"));
        let is_bounded = details.clone().any(|detail| detail.contains("Index Cond:"));
        let is_index = line.contains("Index Scan using") || line.contains("Index Only Scan using");
        let is_partial = partial.iter().any(|name| line.contains(&format!(" {name} ")));
        if line.contains("Seq Scan on") || (is_index && !is_bounded && !is_partial) {
            found.push(line.trim().to_owned());
        }
    }
    found
}

#[rstest]
#[case::sqlite(On::Sqlite)]
#[case::postgres(On::Postgres)]
#[tokio::test]
async fn no_statement_reads_a_whole_table(#[case] on: On) {
    let test = TestApp::new(on).await;
    let mut found = Vec::new();
    for statement in statements() {
        if READ_EVERYTHING.iter().any(|(start, _)| statement.starts_with(start)) {
            continue;
        }
        let scans = scans(&test.app.db, &statement).await;
        if !scans.is_empty() {
            found.push(format!("{statement}\n    {}", scans.join("\n    ")));
        }
    }
    assert!(found.is_empty(), "{} statements read whole tables:\n{}", found.len(), found.join("\n"));
}

#[tokio::test]
async fn a_statement_without_an_index_is_noticed() {
    for on in [On::Sqlite, On::Postgres] {
        let test = TestApp::new(on).await;
        for statement in ["select id from lead where score > $1", "delete from search where industry = $1"] {
            assert_eq!(scans(&test.app.db, statement).await.len(), 1, "{statement}");
        }
        assert!(scans(&test.app.db, "select id from lead where search_id = $1").await.is_empty());
    }
}

/// Deleting a row looks for the rows that refer to it: without an index, in the whole of their table.
#[tokio::test]
async fn whatever_refers_to_rows_that_are_deleted_has_an_index() {
    let test = TestApp::new(On::Sqlite).await;
    let references = "select m.name, f.\"table\", f.\"from\" from sqlite_master m, pragma_foreign_key_list(m.name) f
                      where m.type = 'table' and f.\"table\" <> 'account'";
    let references: Vec<(String, String, String)> = sql(references).all(&test.app.db).await.unwrap();
    assert!(references.len() > 10);
    for (table, parent, column) in references {
        let statement = format!("select 1 from {table} where {column} = $1");
        assert!(
            scans(&test.app.db, &statement).await.is_empty(),
            "{table}.{column} refers to {parent} and has no index"
        );
    }
}
