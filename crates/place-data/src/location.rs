//! Where place data lies: a folder of this machine, a bucket of an object store, or a web server.

use std::sync::Arc;
use std::time::Duration;

use object_store::aws::AmazonS3Builder;
use object_store::azure::MicrosoftAzureBuilder;
use object_store::http::HttpBuilder;
use object_store::local::LocalFileSystem;
use object_store::path::Path;
use object_store::{BackoffConfig, ClientOptions, ObjectStore, RetryConfig};
use url::Url;

use crate::Error;

/// The region of Overture's own bucket.
const REGION: &str = "us-west-2";
/// Time for a connection.
const CONNECT_TIME_MAX: Duration = Duration::from_secs(3);
/// Time between two pieces of a response.
const SILENCE_MAX: Duration = Duration::from_secs(8);
/// Time for a whole response.
const RESPONSE_TIME_MAX: Duration = Duration::from_secs(90);
/// With the time of each attempt, a dead host is given up within ten seconds.
const RETRIES_MAX: usize = 2;

/// An address of place data, and how to get there.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Location {
    /// A folder or a file, `s3://bucket/folder`, `https://account.blob.core.windows.net/container/folder` or the same with
    /// `az://`, or the address of a folder on a web server.
    pub address: String,
    /// Another server than Amazon's for `s3://`, or Microsoft's for Azure: `http://127.0.0.1:9000`.
    pub endpoint: Option<String>,
    /// The region of a bucket; that of Overture's unless given.
    pub region: Option<String>,
    /// A proxy for requests to other machines: `http://proxy.example:3128`.
    pub proxy: Option<String>,
}

/// An opened location.
#[derive(Clone, Debug)]
pub struct Folder {
    /// Where its files are read from.
    pub store: Arc<dyn ObjectStore>,
    /// The folder, or the single file, within the store.
    pub path: Path,
    /// Whether it lies on this machine, so that a request costs next to nothing.
    pub near: bool,
    /// What precedes a path in messages, so that they show whole addresses.
    pub(crate) prefix: String,
}

impl Folder {
    /// A folder within this one.
    #[must_use]
    pub fn below(&self, name: &str) -> Folder {
        let path =
            name.split('/').filter(|part| !part.is_empty()).fold(self.path.clone(), |path, part| path.join(part));
        Folder { path, ..self.clone() }
    }

    /// Its whole address, for messages.
    pub fn address(&self) -> String {
        format!("{}{}", self.prefix, self.path)
    }
}

impl Location {
    /// A location without further settings.
    pub fn at(address: impl Into<String>) -> Location {
        Location { address: address.into(), ..Location::default() }
    }

    /// The same settings with another address.
    #[must_use]
    pub fn with_address(&self, address: impl Into<String>) -> Location {
        Location { address: address.into(), ..self.clone() }
    }

    /// Opens the location. Nothing is requested from other machines yet.
    pub fn open(&self) -> Result<Folder, Error> {
        let address = self.address.trim();
        let Some((scheme, rest)) = address.split_once("://") else { return local(address) };
        match scheme {
            "file" => local(
                &Url::parse(address)
                    .ok()
                    .and_then(|url| url.to_file_path().ok())
                    .map_or_else(|| rest.to_owned(), |path| path.display().to_string()),
            ),
            "s3" | "s3a" => self.s3(),
            "az" | "azure" | "abfs" | "abfss" | "wasb" | "wasbs" => self.azure(),
            "http" | "https" => match self.url()?.host_str().unwrap_or_default() {
                host if host.ends_with(".blob.core.windows.net") => self.azure(),
                host if host.ends_with(".amazonaws.com") && scheme == "https" => self.s3(),
                _ => self.web(),
            },
            _ => Err(self.refused("the address must be a folder, or begin with s3://, az://, https:// or http://")),
        }
    }

    fn url(&self) -> Result<Url, Error> {
        Url::parse(self.address.trim()).map_err(|error| self.refused(format!("it is not an address ({error})")))
    }

    fn refused(&self, problem: impl Into<String>) -> Error {
        Error::malformed(self.address.clone(), problem)
    }

    fn s3(&self) -> Result<Folder, Error> {
        let url = self.url()?;
        let mut path = parts(&url);
        let host = url.host_str().unwrap_or_default();
        let bucket = match (url.scheme(), host.split_once(".s3.").or_else(|| host.split_once(".s3-"))) {
            ("https", Some((bucket, _))) => bucket.to_owned(),
            // https://s3.REGION.amazonaws.com/BUCKET/..
            ("https", None) if path.is_empty() => return Err(self.refused("it names no bucket")),
            ("https", None) => path.remove(0),
            _ => host.to_owned(),
        };
        let builder = AmazonS3Builder::new()
            .with_url(self.address.trim())
            .with_bucket_name(&bucket)
            .with_region(self.region.as_deref().unwrap_or(REGION))
            .with_skip_signature(true)
            .with_retry(retries())
            .with_client_options(self.client());
        let builder = match &self.endpoint {
            Some(endpoint) => {
                builder.with_endpoint(endpoint.trim_end_matches('/')).with_virtual_hosted_style_request(false)
            }
            None => builder,
        };
        let store = self.built(|| builder.build())?;
        let server = self.endpoint.as_ref().map(|endpoint| format!(" at {endpoint}")).unwrap_or_default();
        self.far(Arc::new(store), &path, format!("s3://{bucket}{server}/"))
    }

    fn azure(&self) -> Result<Folder, Error> {
        let url = self.url()?;
        let host = url.host_str().unwrap_or_default();
        let mut path = parts(&url);
        let account = host.split_once('.').map(|(account, _)| account.to_owned());
        let container = match (url.username(), &account) {
            // wasbs://CONTAINER@ACCOUNT.blob.core.windows.net/..
            (container, _) if !container.is_empty() => container.to_owned(),
            // az://CONTAINER/..
            (_, None) => host.to_owned(),
            _ if path.is_empty() => return Err(self.refused("it names no container")),
            _ => path.remove(0),
        };
        let Some(account) = account.or_else(|| self.endpoint.as_ref().map(|_| "local".to_owned())) else {
            return Err(self.refused("it names no account: az://ACCOUNT.blob.core.windows.net/CONTAINER/FOLDER"));
        };
        let builder = MicrosoftAzureBuilder::new()
            .with_account(&account)
            .with_container_name(&container)
            .with_skip_signature(true)
            .with_retry(retries())
            .with_client_options(self.client());
        let builder = match &self.endpoint {
            Some(endpoint) => builder.with_endpoint(endpoint.trim_end_matches('/').to_owned()),
            None => builder,
        };
        let store = self.built(|| builder.build())?;
        self.far(Arc::new(store), &path, format!("az://{account}.blob.core.windows.net/{container}/"))
    }

    fn web(&self) -> Result<Folder, Error> {
        let url = self.url()?;
        let root = url.origin().ascii_serialization();
        let builder = HttpBuilder::new().with_url(&root).with_retry(retries()).with_client_options(self.client());
        let store = self.built(|| builder.build())?;
        self.far(Arc::new(store), &parts(&url), format!("{root}/"))
    }

    fn far(&self, store: Arc<dyn ObjectStore>, path: &[String], prefix: String) -> Result<Folder, Error> {
        let path = Path::parse(path.join("/")).map_err(|error| self.refused(error.to_string()))?;
        Ok(Folder { store, path, near: false, prefix })
    }

    fn client(&self) -> ClientOptions {
        let options = ClientOptions::new()
            .with_connect_timeout(CONNECT_TIME_MAX)
            .with_read_timeout(SILENCE_MAX)
            .with_timeout(RESPONSE_TIME_MAX)
            // Whoever names a server without TLS means it.
            .with_allow_http(true);
        match &self.proxy {
            Some(proxy) => options.with_proxy_url(proxy),
            None => options,
        }
    }

    fn built<T>(&self, build: impl FnOnce() -> object_store::Result<T>) -> Result<T, Error> {
        // Its clients need a provider of cryptography. Only the first call takes effect.
        let _ = rustls::crypto::ring::default_provider().install_default();
        build().map_err(|error| self.refused(error.to_string()))
    }
}

/// The parts of an address's path, decoded.
fn parts(url: &Url) -> Vec<String> {
    let decoded = |part: &str| percent_encoding::percent_decode_str(part).decode_utf8_lossy().into_owned();
    url.path_segments().into_iter().flatten().filter(|part| !part.is_empty()).map(decoded).collect()
}

fn local(address: &str) -> Result<Folder, Error> {
    let given = std::path::Path::new(address);
    let whole = std::path::absolute(given).and_then(std::fs::canonicalize).map_err(Error::io(given))?;
    let (root, file) = match (whole.is_file(), whole.parent(), whole.file_name()) {
        (true, Some(folder), Some(file)) => (folder, file.to_str()),
        _ => (whole.as_path(), None),
    };
    let refused = |error: String| Error::malformed(address, error);
    let store = LocalFileSystem::new_with_prefix(root).map_err(|error| refused(error.to_string()))?;
    let path = Path::parse(file.unwrap_or_default()).map_err(|error| refused(error.to_string()))?;
    Ok(Folder { store: Arc::new(store), path, near: true, prefix: format!("{}/", root.display()) })
}

fn retries() -> RetryConfig {
    let backoff =
        BackoffConfig { init_backoff: Duration::from_millis(100), max_backoff: Duration::from_secs(1), base: 2.0 };
    RetryConfig { backoff, max_retries: RETRIES_MAX, retry_timeout: SILENCE_MAX }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_name_a_store_and_a_folder_in_it() {
        let cases = [
            ("s3://bucket/release/2026-10-21.0/", "s3://bucket/", "release/2026-10-21.0"),
            ("https://bucket.s3.us-west-2.amazonaws.com/release", "s3://bucket/", "release"),
            ("https://s3.us-west-2.amazonaws.com/bucket/release", "s3://bucket/", "release"),
            (
                "https://acc.blob.core.windows.net/box/theme%3Dplaces",
                "az://acc.blob.core.windows.net/box/",
                "theme=places",
            ),
            ("wasbs://box@acc.blob.core.windows.net/2026", "az://acc.blob.core.windows.net/box/", "2026"),
            ("az://acc.blob.core.windows.net/box", "az://acc.blob.core.windows.net/box/", ""),
            ("http://mirror.example:8080/a/b/", "http://mirror.example:8080/", "a/b"),
        ];
        for (address, prefix, path) in cases {
            let folder = Location::at(address).open().unwrap();
            assert_eq!((folder.prefix.as_str(), folder.path.as_ref(), folder.near), (prefix, path, false), "{address}");
        }
    }

    #[test]
    fn what_is_no_address_is_refused_with_a_reason() {
        for (address, reason) in
            [("ftp://x/y", "begin with s3://"), ("az://box/y", "names no account"), ("/no/such/folder", "No such file")]
        {
            let error = Location::at(address).open().unwrap_err().to_string();
            assert!(error.starts_with(address) && error.contains(reason), "{error}");
        }
    }
}
