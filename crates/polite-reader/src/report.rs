//! The result of a read: the status of the site, its pages, and an explanation of what went wrong.

use std::time::Duration;

use bytes::Bytes;

use crate::limits::DETAIL_CHARS_MAX;
use crate::report_budget::ReportShare;

/// How reading a site ended. The names are the values of `site_status`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, strum::Display, strum::IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum SiteStatus {
    /// At least the home page was read.
    Ok,
    /// The listing has no website.
    None,
    /// robots.txt disallows it.
    Robots,
    /// The site refused us or showed a bot challenge.
    Blocked,
    /// It did not answer in time.
    Timeout,
    /// The name or the server is gone.
    Dead,
    /// A registrar's or broker's placeholder.
    Parked,
    /// The "website" is a page on a social network, link collection or directory.
    SocialOnly,
    /// Anything else: invalid responses, bad certificates, addresses that must not be visited.
    Error,
}

impl SiteStatus {
    /// The name used in leads and exports.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        self.into()
    }
}

/// Truncates an explanation to a length that can be stored and shown. It may contain long URLs.
pub(crate) fn shortened(detail: String) -> String {
    match detail.char_indices().nth(DETAIL_CHARS_MAX) {
        Some((end, _)) => format!("{}...", &detail[..end]),
        None => detail,
    }
}

/// Whether a cached report is acceptable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Freshness {
    /// Yes, until it expires.
    Cached,
    /// No: the site is read again and the cached report replaced.
    Fresh,
}

/// Why a page was chosen; some finders trust certain kinds more than others.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PageKind {
    /// The page the listing links to.
    Home,
    /// Contact details.
    Contact,
    /// The legal notice that several countries require.
    Imprint,
    /// The people who work there.
    Team,
    /// The story of the business.
    About,
    /// Appointments and reservations.
    Book,
    /// Online ordering.
    Order,
    /// Branches and opening hours.
    Location,
    /// A tag-manager container.
    Script,
}

/// One page or script, decompressed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FetchedPage {
    /// The URL after redirects.
    pub url: String,
    /// The `Content-Type` as sent; interpreting its charset is up to the caller.
    pub content_type: Option<String>,
    /// The bytes, decompressed and otherwise unchanged.
    pub body: Bytes,
    /// Whether the page was longer than `body`.
    pub cut: bool,
    /// Why it was chosen.
    pub kind: PageKind,
}

/// The result of reading one site.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SiteReport {
    /// How the read ended.
    pub status: SiteStatus,
    /// The site's URL after redirects, or the requested one when the site could not be read.
    pub url: String,
    /// The pages read, home page first.
    pub pages: Vec<FetchedPage>,
    /// Public tag-manager containers loaded by those pages.
    pub scripts: Vec<FetchedPage>,
    /// Whether every chosen page and container was read completely. Only such a report may be compared with an earlier one.
    pub complete: bool,
    /// Whether this machine was at fault (repeatedly suspended, out of sockets), so that the report says nothing about the
    /// site. Read it again later.
    pub interrupted: bool,
    /// What went wrong or is missing, worded for users.
    pub detail: Option<String>,
    /// Duration of the read, including the wait for the host.
    pub took: Duration,
    /// The share of the reader's memory that its pages take.
    pub(crate) share: ReportShare,
}

impl SiteReport {
    /// A report without pages, for sites that could not be read.
    #[must_use]
    pub fn without_pages(status: SiteStatus, url: &str, detail: Option<String>) -> Self {
        Self {
            status,
            url: url.to_owned(),
            pages: Vec::new(),
            scripts: Vec::new(),
            complete: false,
            interrupted: false,
            detail,
            took: Duration::ZERO,
            share: ReportShare::default(),
        }
    }
}
