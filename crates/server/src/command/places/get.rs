//! `canvass places get`: the businesses of an area, downloaded to a folder that searches read without a connection.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::Context;
use canvass::clock::{Clock, SystemClock};
use canvass::config::Settings;
use canvass::listing::sources::place_data::Member;
use canvass::private_files;
use clap::Args;
use place_data::library::{Download, DownloadRequest, Format, Manifest};
use place_data::{Dataset, Error, Sink};
use places::{Area, SavedArea};
use serde::Serialize;

use super::progress::Progress;
use super::{grouped, size};
use crate::command::output::Output;

#[derive(Debug, Args)]
pub(in crate::command) struct Arguments {
    /// Area or country, such as "Austin, TX", Texas or US
    location: String,
    /// Folder to download to; by default one in the data folder, named after the area
    #[arg(long, value_name = "FOLDER")]
    to: Option<PathBuf>,
}

#[derive(Debug, Serialize)]
struct GotView<'a> {
    area: &'a str,
    release: &'a str,
    folder: String,
    places: u64,
    bytes: u64,
    version: &'a str,
}

pub(super) async fn run(settings: &Settings, arguments: Arguments, output: Output) -> anyhow::Result<()> {
    let located = places::locate(&arguments.location).map_err(|error| anyhow::anyhow!("{error}"))?;
    let area = located.place.area(located.place.width);
    let member = Member::overture(settings)?;
    let (release, dataset) = member.latest().await?;
    private_files::create_folder(&settings.data)
        .with_context(|| format!("cannot create {}", settings.data.display()))?;
    let folder = arguments.to.unwrap_or_else(|| settings.places_folder().join(file_name(area.name())));
    output.note(&format!("{} of release {release}, to {}", area.name(), folder.display()));
    let manifest = download(&Wanted { area: &area, release: &release, dataset }, &folder).await?;
    let folder = folder.display().to_string();
    let view = GotView {
        area: area.name(),
        release: &release,
        places: manifest.current.rows,
        bytes: manifest.current.bytes(),
        version: &manifest.current.version,
        folder,
    };
    output.show(&view, || drawn(&view));
    Ok(())
}

/// What is downloaded.
struct Wanted<'a> {
    area: &'a Area,
    release: &'a str,
    dataset: Arc<Dataset>,
}

/// Downloads part by part; one that was interrupted goes on behind the last complete part.
async fn download(wanted: &Wanted<'_>, folder: &Path) -> anyhow::Result<Manifest> {
    let Wanted { area, release, dataset } = wanted;
    let parts = dataset.parts(area).await?;
    let plan = format!("release {release}, {} parts of {}", parts.len(), area.name());
    let download = Download::into_folder(folder, &plan)?;
    let rows: u64 = parts.iter().map(place_data::AreaPart::rows).sum();
    let progress = Progress::start(rows, "{bar:30} {percent} % fetched, {eta} left");
    let mut done = 0;
    for (number, part) in parts.iter().enumerate() {
        if !download.has(number) {
            let places = dataset.places_in(part, area).await?;
            let mut sink = download.part(number)?;
            places.into_iter().try_for_each(|place| sink.place(place))?;
            sink.finish()?;
        }
        done += part.rows();
        progress.at(done).map_err(stopped)?;
    }
    progress.restart("{bar:30} {percent} % sorted and written, {eta} left");
    let request = DownloadRequest {
        name: file_name(area.name()),
        format: Format::Overture,
        original: format!("{} of release {release}", area.name()),
        area: SavedArea::from(*area),
        imported_at: jiff::Timestamp::from_microsecond(SystemClock.now().micros())?,
    };
    let bar = progress.clone();
    let sorted = tokio::task::spawn_blocking(move || download.finish(request, &mut |part| bar.at_part(part))).await;
    progress.finish();
    Ok(sorted??)
}

fn stopped(error: Error) -> anyhow::Error {
    anyhow::anyhow!("{error}; the same command goes on where this one stopped")
}

/// An area's name as that of a folder.
fn file_name(area: &str) -> String {
    let plain: String =
        area.chars().map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '-' }).collect();
    let words: Vec<&str> = plain.split('-').filter(|word| !word.is_empty()).collect();
    if words.is_empty() { "area".to_owned() } else { words.join("-") }
}

fn drawn(view: &GotView<'_>) -> String {
    format!(
        "{} businesses of {} (release {}, {}) are in {}.\n\nTo search them:\n  export CANVASS_SOURCE=overture CANVASS_PLACES={}\n  \
         canvass find dentist \"{}\" -n 25",
        grouped(view.places),
        view.area,
        view.release,
        size(view.bytes),
        view.folder,
        view.folder,
        view.area,
    )
}

#[cfg(test)]
mod tests {
    use super::file_name;

    #[test]
    fn folders_are_named_after_areas() {
        let names = ["Texas", "Austin, TX", "United States", "東京", "../etc"].map(file_name);
        assert_eq!(names, ["texas", "austin-tx", "united-states", "area", "etc"]);
    }
}
