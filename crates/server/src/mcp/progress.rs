//! Progress notifications, for clients that ask for them.

use std::time::{Duration, Instant};

use rmcp::RoleServer;
use rmcp::model::{ProgressNotificationParam, ProgressToken};
use rmcp::service::{Peer, RequestContext};

use super::accepts::Accepts;

/// Shortest time between two notifications: a search may deliver hundreds of leads a second.
const TOLD_EVERY: Duration = Duration::from_millis(250);

/// The client that asked for progress, if it did, and what was sent last.
pub(super) struct Progress {
    client: Option<(Peer<RoleServer>, ProgressToken)>,
    told: Option<(Instant, i64)>,
    /// When progress that came too early can be sent.
    due: Option<Instant>,
}

impl Progress {
    /// Progress for the client of a call, when it asked for it and accepts a stream.
    pub(super) fn of(context: &RequestContext<RoleServer>, accepts: Accepts) -> Progress {
        let token = context.meta.get_progress_token().filter(|_| accepts == Accepts::Stream);
        Progress { client: token.map(|token| (context.peer.clone(), token)), told: None, due: None }
    }

    /// Whether the client asked for progress.
    pub(super) fn is_wanted(&self) -> bool {
        self.client.is_some()
    }

    /// Sends that `done` of `total` are done, now or when it is due.
    pub(super) async fn tell(&mut self, done: i64, total: i64, what: &str) {
        let Some((peer, token)) = &self.client else { return };
        self.due = None;
        // The protocol requires every value to be higher than the one before.
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
        // That the client is gone is noticed where the call waits.
        let _ = peer.notify_progress(progress).await;
    }

    /// Resolves when progress that came too early can be sent.
    pub(super) async fn due(&self) {
        match self.due {
            Some(when) => tokio::time::sleep_until(when.into()).await,
            None => std::future::pending().await,
        }
    }
}
