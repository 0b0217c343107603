"""What a chapter of the benchmarks gives back: figures, each with what it is compared with and what it should reach."""

from dataclasses import dataclass


@dataclass
class Figure:
    name: str
    ours: float
    unit: str = ""
    # The same of another program, or of the state it is compared with.
    peer: float | None = None
    # The best that can be reached here: a program that does nothing else, or a time that is computed.
    limit: float | None = None
    aim: float | None = None
    lower_is_better: bool = False

    @property
    def ratio(self) -> float | None:
        """How many times as much as the peer, or else as the limit."""
        beside = self.peer or self.limit
        return self.ours / beside if beside else None

    @property
    def met(self) -> bool | None:
        """Whether the aim is reached; nothing without an aim."""
        if self.aim is None:
            return None
        return self.ours <= self.aim if self.lower_is_better else self.ours >= self.aim


def number(value: float | None) -> str:
    if value is None:
        return ""
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:,.3g}"


def row(chapter: str, figure: Figure) -> str:
    verdict = {None: "", True: "met", False: "MISSED"}[figure.met]
    ours = f"{number(figure.ours)} {figure.unit}".strip()
    ratio = f"{figure.ratio:.2f}x" if figure.ratio is not None else ""
    return f"{chapter:<9}{figure.name:<48}{ours:>18}{number(figure.peer):>12}{number(figure.limit):>12}{ratio:>9}{number(figure.aim):>12}  {verdict}".rstrip()


HEAD = f"{'chapter':<9}{'figure':<48}{'ours':>18}{'peer':>12}{'limit':>12}{'ratio':>9}{'aim':>12}"


def show(chapter: str, figures: list[Figure]) -> None:
    print(HEAD)
    for figure in figures:
        print(row(chapter, figure))
