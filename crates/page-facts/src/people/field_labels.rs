//! Cards whose lines say what they are: `Name: Ann Lee`, `Position: Setter`.

use crate::people::contact_lines;

/// Longest title after a label, in bytes.
const TITLE_BYTES_MAX: usize = 60;

/// A line without the label of a name.
pub(super) fn name(line: &str) -> &str {
    ["Name:", "NAME:"].iter().find_map(|label| line.strip_prefix(label)).map_or(line, str::trim_start)
}

/// Whether a line is labelled as a name.
pub(super) fn is_name(line: &str) -> bool {
    name(line).len() < line.len()
}

/// What a line gives as the title. It need not be on a list, because the label says what it is.
pub(super) fn title(line: &str) -> Option<&str> {
    if !line.starts_with(['P', 'R', 'T', 'J']) {
        return None;
    }
    let rest = ["Position", "POSITION", "Role", "ROLE", "Title", "TITLE", "Job Title", "Job title"]
        .iter()
        .find_map(|label| line.strip_prefix(label))?;
    let rest = [":", " :", " – ", " - "].iter().find_map(|sign| rest.strip_prefix(sign))?;
    let title = contact_lines::before_contacts(rest).trim();
    let is_phrase = !title.contains(['.', '!', '?', '"', '“']) && !title.bytes().any(|byte| byte.is_ascii_digit());
    let is_title = (2..=TITLE_BYTES_MAX).contains(&title.len()) && title.starts_with(char::is_uppercase) && is_phrase;
    is_title.then_some(title)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_label_says_what_the_line_is() {
        assert_eq!((name("Name: Ann Lee"), name("Ann Lee"), name("Named Lee")), ("Ann Lee", "Ann Lee", "Named Lee"));
        for (line, expect) in [
            ("Position: Setter", Some("Setter")),
            ("Title: Head of Nets ann@acme.com", Some("Head of Nets")),
            ("Role – Setter", Some("Setter")),
            ("Position:", None),
            ("Position: 2 open", None),
            ("Position: apply now", None),
            ("Title: Is this a book?", None),
            ("Setter", None),
        ] {
            assert_eq!(title(line), expect, "{line}");
        }
    }
}
