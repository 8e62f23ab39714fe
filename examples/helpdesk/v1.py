"""
The first version, for those who have not moved yet.

Its tickets have no priority, and no comments. It stands on the same tables as the second one.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime
from typing import Annotated, Final

from annotated_types import Len

from contract import Deprecated, Meta, NotFound, Spec, group, hooks, route, routes, spec
from examples.helpdesk import tickets
from examples.helpdesk.database import engine, ping
from examples.helpdesk.people import User, user_of

__all__ = ["NewTicket", "Ticket", "api"]

LEAVES: Final = Deprecated(since=date(2026, 6, 1), remove_on=date(2027, 6, 1))


@dataclass(frozen=True, slots=True)
class NewTicket:
    """A ticket that is to be opened."""

    title: Annotated[str, Len(1, 200)]
    text: Annotated[str, Len(1, 10_000)]


@dataclass(frozen=True, slots=True)
class Ticket:
    """A ticket."""

    id: int
    title: str
    open: bool
    opened_at: datetime


@route(
    summary="Open a ticket", tags=["tickets"], hooks=hooks(tickets.not_too_many), deprecated=LEAVES
)
async def create(input: NewTicket, user: User) -> Ticket:
    """Open a ticket of normal priority."""
    # a route that is called as a function runs no hooks, so this one has its own
    return _as_before(await tickets.create(tickets.NewTicket(input.title, input.text), user))


@route(summary="Get a ticket", tags=["tickets"], effect="read", deprecated=LEAVES)
async def get(input: tickets.TicketRef, user: User) -> Ticket | NotFound:
    """Give one ticket."""
    found = await tickets.get(input, user)
    return found if isinstance(found, NotFound) else _as_before(found)


def _as_before(ticket: tickets.Ticket) -> Ticket:
    return Ticket(ticket.id, ticket.title, ticket.status == "open", ticket.opened_at)


api: Spec[User] = spec(
    authenticate=user_of,
    routes=routes(group("tickets", routes=routes(create, get), hooks=[tickets.audited])),
    meta=Meta(title="Helpdesk", version="1.4.0", intro="The first version; use the second."),
    resources=[engine],
    ready=[ping],
)
