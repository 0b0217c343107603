//! A test that needs a process of its own runs itself again as a child, and tells it where the server is.

use tokio::process::Command;

use crate::hostile::Hostile;

const PORT: &str = "HOSTILE_PORT";

/// This test again, in a process of its own, which finds the server's port with [`port_from_parent`].
pub(crate) fn again_as_child(test: &str, server: &Hostile) -> Command {
    let mut child = Command::new(std::env::current_exe().unwrap());
    child.args(["--exact", test, "--nocapture"]).env(PORT, server.address.port().to_string());
    child
}

/// The server's port, when this process is the child.
pub(crate) fn port_from_parent() -> Option<u16> {
    #[expect(clippy::disallowed_methods, reason = "how the parent test tells its child")]
    let port = std::env::var(PORT).ok()?;
    port.parse().ok()
}
