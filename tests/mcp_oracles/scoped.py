"""
Notes that a token may read or write, as the oracle of stepping up asks for them.

A token is its scopes in hexadecimal digits: any login server will do.
"""

from __future__ import annotations

from dataclasses import dataclass

from contract import Request, requires, route, routes, spec


@dataclass(frozen=True)
class Caller:
    """Whoever has a token."""

    scopes: frozenset[str]


def caller_of(token: str, request: Request) -> Caller | None:
    """The caller with the scopes that the token is."""
    return Caller(frozenset(bytes.fromhex(token).decode().split()))


@route(summary="Read notes", tags=["notes"], auth=requires("notes:read"), mcp=True)
def read_notes(input: None, ctx: Caller) -> list[str]:
    """Tell which scopes came."""
    return sorted(ctx.scopes)


@route(summary="Write a note", tags=["notes"], auth=requires("notes:write"), mcp=True)
def write_note(input: None, ctx: Caller) -> list[str]:
    """Tell which scopes came."""
    return sorted(ctx.scopes)


api = spec(authenticate=caller_of, routes=routes(read_notes, write_note))
