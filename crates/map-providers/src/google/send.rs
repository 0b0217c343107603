//! Sends a request, and sends it again where waiting helps.

use std::time::Duration;

use bytes::Bytes;
use serde_json::Value;

use super::failure::{self, Refusal};
use crate::{Call, CallError, Gateway, ProviderError};

/// Waits before further tries when the minute's quota is used up; together somewhat more than a minute.
const BUSY_WAITS: [Duration; 3] = [Duration::from_secs(10), Duration::from_secs(20), Duration::from_secs(35)];
/// The longest wait that a reply may ask for; for longer ones the search pauses.
const BUSY_WAIT_MAX: Duration = Duration::from_secs(70);
/// Waits before further tries when Google fails.
const BROKEN_WAITS: [Duration; 3] = [Duration::from_secs(1), Duration::from_secs(3), Duration::from_secs(8)];
/// Waits until a page token becomes valid, which takes about two seconds.
const TOKEN_WAITS: [Duration; 2] = [Duration::from_millis(2_100), Duration::from_secs(4)];

/// Why there is no answer.
#[derive(Debug)]
pub(crate) enum SendError {
    /// The page token is not valid, and does not become so.
    StaleToken,
    /// Any other reason.
    Failed(ProviderError),
}

/// Further tries that were made.
#[derive(Default)]
struct Tries {
    busy: usize,
    broken: usize,
    token: usize,
}

/// The body of the answer, which is a JSON object.
pub(super) async fn send(gateway: &dyn Gateway, call: &Call, has_token: bool) -> Result<Bytes, SendError> {
    let mut tries = Tries::default();
    loop {
        let wait = match gateway.call(call).await {
            Ok(reply) if reply.status == 200 && is_object(&reply.body) => return Ok(reply.body),
            Ok(reply) if reply.status == 200 => tries.after_broken(failure::still_broken())?,
            Ok(reply) => tries.after(failure::refusal(&reply, has_token))?,
            Err(error @ (CallError::Unreachable(_) | CallError::TimedOut(_))) => tries.after_broken(error.into())?,
            Err(error) => return Err(SendError::Failed(error.into())),
        };
        tokio::time::sleep(wait).await;
    }
}

fn is_object(body: &[u8]) -> bool {
    serde_json::from_slice::<Value>(body).is_ok_and(|answer| answer.is_object())
}

impl Tries {
    /// How long to wait before the next try.
    fn after(&mut self, refusal: Refusal) -> Result<Duration, SendError> {
        match refusal {
            Refusal::Busy(asked) => self.after_busy(asked),
            Refusal::Token => {
                let wait = TOKEN_WAITS.get(self.token).copied();
                self.token += 1;
                wait.ok_or(SendError::StaleToken)
            }
            Refusal::Broken => self.after_broken(failure::still_broken()),
            Refusal::Final(error) => Err(SendError::Failed(error)),
        }
    }

    fn after_busy(&mut self, asked: Option<Duration>) -> Result<Duration, SendError> {
        let wait = BUSY_WAITS.get(self.busy).map(|usual| asked.unwrap_or(*usual)).filter(|wait| *wait <= BUSY_WAIT_MAX);
        self.busy += 1;
        wait.ok_or_else(|| SendError::Failed(failure::still_busy(asked)))
    }

    fn after_broken(&mut self, error: ProviderError) -> Result<Duration, SendError> {
        let wait = BROKEN_WAITS.get(self.broken).copied();
        self.broken += 1;
        wait.ok_or(SendError::Failed(error))
    }
}
