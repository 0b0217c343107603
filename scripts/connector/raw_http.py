"""Sends the connector what no client would: each request must get the right status, and JSON.

Usage: raw_http.py BASE_URL KEY
"""

import http.client
import json
import sys
import urllib.parse
from typing import Any

BASE_URL, KEY = sys.argv[1:]
AUTHORITY = urllib.parse.urlsplit(BASE_URL).netloc
PATH = f"/mcp/{KEY}"
WRONG_KEY = f"{KEY[:-1]}{'a' if KEY[-1] != 'a' else 'b'}"
JSON = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
LIST = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
# 5 MB, all of it white space in front of what would be a good request.
OVERSIZED = " " * 5_000_000 + json.dumps(LIST)
tried = 0


class Answer:
    def __init__(self, answer: http.client.HTTPResponse):
        self.status = answer.status
        self.headers = answer.headers
        self.text = answer.read().decode()

    def json(self) -> Any:
        kind = self.headers.get("Content-Type", "none")
        assert kind.split(";")[0] in ("application/json", "application/problem+json"), f"it came as {kind}: {self.text}"
        return json.loads(self.text)


def send(method: str, path: str, body: Any = None, headers: dict[str, str] = JSON) -> Answer:
    connection = http.client.HTTPConnection(AUTHORITY, timeout=20)
    text = body if body is None or isinstance(body, str) else json.dumps(body)
    try:
        connection.request(method, path, text, headers)
    except (BrokenPipeError, ConnectionResetError):
        pass  # The server need not read what it refuses; its answer is there all the same.
    return Answer(connection.getresponse())


def expect(what: str, answer: Answer, status: int, code: int | None = None) -> Any:
    """Holds one answer against its status, and where it is the protocol's own error against its code."""
    global tried
    tried += 1
    assert answer.status == status, f"{what}: {answer.status} instead of {status}: {answer.text[:500]}"
    assert KEY not in answer.text + str(answer.headers), f"{what}: the answer gives the key away"
    body = answer.json()
    if code is not None:
        assert body["error"]["code"] == code and body["error"]["message"], f"{what}: {answer.text[:500]}"
    return body


def good_requests() -> None:
    """What is tried below is wrong in one way only: these would do."""
    for name, value in {"key in the address": None, "X-API-Key": KEY, "Authorization": f"Bearer {KEY}"}.items():
        headers = JSON if value is None else JSON | {name: value}
        body = expect(name, send("POST", PATH if value is None else "/mcp", LIST, headers), 200)
        assert len(body["result"]["tools"]) == 15, body
    for accept in ("*/*", "application/json"):
        expect(f"Accept: {accept}", send("POST", PATH, LIST, JSON | {"Accept": accept}), 200)
    expect("no Accept", send("POST", PATH, LIST, {"Content-Type": "application/json"}), 200)
    expect("own Origin", send("POST", PATH, LIST, JSON | {"Origin": BASE_URL}), 200)
    expect("Host: localhost", send("POST", PATH, LIST, JSON | {"Host": f"localhost:{AUTHORITY.split(':')[1]}"}), 200)


def bodies() -> None:
    expect("malformed JSON", send("POST", PATH, '{"jsonrpc": "2.0", "id": 1, '), 400, -32700)
    expect("no body", send("POST", PATH, ""), 400, -32700)
    expect("a batch", send("POST", PATH, [LIST, LIST]), 400, -32600)
    expect("no request", send("POST", PATH, {"hello": "there"}), 400)
    expect("an oversized body", send("POST", PATH, OVERSIZED), 413)
    expect("not JSON", send("POST", PATH, json.dumps(LIST), JSON | {"Content-Type": "text/plain"}), 415)
    expect("an unknown method", send("POST", PATH, LIST | {"method": "tools/paint"}), 200, -32601)


def message(method: str, **params: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}


def call(tool: str, **arguments: Any) -> dict[str, Any]:
    """The structured answer of a tool, asked in one request: no handshake is needed."""
    body = expect(tool, send("POST", PATH, message("tools/call", name=tool, arguments=arguments)), 200)
    return body["result"]["structuredContent"]


def notifications() -> None:
    global tried
    tried += 1
    answer = send("POST", PATH, {"jsonrpc": "2.0", "method": "notifications/initialized"})
    assert (answer.status, answer.text) == (202, ""), f"a notification: {answer.status} {answer.text}"


def going_away() -> None:
    """Somebody who waits hears of the search in between, and hangs up; the search goes on all the same."""
    started = call("start_search", industry="dentist", location="Slowtown, Sandbox", requested_count=12)
    waiting = message("tools/call", name="wait_for_search", arguments={"search_id": started["search_id"]})
    waiting["params"]["_meta"] = {"progressToken": "ours"}
    connection = http.client.HTTPConnection(AUTHORITY, timeout=20)
    connection.request("POST", PATH, json.dumps(waiting), JSON)
    events = connection.getresponse()
    assert events.headers["Content-Type"] == "text/event-stream", events.headers
    line = next(line for line in events if line.startswith(b"data: {"))
    heard = json.loads(line.removeprefix(b"data: "))
    assert heard["method"] == "notifications/progress" and heard["params"]["progressToken"] == "ours", heard
    events.close()
    connection.close()
    done = call("wait_for_search", search_id=started["search_id"], timeout_seconds=45)
    assert (done["status"], done["leads_found"]) == ("done", 12), done


def keys() -> None:
    for what, path, extra in (
        ("a wrong key in the address", f"/mcp/{WRONG_KEY}", {}),
        ("something else in its place", "/mcp/hello", {}),
        ("no key", "/mcp", {}),
        ("a wrong key in a header", "/mcp", {"X-API-Key": WRONG_KEY}),
        ("a wrong bearer", "/mcp", {"Authorization": f"Bearer {WRONG_KEY}"}),
    ):
        answer = send("POST", path, LIST, JSON | extra)
        expect(what, answer, 401)
        assert answer.headers["WWW-Authenticate"], f"{what}: no WWW-Authenticate"
        assert WRONG_KEY not in answer.text, f"{what}: repeated in the answer"


def origins_and_versions() -> None:
    expect("a foreign Origin", send("POST", PATH, LIST, JSON | {"Origin": "https://evil.example"}), 403)
    expect("Origin: null", send("POST", PATH, LIST, JSON | {"Origin": "null"}), 403)
    expect("a foreign Host", send("POST", PATH, LIST, JSON | {"Host": "evil.example"}), 403)
    expect("an unknown version", send("POST", PATH, LIST, JSON | {"MCP-Protocol-Version": "1999-01-01"}), 400)
    for version in ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"):
        expect(version, send("POST", PATH, LIST, JSON | {"MCP-Protocol-Version": version}), 200)


def methods_and_probes() -> None:
    for method in ("GET", "DELETE", "PUT", "PATCH"):
        answer = send(method, PATH)
        expect(method, answer, 405)
        assert "POST" in answer.headers["Allow"], f"{method}: Allow is {answer.headers['Allow']}"
    for document in ("oauth-protected-resource", "oauth-authorization-server", "openid-configuration"):
        for path in (f"/.well-known/{document}", f"/.well-known/{document}{PATH}", f"{PATH}/.well-known/{document}"):
            expect(f"GET {path}", send("GET", path), 404)
    refused = expect("POST /register", send("POST", "/register", {"client_name": "a host"}), 400)
    assert refused["error"] == "access_denied" and "key" in refused["error_description"], refused


for part in (good_requests, bodies, notifications, going_away, keys, origins_and_versions, methods_and_probes):
    part()
print(f"raw HTTP: {tried} requests, good and bad, each with the right status and JSON")
