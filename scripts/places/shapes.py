"""Polygons: the arcs of a TopoJSON file as they are, and which features are made of which arcs."""

import json

import pack


def read(path):
    return json.loads(path.read_text())


def decoded_arcs(topology):
    """Arcs as absolute degrees, for looking up towns while building."""
    (sx, sy), (tx, ty) = topology["transform"]["scale"], topology["transform"]["translate"]
    arcs = []
    for arc in topology["arcs"]:
        x = y = 0
        points = []
        for dx, dy in arc:
            x, y = x + dx, y + dy
            points.append((x * sx + tx, y * sy + ty))
        arcs.append(points)
    return arcs


def polygons(geometry):
    """The polygons of a feature, each a list of rings, each a list of arc numbers."""
    if geometry["type"] == "Polygon":
        return [geometry["arcs"]]
    return geometry["arcs"] if geometry["type"] == "MultiPolygon" else []


def ring_points(ring, arcs):
    points = []
    for number in ring:
        points += arcs[number] if number >= 0 else arcs[~number][::-1]
    return points


def inside(rings, x, y):
    """Even-odd rule over all rings of a feature."""
    odd = False
    for ring in rings:
        for (ax, ay), (bx, by) in zip(ring, ring[1:]):
            if (ay > y) != (by > y) and x < (bx - ax) * (y - ay) / (by - ay) + ax:
                odd = not odd
    return odd


class Locator:
    """Which feature of a topology holds a point."""

    def __init__(self, topology, name):
        arcs = decoded_arcs(topology)
        self.features = []
        for geometry in topology["objects"][name]["geometries"]:
            rings = [ring_points(ring, arcs) for polygon in polygons(geometry) for ring in polygon]
            xs = [x for ring in rings for x, _ in ring]
            ys = [y for ring in rings for _, y in ring]
            if xs:
                self.features.append((min(xs), min(ys), max(xs), max(ys), rings, geometry["id"]))

    def find(self, x, y):
        for west, south, east, north, rings, key in self.features:
            if west <= x <= east and south <= y <= north and inside(rings, x, y):
                return key
        return None


def write(path, topology, features):
    """`features`: (key, name, geometries) in the order of the file."""
    scale, translate = topology["transform"]["scale"], topology["transform"]["translate"]
    numbers = []
    for _, _, geometries in features:
        parts = [polygon for geometry in geometries for polygon in polygons(geometry)]
        numbers.append(len(parts))
        for polygon in parts:
            numbers.append(len(polygon))
            for ring in polygon:
                numbers += [len(ring), *ring]
    steps = [step for arc in topology["arcs"] for point in arc for step in point]
    pack.write(
        path,
        [
            " ".join(repr(number) for number in [*scale, *translate]).encode(),
            pack.varints(len(arc) for arc in topology["arcs"]),
            pack.varints(steps),
            pack.lines(f"{key}\t{name}" for key, name, _ in features),
            pack.varints(numbers),
        ],
    )
