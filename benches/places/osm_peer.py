#!/usr/bin/env python3
"""Compares our import of OpenStreetMap extracts, field by field, with what osmium (libosmium, C++) reads from the same files, and
times both: our whole import beside osmium's bare read of every object.

    pip install osmium
    cargo build --release -p place-data --features bench --example osm_dump
    python3 benches/places/osm_peer.py [--dump PROGRAM] FILE.osm.pbf...

The rules are written down here a second time, in Python; only the catalogue of industries is shared. Every difference is printed.
Points of areas are not compared but checked: they must lie inside the polygon that osmium assembles.
"""

import argparse
import datetime
import json
import pathlib
import re
import subprocess
import sys
import time
import tomllib

import osmium

ROOT = pathlib.Path(__file__).resolve().parents[2]
ORDER = ["tourism", "healthcare", "amenity", "craft", "shop", "leisure", "office", "club", "industrial", "man_made", "landuse",
         "information", "bicycle_rental"]
ANY = {"healthcare", "craft", "shop", "office", "club"}
LISTED = {
    "tourism": "alpine_hut holiday_park love_hotel resort trail_riding_station",
    "amenity": "animal_breeding arts_centre art_school boat_rental boat_storage brothel bureau_de_change canteen caravan_rental "
               "car_sharing_office concert_hall dive_centre dojo driver_training embassy escape_game exhibition_centre first_aid_school food_court "
               "funeral_hall gambling gym health_post hookah_lounge hospice internet_cafe juice_bar karaoke_box love_hotel "
               "mobile_money_agent mortuary motorcycle_rental payment_centre place_of_worship planetarium post_office public_bath "
               "research_institute retirement_home sailing_school ski_rental ski_school social_facility storage_rental stripclub "
               "surf_school swingerclub tool_library toy_library trailer_rental truck_rental vehicle_inspection",
    "leisure": "beach_resort casino disc_golf_course hackerspace ice_rink paintball resort sports_hall stadium tanning_salon yoga",
    "industrial": "bakery brewery brickyard concrete_plant construction distillery distributor factory food_industry furniture "
                  "logistics machine_shop manufacturing metal_processing printing recycling sawmill scrap_yard shipyard "
                  "slaughterhouse timber warehouse wood_processing",
    "man_made": "works winery",
    "information": "office visitor_centre",
    "bicycle_rental": "shop",
}
EXCEPTIONS = {("amenity", "parking"): ("access", {"private", "no"}), ("leisure", "swimming_pool"): ("access", {"private", "no"}),
              ("amenity", "recycling"): ("recycling_type", {"container"})}
VAGUE = {"amenity=marketplace", "amenity=parking", "amenity=post_office", "amenity=recycling", "amenity=social_facility",
         "amenity=taxi", "healthcare=yes", "information=office", "office=company", "office=yes", "shop=yes", "tourism=yes"}
EMPTY = {"no", "none", "vacant", "closed", "disused", "abandoned", "empty", "demolished"}
NUMBER_FIRST = {"US", "GB", "FR", "MC"}
PROFILES = {"facebook": "https://www.facebook.com/", "instagram": "https://www.instagram.com/", "twitter": "https://x.com/",
            "x": "https://x.com/", "linkedin": "https://www.linkedin.com/company/", "youtube": "https://www.youtube.com/@",
            "tiktok": "https://www.tiktok.com/@"}


def catalogue():
    known, qualifiers = set(), set()
    with open(ROOT / "crates/places/data/industries.toml", "rb") as file:
        for group in tomllib.load(file).values():
            for industry in group.values():
                for tag in industry.get("osm", []):
                    key, value = tag.split("=", 1)
                    known.add((key, value)) if key in ORDER else qualifiers.add(key)
    return known, qualifiers


KNOWN, QUALIFIERS = catalogue()


def split(text):
    return [part.strip() for part in (text or "").split(";") if part.strip()]


def is_business(tags, key, value):
    listed = value not in EMPTY if key in ANY else value in LISTED.get(key, "").split() or (key, value) in KNOWN
    other, values = EXCEPTIONS.get((key, value), (None, set()))
    return listed and tags.get(other) not in values


def is_running(tags):
    closed = any(tags.get(key) == "yes" for key in ("disused", "abandoned", "demolished", "razed", "closed"))
    closed |= tags.get("operational_status") in ("closed", "permanently_closed", "out_of_business")
    return not closed and any(is_business(tags, key, value) for key in ORDER for value in split(tags.get(key)))


def qualifies(tags, key):
    is_school = tags.get("amenity") in ("school", "kindergarten", "college", "university")
    return {"religion": tags.get("amenity") == "place_of_worship", "sport": "shop" not in tags and not is_school,
            "diet:vegan": "shop" not in tags, "diet:vegetarian": "shop" not in tags}.get(key, True)


def categories(tags):
    ranked = []
    for key in tags:
        for value in split(tags[key]):
            value = value.lower().replace(" ", "_")
            if key in QUALIFIERS:
                rank = (3, 0) if value != "no" and qualifies(tags, key) else None
            elif key in ORDER and is_business(tags, key, value):
                rank = (2 if f"{key}={value}" in VAGUE else 0 if (key, value) in KNOWN else 1, ORDER.index(key))
            else:
                rank = None
            if rank is not None:
                ranked.append((rank, f"{key}={value}"))
    return list(dict.fromkeys(tag for _, tag in sorted(ranked, key=lambda item: item[0])))


def values(tags, *keys):
    found = [value for key in keys for value in split(tags.get(key)) if value not in ("no", "none", "yes")]
    return list(dict.fromkeys(found))


def socials(tags):
    found = []
    for network in PROFILES:
        for value in split(tags.get(f"contact:{network}")) + split(tags.get(network)):
            if re.match(r"https?://", value, re.I):
                found.append(value)
            elif re.match(r"(www\.|m\.)?(facebook|fb|instagram|twitter|x|linkedin|youtube|tiktok)\.com/", value, re.I):
                found.append("https://" + value)
            elif re.fullmatch(r"@?[\w.\-/?=&%]+", value) and value not in ("yes", "no", "none"):
                found.append(PROFILES[network] + value.lstrip("@").strip("/"))
    return list(dict.fromkeys(found))


def address(tags, country):
    def get(*keys):
        return next((tags[key].strip() for key in keys if tags.get(key, "").strip()), None)
    own = get("addr:country")
    own = own.upper() if own and re.fullmatch("[A-Za-z]{2}", own) else None
    street, number = get("addr:street", "addr:place"), get("addr:housenumber", "addr:housename")
    unit = get("addr:unit", "addr:suite", "addr:flats")
    line = get("addr:full") or number
    if street:
        first = (own or country) in NUMBER_FIRST
        line = " ".join(part for part in ((number, street) if first else (street, number)) if part)
        if unit and (len(unit.encode()) > 4 or unit.startswith("#")):
            line += ", " + unit
        elif unit:
            line += (" #" if (own or country) == "US" else " ") + unit
    region = get("addr:state", "addr:province")
    return {"freeform": line, "locality": get("addr:city", "addr:town", "addr:village"), "postcode": get("addr:postcode"),
            "region": re.sub(r"^[A-Z]{2}-(?=.{1,3}$)", "", region) if region else None, "country": own}


def record(element, tags, country):
    get = lambda key: (tags.get(key) or "").strip() or None
    name, source = next(((get(key), key) for key in ("name", "brand", "operator") if get(key)), (None, None))
    if name is None:
        return None
    found = categories(tags)
    stamp = element.timestamp
    updated = stamp.strftime("%Y-%m-%dT%H:%M:%SZ") if stamp and stamp.timestamp() > 0 else None
    checks = [date for date in split(tags.get("check_date")) if re.fullmatch(r"\d{4}-\d\d-\d\d", date) and is_date(date)]
    if checks and (updated is None or checks[0] > updated[:10]):
        updated = checks[0]
    hours = get("opening_hours")
    is_off = (hours or "").split('"')[0].strip().lower() in ("off", "closed", "24/7 off", "24/7 closed")
    is_off |= get("operational_status") in ("temporarily_closed", "closed_temporarily")
    language = r"name:(?!old|alt|ref|loc|int|reg|nat)([a-z]{2,3}([-_][A-Za-z0-9]{2,8})*)"
    wikidata = [value for value in split(tags.get("brand:wikidata")) if re.fullmatch(r"Q\d+", value)]
    return {
        "name": name, "name_source": source, "primary": found[0], "categories": found,
        "translations": sorted([m[1], v.strip()] for k, v in tags.items() if (m := re.fullmatch(language, k)) and v.strip()),
        "status": "TemporarilyClosed" if is_off else "Open", "websites": values(tags, "website", "contact:website", "url", "contact:url"),
        "socials": socials(tags), "emails": values(tags, "email", "contact:email"),
        "phones": values(tags, "phone", "contact:phone", "contact:mobile", "mobile", "phone:mobile"),
        "brand": next(iter(split(tags.get("brand"))), None), "brand_wikidata": next(iter(wikidata), None),
        "opening_hours": hours, "updated": updated, **address(tags, country),
    }


def is_date(text):
    try:
        return bool(datetime.date.fromisoformat(text))
    except ValueError:
        return False


def country_of(path):
    """The country of an extract, by the middle of its nodes' box: enough for the extracts that are compared."""
    box = osmium.io.Reader(str(path)).header().box()
    if not box.valid():
        return {"helsinki": "FI", "monaco": "MC", "baltimore": "US"}.get(path.name.split(".")[0].lower())
    latitude, longitude = (box.bottom_left.lat + box.top_right.lat) / 2, (box.bottom_left.lon + box.top_right.lon) / 2
    return "US" if longitude < -30 else "FI" if latitude > 55 else "MC"


def peer(path):
    """Every business as a record, its position where it is a node, and the outlines of areas."""
    country, records, points, outlines = country_of(path), {}, {}, {}
    for element in osmium.FileProcessor(str(path)).with_areas():
        tags = dict(element.tags)
        if not tags or not is_running(tags):
            continue
        if element.is_area():
            rings = [[(node.lon, node.lat) for node in ring] for outer in element.outer_rings()
                     for ring in [outer, *element.inner_rings(outer)]]
            outlines[("w" if element.from_way() else "r") + str(element.orig_id())] = rings
            continue
        found = record(element, tags, country)
        key = element.type_str() + str(element.id)
        if found is not None:
            records[key] = found
        if element.is_node():
            points[key] = (element.location.lon, element.location.lat)
    return records, points, outlines


def is_inside(rings, x, y):
    crossings = 0
    for ring in rings:
        for (x1, y1), (x2, y2) in zip(ring, ring[1:]):
            crossings += (y1 > y) != (y2 > y) and x < (x2 - x1) * (y - y1) / (y2 - y1) + x1
    return crossings % 2 == 1


def compare(path, dump):
    done = subprocess.run([dump, path], capture_output=True, text=True, check=True)
    ours = {place["id"]: place for place in map(json.loads, done.stdout.splitlines())}
    theirs, points, outlines = peer(path)
    without_point = {key for key in theirs if key not in ours and key[0] != "n"}
    differences = []
    for key in sorted(set(ours) | set(theirs)):
        if key not in ours:
            reason = "  (none of its nodes are in the file)" if key in without_point and f"{key}" in done.stderr else ""
            differences.append(f"{key} only osmium has: {theirs[key]['name']} {theirs[key]['categories']}{reason}")
        elif key not in theirs:
            differences.append(f"{key} only we have: {ours[key]['name']} {ours[key]['categories']}")
        else:
            differences += [f"{key} {field}: ours {ours[key][field]!r}, osmium's {value!r}"
                            for field, value in theirs[key].items() if ours[key][field] != value]
    checked = 0
    for key, place in ours.items():
        at = (place["longitude"], place["latitude"])
        if key in points and max(abs(at[0] - points[key][0]), abs(at[1] - points[key][1])) > 1e-9:
            differences.append(f"{key} is at {at}, osmium says {points[key]}")
        if key in outlines:
            checked += 1
            if not is_inside(outlines[key], *at):
                differences.append(f"{key} {place['name']}: {at} is outside of its area")
    websites = sum(bool(place["websites"]) for place in ours.values())
    print(f"{path.name}: {len(ours)} places, {websites} with a website; osmium {len(theirs)}; "
          f"{len(points.keys() & ours.keys())} points equal, {checked} inside of their areas; {len(differences)} differences")
    for difference in differences:
        print("   ", difference)
    print("   ", "\n    ".join(done.stderr.strip().splitlines()))
    return len(differences)


def best(run, rounds=5):
    times = []
    for _ in range(rounds):
        started = time.perf_counter()
        run()
        times.append(time.perf_counter() - started)
    return min(times)


def bare_read(path):
    """Osmium decodes all objects, on threads of its own, and Python sees none of them."""
    for _ in osmium.FileProcessor(str(path)).with_filter(osmium.filter.KeyFilter("no object has this key")):
        pass


def timed(path, dump):
    ours = best(lambda: subprocess.run([dump, path, "--silent"], capture_output=True, check=True))
    theirs = best(lambda: bare_read(path))
    size = path.stat().st_size / 1e6
    print(f"{path.name}: {size:.1f} MB; our import {ours:.3f} s ({size / ours:.0f} MB/s, with the start of a process), "
          f"osmium's bare read {theirs:.3f} s ({size / theirs:.0f} MB/s)")


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--dump", default=str(ROOT / "target/release/examples/osm_dump"))
    arguments.add_argument("--time-only", action="store_true")
    arguments.add_argument("files", nargs="+", type=pathlib.Path)
    given = arguments.parse_args()
    differences = 0 if given.time_only else sum(compare(path, given.dump) for path in given.files)
    for path in given.files:
        timed(path, given.dump)
    sys.exit(1 if differences else 0)


if __name__ == "__main__":
    main()
