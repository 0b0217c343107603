"""Measures searches on the sandbox, websites read: time to leads, leads a CPU second, memory, downloads, many at once, open streams.

Usage: python3 benches/search.py   (`make bench ONLY=search` builds what it needs first)
"""

import asyncio
import json
import os
import re
import subprocess
import tempfile
import time
import urllib.request
from pathlib import Path

from figures import Figure, show
from serve import CANVASS, first_key, free_port, memory_mib, start, stop, wait_for
from sites import Sites

CROWD = "Crowdville, Sandbox"
STREAMS = 2_000
TRADES = ["plumber", "dentist", "restaurant", "lawyer", "hair salon", "electrician", "bakery", "gym", "florist", "roofer"]


class Server:
    """A fresh server on the embedded defaults, with room for many searches."""

    def __init__(self, folder: str, again: "Server | None" = None, **settings: str):
        """With `again`: on the data of a server that has ended."""
        self.port = free_port()
        self.settings = settings
        self.folder = again.folder if again else tempfile.mkdtemp(dir=folder)
        self.process = start(self.folder, self.port, CANVASS_RUNNING_SEARCHES="1000", CANVASS_LOG="warn", **settings)
        self.key = again.key if again else first_key(self.process)
        wait_for(self.port)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        stop(self.process)

    def ask(self, path: str, body: dict | None = None) -> bytes:
        headers = {"X-API-Key": self.key, "Content-Type": "application/json"}
        data = json.dumps(body).encode() if body is not None else None
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}{path}", data, headers)
        with urllib.request.urlopen(request) as answer:
            return answer.read()

    def cpu_seconds(self) -> float:
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def peak_mib(self) -> float:
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        return int(re.search(r"VmHWM:\s+(\d+)", status).group(1)) / 1024

    def forget_peak(self) -> None:
        Path(f"/proc/{self.process.pid}/clear_refs").write_text("5")


def stream(server: Server, trade: str, count: int) -> dict:
    """Runs one search as a stream: when its first and its last lead came."""
    body = {"industry": trade, "location": CROWD, "requested_count": count}
    headers = {"X-API-Key": server.key, "Content-Type": "application/json"}
    request = urllib.request.Request(f"http://127.0.0.1:{server.port}/search", json.dumps(body).encode(), headers)
    cpu, begin = server.cpu_seconds(), time.perf_counter()
    first, leads, done = None, 0, None
    with urllib.request.urlopen(request) as answer:
        for line in answer:
            if line.startswith(b"event: lead"):
                leads += 1
                first = first or time.perf_counter() - begin
            elif line.startswith(b"event: search_done"):
                done = time.perf_counter() - begin
    return {"leads": leads, "first": first, "done": done, "cpu": server.cpu_seconds() - cpu}


def concurrent(server: Server, searches: int) -> float:
    """MiB that each of so many searches at once costs, at the peak."""
    before = memory_mib(server.process)
    server.forget_peak()
    ids = []
    for number in range(searches):
        body = {"industry": TRADES[number % len(TRADES)], "location": CROWD, "requested_count": 100}
        ids.append(json.loads(server.ask("/search/start", body))["search_id"])
    while any(json.loads(server.ask(f"/searches/{one}/status"))["status"] == "running" for one in ids):
        time.sleep(0.05)
    return (server.peak_mib() - before) / searches


def download(server: Server, path: str, *headers: str) -> tuple[float, float]:
    """Downloads the same again and again: how often a second, and megabytes of it for each second of the server's CPU time. What is
    sent compressed counts as long as it is."""
    size = len(server.ask(path))
    options = [option for header in (f"X-API-Key: {server.key}", *headers) for option in ("-H", header)]
    command = ["wrk", "-t1", "-c4", "-d5s", *options, f"http://127.0.0.1:{server.port}{path}"]
    before = server.cpu_seconds()
    said = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    used = server.cpu_seconds() - before
    if "Non-2xx" in said:
        raise SystemExit(f"requests failed:\n{said}")
    count = int(re.search(r"(\d+) requests in", said).group(1))
    return float(re.search(r"Requests/sec:\s+([\d.]+)", said).group(1)), count * size / 1e6 / used


def downloads(server: Server, search: str) -> list[Figure]:
    leads, export = f"/searches/{search}/leads", f"/searches/{search}/export"
    plain, plain_megabytes = download(server, leads)
    packed, _ = download(server, leads, "Accept-Encoding: gzip")
    _, exported = download(server, export)
    return [
        Figure("GET /leads of 2,500", plain, "/s"),
        Figure("GET /leads of 2,500, a core", plain_megabytes, "MB/s", aim=800),
        Figure("GET /leads of 2,500, compressed", packed, "/s"),
        Figure("GET /export of 2,500, a core", exported, "MB/s", aim=300),
    ]


def among_many(server: Server) -> list[Figure]:
    """A small search started after 49 large ones, which are as many as one node works on, and the stop of some of these while they run."""
    grant = [CANVASS, "account", "grant", "--email", "demo@example.com", "--credits", "200000"]
    subprocess.run(grant, env={"PATH": os.environ["PATH"], "CANVASS_DATA": server.folder}, check=True, capture_output=True, cwd=server.folder)
    start = lambda trade, count: json.loads(server.ask("/search/start", {"industry": trade, "location": CROWD, "requested_count": count}))["search_id"]
    large = [start(TRADES[number % len(TRADES)], 2_500) for number in range(49)]
    begin = time.perf_counter()
    small = start("optician", 5)
    status = lambda one: json.loads(server.ask(f"/searches/{one}/status"))
    while status(small)["status"] == "running":
        time.sleep(0.01)
    waited = time.perf_counter() - begin
    stops = []
    for one in large[:10]:
        begin = time.perf_counter()
        server.ask(f"/searches/{one}/stop", {})
        stops.append((time.perf_counter() - begin) * 1000)
    if any(status(one)["found"] == 2_500 for one in large[:10]):
        raise SystemExit("a search ended before it was stopped: stopping it was not measured")
    return [
        Figure("5 leads while 49 large searches run", waited, "s"),
        Figure("stop of one of 50 searches, at worst of 10", max(stops), "ms", aim=100, lower_is_better=True),
    ]


async def follow(server: Server, search: str) -> int:
    reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
    head = f"GET /searches/{search}/events HTTP/1.1\r\nHost: localhost\r\nX-API-Key: {server.key}\r\nConnection: close\r\n\r\n"
    writer.write(head.encode())
    leads = 0
    async for line in reader:
        leads += line.startswith(b"event: lead")
    writer.close()
    return leads


async def open_streams(server: Server) -> dict:
    before = memory_mib(server.process)
    body = {"industry": "photographer", "location": CROWD, "requested_count": 100}
    server.forget_peak()
    search = json.loads(server.ask("/search/start", body))["search_id"]
    begin = time.perf_counter()
    counts = await asyncio.gather(*[follow(server, search) for _ in range(STREAMS)])
    return {
        "seconds": time.perf_counter() - begin,
        "whole": sum(count == 100 for count in counts),
        "kib": (server.peak_mib() - before) * 1024 / STREAMS,
    }


def last_search(server: Server) -> str:
    return json.loads(server.ask("/searches?limit=1"))[0]["id"]


def figures() -> list[Figure]:
    with tempfile.TemporaryDirectory() as folder, Server(folder) as server:
        stream(server, "optician", 5)
        small, middle = stream(server, "plumber", 25), stream(server, "dentist", 500)
        large = stream(server, "restaurant", 2_500)
        if [one["leads"] for one in (small, middle, large)] != [25, 500, 2_500]:
            raise SystemExit(f"leads are missing: {small}, {middle}, {large}")
        downloaded = downloads(server, last_search(server))
    found = [
        Figure("first lead", small["first"] * 1000, "ms", aim=300, lower_is_better=True),
        Figure("25 leads", small["done"], "s"),
        Figure("500 leads", middle["done"], "s"),
        Figure("2,500 leads", large["done"], "s", aim=10, lower_is_better=True),
        Figure("leads a CPU second, with making their websites", large["leads"] / large["cpu"], "/s"),
        *downloaded,
    ]
    with tempfile.TemporaryDirectory() as folder, Sites(folder, "calm") as sites, Server(folder, **sites.settings()) as server:
        stream(server, "optician", 5)
        large = stream(server, "restaurant", 2_500)
        found.append(Figure("leads a CPU second, websites made by another process", large["leads"] / large["cpu"], "/s", aim=1_500))
    with tempfile.TemporaryDirectory() as folder, Server(folder) as server:
        # What any search leaves behind once, however many follow: buffers, and the cache of sites read.
        stream(server, "optician", 300)
        for searches in (1, 10, 50):
            found.append(Figure(f"{searches} searches at once, each", concurrent(server, searches), "MiB", aim=10, lower_is_better=True))
    with tempfile.TemporaryDirectory() as folder, Server(folder) as server:
        stream(server, "optician", 5)
        found += among_many(server)
    with tempfile.TemporaryDirectory() as folder, Server(folder) as server:
        streams = asyncio.run(open_streams(server))
        if streams["whole"] != STREAMS:
            raise SystemExit(f"only {streams['whole']} of {STREAMS} streams were whole")
        found.append(Figure(f"{STREAMS:,} open streams, each", streams["kib"], "KiB"))
        found.append(Figure(f"{STREAMS:,} open streams, to the end", streams["seconds"], "s"))
    return found


if __name__ == "__main__":
    show("search", figures())
