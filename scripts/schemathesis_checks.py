"""Checks that the server refuses nonsense, while it reads what no-code tools send.

The API document is strict, and the server is lenient in a few known ways: a number or a boolean may be written as a string,
and an empty string counts as not given. Schemathesis knows the document only, so its own check would call each of these
requests wrongly accepted.
"""

import schemathesis
from schemathesis.specs.openapi.checks import negative_data_rejection

# It reads a header that nobody asked for as little as any other server does.
WITHOUT_CHECK = {"GET /searches/{search_id}/events"}


def is_blank(value) -> bool:
    return isinstance(value, str) and not value.strip()


def is_number_or_boolean(value) -> bool:
    if not isinstance(value, str) or not value.isascii():
        return False
    try:
        float(value)
        return True
    except ValueError:
        return value.strip().lower() in ("true", "false")


def holds(value, lenient) -> bool:
    if isinstance(value, dict):
        return any(holds(one, lenient) for one in value.values())
    if isinstance(value, list):
        return any(holds(one, lenient) for one in value)
    return lenient(value)


@schemathesis.check
def nonsense_is_refused(ctx, response, case):
    if case.operation.label in WITHOUT_CHECK:
        return None
    if any(holds(dict(part or {}), is_blank) for part in (case.query, case.headers)):
        return None
    if holds(case.body, lambda value: is_blank(value) or is_number_or_boolean(value)):
        return None
    return negative_data_rejection(ctx, response, case)
