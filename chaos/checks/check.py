"""Compares what a disturbed run left behind with what is promised, and with an undisturbed run of the same plan."""

from collections import Counter
from typing import Any

from load.plan import ACCOUNTS, Query
from load.run import Outcome, Stored
from load.search import Result
from nodes.assemble import BASE_URL

# What a lead says, apart from what names the run: ids, times and ports.
COMPARED = [
    "business_id", "business_name", "street", "city", "phone", "rating", "review_count", "emails", "primary_email",
    "owner_name", "site_status", "socials",
]  # fmt: skip
# How many of these come from the listing.
LISTED = 7


def summary(lead: dict) -> tuple:
    """A lead as far as every run must find the same."""
    return tuple(repr(lead.get(name)) for name in COMPARED)


class Reference:
    """The leads of every query, and the alerts of every business, in an undisturbed run."""

    def __init__(self, outcome: Outcome):
        self.leads: dict[Query, list[tuple]] = {}
        self.status: dict[Query, str] = {}
        for result in outcome.results:
            stored = outcome.stored[result.script.account]
            self.leads[result.script.query] = [summary(lead) for lead in stored.leads[result.search]]
            self.status[result.script.query] = stored.searches[result.search]["status"]
        self.changes = changes(outcome)


class Checker:
    """Collects violations of the promises."""

    def __init__(self, outcome: Outcome, reference: Reference):
        self.outcome, self.reference = outcome, reference
        self.violations: list[str] = []

    def check(self) -> list[str]:
        for number, stored in enumerate(self.outcome.stored):
            self._check_ledger(f"account {number}", stored)
            self._check_searches(number, stored)
            self._check_allowances(number, stored)
        for result in self.outcome.results:
            self._check_result(result, self.outcome.stored[result.script.account])
        self._check_mail()
        self._check_alerts()
        return self.violations

    def _expect(self, holds: bool, what: str) -> None:
        if not holds:
            self.violations.append(what)

    def _check_ledger(self, name: str, stored: Stored) -> None:
        entries = sorted(stored.credits, key=lambda entry: entry["line"])
        balance = 0
        for position, entry in enumerate(entries):
            balance += entry["amount"]
            self._expect(entry["line"] == position + 1, f"{name}: line {entry['line']} of the ledger at position {position + 1}")
            self._expect(entry["balance"] == balance, f"{name}: line {entry['line']} says {entry['balance']}, the sum is {balance}")
            self._expect(balance >= 0, f"{name}: the balance was {balance}")
        self._expect(stored.me["credits"] == balance, f"{name}: balance {stored.me['credits']}, sum of the ledger {balance}")
        charged = Counter(entry["subject"] for entry in entries if entry["reason"] == "lead")
        delivered = Counter(lead["lead_id"] for leads in stored.leads.values() for lead in leads)
        self._expect(charged == delivered, f"{name}: charged and delivered differ by {(charged - delivered) + (delivered - charged)}")
        self._expect(not charged or max(charged.values()) == 1, f"{name}: a lead was charged twice")

    def _check_searches(self, number: int, stored: Stored) -> None:
        known = {result.search for result in self.outcome.results if result.script.account == number}
        if number <= ACCOUNTS:
            self._expect(set(stored.searches) == known, f"account {number}: searches nobody started: {set(stored.searches) - known}")
        for search, state in stored.searches.items():
            leads = stored.leads[search]
            self._expect(state["status"] != "running", f"search {search} is still running")
            self._expect(state["leads_found"] == len(leads), f"search {search}: {state['leads_found']} found, {len(leads)} listed")
            self._expect(state["credits_charged"] == len(leads), f"search {search}: {state['credits_charged']} charged for {len(leads)}")
            repeated = [business for business, times in Counter(lead["business_id"] for lead in leads).items() if times > 1]
            self._expect(not repeated, f"search {search}: delivered twice: {repeated}")

    def _check_result(self, result: Result, stored: Stored) -> None:
        if not result.search or result.search not in stored.searches:
            return
        name = f"search {result.script.number} ({result.script.query.location})"
        leads, state = stored.leads[result.search], stored.searches[result.search]
        if result.followed:
            told, listed = result.followed.leads, [lead["lead_id"] for lead in leads]
            self._expect(sorted(told) == sorted(listed), f"{name}: the stream told of {len(told)} leads, {len(listed)} are stored")
        if result.leads_at_stop is not None:
            self._expect(result.leads_at_stop == len(leads), f"{name}: {result.leads_at_stop} leads when its stop was answered, {len(leads)} in the end")
        if result.script.account < ACCOUNTS and state["status"] != "cancelled":
            self._compare(name, result, leads, state)

    def _compare(self, name: str, result: Result, leads: list[dict], state: dict) -> None:
        expected = self.reference.status[result.script.query]
        self._expect(state["status"] == expected, f"{name}: {state['status']} instead of {expected}: {state.get('failure_reason')}")
        # Enrichment changes owners and emails; the businesses stay the same.
        width = LISTED if result.script.enriches else len(COMPARED)
        found = [summary(lead)[:width] for lead in leads]
        wanted = [lead[:width] for lead in self.reference.leads[result.script.query]]
        if found != wanted:
            difference = [pair for pair in zip(found, wanted, strict=False) if pair[0] != pair[1]][:2]
            self.violations.append(f"{name}: {len(found)} leads instead of {len(wanted)}, or others: {difference}")

    def _check_allowances(self, number: int, stored: Stored) -> None:
        enrichments = [
            result.enrichment for result in self.outcome.results if result.script.account == number and result.enrichment
        ]
        # The built-in rules charge for leads that they have made better.
        enriched = sum(enrichment["enriched"] for enrichment in enrichments)
        used = stored.usage["allowances"]["enrichments"]["used"]
        self._expect(used == enriched, f"account {number}: {enriched} leads enriched, {used} uses of the allowance")

    def _check_mail(self) -> None:
        wanted = {result.search for result in self.outcome.results if result.script.notify and result.search}
        received = self.outcome.mail
        self._expect(not wanted - set(received), f"no e-mail about {wanted - set(received)}")
        self._expect(not set(received) - wanted, f"e-mails that nobody asked for: {set(received) - wanted}")
        for search, copies in received.items():
            # A sender killed behind the mail server's answer sends the same bytes again.
            self._expect(len(set(copies)) == 1, f"{len(set(copies))} different e-mails about {search}")
            text = copies[0].replace("=\r\n", "")
            self._expect(f"{BASE_URL}/app/search/{search}" in text, f"the e-mail about {search} links elsewhere")

    def _check_alerts(self) -> None:
        found = changes(self.outcome)
        for business in sorted(set(found) | set(self.reference.changes)):
            here, there = found.get(business, Counter()), self.reference.changes.get(business, Counter())
            self._expect(here == there, f"{business}: alerts too many {here - there}, missing {there - here}")


def changes(outcome: Outcome) -> dict[str, Counter]:
    """Every change that was reported, by business."""
    found: dict[str, Counter] = {}
    for alert in outcome.watched.alerts:
        business = outcome.watched.businesses.get(alert["watch_id"], "unknown watch")
        found.setdefault(business, Counter()).update(told(change) for change in alert["changes"])
    return found


def told(change: dict[str, Any]) -> tuple:
    return change["field"], change["change"], repr(change["before"]), repr(change["after"])
