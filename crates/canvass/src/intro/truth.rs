//! What the rules write to the businesses of real pages. The pages are not in the repository: `TEST_PAGES_DIR` names the
//! folders that hold them, and without it nothing is written.

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use crate::ai::{Brief, rules_intro};
    use crate::enrichment::truth::tests::{folders, labels, lead_of};
    use crate::intro::check;

    #[test]
    fn what_is_written_to_real_businesses_stands_on_their_pages() {
        let folders = folders();
        let mut openings: HashMap<String, usize> = HashMap::new();
        for label in &labels() {
            let Some(found) = lead_of(label, &folders) else { continue };
            let brief = Brief::of(&found.lead, found.site_text.as_deref(), "fence".into());
            let intro = rules_intro(&brief);
            assert_eq!(check(&brief, &intro), Ok(()), "{}: {intro}", label.file);
            let opening: Vec<&str> = intro.split_whitespace().take(4).collect();
            *openings.entry(opening.join(" ")).or_default() += 1;
            println!("{} {}: {intro}", label.file, brief.business_name);
        }
        println!("{} ways to begin: {openings:#?}", openings.len());
    }
}
