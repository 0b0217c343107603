"""Names of brands, and the countries they are at home in, from the name-suggestion-index."""

import json

import pack

# Kinds of things that are no business a salesperson would visit.
NOT_A_BUSINESS = ("power", "route", "transit", "man_made", "barrier", "flags", "telecom")


def places(item):
    """Two-letter countries a brand is limited to; empty when it is everywhere or the limit is finer or wider."""
    include = item.get("locationSet", {}).get("include", [])
    codes = [str(code).lower() for code in include]
    return sorted(set(codes)) if all(len(code) == 2 and code.isalpha() for code in codes) else []


def names(item):
    tags = item["tags"]
    found = [item["displayName"], *item.get("matchNames", [])]
    found += [tags[key] for key in ("name", "brand", "name:en", "brand:en", "alt_name", "short_name", "official_name") if key in tags]
    return [name for text in found for name in text.split(";")]


def read(path):
    """Folded brand name -> set of countries, or None for everywhere."""
    brands = {}
    for key, category in json.loads(path.read_text())["nsi"].items():
        tree, kind, _ = key.split("/", 2)
        if tree != "brands" or kind in NOT_A_BUSINESS:
            continue
        for item in category["items"]:
            where = places(item)
            for name in names(item):
                add(brands, " ".join(name.split()).lower(), where)
    return brands


def add(brands, name, where):
    if not where or brands.get(name, ()) is None:
        brands[name] = None
    elif name:
        brands.setdefault(name, set()).update(where)


def write(path, brands):
    rows = (f"{name}\t{' '.join(sorted(where)) if where else ''}" for name, where in sorted(brands.items()) if pack.fold(name))
    pack.write(path, [pack.lines(rows)])
