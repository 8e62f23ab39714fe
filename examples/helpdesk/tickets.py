"""Tickets: what customers open and follow."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Annotated, Final, Literal

from annotated_types import Ge, Len
from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncSession

from contract import (
    Call,
    Failure,
    Forbidden,
    NotFound,
    after_commit,
    current_call,
    group,
    hook,
    hooks,
    route,
    routes,
)
from examples.helpdesk.database import AuditRow, CommentRow, TicketRow, session
from examples.helpdesk.people import User

__all__ = [
    "Closed",
    "Comment",
    "NewComment",
    "NewTicket",
    "Priority",
    "Ticket",
    "TicketRef",
    "TooManyOpen",
    "audited",
    "comments",
    "create",
    "find",
    "get",
    "not_too_many",
    "shown",
    "tickets",
    "urgent_by_the_desk",
    "visible",
]

log: Final = logging.getLogger("helpdesk")

MOST_OPEN: Final = 5
"""Tickets that one customer may have open."""

Priority = Literal["low", "normal", "urgent"]
Status = Literal["open", "closed"]


class TooManyOpen(Failure, status=409):
    """So many of your tickets are open; close one first."""

    open: Annotated[int, Ge(1)]


class Closed(Failure, status=409):
    """The ticket is closed."""


@dataclass(frozen=True, slots=True)
class NewTicket:
    """A ticket that is to be opened."""

    title: Annotated[str, Len(1, 200)]
    text: Annotated[str, Len(1, 10_000)]
    priority: Priority = "normal"


@dataclass(frozen=True, slots=True)
class TicketRef:
    """One ticket."""

    id: Annotated[int, Ge(1)]


@dataclass(frozen=True, slots=True)
class NewComment:
    """Something to say about a ticket."""

    id: Annotated[int, Ge(1)]
    """Of the ticket."""
    text: Annotated[str, Len(1, 10_000)]


@dataclass(frozen=True, slots=True)
class Comment:
    """Something that was said about a ticket."""

    author: str
    text: str
    written_at: datetime


@dataclass(frozen=True, slots=True)
class Ticket:
    """A ticket, with what was said about it."""

    id: int
    title: str
    priority: Priority
    status: Status
    opened_by: str
    assigned_to: str | None
    opened_at: datetime
    comments: list[Comment]


@hook
async def audited(call: Call[User]) -> None:
    """Write down who calls: in the transaction of the call, so nothing stands there that was rolled back."""
    db = await session()
    db.add(AuditRow(person=call.ctx.id, route=call.route, request_id=call.request_id))


@hook
async def not_too_many(call: Call[User]) -> TooManyOpen | None:
    """Turn away who has enough open tickets."""
    db = await session()
    mine = (TicketRow.opened_by == call.ctx.id, TicketRow.status == "open")
    count = await db.scalar(select(func.count()).select_from(TicketRow).where(*mine)) or 0
    return None if count < MOST_OPEN else TooManyOpen(open=count)


@hook(inline=True)
def urgent_by_the_desk(call: Call[User, NewTicket]) -> Forbidden | None:
    """Let nobody but the desk call a ticket urgent; it asks for the input, so it runs after it was checked."""
    if call.input.priority == "urgent" and "tickets:work" not in call.ctx.scopes:
        return Forbidden(message="Only the desk opens urgent tickets.")
    return None


@route(
    summary="Open a ticket",
    tags=["tickets"],
    hooks=hooks(not_too_many, urgent_by_the_desk),
    mcp=True,
)
async def create(input: NewTicket, user: User) -> Ticket:
    """Open a ticket; the desk hears of it once it is in the database."""
    db = await session()
    row = TicketRow(
        title=input.title,
        priority=input.priority,
        status="open",
        opened_by=user.id,
        assigned_to=None,
        comments=[CommentRow(author=user.id, text=input.text)],
    )
    db.add(row)
    await db.flush()
    after_commit(log.info, "ticket %s was opened by %s", row.id, user.id)
    current_call().headers_out.set("x-ticket", str(row.id))
    return shown(row)


@route(summary="Get a ticket", tags=["tickets"], effect="read", mcp=True)
async def get(input: TicketRef, user: User) -> Ticket | NotFound:
    """Give one ticket; customers see their own, agents all."""
    row = await visible(await session(), input.id, user)
    return shown(row) if row else NotFound()


@route(summary="List tickets", tags=["tickets"], effect="read", mcp=True)
async def find(_input: None, user: User) -> list[Ticket]:
    """List the tickets that the caller may see, newest first, at most a hundred."""
    db = await session()
    wanted = select(TicketRow).order_by(TicketRow.id.desc()).limit(100)
    if "tickets:work" not in user.scopes:
        wanted = wanted.where(TicketRow.opened_by == user.id)
    return [shown(row) for row in await db.scalars(wanted)]


@route(summary="Comment on a ticket", tags=["comments"], mcp=True)
async def add(input: NewComment, user: User) -> Comment | Closed | NotFound:
    """Say something about a ticket, unless it is closed."""
    db = await session()
    row = await visible(db, input.id, user)
    if row is None:
        return NotFound()
    if row.status == "closed":
        return Closed()
    said = CommentRow(author=user.id, text=input.text)
    row.comments.append(said)
    await db.flush()
    return _said(said)


comments = group("comments", routes=routes(add))
tickets = group("tickets", routes=routes(create, get, find, comments), hooks=[audited])


async def visible(db: AsyncSession, id_: int, user: User) -> TicketRow | None:
    """A ticket, if *user* may see it."""
    row = await db.get(TicketRow, id_)
    if row is None or (row.opened_by != user.id and "tickets:work" not in user.scopes):
        return None
    return row


def shown(row: TicketRow) -> Ticket:
    """A ticket as callers see it."""
    return Ticket(
        id=row.id,
        title=row.title,
        priority=_PRIORITIES[row.priority],
        status="open" if row.status == "open" else "closed",
        opened_by=row.opened_by,
        assigned_to=row.assigned_to,
        opened_at=row.opened_at.replace(tzinfo=UTC),
        comments=[_said(comment) for comment in row.comments],
    )


def _said(row: CommentRow) -> Comment:
    return Comment(row.author, row.text, row.written_at.replace(tzinfo=UTC))


_PRIORITIES: Final[dict[str, Priority]] = {"low": "low", "normal": "normal", "urgent": "urgent"}
