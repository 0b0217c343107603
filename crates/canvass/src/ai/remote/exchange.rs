//! Sends a question and reads the answer: bounded in time, size and number, patient with a provider that asks for it.

use std::sync::Arc;
use std::time::Duration;

use serde_json::Value;
use tokio::sync::Semaphore;
use tokio::time::Instant;
use tracing::Instrument;

use super::Request;
use crate::ai::ModelError;
use crate::measure;

/// Bytes of an answer: some hundred tokens and what is put around them.
const ANSWER_BYTES_MAX: usize = 256 * 1024;
/// How often one question is sent.
const TRIES_MAX: u32 = 3;
/// The first pause before a question is sent again, unless the provider names one; doubled each time.
const FIRST_PAUSE: Duration = Duration::from_millis(500);
/// The longest pause a provider may ask for, in seconds.
const PAUSE_SECONDS_MAX: u64 = 20;

/// A line to providers, shared by all models of this process.
#[derive(Clone, Debug)]
pub(in crate::ai) struct Line {
    pub(in crate::ai) http: reqwest::Client,
    /// Questions under way at once.
    pub(in crate::ai) permits: Arc<Semaphore>,
    /// How long a question may take, with all its tries.
    pub(in crate::ai) time_max: Duration,
}

/// A try that failed, and what the provider said about trying again.
struct Failed {
    why: ModelError,
    pause: Option<Duration>,
}

impl From<ModelError> for Failed {
    fn from(why: ModelError) -> Failed {
        Failed { why, pause: None }
    }
}

impl Line {
    /// Sends a question, again where that may help, and reads the answer as JSON.
    pub(super) async fn send(&self, request: &Request) -> Result<Value, ModelError> {
        let started = Instant::now();
        let deadline = started + self.time_max;
        let asked = tokio::time::timeout_at(deadline, async {
            // Closed only when the process ends.
            let _permit = self.permits.acquire().await.map_err(|_| ModelError::Unreachable)?;
            self.send_until(request, deadline).await
        });
        let span = tracing::info_span!("ai request", ai.outcome = tracing::field::Empty);
        let answered = asked.instrument(span.clone()).await.unwrap_or(Err(ModelError::TooSlow));
        let outcome = answered.as_ref().map_or_else(ModelError::name, |_| "ok");
        span.record("ai.outcome", outcome);
        measure::model_asked(outcome, started.elapsed());
        answered
    }

    async fn send_until(&self, request: &Request, deadline: Instant) -> Result<Value, ModelError> {
        let mut pause = FIRST_PAUSE;
        for tried in 1.. {
            let failed = match self.once(request).await {
                Ok(answer) => return Ok(answer),
                Err(failed) => failed,
            };
            let wait = failed.pause.unwrap_or(pause);
            let passing = matches!(failed.why, ModelError::Busy(_) | ModelError::Unreachable);
            if !passing || tried >= TRIES_MAX || Instant::now() + wait >= deadline {
                return Err(failed.why);
            }
            tokio::time::sleep(wait).await;
            pause *= 2;
        }
        Err(ModelError::TooSlow)
    }

    async fn once(&self, request: &Request) -> Result<Value, Failed> {
        let mut asked = self.http.post(&request.url).json(&request.body);
        for (name, value) in &request.headers {
            asked = asked.header(*name, value);
        }
        let answer = asked.send().await.map_err(|_| ModelError::Unreachable)?;
        let status = answer.status().as_u16();
        match status {
            200 => Ok(body(answer).await?),
            401 | 403 => Err(ModelError::Refused.into()),
            429 | 500..=599 => Err(Failed { why: ModelError::Busy(status), pause: pause_of(&answer) }),
            _ => Err(ModelError::Rejected(status).into()),
        }
    }

    #[cfg(test)]
    pub(super) fn for_tests() -> Line {
        let _ = rustls::crypto::ring::default_provider().install_default();
        let http = reqwest::Client::builder().no_proxy().build().expect("a client without settings");
        Line { http, permits: Arc::new(Semaphore::new(1)), time_max: Duration::from_secs(1) }
    }
}

/// How long the provider asks to wait.
fn pause_of(answer: &reqwest::Response) -> Option<Duration> {
    let seconds = answer.headers().get("retry-after")?.to_str().ok()?.trim().parse::<f64>().ok()?;
    let sound = seconds.is_finite() && seconds >= 0.0;
    sound.then(|| Duration::from_secs_f64(seconds.min(PAUSE_SECONDS_MAX as f64)))
}

/// Reads an answer, no further than anybody needs.
async fn body(mut answer: reqwest::Response) -> Result<Value, ModelError> {
    let mut bytes = Vec::new();
    while let Some(chunk) = answer.chunk().await.map_err(|_| ModelError::Unreachable)? {
        if bytes.len() + chunk.len() > ANSWER_BYTES_MAX {
            return Err(ModelError::TooLong);
        }
        bytes.extend_from_slice(&chunk);
    }
    serde_json::from_slice(&bytes).map_err(|_| ModelError::Unintelligible)
}
