"""Rehearses a restore: a backup taken while searches run, started elsewhere, ends them as if nothing had happened.

Usage: chaos/restore.py [--seed N] [--database sqlite|postgres|both]   (part of `make recovery`)
"""

import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path

from checks.check import Checker, Reference
from checks.refer import undisturbed
from load.ask import Tally
from load.plan import ACCOUNTS, Script, plan_load
from load.run import Load
from load.search import Result, poll, start
from nodes.assemble import Cluster
from options import ROOT, databases, parse

SEARCHES = 8
PATIENCE_SECONDS = 180


def main() -> int:
    options = parse(__doc__, seconds=0, searches=SEARCHES)
    folder = Path(tempfile.mkdtemp(prefix="canvass-restore-"))
    folder.chmod(0o755)
    scripts = [
        replace(script, account=script.number % ACCOUNTS, stop_after=None, notify=False, is_doubled=False, enriches=False)
        for script in plan_load(options.seed, options.searches, 0)
    ]
    reference = undisturbed(ROOT, folder / "undisturbed", scripts, ages=0)
    violations = []
    for database in databases(options):
        found = rehearse(folder / database, database, scripts, reference)
        print(f"restored a backup of {database}, seed {options.seed}: {len(found)} violations")
        violations += found
    for violation in violations:
        print(f"  VIOLATION: {violation[:600]}")
    if not violations:
        shutil.rmtree(folder, ignore_errors=True)
    return 1 if violations else 0


def rehearse(folder: Path, database: str, scripts: list[Script], reference: Reference) -> list[str]:
    """Takes a backup of a cluster at work, and lets another one go on with it."""
    folder.mkdir()
    first, tally = Cluster(ROOT, folder / "first", database), Tally()
    backup = folder / "backup"
    try:
        load = Load(first, tally, PATIENCE_SECONDS)
        keys = load.keys
        first.start()
        results = [Result(script, start(load.client(keys[script.account]), script, "restore")) for script in scripts]
        leads = await_leads(load, results)
        take_backup(first, backup)
    finally:
        first.remove()
    second = Cluster(ROOT, folder / "second", database)
    try:
        restore_backup(second, backup)
        findings = [f"doctor before the start: {finding}" for finding in second.command.doctor()]
        second.start()
        load.cluster = second
        for result in results:
            poll(load.client(keys[result.script.account]), result.script, result)
        load.outcome.results = results
        outcome = load.collect()
        findings += Checker(outcome, reference).check()
        findings += [f"doctor: {finding}" for finding in second.command.doctor()]
        findings += second.stop() + second.crashes()
        stored = sum(len(of) for account in outcome.stored for of in account.leads.values())
        if stored < leads:
            findings.append(f"{leads} leads were delivered before the backup, {stored} are there after it")
    finally:
        second.remove()
    return tally.violations + findings


def await_leads(load: Load, results: list[Result]) -> int:
    """Waits until leads are being delivered, and returns how many there are."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while time.monotonic() < deadline:
        states = [load.client(load.keys[result.script.account]).get(f"/searches/{result.search}") for result in results]
        if any(state["leads_found"] for state in states):
            return sum(state["leads_found"] for state in states)
    raise SystemExit("no search delivered anything")


def take_backup(cluster: Cluster, backup: Path) -> None:
    """As docs/operating.md says, while the cluster is at work."""
    if cluster.postgres:
        dump = [cluster.postgres.program("pg_dump"), "--format=custom", f"--file={backup}", cluster.postgres.url]
        subprocess.run(dump, check=True)
        return
    # What `.backup` of the sqlite3 command does.
    source, target = sqlite3.connect(cluster.folder / "data/canvass.db", timeout=60), sqlite3.connect(backup)
    with source, target:
        source.backup(target, pages=50, sleep=0.01)
    target.close()
    source.close()


def restore_backup(cluster: Cluster, backup: Path) -> None:
    """Puts a backup where a cluster that has not been started yet expects its data."""
    if cluster.postgres:
        restore = [cluster.postgres.program("pg_restore"), "--no-owner", "--exit-on-error"]
        subprocess.run([*restore, f"--dbname={cluster.postgres.url}", backup], check=True)
        return
    target = cluster.folder / "data/canvass.db"
    shutil.copy(backup, target)
    target.chmod(0o600)


if __name__ == "__main__":
    sys.exit(main())
