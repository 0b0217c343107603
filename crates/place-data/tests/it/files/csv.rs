//! CSV files in the dialects of programs and countries.

use encoding_rs::{UTF_8, WINDOWS_1252};
use place_data::csv::{self, Field, Options};
use place_data::{Error, Import, OperatingStatus, Place};

use super::{Collected, Imported, file, import, message, reasons};

pub(crate) fn read(bytes: &[u8], options: &Options) -> Result<Imported, Error> {
    let file = file(bytes);
    import(|import| csv::read(file.path(), options, import))
}

fn read_text(text: &str) -> Imported {
    read(text.as_bytes(), &Options::default()).unwrap()
}

fn only(text: &str) -> Place {
    let mut imported = read_text(text);
    assert_eq!(imported.places.len(), 1, "{:?}", imported.reasons());
    imported.places.remove(0)
}

fn refused(text: &str, options: &Options) -> String {
    let file = file(text.as_bytes());
    message(import(|import| csv::read(file.path(), options, import)), file.path())
}

#[test]
fn every_field_finds_its_way_into_a_place() {
    let place = only(
        "Place ID,Business Name,Category,Lat,Lng,Street,House Number,Suite,City,State,ZIP,Country,Phone,Phone 2,Website,\
         Email,Facebook,Instagram,Socials,Brand,Rating,Reviews,Hours,Status,Confidence,Last Updated\n\
         p1,Alma Plumbing,Plumber,30.25,-97.75,Main St,12,4B,Austin,TX,78701,United States,(512) 555-0100,512 555 0101,\
         https://alma.example,info@alma.example; jobs@alma.example,AlmaPlumbing,@alma,https://www.tiktok.com/@alma,Alma Group,\
         \"4,5\",\"1,234\",Mo-Fr 08:00-17:00,Open,95%,2026-03-04\n",
    );
    assert_eq!((place.id.as_str(), place.name.as_str()), ("p1", "Alma Plumbing"));
    assert_eq!((place.point.latitude, place.point.longitude), (30.25, -97.75));
    assert_eq!(place.categories.primary.as_deref(), Some("canvass:plumber"));
    let address = &place.addresses[0];
    assert_eq!(address.freeform.as_deref(), Some("12 Main St #4B"));
    assert_eq!((address.locality.as_deref(), address.region.as_deref()), (Some("Austin"), Some("TX")));
    assert_eq!((address.postcode.as_deref(), address.country.as_deref()), (Some("78701"), Some("US")));
    assert_eq!(place.phones, ["(512) 555-0100", "512 555 0101"]);
    assert_eq!(place.websites, ["https://alma.example"]);
    assert_eq!(place.emails, ["info@alma.example", "jobs@alma.example"]);
    assert_eq!(
        place.socials,
        ["https://www.tiktok.com/@alma", "https://www.facebook.com/AlmaPlumbing", "https://www.instagram.com/alma"]
    );
    assert_eq!(place.brand.unwrap().name.as_deref(), Some("Alma Group"));
    assert_eq!((place.rating, place.review_count, place.confidence), (Some(4.5), Some(1234), Some(0.95)));
    assert_eq!(place.opening_hours.as_deref(), Some("Mo-Fr 08:00-17:00"));
    assert_eq!(place.status, OperatingStatus::Open);
    assert_eq!(place.origins[0].record_id.as_deref(), Some("p1"));
    assert_eq!(place.origins[0].updated.as_deref(), Some("2026-03-04"));
}

#[test]
fn headers_of_other_languages_are_understood() {
    let tables = [
        "Firma;Branche;Breitengrad;Längengrad;Straße;Hausnr.;Ort;PLZ;Land;Telefon;Webseite;E-Mail\n\
         Café Müller;Bäckerei;52,52;13,405;Torstraße;7;Berlin;10119;Deutschland;030 123;www.mueller.example;a@mueller.example\n",
        "Nom commercial;Activité;Latitude;Longitude;Rue;Numéro;Ville;Code postal;Pays;Téléphone;Site web;Courriel\n\
         Café Müller;boulangerie;52,52;13,405;Torstraße;7;Berlin;10119;Allemagne;030 123;www.mueller.example;a@mueller.example\n",
        "Nombre;Categoría;Latitud;Longitud;Calle;Número;Ciudad;Código postal;País;Teléfono;Sitio web;Correo electrónico\n\
         Café Müller;panadería;52,52;13,405;Torstraße;7;Berlin;10119;Alemania;030 123;www.mueller.example;a@mueller.example\n",
        "Nome;Categoria;Latitudine;Longitudine;Via;Numero civico;Città;CAP;Paese;Telefono;Sito web;Email\n\
         Café Müller;panificio;52,52;13,405;Torstraße;7;Berlin;10119;Germania;030 123;www.mueller.example;a@mueller.example\n",
    ];
    for table in tables {
        let place = only(table);
        assert_eq!((place.name.as_str(), place.point.latitude, place.point.longitude), ("Café Müller", 52.52, 13.405));
        let address = &place.addresses[0];
        assert_eq!(address.freeform.as_deref(), Some("Torstraße 7"), "{table}");
        assert_eq!((address.locality.as_deref(), address.postcode.as_deref()), (Some("Berlin"), Some("10119")));
        assert_eq!(address.country.as_deref(), Some("DE"), "{table}");
        assert_eq!((place.phones, place.websites.len(), place.emails.len()), (vec!["030 123".to_owned()], 1, 1));
    }
}

#[test]
fn positions_may_be_in_one_column() {
    for (header, cell) in [
        ("Coordinates", "\"30.25, -97.75\""),
        ("Location", "\"30.25,-97.75\""),
        ("wkt", "POINT (-97.75 30.25)"),
        ("the_geom", "SRID=4326;POINT(-97.75 30.25)"),
        ("Where", "30.25 -97.75"),
    ] {
        let place = only(&format!("name,{header}\nAlma,{cell}\n"));
        assert_eq!((place.point.latitude, place.point.longitude), (30.25, -97.75), "{header}");
    }
}

#[test]
fn encodings_and_delimiters_are_found_out() {
    let text =
        "name;city;latitude;longitude\r\n\"Café Zoë; \"\"Süd\"\"\";Köln;50,94;6,96\r\nŒuvre – 5 €;Orléans;47,9;1,9\r\n";
    let utf_16 = |to_bytes: fn(u16) -> [u8; 2], mark: &[u16]| {
        mark.iter().copied().chain(text.encode_utf16()).flat_map(to_bytes).collect::<Vec<u8>>()
    };
    let encodings = [
        ("UTF-8", text.as_bytes().to_vec()),
        ("UTF-8", [b"\xef\xbb\xbf", text.as_bytes()].concat()),
        ("UTF-16LE", utf_16(u16::to_le_bytes, &[0xfeff])),
        ("UTF-16BE", utf_16(u16::to_be_bytes, &[0xfeff])),
        ("UTF-16LE", utf_16(u16::to_le_bytes, &[])),
        ("UTF-16BE", utf_16(u16::to_be_bytes, &[])),
        ("windows-1252", WINDOWS_1252.encode(text).0.into_owned()),
    ];
    for (name, bytes) in encodings {
        let saved = file(&bytes);
        let inspection = csv::inspect(saved.path()).unwrap();
        assert_eq!((inspection.encoding, inspection.delimiter), (name, ';'));
        assert_eq!(inspection.headers, ["name", "city", "latitude", "longitude"]);
        let imported = read(&bytes, &Options::default()).unwrap();
        let names: Vec<&str> = imported.places.iter().map(|place| place.name.as_str()).collect();
        assert_eq!(names, ["Café Zoë; \"Süd\"", "Œuvre – 5 €"], "{name}");
        assert_eq!(imported.progress.last(), Some(&(bytes.len() as u64)));
    }
    for (delimiter, lead) in [(',', ""), (';', ""), ('\t', ""), ('|', ""), (';', "sep=;\n"), ('#', "sep=#\r\n")] {
        let text =
            format!("{lead}id,name,lat,lon,note\n1,Alma,30.25,-97.75,a b\n").replace(',', &delimiter.to_string());
        assert_eq!(only(&text).name, "Alma", "{text}");
    }
    assert_eq!(UTF_8.name(), "UTF-8");
}

#[test]
fn a_long_file_that_turns_out_to_be_windows_1252_is_read_as_such() {
    let rows: String = (0..20_000).map(|number| format!("{number},Shop {number},30.25,-97.75\n")).collect();
    let text = format!("id,name,lat,lon\n{rows}x,Café Amélie,30.25,-97.75\n");
    let imported = read(&WINDOWS_1252.encode(&text).0, &Options::default()).unwrap();
    assert_eq!(imported.places.len(), 20_001);
    assert_eq!(imported.places.last().unwrap().name, "Café Amélie");
}

#[test]
fn bad_rows_are_skipped_with_reason_and_line() {
    let imported = read_text(
        "id,name,lat,lon,closed\n1,Alma,30.25,-97.75,\n\n2,,30.25,-97.75,\n3,\"No\nwhere\",,,\n4,Off,91,0,\n5,Zero,0,0,\n\
         6,Text,north,west,\n7,Gone,1,1,yes\n1,Twin,1,1,\n8,Shifted,1,1,,extra\n9,Short,1,1\n10,Stays,2,2,no,,\n",
    );
    let names: Vec<&str> = imported.places.iter().map(|place| place.name.as_str()).collect();
    assert_eq!(names, ["Alma", "Short", "Stays"]);
    let expected = [
        ("closed for good", vec!["line 10"]),
        ("coordinates 0, 0, which mean that nobody knows", vec!["line 8"]),
        ("coordinates that cannot be read or are out of range", vec!["line 7", "line 9"]),
        ("more cells than the header has", vec!["line 12"]),
        ("no coordinates", vec!["line 5"]),
        ("no name", vec!["line 4"]),
        ("the same id a second time", vec!["line 11"]),
    ];
    assert_eq!(imported.reasons(), expected);
}

#[test]
fn bad_values_are_left_out_of_places_that_stay() {
    let imported = read_text(
        "name,lat,lon,rating,reviews,confidence,country,category\n\
         Alma,1,1,7.5,many,2,Atlantis,qwertzuiop asdfgh\nBela,1,2,4.5,12,0.5,US,plumber\n",
    );
    let alma = &imported.places[0];
    assert_eq!((alma.rating, alma.review_count, alma.confidence), (None, None, None));
    assert_eq!((alma.categories.primary.as_deref(), alma.categories.alternates.len()), (None, 1));
    let notes = reasons(&imported.notes);
    assert_eq!(notes.len(), 5, "{notes:?}");
    assert!(notes.iter().all(|(_, positions)| positions == &["line 2"]), "{notes:?}");
    assert_eq!(imported.places[1].rating, Some(4.5));
}

#[test]
fn rows_without_an_id_get_one_that_stays() {
    let ids = |text: &str| read_text(text).places.into_iter().map(|place| place.id).collect::<Vec<_>>();
    let first = ids("name,address,lat,lon\nAlma,1 Main St,1.5,1.5\nBela,2 Main St,2.5,2.5\n");
    let again = ids("lon;lat;phone;address;name\n2.5;2.500000;555;2 Main St;Bela\n1.5;1.5;;1 main st;ALMA\n");
    assert_eq!(first, [again[1].as_str(), again[0].as_str()]);
    assert!(first.iter().all(|id| id.len() == 32));
    let twins = read_text("name,lat,lon\nAlma,1,1\nAlma,1,1\n");
    assert_eq!((twins.places.len(), twins.reasons()), (1, vec![("the same id a second time", vec!["line 3"])]));
}

#[test]
fn options_overrule_the_guess_and_fill_gaps() {
    let text = "Firma,Inhaber,lat,lon,country,kind\nAlma,Bela,30.25,-97.75,,\nCora,Dora,1,1,FR,dentist\n";
    let options = Options {
        map: vec!["name=inhaber".into(), "category=kind".into()],
        country: Some("Germany".into()),
        category: Some("Roofers".into()),
    };
    let imported = read(text.as_bytes(), &options).unwrap();
    let place = &imported.places[0];
    assert_eq!((place.name.as_str(), place.addresses[0].country.as_deref()), ("Bela", Some("DE")));
    assert_eq!(place.categories.primary.as_deref(), Some("canvass:roofer"));
    let place = &imported.places[1];
    assert_eq!(
        (place.addresses[0].country.as_deref(), place.categories.primary.as_deref()),
        (Some("FR"), Some("dentist"))
    );
}

#[test]
fn options_that_do_not_fit_say_what_there_is() {
    let text = "Firma,lat,lon\nAlma,30.25,-97.75\n";
    let with = |map: &str| Options { map: vec![map.into()], ..Options::default() };
    assert!(
        refused(text, &with("colour=Firma")).contains("names no known field; there are id, name, category, latitude")
    );
    assert!(
        refused(text, &with("name=Chef"))
            .contains("there is no column \"Chef\"; the columns are \"Firma\", \"lat\", \"lon\"")
    );
    assert!(refused(text, &with("name=")).contains("no column holds the name"));
    let without = refused("Wer,Was\na,b\n", &Options::default());
    assert!(without.contains("its header would be \"name\"") && without.contains("the columns are \"Wer\", \"Was\""));
    let nowhere = refused("name,city\na,b\n", &Options::default());
    assert!(nowhere.contains("\"latitude\" and \"longitude\""), "{nowhere}");
    let country = Options { country: Some("Atlantis".into()), ..Options::default() };
    assert!(refused(text, &country).contains("\"Atlantis\" is no country"));
    let category = Options { category: Some("plumbr of doom and glory".into()), ..Options::default() };
    assert!(read(text.as_bytes(), &category).is_ok() || refused(text, &category).contains("industry"));
}

#[test]
fn a_file_is_shown_before_it_is_imported() {
    let saved = file(b"Titel|Tel|x\nAlma|030 1|7\nBela|030 2|8\n");
    let inspection = csv::inspect(saved.path()).unwrap();
    assert_eq!((inspection.delimiter, inspection.sample.len()), ('|', 2));
    assert_eq!(inspection.mapping.columns(Field::Name), [0]);
    assert_eq!(
        (inspection.mapping.field(1), inspection.mapping.field(2)),
        (Some(Field::Phone), Some(Field::Longitude))
    );
}

#[test]
fn an_import_can_be_cancelled() {
    let saved = file(b"name,lat,lon\nAlma,1,1\n");
    let mut sink = Collected { cancel_at: Some(1), ..Collected::default() };
    let result = csv::read(saved.path(), &Options::default(), &mut Import::into(&mut sink));
    assert!(matches!(result, Err(Error::Cancelled)));
}
