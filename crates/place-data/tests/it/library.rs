//! The library of imports: what is imported is found and can be checked; what fails, is cancelled or killed changes nothing.

use std::path::{Path, PathBuf};

use place_data::library::{
    Download, DownloadRequest, Format, ImportName, ImportRequest, Manifest, open_folder, verify_import,
};
use place_data::{
    Address, Error, Import, Kinds, Library, Overture, OvertureSettings, Place, PlaceQuery, Sink, Skipped,
};
use places::{Area, Point, SavedArea, category};

const HERE: Point = Point { latitude: 30.267, longitude: -97.743 };

/// Dentists around one place, so many.
fn dentists(count: usize) -> Vec<Place> {
    let dentist = |number: usize| {
        let shift = (number * 7919 % count) as f64 / count as f64 / 10.0;
        let point = Point { latitude: HERE.latitude + shift, longitude: HERE.longitude - shift };
        let mut place = Place::new(format!("n{number}"), format!("Dentist {number}"), point);
        place.categories.primary = Some("amenity=dentist".into());
        place.categories.hierarchy = vec!["amenity=dentist".into()];
        place.phones = number.is_multiple_of(2).then(|| format!("+1512555{number:04}")).into_iter().collect();
        place.addresses = vec![Address { country: Some("us".into()), ..Address::default() }];
        place
    };
    (0..count).map(dentist).collect()
}

fn request(name: &str) -> ImportRequest {
    ImportRequest {
        name: ImportName::parse(name).expect("a name"),
        format: Format::Osm,
        original: "austin.osm.pbf".into(),
        attribution: None,
        imported_at: "2026-09-18T10:00:00Z".parse().expect("a time"),
    }
}

fn import(library: &Library, name: &str, places: Vec<Place>) -> Result<Manifest, Error> {
    let mut importer = library.importer(request(name))?;
    let mut import = Import::into(&mut importer);
    for place in places {
        import.place(place)?;
    }
    import.skip("it has no name", "w7");
    let (_, skipped) = import.finish();
    importer.finish(&skipped, &mut |_| Ok(()))
}

async fn found(library: &Library, name: &str, version: Option<&str>) -> Result<u64, Error> {
    let dataset = match version {
        Some(version) => library.version(name, version).await?,
        None => library.latest(name).await?.1,
    };
    let kinds = Kinds::of(category("dentist").expect("an industry"));
    let query = PlaceQuery { area: Area::circle("Austin", "US", HERE, 50.0), kinds, confidence_min: 0.0 };
    Ok(dataset.find(&query, None).await?.total)
}

/// All files below a folder, but for the lock, which stays.
fn files(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    let mut all: Vec<PathBuf> = Vec::new();
    for path in entries.map(|entry| entry.expect("an entry").path()) {
        let below = if path.is_dir() { files(&path) } else { vec![path] };
        all.extend(below.into_iter().filter(|path| path.extension().is_none_or(|ending| ending != "lock")));
    }
    all.sort();
    all
}

#[tokio::test]
async fn what_is_imported_is_listed_found_and_sound() {
    let folder = tempfile::tempdir().unwrap();
    let library = Library::in_folder(folder.path().join("places"));
    assert_eq!(library.list().unwrap(), []);
    let manifest = import(&library, "osm", dentists(5_000)).unwrap();
    let listed = library.list().unwrap();
    assert_eq!((listed.len(), &listed[0].current), (1, &manifest.current));
    assert_eq!((manifest.current.rows, manifest.tally.countries["US"]), (5_000, 5_000));
    assert!(manifest.tally.has_phones && !manifest.tally.has_ratings && !manifest.tally.has_reviews);
    assert_eq!(manifest.attribution.as_deref(), Some("© OpenStreetMap contributors"));
    assert_eq!(manifest.skipped["it has no name"].examples, ["w7"]);
    assert_eq!(found(&library, "osm", None).await.unwrap(), 5_000);
    let verified = library.verify("osm").await.unwrap();
    assert_eq!((verified.rows, verified.bytes), (5_000, manifest.current.bytes()));
    let survey = library.latest("osm").await.unwrap().1.survey(&mut |_| Ok(())).await.unwrap();
    assert_eq!((survey.rows, survey.with_phone, survey.countries["US"]), (5_000, 2_500, 5_000));
    assert_eq!(survey.industries["dentist"], 5_000);
    library.remove("osm").unwrap();
    assert_eq!(library.list().unwrap(), []);
    assert_eq!(files(folder.path()), Vec::<PathBuf>::new());
}

#[tokio::test]
async fn the_same_places_are_the_same_version_and_the_one_before_stays_for_searches() {
    let folder = tempfile::tempdir().unwrap();
    let library = Library::in_folder(folder.path());
    let first = import(&library, "osm", dentists(100)).unwrap();
    let mut turned = dentists(100);
    turned.reverse();
    assert_eq!(import(&library, "osm", turned).unwrap().current, first.current);
    assert_eq!(files(folder.path()).len(), 2, "its file and the manifest");
    let second = import(&library, "osm", dentists(200)).unwrap();
    assert_ne!(second.current.version, first.current.version);
    assert_eq!(found(&library, "osm", Some(&first.current.version)).await.unwrap(), 100);
    assert_eq!(found(&library, "osm", Some(&second.current.version)).await.unwrap(), 200);
    import(&library, "osm", dentists(300)).unwrap();
    let gone = found(&library, "osm", Some(&first.current.version)).await.unwrap_err();
    assert!(matches!(gone, Error::Replaced { .. }), "{gone}");
    assert_eq!(found(&library, "osm", None).await.unwrap(), 300);
    assert_eq!(files(folder.path()).len(), 3);
}

#[test]
fn an_import_that_does_not_finish_changes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let library = Library::in_folder(folder.path());
    import(&library, "osm", dentists(100)).unwrap();
    let before = files(folder.path());
    let empty = import(&library, "osm", Vec::new()).unwrap_err().to_string();
    assert!(empty.starts_with("austin.osm.pbf: there are no businesses in it (1 left out: it has no name)"), "{empty}");
    let mut dropped = library.importer(request("osm")).unwrap();
    dropped.place(dentists(1).remove(0)).unwrap();
    drop(dropped);
    let mut cancelled = library.importer(request("osm")).unwrap();
    dentists(3_000).into_iter().for_each(|place| cancelled.place(place).unwrap());
    let cancelled = cancelled.finish(&Skipped::default(), &mut |_| Err(Error::Cancelled));
    assert!(matches!(cancelled, Err(Error::Cancelled)));
    assert_eq!(files(folder.path()), before);
    drop(library.importer(request("other")).unwrap());
    assert!(!folder.path().join("other").exists(), "nor does it leave a folder");
}

#[test]
fn two_imports_of_one_name_do_not_run_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let library = Library::in_folder(folder.path());
    import(&library, "osm", dentists(10)).unwrap();
    let running = library.importer(request("osm")).unwrap();
    assert!(matches!(library.importer(request("osm")), Err(Error::Busy { .. })));
    assert!(matches!(library.remove("osm"), Err(Error::Busy { .. })));
    import(&library, "other", dentists(10)).unwrap();
    drop(running);
    import(&library, "osm", dentists(20)).unwrap();
}

#[tokio::test]
async fn what_a_dead_import_left_is_removed_by_the_next() {
    let folder = tempfile::tempdir().unwrap();
    let library = Library::in_folder(folder.path());
    import(&library, "osm", dentists(10)).unwrap();
    let before = files(folder.path());
    // As if killed while sorting, and between the files and the manifest.
    let osm = folder.path().join("osm");
    std::fs::create_dir(osm.join("import")).unwrap();
    for left in ["import/0.run", "import/0.parquet", "import/manifest.json", "0123456789abcdef-0-01234567.parquet"] {
        std::fs::write(osm.join(left), "half").unwrap();
    }
    assert_eq!(found(&library, "osm", None).await.unwrap(), 10);
    import(&library, "osm", dentists(10)).unwrap();
    assert_eq!(files(folder.path()), before);
}

#[tokio::test]
async fn verifying_names_what_is_wrong() {
    let folder = tempfile::tempdir().unwrap();
    let library = Library::in_folder(folder.path());
    let manifest = import(&library, "osm", dentists(3_000)).unwrap();
    let path = folder.path().join("osm").join(&manifest.current.files[0].name);
    let sound = std::fs::read(&path).unwrap();
    let mut flipped = sound.clone();
    flipped[sound.len() / 2] ^= 1;
    for (bytes, problem) in [(&sound[..1_000], "it has 1000 bytes instead of"), (&flipped, "its checksum is not that")]
    {
        std::fs::write(&path, bytes).unwrap();
        let error = library.verify("osm").await.unwrap_err().to_string();
        assert!(error.contains(problem) && error.contains(&manifest.current.files[0].name), "{error}");
    }
    std::fs::remove_file(&path).unwrap();
    assert!(library.verify("osm").await.is_err());
    std::fs::write(folder.path().join("osm/manifest.json"), "{").unwrap();
    let error = library.list().unwrap_err().to_string();
    assert!(error.contains("manifest.json: this manifest is damaged"), "{error}");
    library.remove("osm").unwrap();
    let error = library.verify("osm").await.unwrap_err().to_string();
    assert_eq!(error, "nothing is imported as \"osm\"; no file has been imported yet");
}

#[test]
fn a_manifest_cannot_name_files_elsewhere() {
    let folder = tempfile::tempdir().unwrap();
    let library = Library::in_folder(folder.path());
    let manifest = import(&library, "osm", dentists(10)).unwrap();
    let path = folder.path().join("osm/manifest.json");
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, text.replace(&manifest.current.files[0].name, "../secret.parquet")).unwrap();
    assert!(library.find("osm").unwrap_err().to_string().contains("is not a file of this folder"));
}

/// Downloads dentists in parts into a folder, and stops within the part `until`. Gives the parts that were missing.
fn download(folder: &Path, plan: &str, until: usize) -> (Vec<usize>, Option<Manifest>) {
    let (places, download) = (dentists(4_000), Download::into_folder(folder, plan).expect("a download"));
    let mut missing = Vec::new();
    for (number, part) in places.chunks(1_000).enumerate().filter(|(number, _)| !download.has(*number)) {
        missing.push(number);
        let mut written = download.part(number).expect("a part");
        part.iter().for_each(|place| written.place(place.clone()).expect("it is added"));
        if number == until {
            return (missing, None);
        }
        written.finish().expect("the part is complete");
    }
    let request = DownloadRequest {
        name: "austin".into(),
        format: Format::Overture,
        original: "release 2026-09-17.0".into(),
        area: SavedArea::from(&Area::circle("Austin, TX", "US", HERE, 10.0)),
        imported_at: "2026-09-18T10:00:00Z".parse().expect("a time"),
    };
    let manifest = download.finish(request, &mut |_| Ok(())).expect("it is finished");
    (missing, Some(manifest))
}

#[tokio::test]
async fn a_download_goes_on_behind_its_complete_parts() {
    let folder = tempfile::tempdir().unwrap();
    let (whole, parts) = (folder.path().join("whole"), folder.path().join("parts"));
    let (missing, undisturbed) = download(&whole, "texas", usize::MAX);
    assert_eq!(missing, [0, 1, 2, 3]);
    let undisturbed = undisturbed.unwrap();
    assert_eq!(download(&parts, "texas", 2), (vec![0, 1, 2], None));
    assert_eq!(download(&parts, "texas", 3), (vec![2, 3], None));
    let (missing, resumed) = download(&parts, "texas", usize::MAX);
    assert_eq!((missing, resumed.as_ref()), (vec![3], Some(&undisturbed)));
    assert_eq!(verify_import(&parts, &undisturbed).await.unwrap().rows, 4_000);
    assert_eq!(open_folder(&parts, None).await.unwrap().rows().await.unwrap(), 4_000, "also without its manifest");
    assert_eq!(files(&parts).len(), 2, "its file and the manifest");
    // Of another area nothing can be used; what is there stays until it is replaced.
    assert_eq!(download(&parts, "texas", 1), (vec![0, 1], None));
    assert_eq!(Manifest::in_folder(&parts).unwrap().unwrap().current, undisturbed.current);
    assert_eq!(download(&parts, "ohio", 1), (vec![0, 1], None));
}

#[tokio::test]
async fn a_folder_that_is_read_as_a_release_still_has_the_version_before() {
    let folder = tempfile::tempdir().unwrap();
    let library = Library::in_folder(folder.path());
    let before = import(&library, "austin", dentists(10)).unwrap().current.version;
    let now = import(&library, "austin", dentists(20)).unwrap().current.version;
    let places = Some(folder.path().join("austin").display().to_string());
    let overture = Overture::new(OvertureSettings { places, ..OvertureSettings::default() }).unwrap();
    assert_eq!(overture.latest().await.unwrap().0, now);
    assert_eq!(overture.version(&before).await.unwrap().rows().await.unwrap(), 10);
    assert!(overture.version("another").await.is_err());
}
