//! Checks an intro: two or three sentences, nothing to fill in, and no name, number or address that stands nowhere.

use std::sync::LazyLock;

use regex::Regex;

use crate::ai::Brief;
use crate::ai::ground::{find, is_invisible, normal};

/// Characters of an intro.
const INTRO_CHARS_MAX: usize = 700;

/// What is wrong with an intro.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum IntroFault {
    /// One sentence, or more than three.
    #[error("it does not have two or three sentences")]
    Length,
    /// Something is left to be filled in.
    #[error("it has a placeholder")]
    Placeholder,
    /// Invisible characters.
    #[error("it has invisible characters")]
    Invisible,
    /// A greeting line, a subject or a signature.
    #[error("it is more than an opening")]
    Frame,
    /// An email or a web address that stands nowhere.
    #[error("it has an address that does not stand in the text")]
    Address,
    /// A number that stands nowhere.
    #[error("it has a number that does not stand in the text")]
    Number,
    /// A name that stands nowhere.
    #[error("it has a name that does not stand in the text")]
    Name,
}

/// Words that begin sentences and are no names.
const OPENERS: &str = " a about across after again all almost already also although always an and another any anyone as at \
    back because before behind being best between beyond both but by came clearly coming customers do does doing during each \
    even every everyone everything few finding for from getting given giving going good great had has have having hearing \
    hello her here hi his how i if impressed in into is it its just keeping kind knowing learning like looking love loved \
    making many maybe more most much my nice no not noticed noticing of offering on one only our out over people perhaps \
    plenty put putting rarely reading really running saw seeing seems serving she since so some something somewhere still \
    such taking thank thanks that the their there these they this those though through to together too two under until we \
    well what whatever when where whether which while who why with within without would you your yours ";

/// Numbers people write in words; a claim as much as digits are. One is left out: it is rarely a number.
const NUMBER_WORDS: &str = " two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen \
    seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred hundreds thousand thousands \
    million dozen dozens decade decades century ";

/// Checks a text that is to go out.
pub fn check(brief: &Brief, text: &str) -> Result<(), IntroFault> {
    if text.chars().any(is_invisible) {
        return Err(IntroFault::Invisible);
    }
    // A business may be called `XYZ` or `1000Bulbs`: its name is neither a gap to fill nor a figure.
    let nameless = nameless(text, brief);
    if has_placeholder(&nameless) {
        return Err(IntroFault::Placeholder);
    }
    if has_frame(text) {
        return Err(IntroFault::Frame);
    }
    let sentences = sentences(text, &brief.shown_name());
    if !(2..=3).contains(&sentences) || text.chars().count() > INTRO_CHARS_MAX {
        return Err(IntroFault::Length);
    }
    let sources = sources(brief);
    addresses(text, &sources)?;
    numbers(&nameless, &sources)?;
    names(text, &sources)
}

/// A text in which the business is not named.
fn nameless(text: &str, brief: &Brief) -> String {
    let names = [brief.business_name.clone(), brief.shown_name()];
    names.iter().filter(|name| !name.is_empty()).fold(text.to_owned(), |text, name| text.replace(name, "it"))
}

/// Everything an intro may draw on, written in one way.
fn sources(brief: &Brief) -> String {
    let mut all = vec![brief.business_name.clone(), brief.shown_name(), brief.industry.clone()];
    all.extend([&brief.city, &brief.owner_name, &brief.owner_title, &brief.website].into_iter().flatten().cloned());
    all.extend(brief.rating.map(|rating| format!("{rating:.1} {rating}")));
    all.extend(brief.review_count.map(|count| count.to_string()));
    all.extend(brief.pages.iter().map(|page| page.text.clone()));
    all.extend(brief.reviews.iter().cloned());
    normal(&all.join(" \n "))
}

fn has_placeholder(text: &str) -> bool {
    static PLACEHOLDER: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"(?i)[\[\]{}<>]|\b(your|my|our) (name|company|business) here\b|\b(first|last|company|business) name\b|\bxxx|\bxyz\b|\binsert\b.{0,20}\bhere\b|%\w+%|\((your |first |last |company |business )?name\)|lorem ipsum|_{2,}|\.\.\.|…")
            .expect("the pattern is constant, and tests use it")
    });
    PLACEHOLDER.is_match(text)
}

fn has_frame(text: &str) -> bool {
    static FRAME: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"(?i)^\s*(subject|dear|to whom)\b|\b(best|kind|warm) regards\b|\bsincerely\b|\bcheers,")
            .expect("the pattern is constant, and tests use it")
    });
    FRAME.is_match(text)
}

/// How many sentences a text has. The dot in `Joe's Plumbing Co.` or `Dr. Doe` ends none.
fn sentences(text: &str, business: &str) -> usize {
    static END: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r#"[.!?]+["”'’)]*(\s+|$)"#).expect("the pattern is constant, and tests use it"));
    static SHORT: LazyLock<Regex> = LazyLock::new(|| {
        // The s of `Joe's.` is no initial.
        Regex::new(r"(?i)(^|[^\w'’])(dr|mr|mrs|ms|st|co|inc|ltd|jr|sr|no|vs|e\.g|i\.e|a\.m|p\.m|[a-z])\.\s")
            .expect("the pattern is constant, and tests use it")
    });
    let text = without_name(text, business);
    let text = SHORT.replace_all(&text, "$1$2 ");
    END.find_iter(&text).count()
        + usize::from(!text.trim().is_empty() && !text.trim_end().ends_with(['.', '!', '?', '"', '”', '\'']))
}

/// A text in which the business's name has no dot of its own; one that ends a sentence as well stays.
fn without_name(text: &str, business: &str) -> String {
    if business.is_empty() {
        return text.to_owned();
    }
    if !business.ends_with('.') {
        return text.replace(business, "it");
    }
    let mut pieces = text.split(business);
    let mut plain = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        let ends = piece.is_empty() || piece.starts_with(' ') && piece.trim_start().starts_with(char::is_uppercase);
        plain.push_str(if ends { "it." } else { "it" });
        plain.push_str(piece);
    }
    plain
}

fn addresses(text: &str, sources: &str) -> Result<(), IntroFault> {
    static ADDRESS: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"(?i)[\w.+-]+@[\w-]+(\.[\w-]+)+|https?://\S+|\b[a-z0-9-]+(\.[a-z0-9-]+)*\.[a-z]{2,}\b(/\S*)?")
            .expect("the pattern is constant, and tests use it")
    });
    let strange =
        |found: regex::Match<'_>| find(sources, normal(found.as_str()).trim_end_matches(['.', ',', '/'])).is_none();
    if ADDRESS.find_iter(text).any(strange) { Err(IntroFault::Address) } else { Ok(()) }
}

fn numbers(text: &str, sources: &str) -> Result<(), IntroFault> {
    static NUMBER: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"\d+(?:[.,]\d+)*").expect("the pattern is constant, and tests use it"));
    let strange = |number: &str| find(sources, number).is_none() && find(sources, &number.replace(',', "")).is_none();
    if NUMBER.find_iter(text).any(|found| strange(found.as_str())) {
        return Err(IntroFault::Number);
    }
    let mut words = text.split(|c: char| !c.is_alphabetic()).map(str::to_lowercase);
    let counts = |word: &String| !word.is_empty() && NUMBER_WORDS.contains(&format!(" {word} "));
    if words.any(|word| counts(&word) && find(sources, &word).is_none()) { Err(IntroFault::Number) } else { Ok(()) }
}

/// Words with a capital name something; they must stand in the sources, unless they only begin a sentence. Two that
/// follow each other must do so there too: two people do not make a third.
fn names(text: &str, sources: &str) -> Result<(), IntroFault> {
    let mut begins = true;
    let mut before: Option<String> = None;
    for word in text.split_whitespace() {
        let bare = word.trim_matches(|c: char| !c.is_alphanumeric());
        let is_capital = bare.starts_with(char::is_uppercase);
        let whole = normal(bare);
        let lower = whole.strip_suffix("'s").unwrap_or(&whole);
        let stem = lower.split_once('\'').map_or(lower, |(stem, _)| stem);
        let is_opener = [lower, stem].iter().any(|word| OPENERS.contains(&format!(" {word} ")));
        let is_free = is_opener && (begins || stem == "i");
        let stands = |words: &str| find(sources, words).is_some();
        let follows = before.take().filter(|_| word.starts_with(bare));
        let is_pair =
            follows.is_none_or(|before| stands(&format!("{before} {lower}")) || stands(&format!("{before} {whole}")));
        if is_capital && !is_free && !(stands(lower) && is_pair) {
            return Err(IntroFault::Name);
        }
        // An initial may have its dot there and not here, and an opener belongs to nobody's name.
        before = (is_capital && !is_free && lower.chars().count() > 1 && word.ends_with(bare)).then(|| whole.clone());
        begins = word.ends_with(['.', '!', '?', ':', '"', '”']) || word.ends_with(',') && begins || bare.is_empty();
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ai::PageText;

    fn brief() -> Brief {
        let text = "Acme was founded by Jane Doe in 1998. Write to jane@acme.example or see www.acme.example.";
        Brief {
            business_name: "Acme Plumbing Co.".into(),
            industry: "Plumber".into(),
            city: Some("Austin".into()),
            rating: Some(4.8),
            review_count: Some(1_212),
            pages: vec![PageText { url: "http://www.acme.example/".into(), text: text.into() }],
            reviews: vec!["Fair price, no surprises.".into()],
            ..Brief::default()
        }
    }

    fn check_case(text: &str, expected: Result<(), IntroFault>) {
        assert_eq!(check(&brief(), text), expected, "{text}");
    }

    #[test]
    fn an_intro_that_stands_on_the_text_passes() {
        check_case(
            "I read that Jane Doe founded Acme in 1998. Your 4.8 stars from 1,212 reviews say the rest!",
            Ok(()),
        );
        check_case(
            "Acme Plumbing Co. has been at it since 1998. A customer wrote \"Fair price, no surprises\".",
            Ok(()),
        );
        check_case("I like Acme Plumbing Co. It is good, and I say so.", Ok(()));
        check_case("I came across Jane's. I read that it all goes back to 1998.", Ok(()));
        check_case("Jane, I liked www.acme.example. It's plain, and I'd say honest. Thanks for that.", Ok(()));
    }

    #[test]
    fn whatever_stands_nowhere_is_refused() {
        check_case("I read about Acme.", Err(IntroFault::Length));
        check_case("One. Two things. Three things. Four things.", Err(IntroFault::Length));
        check_case("Hi [Name], I like Acme. It is good.", Err(IntroFault::Placeholder));
        check_case("Hello {first_name}. Nice site.", Err(IntroFault::Placeholder));
        check_case("I like Acme. It is good. Best regards", Err(IntroFault::Frame));
        check_case("I like Acme. Write to ceo@evil.test.", Err(IntroFault::Address));
        check_case("I like Acme. It is like plumbers.com in a way.", Err(IntroFault::Address));
        check_case("You started in 1997. I like that.", Err(IntroFault::Number));
        check_case("You have twenty years behind you. I like that.", Err(IntroFault::Number));
        check_case("I like what Bob does at Acme. It is good.", Err(IntroFault::Name));
        check_case("Mary told me about Acme. It is good.", Err(IntroFault::Name));
        check_case("Austin Doe told me about Acme. It is good.", Err(IntroFault::Name));
        check_case("I like Acme. See bit.ly/x for more.", Err(IntroFault::Address));
        check_case("I like Acme. See evil.ru for more.", Err(IntroFault::Address));
        check_case("I like Acme, %name%. It is good.", Err(IntroFault::Placeholder));
        check_case("I like Acme, (your name). It is good.", Err(IntroFault::Placeholder));
        check_case("I like Acme. It is \u{202e}good.", Err(IntroFault::Invisible));
        check_case("I like Acme. The Better Business Bureau does, too.", Err(IntroFault::Name));
    }
}
