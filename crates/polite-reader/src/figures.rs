//! Metrics of reading: what was read and how much, never where.

use crate::report::SiteReport;

/// Websites read, by how that ended.
pub const SITES_TOTAL: &str = "canvass_sites_read_total";
/// Seconds that reading a website took.
pub const SITE_SECONDS: &str = "canvass_site_read_seconds";
/// Pages and scripts read.
pub const PAGES_TOTAL: &str = "canvass_pages_read_total";
/// Bytes of these, decompressed.
pub const PAGE_BYTES_TOTAL: &str = "canvass_page_bytes_read_total";
/// Pages that a robots.txt disallows.
pub const ROBOTS_REFUSALS_TOTAL: &str = "canvass_robots_refusals_total";

/// Counts a website that was read, or could not be.
pub(crate) fn count_site(report: &SiteReport) {
    metrics::counter!(SITES_TOTAL, "status" => report.status.as_str()).increment(1);
    metrics::histogram!(SITE_SECONDS).record(report.took.as_secs_f64());
    let read = || report.pages.iter().chain(&report.scripts);
    metrics::counter!(PAGES_TOTAL).increment(read().count() as u64);
    metrics::counter!(PAGE_BYTES_TOTAL).increment(read().map(|page| page.body.len() as u64).sum());
}

/// Counts a page that is not fetched because a robots.txt disallows it.
pub(crate) fn count_robots_refusal() {
    metrics::counter!(ROBOTS_REFUSALS_TOTAL).increment(1);
}
