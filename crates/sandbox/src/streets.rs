//! Street names and house numbers, in the manner of each country.

use crate::chance::Chance;
use crate::lang::Lang;
use crate::words;

/// Half of the streets have a side.
const SIDES_EN: &[&str] = &["", "", "", "", "N ", "S ", "E ", "W "];

/// A street with its number.
pub(crate) fn draw(chance: &mut Chance, lang: Lang) -> String {
    match lang {
        Lang::English => english(chance),
        Lang::German => format!("{} {}", words::draw(chance, lang, "street"), chance.between(1, 148)),
        Lang::Spanish => format!("{} {}", words::draw(chance, lang, "street"), chance.between(1, 120)),
        Lang::French => format!("{} {}", chance.between(1, 140), words::draw(chance, lang, "street")),
    }
}

fn english(chance: &mut Chance) -> String {
    let number = chance.between(1, 99) * 10usize.pow(chance.below(3) as u32) + chance.below(10);
    let (side, name, kind) = (
        chance.pick(SIDES_EN),
        words::draw(chance, Lang::English, "street"),
        words::draw(chance, Lang::English, "street_kind"),
    );
    let numbered = chance.percent(15.0);
    let street = if numbered {
        format!("{number} {side}{} {kind}", ordinal(chance.between(2, 60)))
    } else {
        format!("{number} {side}{name} {kind}")
    };
    if chance.percent(22.0) { format!("{street} Suite {}", chance.between(1, 40) * 10) } else { street }
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
    fn ordinals_end_as_they_are_said() {
        assert_eq!([1, 2, 3, 4, 11, 12, 13, 21, 33].map(ordinal).join(" "), "1st 2nd 3rd 4th 11th 12th 13th 21st 33rd");
    }
}
