"""Follows the events of a search through every disturbance, and hangs up by itself now and then."""

import http.client
import json
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from load.ask import Client, GaveUp

# A comment keeps a quiet stream alive every fifteen seconds.
QUIET_SECONDS_MAX = 25
PAUSE_SECONDS = 0.1


@dataclass
class Followed:
    """What a follower saw."""

    leads: list[str] = field(default_factory=list)
    connections: int = 0
    is_done: bool = False


class HangUps:
    """Makes every follower hang up at once: a proxy restarts, or a phone leaves its network."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._count = 0

    @property
    def count(self) -> int:
        return self._count

    def all(self) -> None:
        with self._lock:
            self._count += 1


class Follower:
    """Reads one search's events to the end, each exactly once."""

    def __init__(self, client: Client, search: str, hang_ups: HangUps):
        self.client, self.search, self.hang_ups = client, search, hang_ups
        self.followed = Followed()
        self._last = -1

    def follow(self, hang_up_after: list[int], on_lead: Callable[[int], None] = lambda _: None) -> Followed:
        """Follows to the end; hangs up after each of these numbers of events."""
        deadline = time.monotonic() + self.client.patience
        pending = sorted(hang_up_after)
        while not self.followed.is_done:
            if time.monotonic() > deadline:
                raise GaveUp(f"the events of {self.search} did not end; the last was {self._last}")
            self.followed.connections += 1
            self.client.tally.count("event stream")
            try:
                self._read_connection(pending, on_lead)
            except (OSError, http.client.HTTPException) as error:
                self.client.tally.answered(type(error).__name__)
            time.sleep(PAUSE_SECONDS)
        return self.followed

    def _read_connection(self, pending: list[int], on_lead: Callable[[int], None]) -> None:
        connection = http.client.HTTPConnection(self.client.random.choice(self.client.servers), timeout=QUIET_SECONDS_MAX)
        hung_up = self.hang_ups.count
        try:
            headers = self.client.headers()
            if self._last >= 0:
                headers["Last-Event-ID"] = str(self._last)
            connection.request("GET", f"/searches/{self.search}/events", headers=headers)
            response = connection.getresponse()
            self.client.tally.answered(f"stream {response.status}")
            if response.status == 204:
                self._violate("204 before search_done was seen")
                self.followed.is_done = True
            if response.status != 200:
                return
            self._read_events(response, pending, on_lead, hung_up)
        finally:
            connection.close()

    def _read_events(
        self, response: http.client.HTTPResponse, pending: list[int], on_lead: Callable[[int], None], hung_up: int
    ) -> None:
        event: dict[str, str] = {}
        while line := response.readline():
            text = line.decode().rstrip("\n")
            if text:
                name, _, value = text.partition(": ")
                event[name] = value
                continue
            if "event" in event:
                self._take(event)
                on_lead(len(self.followed.leads))
            event = {}
            if self.followed.is_done or self.hang_ups.count > hung_up:
                return
            if pending and self._last >= pending[0]:
                pending.pop(0)
                return

    def _take(self, event: dict[str, str]) -> None:
        number = int(event["id"])
        if number != self._last + 1:
            self._violate(f"event {number} came after event {self._last}")
        self._last = number
        if event["event"] == "lead":
            self.followed.leads.append(json.loads(event["data"])["lead_id"])
        self.followed.is_done = event["event"] == "search_done"

    def _violate(self, what: str) -> None:
        self.client.tally.violate(f"stream of {self.search}: {what}")
