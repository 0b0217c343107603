"""What an attack tried, and what got through."""

import json
from collections import Counter
from pathlib import Path

BREACHES_SHOWN_MAX = 20


class Report:
    """Counts attempts and collects breaches, by attack."""

    def __init__(self) -> None:
        self.tried: Counter[str] = Counter()
        self.breaches: list[tuple[str, str]] = []
        self.details: dict[str, object] = {}

    def attempts(self, attack: str, count: int) -> None:
        self.tried[attack] += count

    def breach(self, attack: str, what: str) -> None:
        self.breaches.append((attack, what))

    def detail(self, attack: str, what: object) -> None:
        self.details[attack] = what

    def write(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        breaches = [{"attack": attack, "what": what} for attack, what in self.breaches]
        found = {"attempts": dict(self.tried), "breaches": breaches, "details": self.details}
        path.write_text(json.dumps(found, indent=2) + "\n")

    def show(self) -> None:
        for attack, count in self.tried.items():
            breaches = [what for name, what in self.breaches if name == attack]
            print(f"{attack:10} {count:7,} attempts   {len(breaches)} breaches")
            for what in breaches[:BREACHES_SHOWN_MAX]:
                print(f"    {what}")
