"""A service whose answers have more than a body, for generated clients."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Literal

from contract import Failure, current_call, route, routes, spec


class Gone(Failure, status=410):
    """It was here once."""

    response: str
    """The name of what clients have of their own."""


@dataclass(frozen=True)
class Visit:
    outcome: Literal["good", "gone", "broken"] = "good"


def answered(outcome: str) -> str | Gone:
    out = current_call().headers_out
    out.set("X-Total", "120")
    out.append("Link", "</a>; rel=next")
    out.append("Link", "</b>; rel=last")
    out.set_cookie("visitor", "v-17", max_age=60)
    out.set_cookie("theme", "dark")
    if outcome == "broken":
        raise RuntimeError(outcome)
    return Gone("yesterday") if outcome == "gone" else outcome


@route(summary="Visit", tags=["t"], auth="none")
def visit(input: Visit, ctx: None) -> str | Gone:
    return answered(input.outcome)


@route(summary="Visit later", tags=["t"], auth="none")
async def visit_later(input: Visit, ctx: None) -> str | Gone:
    await asyncio.sleep(0)
    return answered(input.outcome)


api = spec(routes=routes(visit, visit_later))
