#!/usr/bin/env python3
"""Makes a release of places in Overture's present layout and schema, from a seed, to measure with.

    pip install pyarrow numpy
    python3 benches/places/make_release.py OUT MILLIONS [SEED]

Places lie around towns, many around the largest ones; they are sorted along a Z-order curve, half a million to a file, 50,000 to a row group, with zstd
and page indexes. Writes OUT/release/2026-10-21.0/theme=places/type=place/*.parquet."""

import pathlib
import sys
import tomllib

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

ROOT = pathlib.Path(__file__).resolve().parents[2]
FILE_ROWS, GROUP_ROWS = 500_000, 50_000
# Longitude, latitude, thousands of people.
TOWNS = [(-97.743, 30.267, 960), (-74.006, 40.714, 8_300), (-118.24, 34.05, 3_900), (-87.65, 41.85, 2_700), (-95.36, 29.76, 2_300),
         (-112.07, 33.45, 1_600), (-75.16, 39.95, 1_600), (-80.19, 25.77, 440), (-122.33, 47.61, 740), (-0.126, 51.51, 8_900), (2.35, 48.86, 2_100),
         (139.69, 35.69, 9_700), (77.21, 28.64, 11_000), (-46.64, -23.55, 12_000), (24.94, 60.17, 650), (151.2, -33.87, 5_300)]


def curve(x, y):
    """The position of a point on a Z-order curve."""
    def spread(value):
        value = value.astype(np.uint64)
        for shift, mask in ((16, 0x0000FFFF0000FFFF), (8, 0x00FF00FF00FF00FF), (4, 0x0F0F0F0F0F0F0F0F), (2, 0x3333333333333333), (1, 0x5555555555555555)):
            value = (value | (value << np.uint64(shift))) & np.uint64(mask)
        return value
    return spread((x + 180) / 360 * 0xFFFFFFF) | (spread((y + 90) / 180 * 0xFFFFFFF) << np.uint64(1))


def towns(random):
    """The known towns, and many made-up small ones in boxes where people live."""
    boxes = [(-123, -70, 26, 48, 6_000), (-8, 30, 37, 60, 7_000), (70, 140, 10, 45, 9_000), (-75, -38, -35, 5, 4_000), (-15, 45, -30, 30, 5_000)]
    made = [np.column_stack([random.uniform(w, e, n), random.uniform(s, north, n), 15 * (random.pareto(1.1, n) + 1)]) for w, e, s, north, n in boxes]
    return np.vstack([np.array(TOWNS), *made])


def listed(values, present):
    """A list of one value where `present`, null elsewhere."""
    ends = np.concatenate([[0], np.cumsum(present)]).astype(np.int32)
    return pa.ListArray.from_arrays(pa.array(ends), values.filter(pa.array(present)), mask=pa.array(~present))


def table(random, first, x, y, kinds, names):
    count, text = len(x), pa.string()
    numbers = np.arange(first, first + count)
    serial, kind = pa.array(numbers).cast(text), pa.array(kinds)
    wkb = np.zeros((count, 21), np.uint8)
    wkb[:, 0] = wkb[:, 1] = 1
    wkb[:, 5:13], wkb[:, 13:21] = x.astype("<f8").view(np.uint8).reshape(count, 8), y.astype("<f8").view(np.uint8).reshape(count, 8)
    geometry = pa.FixedSizeBinaryArray.from_buffers(pa.binary(21), count, [None, pa.py_buffer(wkb.tobytes())]).cast(pa.binary())
    side = lambda values: pa.array(values.astype(np.float32))
    join = lambda *parts: pc.binary_join_element_wise(*parts, "")
    nulls = lambda kind: pa.nulls(count, kind)
    rules = pa.list_(pa.struct([("variant", text), ("language", text), ("value", text)]))
    names_type = pa.struct([("primary", text), ("common", pa.map_(text, text)), ("rules", rules)])
    primary = names.take(kind)
    called = pa.StructArray.from_arrays([join(primary, " ", serial), nulls(names_type[1].type), nulls(rules)], fields=list(names_type))
    parts = [join(serial, " Main St"), join("Town ", pa.array(numbers // 900).cast(text)), nulls(text), nulls(text), pa.array(["US"] * count)]
    address = pa.StructArray.from_arrays(parts, ["freeform", "locality", "postcode", "region", "country"])
    chance = random.random((4, count))
    hierarchy = pa.ListArray.from_arrays(pa.array(np.arange(count + 1, dtype=np.int32)), primary)
    ids = pa.array([f"00000007-0000-4000-8000-{number:012x}" for number in numbers.tolist()])
    return pa.table({
        "id": ids, "geometry": geometry, "bbox": pa.StructArray.from_arrays([side(x), side(x), side(y), side(y)], ["xmin", "xmax", "ymin", "ymax"]),
        "version": pa.array(np.ones(count, np.int32)), "names": called,
        "operating_status": pa.array(np.where(chance[0] < 0.02, "permanently_closed", "open")), "basic_category": primary,
        "taxonomy": pa.StructArray.from_arrays([primary, hierarchy, nulls(pa.list_(text))], ["primary", "hierarchy", "alternates"]),
        "confidence": pa.array(np.round(chance[1], 3)), "websites": listed(join("https://biz", serial, ".example.com/"), chance[2] < 0.7),
        "socials": nulls(pa.list_(text)), "emails": nulls(pa.list_(text)), "phones": listed(join("+1512", serial), chance[3] < 0.85),
        "brand": nulls(pa.struct([("wikidata", text), ("names", names_type)])),
        "addresses": pa.ListArray.from_arrays(pa.array(np.arange(count + 1, dtype=np.int32)), address)})


def main():
    out, count = pathlib.Path(sys.argv[1]), int(float(sys.argv[2]) * 1e6)
    random = np.random.default_rng(int(sys.argv[3]) if len(sys.argv) > 3 else 7)
    groups = tomllib.loads((ROOT / "crates/places/data/industries.toml").read_text())
    entries = [name for group in groups.values() if isinstance(group, dict) for slug, fields in group.items() for name in fields.get("overture", [slug])]
    names = sorted({name.lstrip("=") for name in entries})
    weights = random.pareto(1.2, len(names)) + 0.05
    for name, weight in (("dental_clinic", 60), ("plumbing", 60), ("restaurant", 200), ("hair_salon", 90), ("bakery", 25)):
        if name in names:
            weights[names.index(name)] = weight
    places = towns(random)
    people = places[:, 2] ** 0.9
    home = random.choice(len(places), count, p=people / people.sum())
    spread = 0.01 + 0.002 * np.sqrt(places[home, 2])
    x = (places[home, 0] + random.normal(0, 1, count) * spread * 1.2 + 180) % 360 - 180
    y = np.clip(places[home, 1] + random.normal(0, 1, count) * spread, -85, 85)
    order = np.argsort(curve(x, y), kind="stable")
    x, y, kinds = x[order], y[order], random.choice(len(names), count, p=weights / weights.sum())
    folder = out / "release/2026-10-21.0/theme=places/type=place"
    folder.mkdir(parents=True, exist_ok=True)
    for number, first in enumerate(range(0, count, FILE_ROWS)):
        rows = slice(first, min(first + FILE_ROWS, count))
        part = table(random, first, x[rows], y[rows], kinds[rows], pa.array(names))
        pq.write_table(part, folder / f"part-{number:05d}.zstd.parquet", compression="zstd", row_group_size=GROUP_ROWS, write_page_index=True)


main()
