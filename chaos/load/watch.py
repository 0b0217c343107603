"""Radar: watches businesses, ages the world, and has every watch checked at every age."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from load.ask import Client, GaveUp
from load.plan import Query, Script
from load.search import Result, poll, start
from nodes.command import CommandFailed, CommandLine

# Every website there changes something at every age.
CHANGING = Query("dentist", "Changeville, Sandbox", 12)
PAUSE_SECONDS = 0.5


@dataclass
class Watched:
    """The businesses under watch, by the id of the watch, and the alerts of each age."""

    businesses: dict[str, str] = field(default_factory=dict)
    alerts: list[dict] = field(default_factory=list)


def watch_all(client: Client, name: str) -> Watched:
    """Finds businesses whose websites change, and watches all of them."""
    script = Script(0, CHANGING, 0, 0.0, False, is_doubled=False, stop_after=None, follows=False)
    search = start(client, script, f"{name} watch")
    poll(client, script, Result(script, search))
    watched = Watched()
    for lead in client.get(f"/searches/{search}/leads"):
        answer = client.ask("POST", "/radar/watch", {"lead_id": lead["lead_id"]}, f"{name} watch {lead['lead_id']}")
        if answer.status not in (200, 201):
            raise GaveUp(f"a watch was refused: {answer.status} {answer.body}")
        watched.businesses[answer.body["id"]] = lead["business_id"]
    return watched


def check_at_age(client: Client, command: CommandLine, patience: float) -> None:
    """Ages the world by one, and has every watch checked in it: one sweep must have checked all of them."""
    watches = len(client.get_all("/radar/watches"))
    repeat(lambda: command.run("sandbox", "advance"), patience)
    deadline = time.monotonic() + patience
    checked = 0
    while time.monotonic() < deadline:
        # Reads a second time at once where something is missing. A watch that another process holds is left out.
        swept = repeat(lambda: command.run("radar", "check", "--all"), patience)
        client.tally.count("radar check")
        checked = swept["checked"]
        if checked == watches:
            return
        time.sleep(PAUSE_SECONDS)
    raise GaveUp(f"{checked} of {watches} watches were checked within {patience:.0f} s")


def repeat(run: Callable[[], Any], patience: float) -> Any:
    """Runs a command until it succeeds, and returns its answer."""
    deadline = time.monotonic() + patience
    while True:
        try:
            return run()
        except CommandFailed as error:
            if time.monotonic() > deadline:
                raise GaveUp(str(error)) from error
            time.sleep(PAUSE_SECONDS)
