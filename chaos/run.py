"""Disturbs real processes at random and checks that every promise holds.

Usage: chaos/run.py [--seed N] [--seconds N] [--searches N] [--database sqlite|postgres|both] [--keep]   (`make chaos`)
"""

import argparse
import shutil
import sys
import tempfile
import time
from pathlib import Path

from checks.check import Checker, Reference
from checks.refer import undisturbed
from faults.inject import Injector
from faults.plan import plan_faults
from load.ask import GaveUp, Tally
from load.plan import Script, plan_load
from load.run import Load, Outcome
from nodes.assemble import Cluster
from nodes.connect import enter_namespace
from options import REPORTS, ROOT, databases, parse
from report import write_report

# How often the world ages under Radar's eyes.
AGES = 3
# How long clients and operators go on trying: longer than the longest lease, which is Radar's.
PATIENCE_SECONDS = 420


def main() -> int:
    options = parse(__doc__, seconds=120, searches=50)
    enter_namespace()
    REPORTS.mkdir(parents=True, exist_ok=True)
    folder = Path(tempfile.mkdtemp(prefix="canvass-chaos-"))
    folder.chmod(0o755)
    scripts = plan_load(options.seed, options.searches, options.seconds)
    print(f"seed {options.seed}; logs and data in {folder}", flush=True)
    reference = undisturbed(ROOT, folder / "undisturbed", scripts, AGES)
    violations = 0
    for database in databases(options):
        violations += disturbed(folder / database, database, scripts, reference, options)
    if not violations and not options.keep:
        shutil.rmtree(folder, ignore_errors=True)
    return 1 if violations else 0


def disturbed(
    folder: Path, database: str, scripts: list[Script], reference: Reference, options: argparse.Namespace
) -> int:
    """Runs the plan under faults, and returns the number of violations."""
    plan, tally = plan_faults(options.seed, database, options.seconds), Tally()
    cluster = Cluster(ROOT, folder, database)
    outcome, violations, began = Outcome(), [], time.monotonic()
    try:
        load = Load(cluster, tally, PATIENCE_SECONDS)
        cluster.start()
        injector = Injector(cluster, plan, load.hang_ups)
        injector.start()
        try:
            load.run(scripts, AGES)
        finally:
            injector.join()
        outcome = load.collect()
        violations += Checker(outcome, reference).check()
        violations += [f"doctor: {finding}" for finding in cluster.command.doctor()]
        violations += cluster.stop() + cluster.crashes()
    except GaveUp as error:
        violations.append(str(error))
    finally:
        cluster.remove()
    violations = tally.violations + violations
    head = {
        "database": database,
        "seed": options.seed,
        "seconds": time.monotonic() - began,
        "searches": len(outcome.results),
        "leads": sum(len(leads) for stored in outcome.stored for leads in stored.leads.values()),
        "emails": sum(len(copies) for copies in outcome.mail.values()),
        "alerts": len(outcome.watched.alerts),
    }
    write_report(REPORTS / f"{database}-{options.seed}.json", head, plan, injector, tally, violations)
    return len(violations)


if __name__ == "__main__":
    sys.exit(main())
