"""What the clients do, decided by the seed alone."""

import random
from dataclasses import dataclass, field

TRADES = ["plumber", "dentist", "electrician", "bakery", "florist", "lawyer", "roofer", "hair salon", "gym", "optician"]
# Places whose provider or websites misbehave, beside ordinary ones: docs/sandbox.md.
PLACES = {
    "Plainville, Sandbox": 6,
    "Crowdville, Sandbox": 6,
    "Austin, TX": 4,
    "Hamletville, Sandbox": 1,
    "Flakytown, Sandbox": 3,
    "Brokentown, Sandbox": 2,
    "Slowtown, Sandbox": 2,
    "Nastyville, Sandbox": 2,
    "Deadwood, Sandbox": 1,
}
ACCOUNTS = 3
# The last account runs out of credits in the middle of its searches.
POOR_CREDITS = 60
RICH_CREDITS = 100_000


@dataclass(frozen=True)
class Query:
    """A search request, as far as it decides the leads."""

    industry: str
    location: str
    count: int
    has_email: bool = False

    def body(self, notify: bool) -> dict:
        filters = {"has_email": True} if self.has_email else {}
        return {
            "industry": self.industry,
            "location": self.location,
            "requested_count": self.count,
            "filters": filters,
            "notify": notify,
        }


@dataclass(frozen=True)
class Script:
    """What one client does with one search."""

    number: int
    query: Query
    account: int
    starts_at: float
    notify: bool
    # Whether the request is sent to all servers at once, under one key.
    is_doubled: bool
    # Number of leads after which it is stopped, if it is.
    stop_after: int | None
    follows: bool
    hang_up_after: list[int] = field(default_factory=list)
    enriches: bool = False


def plan_load(seed: int, searches: int, seconds: float) -> list[Script]:
    """The scripts of all clients. They start within the first half of the run."""
    chance = random.Random(f"load {seed}")
    scripts = []
    for number in range(searches):
        query = Query(
            chance.choice(TRADES),
            chance.choices(list(PLACES), list(PLACES.values()))[0],
            chance.choice([5, 10, 20, 40]),
            chance.random() < 0.25,
        )
        stop_after = chance.randrange(query.count) if chance.random() < 0.2 else None
        scripts.append(
            Script(
                number,
                query,
                account=chance.randrange(ACCOUNTS + 1),
                starts_at=chance.uniform(0, seconds / 2),
                notify=chance.random() < 0.5,
                is_doubled=chance.random() < 0.4,
                stop_after=stop_after,
                follows=chance.random() < 0.7,
                hang_up_after=sorted(chance.sample(range(query.count), chance.randrange(4))),
                enriches=stop_after is None and chance.random() < 0.3,
            )
        )
    return scripts
