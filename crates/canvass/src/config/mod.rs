//! Settings: a flag wins over a `CANVASS_*` variable, that over `canvass.toml`, that over the default.
//!
//! [`SETTINGS`] lists every one; `config.default.toml` documents them, and a test keeps the two in step. An unknown
//! setting or an invalid value stops startup with an error that names it.

mod error;
mod geocoders;
mod given;
mod maps;
mod nearest;
mod parse;
mod plans;
mod retention;
mod score;
mod secret;
mod sign_up;
mod source;
mod telemetry;
mod value;

pub use error::{Origin, SettingError};
pub use geocoders::{GeocoderName, GeocoderNames};
pub use given::Given;
pub use maps::MapSettings;
pub use nearest::nearest;
pub use parse::mail_port;
pub use secret::Secret;
pub use sign_up::{SignUp, UnknownSignUp};
pub use source::SourceNames;
pub use telemetry::TelemetrySettings;

use std::net::SocketAddr;
use std::path::PathBuf;

use ::sandbox::Weather;
use lettre::message::Mailbox;
use url::Url;

use crate::plan::Plans;
use crate::signals::Weights;

/// The longest lease that can be set, in seconds: a lease that ends later comes from a clock that was ahead.
pub const LEASE_SECONDS_MAX: i64 = 3_600;

/// A setting as help texts and the settings file present it.
#[derive(Clone, Copy, Debug)]
pub struct Setting {
    /// Its name in `canvass.toml`; the flag and the variable are made from it.
    pub name: &'static str,
    /// Placeholder for its value in help texts.
    pub value: &'static str,
    /// The default; empty for not set.
    pub default: &'static str,
    /// One line for help texts.
    pub help: &'static str,
}

impl Setting {
    /// Its flag, without the dashes: `rate-limit`.
    pub fn flag(&self) -> String {
        self.name.replace('_', "-")
    }

    /// Its variable: `CANVASS_RATE_LIMIT`.
    pub fn variable(&self) -> String {
        format!("{VARIABLE_PREFIX}{}", self.name.to_uppercase())
    }
}

/// Prefix of every environment variable that is read.
pub const VARIABLE_PREFIX: &str = "CANVASS_";
/// The variable that names the settings file.
pub const FILE_VARIABLE: &str = "CANVASS_CONFIG";
/// The settings file that is read by default, if it exists.
pub const FILE_DEFAULT: &str = "canvass.toml";

const fn setting(name: &'static str, value: &'static str, default: &'static str, help: &'static str) -> Setting {
    Setting { name, value, default, help }
}

/// Every setting that has a flag, a variable and a line in the file.
pub const SETTINGS: &[Setting] = &[
    setting("data", "DIR", "data", "Folder for everything Canvass stores"),
    setting("listen", "ADDR", "127.0.0.1:8080", "Address and port to listen on"),
    setting(
        "base_url",
        "URL",
        "",
        "URL at which clients reach this server, if it differs from the address it listens on",
    ),
    setting("database_url", "URL", "", "postgres://... for PostgreSQL; if not set, SQLite in the data folder"),
    setting(
        "source",
        "LIST",
        "sandbox",
        "Where listings come from: sandbox (generated businesses), overture (real ones), overpass (OpenStreetMap, live), google (with a key), all, or imports, separated by commas",
    ),
    setting(
        "places",
        "ADDRESS",
        "",
        "Where overture reads: folder, s3://, az:// or https:// address of a release or a download; if not set, the public release",
    ),
    setting("places_release", "NAME", "", "Release to read, such as 2026-10-21.0; if not set, the latest"),
    setting(
        "places_catalog",
        "URL",
        "https://stac.overturemaps.org/catalog.json",
        "Catalog that names the latest release",
    ),
    setting("places_endpoint", "URL", "", "S3-compatible server for s3:// addresses, if it is not AWS"),
    setting("places_region", "NAME", "us-west-2", "Region of s3:// addresses"),
    setting("places_proxy", "URL", "", "Proxy through which place data is fetched"),
    setting(
        "places_confidence",
        "NUMBER",
        "0",
        "Confidence from 0 to 1 that a place must have; 0 leaves out only closed ones",
    ),
    setting(
        "overpass_url",
        "LIST",
        "https://overpass-api.de/api/",
        "Overpass servers for live OpenStreetMap data, tried in turn, separated by commas",
    ),
    setting(
        "overpass_slots",
        "N",
        "2",
        "Queries under way at an Overpass server at the same time, all processes together",
    ),
    setting("google_api_key", "KEY", "", "Key for Google's Places API (New) and Geocoding API"),
    setting("google_url", "URL", "https://places.googleapis.com", "Where the Places API is"),
    setting("google_geocode_url", "URL", "https://maps.googleapis.com", "Where the Geocoding API is"),
    setting("google_reviews", "BOOL", "true", "Whether reviews are fetched, for intros; calls with them cost more"),
    setting("google_calls_per_search", "N", "300", "Calls to Google that one search may cost; 0 for no limit"),
    setting("google_calls_per_month", "N", "5000", "Calls to Google in a calendar month (UTC); 0 for no limit"),
    setting(
        "google_keep_days",
        "DAYS",
        "30",
        "Days for which what Google lists stays stored, place ids excepted; 0 until the search has ended",
    ),
    setting(
        "geocoders",
        "LIST",
        "auto",
        "Who locates street addresses, asked in turn: overture, census (US), nominatim, photon, google, sandbox, or none",
    ),
    setting(
        "addresses",
        "ADDRESS",
        "",
        "Where the geocoder overture reads addresses; if not set, where places are read",
    ),
    setting("geocode_required", "BOOL", "false", "Whether a street address that nobody can locate is refused (400)"),
    setting("census_url", "URL", "https://geocoding.geo.census.gov", "Where the US Census geocoder is"),
    setting("nominatim_url", "URL", "", "Nominatim server; the public one allows one request a second and no bulk use"),
    setting("photon_url", "URL", "", "Photon server"),
    setting(
        "sandbox_weather",
        "WEATHER",
        "calm",
        "How long the sandbox's websites take: calm (no time), or web (as on the web, over HTTPS and read as politely)",
    ),
    setting(
        "sandbox_sites",
        "ADDR",
        "",
        "Where `canvass sandbox serve` serves the sandbox's websites; if not set, here",
    ),
    setting("sandbox_ca", "FILE", "", "PEM file of its certificate authority, in the weather of the web"),
    setting("read_websites", "BOOL", "true", "Whether searches read the websites of businesses"),
    setting(
        "contact_url",
        "URL",
        "",
        "URL of a page that tells website owners who reads their site; sent with every request",
    ),
    setting(
        "allow_addresses",
        "LIST",
        "",
        "Private addresses that may be read if a listing names them, such as 127.0.0.1:8000, separated by commas",
    ),
    setting(
        "sign_up",
        "WHO",
        "invite",
        "Who may open an account: open (everybody with an address), invite (by a link of yours) or closed",
    ),
    setting("running_searches", "N", "5", "Searches an account may run at the same time"),
    setting("searches_at_once", "N", "50", "Searches one process works on at the same time"),
    setting("lease_seconds", "N", "15", "Seconds after which the searches of a worker that died are taken over"),
    setting("radar_every_hours", "N", "24", "Hours between two checks of a watched business"),
    setting("radar_confirm_minutes", "N", "30", "Minutes until a second read confirms that something has disappeared"),
    setting("radar_score_step", "N", "10", "Points by which the score must change to raise an alert"),
    setting(
        "keep_searches_days",
        "DAYS",
        "0",
        "Days after the end of a search for which its leads stay stored; the ledger and what skip_owned needs stay; 0 for ever",
    ),
    setting(
        "keep_site_text_days",
        "DAYS",
        "0",
        "Days after the end of a search for which the text of its websites stays stored, for enrichment; 0 for ever",
    ),
    setting("rate_limit", "N", "120", "Requests per minute and API key; 0 for no limit"),
    setting(
        "connections_per_address",
        "N",
        "1000",
        "Open connections per client address, except this machine's own; 0 for no limit",
    ),
    setting("ai_base_url", "URL", "", "OpenAI-compatible or Anthropic API; if not set, the built-in rules"),
    setting("ai_api_key", "KEY", "", "Key for that API"),
    setting("ai_model", "NAME", "", "Model to use there"),
    setting(
        "ai_allow_addresses",
        "LIST",
        "",
        "Private addresses allowed for customers' own AI keys, such as 127.0.0.1:11434, separated by commas",
    ),
    setting("ai_at_once", "N", "8", "Requests this process sends to AI providers at the same time"),
    setting("ai_timeout_seconds", "N", "30", "Seconds a request to an AI provider may take, including retries"),
    setting("secret_key", "KEY", "", "Key that encrypts stored secrets; if not set, a file in the data folder"),
    setting(
        "smtp_url",
        "URL",
        "",
        "smtp:// or smtps:// server for emails; if not set, they are written to the data folder",
    ),
    setting("smtp_ca", "FILE", "", "PEM file of additional certificate authorities for the mail server"),
    setting("mail_from", "ADDRESS", "Canvass <canvass@localhost>", "Sender of emails"),
    setting(
        "log",
        "FILTER",
        "info",
        "What to log: error, warn, info, debug, trace, or a filter such as info,server=debug",
    ),
    setting("log_format", "FORMAT", "text", "Log format: text or json"),
    setting("metrics_listen", "ADDR", "", "Separate address and port for metrics and health checks; also for workers"),
    setting("traces_url", "URL", "", "OpenTelemetry collector for traces (OTLP over HTTP); if not set, none are made"),
    setting(
        "traces_headers",
        "LIST",
        "",
        "Headers for the collector, such as Authorization=Bearer x, separated by commas",
    ),
    setting("traces_share", "NUMBER", "1", "Share of traces that is sent, from 0 to 1"),
];

/// How to log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LogFormat {
    /// One readable line per event.
    Text,
    /// One JSON object per event.
    Json,
}

/// Every setting, validated.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// Folder for everything stored.
    pub data: PathBuf,
    /// Address and port to serve on.
    pub listen: SocketAddr,
    /// Address clients use; the one we listen on when not set.
    pub base_url: Option<Url>,
    /// PostgreSQL, or SQLite in the data folder when not set.
    pub database_url: Option<Secret>,
    /// Where listings come from.
    pub source: SourceNames,
    /// Where releases of place data are read; the public one when not set.
    pub places: Option<String>,
    /// The release that is read; the latest when not set.
    pub places_release: Option<String>,
    /// The catalog that names the latest release.
    pub places_catalog: Url,
    /// An S3-compatible server other than AWS.
    pub places_endpoint: Option<Url>,
    /// The region of S3 addresses.
    pub places_region: String,
    /// The proxy through which place data is fetched.
    pub places_proxy: Option<Url>,
    /// How sure a place's source must be that it exists, 0 to 1.
    pub places_confidence: f64,
    /// Map providers and geocoders.
    pub maps: MapSettings,
    /// How long the sandbox's websites take.
    pub sandbox_weather: Weather,
    /// Where another process serves the sandbox's websites.
    pub sandbox_sites: Option<SocketAddr>,
    /// File with the certificate authority of that process.
    pub sandbox_ca: Option<PathBuf>,
    /// Whether searches read websites.
    pub read_websites: bool,
    /// The page that tells website owners who we are.
    pub contact_url: Option<Url>,
    /// Addresses outside of the public internet whose sites may be read where a listing names them literally.
    pub allow_addresses: Vec<SocketAddr>,
    /// Who may open an account of their own.
    pub sign_up: SignUp,
    /// Searches an account may run at the same time.
    pub running_searches: i64,
    /// Searches one process works on at the same time.
    pub searches_at_once: usize,
    /// Seconds after which a worker that does not renew its lease counts as dead.
    pub lease_seconds: i64,
    /// Hours between two checks of a watched business.
    pub radar_every_hours: i64,
    /// Minutes until a second read confirms a disappearance.
    pub radar_confirm_minutes: i64,
    /// Points by which the score must move to raise an alert.
    pub radar_score_step: i64,
    /// Days after the end of a search for which its leads are kept; `None` for ever.
    pub keep_searches_days: Option<i64>,
    /// Days after the end of a search for which the text of its websites is kept; `None` for ever.
    pub keep_site_text_days: Option<i64>,
    /// Requests a minute for each key and session; `None` for no limit.
    pub rate_limit: Option<std::num::NonZeroU32>,
    /// Connections open at once from one client address; `None` for no limit.
    pub connections_per_address: Option<usize>,
    /// The model's API.
    pub ai_base_url: Option<Url>,
    /// Its key.
    pub ai_api_key: Option<Secret>,
    /// The model.
    pub ai_model: Option<String>,
    /// Addresses outside of the public internet that customers' own AI keys may lead to.
    pub ai_allow_addresses: Vec<SocketAddr>,
    /// Concurrent requests to AI providers.
    pub ai_at_once: usize,
    /// Time limit of one request to an AI provider.
    pub ai_timeout_seconds: u64,
    /// Key that encrypts stored secrets; if not set, a file in the data folder.
    pub secret_key: Option<Secret>,
    /// The mail server; its address may hold a password.
    pub smtp_url: Option<Secret>,
    /// File with further certificate authorities that may sign its certificate.
    pub smtp_ca: Option<PathBuf>,
    /// Sender of e-mails.
    pub mail_from: Mailbox,
    /// What to log.
    pub log: String,
    /// How to log.
    pub log_format: LogFormat,
    /// Metrics and traces.
    pub telemetry: TelemetrySettings,
    /// What each tier includes.
    pub plans: Plans,
    /// What each rule of the score is worth.
    pub score: Weights,
}

impl Settings {
    /// Validates raw values.
    pub fn parse(given: &Given) -> Result<Settings, SettingError> {
        parse::settings(given)
    }

    /// Where clients reach a server that listens on `address`: base_url, where that is set.
    pub fn reached_at(&self, address: SocketAddr) -> Url {
        self.base_url.clone().unwrap_or_else(|| {
            let address = match address {
                // Listening everywhere is no address to open in a browser.
                all if all.ip().is_unspecified() => format!("localhost:{}", all.port()),
                one => one.to_string(),
            };
            Url::parse(&format!("http://{address}")).expect("an address and a port make a URL")
        })
    }

    /// Whether only programs on this machine reach this server: it listens on a loopback address, and no other address
    /// leads to it.
    pub fn is_private(&self) -> bool {
        self.listen.ip().is_loopback() && self.base_url.is_none()
    }

    /// The folder of imported place data.
    pub fn places_folder(&self) -> PathBuf {
        self.data.join("places")
    }

    /// Whether the database is the one in the data folder.
    pub fn is_embedded(&self) -> bool {
        self.database_url.is_none()
    }
}

impl Default for Settings {
    fn default() -> Self {
        Settings::parse(&Given::default()).expect("the defaults are in order: a test parses them")
    }
}
