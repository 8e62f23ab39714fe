"""
A tool's call in-process, against the same route over HTTP: ``python -m bench.mcp``.

CPU time, contenders interleaved in turns, ratios of medians.
"""

from __future__ import annotations

import asyncio
import logging
import statistics
import time
from typing import Any, Final

import falcon
import falcon.asgi
import orjson

from bench import work
from bench.wire import environ, scope
from contract import mount_spec
from contract.adapters.asgi import AsgiApp
from contract.adapters.wsgi import WsgiApp

ROUNDS: Final = 41
COUNT: Final = 400
MODERN: Final = "2026-07-28"
CLIENT: Final = {"name": "bench", "version": "1.0"}
BUDGET: Final = 2.5


def message(name: str, body: bytes, *, modern: bool) -> bytes:
    params: dict[str, Any] = {"name": name, "arguments": orjson.loads(body)}
    if modern:
        prefix = "io.modelcontextprotocol/"
        params["_meta"] = {
            prefix + "protocolVersion": MODERN,
            prefix + "clientCapabilities": {},
            prefix + "clientInfo": CLIENT,
        }
    return orjson.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params})


def headers(kind: str, name: str) -> dict[str, str]:
    if kind == "http":
        return {}
    accept = {"accept": "application/json, text/event-stream"}
    if kind == "handshake":
        return {**accept, "mcp-protocol-version": "2025-11-25"}
    return {**accept, "mcp-protocol-version": MODERN, "mcp-method": "tools/call", "mcp-name": name}


KINDS: Final = ("http", "handshake", "modern")


def request(kind: str, name: str) -> tuple[str, bytes, dict[str, str]]:
    """The path below the prefix, the body and more headers."""
    body = {"small": work.SMALL_BODY, "fresh": work.FRESH_BODY}[name]
    if kind == "http":
        return name, body, headers(kind, name)
    return "mcp", message(name, body, modern=kind == "modern"), headers(kind, name)


def environ_of(kind: str, name: str) -> dict[str, Any]:
    return environ(*request(kind, name))


def scope_of(kind: str, name: str) -> dict[str, Any]:
    return scope(*request(kind, name))


def seen(body: bytes, kind: str) -> None:
    """See that it is what it should be."""
    found = orjson.loads(body)
    if kind in ("handshake", "modern") and "structuredContent" not in found.get("result", {}):
        raise RuntimeError(body)


def start_response(status: str, _headers: Any) -> None:
    if status != "200 OK":
        raise RuntimeError(status)


def time_wsgi(app: Any, kind: str, name: str) -> float:
    environs = [environ_of(kind, name) for _ in range(COUNT)]
    seen(b"".join(app(environ_of(kind, name), start_response)), kind)
    begin = time.process_time()
    for each in environs:
        app(each, start_response)
    return (time.process_time() - begin) / COUNT


async def time_asgi(app: Any, kind: str, name: str) -> float:
    scopes = [scope_of(kind, name) for _ in range(COUNT)]
    event = {"type": "http.request", "body": request(kind, name)[1], "more_body": False}
    sent: list[Any] = []

    async def receive() -> Any:
        return event

    async def first(part: Any) -> None:
        sent.append(part)

    async def send(part: Any) -> None:
        pass

    await app(scope_of(kind, name), receive, first)
    seen(sent[1]["body"], kind)
    begin = time.process_time()
    for each in scopes:
        await app(each, receive, send)
    return (time.process_time() - begin) / COUNT


def main() -> None:
    logging.getLogger("contract").setLevel(logging.ERROR)
    loop = asyncio.new_event_loop()
    api = work.api(inline=True)
    wsgi = WsgiApp(mount_spec(falcon.App(), api, prefix="/v1").service)
    asgi = AsgiApp(mount_spec(falcon.asgi.App(), api, prefix="/v1").service)
    for name in ("small", "fresh"):
        for surface in ("WSGI", "ASGI"):
            times: dict[str, list[float]] = {kind: [] for kind in KINDS}
            for _ in range(ROUNDS if name == "small" else ROUNDS // 4):
                for kind in KINDS:
                    each = (
                        time_wsgi(wsgi, kind, name)
                        if surface == "WSGI"
                        else loop.run_until_complete(time_asgi(asgi, kind, name))
                    )
                    times[kind].append(each)
            medians = {kind: statistics.median(found) for kind, found in times.items()}
            print(f"\n{surface}, {name.upper()} (budget: {BUDGET} x the route over HTTP)")
            for kind, median in medians.items():
                print(
                    f"  {kind:<12}{median * 1e6:8.2f} us   {median / medians['http']:5.2f} x http"
                )
    loop.close()


if __name__ == "__main__":
    main()
