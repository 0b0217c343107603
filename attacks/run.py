"""Attacks a real Canvass, and reports every attempt that got through. Runs in a network namespace of its own.

    attacks/run.py [--binary target/debug/canvass] [actors] [ssrf] [secrets]
"""

import argparse
import sys
import time
from pathlib import Path

import actors
import network
import secrets_leak
import ssrf
from report import Report

ROOT = Path(__file__).resolve().parent.parent
ATTACKS = {"actors": actors.attack, "ssrf": ssrf.attack, "secrets": secrets_leak.attack}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("attacks", nargs="*", help=f"which: {', '.join(ATTACKS)}; all by default")
    parser.add_argument("--binary", type=Path, default=ROOT / "target/debug/canvass")
    arguments = parser.parse_args()
    unknown = set(arguments.attacks) - set(ATTACKS)
    if unknown:
        parser.error(f"there is no attack {', '.join(sorted(unknown))}; there are {', '.join(ATTACKS)}")
    network.enter_namespace()
    report, begun = Report(), time.monotonic()
    for name in arguments.attacks or ATTACKS:
        ATTACKS[name](arguments.binary.resolve(), report)
    report.write(ROOT / "target/attacks/report.json")
    report.show()
    print(f"{sum(report.tried.values()):,} attempts, {len(report.breaches)} breaches in {time.monotonic() - begun:.0f} s")
    return 1 if report.breaches else 0


if __name__ == "__main__":
    sys.exit(main())
