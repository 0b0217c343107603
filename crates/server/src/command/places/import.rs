//! `canvass places import`: a file of businesses becomes a source of searches.

use std::path::{Path, PathBuf};

use anyhow::Context;
use canvass::clock::{Clock, SystemClock};
use canvass::config::Settings;
use canvass::private_files;
use clap::{Args, Subcommand};
use place_data::library::{ImportName, ImportRequest};
use place_data::{Library, csv};

use super::mapping::MappingView;
use super::progress::Progress;
use super::report;
use super::work::{Reader, Work};
use crate::command::output::Output;

/// Folders within folders whose files count for the progress bar.
const DEPTH_MAX: usize = 8;

#[derive(Debug, Subcommand)]
pub(in crate::command) enum Command {
    /// An OpenStreetMap extract: .osm.pbf, .osm or .osm.bz2
    Osm(Arguments),
    /// Foursquare OS Places: a folder of its Parquet files
    Foursquare(Arguments),
    /// A table with any header; which column holds what is guessed and shown
    Csv(CsvArguments),
    /// GeoJSON: features with names
    Geojson(Arguments),
}

#[derive(Debug, Args)]
pub(in crate::command) struct Arguments {
    /// The file or folder
    file: PathBuf,
    /// Name of the import, by which CANVASS_SOURCE names it; that of the format by default
    #[arg(long = "as", value_name = "NAME")]
    name: Option<String>,
    /// Read the file and say what would be imported, but change nothing
    #[arg(long)]
    dry_run: bool,
    /// Whom to name wherever the data is shown
    #[arg(long, value_name = "TEXT")]
    attribution: Option<String>,
}

#[derive(Debug, Args)]
pub(in crate::command) struct CsvArguments {
    #[command(flatten)]
    shared: Arguments,
    /// Which column holds a field, in place of the guess, such as phone=Telephone; may be given several times
    #[arg(long, value_name = "FIELD=COLUMN")]
    map: Vec<String>,
    /// Country of rows that name none
    #[arg(long, value_name = "COUNTRY")]
    country: Option<String>,
    /// Industry of rows that name none
    #[arg(long, value_name = "INDUSTRY")]
    category: Option<String>,
}

pub(super) async fn run(
    library: &Library,
    settings: &Settings,
    command: Command,
    output: Output,
) -> anyhow::Result<()> {
    let (reader, arguments) = parsed(command);
    let request = request(&reader, &arguments)?;
    let mapping = MappingView::of(&reader, &arguments.file)?;
    if let Some(mapping) = &mapping {
        output.note(&mapping.drawn());
    }
    let length = bytes_below(&arguments.file, DEPTH_MAX).with_context(|| arguments.file.display().to_string())?;
    let progress = Progress::start(length, "{bar:30} {bytes}/{total_bytes} read, {bytes_per_sec}, {eta} left");
    let work = Work { reader, file: arguments.file, progress: progress.clone() };
    if arguments.dry_run {
        let read = tokio::task::spawn_blocking(move || work.try_out()).await;
        progress.finish();
        report::show_dry_run(&read??, mapping, output);
        return Ok(());
    }
    private_files::create_folder(&settings.data)
        .with_context(|| format!("cannot create {}", settings.data.display()))?;
    let importer = library.importer(request)?;
    let finished = tokio::task::spawn_blocking(move || work.import(importer)).await;
    progress.finish();
    let (manifest, read) = finished??;
    report::show_import(&manifest, &read, mapping, output);
    Ok(())
}

fn parsed(command: Command) -> (Reader, Arguments) {
    match command {
        Command::Osm(arguments) => (Reader::Osm, arguments),
        Command::Foursquare(arguments) => (Reader::Foursquare, arguments),
        Command::Geojson(arguments) => (Reader::Geojson, arguments),
        Command::Csv(CsvArguments { shared, map, country, category }) => {
            (Reader::Csv(csv::Options { map, country, category }), shared)
        }
    }
}

fn request(reader: &Reader, arguments: &Arguments) -> anyhow::Result<ImportRequest> {
    let format = reader.format();
    let name = ImportName::parse(arguments.name.as_deref().unwrap_or(format.name()))?;
    let original = arguments.file.file_name().unwrap_or(arguments.file.as_os_str()).to_string_lossy().into_owned();
    let imported_at = jiff::Timestamp::from_microsecond(SystemClock.now().micros())?;
    Ok(ImportRequest { name, format, original, attribution: arguments.attribution.clone(), imported_at })
}

/// The size of a file, or of all files in a folder.
fn bytes_below(path: &Path, depth: usize) -> std::io::Result<u64> {
    let metadata = std::fs::metadata(path)?;
    if !metadata.is_dir() || depth == 0 {
        return Ok(metadata.len());
    }
    let mut bytes = 0;
    for entry in std::fs::read_dir(path)? {
        bytes += bytes_below(&entry?.path(), depth - 1)?;
    }
    Ok(bytes)
}
