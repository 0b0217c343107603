//! What the check makes of a real model's answers about real pages. The answers of one run are in the repository
//! (`tests/recorded/small_model.json`), the pages are not: `TEST_PAGES_DIR` names their folders, and without it the measure only
//! says that it skipped. With `TEST_MODEL_URL`, such as `http://127.0.0.1:8081/v1`, a model is asked anew and its answers recorded.

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::path::{Path, PathBuf};

    use serde::{Deserialize, Serialize};

    use crate::ai::{Brief, Model, Who, model_at};
    use crate::enrichment::check::check;
    use crate::enrichment::truth::{Label, folders, labels, lead_of};

    /// Pages asked about.
    const PAGES: usize = 60;
    /// Characters of a page that a small model is shown: it reads slowly, and loses the thread of more.
    const SHOWN_CHARS: usize = 5_000;

    /// A model's answer about a page.
    #[derive(Clone, Debug, Serialize, Deserialize)]
    struct Answer {
        owner_name: Option<String>,
        owner_title: Option<String>,
        email: Option<String>,
    }

    fn file() -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/recorded/small_model.json")
    }

    /// The pages: all that name an owner, and as many of the others as there is room for.
    fn pages() -> Vec<(Label, Brief)> {
        let folders = folders();
        let (named, others): (Vec<Label>, Vec<Label>) = labels().into_iter().partition(Label::names_an_owner);
        let there = named.into_iter().chain(others).filter_map(|label| {
            let found = lead_of(&label, &folders)?;
            // As if the finders had found no owner and no best email: the model has to.
            let mut lead = found.lead.clone();
            (lead.owner_name, lead.owner_title, lead.primary_email) = (None, None, None);
            let text = found.site_text.map(|text| text.chars().take(SHOWN_CHARS).collect::<String>());
            let brief = Brief::of(&lead, text.as_deref(), "fence".into());
            Some((label, brief))
        });
        there.take(PAGES).collect()
    }

    async fn ask(model: &dyn Model, pages: &[(Label, Brief)]) -> BTreeMap<String, Answer> {
        let mut answers = BTreeMap::new();
        for (label, brief) in pages {
            let Who { owner_name, owner_title, email } = model.who(brief).await.unwrap_or_default();
            println!("{}: {owner_name:?}, {owner_title:?}, {email:?}", label.file);
            answers.insert(label.file.clone(), Answer { owner_name, owner_title, email });
        }
        answers
    }

    /// What became of the answers of one kind.
    #[derive(Debug, Default, PartialEq, Eq)]
    struct Tally {
        right_kept: usize,
        right_dropped: usize,
        wrong_kept: usize,
        wrong_dropped: usize,
    }

    impl Tally {
        fn count(&mut self, is_right: bool, is_kept: bool) {
            *match (is_right, is_kept) {
                (true, true) => &mut self.right_kept,
                (true, false) => &mut self.right_dropped,
                (false, true) => &mut self.wrong_kept,
                (false, false) => &mut self.wrong_dropped,
            } += 1;
        }
    }

    #[tokio::test]
    async fn of_a_small_models_answers_the_inventions_are_dropped_and_the_truths_kept() {
        let pages = pages();
        if pages.is_empty() {
            println!("skipped: TEST_PAGES_DIR does not say where the real pages are");
            return;
        }
        let answers: BTreeMap<String, Answer> = match std::env::var_os("TEST_MODEL_URL") {
            Some(url) => {
                let asked = ask(&*model_at(url.to_str().unwrap()), &pages).await;
                std::fs::write(file(), serde_json::to_string_pretty(&asked).unwrap() + "\n").unwrap();
                asked
            }
            None => serde_json::from_str(&std::fs::read_to_string(file()).unwrap()).unwrap(),
        };
        let (mut owners, mut emails) = (Tally::default(), Tally::default());
        for (label, brief) in &pages {
            let Some(answer) = answers.get(&label.file).cloned() else { continue };
            let Answer { owner_name, owner_title, email } = answer;
            let who = Who { owner_name: owner_name.clone(), owner_title, email: email.clone() };
            let checked = check(brief, &who);
            if let Some(name) = owner_name.filter(|name| !name.trim().is_empty()) {
                let (is_right, is_kept) = (label.is_owner(&name), checked.owner.is_some());
                if is_right != is_kept {
                    println!("{}: owner {name:?}, right {is_right}, kept {is_kept}", label.file);
                }
                owners.count(is_right, is_kept);
            }
            if let Some(email) = email.filter(|email| !email.trim().is_empty()) {
                let is_shown = brief.emails.iter().any(|known| known.email.eq_ignore_ascii_case(email.trim()));
                emails.count(is_shown, checked.email.is_some());
            }
        }
        println!("{} pages\nowners: {owners:?}\nemails that the pages show: {emails:?}", pages.len());
        assert_eq!((owners.wrong_kept, emails.wrong_kept), (0, 0), "an invention was kept");
        // Right names are dropped, too, where the text that was shown does not call them the owner.
        assert!(owners.right_kept > 0, "no truth was kept");
    }
}
