"""The network of a cluster: every node in a network namespace of its own, on a cable that can be pulled.

A pulled cable is not a closed connection: packets vanish, and both ends believe for a while that the other is there.
"""

import os
import subprocess
import sys
from pathlib import Path

# Set in the process that runs inside of the namespace of the whole run.
INSIDE = "CANVASS_CHAOS_NAMESPACE"
LOOPBACK = "127.0.0.1"


def enter_namespace() -> None:
    """Runs this program again in a network and mount namespace of its own, so that nothing of it is seen outside or left behind.
    Where that is not permitted, all nodes share this machine's loopback, and cables cannot be pulled."""
    if os.environ.get(INSIDE):
        subprocess.run(["ip", "link", "set", "lo", "up"], check=True)
        # `ip netns` keeps namespaces as mounts here; ours must not reach the machine's.
        Path("/run/netns").mkdir(exist_ok=True)
        subprocess.run(["mount", "-t", "tmpfs", "none", "/run/netns"], check=True)
        return
    if os.geteuid() != 0:
        return
    namespace = ["unshare", "--net", "--mount"]
    if subprocess.run([*namespace, "ip", "link"], capture_output=True, check=False).returncode != 0:
        return
    command = [*namespace, "--fork", "--kill-child", sys.executable, *sys.argv]
    sys.exit(subprocess.run(command, env={**os.environ, INSIDE: "1"}, check=False).returncode)


def why_no_cables() -> str | None:
    """Why nodes cannot have namespaces of their own."""
    return None if os.environ.get(INSIDE) else "only root may make network namespaces, with iproute2 installed"


class Cable:
    """Connects one node to the namespace in which the database, the mail server and the clients are."""

    def __init__(self, node: str, number: int):
        self._namespace, self._interface = f"canvass-{node}", f"cable{number}"
        # From the range that is set aside for tests of networks.
        self.near, self.far = f"198.18.{number}.1", f"198.18.{number}.2"
        inside = ["netns", "exec", self._namespace, "ip"]
        for arguments in (
            ["netns", "add", self._namespace],
            ["link", "add", self._interface, "type", "veth", "peer", "name", "eth0", "netns", self._namespace],
            ["address", "add", f"{self.near}/30", "dev", self._interface],
            ["link", "set", self._interface, "up"],
            [*inside, "address", "add", f"{self.far}/30", "dev", "eth0"],
            [*inside, "link", "set", "eth0", "up"],
            [*inside, "link", "set", "lo", "up"],
        ):
            _ip(*arguments)

    def command(self) -> list[str]:
        """What a command starts with that is to run at the far end."""
        return ["ip", "netns", "exec", self._namespace]

    def pull(self) -> None:
        _ip("link", "set", self._interface, "down")

    def plug_in(self) -> None:
        _ip("link", "set", self._interface, "up")

    def remove(self) -> None:
        """Fails silently if processes are still ending; the namespace of the run takes it along."""
        subprocess.run(["ip", "netns", "delete", self._namespace], capture_output=True, check=False)
        subprocess.run(["ip", "link", "delete", self._interface], capture_output=True, check=False)


def _ip(*arguments: str) -> None:
    subprocess.run(["ip", *arguments], check=True)
