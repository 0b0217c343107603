"""Runs every query once with nothing in its way: what a disturbed run is compared with."""

from dataclasses import replace
from pathlib import Path

from checks.check import Reference
from load.ask import Tally
from load.plan import ACCOUNTS, Script
from load.run import Load
from nodes.assemble import Cluster

PATIENCE_SECONDS = 300


def undisturbed(root: Path, folder: Path, scripts: list[Script], ages: int) -> Reference:
    """The leads of every query, and the alerts of so many ages."""
    queries = {script.query: script for script in scripts}.values()
    calm = [
        replace(
            script,
            account=number % ACCOUNTS,
            starts_at=0.0,
            stop_after=None,
            notify=False,
            enriches=False,
            is_doubled=False,
        )
        for number, script in enumerate(queries)
    ]
    cluster, tally = Cluster(root, folder, "sqlite"), Tally()
    try:
        load = Load(cluster, tally, PATIENCE_SECONDS)
        cluster.start()
        load.run(calm, ages)
        outcome = load.collect()
    finally:
        cluster.remove()
    if tally.violations:
        raise SystemExit(f"the undisturbed run failed: {tally.violations}")
    return Reference(outcome)
