"""Measures a server whose database has grown: p99 of every endpoint, skip_owned, look-ups, exports, a Radar sweep, start-up and doctor,
beside the same server with one search.

Usage: python3 benches/growth.py   (`make bench ONLY=growth` builds what it needs first)

LEADS=10000000 is 4,000 searches, a million ledger lines of one account among 1,000, and 100,000 watches: about 20 GB. DATABASE_URL measures that
PostgreSQL, which must be empty, instead of SQLite; GROWTH_DIR is where the database of SQLite lies; CANVASS another binary.
"""

import http.client
import json
import os
import statistics
import subprocess
import tempfile
import time
import urllib.parse

from figures import Figure, show
from fill import LEADS_OF_A_SEARCH, Filler, Postgres, Sqlite
from search import CROWD, Server
from serve import CANVASS

LEADS = int(os.environ.get("LEADS", 250_000))
WATCHED = 100
ROUNDS = int(os.environ.get("ROUNDS", 200))
LONG_ROUNDS = max(3, ROUNDS // 10)
# How often a search is started whose first lead is waited for.
SEARCHES = 5
# A difference below this is no difference, in milliseconds.
NOISE_MS = 2.0


def questions(server: Server, search: str) -> dict[str, str]:
    lead = json.loads(server.ask(f"/searches/{search}/leads?limit=1"))[0]
    name = urllib.parse.quote(lead["business_name"])
    return {
        "me": "/me",
        "credits, 200 lines": "/credits?limit=200",
        "usage": "/usage",
        "history": "/searches?limit=50",
        "search": f"/searches/{search}",
        "status": f"/searches/{search}/status",
        "leads, 50": f"/searches/{search}/leads?limit=50",
        "leads by score, 50": f"/searches/{search}/leads?limit=50&sort=score",
        "leads, all 2,500": f"/searches/{search}/leads",
        "marks": f"/searches/{search}/marks",
        "enrichment": f"/searches/{search}/enrich",
        "export, all 2,500": f"/searches/{search}/export",
        "campaign export, all 2,500": f"/searches/{search}/campaign-export?channel=crm",
        "lead": f"/leads/{lead['lead_id']}",
        "look up a name": f"/leads?q={name}",
        "look up a common word": "/leads?q=restaurant",
        "look up a few letters": "/leads?q=re",
        "watches": "/radar/watches",
        "alerts": "/radar/alerts",
        "tags": "/tags",
        "quote": f"/search/quote?industry=dentist&location={urllib.parse.quote(CROWD)}",
    }


def timed(server: Server, path: str, rounds: int) -> list[float]:
    """Milliseconds of each request."""
    link = http.client.HTTPConnection("127.0.0.1", server.port)
    times = []
    for _ in range(rounds):
        begin = time.perf_counter()
        link.request("GET", path, headers={"X-API-Key": server.key, "Cache-Control": "no-cache"})
        answer = link.getresponse()
        answer.read()
        times.append((time.perf_counter() - begin) * 1000)
        if answer.status != 200:
            raise SystemExit(f"{path}: {answer.status}")
    return times


def p99(times: list[float]) -> float:
    return sorted(times)[max(0, round(len(times) * 0.99) - 1)]


def first_lead(server: Server) -> float:
    """Milliseconds until a search that skips what the account owns has its first lead."""
    body = {"industry": "restaurant", "location": CROWD, "requested_count": 1, "filters": {"skip_owned": True}}
    head = {"X-API-Key": server.key, "Content-Type": "application/json"}
    link = http.client.HTTPConnection("127.0.0.1", server.port)
    begin = time.perf_counter()
    link.request("POST", "/search", json.dumps(body), head)
    answer = link.getresponse()
    for line in answer:
        if line.startswith(b"event: lead"):
            took = (time.perf_counter() - begin) * 1000
            answer.read()
            return took
    raise SystemExit("the search found nothing that the account does not have")


def run(server: Server, *words: str) -> str:
    """What a command on the server's data prints."""
    environment = {"PATH": os.environ["PATH"], "CANVASS_DATA": server.folder, **server.settings}
    said = subprocess.run([CANVASS, *words], env=environment, capture_output=True, text=True, cwd=server.folder)
    if said.returncode:
        raise SystemExit(f"canvass {' '.join(words)}: {said.stdout[-2_000:]}{said.stderr[-2_000:]}")
    return said.stdout


def command(server: Server, *words: str) -> float:
    """Milliseconds that it takes."""
    begin = time.perf_counter()
    run(server, *words)
    return (time.perf_counter() - begin) * 1000


def new_key(server: Server) -> str:
    """The key of a new account, as only an embedded database begins with one."""
    who = ["--email", "growth@example.com"]
    run(server, "account", "create", *who, "--tier", "scale", "--add-on", "radar", "--credits", "100000")
    return json.loads(run(server, "key", "create", *who, "--name", "growth", "--json"))["key"]


def measured(server: Server, search: str) -> dict[str, float]:
    figures = {}
    for name, path in questions(server, search).items():
        timed(server, path, 5)
        times = timed(server, path, LONG_ROUNDS if "2,500" in name else ROUNDS)
        # On a busy machine p99 says how long others kept it waiting; the median says more then.
        figures[f"{name}, p99"], figures[f"{name}, median"] = p99(times), statistics.median(times)
    first_lead(server)
    figures["first lead with skip_owned"] = statistics.median(first_lead(server) for _ in range(SEARCHES))
    return figures


def commands(server: Server) -> dict[str, float]:
    """On a server that has stopped, so that nothing else takes what is due."""
    return {"doctor": statistics.median(command(server, "doctor", "--json") for _ in range(3)), "radar check": command(server, "radar", "check")}


def started(folder: str, again: Server, settings: dict) -> float:
    times = []
    for _ in range(5):
        begin = time.perf_counter()
        with Server(folder, again=again, **settings):
            times.append((time.perf_counter() - begin) * 1000)
    return statistics.median(times)


def small(folder: str, settings: dict) -> tuple[Server, str, dict[str, float]]:
    """A database with one search."""
    with Server(folder, **settings) as server:
        server.key = server.key or new_key(server)
        body = {"industry": "restaurant", "location": CROWD, "requested_count": LEADS_OF_A_SEARCH}
        search = json.loads(server.ask("/search/start", body))["search_id"]
        while json.loads(server.ask(f"/searches/{search}/status"))["status"] == "running":
            time.sleep(0.2)
        for lead in json.loads(server.ask(f"/searches/{search}/leads?limit={WATCHED}")):
            server.ask("/radar/watch", {"lead_id": lead["lead_id"]})
        figures = measured(server, search)
    return server, search, {**figures, **commands(server), "start": started(folder, server, settings)}


def figures() -> list[Figure]:
    url = os.environ.get("DATABASE_URL")
    settings = {"CANVASS_DATABASE_URL": url} if url else {}
    kind = "PostgreSQL" if url else "SQLite"
    with tempfile.TemporaryDirectory(dir=os.environ.get("GROWTH_DIR")) as folder:
        server, search, before = small(folder, settings)
        database = Postgres(url) if url else Sqlite(server.folder)
        one_search = database.size()
        begin = time.perf_counter()
        Filler(database, LEADS).run()
        took, size = time.perf_counter() - begin, database.size()
        with Server(folder, again=server, **settings) as grown:
            after = measured(grown, search)
        after |= commands(server) | {"start": started(folder, server, settings)}
    each = (size - one_search) / (LEADS - LEADS_OF_A_SEARCH)
    found = [
        Figure(f"{kind}: filling {LEADS:,} leads", took, "s"),
        Figure(f"{kind}: bytes a lead, all told", each, "bytes", aim=3_000, lower_is_better=True),
    ]
    for name, worst in before.items():
        limit = max(2 * worst, worst + NOISE_MS)
        found.append(Figure(f"{kind}: {name}", after[name], "ms", peer=worst, aim=limit, lower_is_better=True))
    return found


if __name__ == "__main__":
    show("growth", figures())
