"""One client with one search: starts it, follows it, stops it, enriches it, as its script says."""

import threading
import time
from dataclasses import dataclass, field

from load.ask import Client, GaveUp
from load.follow import Followed, Follower, HangUps
from load.plan import Script

POLL_SECONDS = 0.3


@dataclass
class Result:
    """What the client was told."""

    script: Script
    search: str = ""
    followed: Followed | None = None
    # Leads that the search had when its stop was answered.
    leads_at_stop: int | None = None
    enrichment: dict | None = None
    problems: list[str] = field(default_factory=list)


def run_script(client: Client, script: Script, hang_ups: HangUps, name: str) -> Result:
    """Runs a script to its end, whatever happens meanwhile."""
    result = Result(script)
    try:
        result.search = start(client, script, name)
        if script.follows:
            follow(client, script, hang_ups, result)
        else:
            poll(client, script, result)
        if script.enriches:
            result.enrichment = enrich(client, result.search, name)
    except GaveUp as error:
        result.problems.append(str(error))
    return result


def start(client: Client, script: Script, name: str) -> str:
    """Starts the search, if it is doubled on all servers at once. The Idempotency-Key makes it one."""
    key, body = f"{name} start {script.number}", script.query.body(script.notify)
    if script.is_doubled:
        impatient = [threading.Thread(target=send_once, args=(client, server, body, key)) for server in client.servers]
        for thread in impatient:
            thread.start()
        for thread in impatient:
            thread.join()
    answers = [client.ask("POST", "/search/start", body, key)]
    if script.is_doubled:
        answers.append(client.ask("POST", "/search/start", body, key))
    for answer in answers:
        if answer.status == 400 and answer.body["code"] == "insufficient_credits":
            raise OutOfCredits
        if answer.status != 200:
            raise GaveUp(f"a search was refused: {answer.status} {answer.body}")
    ids = {answer.body["search_id"] for answer in answers}
    if len(ids) > 1:
        client.tally.violate(f"one Idempotency-Key started several searches: {ids}")
    return answers[0].body["search_id"]


class OutOfCredits(Exception):
    """The account has no credits left, so that there is no search."""


def send_once(client: Client, server: str, body: dict, key: str) -> None:
    """Sends a request whose answer nobody waits for."""
    try:
        client.try_once("POST", "/search/start", body, key, server)
    except (OSError, ValueError, EOFError):
        pass
    except Exception as error:  # pylint: disable=broad-except
        # Half an answer: the client reads on with another request.
        client.tally.answered(type(error).__name__)


def follow(client: Client, script: Script, hang_ups: HangUps, result: Result) -> None:
    """Follows the events; a stop is sent beside it."""
    stopping: list[threading.Thread] = []

    def on_lead(leads: int) -> None:
        if script.stop_after is not None and leads >= script.stop_after and not stopping:
            stopping.append(threading.Thread(target=stop, args=(client, result)))
            stopping[0].start()

    result.followed = Follower(client, result.search, hang_ups).follow(script.hang_up_after, on_lead)
    for thread in stopping:
        thread.join()


def poll(client: Client, script: Script, result: Result) -> None:
    """Asks for the state until the search has ended."""
    deadline = time.monotonic() + client.patience
    while time.monotonic() < deadline:
        state = client.get(f"/searches/{result.search}")
        if state["status"] != "running":
            return
        if script.stop_after is not None and result.leads_at_stop is None and state["leads_found"] >= script.stop_after:
            stop(client, result)
        time.sleep(POLL_SECONDS)
    raise GaveUp(f"search {result.search} did not end")


def stop(client: Client, result: Result) -> None:
    """Stops the search, and notes how many leads it has once that is answered."""
    try:
        answer = client.ask("POST", f"/searches/{result.search}/stop")
        if answer.status != 200:
            raise GaveUp(f"a stop was refused: {answer.status} {answer.body}")
        result.leads_at_stop = client.get(f"/searches/{result.search}")["leads_found"]
    except GaveUp as error:
        result.problems.append(str(error))


def enrich(client: Client, search: str, name: str) -> dict:
    """Enriches every lead of the search, and waits for the end."""
    answer = client.ask("POST", f"/searches/{search}/enrich", {}, f"{name} enrich {search}")
    deadline = time.monotonic() + client.patience
    while answer.status == 202 or (answer.status == 200 and answer.body["status"] == "running"):
        if time.monotonic() > deadline:
            raise GaveUp(f"the enrichment of {search} did not end")
        time.sleep(POLL_SECONDS)
        answer = client.ask("GET", f"/searches/{search}/enrich")
    if answer.status != 200:
        raise GaveUp(f"the enrichment of {search} failed: {answer.status} {answer.body}")
    return answer.body
