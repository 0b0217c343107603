"""Names and search words of OpenStreetMap's presets, for the tags that industries.toml names."""

import collections
import json
import tomllib


# Letters below which a lone search word ("cat", "check") says too little.
LONE_WORD_LETTERS_MIN = 6


def is_telling(name, counts):
    """Whether a search word can mean only one kind of thing."""
    return counts[name] == 1 and (" " in name or len(name) >= LONE_WORD_LETTERS_MIN)


def write(path, schema, industries):
    tags = {
        tag
        for group in tomllib.loads(industries.read_text()).values()
        for entry in group.values()
        for tag in entry.get("osm", [])
    }
    presets = json.loads((schema / "presets.min.json").read_text())
    english = json.loads((schema / "translations/en.min.json").read_text())["en"]["presets"]["presets"]
    kept = []
    for key in sorted(presets):
        # A preset of one tag is that kind of thing; others are special cases of it. Brands and the like have no terms.
        pairs = [f"{name}={value}" for name, value in presets[key]["tags"].items()]
        words = english.get(key, {})
        if len(pairs) != 1 or pairs[0] not in tags or not words.get("name"):
            continue
        terms = words.get("terms", "")
        names = [words["name"], *(terms.split(",") if isinstance(terms, str) else terms)]
        kept.append((pairs[0], list(dict.fromkeys(name.strip().lower() for name in names if name.strip()))))
    counts = collections.Counter(name for _, names in kept for name in names)
    lines = ["\t".join([tag, *(name for name in names if is_telling(name, counts))]) for tag, names in kept]
    head = "# Built by scripts/places-data from OpenStreetMap's id-tagging-schema (ISC): tag, name, search words."
    path.write_text("\n".join([head, *lines]) + "\n")
    print(f"{path.name}: {len(lines)} presets")
