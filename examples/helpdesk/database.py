"""
Database: the tables, one engine for each process, one session for each call.

The environment variable ``HELPDESK_DB`` is the URL of the database, in SQLAlchemy's form.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from typing import Any, Final

from sqlalchemy import DateTime, ForeignKey, event, select
from sqlalchemy.ext.asyncio import AsyncEngine, AsyncSession, create_async_engine
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column, relationship

from contract import provide, resource

__all__ = [
    "DEMO_TOKENS",
    "AuditRow",
    "CommentRow",
    "PersonRow",
    "TicketRow",
    "digest",
    "engine",
    "now",
    "ping",
    "session",
]

DEMO_TOKENS: Final = {
    "ada": "ada-demo-token-of-a-customer",
    "bob": "bob-demo-token-of-another-customer",
    "sam": "sam-demo-token-of-an-agent",
    "kim": "kim-demo-token-of-the-head-of-the-desk",
}
"""Person -> bearer token. For the demonstration only: a real helpdesk keeps nothing but digests."""


def now() -> datetime:
    """The time, in UTC."""
    return datetime.now(UTC)


def digest(token: str) -> str:
    """What is kept of a token."""
    return hashlib.sha256(token.encode()).hexdigest()


class Base(DeclarativeBase):
    """The tables."""


class PersonRow(Base):
    """Somebody who has a token."""

    __tablename__ = "people"
    id: Mapped[str] = mapped_column(primary_key=True)
    name: Mapped[str]
    token: Mapped[str] = mapped_column(unique=True)
    """The digest of the token."""
    scopes: Mapped[str] = mapped_column(default="")
    """What the person may do, with spaces between."""


class TicketRow(Base):
    """A ticket."""

    __tablename__ = "tickets"
    id: Mapped[int] = mapped_column(primary_key=True)
    title: Mapped[str]
    priority: Mapped[str]
    status: Mapped[str]
    opened_by: Mapped[str] = mapped_column(ForeignKey("people.id"), index=True)
    assigned_to: Mapped[str | None] = mapped_column(ForeignKey("people.id"))
    opened_at: Mapped[datetime] = mapped_column(DateTime(timezone=True), default=now)
    comments: Mapped[list[CommentRow]] = relationship(
        order_by="CommentRow.id", cascade="all, delete-orphan", lazy="selectin"
    )


class CommentRow(Base):
    """A comment on a ticket."""

    __tablename__ = "comments"
    id: Mapped[int] = mapped_column(primary_key=True)
    ticket: Mapped[int] = mapped_column(ForeignKey("tickets.id"), index=True)
    author: Mapped[str] = mapped_column(ForeignKey("people.id"))
    text: Mapped[str]
    written_at: Mapped[datetime] = mapped_column(DateTime(timezone=True), default=now)


class AuditRow(Base):
    """A line of the audit: who called what."""

    __tablename__ = "audit"
    id: Mapped[int] = mapped_column(primary_key=True)
    person: Mapped[str] = mapped_column(ForeignKey("people.id"))
    route: Mapped[str]
    request_id: Mapped[str]
    at: Mapped[datetime] = mapped_column(DateTime(timezone=True), default=now)


@resource
async def engine() -> AsyncIterator[AsyncEngine]:
    """The connections of this process, to tables that are there."""
    made = create_async_engine(
        os.environ.get("HELPDESK_DB", "sqlite+aiosqlite:///helpdesk.sqlite3")
    )
    if made.dialect.name == "sqlite":
        _lock_before_reading(made)
    try:
        async with made.begin() as connection:
            await connection.run_sync(Base.metadata.create_all)
        async with AsyncSession(made) as db, db.begin():
            await _fill(db)
        yield made
    finally:
        await made.dispose()


@provide
async def session() -> AsyncIterator[AsyncSession]:
    """The session of a call: committed with a success, rolled back with everything else."""
    async with AsyncSession(engine(), expire_on_commit=False) as db, db.begin():
        yield db


async def ping() -> None:
    """Look whether the database answers; raises where it does not."""
    async with engine().connect() as connection:
        await connection.execute(select(PersonRow.id).limit(1))


def _lock_before_reading(made: AsyncEngine) -> None:
    # SQLite gives a transaction that has read no lock for writing where somebody else has written
    # since then: so a transaction takes the lock when it begins, and waits for it.
    @event.listens_for(made.sync_engine, "connect")
    def _(connection: Any, _record: object) -> None:
        connection.isolation_level = None

    @event.listens_for(made.sync_engine, "begin")
    def _(connection: Any) -> None:
        connection.exec_driver_sql("BEGIN IMMEDIATE")


async def _fill(db: AsyncSession) -> None:
    """Put the people of the demonstration into a new database."""
    if await db.get(PersonRow, "ada") is not None:
        return
    scopes = {"sam": "tickets:work", "kim": "tickets:work reports:read"}
    db.add_all(
        PersonRow(id=id_, name=id_.title(), token=digest(token), scopes=scopes.get(id_, ""))
        for id_, token in DEMO_TOKENS.items()
    )
