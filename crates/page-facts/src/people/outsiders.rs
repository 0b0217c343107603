//! Recognises by the lines around a name that someone is not of the business: the maker of a film or a house, the author
//! of a post, a customer whose words follow.

use crate::document::Document;
use crate::people::{owners, speaker, titles};
use crate::word_set::WordSet;

/// Lines around a label that are searched for other labels.
const LINES_AROUND: usize = 3;
/// Shortest line that may be someone's words, in bytes and words.
const WORDS_BYTES_MIN: usize = 24;
const WORDS_MIN: usize = 5;

/// Labels of films, books and projects.
static CREDIT_LABELS: WordSet = WordSet::new(
    "cast starring writer writers screenplay producer producers genre genres runtime rating release released publisher
     isbn composer music cinematography cinematographer narrator builder client location contractor photographer
     photography photo photos year stars studio language pages format author illustrator
     planner florist venue caterer catering videographer",
);

/// Whether `Architect: Ann Lee` is one of several credits of a work, or `Web Designer: Ann Lee` that of the website.
pub(super) fn is_credit(document: &Document<'_>, index: usize, title: &str) -> bool {
    let (line, _) = document.line(index);
    if is_site_credit(document, index, title) {
        return true;
    }
    if !line.contains(':') {
        return false;
    }
    // The owner of a horse may be anybody, that of a house or a film is rarely named.
    let labels = if owners::rank(title) > 0 { &ANIMAL_LABELS } else { &CREDIT_LABELS };
    let from = index.saturating_sub(LINES_AROUND);
    (from..=index + LINES_AROUND).filter(|at| *at != index).any(|at| {
        let (line, _) = document.line(at);
        let label = line.split_once(':').map_or("", |(label, _)| label);
        let first = label.split([' ', '/']).next().unwrap_or("").to_lowercase();
        label.len() < 30 && (labels.contains(first.as_str()) || ANIMAL_LABELS.contains(first.as_str()))
    })
}

/// Labels of animals that are shown, bred or raced.
static ANIMAL_LABELS: WordSet = WordSet::new("breeder jockey sire dam handler rider foaled whelped");

/// First words of labels that credit whoever made the website or its pictures.
static SITE_LABELS: WordSet = WordSet::new("web website webdesign webdesigner webdeveloper webmaster webmistress site");

/// Whether `Web Designer: Ann Lee` credits the maker of the website, rather than being one of several labels of the staff.
fn is_site_credit(document: &Document<'_>, index: usize, title: &str) -> bool {
    let (line, _) = document.line(index);
    let first = title.split([' ', '/', '-']).next().unwrap_or("");
    let is_label = |at: usize| {
        let label = document.line(at).0.split_once(':').map_or("", |(label, _)| label);
        label.len() < STORY_BYTES_MAX && titles::is_title(label)
    };
    SITE_LABELS.contains_any_case(first)
        && line.starts_with(first)
        && !index.checked_sub(1).is_some_and(is_label)
        && !is_label(index + 1)
}

/// Whether the line after a title dates a post: `3 years ago`, `Reply`.
pub(super) fn is_post(document: &Document<'_>, last: usize) -> bool {
    let (line, _) = document.line(last + 1);
    let is_member = ["Joined:", "Joined ", "Posts:", "Member since"].iter().any(|start| line.starts_with(start))
        && line.bytes().any(|b| b.is_ascii_digit());
    line.len() < 30
        && (is_member
            || line.ends_with(" ago")
            || matches!(line, "Reply" | "Permalink" | "Edited" | "Report" | "Quote"))
}

/// Longest line that rates or locates an entry of a directory, in bytes.
const LISTING_BYTES_MAX: usize = 80;

/// Whether a line rates or locates someone whom a directory lists: `4.2 stars`, `3.4 mi away`.
pub(super) fn is_listing(line: &str) -> bool {
    line.len() <= LISTING_BYTES_MAX
        && line.bytes().any(|b| b.is_ascii_digit())
        && ["★", " stars", " mi ", " mi away", " miles away", " km away"].iter().any(|sign| line.contains(sign))
}

/// Verbs and nouns of links below customers: `Read the full story`, `Watch video`.
static STORY_VERBS: WordSet = WordSet::new("read watch see view hear explore");
static STORY_NOUNS: WordSet =
    WordSet::new("story stories study studies review reviews testimonial testimonials interview");

/// Whether a link to a customer's story, or a figure of their success, follows a title: `Read customer story`, `30%`.
pub(super) fn is_story(document: &Document<'_>, last: usize) -> bool {
    let (line, _) = document.line(last + 1);
    if line.len() > STORY_BYTES_MAX {
        return false;
    }
    let lower = line.to_ascii_lowercase();
    let mut words = lower.split(|c: char| !c.is_ascii_alphabetic()).filter(|word| !word.is_empty());
    let is_link = words.next().is_some_and(|word| STORY_VERBS.contains(word))
        && words.next_back().is_some_and(|word| STORY_NOUNS.contains(word));
    let figure = line.trim_start_matches(['+', '$', '>', '<', '~', '-']).trim_end_matches(['+', ' ']);
    let is_figure = figure.len() >= 2
        && figure.ends_with(['%', 'x', 'X'])
        && figure[..figure.len() - 1].bytes().all(|b| b.is_ascii_digit() || b == b'.' || b == b',');
    is_link || is_figure
}

/// Longest line that is such a link, in bytes.
const STORY_BYTES_MAX: usize = 40;

/// Labels of those who come from elsewhere.
static GUEST_LABELS: WordSet = WordSet::new(
    "guest guests featuring feat speaker speakers keynote panelist panelists interview interviewee sponsor client customer
     winner winners recipient recipients honoree honorees nominee donor patient bride groom model",
);

/// `Guest: Ann Lee, Chef`, `Interview with Ann Lee, Designer`: someone from elsewhere, says the start of the line.
pub(super) fn is_guest_line(line: &str) -> bool {
    let mut words = line.split(|c: char| !c.is_alphabetic()).filter(|word| !word.is_empty()).map(str::to_lowercase);
    let first = words.next().unwrap_or_default();
    let is_labelled = line
        .split([':', '–', '|'])
        .next()
        .is_some_and(|label| label.len() < LABEL_BYTES_MAX && label.len() < line.len());
    GUEST_LABELS.contains(first.as_str()) && (is_labelled || words.next().is_some_and(|word| word == "with"))
        || (is_labelled && words.next().is_some_and(|word| GUEST_LABELS.contains(word.as_str())) && first == "special")
}

/// Longest such label, in bytes.
const LABEL_BYTES_MAX: usize = 24;

/// Whether the text after a name and a title is a customer's praise.
pub(super) fn praises_below(document: &Document<'_>, last: usize) -> bool {
    let (line, place) = document.line(last + 1);
    !place.heading && line.len() >= WORDS_BYTES_MIN && speaker::is_praise(line)
}

/// Whether the last part of a title is a company and the line above the name is what someone said: `It has changed how
/// we work.`, `Ann Lee`, `VP of Engineering, Initech`.
pub(super) fn is_quoted_of_company(document: &Document<'_>, first: usize, title: &str) -> bool {
    let Some((_, house)) = title.rsplit_once(", ") else { return false };
    let is_house = house.split(' ').all(|word| word.starts_with(|c: char| c.is_uppercase() || c.is_ascii_digit()))
        && !titles::is_title(house)
        && !house.chars().all(|c| c.is_uppercase() || "., ®/".contains(c));
    let (before, place) = document.line(first.saturating_sub(1));
    let is_said = || {
        before.len() >= WORDS_BYTES_MIN
            && before.split_whitespace().nth(WORDS_MIN - 1).is_some()
            && before.ends_with(['.', '!', '”', '"'])
    };
    first > 0 && is_house && !place.heading && is_said()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(html: &str) -> Document<'_> {
        Document::parse(html)
    }

    #[test]
    fn credits_of_a_work_name_no_staff() {
        let film = lines("<p>Director: Ann Lee</p><p>Writers: Bob Ray</p>");
        assert!(is_credit(&film, 0, "Director"));
        let project = lines("<h3>Lake House</h3><p>Architect: Ann Lee</p><p>Builder: Ray Homes</p>");
        assert!(is_credit(&project, 1, "Architect") && !is_credit(&project, 1, "Owner"));
        let wedding = lines("<p>Photographer: Ann Lee</p><p>Planner: Bob Ray</p>");
        assert!(is_credit(&wedding, 0, "Photographer"));
        let staff = lines("<p>Director: Ann Lee</p><p>Manager: Bob Ray</p><p>Phone: 555-0100</p>");
        assert!(!is_credit(&staff, 0, "Director"));
    }

    #[test]
    fn posts_and_customers_are_recognised() {
        assert!(is_post(&lines("<p>Ann Lee</p><p>Manager</p><p>3 years ago</p>"), 1));
        assert!(is_post(&lines("<p>Ann Lee</p><p>Manager</p><p>Joined: May 2019</p>"), 1));
        assert!(!is_post(&lines("<p>Ann Lee</p><p>Manager</p><p>Joined Acme early</p>"), 1));
        assert!(!is_post(&lines("<p>Ann Lee</p><p>Manager</p><p>She joined us years ago.</p>"), 1));
        assert!(praises_below(&lines("<p>Ann Lee</p><p>Manager</p><p>This tool saved us hours every week.</p>"), 1));
        assert!(!praises_below(&lines("<p>Ann Lee</p><p>Manager</p><p>I love to help our patients smile.</p>"), 1));
    }

    #[test]
    fn customers_and_guests_are_known_by_what_is_around_them() {
        for below in ["Read customer story", "Watch the full interview", "30%", "10x", "See their case study"] {
            assert!(is_story(&lines(&format!("<p>Ann Lee</p><p>CEO</p><p>{below}</p>")), 1), "{below}");
        }
        for below in ["Read more", "View profile", "Ann reads stories", "512-555-0100", "x", "“é%"] {
            assert!(!is_story(&lines(&format!("<p>Ann Lee</p><p>CEO</p><p>{below}</p>")), 1), "{below}");
        }
        assert!(is_guest_line("Guest: Ann Lee, Chef") && is_guest_line("Interview with Ann Lee, Designer"));
        assert!(is_guest_line("Special guest: Ann Lee, Chef") && !is_guest_line("Guest Services Manager Ann Lee"));
        assert!(!is_guest_line("Owner: Ann Lee") && !is_guest_line("Client Care Coordinator - Ann Lee"));
    }

    #[test]
    fn a_company_after_the_title_of_someone_quoted_is_theirs() {
        let said = lines("<p>It has changed how we work.</p><p>Ann Lee</p><p>VP of Engineering, Initech</p>");
        assert!(is_quoted_of_company(&said, 1, "VP of Engineering, Initech"));
        assert!(!is_quoted_of_company(&said, 1, "VP of Engineering"));
        let staff = lines("<h2>Our lenders</h2><p>Ann Lee</p><p>Vice President, Commercial Lending</p>");
        assert!(!is_quoted_of_company(&staff, 1, "Vice President, Commercial Lending"));
    }
}
