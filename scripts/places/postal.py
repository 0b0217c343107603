"""US ZIP codes: where their centres lie, and in which town and county."""

import pack

# The county files of us-atlas know Connecticut's planning regions no more than GeoNames does; both use counties.
TERRITORIES = {"60": "AS", "66": "GU", "69": "MP", "72": "PR", "78": "VI"}


def read(path, fips_of_state):
    """Rows of GeoNames' postal file, one a code, in the order of the codes."""
    found = {}
    for line in path.read_text().splitlines():
        row = line.split("\t")
        code, place, state, county = row[1], row[2], row[4], row[6]
        if state not in fips_of_state or not row[9] or not row[10]:
            continue
        fips = fips_of_state[state] + county if county else ""
        found.setdefault(code, (code, place, state, fips, float(row[9]), float(row[10])))
    return [found[code] for code in sorted(found)]


def write(path, rows):
    names = sorted({row[1] for row in rows})
    at = {name: index for index, name in enumerate(names)}
    states = sorted({row[2] for row in rows})
    pack.write(
        path,
        [
            "".join(row[0] for row in rows).encode(),
            pack.planes((pack.coordinate(row[4], -90) for row in rows), 3),
            pack.planes((pack.coordinate(row[5], -180) for row in rows), 3),
            pack.planes((at[row[1]] for row in rows), 2),
            pack.planes((states.index(row[2]) for row in rows), 1),
            pack.planes((int(row[3] or 0) for row in rows), 3),
            pack.lines(names),
            pack.lines(states),
        ],
    )
