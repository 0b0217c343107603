"""The report of a run, for people and as JSON."""

import json
from dataclasses import asdict
from pathlib import Path

from faults.inject import Injector
from faults.plan import Fault
from load.ask import Tally


def percentile(values: list[float], share: float) -> float:
    """The value below which this share of the values lies."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))] if ordered else 0.0


def write_report(path: Path, head: dict, plan: list[Fault], injector: Injector, tally: Tally, violations: list[str]) -> None:
    """Prints the report of a run under faults, and writes it with its plan."""
    report = head | {
        "faults": dict(injector.done),
        "faults_in_all": sum(injector.done.values()),
        "skipped": injector.skipped,
        "operations": dict(tally.operations),
        "operations_in_all": sum(tally.operations.values()),
        "answers": dict(tally.answers),
        "violations": violations,
        "plan": [asdict(fault) for fault in plan],
    }
    path.write_text(json.dumps(report, indent=1))
    kinds = ", ".join(f"{count} {kind}" for kind, count in injector.done.most_common())
    print(f"{head['database']}, seed {head['seed']}: {head['seconds']:.0f} s, {report['faults_in_all']} faults ({kinds})")
    for kind, why in injector.skipped.items():
        print(f"  skipped: {kind}, because {why}")
    print(f"  {report['operations_in_all']} operations, {head['searches']} searches, {head['leads']} leads, {head['emails']} e-mails, {head['alerts']} alerts")
    print(f"  {len(violations)} violations; {path}")
    for violation in violations[:20]:
        print(f"  VIOLATION: {violation[:600]}")
