//! Names below a heading that gives each of them its title: `Our Agents` above several names with contacts.

use crate::people::contact_lines::is_contact;
use crate::people::reader::{LINE_STEPS, PageReader, TEAM_MIN};
use crate::people::unlisted::may_be_unlisted;
use crate::people::{PEOPLE_MAX, cards, titles, vouched};

/// Lines between the heading of a section and a name in it.
const SECTION_LINES_MAX: usize = 60;

impl PageReader<'_, '_> {
    /// The title in the heading of the section that the heading in `index` is in.
    pub(super) fn section_title(&self, index: usize) -> Option<String> {
        let document = self.document;
        if !self.presents_people || !document.line(index).1.heading || !document.budget.spend(LINE_STEPS) {
            return None;
        }
        let mut above = (index.saturating_sub(SECTION_LINES_MAX)..index).rev();
        let is_heading = |at: &usize| document.line(*at).1.heading;
        let at = above
            .find(|at| is_heading(at) && cards::name(document.line(*at).0).is_none() && !self.has_contacts(*at))?;
        titles::singular_title(document.line(at).0)
    }

    /// Whether a heading may be a name on no list, with contacts below it.
    fn has_contacts(&self, index: usize) -> bool {
        let (line, place) = self.document.line(index);
        place.heading
            && may_be_unlisted(line)
            && is_contact(self.document.line(index + 1).0)
            && self.document.budget.spend(LINE_STEPS)
            && vouched::name(line).is_some()
    }

    /// Keeps the names on no list of a section in which others were found.
    pub(super) fn rest_of_the_section(&mut self) {
        let document = self.document;
        for index in 0..self.readable.len() {
            if !self.readable[index] || !self.has_contacts(index) || self.found.len() >= PEOPLE_MAX {
                continue;
            }
            let Some(title) = self.section_title(index) else { continue };
            let is_theirs = |title: &str| {
                let has = |given: Option<&str>| given == Some(title);
                self.found.iter().filter(|(_, person)| has(person.title.as_deref())).count() >= TEAM_MIN
            };
            let line = document.line(index).0;
            if is_theirs(&title)
                && self.objection(index, index, &title).is_none()
                && let Some(name) = vouched::name(line)
            {
                self.line = index;
                self.keep("among others of a section", (name, title), line);
            }
        }
    }
}
