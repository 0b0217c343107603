//! What is requested and what comes back: the types shared by everything that fetches.

use std::time::Duration;

use http::StatusCode;
use url::Url;

use crate::decompress::CompressedBody;

/// What is being requested, which decides the acceptable response.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ResourceKind {
    Page,
    Robots,
    Script,
}

/// What to request.
#[derive(Debug, Clone, Copy)]
pub(crate) struct FetchRequest<'u> {
    pub(crate) url: &'u Url,
    pub(crate) kind: ResourceKind,
}

/// A response. `body` is empty unless the status is a success.
#[derive(Debug)]
pub(crate) struct FetchResponse {
    pub(crate) status: StatusCode,
    pub(crate) location: Option<String>,
    pub(crate) retry_after: Option<Duration>,
    pub(crate) content_type: Option<String>,
    pub(crate) body: CompressedBody,
}
