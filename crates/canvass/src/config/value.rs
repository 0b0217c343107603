//! Reads single values, each with an error that names the setting and where it came from.

use std::net::SocketAddr;

use url::Url;

use super::{Given, SettingError};

/// Reads a value, or says what it must be.
pub(super) type Parse<T> = fn(&str) -> Result<T, String>;

pub(super) fn one<T>(given: &Given, name: &'static str, parse: Parse<T>) -> Result<Option<T>, SettingError> {
    let (value, origin) = given.get(name);
    value.map(parse).transpose().map_err(|why| SettingError::Bad { name, origin, why })
}

pub(super) fn required<T>(given: &Given, name: &'static str, parse: Parse<T>) -> Result<T, SettingError> {
    let missing = || SettingError::Bad { name, origin: given.get(name).1, why: "needs a value".into() };
    one(given, name, parse)?.ok_or_else(missing)
}

pub(super) fn web_address(value: &str) -> Result<Url, String> {
    let wanted = "must be a web address without query, such as https://leads.example.com";
    let url = Url::parse(value).map_err(|_| wanted.to_owned())?;
    let sound = matches!(url.scheme(), "http" | "https") && url.has_host() && url.query().is_none();
    if sound && url.fragment().is_none() { Ok(url) } else { Err(wanted.into()) }
}

pub(super) fn yes_or_no(value: &str) -> Result<bool, String> {
    match value.to_lowercase().as_str() {
        "true" | "yes" | "on" | "1" => Ok(true),
        "false" | "no" | "off" | "0" => Ok(false),
        _ => Err("must be true or false".into()),
    }
}

pub(super) fn count(value: &str, most: i64) -> Result<i64, String> {
    let number: Option<i64> = value.parse().ok().filter(|number| (1..=most).contains(number));
    number.ok_or_else(|| format!("must be a whole number from 1 to {most}"))
}

pub(super) fn address(value: &str) -> Result<SocketAddr, String> {
    let numeric = value.strip_prefix("localhost:").map(|port| format!("127.0.0.1:{port}"));
    let address = numeric.as_deref().unwrap_or(value).parse();
    address.map_err(|_| "must be an address and a port, such as 127.0.0.1:8080 or 0.0.0.0:80".into())
}

pub(super) fn share(value: &str) -> Result<f64, String> {
    let number: Option<f64> = value.parse().ok().filter(|number| (0.0..=1.0).contains(number));
    number.ok_or_else(|| "must be a number from 0 to 1".into())
}
