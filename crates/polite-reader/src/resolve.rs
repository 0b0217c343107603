//! A DNS interface, so that tests can script its answers.

use std::net::IpAddr;

use futures::future::BoxFuture;
use hickory_resolver::TokioResolver;
use hickory_resolver::config::LookupIpStrategy;
use hickory_resolver::net::{DnsError, NetError};
use hickory_resolver::proto::op::ResponseCode;
use hickory_resolver::proto::rr::RData;

use crate::limits::DNS_DEADLINE;

/// Why a name has no addresses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ResolveError {
    /// The name does not exist, or has no addresses.
    NoSuchName,
    /// DNS did not answer, so nothing is known.
    Unavailable,
}

/// Resolves names. The results are checked before they are used.
pub trait Resolver: Send + Sync + 'static {
    /// The addresses of a host.
    fn addresses<'a>(&'a self, host: &'a str) -> BoxFuture<'a, Result<Vec<IpAddr>, ResolveError>>;

    /// Whether a domain accepts mail; `None` when DNS cannot tell.
    fn has_mx<'a>(&'a self, domain: &'a str) -> BoxFuture<'a, Option<bool>>;
}

/// Uses the machine's configured name servers, or the system's resolver when the configuration cannot be read.
pub struct SystemResolver {
    dns: Option<TokioResolver>,
}

impl SystemResolver {
    /// Reads the machine's DNS configuration.
    #[must_use]
    pub fn new() -> Self {
        let built = TokioResolver::builder_tokio().and_then(|mut builder| {
            let options = builder.options_mut();
            options.timeout = DNS_DEADLINE / 2;
            options.attempts = 1;
            options.ip_strategy = LookupIpStrategy::Ipv4thenIpv6;
            builder.build()
        });
        if let Err(error) = &built {
            tracing::warn!(error = %error, "cannot read the system's name servers, so mail domains stay unknown");
        }
        Self { dns: built.ok() }
    }
}

impl Default for SystemResolver {
    fn default() -> Self {
        Self::new()
    }
}

impl Resolver for SystemResolver {
    fn addresses<'a>(&'a self, host: &'a str) -> BoxFuture<'a, Result<Vec<IpAddr>, ResolveError>> {
        Box::pin(async move {
            let Some(dns) = &self.dns else { return system_addresses(host).await };
            match dns.lookup_ip(absolute(host)).await {
                Ok(found) => Ok(found.iter().collect()),
                Err(error) if has_no_records(&error) => Err(ResolveError::NoSuchName),
                Err(_) => Err(ResolveError::Unavailable),
            }
        })
    }

    fn has_mx<'a>(&'a self, domain: &'a str) -> BoxFuture<'a, Option<bool>> {
        Box::pin(async move {
            match self.dns.as_ref()?.mx_lookup(absolute(domain)).await {
                // RFC 7505: a single MX of "." says that the domain accepts no mail.
                Ok(found) => Some(found.answers().iter().any(|record| match &record.data {
                    RData::MX(mx) => !mx.exchange.is_root(),
                    _ => false,
                })),
                Err(error) if has_no_records(&error) => Some(false),
                Err(_) => None,
            }
        })
    }
}

/// Whether the name servers confirmed that there is no record, as opposed to not answering.
fn has_no_records(error: &NetError) -> bool {
    match error {
        NetError::Dns(DnsError::NoRecordsFound(none)) => {
            matches!(none.response_code, ResponseCode::NXDomain | ResponseCode::NoError)
        }
        _ => false,
    }
}

/// With a final dot, a name is not tried under the machine's search domains.
fn absolute(host: &str) -> String {
    format!("{}.", host.trim_end_matches('.'))
}

async fn system_addresses(host: &str) -> Result<Vec<IpAddr>, ResolveError> {
    match tokio::net::lookup_host((host, 0)).await {
        Ok(found) => Ok(found.map(|address| address.ip()).collect()),
        Err(_) => Err(ResolveError::Unavailable),
    }
}
