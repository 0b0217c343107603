"""A client as an integration should be written: it repeats what failed, with the same Idempotency-Key, on any server."""

import http.client
import json
import random
import threading
import time
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

# Answers after which the same request is sent again.
REPEATED = {409, 429, 500, 502, 503}
ANSWER_SECONDS_MAX = 70
PAUSE_SECONDS = 0.25


@dataclass
class Tally:
    """What was done, and what went wrong, counted by all clients."""

    operations: Counter = field(default_factory=Counter)
    answers: Counter = field(default_factory=Counter)
    violations: list[str] = field(default_factory=list)
    latencies: list[float] = field(default_factory=list)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def count(self, operation: str) -> None:
        with self._lock:
            self.operations[operation] += 1

    def answered(self, answer: str, seconds: float | None = None) -> None:
        with self._lock:
            self.answers[answer] += 1
            if seconds is not None:
                self.latencies.append(seconds)

    def violate(self, what: str) -> None:
        with self._lock:
            self.violations.append(what)


@dataclass
class Answer:
    status: int
    headers: http.client.HTTPMessage
    body: Any


class GaveUp(Exception):
    """A request that no server answered within the client's patience."""


class Client:
    """Speaks for one key to all servers of a cluster."""

    def __init__(self, servers: list[str], key: str, tally: Tally, patience: float, seed: int = 0):
        self.servers, self.key, self.tally, self.patience = servers, key, tally, patience
        self.random = random.Random(seed)

    def ask(self, method: str, path: str, body: Any = None, once: str | None = None) -> Answer:
        """Asks until there is an answer that a repeat would not change. `once` is the Idempotency-Key."""
        deadline = time.monotonic() + self.patience
        self.tally.count(f"{method} {path.split('?')[0].split('/')[1]}")
        last = "no answer"
        while time.monotonic() < deadline:
            try:
                answer = self.try_once(method, path, body, once)
            except (OSError, http.client.HTTPException) as error:
                last = type(error).__name__
                self.tally.answered(last)
                time.sleep(PAUSE_SECONDS)
                continue
            if answer.status == 500:
                self.tally.violate(f"{method} {path}: 500 {answer.body}")
            if answer.status not in REPEATED:
                return answer
            last = f"{answer.status} {answer.body}"
            time.sleep(PAUSE_SECONDS)
        raise GaveUp(f"{method} {path}: no answer within {self.patience:.0f} s, at last {last}")

    def try_once(self, method: str, path: str, body: Any, once: str | None, server: str | None = None) -> Answer:
        """One request to one server."""
        connection = http.client.HTTPConnection(server or self.random.choice(self.servers), timeout=ANSWER_SECONDS_MAX)
        began = time.monotonic()
        try:
            connection.request(method, path, json.dumps(body) if body is not None else None, self.headers(body, once))
            response = connection.getresponse()
            text = response.read()
        finally:
            connection.close()
        self.tally.answered(str(response.status), time.monotonic() - began)
        return Answer(response.status, response.headers, json.loads(text) if text else None)

    def headers(self, body: Any = None, once: str | None = None) -> dict[str, str]:
        headers = {"X-API-Key": self.key}
        if body is not None:
            headers["Content-Type"] = "application/json"
        if once:
            headers["Idempotency-Key"] = once.replace(" ", "-")
        return headers

    def get(self, path: str) -> Any:
        """What is at a path that must be there."""
        answer = self.ask("GET", path)
        if answer.status != 200:
            raise GaveUp(f"GET {path}: {answer.status} {answer.body}")
        return answer.body

    def get_all(self, path: str) -> list:
        """All pages of a list."""
        items: list = []
        while path:
            answer = self.ask("GET", path)
            if answer.status != 200:
                raise GaveUp(f"GET {path}: {answer.status} {answer.body}")
            items += answer.body
            link = answer.headers.get("Link") or ""
            target = link.split("<", 1)[1].split(">", 1)[0] if 'rel="next"' in link else ""
            # Servers name pages by their public address; here they are reached by port.
            path = "/" + target.split("://", 1)[-1].split("/", 1)[-1] if target else ""
        return items
