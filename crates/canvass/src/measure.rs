//! Metrics: the names of all that the nouns count, and the functions that count it.
//!
//! Every label has a few values, all of them ours: statuses, kinds, names of sources and providers. Nothing that a customer, a
//! website or a provider says becomes a label.

use std::time::Duration;

use metrics::{Gauge, counter, gauge, histogram};
use polite_reader::figures;

/// What a metric is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kind {
    /// Only grows.
    Counter,
    /// Grows and shrinks.
    Gauge,
    /// Counts in buckets, of which these are the upper bounds.
    Histogram(&'static [f64]),
}

/// A metric as it is described to Prometheus.
#[derive(Clone, Copy, Debug)]
pub struct Metric {
    /// Its name.
    pub name: &'static str,
    /// What it is.
    pub kind: Kind,
    /// What it counts.
    pub help: &'static str,
    /// Its labels with all their values, where these are known beforehand: each combination is shown from the start.
    pub labels: &'static [(&'static str, &'static [&'static str])],
}

const SEARCHES: &str = "canvass_searches";
const SEARCH_OLDEST_WAITING: &str = "canvass_search_oldest_waiting_seconds";
const SEARCHES_ENDED: &str = "canvass_searches_ended_total";
const SEARCH_SECONDS: &str = "canvass_search_seconds";
const SEARCH_RETRIES: &str = "canvass_search_retries_total";
const LEADS: &str = "canvass_leads_delivered_total";
const JOBS_RUNNING: &str = "canvass_jobs_running";
const SOURCE_LISTINGS: &str = "canvass_source_listings_total";
const SOURCE_ERRORS: &str = "canvass_source_errors_total";
const PROVIDER_CALLS: &str = "canvass_provider_calls_total";
const PROVIDER_ERRORS: &str = "canvass_provider_errors_total";
const RADAR_DUE: &str = "canvass_radar_due";
const RADAR_CHECKS: &str = "canvass_radar_checks_total";
const MAILS_WAITING: &str = "canvass_mails_waiting";
const MAILS: &str = "canvass_mails_total";
const AI_REQUESTS: &str = "canvass_ai_requests_total";
const AI_SECONDS: &str = "canvass_ai_request_seconds";
const DATABASE_LOOKS_FAILED: &str = "canvass_queue_counts_failed_total";

/// Bounds for a search, in seconds.
const SEARCH_BUCKETS: &[f64] = &[1.0, 5.0, 15.0, 30.0, 60.0, 120.0, 300.0, 600.0, 1_800.0, 3_600.0];
/// Bounds for a website or a model's answer, in seconds.
const EXCHANGE_BUCKETS: &[f64] = &[0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 20.0, 40.0, 60.0];

const fn counter_of(
    name: &'static str,
    labels: &'static [(&'static str, &'static [&'static str])],
    help: &'static str,
) -> Metric {
    Metric { name, kind: Kind::Counter, help, labels }
}

const fn gauge_of(
    name: &'static str,
    labels: &'static [(&'static str, &'static [&'static str])],
    help: &'static str,
) -> Metric {
    Metric { name, kind: Kind::Gauge, help, labels }
}

const fn histogram_of(name: &'static str, buckets: &'static [f64], help: &'static str) -> Metric {
    Metric { name, kind: Kind::Histogram(buckets), help, labels: &[] }
}

/// The names of [`polite_reader::SiteStatus`].
const SITE_STATUSES: &[&str] =
    &["ok", "none", "robots", "blocked", "timeout", "dead", "parked", "social_only", "error"];

/// Every metric that the nouns and the reader count.
pub const METRICS: &[Metric] = &[
    gauge_of(
        SEARCHES,
        &[("state", &["running", "waiting"])],
        "Searches in the database: running with a worker, or waiting for one",
    ),
    gauge_of(SEARCH_OLDEST_WAITING, &[], "Seconds for which the longest waiting search has been waiting for a worker"),
    counter_of(
        SEARCHES_ENDED,
        &[("status", &["done", "cancelled", "failed"])],
        "Searches that this process ended, by status",
    ),
    histogram_of(SEARCH_SECONDS, SEARCH_BUCKETS, "Seconds from the start of a search to its end"),
    counter_of(SEARCH_RETRIES, &[], "Searches handed back to be tried again after a transient error"),
    counter_of(LEADS, &[], "Leads delivered and charged"),
    gauge_of(
        JOBS_RUNNING,
        &[("kind", &["search", "enrichment", "outbox", "letter", "watch"])],
        "Jobs that this process works on, by kind",
    ),
    counter_of(SOURCE_LISTINGS, &[], "Listings taken from sources, by source"),
    counter_of(SOURCE_ERRORS, &[], "Errors of sources, by source and kind"),
    counter_of(PROVIDER_CALLS, &[], "Calls to map providers, by provider and kind"),
    counter_of(PROVIDER_ERRORS, &[], "Calls to map providers that failed, by provider and kind"),
    counter_of(
        figures::SITES_TOTAL,
        &[("status", SITE_STATUSES)],
        "Websites read for searches and Radar, by how that ended",
    ),
    histogram_of(figures::SITE_SECONDS, EXCHANGE_BUCKETS, "Seconds that reading a website took, waiting included"),
    counter_of(figures::PAGES_TOTAL, &[], "Pages and scripts read"),
    counter_of(figures::PAGE_BYTES_TOTAL, &[], "Bytes of these, decompressed"),
    counter_of(figures::ROBOTS_REFUSALS_TOTAL, &[], "Pages not fetched because a robots.txt disallows them"),
    gauge_of(RADAR_DUE, &[], "Watches that are due and that nobody checks yet"),
    counter_of(
        RADAR_CHECKS,
        &[("outcome", &["alerted", "in_doubt", "same", "unreadable", "lost"])],
        "Checks of watched businesses, by outcome",
    ),
    gauge_of(MAILS_WAITING, &[], "Emails that wait to be sent, those that are retried included"),
    counter_of(
        MAILS,
        &[("kind", &["outbox", "letter"]), ("outcome", &["sent", "retried", "given_up"])],
        "Attempts to send an email: about a search (outbox) or with a link (letter)",
    ),
    counter_of(
        AI_REQUESTS,
        &[("outcome", &["ok", "busy", "unreachable", "slow", "refused", "rejected", "unusable"])],
        "Questions to AI providers, by outcome; the built-in rules are not counted",
    ),
    histogram_of(AI_SECONDS, EXCHANGE_BUCKETS, "Seconds that a question to an AI provider took, retries included"),
    counter_of(DATABASE_LOOKS_FAILED, &[], "Times that the queues could not be counted for these metrics"),
];

/// Shows every metric whose labels are known from the start, so that a rate is right from the first event on.
pub fn show_all() {
    for metric in METRICS {
        for labels in combinations(metric.labels) {
            match metric.kind {
                Kind::Counter if metric.labels.is_empty() && has_open_labels(metric.name) => {}
                Kind::Counter => counter!(metric.name, &labels).increment(0),
                Kind::Gauge => gauge!(metric.name, &labels).increment(0.0),
                Kind::Histogram(_) => drop(histogram!(metric.name)),
            }
        }
    }
}

/// Metrics with a label whose values depend on the settings.
fn has_open_labels(name: &str) -> bool {
    [SOURCE_LISTINGS, SOURCE_ERRORS, PROVIDER_CALLS, PROVIDER_ERRORS].contains(&name)
}

fn combinations(labels: &[(&'static str, &'static [&'static str])]) -> Vec<Vec<(&'static str, &'static str)>> {
    labels.iter().fold(vec![Vec::new()], |made, (label, values)| {
        let with = |before: &Vec<(&'static str, &'static str)>, value: &&'static str| {
            before.iter().copied().chain([(*label, *value)]).collect()
        };
        made.iter().flat_map(|before| values.iter().map(move |value| with(before, value))).collect()
    })
}

/// Shows the metrics of a source before its first listing.
pub fn show_source(source: &str) {
    listing_taken(source, 0);
    for kind in ["transient", "permanent"] {
        counter!(SOURCE_ERRORS, "source" => source.to_owned(), "kind" => kind).increment(0);
    }
}

/// The queues of the database, as they are when metrics are asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct QueueLengths {
    /// Searches with a worker.
    pub searches_running: i64,
    /// Searches without one.
    pub searches_waiting: i64,
    /// How long the oldest of these has waited.
    pub oldest_waiting_seconds: i64,
    /// Watches that are due and free.
    pub radar_due: i64,
    /// Emails to be sent.
    pub mails_waiting: i64,
}

/// Sets the gauges of the queues.
pub fn queues(lengths: QueueLengths) {
    gauge!(SEARCHES, "state" => "running").set(lengths.searches_running as f64);
    gauge!(SEARCHES, "state" => "waiting").set(lengths.searches_waiting as f64);
    gauge!(SEARCH_OLDEST_WAITING).set(lengths.oldest_waiting_seconds as f64);
    gauge!(RADAR_DUE).set(lengths.radar_due as f64);
    gauge!(MAILS_WAITING).set(lengths.mails_waiting as f64);
}

/// Counts that the queues could not be counted; their gauges keep the last values.
pub fn queues_unknown() {
    counter!(DATABASE_LOOKS_FAILED).increment(1);
}

pub(crate) fn search_ended(status: &'static str, seconds: f64) {
    counter!(SEARCHES_ENDED, "status" => status).increment(1);
    histogram!(SEARCH_SECONDS).record(seconds);
}

pub(crate) fn search_retried() {
    counter!(SEARCH_RETRIES).increment(1);
}

pub(crate) fn leads_delivered(count: usize) {
    counter!(LEADS).increment(count as u64);
}

pub(crate) fn listing_taken(source: &str, count: u64) {
    counter!(SOURCE_LISTINGS, "source" => source.to_owned()).increment(count);
}

pub(crate) fn source_failed(source: &str, kind: &'static str) {
    counter!(SOURCE_ERRORS, "source" => source.to_owned(), "kind" => kind).increment(1);
}

pub(crate) fn provider_called(provider: &'static str, kind: &'static str) {
    counter!(PROVIDER_CALLS, "provider" => provider, "kind" => kind).increment(1);
    counter!(PROVIDER_ERRORS, "provider" => provider, "kind" => kind).increment(0);
}

pub(crate) fn provider_failed(provider: &'static str, kind: &'static str) {
    counter!(PROVIDER_ERRORS, "provider" => provider, "kind" => kind).increment(1);
}

pub(crate) fn radar_checked(outcome: &'static str) {
    counter!(RADAR_CHECKS, "outcome" => outcome).increment(1);
}

pub(crate) fn mail_tried(kind: &'static str, outcome: &'static str) {
    counter!(MAILS, "kind" => kind, "outcome" => outcome).increment(1);
}

pub(crate) fn model_asked(outcome: &'static str, took: Duration) {
    counter!(AI_REQUESTS, "outcome" => outcome).increment(1);
    histogram!(AI_SECONDS).record(took.as_secs_f64());
}

/// Counts as a running job until it is dropped.
pub(crate) struct RunningJob(Gauge);

impl RunningJob {
    pub(crate) fn of(kind: &'static str) -> RunningJob {
        let running = gauge!(JOBS_RUNNING, "kind" => kind);
        running.increment(1.0);
        RunningJob(running)
    }
}

impl Drop for RunningJob {
    fn drop(&mut self) {
        self.0.decrement(1.0);
    }
}

#[cfg(test)]
mod tests {
    use polite_reader::SiteStatus;

    use super::*;

    #[test]
    fn names_are_unique_and_follow_prometheus_conventions() {
        for (at, metric) in METRICS.iter().enumerate() {
            assert!(metric.name.starts_with("canvass_"), "{}", metric.name);
            assert_eq!(metric.name.ends_with("_total"), metric.kind == Kind::Counter, "{}", metric.name);
            assert!(METRICS[..at].iter().all(|other| other.name != metric.name), "{} twice", metric.name);
        }
    }

    #[test]
    fn all_statuses_of_websites_are_shown() {
        let all = [
            SiteStatus::Ok,
            SiteStatus::None,
            SiteStatus::Robots,
            SiteStatus::Blocked,
            SiteStatus::Timeout,
            SiteStatus::Dead,
            SiteStatus::Parked,
            SiteStatus::SocialOnly,
            SiteStatus::Error,
        ];
        assert_eq!(all.map(SiteStatus::as_str), SITE_STATUSES);
    }

    #[test]
    fn labels_are_combined() {
        assert_eq!(combinations(&[]), [vec![]]);
        let made = combinations(&[("a", &["1", "2"]), ("b", &["3"])]);
        assert_eq!(made, [vec![("a", "1"), ("b", "3")], vec![("a", "2"), ("b", "3")]]);
    }
}
