//! Tells a client that asked for it how far a tool is.

use std::time::{Duration, Instant};

use rmcp::RoleServer;
use rmcp::model::{ProgressNotificationParam, ProgressToken};
use rmcp::service::Peer;

use super::connector::Accepts;
use super::tools::ToolCall;

/// A search may deliver hundreds of leads a second; nobody reads that fast.
const TOLD_EVERY: Duration = Duration::from_millis(250);

/// Whom to tell, if anybody, and what they know.
pub(super) struct Progress {
    client: Option<(Peer<RoleServer>, ProgressToken)>,
    told: Option<(Instant, i64)>,
    /// When something is to be told that came too early.
    due: Option<Instant>,
}

impl Progress {
    /// The client of this call, when it asked to be told and can be.
    pub(super) fn of(call: &ToolCall) -> Progress {
        let token = call.context.meta.get_progress_token().filter(|_| call.accepts == Accepts::Stream);
        Progress { client: token.map(|token| (call.context.peer.clone(), token)), told: None, due: None }
    }

    /// Whether anybody wants to know.
    pub(super) fn is_wanted(&self) -> bool {
        self.client.is_some()
    }

    /// Tells that `done` of `total` are done: now, or when it is due.
    pub(super) async fn tell(&mut self, done: i64, total: i64, what: &str) {
        let Some((peer, token)) = &self.client else { return };
        self.due = None;
        // The protocol wants every figure to be higher than the one before.
        if let Some((when, before)) = self.told {
            if done <= before {
                return;
            }
            if when.elapsed() < TOLD_EVERY {
                self.due = Some(when + TOLD_EVERY);
                return;
            }
        }
        self.told = Some((Instant::now(), done));
        let progress = ProgressNotificationParam::new(token.clone(), done as f64)
            .with_total(total as f64)
            .with_message(format!("{done} of {total} {what}"));
        // A client that is gone is noticed by whoever waits for it.
        let _ = peer.notify_progress(progress).await;
    }

    /// Done when something that came too early can be told.
    pub(super) async fn due(&self) {
        match self.due {
            Some(when) => tokio::time::sleep_until(when.into()).await,
            None => std::future::pending().await,
        }
    }
}
