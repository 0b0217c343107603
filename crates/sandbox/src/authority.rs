//! The certificate authority of the sandbox: made in memory, and good for nothing but names under `.localhost`.

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use rcgen::{
    BasicConstraints, CertificateParams, DistinguishedName, DnType, GeneralSubtree, IsCa, Issuer, KeyPair,
    KeyUsagePurpose, NameConstraints,
};
use rustls::ServerConfig;
use rustls::crypto::ring;
use rustls::pki_types::{CertificateDer, PrivateKeyDer, PrivatePkcs8KeyDer};
use rustls::server::{ClientHello, ResolvesServerCert};
use rustls::sign::{CertifiedKey, SigningKey};

use crate::business::HOST_ENDING;

/// Certificates kept; beyond that, all are made anew.
const CERTIFICATES_KEPT_MAX: usize = 4_096;

/// Signs the certificates of the sandbox's websites.
pub struct Authority {
    root: rcgen::Certificate,
    certificates: Arc<Certificates>,
}

/// A certificate for each name that is asked for. All websites share one key.
struct Certificates {
    issuer: Issuer<'static, KeyPair>,
    key: KeyPair,
    signing_key: Arc<dyn SigningKey>,
    made: Mutex<HashMap<String, Arc<CertifiedKey>>>,
}

/// Certificates cannot be made on this machine.
#[derive(Debug)]
pub struct AuthorityError(String);

impl fmt::Display for AuthorityError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "certificates for the sandbox's websites cannot be made: {}", self.0)
    }
}

impl std::error::Error for AuthorityError {}

impl From<rcgen::Error> for AuthorityError {
    fn from(error: rcgen::Error) -> AuthorityError {
        AuthorityError(error.to_string())
    }
}

impl From<rustls::Error> for AuthorityError {
    fn from(error: rustls::Error) -> AuthorityError {
        AuthorityError(error.to_string())
    }
}

impl fmt::Debug for Authority {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Authority").finish_non_exhaustive()
    }
}

impl fmt::Debug for Certificates {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Certificates").finish_non_exhaustive()
    }
}

impl Authority {
    /// An authority with new keys.
    ///
    /// # Errors
    /// When this machine has no source of random numbers.
    pub fn new() -> Result<Authority, AuthorityError> {
        let (root_key, key) = (KeyPair::generate()?, KeyPair::generate()?);
        let params = root_params();
        let root = params.self_signed(&root_key)?;
        let der = PrivateKeyDer::Pkcs8(PrivatePkcs8KeyDer::from(key.serialize_der()));
        let signing_key = ring::sign::any_supported_type(&der)?;
        let issuer = Issuer::new(params, root_key);
        Ok(Authority {
            root,
            certificates: Arc::new(Certificates { issuer, key, signing_key, made: Mutex::default() }),
        })
    }

    /// Its own certificate, which whoever reads the websites has to trust, in DER form.
    pub fn der(&self) -> &[u8] {
        self.root.der()
    }

    /// The same in PEM form.
    pub fn pem(&self) -> String {
        self.root.pem()
    }

    /// How the websites are served.
    pub(crate) fn server_config(&self) -> Result<ServerConfig, AuthorityError> {
        let builder = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()));
        let builder = builder.with_safe_default_protocol_versions()?.with_no_client_auth();
        let mut config = builder.with_cert_resolver(Arc::clone(&self.certificates) as Arc<dyn ResolvesServerCert>);
        config.alpn_protocols = vec![b"http/1.1".to_vec()];
        Ok(config)
    }
}

/// The authority's own certificate. The constraint keeps whoever trusts it from trusting it for other names.
fn root_params() -> CertificateParams {
    let mut params = CertificateParams::default();
    params.distinguished_name = DistinguishedName::new();
    params.distinguished_name.push(DnType::CommonName, "Canvass sandbox");
    params.is_ca = IsCa::Ca(BasicConstraints::Constrained(0));
    params.key_usages = vec![KeyUsagePurpose::KeyCertSign, KeyUsagePurpose::DigitalSignature];
    let own_names = vec![GeneralSubtree::DnsName(HOST_ENDING.trim_start_matches('.').to_owned())];
    params.name_constraints = Some(NameConstraints { permitted_subtrees: own_names, excluded_subtrees: Vec::new() });
    params
}

impl Certificates {
    /// The certificate of a name.
    fn of(&self, name: &str) -> Option<Arc<CertifiedKey>> {
        let mut made = self.made.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = made.get(name) {
            return Some(Arc::clone(known));
        }
        let certificate = self.sign(name).ok()?;
        let certified = Arc::new(CertifiedKey::new(vec![certificate], Arc::clone(&self.signing_key)));
        if made.len() >= CERTIFICATES_KEPT_MAX {
            made.clear();
        }
        made.insert(name.to_owned(), Arc::clone(&certified));
        Some(certified)
    }

    fn sign(&self, name: &str) -> Result<CertificateDer<'static>, rcgen::Error> {
        let mut params = CertificateParams::new(vec![name.to_owned()])?;
        params.distinguished_name = DistinguishedName::new();
        Ok(params.signed_by(&self.key, &self.issuer)?.der().clone())
    }
}

impl ResolvesServerCert for Certificates {
    fn resolve(&self, hello: ClientHello<'_>) -> Option<Arc<CertifiedKey>> {
        let name = hello.server_name()?.to_ascii_lowercase();
        self.of(&name).filter(|_| name.ends_with(HOST_ENDING))
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use rustls::RootCertStore;
    use rustls::client::WebPkiServerVerifier;
    use rustls::client::danger::ServerCertVerifier;
    use rustls::pki_types::{ServerName, UnixTime};

    use super::*;

    /// In November 2026.
    const NOW: UnixTime = UnixTime::since_unix_epoch(Duration::from_secs(1_794_708_184));

    #[test]
    fn whoever_trusts_the_authority_trusts_it_for_names_under_localhost_only() {
        let authority = Authority::new().unwrap();
        let mut roots = RootCertStore::empty();
        roots.add(CertificateDer::from(authority.der().to_vec())).unwrap();
        let provider = Arc::new(ring::default_provider());
        let verifier = WebPkiServerVerifier::builder_with_provider(Arc::new(roots), provider).build().unwrap();
        for (name, is_trusted) in [("joes-1.localhost", true), ("www.joes-1.localhost", true), ("shop.com", false)] {
            let certified = authority.certificates.of(name).unwrap();
            let of = ServerName::try_from(name).unwrap();
            let verified = verifier.verify_server_cert(&certified.cert[0], &[], &of, &[], NOW);
            assert_eq!(verified.is_ok(), is_trusted, "{name}: {verified:?}");
        }
    }

    #[test]
    fn certificates_are_made_once_and_their_number_is_bounded() {
        let authority = Authority::new().unwrap();
        let first = authority.certificates.of("a-1.localhost").unwrap();
        assert!(Arc::ptr_eq(&first, &authority.certificates.of("a-1.localhost").unwrap()));
        for number in 0..CERTIFICATES_KEPT_MAX {
            authority.certificates.of(&format!("b-{number}.localhost")).unwrap();
        }
        assert!(authority.certificates.made.lock().unwrap().len() <= CERTIFICATES_KEPT_MAX);
        assert!(!Arc::ptr_eq(&first, &authority.certificates.of("a-1.localhost").unwrap()));
    }

    #[test]
    fn every_authority_has_keys_of_its_own() {
        assert_ne!(Authority::new().unwrap().der(), Authority::new().unwrap().der());
        assert!(Authority::new().unwrap().pem().starts_with("-----BEGIN CERTIFICATE-----"));
    }
}
