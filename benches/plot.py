"""Draws the figures of a chapter: a bar for each that has an aim, a peer or a limit, as a share of it."""

from html import escape

from figures import Figure, number

WIDTH, ROW, TOP, LABEL, BAR = 860, 22, 44, 380, 300
# Bars end here, in shares of what they are compared with.
SHARE_MAX = 2.0
MET, MISSED, NEITHER = "#2f7d4f", "#b3452f", "#5b6f8f"


def plot(chapter: str, figures: list[Figure]) -> str:
    """An SVG image. The line is the aim, or the peer or limit where there is no aim."""
    shown = [figure for figure in figures if reference(figure)[1]]
    height = TOP + ROW * len(shown) + 12
    line = LABEL + BAR / SHARE_MAX
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" viewBox="0 0 {WIDTH} {height}" font-family="sans-serif" font-size="12">',
        f'<rect width="{WIDTH}" height="{height}" fill="#ffffff"/>',
        f'<text x="10" y="20" font-size="15" font-weight="bold">{escape(chapter)}</text>',
        f'<text x="{line}" y="{TOP - 8}" text-anchor="middle" fill="#666">aim, or else peer or limit</text>',
    ]
    for at, figure in enumerate(shown):
        parts += bar(figure, TOP + at * ROW)
    parts.append(f'<line x1="{line}" y1="{TOP - 4}" x2="{line}" y2="{height - 8}" stroke="#222" stroke-dasharray="3 3"/>')
    return "\n".join([*parts, "</svg>", ""])


def reference(figure: Figure) -> tuple[str, float | None]:
    """What the bar is a share of."""
    named = [("aim", figure.aim), ("peer", figure.peer), ("limit", figure.limit)]
    return next((one for one in named if one[1]), ("", None))


def bar(figure: Figure, y: int) -> list[str]:
    name, value = reference(figure)
    length = min(figure.ours / value, SHARE_MAX) * BAR / SHARE_MAX
    colour = {None: NEITHER, True: MET, False: MISSED}[figure.met]
    better = "less is better" if figure.lower_is_better else "more is better"
    says = f"{number(figure.ours)} {figure.unit}, {name} {number(value)}"
    return [
        f'<text x="{LABEL - 8}" y="{y + 14}" text-anchor="end">{escape(figure.name)}</text>',
        f'<rect x="{LABEL}" y="{y + 3}" width="{length:.1f}" height="{ROW - 7}" fill="{colour}"><title>{better}</title></rect>',
        f'<text x="{LABEL + BAR + 8}" y="{y + 14}" fill="#444">{escape(says)}</text>',
    ]
