//! `canvass robots`: whether a robots.txt lets us read a path, and which of its lines says so.

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
    /// A saved robots.txt, or the website whose robots.txt is meant
    #[arg(value_name = "FILE|URL")]
    file_or_url: String,
    /// The path to ask about, with its query where it has one; a whole URL will do
    #[arg(value_name = "PATH")]
    path: String,
    /// Whom to ask for; the part before the first slash or space counts
    #[arg(long, value_name = "NAME", default_value = "CanvassReader")]
    agent: String,
}

/// What is printed as JSON.
#[derive(Serialize)]
struct View<'a> {
    source: &'a str,
    agent: &'a str,
    path: &'a str,
    allowed: bool,
    reason: &'a str,
    line: Option<usize>,
    text: Option<&'a str>,
    crawl_delay_seconds: Option<f64>,
}

/// A verdict, and in words what it rests on.
struct Answer {
    source: String,
    verdict: RobotsVerdict,
    reason: String,
}

pub(super) async fn run(settings: &Settings, arguments: &Arguments, output: Output) -> anyhow::Result<ExitCode> {
    let path = path_of(&arguments.path)?;
    let file = Path::new(&arguments.file_or_url);
    let answer = match file.is_file() {
        true => {
            let body = std::fs::read(file).with_context(|| format!("{} cannot be read", file.display()))?;
            by_file(arguments.file_or_url.clone(), check_robots(&body, &arguments.agent, &path))
        }
        false => by_website(settings, arguments, &path).await?,
    };
    let view = View {
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

/// The path and query to ask about, written as requests write it.
fn path_of(given: &str) -> anyhow::Result<String> {
    let whole = if given.starts_with('/') { format!("http://any.example{given}") } else { given.to_owned() };
    let url = Url::parse(&whole).map_err(|_| anyhow!("{given:?} must be a path such as /contact, or a whole URL"))?;
    Ok(url[Position::BeforePath..Position::AfterQuery].to_owned())
}

/// Asks the website itself, and goes by the status where there is no file.
async fn by_website(settings: &Settings, arguments: &Arguments, path: &str) -> anyhow::Result<Answer> {
    let reader = reader_for(settings, &arguments.file_or_url).await?;
    let found = reader.robots_file(&arguments.file_or_url).await;
    let found = found.map_err(|why| anyhow!("no robots.txt of {} could be had: {why}", arguments.file_or_url))?;
    let without_file = |source: &str, is_allowed, reason| Answer {
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

fn by_file(source: String, verdict: RobotsVerdict) -> Answer {
    let reason = match verdict.line {
        Some(_) => "the longest rule that matches decides",
        None => "no rule matches",
    };
    Answer { source, verdict, reason: reason.to_owned() }
}

fn in_words(view: &View<'_>) -> String {
    let verdict = if view.allowed { "allowed" } else { "disallowed" };
    let because = match (view.line, view.text) {
        (Some(line), Some(text)) => format!("line {line}: {text}"),
        _ => view.reason.to_owned(),
    };
    let delay = view.crawl_delay_seconds.map_or(String::new(), |seconds| format!("\ncrawl-delay {seconds} s"));
    format!("{verdict}  {} for {}\n{because}{delay}", view.path, view.agent)
}
