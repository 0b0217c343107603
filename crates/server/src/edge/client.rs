//! Who is at the other end, as far as a request tells: the address and the device.

use std::convert::Infallible;
use std::sync::Arc;

use axum::extract::FromRequestParts;
use canvass::session::device;
use canvass::sign_in;
use http::HeaderName;
use http::header::USER_AGENT;
use http::request::Parts;

use crate::connection::Connection;

/// Where proxies write whom they speak for, each behind the one before.
const FORWARDED_FOR: HeaderName = HeaderName::from_static("x-forwarded-for");
/// Characters of an address that are kept.
const ADDRESS_CHARS_MAX: usize = 45;

/// Who is at the other end.
#[derive(Clone, Debug)]
pub struct Client {
    address: String,
    device: String,
}

impl Client {
    /// As those who sign people in see it.
    pub fn view(&self) -> sign_in::Client<'_> {
        sign_in::Client { address: &self.address, device: &self.device }
    }

    /// Browser and system.
    pub fn device(&self) -> &str {
        &self.device
    }
}

impl<S: Sync> FromRequestParts<S> for Client {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Client, Infallible> {
        let text = |name: &HeaderName| parts.headers.get(name).and_then(|value| value.to_str().ok());
        let peer = parts.extensions.get::<Arc<Connection>>().map(|connection| connection.peer());
        // Only a proxy on this machine is believed; from elsewhere, anybody could write anything there.
        let is_proxied = peer.is_none_or(|peer| peer.is_loopback());
        let named = text(&FORWARDED_FOR).and_then(|list| list.rsplit(',').next()).map(str::trim);
        let named = named.filter(|address| is_proxied && !address.is_empty()).map(str::to_owned);
        let address = named.or_else(|| peer.map(|peer| peer.to_string())).unwrap_or_default();
        let address = address.chars().take(ADDRESS_CHARS_MAX).collect();
        Ok(Client { address, device: device(text(&USER_AGENT)) })
    }
}
