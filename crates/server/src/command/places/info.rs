//! `canvass places info`: what an import or a folder of place files holds.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use clap::Args;
use place_data::library::Manifest;
use place_data::{Library, Survey};
use serde::Serialize;

use super::progress::Progress;
use super::subject::{Subject, SubjectArguments};
use super::{grouped, size};
use crate::command::output::Output;
use crate::command::table::table;

/// Countries and industries that are shown unless all are asked for.
const SHOWN: usize = 15;

#[derive(Debug, Args)]
pub(in crate::command) struct Arguments {
    #[command(flatten)]
    subject: SubjectArguments,
    /// Show all countries and industries, not only the most common
    #[arg(long)]
    all: bool,
}

/// The JSON output.
#[derive(Serialize)]
struct InfoView<'a> {
    name: &'a str,
    files: u64,
    bytes: u64,
    #[serde(flatten)]
    survey: &'a Survey,
    import: Option<&'a Manifest>,
}

pub(super) async fn run(library: &Library, arguments: &Arguments, output: Output) -> anyhow::Result<()> {
    let subject = arguments.subject.resolve(library)?;
    let dataset = subject.dataset().await?;
    let ((files, bytes), rows) = (dataset.size().await?, dataset.rows().await?);
    let progress = Progress::start(rows, "{bar:30} {human_pos}/{human_len} businesses counted, {eta} left");
    let survey = dataset.survey(&mut |rows| progress.at(rows)).await;
    progress.finish();
    let survey = survey?;
    let view = InfoView { name: &subject.name, files, bytes, survey: &survey, import: subject.manifest.as_ref() };
    output.show(&view, || drawn(&subject, &view, if arguments.all { usize::MAX } else { SHOWN }));
    Ok(())
}

fn drawn(subject: &Subject, view: &InfoView<'_>, shown: usize) -> String {
    let survey = view.survey;
    let share = |count: u64| format!("{} ({:.0} %)", grouped(count), count as f64 * 100.0 / survey.rows.max(1) as f64);
    let mut lines = vec![
        ["Files".to_owned(), format!("{} ({})", grouped(view.files), size(view.bytes))],
        ["Businesses".to_owned(), grouped(survey.rows)],
        ["with a website".to_owned(), share(survey.with_website)],
        ["with a phone number".to_owned(), share(survey.with_phone)],
        ["with an email".to_owned(), share(survey.with_email)],
        ["closed".to_owned(), share(survey.closed)],
    ];
    if let Some(bounds) = survey.bounds {
        let corner = |latitude: f64, longitude: f64| format!("{latitude:.4}, {longitude:.4}");
        let corners = [corner(bounds.south, bounds.west), corner(bounds.north, bounds.east)];
        lines.push(["Area".to_owned(), corners.join(" to ")]);
    }
    if let Some(Manifest { current, original, .. }) = &subject.manifest {
        lines.push(["Version".to_owned(), current.version.clone()]);
        lines.push(["Imported from".to_owned(), original.clone()]);
    }
    let summary = table(&[&subject.name, ""], lines.into_iter().map(Vec::from).collect());
    let industry = |slug: &str| places::category(slug).map_or(slug, |category| category.plural).to_owned();
    let countries = survey.countries.iter().map(|(code, count)| (code.clone(), *count)).collect();
    let industries = survey.industries.iter().map(|(slug, count)| (industry(slug), *count)).collect();
    [summary, ranked("Country", countries, shown), ranked("Industry", industries, shown)].join("\n\n")
}

/// The most common first.
fn ranked(heading: &str, counts: BTreeMap<String, u64>, shown: usize) -> String {
    let mut rows: Vec<(String, u64)> = counts.into_iter().collect();
    rows.sort_by_key(|(_, count)| Reverse(*count));
    let left = rows.len().saturating_sub(shown);
    rows.truncate(shown);
    let drawn =
        table(&[heading, "Businesses"], rows.into_iter().map(|(name, count)| vec![name, grouped(count)]).collect());
    if left == 0 { drawn } else { format!("{drawn}\nand {left} more (--all shows them)") }
}
