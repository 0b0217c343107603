//! Ways to a rehearsal: over a socket, and within the process with time that can be moved.

use std::sync::Arc;

use axum::Router;
use axum::body::{Body, to_bytes};
use bytes::Bytes;
use futures::FutureExt;
use futures::future::BoxFuture;
use map_providers::{Call, CallError, Gateway, PlainGateway, Reply};
use tokio::sync::Mutex;
use tokio::time::Instant;
use tower::ServiceExt;

/// How requests of the tests introduce themselves.
pub(crate) const AGENT: &str = "canvass-tests/1 (+https://example.org/contact)";

/// Serves routes on a free port, and says where.
pub(crate) async fn served(router: Router) -> String {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("an address");
    tokio::spawn(async move { axum::serve(listener, router).await });
    format!("http://{address}")
}

pub(crate) fn plain() -> PlainGateway {
    PlainGateway::new("another agent").expect("a gateway")
}

/// Hands requests to routes directly, at the pace that each asks for.
#[derive(Clone, Debug)]
pub(crate) struct Direct {
    router: Router,
    last: Arc<Mutex<Option<Instant>>>,
}

impl Direct {
    pub(crate) fn to(router: Router) -> Direct {
        Direct { router, last: Arc::default() }
    }

    async fn send(&self, call: &Call) -> Result<Reply, CallError> {
        let mut request = http::Request::builder().method(call.method.clone()).uri(call.url.as_str());
        for (name, value) in &call.headers {
            request = request.header(name, value);
        }
        let request = request.body(Body::empty()).expect("a request");
        let response = self.router.clone().oneshot(request).await.expect("routes do not fail");
        let status = response.status().as_u16();
        let body = to_bytes(response.into_body(), call.answer_max).await;
        Ok(Reply { status, retry_after: None, body: body.map_err(|_| CallError::TooLarge(call.answer_max))? })
    }
}

impl Gateway for Direct {
    fn call<'a>(&'a self, call: &'a Call) -> BoxFuture<'a, Result<Reply, CallError>> {
        async move {
            // Held while the request is under way: one at a time.
            let mut last = self.last.lock().await;
            if let Some(last) = *last {
                tokio::time::sleep_until(last + call.pace.interval).await;
            }
            *last = Some(Instant::now());
            let answer = tokio::time::timeout(call.timeout, self.send(call)).await;
            answer.unwrap_or(Err(CallError::TimedOut(call.timeout)))
        }
        .boxed()
    }
}

/// Answers every request with the same bytes.
#[derive(Clone, Debug)]
pub(crate) struct Echo {
    pub(crate) status: u16,
    pub(crate) body: Bytes,
}

impl Gateway for Echo {
    fn call<'a>(&'a self, call: &'a Call) -> BoxFuture<'a, Result<Reply, CallError>> {
        let reply = Reply { status: self.status, retry_after: None, body: self.body.clone() };
        let _ = (call.is_worth_storing)(&reply);
        async move { Ok(reply) }.boxed()
    }
}
