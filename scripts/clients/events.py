"""Follows searches with httpx-sse: every event, none of them empty, and reconnecting by hand.

Usage: events.py BASE_URL API_KEY
"""

import sys

import httpx
from httpx_sse import ServerSentEvent, connect_sse

WANTED = 4
RETRY_MILLIS = 3000
BODY = {"industry": "plumber", "location": "Plainville, Sandbox", "requested_count": WANTED}


def read(source, most: int | None = None) -> list[ServerSentEvent]:
    events = []
    for event in source.iter_sse():
        assert event.data and event.event in ("search_started", "lead", "search_done"), f"an empty event: {event!r}"
        events.append(event)
        if len(events) == most:
            break
    return events


def main() -> None:
    base, key = sys.argv[1:]
    with httpx.Client(base_url=base, headers={"X-API-Key": key}, timeout=60) as client:
        # Goes away in the middle, which stops nothing, and comes back with the last id it saw.
        with connect_sse(client, "POST", "/search", json=BODY) as source:
            seen = read(source, most=3)
        assert (seen[0].id, seen[0].event, seen[0].retry) == ("0", "search_started", RETRY_MILLIS), seen[0]
        path = f"/searches/{seen[0].json()['search_id']}/events"
        with connect_sse(client, "GET", path, headers={"Last-Event-ID": seen[-1].id}) as source:
            rest = read(source)
        whole = seen + rest
        assert [event.id for event in whole] == [str(number) for number in range(WANTED + 2)], whole
        assert rest[-1].event == "search_done" and rest[-1].json()["status"] == "done", rest[-1]
        with connect_sse(client, "GET", path) as source:
            assert [(event.id, event.data) for event in read(source)] == [(event.id, event.data) for event in whole]
        ended = client.get(path, headers={"Last-Event-ID": whole[-1].id})
        assert ended.status_code == 204, ended
    print(f"httpx-sse: {len(whole)} events, reconnected behind the third")


main()
