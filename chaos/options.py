"""What the programs of this folder are told on their command line."""

import argparse
import random
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
REPORTS = ROOT / "target/chaos"


def parse(description: str, seconds: float, searches: int) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=random.randrange(1_000_000))
    parser.add_argument("--seconds", type=float, default=seconds, help="how long to go on")
    parser.add_argument("--searches", type=int, default=searches)
    parser.add_argument("--database", choices=["sqlite", "postgres", "both"], default="both")
    parser.add_argument("--keep", action="store_true", help="keep logs and data, also when nothing is wrong")
    return parser.parse_args()


def databases(options: argparse.Namespace) -> list[str]:
    return ["sqlite", "postgres"] if options.database == "both" else [options.database]
