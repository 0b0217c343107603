//! Real pages, reviewed by hand: `tests/truth/pages.json` lists what is on each. The pages are not in the repository;
//! `TEST_PAGES_DIR` names the folder that contains them. Without it this test reports that it was skipped.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Read;
use std::path::Path;

use page_facts::{Context, RawPage, SiteFacts, facts};
use serde::Deserialize;

/// The expected contacts of one page.
#[derive(Deserialize)]
struct Truth {
    file: String,
    url: String,
    /// Where each address is: mailto, cloudflare, json_ld, text, script, attribute.
    emails: BTreeMap<String, String>,
    phones: BTreeSet<String>,
    people: BTreeSet<String>,
    platform: Option<String>,
    /// Path of the profile by network, in lower case; only networks with one candidate.
    socials: BTreeMap<String, String>,
}

/// The result of one finder.
#[derive(Default)]
pub(crate) struct Score {
    pub(crate) right: usize,
    pub(crate) missed: Vec<String>,
    pub(crate) wrong: Vec<String>,
}

impl Score {
    pub(crate) fn add(&mut self, page: &str, truth: &BTreeSet<String>, found: &BTreeSet<String>) {
        self.right += truth.intersection(found).count();
        self.missed.extend(truth.difference(found).map(|value| format!("{page} {value}")));
        self.wrong.extend(found.difference(truth).map(|value| format!("{page} {value}")));
    }

    pub(crate) fn recall(&self) -> f64 {
        percent(self.right, self.right + self.missed.len())
    }

    pub(crate) fn precision(&self) -> f64 {
        percent(self.right, self.right + self.wrong.len())
    }
}

fn percent(part: usize, whole: usize) -> f64 {
    if whole == 0 { 100.0 } else { part as f64 * 100.0 / whole as f64 }
}

#[test]
fn contacts_of_real_pages_match_manual_review() {
    let Some(folder) = std::env::var_os("TEST_PAGES_DIR") else {
        println!("skipped: TEST_PAGES_DIR is not set to the folder of real pages");
        return;
    };
    let text =
        std::fs::read_to_string(crate::folder("truth").join("pages.json")).expect("pages.json is in the repository");
    let truths: Vec<Truth> = serde_json::from_str(&text).expect("pages.json is JSON");
    let mut scores: BTreeMap<&str, Score> = BTreeMap::new();
    for truth in &truths {
        if let Some(found) = read_page(Path::new(&folder), &truth.file, &truth.url) {
            judge(truth, &found, &mut scores);
        }
    }
    print_table(&scores);
    let least = [
        ("emails", 97.0, 99.0),
        ("phones", 95.0, 95.0),
        ("people", 80.0, 90.0),
        ("platform", 95.0, 95.0),
        ("socials", 95.0, 95.0),
    ];
    for (name, recall, precision) in least {
        let Some(score) = scores.get(name) else { continue };
        assert!(
            score.recall() >= recall && score.precision() >= precision,
            "{name}: recall {:.1}, precision {:.1}",
            score.recall(),
            score.precision()
        );
    }
}

/// Prints recall and precision of each finder, and its mistakes.
#[expect(clippy::print_stdout, reason = "the table is for whoever improves a finder")]
pub(crate) fn print_table(scores: &BTreeMap<&str, Score>) {
    println!("| finder | right | missed | wrong | recall | precision |\n|---|---|---|---|---|---|");
    for (name, score) in scores {
        println!(
            "| {name} | {} | {} | {} | {:.1} % | {:.1} % |",
            score.right,
            score.missed.len(),
            score.wrong.len(),
            score.recall(),
            score.precision()
        );
    }
    for (name, score) in scores {
        println!("{name} missed {:?}\n{name} wrong {:?}", score.missed, score.wrong);
    }
}

/// Reads a page from the folder, or from the first of several folders (as in `PATH`) that has it.
pub(crate) fn read_page(folders: &Path, file: &str, url: &str) -> Option<SiteFacts> {
    let folders = std::env::split_paths(folders);
    let mut places = folders.flat_map(|folder| [folder.join(file), folder.join("pages").join(file)]);
    let file = places.find(|path| path.exists())?;
    let mut body = Vec::new();
    flate2::read::GzDecoder::new(std::fs::File::open(file).ok()?).read_to_end(&mut body).ok()?;
    let page = RawPage { url, content_type: None, body: &body };
    Some(facts(&[page], &Context::default()))
}

fn judge(truth: &Truth, found: &SiteFacts, scores: &mut BTreeMap<&str, Score>) {
    let page = truth.file.trim_end_matches(".html.gz");
    let emails: BTreeSet<String> = found.emails.iter().map(|e| e.email.clone()).collect();
    let of = |kinds: &[&str]| -> BTreeSet<String> {
        truth.emails.iter().filter(|(_, how)| kinds.contains(&how.as_str())).map(|(email, _)| email.clone()).collect()
    };
    scores.entry("emails").or_default().add(page, &truth.emails.keys().cloned().collect(), &emails);
    for (name, kinds) in [
        ("emails, mailto and hidden", &["mailto", "cloudflare", "json_ld", "script", "attribute"][..]),
        ("emails, text only", &["text"]),
    ] {
        let wanted = of(kinds);
        let got = emails.intersection(&wanted).cloned().collect();
        scores.entry(name).or_default().add(page, &wanted, &got);
    }
    scores.entry("phones").or_default().add(
        page,
        &truth.phones,
        &found.phones.iter().map(|p| p.phone.clone()).collect(),
    );
    scores.entry("people").or_default().add(
        page,
        &truth.people,
        &found.people.iter().map(|p| p.name.clone()).collect(),
    );
    let platform = |slug: Option<&str>| slug.map(str::to_owned).into_iter().collect::<BTreeSet<_>>();
    if truth.platform.is_some() {
        let slug = found.technology.platform.as_ref().map(|t| t.slug.as_str());
        scores.entry("platform").or_default().add(page, &platform(truth.platform.as_deref()), &platform(slug));
    }
    for (network, path) in &truth.socials {
        let handle =
            |path: &str| path.to_lowercase().rsplit('/').next().unwrap_or("").trim_start_matches('@').to_owned();
        let found = found.socials.iter().find(|s| s.network == *network).map(|s| s.profile_url.to_lowercase());
        let fits = found
            .as_ref()
            .is_some_and(|address| address.contains(path.trim_start_matches('@')) || path.contains(&handle(address)));
        let shown = format!("{network}: {path}");
        let got = if fits { BTreeSet::from([shown.clone()]) } else { found.into_iter().collect() };
        scores.entry("socials").or_default().add(page, &BTreeSet::from([shown]), &got);
    }
}
