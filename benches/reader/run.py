#!/usr/bin/env python3
"""Runs the reader and its peers over the same generated sites and prints pages per CPU second.

Everything stays on loopback. CPU seconds are user plus system time of the client process alone, as
the kernel counts them, so a busy machine does little harm; ratios of one run are what matters.

    benches/reader/run.py [--sites 2000] [--rounds 3] [--skip spider,scrapy]
"""

import argparse
import json
import os
import subprocess
import sys
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
OURS = ROOT / "target" / "release"
PEERS = HERE / "peers" / "target" / "release"
VENV = HERE / ".venv"
SCRAPY = [str(VENV / "bin" / "python"), str(HERE / "peers" / "scrapy_peer.py")]


def build(skip):
    """Builds what is to run; slow only the first time."""
    run = lambda *command, where=ROOT: subprocess.run(command, cwd=where, check=True)
    run("cargo", "build", "--release", "-q", "-p", "reader-bench")
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


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--sites", type=int, default=2000)
    options.add_argument("--rounds", type=int, default=3)
    options.add_argument("--skip", default="", help="comma-separated: bare, spider, scrapy")
    options = options.parse_args()
    skip = set(filter(None, options.skip.split(",")))
    build(skip)
    server = subprocess.Popen([str(OURS / "site-server"), str(options.sites)], stdout=subprocess.PIPE, text=True)
    try:
        port = int(server.stdout.readline())
        urls = [f"http://127.1.{at >> 8}.{at & 255}:{port}/" for at in range(1, options.sites + 1)]
        report(options, urls, skip)
        polite_run(urls)
    finally:
        server.kill()


def report(options, urls, skip):
    """Runs all contenders round by round, keeps each one's best round, prints the table."""
    best = {}
    for _ in range(options.rounds):
        for name, command, share in contenders(skip):
            pages, size, cpu, peak = measure(command, urls[: max(10, int(len(urls) * share))])
            rate = pages / cpu
            if rate > best.get(name, (0,))[0]:
                best[name] = (rate, pages, size, cpu, peak)
    ours = best["ours"][0]
    print(f"{'':14}{'pages':>7}{'CPU s':>8}{'pages/CPU s':>13}{'MB/CPU s':>10}{'peak MiB':>10}{'ours is':>10}")
    for name, (rate, pages, size, cpu, peak) in best.items():
        print(f"{name:14}{pages:>7}{cpu:>8.2f}{rate:>13,.0f}{size / 1e6 / cpu:>10,.0f}{peak:>10.0f}{ours / rate:>9.1f}x")


def polite_run(urls):
    """One page a second and host, all hosts at once: how near to the floor, in how much memory."""
    command = [str(OURS / "ours"), "1000", str(len(urls))]
    started = time.monotonic()
    pages, _, cpu, peak = measure(command, urls)
    seconds, floor = time.monotonic() - started, pages / len(urls)
    print(f"\npolite run: {len(urls):,} hosts, {pages:,} pages, a gap of 1 s: {seconds:.1f} s, {seconds / floor:.2f}x the floor of {floor:.1f} s; {cpu:.1f} CPU s, {peak:.0f} MiB")


if __name__ == "__main__":
    main()
