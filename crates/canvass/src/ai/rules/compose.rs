//! Writes the opening of an email from what was gathered: a few ways to begin, to go on and to end, chosen by the seed.

use super::gather::{Point, gather};
use crate::ai::Brief;
use crate::ai::ground::shown;

/// Chance that is the same each time for the same business.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        // One step of SplitMix64: neighbouring inputs give unrelated outputs.
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        usize::try_from((mixed ^ (mixed >> 31)) % (sides.max(1) as u64)).unwrap_or(0)
    }

    fn pick(&mut self, from: Vec<String>) -> String {
        let chosen = self.roll(from.len());
        from.into_iter().nth(chosen).unwrap_or_default()
    }
}

/// Two or three sentences. Everything in them stands in the listing, on the pages or in the reviews.
pub(super) fn intro(brief: &Brief) -> String {
    of_points(brief, gather(brief))
}

/// Two sentences that say nothing particular.
pub(super) fn quiet_intro(brief: &Brief) -> String {
    of_points(brief, Vec::new())
}

fn of_points(brief: &Brief, mut points: Vec<Point>) -> String {
    let mut dice = Dice(brief.seed);
    let point = (points.len() > 1).then(|| points.remove(dice.roll(points.len())));
    if let Some(said) = &point {
        points.retain(|next| !next.repeats(said) && !said.repeats(next));
    }
    let first = point.as_ref().map_or_else(|| arrivals(brief), |point| beginnings(point, brief));
    let mut sentences = vec![dice.pick(first)];
    if points.is_empty() {
        sentences.push(dice.pick(if point.is_some() { ends(brief) } else { quiet_ends(brief) }));
    } else {
        let next = points.remove(dice.roll(points.len()));
        sentences.push(dice.pick(if point.is_some() { continuations(&next, brief) } else { asides(&next) }));
        if dice.roll(2) == 0 {
            sentences.push(dice.pick(ends(brief)));
        }
    }
    if let Some(first) = first_name(brief).filter(|_| dice.roll(2) == 0) {
        sentences[0] = addressed(first, &sentences[0], &brief.shown_name());
    }
    // A name such as `Acme Co.` brings its own dot.
    sentences.join(" ").replace("..", ".")
}

fn words<const N: usize>(lines: [String; N]) -> Vec<String> {
    lines.into()
}

/// How one came across a business of which little is known.
fn arrivals(brief: &Brief) -> Vec<String> {
    let name = brief.shown_name();
    let kind = plural(&brief.industry);
    match brief.city.as_deref().map(shown).filter(|city| !city.is_empty()) {
        Some(city) => words([
            format!("I came across {name} while looking for {kind} in {city}."),
            format!("I was going through the {kind} of {city} and stopped at {name}."),
            format!("While reading up on {kind} in {city}, I found {name}."),
            format!("I have been looking at {kind} around {city}, and {name} is one I noted down."),
            format!("My search for {kind} in {city} brought me to {name}."),
        ]),
        None => words([
            format!("I came across {name} while looking for {kind}."),
            format!("While reading up on {kind}, I found {name}."),
            format!("I was looking through {kind} and stopped at {name}."),
            format!("I have been looking at {kind}, and {name} is one I noted down."),
            format!("My search for {kind} brought me to {name}."),
        ]),
    }
}

/// First sentences about a point.
fn beginnings(point: &Point, brief: &Brief) -> Vec<String> {
    let name = brief.shown_name();
    match point {
        Point::Line(line) => words([
            format!("I was reading the {name} website, and one line stayed with me: \"{line}\"."),
            format!("\"{line}\" is the line I remember from the {name} website."),
            format!("There is a line on your website that I read twice: \"{line}\"."),
            format!("Your website says \"{line}\", and that made me read on."),
        ]),
        Point::Praise(line) => words([
            format!("One of your customers wrote \"{line}\", and that is what made me look at {name} more closely."),
            format!("I found {name} through its reviews, and one of them says \"{line}\"."),
            format!("\"{line}\" is how one of your customers puts it, and it made me curious about {name}."),
        ]),
        Point::Since(year) => words([
            format!("I saw on your website that {name} goes back to {year}."),
            format!("{name} has been at it since {year}, if I read your website correctly."),
            format!("Your website says that it all began in {year}, and I wanted to know how it went on."),
        ]),
        Point::Family => words([
            format!("I noticed on your website that {name} is a family business."),
            format!("A family business like {name} is something I always like to come across."),
            format!("I was glad to read that {name} is in the hands of a family."),
        ]),
        Point::Owned(how) => words([
            format!("I noticed on your website that {name} is {how}."),
            format!("I read that {name} is {how}, and I like to write to businesses that are."),
            format!("That {name} is {how} is the first thing I noticed on your website."),
        ]),
        Point::Specialty(what) => words([
            format!("I read on your website that {name} specializes in {what}."),
            format!("I was looking for someone who specializes in {what} and ended up on the {name} website."),
            format!("{name} caught my eye because you say plainly what you specialize in: {what}."),
        ]),
        Point::Area(place) => words([
            format!("I saw that {name} works for people in {place}."),
            format!("I was looking for someone who serves {place}, and found {name}."),
            format!("Your website says that you serve {place}, and that is how I found {name}."),
        ]),
        Point::Rating(stars, count) => words([
            format!("I noticed that {count} reviews of {name} average {stars:.1} stars."),
            format!("{stars:.1} stars over {count} reviews is not luck, so I had a closer look at {name}."),
            format!("I was comparing reviews, and {name} stood out with {stars:.1} stars from {count} of them."),
        ]),
    }
}

/// Second sentences about a point, when nothing particular was said before.
fn asides(point: &Point) -> Vec<String> {
    match point {
        Point::Line(line) => words([
            format!("What I remember from your website is this: \"{line}\"."),
            format!("The line on your website that stayed with me is \"{line}\"."),
            format!("I read your website, and this is what I took away: \"{line}\"."),
            format!("\"{line}\" is the line that made me read on."),
        ]),
        Point::Praise(line) => words([
            format!("The review I remember best says \"{line}\"."),
            format!("One of your customers wrote \"{line}\", and that made me stay."),
            format!("What made me stop was a customer of yours who wrote \"{line}\"."),
        ]),
        Point::Since(year) => words([
            format!("That you have been there since {year} made me stop and read."),
            format!("I read that it all goes back to {year}."),
        ]),
        Point::Family => words([
            "I like that it is a family business.".to_owned(),
            "That it is a family business made me stop and read.".to_owned(),
        ]),
        Point::Owned(how) => {
            words([format!("I like that it is {how}."), format!("That it is {how} made me stop and read.")])
        }
        Point::Specialty(what) => words([
            format!("I saw that you specialize in {what}."),
            format!("You say plainly that you specialize in {what}, and I like that."),
        ]),
        Point::Area(place) => words([
            format!("I saw that you serve {place}."),
            format!("That you serve {place} is what made me read on."),
        ]),
        Point::Rating(stars, count) => words([
            format!("{stars:.1} stars from {count} reviews made me stop and read."),
            format!("The {count} reviews behind your {stars:.1} stars speak for themselves."),
        ]),
    }
}

/// Second sentences about a point.
fn continuations(point: &Point, brief: &Brief) -> Vec<String> {
    let name = brief.shown_name();
    match point {
        Point::Line(line) => words([
            format!("Your website sums it up well: \"{line}\"."),
            format!("I also liked how your website puts it: \"{line}\"."),
            format!("And then there is this line on your website: \"{line}\"."),
            format!("What I remember from your website is this: \"{line}\"."),
        ]),
        Point::Praise(line) => words([
            format!("Your customers seem to agree, as one of them wrote \"{line}\"."),
            format!("The review I remember best says \"{line}\"."),
            format!("One of your reviews puts it in a few words: \"{line}\"."),
            format!("It fits what a customer of yours wrote: \"{line}\"."),
        ]),
        Point::Since(year) => words([
            format!("I also read that it all goes back to {year}."),
            format!("And you have been at it since {year}."),
            format!("You have been there since {year}, as I read on your website."),
        ]),
        Point::Family => words([
            "I also like that it is a family business.".to_owned(),
            "That it is a family business makes it even better.".to_owned(),
            "And it is a family business on top of that.".to_owned(),
        ]),
        Point::Owned(how) => {
            words([format!("I also like that it is {how}."), format!("That it is {how} makes it even better.")])
        }
        Point::Specialty(what) => words([
            format!("I also saw that you specialize in {what}."),
            format!("That you specialize in {what} makes {name} easy to remember."),
            format!("And few say as clearly as you do that they specialize in {what}."),
        ]),
        Point::Area(place) => {
            words([format!("I also saw that you serve {place}."), format!("And you do it for people in {place}.")])
        }
        Point::Rating(stars, count) => words([
            format!("With {stars:.1} stars from {count} reviews, your customers seem to see it the same way."),
            format!("The {count} reviews behind your {stars:.1} stars say the rest."),
            format!("Your {stars:.1} stars from {count} reviews did not surprise me after that."),
        ]),
    }
}

/// Last sentences that claim nothing.
fn ends(brief: &Brief) -> Vec<String> {
    let name = brief.shown_name();
    words([
        "I wanted to tell you that before anything else.".to_owned(),
        "That is why I am writing to you.".to_owned(),
        format!("It made me want to know more about {name}."),
        "So I thought I would write to you myself.".to_owned(),
    ])
}

/// Second sentences for a business of which nothing particular can be said.
fn quiet_ends(brief: &Brief) -> Vec<String> {
    let name = brief.shown_name();
    if brief.is_empty() {
        return words([
            "There is not much about you online yet, so I would rather ask you than guess.".to_owned(),
            format!("I could not find much about {name} online, so I am writing to you directly."),
            "You keep a low profile online, which made me curious.".to_owned(),
        ]);
    }
    // Something was read, so the text must not claim otherwise.
    words([
        "I read your website before writing, so that I know whom I am writing to.".to_owned(),
        format!("I went through the {name} website before I wrote this."),
        "Your website gave me an idea of what you do, and I would like to hear the rest from you.".to_owned(),
        format!("I have read your website, and I would like to hear more about {name} from you."),
        "I have been through your website, and I would rather ask you about the rest than guess.".to_owned(),
    ])
}

/// The owner's first name, when it can be used as a salutation.
fn first_name(brief: &Brief) -> Option<&str> {
    let first = brief.owner_name.as_deref()?.split_whitespace().next()?;
    let sound = first.chars().count() > 1 && first.chars().all(|c| c.is_alphabetic() || c == '-' || c == '\'');
    sound.then_some(first)
}

/// A sentence that begins with a person's name.
fn addressed(first: &str, sentence: &str, business: &str) -> String {
    let keep =
        sentence.starts_with("I ") || sentence.starts_with(business) || !sentence.starts_with(char::is_alphabetic);
    let mut letters = sentence.chars();
    match letters.next().filter(|_| !keep) {
        Some(letter) => format!("{first}, {}{}", letter.to_lowercase(), letters.as_str()),
        None => format!("{first}, {sentence}"),
    }
}

/// Several of a kind: `Dentist` is `dentists`, `HVAC Contractor` is `HVAC contractors`.
fn plural(industry: &str) -> String {
    let lower = |word: &str| {
        let acronym = word.chars().filter(|c| c.is_uppercase()).count() > 1;
        if acronym { word.to_owned() } else { word.to_lowercase() }
    };
    let one = industry.split_whitespace().map(lower).collect::<Vec<_>>().join(" ");
    match one.as_str() {
        "" => "businesses".to_owned(),
        _ if one.ends_with('s') && !one.ends_with("ss") => one,
        _ if ["ss", "sh", "ch", "x"].iter().any(|end| one.ends_with(end)) => format!("{one}es"),
        _ if one.ends_with('y') && !["ay", "ey", "oy"].iter().any(|end| one.ends_with(end)) => {
            format!("{}ies", one.trim_end_matches('y'))
        }
        _ => format!("{one}s"),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::ai::PageText;

    fn brief(seed: u64) -> Brief {
        let text = "Our prices are written down before we begin.\nAcme was founded by Jane Doe in 1998.";
        Brief {
            business_name: "Acme Plumbing".into(),
            industry: "Plumber".into(),
            city: Some("Austin".into()),
            owner_name: Some("Jane Doe".into()),
            rating: Some(4.8),
            review_count: Some(212),
            pages: vec![PageText { url: "http://a.example/".into(), text: text.into() }],
            reviews: vec!["Fair price, no surprises on the bill.".into()],
            seed,
            ..Brief::default()
        }
    }

    #[test]
    fn the_same_business_is_told_the_same_and_others_are_told_otherwise() {
        assert_eq!(intro(&brief(7)), intro(&brief(7)));
        let all: HashSet<String> = (0..200).map(|seed| intro(&brief(seed))).collect();
        assert!(all.len() > 100, "{}", all.len());
        assert!(all.iter().any(|text| text.starts_with("Jane, ")));
    }

    #[test]
    fn a_business_without_details_still_gets_an_opening() {
        let bare = Brief { business_name: "Acme".into(), ..Brief::default() };
        let text = intro(&bare);
        assert!(text.contains("Acme") && text.contains("businesses"), "{text}");
    }

    #[test]
    fn several_of_a_kind_are_called_so() {
        for (one, many) in [
            ("Dentist", "dentists"),
            ("HVAC Contractor", "HVAC contractors"),
            ("Bakery", "bakeries"),
            ("Church", "churches"),
            ("Legal Services", "legal services"),
        ] {
            assert_eq!(plural(one), many);
        }
    }
}
