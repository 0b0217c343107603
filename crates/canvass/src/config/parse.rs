//! Parses and validates raw values into settings, once; nothing checks them again.

use std::net::SocketAddr;
use std::num::NonZeroU32;
use std::path::PathBuf;

use ::sandbox::Weather;
use lettre::message::Mailbox;
use url::Url;

use super::value::{address, count, one, required, share, web_address, yes_or_no};
use super::{
    Given, LEASE_SECONDS_MAX, LogFormat, Secret, SettingError, Settings, SourceNames, UnknownSignUp, maps, plans,
    score, telemetry,
};

/// Highest rate limit whose requests the clock can still tell apart.
const RATE_LIMIT_MAX: u32 = 10_000_000;

/// Connections a server may have at all.
const CONNECTIONS_MAX: i64 = 1_000_000;

pub(super) fn settings(given: &Given) -> Result<Settings, SettingError> {
    Ok(Settings {
        data: one(given, "data", |value| Ok(PathBuf::from(value)))?.unwrap_or_else(|| PathBuf::from("data")),
        listen: required(given, "listen", address)?,
        base_url: one(given, "base_url", web_address)?,
        database_url: one(given, "database_url", database_address)?,
        source: required(given, "source", SourceNames::parse)?,
        places: one(given, "places", |value| Ok(value.to_owned()))?,
        places_release: one(given, "places_release", release)?,
        places_catalog: required(given, "places_catalog", web_address)?,
        places_endpoint: one(given, "places_endpoint", web_address)?,
        places_region: required(given, "places_region", |value| Ok(value.to_owned()))?,
        places_proxy: one(given, "places_proxy", web_address)?,
        places_confidence: required(given, "places_confidence", share)?,
        maps: maps::settings(given)?,
        sandbox_weather: required(given, "sandbox_weather", weather)?,
        sandbox_sites: one(given, "sandbox_sites", address)?,
        sandbox_ca: one(given, "sandbox_ca", |value| Ok(PathBuf::from(value)))?,
        read_websites: required(given, "read_websites", yes_or_no)?,
        contact_url: one(given, "contact_url", web_address)?,
        allow_addresses: one(given, "allow_addresses", addresses)?.unwrap_or_default(),
        ai_allow_addresses: one(given, "ai_allow_addresses", addresses)?.unwrap_or_default(),
        sign_up: required(given, "sign_up", |value| value.parse().map_err(|error: UnknownSignUp| error.to_string()))?,
        running_searches: required(given, "running_searches", |value| count(value, 1_000))?,
        searches_at_once: required(given, "searches_at_once", |value| count(value, 10_000))? as usize,
        lease_seconds: required(given, "lease_seconds", |value| count(value, LEASE_SECONDS_MAX))?,
        radar_every_hours: required(given, "radar_every_hours", |value| count(value, 8_760))?,
        radar_confirm_minutes: required(given, "radar_confirm_minutes", |value| count(value, 10_080))?,
        radar_score_step: required(given, "radar_score_step", |value| count(value, 100))?,
        keep_searches_days: required(given, "keep_searches_days", days)?,
        keep_site_text_days: required(given, "keep_site_text_days", days)?,
        rate_limit: required(given, "rate_limit", rate)?,
        connections_per_address: required(given, "connections_per_address", connections)?,
        ai_base_url: one(given, "ai_base_url", web_address)?,
        ai_api_key: one(given, "ai_api_key", |value| Ok(Secret::new(value)))?,
        ai_model: one(given, "ai_model", |value| Ok(value.to_owned()))?,
        ai_at_once: required(given, "ai_at_once", |value| count(value, 1_000))? as usize,
        ai_timeout_seconds: required(given, "ai_timeout_seconds", |value| count(value, 50))?.unsigned_abs(),
        secret_key: one(given, "secret_key", secret_key)?,
        smtp_url: one(given, "smtp_url", mail_server)?,
        smtp_ca: one(given, "smtp_ca", |value| Ok(PathBuf::from(value)))?,
        mail_from: required(given, "mail_from", sender)?,
        log: required(given, "log", |value| Ok(value.to_owned()))?,
        log_format: required(given, "log_format", log_format)?,
        telemetry: telemetry::settings(given)?,
        plans: plans::plans(given)?,
        score: score::weights(given)?,
    })
}

fn addresses(value: &str) -> Result<Vec<SocketAddr>, String> {
    value.split(',').map(|one| address(one.trim())).collect()
}

fn weather(value: &str) -> Result<Weather, String> {
    value.parse().map_err(|_| "must be calm or web".into())
}

fn database_address(value: &str) -> Result<Secret, String> {
    let known = ["postgres://", "postgresql://", "sqlite:"].iter().any(|scheme| value.starts_with(scheme));
    let wanted = "must start with postgres:// or sqlite:; leave it out to use the database in the data folder";
    known.then(|| Secret::new(value)).ok_or_else(|| wanted.into())
}

/// Characters of a key that cannot be guessed.
const SECRET_KEY_CHARS_MIN: usize = 32;

fn secret_key(value: &str) -> Result<Secret, String> {
    let wanted =
        format!("must have at least {SECRET_KEY_CHARS_MIN} characters of chance, such as `openssl rand -hex 32` gives");
    (value.chars().count() >= SECRET_KEY_CHARS_MIN).then(|| Secret::new(value)).ok_or(wanted)
}

fn mail_server(value: &str) -> Result<Secret, String> {
    let wanted = "must be smtp://host:port or smtps://host:port, with user:password@ before the host where needed";
    let url = Url::parse(value).map_err(|_| wanted.to_owned())?;
    let sound = matches!(url.scheme(), "smtp" | "smtps") && url.has_host();
    sound.then(|| Secret::new(value)).ok_or_else(|| wanted.into())
}

/// The port of a mail server: for submission, unless the address says otherwise.
pub fn mail_port(server: &Url) -> u16 {
    server.port().unwrap_or(if server.scheme() == "smtps" { 465 } else { 587 })
}

fn sender(value: &str) -> Result<Mailbox, String> {
    value.parse().map_err(|_| "must be an e-mail address, such as Canvass <leads@example.com>".into())
}

/// The name of a release becomes part of paths.
fn release(value: &str) -> Result<String, String> {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b".-_".contains(&byte);
    let sound = value.bytes().all(plain) && value.starts_with(|first: char| first.is_ascii_alphanumeric());
    sound.then(|| value.to_owned()).ok_or_else(|| "must be the name of a release, such as 2026-10-21.0".into())
}

/// A number of days, at most a hundred years; 0 for no end.
fn days(value: &str) -> Result<Option<i64>, String> {
    let number: Option<i64> = value.parse().ok().filter(|number| (0..=36_500).contains(number));
    let number = number.ok_or_else(|| "must be a whole number of days, at most 36500, or 0 for ever".to_owned())?;
    Ok((number > 0).then_some(number))
}

fn rate(value: &str) -> Result<Option<NonZeroU32>, String> {
    let rate: Option<u32> = value.parse().ok().filter(|rate| *rate <= RATE_LIMIT_MAX);
    rate.map(NonZeroU32::new).ok_or_else(|| format!("must be a whole number from 0 (no limit) to {RATE_LIMIT_MAX}"))
}

fn connections(value: &str) -> Result<Option<usize>, String> {
    if value == "0" { Ok(None) } else { count(value, CONNECTIONS_MAX).map(|count| usize::try_from(count).ok()) }
}

fn log_format(value: &str) -> Result<LogFormat, String> {
    match value {
        "text" => Ok(LogFormat::Text),
        "json" => Ok(LogFormat::Json),
        _ => Err("must be text or json".into()),
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::config::Origin;
    use crate::config::SETTINGS;
    use crate::plan::{Scope, Tier};

    fn with_variable(name: &str, value: &str) -> Result<Settings, SettingError> {
        let mut given = Given::default();
        given.add_variables([(name.to_owned(), value.to_owned())])?;
        settings(&given)
    }

    fn check_bad(name: &str, value: &str, expected: &str) {
        let error = with_variable(name, value).unwrap_err().to_string();
        assert!(error.contains(expected) && error.contains(name), "{name}={value}: {error}");
        assert!(value.is_empty() || !error.contains(value), "a value may be a secret: {error}");
    }

    #[test]
    fn a_flag_wins_over_a_variable_over_the_file_over_the_default() {
        let mut given = Given::default();
        given.add_flags([("listen", "127.0.0.1:1".to_owned())]).unwrap();
        let variables = [("CANVASS_LISTEN", "127.0.0.1:2"), ("CANVASS_RATE_LIMIT", "2"), ("PATH", "/bin")];
        given.add_variables(variables.map(|(name, value)| (name.to_owned(), value.to_owned()))).unwrap();
        given.add_file(Path::new("canvass.toml"), "rate_limit = 3\nlog = 'debug'\nread_websites = false").unwrap();
        let settings = settings(&given).unwrap();
        assert_eq!(settings.listen.port(), 1);
        assert_eq!(settings.rate_limit, NonZeroU32::new(2));
        assert_eq!(settings.log, "debug");
        assert!(!settings.read_websites);
        assert_eq!(settings.data, PathBuf::from("data"));
        assert_eq!(given.get("rate_limit").1.to_string(), "CANVASS_RATE_LIMIT");
    }

    #[test]
    fn a_bad_value_is_named_and_not_repeated() {
        check_bad("CANVASS_LISTEN", "everywhere", "an address and a port");
        check_bad("CANVASS_BASE_URL", "leads.test", "must be a web address");
        check_bad("CANVASS_RATE_LIMIT", "-7", "whole number");
        check_bad("CANVASS_SOURCE", "open street map", "names of imports");
        check_bad("CANVASS_PLACES_RELEASE", "../../etc", "the name of a release");
        check_bad("CANVASS_PLACES_CONFIDENCE", "70", "from 0 to 1");
        check_bad("CANVASS_SANDBOX_WEATHER", "stormy", "calm or web");
        check_bad("CANVASS_READ_WEBSITES", "maybe", "true or false");
        check_bad("CANVASS_DATABASE_URL", "mysql://u:hunter2@h/d", "postgres://");
        check_bad("CANVASS_SMTP_URL", "hunter2", "smtp://");
        check_bad("CANVASS_MAIL_FROM", "nobody", "must be an e-mail address");
        check_bad("CANVASS_CONTACT_URL", "me", "must be a web address");
        check_bad("CANVASS_ALLOW_ADDRESSES", "127.0.0.1:1, anywhere", "an address and a port");
        check_bad("CANVASS_LOG_FORMAT", "xml", "text or json");
        check_bad("CANVASS_METRICS_LISTEN", "9090", "an address and a port");
        check_bad("CANVASS_TRACES_URL", "collector", "must be a web address");
        check_bad("CANVASS_TRACES_HEADERS", "hunter2", "must be headers");
        check_bad("CANVASS_TRACES_SHARE", "50", "from 0 to 1");
        check_bad("CANVASS_SECRET_KEY", "hunter2", "at least 32");
        check_bad("CANVASS_AI_TIMEOUT_SECONDS", "3600", "from 1 to 50");
    }

    #[test]
    fn an_unknown_setting_names_its_nearest_neighbour() {
        let error = with_variable("CANVASS_RATELIMIT", "1").unwrap_err().to_string();
        assert!(error.contains("CANVASS_RATELIMIT is not a setting (did you mean rate_limit?)"), "{error}");
        let error = Given::default().add_file(Path::new("c.toml"), "lisen = 'x'").unwrap_err().to_string();
        assert!(error.contains("lisen in c.toml is not a setting (did you mean listen?)"), "{error}");
    }

    #[test]
    fn an_empty_variable_counts_as_not_set() {
        assert_eq!(with_variable("CANVASS_SMTP_URL", "").unwrap().smtp_url, None);
    }

    #[test]
    fn plans_are_changed_one_value_at_a_time() {
        let mut given = Given::default();
        given.add_file(Path::new("c.toml"), "[plans.growth]\nscope = 'state'\nmonthly_credits = 7").unwrap();
        let settings = settings(&given).unwrap();
        assert_eq!(settings.plans.of(Tier::Growth).scope, Scope::State);
        assert_eq!(settings.plans.of(Tier::Growth).monthly_credits, 7);
        assert_eq!(settings.plans.of(Tier::Growth).per_search_cap, 500);
        for (text, expected) in [
            ("[plans.gold]\nscope = 'city'", "gold"),
            ("[plans.free]\nradius = 3", "radius"),
            ("[plans.free]\nmonthly_credits = -1", "monthly_credits"),
            ("plans = 3", "plans"),
        ] {
            let mut given = Given::default();
            given.add_file(Path::new("c.toml"), text).unwrap();
            let error = super::settings(&given).unwrap_err().to_string();
            assert!(error.contains(expected), "{error}");
        }
    }

    #[test]
    fn the_default_file_sets_every_setting_to_its_default() {
        let text = include_str!("../../../../config.default.toml");
        let mut given = Given::default();
        given.add_file(Path::new("config.default.toml"), text).unwrap();
        assert_eq!(settings(&given).unwrap(), Settings::default());
        for setting in SETTINGS {
            let origin = given.get(setting.name).1;
            assert_ne!(origin, Origin::Default, "config.default.toml does not say {}", setting.name);
            assert!(text.contains(&setting.variable()), "config.default.toml does not name {}", setting.variable());
        }
        assert!(given.plans().is_some());
    }
}
