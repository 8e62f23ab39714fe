"""
Contracts and servers that mean harm: what is generated of the ones, and what is said of the others.
"""

from __future__ import annotations

import socket
import sys
import time
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from types import FrameType
from typing import Any, Final

import pytest

from contract.cli import main
from contract.codegen.package import Package, package_of
from contract.codegen.python import python_client
from contract.codegen.typescript import typescript_client
from contract.document.contract_json import dump_contract, load_contract
from contract.shape.exceptions import GenerationError
from contract.testing import Client
from contract.testing.mock import MockService
from tests.client_servers import Handle, Server, once, serving
from tests.codegen_documents import NOTHING, closed, document, ref, route

Json = dict[str, Any]

TEXT: Json = {"type": "string"}
BASE64 = "^([A-Za-z0-9+/]{4})*([A-Za-z0-9+/][AQgw]==|[A-Za-z0-9+/]{2}[AEIMQUYcgkosw048]=)?$"


def package(output: Json, **defs: Json) -> Package:
    told = document(route(input=NOTHING, output=output), defs=defs)
    return package_of(load_contract(dump_contract(told)))


def array(of: Json, kind: str | None = None) -> Json:
    return {"type": "array", "items": of, **({"x-contract-type": kind} if kind else {})}


def a_set(of: Json, kind: str = "set") -> Json:
    return {**array(of, kind), "uniqueItems": True}


def named_tuple(*positions: Json) -> Json:
    told = {"type": "array", "x-contract-type": "namedtuple", "prefixItems": [*positions]}
    return {**told, "items": False, "minItems": len(positions), "maxItems": len(positions)}


# What has no hash.


UNHASHABLE: Final[list[Json]] = [
    *({}, array(TEXT), {"type": "object", "additionalProperties": TEXT}),
    *(a_set(TEXT), a_set({}, "frozenset"), array({}, "tuple")),
    {"type": "array", "prefixItems": [{}], "items": False, "minItems": 1},
    *({"anyOf": [array(TEXT), {"type": "null"}]}, {"anyOf": [TEXT, array(TEXT)]}),
    *(ref("Alias"), array(ref("Positions"), "tuple")),
]


@pytest.mark.parametrize("item", UNHASHABLE)
def test_sets_of_what_has_no_hash_are_refused(item: Json) -> None:
    position = {"type": "object", "additionalProperties": TEXT, "x-contract-name": "first"}
    with pytest.raises(GenerationError, match=r"\$\.routes\.do\.output.*: a set cannot hold"):
        package(a_set(item, "frozenset"), Alias=array(TEXT), Positions=named_tuple(position))


HASHABLE: Final[list[Json]] = [
    *(TEXT, a_set(TEXT, "frozenset"), array(TEXT, "tuple"), closed(of=array(TEXT))),
    *({"anyOf": [ref("Alias"), {"type": "null"}]}, array(ref("Alias"), "tuple")),
]


@pytest.mark.parametrize("item", HASHABLE)
def test_sets_of_everything_else_are_generated_and_mocked(item: Json) -> None:
    found = package(a_set(item), Alias=array(ref("Alias"), "tuple"))
    compile(python_client(found), "client", "exec")
    MockService(found)


# Names.


@pytest.mark.parametrize("word", ["class", "if", "in", "return", "let", "static"])
def test_positions_of_tuples_have_no_labels_that_no_parser_takes(word: str) -> None:
    positions = [{**TEXT, "x-contract-name": name} for name in ("first", word)]
    of = named_tuple(*positions)
    assert "export type Both = [string, string];" in typescript_client(
        package(ref("Both"), Both=of)
    )


# Cost.


def calls_of(run: Callable[[], object]) -> int:
    count = 0

    def note(_: FrameType, event: str, __: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        run()
    finally:
        sys.setprofile(before)
    return count


def chain(length: int) -> Package:
    names = [f"T{index:04}" for index in range(length)]
    defs = {name: array(ref(after)) for name, after in pairwise(names)}
    return package(ref(names[0]), **defs, **{names[-1]: TEXT})


def test_chains_of_aliases_cost_what_their_length_is() -> None:
    short, long = (chain(length) for length in (100, 400))
    assert calls_of(lambda: python_client(long)) < 6 * calls_of(lambda: python_client(short))


def test_aliases_in_a_circle_are_still_found() -> None:
    of = array(ref("B"))
    back = array(ref("A"))
    text = python_client(package(ref("C"), A=of, B=back, C=array(ref("A"))))
    compile(text, "client", "exec")
    assert '"A"' in text or "'A'" in text


# Mocks.


def test_mocks_do_not_make_up_bytes_without_end() -> None:
    base64 = {"type": "string", "contentEncoding": "base64", "pattern": BASE64}
    of = {**base64, "x-contract-type": "bytes", "x-contract-min-bytes": 3 * 10**9}
    with pytest.raises(GenerationError, match="larger than a mock makes them"):
        MockService(package({**of, "minLength": 4 * 10**9}))


def test_mocks_answer_with_types_that_lead_as_deeply_as_they_like() -> None:
    reply = Client(MockService(chain(3000))).call("do", None)

    assert (reply.status, reply.body) == (200, b"[[[[]]]]")


# Servers.


@pytest.mark.parametrize("command", [("call", "r", "--url"), ("generate", "-o", "api.py")])
def test_a_status_line_is_nothing_that_a_terminal_obeys(
    command: tuple[str, ...],
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    with serving(once(b"\x1b]0;pwned\x07\xc2\x9b31m\r\n\r\n")) as server:
        assert main([*command, server.url]) == 3
    told = capsys.readouterr().err
    assert "pwned" in told
    assert all(char.isprintable() or char == "\n" for char in told)


def endless(server: Server, connection: socket.socket) -> None:
    server.read(connection)
    while True:
        connection.sendall(b"HTTP/1.1 100 Continue\r\n\r\n")


def in_drops(server: Server, connection: socket.socket) -> None:
    server.read(connection)
    connection.sendall(b"HTTP/1.1 200 OK\r\n\r\n")
    while not server.over.wait(0.01):
        connection.sendall(b" ")


@pytest.mark.parametrize("answer", [endless, in_drops])
def test_a_call_ends_in_time_whatever_comes(
    answer: Handle, capsys: pytest.CaptureFixture[str]
) -> None:
    began = time.monotonic()
    with serving(answer) as server:
        assert main(["call", "r", "--url", server.url, "--timeout", "0.3"]) == 3
        assert time.monotonic() - began < 5
    assert "cannot fetch" in capsys.readouterr().err
