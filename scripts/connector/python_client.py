"""Holds the conversation with the official Python client, whichever of its generations is installed.

Usage: python_client.py BASE_URL KEY ERA. ERA is `legacy`, the handshake of 2025-11-25 and before, or `auto`, which asks
for the newest first.
"""

import asyncio
import contextlib
import importlib.metadata
import sys
import traceback
from typing import Any, AsyncIterator

from conversation import Conversation, OnProgress
from mcp.client.streamable_http import streamable_http_client
from mcp.shared._httpx_utils import create_mcp_http_client

PROTOCOLS = {"legacy": "2025-11-25", "auto": "2026-07-28"}
VERSION = importlib.metadata.version("mcp")


class PythonHost:
    """The two generations name their methods alike; what they answer is compared as it travels on the wire."""

    def __init__(self, client: Any):
        self.client = client

    async def tools(self) -> list[dict[str, Any]]:
        return wire(await self.client.list_tools())["tools"]

    async def call(self, tool: str, arguments: dict[str, Any], on_progress: OnProgress | None = None) -> dict[str, Any]:
        # The client itself holds the answer against the tool's output schema, and raises.
        return wire(await self.client.call_tool(tool, arguments, progress_callback=on_progress))

    async def templates(self) -> list[dict[str, Any]]:
        return wire(await self.client.list_resource_templates())["resourceTemplates"]

    async def read(self, uri: str) -> list[dict[str, Any]]:
        return wire(await self.client.read_resource(uri))["contents"]

    async def prompts(self) -> list[dict[str, Any]]:
        return wire(await self.client.list_prompts())["prompts"]

    async def prompt(self, name: str, arguments: dict[str, str]) -> dict[str, Any]:
        return wire(await self.client.get_prompt(name, arguments))


def wire(result: Any) -> dict[str, Any]:
    return result.model_dump(by_alias=True, mode="json", exclude_unset=True)


@contextlib.asynccontextmanager
async def first_generation(base_url: str, key: str) -> AsyncIterator[tuple[Any, str]]:
    """With the key in a header, as hosts do that let people set one."""
    from mcp import ClientSession

    http = create_mcp_http_client(headers={"Authorization": f"Bearer {key}"})
    async with http, streamable_http_client(f"{base_url}/mcp", http_client=http) as (read, write, _):
        async with ClientSession(read, write) as client:
            welcome = await client.initialize()
            yield client, str(welcome.protocolVersion)


@contextlib.asynccontextmanager
async def second_generation(base_url: str, key: str, era: str) -> AsyncIterator[tuple[Any, str]]:
    """With the key in the address, as people paste it."""
    from mcp import Client

    async with Client(f"{base_url}/mcp/{key}", mode=era) as client:
        yield client, client.protocol_version


def connect(base_url: str, key: str, era: str) -> contextlib.AbstractAsyncContextManager[tuple[Any, str]]:
    return first_generation(base_url, key) if VERSION.startswith("1.") else second_generation(base_url, key, era)


async def be_refused(base_url: str, key: str, era: str) -> None:
    """With a wrong key a person must read why, in so far as the client passes on what it is told."""
    try:
        async with connect(base_url, key[::-1], era):
            raise AssertionError("a wrong key was let in")
    except BaseExceptionGroup as error:
        said = " ".join(str(cause) for cause in causes(error))
    expected = "401 Unauthorized" if VERSION.startswith("1.") else "the API key is not valid"
    assert expected in said, f"with a wrong key the client says: {said}"


async def main(base_url: str, key: str, era: str) -> None:
    await be_refused(base_url, key, era)
    async with connect(base_url, key, era) as (client, protocol):
        assert protocol == PROTOCOLS[era], f"agreed on {protocol}"
        await Conversation(PythonHost(client), key).hold()
    print(f"mcp {VERSION} for Python, protocol {protocol}: a whole conversation")


def causes(error: BaseException) -> list[BaseException]:
    if isinstance(error, BaseExceptionGroup):
        return [cause for inner in error.exceptions for cause in causes(inner)]
    return [error]


try:
    asyncio.run(main(*sys.argv[1:]))
except BaseExceptionGroup as error:
    # The clients run in groups of tasks, whose tracebacks bury what went wrong.
    for cause in causes(error):
        traceback.print_exception(cause)
    sys.exit(1)
