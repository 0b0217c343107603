//! `canvass health`: asks the running server whether it is well, for supervisors and containers.

use std::process::ExitCode;

use anyhow::Context;
use canvass::config::Settings;
use clap::Args;
use serde::Serialize;

use super::ask::{ask, url_of};
use super::output::Output;

#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// Ask only whether the process is alive, not whether it can serve
    #[arg(long)]
    live: bool,
    /// Ask at the address of metrics_listen, such as that of a worker
    #[arg(long)]
    metrics: bool,
}

/// What the server said.
#[derive(Debug, Serialize)]
struct Report {
    ok: bool,
    url: String,
    /// The HTTP status; none without an answer.
    status: Option<u16>,
    /// Why it is not well.
    detail: Option<String>,
}

pub(super) async fn run(settings: &Settings, arguments: &Arguments, output: Output) -> anyhow::Result<ExitCode> {
    let address = if arguments.metrics {
        settings.telemetry.metrics_listen.context("metrics_listen is not set, so nothing answers there")?
    } else {
        settings.listen
    };
    let path = if arguments.live { "/healthz" } else { "/readyz" };
    let url = url_of(address, path);
    let report = match ask(address, path).await {
        Ok(answer) if answer.is_ok() => Report { ok: true, url, status: Some(answer.status), detail: None },
        Ok(answer) => Report { ok: false, url, status: Some(answer.status), detail: detail_of(&answer.body) },
        Err(error) => Report { ok: false, url, status: None, detail: Some(error.to_string()) },
    };
    output.show(&report, || told(&report));
    Ok(if report.ok { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// What an error says.
fn detail_of(body: &str) -> Option<String> {
    let problem: serde_json::Value = serde_json::from_str(body).ok()?;
    Some(problem["detail"].as_str()?.to_owned())
}

fn told(report: &Report) -> String {
    match &report.detail {
        None if report.ok => format!("{} is well.", report.url),
        Some(detail) => format!("{} is not well: {detail}.", report.url),
        None => format!("{} is not well: it answers with status {}.", report.url, report.status.unwrap_or_default()),
    }
}
