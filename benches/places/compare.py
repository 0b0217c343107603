#!/usr/bin/env python3
"""Compares what our reader finds, place by place and field by field, with what pyarrow and numpy find in the same files, for 40 industries
and areas. Every difference is printed.

    pip install pyarrow numpy
    cargo build --release -p place-data --features bench --example query_dump
    python3 benches/places/compare.py CATEGORIES_CSV TAXONOMY_CSV FOLDER...

The rules are written down here a second time, in Python: which categories belong to an industry (industries.toml expanded with Overture's
own tables), which points lie in an area, what is closed, and the order. Only the outlines of areas are shared, as lists of edges."""

import csv
import json
import math
import pathlib
import subprocess
import sys
import tomllib
from collections import defaultdict

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.dataset as ds

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = ROOT / "target/release/examples/query_dump"
INDUSTRIES = ["plumber", "dentist", "restaurant", "hair_salon", "lawyer", "florist", "bakery", "auto_repair", "electrician", "roofer", "hotel",
              "bar", "coffee_shop", "gym", "real_estate_agent", "landscaper", "veterinarian", "pharmacy", "church", "bank", "clothing_store",
              "grocery_store", "nail_salon", "chiropractor", "accountant", "insurance_agent", "photographer", "car_dealer",
              "gas_station", "pizza_restaurant", "furniture_store", "optometrist", "museum", "parking", "daycare", "school", "tattoo_shop",
              "pet_groomer", "general_contractor", "hvac_contractor", "barber", "bookstore", "pet_store"]
AREAS = [("Austin, TX", "city"), ("New York, NY", "city"), ("Texas", "state"), ("Los Angeles County, CA", "county"), ("California", "state"),
         ("United States", "country"), ("Chicago, IL", "city"), ("Florida", "state"), ("Alaska", "state"), ("Hawaii", "state")]
QUERIES = 40
EARTH_RADIUS_MILES = 3_958.761_3


class Taxonomy:
    """Both vocabularies of Overture, and which name became which."""

    def __init__(self, categories, taxonomy):
        own = tomllib.loads((ROOT / "scripts/places/own-overture.toml").read_text())
        rows = list(csv.DictReader(open(taxonomy, encoding="utf-8-sig", newline="")))
        old = {}
        for line in open(categories, encoding="utf-8-sig").read().splitlines()[1:]:
            name, path = [part.strip() for part in line.split(";")]
            path = path.strip("[]").split(",")
            old[name] = path if path[-1] == name else path + [name]
        new = {}
        for row in rows:
            path = row["New Primary Hierarchy"].split(" > ")
            new[row["New Primary Category"]] = path[:-1] + [row["New Primary Category"]]
        self.known = {step for tree in (old, new) for path in tree.values() for step in path}
        self.below = defaultdict(set)
        for tree in (old, new):
            for path in tree.values():
                for place, step in enumerate(path):
                    self.below[step].update(path[place:])
        removed = {row["New Primary Category"]: row["PC Redirect To"] for row in rows if row["PC Removed"]}
        self.renamed = {row["Old Primary Category"]: row["New Primary Category"] for row in rows
                        if row["Old Primary Category"] and row["Old Primary Category"] != row["New Primary Category"]
                        and row["New Primary Category"] not in removed and row["Old Primary Category"] not in self.all_in(new)}
        for name in own["merged"]:
            self.renamed.pop(name, None)
        self.renamed.update(own["renamed"])
        self.known |= set(self.renamed) | set(own["merged"]) | {row["Old Primary Category"] for row in rows if row["Old Primary Category"]}
        self.former = defaultdict(set)
        for before, after in self.renamed.items():
            self.former[after].add(before)

    @staticmethod
    def all_in(tree):
        return {step for path in tree.values() for step in path}

    def aliases(self, name):
        now = self.renamed.get(name, name)
        return {now, name} | self.former[now] if now in self.former else {name}

    def names(self, entries):
        wide, alone = set(), set()
        for entry in entries:
            if entry.startswith("="):
                alone |= self.aliases(entry[1:])
            else:
                for name in {entry, self.renamed.get(entry, entry)}:
                    wide |= self.below[name] | {name}
        for name in list(wide):
            wide |= self.aliases(name)
        return wide | alone


def industries():
    groups = tomllib.loads((ROOT / "crates/places/data/industries.toml").read_text())
    lines = {slug: fields for group in groups.values() if isinstance(group, dict) for slug, fields in group.items()}

    def entries(slug):
        own = lines[slug].get("overture", [slug])
        return list(own) + [entry for other in lines[slug].get("with", []) for entry in entries(other)]
    return {slug: entries(slug) for slug in lines}


def inside(area, x, y):
    """Which points lie in an area."""
    if area["radius_miles"] is not None:
        cx, cy = (math.radians(v) for v in area["centre"])
        px, py = np.radians(x), np.radians(y)
        chord = np.sin((py - cy) / 2) ** 2 + np.cos(cy) * np.cos(py) * np.sin((px - cx) / 2) ** 2
        return 2 * EARTH_RADIUS_MILES * np.arcsin(np.sqrt(np.clip(chord, 0, 1))) <= area["radius_miles"]
    found = np.zeros(len(x), bool)
    boxed = np.zeros(len(x), bool)
    for box in area["bounds"]:
        boxed |= (x >= box["west"]) & (x <= box["east"]) & (y >= box["south"]) & (y <= box["north"])
    edges = np.array(area["edges"])
    (ax, ay), (bx, by) = edges[:, 0].T, edges[:, 1].T
    for point in np.flatnonzero(boxed):
        across = (ay > y[point]) != (by > y[point])
        at = (bx[across] - ax[across]) * (y[point] - ay[across]) / (by[across] - ay[across]) + ax[across]
        found[point] = np.count_nonzero(x[point] < at) % 2 == 1
    return found


def text(value):
    value = value.strip() if value else None
    return value or None


def texts(values):
    return [value for value in map(text, values or []) if value]


def fields(row):
    """A place as our reader has it."""
    x, y = np.frombuffer(row["geometry"][5:21], "<f8")
    kinds = row.get("taxonomy") or row.get("categories") or {}
    brand = row.get("brand") or {}
    brand = [text((brand.get("names") or {}).get("primary")), text(brand.get("wikidata"))]
    sources = [one for one in row.get("sources") or [] if one and one.get("dataset")]
    parts = ("freeform", "locality", "postcode", "region", "country")
    addresses = [[text(one.get(part)) for part in parts] for one in row.get("addresses") or [] if one]
    return {
        "id": row["id"], "name": text(row["names"]["primary"]), "translations": [list(pair) for pair in row["names"].get("common") or []],
        "longitude": float(x), "latitude": float(y), "primary": text(kinds.get("primary")), "hierarchy": texts(kinds.get("hierarchy")),
        "alternates": texts(kinds.get("alternates", kinds.get("alternate"))), "basic": text(row.get("basic_category")),
        "confidence": row["confidence"], "status": row.get("operating_status") or "open", "websites": texts(row["websites"]),
        "socials": texts(row["socials"]), "emails": texts(row["emails"]), "phones": texts(row["phones"]),
        "brand": brand if any(brand) else None, "addresses": [one for one in addresses if any(one)],
        "datasets": [one["dataset"] for one in sources], "updated": sources[0].get("update_time") if sources else None,
        # Releases have none; only imports do.
        "opening_hours": None,
    }


def rank(place):
    sure = 1.0 if place["confidence"] is None else min(max(place["confidence"], 0.0), 1.0)
    reachable = bool(place["websites"]) + bool(place["phones"])
    return (-reachable, -math.floor(sure * 1e6 + 0.5), place["id"])


class Places:
    """All places of some files, by what decides about them."""

    def __init__(self, folder):
        self.data = ds.dataset(folder, format="parquet")
        schema = self.data.schema
        kind = "taxonomy" if "taxonomy" in schema.names else "categories"
        wanted = {"primary": pc.field(kind, "primary"), "geometry": pc.field("geometry"), "confidence": pc.field("confidence")}
        if "operating_status" in schema.names:
            wanted["status"] = pc.field("operating_status")
        self.table = self.data.to_table(columns=wanted)
        wkb = np.frombuffer(b"".join(self.table["geometry"].to_pylist()), np.uint8).reshape(-1, 21)
        self.x, self.y = (np.ascontiguousarray(wkb[:, at:at + 8]).view("<f8")[:, 0] for at in (5, 13))

    def find(self, names, area):
        sure = pc.fill_null(pc.greater(self.table["confidence"], 0), True)
        wanted = pc.and_(pc.is_in(self.table["primary"], pa.array(sorted(names), pa.string())), sure)
        if "status" in self.table.column_names:
            closed = pc.is_in(self.table["status"], pa.array(["temporarily_closed", "permanently_closed"]))
            wanted = pc.and_(wanted, pc.invert(closed))
        rows = np.flatnonzero(wanted.to_numpy())
        rows = rows[inside(area, self.x[rows], self.y[rows])]
        return sorted(map(fields, self.data.take(rows).to_pylist()), key=rank)


def compare(folder, taxonomy, entries):
    queries = [(slug, *AREAS[number % len(AREAS)]) for number, slug in enumerate([slug for slug in INDUSTRIES if slug in entries][:QUERIES])]
    asked = "".join(f"{slug.replace('_', ' ')}\t{place}\t{scope}\n" for slug, place, scope in queries)
    done = subprocess.run([PROGRAM, folder], input=asked, capture_output=True, text=True)
    if done.returncode:
        sys.exit(done.stderr)
    places, different, total = Places(folder), 0, 0
    for line, (asked_for, place, scope) in zip(done.stdout.splitlines(), queries, strict=True):
        ours = json.loads(line)
        expected = places.find(taxonomy.names(entries[ours["slug"]]), ours["area"])
        total += len(expected)
        found = ours["places"]
        same = found == expected and ours["total"] == len(expected)
        print(f"{'same' if same else 'DIFFERENT':9} {len(expected):7} {ours['slug']:24} {place} ({scope})")
        if not same:
            different += 1
            mine, theirs = ({one["id"]: one for one in some} for some in (found, expected))
            print("   only ours:", sorted(mine.keys() - theirs)[:3], "only theirs:", sorted(theirs.keys() - mine)[:3])
            for id in sorted(mine.keys() & theirs)[:100000]:
                for key, value in theirs[id].items():
                    if mine[id][key] != value:
                        print("   ", id, key, mine[id][key], "instead of", value)
                        break
    print(f"{folder}: {len(queries)} queries, {total} places, {different} queries differ\n")
    return different


def main():
    categories, taxonomy, *folders = sys.argv[1:]
    taxonomy, entries = Taxonomy(categories, taxonomy), industries()
    missing = [slug for slug in INDUSTRIES if slug not in entries]
    if missing:
        print("not in the catalogue:", ", ".join(missing))
    sys.exit(any([compare(folder, taxonomy, entries) for folder in folders]))


if __name__ == "__main__":
    main()
