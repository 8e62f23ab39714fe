"""
Revisions of the protocol: how they differ, and which of them a message uses.

There are two eras. In the handshake era a client sends ``initialize`` first, and later names the
revision in a header, or not at all. In the modern era there is no handshake: every request names
its revision in ``_meta`` and in headers. A later revision is one more entry of `REVISIONS`; no
other code depends on the date of a revision.

A reader of headers alone (a gateway) and a reader of the body alone must come to the same
conclusion, so if both name a revision, it must be the same one.
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Final, final

from contract.mcp.envelope import (
    HEADER_MISMATCH,
    INVALID_PARAMS,
    METHOD_NOT_FOUND,
    UNSUPPORTED_VERSION,
    Message,
    Problem,
)
from contract.shape.json_text import kind_of
from contract.shape.quoting import one_line, sent_back
from contract.shape.record import record

__all__ = [
    "CAPABILITIES",
    "CLIENT",
    "LATEST_HANDSHAKE",
    "LONGEST",
    "NEWEST_FIRST",
    "REVISIONS",
    "VERSION",
    "Header",
    "Revision",
    "check_request",
    "client_name",
    "revision_of",
    "takes_batches",
]


@final
@record(kw_only=True)
class Revision:
    """A revision of the protocol."""

    version: str
    """The date, as in headers and in ``_meta``."""
    handshake: bool
    """
    Whether there is ``initialize``.

    Otherwise every request names its client itself, and repeats its method and name in headers.
    """
    methods: frozenset[str]
    """The methods of the requests that are answered."""
    wraps: bool
    """
    Whether structured content must be an object; others are then wrapped as ``{"result": ...}``.
    """
    result_type: str | None
    """The ``resultType`` of every result, if results have one."""
    ttl_ms: int | None
    """How long lists may be cached, if results say so; they then also say for whom."""
    disconnect_cancels: bool
    """Whether a disconnect cancels the request; otherwise the request goes on."""
    batches: bool
    """Whether several messages may come in one body."""
    names_server: bool
    """Whether every result names the server, since no handshake did."""
    statuses: Mapping[int, int]
    """JSON-RPC code -> HTTP status, for those that differ from the usual one."""


def _handshake(version: str, *, batches: bool = False) -> Revision:
    return Revision(
        version=version,
        handshake=True,
        methods=frozenset({"initialize", "ping", "tools/list", "tools/call"}),
        wraps=True,
        result_type=None,
        ttl_ms=None,
        # SHOULD NOT (2025-11-25, basic/transports, "Sending Messages to the Server", 6)
        disconnect_cancels=False,
        batches=batches,
        names_server=False,
        statuses=MappingProxyType({}),
    )


_ALL: Final = (
    _handshake("2024-11-05"),
    _handshake("2025-03-26", batches=True),  # a MUST that the next revision took back
    _handshake("2025-06-18"),
    _handshake("2025-11-25"),
    Revision(
        version="2026-07-28",
        handshake=False,
        methods=frozenset({"server/discover", "tools/list", "tools/call"}),
        wraps=False,
        result_type="complete",
        ttl_ms=300_000,  # only a deployment changes a list
        # a MUST: basic/patterns/cancellation, "Transport-Specific Cancellation"
        disconnect_cancels=True,
        batches=False,
        names_server=True,
        # basic/index "Per-request protocol fields"; basic/transports/streamable-http "Protocol
        # Version Header"
        statuses=MappingProxyType({INVALID_PARAMS: 400, METHOD_NOT_FOUND: 404}),
    ),
)

REVISIONS: Final[Mapping[str, Revision]] = MappingProxyType(
    {revision.version: revision for revision in _ALL}
)
"""Version -> revision, from the oldest to the newest."""

NEWEST_FIRST: Final = tuple(revision.version for revision in reversed(_ALL))
"""The versions, in the order in which they are offered."""

LATEST_HANDSHAKE: Final = next(
    REVISIONS[version] for version in NEWEST_FIRST if REVISIONS[version].handshake
)
"""The revision for a client whose ``initialize`` asks for one that is not available."""

_ASSUMED: Final = REVISIONS["2025-03-26"]
"""The revision of a request that does not name one (2025-11-25, "Protocol Version Header")."""


Header = Callable[[str], str | None]
"""Gives a header of the request by its name in lower case."""

VERSION: Final = "io.modelcontextprotocol/protocolVersion"
CAPABILITIES: Final = "io.modelcontextprotocol/clientCapabilities"
CLIENT: Final = "io.modelcontextprotocol/clientInfo"

_VERSION_HEADER: Final = "mcp-protocol-version"
LONGEST: Final = 64
"""How many characters of a version or a name are sent back, or logged."""


def revision_of(message: Message, header: Header) -> Revision | Problem:
    """The revision of *message*, or the problem if it names an unknown one."""
    sent = header(_VERSION_HEADER)
    claimed: object = message.meta.get(VERSION, sent)
    # the shortest way comes first; everything below also sees to what is wrong
    if sent is not None and sent == claimed and sent in REVISIONS:
        return REVISIONS[sent]
    # white space around the value of a header is no part of it (RFC 9110, section 5.5)
    sent = _trimmed(sent)
    claimed = message.meta.get(VERSION, sent)
    # an explicit null in _meta is not a text, and refused below
    if claimed is None and VERSION not in message.meta:
        return _ASSUMED
    if not isinstance(claimed, str):
        return Problem(INVALID_PARAMS, f"_meta[{VERSION!r}] is not a text.")
    if sent is not None and sent != claimed:
        return _mismatch("MCP-Protocol-Version", f"_meta[{VERSION!r}]")
    revision = REVISIONS.get(claimed)
    if revision is None:
        data = {"supported": [*NEWEST_FIRST], "requested": sent_back(claimed, LONGEST)}
        return Problem(UNSUPPORTED_VERSION, "Unsupported protocol version", data)
    return revision


def takes_batches(header: Header) -> bool:
    """Whether a body may be a batch: only if the headers do not name another revision."""
    sent = _trimmed(header(_VERSION_HEADER))
    if sent is None:
        return _ASSUMED.batches
    revision = REVISIONS.get(sent)
    return revision is not None and revision.batches


def check_request(message: Message, header: Header, revision: Revision) -> Problem | None:
    """
    The problem with the ``_meta`` and the headers of a request of *revision*, if there is one.

    It is never a missing capability (-32021). That is for a request that needs a capability of the
    client which it has not declared (2026-07-28, basic/index, "Per-request protocol fields"):
    sampling, elicitation, roots and extensions. A server needs these to ask its client for
    something, or to give it something in another form; a tool here does neither.
    """
    if revision.handshake:
        return None
    meta = message.meta
    missing = [key for key in (VERSION, CAPABILITIES) if key not in meta]
    if missing:
        return Problem(INVALID_PARAMS, f"params._meta lacks {' and '.join(missing)}.")
    if not isinstance(meta[CAPABILITIES], dict):
        return Problem(INVALID_PARAMS, f"_meta[{CAPABILITIES!r}] is not an object.")
    if header(_VERSION_HEADER) is None:
        return Problem(HEADER_MISMATCH, "The header MCP-Protocol-Version is missing.")
    # as sent in nearly all requests; only another text is worth trimming
    method = header("mcp-method")
    if method != message.method and _trimmed(method) != message.method:
        return _mismatch("Mcp-Method", "the method")
    if message.method == "tools/call":
        name: object = message.params.get("name")
        # a name that is not a string is refused when the tool is looked up
        if isinstance(name, str) and _decoded(header("mcp-name")) != name:
            return _mismatch("Mcp-Name", "params.name")
    return None


def _mismatch(header: str, place: str) -> Problem:
    return Problem(
        HEADER_MISMATCH, f"The header {header} is missing, or does not say what {place} says."
    )


def _trimmed(value: str | None) -> str | None:
    return None if value is None else value.strip(" \t")


def _decoded(value: str | None) -> str | None:
    """
    The text of a header, which may be in base64; None if it is neither text nor base64.

    (2026-07-28, basic/transports/streamable-http, "Value Encoding")
    """
    value = _trimmed(value)
    # only ASCII comes through everywhere (RFC 9110, section 5.5); any other name is in base64
    if value is None or not value.isascii():
        return None
    if not (value.startswith("=?base64?") and value.endswith("?=")):
        return value
    try:
        return base64.b64decode(value[len("=?base64?") : -len("?=")], validate=True).decode()
    except (binascii.Error, UnicodeDecodeError):
        return None


def client_name(info: Any) -> str | None:
    """The name of a client for the log, with its version if it has one."""
    if kind_of(info) is not dict or kind_of(info.get("name")) is not str:
        return None
    name = one_line(info["name"], LONGEST)
    version: Any = info.get("version")
    if kind_of(version) is not str:
        return name
    return f"{name} {one_line(version, LONGEST)}"
