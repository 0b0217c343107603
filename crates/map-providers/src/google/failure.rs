//! What Google's refusals mean, in sentences that say what to fix. Nothing of Google's own text is repeated: it may name the
//! key's project.

use std::time::Duration;

use serde_json::Value;

use crate::{ProviderError, Reply};

/// How long to wait when the day's quota is used up. It starts anew at midnight in California, which nobody here can tell.
const DAY_QUOTA_WAIT: Duration = Duration::from_secs(60 * 60);
/// How long to wait when Google stays busy or broken.
pub(super) const LATER: Duration = Duration::from_secs(60);

/// A reply that is not an answer.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Refusal {
    /// Too many requests in this minute.
    Busy(Option<Duration>),
    /// The page token is not valid, or not valid yet.
    Token,
    /// Google failed.
    Broken,
    /// Nothing to retry.
    Final(ProviderError),
}

/// What a reply with another status than 200 means.
pub(super) fn refusal(reply: &Reply, has_token: bool) -> Refusal {
    let answer: Value = serde_json::from_slice(&reply.body).unwrap_or_default();
    // The error is an object, or a list with one in it for some failures.
    let error = answer.get("error").or_else(|| answer.get(0)?.get("error")).unwrap_or(&Value::Null);
    let status = error.get("status").and_then(Value::as_str).unwrap_or_default();
    let message = error.get("message").and_then(Value::as_str).unwrap_or_default().to_lowercase();
    let details = error.get("details").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let reason = details.iter().find_map(|detail| detail.get("reason")?.as_str()).unwrap_or_default();
    if let Some(sentence) = set_up(reason, &message) {
        return Refusal::Final(ProviderError::Permanent(sentence.to_owned()));
    }
    match (reply.status, status) {
        (429, _) | (_, "RESOURCE_EXHAUSTED") => match is_per_day(details, &message) {
            true => Refusal::Final(transient(
                "Google's daily quota for this key is used up: wait until it starts anew, or raise it in the Google Cloud console",
                DAY_QUOTA_WAIT,
            )),
            false => Refusal::Busy(reply.retry_after),
        },
        (400, _) if has_token => Refusal::Token,
        (400, "FAILED_PRECONDITION") | (451, _) => permanent("Google does not serve this region"),
        (401 | 403, _) => permanent(
            "Google denies access: check the key, and that it may be used for the Places API (New) from this server",
        ),
        (400, _) => permanent("Google rejects the request as invalid, which is a fault of Canvass: please report it"),
        (404 | 405, _) => permanent("there is no Places API at the address in the settings"),
        (500.., _) => Refusal::Broken,
        (status, _) => permanent(&format!("Google answered with the unexpected status {status}")),
    }
}

/// What is wrong with the key, its project or its restrictions.
fn set_up(reason: &str, message: &str) -> Option<&'static str> {
    let is_billing = message.contains("billing") && (message.contains("enable") || message.contains("disabled"));
    Some(match reason {
        "API_KEY_INVALID" | "API_KEY_NOT_FOUND" => {
            "Google does not know this key: copy it again from the Google Cloud console"
        }
        "API_KEY_EXPIRED" => "the Google key has expired: make a new one in the Google Cloud console",
        "SERVICE_DISABLED" => {
            "the Places API (New) is not enabled for the key's project: enable it in the Google Cloud console"
        }
        "API_KEY_SERVICE_BLOCKED" => {
            "the Google key may not be used for the Places API (New): add it to the key's API restrictions"
        }
        "API_KEY_HTTP_REFERRER_BLOCKED" | "API_KEY_ANDROID_APP_BLOCKED" | "API_KEY_IOS_APP_BLOCKED" => {
            "the Google key is restricted to websites or apps: use a key for servers, restricted by IP address or not at all"
        }
        "API_KEY_IP_ADDRESS_BLOCKED" => {
            "the Google key is restricted to other IP addresses: add this server's in the Google Cloud console"
        }
        "BILLING_DISABLED" => "billing is off for the Google key's project: switch it on in the Google Cloud console",
        "CONSUMER_SUSPENDED" | "CONSUMER_INVALID" => {
            "Google has suspended the key's project: see the Google Cloud console"
        }
        "LOCATION_NOT_SUPPORTED" | "LOCATION_POLICY_VIOLATED" => "Google does not serve this region",
        _ if is_billing => "billing is off for the Google key's project: switch it on in the Google Cloud console",
        _ if message.contains("api key not valid") => {
            "Google does not know this key: copy it again from the Google Cloud console"
        }
        _ => return None,
    })
}

fn is_per_day(details: &[Value], message: &str) -> bool {
    let limit = details.iter().find_map(|detail| detail.get("metadata")?.get("quota_limit")?.as_str());
    limit.is_some_and(|limit| limit.contains("PerDay") || limit.contains("per day")) || message.contains("per day")
}

fn permanent(sentence: &str) -> Refusal {
    Refusal::Final(ProviderError::Permanent(sentence.to_owned()))
}

fn transient(reason: &str, after: Duration) -> ProviderError {
    ProviderError::Transient { reason: reason.to_owned(), after: Some(after) }
}

/// When Google stays busy.
pub(super) fn still_busy(after: Option<Duration>) -> ProviderError {
    transient("Google's quota of requests a minute is used up", after.unwrap_or(LATER))
}

/// When Google stays broken.
pub(super) fn still_broken() -> ProviderError {
    transient("Google does not answer properly at the moment", LATER)
}

/// When a page token never becomes valid.
pub(super) fn stale_token() -> ProviderError {
    transient("Google does not know the next page of its own answer", LATER)
}

#[cfg(test)]
mod tests {
    use bytes::Bytes;
    use serde_json::json;

    use super::*;

    fn reply(status: u16, kind: &str, reason: &str, message: &str) -> Reply {
        let limit = if message.contains("day") {
            "SearchTextRequestPerDayPerProject"
        } else {
            "SearchTextRequestPerMinutePerProject"
        };
        let body = json!({ "error": { "code": status, "status": kind, "message": message, "details": [
            { "@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": reason, "metadata": { "quota_limit": limit } },
        ] } });
        Reply { status, retry_after: None, body: Bytes::from(body.to_string()) }
    }

    #[test]
    fn every_refusal_says_what_to_fix() {
        for (status, kind, reason, message, expected) in [
            (400, "INVALID_ARGUMENT", "API_KEY_INVALID", "API key not valid.", "copy it again"),
            (403, "PERMISSION_DENIED", "SERVICE_DISABLED", "has not been used", "enable it"),
            (403, "PERMISSION_DENIED", "API_KEY_SERVICE_BLOCKED", "are blocked", "API restrictions"),
            (403, "PERMISSION_DENIED", "API_KEY_HTTP_REFERRER_BLOCKED", "referer", "key for servers"),
            (403, "PERMISSION_DENIED", "API_KEY_IP_ADDRESS_BLOCKED", "IP", "add this server's"),
            (403, "PERMISSION_DENIED", "BILLING_DISABLED", "", "billing is off"),
            (403, "PERMISSION_DENIED", "", "This API method requires billing to be enabled.", "billing is off"),
            (403, "PERMISSION_DENIED", "", "The caller does not have permission", "check the key"),
            (401, "UNAUTHENTICATED", "", "", "check the key"),
            (400, "INVALID_ARGUMENT", "", "Invalid value", "a fault of Canvass"),
            (404, "NOT_FOUND", "", "", "address in the settings"),
            (418, "", "", "", "418"),
        ] {
            match refusal(&reply(status, kind, reason, message), false) {
                Refusal::Final(ProviderError::Permanent(sentence)) => {
                    assert!(sentence.contains(expected), "{sentence}");
                }
                other => panic!("{status} {reason}: {other:?}"),
            }
        }
    }

    #[test]
    fn what_passes_is_told_apart_from_what_does_not() {
        let exhausted = |message| refusal(&reply(429, "RESOURCE_EXHAUSTED", "RATE_LIMIT_EXCEEDED", message), false);
        assert_eq!(exhausted("Quota exceeded per minute"), Refusal::Busy(None));
        assert!(matches!(exhausted("Quota exceeded per day"), Refusal::Final(ProviderError::Transient { .. })));
        assert_eq!(refusal(&reply(400, "INVALID_ARGUMENT", "", "page token"), true), Refusal::Token);
        assert_eq!(refusal(&reply(503, "UNAVAILABLE", "", ""), true), Refusal::Broken);
        let nonsense = Reply { status: 500, retry_after: None, body: Bytes::from_static(b"<html>") };
        assert_eq!(refusal(&nonsense, false), Refusal::Broken);
        let empty = Reply { status: 302, retry_after: None, body: Bytes::new() };
        assert!(matches!(refusal(&empty, false), Refusal::Final(ProviderError::Permanent(_))));
    }
}
