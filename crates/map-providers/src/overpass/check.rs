//! Tries the set-up: whether the servers answer, how old their data is, and how many queries they allow.

use jiff::Timestamp;

use super::answer::QueryOutcome;
use super::ask::{Servers, failure};
use super::query::TINY;
use super::status::Status;
use crate::ProviderError;

/// Asks each server for its status and the cheapest thing there is, and says what came of it. An error when none works.
pub(super) async fn check(servers: Servers<'_>) -> Result<String, ProviderError> {
    let (mut sentences, mut failures) = (Vec::new(), Vec::new());
    let count = servers.all().len();
    for (number, server) in (1..).zip(servers.all()) {
        let status = servers.status(server).await.ok().flatten();
        let said = match servers.send(server, TINY, 1).await? {
            QueryOutcome::Whole(document) => working(document.base.as_deref(), status.as_ref()),
            failing => {
                let error = failure(std::slice::from_ref(&failing));
                failures.push(failing);
                error.to_string()
            }
        };
        sentences.push(if count == 1 { said } else { format!("server {number} of {count}: {said}") });
    }
    if failures.len() == count {
        return Err(failure(&failures));
    }
    Ok(sentences.join("; "))
}

/// What is said of a server that answers.
fn working(base: Option<&str>, status: Option<&Status>) -> String {
    let mut said = "the OpenStreetMap server answers".to_owned();
    let base = base.and_then(|base| base.parse::<Timestamp>().ok());
    match (base, status.and_then(|status| status.now)) {
        (Some(base), Some(now)) => said += &format!(", with data {} old", age(now.as_second() - base.as_second())),
        (Some(base), None) => said += &format!(", with data of {base}"),
        (None, _) => {}
    }
    match status {
        Some(status) if status.rate_limit > 0 => {
            said += &format!(", and {} of {} slots are free", status.available, status.rate_limit);
        }
        Some(_) => said += ", without a limit on queries at once",
        None => {}
    }
    said
}

/// A time span in its largest whole unit.
fn age(seconds: i64) -> String {
    let (count, unit) = match seconds.max(0) {
        seconds @ ..120 => (seconds, "second"),
        seconds @ ..7_200 => (seconds / 60, "minute"),
        seconds @ ..172_800 => (seconds / 3_600, "hour"),
        seconds => (seconds / 86_400, "day"),
    };
    if count == 1 { format!("1 {unit}") } else { format!("{count} {unit}s") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_working_server_is_described() {
        let page = "Current time: 2026-11-02T10:00:00Z\nRate limit: 2\n1 slots available now.\n";
        let status = Status::read(page);
        let free = Status::read("Rate limit: 0\n");
        for (base, status, expected) in [
            (Some("2026-11-02T09:57:00Z"), &status, ", with data 3 minutes old, and 1 of 2 slots are free"),
            (Some("2026-10-02T09:57:00Z"), &status, ", with data 31 days old, and 1 of 2 slots are free"),
            (
                Some("2026-11-02T09:57:00Z"),
                &free,
                ", with data of 2026-11-02T09:57:00Z, without a limit on queries at once",
            ),
            (Some("yesterday"), &None, ""),
            (None, &None, ""),
        ] {
            let said = working(base, status.as_ref());
            assert_eq!(said, format!("the OpenStreetMap server answers{expected}"));
        }
        for (seconds, expected) in [(-5, "0 seconds"), (1, "1 second"), (119, "119 seconds"), (7_200, "2 hours")] {
            assert_eq!(age(seconds), expected);
        }
    }
}
