//! What the check makes of a real model's answers, about real pages or about websites of the sandbox. The answers of the last run
//! are in `tests/recorded/`; the real pages are not in the repository (`TEST_PAGES_DIR` names their folders, and without it that
//! measure only says that it skipped). `scripts/model-run` asks the small model anew and records its answers.

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::path::{Path, PathBuf};

    use regex::Regex;
    use sandbox::{Business, Website, World};
    use serde::{Deserialize, Serialize};

    use crate::ai::{Brief, Model, Who, model_at, rules_who};
    use crate::enrichment::check::{Rejection, check};
    use crate::enrichment::truth::{Label, Subject, folders, is_one_of, labels, lead_from, lead_of};
    use crate::lead::Found;

    /// Websites or pages asked about.
    const SITES: usize = 60;
    /// Characters of a website that a small model is shown: it reads slowly, and loses the thread of more.
    const SHOWN_CHARS: usize = 5_000;
    /// Pages of a website of the sandbox.
    const PAGES_MAX: usize = 6;
    /// The world that a server without a source of listings searches.
    const SEED: u64 = 20_261_115;
    /// Where the answers are kept.
    const REAL: &str = "small_model.json";
    const SANDBOX: &str = "small_model_sandbox.json";

    /// A model's answer.
    #[derive(Clone, Debug, Serialize, Deserialize)]
    struct Answer {
        owner_name: Option<String>,
        owner_title: Option<String>,
        email: Option<String>,
    }

    /// What a model is asked about, and what is true of it.
    struct Asked {
        key: String,
        brief: Brief,
        owners: Vec<String>,
        emails: Vec<String>,
    }

    /// The lead as if the finders had found no owner and no best email: the model has to.
    fn blank(found: Found) -> Brief {
        let mut lead = found.lead.clone();
        (lead.owner_name, lead.owner_title, lead.primary_email) = (None, None, None);
        let text = found.site_text.map(|text| text.chars().take(SHOWN_CHARS).collect::<String>());
        Brief::of(&lead, text.as_deref(), "fence".into())
    }

    /// Real pages: all that name an owner, and as many of the others as there is room for.
    fn real_pages() -> Vec<Asked> {
        let folders = folders();
        let (named, others): (Vec<Label>, Vec<Label>) = labels().into_iter().partition(Label::names_an_owner);
        let there = named.into_iter().chain(others).filter_map(|label| {
            let brief = blank(lead_of(&label, &folders)?);
            Some(Asked { key: label.file, brief, owners: label.owners, emails: label.emails })
        });
        there.take(SITES).collect()
    }

    /// Websites of the sandbox: those of the last run, or, to ask anew, of three trades in Austin, a third each.
    fn sandbox_sites() -> Vec<Asked> {
        let world = World::new(SEED);
        if std::env::var_os("TEST_MODEL_URL").is_none() {
            let ids = recorded(&file(SANDBOX)).into_keys();
            return ids.filter_map(|id| asked_about(&world, &world.business(&id)?)).collect();
        }
        let austin = places::locate("Austin, TX").expect("a town").place.area(places::Scope::City);
        let of_trade = |trade: &str| {
            let businesses = world.businesses(&austin, places::industry(trade).expect("a trade").category);
            businesses.filter_map(|business| asked_about(&world, &business)).take(SITES / 3).collect::<Vec<_>>()
        };
        ["plumber", "dentist", "restaurant"].into_iter().flat_map(of_trade).collect()
    }

    fn asked_about(world: &World, business: &Business) -> Option<Asked> {
        let Website::Own { host } = &business.website else { return None };
        let pages = pages_of(world, host);
        if pages.is_empty() {
            return None;
        }
        let url = format!("http://{host}/");
        let subject = Subject { id: &business.id, business: &business.name, industry: "plumber", url: &url };
        let truth = world.truth(business, 0);
        Some(Asked {
            key: business.id.clone(),
            brief: blank(lead_from(&subject, &pages)),
            owners: truth.owner.into_iter().map(|(name, _)| name).collect(),
            emails: truth.emails.into_iter().map(|email| email.email).collect(),
        })
    }

    /// The home page and the pages it links to.
    fn pages_of(world: &World, host: &str) -> Vec<(String, Vec<u8>)> {
        let page = |path: &str| {
            let response = world.respond(host, path, 0).filter(|response| response.status == 200)?;
            Some((format!("http://{host}{path}"), response.body.to_vec()))
        };
        let Some(home) = page("/") else { return Vec::new() };
        let link = Regex::new(r#"href="(/[a-z][a-z/-]*)""#).expect("the pattern is constant");
        let text = String::from_utf8_lossy(&home.1).into_owned();
        let mut paths: Vec<&str> = link.captures_iter(&text).filter_map(|found| Some(found.get(1)?.as_str())).collect();
        paths.sort_unstable();
        paths.dedup();
        std::iter::once(home).chain(paths.into_iter().filter_map(page)).take(PAGES_MAX).collect()
    }

    async fn ask(model: &dyn Model, asked: &[Asked]) -> BTreeMap<String, Answer> {
        let mut answers = BTreeMap::new();
        for one in asked {
            let Who { owner_name, owner_title, email } = model.who(&one.brief).await.unwrap_or_default();
            println!("{}: {owner_name:?}, {owner_title:?}, {email:?}", one.key);
            answers.insert(one.key.clone(), Answer { owner_name, owner_title, email });
        }
        answers
    }

    /// What became of the names, or of the emails, that a model gave.
    #[derive(Debug, Default)]
    struct Tally {
        given: usize,
        given_right: usize,
        kept: usize,
        kept_right: usize,
        /// Kept and right, and not found by the rules on the same text.
        gained: usize,
        rejected: BTreeMap<Rejection, usize>,
        /// Right, and dropped all the same.
        lost: Vec<String>,
    }

    /// One name or email, and what is true of it.
    struct Claim<'a> {
        value: &'a str,
        is_right: bool,
        is_kept: bool,
        is_known: bool,
    }

    impl Tally {
        fn count(&mut self, key: &str, claim: &Claim<'_>, rejected: Option<Rejection>) {
            self.given += 1;
            self.given_right += usize::from(claim.is_right);
            self.kept += usize::from(claim.is_kept);
            self.kept_right += usize::from(claim.is_kept && claim.is_right);
            self.gained += usize::from(claim.is_kept && claim.is_right && !claim.is_known);
            if let Some(why) = rejected {
                *self.rejected.entry(why).or_default() += 1;
            }
            if claim.is_right && !claim.is_kept {
                self.lost.push(format!("{key}: {} ({rejected:?})", claim.value));
            }
        }

        fn print(&self, what: &str) {
            let Tally { given, given_right, kept, kept_right, gained, rejected, lost } = self;
            println!("{what}: {given} given, {given_right} of them right; {kept} kept, {kept_right} of them right");
            println!(
                "{what}: {gained} kept and right that the rules do not find; rejected {rejected:?}; right and dropped {lost:?}"
            );
        }
    }

    fn tally(asked: &[Asked], answers: &BTreeMap<String, Answer>) -> (Tally, Tally) {
        let (mut owners, mut emails) = (Tally::default(), Tally::default());
        let said = |value: &Option<String>| value.clone().filter(|value| !value.trim().is_empty());
        for one in asked {
            let Some(answer) = answers.get(&one.key) else { continue };
            let who = Who { owner_name: said(&answer.owner_name), owner_title: said(&answer.owner_title), email: None };
            let by_rules = check(&one.brief, &rules_who(&one.brief));
            if let Some(name) = &who.owner_name {
                let checked = check(&one.brief, &who);
                let claim = Claim {
                    value: name,
                    is_right: is_one_of(&one.owners, name),
                    is_kept: checked.owner.is_some(),
                    is_known: by_rules.owner.is_some(),
                };
                owners.count(&one.key, &claim, checked.rejected.first().copied());
            }
            if let Some(email) = said(&answer.email) {
                let checked = check(&one.brief, &Who { email: Some(email.clone()), ..Who::default() });
                let claim = Claim {
                    value: &email,
                    is_right: one.emails.iter().any(|right| right.eq_ignore_ascii_case(email.trim())),
                    is_kept: checked.email.is_some(),
                    is_known: by_rules.email.is_some(),
                };
                emails.count(&one.key, &claim, checked.rejected.first().copied());
            }
        }
        (owners, emails)
    }

    fn file(name: &str) -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/recorded").join(name)
    }

    /// The answers of the last run; none before the first.
    fn recorded(file: &Path) -> BTreeMap<String, Answer> {
        let Ok(text) = std::fs::read_to_string(file) else { return BTreeMap::new() };
        serde_json::from_str(&text).unwrap()
    }

    /// Asks anew where a model is named, else takes the answers of the last run.
    async fn answers(asked: &[Asked], file: &Path) -> BTreeMap<String, Answer> {
        let Some(url) = std::env::var_os("TEST_MODEL_URL") else { return recorded(file) };
        let answers = ask(&*model_at(url.to_str().expect("an address")), asked).await;
        std::fs::write(file, serde_json::to_string_pretty(&answers).unwrap() + "\n").unwrap();
        answers
    }

    /// Prints what became of the answers. None that is wrong may be kept.
    async fn judge(asked: &[Asked], name: &str) -> (Tally, Tally) {
        let answers = answers(asked, &file(name)).await;
        let (owners, emails) = tally(asked, &answers);
        println!(
            "{} asked about, {} that name an owner",
            asked.len(),
            asked.iter().filter(|one| !one.owners.is_empty()).count()
        );
        owners.print("owners");
        emails.print("emails");
        assert!(owners.given >= asked.len() / 2, "the answers are about other websites: {owners:?}");
        assert_eq!(owners.kept, owners.kept_right, "a wrong owner was kept: {owners:?}");
        (owners, emails)
    }

    #[tokio::test]
    async fn of_a_models_answers_about_real_pages_inventions_are_dropped_and_truths_kept() {
        let asked = real_pages();
        if asked.is_empty() {
            println!("skipped: TEST_PAGES_DIR does not say where the real pages are");
            return;
        }
        let (owners, emails) = judge(&asked, REAL).await;
        assert_eq!(emails.kept, emails.kept_right, "an email that the page does not show was kept: {emails:?}");
        // Right names are dropped, too, where the text that was shown does not call them the owner.
        assert!(owners.kept > 0, "no truth was kept");
    }

    #[tokio::test]
    async fn of_a_models_answers_about_the_sandboxs_websites_inventions_are_dropped_and_truths_kept() {
        let asked = sandbox_sites();
        if asked.is_empty() {
            println!("skipped: no answers about the sandbox's websites were recorded; `make model` asks for them");
            return;
        }
        let (owners, emails) = judge(&asked, SANDBOX).await;
        assert_eq!(emails.kept, emails.kept_right, "an email that the website does not show was kept: {emails:?}");
        assert!(owners.kept > 0, "no truth was kept");
    }
}
