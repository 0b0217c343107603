//! How long a statement may take.

use std::io::ErrorKind;
use std::time::Duration;

use tokio::time::timeout;

/// How long PostgreSQL may take for one statement.
const STATEMENT_TIME_MAX: Duration = Duration::from_secs(60);

/// Waits for PostgreSQL's answer, but not for ever: a server that hangs, or a network that drops every packet, would
/// otherwise hold the request and its connection until the operating system gives up.
pub(super) async fn in_time<T>(answer: impl Future<Output = Result<T, sqlx::Error>>) -> Result<T, sqlx::Error> {
    timeout(STATEMENT_TIME_MAX, answer).await.unwrap_or_else(|_| Err(sqlx::Error::Io(ErrorKind::TimedOut.into())))
}
