//! The log: text or JSON on standard error, in which no API key or session token can appear in any form.
//!
//! URLs, headers and bodies are not logged in the first place. As a second line of defence, the writer hides whatever looks
//! like a secret in every line.

use std::borrow::Cow;
use std::io::{self, Write};
use std::sync::LazyLock;

use canvass::config::{LogFormat, Settings};
use regex::bytes::{Captures, Regex};
use tracing_subscriber::Layer;
use tracing_subscriber::filter::{LevelFilter, ParseError, Targets};
use tracing_subscriber::fmt::MakeWriter;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;

use crate::printable;
use crate::traces::{Traces, TracesError};

/// Matches a key or session token, also with percent-encoded characters as in a URL.
static SECRET: LazyLock<Regex> = LazyLock::new(|| {
    let live = r"(?:l|%6c|%4c)(?:i|%69|%49)(?:v|%76|%56)(?:e|%65|%45)";
    let sess = r"(?:s|%73|%53)(?:e|%65|%45)(?:s|%73|%53)(?:s|%73|%53)";
    let random = r"(?:[0-9a-z]|%[0-9a-f]{2})+";
    let link = r"(?:l|%6c|%4c)(?:i|%69|%49)(?:n|%6e|%4e)(?:k|%6b|%4b)";
    let kind = format!("(?:{live}|(?<session>{sess})|(?<link>{link}))");
    let pattern = format!(r"(?i)(?:c|%63|%43)(?:v|%76|%56)(?:_|%5f){kind}(?:_|%5f){random}");
    Regex::new(&pattern).expect("the pattern is constant and tested")
});

/// The MCP library is silenced: it logs whole responses, including email addresses, and reports a client that disconnects as an
/// error. The connector logs what matters.
const QUIET: &str = "rmcp";

/// Replacements for a key, a session token and that of a link.
const HIDDEN_KEY: &[u8] = b"cv_live_[hidden]";
const HIDDEN_SESSION: &[u8] = b"cv_sess_[hidden]";
const HIDDEN_LINK: &[u8] = b"cv_link_[hidden]";

/// Whether a text contains what looks like an API key, a session token or that of a link.
pub fn holds_secret(text: impl AsRef<[u8]>) -> bool {
    SECRET.is_match(text.as_ref())
}

/// Hides whatever looks like an API key, a session token or that of a link.
pub fn hide_secrets(text: &str) -> String {
    String::from_utf8_lossy(&hide_in_bytes(text.as_bytes())).into_owned()
}

/// Hides whatever looks like an API key, a session token or that of a link in bytes.
pub fn hide_in_bytes(bytes: &[u8]) -> Cow<'_, [u8]> {
    SECRET.replace_all(bytes, |found: &Captures<'_>| match (found.name("session"), found.name("link")) {
        (Some(_), _) => HIDDEN_SESSION,
        (_, Some(_)) => HIDDEN_LINK,
        _ => HIDDEN_KEY,
    })
}

/// The setting `log` is not a valid filter.
#[derive(Debug, thiserror::Error)]
#[error("the setting log is not valid: {0}")]
pub struct BadFilter(String);

/// Why logging cannot begin.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The setting `log` is wrong.
    #[error(transparent)]
    Filter(#[from] BadFilter),
    /// The settings of traces are wrong.
    #[error(transparent)]
    Traces(#[from] TracesError),
}

/// Initialises logging for this process, and traces if the settings ask for them. Needs a runtime.
pub fn start(settings: &Settings) -> Result<Traces, StartError> {
    let filter = filter(&settings.log)?;
    let traces = Traces::start(&settings.telemetry, hide_secrets)?;
    let lines = tracing_subscriber::fmt::layer().with_writer(Hiding(settings.log_format));
    let lines = match settings.log_format {
        LogFormat::Text => lines.with_ansi(io::IsTerminal::is_terminal(&io::stderr())).boxed(),
        LogFormat::Json => lines.json().flatten_event(true).with_current_span(true).with_span_list(false).boxed(),
    };
    let log = tracing_subscriber::registry().with(lines.with_filter(filter));
    match traces.layer() {
        Some(layer) => log.with(layer).init(),
        None => log.init(),
    }
    std::panic::set_hook(Box::new(|panic| tracing::error!("a task panicked: {panic}")));
    Ok(traces)
}

/// What the setting `log` lets through.
fn filter(setting: &str) -> Result<Targets, BadFilter> {
    let wanted: Vec<&str> = setting.split(',').map(str::trim).filter(|wanted| !wanted.is_empty()).collect();
    if let Some(half) = wanted.iter().find(|wanted| wanted.starts_with('=') || wanted.ends_with('=')) {
        return Err(BadFilter(format!("{half:?} lacks a module or a level; write for example info,server=debug")));
    }
    let filter: Targets = wanted.join(",").parse().map_err(|error: ParseError| BadFilter(error.to_string()))?;
    Ok(filter.with_target(QUIET, LevelFilter::OFF))
}

/// Creates writers to standard error that hide secrets and escape terminal control sequences.
#[derive(Clone, Copy, Debug)]
struct Hiding(LogFormat);

impl<'a> MakeWriter<'a> for Hiding {
    type Writer = HidingWriter;

    fn make_writer(&'a self) -> HidingWriter {
        HidingWriter(self.0)
    }
}

/// Writes complete lines; the formatter passes one event at a time.
struct HidingWriter(LogFormat);

impl Write for HidingWriter {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        let hidden = hide_in_bytes(line);
        let text = String::from_utf8_lossy(&hidden);
        let shown = match self.0 {
            LogFormat::Text => printable::log_line(&text),
            LogFormat::Json => printable::json(&text),
        };
        io::stderr().lock().write_all(shown.as_bytes())?;
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        io::stderr().lock().flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(line: &str, expected: &str) {
        assert_eq!(hide_secrets(line), expected);
    }

    #[test]
    fn a_filter_names_levels_and_modules() {
        use tracing::Level;

        let filtered = filter(" warn, server::request=debug,").unwrap();
        assert!(filtered.would_enable("canvass::search", &Level::WARN));
        assert!(!filtered.would_enable("canvass::search", &Level::INFO));
        assert!(filtered.would_enable("server::request", &Level::DEBUG));
        assert!(!filter("trace").unwrap().would_enable("rmcp::service", &Level::ERROR));
        assert!(filter("").unwrap().would_enable("server", &Level::ERROR), "errors are always logged");
        for wrong in ["server=loud", "=,=", "server=", "=debug"] {
            assert!(filter(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_key_is_hidden_in_every_form_it_can_take() {
        check("GET /me?api_key=cv_live_Ab12xyz HTTP/1.1", "GET /me?api_key=cv_live_[hidden] HTTP/1.1");
        check("/mcp/cv_live_Ab12xyz/x", "/mcp/cv_live_[hidden]/x");
        check("api_key=cv%5flive%5FAb%31%32xyz&x=1", "api_key=cv_live_[hidden]&x=1");
        check("%63%76_live_%41b12", "cv_live_[hidden]");
        check(r#"{"x-api-key":"cv_live_Ab12xyz"}"#, r#"{"x-api-key":"cv_live_[hidden]"}"#);
        check(
            "Cookie: __Host-canvass_session=cv_sess_Ab12; x=1",
            "Cookie: __Host-canvass_session=cv_sess_[hidden]; x=1",
        );
        check("cv%5Fse%73s_%41b12", "cv_sess_[hidden]");
        check("/app/welcome#cv_link_0123abcd", "/app/welcome#cv_link_[hidden]");
        check("nothing to hide", "nothing to hide");
    }
}
