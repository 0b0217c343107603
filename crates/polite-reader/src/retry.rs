//! Retry policy. Only transient errors are retried: a broken connection, a page that broke off, a slow or failing server, a
//! server that asks us to come back later.

use std::time::{Duration, SystemTime};

use http::HeaderMap;
use http::header::{DATE, RETRY_AFTER};

use crate::fetch::FetchResponse;
use crate::fetch_error::FetchError;
use crate::limits::{RETRIES_MAX, RETRY_PAUSE};

/// What to do after an attempt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RetryDecision {
    /// Return the result as it is.
    Accept,
    /// Wait, then try again.
    Retry(Duration),
}

/// Decides after attempt number `tries` (from 0), with `left` until the site's deadline. An error for which the server gave no
/// delay is retried after `pause`.
pub(crate) fn decide(
    outcome: &Result<FetchResponse, FetchError>,
    tries: usize,
    left: Duration,
    pause: Duration,
) -> RetryDecision {
    if tries >= RETRIES_MAX {
        return RetryDecision::Accept;
    }
    let pause = match outcome {
        // A broken connection is retried once, immediately; a second failure is final.
        Err(failure) if failure.is_retryable_at_once() && tries == 0 => Duration::ZERO,
        Err(failure) if failure.is_slow_answer() && tries == 0 => pause,
        Err(_) => return RetryDecision::Accept,
        Ok(answer) => match answer.status.as_u16() {
            429 | 503 => answer.retry_after.unwrap_or(RETRY_PAUSE),
            500..=599 if tries == 0 => answer.retry_after.unwrap_or(pause),
            _ if answer.body.broke_off() && tries == 0 => Duration::ZERO,
            _ => return RetryDecision::Accept,
        },
    };
    // Waiting past the deadline is useless, and waiting less than requested would be impolite.
    if pause < left { RetryDecision::Retry(pause) } else { RetryDecision::Accept }
}

/// Parses `Retry-After`: seconds, or a date, which is compared with the server's own clock so that ours does not matter.
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
    use crate::decompress::{BodyEnd, CompressedBody, ContentEncoding};

    fn answer(status: u16, retry_after: Option<u64>) -> Result<FetchResponse, FetchError> {
        Ok(FetchResponse {
            status: StatusCode::from_u16(status).unwrap(),
            location: None,
            retry_after: retry_after.map(Duration::from_secs),
            content_type: None,
            body: CompressedBody::default(),
        })
    }

    fn broken_off() -> Result<FetchResponse, FetchError> {
        let body = CompressedBody::new("half".into(), ContentEncoding::Identity, usize::MAX).ended(BodyEnd::BrokeOff);
        answer(200, None).map(|answer| FetchResponse { body, ..answer })
    }

    #[test]
    fn only_transient_errors_are_retried() {
        let left = Duration::from_secs(30);
        let cases = [
            (answer(200, None), 0, RetryDecision::Accept),
            (answer(404, Some(1)), 0, RetryDecision::Accept),
            (answer(403, None), 0, RetryDecision::Accept),
            (answer(500, None), 0, RetryDecision::Retry(RETRY_PAUSE)),
            (answer(500, None), 1, RetryDecision::Accept),
            (answer(521, None), 0, RetryDecision::Retry(RETRY_PAUSE)),
            (broken_off(), 0, RetryDecision::Retry(Duration::ZERO)),
            (broken_off(), 1, RetryDecision::Accept),
            (answer(503, Some(7)), 0, RetryDecision::Retry(Duration::from_secs(7))),
            (answer(429, Some(7)), 1, RetryDecision::Retry(Duration::from_secs(7))),
            (answer(429, Some(7)), RETRIES_MAX, RetryDecision::Accept),
            (answer(429, Some(31)), 0, RetryDecision::Accept),
            (answer(429, None), 0, RetryDecision::Retry(RETRY_PAUSE)),
            (answer(502, None), 0, RetryDecision::Retry(RETRY_PAUSE)),
            (answer(502, None), 1, RetryDecision::Accept),
            (Err(FetchError::Closed), 0, RetryDecision::Retry(Duration::ZERO)),
            (Err(FetchError::Closed), 1, RetryDecision::Accept),
            (Err(FetchError::AnswerTimeout), 0, RetryDecision::Retry(RETRY_PAUSE)),
            (Err(FetchError::AnswerTimeout), 1, RetryDecision::Accept),
            (Err(FetchError::Unreachable), 0, RetryDecision::Accept),
            (Err(FetchError::Tls("expired".into())), 0, RetryDecision::Accept),
        ];
        for (outcome, tries, expected) in cases {
            assert_eq!(decide(&outcome, tries, left, RETRY_PAUSE), expected, "{outcome:?} after {tries}");
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
