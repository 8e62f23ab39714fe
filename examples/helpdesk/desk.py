"""Desk: what agents do, and what the head of the desk looks at."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from annotated_types import Ge, Len
from sqlalchemy import func, select

from contract import Failure, NotFound, group, requires, route, routes
from examples.helpdesk.database import PersonRow, TicketRow, session
from examples.helpdesk.people import User
from examples.helpdesk.tickets import Closed, Ticket, TicketRef, audited, shown, visible

__all__ = ["Assignment", "NoAgent", "Report", "assign", "close", "desk", "report"]


class NoAgent(Failure, status=422):
    """There is no agent of this name."""


@dataclass(frozen=True, slots=True)
class Assignment:
    """Who is to work on a ticket."""

    id: Annotated[int, Ge(1)]
    """Of the ticket."""
    agent: Annotated[str, Len(1, 40)]


@dataclass(frozen=True, slots=True)
class Report:
    """How much there is to do."""

    open: int
    closed: int
    unassigned: int


@route(summary="Assign a ticket", tags=["tickets"], effect="idempotent", mcp=True)
async def assign(input: Assignment, user: User) -> Ticket | NoAgent | Closed | NotFound:
    """Give a ticket to an agent."""
    db = await session()
    row = await visible(db, input.id, user)
    if row is None:
        return NotFound()
    if row.status == "closed":
        return Closed()
    row.assigned_to = input.agent
    agent = await db.get(PersonRow, input.agent)
    if agent is None or "tickets:work" not in agent.scopes.split():
        return NoAgent()  # a failure that is returned rolls back, so nobody has the ticket
    return shown(row)


@route(summary="Close a ticket", tags=["tickets"], effect="idempotent", mcp=True)
async def close(input: TicketRef, user: User) -> Ticket | NotFound:
    """Close a ticket; closing it twice is the same as once."""
    row = await visible(await session(), input.id, user)
    if row is None:
        return NotFound()
    row.status = "closed"
    return shown(row)


@route(
    summary="Count tickets",
    tags=["reports"],
    auth=requires("reports:read"),
    effect="read",
)
async def report(_input: None, _user: User) -> Report:
    """Count the tickets by what is to be done."""
    db = await session()
    count = select(func.count()).select_from(TicketRow)
    is_open = count.where(TicketRow.status == "open")
    return Report(
        open=await db.scalar(is_open) or 0,
        closed=await db.scalar(count.where(TicketRow.status == "closed")) or 0,
        unassigned=await db.scalar(is_open.where(TicketRow.assigned_to.is_(None))) or 0,
    )


desk = group(
    "desk",
    routes=routes(assign, close, report),
    tags=["desk"],
    auth=requires("tickets:work"),
    hooks=[audited],
)
