"""``contract fuzz`` of routes that give streams, in this process and by URL."""

from __future__ import annotations

from itertools import count
from pathlib import Path
from typing import Any

import pytest

from contract import Stream, emit_contract, route, spec
from contract.adapters.mount import service_of
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
