//! Street names and house numbers in the style of each country.

use crate::lang::Lang;
use crate::random::Random;
use crate::words;

/// Half of the streets have a direction.
const SIDES_EN: &[&str] = &["", "", "", "", "N ", "S ", "E ", "W "];

/// A street with its number.
pub(crate) fn draw(random: &mut Random, lang: Lang) -> String {
    match lang {
        Lang::English => english(random),
        Lang::German => format!("{} {}", words::draw(random, lang, "street"), random.between(1, 148)),
        Lang::Spanish => format!("{} {}", words::draw(random, lang, "street"), random.between(1, 120)),
        Lang::French => format!("{} {}", random.between(1, 140), words::draw(random, lang, "street")),
    }
}

fn english(random: &mut Random) -> String {
    let number = random.between(1, 99) * 10usize.pow(random.below(3) as u32) + random.below(10);
    let (side, name, kind) = (
        random.pick(SIDES_EN),
        words::draw(random, Lang::English, "street"),
        words::draw(random, Lang::English, "street_kind"),
    );
    let numbered = random.percent(15.0);
    let street = if numbered {
        format!("{number} {side}{} {kind}", ordinal(random.between(2, 60)))
    } else {
        format!("{number} {side}{name} {kind}")
    };
    if random.percent(22.0) { format!("{street} Suite {}", random.between(1, 40) * 10) } else { street }
}

/// `2nd`, `33rd`, `11th`.
fn ordinal(number: usize) -> String {
    let ending = match (number % 10, number % 100) {
        (_, 11..=13) => "th",
        (1, _) => "st",
        (2, _) => "nd",
        (3, _) => "rd",
        _ => "th",
    };
    format!("{number}{ending}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ordinals_have_the_right_suffix() {
        assert_eq!([1, 2, 3, 4, 11, 12, 13, 21, 33].map(ordinal).join(" "), "1st 2nd 3rd 4th 11th 12th 13th 21st 33rd");
    }
}
