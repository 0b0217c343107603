//! Accepts connections for as long as the process runs, whatever the system is short of.

use std::io;
use std::time::{Duration, Instant};

use rustix::io::Errno;
use tokio::net::TcpListener;

use super::drive::drive;
use crate::edge::Edge;
use crate::router::Service;

/// How long to wait when the system has no more connections to give.
const ACCEPT_PAUSE: Duration = Duration::from_millis(20);
/// How often that is worth a line in the log.
const WARN_EVERY: Duration = Duration::from_secs(10);

/// Accepts connections, each driven by a task of its own. Never returns.
pub(crate) async fn accept(listener: &TcpListener, service: &Service, edge: &Edge) {
    let mut warned: Option<Instant> = None;
    loop {
        match listener.accept().await {
            Ok((stream, peer)) => {
                if let Some(place) = edge.connections.admit(peer.ip()).await {
                    tokio::spawn(drive(stream, service.clone(), edge.clone(), place));
                }
            }
            Err(error) => {
                if warned.is_none_or(|warned| warned.elapsed() > WARN_EVERY) {
                    warned = Some(Instant::now());
                    tracing::warn!(error = &error as &dyn std::error::Error, "a connection could not be accepted");
                }
                if is_out_of_descriptors(&error) {
                    // Strangers who ask for nothing give theirs back.
                    edge.connections.make_room();
                    tokio::time::sleep(ACCEPT_PAUSE).await;
                }
            }
        }
    }
}

fn is_out_of_descriptors(error: &io::Error) -> bool {
    [Errno::MFILE, Errno::NFILE].iter().any(|errno| error.raw_os_error() == Some(errno.raw_os_error()))
}
