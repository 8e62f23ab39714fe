"""
The tools that scenarios of the MCP conformance suite ask for, where a contract can be their tool.

Their names and what they do are the suite's; ``counted`` is there for the clients of
tests/mcp_oracles. What it asks for beside tools (resources, prompts,
sampling, elicitation, logging) is in the baselines beside this file, with the reason.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from contract import UNSET, Failure, Meta, Stream, Unset, progress, route, spec

__all__ = ["api"]


class AlwaysFails(Failure, status=409):
    """What a tool gives that is there to fail."""

    message: str = "This tool intentionally returns an error for testing"


@dataclass(frozen=True, slots=True)
class Address:
    """Where somebody lives."""

    street: str | Unset = UNSET
    city: str | Unset = UNSET


@dataclass(frozen=True, slots=True)
class Contact:
    """Somebody, and how to reach them."""

    name: str | Unset = UNSET
    address: Address | Unset = UNSET
    contactMethod: Literal["phone", "email"] | Unset = UNSET  # noqa: N815  the suite's
    phone: str | Unset = UNSET
    email: str | Unset = UNSET


@route(summary="Give a text", tags=["conformance"], auth="none", effect="read", mcp=True)
def simple_text(_input: None, _ctx: None) -> str:
    return "This is a simple text response for testing."


@route(summary="Fail", tags=["conformance"], auth="none", effect="read", mcp=True)
def error_handling(_input: None, _ctx: None) -> AlwaysFails | None:
    return AlwaysFails()


@route(summary="Tell of progress", tags=["conformance"], auth="none", effect="read", mcp=True)
async def tool_with_progress(_input: None, _ctx: None) -> str:
    for done in (0, 50, 100):
        progress(done, 100, f"{done} of 100")
        await asyncio.sleep(0.05)
    return "done"


@route(summary="Count up to a stop", tags=["conformance"], auth="none", effect="read", mcp=True)
def counted(_input: None, _ctx: None) -> Stream[int | AlwaysFails]:
    return Stream(_counting())


def _counting() -> Iterator[int | AlwaysFails]:
    yield 1
    yield 2
    yield AlwaysFails()


@route(summary="Take a contact", tags=["conformance"], auth="none", effect="read", mcp=True)
def json_schema_2020_12_tool(input: Contact, _ctx: None) -> None:
    del input


@route(
    summary="Ask nothing, whoever calls", tags=["conformance"], auth="none", effect="read", mcp=True
)
def streaming_elicitation(_input: None, _ctx: None) -> str:
    return "A server of this kind sends no request to its client."


@route(
    summary="Ask nothing, whatever else is sent",
    tags=["conformance"],
    auth="none",
    effect="read",
    mcp=True,
)
def input_required_result_elicitation(_input: None, _ctx: None) -> str:
    return "Nothing more is needed."


@route(
    summary="Log nothing to the client", tags=["conformance"], auth="none", effect="read", mcp=True
)
def logging_tool(_input: None, _ctx: None) -> str:
    return "What is logged stays with the server."


api = spec(
    routes={
        "test_simple_text": simple_text,
        "test_error_handling": error_handling,
        "test_tool_with_progress": tool_with_progress,
        "counted": counted,
        "json_schema_2020_12_tool": json_schema_2020_12_tool,
        "test_streaming_elicitation": streaming_elicitation,
        "test_input_required_result_elicitation": input_required_result_elicitation,
        "test_logging_tool": logging_tool,
    },
    meta=Meta(title="Conformance", version="1.0.0"),
)
