//! The stored form of an area, so that a search that is resumed later covers the same area.
//!
//! Circles are stored by their numbers. Outlines and regions are stored by their keys in the embedded data, which do not change
//! when the data is updated; if a key no longer exists, [`SavedArea::restore`] returns `None`.

use serde::{Deserialize, Serialize};

use crate::area::{Area, AreaForm, AreaLabel, Region, RegionPart};
use crate::gazetteer::gazetteer;
use crate::point::Point;
use crate::scope::Scope;
use crate::shapes::{self, MapName};

/// An area in its stored form.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SavedArea {
    /// Display name, such as "Travis County, TX".
    pub name: String,
    country: String,
    scope: Scope,
    centre: Point,
    form: SavedForm,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "form")]
enum SavedForm {
    Circle {
        radius_miles: f64,
    },
    Outline {
        map: MapName,
        key: String,
    },
    /// The whole of a country without an outline.
    Country {
        country: String,
    },
    /// A first-order region, by GeoNames code.
    First {
        country: String,
        code: String,
    },
    /// A second-order region, by its name within the first-order region.
    Second {
        country: String,
        code: String,
        name: String,
    },
    /// Several areas as one.
    Several {
        areas: Vec<SavedArea>,
    },
}

impl From<&Area> for SavedArea {
    fn from(area: &Area) -> SavedArea {
        let form = match area.form() {
            AreaForm::Circle { radius_miles } => SavedForm::Circle { radius_miles: *radius_miles },
            AreaForm::Outline(outline) => SavedForm::Outline { map: outline.map, key: outline.key.to_owned() },
            AreaForm::Region(region) => SavedForm::region(region),
            AreaForm::Several(areas) => SavedForm::Several { areas: areas.iter().map(SavedArea::from).collect() },
        };
        let (name, country) = (area.name().to_owned(), area.country().to_owned());
        SavedArea { name, country, scope: area.width(), centre: area.centre(), form }
    }
}

impl SavedForm {
    fn region(region: &Region) -> SavedForm {
        let gazetteer = gazetteer();
        let country = gazetteer.countries[region.country].code.to_owned();
        let code = |first: usize| gazetteer.admin1s[first].code.to_owned();
        match region.part {
            RegionPart::Whole => SavedForm::Country { country },
            RegionPart::Admin1(first) => SavedForm::First { country, code: code(first) },
            RegionPart::Admin2(second) => {
                let second = &gazetteer.admin2s[second];
                SavedForm::Second { country, code: code(second.first), name: second.name.to_owned() }
            }
        }
    }
}

impl SavedArea {
    /// The area; `None` when the embedded data no longer contains its key.
    #[must_use]
    pub fn restore(&self) -> Option<Area> {
        let gazetteer = gazetteer();
        let country = gazetteer.countries.iter().find(|country| country.code == self.country)?.code;
        if let SavedForm::Circle { radius_miles } = self.form {
            return Some(Area::circle(self.name.clone(), country, self.centre, radius_miles));
        }
        if let SavedForm::Several { areas } = &self.form {
            return areas.iter().map(SavedArea::restore).collect::<Option<Vec<Area>>>().and_then(Area::several);
        }
        let label = AreaLabel { name: self.name.clone(), country, width: self.scope };
        if let SavedForm::Outline { map, key } = &self.form {
            return shapes::outline(*map, key).map(|outline| Area::outline(label, outline));
        }
        Some(Area::region(label, self.region()?, self.centre))
    }

    fn region(&self) -> Option<Region> {
        let gazetteer = gazetteer();
        let country_at = |code: &str| gazetteer.countries.iter().position(|country| country.code == code);
        let first_at = |country: usize, code: &str| {
            gazetteer.admin1s.iter().position(|first| first.country == country && first.code == code)
        };
        match &self.form {
            SavedForm::Circle { .. } | SavedForm::Outline { .. } | SavedForm::Several { .. } => None,
            SavedForm::Country { country } => Some(Region::new(country_at(country)?, RegionPart::Whole)),
            SavedForm::First { country, code } => {
                let country = country_at(country)?;
                Some(Region::new(country, RegionPart::Admin1(first_at(country, code)?)))
            }
            SavedForm::Second { country, code, name } => {
                let country = country_at(country)?;
                let first = first_at(country, code)?;
                let is_it = |second: &crate::gazetteer::Admin2| second.first == first && second.name == name;
                Some(Region::new(country, RegionPart::Admin2(gazetteer.admin2s.iter().position(is_it)?)))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_restored_area_contains_the_same_points() {
        let cases = [
            ("Austin, TX", Scope::City),
            ("78701", Scope::City),
            ("Austin, TX", Scope::County),
            ("Texas", Scope::State),
            ("Austin, TX", Scope::Country),
            ("Munich, Germany", Scope::County),
            ("Munich, Germany", Scope::State),
            ("Munich, Germany", Scope::Country),
            ("San Juan, Puerto Rico", Scope::State),
            ("Pristina, Kosovo", Scope::Country),
            ("30.2672, -97.7431", Scope::County),
        ];
        for (location, scope) in cases {
            let area = crate::locate(location).unwrap().place.area(scope);
            let text = serde_json::to_string(&SavedArea::from(&area)).unwrap();
            let again = serde_json::from_str::<SavedArea>(&text).unwrap().restore().expect(location);
            assert_eq!((again.name(), again.country(), again.width()), (area.name(), area.country(), area.width()));
            assert_eq!((again.centre(), again.bounds()), (area.centre(), area.bounds()), "{location} {scope}");
            let bounds = area.bounds();
            for step in 0..400 {
                let part = |low: f64, high: f64, at: u32| low + (high - low) * f64::from(at) / 19.0;
                let point = Point {
                    latitude: part(bounds.south, bounds.north, step / 20),
                    longitude: part(bounds.west, bounds.east, step % 20),
                };
                assert_eq!(again.contains(point), area.contains(point), "{location} {scope} {point:?}");
            }
        }
    }

    #[test]
    fn several_areas_are_one_and_are_restored_as_one() {
        let area = |text: &str| {
            let place = crate::locate(text).unwrap().place;
            place.area(place.width)
        };
        let (austin, texas, berlin) = (area("Austin, TX"), area("Rhode Island"), area("Berlin, Germany"));
        let several = Area::several(vec![austin.clone(), texas, austin.clone(), berlin.clone()]).unwrap();
        assert_eq!(several.name(), "Austin, TX; Rhode Island; Berlin, Germany");
        assert_eq!((several.width(), several.boxes().len()), (Scope::State, 3));
        let text = serde_json::to_string(&SavedArea::from(&several)).unwrap();
        let again = serde_json::from_str::<SavedArea>(&text).unwrap().restore().unwrap();
        assert_eq!((again.name(), again.bounds()), (several.name(), several.bounds()));
        for inside in [austin.centre(), berlin.centre()] {
            assert!(again.contains(inside) && again.bounds().contains(inside));
        }
        assert!(!again.contains(area("Paris, France").centre()));
        let towns = again.towns();
        assert!(towns.iter().any(|town| town.name == "Berlin") && towns.iter().any(|town| town.name == "Providence"));
        assert_eq!(Area::several(vec![austin.clone()]).unwrap().name(), austin.name());
        assert!(Area::several(Vec::new()).is_none());
    }

    #[test]
    fn an_area_whose_key_no_longer_exists_is_not_restored() {
        let mut saved = SavedArea::from(&crate::locate("Texas").unwrap().place.area(Scope::State));
        saved.form = SavedForm::Outline { map: MapName::Us, key: "ZZ".into() };
        assert!(saved.restore().is_none());
        saved.form = SavedForm::First { country: "US".into(), code: "ZZ".into() };
        assert!(saved.restore().is_none());
    }
}
