//! What can go wrong while one URL is asked for, in plain words, and which `site_status` it means.

use url::Url;

use crate::address_guard::Refusal;
use crate::report::SiteStatus;
use crate::social::SocialName;

/// Why a URL could not be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Failure {
    #[error("{0}, so it was not visited")]
    Refused(#[from] Refusal),
    #[error("the name {0} does not exist")]
    NoSuchName(String),
    #[error("DNS gave no answer for {0}")]
    DnsUnavailable(String),
    #[error("the server does not accept connections")]
    Unreachable,
    #[error("this machine found no way to the server")]
    NoRoute,
    #[error("the server did not accept a connection in time")]
    ConnectTimeout,
    #[error("no secure connection: {0}")]
    Tls(String),
    #[error("no secure connection: the server broke off")]
    TlsBrokeOff,
    #[error("this machine could not open a connection: {0}")]
    Local(String),
    #[error("the server did not answer in time")]
    AnswerTimeout,
    #[error("the page did not arrive in time")]
    BodyTimeout,
    #[error("the server closed the connection without an answer")]
    Closed,
    #[error("the answer is not HTTP: {0}")]
    Garbled(String),
    #[error("it answered with status {0}")]
    Status(u16),
    #[error("it redirects more often than we follow")]
    TooManyRedirects,
    #[error("it redirects to an address that cannot be read")]
    RedirectNowhere,
    #[error("it redirects to a page on {0}")]
    RedirectToSocial(SocialName, Url),
    #[error("robots.txt asks not to read {0}")]
    Disallowed(String),
    #[error("robots.txt answered with status {0}, which means that nothing may be read")]
    RobotsUnavailable(u16),
    #[error("robots.txt has more rules than there is memory for, so nothing was read")]
    RobotsTooLong,
    #[error("robots.txt broke off, so nothing was read")]
    RobotsBrokeOff,
    #[error("it is {0}, not a web page")]
    NotHtml(String),
    #[error("it is compressed in a way we did not ask for ({0})")]
    Encoding(String),
    #[error("its compressed body is damaged")]
    Damaged,
    #[error("there was no memory to look at the links of the first page")]
    NoRoomForLinks,
    #[error("it is empty")]
    Empty,
}

impl Failure {
    /// What the site's status is when its first page fails like this.
    pub(crate) fn site_status(&self) -> SiteStatus {
        match self {
            Self::NoSuchName(_) | Self::Unreachable | Self::Status(404 | 410) => SiteStatus::Dead,
            Self::ConnectTimeout | Self::AnswerTimeout | Self::BodyTimeout => SiteStatus::Timeout,
            Self::Disallowed(_) | Self::RobotsUnavailable(_) | Self::RobotsTooLong => SiteStatus::Robots,
            Self::Status(401 | 403 | 407 | 429 | 451) => SiteStatus::Blocked,
            Self::RedirectToSocial(..) => SiteStatus::SocialOnly,
            _ => SiteStatus::Error,
        }
    }

    /// Whether another way to the same site (plain HTTP, with or without `www`) may still work.
    pub(crate) fn leaves_other_ways(&self) -> bool {
        matches!(
            self,
            Self::NoSuchName(_)
                | Self::Unreachable
                | Self::NoRoute
                | Self::ConnectTimeout
                | Self::Tls(_)
                | Self::TlsBrokeOff
                | Self::Closed
                | Self::Garbled(_)
        )
    }

    /// Whether it failed before any server heard of us, so that no gap needs to be kept.
    pub(crate) fn reached_nobody(&self) -> bool {
        matches!(
            self,
            Self::Refused(_)
                | Self::NoSuchName(_)
                | Self::DnsUnavailable(_)
                | Self::Unreachable
                | Self::NoRoute
                | Self::Local(_)
                | Self::ConnectTimeout
        )
    }

    /// Whether the same request may succeed on a new connection right away.
    pub(crate) fn is_transient_at_once(&self) -> bool {
        matches!(self, Self::Closed | Self::DnsUnavailable(_))
    }

    /// Whether the server took the connection and then kept us waiting.
    pub(crate) fn is_slow_answer(&self) -> bool {
        matches!(self, Self::AnswerTimeout | Self::BodyTimeout)
    }

    /// Whether no connection came about, although one may in a moment. Tried again once every way has been tried.
    pub(crate) fn is_connection_trouble(&self) -> bool {
        matches!(self, Self::Unreachable | Self::NoRoute | Self::Local(_) | Self::ConnectTimeout | Self::TlsBrokeOff)
    }

    /// Whether the same read may end otherwise at another time, so that its result must not be kept.
    pub(crate) fn is_transient(&self) -> bool {
        self.is_transient_at_once()
            || self.is_slow_answer()
            || self.is_connection_trouble()
            || matches!(
                self,
                Self::Status(429 | 500..=599)
                    | Self::RobotsUnavailable(_)
                    | Self::RobotsBrokeOff
                    | Self::NoRoomForLinks
            )
    }

    /// Whether this machine is at fault: the failure says nothing about the site.
    pub(crate) fn is_local(&self) -> bool {
        matches!(self, Self::Local(_) | Self::NoRoomForLinks)
    }
}
