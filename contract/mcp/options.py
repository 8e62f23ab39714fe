"""Options: what a mount may be told about MCP."""

from __future__ import annotations

from typing import Literal, final

from contract._record import record

__all__ = ["Challenge", "McpOptions"]

Challenge = Literal["call", "connect"]
"""When a token is asked for: at the call of a tool that needs one, or at every request."""


@final
@record(kw_only=True)
class McpOptions:
    """
    The options of an MCP endpoint; `contract.options.Options` checks what a mount was told, and the service hands it on.

    Attributes:
        origins: Pages that may call, beside those on a loopback address, which always may.
        headers: What pages may send beside the headers of MCP and of calls; names in lower case.
        challenge: "call" leaves the list of tools, and the tools that need no token, open to everybody;
            "connect" asks every request for a token, where the spec has a route that needs one.
        authorization_servers: Where tokens come from (RFC 9728), where clients are to be told.
        page_size: Tools in one answer to ``tools/list``; many clients ask for no second one.
    """

    origins: tuple[str, ...] = ()
    headers: tuple[str, ...] = ()
    challenge: Challenge = "call"
    authorization_servers: tuple[str, ...] = ()
    page_size: int = 1000
