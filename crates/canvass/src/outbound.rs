//! Clients for HTTP servers that the operator names: no proxy, no redirects, a time limit.

use std::time::Duration;

/// A client whose requests take at most this long. It follows no redirects: one could carry a secret elsewhere.
pub fn client(time_max: Duration) -> reqwest::Result<reqwest::Client> {
    // Fails only when a provider is installed already, which is just as good.
    let _ = rustls::crypto::ring::default_provider().install_default();
    reqwest::Client::builder().redirect(reqwest::redirect::Policy::none()).timeout(time_max).no_proxy().build()
}
