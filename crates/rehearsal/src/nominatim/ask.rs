//! What a request asks for, whichever geocoder's it is.

use places::{Area, Bounds, Scope, StreetText, locate};
use url::form_urlencoded;

use super::shape::Shape;

/// An address that is asked for.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Asked {
    /// With its number.
    pub(super) street: String,
    pub(super) city: String,
    pub(super) state: String,
    pub(super) postal_code: String,
    /// ISO 3166-1 alpha-2, in upper case; empty when not given.
    pub(super) country: String,
    pub(super) within: Option<Bounds>,
}

impl Asked {
    /// Reads a request's parameters.
    pub(super) fn of(shape: Shape, query: &str) -> Asked {
        let given: Vec<(String, String)> = form_urlencoded::parse(query.as_bytes()).into_owned().collect();
        let value = |name: &str| {
            let found = given.iter().find(|(known, _)| known == name).map(|(_, value)| value.trim().to_owned());
            found.unwrap_or_default()
        };
        match shape {
            Shape::Photon => Asked { within: bounds(&value("bbox")), ..Asked::on_one_line(&value("q")) },
            Shape::Census => Asked {
                street: value("street"),
                city: value("city"),
                state: value("state"),
                postal_code: value("zip"),
                country: "US".to_owned(),
                within: None,
            },
            Shape::Nominatim | Shape::Status | Shape::Benchmarks => Asked {
                street: value("street"),
                city: value("city"),
                state: value("state"),
                postal_code: value("postalcode"),
                country: value("countrycodes").to_ascii_uppercase(),
                within: bounds(&value("viewbox")).filter(|_| value("bounded") == "1"),
            },
        }
    }

    /// `5 Main St, Plainville, Sandbox 00000`.
    pub(super) fn on_one_line(line: &str) -> Asked {
        let parts: Vec<&str> = line.split(',').map(str::trim).filter(|part| !part.is_empty()).collect();
        let [street @ .., city, region] = parts.as_slice() else {
            return Asked { street: line.to_owned(), ..Asked::default() };
        };
        let is_code = |word: &&str| word.starts_with(|first: char| first.is_ascii_digit());
        let words = || region.split_whitespace();
        Asked {
            street: street.join(", "),
            city: (*city).to_owned(),
            state: words().filter(|word| !is_code(word)).collect::<Vec<&str>>().join(" "),
            postal_code: words().filter(is_code).collect::<Vec<&str>>().join(" "),
            ..Asked::default()
        }
    }

    /// The area of the town; `None` when there is no such town.
    pub(super) fn area(&self) -> Option<Area> {
        let Asked { city, state, postal_code, country, .. } = self;
        if let Some(place) = sandbox::test_place(&format!("{city}, {state}")) {
            return Some(place.area(Scope::City));
        }
        let spellings = [format!("{city}, {state}"), format!("{city}, {country}"), city.clone(), postal_code.clone()];
        spellings.iter().filter(|spelling| !spelling.starts_with(',')).find_map(|spelling| {
            let place = locate(spelling).ok()?.place;
            let fits = (country.is_empty() || place.country == *country) && place.width == Scope::City;
            fits.then(|| place.area(Scope::City))
        })
    }

    /// Number and street.
    pub(super) fn parts(&self) -> Option<StreetText> {
        StreetText::parse(&self.street, if self.country.is_empty() { "US" } else { &self.country })
    }
}

/// Two corners in any order: Nominatim takes them so.
fn bounds(text: &str) -> Option<Bounds> {
    let sides: Vec<f64> = text.split(',').map_while(|side| side.trim().parse().ok()).collect();
    let [x1, y1, x2, y2] = sides.as_slice() else { return None };
    Some(Bounds { south: y1.min(*y2), west: x1.min(*x2), north: y1.max(*y2), east: x1.max(*x2) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_three_ways_to_ask_are_one_question() {
        let nominatim = "street=5+Main+St&city=Plainville&state=Sandbox&postalcode=00000&countrycodes=us&format=jsonv2";
        let census = "street=5+Main+St&city=Plainville&state=Sandbox&zip=00000&benchmark=x";
        let photon = "q=5+Main+St%2C+Plainville%2C+Sandbox+00000&lat=1&lon=2";
        for (shape, query) in [(Shape::Nominatim, nominatim), (Shape::Census, census), (Shape::Photon, photon)] {
            let asked = Asked::of(shape, query);
            let parts = [asked.street.as_str(), &asked.city, &asked.state, &asked.postal_code];
            assert_eq!(parts, ["5 Main St", "Plainville", "Sandbox", "00000"], "{query}");
            assert_eq!(asked.area().map(|area| area.name().to_owned()).as_deref(), Some("Plainville, Sandbox"));
        }
        for query in ["", "q=", "q=,", "q=%ff%00", "street=&city=&bounded=1&viewbox=1,2"] {
            assert!(Asked::of(Shape::Photon, query).area().is_none(), "{query}");
        }
    }
}
