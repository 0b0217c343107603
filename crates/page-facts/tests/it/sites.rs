//! Real websites, judged whole: `tests/truth/sites.json` lists what a reader finds on all saved pages of each. `truth.rs`
//! says where the pages are. Finders may be improved with what is called `seen` or `opened`; the rest only measures, so its
//! mistakes are counted but not listed unless `TEST_SHOW_UNSEEN` is set.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Read;
use std::path::Path;

use page_facts::{Context, RawPage, SiteFacts, facts};
use serde::Deserialize;
use serde_json::Value;

mod judge;

/// What a reader finds on the pages of one website.
#[derive(Deserialize)]
struct Site {
    host: String,
    /// `seen` or `unseen`.
    half: String,
    name: String,
    country: String,
    /// File and URL of each page.
    files: Vec<(String, String)>,
    phones: BTreeSet<String>,
    fax: BTreeSet<String>,
    emails: BTreeSet<String>,
    /// Any of these is a good choice.
    primary_email: Vec<String>,
    addresses: Vec<Place>,
    people: Vec<Person>,
    /// Any of these is right.
    owner: Option<Vec<String>>,
    /// The profile's path by network, or several of which any is right.
    socials: BTreeMap<String, Value>,
    platform: Option<String>,
    booking: Vec<String>,
    ordering: Vec<String>,
    chat: Vec<String>,
    ad_networks: BTreeSet<String>,
    analytics: BTreeSet<String>,
    hours: Option<String>,
    /// Values a reader may accept or not: neither right, wrong nor missing. `hours` if there is only something like
    /// "24/7 support".
    maybe: Vec<String>,
    /// The fields that the reader judged; all when empty.
    #[serde(default)]
    judged: Vec<String>,
}

#[derive(Deserialize)]
struct Person {
    name: String,
    title: String,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Place {
    street: Option<String>,
    city: Option<String>,
    state: Option<String>,
    postal_code: Option<String>,
    country: Option<String>,
}

/// The result of one field.
#[derive(Default)]
struct Score {
    right: usize,
    wrong: Vec<String>,
    missing: Vec<String>,
}

/// The results of one half, by field in the order of the table.
#[derive(Default)]
struct Half {
    sites: usize,
    scores: BTreeMap<(usize, &'static str), Score>,
    /// Sites whose contacts, people and addresses have no wrong value, and those that also miss none.
    without_wrong: usize,
    complete: usize,
}

const FIELDS: [&str; 19] = [
    "phones",
    "phones, region unknown",
    "fax",
    "emails",
    "primary email",
    "addresses",
    "addresses, every part",
    "ZIP codes",
    "people",
    "titles",
    "owner",
    "socials",
    "platform",
    "booking",
    "ordering",
    "chat",
    "ad networks",
    "analytics",
    "hours",
];

/// The fields that make a lead.
const LEAD: [&str; 7] = ["phones", "fax", "emails", "primary email", "addresses", "people", "owner"];

#[test]
fn whole_sites_match_what_a_reader_finds() {
    let Some(folders) = std::env::var_os("TEST_PAGES_DIR") else {
        println!("skipped: TEST_PAGES_DIR is not set to the folders of real pages");
        return;
    };
    let text =
        std::fs::read_to_string(crate::folder("truth").join("sites.json")).expect("sites.json is in the repository");
    let sites: Vec<Site> = serde_json::from_str(&text).expect("sites.json is JSON");
    let mut halves: BTreeMap<&str, Half> = BTreeMap::new();
    for site in &sites {
        let bodies: Option<Vec<Vec<u8>>> =
            site.files.iter().map(|(file, _)| read_body(Path::new(&folders), file)).collect();
        let Some(bodies) = bodies else { continue };
        let found = read_site(site, &bodies, true);
        let abroad = read_site(site, &bodies, false);
        judge::judge(site, [&found, &abroad], halves.entry(&site.half).or_default());
    }
    let show_unseen = std::env::var_os("TEST_SHOW_UNSEEN").is_some();
    for (name, half) in &halves {
        print_half(name, half, *name != "unseen" || show_unseen);
    }
    let judged: usize = halves.values().map(|half| half.sites).sum();
    if judged == 0 {
        println!("skipped: the folders in TEST_PAGES_DIR have none of the pages");
        return;
    }
    assert!(judged >= 120, "only {judged} sites were judged: the folders lack pages of the others");
}

/// Reads a page, compressed or not, from the first folder that has it.
fn read_body(folders: &Path, file: &str) -> Option<Vec<u8>> {
    let mut places =
        std::env::split_paths(folders).flat_map(|folder| [folder.join(file), folder.join("pages").join(file)]);
    let body = std::fs::read(places.find(|path| path.exists())?).ok()?;
    if !body.starts_with(&[0x1f, 0x8b]) {
        return Some(body);
    }
    let mut plain = Vec::new();
    flate2::read::GzDecoder::new(body.as_slice()).read_to_end(&mut plain).ok()?;
    Some(plain)
}

fn read_site(site: &Site, bodies: &[Vec<u8>], with_region: bool) -> SiteFacts {
    let pages: Vec<RawPage<'_>> = site
        .files
        .iter()
        .zip(bodies)
        .map(|((_, url), body)| RawPage { url: url.as_str(), content_type: None, body: body.as_slice() })
        .collect();
    let context = Context {
        region: with_region.then_some(site.country.as_str()),
        business_name: Some(&site.name),
        ..Context::default()
    };
    facts(&pages, &context)
}

/// Prints the table of one half and, if wanted, every mistake.
#[expect(clippy::print_stdout, reason = "the table is for whoever improves a finder")]
fn print_half(name: &str, half: &Half, with_mistakes: bool) {
    println!("\n## {name}: {} sites\n", half.sites);
    println!("| field | right | wrong | missing | recall | precision |\n|---|---|---|---|---|---|");
    for ((_, field), score) in &half.scores {
        let (right, wrong, missing) = (score.right, score.wrong.len(), score.missing.len());
        let (recall, precision) = (percent(right, right + missing), percent(right, right + wrong));
        println!("| {field} | {right} | {wrong} | {missing} | {recall} | {precision} |");
    }
    println!(
        "\nSites without a wrong contact, person or address: {}; nothing wrong or missing: {}.",
        half.without_wrong, half.complete
    );
    if !with_mistakes {
        return;
    }
    // An address that was not found at all is not listed again for its parts.
    let addresses = half.scores.iter().find(|((_, field), _)| *field == "addresses");
    let unfound: BTreeSet<&String> = addresses.iter().flat_map(|(_, score)| &score.missing).collect();
    for ((_, field), score) in &half.scores {
        for (kind, lines) in [("wrong", &score.wrong), ("missing", &score.missing)] {
            println!("\n### {field}, {kind}: {}\n", lines.len());
            let listed = lines.iter().filter(|line| !unfound.contains(line) || *field == "addresses");
            listed.for_each(|line| println!("- {line}"));
        }
    }
}

fn percent(part: usize, whole: usize) -> String {
    if whole == 0 { String::new() } else { format!("{:.1} %", part as f64 * 100.0 / whole as f64) }
}
