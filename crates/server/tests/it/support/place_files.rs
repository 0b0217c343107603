//! Imports of place data that a test makes.

use canvass::config::Settings;
use place_data::library::{Format, ImportName, ImportRequest};
use place_data::{Address, Library, Place, Sink, Skipped};
use places::Point;

/// A dentist in Austin, Texas. Every second one has a website, every third a phone number.
pub fn dentist(number: usize) -> Place {
    let east = number as f64 * 0.0005;
    let mut place = Place::new(
        format!("p{number:04}"),
        format!("Dentist {number}"),
        Point { latitude: 30.27, longitude: -97.75 + east },
    );
    place.categories.primary = Some("dentist".into());
    place.confidence = Some((number % 7) as f64 / 10.0 + 0.3);
    if number.is_multiple_of(2) {
        place.websites = vec![format!("https://dentist{number}.example/")];
    }
    if number.is_multiple_of(3) {
        place.phones = vec![format!("(512) 555-{:04}", 100 + number)];
    }
    place.addresses = vec![Address {
        freeform: Some(format!("{number} Congress Ave")),
        locality: Some("Austin".into()),
        postcode: Some("78701".into()),
        region: Some("TX".into()),
        country: Some("US".into()),
    }];
    place
}

/// Imports places under a name into the data folder of these settings.
pub fn import_places(settings: &Settings, name: &str, places: impl IntoIterator<Item = Place>) {
    let request = ImportRequest {
        name: ImportName::parse(name).expect("a sound name"),
        format: Format::Geojson,
        original: "test.geojson".into(),
        attribution: Some(format!("The people of {name}")),
        imported_at: jiff::Timestamp::UNIX_EPOCH,
    };
    let mut importer = Library::in_folder(settings.places_folder()).importer(request).expect("an import begins");
    places.into_iter().for_each(|place| importer.place(place).expect("a place is taken"));
    importer.finish(&Skipped::default(), &mut |_| Ok(())).expect("the import is put in place");
}
