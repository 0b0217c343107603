"""Runs a whole search with the client that openapi-python-client generates from the API document.

Usage: python_client.py OPENAPI_JSON BASE_URL API_KEY, with the generated package `canvass_client` on the path.
"""

import json
import sys
import time
import uuid

from canvass_client import AuthenticatedClient, models
from canvass_client.api.account import get_account
from canvass_client.api.exports import export_leads
from canvass_client.api.leads import get_lead, list_leads
from canvass_client.api.searches import (
    get_search,
    get_search_status,
    list_searches,
    start_search,
    stop_search,
)

WANTED = 4
WAIT_SECONDS_MAX = 60


def check_models(document: dict) -> int:
    names = document["components"]["schemas"]
    missing = [name for name in names if not hasattr(models, name)]
    assert not missing, f"component schemas without a model in the generated client: {missing}"
    return len(names)


def ok(answer, kind):
    assert answer.status_code == 200, (answer.status_code, answer.content[:300])
    assert isinstance(answer.parsed, kind), answer.parsed
    return answer.parsed


def run_search(client: AuthenticatedClient) -> models.Search:
    request = models.SearchRequest(
        industry="plumber",
        location="Plainville, Sandbox",
        requested_count=WANTED,
        scope=models.Scope.CITY,
        radius_miles=None,
        filters=models.Filters(has_phone=True),
    )
    repeatable = str(uuid.uuid4())
    started = ok(start_search.sync_detailed(client=client, body=request, idempotency_key=repeatable), models.SearchStarted)
    again = ok(start_search.sync_detailed(client=client, body=request, idempotency_key=repeatable), models.SearchStarted)
    assert (started.search_id, started.status) == (again.search_id, models.SearchStatus.RUNNING)
    until = time.monotonic() + WAIT_SECONDS_MAX
    while True:
        search = ok(get_search.sync_detailed(started.search_id, client=client), models.Search)
        if search.status != models.SearchStatus.RUNNING:
            break
        assert time.monotonic() < until, "the search does not end"
        time.sleep(0.1)
    assert (search.status, search.leads_found) == (models.SearchStatus.DONE, WANTED), search
    progress = ok(get_search_status.sync_detailed(search.search_id, client=client), models.SearchProgress)
    assert (progress.found, progress.requested) == (WANTED, WANTED)
    listed = ok(list_searches.sync_detailed(client=client, limit=1), list)
    assert listed[0].search_id == search.search_id
    return search


def read_leads(client: AuthenticatedClient, search: models.Search) -> None:
    leads = ok(list_leads.sync_detailed(search.search_id, client=client), list)
    assert len(leads) == WANTED and all(isinstance(lead, models.Lead) for lead in leads)
    assert all(lead.phone for lead in leads)
    lead = ok(get_lead.sync_detailed(leads[0].lead_id, client=client), models.Lead)
    assert lead.to_dict() == leads[0].to_dict()
    exported = export_leads.sync_detailed(search.search_id, client=client)
    assert exported.status_code == 200, exported
    lines = exported.parsed.splitlines()
    assert lines[0].startswith("lead_id,business_name,") and str(leads[0].lead_id) in lines[1], lines[:2]


def stop_and_fail(client: AuthenticatedClient, base: str, search: models.Search) -> None:
    stopped = ok(stop_search.sync_detailed(search.search_id, client=client), models.SearchStopped)
    assert (stopped.stopped, stopped.status) == (False, models.SearchStatus.DONE)
    missing = get_search.sync_detailed(uuid.uuid4(), client=client)
    assert missing.status_code == 404 and isinstance(missing.parsed, models.Error), missing
    assert missing.parsed.code == "not_found" and missing.parsed.detail, missing.parsed
    bad = models.SearchRequest(industry="plumber", location="Plainville, Sandbox", requested_count=0)
    refused = start_search.sync_detailed(client=client, body=bad)
    assert refused.status_code == 422 and refused.parsed.errors[0].field == "requested_count", refused
    stranger = AuthenticatedClient(base_url=base, token="x")
    nobody = get_account.sync_detailed(client=stranger)
    assert nobody.status_code == 401 and isinstance(nobody.parsed, models.Error), nobody


def main() -> None:
    path, base, key = sys.argv[1:]
    with open(path, encoding="utf-8") as file:
        count = check_models(json.load(file))
    # The generated client sends `Authorization: Bearer` unless it is told otherwise.
    bearer = AuthenticatedClient(base_url=base, token=key)
    header = AuthenticatedClient(base_url=base, token=key, prefix="", auth_header_name="X-API-Key")
    assert ok(get_account.sync_detailed(client=bearer), models.Account) == ok(get_account.sync_detailed(client=header), models.Account)
    search = run_search(bearer)
    read_leads(bearer, search)
    stop_and_fail(header, base, search)
    print(f"generated Python client: {count} models, a whole search with {WANTED} leads")


main()
