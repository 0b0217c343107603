"""Measures the server: start to listening, idle memory, and GET /me beside a bare axum server in the same run.

Usage: python3 benches/serve.py   (`make bench` builds what it needs first)
"""

import json
import os
import re
import socket
import statistics
import subprocess
import tempfile
import time
from pathlib import Path

from figures import Figure, show

ROOT = Path(__file__).resolve().parent.parent
RELEASE = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")) / "release"
CANVASS = Path(os.environ.get("CANVASS", RELEASE / "canvass"))
BARE = RELEASE / "bare-axum"
STARTS = 15
ROUNDS = 3
SECONDS = 4
CONNECTIONS = 64


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def wait_for(port: int) -> None:
    for _ in range(20_000):
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
            return
        except OSError:
            time.sleep(0.0005)
    raise SystemExit(f"nothing listens on port {port}")


def start(folder: str, port: int, **settings: str) -> subprocess.Popen:
    environment = {"PATH": os.environ["PATH"], "CANVASS_DATA": folder, "CANVASS_RATE_LIMIT": "0"} | settings
    command = [CANVASS, "serve", "--json", "--listen", f"127.0.0.1:{port}"]
    return subprocess.Popen(command, env=environment, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)


def stop(process: subprocess.Popen) -> None:
    process.terminate()
    process.wait()


def first_key(process: subprocess.Popen) -> str:
    said = ""
    while not said.endswith("}\n"):
        said += process.stdout.readline()
    return json.loads(said)["key"]


def memory_mib(process: subprocess.Popen) -> float:
    status = Path(f"/proc/{process.pid}/status").read_text()
    return int(re.search(r"VmRSS:\s+(\d+)", status).group(1)) / 1024


def requests_per_second(port: int, key: str) -> float:
    command = ["wrk", "-t1", f"-c{CONNECTIONS}", f"-d{SECONDS}s", "-H", f"X-API-Key: {key}", f"http://127.0.0.1:{port}/me"]
    said = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    if "Non-2xx" in said or "Socket errors" in said:
        raise SystemExit(f"requests failed:\n{said}")
    return float(re.search(r"Requests/sec:\s+([\d.]+)", said).group(1))


def measure_start(folder: str) -> float:
    times = []
    for _ in range(STARTS):
        port = free_port()
        begin = time.perf_counter()
        process = start(folder, port)
        wait_for(port)
        times.append((time.perf_counter() - begin) * 1000)
        stop(process)
    return statistics.median(times)


def measure_me(folder: str) -> dict:
    port, bare_port = free_port(), free_port()
    fresh = tempfile.mkdtemp(dir=folder)
    ours = start(fresh, port)
    bare = subprocess.Popen([BARE, f"127.0.0.1:{bare_port}"])
    try:
        key = first_key(ours)
        wait_for(bare_port)
        time.sleep(1)
        idle = memory_mib(ours)
        rounds = [(requests_per_second(bare_port, key), requests_per_second(port, key)) for _ in range(ROUNDS)]
        loaded = memory_mib(ours)
    finally:
        stop(ours)
        stop(bare)
    bare_rate, our_rate = (statistics.median(rates) for rates in zip(*rounds))
    return {"idle": idle, "loaded": loaded, "bare": bare_rate, "ours": our_rate, "ratio": our_rate / bare_rate}


def figures() -> list[Figure]:
    with tempfile.TemporaryDirectory() as folder:
        first = tempfile.mkdtemp(dir=folder)
        started = measure_start(first)
        me = measure_me(folder)
    return [
        Figure("start to listening", started, "ms", aim=300, lower_is_better=True),
        Figure("idle memory", me["idle"], "MiB", aim=60, lower_is_better=True),
        Figure("memory after the load", me["loaded"], "MiB"),
        Figure("GET /me, limit: bare axum", me["ours"], "/s", limit=me["bare"], aim=0.6 * me["bare"]),
    ]


if __name__ == "__main__":
    show("serve", figures())
