"""Runs mixed load for a long time and measures whether memory grows, what fails, and how long answers take.

Usage: chaos/soak.py [--minutes N] [--weather calm|web|both] [--clients N]   (`make soak MINUTES=60`)
"""

import argparse
import json
import os
import random
import shutil
import sys
import tempfile
import threading
import time
from pathlib import Path

from load.ask import Client, GaveUp, Tally
from load.follow import HangUps
from load.plan import PLACES, TRADES, Query, Script
from load.search import run_script
from nodes.assemble import Cluster
from options import REPORTS, ROOT
from report import percentile

PATIENCE_SECONDS = 120
SAMPLE_SECONDS = 5
# Share of the time after which memory is compared: caches and pools have filled by then.
WARM_UP = 0.4
PAUSE_SECONDS = 0.5
# Now and then all clients rest, and memory is compared at rest: under load it varies by far more than a leak would add in an hour.
REST_EVERY_SECONDS = 360
REST_SECONDS = 60
# What was under way when they began to rest has ended by then.
SETTLED_AFTER_SECONDS = 30
# An hour of load writes more than fits on the disk that is filled on purpose elsewhere.
DISK_MIB = 4096


def memory_kib(pid: int) -> int:
    """Memory that a process has allocated and touched. Pages of files, which the system lends and takes back, are not counted."""
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("RssAnon:"):
            return int(line.split()[1])
    return 0


def processor_seconds(pid: int) -> float:
    """Time that a process has had a core."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class Rests:
    """When all clients rest: the last minute of every six, so that the end is a rest too."""

    def __init__(self, began: float) -> None:
        self.began = began

    def seconds_left(self) -> float:
        """How long the rest that is under way still lasts: 0 if there is none."""
        left = REST_EVERY_SECONDS - (time.monotonic() - self.began) % REST_EVERY_SECONDS
        return left if left <= REST_SECONDS else 0.0

    def settled_memory(self, samples: list[tuple[float, float]]) -> list[tuple[float, float]]:
        """The median of each rest, without its beginning."""
        rests: dict[int, list[tuple[float, float]]] = {}
        for hours, mib in samples:
            number, second = divmod(hours * 3600, REST_EVERY_SECONDS)
            if second >= REST_EVERY_SECONDS - REST_SECONDS + SETTLED_AFTER_SECONDS:
                rests.setdefault(int(number), []).append((hours, mib))
        return [sorted(one, key=lambda sample: sample[1])[len(one) // 2] for one in rests.values()]


def slope(samples: list[tuple[float, float]]) -> float:
    """How fast the second value grows with the first: least squares."""
    count = len(samples)
    if count < 2:
        return 0.0
    mean_x, mean_y = (sum(sample[i] for sample in samples) / count for i in (0, 1))
    spread = sum((x - mean_x) ** 2 for x, _ in samples)
    return sum((x - mean_x) * (y - mean_y) for x, y in samples) / spread if spread else 0.0


def work(client: Client, number: int, until: float, rests: Rests) -> None:
    """One customer: searches, reads, exports and enriches, with pauses."""
    chance, round_number = random.Random(f"soak {number}"), 0
    while time.monotonic() < until:
        if rest := rests.seconds_left():
            time.sleep(rest)
            continue
        round_number += 1
        place = chance.choice([place for place in PLACES if place != "Brokentown, Sandbox"])
        query = Query(chance.choice(TRADES), place, chance.choice([5, 10, 20]))
        name = f"soak {number} {round_number}"
        script = Script(
            round_number,
            query,
            account=0,
            starts_at=0.0,
            notify=chance.random() < 0.3,
            is_doubled=False,
            stop_after=None,
            follows=chance.random() < 0.5,
            enriches=chance.random() < 0.3,
        )
        result = run_script(client, script, HangUps(), name)
        for problem in result.problems:
            client.tally.violate(problem)
        for path in ["/me", "/usage", f"/searches/{result.search}/leads", "/searches", "/credits", "/leads?q=dental"]:
            try:
                client.get(path)
            except GaveUp as error:
                client.tally.violate(str(error))
        time.sleep(PAUSE_SECONDS * chance.random() * 2)


def sample(cluster: Cluster, until: float, samples: list[tuple[float, float]], began: float) -> None:
    while time.monotonic() < until:
        pid = cluster.nodes[0].pid
        if pid:
            samples.append(((time.monotonic() - began) / 3600, memory_kib(pid) / 1024))
        time.sleep(SAMPLE_SECONDS)


def soak(folder: Path, weather: str, options: argparse.Namespace) -> int:
    """Runs one weather, and returns the number of errors."""
    settings = {"CANVASS_SANDBOX_WEATHER": weather, "CANVASS_LOG": "warn"}
    cluster, tally, samples = Cluster(ROOT, folder / weather, "sqlite", settings, DISK_MIB), Tally(), []
    try:
        key = cluster.command.account("soak@example.com", 10_000_000)
        cluster.command.run("account", "grant", "--email", "soak@example.com", "--ai-pack", "1000000")
        cluster.start()
        began = time.monotonic()
        until, rests = began + options.minutes * 60, Rests(began)
        clients = [Client(cluster.addresses, key, tally, PATIENCE_SECONDS, number) for number in range(options.clients)]
        threads = [threading.Thread(target=work, args=(client, number, until, rests)) for number, client in enumerate(clients)]
        threads.append(threading.Thread(target=sample, args=(cluster, until, samples, began)))
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        cores = processor_seconds(cluster.nodes[0].pid) / (options.minutes * 60)
        problems = tally.violations + [f"doctor: {finding}" for finding in cluster.command.doctor()]
        problems += cluster.stop() + cluster.crashes()
    finally:
        cluster.remove()
    at_rest = rests.settled_memory(samples)
    warm = at_rest[int(len(at_rest) * WARM_UP) :] or samples[-1:]
    figures = {
        "weather": weather,
        "minutes": options.minutes,
        "clients": options.clients,
        "operations": sum(tally.operations.values()),
        "cores": round(cores, 2),
        "memory_mib_warm": round(warm[0][1], 1),
        "memory_mib_end": round(warm[-1][1], 1),
        "memory_mib_per_hour": round(slope(warm), 2),
        "p50_ms": round(percentile(tally.latencies, 0.5) * 1000, 1),
        "p99_ms": round(percentile(tally.latencies, 0.99) * 1000, 1),
        "errors": problems,
        "at_rest": at_rest,
        "samples": samples,
    }
    (REPORTS / f"soak-{weather}.json").write_text(json.dumps(figures, indent=1))
    print(
        f"{weather}: {options.minutes:.0f} minutes, {options.clients} clients, {figures['operations']} operations, "
        f"{cores:.2f} cores, {len(problems)} errors; memory at rest {figures['memory_mib_warm']} MiB after warm-up, {figures['memory_mib_end']} MiB at the end, "
        f"{figures['memory_mib_per_hour']:+} MiB an hour; p50 {figures['p50_ms']} ms, p99 {figures['p99_ms']} ms"
    )
    for problem in problems[:20]:
        print(f"  ERROR: {problem[:400]}")
    return len(problems)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--weather", choices=["calm", "web", "both"], default="both")
    parser.add_argument("--clients", type=int, default=4)
    options = parser.parse_args()
    REPORTS.mkdir(parents=True, exist_ok=True)
    folder = Path(tempfile.mkdtemp(prefix="canvass-soak-"))
    folder.chmod(0o755)
    weathers = ["calm", "web"] if options.weather == "both" else [options.weather]
    errors = sum(soak(folder, weather, options) for weather in weathers)
    shutil.rmtree(folder, ignore_errors=True)
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
