"""Keys and tokens sent in every place a client could put them, and then looked for wherever Canvass writes.

A breach is a secret, in any common encoding, in the log, the metrics, a response, or a file of the data folder.
"""

import base64
import json
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

from report import Report
from server import Server

def _request(method: str, path: str, headers: dict[str, str], body: str = "") -> bytes:
    fields = {"Host": "127.0.0.1", "Connection": "close", **headers}
    if body:
        fields |= {"Content-Length": str(len(body.encode())), "Content-Type": "application/json"}
    head = "".join(f"{name}: {value}\r\n" for name, value in fields.items())
    return f"{method} {path} HTTP/1.1\r\n{head}\r\n{body}".encode("utf-8", "surrogateescape")


def _disguises(secret: str) -> list[str]:
    """A secret as clients mangle it."""
    return [
        secret, quote(secret, safe="").replace("_", "%5F"), secret.upper(), f" {secret} ", f'"{secret}"', f"Bearer {secret}",
        f"{secret}\\n", f"x{secret}y", f"key={secret}", "".join(f"%{ord(letter):02x}" for letter in secret),
    ]


def _requests(secret: str, key: str) -> Iterator[bytes]:
    """Every place of a request. `key` authenticates those that are to get further in."""
    word = secret.replace("_", "-")
    for value in _disguises(secret):
        for name in ("X-API-Key", "Authorization", "Cookie", "User-Agent", "Referer", "Origin", "X-Request-Id", "Idempotency-Key",
                     "Accept", "Last-Event-ID", "If-None-Match", "X-Forwarded-For", "Host", "Content-Type", "Accept-Language",
                     "MCP-Session-Id", "MCP-Protocol-Version", "traceparent", "Transfer-Encoding", "Expect"):
            yield _request("GET", "/me", {"X-API-Key": key, name: value} if name != "X-API-Key" else {name: value})
        yield _request("GET", "/me", {"Authorization": "Basic " + base64.b64encode(f"user:{value}".encode()).decode()})
        yield _request("GET", "/me", {"Cookie": f"canvass_session={value}; a={value}"})
    for path in (
        f"/{secret}", f"/mcp/{secret}", f"/me/{secret}", f"/searches/{secret}", f"/searches/{secret}/leads", f"/leads/{secret}",
        f"/app/{secret}", f"/app/welcome#{secret}", f"/me?api_key={secret}", f"/me?{secret}=1", f"/credits?limit={secret}",
        f"/credits?before={secret}", f"/exports/{secret}", f"/docs/{secret}", f"//{secret}@host/", f"/sandbox/{secret}",
        f"/suggest?q={secret}", f"/radar/alerts?since={secret}", f"/searches?status={secret}", f"http://{secret}/me",
    ):
        for method in ("GET", "POST", "DELETE"):
            yield _request(method, path, {"X-API-Key": key})
            yield _request(method, path, {})
    for method in (secret.replace("_", "-"), secret, f"GET{secret}", "OPTIONS", "TRACE", "CONNECT"):
        yield _request(method, f"/{secret}", {"X-API-Key": key, "Access-Control-Request-Headers": secret})
    yield _request("GET", "/me", {"X-API-Key": key, word: "1"})
    bodies = (
        {"industry": secret, "location": "Austin, TX"}, {"industry": "dentist", "location": secret}, {secret: 1},
        {"industry": "dentist", "location": "Austin, TX", "filters": {secret: True}}, {"lead_id": secret},
        {"industry": "dentist", "location": "Austin, TX", "scope": secret}, {"email": f"{secret}@example.com", "password": secret},
        {"name": secret, "note": secret, "tags": [secret]}, {"jsonrpc": "2.0", "id": secret, "method": secret, "params": {secret: secret}},
        {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "search_leads", "arguments": {"industry": secret}}},
    )
    for path in ("/search/start", "/search", "/search/quote", "/radar/watch", "/mcp", "/session", "/sessions", "/sign-in", "/keys", "/ai/key"):
        for body in bodies:
            text = json.dumps(body)
            yield _request("POST", path, {"X-API-Key": key, "Accept": "application/json, text/event-stream"}, text)
            yield _request("POST", path, {"X-API-Key": key}, text.replace(secret, "".join(f"\\u{ord(letter):04x}" for letter in secret)))
            yield _request("POST", path, {}, text)
        yield _request("POST", path, {"X-API-Key": key}, f"{{{secret}")
    yield f"{secret}\r\n\r\n".encode()
    yield f"GET /{secret}\r\n\r\n".encode()
    yield b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + secret.encode() * 20


def _traces(secret: str) -> dict[str, bytes]:
    """What would give a secret away: its random part, plain and encoded."""
    core = secret.rsplit("_", 1)[-1]
    raw = core.encode()
    return {
        "plain": raw.lower(),
        "percent-encoded": "".join(f"%{letter:02x}" for letter in raw).encode().lower(),
        "hexadecimal": raw.hex().encode(),
        "escaped": "".join(f"\\u{letter:04x}" for letter in raw).encode().lower(),
        # Three alignments: base64 of a text depends on where in a group of three bytes it begins.
        **{f"base64 {skip}": base64.b64encode(raw[skip : skip + 24]).lower() for skip in range(3)},
    }


def _look(where: str, content: bytes, secrets: list[str], report: Report) -> None:
    folded = content.lower()
    for secret in secrets:
        for encoding, trace in _traces(secret).items():
            at = folded.find(trace)
            if at >= 0:
                context = content[max(0, at - 80) : at].decode("utf-8", "replace")
                report.breach("secrets", f"{where} has a secret, {encoding}, after {context!r}")


def attack(binary: Path, report: Report) -> None:
    """Sends a valid key, a revoked one and a sign-in link in every place, then looks for them."""
    with tempfile.TemporaryDirectory() as folder:
        with Server(binary, Path(folder)) as server:
            _attack(server, report)
        secrets = (Path(folder) / "secrets.json").read_text()
        for root, _, files in os.walk(folder):
            for name in files:
                if name not in ("started.json", "secrets.json"):
                    _look(f"the file {name}", (Path(root) / name).read_bytes(), json.loads(secrets), report)


def _attack(server: Server, report: Report) -> None:
    server.command("account", "create", "--email", "eve@example.com", "--tier", "scale", "--credits", "20")
    keys = [server.command("key", "create", "eve@example.com", "--name", f"k{number}").split()[0] for number in range(2)]
    caller = server.command("key", "create", "eve@example.com", "--name", "caller").split()[0]
    listed = json.loads(server.command("key", "list", "eve@example.com", "--json"))
    revoked = next(entry["id"] for entry in listed if entry["name"] == "k1")
    server.command("key", "revoke", revoked)
    link = server.command("account", "link", "eve@example.com").strip().rsplit("#", 1)[-1].split()[0]
    secrets = [*keys, link]
    sent = 0
    for secret in secrets:
        for request in _requests(secret, caller):
            response = server.send(request)
            _look(f"the response to {request[:60].decode('latin-1')!r}", response, secrets, report)
            sent += 1
    metrics = server.send(_request("GET", "/metrics", {}))
    _look("/metrics", metrics, [*secrets, caller], report)
    if b"HTTP/1.1 200" not in server.send(_request("GET", "/me", {"X-API-Key": caller})):
        report.breach("secrets", "the caller's own key was not accepted: the test shows nothing")
    if b"http_requests" not in metrics and b"requests" not in metrics:
        report.breach("secrets", "/metrics shows no requests: the test shows nothing")
    (server.folder / "secrets.json").write_text(json.dumps([*secrets, caller]))
    report.attempts("secrets", sent)
