//! People whom the alternative texts of pictures name, on pages about people: `<img alt="Ann Lee">` above `Office Manager`,
//! pictures of text such as `Ann Lee, Office Manager`, and portraits beside the name that they show.

use crate::people::names::{self, PersonName};
use crate::people::one_line::{self, Titled};
use crate::people::reader::{LINE_STEPS, PageReader, TEAM_MIN};
use crate::people::{PEOPLE_MAX, job_phrases, other_companies, owners, titles, vouched};
use crate::text::unescape_attribute;
use crate::word_set::WordSet;

/// Longest alternative text that is read, in bytes.
const ALT_BYTES_MAX: usize = 80;
/// Longest line that is a name, in bytes.
const NAME_BYTES_MAX: usize = 50;
/// Lines below a picture that repeat its name, if the page shows it as text.
const LINES_BELOW: usize = 3;

/// Places in the text that are searched for a name.
const MENTIONS_MAX: usize = 20;

/// What stands between a speaker and their name: `My name is`, `I am`, `Ich heiße`, `Je suis`.
static SPEAKING: WordSet =
    WordSet::new("is am i'm i’m heiße heisse bin suis m'appelle m’appelle sono soy llamo chamo ben heet");

impl PageReader<'_, '_> {
    /// Reads the pictures of a page that presents people.
    pub(super) fn pictures(&mut self) {
        let document = self.document;
        let mut of_text: Vec<(usize, Titled)> = Vec::new();
        let mut portraits: Vec<usize> = Vec::new();
        for picture in &document.pictures {
            let Some(alt) = picture.tag.attribute("alt").filter(|alt| (5..=ALT_BYTES_MAX).contains(&alt.len())) else {
                continue;
            };
            if !document.budget.spend(LINE_STEPS) {
                break;
            }
            let alt = unescape_attribute(alt.trim());
            let index = document.lines.partition_point(|line| line.start < picture.at);
            if !self.may_be_read(index) {
                continue;
            }
            if let Some(line) = self.line_of(&alt, index) {
                portraits.push(line);
            }
            if !names::may_start(&alt) {
                continue;
            }
            if let Some(name) = names::parse(&alt) {
                self.above_title(name, index);
            } else if let Some(titled) = self.name_and_title(&alt) {
                of_text.push((index, titled));
            }
        }
        // One alone may be a caption, unless the text presents them too; several are a team whose cards are pictures.
        let is_team = of_text.len() >= TEAM_MIN;
        for (index, titled) in of_text {
            if is_team || self.is_presented(&titled) {
                self.keep_picture("name and title in pictures of text", index, titled);
            }
        }
        portraits.dedup();
        if portraits.len() >= TEAM_MIN {
            portraits.into_iter().for_each(|line| self.beside_portrait(line));
        }
    }

    /// Whether the text shows a name by itself, or with `I am` before it; an owner's name may stand anywhere.
    fn is_presented(&self, (name, title): &Titled) -> bool {
        let text = &self.document.text;
        text.match_indices(name.name.as_str()).take(MENTIONS_MAX).any(|(at, _)| {
            let before = text[..at].trim_end().rsplit([' ', '\n']).next().unwrap_or("");
            let line = self.document.line(self.document.line_at(at)).0;
            owners::rank(title) > 0 || line == name.name || SPEAKING.contains_any_case(before)
        })
    }

    /// The line beside a picture that repeats its alternative text: the name of whom the picture shows.
    fn line_of(&self, alt: &str, index: usize) -> Option<usize> {
        let is_name = alt.contains(' ') && alt.len() <= NAME_BYTES_MAX && alt.starts_with(char::is_uppercase);
        let from = index.saturating_sub(LINES_BELOW);
        (from..=index + LINES_BELOW).find(|at| is_name && self.document.line(*at).0 == alt)
    }

    /// Somebody on no list above a title, or on a list above what the page calls them, with a portrait like the others.
    fn beside_portrait(&mut self, index: usize) {
        let document = self.document;
        let (line, place) = document.line(index);
        // `Ann Lee`, `Dipl.-Ing. (FH)`, `Managing Director`
        let is_degree = is_calling(document.line(index + 1).0) && titles::is_title(document.line(index + 2).0);
        let last = index + 1 + usize::from(is_degree);
        let (below, next) = document.line(last);
        let title = below.trim_end_matches([',', ' ']);
        if place.nav
            || next.nav
            || (next.link && !place.link)
            || !titles::may_be_title(title)
            || !document.budget.spend(LINE_STEPS)
        {
            return;
        }
        let is_title = titles::is_title(title) && !titles::is_of_several(title);
        let known = names::parse(line).filter(|_| is_title || is_calling(title));
        let name = known.or_else(|| vouched::name(line).filter(|name| is_title && !self.words.make_up(&name.name)));
        let is_theirs = names::parse(title).is_none()
            && one_line::read(title, self.site).is_empty()
            && !other_companies::names_another(title, self.site)
            && self.objection(index, last, title).is_none();
        if let Some(name) = name.filter(|_| is_theirs) {
            self.keep_picture("beside a portrait, like the others", index, (name, title.to_owned()));
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

/// Whether a line below a name is what its bearer is called or has learnt: `The Organiser`, `Dipl.-Ing. (FH) Vermessung`.
fn is_calling(line: &str) -> bool {
    let line = line.trim_end_matches([',', ' ']);
    let bare = match (line.find(" ("), line.find(')')) {
        (Some(open), Some(close)) if open < close => format!("{}{}", &line[..open], &line[close + 1..]),
        _ => line.to_owned(),
    };
    job_phrases::is_phrase(&bare) && !titles::is_past(&bare.to_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_somebody_is_called_is_short() {
        for line in ["The Organiser", "Dipl.-Ing. (FH) Vermessung", "B.Sc. Geodesy"] {
            assert!(is_calling(line), "{line}");
        }
        for line in
            ["Former Editor", "Verified Expert", "She joined us in 2004.", "From $20", "Read more", "555-0100", ""]
        {
            assert!(!is_calling(line), "{line}");
        }
    }
}
