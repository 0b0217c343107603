//! When a request is worth repeating, and how long to wait before. Only transient failures are tried again: a broken
//! connection, a page that broke off, a slow or failing server, a server that asks us to come later.

use std::time::{Duration, SystemTime};

use http::HeaderMap;
use http::header::{DATE, RETRY_AFTER};

use crate::exchange::Answer;
use crate::failure::Failure;
use crate::limits::{RETRIES_MAX, RETRY_PAUSE};

/// What to do after an attempt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Next {
    /// Take the outcome as it is.
    Accept,
    /// Wait, then ask again.
    Again(Duration),
}

/// Decides after the attempt number `tries` (from 0), with `left` until the site's deadline.
pub(crate) fn next(outcome: &Result<Answer, Failure>, tries: usize, left: Duration) -> Next {
    if tries >= RETRIES_MAX {
        return Next::Accept;
    }
    let pause = match outcome {
        // A broken connection is tried anew once, at once; a second one means it.
        Err(failure) if failure.is_transient_at_once() && tries == 0 => Duration::ZERO,
        Err(failure) if failure.is_slow_answer() && tries == 0 => RETRY_PAUSE,
        Err(_) => return Next::Accept,
        Ok(answer) => match answer.status.as_u16() {
            429 | 503 => answer.retry_after.unwrap_or(RETRY_PAUSE),
            500..=599 if tries == 0 => answer.retry_after.unwrap_or(RETRY_PAUSE),
            _ if answer.body.broke_off() && tries == 0 => Duration::ZERO,
            _ => return Next::Accept,
        },
    };
    // Waiting past the deadline helps nobody; less than asked for would be impolite.
    if pause < left { Next::Again(pause) } else { Next::Accept }
}

/// Reads `Retry-After`: seconds, or a date, which is compared with the server's own clock so
/// that ours does not matter.
pub(crate) fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    let value = headers.get(RETRY_AFTER)?.to_str().ok()?.trim();
    if let Ok(seconds) = value.parse::<f64>() {
        return Duration::try_from_secs_f64(seconds).ok();
    }
    let until = httpdate::parse_http_date(value).ok()?;
    let now: SystemTime = headers.get(DATE).and_then(|date| httpdate::parse_http_date(date.to_str().ok()?).ok())?;
    Some(until.duration_since(now).unwrap_or(Duration::ZERO))
}

#[cfg(test)]
mod tests {
    use http::StatusCode;

    use super::*;
    use crate::decode::{Encoding, Ending, Packed};

    fn answer(status: u16, retry_after: Option<u64>) -> Result<Answer, Failure> {
        Ok(Answer {
            status: StatusCode::from_u16(status).unwrap(),
            location: None,
            retry_after: retry_after.map(Duration::from_secs),
            content_type: None,
            body: Packed::default(),
        })
    }

    fn broken_off() -> Result<Answer, Failure> {
        let body = Packed::new("half".into(), Encoding::Identity, usize::MAX).ended(Ending::BrokeOff);
        answer(200, None).map(|answer| Answer { body, ..answer })
    }

    #[test]
    fn only_transient_failures_are_tried_again() {
        let left = Duration::from_secs(30);
        let cases = [
            (answer(200, None), 0, Next::Accept),
            (answer(404, Some(1)), 0, Next::Accept),
            (answer(403, None), 0, Next::Accept),
            (answer(500, None), 0, Next::Again(RETRY_PAUSE)),
            (answer(500, None), 1, Next::Accept),
            (answer(521, None), 0, Next::Again(RETRY_PAUSE)),
            (broken_off(), 0, Next::Again(Duration::ZERO)),
            (broken_off(), 1, Next::Accept),
            (answer(503, Some(7)), 0, Next::Again(Duration::from_secs(7))),
            (answer(429, Some(7)), 1, Next::Again(Duration::from_secs(7))),
            (answer(429, Some(7)), RETRIES_MAX, Next::Accept),
            (answer(429, Some(31)), 0, Next::Accept),
            (answer(429, None), 0, Next::Again(RETRY_PAUSE)),
            (answer(502, None), 0, Next::Again(RETRY_PAUSE)),
            (answer(502, None), 1, Next::Accept),
            (Err(Failure::Closed), 0, Next::Again(Duration::ZERO)),
            (Err(Failure::Closed), 1, Next::Accept),
            (Err(Failure::AnswerTimeout), 0, Next::Again(RETRY_PAUSE)),
            (Err(Failure::AnswerTimeout), 1, Next::Accept),
            (Err(Failure::Unreachable), 0, Next::Accept),
            (Err(Failure::Tls("expired".into())), 0, Next::Accept),
        ];
        for (outcome, tries, expected) in cases {
            assert_eq!(next(&outcome, tries, left), expected, "{outcome:?} after {tries}");
        }
    }

    #[test]
    fn retry_after_is_seconds_or_a_date_by_the_servers_clock() {
        let check = |value: &str, date: Option<&str>| {
            let mut headers = HeaderMap::new();
            headers.insert(RETRY_AFTER, value.parse().unwrap());
            if let Some(date) = date {
                headers.insert(DATE, date.parse().unwrap());
            }
            retry_after(&headers)
        };
        let date = "Sun, 06 Nov 1994 08:49:37 GMT";
        assert_eq!(check("120", None), Some(Duration::from_secs(120)));
        assert_eq!(check(" 3 ", None), Some(Duration::from_secs(3)));
        assert_eq!(check("Sun, 06 Nov 1994 08:50:07 GMT", Some(date)), Some(Duration::from_secs(30)));
        assert_eq!(check("Sun, 06 Nov 1994 08:00:00 GMT", Some(date)), Some(Duration::ZERO));
        assert_eq!(check("Sun, 06 Nov 1994 08:50:07 GMT", None), None);
        for nonsense in ["", "soon", "-5", "1e400", "NaN", "inf"] {
            assert_eq!(check(nonsense, Some(date)), None, "{nonsense}");
        }
    }
}
