//! `canvass status`: what this database and the server on this machine are doing.

use std::process::ExitCode;

use anyhow::bail;
use canvass::config::Settings;
use canvass::status::{COUNTED_MAX, Overview, Queue};
use canvass::{clock, db, status};
use serde::Serialize;

use super::ask::{ask, url_of};
use super::output::Output;
use super::table::table;

/// Metrics that count errors, by what has them.
const SOURCE_ERRORS: &str = "canvass_source_errors_total";
const PROVIDER_ERRORS: &str = "canvass_provider_errors_total";

#[derive(Debug, Serialize)]
struct Report {
    version: &'static str,
    /// The sources of listings, as set.
    source: String,
    /// How long leads and the text of their websites stay stored.
    retention: String,
    node: Node,
    #[serde(flatten)]
    overview: Overview,
}

/// The server on this machine, as far as it answers.
#[derive(Debug, Serialize)]
struct Node {
    url: String,
    /// Whether it answers at all.
    answers: bool,
    /// Whether it can serve.
    ready: bool,
    /// Errors of sources and providers since it was started; none if its metrics cannot be read.
    errors: Option<u64>,
}

pub(super) async fn run(settings: &Settings, output: Output) -> anyhow::Result<ExitCode> {
    let url = settings.database_url.as_ref().map(|url| url.reveal());
    if let Some(file) = db::file_of(url, &settings.data)?
        && !file.exists()
    {
        bail!("there is no database at {} yet; `canvass serve` creates it", file.display());
    }
    let db = db::open(url, &settings.data).await?;
    if let db::Schema::Behind(steps) = db::schema(&db).await? {
        bail!("the database is of an earlier version ({steps} schema steps are missing); run `canvass migrate` first");
    }
    let now = clock::of_database(&db).await?.now();
    let (overview, node) = tokio::join!(status::look(&db, now), node(settings));
    db.close().await;
    let source = settings.source.to_string();
    let retention = settings.retention();
    let report = Report { version: env!("CARGO_PKG_VERSION"), source, retention, node, overview: overview? };
    output.show(&report, || shown(&report));
    Ok(ExitCode::SUCCESS)
}

async fn node(settings: &Settings) -> Node {
    let url = url_of(settings.listen, "");
    let ready = ask(settings.listen, "/readyz").await;
    let metrics = match ready {
        Ok(_) => ask(settings.telemetry.metrics_listen.unwrap_or(settings.listen), "/metrics").await.ok(),
        Err(_) => None,
    };
    let errors = metrics.filter(|metrics| metrics.is_ok()).map(|metrics| errors_in(&metrics.body));
    Node { url, answers: ready.is_ok(), ready: ready.is_ok_and(|answer| answer.is_ok()), errors }
}

/// The sum of all errors of sources and providers in metrics as Prometheus reads them.
fn errors_in(metrics: &str) -> u64 {
    let counted = metrics.lines().filter(|line| line.starts_with(SOURCE_ERRORS) || line.starts_with(PROVIDER_ERRORS));
    counted.filter_map(|line| line.rsplit(' ').next()?.parse::<u64>().ok()).sum()
}

fn shown(report: &Report) -> String {
    let Report { version, source, retention, node, overview } = report;
    let row = |name: &str, says: String| vec![name.to_owned(), says];
    let mut rows = vec![
        row("Version", (*version).to_owned()),
        row("Server", server(node)),
        row("Database", format!("{}, {}", overview.database, megabytes(overview.database_bytes))),
        row("Searches", queue(overview.searches)),
        row("Enrichments", queue(overview.enrichments)),
        row("Workers", workers(overview)),
        row("Today (UTC)", today(overview)),
        row("Source", errors(source, node)),
        row("Retention", retention.clone()),
    ];
    if !overview.provider_calls.is_empty() {
        rows.push(row("Calls this month", calls(overview)));
    }
    rows.push(row("Radar", format!("{} being checked, {} due", overview.radar.checking, counted(overview.radar.due))));
    rows.push(row("Emails", queue(overview.mails)));
    rows.push(row("Emails with links", queue(overview.letters)));
    table(&["", "Now"], rows)
}

fn server(node: &Node) -> String {
    match node {
        Node { url, answers: false, .. } => format!("{url} does not answer"),
        Node { url, ready: true, .. } => format!("{url} is ready"),
        Node { url, .. } => format!("{url} answers, but is not ready; `canvass doctor` says why"),
    }
}

fn queue(queue: Queue) -> String {
    let Queue { running, waiting, retried, oldest_waiting_seconds } = queue;
    let mut says = format!("{running} running, {waiting} waiting");
    if waiting > 0 {
        says += &format!(" for up to {oldest_waiting_seconds} s");
    }
    if retried > 0 {
        says += &format!(" ({retried} after an error)");
    }
    says
}

fn workers(overview: &Overview) -> String {
    let worker = |worker: &status::Worker| {
        format!("{}: {} searches, lease ends in {} s", worker.name, worker.searches, worker.lease_seconds_left)
    };
    match overview.workers.len() {
        0 => "none holds a search".to_owned(),
        _ => overview.workers.iter().map(worker).collect::<Vec<_>>().join("\n"),
    }
}

fn today(overview: &Overview) -> String {
    let leads = format!("{} leads", overview.today.leads);
    let searches = overview.today.searches.iter().map(|day| format!("{} searches {}", counted(day.count), day.status));
    std::iter::once(leads).chain(searches).collect::<Vec<_>>().join(", ")
}

fn errors(source: &str, node: &Node) -> String {
    match node.errors {
        Some(errors) => format!("{source}; {errors} errors since the server was started"),
        None => source.to_owned(),
    }
}

fn calls(overview: &Overview) -> String {
    let each =
        overview.provider_calls.iter().map(|calls| format!("{} {}: {}", calls.provider, calls.kind, calls.calls));
    each.collect::<Vec<_>>().join("\n")
}

/// A count, which may have stopped at the limit.
fn counted(count: i64) -> String {
    if count >= COUNTED_MAX { format!("{count} or more") } else { count.to_string() }
}

fn megabytes(bytes: i64) -> String {
    format!("{:.1} MB", bytes as f64 / 1e6)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_are_summed_over_all_labels() {
        let metrics = "# HELP canvass_source_errors_total Errors\n\
            canvass_source_errors_total{source=\"a\",kind=\"transient\"} 2\n\
            canvass_provider_errors_total{provider=\"b\",kind=\"c\"} 3\ncanvass_leads_delivered_total 7\n";
        assert_eq!(errors_in(metrics), 5);
        assert_eq!(errors_in(""), 0);
    }
}
