"""Measures the finders: MB/s on one core beside a bare lol_html pass, the slowest of the hostile shapes, and with PAGES=FOLDER selectolax with
regular expressions on the same pages.

Usage: python3 benches/facts.py   (`make bench ONLY=facts`)
"""

import os
import re
import subprocess
import sys
from pathlib import Path

from figures import Figure, show

HERE = Path(__file__).resolve().parent


def said(*command: str) -> str:
    return subprocess.run(command, check=True, capture_output=True, text=True, cwd=HERE.parent).stdout


def figures() -> list[Figure]:
    pages = os.environ.get("PAGES")
    text = said("cargo", "run", "--quiet", "--release", "--package", "page-facts", "--example", "throughput", "--", *([pages] if pages else []))
    found = []
    for name, ours, bare in re.findall(r"^(.{36}) +\d+ pages .*facts +([\d.]+) MB/s +lol_html bare +([\d.]+) MB/s", text, re.MULTILINE):
        aim = 250 if pages else None
        found.append(Figure(f"{name.strip()}, limit: lol_html alone", float(ours), "MB/s", limit=float(bare), aim=aim))
    slowest = re.search(r"^minimum (\d+) MB/s", text, re.MULTILINE)
    if slowest:
        found.append(Figure("the slowest of the hostile shapes", float(slowest.group(1)), "MB/s", aim=40))
    if pages:
        peer = re.search(r"facts +([\d.]+) MB/s", said(sys.executable, str(HERE / "facts_peer.py"), pages))
        found.append(Figure("beside selectolax and re", found[0].ours, "MB/s", peer=float(peer.group(1))))
    return found


if __name__ == "__main__":
    show("facts", figures())
