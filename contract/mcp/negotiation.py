"""
Negotiation: which revision a message is in, and whether its headers agree with it.

A message says so in ``_meta``, in a header, or not at all. Whoever reads headers alone (a gateway) and whoever reads the body alone
must come to the same conclusion, so where both say something they have to say the same.
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Mapping
from typing import Any, Final

from contract.mcp.envelope import HEADER_MISMATCH, INVALID_PARAMS, UNSUPPORTED_VERSION, Message, Problem
from contract.mcp.revisions import ASSUMED, NEWEST_FIRST, REVISIONS, Revision
from contract.pred.report import kind_of

__all__ = ["CAPABILITIES", "CLIENT", "VERSION", "check_request", "client_name", "revision_of"]

VERSION: Final = "io.modelcontextprotocol/protocolVersion"
CAPABILITIES: Final = "io.modelcontextprotocol/clientCapabilities"
CLIENT: Final = "io.modelcontextprotocol/clientInfo"

_VERSION_HEADER: Final = "mcp-protocol-version"
_LONGEST: Final = 64
"""Characters of a version or a name that are sent back, or logged."""


def revision_of(message: Message, headers: Mapping[str, str]) -> Revision | Problem:
    """The revision that *message* is in; *headers* have names in lower case."""
    header = _trimmed(headers.get(_VERSION_HEADER))
    claimed: object = message.meta.get(VERSION, header)
    if claimed is None and VERSION not in message.meta:
        return ASSUMED
    if not isinstance(claimed, str):
        return Problem(INVALID_PARAMS, f"_meta[{VERSION!r}] is not a text.")
    if header is not None and header != claimed:
        return _mismatch("MCP-Protocol-Version", f"_meta[{VERSION!r}]")
    revision = REVISIONS.get(claimed)
    if revision is None:
        data = {"supported": [*NEWEST_FIRST], "requested": claimed[:_LONGEST]}
        return Problem(UNSUPPORTED_VERSION, "Unsupported protocol version", data)
    return revision


def check_request(message: Message, headers: Mapping[str, str], revision: Revision) -> Problem | None:
    """What is wrong with a request of *revision* beside its method and params, if anything is."""
    if revision.handshake:
        return None
    missing = [key for key in (VERSION, CAPABILITIES) if key not in message.meta]
    if missing:
        return Problem(INVALID_PARAMS, f"params._meta lacks {' and '.join(missing)}.")
    if not isinstance(message.meta[CAPABILITIES], dict):
        return Problem(INVALID_PARAMS, f"_meta[{CAPABILITIES!r}] is not an object.")
    if _VERSION_HEADER not in headers:
        return Problem(HEADER_MISMATCH, "The header MCP-Protocol-Version is missing.")
    if _trimmed(headers.get("mcp-method")) != message.method:
        return _mismatch("Mcp-Method", "the method")
    name: object = message.params.get("name")
    # where it is no text, the method itself says so
    if message.method == "tools/call" and isinstance(name, str) and _decoded(headers.get("mcp-name")) != name:
        return _mismatch("Mcp-Name", "params.name")
    return None


def _mismatch(header: str, place: str) -> Problem:
    return Problem(HEADER_MISMATCH, f"The header {header} is missing, or does not say what {place} says.")


def _trimmed(value: str | None) -> str | None:
    return None if value is None else value.strip(" \t")


def _decoded(value: str | None) -> str | None:
    """A header's value, which may be base64 (2026-07-28, basic/transports/streamable-http, "Value Encoding"); None for what is neither."""
    value = _trimmed(value)
    if value is None or not (value.startswith("=?base64?") and value.endswith("?=")):
        return value
    try:
        return base64.b64decode(value[len("=?base64?") : -len("?=")], validate=True).decode()
    except (binascii.Error, UnicodeDecodeError):
        return None


def client_name(info: Any) -> str | None:
    """What a client says it is, for the log: its name, and its version where it has one."""
    if kind_of(info) is not dict or kind_of(info.get("name")) is not str:
        return None
    version = info.get("version")
    return f"{info['name'][:_LONGEST]} {version[:_LONGEST]}" if kind_of(version) is str else info["name"][:_LONGEST]
