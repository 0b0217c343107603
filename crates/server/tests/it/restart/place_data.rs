//! The same for searches of place data, whose websites are read: of one import, and of two as one.

use canvass::app::Ports;
use canvass::config::{Settings, SourceNames};
use canvass::{App, search, work};
use rstest::rstest;

use super::{SITES_AT, Undisturbed, WORK_FROM, ahead, assert_exact, begin_with, delivered, kill_at};
use crate::support::{Home, On, Sites, Stored, dentist, import_places};
use canvass::search::StartRequest;
use canvass::steps::Step;

/// Businesses in all; every second one has a website of its own.
const PLACES: usize = 120;
/// Leads asked for.
const WANTED: i64 = 90;

fn request() -> StartRequest {
    StartRequest {
        industry: "dentist".into(),
        location: "Austin, TX".into(),
        requested_count: Some(WANTED),
        notify: true,
        ..StartRequest::default()
    }
}

/// An application whose listings come from imports, and whose websites are these.
async fn app(stored: &Stored, names: &str, sites: &Sites, ports: Ports) -> App {
    let settings = Settings {
        data: stored.binary.data(),
        lease_seconds: 1,
        source: SourceNames::parse(names).unwrap(),
        allow_addresses: sites.addresses(),
        ..Settings::default()
    };
    let addresses = sites.addresses();
    for (turn, name) in names.split(',').enumerate() {
        let places = (turn * 10..PLACES).map(|number| {
            let mut place = dentist(number);
            place.websites.iter_mut().for_each(|website| *website = format!("http://{}/", addresses[number / 2]));
            place
        });
        import_places(&settings, name, places);
    }
    App::new(stored.db().await, settings, ports)
}

#[rstest]
#[case::one_import(On::Sqlite, "mine")]
#[case::two_imports(On::Sqlite, "mine,theirs")]
#[case::on_postgres(On::Postgres, "mine,theirs")]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn killed_at_any_step_a_search_of_place_data_ends_as_if_nothing_had_happened(
    #[case] on: On,
    #[case] names: &str,
) {
    let homes = (0..PLACES / 2).map(|number| if number % 3 == 0 { Home::Email } else { Home::Words });
    let sites = Sites::serve(homes).await;
    let stored = Stored::new(On::Sqlite).await;
    let calm = app(&stored, names, &sites, Ports::default()).await;
    let (account, search) = begin_with(&calm, &request()).await;
    work::until_idle(&calm).await.unwrap();
    let coverage = search::find(&calm.db, account.id, search).await.unwrap().unwrap().into_inner().coverage;
    let expected = Undisturbed { businesses: delivered(&calm.db, &account, search).await, coverage };
    assert_eq!(expected.businesses.len(), WANTED as usize);
    assert!(expected.coverage.sites_read > 0);
    let addresses: Vec<String> = sites.addresses().iter().map(ToString::to_string).collect();
    for step in Step::ALL {
        let stored = Stored::new(on).await;
        let before = app(&stored, names, &sites, Ports::default()).await;
        let (account, search) = begin_with(&before, &request()).await;
        kill_at(step, &stored, &[(WORK_FROM, names), (SITES_AT, &addresses.join(","))]);
        let later = app(&stored, names, &sites, Ports { clock: ahead(600), ..Ports::default() }).await;
        work::until_idle(&later).await.unwrap();
        assert_exact(&later.db, &account, search, &expected).await;
    }
}
