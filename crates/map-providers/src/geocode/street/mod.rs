//! Streets and house numbers in a form in which their spellings can be compared.

mod number;
mod read;
mod spellings;

pub use number::{HouseNumber, NumberMatch};

use spellings::Kind;

/// A street, folded: `N Lamar Blvd`, `North Lamar Boulevard` and `NORTH LAMAR BLVD.` are the same.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Street {
    /// The words of the name, written out and joined.
    name: String,
    /// Street, avenue, road; `None` when the spelling has none.
    kind: Option<Kind>,
    /// The compass direction, such as `n` or `nw`, wherever it stands.
    direction: Option<&'static str>,
    /// For a numbered highway: whose number it is, such as `us` or `fm`.
    system: Option<&'static str>,
}

/// How well two spellings of a street agree; less is better.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Likeness(u8);

impl Likeness {
    /// Both spellings say the same.
    pub const SAME: Likeness = Likeness(0);
}

impl Street {
    /// Folds a spelling; `None` when it has no letter and no digit.
    #[must_use]
    pub fn of(spelling: &str) -> Option<Street> {
        read::street(spelling)
    }

    /// Whether both can be one street, and how well the spellings agree. One may leave out what the other says; where both say
    /// it, it must be the same: Oak St is not Oak Ave, and N Main St is not S Main St.
    #[must_use]
    pub fn likeness(&self, other: &Street) -> Option<Likeness> {
        if self.name != other.name {
            return None;
        }
        let kind = agreement(self.kind, other.kind)?;
        let direction = agreement(self.direction, other.direction)?;
        let system = agreement(self.system, other.system)?;
        Some(Likeness(kind + 2 * direction + system))
    }

    /// The two streets of a crossing such as `5th & Main`; `None` for a single street.
    #[must_use]
    pub fn crossing(spelling: &str) -> Option<(Street, Street)> {
        let marks = [" & ", " @ ", " and ", " at ", " und ", " / ", "&", "@"];
        let lower = spelling.to_ascii_lowercase();
        let (at, mark) = marks.into_iter().find_map(|mark| Some((lower.find(mark)?, mark)))?;
        let (one, other) = (spelling.get(..at)?, spelling.get(at + mark.len()..)?);
        Some((Street::of(one)?, Street::of(other)?))
    }
}

/// 0 when both say the same or nothing, 1 when only one says something, `None` when they contradict each other.
fn agreement<T: PartialEq>(one: Option<T>, other: Option<T>) -> Option<u8> {
    match (one, other) {
        (Some(one), Some(other)) => (one == other).then_some(0),
        (None, None) => Some(0),
        _ => Some(1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn likeness(one: &str, other: &str) -> Option<Likeness> {
        Street::of(one)?.likeness(&Street::of(other)?)
    }

    const SAME: &[(&str, &str)] = &[
        ("N Lamar Blvd", "North Lamar Boulevard"),
        ("N. Lamar Blvd.", "NORTH LAMAR BLVD"),
        ("Lamar Blvd N", "N Lamar Blvd"),
        ("Pennsylvania Ave NW", "Pennsylvania Avenue Northwest"),
        ("Pennsylvania Ave N.W.", "Pennsylvania Avenue North West"),
        ("St Johns Ave", "Saint John's Avenue"),
        ("St. Elmo St", "Saint Elmo Street"),
        ("Mt Vernon Dr", "Mount Vernon Drive"),
        ("1st St", "First Street"),
        ("42nd St", "Forty-Second Street"),
        ("E 12th St", "East Twelfth St."),
        ("US-183", "U.S. Highway 183"),
        ("US 183 N", "North US Hwy 183"),
        ("IH 35", "Interstate 35"),
        ("I-35", "Interstate Highway 35"),
        ("FM 1325", "Farm to Market Road 1325"),
        ("RM 620", "Ranch Road 620"),
        ("CR 12", "County Road 12"),
        ("SH 71", "State Highway 71"),
        ("Hwy 71", "Highway 71"),
        ("TX-71", "State Highway 71"),
        ("MLK Jr Blvd", "Martin Luther King Jr. Boulevard"),
        ("MLK Blvd", "Dr. Martin Luther King Junior Blvd"),
        ("M.L. King Blvd", "Martin Luther King Blvd"),
        ("Mc Neil Dr", "McNeil Drive"),
        ("Parkview Ln", "Park View Lane"),
        ("Avenue A", "Ave A"),
        ("West Ave", "West Avenue"),
        ("C St NW", "C Street Northwest"),
        ("Musterstraße", "Musterstr."),
        ("Musterstraße", "Muster-Strasse"),
        ("Muster Str.", "Musterstrasse"),
        ("Mühlenweg", "Muehlenweg"),
        ("Schloßpl.", "Schlossplatz"),
        ("Straße des 17. Juni", "Strasse des 17 Juni"),
        ("Keizersgracht", "keizersgracht"),
        ("Kalverstraat", "Kalverstr."),
        ("r. de la République", "Rue de la Republique"),
        ("r de la Place", "rue de la Place"),
        ("av. Jean Jaurès", "Avenue Jean Jaures"),
        ("bd Gambetta", "boulevard Gambetta"),
        ("rue de l'Église", "rue de l Eglise"),
        ("Rue St-Denis", "rue Saint Denis"),
        ("C/ Mayor", "Calle Mayor"),
        ("Avda. de la Constitución", "Avenida Constitucion"),
        ("Pza. de España", "Plaza de España"),
        ("Pº del Prado", "Paseo del Prado"),
        ("v. Roma", "Via Roma"),
        ("V.le Trastevere", "Viale Trastevere"),
        ("P.za Navona", "Piazza Navona"),
    ];

    #[test]
    fn spellings_of_one_street_agree() {
        for (one, other) in SAME {
            assert_eq!(
                likeness(one, other),
                Some(Likeness::SAME),
                "{one} and {other}: {:?} {:?}",
                Street::of(one),
                Street::of(other)
            );
        }
    }

    #[test]
    fn what_a_spelling_leaves_out_is_less_like_but_no_contradiction() {
        for (one, other) in [
            ("Lamar", "Lamar Blvd"),
            ("Lamar Blvd", "N Lamar Blvd"),
            ("Broadway", "Broadway St"),
            ("Hwy 183", "US 183"),
            ("Roma", "Via Roma"),
        ] {
            let found = likeness(one, other);
            assert!(found.is_some_and(|found| found > Likeness::SAME), "{one} and {other}: {found:?}");
        }
        assert!(
            likeness("Lamar Blvd", "Lamar") < likeness("Lamar Blvd", "N Lamar Blvd"),
            "a direction says more than a kind"
        );
    }

    #[test]
    fn other_streets_are_told_apart() {
        for (one, other) in [
            ("Oak St", "Oak Ave"),
            ("N Main St", "S Main St"),
            ("M St NW", "M St SW"),
            ("1st St", "2nd St"),
            ("US-183", "US-290"),
            ("US 71", "FM 71"),
            ("Oak St", "Oakley St"),
            ("Musterstraße", "Musterweg"),
            ("Rue Pasteur", "Avenue Pasteur"),
            ("St Johns Ave", "Johns Ave"),
        ] {
            assert_eq!(likeness(one, other), None, "{one} and {other}: {:?} {:?}", Street::of(one), Street::of(other));
        }
        assert_eq!(Street::of(" - "), None);
        assert_eq!(Street::of("St").map(|street| street.name), Some("saint".into()), "never without a name");
    }

    #[test]
    fn crossings_are_two_streets() {
        for text in ["5th & Main", "5th St and Main Street", "5th@Main St", "Fifth St at Main"] {
            let (one, other) = Street::crossing(text).expect(text);
            assert!(one.likeness(&Street::of("5th St").unwrap()).is_some(), "{text}");
            assert!(other.likeness(&Street::of("Main St").unwrap()).is_some(), "{text}");
        }
        assert_eq!(Street::crossing("N Lamar Blvd"), None);
    }

    proptest::proptest! {
        #[test]
        fn every_spelling_agrees_with_itself(text in ".{0,80}", words in "[a-zA-Z0-9ßé.]{1,9}( [a-zA-Z0-9.'-]{1,9}){0,5}") {
            for text in [&text, &words] {
                if let Some(street) = Street::of(text) {
                    proptest::prop_assert_eq!(street.likeness(&street), Some(Likeness::SAME));
                    proptest::prop_assert_eq!(Street::of(&text.to_uppercase()).is_some(), true);
                }
                let _ = Street::crossing(text);
            }
        }
    }
}
