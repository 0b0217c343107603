"""Runs all clients of a plan at once, and collects what they were told and what is stored in the end."""

import threading
import time
from dataclasses import dataclass, field

from load.ask import Client, GaveUp, Tally
from load.follow import HangUps
from load.plan import ACCOUNTS, POOR_CREDITS, RICH_CREDITS, Script
from load.search import OutOfCredits, Result, run_script
from load.watch import Watched, check_at_age, watch_all
from nodes.assemble import Cluster

SETTLE_PAUSE_SECONDS = 0.5


@dataclass
class Stored:
    """Everything of one account, as the API shows it in the end."""

    me: dict
    credits: list[dict]
    searches: dict[str, dict]
    leads: dict[str, list[dict]]
    usage: dict


@dataclass
class Outcome:
    """What a run left behind."""

    results: list[Result] = field(default_factory=list)
    stored: list[Stored] = field(default_factory=list)
    watched: Watched = field(default_factory=Watched)
    mail: dict[str, list[str]] = field(default_factory=dict)


class Load:
    """The clients of one cluster."""

    def __init__(self, cluster: Cluster, tally: Tally, patience: float):
        self.cluster, self.tally, self.patience = cluster, tally, patience
        self.hang_ups = HangUps()
        credits = [RICH_CREDITS] * ACCOUNTS + [POOR_CREDITS]
        self.keys = [cluster.command.account(f"owner-{number}@example.com", amount) for number, amount in enumerate(credits)]
        self.watcher = cluster.command.account("watcher@example.com", RICH_CREDITS)
        self.outcome = Outcome()

    def client(self, key: str, seed: int = 0) -> Client:
        return Client(self.cluster.addresses, key, self.tally, self.patience, seed)

    def run(self, scripts: list[Script], ages: int) -> None:
        """Runs every script at its time, then lets the world age under Radar's eyes."""
        began = time.monotonic()
        threads = [threading.Thread(target=self._run_script, args=(script, began)) for script in scripts]
        threads.append(threading.Thread(target=self._watch))
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        try:
            for _ in range(ages):
                check_at_age(self.client(self.watcher), self.cluster.command, self.patience)
        except GaveUp as error:
            self.tally.violate(f"radar: {error}")

    def collect(self) -> Outcome:
        """Waits until every e-mail has arrived, and reads everything that is stored."""
        for key in [*self.keys, self.watcher]:
            self.outcome.stored.append(self._read(self.client(key)))
        alerts = self.client(self.watcher).get_all("/radar/alerts?since=2000-01-01T00:00:00Z&limit=200")
        self.outcome.watched.alerts = alerts
        self._await_mail()
        return self.outcome

    def _run_script(self, script: Script, began: float) -> None:
        time.sleep(max(0.0, script.starts_at - (time.monotonic() - began)))
        client = self.client(self.keys[script.account], script.number)
        try:
            result = run_script(client, script, self.hang_ups, "load")
        except OutOfCredits:
            if script.account < ACCOUNTS:
                self.tally.violate(f"search {script.number}: refused for want of credits that are there")
            return
        for problem in result.problems:
            self.tally.violate(f"search {script.number}: {problem}")
        self.outcome.results.append(result)

    def _watch(self) -> None:
        try:
            self.outcome.watched = watch_all(self.client(self.watcher), "radar")
        except GaveUp as error:
            self.tally.violate(f"radar: {error}")

    def _read(self, client: Client) -> Stored:
        searches = {search["id"]: search for search in client.get_all("/searches?limit=100")}
        return Stored(
            me=client.get("/me"),
            credits=client.get_all("/credits?limit=200"),
            searches=searches,
            leads={search: client.get(f"/searches/{search}/leads") for search in searches},
            usage=client.get("/usage"),
        )

    def _await_mail(self) -> None:
        """An e-mail whose sender was killed is sent again when its lease has run out, two minutes later."""
        wanted = {result.search for result in self.outcome.results if result.script.notify and result.search}
        deadline = time.monotonic() + max(self.patience, 200)
        while time.monotonic() < deadline and not wanted <= set(self.cluster.mail.by_id()):
            time.sleep(SETTLE_PAUSE_SECONDS)
        # One that came twice would come within this time as well, unless its sender died.
        time.sleep(2 * SETTLE_PAUSE_SECONDS)
        self.outcome.mail = self.cluster.mail.by_id()
