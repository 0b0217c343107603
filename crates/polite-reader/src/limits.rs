//! Every limit that is not a setting, in one place, with its unit last. What an operator
//! may want to change is in [`crate::ReaderSettings`].

use std::time::Duration;

/// Characters of a listing's website field that are looked at.
pub(crate) const LISTING_CHARS_MAX: usize = 2_048;

/// Characters of any URL we are willing to ask for.
pub(crate) const URL_CHARS_MAX: usize = 2_048;

/// Redirects followed for one page.
pub(crate) const REDIRECTS_MAX: usize = 6;

/// Redirects followed for a `robots.txt`, as RFC 9309 asks ("at least five").
pub(crate) const ROBOTS_REDIRECTS_MAX: usize = 5;

/// Bytes of a `robots.txt` that are read; RFC 9309 asks for at least 500 KiB.
pub(crate) const ROBOTS_BYTES_MAX: usize = 512 * 1024;

/// Weight all remembered `robots.txt` rules may have together, in bytes of their files.
pub(crate) const ROBOTS_KEPT_BYTES_MAX: usize = 4 * 1024 * 1024;

/// Longest crawl-delay that is obeyed to the letter; longer ones mean this much and fewer pages.
pub(crate) const CRAWL_DELAY_MAX: Duration = Duration::from_secs(10);

/// Longest gap back-off may stretch a host's own gap to.
pub(crate) const BACKED_OFF_GAP_MAX: Duration = Duration::from_secs(20);

/// Bytes of one response's head, and of hyper's read buffer.
pub(crate) const RESPONSE_HEAD_BYTES_MAX: usize = 64 * 1024;

/// Bytes of an unwanted body (a redirect's, an error's) read to keep the connection usable.
pub(crate) const DRAINED_BYTES_MAX: u64 = 16 * 1024;

/// Bytes one site takes besides its pages: the connection's buffers and task, the state of the visit.
pub(crate) const SITE_OVERHEAD_BYTES: usize = 40 * 1024;

/// Bytes set aside in memory for one site before its first page is asked for, at least.
pub(crate) const SITE_RESERVE_BYTES_MIN: usize = 128 * 1024;

/// The part of the memory that reports handed out open may take: a fourth.
pub(crate) const LENT_PAGES_PART: usize = 4;

/// The part of the memory that containers handed out open may take: a twelfth.
pub(crate) const LENT_SCRIPTS_PART: usize = 12;

/// Bytes of memory for the one container that is being fetched.
pub(crate) const CONTAINER_FETCH_BYTES: usize = 4 * 1024 * 1024;

/// Bodies taken in at the same time, at least; the others wait in the kernel's buffers.
pub(crate) const BODIES_AT_ONCE_MIN: usize = 256;

/// With very many sites at once, one in this many may take in a body.
pub(crate) const SITES_PER_BODY: usize = 8;

/// Bytes set aside for one site at most, when sites turn out to be heavy.
pub(crate) const SITE_RESERVE_BYTES_MAX: usize = 2 * 1024 * 1024;

/// Bytes all pages of one site may have together.
pub(crate) const SITE_BYTES_MAX: usize = 8 * 1024 * 1024;

/// Addresses of one host that are tried.
pub(crate) const ADDRESSES_TRIED_MAX: usize = 3;

/// Times one request is tried anew after a transient failure.
pub(crate) const RETRIES_MAX: usize = 2;

/// Pause before a retry when the server named none.
pub(crate) const RETRY_PAUSE: Duration = Duration::from_secs(2);

/// Times a site is read again because of a fault of this machine: it was suspended, or out of sockets.
pub(crate) const LOCAL_FAULT_REREADS_MAX: u32 = 5;

/// Links looked at on one page; the rest is ignored.
pub(crate) const LINKS_MAX: usize = 3_000;

/// Frames of one page that are looked at.
pub(crate) const FRAMES_MAX: usize = 50;

/// Bytes that the addresses behind one page's links may take while the best are chosen; the rest is ignored.
pub(crate) const LINKS_BYTES_MAX: usize = 512 * 1024;

/// Characters of a `Content-Type` that are kept.
pub(crate) const CONTENT_TYPE_CHARS_MAX: usize = 200;

/// Characters of the words on what went wrong.
pub(crate) const DETAIL_CHARS_MAX: usize = 300;

/// Bytes of a link's text that are looked at.
pub(crate) const LINK_TEXT_BYTES_MAX: usize = 160;

/// Bytes of a home page searched for the marks of a parked or guarded site.
pub(crate) const MARKS_BYTES_MAX: usize = 48 * 1024;

/// Tag-manager containers fetched for one site.
pub(crate) const CONTAINERS_MAX: usize = 2;

/// Gap between two requests to the tag manager, a content network made for this traffic.
pub(crate) const TAG_MANAGER_GAP: Duration = Duration::from_millis(20);

/// Longest one container may take, waiting for our turn included.
pub(crate) const CONTAINER_DEADLINE: Duration = Duration::from_secs(15);

/// Bytes of containers that are remembered.
pub(crate) const CONTAINERS_KEPT_BYTES_MAX: usize = 8 * 1024 * 1024;

/// Bytes of single pages that are remembered, so that fifty branches of a chain do not fetch one
/// contact page fifty times.
pub(crate) const PAGES_KEPT_BYTES_MAX: usize = 8 * 1024 * 1024;

/// Longest a site waits while other pages of its host are being read. Waiting is our own politeness, so giving up says
/// nothing about the site.
pub(crate) const LINE_DEADLINE: Duration = Duration::from_secs(15 * 60);

/// Hosts whose last request is remembered before idle ones are swept out.
pub(crate) const HOSTS_SWEPT_AT: usize = 4_096;

/// Mail domains remembered.
pub(crate) const MAIL_DOMAINS_MAX: usize = 20_000;

/// Times name servers are asked whether a domain takes mail, while they give no answer.
pub(crate) const MAIL_TRIES_MAX: usize = 2;

/// Longest one DNS question may take.
pub(crate) const DNS_DEADLINE: Duration = Duration::from_secs(5);
