//! Titles as they are kept: without the business's own name, and without the signs around them.

use crate::people::titles;
use crate::site::Site;

/// Shortest word that no full stop abbreviates, in bytes.
const SENTENCE_END_BYTES_MIN: usize = 7;

/// A title as it is kept. `None` if nothing remains of it.
pub(super) fn kept(title: &str, site: &Site) -> Option<String> {
    Some(without_own_company(&clean(title), site)).filter(|title| !title.is_empty())
}

/// `President of Acme` on the site of Acme is its president.
fn without_own_company(title: &str, site: &Site) -> String {
    let cut = [" of ", " at ", " for "].iter().find_map(|sign| {
        let (head, company) = title.split_once(sign)?;
        let company = company.strip_prefix("the ").unwrap_or(company);
        let words: Vec<&str> = company.trim_end_matches(", Inc.").trim_end_matches(" LLC").split(' ').collect();
        (titles::is_title(head) && site.is_called(&words)).then(|| head.to_owned())
    });
    cut.unwrap_or_else(|| title.to_owned())
}

fn clean(title: &str) -> String {
    let title = first_sentence(title.trim()).trim_end_matches(" Email").trim_end_matches(" Bio").trim();
    // The full stop of a sentence, not of `Asst. Mgr.`.
    let last = title.rsplit(' ').next().unwrap_or("");
    let title = if last.len() > 6 { title.trim_end_matches('.') } else { title };
    let title = title.trim_matches(['-', '–', '|', ',', ':', ' ']);
    // `Trainer (NASM)` keeps its bracket.
    let has_bracket = title.ends_with(')') && title.find('(').is_some_and(|at| at > 0);
    let title = if has_bracket { title } else { title.trim_matches(['(', ')', ' ']) };
    title.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// `Chef & Owner` of `Chef & Owner. Born in Naples`; the full stop of `Asst. Manager` ends nothing.
fn first_sentence(title: &str) -> &str {
    let Some((head, rest)) = title.split_once(". ") else { return title };
    let last = head.rsplit(' ').next().unwrap_or(head);
    let is_end = last.len() >= SENTENCE_END_BYTES_MIN || titles::is_plain_head(last);
    if is_end && rest.starts_with(char::is_uppercase) { head } else { title }
}
