//! A gateway that only sends: no stored answers, no budget.

use std::time::Duration;

use bytes::{Bytes, BytesMut};
use futures::FutureExt;
use futures::future::BoxFuture;
use http::header::RETRY_AFTER;
use reqwest::Client;

use crate::{Call, CallError, Gateway, Reply};

/// How long a connection may take to be made.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);
/// The longest wait that is believed.
const RETRY_AFTER_MAX_SECS: u64 = 24 * 60 * 60;

/// Sends requests as they are. It does not keep a provider's pace: whoever wraps it does.
#[derive(Clone, Debug)]
pub struct PlainGateway {
    client: Client,
}

impl PlainGateway {
    /// Introduces itself with this user agent. Redirects are not followed: no provider uses them, and a key must not travel.
    ///
    /// # Errors
    /// When the system has no usable TLS set-up.
    pub fn new(user_agent: &str) -> Result<PlainGateway, CallError> {
        // The first provider that is installed stays; another one is as good.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let client = Client::builder()
            .user_agent(user_agent)
            .connect_timeout(CONNECT_TIMEOUT)
            .redirect(reqwest::redirect::Policy::none())
            .build();
        client.map(|client| PlainGateway { client }).map_err(|error| unreachable_because(&error))
    }

    async fn send(&self, call: &Call) -> Result<Reply, CallError> {
        let mut url = call.url.clone();
        if let Some((name, value)) = &call.secret_query {
            url.query_pairs_mut().append_pair(name, value);
        }
        let mut headers = call.headers.clone();
        headers.extend(call.secrets.clone());
        let request = self.client.request(call.method.clone(), url).headers(headers).body(call.body.clone());
        let response = request.send().await.map_err(|error| unreachable_because(&error))?;
        let status = response.status().as_u16();
        let seconds = response.headers().get(RETRY_AFTER).and_then(|value| value.to_str().ok()?.trim().parse().ok());
        let retry_after = seconds.map(|seconds: u64| Duration::from_secs(seconds.min(RETRY_AFTER_MAX_SECS)));
        Ok(Reply { status, retry_after, body: body_of(response, call.answer_max).await? })
    }
}

impl Gateway for PlainGateway {
    fn call<'a>(&'a self, call: &'a Call) -> BoxFuture<'a, Result<Reply, CallError>> {
        async move {
            let answer = tokio::time::timeout(call.timeout, self.send(call)).await;
            answer.unwrap_or(Err(CallError::TimedOut(call.timeout)))
        }
        .boxed()
    }
}

async fn body_of(mut response: reqwest::Response, answer_max: usize) -> Result<Bytes, CallError> {
    let mut body = BytesMut::new();
    while let Some(chunk) = response.chunk().await.map_err(|error| unreachable_because(&error))? {
        if body.len() + chunk.len() > answer_max {
            return Err(CallError::TooLarge(answer_max));
        }
        body.extend_from_slice(&chunk);
    }
    Ok(body.freeze())
}

/// The cause without the address: some providers take their key in it.
fn unreachable_because(error: &reqwest::Error) -> CallError {
    let mut cause: &dyn std::error::Error = error;
    while let Some(deeper) = cause.source() {
        cause = deeper;
    }
    let what = if error.is_connect() { "no connection" } else { "the connection broke" };
    // The outermost error names the address; the innermost one does not.
    let innermost = if std::ptr::addr_eq(cause, error) { String::new() } else { format!(": {cause}") };
    CallError::Unreachable(format!("{what}{innermost}"))
}
