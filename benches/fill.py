"""Fills a database with copies of one real search, made by the database itself: leads with all that belongs to them (words, owned
businesses, ledger lines), searches, accounts and watches. One account has a tenth of all searches; it is the one that asks.

Rows go in by the order of their keys, which is why ten million leads take minutes and not hours.
"""

import sqlite3
import subprocess
from pathlib import Path

LEADS_OF_A_SEARCH = 2_500
ACCOUNTS_MAX = 1_000
# One search in so many is of the account that asks.
OWN_SHARE = 10
# One watch for so many leads.
LEADS_OF_A_WATCH = 100
# The asking account starts with this much, so that no copied line brings it below zero.
CREDITS = 1_000_000_000
# In units of the first eight digits of an id, which are 65 seconds: more than there are copies.
EARLIER = 100_000


class Sqlite:
    def __init__(self, folder: str):
        self.file = next(Path(folder).rglob("canvass.db"))
        self.link = sqlite3.connect(self.file, isolation_level=None)
        self.link.executescript(
            "pragma journal_mode = off; pragma synchronous = off; pragma cache_size = -1000000; pragma foreign_keys = off;"
            "pragma temp_store = memory; pragma locking_mode = exclusive;"
        )
        # What they keep in step is written here at once.
        self.triggers = [row for row in self.link.execute("select name, sql from sqlite_master where type = 'trigger'")]
        for name, _ in self.triggers:
            self.link.execute(f"drop trigger {name}")

    def columns(self, table: str) -> list[str]:
        return [row[1] for row in self.link.execute(f"pragma table_info({table})")]

    def one(self, query: str) -> tuple:
        return self.link.execute(query).fetchone()

    def run(self, *statements: str) -> None:
        self.link.executescript("begin;" + ";".join(statements) + ";commit;")

    def end(self) -> None:
        for _, text in self.triggers:
            self.link.execute(text)
        self.link.executescript("analyze; pragma journal_mode = wal;")
        self.link.close()

    def size(self) -> int:
        return self.file.stat().st_size


class Postgres:
    def __init__(self, url: str):
        self.url = url

    def psql(self, text: str) -> str:
        command = ["psql", "--quiet", "--no-align", "--tuples-only", "--set", "ON_ERROR_STOP=1", self.url]
        said = subprocess.run(command, input=text, capture_output=True, text=True)
        if said.returncode:
            raise SystemExit(f"psql failed: {said.stderr}\n{text[:2_000]}")
        return said.stdout.strip()

    def columns(self, table: str) -> list[str]:
        found = f"select column_name from information_schema.columns where table_name = '{table}' and table_schema = 'public'"
        return self.psql(found).split("\n")

    def one(self, query: str) -> tuple:
        return tuple(self.psql(query).split("\n")[0].split("|"))

    def run(self, *statements: str) -> None:
        # As a replica: neither triggers nor foreign keys, which were checked when the first rows came.
        self.psql("set synchronous_commit = off; set session_replication_role = replica; begin;" + ";".join(statements) + ";commit;")

    def end(self) -> None:
        for table, column in (("account_number", "number"), ("search_number", "number")):
            self.psql(f"select setval(pg_get_serial_sequence('{table}', '{column}'), (select max({column}) from {table}))")
        self.psql("vacuum analyze")

    def size(self) -> int:
        return int(self.one("select pg_database_size(current_database())")[0])


class Filler:
    """Copies the first search of the first account, whose place it gives to `copies` others."""

    def __init__(self, database, leads: int):
        self.database = database
        self.account, lines = database.one("select id, ledger_lines from account order by created_at limit 1")
        self.search, first = database.one("select id, substr(id, 1, 8) from search order by id limit 1")
        # Ids begin with the time. Those of copies are earlier than all that are there.
        self.lines, self.first = int(lines), int(first, 16) - EARLIER
        self.searches = max(2, leads // LEADS_OF_A_SEARCH)
        self.accounts = min(ACCOUNTS_MAX, self.searches)
        self.watches = leads // LEADS_OF_A_WATCH
        overriding = "overriding system value " if isinstance(database, Postgres) else ""
        self.numbered = lambda table: f"insert into {table} (number, {table.split('_')[0]}_id) {overriding}"

    def run(self) -> None:
        self.name_copies()
        self.copy_accounts()
        self.copy_searches()
        self.copy_leads()
        self.copy_words()
        self.copy_owned()
        self.copy_ledger()
        self.copy_watches()
        self.database.run("drop table copied_search", "drop table copied_account")
        self.database.end()

    def name_copies(self) -> None:
        """A row for each new account and search: the first eight digits of its ids, and its number."""
        series = "with recursive series (n) as (select 1 union all select n + 1 from series where n < {})"
        digits = (
            (lambda n: f"lpad(to_hex({self.first} + {n}), 8, '0')")
            if isinstance(self.database, Postgres)
            else (lambda n: f"printf('%08x', {self.first} + {n})")
        )
        accounts, searches = self.accounts - 1, self.searches - 1
        self.database.run(
            "create table copied_account (n bigint primary key, id text not null, number bigint not null)",
            f"insert into copied_account {series.format(accounts)} select n, {digits('n')} || substr('{self.account}', 9), "
            "n + (select max(number) from account_number) from series",
            "create table copied_search (n bigint primary key, id text not null, prefix text not null, number bigint not null,"
            " account_id text not null, account bigint not null)",
            f"insert into copied_search {series.format(searches)} select n, {digits('n')} || substr('{self.search}', 9), {digits('n')}, "
            f"n + (select max(number) from search_number), case when n % {OWN_SHARE} = 0 then '{self.account}' else"
            f" (select id from copied_account c where c.n = 1 + series.n % {accounts}) end,"
            f" case when n % {OWN_SHARE} = 0 then (select number from account_number where account_id = '{self.account}') else"
            f" (select number from copied_account c where c.n = 1 + series.n % {accounts}) end from series",
        )

    def copied(self, table: str, source: str, **new: str) -> str:
        """A statement that copies rows of a table, called t, with some columns replaced."""
        columns = self.database.columns(table)
        values = [new.get(column, f"t.{column}") for column in columns]
        return f"insert into {table} ({', '.join(columns)}) select {', '.join(values)} from {source}"

    def copy_accounts(self) -> None:
        source = f"account t, copied_account c where t.id = '{self.account}'"
        self.database.run(
            self.copied("account", source, id="c.id", email="c.id || '@growth.example'", ledger_lines="0", credits="0"),
            self.numbered("account_number") + "select number, id from copied_account",
        )

    def copy_searches(self) -> None:
        source = f"search t, copied_search c where t.id = '{self.search}'"
        self.database.run(
            self.copied("search", source, id="c.id", account_id="c.account_id"),
            self.numbered("search_number") + "select number, id from copied_search",
        )

    def copy_leads(self, at_once: int = 100) -> None:
        for first in range(1, self.searches, at_once):
            source = f"copied_search c, lead t where t.search_id = '{self.search}' and c.n >= {first} and c.n < {first + at_once} order by c.n, t.number"
            new = dict(id="c.prefix || substr(t.id, 9)", account_id="c.account_id", search_id="c.id")
            self.database.run(self.copied("lead", source, **new))

    def copy_words(self) -> None:
        own = f"(select number from search_number where search_id = '{self.search}')"
        self.database.run(
            "create table copied_word (word text not null, number bigint not null)",
            f"insert into copied_word select word, number from lead_word where search = {own} order by word, number",
        )
        accounts = [int(row) for row in self.list("select distinct account from copied_search order by 1")]
        for account in accounts:
            self.database.run(
                "insert into lead_word (account, word, search, number) select c.account, w.word, c.number, w.number "
                f"from copied_word w, copied_search c where c.account = {account} order by w.word, c.number, w.number"
            )
        self.database.run("drop table copied_word")

    def copy_owned(self) -> None:
        own = f"(select number from search_number where search_id = '{self.search}')"
        # Another business in each search, for most of them.
        self.database.run(
            "insert into owned_business (account, mark, search) select c.account, o.mark / 2 + c.number * 1000003, c.number "
            f"from copied_search c, owned_business o where o.search = {own} order by 1, 2, 3"
        )

    def copy_ledger(self) -> None:
        grant = self.lines + 1
        own = f"account_id = '{self.account}'"
        line = f"{grant} + row_number() over (order by l.id)"
        self.database.run(
            "insert into credit_entry (account_id, line, amount, balance, reason, created_at) "
            f"select id, {grant}, {CREDITS}, credits + {CREDITS}, 'grant', created_at from account where id = '{self.account}'",
            "insert into credit_entry (account_id, line, amount, balance, reason, subject, created_at) "
            f"select '{self.account}', {line}, -1, {CREDITS} - row_number() over (order by l.id), 'lead', l.id, l.delivered_at "
            f"from copied_search c join lead l on l.search_id = c.id where c.{own}",
            f"update account set credits = (select sum(amount) from credit_entry where {own}),"
            f" ledger_lines = (select count(*) from credit_entry where {own}) where id = '{self.account}'",
            f"delete from usage_day where {own}",
            "insert into usage_day (account_id, day, credits, leads) select account_id, created_at / 86400000000, -sum(amount), count(*) "
            f"from credit_entry where {own} and amount < 0 group by 1, 2",
        )

    def copy_watches(self) -> None:
        own = int(self.database.one(f"select count(*) from watch where account_id = '{self.account}'")[0])
        accounts = min(self.accounts - 1, self.watches // max(own, 1))
        source = f"copied_account c, watch t where t.account_id = '{self.account}' and c.n <= {accounts}"
        # Due when those are that they copy, which were checked just now.
        new = dict(id="substr(c.id, 1, 8) || substr(t.id, 9)", account_id="c.id")
        self.database.run(self.copied("watch", source, **new))

    def list(self, query: str) -> list[str]:
        if isinstance(self.database, Postgres):
            return self.database.psql(query).split()
        return [row[0] for row in self.database.link.execute(query)]
