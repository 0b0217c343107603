//! Settings of metrics and traces.

use std::net::SocketAddr;

use url::Url;

use super::value::{address, one, required, share, web_address};
use super::{Given, Secret, SettingError};

/// Where metrics are served and traces are sent.
#[derive(Clone, Debug, PartialEq)]
pub struct TelemetrySettings {
    /// An address of its own for metrics and health checks; the server's when not set.
    pub metrics_listen: Option<SocketAddr>,
    /// The collector that traces are sent to; none are made when not set.
    pub traces_url: Option<Url>,
    /// Headers that the collector asks for, such as a key.
    pub traces_headers: Vec<(String, Secret)>,
    /// The share of traces that is sent, from 0 to 1.
    pub traces_share: f64,
}

pub(super) fn settings(given: &Given) -> Result<TelemetrySettings, SettingError> {
    Ok(TelemetrySettings {
        metrics_listen: one(given, "metrics_listen", address)?,
        traces_url: one(given, "traces_url", web_address)?,
        traces_headers: one(given, "traces_headers", headers)?.unwrap_or_default(),
        traces_share: required(given, "traces_share", share)?,
    })
}

/// `Authorization=Bearer x, X-Team=y`.
fn headers(value: &str) -> Result<Vec<(String, Secret)>, String> {
    let wanted = "must be headers such as Authorization=Bearer x, separated by commas";
    let header = |text: &str| {
        let (name, value) = text.split_once('=')?;
        let (name, value) = (name.trim(), value.trim());
        let is_name =
            !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte));
        let is_value = !value.is_empty() && value.bytes().all(|byte| (b' '..=b'~').contains(&byte));
        (is_name && is_value).then(|| (name.to_owned(), Secret::new(value)))
    };
    value.split(',').map(|text| header(text).ok_or_else(|| wanted.to_owned())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_are_names_with_values() {
        let read = headers("Authorization=Bearer a=b, X-Team = blue").unwrap();
        let read: Vec<(&str, &str)> = read.iter().map(|(name, value)| (name.as_str(), value.reveal())).collect();
        assert_eq!(read, [("Authorization", "Bearer a=b"), ("X-Team", "blue")]);
        for wrong in ["Authorization", "=x", "A=", "A b=c", "A=b,", "A=\u{7f}"] {
            assert!(headers(wrong).is_err(), "{wrong:?}");
        }
    }
}
