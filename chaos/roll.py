"""Restarts every node in turn under load: one retry mends each request that fails, and no event is lost.

Usage: chaos/roll.py [--seed N] [--searches N]   (part of `make recovery`)
"""

import http.client
import shutil
import sys
import tempfile
import threading
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

from checks.check import Checker
from checks.refer import undisturbed
from load.ask import Answer, Client, GaveUp, Tally
from load.plan import ACCOUNTS, plan_load
from load.run import Load
from nodes.assemble import Cluster
from options import ROOT, parse

SEARCHES = 16
ROUNDS = 2
PATIENCE_SECONDS = 180
# Between two nodes, as a deployment waits until a node is healthy.
PAUSE_SECONDS = 1.0


class OnceMore(Client):
    """Repeats a failed request once, on another server."""

    def ask(self, method: str, path: str, body: Any = None, once: str | None = None) -> Answer:
        self.tally.count(f"{method} {path.split('?')[0].split('/')[1]}")
        servers = self.random.sample(self.servers, len(self.servers))
        failure = ""
        for attempt, server in enumerate((servers * 2)[:2]):
            try:
                answer = self.try_once(method, path, body, once, server)
            except (OSError, http.client.HTTPException) as error:
                failure = type(error).__name__
            else:
                if answer.status < 500:
                    return answer
                failure = f"{answer.status} {answer.body}"
            if attempt == 0:
                self.tally.count("repeated once")
        raise GaveUp(f"{method} {path} failed twice: {failure}")


class RollingLoad(Load):
    """The load with clients that repeat a request once."""

    def client(self, key: str, seed: int = 0) -> Client:
        return OnceMore(self.cluster.addresses, key, self.tally, self.patience, seed)


def roll(cluster: Cluster, tally: Tally) -> None:
    """Restarts the nodes one after the other, as a deployment does."""
    for _ in range(ROUNDS):
        for node in cluster.nodes:
            starts = node.starts
            node.terminate()
            tally.count("restart")
            while node.starts == starts:
                time.sleep(0.1)
            node.wait_until_up()
            time.sleep(PAUSE_SECONDS)


def ask_all_the_time(load: RollingLoad, until: threading.Event) -> None:
    """A client that never pauses for long."""
    client = load.client(load.keys[0], seed=1)
    while not until.wait(0.02):
        try:
            client.ask("GET", "/me")
        except GaveUp as error:
            load.tally.violate(str(error))


def main() -> int:
    options = parse(__doc__, seconds=15, searches=SEARCHES)
    folder = Path(tempfile.mkdtemp(prefix="canvass-roll-"))
    folder.chmod(0o755)
    scripts = [replace(script, account=script.number % ACCOUNTS) for script in plan_load(options.seed, options.searches, options.seconds)]
    reference = undisturbed(ROOT, folder / "undisturbed", scripts, ages=0)
    tally, cluster, done = Tally(), Cluster(ROOT, folder / "postgres", "postgres"), threading.Event()
    try:
        load = RollingLoad(cluster, tally, PATIENCE_SECONDS)
        cluster.start()
        asking = threading.Thread(target=ask_all_the_time, args=(load, done))
        rolling = threading.Thread(target=roll, args=(cluster, tally))
        asking.start()
        rolling.start()
        load.run(scripts, ages=0)
        rolling.join()
        done.set()
        asking.join()
        violations = Checker(load.collect(), reference).check() + cluster.stop() + cluster.crashes()
    finally:
        done.set()
        cluster.remove()
    violations = tally.violations + violations
    counts = tally.operations
    print(
        f"rolling restart, seed {options.seed}: {counts['restart']} restarts, {sum(counts.values())} operations, "
        f"{counts['repeated once']} requests repeated once, {len(violations)} violations"
    )
    for violation in violations[:20]:
        print(f"  VIOLATION: {violation[:600]}")
    if not violations:
        shutil.rmtree(folder, ignore_errors=True)
    return 1 if violations else 0


if __name__ == "__main__":
    sys.exit(main())
