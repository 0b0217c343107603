//! Files made to break the reader: each is an error that names the file, or read as far as it is sound. None of them panics, hangs,
//! or takes memory that its size does not justify.

use std::fs::File;
use std::path::Path;
use std::sync::Arc;

use arrow_array::types::Int32Type;
use arrow_array::{ArrayRef, BinaryArray, DictionaryArray, Int32Array, RecordBatch, StringArray, StructArray};
use bytes::Bytes;
use object_store::local::LocalFileSystem;
use parquet::file::metadata::{
    ColumnChunkMetaDataBuilder, ParquetMetaDataBuilder, ParquetMetaDataReader, ParquetMetaDataWriter, RowGroupMetaData,
};
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use place_data::{Dataset, Error, FoundPlaces, Import, Kinds, Place, PlaceQuery, Sink, foursquare, write};
use places::{Area, Point, category};
use rstest::rstest;

const AUSTIN: Point = Point { latitude: 30.267, longitude: -97.743 };

fn dentists(count: usize) -> Vec<Place> {
    let dentist = |number: usize| {
        let longitude = AUSTIN.longitude + number as f64 / 1e5;
        let mut place = Place::new(format!("id-{number}"), format!("Dentist {number}"), Point { longitude, ..AUSTIN });
        place.categories.primary = Some("dentist".into());
        place
    };
    (0..count).map(dentist).collect()
}

async fn find(folder: &Path) -> Result<FoundPlaces, Error> {
    let store = LocalFileSystem::new_with_prefix(folder).expect("a folder");
    let dataset = Dataset::in_folder(Arc::new(store), &"".into()).await?;
    let area = Area::circle("Austin, TX", "US", AUSTIN, 10.0);
    let kinds = Kinds::of(category("dentist").expect("a category"));
    dataset.find(&PlaceQuery { area, kinds, confidence_min: 0.0 }, None).await
}

/// Expects no places.
struct Nothing;

impl Sink for Nothing {
    fn place(&mut self, place: Place) -> Result<(), Error> {
        panic!("a place: {place:?}")
    }

    fn progress(&mut self, _bytes: u64) -> Result<(), Error> {
        Ok(())
    }
}

/// Fields that nobody knows, with two billion booleans each.
fn billions_of_booleans() -> Vec<u8> {
    let list = [0xF2, 0xFF, 0xFF, 0xFF, 0xFF, 0x07];
    let fields = std::iter::once(0xF9).chain(std::iter::repeat_n(0x19, 400));
    fields.flat_map(|field| std::iter::once(field).chain(list)).chain([0]).collect()
}

/// The same as the text of a field that should be a number, which the decoder reads as one, and then the text as fields.
fn booleans_in_a_text() -> Vec<u8> {
    let text = billions_of_booleans();
    let [low, high, ..] = text.len().to_le_bytes();
    let length = u16::from_le_bytes([low, high]);
    let length = [0x80 | (length & 0x7F).to_le_bytes()[0], (length >> 7).to_le_bytes()[0]];
    [[0x18].as_slice(), &length, &text, &[0]].concat()
}

/// A file that is hardly more than a footer.
fn only(footer: &[u8]) -> Vec<u8> {
    let length = u32::try_from(footer.len()).expect("a short footer").to_le_bytes();
    [b"PAR1".as_slice(), footer, &length, b"PAR1"].concat()
}

#[rstest]
#[case::empty(Vec::new(), "it is empty")]
#[case::shorter_than_any(b"PAR1".to_vec(), "not a sound Parquet file")]
#[case::without_end(only(&billions_of_booleans()), "claims more than there is")]
#[case::without_end_behind_a_wrong_type(only(&booleans_in_a_text()), "claims more than there is")]
#[tokio::test]
async fn what_is_hardly_a_file_is_refused_at_once(#[case] bytes: Vec<u8>, #[case] expect: &str) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("places.parquet");
    std::fs::write(&file, bytes).unwrap();
    let error = find(folder.path()).await.unwrap_err().to_string();
    assert!(error.starts_with("places.parquet") && error.contains(expect), "{error}");
    let error = foursquare::read(&file, &mut Import::into(&mut Nothing)).unwrap_err().to_string();
    assert!(error.contains("places.parquet: is not a sound Parquet file"), "{error}");
}

/// A sound file with the footer of a liar.
fn write_lie(path: &Path, lie: impl Fn(RowGroupMetaData) -> RowGroupMetaData) {
    write(path, dentists(2_000)).expect("a file");
    let sound = Bytes::from(std::fs::read(path).expect("a file"));
    let metadata = ParquetMetaDataReader::new().parse_and_finish(&sound).expect("a footer");
    let length = u32::from_le_bytes(sound[sound.len() - 8..sound.len() - 4].try_into().expect("four bytes")) as usize;
    let groups = metadata.row_groups().iter().cloned().map(lie).collect();
    let metadata = ParquetMetaDataBuilder::new(metadata.file_metadata().clone()).set_row_groups(groups).build();
    let mut bytes = sound[..sound.len() - 8 - length].to_vec();
    ParquetMetaDataWriter::new(&mut bytes, &metadata).finish().expect("a footer");
    std::fs::write(path, bytes).expect("a file");
}

fn with_columns(
    group: RowGroupMetaData,
    lie: impl Fn(ColumnChunkMetaDataBuilder) -> ColumnChunkMetaDataBuilder,
) -> RowGroupMetaData {
    let columns = group.columns().iter().cloned().map(|column| lie(column.into_builder()).build().expect("a column"));
    let columns = columns.collect();
    group.into_builder().set_column_metadata(columns).build().expect("a row group")
}

#[rstest]
#[case::rows_beyond_any_file(|group: RowGroupMetaData| group.into_builder().set_num_rows(i64::MAX / 4).build().expect("a row group"))]
#[case::more_rows_than_bytes(|group: RowGroupMetaData| group.into_builder().set_num_rows(1 << 40).build().expect("a row group"))]
#[case::no_rows(|group: RowGroupMetaData| group.into_builder().set_num_rows(0).build().expect("a row group"))]
#[case::fewer_rows(|group: RowGroupMetaData| group.into_builder().set_num_rows(7).build().expect("a row group"))]
#[case::columns_behind_the_end(|group| with_columns(group, |column| column.set_data_page_offset(1 << 40).set_dictionary_page_offset(None)))]
#[case::columns_of_a_terabyte(|group| with_columns(group, |column| column.set_total_compressed_size(1 << 40)))]
#[case::values_beyond_any_file(|group| with_columns(group, |column| column.set_num_values(i64::MAX / 4)))]
#[case::columns_of_another(|group| with_columns(group, |column| column.set_data_page_offset(4).set_dictionary_page_offset(None)))]
#[case::another_compression(|group| with_columns(group, |column| column.set_compression(parquet::basic::Compression::SNAPPY)))]
#[tokio::test]
async fn a_footer_that_lies_is_refused_with_the_name_of_the_file(
    #[case] lie: fn(RowGroupMetaData) -> RowGroupMetaData,
) {
    let folder = tempfile::tempdir().unwrap();
    write_lie(&folder.path().join("places.parquet"), lie);
    match find(folder.path()).await {
        Ok(found) => assert!(found.places.len() <= 2_000),
        Err(error) => assert!(error.to_string().starts_with("places.parquet"), "{error}"),
    }
}

#[tokio::test]
async fn an_honest_footer_written_the_same_way_is_read() {
    let folder = tempfile::tempdir().unwrap();
    write_lie(&folder.path().join("places.parquet"), |group| group);
    assert_eq!(find(folder.path()).await.unwrap().total, 2_000);
}

#[rstest]
#[case::empty(b"")]
#[case::text(b"this is not Parquet, but long enough to have a footer")]
#[case::another_format(b"PK\x03\x04 a compressed archive, for example, of some length")]
#[case::only_magic(b"PAR1PAR1")]
#[case::endless_footer(b"PAR1 and then nothing of use \xff\xff\xff\x7fPAR1")]
#[tokio::test]
async fn what_is_no_parquet_file_is_refused_with_its_name(#[case] content: &[u8]) {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("places.parquet"), content).unwrap();
    let error = find(folder.path()).await.unwrap_err().to_string();
    assert!(error.starts_with("places.parquet: "), "{error}");
}

#[tokio::test]
async fn a_file_of_something_else_says_what_is_missing() {
    let folder = tempfile::tempdir().unwrap();
    let schema = arrow_schema::Schema::new(vec![arrow_schema::Field::new("id", arrow_schema::DataType::Utf8, true)]);
    let file = File::create(folder.path().join("places.parquet")).unwrap();
    let properties = WriterProperties::builder().build();
    parquet::arrow::ArrowWriter::try_new(file, Arc::new(schema), Some(properties)).unwrap().close().unwrap();
    let error = find(folder.path()).await.unwrap_err().to_string();
    assert_eq!(error, "places.parquet: it has no column \"geometry\", so it holds no places");
}

#[tokio::test]
async fn cells_of_ten_megabytes_are_left_out_and_the_other_places_found() {
    let folder = tempfile::tempdir().unwrap();
    let mut places = dentists(3);
    places[0].name = "x".repeat(10_000_000);
    places[1].websites = vec!["y".repeat(10_000_000)];
    write(&folder.path().join("places.parquet"), places).unwrap();
    let found = find(folder.path()).await.unwrap();
    assert_eq!(found.places.iter().map(|place| place.id.as_str()).collect::<Vec<_>>(), ["id-1", "id-2"]);
    assert!(found.places[0].websites.is_empty());
}

/// Places whose name is one value of these many bytes, which the file stores once.
fn write_repeated_name(path: &Path, bytes: usize, rows: usize) {
    let numbers: Vec<String> = (0..rows).map(|row| format!("id-{row}")).collect();
    let point = |_| [&[1, 1, 0, 0, 0][..], &AUSTIN.longitude.to_le_bytes(), &AUSTIN.latitude.to_le_bytes()].concat();
    let points: Vec<Vec<u8>> = (0..rows).map(point).collect();
    let name = StringArray::from(vec!["x".repeat(bytes)]);
    let names = DictionaryArray::<Int32Type>::new(Int32Array::from(vec![0; rows]), Arc::new(name));
    let kinds = StringArray::from(vec!["dentist"; rows]);
    let record = |name: &str, column: ArrayRef| {
        Arc::new(StructArray::try_from(vec![(name, column)]).expect("a column")) as ArrayRef
    };
    let columns = [
        ("id", Arc::new(StringArray::from(numbers)) as ArrayRef),
        ("geometry", Arc::new(BinaryArray::from_iter_values(points))),
        ("names", record("primary", Arc::new(names))),
        ("categories", record("primary", Arc::new(kinds))),
    ];
    let batch = RecordBatch::try_from_iter(columns).expect("columns of one length");
    let properties = WriterProperties::builder().set_dictionary_page_size_limit(2 * bytes);
    let properties = properties.set_statistics_enabled(EnabledStatistics::None).build();
    let file = File::create(path).expect("a file");
    let mut writer = parquet::arrow::ArrowWriter::try_new(file, batch.schema(), Some(properties)).expect("a writer");
    writer.write(&batch).expect("rows");
    writer.close().expect("a file");
}

#[tokio::test]
async fn a_long_value_in_every_row_takes_its_memory_once() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("places.parquet");
    write_repeated_name(&path, 500_000, 800);
    assert!(path.metadata().unwrap().len() < 2_000_000, "the value is stored once");
    assert_eq!(find(folder.path()).await.unwrap().total, 0, "no name has half a megabyte");
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")?.trim().strip_suffix(" kB"));
    let peak: u64 = peak.and_then(|peak| peak.parse().ok()).unwrap_or(0);
    assert!(peak < 300_000, "{peak} KiB of memory, where copies of the value would take 400 MB");
}
