"""Every route of the API document, called by everybody who must not get in, with the ids of somebody else's belongings.

A breach is a response that lets a stranger in, one that shows what belongs to the victim, or any change of what the
victim sees afterwards.
"""

import json
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from report import Report
from server import Customer, Response, Server

SAME_SITE = {"Sec-Fetch-Site": "same-origin"}
CROSS_SITE = {"Sec-Fetch-Site": "cross-site", "Origin": "https://evil.example"}
SEARCH_SECONDS_MAX = 60
# What a victim sees of their own account, by key and by session.
VICTIM_SEES = [
    "/me", "/credits", "/searches", "/searches/{search_id}", "/searches/{search_id}/leads", "/searches/{search_id}/marks",
    "/radar/watches", "/radar/alerts", "/tags", "/leads/{lead_id}", "/me/ai-key", "/searches/{search_id}/enrich",
]
VICTIM_SEES_SIGNED_IN = ["/account", "/account/keys", "/account/views"]
# Nothing in these names an account: they are open to everybody, and throttled.
OPEN = {"/account/forgot", "/account/link", "/account/options", "/account/sign-in", "/account/sign-up", "/healthz", "/readyz", "/metrics"}


@dataclass(frozen=True)
class Belongings:
    """What the victim has, by the names that paths and bodies use."""

    ids: dict[str, str]
    # Text that only the victim may read.
    private: list[str]


@dataclass(frozen=True)
class Actor:
    """Somebody who must not get in, by what their requests carry."""

    name: str
    headers: dict[str, str]
    # Whether they have an account of their own, which most routes then answer for.
    has_account: bool = False


def attack(binary: Path, report: Report) -> None:
    with tempfile.TemporaryDirectory() as folder:
        with Server(binary, Path(folder)) as server:
            _attack(server, report)


def _attack(server: Server, report: Report) -> None:
    victim = server.customer("victim", credits=50)
    belongings = _belongings(server, victim)
    actors = _actors(server, victim)
    before = _victim_sees(server, victim, belongings)
    document = json.loads((Path(__file__).resolve().parent.parent / "openapi.json").read_text())
    sent = 0
    for actor in actors:
        for path, item in document["paths"].items():
            for method, operation in item.items():
                for body in _bodies(path, belongings):
                    response = server.call(method.upper(), path.format(**belongings.ids), actor.headers, body)
                    _judge(actor, f"{method.upper()} {path}", operation, response, belongings, report)
                    sent += 1
    after = _victim_sees(server, victim, belongings)
    for path in before:
        if before[path] != after[path]:
            report.breach("actors", f"what the victim sees at {path} has changed")
    report.attempts("actors", sent)


def _belongings(server: Server, victim: Customer) -> Belongings:
    """One of everything that has an id."""
    key = {"X-API-Key": victim.key}
    query = {"industry": "dentist", "location": "Changeville, Sandbox", "requested_count": 3}
    search = server.call("POST", "/search/start", key, query).json()["search_id"]
    deadline = time.monotonic() + SEARCH_SECONDS_MAX
    while server.call("GET", f"/searches/{search}", key).json()["status"] == "running":
        if time.monotonic() > deadline:
            raise RuntimeError("the victim's search did not end")
        time.sleep(0.1)
    leads = server.call("GET", f"/searches/{search}/leads", key).json()
    lead = leads[0]["lead_id"]
    watch = server.call("POST", "/radar/watch", key, {"lead_id": lead}).json()
    server.call("PUT", f"/leads/{lead}/mark", key, {"note": "victims-note", "starred": True, "tags": ["victims-tag"]})
    signed_in = {"Cookie": victim.cookie, **SAME_SITE}
    server.call("PUT", "/account/views/victims-view", signed_in, {"settings": {"a": "victims-setting"}})
    device = server.call("GET", "/account/devices", signed_in).json()[0]["id"]
    key_id = server.call("GET", "/account/keys", signed_in).json()[0]["id"]
    ids = {
        "search_id": search, "lead_id": lead, "watch_id": watch["id"], "device_id": device, "key_id": key_id,
        "name": "victims-view", "token": "no-such-token",
    }
    private = ["victims-note", "victims-tag", "victims-setting", "victim@example.com"]
    # Values that could also be somebody else's, such as a shared town, are not private.
    private += [lead["business_name"] for lead in leads if lead.get("business_name")]
    return Belongings(ids, private)


def _victim_sees(server: Server, victim: Customer, belongings: Belongings) -> dict[str, object]:
    seen = {}
    for path in VICTIM_SEES:
        seen[path] = server.call("GET", path.format(**belongings.ids), {"X-API-Key": victim.key})
    for path in VICTIM_SEES_SIGNED_IN:
        seen[path] = server.call("GET", path, {"Cookie": victim.cookie, **SAME_SITE})
    if any(response.status != 200 for response in seen.values()):
        raise RuntimeError(f"the victim is refused: { {path: response.status for path, response in seen.items()} }")
    return {path: _without_times(response.json()) for path, response in seen.items()}


def _without_times(value: object) -> object:
    """The same without when something was last used, which looking at it changes."""
    if isinstance(value, dict):
        return {name: _without_times(inner) for name, inner in value.items() if not name.startswith(("last_", "seen"))}
    return [_without_times(inner) for inner in value] if isinstance(value, list) else value


def _actors(server: Server, victim: Customer) -> list[Actor]:
    other, free = server.customer("other"), server.customer("free", tier="free")
    revoked = server.key("victim@example.com", "revoked")
    listed = json.loads(server.command("key", "list", "victim@example.com", "--json"))
    server.command("key", "revoke", next(entry["id"] for entry in listed if entry["name"] == "revoked"))
    ended = server.session("victim@example.com")
    server.call("POST", "/account/sign-out", {"Cookie": ended, **SAME_SITE})
    token = victim.cookie.split("=", 1)[1]
    return [
        Actor("nobody", {}),
        Actor("an unknown key", {"X-API-Key": "cv_live_" + "a" * 38}),
        Actor("a malformed key", {"Authorization": "Bearer ' or 1=1 --"}),
        Actor("a revoked key", {"X-API-Key": revoked}),
        Actor("a session that has ended", {"Cookie": ended, **SAME_SITE}),
        Actor("a session as a key", {"X-API-Key": token}),
        Actor("a key as a session", {"Cookie": f"{victim.cookie.split('=')[0]}={victim.key}", **SAME_SITE}),
        Actor("another website in the victim's browser", {"Cookie": victim.cookie, **CROSS_SITE}),
        Actor("another website, old browser", {"Cookie": victim.cookie, "Origin": "https://evil.example"}),
        Actor("another customer's key", {"X-API-Key": other.key}, has_account=True),
        Actor("another customer's session", {"Cookie": other.cookie, **SAME_SITE}, has_account=True),
        Actor("a free customer's key", {"X-API-Key": free.key}, has_account=True),
        Actor("a free customer's session", {"Cookie": free.cookie, **SAME_SITE}, has_account=True),
    ]


def _bodies(path: str, belongings: Belongings) -> list[object]:
    """Bodies to send: none, and one that names the victim's belongings where the route has use for it."""
    ids = belongings.ids
    match path.rsplit("/", 1)[-1]:
        case "watch":
            return [{"lead_id": ids["lead_id"]}]
        case "mark":
            return [{"note": "changed", "starred": False, "tags": []}]
        case "selection-export":
            return [{"lead_ids": [ids["lead_id"]]}]
        case "enrich":
            return [None, {"lead_ids": [ids["lead_id"]]}]
        case "{name}":
            return [{"settings": {"changed": True}}, None]
        case "ai-key":
            return [None, {"api_key": "sk-attacker", "base_url": "https://evil.example.com/v1"}]
        case "account" | "email" | "password" | "notification-email":
            return [None, {"email": "attacker@example.com", "password": "attacker attacker attacker", "current_password": "x"}]
        # Nobody's account is named here, and what another customer does with their own is theirs.
        case "start" | "search" | "searches" | "sign-up" | "forgot" | "sign-out" | "sign-out-everywhere":
            return [{}]
    return [None]


def _judge(actor: Actor, call: str, operation: dict, response: Response, belongings: Belongings, report: Report) -> None:
    path = call.split(" ")[1]
    shown = response.body.decode("utf-8", "replace")
    for text in belongings.private:
        if text in shown:
            report.breach("actors", f"{actor.name}: {call} shows {text!r}")
    names_an_id = any(f"{{{name}}}" in path for name in ("search_id", "lead_id", "watch_id", "device_id", "key_id"))
    let_in = response.status < 400
    if path in OPEN or path == "/exports/{token}":
        return
    if let_in and (not actor.has_account or names_an_id):
        report.breach("actors", f"{actor.name}: {call} was answered with {response.status}")
    if response.status >= 500:
        report.breach("actors", f"{actor.name}: {call} failed with {response.status}")
