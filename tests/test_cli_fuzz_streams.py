"""``contract fuzz`` of routes that give streams, in this process and by URL."""

from __future__ import annotations

import argparse
import asyncio
import json
from collections.abc import AsyncIterator, Iterator
from itertools import count
from pathlib import Path
from time import sleep
from typing import Any

import pytest

from contract import Stream, emit_contract, route, spec
from contract.adapters.mount import service_of
from contract.cli import options
from contract.testing.waits import STREAM_SECONDS
from tests.cli_inside import run
from tests.client_servers import always, response, serving
from tests.tables import rows
from tests.test_cli_fuzz import serving as served

FEW = ("--max-examples", "5")


def finite() -> Any:
    @route(summary="Chat", tags=["t"], auth="none")
    def chat(input: int, ctx: None) -> Stream[int]:
        return Stream(iter(range(input % 3)))

    return spec(routes=[chat])


def endless() -> Any:
    @route(summary="Chat", tags=["t"], auth="none")
    def chat(input: None, ctx: None) -> Stream[int]:
        return Stream(count())

    return spec(routes=[chat])


@pytest.mark.parametrize("api", [endless(), finite()])
def test_a_server_is_fuzzed_item_by_item(tmp_path: Path, api: Any) -> None:
    with served(service_of(api)) as url:
        done = run("fuzz --url", url, *FEW, cwd=tmp_path)

    assert done.returncode == 0


@rows(
    "sent, told",
    (b"data: 1\n\ndata: 2\n\nevent: end\ndata: {}\n\n", None),
    (b'data: "1"\n\nevent: end\ndata: {}\n\n', "item 1 of its stream is not one that it decl"),
    (b"data: 1\n\n", "its stream is broken off after item 1"),
    (b"data: one\n\n", "which is not a stream"),
)
def test_what_a_server_sends_is_looked_at(tmp_path: Path, sent: bytes, told: str | None) -> None:
    contract = response(emit_contract(endless()))
    refused = response(b'{"error":"VALIDATION_ERROR"}', "400 Bad Request")
    stream = response(sent, content_type="text/event-stream")
    with serving(always(contract, refused, stream)) as server:
        done = run("fuzz --url", server.url, *FEW, cwd=tmp_path)

    found = done.out + done.err
    assert ("stream" in found) is (told is not None)
    assert (told or "") in found


def test_a_stream_here_is_read_up_to_its_twentieth_item(tmp_path: Path) -> None:
    (tmp_path / "chat.py").write_text(
        "from itertools import count\n"
        "from contract import Stream, route, spec\n"
        "@route(summary='Chat', tags=['t'], auth='none')\n"
        "def chat(input: None, ctx: None) -> Stream[int]:\n"
        "    return Stream(count())\n"
        "api = spec(routes=[chat])\n"
    )
    assert run("fuzz chat.py", *FEW, cwd=tmp_path).returncode == 0


WAITS = """
import asyncio
from contract import Stream, route, spec

async def items():
    yield 1
    await asyncio.Event().wait()

@route(summary="Chat", tags=["t"], auth="none")
def chat(input: int, ctx: None) -> Stream[int]:
    return Stream(items())

api = spec(routes=[chat])
"""

SAID = (
    "chat: 5 of its streams were left unfinished (--stream-deadline 0.05); "
    "what came until then was checked, and it was called no more"
)


def test_a_stream_here_that_gives_nothing_for_long_is_left(tmp_path: Path) -> None:
    (tmp_path / "chat.py").write_text(WAITS)
    done = run("fuzz chat.py --stream-deadline 0.3", *FEW, cwd=tmp_path)

    assert done.returncode == 0
    assert SAID.replace("0.05", "0.3") in done.err
    assert "OK 5" in done.out


def test_so_is_one_of_a_server(tmp_path: Path) -> None:
    async def items() -> AsyncIterator[int]:
        yield 1
        await asyncio.sleep(0.5)  # this server can do one thing at a time

    @route(summary="Chat", tags=["t"], auth="none")
    def chat(input: int, ctx: None) -> Stream[int]:
        return Stream(items())

    with served(service_of(spec(routes=[chat]))) as url:
        done = run("fuzz --stream-deadline 0.05 --json --url", url, cwd=tmp_path)

    assert done.returncode == 0
    [known] = json.loads(done.out)["routes"]
    assert (known["left"], known["valid"], known["invalid"]) == (5, 5, 100)


def test_so_is_one_that_gives_little_at_a_time(tmp_path: Path) -> None:
    @route(summary="Chat", tags=["t"], auth="none")
    def chat(input: int, ctx: None) -> Stream[int]:
        def items() -> Iterator[int]:
            for each in count():
                yield each
                sleep(0.02)

        return Stream(items())

    with served(service_of(spec(routes=[chat]))) as url:
        done = run("fuzz --stream-deadline 0.05 --url", url, *FEW, cwd=tmp_path)

    assert done.returncode == 0
    assert SAID in done.err


def test_the_command_waits_as_long_as_a_check() -> None:
    known = argparse.ArgumentParser()
    options.fuzz(known)
    assert known.parse_args([]).stream_seconds == STREAM_SECONDS
