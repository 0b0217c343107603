//! People whom only the alternative texts of pictures name, on pages about people: `<img alt="Ann Lee">` above
//! `Office Manager`, and pictures of text such as `Ann Lee, Office Manager`.

use crate::people::names::{self, PersonName};
use crate::people::one_line::{self, Titled};
use crate::people::reader::{LINE_STEPS, PageReader, TEAM_MIN};
use crate::people::{PEOPLE_MAX, other_companies, titles};
use crate::text::unescape_attribute;

/// Longest alternative text that is read, in bytes.
const ALT_BYTES_MAX: usize = 80;
/// Lines below a picture that repeat its name, if the page shows it as text.
const LINES_BELOW: usize = 3;

impl PageReader<'_, '_> {
    /// Reads the pictures of a page that presents people.
    pub(super) fn pictures(&mut self) {
        let document = self.document;
        let mut of_text: Vec<(usize, Titled)> = Vec::new();
        for picture in &document.pictures {
            let Some(alt) = picture.tag.attribute("alt").filter(|alt| (5..=ALT_BYTES_MAX).contains(&alt.len())) else {
                continue;
            };
            if !document.budget.spend(LINE_STEPS) {
                break;
            }
            let alt = unescape_attribute(alt.trim());
            let index = document.lines.partition_point(|line| line.start < picture.at);
            if !names::may_start(&alt) || !self.may_be_read(index) {
                continue;
            }
            if let Some(name) = names::parse(&alt) {
                self.above_title(name, index);
            } else if let Some(titled) = self.name_and_title(&alt) {
                of_text.push((index, titled));
            }
        }
        // One alone may be a caption; several are a team whose cards are pictures.
        if of_text.len() >= TEAM_MIN {
            for (index, titled) in of_text {
                self.keep_picture("name and title in pictures of text", index, titled);
            }
        }
    }

    /// Whether neither the line before a picture nor the one after it is a customer's.
    fn may_be_read(&self, index: usize) -> bool {
        let is_readable = |at: usize| self.readable.get(at) != Some(&false);
        is_readable(index) && index.checked_sub(1).is_none_or(is_readable)
    }

    /// A picture of somebody whose title is the next line, where no line shows the name.
    fn above_title(&mut self, name: PersonName, index: usize) {
        let document = self.document;
        let (title, _) = document.line(index);
        let is_title = titles::is_title(title)
            && !titles::is_of_several(title)
            && names::parse(title).is_none()
            && one_line::read(title, self.site).is_empty()
            && !other_companies::names_another(title, self.site);
        let surname = name.name.rsplit(' ').next().unwrap_or("");
        let is_shown = || {
            let around = index.saturating_sub(1)..=index + LINES_BELOW;
            around
                .into_iter()
                .any(|at| document.line(at).0.len() <= ALT_BYTES_MAX && document.line(at).0.contains(surname))
        };
        if is_title && !is_shown() && self.objection(index, index, title).is_none() {
            self.keep_picture("the name in a picture above a title", index, (name, title.to_owned()));
        }
    }

    /// `Ann Lee, Office Manager` or `Ann Lee Office Manager`, and nothing else.
    fn name_and_title(&self, alt: &str) -> Option<Titled> {
        let mut both = one_line::read(alt, self.site);
        both.extend(one_line::without_separator(alt, self.site).filter(|_| both.is_empty()));
        let [_] = both[..] else { return None };
        both.pop().filter(|(_, title)| !other_companies::names_another(title, self.site))
    }

    fn keep_picture(&mut self, rule: &'static str, index: usize, titled: Titled) {
        let is_new = self.found.iter().all(|(_, person)| person.name != titled.0.name);
        if is_new && self.found.len() < PEOPLE_MAX {
            self.line = index;
            let snippet = format!("{}, {}", titled.0.name, titled.1);
            self.keep(rule, titled, &snippet);
        }
    }
}
