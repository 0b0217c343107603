//! How well the built-in rules do, held against the sandbox's truth.

use canvass::account::Account;
use canvass::ai;
use http::Method;
use serde_json::{Value, json};

use crate::support::{More, On, TestApp, send};

/// What the rules get right, of leads in the sandbox, whose websites' truth is known.
#[derive(Debug, Default)]
struct Quality {
    owners_told: usize,
    owners_right: usize,
    owners_true: usize,
    emails_told: usize,
    emails_best: usize,
    emails_true: usize,
}

impl Quality {
    fn look(&mut self, lead: &Value, truth: &sandbox::Truth) {
        let owner = truth.owner.as_ref().map(|(name, _)| name.as_str());
        self.owners_true += usize::from(owner.is_some());
        if let Some(told) = lead["owner_name"].as_str() {
            self.owners_told += 1;
            self.owners_right += usize::from(owner == Some(told));
        }
        let best = best_emails(truth);
        self.emails_true += usize::from(!best.is_empty());
        if let Some(told) = lead["primary_email"].as_str() {
            self.emails_told += 1;
            self.emails_best += usize::from(best.contains(&told));
        }
    }

    fn share(part: usize, whole: usize) -> f64 {
        part as f64 / whole.max(1) as f64
    }
}

/// The emails nobody could call a worse choice than another: the owner's, else a person's, else a function's, else any.
fn best_emails(truth: &sandbox::Truth) -> Vec<&str> {
    let owner = truth.owner.as_ref().map(|(name, _)| name.to_lowercase()).unwrap_or_default();
    let last = owner.split(' ').next_back().unwrap_or_default().to_owned();
    let first = owner.split(' ').next().unwrap_or_default().to_owned();
    let is_owners = |email: &str| {
        let local = email.split('@').next().unwrap_or_default();
        !owner.is_empty() && (local.contains(&last) || local.contains(&first))
    };
    let of = |wanted: &dyn Fn(&sandbox::TrueEmail) -> bool| {
        truth.emails.iter().filter(|email| wanted(email)).map(|email| email.email.as_str()).collect::<Vec<_>>()
    };
    let ranks: [&dyn Fn(&sandbox::TrueEmail) -> bool; 4] = [
        &|email| email.kind == sandbox::EmailKind::Personal && is_owners(&email.email),
        &|email| email.kind == sandbox::EmailKind::Personal,
        &|email| email.kind == sandbox::EmailKind::Role,
        &|_| true,
    ];
    ranks.iter().map(|rank| of(*rank)).find(|found| !found.is_empty()).unwrap_or_default()
}

/// How many leads of each trade the quality is measured on; the figures in docs/enrichment.md are from 300.
fn measured_leads() -> i64 {
    #[expect(clippy::disallowed_methods, reason = "sizes a measurement; no setting of Canvass")]
    std::env::var("TEST_ENRICH_LEADS").ok().and_then(|count| count.parse().ok()).unwrap_or(40)
}

#[tokio::test]
async fn the_rules_name_few_wrong_owners_and_mostly_the_best_email() {
    let test = TestApp::with(On::Sqlite, |_| {}, More::default()).await;
    let (account, key) = test.whole_account(10_000).await;
    let [mut before, mut after, mut blind] = [(); 3].map(|()| Quality::default());
    for trade in ["plumber", "dentist", "restaurant"] {
        let body = json!({"industry": trade, "location": "Austin, TX", "requested_count": measured_leads()});
        let search = test.start(&key, body).await;
        test.work().await;
        measure(&test, &mut before, &test.leads(&key, &search).await);
        let path = format!("/searches/{search}/enrich");
        send(test.request(Method::POST, &path).header("X-API-Key", &key).header("Prefer", "respond-async")).await;
        test.work().await;
        let leads = test.leads(&key, &search).await;
        measure(&test, &mut after, &leads);
        measure(&test, &mut blind, &from_text_alone(&test, &account, &leads).await);
    }
    println!("before: {before:?}\nafter:  {after:?}\nfrom text alone: {blind:?}");
    assert!(Quality::share(blind.owners_right, blind.owners_told) >= 0.97, "{blind:?}");
    // Where several people have a mailbox, the finders prefer the general one, which this measure ranks below theirs.
    assert!(Quality::share(blind.emails_best, blind.emails_told) >= 0.85, "{blind:?}");
    assert!(Quality::share(after.owners_right, after.owners_told) >= 0.97, "{after:?}");
    assert!(Quality::share(after.owners_right, after.owners_true) >= 0.80, "{after:?}");
    assert!(Quality::share(after.emails_best, after.emails_told) >= 0.90, "{after:?}");
    assert!(
        after.owners_right >= before.owners_right && after.emails_best >= before.emails_best,
        "{before:?} {after:?}"
    );
}

fn measure(test: &TestApp, quality: &mut Quality, leads: &[Value]) {
    let world = &test.app.sandbox.as_ref().unwrap().world;
    for lead in leads {
        let id = lead["business_id"].as_str().unwrap().trim_start_matches("sandbox:");
        let business = world.business(id).unwrap_or_else(|| panic!("{lead}"));
        quality.look(lead, &world.truth(&business, 0));
    }
}

/// What the rules say of leads of which they know nothing but the text that was kept.
async fn from_text_alone(test: &TestApp, account: &Account, leads: &[Value]) -> Vec<Value> {
    let rules = ai::choose(&test.app, account.id, ai::PaidBy::Plan).await.unwrap();
    let mut told = Vec::new();
    for shown in leads {
        let id = canvass::ids::LeadId::parse(shown["lead_id"].as_str().unwrap()).unwrap();
        let owned = canvass::lead::find(&test.app.db, account.id, id).await.unwrap().unwrap();
        let text = canvass::lead::site_text(&test.app.db, &owned).await.unwrap();
        let mut lead: canvass::lead::Lead = serde_json::from_value(shown.clone()).unwrap();
        (lead.owner_name, lead.primary_email) = (None, None);
        lead.emails.clear();
        let who = rules.who(&ai::Brief::of(&lead, text.as_deref(), "f".into())).await.unwrap();
        (lead.owner_name, lead.primary_email) = (who.owner_name, who.email);
        told.push(serde_json::to_value(lead).unwrap());
    }
    told
}
