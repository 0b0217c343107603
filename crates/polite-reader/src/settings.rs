//! The operator's settings. The defaults are polite: a site's server should not notice the load.

use std::net::SocketAddr;
use std::time::Duration;

use http::HeaderValue;
use url::Url;

use crate::robots::product_token;

/// Settings of a [`crate::Reader`].
#[derive(Debug, Clone)]
pub struct ReaderSettings {
    /// Our product name and version. The part before `/` is matched with robots rules.
    pub user_agent: String,
    /// URL of a page that says who we are and how to opt out; sent with every request.
    pub contact_url: String,
    /// Sites read at the same time.
    pub global_concurrency: usize,
    /// Minimum time between two requests to one host.
    pub host_gap: Duration,
    /// Deadline for opening a connection, including the TLS handshake.
    pub connect_deadline: Duration,
    /// Deadline from sending a request to the end of the response head.
    pub first_byte_deadline: Duration,
    /// Deadline for one body; what has arrived by then is kept as a truncated page.
    pub body_deadline: Duration,
    /// Deadline for one site, from the start of its visit.
    pub site_deadline: Duration,
    /// Shortest stall of this process (stopped, suspended, starved) after which failed reads are repeated.
    pub stall_min: Duration,
    /// Bytes kept per page, after decompression.
    pub page_bytes_max: usize,
    /// Pages read per site, including the home page.
    pub pages_per_site_max: usize,
    /// How long a report is cached; zero disables the cache.
    pub cache_ttl: Duration,
    /// Bytes of cached reports.
    pub cache_bytes_max: usize,
    /// Bytes that all sites being read may hold together. New sites wait for room, and a page that finds none left is
    /// truncated.
    pub memory_bytes_max: usize,
    /// Addresses outside the public internet that may be visited, including the port, when a site's own start URL names one
    /// literally or as a `localhost` name. Redirects, links and other names cannot lead there.
    pub allowed_addresses: Vec<SocketAddr>,
    /// Addresses that any name, link or redirect may lead to, for tests and benchmarks. Must never contain input from an
    /// operator or customer.
    pub trusted_addresses: Vec<SocketAddr>,
    /// The server of all names under `.localhost`, whatever port their URLs name: the sandbox's own.
    pub localhost_at: Option<SocketAddr>,
    /// Minimum time between two requests to one of the names at `localhost_at`, instead of `host_gap`. Robots rules and crawl
    /// delay apply as usual.
    pub localhost_gap: Duration,
    /// Base URL of tag-manager containers; `None` skips them.
    pub tag_manager_url: Option<String>,
    /// Root certificates trusted besides the public ones, in DER form.
    pub extra_roots: Vec<Vec<u8>>,
}

impl Default for ReaderSettings {
    fn default() -> Self {
        Self {
            user_agent: concat!("CanvassReader/", env!("CARGO_PKG_VERSION")).to_owned(),
            contact_url: "https://example.com/about-our-reader".to_owned(),
            global_concurrency: 384,
            host_gap: Duration::from_secs(1),
            connect_deadline: Duration::from_secs(6),
            first_byte_deadline: Duration::from_secs(12),
            body_deadline: Duration::from_secs(15),
            site_deadline: Duration::from_secs(60),
            stall_min: Duration::from_secs(2),
            page_bytes_max: 2 * 1024 * 1024,
            pages_per_site_max: 6,
            cache_ttl: Duration::from_secs(24 * 60 * 60),
            cache_bytes_max: 16 * 1024 * 1024,
            memory_bytes_max: 96 * 1024 * 1024,
            allowed_addresses: Vec::new(),
            trusted_addresses: Vec::new(),
            localhost_at: None,
            localhost_gap: Duration::ZERO,
            tag_manager_url: Some("https://www.googletagmanager.com/gtm.js".to_owned()),
            extra_roots: Vec::new(),
        }
    }
}

/// A setting that a reader cannot be built with.
#[derive(Debug, thiserror::Error)]
pub enum SettingsError {
    /// The name does not fit into a header, or has no product token.
    #[error("the user agent {0:?} is not a product name like CanvassReader/1.0")]
    UserAgent(String),
    /// Not an http or https URL, or not usable in a header.
    #[error("the contact URL {0:?} is not an http or https URL")]
    ContactUrl(String),
    /// Not an http or https URL.
    #[error("the tag manager URL {0:?} is not an http or https URL")]
    TagManagerUrl(String),
    /// Nothing could be read with this setting at zero.
    #[error("{0} must be greater than zero")]
    Zero(&'static str),
    /// The certificate cannot be parsed.
    #[error("an extra root certificate is not a DER certificate")]
    ExtraRoot(#[source] rustls::Error),
    /// The TLS library rejected its own defaults.
    #[error("TLS cannot be set up")]
    Tls(#[source] rustls::Error),
}

/// How we identify ourselves.
#[derive(Debug, Clone)]
pub(crate) struct Identity {
    /// The complete `User-Agent` header.
    pub(crate) header: HeaderValue,
    /// The product token that robots rules are matched with.
    pub(crate) token: String,
}

impl ReaderSettings {
    /// Validates the settings.
    pub(crate) fn check(&self) -> Result<(), SettingsError> {
        let counts = [
            ("global_concurrency", self.global_concurrency),
            ("page_bytes_max", self.page_bytes_max),
            ("pages_per_site_max", self.pages_per_site_max),
        ];
        match counts.iter().find(|(_, count)| *count == 0) {
            Some((name, _)) => Err(SettingsError::Zero(name)),
            None => Ok(()),
        }
    }

    /// The base URL of containers.
    pub(crate) fn tag_manager(&self) -> Result<Option<Url>, SettingsError> {
        let Some(address) = &self.tag_manager_url else { return Ok(None) };
        match Url::parse(address) {
            Ok(url) if url.has_host() => Ok(Some(url)),
            _ => Err(SettingsError::TagManagerUrl(address.clone())),
        }
    }

    /// Combines product name and contact URL.
    pub(crate) fn identity(&self) -> Result<Identity, SettingsError> {
        let token = product_token(&self.user_agent).to_owned();
        let contact = self.contact_url.trim();
        if !contact.starts_with("http://") && !contact.starts_with("https://") {
            return Err(SettingsError::ContactUrl(self.contact_url.clone()));
        }
        let header = HeaderValue::from_str(&format!("{} (+{contact})", self.user_agent.trim()));
        match header {
            Ok(header) if !token.is_empty() => Ok(Identity { header, token }),
            _ => Err(SettingsError::UserAgent(self.user_agent.clone())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_default_identity_has_a_name_and_a_contact_page() {
        let identity = ReaderSettings::default().identity().unwrap();
        assert_eq!(identity.token, "CanvassReader");
        let header = identity.header.to_str().unwrap();
        assert!(header.starts_with("CanvassReader/") && header.contains("(+https://"), "{header}");
    }

    #[test]
    fn an_identity_without_a_usable_contact_is_rejected() {
        let with = |user_agent: &str, contact_url: &str| {
            let settings =
                ReaderSettings { user_agent: user_agent.into(), contact_url: contact_url.into(), ..Default::default() };
            settings.identity().is_ok()
        };
        assert!(with("MyBot/2", "https://me.example/bot"));
        assert!(!with("", "https://me.example/bot"));
        assert!(!with("MyBot\r\nX: y", "https://me.example/bot"));
        assert!(!with("MyBot/2", "me.example"));
        assert!(!with("MyBot/2", ""));
    }
}
