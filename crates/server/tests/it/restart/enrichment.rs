//! Enrichments whose workers die, at every named step, in turn, or only seemingly: no lead is lost, none paid for twice.

use std::process::Child;
use std::sync::Arc;
use std::time::{Duration, Instant};

use canvass::account::{self, Account, Email, NewAccount};
use canvass::ai::{self, Feature};
use canvass::app::Ports;
use canvass::enrichment::{self, EnrichmentProgress, Status};
use canvass::ids::SearchId;
use canvass::plan::Tier;
use canvass::search::{self, StartRequest};
use canvass::steps::Step;
use canvass::{App, work};
use rstest::rstest;
use rustix::process::Signal;
use serde_json::json;
use tokio::sync::Semaphore;

use super::{kill_at, random, signal, spawn};
use crate::enrichment::with_reviews;
use crate::support::{On, Provider, Says, Scripted, Stored, ahead, listing};

/// Enrichments a month of the plan the tests run on.
const ALLOWANCE: i64 = 10_000;

/// An account with so many finished searches of so many businesses with reviews and one without, all being enriched.
async fn begin(stored: &Stored, searches: usize, count: usize) -> (App, Account, Vec<SearchId>) {
    let listings = (0..count).map(with_reviews).chain([listing(9_999)]).collect();
    let ports = Ports { source: Some(Arc::new(Scripted::listing(listings))), ..Ports::default() };
    let app = stored.app(ports).await;
    let email = Email::parse("owner@example.com").unwrap();
    let new = NewAccount { email, tier: Tier::Scale, credits: Some(5_000), add_ons: Vec::new() };
    let account = account::create(&app, new).await.unwrap();
    let mut begun = Vec::new();
    for _ in 0..searches {
        let request = StartRequest {
            industry: "plumber".into(),
            location: "Plainville, Sandbox".into(),
            ..StartRequest::default()
        };
        let request = StartRequest { requested_count: Some(2_500), ..request };
        begun.push(search::start(&app, &account, request, None).await.unwrap().search().id);
    }
    work::until_idle(&app).await.unwrap();
    for search in &begun {
        let found = search::find(&app.db, account.id, *search).await.unwrap().unwrap();
        enrichment::start(&app, &account, &found, enrichment::EnrichmentRequest::default()).await.unwrap().unwrap();
    }
    (app, account, begun)
}

async fn states(app: &App, account: &Account, searches: &[SearchId]) -> Vec<EnrichmentProgress> {
    let mut found = Vec::new();
    for search in searches {
        let search = search::find(&app.db, account.id, *search).await.unwrap().unwrap();
        found.push(enrichment::show(app, account, &search).await.unwrap());
    }
    found
}

/// Asserts that so many leads of each search were enriched, once each, and that exactly those were paid for.
async fn assert_exact(app: &App, account: &Account, searches: &[SearchId], count: usize) {
    for state in states(app, account, searches).await {
        assert_eq!((state.status, &state.stopped_because), (Status::Done, &None));
        assert_eq!((state.count("enriched"), state.count("skipped"), state.leads.len()), (count, 1, count + 1));
        let named = state.leads.iter().filter(|lead| lead.owner_name.as_deref() == Some("Jane Doe")).count();
        assert_eq!(named, count, "what was paid for is on the lead");
    }
    let left = ai::remaining(app, account, Feature::Enrich).await.unwrap().left();
    let paid = i64::try_from(count * searches.len()).unwrap();
    assert_eq!(left, ALLOWANCE - paid, "each lead is paid for once, and nothing is still held");
    assert_eq!(ai::audit(&app.db).await.unwrap(), vec![], "the meter is the sum of the uses");
}

#[rstest]
#[case::sqlite(On::Sqlite)]
#[case::postgres(On::Postgres)]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn killed_at_any_step_an_enrichment_ends_as_if_nothing_had_happened(#[case] on: On) {
    // Behind the job's lease but not behind what its worker had reserved, and behind both.
    for seconds in [5, 600] {
        for step in Step::ENRICH {
            let stored = Stored::new(on).await;
            let (_, account, searches) = begin(&stored, 1, 20).await;
            kill_at(step, &stored, &[]);
            let later = stored.app(Ports { clock: ahead(seconds), ..Ports::default() }).await;
            work::until_idle(&later).await.unwrap();
            assert_exact(&later, &account, &searches, 20).await;
        }
    }
}

/// A model that names the owner as fast as its gate lets it, and workers' settings to ask it.
async fn gated(mut stored: Stored) -> (Stored, Provider, Arc<Semaphore>) {
    let gate = Arc::new(Semaphore::new(0));
    let answer = json!({"owner_name": "Jane Doe", "owner_title": "owner", "email": null}).to_string();
    let provider = Provider::saying([Says::Gated(gate.clone(), answer)]).await;
    stored.binary = stored.binary.set("CANVASS_AI_BASE_URL", &provider.base).set("CANVASS_AI_MODEL", "small");
    (stored, provider, gate)
}

/// How many leads are settled, and whether all are.
async fn settled(app: &App, account: &Account, searches: &[SearchId]) -> (usize, bool) {
    let states = states(app, account, searches).await;
    let leads = states.iter().flat_map(|state| &state.leads);
    (leads.filter(|lead| lead.status.is_some()).count(), states.iter().all(|state| state.status == Status::Done))
}

/// Opens the gate bit by bit until so many leads are settled.
async fn until_settled(
    (app, account): (&App, &Account),
    searches: &[SearchId],
    gate: &Semaphore,
    wanted: usize,
) -> usize {
    let begun = Instant::now();
    loop {
        let (count, all) = settled(app, account, searches).await;
        if all || count >= wanted {
            return count;
        }
        assert!(begun.elapsed() < Duration::from_secs(60), "{count} of {wanted} are settled");
        gate.add_permits(1);
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

#[rstest]
#[case::sqlite(On::Sqlite)]
#[case::postgres(On::Postgres)]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn several_workers_that_are_killed_enrich_every_lead_once(#[case] on: On) {
    let (stored, provider, gate) = gated(Stored::new(on).await).await;
    let (app, account, searches) = begin(&stored, 3, 60).await;
    let mut workers: Vec<_> = (0..3).map(|_| spawn(&stored, &["work"])).collect();
    let mut count = 0;
    for killed in 0..9 {
        let wanted = count + 1 + usize::try_from(random(8)).unwrap();
        count = until_settled((&app, &account), &searches, &gate, wanted).await;
        let mut worker = std::mem::replace(&mut workers[killed % 3], spawn(&stored, &["work"]));
        signal(&worker, Signal::KILL);
        worker.wait().unwrap();
    }
    assert!((9..183).contains(&count), "it was still running when the last one was killed: {count}");
    until_settled((&app, &account), &searches, &gate, usize::MAX).await;
    for mut worker in workers {
        signal(&worker, Signal::TERM);
        assert!(worker.wait().unwrap().success());
    }
    assert!(provider.asked().len() >= 180, "every lead is asked about");
    assert_exact(&app, &account, &searches, 60).await;
}

/// Stops a worker while it writes nothing: asleep with a lock in its hands it would hold up everybody, on any database.
async fn put_to_sleep(worker: &Child, app: &App, (account, search): (&Account, SearchId)) {
    let found = search::find(&app.db, account.id, search).await.unwrap().unwrap();
    loop {
        signal(worker, Signal::STOP);
        let joining = enrichment::start(app, account, &found, enrichment::EnrichmentRequest::default());
        if tokio::time::timeout(Duration::from_secs(1), joining).await.is_ok() {
            return;
        }
        signal(worker, Signal::CONT);
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

#[rstest]
#[case::sqlite(On::Sqlite)]
#[case::postgres(On::Postgres)]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_worker_that_slept_past_its_lease_pays_for_nothing(#[case] on: On) {
    let (stored, provider, gate) = gated(Stored::new(on).await).await;
    let (app, account, searches) = begin(&stored, 1, 40).await;
    let mut sleeper = spawn(&stored, &["work"]);
    let count = until_settled((&app, &account), &searches, &gate, 5).await;
    put_to_sleep(&sleeper, &app, (&account, searches[0])).await;
    let asked = provider.asked().len();
    let mut other = spawn(&stored, &["work"]);
    // The other has taken over when leads are settled; only then the sleeper wakes, its answers waiting for it.
    until_settled((&app, &account), &searches, &gate, count + 12).await;
    assert!(provider.asked().len() > asked, "what the sleeper had asked is asked again");
    signal(&sleeper, Signal::CONT);
    until_settled((&app, &account), &searches, &gate, usize::MAX).await;
    for process in [&mut sleeper, &mut other] {
        signal(process, Signal::TERM);
        assert!(process.wait().unwrap().success());
    }
    assert_exact(&app, &account, &searches, 40).await;
}
