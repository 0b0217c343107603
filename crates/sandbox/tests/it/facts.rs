//! Reads websites with page-facts directly from the world and compares the findings with the ground truth.

use std::collections::BTreeSet;
use std::fmt::Debug;

use page_facts::{Context, EmailType, FoundTechnology, RawPage, SiteFacts, facts};
use sandbox::{Business, EmailKind, Truth, World};

use crate::support::{SEED, follow, host, with_websites};

/// Websites read.
const SITES: usize = 300;

/// Extracts the facts of a website at an age.
pub(crate) fn read(world: &World, business: &Business, truth: &Truth, age: u32) -> SiteFacts {
    let host = host(business).unwrap();
    let responses: Vec<_> = truth.paths.iter().filter_map(|path| follow(world, host, path, age)).collect();
    let pages: Vec<RawPage<'_>> = responses
        .iter()
        .map(|(url, response)| RawPage { url, content_type: Some("text/html; charset=utf-8"), body: &response.body })
        .collect();
    facts(&pages, &Context { region: Some(business.country), business_name: Some(&business.name), scripts: &[] })
}

/// Counts correct findings and records wrong ones.
#[derive(Default)]
struct Tally {
    right: usize,
    all: usize,
    wrong: Vec<String>,
}

impl Tally {
    fn same<T: PartialEq + Debug>(&mut self, business: &Business, found: T, truth: T) {
        self.all += 1;
        if found == truth {
            self.right += 1;
        } else {
            self.wrong.push(format!("{}: found {found:?}, is {truth:?}", business.id));
        }
    }

    fn reaches(&self, percent: usize, name: &str) {
        let shown = self.wrong.iter().take(12).cloned().collect::<Vec<_>>().join("\n");
        assert!(self.right * 100 >= self.all * percent, "{name}: {} of {}\n{shown}", self.right, self.all);
    }
}

/// All tallies of one run.
#[derive(Default)]
struct Tallies {
    emails: Tally,
    email_kinds: Tally,
    owners_found: Tally,
    owners_there: Tally,
    phones: Tally,
    profiles: Tally,
    platform: Tally,
    ecommerce: Tally,
    booking: Tally,
    ordering: Tally,
    chat: Tally,
    pixels: Tally,
    analytics: Tally,
    viewport: Tally,
    year: Tally,
    junk: Vec<String>,
}

impl Tallies {
    fn emails(&mut self, business: &Business, found: &SiteFacts, truth: &Truth) {
        for email in &truth.emails {
            let hit = found.emails.iter().find(|found| found.email == email.email);
            self.emails.same(business, hit.map(|hit| hit.email.as_str()), Some(&email.email));
            let kind = match email.kind {
                EmailKind::Personal => EmailType::Personal,
                EmailKind::Role => EmailType::Role,
                EmailKind::Generic => EmailType::Generic,
            };
            if let Some(hit) = hit {
                self.email_kinds.same(business, (hit.kind, &hit.email), (kind, &email.email));
            }
        }
        let known: BTreeSet<&str> = truth.emails.iter().map(|email| email.email.as_str()).collect();
        let strange = found.emails.iter().filter(|email| !known.contains(email.email.as_str()));
        self.junk.extend(strange.map(|email| format!("{}: {}", business.id, email.email)));
    }

    fn contacts(&mut self, business: &Business, found: &SiteFacts, truth: &Truth) {
        let owner = found.owner().map(|owner| owner.name.clone());
        let known = truth.owner.as_ref().map(|(name, _)| name.clone());
        if owner.is_some() {
            self.owners_found.same(business, owner.clone(), known.clone());
        }
        if known.is_some() {
            self.owners_there.same(business, owner, known);
        }
        let numbers: Vec<String> = found.phones.iter().map(|phone| phone.phone.clone()).collect();
        self.phones.same(business, &numbers, &truth.phones);
        let profiles = found.socials.iter().map(|s| (s.network.clone(), s.profile_url.clone())).collect();
        self.profiles.same(business, &profiles, &truth.socials);
    }

    fn technology(&mut self, business: &Business, found: &SiteFacts, truth: &Truth) {
        fn slug(found: &Option<FoundTechnology>) -> Option<&str> {
            found.as_ref().map(|found| found.slug.as_str())
        }
        let slugs = |found: &[FoundTechnology]| found.iter().map(|found| found.slug.clone()).collect::<Vec<_>>();
        let known = |slugs: &[&'static str]| slugs.iter().map(|slug| (*slug).to_owned()).collect::<Vec<_>>();
        let technology = &found.technology;
        self.platform.same(business, slug(&technology.platform), truth.platform);
        self.ecommerce.same(business, technology.ecommerce.is_some(), truth.ecommerce);
        self.booking.same(business, slug(&technology.booking), truth.booking);
        self.ordering.same(business, slug(&technology.online_ordering), truth.online_ordering);
        self.chat.same(business, slug(&technology.chat), truth.chat);
        self.pixels.same(business, slugs(&technology.ad_networks), known(&truth.ad_networks));
        self.analytics.same(business, slugs(&technology.analytics), known(&truth.analytics));
        self.viewport.same(business, found.pages[0].has_viewport, truth.has_viewport);
        self.year.same(business, found.pages[0].copyright_year, truth.copyright_year);
    }
}

#[test]
fn page_facts_finds_what_websites_state_and_nothing_else() {
    let world = World::new(SEED);
    let mut tallies = Tallies::default();
    let sites = with_websites(&world, SITES * 5 / 4).into_iter().map(|business| {
        let truth = world.truth(&business, 0);
        (business, truth)
    });
    for (business, truth) in sites.filter(|(_, truth)| truth.site_status == "ok").take(SITES) {
        let found = read(&world, &business, &truth, 0);
        tallies.emails(&business, &found, &truth);
        tallies.contacts(&business, &found, &truth);
        tallies.technology(&business, &found, &truth);
    }
    assert!(tallies.junk.is_empty(), "{:#?}", tallies.junk);
    tallies.emails.reaches(97, "emails");
    tallies.email_kinds.reaches(95, "kinds of emails");
    tallies.owners_found.reaches(95, "owners found");
    tallies.owners_there.reaches(90, "owners there are");
    tallies.phones.reaches(97, "phones");
    tallies.profiles.reaches(97, "profiles");
    tallies.platform.reaches(97, "platform");
    tallies.ecommerce.reaches(97, "ecommerce");
    tallies.booking.reaches(97, "booking");
    tallies.ordering.reaches(97, "ordering");
    tallies.chat.reaches(97, "chat");
    tallies.pixels.reaches(97, "pixels");
    tallies.analytics.reaches(97, "analytics");
    tallies.viewport.reaches(97, "viewport");
    tallies.year.reaches(97, "copyright year");
}
