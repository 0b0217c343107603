"""A network namespace in which every address of the internet is this machine, and one resolver that lies on request."""

import contextlib
import os
import socket
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

from dnslib import AAAA, CNAME, QTYPE, RR, A, DNSRecord

# Set in the process that runs inside of the namespace.
INSIDE = "CANVASS_ATTACKS_NAMESPACE"
PORTS = [22, 25, 80, 443, 2375, 3306, 5432, 6379, 8000, 8008, 8080, 8081, 8443, 8500, 8888, 9200, 10250, 11211, 27017]
REQUEST_BYTES_MAX = 16 * 1024


def enter_namespace() -> None:
    """Runs this program again inside of a network and mount namespace of its own, and ends with its exit code."""
    if os.environ.get(INSIDE):
        _set_up()
        return
    # Without root, a user namespace is needed too, which most systems allow everybody.
    user = [] if os.geteuid() == 0 else ["--user", "--map-root-user"]
    command = ["unshare", *user, "--net", "--mount", "--fork", "--kill-child", sys.executable, *sys.argv]
    sys.exit(subprocess.run(command, env={**os.environ, INSIDE: "1"}).returncode)


def _set_up() -> None:
    """Makes every IPv4 and IPv6 address local, and this process the resolver."""
    for arguments in (
        ["link", "set", "lo", "up"],
        ["route", "add", "local", "0.0.0.0/0", "dev", "lo"],
        ["-6", "route", "add", "local", "::/0", "dev", "lo"],
    ):
        subprocess.run(["ip", *arguments], check=True)
    resolver = Path(f"/tmp/canvass-attacks-resolv-{os.getpid()}.conf")
    resolver.write_text("nameserver 127.0.0.1\noptions timeout:1 attempts:1\n")
    subprocess.run(["mount", "--bind", resolver, os.path.realpath("/etc/resolv.conf")], check=True)
    resolver.unlink()


class Resolver(threading.Thread):
    """Answers each name with what `answer(name, number of times asked)` returns: addresses, or a name for an alias."""

    def __init__(self, answer: Callable[[str, int], list[str]]):
        super().__init__(daemon=True)
        self.answer = answer
        self.asked: dict[str, int] = {}
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.socket.bind(("127.0.0.1", 53))

    def run(self) -> None:
        while True:
            packet, client = self.socket.recvfrom(4096)
            with contextlib.suppress(Exception):
                self.socket.sendto(self._reply(DNSRecord.parse(packet)).pack(), client)

    def _reply(self, query: DNSRecord) -> DNSRecord:
        name = str(query.q.qname).rstrip(".").lower()
        reply = query.reply()
        wanted = QTYPE[query.q.qtype]
        if wanted == "A":
            self.asked[name] = self.asked.get(name, 0) + 1
        for value in self.answer(name, max(self.asked.get(name, 1), 1)):
            record = _record(value)
            if QTYPE[record[0]] in (wanted, "CNAME"):
                reply.add_answer(RR(query.q.qname, record[0], rdata=record[1], ttl=0))
        return reply


def _record(value: str) -> tuple[int, A | AAAA | CNAME]:
    if ":" in value:
        return QTYPE.AAAA, AAAA(value)
    if value.replace(".", "").isdigit():
        return QTYPE.A, A(value)
    return QTYPE.CNAME, CNAME(value)


class Internet(threading.Thread):
    """Accepts connections to every address on the usual ports, remembers whom each was for, and answers with
    `respond(address, request)`. Connections to the resolver are not seen here."""

    def __init__(self, respond: Callable[[str, str], bytes]):
        super().__init__(daemon=True)
        self.respond = respond
        self.connections: list[tuple[str, int]] = []
        self.listeners = [self._listen(family, port) for family in (socket.AF_INET, socket.AF_INET6) for port in PORTS]

    @staticmethod
    def _listen(family: int, port: int) -> socket.socket:
        listener = socket.socket(family, socket.SOCK_STREAM)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if family == socket.AF_INET6:
            listener.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        listener.bind(("::" if family == socket.AF_INET6 else "0.0.0.0", port))
        listener.listen(1024)
        return listener

    def run(self) -> None:
        for listener in self.listeners:
            threading.Thread(target=self._accept, args=(listener,), daemon=True).start()

    def _accept(self, listener: socket.socket) -> None:
        while True:
            connection, _ = listener.accept()
            address, port = connection.getsockname()[:2]
            self.connections.append((address, port))
            threading.Thread(target=self._serve, args=(connection, address), daemon=True).start()

    def _serve(self, connection: socket.socket, address: str) -> None:
        with connection, contextlib.suppress(OSError):
            connection.settimeout(10)
            request = b""
            while b"\r\n\r\n" not in request and len(request) < REQUEST_BYTES_MAX:
                piece = connection.recv(4096)
                if not piece:
                    return
                request += piece
            connection.sendall(self.respond(address, request.decode("latin-1")))
