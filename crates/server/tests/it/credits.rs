//! The ledger: exact under any number of hands, and readable page by page.

use canvass::account::{self, refill_due};
use canvass::credits::{self, Bill, GrantError, Reason};
use canvass::ids::AccountId;
use canvass::plan::Tier;
use http::{Method, StatusCode};
use proptest::prelude::*;
use rstest::rstest;

use crate::support::{On, TestApp, send};

/// Charges subjects in a transaction of its own, as a delivery does.
async fn charge(test: &TestApp, account: AccountId, subjects: &[String]) -> credits::Charge {
    let mut tx = test.app.db.begin().await.unwrap();
    let bill = Bill { reason: Reason::Lead, subjects, at: test.app.clock.now() };
    let charge = credits::charge(&mut tx, account, bill).await.unwrap();
    tx.commit().await.unwrap();
    charge
}

fn subjects(name: &str, count: usize) -> Vec<String> {
    (0..count).map(|number| format!("{name}-{number}")).collect()
}

/// Everything that must always be true of a ledger.
async fn assert_books_are_right(test: &TestApp, account: AccountId) -> i64 {
    let lines = credits::page(&test.app.db, account, None, i64::from(u32::MAX)).await.unwrap();
    let mut balance = 0;
    for (number, line) in (1..).zip(lines.iter().rev()) {
        balance += line.amount;
        assert_eq!((line.line, line.balance), (number, balance));
        assert!(line.balance >= 0);
    }
    let stored = account::find(&test.app.db, account).await.unwrap().unwrap();
    assert_eq!(stored.credits, balance);
    assert_eq!(credits::count(&test.app.db, account).await.unwrap(), lines.len() as i64);
    assert_eq!(credits::audit(&test.app.db).await.unwrap(), []);
    balance
}

#[rstest]
#[case::sqlite(On::Sqlite)]
#[case::postgres(On::Postgres)]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn sixty_four_chargers_over_ten_accounts_are_exact(#[case] on: On) {
    let test = TestApp::new(on).await;
    let mut accounts = Vec::new();
    for _ in 0..10 {
        accounts.push(test.account_with(Tier::Scale, 100, &[]).await.id);
    }
    // Each account is asked for about twice what it has.
    let chargers = (0..64_usize).map(|charger| {
        let (test, accounts) = (&test, &accounts);
        async move {
            let mut paid = vec![0; accounts.len()];
            for round in 0..8 {
                let place = (charger + round) % accounts.len();
                let wanted = subjects(&format!("{charger}-{round}"), 1 + (charger + round) % 7);
                paid[place] += charge(test, accounts[place], &wanted).await.paid;
            }
            paid
        }
    });
    let paid = futures::future::join_all(chargers).await;
    for (place, account) in accounts.iter().enumerate() {
        let sum: usize = paid.iter().map(|one| one[place]).sum();
        let balance = assert_books_are_right(&test, *account).await;
        assert_eq!(balance, 100 - i64::try_from(sum).unwrap());
        assert_eq!(balance, 0, "they asked for more than there was");
    }
}

/// What an actor does to a ledger.
#[derive(Clone, Debug)]
enum Act {
    Grant(i64),
    Charge(usize),
    ChargeAgain,
}

fn acts() -> impl Strategy<Value = Vec<Act>> {
    let act = prop_oneof![
        3 => (-30_i64..60).prop_map(Act::Grant),
        5 => (0_usize..12).prop_map(Act::Charge),
        1 => Just(Act::ChargeAgain),
    ];
    proptest::collection::vec(act, 1..25)
}

/// Does one actor's acts, and says by how much they must have moved the balance.
async fn perform(test: &TestApp, account: AccountId, actor: usize, acts: &[Act]) -> i64 {
    let mut moved = 0;
    let mut last_paid: Option<String> = None;
    for (number, act) in acts.iter().enumerate() {
        match act {
            Act::Grant(amount) => match credits::grant(&test.app, account, *amount, None).await {
                Ok(_) => moved += amount,
                Err(GrantError::Nothing) => assert_eq!(*amount, 0),
                Err(GrantError::OutOfRange { .. }) => assert!(*amount < 0),
                Err(error) => panic!("{error}"),
            },
            Act::Charge(count) => {
                let wanted = subjects(&format!("{actor}-{number}"), *count);
                let charge = charge(test, account, &wanted).await;
                moved -= i64::try_from(charge.paid).unwrap();
                last_paid = wanted.get(..charge.paid).and_then(<[String]>::last).cloned().or(last_paid);
            }
            Act::ChargeAgain => {
                let Some(subject) = last_paid.clone() else { continue };
                let mut tx = test.app.db.begin().await.unwrap();
                let bill = Bill { reason: Reason::Lead, subjects: &[subject], at: test.app.clock.now() };
                // Refused as a repeat, or not even tried for want of credits; paid for it never is.
                if let Ok(charge) = credits::charge(&mut tx, account, bill).await {
                    assert_eq!(charge.paid, 0);
                }
            }
        }
    }
    moved
}

fn run_actors(on: On, all_acts: Vec<Vec<Act>>) {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    runtime.block_on(async {
        let test = TestApp::new(on).await;
        let account = test.account_with(Tier::Scale, 20, &[]).await.id;
        let actors = all_acts.iter().enumerate().map(|(actor, acts)| perform(&test, account, actor, acts));
        let moved: i64 = futures::future::join_all(actors).await.into_iter().sum();
        assert_eq!(assert_books_are_right(&test, account).await, 20 + moved);
    });
}

#[rstest]
#[case::sqlite(On::Sqlite, 24)]
#[case::postgres(On::Postgres, 12)]
fn whatever_concurrent_actors_do_the_balance_is_what_they_were_told(#[case] on: On, #[case] cases: u32) {
    let config = ProptestConfig { cases, failure_persistence: None, max_shrink_iters: 50, ..ProptestConfig::default() };
    proptest!(config, |(all_acts in proptest::collection::vec(acts(), 1..6))| run_actors(on, all_acts));
}

#[rstest]
#[case::sqlite(On::Sqlite)]
#[case::postgres(On::Postgres)]
#[tokio::test]
async fn a_charge_pays_for_what_the_balance_allows_in_order(#[case] on: On) {
    let test = TestApp::new(on).await;
    let (account, _) = test.account(Tier::Growth, 3).await;
    let charge = charge(&test, account.id, &subjects("lead", 5)).await;
    assert_eq!(charge, credits::Charge { paid: 3, balance: 0 });
    let lines = credits::page(&test.app.db, account.id, None, 3).await.unwrap();
    let paid: Vec<_> = lines.iter().map(|line| (line.subject.as_deref(), line.balance)).collect();
    assert_eq!(paid, [(Some("lead-2"), 0), (Some("lead-1"), 1), (Some("lead-0"), 2)]);
}

#[rstest]
#[case::sqlite(On::Sqlite)]
#[case::postgres(On::Postgres)]
#[tokio::test]
async fn what_was_paid_for_cannot_be_charged_again(#[case] on: On) {
    let test = TestApp::new(on).await;
    let (account, _) = test.account(Tier::Growth, 10).await;
    charge(&test, account.id, &subjects("lead", 2)).await;
    let mut tx = test.app.db.begin().await.unwrap();
    let repeated = ["lead-7".to_owned(), "lead-1".to_owned()];
    let bill = Bill { reason: Reason::Lead, subjects: &repeated, at: test.app.clock.now() };
    assert!(credits::charge(&mut tx, account.id, bill).await.is_err());
    drop(tx);
    assert_eq!(
        assert_books_are_right(&test, account.id).await,
        8,
        "the other subject of that bill is not charged either"
    );
}

#[rstest]
#[case::sqlite(On::Sqlite)]
#[case::postgres(On::Postgres)]
#[tokio::test]
async fn a_ledger_line_cannot_be_changed_or_removed(#[case] on: On) {
    let test = TestApp::new(on).await;
    test.account(Tier::Growth, 10).await;
    for statement in ["update credit_entry set amount = 99", "delete from credit_entry"] {
        let mut tx = test.app.db.begin().await.unwrap();
        let error = canvass::db::sql(statement).run(&mut tx).await.unwrap_err();
        let cause = std::error::Error::source(&error).unwrap().to_string();
        assert!(cause.contains("append-only"), "{cause}");
    }
}

#[rstest]
#[case::sqlite(On::Sqlite)]
#[case::postgres(On::Postgres)]
#[tokio::test]
async fn a_grant_never_takes_a_balance_out_of_its_range(#[case] on: On) {
    let test = TestApp::new(on).await;
    let (account, _) = test.account(Tier::Growth, 10).await;
    let grant = async |amount| credits::grant(&test.app, account.id, amount, Some("test".into())).await;
    assert!(matches!(grant(-11).await, Err(GrantError::OutOfRange { balance: 10, .. })));
    assert!(matches!(grant(credits::BALANCE_MAX).await, Err(GrantError::OutOfRange { .. })));
    assert!(matches!(grant(0).await, Err(GrantError::Nothing)));
    assert_eq!(grant(-10).await.unwrap(), 0);
    assert_eq!(grant(credits::BALANCE_MAX).await.unwrap(), credits::BALANCE_MAX);
    assert_books_are_right(&test, account.id).await;
}

#[rstest]
#[case::sqlite(On::Sqlite)]
#[case::postgres(On::Postgres)]
#[tokio::test]
async fn each_month_the_balance_is_filled_up_once(#[case] on: On) {
    let test = TestApp::new(on).await;
    let (poor, _) = test.account(Tier::Growth, 100).await;
    let (rich, _) = test.account(Tier::Growth, 9_000).await;
    assert_eq!(refill_due(&test.app).await.unwrap(), 0, "not before a month has passed");
    test.clock.advance_seconds(31 * 86_400);
    // Several processes at once: each account is refilled by one of them.
    let counts = futures::future::join_all((0..8).map(|_| refill_due(&test.app))).await;
    assert_eq!(counts.into_iter().map(Result::unwrap).sum::<usize>(), 2);
    assert_eq!(assert_books_are_right(&test, poor.id).await, 2_500);
    assert_eq!(assert_books_are_right(&test, rich.id).await, 9_000, "what was bought stays");
    // A server that was off for half a year fills up once.
    charge(&test, poor.id, &subjects("lead", 50)).await;
    test.clock.advance_seconds(190 * 86_400);
    assert_eq!(refill_due(&test.app).await.unwrap(), 2);
    assert_eq!(assert_books_are_right(&test, poor.id).await, 2_500);
    let refilled = account::find(&test.app.db, poor.id).await.unwrap().unwrap();
    assert!(refilled.refill_at > test.app.clock.now());
}

#[rstest]
#[case::sqlite(On::Sqlite)]
#[case::postgres(On::Postgres)]
#[tokio::test]
async fn the_ledger_is_listed_newest_first_page_by_page(#[case] on: On) {
    let test = TestApp::new(on).await;
    let (account, key) = test.account(Tier::Growth, 500).await;
    charge(&test, account.id, &subjects("lead", 120)).await;
    let first = test.get("/credits", &key).await;
    assert_eq!((first.status, first.header("x-total-count")), (StatusCode::OK, "121"));
    let newest = &first.json()[0];
    assert_eq!(newest["line"], 121);
    assert_eq!((&newest["amount"], &newest["balance"], &newest["reason"]), (&(-1).into(), &380.into(), &"lead".into()));
    assert_eq!(newest["subject"], "lead-119");
    assert_eq!(newest["created_at"], "2026-11-15T02:03:04.123456+00:00");

    let mut path = "/credits?limit=7".to_owned();
    let mut seen = Vec::new();
    loop {
        let page = test.get(&path, &key).await;
        seen.extend(page.json().as_array().unwrap().iter().map(|line| line["line"].as_i64().unwrap()));
        let Some(link) = page.headers.get("link") else { break };
        let link = link.to_str().unwrap();
        path = link.split(['<', '>']).nth(1).unwrap().to_owned();
        assert!(link.ends_with("rel=\"next\""));
    }
    assert_eq!(seen, (1..=121).rev().collect::<Vec<i64>>(), "nothing lost, nothing repeated");
    let last = test.get("/credits?before=2", &key).await.json();
    assert_eq!((last.as_array().unwrap().len(), &last[0]["reason"]), (1, &"grant".into()));
}

#[tokio::test]
async fn a_page_the_client_has_is_not_sent_again() {
    let test = TestApp::new(On::Sqlite).await;
    let (account, key) = test.account(Tier::Growth, 5).await;
    let first = test.get("/credits", &key).await;
    let tag = first.header("etag").to_owned();
    let ask = || send(test.request(Method::GET, "/credits").header("X-API-Key", &key).header("If-None-Match", &tag));
    let second = ask().await;
    assert_eq!((second.status, second.text.as_str()), (StatusCode::NOT_MODIFIED, ""));
    charge(&test, account.id, &subjects("lead", 1)).await;
    let third = ask().await;
    assert_eq!(third.status, StatusCode::OK);
    assert_ne!(third.header("etag"), tag);
}

#[tokio::test]
async fn another_accounts_ledger_is_not_seen() {
    let test = TestApp::new(On::Sqlite).await;
    let (_, key) = test.account(Tier::Growth, 5).await;
    test.account(Tier::Growth, 77).await;
    assert_eq!(test.get("/credits", &key).await.json().as_array().unwrap().len(), 1);
}
