//! Whose voice a sentence of a page is: the business's own, or that of a customer, an author or a lawyer.

use crate::ai::ground::{find, is_invisible, normal};

/// Lines looked at.
const LINES_MAX: usize = 600;
/// Characters of a sentence that is quoted.
const QUOTE_CHARS: std::ops::RangeInclusive<usize> = 24..=120;

/// Words of sentences that warn, instruct, sell, explain or hang on the one before: no promise to quote.
const OTHER_USE: &str = " cookie| copyright| reserved | privacy | click | subscribe| newsletter| javascript| http| sign up| log in|\
     terms | @| welcome to | may | might | not | cannot | n't | if you | unless | disclaimer| affiliate| commission | consult with|\
     liab| please | call us | contact us | reach us | email | e-mail | phone | below | above | following | this page |\
     this article | this post | this guide | blog | read more | browser | website | link | links | however | therefore |\
     for example | we found | we tested | we picked | we recommend | editor| also | as well | too | first step | download|\
     donat| help ensure | guarantee manuscript| will need | you need to | according to | percent | study | survey |\
     page | cart | checkout | shipping | refund| coupon| gift card| gift cards ";
/// Words with which pages tell their readers what to do.
const ORDERS: &str = " find| let| visit| ask| discover| see| get| learn| call| check| explore| enjoy| real| help| join| try| book| \
    schedule| shop| meet| ";
/// Words of an outsider writing about the business.
const OUTSIDE: &str = " they | them | their | he | she | his | her | him | i | my | me | i'm | i've | we had | we were | our house |\
     our kitchen | our roof | our yard | our experience ";

/// How a business speaks of itself.
#[derive(Clone, Debug)]
pub(super) struct Voice {
    /// Its name, written in one way.
    name: String,
}

impl Voice {
    /// The voice of a business of this name.
    pub(super) fn of(name: &str) -> Voice {
        Voice { name: normal(name) }
    }

    /// Whether a sentence is the business's own, or names it.
    pub(super) fn is_about_itself(&self, sentence: &str) -> bool {
        let words = padded(sentence);
        let speaks = [" we ", " we're ", " we've ", " our ", " us "].iter().any(|word| words.contains(word));
        (speaks || self.names(sentence)) && !contains_any(&words, OUTSIDE)
    }

    /// Whether a sentence begins as a business that speaks of itself does.
    pub(super) fn begins(&self, sentence: &str) -> bool {
        let words = normal(sentence);
        let after_at = words.strip_prefix("at ").unwrap_or(&words);
        ["we ", "our ", "we're ", "we've "].iter().any(|start| words.starts_with(start))
            || (!self.name.is_empty() && after_at.starts_with(&self.name))
    }

    /// Whether a sentence states something of the business, and does not only name it by the way.
    pub(super) fn states(&self, sentence: &str) -> bool {
        let words = padded(sentence);
        let begins = [" we ", " we've ", " we're ", " our "].iter().any(|word| words.contains(word));
        (begins || self.begins(sentence)) && self.is_about_itself(sentence) && !sentence.contains(['"', '“', '”'])
    }

    /// Whether a sentence may be quoted to the business as what it promises.
    pub(super) fn is_promise(&self, sentence: &str) -> bool {
        let words = padded(sentence);
        let is_counted = sentence.contains(|c: char| c.is_ascii_digit() || "$€£%".contains(c));
        let first = words.trim_start().split(' ').next().unwrap_or_default();
        let is_order = ORDERS.split('|').any(|order| order.trim() == first);
        let is_said = !contains_any(&words, OTHER_USE) && !contains_any(&words, OUTSIDE);
        !is_counted && !is_order && is_said && !is_headline(sentence)
    }

    fn names(&self, sentence: &str) -> bool {
        find(&normal(sentence), &self.name).is_some()
    }
}

/// `What Our Customers Are Saying`: most words of a headline have a capital.
fn is_headline(sentence: &str) -> bool {
    let words = sentence.split_whitespace().count();
    let capitals = sentence.split_whitespace().filter(|word| word.starts_with(char::is_uppercase)).count();
    capitals * 5 >= words * 3
}

/// A text in one way of writing, with every word between blanks.
fn padded(text: &str) -> String {
    let words = normal(text).replace("n't ", " n't ");
    let words = words.split(|c: char| c.is_whitespace() || ",.;:!?()\"".contains(c)).filter(|word| !word.is_empty());
    format!(" {} ", words.collect::<Vec<_>>().join(" "))
}

fn contains_any(words: &str, list: &str) -> bool {
    list.split('|').any(|word| words.contains(word))
}

/// Whether a paragraph is about someone else, whatever it quotes.
pub(super) fn tells_of_others(paragraph: &str) -> bool {
    let words = padded(paragraph);
    [" they are ", " they have ", " their ", " they're ", " they offer "].iter().any(|word| words.contains(word))
}

/// The sentences of a text. A dot within a number or an address ends none.
pub(super) fn sentences(text: &str) -> impl Iterator<Item = String> {
    text.lines().take(LINES_MAX).flat_map(|line| {
        let mut pieces = Vec::new();
        let mut from = 0;
        for (at, letter) in line.char_indices() {
            let end = at + letter.len_utf8();
            if ".!?".contains(letter) && line[end..].starts_with(char::is_whitespace) {
                pieces.push(&line[from..end]);
                from = end;
            }
        }
        pieces.push(&line[from..]);
        let clean = |piece: &str| piece.split_whitespace().collect::<Vec<_>>().join(" ");
        pieces.into_iter().map(clean).filter(|piece| !piece.is_empty()).collect::<Vec<_>>()
    })
}

/// A sentence without its end, when it is whole and of a length that can be quoted.
pub(super) fn quotable(sentence: &str) -> Option<String> {
    let inside = sentence.trim_end_matches(['.', '!']);
    let is_whole = QUOTE_CHARS.contains(&inside.chars().count())
        && sentence.ends_with(['.', '!'])
        && sentence.starts_with(char::is_uppercase)
        && !inside.contains(is_invisible)
        && !inside
            .contains(['"', '“', '”', '.', '!', '?', ':', '|', '[', ']', '{', '}', '<', '>', '…', '_', '*', '(', ')']);
    is_whole.then(|| inside.trim_end().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_end_where_a_reader_ends_them() {
        let found: Vec<String> = sentences("We pay 12.5 a day. Really!  Yes\n\nAt www.acme.example we do").collect();
        assert_eq!(found, ["We pay 12.5 a day.", "Really!", "Yes", "At www.acme.example we do"]);
        assert_eq!(
            quotable("Our work is done by hand."),
            Some("Our work is done by hand.".trim_end_matches('.').into())
        );
        for broken in [
            "our work is done by hand, and well.",
            "Our work is done by hand",
            "We work.",
            "He said: [name] is good to us.",
        ] {
            assert_eq!(quotable(broken), None, "{broken}");
        }
    }

    #[test]
    fn the_business_is_told_from_others() {
        let voice = Voice::of("Acme Plumbing");
        assert!(
            voice.is_about_itself("Acme Plumbing has been around since 1998.") && voice.is_about_itself("Call us.")
        );
        assert!(!voice.is_about_itself("JP Urban Moving is a family-owned moving company."));
        assert!(!voice.is_about_itself("We had ants, and they came at once."));
        assert!(!voice.is_promise("Ask questions and get answers from our experts."));
        assert!(!voice.is_promise("What Our Customers Are Saying.") && voice.is_promise("We work by hand, as before."));
        assert!(!voice.states("“We have been here since 1998,” says another mover."));
        assert!(
            tells_of_others("They are a family. Since 2006, we have been serving you.") && !tells_of_others("We are.")
        );
        assert!(voice.begins("At Acme Plumbing, we care.") && voice.begins("Our work") && !voice.begins("Many say we"));
    }
}
