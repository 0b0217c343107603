#!/usr/bin/env python3
"""Runs the reader and its peers over the same generated sites and prints pages per CPU second.

Everything stays on loopback. CPU seconds are user plus system time of the client process alone, as
the kernel counts them, so a busy machine does little harm; ratios of one run are what matters.

    SITES=2000 ROUNDS=3 SKIP=spider,scrapy benches/reader/run.py
"""

import json
import os
import subprocess
import sys
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from figures import Figure, show  # noqa: E402

ROOT = HERE.parent.parent
OURS = ROOT / "target" / "release"
PEERS = HERE / "peers" / "target" / "release"
VENV = HERE / ".venv"
SCRAPY = [str(VENV / "bin" / "python"), str(HERE / "peers" / "scrapy_peer.py")]


def build(skip):
    """Builds what is to run; slow only the first time."""
    run = lambda *command, where=ROOT: subprocess.run(command, cwd=where, check=True)
    run("cargo", "build", "--release", "-q", "-p", "server", "-p", "reader-bench", "--bins")
    if not {"bare", "spider"} <= skip:
        bins = [f"--bin={name}" for name, short in (("bare-client", "bare"), ("spider-peer", "spider")) if short not in skip]
        run("cargo", "build", "--release", "-q", *bins, where=HERE / "peers")
    if "scrapy" not in skip and not VENV.exists():
        run(sys.executable, "-m", "venv", str(VENV))
        run(str(VENV / "bin" / "pip"), "-q", "install", "scrapy")


def contenders(skip):
    """Name, command, and the share of the sites each gets, so that slow ones finish."""
    everyone = [
        ("ours", [str(OURS / "ours")], 1.0),
        ("ours-bare", [str(OURS / "ours"), "bare"], 1.0),
        ("bare", [str(PEERS / "bare-client")], 1.0),
        ("spider", [str(PEERS / "spider-peer")], 0.1),
        ("scrapy", SCRAPY, 0.1),
        ("scrapy-bare", [*SCRAPY, "bare"], 0.1),
    ]
    return [one for one in everyone if one[0].split("-")[0] not in skip]


def measure(command, urls):
    """Pages, bytes, CPU seconds and peak memory of one run."""
    child = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    child.stdin.write("\n".join(urls) + "\n")
    child.stdin.close()
    said = child.stdout.read()
    _, status, used = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode != 0:
        raise SystemExit(f"{command[0]} failed with {child.returncode}")
    counts = json.loads(said.strip().splitlines()[-1])
    return counts["pages"], counts["bytes"], used.ru_utime + used.ru_stime, used.ru_maxrss / 1024


def figures() -> list[Figure]:
    """SITES=2000 websites, ROUNDS=3, SKIP=spider,scrapy leaves programs out."""
    sites, rounds = int(os.environ.get("SITES", 2_000)), int(os.environ.get("ROUNDS", 3))
    skip = set(filter(None, os.environ.get("SKIP", "").split(",")))
    build(skip)
    server = subprocess.Popen([str(OURS / "site-server"), str(sites)], stdout=subprocess.PIPE, text=True)
    try:
        port = int(server.stdout.readline())
        urls = [f"http://127.1.{at >> 8}.{at & 255}:{port}/" for at in range(1, sites + 1)]
        return compared(rounds, urls, skip) + polite_run(urls)
    finally:
        server.kill()


def compared(rounds, urls, skip) -> list[Figure]:
    """Runs all contenders round by round, and keeps the best round of each: pages per CPU second."""
    best = {}
    for _ in range(rounds):
        for name, command, share in contenders(skip):
            pages, _, cpu, _ = measure(command, urls[: max(10, int(len(urls) * share))])
            best[name] = max(best.get(name, 0), pages / cpu)
    found = [Figure("pages a CPU second, all finders", best["ours"], "/s", aim=2_500)]
    for name, times in (("ours-bare", None), ("bare", None), ("spider", 4), ("scrapy", 30), ("scrapy-bare", None)):
        if name in best:
            aim = times * best[name] if times else None
            found.append(Figure(f"the same beside {name}", best["ours"], "/s", peer=best[name], aim=aim))
    return found


def polite_run(urls) -> list[Figure]:
    """One page a second and host, all hosts at once: how near to the least time, in how much memory."""
    command = [str(OURS / "ours"), "1000", str(len(urls))]
    started = time.monotonic()
    pages, _, _, peak = measure(command, urls)
    seconds, floor = time.monotonic() - started, pages / len(urls)
    return [
        Figure(f"{len(urls):,} hosts politely, limit: the least time", seconds, "s", limit=floor, aim=1.5 * floor, lower_is_better=True),
        Figure(f"{len(urls):,} hosts politely, memory", peak, "MiB", aim=128, lower_is_better=True),
    ]


if __name__ == "__main__":
    show("reader", figures())
