"""
Negotiation: which revision a message is in, and whether its headers agree with it.

A message says so in ``_meta``, in a header, or not at all. Whoever reads headers alone (a gateway)
and whoever reads the body alone must come to the same conclusion, so where both say something they
have to say the same.
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Callable
from typing import Any, Final

from contract.mcp.envelope import (
    HEADER_MISMATCH,
    INVALID_PARAMS,
    UNSUPPORTED_VERSION,
    Message,
    Problem,
)
from contract.mcp.revisions import ASSUMED, NEWEST_FIRST, REVISIONS, Revision
from contract.shape.json_text import kind_of
from contract.shape.quoting import one_line, sent_back

__all__ = [
    "CAPABILITIES",
    "CLIENT",
    "LONGEST",
    "VERSION",
    "Header",
    "check_request",
    "client_name",
    "revision_of",
    "takes_batches",
]

Header = Callable[[str], str | None]
"""Gives a header of the request by its name in lower case."""

VERSION: Final = "io.modelcontextprotocol/protocolVersion"
CAPABILITIES: Final = "io.modelcontextprotocol/clientCapabilities"
CLIENT: Final = "io.modelcontextprotocol/clientInfo"

_VERSION_HEADER: Final = "mcp-protocol-version"
LONGEST: Final = 64
"""Characters of a version or a name that are sent back, or logged."""


def revision_of(message: Message, header: Header) -> Revision | Problem:
    """The revision that *message* is in."""
    sent = header(_VERSION_HEADER)
    claimed: object = message.meta.get(VERSION, sent)
    if sent is not None and sent == claimed and sent in REVISIONS:
        return REVISIONS[sent]  # nearly always
    sent = _trimmed(sent)
    claimed = message.meta.get(VERSION, sent)
    if claimed is None and VERSION not in message.meta:
        return ASSUMED
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
    """Whether a body may be a batch, as far as the headers say; where they say nothing, it may."""
    sent = _trimmed(header(_VERSION_HEADER))
    revision = ASSUMED if sent is None else REVISIONS.get(sent)
    return revision is not None and revision.batches


def check_request(message: Message, header: Header, revision: Revision) -> Problem | None:
    """
    What is wrong with a request of *revision* beside its method and params, if anything is.

    That a capability is missing (-32021) is never said. It is said where a request cannot be done
    without one that the client has not declared (2026-07-28, basic/index, "Per-request protocol
    fields"); there are sampling, elicitation, roots and extensions, all of which are for what a
    server asks of its client, or gives it in another form. A tool here asks its client nothing, so
    none is ever needed.
    """
    if revision.handshake:
        return None
    meta = message.meta
    if VERSION not in meta or CAPABILITIES not in meta:
        return Problem(
            INVALID_PARAMS,
            f"params._meta lacks {' and '.join(key for key in (VERSION, CAPABILITIES) if key not in meta)}.",
        )
    if not isinstance(meta[CAPABILITIES], dict):
        return Problem(INVALID_PARAMS, f"_meta[{CAPABILITIES!r}] is not an object.")
    if header(_VERSION_HEADER) is None:
        return Problem(HEADER_MISMATCH, "The header MCP-Protocol-Version is missing.")
    method = header("mcp-method")
    if method != message.method and _trimmed(method) != message.method:
        return _mismatch("Mcp-Method", "the method")
    name: object = message.params.get("name")
    # where it is no text, the method itself says so
    if (
        message.method == "tools/call"
        and isinstance(name, str)
        and _decoded(header("mcp-name")) != name
    ):
        return _mismatch("Mcp-Name", "params.name")
    return None


def _mismatch(header: str, place: str) -> Problem:
    return Problem(
        HEADER_MISMATCH, f"The header {header} is missing, or does not say what {place} says."
    )


def _trimmed(value: str | None) -> str | None:
    return None if value is None else value.strip(" \t")


def _decoded(value: str | None) -> str | None:
    """A header's value, which may be base64 (2026-07-28, basic/transports/streamable-http, "Value Encoding"); None for what is neither."""
    value = _trimmed(value)
    if value is None or not value.isascii():
        return None
    if not (value.startswith("=?base64?") and value.endswith("?=")):
        return value
    try:
        return base64.b64decode(value[len("=?base64?") : -len("?=")], validate=True).decode()
    except (binascii.Error, UnicodeDecodeError):
        return None


def client_name(info: Any) -> str | None:
    """What a client says it is, for the log: its name, and its version where it has one."""
    if kind_of(info) is not dict or kind_of(info.get("name")) is not str:
        return None
    name, version = one_line(info["name"], LONGEST), info.get("version")
    return f"{name} {one_line(version, LONGEST)}" if kind_of(version) is str else name
