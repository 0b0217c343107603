"""Names of brands, and the countries they are at home in, from the name-suggestion-index and our own list."""

import json

import pack

# Kinds of things that are no business a salesperson would visit.
NO_BUSINESS = {
    "power", "route", "man_made", "barrier", "telecom", "atm", "bicycle_rental", "bicycle_sharing", "car_sharing",
    "charging_station", "clock", "compressed_air", "device_charging_station", "kick-scooter_rental", "motorcycle_rental",
    "mobile_library", "parcel_locker", "payment_terminal", "photo_booth", "public_bookcase", "recycling", "scooter_rental",
    "telephone", "vending_machine", "waste_basket", "waste_disposal", "water_point", "post_box", "letter_box",
}  # fmt: skip
# Tags in which a brand's names stand.
NAME_TAGS = ("name", "brand", "name:en", "brand:en")


def places(item):
    """Two-letter countries a brand is limited to; empty when it is everywhere or the limit is finer or wider."""
    include = item.get("locationSet", {}).get("include", [])
    codes = [str(code).lower() for code in include]
    return sorted(set(codes)) if all(len(code) == 2 and code.isalpha() for code in codes) else []


def names(item):
    found = [item["displayName"], *item.get("matchNames", [])]
    found += [item["tags"][key] for key in NAME_TAGS if key in item["tags"]]
    return [name for text in found for name in text.split(";")]


def read(path, own):
    """Brand name -> set of countries, or None for everywhere."""
    brands = {}
    for key, category in json.loads(path.read_text())["nsi"].items():
        tree, kind, value = key.split("/", 2)
        if tree != "brands" or kind in NO_BUSINESS or value in NO_BUSINESS:
            continue
        for item in category["items"]:
            for name in names(item):
                add(brands, plain(name), places(item))
    for name in own["brands"]:
        add(brands, plain(name), [])
    return {name: where for name, where in brands.items() if pack.fold(name) not in own["common"]}


def plain(name):
    return " ".join(name.split()).lower().removeprefix("the ")


def add(brands, name, where):
    if not where or brands.get(name, ()) is None:
        brands[name] = None
    else:
        brands.setdefault(name, set()).update(where)


def write(path, brands):
    rows = (f"{name}\t{' '.join(sorted(where or ()))}" for name, where in sorted(brands.items()) if pack.fold(name))
    pack.write(path, [pack.lines(rows)])
