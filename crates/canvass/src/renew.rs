//! Renews a short lease beside the work it protects.

use std::future::Future;
use std::time::Duration;

use crate::db::DbError;

/// Does `work` and, until it is done, calls `renew` every so often. Renewing ends early when `renew` says that the lease is
/// lost; the guards of what `work` writes decide what that means.
pub(crate) async fn renewing<T, R, F>(every: Duration, renew: R, work: impl Future<Output = T>) -> T
where
    R: Fn() -> F,
    F: Future<Output = Result<bool, DbError>> + Send + 'static,
{
    let beside = async {
        loop {
            tokio::time::sleep(every).await;
            // A task of its own: when the work is done first, no transaction is cancelled half-way.
            match tokio::spawn(renew()).await {
                Ok(Ok(true)) => {}
                Ok(Ok(false)) => break,
                // Not lost yet: the next renewal may reach the database before the lease ends.
                Ok(Err(error)) => {
                    tracing::warn!(error = &error as &dyn std::error::Error, "a lease could not be renewed");
                }
                Err(error) => tracing::error!(error = &error as &dyn std::error::Error, "renewing a lease panicked"),
            }
        }
        std::future::pending::<()>().await;
    };
    tokio::select! {
        done = work => done,
        () = beside => unreachable!("renewing never ends before the work"),
    }
}
