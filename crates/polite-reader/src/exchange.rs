//! One question and its answer over an open connection: the request we send, the checks on the
//! response head, and the body read under its limits.

use std::time::Duration;

use bytes::Bytes;
use http::header::{
    ACCEPT, ACCEPT_ENCODING, ACCEPT_LANGUAGE, CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_TYPE, HOST, HeaderName,
    LOCATION, USER_AGENT,
};
use http::{HeaderMap, HeaderValue, Request, StatusCode};
use http_body_util::{BodyExt, Empty};
use hyper::body::{Body, Incoming};
use tokio::sync::Semaphore;
use tokio::time::timeout;
use url::{Position, Url};

use crate::connect::Connection;
use crate::decode::{Encoding, Ending, Packed};
use crate::failure::Failure;
use crate::limits::{CONTENT_TYPE_CHARS_MAX, DRAINED_BYTES_MAX, ROBOTS_BYTES_MAX, URL_CHARS_MAX};
use crate::memory::Hold;
use crate::retry::retry_after;
use crate::settings::{Identity, ReaderSettings};
use crate::wire::{Fit, Wire};

/// What a URL is asked for, which decides what answer is taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Want {
    Page,
    Robots,
    Script,
}

/// An answer. `body` is empty unless the status is a success.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: StatusCode,
    pub(crate) location: Option<String>,
    pub(crate) retry_after: Option<Duration>,
    pub(crate) content_type: Option<String>,
    pub(crate) body: Packed,
}

/// What an exchange needs besides the connection and the question.
pub(crate) struct Terms<'r> {
    pub(crate) settings: &'r ReaderSettings,
    pub(crate) identity: &'r Identity,
    /// Who may take in a body now.
    pub(crate) bodies: &'r Semaphore,
}

impl Terms<'_> {
    /// Asks for a URL and reads the answer. The connection is usable again only when it says so.
    pub(crate) async fn ask(
        &self,
        connection: &mut Connection,
        question: (&Url, Want),
        hold: &mut Hold,
    ) -> Result<Answer, Failure> {
        let (url, want) = question;
        let request = self.request(url, want)?;
        let sent = timeout(self.settings.first_byte_deadline, async {
            connection.sender.ready().await?;
            connection.sender.send_request(request).await
        });
        let response = sent.await.map_err(|_| Failure::AnswerTimeout)?.map_err(|error| http_failure(&error))?;
        let (head, body) = response.into_parts();
        let mut answer = Answer {
            status: head.status,
            location: field(&head.headers, LOCATION, URL_CHARS_MAX + 1),
            retry_after: retry_after(&head.headers),
            content_type: field(&head.headers, CONTENT_TYPE, CONTENT_TYPE_CHARS_MAX),
            body: Packed::default(),
        };
        if !head.status.is_success() {
            drain(body, &head.headers, self.settings.body_deadline).await;
            return Ok(answer);
        }
        check_type(answer.content_type.as_deref(), want)?;
        let encoding =
            Encoding::parse(&field(&head.headers, CONTENT_ENCODING, CONTENT_TYPE_CHARS_MAX).unwrap_or_default())?;
        answer.body = self.read(body, (encoding, want), hold).await?;
        Ok(answer)
    }

    fn request(&self, url: &Url, want: Want) -> Result<Request<Empty<Bytes>>, Failure> {
        let accept = match want {
            Want::Page => "text/html,application/xhtml+xml;q=0.9,*/*;q=0.1",
            Want::Robots => "text/plain,*/*;q=0.1",
            Want::Script => "*/*",
        };
        let host = HeaderValue::from_str(&url[Position::BeforeHost..Position::AfterPort]);
        let request = Request::get(&url[Position::BeforePath..Position::AfterQuery])
            .header(HOST, host.map_err(|_| Failure::RedirectNowhere)?)
            .header(USER_AGENT, self.identity.header.clone())
            .header(ACCEPT, HeaderValue::from_static(accept))
            .header(ACCEPT_ENCODING, HeaderValue::from_static("gzip"))
            .header(ACCEPT_LANGUAGE, HeaderValue::from_static("en,*;q=0.5"));
        request.body(Empty::new()).map_err(|_| Failure::RedirectNowhere)
    }

    /// Reads a body as it comes, up to the limit.
    async fn read(&self, body: Incoming, what: (Encoding, Want), hold: &mut Hold) -> Result<Packed, Failure> {
        let (encoding, want) = what;
        let limit = match want {
            Want::Robots => ROBOTS_BYTES_MAX,
            Want::Page | Want::Script => self.settings.page_bytes_max,
        };
        // What waits here waits in the kernel's buffers. Whoever is let in waits for nobody else.
        let _let_in = self.bodies.acquire().await.map_err(|_| Failure::Closed)?;
        let mut wire = Wire::new(limit);
        let ended = timeout(self.settings.body_deadline, read_wire(body, &mut wire, hold)).await;
        // A body that breaks off, or takes too long, is kept as far as it came: half a page still says something.
        let ending = match ended {
            Ok(Ok(Fit::Whole)) => Ending::Whole,
            Ok(Ok(Fit::Cut)) if wire.len() >= limit => Ending::AtLimit,
            Ok(Ok(Fit::Cut)) => Ending::OutOfMemory,
            Ok(Err(_)) | Err(_) => Ending::BrokeOff,
        };
        if wire.len() == 0 && ending != Ending::Whole {
            return Err(ended.unwrap_or(Err(Failure::BodyTimeout)).err().unwrap_or(Failure::Empty));
        }
        let (body, paid) = wire.finish();
        hold.return_bytes(paid.saturating_sub(body.len()));
        Ok(Packed::new(body, encoding, limit).ended(ending))
    }
}

/// Reads the bytes as sent until the end, or until no more fits.
async fn read_wire(mut body: Incoming, wire: &mut Wire, hold: &mut Hold) -> Result<Fit, Failure> {
    while let Some(frame) = body.frame().await {
        let Ok(piece) = frame.map_err(|error| http_failure(&error))?.into_data() else { continue };
        let to_come = usize::try_from(body.size_hint().lower()).unwrap_or(usize::MAX);
        if wire.add(&piece, to_come, hold) == Fit::Cut {
            return Ok(Fit::Cut);
        }
    }
    Ok(Fit::Whole)
}

/// Reads away a small unwanted body so that the connection can be used again.
async fn drain(mut body: Incoming, headers: &HeaderMap, deadline: Duration) {
    let announced =
        field(headers, CONTENT_LENGTH, CONTENT_TYPE_CHARS_MAX).and_then(|length| length.parse::<u64>().ok());
    if announced.is_some_and(|length| length <= DRAINED_BYTES_MAX) {
        let _ = timeout(deadline, async { while let Some(Ok(_)) = body.frame().await {} }).await;
    }
}

/// A header's value, `chars_max` characters of it at most: what is kept with a page must not be as long as a page.
fn field(headers: &HeaderMap, name: HeaderName, chars_max: usize) -> Option<String> {
    let value = headers.get(name)?;
    // Locations in the wild are UTF-8, or worse.
    Some(String::from_utf8_lossy(value.as_bytes()).trim().chars().take(chars_max).collect())
}

/// Pages must be HTML; a missing type is taken for HTML, as browsers would find out.
fn check_type(content_type: Option<&str>, want: Want) -> Result<(), Failure> {
    let Some(content_type) = content_type else { return Ok(()) };
    let essence = content_type.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    let fits = match want {
        Want::Page => matches!(essence.as_str(), "" | "text/html" | "application/xhtml+xml"),
        Want::Script => essence.contains("javascript") || essence.contains("ecmascript"),
        Want::Robots => true,
    };
    if fits { Ok(()) } else { Err(Failure::NotHtml(essence.chars().take(60).collect())) }
}

fn http_failure(error: &hyper::Error) -> Failure {
    if error.is_parse() {
        return Failure::Garbled(error.to_string().chars().take(120).collect());
    }
    Failure::Closed
}
