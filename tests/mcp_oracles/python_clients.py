"""
The Python clients, `mcp` 2 and `fastmcp` 4, as run.py beside this file asks them: what each says of an endpoint, as a line of JSON.

::

    python python_clients.py URL TOKEN URL_OF_PROGRESS
"""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, Final

# all of these live beside the project's own environment
import fastmcp  # type: ignore[import-not-found]
import mcp  # type: ignore[import-not-found]
from fastmcp.client.transports import StreamableHttpTransport  # type: ignore[import-not-found]
from mcp.client.streamable_http import create_mcp_http_client, streamable_http_client  # type: ignore[import-not-found]

MODES: Final = ("auto", "legacy", "2026-07-28")
ORDER: Final = {
    "lines": [{"product_id": "squared-notebook", "quantity": 1}],
    "payment": {"kind": "cash"},
}


async def said(client: Any, **calling: Any) -> dict[str, Any]:
    """What a client that is connected sees; either library's."""

    async def call(name: str, arguments: dict[str, Any]) -> Any:
        try:
            result = await client.call_tool(name, arguments, **calling)
        except Exception as exception:
            return {"refused": f"{type(exception).__name__}: {exception}"}
        told = getattr(result, "structured_content", None)
        return {
            "failed": result.is_error,
            "data": told,
            "texts": [block.text for block in result.content],
        }

    listed = await client.list_tools()
    return {
        "revision": client.protocol_version,
        "server": None if client.server_info is None else client.server_info.name,
        "instructions": client.instructions,
        "tools": [tool.name for tool in getattr(listed, "tools", listed)],
        "product": await call("get_product", {"id": "blue-mug"}),
        "missing": await call("get_product", {"id": "no-mug"}),
        "invalid": await call("get_product", {"id": 3}),
        "order": await call("place_order", ORDER),
        "orders": await call("list_orders", {"filter": {}}),
        "unknown": await call("sales_report", {}),
    }


@asynccontextmanager
async def _official(url: str, token: str | None, mode: str) -> AsyncIterator[Any]:
    async with (
        create_mcp_http_client(
            headers={} if token is None else {"Authorization": f"Bearer {token}"}
        ) as http,
        mcp.Client(streamable_http_client(url, http_client=http), mode=mode) as client,
    ):
        yield client


async def heard(client: Any, listening: str, **calling: Any) -> dict[str, Any]:
    """How far a call has told to be, and a stream; what the two libraries call whoever listens differs."""
    told: list[float] = []
    items: list[str | None] = []

    async def listen(done: float, _total: float | None, _message: str | None) -> None:
        told.append(done)

    async def take(_done: float, _total: float | None, message: str | None) -> None:
        items.append(message)

    await client.call_tool("test_tool_with_progress", {}, **{listening: listen})
    result = await client.call_tool("counted", {}, **{listening: take}, **calling)
    stream = {"failed": result.is_error, "items": items, "data": result.structured_content}
    return {"progress": told, "stream": stream}


async def main(url: str, token: str, url_of_progress: str) -> dict[str, Any]:
    answers: dict[str, Any] = {}
    for mode in MODES:
        for given in (None, token):
            name = f"{mode}, {'without' if given is None else 'with'} a token"
            async with _official(url, given, mode) as client:
                answers[f"mcp {name}"] = await said(client)
            transport = StreamableHttpTransport(url, auth=given)
            async with fastmcp.Client(transport, mode=mode) as fast:
                answers[f"fastmcp {name}"] = await said(fast, raise_on_error=False)
        async with mcp.Client(url_of_progress, mode=mode) as client:
            answers[f"mcp {mode}, progress"] = await heard(client, "progress_callback")
        async with fastmcp.Client(url_of_progress, mode=mode) as fast:
            answers[f"fastmcp {mode}, progress"] = await heard(
                fast, "progress_handler", raise_on_error=False
            )
    return answers


if __name__ == "__main__":
    print(json.dumps(asyncio.run(main(*sys.argv[1:]))))
