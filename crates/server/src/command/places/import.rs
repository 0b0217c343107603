//! `canvass places import`: a file of businesses becomes a source of searches.

use std::path::{Path, PathBuf};

use anyhow::Context;
use canvass::clock::{Clock, SystemClock};
use canvass::config::Settings;
use canvass::private_files;
use clap::{Args, Subcommand};
use place_data::library::{Format, ImportName, ImportRequest, Importer, Manifest};
use place_data::{Error, Import, Library, Place, Sink, Skipped};
use places::Bounds;
use serde::Serialize;

use super::progress::Progress;
use super::{grouped, size};
use crate::command::output::Output;

/// Degrees of a box up to which the town in its middle stands for all of it.
const TOWN_DEGREES_MAX: f64 = 2.0;

#[derive(Debug, Subcommand)]
pub(in crate::command) enum Command {
    /// An OpenStreetMap extract: .osm.pbf, .osm or .osm.bz2
    Osm(Arguments),
}

#[derive(Debug, Args)]
pub(in crate::command) struct Arguments {
    /// The file
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

/// Reads a file of one format.
type Reader = fn(&Path, &mut Import<'_>) -> Result<(), Error>;

/// The JSON output of a dry run.
#[derive(Serialize)]
struct DryRunView {
    dry_run: bool,
    rows: u64,
    skipped: std::collections::BTreeMap<String, u64>,
}

pub(super) async fn run(
    library: &Library,
    settings: &Settings,
    command: Command,
    output: Output,
) -> anyhow::Result<()> {
    let (format, reader, arguments): (Format, Reader, Arguments) = match command {
        Command::Osm(arguments) => (Format::Osm, place_data::osm::read, arguments),
    };
    let request = request(format, &arguments)?;
    let bytes = bytes_of(&arguments.file)?;
    let progress = Progress::start(bytes, "{bar:30} {bytes}/{total_bytes} read, {bytes_per_sec}, {eta} left");
    let work = Work { reader, file: arguments.file, progress: progress.clone() };
    if arguments.dry_run {
        let read = tokio::task::spawn_blocking(move || work.try_out()).await;
        progress.finish();
        let (taken, skipped) = read??;
        show_dry_run(taken, &skipped, output);
        return Ok(());
    }
    private_files::create_folder(&settings.data)
        .with_context(|| format!("cannot create {}", settings.data.display()))?;
    let importer = library.importer(request)?;
    let finished = tokio::task::spawn_blocking(move || work.import(importer)).await;
    progress.finish();
    let manifest = finished??;
    output.show(&manifest, || imported(&manifest));
    Ok(())
}

fn request(format: Format, arguments: &Arguments) -> anyhow::Result<ImportRequest> {
    let name = ImportName::parse(arguments.name.as_deref().unwrap_or(format.name()))?;
    let original = arguments.file.file_name().unwrap_or(arguments.file.as_os_str()).to_string_lossy().into_owned();
    let imported_at = jiff::Timestamp::from_microsecond(SystemClock.now().micros())?;
    Ok(ImportRequest { name, format, original, attribution: arguments.attribution.clone(), imported_at })
}

fn bytes_of(file: &Path) -> anyhow::Result<u64> {
    let metadata = std::fs::metadata(file).with_context(|| file.display().to_string())?;
    Ok(metadata.len())
}

/// The reading of a file.
struct Work {
    reader: Reader,
    file: PathBuf,
    progress: Progress,
}

impl Work {
    /// Reads the file, and puts it in place when all of it is good.
    fn import(&self, importer: Importer) -> Result<Manifest, Error> {
        let mut sink = ProgressSink { importer: Some(importer), progress: &self.progress };
        let (_, skipped) = self.read(&mut sink)?;
        let importer = sink.importer.take().ok_or(Error::Cancelled)?;
        self.progress.restart("{bar:30} {percent} % sorted and written, {eta} left");
        importer.finish(&skipped, &mut |part| self.progress.at_part(part))
    }

    /// Reads the file and keeps nothing.
    fn try_out(&self) -> Result<(u64, Skipped), Error> {
        self.read(&mut ProgressSink { importer: None, progress: &self.progress })
    }

    fn read(&self, sink: &mut ProgressSink<'_>) -> Result<(u64, Skipped), Error> {
        let mut import = Import::into(sink);
        (self.reader)(&self.file, &mut import)?;
        Ok(import.finish())
    }
}

/// Passes places on, shows progress, and cancels after Ctrl-C.
struct ProgressSink<'a> {
    importer: Option<Importer>,
    progress: &'a Progress,
}

impl Sink for ProgressSink<'_> {
    fn place(&mut self, place: Place) -> Result<(), Error> {
        self.progress.check()?;
        self.importer.as_mut().map_or(Ok(()), |importer| importer.place(place))
    }

    fn progress(&mut self, bytes: u64) -> Result<(), Error> {
        self.progress.at(bytes)
    }
}

fn show_dry_run(taken: u64, skipped: &Skipped, output: Output) {
    let counts = skipped.0.iter().map(|(reason, kind)| ((*reason).to_owned(), kind.count));
    let view = DryRunView { dry_run: true, rows: taken, skipped: counts.collect() };
    output.show(&view, || {
        let left_out = skipped.0.iter().map(|(reason, kind)| left_out(reason, kind.count, &kind.examples));
        format!("Businesses: {}. Nothing was imported.{}", grouped(taken), left_out.collect::<String>())
    });
}

fn imported(manifest: &Manifest) -> String {
    let (rows, bytes) = (grouped(manifest.current.rows), size(manifest.current.bytes()));
    let mut text = format!(
        "Businesses imported from {} as {:?}: {rows} ({bytes}, version {}).",
        manifest.original, manifest.name, manifest.current.version
    );
    for (reason, records) in &manifest.skipped {
        text.push_str(&left_out(reason, records.count, &records.examples));
    }
    if let Some(attribution) = &manifest.attribution {
        let licence = manifest.licence.as_ref().map_or(String::new(), |licence| format!(" ({licence})"));
        text.push_str(&format!("\nAttribution: {attribution}{licence}"));
    }
    let town = manifest.tally.bounds.and_then(town).unwrap_or_else(|| "Austin, TX".to_owned());
    text + &format!("\nTo search them:\n  CANVASS_SOURCE={} canvass find dentist {town:?}", manifest.name)
}

fn left_out(reason: &str, count: u64, examples: &[String]) -> String {
    format!("\nLeft out, {reason}: {} (such as {})", grouped(count), examples.join(", "))
}

/// The town in the middle of a box, if the box is small.
fn town(bounds: Bounds) -> Option<String> {
    let small = bounds.north - bounds.south < TOWN_DEGREES_MAX && bounds.east - bounds.west < TOWN_DEGREES_MAX;
    let middle = |one: f64, other: f64| (one + other) / 2.0;
    let point = format!("{:.4}, {:.4}", middle(bounds.south, bounds.north), middle(bounds.west, bounds.east));
    places::locate(&point).ok().filter(|_| small)?.place.city
}
