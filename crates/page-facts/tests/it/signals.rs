//! Booking, ordering, chat, advertising pixels and analytics of real pages. `tests/truth/signals.json` lists what each page
//! has, determined by an independent search and by reviewing every difference by hand. `truth.rs` says where the pages are.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use page_facts::{FoundTechnology, SiteFacts};
use serde::Deserialize;

use crate::truth::{Score, print_table, read_page};

/// The expected technology of one page.
#[derive(Deserialize)]
struct Truth {
    file: String,
    url: String,
    booking: BTreeSet<String>,
    ordering: BTreeSet<String>,
    chat: BTreeSet<String>,
    ads: BTreeSet<String>,
    analytics: BTreeSet<String>,
}

#[test]
fn the_tools_of_real_pages_match_manual_review() {
    let Some(folder) = std::env::var_os("TEST_PAGES_DIR") else {
        println!("skipped: TEST_PAGES_DIR is not set to the folder of real pages");
        return;
    };
    let text = std::fs::read_to_string(crate::folder("truth").join("signals.json"))
        .expect("signals.json is in the repository");
    let truths: Vec<Truth> = serde_json::from_str(&text).expect("signals.json is JSON");
    let mut scores: BTreeMap<&str, Score> = BTreeMap::new();
    for truth in &truths {
        if let Some(found) = read_page(Path::new(&folder), &truth.file, &truth.url) {
            judge(truth, &found, &mut scores);
        }
    }
    print_table(&scores);
    let least = [("ads", 95.0, 98.0), ("analytics", 85.0, 98.0), ("booking", 95.0, 95.0), ("chat", 95.0, 95.0)];
    for (name, recall, precision) in least {
        let Some(score) = scores.get(name) else { continue };
        let (found, right) = (score.recall(), score.precision());
        assert!(found >= recall && right >= precision, "{name}: recall {found:.1}, precision {right:.1}");
    }
}

fn judge(truth: &Truth, found: &SiteFacts, scores: &mut BTreeMap<&str, Score>) {
    let page = truth.file.trim_end_matches(".html.gz");
    let technology = &found.technology;
    let one = |tool: &Option<FoundTechnology>| tool.iter().map(|tool| tool.slug.clone()).collect();
    let many = |tools: &[FoundTechnology]| tools.iter().map(|tool| tool.slug.clone()).collect();
    let judged: [(&str, &BTreeSet<String>, BTreeSet<String>); 5] = [
        ("booking", &truth.booking, one(&technology.booking)),
        ("ordering", &truth.ordering, one(&technology.online_ordering)),
        ("chat", &truth.chat, one(&technology.chat)),
        ("ads", &truth.ads, many(&technology.ad_networks)),
        ("analytics", &truth.analytics, many(&technology.analytics)),
    ];
    for (name, wanted, got) in judged {
        scores.entry(name).or_default().add(page, wanted, &got);
    }
}
