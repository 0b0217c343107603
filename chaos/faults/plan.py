"""Which faults happen when, decided by the seed alone."""

import random
from dataclasses import dataclass

from nodes.assemble import LEASE_SECONDS, SERVERS, WORKERS

HOUR = 60 * 60


@dataclass(frozen=True)
class Fault:
    """Something that goes wrong at a time, somewhere, for a while."""

    at: float
    kind: str
    # A node, or "database", "disk" or "clients".
    target: str
    seconds: float = 0.0
    # Seconds a clock jumps by, or how a database is restarted.
    detail: str = ""


def plan_faults(seed: int, database: str, seconds: float) -> list[Fault]:
    """The faults of a run. Those of one target follow each other; those of different targets overlap."""
    chance = random.Random(f"faults {seed} {database}")
    lanes = [clients(chance, seconds)]
    if database == "sqlite":
        lanes.append(node(chance, "server-1", seconds, pause=(0.2, 1.0), kinds=ALONE))
    else:
        names = [f"server-{number + 1}" for number in range(SERVERS)] + [f"worker-{number + 1}" for number in range(WORKERS)]
        lanes += [node(chance, name, seconds, pause=(2.5, 6.0), kinds=SHARED) for name in names]
        lanes.append(server(chance, seconds))
    return sorted((fault for lane in lanes for fault in lane), key=lambda fault: fault.at)


# How often each kind happens to a node that is alone with its disk, and to one that shares a database server.
ALONE = {"kill": 5, "suspend": 2, "terminate": 2, "clock": 3, "full disk": 2, "read-only disk": 2}
SHARED = {"kill": 5, "suspend": 2, "terminate": 2, "clock": 2, "cut": 2, "hang": 2, "delay": 2, "pull cable": 3}


def node(chance: random.Random, name: str, seconds: float, pause: tuple[float, float], kinds: dict[str, int]) -> list[Fault]:
    """The faults of one node and of its way to the database."""
    faults = []
    at = chance.uniform(*pause)
    while at < seconds:
        kind = chance.choices(list(kinds), list(kinds.values()))[0]
        lasts, detail = extent(chance, kind)
        faults.append(Fault(round(at, 2), kind, name, lasts, detail))
        at += lasts + chance.uniform(*pause)
    return faults


def extent(chance: random.Random, kind: str) -> tuple[float, str]:
    """How long a fault lasts, and what else is to be said of it."""
    match kind:
        case "suspend":
            return LEASE_SECONDS + chance.uniform(0.5, 2.0), ""
        case "clock":
            # Hours, either way; or a few seconds, which nobody can tell from a slow process. Not up to an hour ahead: with
            # SQLite, whoever is killed then leaves leases that last as long (docs/reliability.md).
            jump = chance.choice([-6 * HOUR, -HOUR, -5, 5, 2 * HOUR, 6 * HOUR])
            return chance.uniform(0.5, 2.0), str(jump)
        case "delay":
            return chance.uniform(1.0, 3.0), f"{chance.uniform(0.01, 0.15):.3f}"
        case "pull cable":
            # Shorter than a lease, or longer.
            return chance.uniform(0.5, 2.0 * LEASE_SECONDS), ""
        case "full disk" | "read-only disk" | "cut" | "hang":
            return chance.uniform(0.5, 2.5), ""
        case _:
            return 0.0, ""


def server(chance: random.Random, seconds: float) -> list[Fault]:
    """The faults of the database server, for all nodes at once."""
    faults = []
    at = chance.uniform(3, 8)
    while at < seconds:
        kind = chance.choice(["end connections", "end connections", "restart database"])
        detail = chance.choice(["fast", "immediate"]) if kind == "restart database" else ""
        faults.append(Fault(round(at, 2), kind, "database", 0.0, detail))
        at += chance.uniform(4, 10)
    return faults


def clients(chance: random.Random, seconds: float) -> list[Fault]:
    """All who follow events hang up at once."""
    faults = []
    at = chance.uniform(2, 6)
    while at < seconds:
        faults.append(Fault(round(at, 2), "hang up", "clients"))
        at += chance.uniform(2, 6)
    return faults
