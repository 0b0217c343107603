"""Builds overture.bin: the categories of Overture Maps in both of its vocabularies, and which became which.

Usage: overture.py CATEGORIES_CSV TAXONOMY_CSV FOLDER_TO_WRITE

CATEGORIES_CSV is overture_categories.csv of Overture's schema: the vocabulary of the column `categories`. TAXONOMY_CSV is the table of
hierarchies in Overture's documentation: the vocabulary of the column `taxonomy`, before and after its revision."""

import csv
import pathlib
import sys
import tomllib

import pack

HERE = pathlib.Path(__file__).parent


def main():
    categories, taxonomy, out = map(pathlib.Path, sys.argv[1:])
    own = tomllib.loads((HERE / "own-overture.toml").read_text())
    rows = list(csv.DictReader(taxonomy.open(encoding="utf-8-sig", newline="")))
    old, new = parents(old_paths(categories)), parents(new_paths(rows))
    renamed, merged = changes(rows, old, new)
    for table, other in ((renamed, merged), (merged, renamed)):
        mine = own["renamed" if table is renamed else "merged"]
        table.update(mine)
        for name in mine:
            other.pop(name, None)
    check(old, new, {**renamed, **merged}, rows)
    pack.write(out / "overture.bin", [pairs(old), pairs(new), pairs(renamed), pairs(merged)])
    print(f"{len(old):,} and {len(new):,} categories, {len(renamed):,} renamed, {len(merged):,} merged")


def old_paths(path):
    """(name, path) of each line `name; [widest,..,name]`. A few paths end with another spelling, which becomes the parent."""
    for line in path.read_text(encoding="utf-8-sig").splitlines()[1:]:
        name, steps = (part.strip() for part in line.split(";"))
        steps = steps.strip("[]").split(",")
        yield name, steps if steps[-1] == name else [*steps, name]


def new_paths(rows):
    for row in rows:
        name, steps = row["New Primary Category"], row["New Primary Hierarchy"].split(" > ")
        yield name, steps if steps[-1] == name else [*steps[:-1], name]


def parents(paths):
    """Name -> name of its parent, empty at the top; categories that only occur inside a path included."""
    found, implied = {}, {}
    for name, steps in paths:
        found[name] = steps[-2] if len(steps) > 1 else ""
        for parent, child in zip(["", *steps], steps):
            implied.setdefault(child, parent)
    return dict(sorted({**implied, **found}.items()))


def changes(rows, old, new):
    """What the table says became of names that are no longer used: renamed, or removed in favour of another."""
    renamed, merged = {}, {}
    removed = {row["New Primary Category"]: row["PC Redirect To"] for row in rows if row["PC Removed"]}
    for row in rows:
        before, after = row["Old Primary Category"], row["New Primary Category"]
        if after in removed:
            for name in {before, after} - {""}:
                if removed[after] in new:
                    merged[name] = removed[after]
        elif before and before != after and before not in new:
            renamed[before] = after
    return renamed, merged


def check(old, new, successors, rows):
    removed = {row["New Primary Category"] for row in rows if row["PC Removed"]}
    unknown = {after for after in successors.values() if after not in new or after in removed}
    assert not unknown, f"not in the taxonomy: {unknown}"
    lost = [name for name in old if name not in new and name not in successors]
    print("without a successor:", ", ".join(lost))


def pairs(table):
    return pack.lines(f"{name}\t{other}" for name, other in sorted(table.items()))


if __name__ == "__main__":
    main()
