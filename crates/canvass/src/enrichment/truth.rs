//! How well the rules do on real pages, judged by eye. The labels are in the repository, the pages are not:
//! `TEST_PAGES_DIR` names the folders that hold them, and without it the measure only says that it skipped.

#[cfg(test)]
pub(crate) use tests::{Label, Subject, folders, is_one_of, labels, lead_from, lead_of};

#[cfg(test)]
mod tests {
    use std::io::Read;
    use std::path::{Path, PathBuf};

    use page_facts::{Context, RawPage};
    use polite_reader::SiteStatus;
    use serde::Deserialize;
    use sha2::{Digest, Sha256};

    use crate::ai::ground::normal;
    use crate::ai::{Brief, rules_who};
    use crate::clock::Moment;
    use crate::enrichment::check::check;
    use crate::enrichment::improve::{Origin, improve};
    use crate::ids::{LeadId, SearchId};
    use crate::lead::{Found, Lead, ListingWithSite, assemble};
    use crate::listing::{About, Has, Listing, PostalAddress};
    use crate::signals::Weights;
    use crate::website::Website;

    /// What a reader makes of one page.
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    pub(crate) struct Label {
        pub(crate) file: String,
        pub(crate) url: String,
        business: String,
        industry: String,
        /// Whoever owns, founded or heads the business, as the page has it; several when each is right.
        pub(crate) owners: Vec<String>,
        /// The best mailboxes for reaching the decision maker.
        pub(crate) emails: Vec<String>,
    }

    impl Label {
        /// Rules are mended on what is seen only; the rest says how they do elsewhere.
        fn is_seen(&self) -> bool {
            Sha256::digest(self.file.as_bytes())[0] % 2 == 0
        }

        pub(crate) fn names_an_owner(&self) -> bool {
            !self.owners.is_empty()
        }

        fn is_owner(&self, name: &str) -> bool {
            is_one_of(&self.owners, name)
        }
    }

    /// Whether a name is one of these people's: middle names may differ.
    pub(crate) fn is_one_of(people: &[String], name: &str) -> bool {
        let ends = |name: &str| {
            let words = normal(name);
            let mut words = words.split(' ').map(str::to_owned);
            (words.next(), words.next_back())
        };
        people.iter().any(|person| ends(person) == ends(name))
    }

    /// A business and its website.
    pub(crate) struct Subject<'a> {
        pub(crate) id: &'a str,
        pub(crate) business: &'a str,
        pub(crate) industry: &'a str,
        pub(crate) url: &'a str,
    }

    pub(crate) fn labels() -> Vec<Label> {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../page-facts/tests/truth/owners.json");
        let text = std::fs::read_to_string(file).expect("the labels are in the repository");
        serde_json::from_str(&text).expect("the labels are JSON")
    }

    /// The folders that hold the pages; none when not set.
    pub(crate) fn folders() -> Vec<PathBuf> {
        let Some(named) = std::env::var_os("TEST_PAGES_DIR") else { return Vec::new() };
        std::env::split_paths(&named).flat_map(|folder| [folder.join("pages"), folder]).collect()
    }

    fn body(folders: &[PathBuf], file: &str) -> Option<Vec<u8>> {
        let path = folders.iter().map(|folder| folder.join(file)).find(|path| path.exists())?;
        let bytes = std::fs::read(path).ok()?;
        if !file.ends_with(".gz") {
            return Some(bytes);
        }
        let mut body = Vec::new();
        flate2::read::GzDecoder::new(&bytes[..]).read_to_end(&mut body).ok()?;
        Some(body)
    }

    /// The lead a search would deliver of a business that has this one page.
    pub(crate) fn lead_of(label: &Label, folders: &[PathBuf]) -> Option<Found> {
        let page = (label.url.clone(), body(folders, &label.file)?);
        let Label { file, business, industry, url, .. } = label;
        Some(lead_from(&Subject { id: file, business, industry, url }, &[page]))
    }

    /// The lead a search would deliver of a business whose website has these pages, each a URL and its bytes.
    pub(crate) fn lead_from(subject: &Subject<'_>, pages: &[(String, Vec<u8>)]) -> Found {
        let raw: Vec<RawPage<'_>> = pages.iter().map(|(url, body)| RawPage { url, content_type: None, body }).collect();
        let context = Context { business_name: Some(subject.business), ..Context::default() };
        let website = Website {
            status: SiteStatus::Ok,
            url: subject.url.to_owned(),
            complete: true,
            detail: None,
            interrupted: false,
            cut_pages: Vec::new(),
            whole_pages: vec![],
            facts: page_facts::facts(&raw, &context),
        };
        let listing = Listing {
            business_id: subject.id.to_owned(),
            name: subject.business.to_owned(),
            phone: None,
            website: Some(subject.url.to_owned()),
            address: PostalAddress::default(),
            point: None,
            rating: None,
            review_count: None,
            reviews: Vec::new(),
            is_chain: false,
            ..Listing::default()
        };
        let seen = ListingWithSite { listing, website: Some(website), seen_at: Moment::from_micros(0) };
        let category = places::industry(subject.industry).expect("a test checks the industries").category;
        let has = Has { ratings: false, reviews: false, phones: false };
        let about = About { name: "judged".into(), attribution: None, has, retention_days: None };
        let found = assemble(seen, category, &about, &Weights::default());
        let id = Sha256::digest(subject.id.as_bytes());
        let id = uuid::Uuid::from_slice(&id[..16]).expect("sixteen bytes");
        found.delivered(SearchId::from_uuid(id), LeadId::from_uuid(id), Moment::from_micros(0))
    }

    /// The lead after enrichment by the rules.
    fn enriched(found: &Found) -> Lead {
        let mut lead = found.lead.clone();
        let brief = Brief::of(&lead, found.site_text.as_deref(), "fence".into());
        let checked = check(&brief, &rules_who(&brief));
        let at = lead.delivered_at;
        improve(&mut lead, &checked, Origin { method: "rules", at });
        lead
    }

    /// What the rules say when they know nothing but the kept text.
    fn from_text_alone(found: &Found) -> Lead {
        let mut lead = found.lead.clone();
        (lead.owner_name, lead.owner_title, lead.primary_email) = (None, None, None);
        lead.emails.clear();
        lead.evidence.clear();
        let who = rules_who(&Brief::of(&lead, found.site_text.as_deref(), "fence".into()));
        (lead.owner_name, lead.primary_email) = (who.owner_name, who.email);
        lead
    }

    /// How often what was told is right, and how much was not told.
    #[derive(Debug, Default)]
    struct Score {
        right: usize,
        told: usize,
        truly: usize,
        wrong: Vec<String>,
        missed: Vec<String>,
    }

    impl Score {
        fn look(&mut self, label: &Label, truths: &[String], (told, right): (Option<&str>, bool)) {
            self.truly += usize::from(!truths.is_empty());
            self.told += usize::from(told.is_some());
            self.right += usize::from(right);
            match told {
                Some(told) if !right => self.wrong.push(format!("{}: {told}, not {truths:?}", label.file)),
                None if !truths.is_empty() => self.missed.push(format!("{}: {truths:?}", label.file)),
                _ => {}
            }
        }

        fn share(part: usize, whole: usize) -> f64 {
            if whole == 0 { 1.0 } else { part as f64 / whole as f64 }
        }

        fn precision(&self) -> f64 {
            Score::share(self.right, self.told)
        }

        fn recall(&self) -> f64 {
            Score::share(self.right, self.truly)
        }
    }

    /// Owners and best emails of one half of the pages.
    #[derive(Debug, Default)]
    struct Quality {
        owners: Score,
        emails: Score,
    }

    impl Quality {
        fn look(&mut self, label: &Label, lead: &Lead) {
            let owner = lead.owner_name.as_deref();
            self.owners.look(label, &label.owners, (owner, owner.is_some_and(|owner| label.is_owner(owner))));
            let email = lead.primary_email.as_deref();
            let best = email.is_some_and(|email| label.emails.iter().any(|best| best == email));
            self.emails.look(label, &label.emails, (email, best));
        }

        fn print(&self, name: &str) {
            for (what, score) in [("owner", &self.owners), ("best email", &self.emails)] {
                let (precision, recall) = (score.precision() * 100.0, score.recall() * 100.0);
                println!(
                    "| {name} | {what} | {} of {} told, {precision:.0} % | {} of {}, {recall:.0} % |",
                    score.right, score.told, score.right, score.truly
                );
            }
        }

        /// Which pages went wrong: only of those that rules may be mended on.
        fn print_faults(&self, name: &str) {
            println!("{name}: owners wrong {:#?}\n{name}: owners missed {:#?}", self.owners.wrong, self.owners.missed);
            println!("{name}: emails wrong {:#?}\n{name}: emails missed {:#?}", self.emails.wrong, self.emails.missed);
        }
    }

    #[test]
    fn every_label_can_be_measured() {
        let labels = labels();
        for label in &labels {
            assert!(places::industry(&label.industry).is_ok(), "{}: {}", label.file, label.industry);
            assert!(url::Url::parse(&label.url).is_ok(), "{}", label.url);
            assert!(label.emails.iter().all(|email| *email == email.to_lowercase()), "{:?}", label.emails);
        }
        let seen = labels.iter().filter(|label| label.is_seen()).count();
        assert!(seen * 5 > labels.len() * 2 && seen * 5 < labels.len() * 3, "{seen} of {}", labels.len());
    }

    #[test]
    fn on_real_pages_the_rules_name_few_wrong_owners_and_mostly_the_best_email() {
        let folders = folders();
        if folders.is_empty() {
            println!("skipped: TEST_PAGES_DIR does not say where the real pages are");
            return;
        }
        let [mut seen, mut seen_text, mut held, mut held_text] = [(); 4].map(|()| Quality::default());
        let mut changed = 0;
        for label in labels() {
            let Some(found) = lead_of(&label, &folders) else { continue };
            let (lead, text) = if label.is_seen() { (&mut seen, &mut seen_text) } else { (&mut held, &mut held_text) };
            let enriched = enriched(&found);
            let told = |lead: &Lead| (lead.owner_name.clone(), lead.owner_title.clone(), lead.primary_email.clone());
            changed += usize::from(told(&enriched) != told(&found.lead));
            lead.look(&label, &enriched);
            text.look(&label, &from_text_alone(&found));
        }
        seen.print_faults("seen, lead");
        seen_text.print_faults("seen, text alone");
        println!("enrichment changed {changed} leads");
        println!("| pages | what | precision | recall |\n|---|---|---|---|");
        seen.print("seen, the lead after enrichment");
        held.print("held out, the lead after enrichment");
        seen_text.print("seen, kept text alone");
        held_text.print("held out, kept text alone");
        // Mistakes on held-out pages are counted, not shown.
        for (quality, recall, faults) in [(&seen, 0.7, format!("{seen:?}")), (&held, 0.3, "held out".to_owned())] {
            assert!(quality.owners.precision() >= 0.9 && quality.owners.recall() >= recall, "{faults}");
            assert!(quality.emails.precision() >= 0.9 && quality.emails.recall() >= 0.95, "{faults}");
        }
    }
}
