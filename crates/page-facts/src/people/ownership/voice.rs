//! Who speaks: pages of one person say `I`, and what `I` did is theirs.

use std::sync::LazyLock;

use crate::literals::Literals;
use crate::people::ownership::persons::Persons;
use crate::people::ownership::statements::Spoken;
use crate::people::ownership::{Clue, Clues, OwnerPage, business_words, namesakes};

/// Words of the first person read per page, and how many make it the page's own voice.
const WORDS_MAX: usize = 200;
const WORDS_MIN: usize = 3;

/// Shortest line in which somebody speaks, in bytes.
const PARAGRAPH_BYTES_MIN: usize = 40;

/// `I` and `my` in the languages of the finders.
static SINGULAR: LazyLock<Option<Literals>> = LazyLock::new(|| {
    let words = [
        "I ",
        "I'm ",
        "I’m ",
        "I've ",
        "I’ve ",
        " my ",
        "My ",
        " ich ",
        "Ich ",
        " meine",
        " mein ",
        "Mein ",
        "Meine",
        " mich ",
        " je ",
        "Je ",
        "J'",
        "J’",
        " j'",
        " j’",
        " mon ",
        " ma ",
        " mes ",
        "Mon ",
        " mio ",
        " mia ",
        " miei ",
        " mie ",
        "Sono ",
        " mi ",
        "Mi ",
        " mis ",
        "Soy ",
        " ik ",
        "Ik ",
        " mijn ",
        "Mijn ",
        "He ejercido ",
        " meu ",
        " minha ",
    ];
    Literals::new(words.into_iter())
});
/// `my` in any of them, before what is claimed.
const MY: &[&str] = &[
    " my ", "My ", "mein", "Mein", " mon ", " ma ", " mes ", "Mon ", " mio ", " mia ", " mi ", "Mi ", "mijn ", "Mijn ",
    " mis ",
];

/// Gives the clues of the first person to whoever speaks, if that is clear.
pub(super) fn read(page: OwnerPage<'_, '_>, persons: &Persons, spoken: Spoken, clues: &mut Clues) {
    let speaker = speaker(page, persons, clues).filter(|speaker| {
        let name = persons.name(*speaker);
        !namesakes::is_no_person(page, name) && !namesakes::is_only_the_business(page, name)
    });
    let Some(speaker) = speaker else { return };
    let (Some(search), name) = (SINGULAR.as_ref(), persons.name(speaker).to_owned()) else { return };
    let (mut words, mut claim, mut first) = (0, None, None);
    let document = page.document;
    // Where several are presented, each speaks below their own name.
    let is_shared = persons.all().filter(|name| clues.has(name, Clue::Presented)).count() > 1;
    search.each(&document.text, WORDS_MAX, |found| {
        let index = document.line_at(found.start());
        let start = document.lines.get(index).map_or(0, |line| line.start);
        let Some(line) = page.line(index) else { return };
        if is_shared && persons.presented_above(page, index).is_some_and(|other| other != speaker) {
            return;
        }
        let at = found.start().saturating_sub(start);
        let place = document.line(index).1;
        // Forms and buttons say `I agree` and `My account`.
        if line.len() < PARAGRAPH_BYTES_MIN || place.link || place.footer {
            return;
        }
        // `AI is`, `Wi-Fi `: the capital stands inside of a word.
        let is_word = document.text[found.start()..].starts_with(' ');
        let is_inside = !is_word && line.get(..at).is_some_and(|before| before.ends_with(char::is_alphanumeric));
        if is_inside {
            return;
        }
        words += 1;
        first = first.or(Some((index, at)));
        let is_my = MY.iter().any(|my| document.text[found.start()..found.end()].contains(my.trim()));
        let after = line.get(at + found.end() - found.start()..).unwrap_or("");
        if claim.is_none() && is_my && business_words::is_claimed(after) {
            claim = Some((index, at));
        }
    });
    let has_spoken = clues.has(&name, Clue::Introduced);
    if words < WORDS_MIN && !(has_spoken && words > 0) && spoken.statements.is_empty() {
        return;
    }
    if let Some((index, at)) = first.filter(|_| words >= WORDS_MIN) {
        clues.add(&name, Clue::Speaks, (document.line(index).0, at));
    }
    if let Some((index, at)) = claim {
        clues.add(&name, Clue::SpeaksAsOwner, (document.line(index).0, at));
    }
    for (index, at, clue, title) in spoken.statements {
        clues.add_titled(&name, (clue, title), (document.line(index).0, at));
    }
}

/// Who says `I`: the one who introduces themselves; on a page about somebody, the only person of the page, or the one whom
/// the business is named after. Elsewhere customers and authors speak.
fn speaker(page: OwnerPage<'_, '_>, persons: &Persons, clues: &Clues) -> Option<usize> {
    let with = |wanted: Clue| -> Vec<usize> {
        persons.all().enumerate().filter(|(_, name)| clues.has(name, wanted)).map(|(person, _)| person).collect()
    };
    let one = |of: Vec<usize>| if let [person] = of[..] { Some(person) } else { None };
    match with(Clue::Introduced)[..] {
        [person] => Some(person),
        [] if page.tells_story => {
            let borne = [Clue::NamesakeAtWork, Clue::Namesake, Clue::Surname];
            let borne = || borne.into_iter().find_map(|clue| one(with(clue)));
            // On a front page posts and letters speak too.
            let presented = || persons.only().filter(|only| clues.has(persons.name(*only), Clue::Presented));
            if page.is_front {
                borne().or_else(presented)
            } else {
                persons.only().or_else(borne).or_else(|| one(with(Clue::Presented)))
            }
        }
        _ => None,
    }
}
