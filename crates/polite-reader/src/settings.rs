//! What an operator can set. The defaults are polite: a stranger's server should not notice us.

use std::net::SocketAddr;
use std::time::Duration;

use http::HeaderValue;
use url::Url;

/// Settings of a [`crate::Reader`].
#[derive(Debug, Clone)]
pub struct ReaderSettings {
    /// Our product name and version. The part before `/` is the name robots rules are matched with.
    pub user_agent: String,
    /// A page that says who we are and how to opt out; it is part of every request.
    pub contact_url: String,
    /// Sites read at the same time.
    pub global_concurrency: usize,
    /// Least time between two pages of one host.
    pub host_gap: Duration,
    /// Longest a connection, with its TLS handshake, may take to open.
    pub connect_deadline: Duration,
    /// Longest a server may take from our question to the end of its response head.
    pub first_byte_deadline: Duration,
    /// Longest one body may take; what has arrived by then is kept as a cut page.
    pub body_deadline: Duration,
    /// Longest one site may take once it is its turn.
    pub site_deadline: Duration,
    /// Shortest time this process may stand still (stopped, suspended, starved) before what failed meanwhile is read again.
    pub stall_min: Duration,
    /// Bytes kept of one page, counted after decompression.
    pub page_bytes_max: usize,
    /// Pages read of one site, the first included.
    pub pages_per_site_max: usize,
    /// How long a report is good for; zero keeps none.
    pub cache_ttl: Duration,
    /// Bytes of reports kept.
    pub cache_bytes_max: usize,
    /// Bytes that sites being read may hold together. New sites wait for room, and a page that
    /// finds none left is cut.
    pub memory_bytes_max: usize,
    /// The only addresses outside the public internet that may be visited, port included.
    pub allowed_addresses: Vec<SocketAddr>,
    /// Where every name under `.localhost` is served, whatever port its URLs name: the sandbox's own
    /// server. It is asked without a gap between its pages, since it is nobody else's; robots rules
    /// and their crawl-delay count as everywhere.
    pub localhost_at: Option<SocketAddr>,
    /// Where tag-manager containers come from; `None` leaves them alone.
    pub tag_manager_url: Option<String>,
    /// Certificates trusted besides the public authorities, in DER form.
    pub extra_roots: Vec<Vec<u8>>,
}

impl Default for ReaderSettings {
    fn default() -> Self {
        Self {
            user_agent: concat!("CanvassReader/", env!("CARGO_PKG_VERSION")).to_owned(),
            contact_url: "https://example.com/about-our-reader".to_owned(),
            global_concurrency: 256,
            host_gap: Duration::from_secs(1),
            connect_deadline: Duration::from_secs(6),
            first_byte_deadline: Duration::from_secs(12),
            body_deadline: Duration::from_secs(15),
            site_deadline: Duration::from_secs(60),
            stall_min: Duration::from_secs(2),
            page_bytes_max: 2 * 1024 * 1024,
            pages_per_site_max: 6,
            cache_ttl: Duration::from_secs(24 * 60 * 60),
            cache_bytes_max: 32 * 1024 * 1024,
            memory_bytes_max: 96 * 1024 * 1024,
            allowed_addresses: Vec::new(),
            localhost_at: None,
            tag_manager_url: Some("https://www.googletagmanager.com/gtm.js".to_owned()),
            extra_roots: Vec::new(),
        }
    }
}

/// A setting a reader cannot be built with.
#[derive(Debug, thiserror::Error)]
pub enum SettingsError {
    /// The name does not fit into a header, or has no product token.
    #[error("the user agent {0:?} is not a product name like CanvassReader/1.0")]
    UserAgent(String),
    /// The address does not fit into a header, or is none.
    #[error("the contact address {0:?} is not an http or https URL")]
    ContactUrl(String),
    /// The address is none.
    #[error("the tag manager address {0:?} is not an http or https URL")]
    TagManagerUrl(String),
    /// Nothing could be read with it.
    #[error("{0} must be more than zero")]
    Zero(&'static str),
    /// The certificate cannot be read.
    #[error("an extra root certificate is not a DER certificate")]
    ExtraRoot(#[source] rustls::Error),
    /// The TLS library refused its own defaults.
    #[error("TLS cannot be set up")]
    Tls(#[source] rustls::Error),
}

/// Who we say we are.
#[derive(Debug, Clone)]
pub(crate) struct Identity {
    /// The whole `User-Agent` field.
    pub(crate) header: HeaderValue,
    /// The product token that robots rules are matched with.
    pub(crate) token: String,
}

impl ReaderSettings {
    /// Checks what must hold for a reader to work.
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

    /// Where containers come from.
    pub(crate) fn tag_manager(&self) -> Result<Option<Url>, SettingsError> {
        let Some(address) = &self.tag_manager_url else { return Ok(None) };
        match Url::parse(address) {
            Ok(url) if url.has_host() => Ok(Some(url)),
            _ => Err(SettingsError::TagManagerUrl(address.clone())),
        }
    }

    /// Puts name and contact address together.
    pub(crate) fn identity(&self) -> Result<Identity, SettingsError> {
        let token: String =
            self.user_agent.chars().take_while(|c| c.is_ascii_alphanumeric() || "-_".contains(*c)).collect();
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
    fn the_default_identity_names_us_and_a_contact_page() {
        let identity = ReaderSettings::default().identity().unwrap();
        assert_eq!(identity.token, "CanvassReader");
        let header = identity.header.to_str().unwrap();
        assert!(header.starts_with("CanvassReader/") && header.contains("(+https://"), "{header}");
    }

    #[test]
    fn an_identity_nobody_could_answer_is_refused() {
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
