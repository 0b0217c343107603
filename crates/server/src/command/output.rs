//! The output of a command: tables and sentences for people, JSON for programs. All output passes through here, with
//! terminal control characters removed.

use std::io::{IsTerminal, Write};
use std::process::ExitCode;

use canvass::db::OpenError;
use serde::Serialize;

use crate::printable;

/// The output format of a command.
#[derive(Clone, Copy, Debug)]
pub(super) struct Output {
    json: bool,
}

impl Output {
    pub(super) fn new(json: bool) -> Output {
        Output { json }
    }

    /// Whether JSON is asked for.
    pub(super) fn is_json(&self) -> bool {
        self.json
    }

    /// Prints `view` as JSON, or the result of `text`.
    pub(super) fn show<T: Serialize + ?Sized>(&self, view: &T, text: impl FnOnce() -> String) {
        let shown = if self.json {
            printable::json(&serde_json::to_string_pretty(view).unwrap_or_default()).into_owned()
        } else {
            printable::text(&text()).into_owned()
        };
        // The reader closed the pipe.
        let _ = writeln!(std::io::stdout().lock(), "{shown}");
    }

    /// Prints a message to standard error.
    pub(super) fn note(&self, text: &str) {
        let _ = writeln!(std::io::stderr().lock(), "{}", printable::text(text));
    }

    /// Prints to standard error why the command failed.
    pub(super) fn fail(&self, error: &anyhow::Error) -> ExitCode {
        let said: Vec<String> = error.chain().map(ToString::to_string).collect();
        let detail = said.iter().enumerate().filter(|(place, part)| !said[..*place].iter().any(|s| s.contains(*part)));
        let detail = detail.map(|(_, part)| part.as_str()).collect::<Vec<_>>().join(": ");
        let advice = error.downcast_ref::<OpenError>().map(OpenError::advice);
        let shown = match (self.json, advice) {
            (true, Some(advice)) => json_line(&serde_json::json!({ "detail": detail, "advice": advice })),
            (true, None) => json_line(&serde_json::json!({ "detail": detail })),
            (false, Some(advice)) => printable::text(&format!("error: {detail}\n-> {advice}")).into_owned(),
            (false, None) => printable::text(&format!("error: {detail}")).into_owned(),
        };
        let _ = writeln!(std::io::stderr().lock(), "{shown}");
        ExitCode::FAILURE
    }
}

fn json_line(value: &serde_json::Value) -> String {
    printable::json(&value.to_string()).into_owned()
}

/// Writes a file to standard output: unchanged to a pipe or file, without control characters to a terminal.
pub(super) fn write_file(text: &str) -> std::io::Result<()> {
    let mut output = std::io::stdout().lock();
    if output.is_terminal() {
        output.write_all(printable::text(&text.replace("\r\n", "\n")).as_bytes())
    } else {
        output.write_all(text.as_bytes())
    }
}

/// Writes one line of JSON. `false` when the reader has closed the pipe.
pub(super) fn write_json_line(output: &mut impl Write, json: &str) -> bool {
    writeln!(output, "{}", printable::json(json)).is_ok()
}
