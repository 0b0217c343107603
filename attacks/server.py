"""A real server with its customers, as the attacks see it."""

import contextlib
import http.client
import json
import socket
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path

START_SECONDS_MAX = 60
REQUEST_SECONDS_MAX = 60
RESPONSE_BYTES_MAX = 1 << 20
# A connection that says nothing for so long is taken to be done.
QUIET_SECONDS = 3
ADD_ONS = ["signals_plus", "radar"]


@dataclass(frozen=True)
class Customer:
    """Somebody with an account."""

    email: str
    key: str
    cookie: str


@dataclass(frozen=True)
class Response:
    """What came back."""

    status: int
    headers: dict[str, str]
    body: bytes

    def json(self) -> dict:
        return json.loads(self.body)


class Server:
    """A real server with the most detailed log, and a customer with a key."""

    def __init__(self, binary: Path, folder: Path):
        self.binary, self.folder = binary, folder
        settings = {"CANVASS_DATA": str(folder / "data"), "CANVASS_RATE_LIMIT": "0", "RUST_LOG": "trace", "CANVASS_LOG": "trace"}
        self.environment = {"PATH": "/usr/bin:/bin", "HOME": str(folder), **settings}
        self.log = folder / "server.log"
        started = folder / "started.json"
        with open(self.log, "wb") as log, open(started, "wb") as out:
            command = [binary, "serve", "--json", "--listen", "127.0.0.1:0"]
            self.process = subprocess.Popen(command, cwd=folder, env=self.environment, stdout=out, stderr=log)
        deadline = time.monotonic() + START_SECONDS_MAX
        while not started.read_text().rstrip().endswith("}"):
            if time.monotonic() > deadline or self.process.poll() is not None:
                raise RuntimeError(f"the server did not start: {self.log.read_text()[-2000:]}")
            time.sleep(0.05)
        self.port = int(json.loads(started.read_text())["base_url"].rsplit(":", 1)[1])

    def customer(self, name: str, tier: str = "scale", credits: int = 20) -> "Customer":
        """A new account with every add-on, a key, and a session in a browser."""
        email = f"{name}@example.com"
        add_ons = [word for add_on in ADD_ONS for word in ("--add-on", add_on)]
        self.command("account", "create", "--email", email, "--tier", tier, "--credits", str(credits), *add_ons)
        return Customer(email, self.key(email), self.session(email))

    def key(self, email: str, name: str = "attacks") -> str:
        return self.command("key", "create", email, "--name", name).split()[0]

    def link(self, email: str) -> str:
        return self.command("account", "link", email).rsplit("#", 1)[-1].split()[0]

    def session(self, email: str) -> str:
        """The cookie of a browser in which this person has signed in."""
        response = self.call("POST", "/account/link", {"Sec-Fetch-Site": "same-origin"}, {"token": self.link(email)})
        return response.headers["set-cookie"].split(";")[0]

    def call(self, method: str, path: str, headers: dict[str, str], body: object = None) -> "Response":
        """One request on a connection of its own."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=REQUEST_SECONDS_MAX)
        with contextlib.closing(connection):
            content = {"Content-Type": "application/json"} if body is not None else {}
            connection.request(method, path, json.dumps(body) if body is not None else None, {**content, **headers})
            response = connection.getresponse()
            return Response(response.status, dict(response.getheaders()), response.read(RESPONSE_BYTES_MAX))

    def command(self, *arguments: str) -> str:
        run = subprocess.run([self.binary, *arguments], cwd=self.folder, env=self.environment, check=True, capture_output=True)
        return run.stdout.decode()

    def send(self, request: bytes) -> bytes:
        """Sends raw bytes and returns what comes back until the connection is quiet or closed."""
        received = b""
        with socket.create_connection(("127.0.0.1", self.port), timeout=QUIET_SECONDS) as connection, contextlib.suppress(OSError):
            connection.sendall(request)
            while len(received) < RESPONSE_BYTES_MAX and (piece := connection.recv(65536)):
                received += piece
        return received

    def __enter__(self) -> "Server":
        return self

    def __exit__(self, *_: object) -> None:
        self.process.terminate()
        self.process.wait(30)
