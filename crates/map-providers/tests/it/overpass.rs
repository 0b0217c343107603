//! OpenStreetMap through Overpass: everything is found once, slots are kept, and faults are survived.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use futures::FutureExt;
use futures::future::{BoxFuture, join_all};
use map_providers::overpass::{Overpass, OverpassSettings};
use map_providers::{
    Answer, Call, CallError, Cell, Found, Gateway, ListingProvider, PlainGateway, ProviderError, Question, Reply,
};
use places::{Area, Category, Scope};
use rehearsal::overpass::{Options, QueryFault, Rehearsal, RequestKind, StatusPage, osm_id};
use sandbox::{Business, Website, World, test_place};
use tokio::sync::Semaphore;
use url::Url;

/// Cells that one search may take before it is stopped as endless.
const CELLS_MAX: usize = 3_000;

fn world() -> World {
    World::new(1)
}

fn category(slug: &str) -> &'static Category {
    places::category(slug).unwrap()
}

fn plainville() -> Area {
    test_place("Plainville, Sandbox").unwrap().area(Scope::City)
}

/// Starts a server; gives its address and its log.
async fn serve(options: Options) -> (Url, Rehearsal) {
    let rehearsal = Rehearsal::new(world(), options);
    let listener = tokio::net::TcpListener::bind(SocketAddr::from(([127, 0, 0, 1], 0))).await.unwrap();
    let url = Url::parse(&format!("http://{}/api/interpreter", listener.local_addr().unwrap())).unwrap();
    let router = rehearsal.router();
    tokio::spawn(async move { axum::serve(listener, router).await });
    (url, rehearsal)
}

/// Pauses that suit a test.
fn settings(endpoints: Vec<Url>) -> OverpassSettings {
    OverpassSettings {
        interval: Duration::ZERO,
        pause: Duration::from_millis(20),
        wait_max: Duration::from_secs(10),
        ..OverpassSettings::at(endpoints)
    }
}

fn gateway() -> PlainGateway {
    PlainGateway::new("canvass-test/0 (+https://example.org)").unwrap()
}

fn questions(area: &Area, category: &'static Category) -> Vec<Question> {
    let words = category.name.to_owned();
    let cells = area.boxes().into_iter().map(|part| Cell::around(&part));
    cells.map(|cell| Question { category, words: words.clone(), area: area.clone(), cell }).collect()
}

/// Asks about a whole area, cell by cell.
async fn search(
    provider: &Overpass,
    gateway: &dyn Gateway,
    area: &Area,
    category: &'static Category,
) -> Result<Vec<Found>, ProviderError> {
    let mut open: VecDeque<Question> = questions(area, category).into();
    let (mut found, mut cells) = (Vec::new(), 0);
    while let Some(question) = open.pop_front() {
        cells += 1;
        assert!(cells <= CELLS_MAX, "the division does not end");
        match provider.ask(gateway, &question).await? {
            Answer::Whole(more) => {
                assert!(more.is_sorted_by(|one, two| one.place.id < two.place.id), "ordered by id, each once");
                let inside =
                    |found: &Found| question.cell.contains(found.place.point) && area.contains(found.place.point);
                assert!(more.iter().all(inside));
                found.extend(more);
            }
            Answer::Divide(parts) => {
                assert!(parts.len() > 1);
                open.extend(parts.into_iter().map(|cell| Question { cell, ..question.clone() }));
            }
            Answer::Part { .. } => panic!("an answer of this provider is whole"),
        }
    }
    Ok(found)
}

/// Ids of what was found; fails when one was found twice.
fn ids(found: &[Found]) -> BTreeSet<String> {
    let ids: BTreeSet<String> = found.iter().map(|found| found.place.id.clone()).collect();
    assert_eq!(ids.len(), found.len(), "found twice");
    ids
}

fn expected(area: &Area, category: &'static Category) -> BTreeSet<String> {
    world().businesses(area, category).map(|business| osm_id(&business)).collect()
}

#[tokio::test]
async fn the_businesses_of_a_town_are_all_found_as_the_sandbox_has_them() {
    let (url, rehearsal) = serve(Options { slots: 2, sites_port: 8_080, ..Options::default() }).await;
    let provider = Overpass::new(settings(vec![url]));
    for slug in ["dentist", "plumber"] {
        let found = search(&provider, &gateway(), &plainville(), category(slug)).await.unwrap();
        let mut places: BTreeMap<String, _> =
            found.into_iter().map(|found| (found.place.id.clone(), found.place)).collect();
        let businesses: Vec<Business> = world().businesses(&plainville(), category(slug)).collect();
        assert!(businesses.len() > 10, "{}", businesses.len());
        for business in businesses {
            let place = places.remove(&osm_id(&business)).unwrap_or_else(|| panic!("{} is missing", business.name));
            assert_eq!(place.name, business.name);
            assert!(place.point.miles_to(business.point) < 0.001);
            assert_eq!(place.phones.first(), business.phone.as_ref());
            assert_eq!(place.websites.first(), business.website.url(8_080).as_ref());
            assert_eq!(place.brand.and_then(|brand| brand.name), business.chain);
            let address = &place.addresses[0];
            assert_eq!(address.freeform.as_ref(), Some(&business.street));
            assert_eq!(address.locality.as_ref(), Some(&business.city));
            assert_eq!(address.region.as_ref(), Some(&business.state));
            assert_eq!(address.postcode, business.postal_code);
        }
        assert_eq!(places.len(), 0, "others than asked for");
    }
    let log = rehearsal.log();
    let kinds: Vec<RequestKind> = log.iter().map(|request| request.kind).collect();
    use RequestKind::{Query, Status};
    assert_eq!(kinds, [Status, Query, Status, Query], "asked before each query, and each town in one");
    assert!(log.iter().all(|request| request.status == 200 && request.ended >= Some(request.started)));
}

#[tokio::test]
async fn every_category_that_has_tags_is_found() {
    let (url, _) = serve(Options::default()).await;
    let (provider, gateway) = (Overpass::new(settings(vec![url])), gateway());
    for category in places::categories() {
        let found = search(&provider, &gateway, &plainville(), category).await;
        if category.osm.is_empty() {
            let error = found.unwrap_err();
            assert!(
                matches!(&error, ProviderError::Permanent(reason) if reason.starts_with("OpenStreetMap has no tag for"))
            );
            continue;
        }
        let (found, expected) = (ids(&found.unwrap()), expected(&plainville(), category));
        let missing: Vec<&String> = expected.difference(&found).collect();
        assert!(missing.is_empty(), "{}: {missing:?}", category.slug);
        // Two pairs of categories have the same tags, which OpenStreetMap cannot tell apart.
        let is_alone = places::categories().iter().filter(|other| other.osm == category.osm).count() == 1;
        assert!(!is_alone || found == expected, "{}", category.slug);
    }
}

#[tokio::test]
async fn a_large_area_is_split_and_nothing_is_lost_or_doubled() {
    let wide = test_place("Plainville, Sandbox").unwrap().circle(160.0);
    let state = places::locate("Rhode Island").unwrap().place.area(Scope::State);
    let county = places::locate("Travis County, TX").unwrap().place.area(Scope::County);
    let several = Area::several(vec![plainville(), county.clone()]).unwrap();
    let by_time = |degrees| Options { side_degrees_max: Some(degrees), ..Options::default() };
    let by_memory = |results| Options { results_max: Some(results), ..Options::default() };
    let cases = [
        (&wide, "dentist", Options::default(), 10),
        (&state, "dentist", by_time(0.2), 20),
        (&county, "plumber", by_memory(40), 10),
        (&county, "pizza_restaurant", by_time(0.4), 10),
        (&several, "dentist", Options::default(), 2),
    ];
    for (area, slug, options, requests_min) in cases {
        let (url, rehearsal) = serve(options).await;
        let provider = Overpass::new(settings(vec![url]));
        let found = search(&provider, &gateway(), area, category(slug)).await.unwrap();
        let mut expected = expected(area, category(slug));
        if area.name() == wide.name() && area.radius_miles() == Some(160.0) {
            // No provider finds anything in Emptyville.
            let empty = test_place("Emptyville, Sandbox").unwrap().area(Scope::City);
            world().businesses(&empty, category(slug)).for_each(|business| {
                expected.remove(&osm_id(&business));
            });
        }
        assert!(expected.len() > 20, "{area:?} {}", expected.len());
        let found = ids(&found);
        assert_eq!(found.difference(&expected).count(), 0, "{area:?}: too many");
        assert_eq!(expected.difference(&found).count(), 0, "{area:?}: too few");
        let queries = rehearsal.log().iter().filter(|request| request.kind == RequestKind::Query).count();
        assert!(queries >= requests_min, "{area:?}: {queries}");
    }
}

#[tokio::test]
async fn a_state_is_not_asked_about_in_one_go() {
    let texas = places::locate("Texas").unwrap().place.area(Scope::State);
    let (url, rehearsal) = serve(Options::default()).await;
    let provider = Overpass::new(settings(vec![url]));
    let question = &questions(&texas, category("plumber"))[0];
    let Answer::Divide(parts) = provider.ask(&gateway(), question).await.unwrap() else { panic!("divided") };
    assert!(parts.len() > 100, "{}", parts.len());
    assert_eq!(rehearsal.log().len(), 0, "no request is needed to divide");
    let estimate: BTreeMap<&str, u32> = provider.estimate(question).into_iter().collect();
    assert!((60..=parts.len() as u32).contains(&estimate["query"]), "{estimate:?}");
    // A corner of the box in which nothing of Texas lies is not asked about.
    let corner = Question { cell: parts[0], ..question.clone() };
    assert_eq!(provider.ask(&gateway(), &corner).await.unwrap(), Answer::Whole(Vec::new()));
    assert_eq!(rehearsal.log().len(), 0);
}

/// Keeps the pace that calls ask for, as the gateway of the service does; counts, and stores what is worth it.
#[derive(Debug)]
struct KeepingGateway {
    plain: PlainGateway,
    permits: Semaphore,
    stored: tokio::sync::Mutex<BTreeMap<(String, Vec<u8>), Reply>>,
}

impl KeepingGateway {
    fn new(concurrent: usize) -> KeepingGateway {
        KeepingGateway { plain: gateway(), permits: Semaphore::new(concurrent), stored: tokio::sync::Mutex::default() }
    }

    fn key(call: &Call) -> (String, Vec<u8>) {
        (call.url.to_string(), call.body.to_vec())
    }
}

impl Gateway for KeepingGateway {
    fn call<'a>(&'a self, call: &'a Call) -> BoxFuture<'a, Result<Reply, CallError>> {
        async move {
            if let Some(reply) = self.stored.lock().await.get(&Self::key(call)) {
                return Ok(reply.clone());
            }
            let _permit = if call.kind == "query" { Some(self.permits.acquire().await.unwrap()) } else { None };
            let reply = self.plain.call(call).await?;
            if !call.fresh_for.is_zero() && (call.is_worth_storing)(&reply) {
                self.stored.lock().await.insert(Self::key(call), reply.clone());
            }
            Ok(reply)
        }
        .boxed()
    }

    fn is_stored<'a>(&'a self, call: &'a Call) -> BoxFuture<'a, bool> {
        async move { self.stored.lock().await.contains_key(&Self::key(call)) }.boxed()
    }
}

#[tokio::test]
async fn no_more_queries_are_under_way_than_there_are_slots() {
    for (slots, clients) in [(1, 1), (2, 2), (2, 5)] {
        let options = Options {
            slots,
            cool_down: Duration::from_millis(300),
            work: Duration::from_millis(100),
            ..Options::default()
        };
        let (url, rehearsal) = serve(options).await;
        let provider = Arc::new(Overpass::new(OverpassSettings { slots_max: slots, ..settings(vec![url]) }));
        let keeping = Arc::new(KeepingGateway::new(slots as usize));
        let slugs = ["dentist", "plumber", "electrician", "roofer", "painter"];
        let searches = slugs.iter().take(clients).map(|slug| {
            let (provider, keeping) = (provider.clone(), keeping.clone());
            async move {
                let found = search(&provider, &*keeping, &plainville(), category(slug)).await.unwrap();
                assert_eq!(ids(&found), expected(&plainville(), category(slug)), "{slug}");
            }
        });
        join_all(searches).await;
        let log = rehearsal.log();
        let queries: Vec<_> = log.iter().filter(|request| request.kind == RequestKind::Query).collect();
        let under_way = |at| queries.iter().filter(|query| query.started <= at && query.ended > Some(at)).count();
        let most = queries.iter().map(|query| under_way(query.started)).max().unwrap();
        assert!(most <= slots as usize && rehearsal.concurrent_max() <= slots, "{slots}: {most}");
        assert_eq!(queries.iter().filter(|query| query.status == 200).count(), clients, "one answer each");
        let refused = queries.iter().filter(|query| query.status == 429).count();
        assert!(clients > slots as usize || refused == 0, "{slots} {clients}: refused {refused} times");
    }
}

#[tokio::test]
async fn a_stored_answer_needs_no_request_at_all() {
    let (url, rehearsal) = serve(Options { slots: 2, ..Options::default() }).await;
    let provider = Overpass::new(settings(vec![url]));
    let keeping = KeepingGateway::new(2);
    let first = search(&provider, &keeping, &plainville(), category("dentist")).await.unwrap();
    let requests = rehearsal.log().len();
    let second = search(&provider, &keeping, &plainville(), category("dentist")).await.unwrap();
    assert_eq!(first, second);
    assert_eq!((requests, rehearsal.log().len()), (2, 2));
    let stored: Vec<String> = keeping.stored.lock().await.keys().map(|(url, _)| url.clone()).collect();
    assert_eq!(stored.len(), 1, "the status is never stored");
    assert!(stored[0].ends_with("/api/interpreter"));
}

#[tokio::test]
async fn faults_that_pass_are_survived() {
    use QueryFault::{
        Disconnected, Doubled, Huge, Page, Remark, Slow, TooBusy, TooManyRequests, Truncated, WrongTypes,
    };
    let busy = "runtime error: open64: Dispatcher_Client::request_read_and_idx::rate_limited.";
    let faults = [
        TooManyRequests(None),
        TooManyRequests(Some(1)),
        TooBusy,
        Remark(busy),
        Remark("runtime error: something unheard of"),
        Remark("runtime remark: all is well"),
        Page,
        QueryFault::Status(503),
        QueryFault::Status(500),
        Slow(Duration::from_millis(200)),
        Huge,
        WrongTypes,
        Truncated,
        Doubled,
        Disconnected,
        Remark("runtime error: Query timed out in \"query\" at line 3 after 61 seconds."),
        Remark("runtime error: Query run out of memory using about 2048 MB of RAM."),
    ];
    let whole = expected(&plainville(), category("dentist"));
    for fault in faults {
        let options = Options { faults: BTreeMap::from([(0, fault.clone())]), ..Options::default() };
        let (url, rehearsal) = serve(options).await;
        let provider = Overpass::new(settings(vec![url]));
        let found = search(&provider, &gateway(), &plainville(), category("dentist")).await;
        let found = found.unwrap_or_else(|error| panic!("{fault:?}: {error}"));
        if fault == Remark("runtime remark: all is well") {
            assert_eq!(found.len(), 0, "a remark that is no error comes with a whole answer");
            continue;
        }
        assert_eq!(ids(&found), whole, "{fault:?}");
        let queries = rehearsal.log().iter().filter(|request| request.kind == RequestKind::Query).count();
        let expected = match fault {
            Slow(_) | WrongTypes | Doubled => 1..=1,
            // Quarters of the cell, of which each is asked about.
            Huge => 5..=5,
            Remark(text) if text.contains("timed out") || text.contains("memory") => 5..=5,
            _ => 2..=2,
        };
        assert!(expected.contains(&queries), "{fault:?}: {queries}");
    }
}

#[tokio::test]
async fn faults_that_stay_give_a_clear_sentence() {
    use QueryFault::{Disconnected, Huge, Page, Remark, Slow, TooBusy, TooManyRequests, Truncated};
    let timed_out = Remark("runtime error: Query timed out in \"query\" at line 3 after 61 seconds.");
    let cases = [
        (TooManyRequests(None), "the OpenStreetMap server is busy and asks to come back later"),
        (TooManyRequests(Some(3_600)), "the OpenStreetMap server is busy and asks to come back later"),
        (TooBusy, "the OpenStreetMap server is busy and asks to come back later"),
        (timed_out, "the OpenStreetMap server is too slow even for a small area"),
        (
            Remark("runtime error: out of memory"),
            "the OpenStreetMap server has too little memory even for a small area",
        ),
        (Huge, "the OpenStreetMap server sends too much even for a small area"),
        (Page, "the OpenStreetMap server is out of order: it sent a web page instead of data"),
        (Truncated, "the OpenStreetMap server is out of order: its answer broke off, or is not what such servers send"),
        (QueryFault::Status(502), "the OpenStreetMap server is out of order: it answered with status 502"),
        (QueryFault::Status(403), "the OpenStreetMap server does not serve this installation"),
        (QueryFault::Status(404), "the OpenStreetMap server is not there: the address in the settings is wrong"),
        (QueryFault::Status(400), "the OpenStreetMap server does not understand the query"),
        (Disconnected, "the OpenStreetMap server is out of order: the connection broke"),
        (Slow(Duration::from_secs(60)), "the OpenStreetMap server is out of order: it did not answer within 1 s"),
    ];
    for (fault, sentence) in cases {
        let (url, rehearsal) = serve(Options { every_query: Some(fault.clone()), ..Options::default() }).await;
        let provider = Overpass::new(OverpassSettings { answer_bytes_max: 1 << 20, ..settings(vec![url]) });
        let gateway = HurriedGateway(gateway());
        let mut area = plainville();
        if fault == Huge {
            // Each answer is megabytes long: begin with a small area.
            area = test_place("Plainville, Sandbox").unwrap().circle(1.0);
        }
        let error = first_error(&provider, &gateway, &area).await;
        assert!(error.to_string().starts_with(sentence), "{fault:?}: {error}");
        assert!(!error.to_string().contains("127.0.0.1"), "{error}");
        if fault == TooManyRequests(Some(3_600)) {
            let after = Some(Duration::from_secs(3_600));
            assert!(matches!(&error, ProviderError::Transient { after: told, .. } if *told == after), "{error:?}");
        }
        assert!(rehearsal.log().len() < 40, "{fault:?}: {} requests", rehearsal.log().len());
    }
}

/// Waits a second for an answer, whatever a call allows.
#[derive(Debug)]
struct HurriedGateway(PlainGateway);

impl Gateway for HurriedGateway {
    fn call<'a>(&'a self, call: &'a Call) -> BoxFuture<'a, Result<Reply, CallError>> {
        let hurried = Call { timeout: call.timeout.min(Duration::from_secs(1)), ..call.clone() };
        async move { self.0.call(&hurried).await }.boxed()
    }
}

/// The first error on the way down into the first of the parts.
async fn first_error(provider: &Overpass, gateway: &dyn Gateway, area: &Area) -> ProviderError {
    let mut question = questions(area, category("dentist")).remove(0);
    for _ in 0..20 {
        match provider.ask(gateway, &question).await {
            Err(error) => return error,
            Ok(Answer::Whole(found)) if found.is_empty() => panic!("nothing where an error was expected"),
            Ok(Answer::Whole(found)) => panic!("{} found where an error was expected", found.len()),
            // The part with the centre of the circle, so that each is asked about.
            Ok(Answer::Divide(parts)) => {
                question.cell = parts.into_iter().find(|part| part.contains(area.centre())).unwrap();
            }
            Ok(Answer::Part { .. }) => panic!("an answer of this provider is whole"),
        }
    }
    panic!("no error after twenty divisions");
}

#[tokio::test]
async fn other_servers_are_tried_when_one_is_down() {
    let whole = expected(&plainville(), category("plumber"));
    let nowhere = Url::parse("http://127.0.0.1:1/api/").unwrap();
    let (broken, down) = serve(Options { outage_from: Some(0), ..Options::default() }).await;
    let (refusing, _) = serve(Options { every_query: Some(QueryFault::Status(403)), ..Options::default() }).await;
    let (good, up) = serve(Options::default()).await;
    let provider = Overpass::new(settings(vec![nowhere.clone(), broken, refusing, good]));
    let found = search(&provider, &gateway(), &plainville(), category("plumber")).await.unwrap();
    assert_eq!(ids(&found), whole);
    assert_eq!((down.log().len(), up.log().len()), (1, 2), "a server that is down is not asked the query");

    let (failing, rehearsal) = serve(Options { outage_from: Some(4), ..Options::default() }).await;
    let provider = Overpass::new(settings(vec![failing]));
    for slug in ["plumber", "dentist"] {
        assert!(search(&provider, &gateway(), &plainville(), category(slug)).await.is_ok());
    }
    let error = search(&provider, &gateway(), &plainville(), category("roofer")).await.unwrap_err();
    assert!(matches!(&error, ProviderError::Transient { reason, .. } if reason.contains("out of order")), "{error}");
    assert_eq!(rehearsal.log().len(), 6, "tried twice");

    let provider = Overpass::new(settings(vec![nowhere]));
    let error = search(&provider, &gateway(), &plainville(), category("roofer")).await.unwrap_err();
    assert!(error.to_string().contains("no connection"), "{error}");
    let none = Overpass::new(settings(Vec::new()));
    let error = search(&none, &gateway(), &plainville(), category("roofer")).await.unwrap_err();
    assert_eq!(error, ProviderError::Permanent("no OpenStreetMap server is set up".to_owned()));
}

#[tokio::test]
async fn a_status_page_of_any_kind_is_lived_with() {
    let whole = expected(&plainville(), category("plumber"));
    for status in [StatusPage::Unlimited, StatusPage::Lying, StatusPage::Missing, StatusPage::Garbled] {
        let options = Options { slots: 1, cool_down: Duration::from_millis(40), status, ..Options::default() };
        let (url, rehearsal) = serve(options).await;
        let provider = Overpass::new(settings(vec![url]));
        for _ in 0..2 {
            let found = search(&provider, &gateway(), &plainville(), category("plumber")).await.unwrap();
            assert_eq!(ids(&found), whole, "{status:?}");
        }
        assert!(rehearsal.concurrent_max() == 1, "{status:?}");
    }
}

#[tokio::test]
async fn a_server_that_stays_busy_is_given_up_and_its_wait_is_told() {
    let (url, rehearsal) = serve(Options { slots: 1, cool_down: Duration::from_secs(600), ..Options::default() }).await;
    let provider = Overpass::new(settings(vec![url]));
    assert!(search(&provider, &gateway(), &plainville(), category("plumber")).await.is_ok());
    let error = search(&provider, &gateway(), &plainville(), category("dentist")).await.unwrap_err();
    let ProviderError::Transient { after: Some(after), .. } = error else { panic!("{error:?}") };
    assert!((Duration::from_secs(598)..=Duration::from_secs(602)).contains(&after), "{after:?}");
    let queries = rehearsal.log().iter().filter(|request| request.kind == RequestKind::Query).count();
    assert_eq!(queries, 1, "no query is sent without a slot");
}

#[tokio::test]
async fn what_changes_between_two_requests_is_as_it_is_at_the_second() {
    let faults = BTreeMap::from([(1, QueryFault::Changed), (2, QueryFault::Vanished)]);
    let (url, _) = serve(Options { faults, ..Options::default() }).await;
    let provider = Overpass::new(settings(vec![url]));
    let mut found = Vec::new();
    for _ in 0..3 {
        found.push(search(&provider, &gateway(), &plainville(), category("plumber")).await.unwrap());
    }
    assert_eq!(ids(&found[0]), ids(&found[1]));
    let renamed: Vec<&Found> = found[1].iter().filter(|one| !found[0].contains(one)).collect();
    assert!(renamed.len() == 1 && renamed[0].place.name.ends_with(" (new owner)"), "{renamed:?}");
    let (before, after) = (ids(&found[0]), ids(&found[2]));
    assert!(after.is_subset(&before) && after.len() + 1 == before.len());
}

#[tokio::test]
async fn a_dense_spot_is_divided_as_far_as_it_goes() {
    let area = plainville();
    let first = world().businesses(&area, category("dentist")).next().unwrap();
    let crowd = |spread: f64| -> Vec<Business> {
        let at = |number: u32| places::Point {
            latitude: -40.05 + spread * f64::from(number % 20),
            longitude: -30.05 + spread * f64::from(number / 20),
        };
        let one = |number| Business {
            id: format!("crowd{number}"),
            website: Website::None,
            point: at(number),
            ..first.clone()
        };
        (0..400).map(one).collect()
    };
    let options = |extra| Options { extra, results_max: Some(150), ..Options::default() };
    let (url, _) = serve(options(crowd(0.005))).await;
    let provider = Overpass::new(settings(vec![url]));
    let found = search(&provider, &gateway(), &area, category("dentist")).await.unwrap();
    let of_crowd: BTreeSet<String> = crowd(0.005).iter().map(osm_id).collect();
    assert!(of_crowd.is_subset(&ids(&found)) && of_crowd.len() == 400);

    let (url, rehearsal) = serve(options(crowd(0.000_01))).await;
    let provider = Overpass::new(settings(vec![url]));
    let error = search(&provider, &gateway(), &area, category("dentist")).await.unwrap_err();
    let sentence = "the OpenStreetMap server has too little memory even for a small area";
    assert_eq!(error, ProviderError::Permanent(sentence.to_owned()));
    assert!(rehearsal.log().len() < 100);
}

#[tokio::test]
async fn checking_the_set_up_tells_the_age_of_the_data() {
    let (url, _) = serve(Options { slots: 2, ..Options::default() }).await;
    let said = Overpass::new(settings(vec![url.clone()])).check(&gateway()).await.unwrap();
    assert_eq!(said, "the OpenStreetMap server answers, with data 3 minutes old, and 2 of 2 slots are free");

    let nowhere = Url::parse("http://127.0.0.1:1/").unwrap();
    let said = Overpass::new(settings(vec![nowhere.clone(), url])).check(&gateway()).await.unwrap();
    assert!(said.starts_with("server 1 of 2: the OpenStreetMap server is out of order: no connection"), "{said}");
    assert!(said.contains("; server 2 of 2: the OpenStreetMap server answers"), "{said}");

    let error = Overpass::new(settings(vec![nowhere])).check(&gateway()).await.unwrap_err();
    assert!(matches!(error, ProviderError::Transient { .. }), "{error}");
    let (url, _) = serve(Options { every_query: Some(QueryFault::TooBusy), ..Options::default() }).await;
    let error = Overpass::new(settings(vec![url])).check(&gateway()).await.unwrap_err();
    assert_eq!(error.to_string(), "the OpenStreetMap server is busy and asks to come back later");
}
