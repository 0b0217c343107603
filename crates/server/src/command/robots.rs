//! `canvass robots`: whether a robots.txt allows a path, and which line decides.

use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context as _, anyhow};
use canvass::config::Settings;
use clap::Args;
use polite_reader::{RobotsVerdict, check_robots};
use serde::Serialize;
use url::{Position, Url};

use super::output::Output;
use super::read::reader_for;

#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// A saved robots.txt, or a website
    #[arg(value_name = "FILE|URL")]
    file_or_url: String,
    /// The path to check, including its query, or a complete URL
    #[arg(value_name = "PATH")]
    path: String,
    /// User agent; the part before the first slash or space is used
    #[arg(long, value_name = "NAME", default_value = "CanvassReader")]
    agent: String,
}

/// The JSON output.
#[derive(Serialize)]
struct RobotsView<'a> {
    source: &'a str,
    agent: &'a str,
    path: &'a str,
    allowed: bool,
    reason: &'a str,
    line: Option<usize>,
    text: Option<&'a str>,
    crawl_delay_seconds: Option<f64>,
}

/// A verdict and its reason.
struct RobotsDecision {
    source: String,
    verdict: RobotsVerdict,
    reason: String,
}

pub(super) async fn run(settings: &Settings, arguments: &Arguments, output: Output) -> anyhow::Result<ExitCode> {
    let path = path_of(&arguments.path)?;
    let file = Path::new(&arguments.file_or_url);
    let answer = match file.is_file() {
        true => {
            let body = std::fs::read(file).with_context(|| format!("cannot read {}", file.display()))?;
            by_file(arguments.file_or_url.clone(), check_robots(&body, &arguments.agent, &path))
        }
        false => by_website(settings, arguments, &path).await?,
    };
    let view = RobotsView {
        source: &answer.source,
        agent: &arguments.agent,
        path: &path,
        allowed: answer.verdict.is_allowed,
        reason: &answer.reason,
        line: answer.verdict.line.as_ref().map(|line| line.number),
        text: answer.verdict.line.as_ref().map(|line| line.text.as_str()),
        crawl_delay_seconds: answer.verdict.crawl_delay.map(|delay| delay.as_secs_f64()),
    };
    output.show(&view, || in_words(&view));
    Ok(if view.allowed { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// The path and query in the form used in requests.
fn path_of(given: &str) -> anyhow::Result<String> {
    let whole = if given.starts_with('/') { format!("http://any.example{given}") } else { given.to_owned() };
    let url =
        Url::parse(&whole).map_err(|_| anyhow!("{given:?} must be a path such as /contact, or a complete URL"))?;
    Ok(url[Position::BeforePath..Position::AfterQuery].to_owned())
}

/// Fetches the file from the website; without a file, the status decides.
async fn by_website(settings: &Settings, arguments: &Arguments, path: &str) -> anyhow::Result<RobotsDecision> {
    let reader = reader_for(settings, &arguments.file_or_url).await?;
    let found = reader.robots_file(&arguments.file_or_url).await;
    let found = found.map_err(|why| anyhow!("cannot fetch the robots.txt of {}: {why}", arguments.file_or_url))?;
    let without_file = |source: &str, is_allowed, reason| RobotsDecision {
        source: source.to_owned(),
        verdict: RobotsVerdict { is_allowed, line: None, crawl_delay: None },
        reason,
    };
    Ok(match found {
        None => {
            without_file(&arguments.file_or_url, true, "its redirects lead nowhere, so there are no rules".to_owned())
        }
        Some(file) => match file.status {
            200..=299 => by_file(file.url, check_robots(&file.body, &arguments.agent, path)),
            status @ (429 | 500..=599) => {
                without_file(&file.url, false, format!("it answered with status {status}, so nothing may be read"))
            }
            status => without_file(&file.url, true, format!("it answered with status {status}, so there are no rules")),
        },
    })
}

fn by_file(source: String, verdict: RobotsVerdict) -> RobotsDecision {
    let reason = match verdict.line {
        Some(_) => "the longest rule that matches decides",
        None => "no rule matches",
    };
    RobotsDecision { source, verdict, reason: reason.to_owned() }
}

fn in_words(view: &RobotsView<'_>) -> String {
    let verdict = if view.allowed { "allowed" } else { "disallowed" };
    let because = match (view.line, view.text) {
        (Some(line), Some(text)) => format!("line {line}: {text}"),
        _ => view.reason.to_owned(),
    };
    let delay = view.crawl_delay_seconds.map_or(String::new(), |seconds| format!("\ncrawl-delay {seconds} s"));
    format!("{verdict}  {} for {}\n{because}{delay}", view.path, view.agent)
}
