//! Every limit that is not a setting, with its unit last in the name. What an operator may want to change is in
//! [`crate::ReaderSettings`].

use std::time::Duration;

/// Characters read of a listing's website field.
pub(crate) const LISTING_CHARS_MAX: usize = 2_048;

/// Characters of the longest URL that is requested.
pub(crate) const URL_CHARS_MAX: usize = 2_048;

/// Redirects followed per page.
pub(crate) const REDIRECTS_MAX: usize = 6;

/// Redirects followed for a `robots.txt`, as RFC 9309 requires ("at least five").
pub(crate) const ROBOTS_REDIRECTS_MAX: usize = 5;

/// Bytes read of a `robots.txt`; RFC 9309 requires at least 500 KiB.
pub(crate) const ROBOTS_BYTES_MAX: usize = 512 * 1024;

/// Bytes of cached `robots.txt` rules.
pub(crate) const ROBOTS_CACHED_BYTES_MAX: usize = 4 * 1024 * 1024;

/// Longest crawl delay that is obeyed exactly; a longer one is reduced to this and fewer pages are read.
pub(crate) const CRAWL_DELAY_MAX: Duration = Duration::from_secs(10);

/// Longest gap that back-off may extend a host's gap to.
pub(crate) const BACKED_OFF_GAP_MAX: Duration = Duration::from_secs(20);

/// Divisor of the gap that a host is left alone for after each answer, however long that took: a quarter.
pub(crate) const REST_DIVISOR: u32 = 4;

/// Bytes of a response head, and of hyper's read buffer.
pub(crate) const RESPONSE_HEAD_BYTES_MAX: usize = 64 * 1024;

/// Bytes of a response that an HTTP/2 host may send before they are read: more than most pages have, compressed.
pub(crate) const HTTP2_WINDOW_BYTES: u32 = 128 * 1024;

/// Hosts remembered for failing to speak the HTTP/2 they offer, and for how long.
pub(crate) const HTTP1_ONLY_HOSTS_MAX: usize = 4_096;
pub(crate) const HTTP1_ONLY_TTL: Duration = Duration::from_secs(60 * 60);

/// TLS sessions that can be resumed.
pub(crate) const TLS_SESSIONS_MAX: usize = 512;

/// Bytes of an unwanted body (of a redirect or error) read to keep the connection usable.
pub(crate) const DRAINED_BYTES_MAX: u64 = 16 * 1024;

/// Bytes a site takes besides its pages: the connection's buffers and task, the state of the visit.
pub(crate) const SITE_OVERHEAD_BYTES: usize = 40 * 1024;

/// Fewest bytes reserved for a site before its first page is requested.
pub(crate) const SITE_RESERVE_BYTES_MIN: usize = 80 * 1024;

/// Divisor of the memory that decompressed reports may take: a quarter.
pub(crate) const REPORT_PAGES_DIVISOR: usize = 4;

/// Divisor of the memory that decompressed containers may take: a twelfth.
pub(crate) const REPORT_SCRIPTS_DIVISOR: usize = 12;

/// Bytes of memory for the one container being fetched.
pub(crate) const CONTAINER_FETCH_BYTES: usize = 4 * 1024 * 1024;

/// Fewest bodies received at the same time; the others wait in the kernel's buffers.
pub(crate) const BODIES_AT_ONCE_MIN: usize = 256;

/// With very many sites at once, one in this many may receive a body.
pub(crate) const SITES_PER_BODY: usize = 8;

/// Most bytes reserved for a site, when sites turn out to be large.
pub(crate) const SITE_RESERVE_BYTES_MAX: usize = 2 * 1024 * 1024;

/// Bytes of all pages of one site together.
pub(crate) const SITE_BYTES_MAX: usize = 8 * 1024 * 1024;

/// Addresses tried per host.
pub(crate) const ADDRESSES_TRIED_MAX: usize = 3;

/// Retries of a request after a transient error.
pub(crate) const RETRIES_MAX: usize = 2;

/// Pause before a retry when the server did not specify one.
pub(crate) const RETRY_PAUSE: Duration = Duration::from_secs(2);

/// Rereads of a site because of a fault of this machine, such as being suspended or out of sockets.
pub(crate) const LOCAL_FAULT_REREADS_MAX: u32 = 5;

/// Links examined per page; the rest is ignored.
pub(crate) const LINKS_MAX: usize = 3_000;

/// Frames examined per page.
pub(crate) const FRAMES_MAX: usize = 50;

/// Bytes that the URLs of one page's links may take while the best are chosen; the rest is ignored.
pub(crate) const LINKS_BYTES_MAX: usize = 512 * 1024;

/// Bytes for these URLs that are available however scarce memory is. Choosing does not wait, so at most one page per thread
/// takes them.
pub(crate) const LINKS_BYTES_MIN: usize = 64 * 1024;

/// Characters kept of a `Content-Type`.
pub(crate) const CONTENT_TYPE_CHARS_MAX: usize = 200;

/// Characters of the explanation in a report.
pub(crate) const DETAIL_CHARS_MAX: usize = 300;

/// Bytes read of a link's text.
pub(crate) const LINK_TEXT_BYTES_MAX: usize = 160;

/// Bytes of a home page searched for signs of a parked domain or bot challenge.
pub(crate) const PLACEHOLDER_BYTES_MAX: usize = 48 * 1024;

/// Tag-manager containers fetched per site.
pub(crate) const CONTAINERS_MAX: usize = 2;

/// Gap between two requests to the tag manager, a CDN built for this traffic.
pub(crate) const TAG_MANAGER_GAP: Duration = Duration::from_millis(20);

/// Longest that fetching one container may take, including the wait for the host's slot.
pub(crate) const CONTAINER_DEADLINE: Duration = Duration::from_secs(15);

/// Bytes of cached containers.
pub(crate) const CONTAINERS_CACHED_BYTES_MAX: usize = 8 * 1024 * 1024;

/// Bytes of cached single pages, so that fifty branches of a chain do not fetch one contact page fifty times.
pub(crate) const PAGES_CACHED_BYTES_MAX: usize = 8 * 1024 * 1024;

/// Longest a site waits while other pages of its host are read. The wait is due to our own politeness, so giving up says
/// nothing about the site.
pub(crate) const QUEUE_DEADLINE: Duration = Duration::from_secs(15 * 60);

/// Number of hosts remembered before idle ones are removed.
pub(crate) const HOSTS_SWEPT_AT: usize = 4_096;

/// Mail domains cached.
pub(crate) const MAIL_DOMAINS_MAX: usize = 20_000;

/// Attempts to look up a domain's mail servers while DNS does not answer.
pub(crate) const MAIL_TRIES_MAX: usize = 2;

/// Longest that one DNS query may take.
pub(crate) const DNS_DEADLINE: Duration = Duration::from_secs(5);
