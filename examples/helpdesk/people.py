"""People: who calls, and what they may do."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import func, select

from contract import Request, route
from examples.helpdesk.database import PersonRow, TicketRow, digest, session

__all__ = ["Greeting", "User", "greeting", "user_of"]


@dataclass(frozen=True, slots=True)
class User:
    """The caller."""

    id: str
    name: str
    scopes: frozenset[str] = frozenset()
    """What they may do; `requires` asks for these."""


async def user_of(token: str, _request: Request) -> User | None:
    """Tell whose token it is; None is answered with 401."""
    db = await session()
    row = await db.scalar(select(PersonRow).where(PersonRow.token == digest(token)))
    return None if row is None else User(row.id, row.name, frozenset(row.scopes.split()))


@dataclass(frozen=True, slots=True)
class Greeting:
    """What the first page shows."""

    open_tickets: int
    """Of everybody."""
    name: str | None = None
    """Who is signed in."""
    own_tickets: int | None = None
    """Of those that are open, where somebody is signed in."""


@route(summary="Greet", tags=["people"], auth="optional", effect="read")
async def greeting(_input: None, user: User | None) -> Greeting:
    """Tell how much there is to do, and to who is signed in how much of it is theirs."""
    db = await session()
    is_open = select(func.count()).where(TicketRow.status == "open")
    everything = await db.scalar(is_open) or 0
    if user is None:
        return Greeting(everything)
    own = await db.scalar(is_open.where(TicketRow.opened_by == user.id))
    return Greeting(everything, user.name, own or 0)
