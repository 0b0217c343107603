"""Measures searches in the weather of the web: websites over HTTPS that take their time, read politely; then Scrapy over the same pages.

The websites are served by a process of their own (`canvass sandbox serve`), so that memory and CPU time are the server's alone. The
floor is the least time that a search can take, by the times that the weather gives to each request: the longest visit to one
website, or the visits to all of them by as many at a time as the reader reads.

Usage: .tools/python/bin/python benches/web.py   (`make bench ONLY=web` builds what it needs)
"""

import json
import os
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections import defaultdict
from pathlib import Path

from figures import Figure, show
from search import CROWD, Server
from sites import Sites

SCRAPY = [sys.executable, str(Path(__file__).resolve().parent / "web_scrapy.py")]
TRADES = {25: "plumber", 500: "dentist", 2_500: "restaurant"}

# Of the reader (crates/polite-reader/src/settings.rs and limits.rs), in seconds.
SITES_AT_ONCE = 384
GAP = 1.0
CONNECT_DEADLINE = 6.0
RETRY_PAUSE = 2.0
SITE_DEADLINE = 60.0


def visits(requests: list[dict]) -> dict[str, list[dict]]:
    """The requests of each website, each path once."""
    found = defaultdict(dict)
    for request in requests:
        name = request["host"].split(":")[0]
        found[name.removeprefix("www.")].setdefault((name, request["path"]), request | {"name": name})
    return {host: list(paths.values()) for host, paths in found.items()}


def visit_seconds(requests: list[dict]) -> float:
    """The least time in which these requests to one website can be made, one after the other."""
    if requests[0]["reach"] == "silent":
        return 2 * CONNECT_DEADLINE + RETRY_PAUSE
    if requests[0]["reach"] == "resets":
        return RETRY_PAUSE
    seconds, known = 0.0, set()
    for request, after in zip(requests, [*requests[1:], None]):
        took = request["first_byte"] + request["body"]
        if request["name"] not in known:
            took += request["set_up"]
            known.add(request["name"])
        # The next hop of a redirect belongs to the same request, and another host has a gap of its own.
        is_paced = after and after["name"] == request["name"] and not 300 <= request["status"] < 400
        seconds += max(took, GAP) if is_paced else took
    return min(seconds, SITE_DEADLINE)


def floor_of(requests: list[dict]) -> dict:
    seconds = [visit_seconds(one) for one in visits(requests).values()]
    longest, shared = max(seconds), sum(seconds) / SITES_AT_ONCE
    return {"sites": len(seconds), "longest": longest, "shared": shared, "floor": max(longest, shared)}


def search(server: Server, trade: str, count: int) -> dict:
    """Runs one search as a stream: when its leads came."""
    body = {"industry": trade, "location": CROWD, "requested_count": count}
    headers = {"X-API-Key": server.key, "Content-Type": "application/json"}
    request = urllib.request.Request(f"http://127.0.0.1:{server.port}/search", json.dumps(body).encode(), headers)
    cpu, begin = server.cpu_seconds(), time.perf_counter()
    leads, read, is_lead = [], [], False
    with urllib.request.urlopen(request) as answer:
        for line in answer:
            if line.startswith(b"event:"):
                is_lead = line.startswith(b"event: lead")
            elif is_lead and line.startswith(b"data:"):
                leads.append(time.perf_counter() - begin)
                if b'"site_status":"ok"' in line:
                    read.append(leads[-1])
    done = time.perf_counter() - begin
    return {
        "leads": len(leads), "first": leads[0], "first_read": min(read, default=None), "read": len(read),
        "half": leads[len(leads) // 2 - 1], "done": done, "cpu": server.cpu_seconds() - cpu, "peak": server.peak_mib(),
    }


def scrapy(sites: Sites, requests: list[dict]) -> dict:
    """Lets Scrapy read the pages that the search has read."""
    port = sites.address.split(":")[1]
    work = {}
    for host, visited in visits(requests).items():
        first = next((request["host"] for request in visited), f"{host}:{port}")
        pages = [f"https://{one['host']}{one['path']}" for one in visited if one["status"] == 200]
        pages = [page for page in pages if not page.endswith("/robots.txt")]
        name = first if ":" in first else f"{first}:{port}"
        work[f"https://{name}/"] = pages[1:]
    child = subprocess.Popen(SCRAPY, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    child.stdin.write(json.dumps(work))
    child.stdin.close()
    said = child.stdout.read()
    _, status, used = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode != 0:
        raise SystemExit(f"Scrapy failed with {child.returncode}")
    sites.requests()
    counts = json.loads(said.strip().splitlines()[-1])
    return counts | {"cpu": used.ru_utime + used.ru_stime, "peak": used.ru_maxrss / 1024}


def figures_of(count: int, ours: dict, floor: dict) -> list[Figure]:
    if ours["leads"] != count:
        raise SystemExit(f"{ours['leads']} of {count} leads came")
    # What a small search takes is decided by the slowest of its few websites.
    is_large = count == 2_500
    return [
        Figure(f"{count:,} leads, limit: the least time", ours["done"], "s", limit=floor["floor"], aim=min(90, 1.3 * floor["floor"]) if is_large else None, lower_is_better=True),
        Figure(f"{count:,} leads: the first", ours["first"], "s", aim=1.5, lower_is_better=True),
        Figure(f"{count:,} leads: half of them", ours["half"], "s", aim=ours["done"] / 3 if is_large else None, lower_is_better=True),
        Figure(f"{count:,} leads: peak memory", ours["peak"], "MiB", aim=160, lower_is_better=True),
        Figure(f"{count:,} leads: leads a CPU second", count / ours["cpu"], "/s", aim=1_500 if is_large else None),
    ]


def figures() -> list[Figure]:
    """SIZES=25,500 leaves out the largest, SCRAPY=no the other program."""
    found = []
    with tempfile.TemporaryDirectory() as folder, Sites(folder, "web") as sites:
        for count in map(int, os.environ.get("SIZES", "25,500,2500").split(",")):
            with Server(folder, **sites.settings()) as server:
                ours = search(server, TRADES[count], count)
            requests = sites.requests()
            found += figures_of(count, ours, floor_of(requests))
        if os.environ.get("SCRAPY") != "no":
            peer = scrapy(sites, requests)
            found += [
                Figure(f"{count:,} leads, beside Scrapy on their pages", ours["done"], "s", peer=peer["done"], lower_is_better=True),
                Figure(f"{count:,} leads, memory beside Scrapy", ours["peak"], "MiB", peer=peer["peak"], lower_is_better=True),
                Figure(f"{count:,} leads, CPU time beside Scrapy", ours["cpu"], "s", peer=peer["cpu"], lower_is_better=True),
            ]
    return found


if __name__ == "__main__":
    show("web", figures())
