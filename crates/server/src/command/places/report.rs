//! What an import did, for people and for programs.

use std::collections::BTreeMap;

use place_data::Skipped;
use place_data::library::{Manifest, SkippedRecords};
use places::Bounds;
use serde::Serialize;

use super::mapping::MappingView;
use super::work::FileRead;
use super::{grouped, size};
use crate::command::output::Output;

/// Degrees of a box up to which the town in its middle stands for all of it.
const TOWN_DEGREES_MAX: f64 = 2.0;
/// A town for files of a wider area.
const TOWN_DEFAULT: &str = "Austin, TX";

/// The JSON output of an import.
#[derive(Serialize)]
struct ImportView<'a> {
    #[serde(flatten)]
    manifest: &'a Manifest,
    /// What was left out of businesses that were imported.
    notes: BTreeMap<String, SkippedRecords>,
    mapping: Option<MappingView>,
}

/// The JSON output of a dry run.
#[derive(Serialize)]
struct DryRunView {
    dry_run: bool,
    rows: u64,
    skipped: BTreeMap<String, SkippedRecords>,
    notes: BTreeMap<String, SkippedRecords>,
    mapping: Option<MappingView>,
}

pub(super) fn show_dry_run(read: &FileRead, mapping: Option<MappingView>, output: Output) {
    let (skipped, notes) = (stored(&read.skipped), stored(&read.notes));
    let view = DryRunView { dry_run: true, rows: read.taken, skipped, notes, mapping };
    output.show(&view, || format!("Businesses: {}. Nothing was imported.{}", grouped(read.taken), left_out(read)));
}

pub(super) fn show_import(manifest: &Manifest, read: &FileRead, mapping: Option<MappingView>, output: Output) {
    let view = ImportView { manifest, notes: stored(&read.notes), mapping };
    output.show(&view, || imported(manifest, read));
}

fn imported(manifest: &Manifest, read: &FileRead) -> String {
    let (rows, bytes) = (grouped(manifest.current.rows), size(manifest.current.bytes()));
    let mut text = format!(
        "Businesses imported from {} as {:?}: {rows} ({bytes}, version {}).",
        manifest.original, manifest.name, manifest.current.version
    );
    text.push_str(&left_out(read));
    if let Some(attribution) = &manifest.attribution {
        let licence = manifest.licence.as_ref().map_or(String::new(), |licence| format!(" ({licence})"));
        text.push_str(&format!("\nAttribution: {attribution}{licence}"));
    }
    let town = manifest.tally.bounds.and_then(town).unwrap_or_else(|| TOWN_DEFAULT.to_owned());
    text + &format!("\nTo search them:\n  CANVASS_SOURCE={} canvass find dentist {town:?}", manifest.name)
}

/// What was left out, by reason, with the first examples.
fn left_out(read: &FileRead) -> String {
    let lines = |heading: &str, kinds: &Skipped| -> String {
        let line = |(reason, kind): (&&str, &place_data::SkippedKind)| {
            format!("\n{heading}, {reason}: {} (such as {})", grouped(kind.count), kind.examples.join(", "))
        };
        kinds.0.iter().map(line).collect()
    };
    lines("Left out", &read.skipped) + &lines("Imported without a value", &read.notes)
}

fn stored(kinds: &Skipped) -> BTreeMap<String, SkippedRecords> {
    let kinds = kinds.0.iter();
    kinds.map(|(reason, kind)| ((*reason).to_owned(), SkippedRecords::from(kind))).collect()
}

/// The town in the middle of a box, if the box is small.
fn town(bounds: Bounds) -> Option<String> {
    let small = bounds.north - bounds.south < TOWN_DEGREES_MAX && bounds.east - bounds.west < TOWN_DEGREES_MAX;
    let middle = |one: f64, other: f64| (one + other) / 2.0;
    let point = format!("{:.4}, {:.4}", middle(bounds.south, bounds.north), middle(bounds.west, bounds.east));
    places::locate(&point).ok().filter(|_| small)?.place.city
}
