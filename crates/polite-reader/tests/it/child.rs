//! Runs a test again in a child process, for tests that need a process of their own, and passes the server's port.

use tokio::process::Command;

use crate::hostile::Hostile;

const PORT: &str = "HOSTILE_PORT";

/// A command that runs this test in a child process, which gets the server's port from [`port_from_parent`].
pub(crate) fn again_as_child(test: &str, server: &Hostile) -> Command {
    let mut child = Command::new(std::env::current_exe().unwrap());
    child.args(["--exact", test, "--nocapture"]).env(PORT, server.address.port().to_string());
    child
}

/// The server's port, when this process is the child.
pub(crate) fn port_from_parent() -> Option<u16> {
    #[expect(clippy::disallowed_methods, reason = "how the parent test passes the port")]
    let port = std::env::var(PORT).ok()?;
    port.parse().ok()
}
