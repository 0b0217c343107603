"""Measures a server whose database has grown: every endpoint's median and p99 beside the same server with one search.

The rows are copies of one real search, made by the database itself: leads with everything that belongs to them (words, owned
businesses, ledger lines), searches, accounts and watches. One account has a tenth of all searches; it is the one that asks.

Usage: python3 benches/growth.py [SEARCHES]   (`make bench ONLY=growth` builds what it needs first; 4,000 searches are 10 million
leads and take 30 GB; DATABASE_URL measures that PostgreSQL, which must be empty, instead of SQLite)
"""

import http.client
import json
import os
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.parse
from pathlib import Path

from search import CROWD, Server, stream
from serve import CANVASS

LEADS = 2_500
ACCOUNTS = 1_000
WATCHES = 100_000
ROUNDS = 200
# The asking account starts with this much, so that no copied line brings it below zero.
CREDITS = 1_000_000_000


class Sqlite:
    def __init__(self, folder: str):
        self.file = next(Path(folder).rglob("canvass.db"))
        self.link = sqlite3.connect(self.file, isolation_level=None)
        self.link.executescript("pragma synchronous = off; pragma cache_size = -2000000; pragma foreign_keys = off;")

    def columns(self, table: str) -> list[str]:
        return [row[1] for row in self.link.execute(f"pragma table_info({table})")]

    def one(self, query: str):
        return self.link.execute(query).fetchone()

    def run(self, statements: list[str]) -> None:
        self.link.executescript("begin;" + ";".join(statements) + ";commit;")

    def end(self) -> None:
        self.link.executescript("analyze; pragma wal_checkpoint(truncate);")
        self.link.close()

    def size(self) -> int:
        return self.file.stat().st_size


class Postgres:
    def __init__(self, url: str):
        self.url = url

    def psql(self, text: str) -> str:
        command = ["psql", "--quiet", "--no-align", "--tuples-only", "--set", "ON_ERROR_STOP=1", self.url]
        return subprocess.run(command, input=text, check=True, capture_output=True, text=True).stdout.strip()

    def columns(self, table: str) -> list[str]:
        return self.psql(f"select column_name from information_schema.columns where table_name = '{table}'").split("\n")

    def one(self, query: str):
        return tuple(self.psql(query).split("\n")[0].split("|"))

    def run(self, statements: list[str]) -> None:
        self.psql("set synchronous_commit = off; set session_replication_role = origin; begin;" + ";".join(statements) + ";commit;")

    def end(self) -> None:
        self.psql("vacuum analyze")

    def size(self) -> int:
        return int(self.one("select pg_database_size(current_database())")[0])


def copied(database, table: str, where: str, **new: str) -> str:
    """A statement that copies rows with some columns replaced."""
    columns = database.columns(table)
    values = [new.get(column, column) for column in columns]
    return f"insert into {table} ({', '.join(columns)}) select {', '.join(values)} from {table} where {where}"


def moved(column: str, number: int) -> str:
    """An id that sorts behind that of the row it is copied from."""
    return f"'{number:08x}' || substr({column}, 9)"


class Grower:
    """Copies the first search of the first account."""

    def __init__(self, database):
        self.database = database
        self.account, self.lines = database.one("select id, ledger_lines from account order by created_at limit 1")
        self.search, self.first = database.one("select id, substr(id, 1, 8) from search order by id limit 1")
        self.lines, self.number = int(self.lines), int(self.first, 16)
        self.made = 0

    def grant(self) -> None:
        more = f"update account set credits = credits + {CREDITS}, ledger_lines = ledger_lines + 1 where id = '{self.account}'"
        line = (
            "insert into credit_entry (account_id, line, amount, balance, reason, created_at) select id, ledger_lines, "
            f"{CREDITS}, credits, 'grant', created_at from account where id = '{self.account}'"
        )
        self.database.run([more, line])
        self.lines += 1

    def accounts(self) -> list[str]:
        ids = [f"{self.number + 1:08x}{self.account[8:-4]}{one:04x}" for one in range(1, ACCOUNTS)]
        copy = lambda one: copied(
            self.database, "account", f"id = '{self.account}'", id=f"'{one}'", email=f"'{one}@growth.example'", ledger_lines="0", credits="0"
        )
        self.database.run([copy(one) for one in ids])
        return ids

    def add(self, account: str) -> None:
        """One more search for an account, with all that belongs to it."""
        self.made += 1
        number = self.number + 2 + self.made
        own = account == self.account
        search = f"'{number:08x}{self.search[8:]}'"
        of = f"search_id = '{self.search}'"
        to = dict(account_id=f"'{account}'", search_id=search)
        line = f"(select ledger_lines from account where id = '{account}') + l.number" if own else "l.number"
        ledger = (
            "insert into credit_entry (account_id, line, amount, balance, reason, subject, created_at) "
            f"select '{account}', {line}, -1, {CREDITS * 2} - l.number, 'lead', {moved('l.id', number)}, l.delivered_at "
            f"from lead l where l.{of}"
        )
        words = (
            "insert into lead_word (account, word, search, number) select a.number, w.word, s.number, w.number from lead_word w, "
            f"account_number a, search_number s, search_number t where a.account_id = '{account}' and s.search_id = {search} "
            f"and t.search_id = '{self.search}' and w.search = t.number"
        )
        statements = [
            copied(self.database, "search", f"id = '{self.search}'", id=search, account_id=f"'{account}'"),
            copied(self.database, "lead", of, id=moved("id", number), **to),
            copied(self.database, "owned_business", of, **to),
            words,
        ]
        if own:
            statements += [ledger, f"update account set ledger_lines = ledger_lines + {LEADS} where id = '{account}'"]
        self.database.run(statements)

    def watches(self, accounts: list[str]) -> None:
        lead = f"select id from lead where search_id = '{self.search}' order by number limit 1"
        for at, account in enumerate(accounts[: WATCHES // 100]):
            new = dict(id=moved("id", self.number + 2 + at), account_id=f"'{account}'")
            self.database.run([copied(self.database, "watch", f"account_id = '{self.account}'", **new)])


def grow(database, searches: int) -> None:
    grower = Grower(database)
    grower.grant()
    accounts = grower.accounts()
    begin = time.perf_counter()
    for number in range(1, searches):
        # One in ten is of the account that asks.
        grower.add(grower.account if number % 10 == 0 else accounts[number % len(accounts)])
        if number % 100 == 0:
            print(f"  {number:,} of {searches:,} searches, {time.perf_counter() - begin:.0f} s", flush=True)
    grower.watches(accounts)
    database.end()


def questions(server: Server) -> dict[str, tuple[str, dict | None]]:
    search = json.loads(server.ask("/searches?limit=1"))[0]["id"]
    lead = json.loads(server.ask(f"/searches/{search}/leads?limit=1"))[0]
    name = urllib.parse.quote(lead["business_name"])
    return {
        "me": ("/me", None),
        "credits": ("/credits?limit=200", None),
        "usage": ("/usage", None),
        "searches": ("/searches?limit=50", None),
        "search": (f"/searches/{search}", None),
        "status": (f"/searches/{search}/status", None),
        "leads, 50": (f"/searches/{search}/leads?limit=50", None),
        "leads by score, 50": (f"/searches/{search}/leads?limit=50&sort=score", None),
        "leads, all 2,500": (f"/searches/{search}/leads", None),
        "export": (f"/searches/{search}/export", None),
        "lead": (f"/leads/{lead['lead_id']}", None),
        "leads by name": (f"/leads?q={name}", None),
        "leads by a common word": ("/leads?q=restaurant", None),
        "leads by a few letters": ("/leads?q=re", None),
        "watches": ("/radar/watches", None),
        "alerts": ("/radar/alerts", None),
        "tags": ("/tags", None),
        "quote": (f"/search/quote?industry=dentist&location={urllib.parse.quote(CROWD)}", None),
    }


def timed(server: Server, path: str, rounds: int) -> tuple[float, float]:
    """Median and p99 in milliseconds."""
    link = http.client.HTTPConnection("127.0.0.1", server.port)
    times = []
    for _ in range(rounds):
        begin = time.perf_counter()
        link.request("GET", path, headers={"X-API-Key": server.key})
        answer = link.getresponse()
        answer.read()
        times.append((time.perf_counter() - begin) * 1000)
        if answer.status != 200:
            raise SystemExit(f"{path}: {answer.status}")
    times.sort()
    return statistics.median(times), times[int(len(times) * 0.99) - 1]


def measured(server: Server) -> dict[str, tuple[float, float]]:
    figures = {}
    for name, (path, _) in questions(server).items():
        timed(server, path, 5)
        figures[name] = timed(server, path, 20 if "2,500" in name or name == "export" else ROUNDS)
    begin = time.perf_counter()
    environment = {"PATH": os.environ["PATH"], "CANVASS_DATA": server.folder, **server.settings}
    subprocess.run([CANVASS, "doctor", "--json"], env=environment, capture_output=True, cwd=server.folder)
    took = (time.perf_counter() - begin) * 1000
    figures["doctor"] = (took, took)
    owned = stream(server, "restaurant", 5)
    figures["first lead of a search"] = (owned["first"] * 1000, owned["first"] * 1000)
    return figures


def main() -> None:
    searches = int(sys.argv[1]) if len(sys.argv) > 1 else 4_000
    url = os.environ.get("DATABASE_URL")
    settings = {"CANVASS_DATABASE_URL": url} if url else {}
    with tempfile.TemporaryDirectory(dir=os.environ.get("GROWTH_DIR")) as folder:
        with Server(folder, **settings) as server:
            stream(server, "restaurant", LEADS)
            leads = json.loads(server.ask(f"/searches/{json.loads(server.ask('/searches'))[0]['id']}/leads?limit=50"))
            for lead in leads[:100]:
                server.ask("/radar/watch", {"lead_id": lead["lead_id"]})
            before = measured(server)
        database = Postgres(url) if url else Sqlite(folder)
        small = database.size()
        grow(database, searches)
        with Server(folder, again=server, **settings) as grown:
            after = measured(grown)
        print(f"{searches * LEADS:,} leads: {database.size() / 1e9:.1f} GB, {(database.size() - small) / (searches - 1) / LEADS:,.0f} bytes a lead")
    print(f"{'':<26}{'one search':>20}{'grown':>20}   aim: p99 within 2x")
    for name, (median, worst) in before.items():
        grown = after[name]
        met = grown[1] <= max(2 * worst, worst + 1)
        print(f"{name:<26}{median:>8.2f}{worst:>9.2f} ms{grown[0]:>8.2f}{grown[1]:>9.2f} ms   {grown[1] / worst:.1f}x{'' if met else '   MISSED'}")


if __name__ == "__main__":
    main()
