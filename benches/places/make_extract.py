#!/usr/bin/env python3
"""Writes an OpenStreetMap extract of any size: bare nodes, 3 % of nodes with tags, a fifth of these businesses; ways of eight nodes, one in
fifty a business; a few relations.

    pip install numpy
    python3 benches/places/make_extract.py OUT.osm.pbf MEGABYTES
"""

import random
import struct
import sys
import zlib

import numpy

BLOCK = 8000
# As high as on the real map, so that numbers take as many bytes.
FIRST_NODE, FIRST_WAY = 9_000_000_000 // 2, 300_000_000
KINDS = [("amenity", "dentist"), ("amenity", "restaurant"), ("amenity", "cafe"), ("shop", "bakery"), ("shop", "hairdresser"),
         ("craft", "plumber"), ("office", "lawyer"), ("tourism", "hotel"), ("shop", "supermarket"), ("leisure", "fitness_centre")]
OTHERS = [("highway", "crossing"), ("natural", "tree"), ("amenity", "bench"), ("power", "tower"), ("barrier", "gate")]


def varints(numbers):
    """Unsigned numbers below 2^35 as protobuf stores them, one after the other."""
    numbers = numpy.asarray(numbers, dtype=numpy.uint64)
    parts = numpy.arange(5, dtype=numpy.uint64)
    groups = ((numbers[:, None] >> (parts * 7)) & numpy.uint64(0x7F)).astype(numpy.uint8)
    lengths = 1 + (numbers[:, None] >= (numpy.uint64(1) << (parts[1:] * 7))).sum(axis=1)
    groups[parts[None, :] < (lengths - 1)[:, None].astype(numpy.uint64)] |= 0x80
    return groups[parts[None, :] < lengths[:, None].astype(numpy.uint64)].tobytes()


def zigzag(numbers):
    numbers = numpy.asarray(numbers, dtype=numpy.int64)
    return ((numbers << 1) ^ (numbers >> 63)).view(numpy.uint64)


def deltas(numbers):
    return varints(zigzag(numpy.diff(numpy.asarray(numbers, dtype=numpy.int64), prepend=0)))


def number(value):
    out = bytearray()
    while value >= 0x80:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def field(index, data):
    return number(index << 3 | 2) + number(len(data)) + data


def blob(kind, data):
    content = number(2 << 3) + number(len(data)) + field(3, zlib.compress(data))
    header = field(1, kind) + number(3 << 3) + number(len(content))
    return struct.pack(">I", len(header)) + header + content


class Strings:
    def __init__(self):
        self.indexes = {"": 0}

    def of(self, text):
        return self.indexes.setdefault(text, len(self.indexes))

    def table(self):
        return b"".join(field(1, text.encode()) for text in self.indexes)


def tags(dice, identity):
    if dice.random() >= 0.2:
        return [dice.choice(OTHERS)]
    found = [dice.choice(KINDS), ("name", f"Business {identity}"), ("addr:street", f"Street {dice.randrange(5000)}"),
             ("addr:housenumber", str(dice.randrange(300)))]
    if dice.random() < 0.5:
        found.append(("phone", f"+1 512 {dice.randrange(10**7):07}"))
    if dice.random() < 0.4:
        found.append(("website", f"https://www.business-{identity}.example"))
    if dice.random() < 0.5:
        found.append(("opening_hours", "Mo-Fr 08:00-17:00"))
    return found


def nodes(dice, numbers, ids):
    strings, pairs, last = Strings(), [], 0
    for position in numpy.flatnonzero(numbers.random(len(ids)) < 0.03).tolist():
        pairs += [0] * (position - last)
        for key, value in tags(dice, ids[position]):
            pairs += [strings.of(key), strings.of(value)]
        last = position
    pairs += [0] * (len(ids) - last)
    steps = lambda start: start + numpy.cumsum(numbers.integers(-2000, 2000, len(ids)))
    latitude, longitude = steps(dice.randrange(250_000_000, 480_000_000)), steps(dice.randrange(-1_200_000_000, -700_000_000))
    times = 1_600_000_000 + numbers.integers(0, 10**8, len(ids))
    info = field(1, varints(numpy.ones(len(ids), dtype=numpy.uint64))) + field(2, deltas(times))
    dense = field(1, deltas(ids)) + field(5, info) + field(8, deltas(latitude)) + field(9, deltas(longitude)) + field(10, varints(pairs))
    return blob(b"OSMData", field(1, strings.table()) + field(2, field(2, dense)))


def ways(dice, numbers, first, last_node):
    """A tenth with tags of all kinds, the others bare buildings, which are written all at once."""
    strings, group = Strings(), []
    starts = numbers.integers(FIRST_NODE, last_node - 100, BLOCK)
    steps = numbers.integers(1, 9, (BLOCK, 7))
    for offset in range(BLOCK // 10):
        keys, values = zip(*[(strings.of(key), strings.of(value)) for key, value in tags(dice, first + offset)])
        refs = number(int(starts[offset]) * 2) + bytes((steps[offset] * 2).tolist()) + bytes([int(steps[offset].sum()) * 2 - 1])
        indexes = field(2, b"".join(map(number, keys))) + field(3, b"".join(map(number, values)))
        group.append(field(3, number(1 << 3) + number(first + offset) + indexes + field(8, refs)))
    key, value = strings.of("building"), strings.of("yes")
    count = BLOCK - BLOCK // 10
    ids = numpy.frombuffer(varints(first + numpy.arange(BLOCK // 10, BLOCK)), dtype=numpy.uint8).reshape(count, 5)
    begins = numpy.frombuffer(varints(starts[-count:] * 2), dtype=numpy.uint8).reshape(count, 5)
    steps = steps[-count:]
    fixed = lambda *values: numpy.tile(numpy.array(values, dtype=numpy.uint8), (count, 1))
    tagged = number(2 << 3 | 2) + number(len(number(key))) + number(key) + number(3 << 3 | 2) + number(len(number(value))) + number(value)
    body = [fixed(1 << 3), ids, fixed(*tagged), fixed(8 << 3 | 2, 13), begins, (steps * 2).astype(numpy.uint8), (steps.sum(axis=1) * 2 - 1).astype(numpy.uint8)[:, None]]
    size = sum(part.shape[1] for part in body)
    group.append(numpy.hstack([fixed(3 << 3 | 2, size), *body]).tobytes())
    return blob(b"OSMData", field(1, strings.table()) + field(2, b"".join(group)))


def relations(dice, first, last_way):
    strings, group = Strings(), []
    for offset in range(BLOCK // 8):
        pairs = [("type", "multipolygon")] + tags(dice, first + offset)
        keys, values = zip(*[(strings.of(key), strings.of(value)) for key, value in pairs])
        members = [dice.randrange(FIRST_WAY, last_way) for _ in range(3)]
        roles = strings.of("outer")
        group.append(field(4, number(1 << 3) + number(first + offset) + field(2, varints(keys)) + field(3, varints(values))
                           + field(8, varints([roles] * 3)) + field(9, deltas(members)) + field(10, varints([1] * 3))))
    return blob(b"OSMData", field(1, strings.table()) + field(2, b"".join(group)))


def main():
    path, size = sys.argv[1], int(float(sys.argv[2]) * 1e6)
    dice, numbers = random.Random(7), numpy.random.default_rng(7)
    with open(path, "wb") as out:
        out.write(blob(b"OSMHeader", field(4, b"OsmSchema-V0.6") + field(4, b"DenseNodes") + field(5, b"Sort.Type_then_ID")))
        node = FIRST_NODE
        while out.tell() < size * 0.8:
            ids = node + numpy.cumsum(numbers.integers(1, 4, BLOCK))
            out.write(nodes(dice, numbers, ids))
            node = int(ids[-1])
        way = FIRST_WAY
        while out.tell() < size * 0.99:
            out.write(ways(dice, numbers, way, node))
            way += BLOCK
        relation = 1
        while out.tell() < size:
            out.write(relations(dice, relation, way))
            relation += BLOCK // 8
    print(f"{path}: nodes up to {node}, {way - FIRST_WAY} ways, {relation - 1} relations")


if __name__ == "__main__":
    main()
