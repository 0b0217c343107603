//! `canvass doctor`: checks everything, and says how to fix problems.

use std::process::ExitCode;

use canvass::config::{Given, SETTINGS, SettingError, Settings};
use canvass::doctor::{Check, CheckOutcome, examine};
use serde::Serialize;

use super::output::Output;
use super::table::table;

/// The results of all checks.
#[derive(Debug, Serialize)]
struct Report {
    ok: bool,
    checks: Vec<Check>,
}

pub(super) async fn run(given: Result<Given, SettingError>, output: Output) -> anyhow::Result<ExitCode> {
    let checks = match given.and_then(|given| Ok((Settings::parse(&given)?, given))) {
        Ok((settings, given)) => {
            let mut checks = vec![in_order(&given)];
            checks.extend(examine(&settings).await);
            checks
        }
        Err(error) => {
            vec![Check::fail("settings", error.to_string(), "correct the setting; config.default.toml describes each")]
        }
    };
    let report = Report { ok: checks.iter().all(|check| check.verdict != CheckOutcome::Fail), checks };
    output.show(&report, || listing(&report));
    Ok(if report.ok { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn in_order(given: &Given) -> Check {
    let set = SETTINGS.iter().filter_map(|setting| match given.get(setting.name) {
        (_, canvass::config::Origin::Default) => None,
        (_, origin) => Some(format!("{} from {origin}", setting.name)),
    });
    let set: Vec<String> = set.collect();
    let says = if set.is_empty() { "all at their defaults".to_owned() } else { format!("valid; {}", set.join(", ")) };
    Check::ok("settings", says)
}

fn listing(report: &Report) -> String {
    let row = |check: &Check| {
        let verdict = match check.verdict {
            CheckOutcome::Ok => "ok",
            CheckOutcome::Warn => "look",
            CheckOutcome::Fail => "FAIL",
        };
        let says = match &check.advice {
            Some(advice) => format!("{}\n-> {advice}", check.says),
            None => check.says.clone(),
        };
        vec![check.name.to_owned(), verdict.to_owned(), says]
    };
    let rows = report.checks.iter().map(row).collect();
    let verdict = if report.ok { "Ready to serve." } else { "Some checks failed: see above." };
    format!("{}\n\n{verdict}", table(&["Check", "", "Seen"], rows))
}
