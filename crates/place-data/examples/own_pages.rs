//! Prints how many bytes the pages have that hold the places of a query: what a search must read at least. Used by `benches/places`:
//! `own_pages FOLDER INDUSTRY PLACE`.

use std::collections::HashSet;
use std::fs::File;

use arrow_array::cast::AsArray;
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::{ArrowReaderOptions, ParquetRecordBatchReaderBuilder};
use parquet::file::metadata::{PageIndexPolicy, ParquetMetaData};
use place_data::{Kinds, Overture, OvertureSettings, PlaceQuery};
use places::{Scope, industry, locate};

type Failure = Box<dyn std::error::Error>;

/// Columns of a release that no listing needs.
const UNUSED: [&str; 4] = ["bbox", "version", "theme", "type"];

#[tokio::main]
async fn main() -> Result<(), Failure> {
    let given: Vec<String> = std::env::args().skip(1).collect();
    let [folder, kind, place] = given.as_slice() else { return Err("own_pages FOLDER INDUSTRY PLACE".into()) };
    let area = match place.strip_prefix("country:") {
        Some(country) => locate(country)?.place.area(Scope::Country),
        None => locate(place)?.place.area(Scope::City),
    };
    let query = PlaceQuery { area, kinds: Kinds::of(industry(kind)?.category), confidence_min: 0.0 };
    let settings = OvertureSettings { places: Some(folder.clone()), ..OvertureSettings::default() };
    let (_, dataset) = Overture::new(settings)?.latest().await?;
    let found = dataset.find(&query, None).await?;
    let ids: HashSet<String> = found.places.into_iter().map(|place| place.id).collect();
    let mut bytes = 0;
    for entry in std::fs::read_dir(folder)? {
        bytes += pages_with(&entry?.path(), &ids)?;
    }
    #[expect(clippy::print_stdout, reason = "the result of the program")]
    {
        println!("{bytes}");
    }
    Ok(())
}

fn pages_with(path: &std::path::Path, ids: &HashSet<String>) -> Result<i64, Failure> {
    let options = ArrowReaderOptions::new().with_page_index_policy(PageIndexPolicy::Optional);
    let builder = ParquetRecordBatchReaderBuilder::try_new_with_options(File::open(path)?, options)?;
    let metadata = builder.metadata().clone();
    let columns = ProjectionMask::columns(builder.parquet_schema(), ["id"]);
    let mut rows = Vec::new();
    let mut next = 0;
    for batch in builder.with_projection(columns).build()? {
        let batch = batch?;
        let column = batch.column(0).as_string::<i32>();
        rows.extend(
            column.iter().enumerate().filter(|(_, id)| ids.contains(id.unwrap_or(""))).map(|(row, _)| next + row),
        );
        next += batch.num_rows();
    }
    Ok(bytes_of(&metadata, &rows))
}

/// The bytes of all pages with any of the rows, and of the dictionaries that they need.
fn bytes_of(metadata: &ParquetMetaData, rows: &[usize]) -> i64 {
    let (mut bytes, mut first) = (0, 0);
    for (number, group) in metadata.row_groups().iter().enumerate() {
        let count = usize::try_from(group.num_rows()).unwrap_or(0);
        let within: Vec<i64> =
            rows.iter().filter(|row| (first..first + count).contains(row)).map(|row| (row - first) as i64).collect();
        first += count;
        for (column, chunk) in group.columns().iter().enumerate() {
            if within.is_empty() || UNUSED.contains(&chunk.column_path().parts()[0].as_str()) {
                continue;
            }
            let index = metadata.page_index_for_row_group(number);
            let Some(pages) = index.page_locations(column) else {
                bytes += chunk.compressed_size();
                continue;
            };
            bytes += chunk.dictionary_page_offset().map_or(0, |at| chunk.data_page_offset() - at);
            for (place, page) in pages.iter().enumerate() {
                let end = pages.get(place + 1).map_or(i64::MAX, |next| next.first_row_index);
                if within.iter().any(|row| (page.first_row_index..end).contains(row)) {
                    bytes += i64::from(page.compressed_page_size);
                }
            }
        }
    }
    bytes
}
