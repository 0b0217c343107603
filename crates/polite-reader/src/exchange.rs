//! One request and its response over an open connection: building the request, checking the response head, and reading the
//! body within its limits.

use std::time::Duration;

use bytes::Bytes;
use http::header::{
    ACCEPT, ACCEPT_ENCODING, ACCEPT_LANGUAGE, CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_TYPE, HOST, HeaderName,
    LOCATION, USER_AGENT,
};
use http::{HeaderMap, HeaderValue, Request, Version};
use http_body_util::{BodyExt, Empty};
use hyper::body::{Body, Incoming};
use tokio::sync::Semaphore;
use tokio::time::timeout;
use url::{Position, Url};

use crate::body::{BodyBuffer, Fit};
use crate::connection::Connection;
use crate::decompress::{BodyEnd, CompressedBody, ContentEncoding};
use crate::fetch::{FetchRequest, FetchResponse, ResourceKind};
use crate::fetch_error::FetchError;
use crate::limits::{CONTENT_TYPE_CHARS_MAX, DRAINED_BYTES_MAX, ROBOTS_BYTES_MAX, URL_CHARS_MAX};
use crate::memory::MemoryReservation;
use crate::retry::retry_after;
use crate::settings::{Identity, ReaderSettings};

/// What is known about a body before it is read.
struct DeclaredBody {
    encoding: ContentEncoding,
    kind: ResourceKind,
}

/// Everything an exchange needs besides the connection and the request.
pub(crate) struct Exchange<'r> {
    pub(crate) settings: &'r ReaderSettings,
    pub(crate) identity: &'r Identity,
    /// Limits how many bodies are received at once.
    pub(crate) bodies: &'r Semaphore,
}

impl Exchange<'_> {
    /// Sends a request and reads the response. The caller may reuse the connection only after a complete body.
    pub(crate) async fn send(
        &self,
        connection: &mut Connection,
        request: FetchRequest<'_>,
        reservation: &mut MemoryReservation,
    ) -> Result<FetchResponse, FetchError> {
        let FetchRequest { url, kind } = request;
        let request = self.request(url, kind, connection.version())?;
        let sent = timeout(self.settings.first_byte_deadline, connection.send(request));
        let response = sent.await.map_err(|_| FetchError::AnswerTimeout)?.map_err(|error| http_failure(&error))?;
        let (head, body) = response.into_parts();
        let mut answer = FetchResponse {
            status: head.status,
            location: field(&head.headers, LOCATION, URL_CHARS_MAX + 1),
            retry_after: retry_after(&head.headers),
            content_type: field(&head.headers, CONTENT_TYPE, CONTENT_TYPE_CHARS_MAX),
            body: CompressedBody::default(),
        };
        if !head.status.is_success() {
            drain(body, &head.headers, self.settings.body_deadline).await;
            return Ok(answer);
        }
        check_type(answer.content_type.as_deref(), kind)?;
        let encoding = ContentEncoding::parse(
            &field(&head.headers, CONTENT_ENCODING, CONTENT_TYPE_CHARS_MAX).unwrap_or_default(),
        )?;
        answer.body = self.read(body, DeclaredBody { encoding, kind }, reservation).await?;
        Ok(answer)
    }

    fn request(&self, url: &Url, kind: ResourceKind, version: Version) -> Result<Request<Empty<Bytes>>, FetchError> {
        let accept = match kind {
            ResourceKind::Page => "text/html,application/xhtml+xml;q=0.9,*/*;q=0.1",
            ResourceKind::Robots => "text/plain,*/*;q=0.1",
            ResourceKind::Script => "*/*",
        };
        let authority = &url[Position::BeforeHost..Position::AfterPort];
        let path = &url[Position::BeforePath..Position::AfterQuery];
        // HTTP/2 has the host in the address.
        let request = match version {
            Version::HTTP_2 => Request::get(format!("{}://{authority}{path}", url.scheme())),
            _ => Request::get(path).header(HOST, authority),
        };
        let request = request
            .header(USER_AGENT, self.identity.header.clone())
            .header(ACCEPT, HeaderValue::from_static(accept))
            .header(ACCEPT_ENCODING, HeaderValue::from_static("gzip"))
            .header(ACCEPT_LANGUAGE, HeaderValue::from_static("en,*;q=0.5"));
        request.body(Empty::new()).map_err(|_| FetchError::RedirectNowhere)
    }

    /// Reads a body up to its limit.
    async fn read(
        &self,
        body: Incoming,
        declared: DeclaredBody,
        reservation: &mut MemoryReservation,
    ) -> Result<CompressedBody, FetchError> {
        let DeclaredBody { encoding, kind } = declared;
        let limit = match kind {
            ResourceKind::Robots => ROBOTS_BYTES_MAX,
            ResourceKind::Page | ResourceKind::Script => self.settings.page_bytes_max,
        };
        // Bodies wait here in the kernel's buffers. Once admitted, a body waits for no other.
        let _permit = self.bodies.acquire().await.map_err(|_| FetchError::Closed)?;
        let mut buffer = BodyBuffer::new(limit);
        let ended = timeout(self.settings.body_deadline, read_body(body, &mut buffer, reservation)).await;
        // A body that breaks off or takes too long is kept: half a page is still useful.
        let ending = match ended {
            Ok(Ok(Fit::Whole)) => BodyEnd::Whole,
            Ok(Ok(Fit::Cut)) if buffer.len() >= limit => BodyEnd::AtLimit,
            Ok(Ok(Fit::Cut)) => BodyEnd::OutOfMemory,
            Ok(Err(_)) | Err(_) => BodyEnd::BrokeOff,
        };
        if buffer.len() == 0 && ending != BodyEnd::Whole {
            return Err(ended.unwrap_or(Err(FetchError::BodyTimeout)).err().unwrap_or(FetchError::Empty));
        }
        if ending == BodyEnd::OutOfMemory {
            reservation.record_shortage();
        }
        let (body, paid) = buffer.finish();
        reservation.return_bytes(paid.saturating_sub(body.len()));
        Ok(CompressedBody::new(body, encoding, limit).ended(ending))
    }
}

/// Reads the body until its end, or until no more fits.
async fn read_body(
    mut body: Incoming,
    buffer: &mut BodyBuffer,
    reservation: &mut MemoryReservation,
) -> Result<Fit, FetchError> {
    while let Some(frame) = body.frame().await {
        let Ok(chunk) = frame.map_err(|error| http_failure(&error))?.into_data() else { continue };
        let to_come = usize::try_from(body.size_hint().lower()).unwrap_or(usize::MAX);
        if buffer.add(&chunk, to_come, reservation) == Fit::Cut {
            return Ok(Fit::Cut);
        }
    }
    Ok(Fit::Whole)
}

/// Reads and discards a small unwanted body so that the connection can be reused.
async fn drain(mut body: Incoming, headers: &HeaderMap, deadline: Duration) {
    let announced =
        field(headers, CONTENT_LENGTH, CONTENT_TYPE_CHARS_MAX).and_then(|length| length.parse::<u64>().ok());
    if announced.is_some_and(|length| length <= DRAINED_BYTES_MAX) {
        let _ = timeout(deadline, async { while let Some(Ok(_)) = body.frame().await {} }).await;
    }
}

/// A header's value, truncated to `chars_max`: what is kept with a page must not be as long as a page.
fn field(headers: &HeaderMap, name: HeaderName, chars_max: usize) -> Option<String> {
    let value = headers.get(name)?;
    // `Location` headers on the web are UTF-8 or worse.
    Some(String::from_utf8_lossy(value.as_bytes()).trim().chars().take(chars_max).collect())
}

/// Pages must be HTML. A missing type is treated as HTML, as browsers would find out.
fn check_type(content_type: Option<&str>, kind: ResourceKind) -> Result<(), FetchError> {
    let Some(content_type) = content_type else { return Ok(()) };
    let essence = content_type.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    let fits = match kind {
        ResourceKind::Page => matches!(essence.as_str(), "" | "text/html" | "application/xhtml+xml"),
        ResourceKind::Script => essence.contains("javascript") || essence.contains("ecmascript"),
        ResourceKind::Robots => true,
    };
    if fits { Ok(()) } else { Err(FetchError::NotHtml(essence.chars().take(60).collect())) }
}

fn http_failure(error: &hyper::Error) -> FetchError {
    if error.is_parse() {
        return FetchError::Garbled(error.to_string().chars().take(120).collect());
    }
    FetchError::Closed
}
