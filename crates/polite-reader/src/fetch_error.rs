//! Errors of fetching one URL, worded for users, and the `site_status` each one means.

use url::Url;

use crate::address_guard::Refusal;
use crate::report::SiteStatus;
use crate::social::SocialName;

/// Why a URL could not be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum FetchError {
    #[error("{0}, so it was not visited")]
    Refused(#[from] Refusal),
    #[error("the name {0} does not exist")]
    NoSuchName(String),
    #[error("DNS did not answer for {0}")]
    DnsUnavailable(String),
    #[error("the server does not accept connections")]
    Unreachable,
    #[error("this machine has no route to the server")]
    NoRoute,
    #[error("the server did not accept a connection in time")]
    ConnectTimeout,
    #[error("no secure connection: {0}")]
    Tls(String),
    #[error("no secure connection: the server closed the connection")]
    TlsBrokeOff,
    #[error("this machine could not open a connection: {0}")]
    Local(String),
    #[error("the server did not answer in time")]
    AnswerTimeout,
    #[error("the page did not arrive in time")]
    BodyTimeout,
    #[error("the server closed the connection without an answer")]
    Closed,
    #[error("the response is not valid HTTP: {0}")]
    Garbled(String),
    #[error("it answered with status {0}")]
    Status(u16),
    #[error("it redirects too many times")]
    TooManyRedirects,
    #[error("it redirects to an invalid address")]
    RedirectNowhere,
    #[error("it redirects to a page on {0}")]
    RedirectToSocial(SocialName, Url),
    #[error("robots.txt disallows {0}")]
    Disallowed(String),
    #[error("robots.txt answered with status {0}, so nothing may be read")]
    RobotsUnavailable(u16),
    #[error("robots.txt has too many rules to keep in memory, so nothing was read")]
    RobotsTooLong,
    #[error("robots.txt was truncated, so nothing was read")]
    RobotsBrokeOff,
    #[error("it is {0}, not a web page")]
    NotHtml(String),
    #[error("its compression is not supported ({0})")]
    ContentEncoding(String),
    #[error("its compressed body is damaged")]
    Damaged,
    #[error("there was too little memory to examine all links of the first page")]
    NoRoomForLinks,
    #[error("it is empty")]
    Empty,
}

impl FetchError {
    /// The status of a site whose first page fails with this error.
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

    /// Whether another start URL of the same site (plain HTTP, with or without `www`) may still work.
    pub(crate) fn may_try_other_urls(&self) -> bool {
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

    /// Whether it failed before any server was contacted, so that no gap is needed.
    pub(crate) fn precedes_contact(&self) -> bool {
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

    /// Whether the same request may succeed immediately on a new connection.
    pub(crate) fn is_retryable_at_once(&self) -> bool {
        matches!(self, Self::Closed | Self::DnsUnavailable(_))
    }

    /// Whether the server accepted the connection and then took too long.
    pub(crate) fn is_slow_answer(&self) -> bool {
        matches!(self, Self::AnswerTimeout | Self::BodyTimeout)
    }

    /// Whether no connection was established, although one may be soon. Retried after all start URLs have been tried.
    pub(crate) fn is_connection_error(&self) -> bool {
        matches!(self, Self::Unreachable | Self::NoRoute | Self::Local(_) | Self::ConnectTimeout | Self::TlsBrokeOff)
    }

    /// Whether the same read may end differently at another time, so that its result must not be cached.
    pub(crate) fn is_transient(&self) -> bool {
        self.is_retryable_at_once()
            || self.is_slow_answer()
            || self.is_connection_error()
            || matches!(
                self,
                Self::Status(429 | 500..=599)
                    | Self::RobotsUnavailable(_)
                    | Self::RobotsBrokeOff
                    | Self::NoRoomForLinks
            )
    }

    /// Whether this machine is at fault, so that the error says nothing about the site.
    pub(crate) fn is_local(&self) -> bool {
        matches!(self, Self::Local(_))
    }
}
