"""
Revisions: the revisions of the protocol that are spoken, and all that tells one from another.

There are two eras. In the handshake era a client says ``initialize`` first, and later names the
revision in a header, or not at all. In the modern era there is no handshake: every request names
its revision in ``_meta`` and in headers. A later revision is one more entry of `REVISIONS`; nothing
else asks for the date of a revision.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, final

from contract.mcp.envelope import INVALID_PARAMS, METHOD_NOT_FOUND
from contract.shape.record import record

__all__ = ["ASSUMED", "LATEST_HANDSHAKE", "NEWEST_FIRST", "REVISIONS", "Revision"]


@final
@record(kw_only=True)
class Revision:
    """A revision of the protocol."""

    version: str
    """As it stands in headers and in ``_meta``."""
    handshake: bool
    """
    It has ``initialize``; else every request says for itself who asks, and mirrors its method and
    name in headers.
    """
    methods: frozenset[str]
    """The requests that are answered."""
    wraps: bool
    """Structured content is an object: what is none stands in ``{"result": ...}``."""
    result_type: str | None
    """What every result says of itself, where it has to."""
    ttl_ms: int | None
    """How long lists may be kept, where results say so; with it goes for whom."""
    disconnect_cancels: bool
    """
    A client that goes away has cancelled its request; else it may lose its connection, and the
    request goes on.
    """
    batches: bool
    """Several messages may come in one body."""
    names_server: bool
    """Every result says who gave it, since nobody was introduced."""
    statuses: Mapping[int, int]
    """JSON-RPC code -> HTTP status, where it is not the usual one."""


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
    _handshake("2025-03-26", batches=True),  # a MUST that was taken back in the next
    _handshake("2025-06-18"),
    _handshake("2025-11-25"),
    Revision(
        version="2026-07-28",
        handshake=False,
        methods=frozenset({"server/discover", "tools/list", "tools/call"}),
        wraps=False,
        result_type="complete",
        ttl_ms=300_000,  # a list changes with a deployment alone
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
"""The versions, as they are offered."""

LATEST_HANDSHAKE: Final = next(
    REVISIONS[version] for version in NEWEST_FIRST if REVISIONS[version].handshake
)
"""What ``initialize`` answers to a client that asks for one that it cannot have."""

ASSUMED: Final = REVISIONS["2025-03-26"]
"""Of a request that does not say (2025-11-25, basic/transports, "Protocol Version Header")."""
