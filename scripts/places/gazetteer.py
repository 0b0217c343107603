"""Towns of the world with their regions, from GeoNames as two packages carry it."""

import collections
import csv
import json
import math
import unicodedata

import pack

# People; a town below these is left out.
LEAST_IN_US, LEAST_ELSEWHERE = 0, 1_000
# People from which a town's other names are kept: in Latin letters, and in any script.
OTHER_NAMES_FROM, OTHER_SCRIPTS_FROM = 15_000, 300_000
OTHER_NAME_LETTERS_MAX = 40
# Marks another name that own-names.toml gives: it counts as much as the town's first name.
OWN_WORD = 1 << 23
# Other names that begin so say no more than the name itself, which may be another town's.
IDLE_BEGINNINGS = ("city of ", "town of ", "village of ", "borough of ", "township of ")
# Degrees within which a town of the older list lends its region names.
SAME_TOWN_DEGREES, NEIGHBOUR_DEGREES = 0.03, 0.25


class Regions:
    """The older list, which has names of first and second order regions but neither codes nor people."""

    def __init__(self, path):
        self.cells = collections.defaultdict(list)
        with path.open(newline="") as file:
            for row in csv.DictReader(file):
                lat, lon = float(row["lat"]), float(row["lon"])
                self.cells[row["cc"], math.floor(lat * 4), math.floor(lon * 4)].append((lat, lon, row["admin1"], row["admin2"]))

    def nearest(self, country, lat, lon, reach):
        best = None
        for y in range(math.floor(lat * 4) - 1, math.floor(lat * 4) + 2):
            for x in range(math.floor(lon * 4) - 1, math.floor(lon * 4) + 2):
                for row in self.cells.get((country, y, x), ()):
                    away = math.hypot(row[0] - lat, (row[1] - lon) * math.cos(math.radians(lat)))
                    if away <= reach and (best is None or away < best[0]):
                        best = (away, row)
        return best and best[1]


def is_latin(text):
    return all(not c.isalpha() or unicodedata.name(c, "").startswith("LATIN") for c in text)


def is_worth_keeping(other, town):
    if not 1 < len(other) <= OTHER_NAME_LETTERS_MAX or "\n" in other:
        return False
    if other.lower().startswith(IDLE_BEGINNINGS):
        return False
    if is_latin(other):
        # Lower-case first letters mark machine transliterations, which nobody types.
        return other[0].isupper() and town["population"] >= OTHER_NAMES_FROM
    return town["population"] >= OTHER_SCRIPTS_FROM


def other_names(town, own):
    seen = {pack.fold(town["name"])}
    for other in own + sorted(set(town["alternatenames"])):
        key = pack.fold(other)
        if key and key not in seen and (other in own or is_worth_keeping(other, town)):
            seen.add(key)
            yield other


def towns(path):
    """The towns that are kept, in the order of their folded names, the most populous first."""
    rows = [
        town
        for town in json.loads(path.read_text()).values()
        if town["population"] >= (LEAST_IN_US if town["countrycode"] == "US" else LEAST_ELSEWHERE)
    ]
    return sorted(rows, key=lambda town: (pack.fold(town["name"]), -town["population"], town["geonameid"]))


def first_order(rows, regions, own):
    """(country, code) -> name: what most towns of a code are said to lie in, unless we know better."""
    votes = collections.defaultdict(collections.Counter)
    for town in rows:
        near = regions.nearest(town["countrycode"], town["latitude"], town["longitude"], SAME_TOWN_DEGREES)
        if near and near[2]:
            votes[town["countrycode"], town["admin1code"]][near[2]] += 1
    names = {key: min(counts.items(), key=lambda item: (-item[1], item[0]))[0] for key, counts in votes.items()}
    for key, known in own.items():
        names[tuple(key.split("."))] = known[0]
    return names


def write(path, rows, sources):
    """`sources`: regions, countries, own names, and the county (FIPS code, name) of a US town."""
    own = sources["own"]
    names = first_order(rows, sources["regions"], own["regions"])
    codes = sorted({(town["countrycode"], town["admin1code"]) for town in rows})
    first_at = {code: index for index, code in enumerate(codes)}
    second, second_of = second_order(rows, first_at, sources)
    others = sorted(
        (pack.fold(other), other, index | OWN_WORD * (other in own["towns"].get(str(town["geonameid"]), [])))
        for index, town in enumerate(rows)
        for other in other_names(town, own["towns"].get(str(town["geonameid"]), []))
    )
    pack.write(
        path,
        [
            pack.lines(country_line(country, own) for country in sources["countries"]),
            pack.lines(region_line(code, names, own) for code in codes),
            pack.lines(f"{name}\t{first}\t{fips}" for name, first, fips in second),
            pack.lines(town["name"] for town in rows),
            pack.planes((town["geonameid"] for town in rows), 4),
            pack.planes((pack.coordinate(town["latitude"], -90) for town in rows), 3),
            pack.planes((pack.coordinate(town["longitude"], -180) for town in rows), 3),
            pack.planes((town["population"] for town in rows), 4),
            pack.planes((first_at[town["countrycode"], town["admin1code"]] for town in rows), 2),
            pack.planes(second_of, 2),
            pack.lines(other for _, other, _ in others),
            pack.planes((index for _, _, index in others), 3),
        ],
    )
    print(f"{len(rows):,} towns, {len(others):,} other names, {len(codes):,} and {len(second):,} regions")


def second_order(rows, first_at, sources):
    """The counties and their like, and for each town the number of its own; 0 is none."""
    table, at, of_town = [("", 0, "")], {}, []
    for town in rows:
        key = second_key(town, first_at, sources)
        if key is None:
            of_town.append(0)
            continue
        if key not in at:
            at[key] = len(table)
            table.append(key)
        of_town.append(at[key])
    return table, of_town


def second_key(town, first_at, sources):
    first = first_at[town["countrycode"], town["admin1code"]]
    county = sources["county"](town)
    if county:
        return (county[1], first, county[0])
    near = sources["regions"].nearest(town["countrycode"], town["latitude"], town["longitude"], NEIGHBOUR_DEGREES)
    return (near[3], first, "") if near and near[3] and town["countrycode"] != "US" else None


def country_line(country, own):
    also = own["countries"].get(country["iso"], [])
    fields = [country["iso"], f"{country['isonumeric']:03}", country["name"], str(country["population"]), country["iso3"], *also]
    return "\t".join(fields)


def region_line(code, names, own):
    also = own["regions"].get(".".join(code), [""])[1:]
    return "\t".join([code[0], code[1], names.get(code, ""), *also])
