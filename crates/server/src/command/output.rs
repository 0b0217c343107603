//! What a command shows: a table or a sentence for people, JSON for programs.

use std::io::{IsTerminal, Write};
use std::process::ExitCode;

use canvass::db::OpenError;
use comfy_table::{Table, presets};
use serde::Serialize;

/// How this command shows its answer.
#[derive(Clone, Copy, Debug)]
pub(super) struct Output {
    json: bool,
}

impl Output {
    pub(super) fn new(json: bool) -> Output {
        Output { json }
    }

    /// Shows `view` as JSON, or what `text` makes of it.
    pub(super) fn show<T: Serialize + ?Sized>(&self, view: &T, text: impl FnOnce() -> String) {
        let shown = if self.json { serde_json::to_string_pretty(view).unwrap_or_default() } else { text() };
        // Whoever closed the pipe has seen enough.
        let _ = writeln!(std::io::stdout().lock(), "{shown}");
    }

    /// Says something beside the answer, on standard error.
    pub(super) fn note(&self, text: &str) {
        let _ = writeln!(std::io::stderr().lock(), "{text}");
    }

    /// Says on standard error why the command failed.
    pub(super) fn fail(&self, error: &anyhow::Error) -> ExitCode {
        let said: Vec<String> = error.chain().map(ToString::to_string).collect();
        let detail = said.iter().enumerate().filter(|(place, part)| !said[..*place].iter().any(|s| s.contains(*part)));
        let detail = detail.map(|(_, part)| part.as_str()).collect::<Vec<_>>().join(": ");
        let advice = error.downcast_ref::<OpenError>().map(OpenError::advice);
        let shown = match (self.json, advice) {
            (true, Some(advice)) => serde_json::json!({ "detail": detail, "advice": advice }).to_string(),
            (true, None) => serde_json::json!({ "detail": detail }).to_string(),
            (false, Some(advice)) => format!("error: {detail}\n-> {advice}"),
            (false, None) => format!("error: {detail}"),
        };
        let _ = writeln!(std::io::stderr().lock(), "{shown}");
        ExitCode::FAILURE
    }
}

/// A table with these headings.
pub(super) fn table(headings: &[&str], rows: Vec<Vec<String>>) -> String {
    let mut table = Table::new();
    let style = if std::io::stdout().is_terminal() { presets::UTF8_HORIZONTAL_ONLY } else { presets::NOTHING };
    table.load_style(style).set_header(headings).add_rows(rows);
    table.to_string()
}
