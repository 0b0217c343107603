//! Where a customer's own key may lead: to the public internet, over HTTPS, checked when it is set and at every use.

use std::net::SocketAddr;
use std::sync::Arc;

use polite_reader::{AddressGuard, Refusal, Resolver, Target};
use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use url::{Host, Url};

/// Where HTTPS is served; stands for the port of an address that is only resolved yet.
const HTTPS_PORT: u16 = 443;

/// A customer may not have requests sent there.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AddressError {
    /// The key would travel in the clear.
    #[error("must begin with https://")]
    NotHttps,
    /// More than where an API begins.
    #[error("must be the base URL of the API, without a user name, a query or a fragment")]
    NotABeginning,
    /// It is not on the public internet.
    #[error("must be on the public internet: {0}")]
    Private(Refusal),
}

/// Checks an address a customer chose. Those the operator allows by number may be private, and spoken to in the clear.
pub(super) fn check(url: &Url, allowed: &[SocketAddr]) -> Result<(), AddressError> {
    let bare = url.username().is_empty() && url.password().is_none();
    if !bare || url.query().is_some() || url.fragment().is_some() {
        return Err(AddressError::NotABeginning);
    }
    let target = AddressGuard::new(allowed.to_vec()).check_url(url).map_err(AddressError::Private)?;
    let literal = !matches!(url.host(), Some(Host::Domain(_)));
    match target {
        Target::Address(address) if literal && allowed.contains(&address) => Ok(()),
        // A host name that resolves to an allowed address is still refused: only the address itself is allowed.
        Target::Address(_) if !literal => {
            Err(AddressError::Private(Refusal::Name(url.host_str().unwrap_or_default().to_owned())))
        }
        _ if url.scheme() != "https" => Err(AddressError::NotHttps),
        _ => Ok(()),
    }
}

/// Resolves names to public addresses only: a name that leads elsewhere by the time it is used leads nowhere.
pub(super) struct PublicNames<R>(pub(super) Arc<R>);

impl<R: Resolver> Resolve for PublicNames<R> {
    fn resolve(&self, name: Name) -> Resolving {
        let resolver = self.0.clone();
        Box::pin(async move {
            let found = resolver.addresses(name.as_str()).await.map_err(|_| "the name has no address")?;
            let guard = AddressGuard::new(Vec::new());
            let public = found.into_iter().map(|ip| SocketAddr::new(ip, HTTPS_PORT));
            let public: Vec<SocketAddr> = public.filter(|address| guard.check_address(*address).is_ok()).collect();
            match public.is_empty() {
                true => Err("the name leads to no public address".into()),
                // The port is the URL's; this one is not looked at.
                false => Ok(Box::new(public.into_iter()) as Addrs),
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use std::net::IpAddr;

    use futures::future::BoxFuture;
    use polite_reader::ResolveError;

    use super::*;

    #[test]
    fn a_customers_key_leads_to_the_public_internet_only() {
        let allowed: Vec<SocketAddr> = vec!["127.0.0.1:11434".parse().unwrap(), "[::1]:11434".parse().unwrap()];
        let is_allowed = |url: &str| check(&Url::parse(url).unwrap(), &allowed).is_ok();
        for url in [
            "https://api.openai.com/v1",
            "https://api.openai.com:8443/v1/",
            "https://8.8.8.8/v1",
            "http://127.0.0.1:11434/v1",
            "http://[::1]:11434/v1",
        ] {
            assert!(is_allowed(url), "{url}");
        }
        for url in [
            "http://api.openai.com/v1",
            "https://user:secret@api.openai.com/v1",
            "https://api.openai.com/v1?x=1",
            "https://api.openai.com/v1#x",
            "https://api.openai.com:22/v1",
            "https://localhost/v1",
            "http://localhost:11434/v1",
            "https://intranet/v1",
            "https://models.internal/v1",
            "https://127.0.0.1/v1",
            "https://2130706433/v1",
            "https://0x7f.1/v1",
            "https://10.0.0.8/v1",
            "https://169.254.169.254/latest/meta-data",
            "https://[::ffff:10.0.0.8]/v1",
            "https://[fd00::1]/v1",
            "ftp://api.openai.com/v1",
            "file:///etc/passwd",
        ] {
            assert!(!is_allowed(url), "{url}");
        }
    }

    /// Says the same of every name.
    struct Says(Vec<IpAddr>);

    impl Resolver for Says {
        fn addresses<'a>(&'a self, _: &'a str) -> BoxFuture<'a, Result<Vec<IpAddr>, ResolveError>> {
            Box::pin(async { Ok(self.0.clone()) })
        }

        fn has_mx<'a>(&'a self, _: &'a str) -> BoxFuture<'a, Option<bool>> {
            Box::pin(async { None })
        }
    }

    #[tokio::test]
    async fn a_name_that_turns_private_leads_nowhere() {
        let ips = |all: &[&str]| all.iter().map(|ip| ip.parse().unwrap()).collect::<Vec<IpAddr>>();
        let resolve = async |all: &[&str]| {
            let names = PublicNames(Arc::new(Says(ips(all))));
            names.resolve("api.openai.com".parse().unwrap()).await.map(|found| found.map(|one| one.ip()).collect())
        };
        let found: Vec<IpAddr> = resolve(&["10.0.0.8", "8.8.8.8", "::1"]).await.unwrap();
        assert_eq!(found, ips(&["8.8.8.8"]));
        for private in [&["127.0.0.1"][..], &["169.254.169.254", "fd00::1"], &[]] {
            assert!(resolve(private).await.is_err(), "{private:?}");
        }
    }
}
