//! Accepts connections; running out of file descriptors does not stop it.

use std::io;
use std::time::{Duration, Instant};

use rustix::io::Errno;
use tokio::net::TcpListener;

use super::drive::drive;
use crate::edge::Edge;
use crate::router::Service;

/// Pause when the process is out of file descriptors.
const ACCEPT_PAUSE: Duration = Duration::from_millis(20);
/// Interval between warnings about failed accepts.
const WARN_EVERY: Duration = Duration::from_secs(10);

/// Accepts connections, each driven by a task of its own. Never returns.
pub(super) async fn accept(listener: &TcpListener, service: &Service, edge: &Edge) {
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
                    tracing::warn!(error = &error as &dyn std::error::Error, "cannot accept a connection");
                }
                if is_out_of_descriptors(&error) {
                    // Idle unauthenticated connections give their descriptors back.
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
