//! Reads the page that tells whether a server has time: `/api/status`, plain text whose lines vary between servers.

use std::time::Duration;

use jiff::Timestamp;

/// Added to the wait the page names, which is cut down to whole seconds.
const ROUNDING: Duration = Duration::from_secs(1);
/// The longest wait that is believed.
const WAIT_SECS_MAX: i64 = 24 * 60 * 60;
/// Lines that are looked at.
const LINES_MAX: usize = 1_000;

/// What the page says.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub(super) struct Status {
    /// Queries that this client may run at once; zero where there is no limit.
    pub(super) rate_limit: u32,
    /// Slots that are free.
    pub(super) available: u32,
    /// After how long each of the others is free again, of those that run nothing.
    pub(super) after: Vec<Duration>,
    /// Queries under way.
    pub(super) running: u32,
    /// The server's clock.
    pub(super) now: Option<Timestamp>,
}

impl Status {
    /// `None` for a page that does not name a limit, such as an error page. Lines that are not known are passed over.
    pub(super) fn read(page: &str) -> Option<Status> {
        let mut status = Status::default();
        let mut limit = None;
        let mut is_list = false;
        for line in page.lines().take(LINES_MAX).map(str::trim) {
            if is_list {
                status.running += u32::from(line.starts_with(|first: char| first.is_ascii_digit()));
            } else if let Some(rest) = line.strip_prefix("Rate limit:") {
                limit = rest.trim().parse().ok();
            } else if let Some(rest) = line.strip_prefix("Current time:") {
                status.now = rest.trim().parse().ok();
            } else if let Some(rest) = line.strip_prefix("Slot available after:") {
                status.after.extend(wait(rest, status.now));
            } else if line.starts_with("Currently running queries") {
                is_list = true;
            } else if let Some((count, _)) = line.split_once(" slot").filter(|(_, rest)| rest.contains("available now"))
            {
                status.available = count.trim().parse().unwrap_or(0);
            }
        }
        limit.map(|rate_limit| Status { rate_limit, ..status })
    }

    /// How long to wait before a query; `None` when it can be sent. A page that says nothing of slots is no reason to wait. When all
    /// slots run queries, the page does not say when these will end, and is to be asked again after a pause.
    pub(super) fn wait(&self, pause: Duration) -> Option<Duration> {
        let is_silent = self.after.is_empty() && self.running == 0;
        if self.rate_limit == 0 || self.available > 0 || is_silent {
            return None;
        }
        Some(self.after.iter().min().map_or(pause, |after| *after + ROUNDING))
    }
}

/// The wait of ` 2026-11-02T10:00:12Z, in 12 seconds.`; older servers give only the time.
fn wait(text: &str, now: Option<Timestamp>) -> Option<Duration> {
    let (time, rest) = text.split_once(',').unwrap_or((text, ""));
    let told = rest.trim().strip_prefix("in ").and_then(|rest| rest.split(' ').next()?.parse::<i64>().ok());
    let counted = || {
        let until = time.trim().parse::<Timestamp>().ok()?;
        Some(until.as_second().saturating_sub(now?.as_second()))
    };
    let seconds = told.or_else(counted)?.clamp(0, WAIT_SECS_MAX);
    Some(Duration::from_secs(seconds.unsigned_abs()))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const FREE: &str = "Connected as: 1234567890\nCurrent time: 2026-11-02T10:00:00Z\nAnnounced endpoint: none\n\
        Rate limit: 2\n2 slots available now.\nCurrently running queries (pid, space limit, time limit, start time):\n";

    #[test]
    fn pages_of_several_servers_are_read() {
        let cooling = FREE.replace(
            "2 slots available now.",
            "Slot available after: 2026-11-02T10:00:33Z, in 33 seconds.\nSlot available after: 2026-11-02T10:00:12Z, in 12 seconds.",
        );
        let old = "Connected as: 1\nCurrent time: 2026-11-02T10:00:00Z\nRate limit: 1\nSlot available after: 2026-11-02T10:00:05Z\n";
        let running = FREE.replace("2 slots available now.\n", "")
            + "100\t262144\t180\t2026-11-02T09:59:43Z\n101\t262144\t180\t2026-11-02T09:59:44Z\n";
        let one = FREE.replace("2 slots available now.", "1 slot available now.\r");
        let seconds = |seconds| Some(Duration::from_secs(seconds));
        for (page, expected) in [
            (FREE, None),
            (cooling.as_str(), seconds(13)),
            (old, seconds(6)),
            (running.as_str(), seconds(5)),
            (one.as_str(), None),
            ("Connected as: 1\nRate limit: 0\nCurrently running queries (...):\n", None),
            ("Rate limit: 2\nSlots: plenty\n", None),
            ("Rate limit: 2\nSlot available after: soon, in many seconds.\n1 slots available now.\n", None),
            ("Rate limit: 1\nSlot available after: 2026-11-02T10:00:05Z, in -3 seconds.\n", seconds(1)),
        ] {
            assert_eq!(Status::read(page).unwrap().wait(Duration::from_secs(5)), expected, "{page}");
        }
        for page in ["", "<html>busy</html>", "Rate limit: many", "{}"] {
            assert_eq!(Status::read(page), None, "{page}");
        }
    }

    proptest! {
        #[test]
        fn any_page_is_survived(page in "\\PC*", lines in "(Rate limit: [0-9]{1,12}|Slot available after: [0-9TZ:,-]{0,24} in -?[0-9]{1,30} s\n)*") {
            for text in [page, lines] {
                let _ = Status::read(&text).and_then(|status| status.wait(Duration::ZERO));
            }
        }
    }
}
