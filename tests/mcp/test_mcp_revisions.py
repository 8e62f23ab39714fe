"""Revisions: the one that a message is in, and the headers that mirror it."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from typing import Any

from contract.mcp import envelope, revisions
from tests.tables import rows

MODERN = revisions.REVISIONS["2026-07-28"]


def request(
    method: str = "tools/list", meta: Mapping[str, Any] | None = None, **params: Any
) -> envelope.Message:
    given = params if meta is None else {"_meta": dict(meta), **params}
    return envelope.Message(envelope.Kind.REQUEST, b"1", method, given)


def said(header: str | None = None, **meta: Any) -> str | tuple[int, Any]:
    """The version that is found, or code and data of the problem."""
    meta_of = {revisions.VERSION: meta["version"]} if meta else None
    headers = {} if header is None else {"mcp-protocol-version": header}
    found = revisions.revision_of(request(meta=meta_of), headers.get)
    return (found.code, found.data) if isinstance(found, envelope.Problem) else found.version


def test_the_table_goes_from_the_oldest_to_the_newest() -> None:
    assert [*revisions.REVISIONS] == [
        "2024-11-05",
        "2025-03-26",
        "2025-06-18",
        "2025-11-25",
        "2026-07-28",
    ]
    assert revisions.NEWEST_FIRST[0] == "2026-07-28"
    assert revisions.LATEST_HANDSHAKE.version == "2025-11-25"


@rows("version", *revisions.REVISIONS)
def test_a_revision_is_named_by_header_or_meta_or_both(version: str) -> None:
    assert said(version) == version
    assert said(f" {version}\t") == version
    assert said(version=version) == version
    assert said(version, version=version) == version


def test_who_says_nothing_is_assumed_to_be_old() -> None:
    assert said() == "2025-03-26"


def test_an_unknown_version_is_answered_with_the_known_ones() -> None:
    known = ["2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"]
    data = {"supported": known, "requested": "1900-01-01"}

    assert said("1900-01-01") == (envelope.UNSUPPORTED_VERSION, data)
    assert said("1900-01-01", version="1900-01-01") == (envelope.UNSUPPORTED_VERSION, data)
    assert said("") == (envelope.UNSUPPORTED_VERSION, {**data, "requested": ""})
    assert said("x" * 9000) == (envelope.UNSUPPORTED_VERSION, {**data, "requested": "x" * 64})


@rows("version", None, 3, ["2026-07-28"])
def test_a_version_is_a_text(version: object) -> None:
    assert said("2026-07-28", version=version) == (envelope.INVALID_PARAMS, None)


def test_header_and_meta_say_the_same() -> None:
    assert said("2025-11-25", version="2026-07-28") == (envelope.HEADER_MISMATCH, None)
    assert said("2026-07-28, 2026-07-28", version="2026-07-28") == (envelope.HEADER_MISMATCH, None)


def code_of(message: envelope.Message, headers: Mapping[str, str]) -> int | None:
    problem = revisions.check_request(message, headers.get, MODERN)
    return None if problem is None else problem.code


FULL = {revisions.VERSION: MODERN.version, revisions.CAPABILITIES: {}}
HEADERS = {"mcp-protocol-version": MODERN.version, "mcp-method": "tools/list"}


def test_handshake_requests_need_neither_meta_nor_headers() -> None:
    assert (
        revisions.check_request(
            request(), {"mcp-method": "other"}.get, revisions.REVISIONS["2025-11-25"]
        )
        is None
    )


def test_a_whole_request_has_no_problem() -> None:
    assert code_of(request(meta=FULL), HEADERS) is None
    padded = {**HEADERS, "mcp-method": " tools/list ", "mcp-name": "whatever"}
    assert code_of(request(meta=FULL), padded) is None


NO_CAPABILITIES: list[Any] = [
    {**FULL, revisions.CAPABILITIES: None},
    {**FULL, revisions.CAPABILITIES: 1},
]
HALF: list[Any] = [None, {}, {revisions.VERSION: MODERN.version}, {revisions.CAPABILITIES: {}}]


@rows("meta", *HALF, *NO_CAPABILITIES)
def test_each_key_of_meta_is_needed(meta: Mapping[str, Any] | None) -> None:
    problem = revisions.check_request(request(meta=meta), HEADERS.get, MODERN)

    assert problem is not None
    assert problem.code == envelope.INVALID_PARAMS
    assert "clientCapabilities" in problem.message or "protocolVersion" in problem.message


@rows(
    "headers",
    {}, {"mcp-protocol-version": MODERN.version}, {"mcp-method": "tools/list"},
    {**HEADERS, "mcp-method": "tools/call"}, {**HEADERS, "mcp-method": "Tools/List"},
)  # fmt: skip
def test_each_header_is_needed(headers: Mapping[str, str]) -> None:
    assert code_of(request(meta=FULL), headers) == envelope.HEADER_MISMATCH


def encoded(text: str) -> str:
    return f"=?base64?{base64.b64encode(text.encode()).decode()}?="


@rows(
    "header, name, fits",
    ("order", "order", True),
    ("\torder ", "order", True),
    ("Order", "order", False),
    (None, "order", False),
    (encoded("order"), "order", True),
    (encoded("Grüße"), "Grüße", True),
    (encoded(" padded "), " padded ", True),
    (encoded("=?base64?literal?="), "=?base64?literal?=", True),
    ("=?base64?literal?=", "=?base64?literal?=", False),
    ("=?base64?!!!!?=", "order", False),
    ("=?base64?/w==?=", "order", False),
    ("=?base64?=", "", True),
    ("=?base64?é?=", "é", False),
    ("é", "é", False),
    ("=?BASE64?b3JkZXI=?=", "order", False),
    ("anything", 3, True),
)
def test_a_call_names_its_tool_in_a_header_too(
    header: str | None, name: object, fits: bool
) -> None:
    headers = {**HEADERS, "mcp-method": "tools/call"}
    if header is not None:
        headers["mcp-name"] = header

    found = code_of(request("tools/call", FULL, name=name), headers)
    assert found == (None if fits else envelope.HEADER_MISMATCH)


@rows(
    "info, name",
    ({"name": "inspector", "version": "1.2"}, "inspector 1.2"),
    ({"name": "inspector"}, "inspector"),
    ({"name": "x" * 100, "version": "y" * 100}, f"{'x' * 64} {'y' * 64}"),
    ({"name": 3}, None),
    ({}, None),
    (None, None),
    ("inspector", None),
)
def test_a_client_is_called_what_it_says(info: object, name: str | None) -> None:
    assert revisions.client_name(info) == name
