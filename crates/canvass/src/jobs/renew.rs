//! Renews a lease beside the work it protects.

use std::future::Future;
use std::time::Duration;

use super::{Job, Lease, lease};
use crate::app::App;
use crate::db::DbError;

/// How often a lease is renewed while it lasts: a renewal may fail twice before the lease is lost.
const RENEWALS_PER_LEASE: u64 = 3;

/// Does `work` while renewing its lease. `None` when the lease is lost first: the work is cancelled.
pub async fn under_lease<J: Job, T>(app: &App, lease: &Lease<J>, work: impl Future<Output = T>) -> Option<T> {
    let lease_seconds = u64::try_from(J::terms(&app.settings).lease).unwrap_or(1);
    let every = Duration::from_millis(lease_seconds * 1_000 / RENEWALS_PER_LEASE);
    let renew = || {
        let (app, lease) = (app.clone(), *lease);
        async move { lease::renew(&app, &lease).await }
    };
    tokio::select! {
        done = work => Some(done),
        () = until_lost(every, renew) => None,
    }
}

/// Does `work` and, until it is done, calls `renew` every so often. The work goes on when the lease is lost: the guards of
/// what it writes decide what that means.
pub(crate) async fn renewing<T, R, F>(every: Duration, renew: R, work: impl Future<Output = T>) -> T
where
    R: Fn() -> F,
    F: Future<Output = Result<bool, DbError>> + Send + 'static,
{
    let beside = async {
        until_lost(every, renew).await;
        std::future::pending::<T>().await
    };
    tokio::select! {
        done = work => done,
        never = beside => never,
    }
}

/// Calls `renew` every so often; resolves once it says that the lease is lost.
async fn until_lost<R, F>(every: Duration, renew: R)
where
    R: Fn() -> F,
    F: Future<Output = Result<bool, DbError>> + Send + 'static,
{
    loop {
        tokio::time::sleep(every).await;
        // A task of its own: when the work is done first, no transaction is cancelled half-way.
        match tokio::spawn(renew()).await {
            Ok(Ok(true)) => {}
            Ok(Ok(false)) => return,
            // Not lost yet: the next renewal may reach the database before the lease ends.
            Ok(Err(error)) => {
                tracing::warn!(error = &error as &dyn std::error::Error, "a lease could not be renewed");
            }
            Err(error) => tracing::error!(error = &error as &dyn std::error::Error, "renewing a lease panicked"),
        }
    }
}
