"""A cluster: SQLite with one server, or PostgreSQL with two servers and three workers."""

import os
import threading
from pathlib import Path

from database.prepare import SMALL_DISK_MIB, Disk, Postgres
from mail.receive import MailServer
from nodes.command import CommandLine
from nodes.connect import LOOPBACK, Cable, why_no_cables
from nodes.start import Node

# Where e-mails must link to. Only servers know it from their settings; workers learn it from the database.
BASE_URL = "http://canvass.test"
LEASE_SECONDS = 2
SERVERS, WORKERS = 2, 3
# Of every machine on which a cluster runs.
SECRET = "one secret for all machines of this cluster"


class Cluster:
    """Processes that share a database and a mail server."""

    def __init__(
        self, root: Path, folder: Path, database: str, settings: dict[str, str] | None = None, disk_mib: int = SMALL_DISK_MIB
    ):
        self.database = database
        self.folder = folder
        folder.mkdir(parents=True)
        # SQLite's one node needs no network; PostgreSQL's have one where that can be made.
        self.why_no_cables = "one node has nobody to be cut off from" if database == "sqlite" else why_no_cables()
        # Inside of a namespace of its own, every address of this machine is private.
        self.mail = MailServer(root, LOOPBACK if self.why_no_cables else "0.0.0.0")
        self.disk = Disk(folder / "data", disk_mib) if database == "sqlite" else None
        self.postgres = Postgres(folder / "postgres", root) if database == "postgres" else None
        self._binary = Path(os.environ.get("CHAOS_BINARY", root / "target/debug/canvass"))
        self._settings = settings or {}
        self._cables: list[Cable] = []
        self.command = CommandLine(self._binary, self._environment("command", LOOPBACK), folder)
        self.nodes = self._make_nodes()
        self._closing = threading.Event()
        self._supervisor = threading.Thread(target=self._supervise, daemon=True)

    @property
    def servers(self) -> list[Node]:
        return [node for node in self.nodes if node.is_server]

    @property
    def addresses(self) -> list[str]:
        """Where the servers listen."""
        return [node.address for node in self.servers]

    def start(self) -> None:
        for node in self.nodes:
            node.start()
        self._supervisor.start()
        for node in self.nodes:
            node.wait_until_up()

    def crashes(self) -> list[str]:
        return [crash for node in self.nodes for crash in node.crashes]

    def stop(self) -> list[str]:
        """Stops every node as a deployment does. Returns what went wrong with that."""
        self._closing.set()
        self._supervisor.join()
        statuses = {node.name: node.stop() for node in self.nodes}
        return [f"{name} ended with status {status} when it was asked to stop" for name, status in statuses.items() if status]

    def remove(self) -> None:
        """Ends everything that is left, and deletes the data."""
        self._closing.set()
        for node in self.nodes:
            node.hold_down()
            if node.cable:
                node.cable.remove()
        self.mail.stop()
        for store in (self.disk, self.postgres):
            if store:
                store.remove()

    def _make_nodes(self) -> list[Node]:
        if self.database == "sqlite":
            return [self._node("server-1", "serve")]
        servers = [self._node(f"server-{number + 1}", "serve") for number in range(SERVERS)]
        return servers + [self._node(f"worker-{number + 1}", "work") for number in range(WORKERS)]

    def _node(self, name: str, verb: str) -> Node:
        cable = None if self.why_no_cables else Cable(name, len(self._cables))
        if cable:
            self._cables.append(cable)
        environment = self._environment(name, cable.near if cable else LOOPBACK)
        if verb == "serve":
            environment["CANVASS_BASE_URL"] = BASE_URL
        return Node(name, self._binary, [verb], environment, self.folder, cable)

    def _environment(self, name: str, host: str) -> dict[str, str]:
        """The settings of a node, or of the command line, that reaches the database and the mail server on this address."""
        settings = {
            "CANVASS_DATA": str(self.folder / "data"),
            "CANVASS_SMTP_URL": self.mail.url(host),
            "CANVASS_LEASE_SECONDS": str(LEASE_SECONDS),
            "CANVASS_RUNNING_SEARCHES": "1000",
            "CANVASS_RATE_LIMIT": "0",
            "CANVASS_SECRET_KEY": SECRET,
        } | self._settings
        if self.postgres:
            settings["CANVASS_DATABASE_URL"] = self.postgres.url if name == "command" else self.postgres.url_of(name, host)
            settings["CANVASS_DATA"] = str(self.folder / f"data-{name}")
        return settings

    def _supervise(self) -> None:
        while not self._closing.wait(0.1):
            for node in self.nodes:
                node.supervise()
