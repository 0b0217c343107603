"""A whole conversation with the connector, as an assistant would hold it, asserting every answer.

It knows no client: `Host` is what a client can do, and each program brings its own.
"""

import csv
import io
import json
import urllib.request
from typing import Any, Awaitable, Callable, Protocol

TOOLS = {
    "get_account", "start_search", "wait_for_search", "stop_search", "list_searches", "get_leads", "get_lead", "export_leads",
    "enrich_leads", "write_intro", "watch_business", "unwatch_business", "list_radar", "search", "fetch",
}  # fmt: skip
HINTS = {"readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"}
# ChatGPT prescribes what these two answer; they need not say what comes next.
PRESCRIBED = {"search", "fetch"}
PAGE = 20
WANTED = PAGE + 3
# The sandbox gives five businesses there every 0.7 s: the search is still running when somebody waits for it.
SLOW_PLACE = "Slowtown, Sandbox"
# As slow, and with thousands of businesses: for a search that would go on for minutes.
ENDLESS = {"industry": "slow trade", "location": "Crowdville, Sandbox", "requested_count": 1000}

OnProgress = Callable[[float, "float | None", "str | None"], Awaitable[None]]


class Host(Protocol):
    """What every client can do. Answers are dictionaries, with the names that travel on the wire."""

    async def tools(self) -> list[dict[str, Any]]: ...
    async def call(self, tool: str, arguments: dict[str, Any], on_progress: OnProgress | None = None) -> dict[str, Any]: ...
    async def templates(self) -> list[dict[str, Any]]: ...
    async def read(self, uri: str) -> list[dict[str, Any]]: ...
    async def prompts(self) -> list[dict[str, Any]]: ...
    async def prompt(self, name: str, arguments: dict[str, str]) -> dict[str, Any]: ...


class Conversation:
    """One assistant with one key. The steps follow one another: each uses what the ones before it learnt."""

    def __init__(self, host: Host, key: str):
        self.host = host
        self.key = key

    async def hold(self) -> None:
        await self.learn_the_tools()
        before = await self.ask("get_account")
        await self.start()
        await self.wait()
        after = await self.ask("get_account")
        assert before["credits"] - after["credits"] == WANTED, (before, after)
        await self.page_through_leads()
        await self.look_at_one_lead()
        await self.enrich_and_write()
        await self.export()
        await self.watch()
        await self.stop_another()
        await self.find_again()
        await self.use_prompts()
        await self.get_things_wrong()

    async def ask(self, tool: str, on_progress: OnProgress | None = None, **arguments: Any) -> dict[str, Any]:
        """Calls a tool that must succeed; gives its structured answer."""
        result = await self.host.call(tool, arguments, on_progress)
        text = self.text_of(tool, result)
        assert not result.get("isError"), f"{tool} {arguments} was refused: {text}"
        structured = result["structuredContent"]
        assert json.loads(text) == structured, f"{tool}: the text is not the same JSON as the structured content: {text}"
        if tool not in PRESCRIBED:
            assert structured.get("next_step"), f"{tool} does not say what to do next: {text}"
        return structured

    async def ask_in_vain(self, tool: str, *words: str, **arguments: Any) -> None:
        """Calls a tool that must refuse, as a result that a model reads and not as a protocol error, in these words."""
        result = await self.host.call(tool, arguments, None)
        text = self.text_of(tool, result)
        assert result.get("isError") is True, f"{tool} {arguments} should have been refused: {text}"
        for word in words:
            assert word in text, f"{tool} {arguments}: the refusal does not say {word!r}: {text}"

    def text_of(self, tool: str, result: dict[str, Any]) -> str:
        assert self.key not in json.dumps(result), f"{tool} gives the key away"
        texts = [block["text"] for block in result["content"] if block["type"] == "text"]
        assert len(texts) == 1, f"{tool} answered {len(texts)} texts: {result}"
        return texts[0]

    async def learn_the_tools(self) -> None:
        tools = await self.host.tools()
        assert {tool["name"] for tool in tools} == TOOLS, sorted(tool["name"] for tool in tools)
        for tool in tools:
            hints = {name for name, value in tool["annotations"].items() if isinstance(value, bool)}
            assert hints == HINTS, f"{tool['name']} has the hints {hints}"
            assert tool["title"] and tool["description"] and tool["outputSchema"]["type"] == "object", tool

    async def start(self) -> None:
        request = {"industry": "dentist", "location": SLOW_PLACE, "requested_count": WANTED, "client_request_id": "first"}
        started = await self.ask("start_search", **request)
        assert started["status"] == "running" and started["requested"] == WANTED, started
        again = await self.ask("start_search", **request)
        self.search = started["search_id"]
        assert again["search_id"] == self.search, "the same client_request_id started a second search"

    async def wait(self) -> None:
        looked = await self.ask("wait_for_search", search_id=self.search, timeout_seconds=0)
        assert looked["status"] == "running", looked
        heard: list[tuple[float, float | None]] = []

        async def hear(progress: float, total: float | None, message: str | None) -> None:
            assert message, "progress without a message"
            heard.append((progress, total))

        done = await self.ask("wait_for_search", hear, search_id=self.search, timeout_seconds=45)
        assert done["status"] == "done" and done["leads_found"] == WANTED, done
        steps = [progress for progress, _ in heard]
        assert steps and steps == sorted(set(steps)), f"progress has to increase: {steps}"
        assert {total for _, total in heard} == {WANTED}, heard

    async def page_through_leads(self) -> None:
        first = await self.ask("get_leads", search_id=self.search)
        assert first["total"] == WANTED and len(first["leads"]) == PAGE and first["next_cursor"], first
        second = await self.ask("get_leads", search_id=self.search, cursor=first["next_cursor"])
        assert second["next_cursor"] is None, second
        self.leads = first["leads"] + second["leads"]
        assert len({lead["lead_id"] for lead in self.leads}) == WANTED, "a lead is missing or came twice"
        full = await self.ask("get_leads", search_id=self.search, detail="full", limit=5)
        for brief, whole in zip(self.leads, full["leads"]):
            assert brief["lead_id"] == whole["lead_id"] and "signals" not in brief, brief
            assert {"emails", "socials", "signals"} <= whole.keys(), sorted(whole)

    async def look_at_one_lead(self) -> None:
        self.lead = next(lead for lead in self.leads if lead["website"] and lead["primary_email"])
        whole = await self.ask("get_lead", lead_id=self.lead["lead_id"])
        same = {name: whole[name] for name in ("lead_id", "business_name", "phone", "website", "primary_email")}
        assert same.items() <= self.lead.items(), (same, self.lead)

    async def enrich_and_write(self) -> None:
        some = [lead["lead_id"] for lead in self.leads[:2]]
        part = await self.ask("enrich_leads", search_id=self.search, lead_ids=some)
        assert part["status"] == "done" and part["enriched"] + part["unchanged"] + part["skipped"] == len(some), part
        whole = await self.ask("enrich_leads", search_id=self.search)
        assert whole["status"] == "done" and whole["enriched"] + whole["unchanged"] + whole["skipped"] == WANTED, whole
        intro = await self.ask("write_intro", lead_id=self.lead["lead_id"])
        assert len(intro["intro"]) > 40 and intro["ai_intro_remaining"] >= 0, intro

    async def export(self) -> None:
        made = await self.ask("export_leads", search_id=self.search)
        assert self.key not in made["download_url"], made
        with urllib.request.urlopen(made["download_url"], timeout=20) as answer:  # with no key at all
            assert answer.headers["Content-Type"].startswith("text/csv"), answer.headers
            text = answer.read().decode()
        rows = list(csv.DictReader(io.StringIO(text, newline="")))
        assert len(rows) == made["rows"] == WANTED and list(rows[0]) == made["columns"], made
        assert [(row["lead_id"], row["business_name"]) for row in rows] == [
            (lead["lead_id"], lead["business_name"]) for lead in self.leads
        ], "the file has other leads than get_leads"
        await self.read_as_resource(made["resource_uri"], text)
        calls = await self.ask("export_leads", search_id=self.search, channel="call_list")
        assert calls["columns"][0] == "Business Name" and 0 < calls["rows"] <= WANTED, calls

    async def read_as_resource(self, uri: str, text: str) -> None:
        templates = await self.host.templates()
        assert templates and all(template["mimeType"] == "text/csv" for template in templates), templates
        (content,) = await self.host.read(uri)
        assert content["mimeType"] == "text/csv" and content["uri"] == uri, content
        assert content["text"] == text, "the resource is another file than the download"

    async def watch(self) -> None:
        watched = await self.ask("watch_business", lead_id=self.lead["lead_id"])
        assert watched["watching"] is True and watched["used"] == 1, watched
        listed = await self.ask("list_radar")
        assert [watch["id"] for watch in listed["watches"]] == [watched["id"]], listed
        left = await self.ask("unwatch_business", watch_id=watched["id"])
        assert left["watching"] is False and left["used"] == 0, left
        assert (await self.ask("list_radar"))["watches"] == []

    async def stop_another(self) -> None:
        started = await self.ask("start_search", **ENDLESS)
        waited = await self.ask("wait_for_search", search_id=started["search_id"], timeout_seconds=1)
        assert waited["status"] == "running" and "wait_for_search" in waited["next_step"], waited
        stopped = await self.ask("stop_search", search_id=started["search_id"])
        assert stopped["stopped"] is True and stopped["status"] == "cancelled", stopped
        again = await self.ask("stop_search", search_id=started["search_id"])
        assert again["stopped"] is False and again["status"] == "cancelled", again
        listed = await self.ask("list_searches")
        states = [(search["search_id"], search["status"]) for search in listed["searches"]]
        assert states == [(started["search_id"], "cancelled"), (self.search, "done")], states
        assert listed["searches"][0]["created_at"] == started["created_at"], "it is told two times of its beginning"

    async def find_again(self) -> None:
        found = await self.ask("search", query=self.lead["business_name"])
        assert self.lead["lead_id"] in [result["id"] for result in found["results"]], found
        opened = await self.ask("fetch", id=self.lead["lead_id"])
        assert opened["id"] == self.lead["lead_id"] and self.lead["business_name"] in opened["text"], opened

    async def use_prompts(self) -> None:
        prompts = await self.host.prompts()
        assert len(prompts) == 3, prompts
        samples = {"search_id": self.search, "lead_id": self.lead["lead_id"]}
        for prompt in prompts:
            arguments = {
                argument["name"]: samples.get(argument["name"], "25" if "count" in argument["name"] else "dentist")
                for argument in prompt.get("arguments") or []
            }
            messages = (await self.host.prompt(prompt["name"], arguments))["messages"]
            assert messages and all(message["content"]["text"] for message in messages), prompt

    async def get_things_wrong(self) -> None:
        place = {"industry": "dentist", "location": "Austin, TX"}
        await self.ask_in_vain("start_search", "location", industry="dentist")
        await self.ask_in_vain("start_search", "requested_count", **place, requested_count=0)
        await self.ask_in_vain("start_search", "requested_count", **place, requested_count="many")
        await self.ask_in_vain("start_search", "requestd_count", "requested_count", **place, requestd_count=5)
        await self.ask_in_vain("start_search", "scope", "county", **place, scope="galaxy")
        await self.ask_in_vain("get_leads", "detail", "summary", "full", search_id=self.search, detail="all")
        await self.ask_in_vain("get_leads", "cursor", search_id=self.search, cursor="no cursor of ours")
        await self.ask_in_vain("wait_for_search", "timeout_seconds", "45", search_id=self.search, timeout_seconds=900)
        await self.ask_in_vain("get_lead", "lead", lead_id="no-such-lead")
        await self.ask_in_vain("export_leads", "channel", "call_list", search_id=self.search, channel="fax")
