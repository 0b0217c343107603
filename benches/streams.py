"""Measures open event streams: memory of each while nothing happens, and how soon a lead reaches all who follow its search.

Usage: STREAMS=10000 python3 benches/streams.py   (`make bench ONLY=streams` builds what it needs first)
"""

import asyncio
import json
import os
import re
import resource
import select
import socket
import tempfile
import time

from figures import Figure, show
from search import Server
from serve import memory_mib

# Its provider lists a business now and then, so that the search runs long enough.
SLOW = "Slowtown, Sandbox"
FOLLOWERS = 2_000


async def opened(server: Server, search: str) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """A stream whose first event has come."""
    reader, writer = await asyncio.open_connection("127.0.0.1", server.port, limit=1 << 20)
    head = f"GET /searches/{search}/events HTTP/1.1\r\nHost: localhost\r\nX-API-Key: {server.key}\r\n\r\n"
    writer.write(head.encode())
    await reader.readuntil(b"event: search_started")
    return reader, writer


async def open_all(server: Server, search: str, count: int) -> list:
    streams = []
    for begin in range(0, count, 200):
        streams += await asyncio.gather(*[opened(server, search) for _ in range(begin, min(begin + 200, count))])
    return streams


async def idle(server: Server, count: int) -> float:
    """KiB of each stream that waits."""
    body = {"industry": "plumber", "location": SLOW, "requested_count": 20}
    warm = json.loads(server.ask("/search/start", body))["search_id"]
    for _, writer in await open_all(server, warm, 50):
        writer.close()
    await asyncio.sleep(1)
    before = memory_mib(server.process)
    search = json.loads(server.ask("/search/start", {**body, "industry": "dentist"}))["search_id"]
    streams = await open_all(server, search, count)
    after = memory_mib(server.process)
    if any(reader.at_eof() for reader, _ in streams):
        raise SystemExit("the search ended before all streams were open: what waits was not measured")
    for _, writer in streams:
        writer.close()
    return (after - before) * 1024 / count


def follow(server: Server, search: str) -> socket.socket:
    connection = socket.create_connection(("127.0.0.1", server.port))
    head = f"GET /searches/{search}/events HTTP/1.1\r\nHost: localhost\r\nX-API-Key: {server.key}\r\n\r\n"
    connection.sendall(head.encode())
    connection.setblocking(False)
    return connection


def spread(server: Server) -> tuple[float, float]:
    """Milliseconds between the first and the last follower that sees a lead: the median lead and the worst. Reads with as
    little work as can be, because the reader would be measured otherwise."""
    body = {"industry": "electrician", "location": SLOW, "requested_count": 20}
    search = json.loads(server.ask("/search/start", body))["search_id"]
    followers = {one.fileno(): one for one in (follow(server, search) for _ in range(FOLLOWERS))}
    waiting = select.epoll()
    for number in followers:
        waiting.register(number, select.EPOLLIN)
    arrived, left = [], len(followers)
    while left:
        for number, _ in waiting.poll():
            piece = followers[number].recv(1 << 16)
            arrived.append((time.perf_counter(), number, piece))
            if not piece:
                waiting.unregister(number)
                left -= 1
    times: dict[bytes, dict[int, float]] = {}
    for moment, number, piece in arrived:
        for lead in re.findall(rb"id: (\d+)\nevent: lead", piece):
            times.setdefault(lead, {})[number] = moment
    # Those that came while streams were being opened are not counted: their followers saw them with others, later.
    whole = [of for lead, of in times.items() if len(of) == FOLLOWERS and int(lead) > 10]
    spreads = sorted((max(of.values()) - min(of.values())) * 1000 for of in whole)
    return spreads[len(spreads) // 2], spreads[-1]


def figures() -> list[Figure]:
    count = int(os.environ.get("STREAMS", 10_000))
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    with tempfile.TemporaryDirectory() as folder, Server(folder) as server:
        each = asyncio.run(idle(server, count))
    with tempfile.TemporaryDirectory() as folder, Server(folder) as server:
        median, worst = spread(server)
    return [
        Figure(f"{count:,} streams that wait, each", each, "KiB", aim=16, lower_is_better=True),
        Figure(f"a lead to {FOLLOWERS:,} followers, median", median, "ms"),
        Figure(f"a lead to {FOLLOWERS:,} followers, at worst", worst, "ms", aim=100, lower_is_better=True),
    ]


if __name__ == "__main__":
    show("streams", figures())
