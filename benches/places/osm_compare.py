#!/usr/bin/env python3
"""Imports OpenStreetMap extracts and searches them, for 40 industries in every area of an extract, and compares what is found, place by place
and field by field, with what osmium (libosmium, C++) reads from the same files. Every difference is printed.

    pip install osmium pyarrow numpy
    cargo build --release -p place-data --features bench --example import_places --example query_dump --example osm_dump
    python3 benches/places/osm_compare.py [--programs FOLDER] FILE.osm.pbf...

What is a business and what its fields are is written down a second time in osm_peer.py, which areas a point lies in in compare.py; only the
catalogue of industries and the outlines of areas are shared. The points of ways and relations are ours; osm_peer.py checks them."""

import argparse
import collections
import json
import pathlib
import subprocess
import sys
import tempfile
import tomllib

import numpy as np

import compare
import osm_peer

AREAS = {
    "helsinki": [("Helsinki", "city"), ("Uusimaa", "state"), ("Finland", "country")],
    "monaco": [("Monaco", "city"), ("Monaco", "country"), ("France", "country")],
    "baltimore": [("Baltimore, MD", "city"), ("Baltimore County, MD", "county"), ("Maryland", "state"), ("United States", "country")],
}
# Of an extract that is not known by name.
ANYWHERE = [("United States", "country"), ("Germany", "country"), ("France", "country"), ("United Kingdom", "country"), ("Finland", "country")]
INDUSTRIES_MAX = 40


def tags_by_industry():
    groups = tomllib.loads((osm_peer.ROOT / "crates/places/data/industries.toml").read_text())
    lines = {slug: fields for group in groups.values() if isinstance(group, dict) for slug, fields in group.items()}

    def tags(slug):
        own = list(lines[slug].get("osm", []))
        return own + [tag for other in lines[slug].get("with", []) for tag in tags(other)]
    return {slug: set(tags(slug)) for slug in lines}


def positions(path, programs, points):
    """Where places are: nodes as osmium says, ways and relations as we say."""
    done = subprocess.run([programs / "osm_dump", path], capture_output=True, text=True, check=True)
    ours = {place["id"]: (place["longitude"], place["latitude"]) for place in map(json.loads, done.stdout.splitlines())}
    return {**ours, **{key: at for key, at in points.items() if key in ours}}


def expected_fields(key, record, at):
    parts = [record[part] for part in ("freeform", "locality", "postcode", "region", "country")]
    brand = [record["brand"], record["brand_wikidata"]]
    return {
        "id": key, "name": record["name"], "translations": record["translations"], "longitude": at[0], "latitude": at[1],
        "primary": record["primary"], "hierarchy": record["categories"], "websites": record["websites"], "socials": record["socials"],
        "emails": record["emails"], "phones": record["phones"], "brand": brand if any(brand) else None,
        "addresses": [parts] if any(parts) else [], "opening_hours": record["opening_hours"], "updated": record["updated"],
        "confidence": None, "datasets": ["OpenStreetMap"],
    }


def chosen(records, tags):
    """The industries that the file has most of, so that as much as possible is compared."""
    counts = collections.Counter()
    for record in records.values():
        counts.update(slug for slug, own in tags.items() if own & set(record["categories"]))
    return [slug for slug, _ in counts.most_common(INDUSTRIES_MAX)]


def found_by_us(path, queries, programs):
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([programs / "import_places", folder, "osm", path], capture_output=True, check=True)
        asked = "".join(f"{slug.replace('_', ' ')}\t{place}\t{scope}\n" for slug, place, scope in queries)
        done = subprocess.run([programs / "query_dump", f"{folder}/measured"], input=asked, capture_output=True, text=True)
        if done.returncode:
            sys.exit(done.stderr)
        return [json.loads(line) for line in done.stdout.splitlines()]


def differences(ours, expected):
    mine, theirs = ({one["id"]: one for one in some} for some in (ours["places"], expected))
    for key in sorted(mine.keys() ^ theirs.keys()):
        yield f"{key} is found by {'us' if key in mine else 'osmium'} alone"
    for key in sorted(mine.keys() & theirs.keys()):
        for name, value in theirs[key].items():
            same = abs(mine[key][name] - value) < 1e-9 if name in ("longitude", "latitude") else mine[key][name] == value
            if not same:
                yield f"{key} {name}: ours {mine[key][name]!r}, osmium's {value!r}"
    if [one["id"] for one in ours["places"]] != [one["id"] for one in expected] and mine.keys() == theirs.keys():
        yield "in another order"
    if ours["total"] != len(expected):
        yield f"counted as {ours['total']} instead of {len(expected)}"


def run(path, programs):
    tags = tags_by_industry()
    records, points, _ = osm_peer.peer(path)
    at = positions(path, programs, points)
    areas = next((areas for name, areas in AREAS.items() if path.name.lower().startswith(name)), ANYWHERE)
    queries = [(slug, *area) for slug in chosen(records, tags) for area in areas]
    total, different = 0, 0
    for ours, (slug, place, scope) in zip(found_by_us(path, queries, programs), queries, strict=True):
        if ours["area"]["edges"] is None and ours["area"]["radius_miles"] is None:
            print(f"    {place} ({scope}) has no outline to compare with")
            continue
        wanted = [key for key, record in records.items()
                  if key in at and record["status"] == "Open" and tags[ours["slug"]] & set(record["categories"])]
        x, y = (np.array([at[key][side] for key in wanted]) for side in (0, 1))
        inside = compare.inside(ours["area"], x, y) if wanted else []
        expected = [expected_fields(key, records[key], at[key]) for key, is_in in zip(wanted, inside) if is_in]
        expected.sort(key=compare.rank)
        total += len(expected)
        found = list(differences(ours, expected))
        different += len(found)
        for difference in found[:20]:
            print(f"    {slug}, {place} ({scope}): {difference}")
    print(f"{path.name}: {len(queries)} queries, {total} places found, {different} differences")
    return different


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--programs", default=osm_peer.ROOT / "target/release/examples", type=pathlib.Path)
    arguments.add_argument("files", nargs="+", type=pathlib.Path)
    given = arguments.parse_args()
    sys.exit(any([run(path, given.programs) for path in given.files]))


if __name__ == "__main__":
    main()
