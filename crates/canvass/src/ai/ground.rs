//! Whether something really stands in a text: character for character, once both are written the same way.
//!
//! Written the same way means: Unicode forms folded (NFKC), one kind of quote and dash, one space for all white space,
//! nothing invisible, lower case. Nothing is guessed: `Jon Smith` is not `John Smith`.

use unicode_normalization::UnicodeNormalization;

use super::{Brief, PageText};

/// Characters of a snippet.
const SNIPPET_CHARS_MAX: usize = 160;
/// Bytes between a name and what is said of it.
const NEAR_BYTES_MAX: usize = 60;

/// Words that say a business is somebody's, in the main languages; parts of words, as titles are inflected.
const OWNING: [&str; 27] = [
    "owner",
    "owned by",
    "founder",
    "founded by",
    "founding",
    "proprietor",
    "proprietress",
    "president",
    "ceo",
    "chief executive",
    "principal",
    "managing partner",
    "managing director",
    "managing member",
    "inhaber",
    "geschäftsführer",
    "gründer",
    "gérant",
    "propriétaire",
    "fondat",
    "propietari",
    "dueñ",
    "fundad",
    "titolare",
    "eigenaar",
    "oprichter",
    "proprietári",
];

/// A text in its one way of being written.
pub fn normal(text: &str) -> String {
    let mut written = String::with_capacity(text.len());
    let mut space = true;
    for letter in text.nfkc().flat_map(char::to_lowercase) {
        match plain(letter) {
            None => {}
            Some(' ') => {
                if !space {
                    written.push(' ');
                }
                space = true;
            }
            Some(letter) => {
                written.push(letter);
                space = false;
            }
        }
    }
    written.truncate(written.trim_end().len());
    written
}

fn plain(letter: char) -> Option<char> {
    match letter {
        '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2064}' | '\u{feff}' => None,
        '‘' | '’' | '‚' | '‛' | '′' | '`' | '´' => Some('\''),
        '“' | '”' | '„' | '‟' | '″' => Some('"'),
        '‐'..='―' | '−' => Some('-'),
        letter if letter.is_whitespace() || letter.is_control() => Some(' '),
        letter => Some(letter),
    }
}

/// Where `needle` stands in `text` as whole words, both [`normal`]: the first place.
pub fn find(text: &str, needle: &str) -> Option<usize> {
    places(text, needle).next()
}

/// Every place where `needle` stands in `text` as whole words, both [`normal`].
fn places<'t>(text: &'t str, needle: &'t str) -> impl Iterator<Item = usize> + 't {
    let whole = move |at: usize| {
        let before = text[..at].chars().next_back();
        let after = text[at + needle.len()..].chars().next();
        !before.is_some_and(char::is_alphanumeric) && !after.is_some_and(char::is_alphanumeric)
    };
    let found = (!needle.is_empty()).then(|| text.match_indices(needle)).into_iter().flatten();
    found.map(|(at, _)| at).filter(move |at| whole(*at))
}

/// Where something stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Standing {
    /// The page; the business's website when a customer said it.
    pub url: String,
    /// The words around it.
    pub snippet: String,
}

/// Whether words name an owner.
pub fn is_owning(title: &str) -> bool {
    let title = normal(title);
    OWNING.iter().any(|word| title.contains(word))
}

/// Where the text says that this person owns the business: the name, and close to it the title, or else any word for
/// owning. `None` when it does not stand there.
pub fn owner(brief: &Brief, name: &str, title: Option<&str>) -> Option<Standing> {
    let (name, title) = (normal(name), title.map(normal));
    if !is_person(&name) || name == normal(&brief.business_name) {
        return None;
    }
    let said = |text: &str| {
        let lines: Vec<String> = text.lines().map(normal).filter(|line| !line.is_empty()).collect();
        (0..lines.len()).any(|place| {
            let next = lines.get(place + 1).map_or("", String::as_str);
            let mut at = places(&lines[place], &name);
            at.any(|at| is_said_near((&lines[place], next), at..at + name.len(), title.as_deref()))
        })
    };
    let page = brief.pages.iter().find(|page| said(&page.text));
    let on_page = page.map(|PageText { url, text }| Standing { url: url.clone(), snippet: line_with(text, &name) });
    let by_customer = || {
        let review = brief.reviews.iter().find(|review| said(review))?;
        Some(Standing { url: brief.website.clone().unwrap_or_default(), snippet: line_with(review, &name) })
    };
    on_page.or_else(by_customer)
}

/// Two to five words of letters: anything else is no person's name.
fn is_person(name: &str) -> bool {
    let words: Vec<&str> = name.split(' ').collect();
    let letters = |word: &&str| word.chars().all(|c| c.is_alphabetic() || "'.-,".contains(c));
    (2..=5).contains(&words.len()) && words.iter().all(letters) && name.chars().count() <= 60
}

/// Whether the title, or any word for owning, stands close to a name: on its line, or on the next when the name ends
/// its own, as on a card. What stands on the line before belongs to somebody else.
fn is_said_near((line, next): (&str, &str), name: std::ops::Range<usize>, title: Option<&str>) -> bool {
    let from = floor(line, name.start.saturating_sub(NEAR_BYTES_MAX));
    let (before, rest) = (&line[from..name.start], &line[name.end..]);
    let after = if rest.chars().any(char::is_alphanumeric) { rest } else { next };
    let after = &after[..floor(after, NEAR_BYTES_MAX.min(after.len()))];
    // A full stop ends what is said of somebody.
    let before = before.rsplit(". ").next().unwrap_or(before);
    let after = after.split(". ").next().unwrap_or(after);
    [before, after].iter().any(|side| match title {
        Some(title) => find(side, title).is_some(),
        None => OWNING.iter().any(|word| side.contains(word)),
    })
}

fn floor(text: &str, at: usize) -> usize {
    (0..=at).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0)
}

/// The line of a text in which something stands, cut to a snippet's length.
fn line_with(text: &str, needle: &str) -> String {
    let line = text.lines().find(|line| find(&normal(line), needle).is_some()).unwrap_or_default();
    let words = line.split_whitespace().collect::<Vec<_>>().join(" ");
    let at = words.to_lowercase().find(needle.split(' ').next().unwrap_or_default()).unwrap_or(0);
    let skipped = words[..floor(&words, at)].chars().count().saturating_sub(SNIPPET_CHARS_MAX / 4);
    words.chars().skip(skipped).take(SNIPPET_CHARS_MAX).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn brief(text: &str) -> Brief {
        let page = PageText { url: "http://a.example/".into(), text: text.into() };
        Brief { business_name: "Acme Plumbing".into(), pages: vec![page], ..Brief::default() }
    }

    #[test]
    fn texts_are_compared_in_one_way_of_writing() {
        assert_eq!(normal("  Jane\u{a0}\u{200b}O’Neill –  OWNER\n"), "jane o'neill - owner");
        assert_eq!(normal("ﬁre Ｃｏ"), "fire co");
        assert!(find(&normal("Ask for Ann Lee."), "ann lee").is_some());
        assert!(find(&normal("Ask for Joann Leeson."), "ann lee").is_none());
        assert!(find("anything", "").is_none());
    }

    fn check(text: &str, name: &str, title: Option<&str>, expected: bool) {
        assert_eq!(owner(&brief(text), name, title).is_some(), expected, "{text:?} {name} {title:?}");
    }

    #[test]
    fn an_owner_must_stand_in_the_text_with_something_that_says_so() {
        check("Jane Doe, Owner", "Jane Doe", Some("Owner"), true);
        check("Jane Doe, Owner", "JANE  DOE", None, true);
        check("Jane Doe\nFounder & CEO\nBob Ray\nForeman", "Jane Doe", Some("Founder & CEO"), true);
        check("Acme was founded by Jane Doe in 1998.", "Jane Doe", None, true);
        check("Jane Doe\nOwner\nBob Ray\nForeman", "Bob Ray", Some("Owner"), false);
        check("Jane Doe, Owner\nBob Ray", "Bob Ray", None, false);
        check("Jane Doe, Owner", "Jane Smith", Some("Owner"), false);
        check("Jane Doe, Owner", "Jane Doe", Some("President"), false);
        check("Jane Doe answers the phone.", "Jane Doe", None, false);
        check("Jane Doe answers the phone. The owner is away.", "Jane Doe", None, false);
        check("Jane Doe, Owner", "Jane", Some("Owner"), false);
        check("Acme Plumbing, Owner", "Acme Plumbing", Some("Owner"), false);
        check("Jane Doe 24/7, Owner", "Jane Doe 24/7", Some("Owner"), false);
        check(&format!("{} Jane Doe, Owner", "é".repeat(500)), "Jane Doe", Some("Owner"), true);
    }
}
