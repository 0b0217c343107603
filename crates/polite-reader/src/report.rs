//! What a read brings home: the status of the site, its pages, and plain words on what went wrong.

use std::fmt;
use std::time::Duration;

use bytes::Bytes;

use crate::lending::Lent;
use crate::limits::DETAIL_CHARS_MAX;

/// How reading a site ended. The names are those of `site_status`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SiteStatus {
    /// At least the first page was read.
    Ok,
    /// The listing names no website.
    None,
    /// The site asks robots not to read it.
    Robots,
    /// The site turned us away, or put a test for humans in front.
    Blocked,
    /// It did not answer in time.
    Timeout,
    /// The name or the server behind it is gone.
    Dead,
    /// A registrar's or broker's placeholder.
    Parked,
    /// The "website" is a page on a social network, a link collection or a directory.
    SocialOnly,
    /// Anything else: broken answers, bad certificates, addresses we must not visit.
    Error,
}

impl SiteStatus {
    /// The name used in leads and exports.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::None => "none",
            Self::Robots => "robots",
            Self::Blocked => "blocked",
            Self::Timeout => "timeout",
            Self::Dead => "dead",
            Self::Parked => "parked",
            Self::SocialOnly => "social_only",
            Self::Error => "error",
        }
    }
}

impl fmt::Display for SiteStatus {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.as_str())
    }
}

/// Words on what went wrong, short enough to be kept and shown. Addresses are part of them, which may be long.
pub(crate) fn shortened(detail: String) -> String {
    match detail.char_indices().nth(DETAIL_CHARS_MAX) {
        Some((end, _)) => format!("{}...", &detail[..end]),
        None => detail,
    }
}

/// Why a page was chosen; finders trust some pages more than others.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PageKind {
    /// The page the listing points at.
    Home,
    /// How to get in touch.
    Contact,
    /// The legal notice that several countries require.
    Imprint,
    /// The people who work there.
    Team,
    /// The story of the business.
    About,
    /// Appointments and reservations.
    Book,
    /// Ordering online.
    Order,
    /// Branches and opening hours.
    Location,
    /// A tag-manager container.
    Script,
}

/// One page, or one script, as it came over the wire with its compression taken off.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FetchedPage {
    /// Where it was found, after redirects.
    pub url: String,
    /// The `Content-Type` as sent; its charset is the finders' business.
    pub content_type: Option<String>,
    /// The bytes, decompressed and otherwise untouched.
    pub body: Bytes,
    /// Whether there was more than what is in `body`.
    pub cut: bool,
    /// Why it was chosen.
    pub kind: PageKind,
}

/// Everything one read of a site found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SiteReport {
    /// How it ended.
    pub status: SiteStatus,
    /// Where the site was found after redirects, or what was asked for when it was not.
    pub url: String,
    /// The pages read, home first.
    pub pages: Vec<FetchedPage>,
    /// Public tag-manager containers of those pages.
    pub scripts: Vec<FetchedPage>,
    /// Whether every chosen page and container was read, whole. Only such a report may
    /// be compared with an earlier one.
    pub complete: bool,
    /// Whether reading failed through the fault of this machine (suspended again and again, out of sockets), so that
    /// the report says nothing about the site. Read it again later.
    pub interrupted: bool,
    /// Plain words on what went wrong or is missing.
    pub detail: Option<String>,
    /// How long it took, waiting for the host's turn included.
    pub took: Duration,
    /// The memory its pages take, which is the reader's to share out.
    pub(crate) lent: Lent,
}

impl SiteReport {
    /// A report without pages.
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
            lent: Lent::default(),
        }
    }
}
