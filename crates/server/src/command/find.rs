//! `canvass find`: one search in this process, without a server.

use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::Context;
use canvass::Owned;
use canvass::account::{self, Account};
use canvass::exports::{self, ExportRow, Shape};
use canvass::lead::{self, LeadQuery, Lock};
use canvass::plan::Scope;
use canvass::search::{
    self, Event, Filters, RADIUS_MILES, RATING, REQUESTED_DEFAULT, REQUESTED_MAX, Resume, Search, StartRequest,
};
use canvass::{App, removal, work};
use clap::{ArgAction, Args};
use indicatif::{ProgressBar, ProgressState, ProgressStyle};
use tokio::sync::oneshot;

use super::output::{Output, write_file};
use super::serve::check_sources;
use super::table::{fitted, screen_columns};
use crate::api::search::SearchView;

#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// Kind of business, such as plumber
    industry: String,
    /// Where, such as "Austin, TX"; with --radius, the address, ZIP code or town to measure from
    location: String,
    /// Leads wanted
    #[arg(short = 'n', long, default_value_t = REQUESTED_DEFAULT, value_parser = clap::value_parser!(i64).range(1..=REQUESTED_MAX))]
    count: i64,
    /// How wide: city, county, state or country
    #[arg(long)]
    scope: Option<Scope>,
    /// Search a circle of so many miles instead
    #[arg(long, visible_alias = "radius-miles", value_name = "MILES", value_parser = miles)]
    radius: Option<f64>,
    /// Write the leads to a CSV file; - for standard output
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    #[command(flatten)]
    filters: FilterArguments,
}

#[derive(Debug, Args)]
struct FilterArguments {
    /// Lowest rating
    #[arg(long, value_name = "STARS", value_parser = stars)]
    min_rating: Option<f64>,
    /// Highest rating
    #[arg(long, value_name = "STARS", value_parser = stars)]
    max_rating: Option<f64>,
    /// Fewest reviews
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32))]
    min_reviews: Option<u32>,
    /// Most reviews
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32))]
    max_reviews: Option<u32>,
    /// Only businesses with a website of their own; =false for those without
    #[arg(long, value_name = "BOOL", num_args = 0..=1, require_equals = true, default_missing_value = "true", action = ArgAction::Set)]
    has_website: Option<bool>,
    /// Only businesses with a phone number
    #[arg(long)]
    has_phone: bool,
    /// Only businesses with an email
    #[arg(long)]
    has_email: bool,
    /// Not those found by earlier searches
    #[arg(long)]
    skip_owned: bool,
}

impl From<&FilterArguments> for Filters {
    fn from(arguments: &FilterArguments) -> Filters {
        Filters {
            min_rating: arguments.min_rating,
            max_rating: arguments.max_rating,
            min_reviews: arguments.min_reviews.map(f64::from),
            max_reviews: arguments.max_reviews.map(f64::from),
            has_website: arguments.has_website,
            has_phone: arguments.has_phone.then_some(true),
            has_email: arguments.has_email.then_some(true),
            skip_owned: arguments.skip_owned.then_some(true),
        }
    }
}

fn miles(text: &str) -> Result<f64, String> {
    within(text, RADIUS_MILES)
}

fn stars(text: &str) -> Result<f64, String> {
    within(text, RATING)
}

fn within(text: &str, range: RangeInclusive<f64>) -> Result<f64, String> {
    let number = text.parse().ok().filter(|number| range.contains(number));
    number.ok_or_else(|| format!("must be a number from {} to {}", range.start(), range.end()))
}

pub(super) async fn run(app: &App, arguments: Arguments, output: Output) -> anyhow::Result<()> {
    let request = StartRequest {
        industry: arguments.industry.clone(),
        location: arguments.location.clone(),
        locations: Vec::new(),
        requested_count: Some(arguments.count),
        scope: arguments.scope,
        radius_miles: arguments.radius,
        filters: (&arguments.filters).into(),
        notify: false,
    };
    if let Some((field, why)) = request.filters.contradiction() {
        anyhow::bail!("{} {why}", field.trim_start_matches("filters."));
    }
    check_sources(app)?;
    // Whoever never starts a server has nobody else who does it in time.
    removal::expire(app).await?;
    let account = account::local(app, arguments.count).await?;
    let search = search::start(app, &account, request, None).await?.search().clone();
    let (stop, stopped) = oneshot::channel::<()>();
    let worker = tokio::spawn(work::work(app.clone(), async { drop(stopped.await) }));
    let others = tokio::spawn(work::hear_others(app.clone()));
    follow(app, &account, &search).await?;
    drop(stop);
    worker.await?;
    others.abort();
    let ended = search::find(&app.db, account.id, search.id).await?.context("the search is gone")?;
    show(app, &ended, arguments.csv, output).await
}

/// Follows the search with a progress bar. Ctrl-C stops it, and what was found is kept.
async fn follow(app: &App, account: &Account, search: &Owned<Search>) -> anyhow::Result<()> {
    let bar = progress_bar(search);
    let mut follower = search::follow(app, search, Resume::Beginning, Lock::of(account));
    let mut emails = 0;
    let mut asked = false;
    loop {
        tokio::select! {
            event = follower.next() => match event? {
                Some(Event::Lead { json, .. }) => {
                    let has_email = std::str::from_utf8(&json).is_ok_and(|json| !json.contains("\"primary_email\":null"));
                    emails += u64::from(has_email);
                    bar.set_message(format!("{emails} with email"));
                    bar.inc(1);
                }
                Some(Event::Done(_)) => {
                    bar.finish_and_clear();
                    return Ok(());
                }
                Some(Event::Started(_)) => {}
                None => anyhow::bail!("the search is gone"),
            },
            _ = tokio::signal::ctrl_c(), if !asked => {
                asked = true;
                search::stop(app, account.id, search.id).await?;
            }
        }
    }
}

fn progress_bar(search: &Search) -> ProgressBar {
    let bar = ProgressBar::new(search.requested.unsigned_abs());
    let style = ProgressStyle::with_template("{bar:30} {pos}/{len} leads, {msg}, {rate}/s, {eta} left")
        .unwrap_or_else(|_| ProgressStyle::default_bar());
    bar.set_style(style.with_key("rate", |state: &ProgressState, text: &mut dyn std::fmt::Write| {
        let _ = write!(text, "{:.0}", state.per_sec());
    }));
    bar.set_message("0 with email");
    bar.enable_steady_tick(Duration::from_millis(200));
    bar
}

/// Shows what was found: a CSV file, JSON, or a table.
async fn show(app: &App, search: &Owned<Search>, csv: Option<PathBuf>, output: Output) -> anyhow::Result<()> {
    let mut listed = lead::list(&app.db, search.owned_id()?, &LeadQuery::default(), Lock::Open).await?;
    let mut rows = Vec::with_capacity(listed.len());
    let mut leads = Vec::with_capacity(listed.len());
    loop {
        let some = listed.next_rows().await?;
        if some.is_empty() {
            break;
        }
        for stored in some {
            rows.push(ExportRow::read(&stored, Lock::Open)?);
            leads.push(serde_json::from_str::<serde_json::Value>(&stored.json(Lock::Open))?);
        }
    }
    if let Some(path) = &csv {
        write_csv(path, &rows).with_context(|| format!("cannot write {}", path.display()))?;
    }
    let summary = summary(search, csv.as_ref());
    match csv {
        Some(path) if path.as_os_str() == "-" => output.note(&summary),
        _ => {
            let view = serde_json::json!({ "search": SearchView::from(Search::clone(search)), "leads": leads });
            output.show(&view, || format!("{}\n{summary}", found(&rows)));
        }
    }
    match &search.failure_reason {
        Some(reason) => anyhow::bail!("{reason}"),
        None => Ok(()),
    }
}

fn write_csv(path: &PathBuf, rows: &[ExportRow]) -> std::io::Result<()> {
    let mut text = exports::line(Shape::Full.columns());
    text.extend(rows.iter().filter_map(|row| Shape::Full.cells(row)).map(exports::line));
    if path.as_os_str() == "-" { write_file(&text) } else { std::fs::write(path, text) }
}

fn found(rows: &[ExportRow]) -> String {
    let text = |value: &Option<String>| value.clone().unwrap_or_default();
    let line = |ExportRow { lead, premium }: &ExportRow| {
        vec![
            lead.business_name.clone(),
            text(&lead.phone),
            text(&lead.primary_email),
            text(&lead.owner_name),
            premium.score.map(|score| score.to_string()).unwrap_or_default(),
            text(&lead.website),
        ]
    };
    let headings = ["Business", "Phone", "Email", "Owner", "Score", "Website"];
    fitted(&headings, rows.iter().map(line).collect(), screen_columns(), &["Phone", "Score"])
}

fn summary(search: &Search, csv: Option<&PathBuf>) -> String {
    let coverage = &search.coverage;
    let mut text = format!(
        "Leads: {}, with an email: {}. Businesses checked in {}: {}. Websites read: {}, unreachable: {}.",
        search.leads_found,
        search.emails_found,
        coverage.area,
        search.candidates(),
        coverage.sites_read,
        coverage.sites_unreachable
    );
    for (provider, calls) in &coverage.provider_calls {
        let calls = calls.iter().map(|(kind, count)| format!("{kind} {count}")).collect::<Vec<_>>().join(", ");
        text.push_str(&format!("\nCalls made to {provider}: {calls}."));
    }
    for note in &coverage.notes {
        text.push_str(&format!("\n{note}"));
    }
    if let Some(path) = csv {
        text.push_str(&format!("\nWritten to {}.", path.display()));
    }
    if coverage.source == "sandbox" {
        text.push_str("\nThese businesses are made up: the source is the sandbox.");
    }
    text
}
