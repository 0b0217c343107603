//! Every hostile shape of `tests/hostile` stays within its step budget, and its steps grow linearly with its size. Steps are
//! counted, not timed, so the result is the same on every machine; `examples/throughput.rs` times the same shapes.

use page_facts::{Context, CutReason, RawPage, SiteFacts, facts, steps_max};

use crate::generated::{Rng, Shape, shapes};

/// Makes the pages the same in every run.
const SEED: u64 = 0x05EE_D0FF_AC75;
/// Sizes at which every shape is read, in bytes.
const SIZES: [usize; 2] = [20_000, 200_000];
/// Size at which every third shape is read, in bytes; the benchmark reads all shapes at this size.
const LARGE: usize = 2_000_000;
/// Number of tests the shapes are split over, so that they run in parallel.
const PARTS: usize = 4;
/// Mutated pages per run.
const MUTATIONS: usize = 400;

fn read(shape: &Shape, bodies: &[Vec<u8>]) -> SiteFacts {
    let page = |body| RawPage { url: "https://www.acme-roofing.com/contact", content_type: None, body };
    let pages: Vec<RawPage<'_>> = bodies.iter().map(|body| page(body.as_slice())).collect();
    let context = Context { region: shape.region, business_name: Some("Acme Roofing"), scripts: &[] };
    facts(&pages, &context)
}

/// Checks the invariants of every page and returns the steps of all pages.
fn check(shape: &Shape, bodies: &[Vec<u8>]) -> u64 {
    let found = read(shape, bodies);
    assert_eq!(found.pages.len(), bodies.len(), "{}", shape.name);
    for page in &found.pages {
        assert!(page.steps <= steps_max(page.bytes), "{}: {} steps for {} bytes", shape.name, page.steps, page.bytes);
    }
    assert_eq!(found.cut_pages.len(), found.pages.iter().filter(|page| page.cut).count(), "{}", shape.name);
    let most = 300 * bodies.len();
    assert!(found.emails.len() <= 200 && found.people.len() <= 500 && found.phones.len() <= most, "{}", shape.name);
    assert!(found.addresses.len() <= 200, "{}", shape.name);
    found.pages.iter().map(|page| page.steps).sum()
}

fn check_part(part: usize) {
    for (number, shape) in shapes().iter().skip(part).step_by(PARTS).enumerate() {
        let large = number.is_multiple_of(3).then_some(LARGE);
        let sizes = SIZES.into_iter().chain(large);
        let steps: Vec<(usize, u64)> = sizes.map(|bytes| (bytes, check(shape, &shape.bodies(bytes, SEED)))).collect();
        for pair in steps.windows(2) {
            let ((small, few), (large, many)) = (pair[0], pair[1]);
            // The frame and the last piece make a page slightly longer than requested.
            let most = few * (large / small) as u64 * 11 / 10 + 20_000;
            assert!(many <= most, "{}: {few} steps at {small} bytes became {many} at {large}", shape.name);
        }
    }
}

#[test]
fn the_first_quarter_of_shapes_stays_within_budget() {
    check_part(0);
}

#[test]
fn the_second_quarter_of_shapes_stays_within_budget() {
    check_part(1);
}

#[test]
fn the_third_quarter_of_shapes_stays_within_budget() {
    check_part(2);
}

#[test]
fn the_fourth_quarter_of_shapes_stays_within_budget() {
    check_part(3);
}

#[test]
fn there_are_many_shapes_with_distinct_names() {
    let mut names: Vec<String> = shapes().into_iter().map(|shape| shape.name).collect();
    let all = names.len();
    names.sort();
    names.dedup();
    assert!(names.len() == all && all >= 120, "{all} shapes, {} names", names.len());
}

#[test]
fn mutated_shapes_stay_within_budget() {
    let shapes = shapes();
    let mut rng = Rng::new(SEED);
    for _ in 0..MUTATIONS {
        let shape = &shapes[below(&mut rng, shapes.len())];
        let other = &shapes[below(&mut rng, shapes.len())];
        let (bytes, seed) = (1_000 + below(&mut rng, 8_000), rng.next());
        let mut body = shape.bodies(bytes, seed).remove(0);
        let donor = other.bodies(bytes, seed).remove(0);
        for _ in 0..=below(&mut rng, 6) {
            mutate(&mut body, &donor, &mut rng);
        }
        check(shape, &[body]);
    }
}

fn below(rng: &mut Rng, limit: usize) -> usize {
    usize::try_from(rng.next() % limit.max(1) as u64).expect("less than a usize")
}

/// Truncates, changes, repeats, and copies parts of another page.
fn mutate(body: &mut Vec<u8>, donor: &[u8], rng: &mut Rng) {
    let at = below(rng, body.len());
    let end = (at + below(rng, 500)).min(body.len());
    match below(rng, 6) {
        0 => body.truncate(at),
        1 if at < body.len() => body[at] = (rng.next() & 0xFF) as u8,
        2 => drop(body.drain(at..end)),
        3 => {
            let from = below(rng, donor.len());
            let to = (from + below(rng, 2_000)).min(donor.len());
            drop(body.splice(at..end, donor[from..to].iter().copied()));
        }
        4 => {
            let piece = body[at..end].repeat(8);
            drop(body.splice(at..at, piece));
        }
        _ => body.extend_from_slice(donor),
    }
}

#[test]
fn a_page_that_exhausts_its_budget_keeps_its_findings_and_is_reported() {
    let body = format!("<p>Write to joe@acme-roofing.com</p><p>{}</p>", "a(a)".repeat(50_000));
    let page = RawPage { url: "https://www.acme-roofing.com/", content_type: None, body: body.as_bytes() };
    let calm = RawPage { url: "https://www.acme-roofing.com/about", content_type: None, body: b"<p>We mend roofs" };
    let found = facts(&[page, calm], &Context::default());
    assert_eq!(found.emails[0].email, "joe@acme-roofing.com");
    assert_eq!(found.cut_pages.len(), 1);
    assert_eq!((found.cut_pages[0].url.as_str(), found.cut_pages[0].reason), (page.url, CutReason::Steps));
    assert!(found.pages[0].cut && !found.pages[1].cut);
    let shown = serde_json::to_value(found.view()).expect("facts are JSON");
    assert_eq!(shown["cut_pages"][0]["reason"], "steps");
}

#[test]
fn a_costly_finder_leaves_steps_for_the_others() {
    let greedy = "(a)a".repeat(50_000);
    let body = format!("<p>Call (512) 555-0134</p><p>Jane Doe</p><p>Owner</p><p>{greedy}</p>");
    let found = crate::read(body.as_bytes());
    assert!(!found.cut_pages.is_empty());
    assert_eq!(found.phones[0].phone, "+15125550134");
    assert_eq!(found.owner().map(|owner| owner.name.as_str()), Some("Jane Doe"));
}

#[test]
fn a_script_that_is_too_long_is_reported_as_cut() {
    let body = "x='//a.b.c.d.e.f.g.h.i.j.k.l.m.n.o.p.q.r.s.t.u.v.w.x.y.z.com/';".repeat(80_000);
    let script = RawPage { url: "https://tags.test/gtm.js", content_type: None, body: body.as_bytes() };
    let page = RawPage { url: "https://www.acme-roofing.com/", content_type: None, body: b"<p>We mend roofs" };
    let found = facts(&[page], &Context { scripts: &[script], ..Context::default() });
    assert_eq!(found.cut_pages.len(), 1);
    assert_eq!((found.cut_pages[0].url.as_str(), found.cut_pages[0].reason), (script.url, CutReason::Size));
    assert!(!found.pages[0].cut);
}

#[test]
fn wide_white_space_before_an_address_stays_within_budget() {
    let found = crate::read(b"<a href=\"mailto:%E3%80%80joe @ acme-roofing.com\">Write</a>");
    assert_eq!(found.emails[0].email, "joe@acme-roofing.com");
}
