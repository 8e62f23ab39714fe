"""Notes: what people keep."""

import sqlite3
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Annotated

from annotated_types import Ge, Le, Len
from contract import Failure, NotFound, group, route, routes

from starter.database import session
from starter.people import User

MOST = 50
"""Notes that one person may keep."""

Id = Annotated[int, Ge(1)]
Text = Annotated[str, Len(1, 10_000)]


class TooManyNotes(Failure, status=409):
    """So many notes are kept already; remove one first."""

    most: int


@dataclass(frozen=True, slots=True)
class NewNote:
    """A note that is to be kept."""

    text: Text


@dataclass(frozen=True, slots=True)
class NoteRef:
    """One note."""

    id: Id


@dataclass(frozen=True, slots=True)
class Latest:
    """How many notes are asked for."""

    count: Annotated[int, Ge(1), Le(MOST)] = 20


@dataclass(frozen=True, slots=True)
class Note:
    """A note that is kept."""

    id: Id
    text: Text
    written_at: datetime


@route(summary="Keep a note", tags=["writing"], mcp=True)
def add(input: NewNote, user: User) -> Note | TooManyNotes:
    """Keep a note of the caller's."""
    db = session()
    mine = db.execute("SELECT count(*) FROM notes WHERE author = ?", (user.name,)).fetchone()
    if mine[0] >= MOST:
        return TooManyNotes(most=MOST)
    row = db.execute(
        "INSERT INTO notes (author, text, written_at) VALUES (?, ?, ?) RETURNING *",
        (user.name, input.text, datetime.now(UTC).isoformat()),
    ).fetchone()
    return _note(row)


@route(summary="Get a note", tags=["reading"], effect="read", mcp=True)
def get(input: NoteRef, user: User) -> Note | NotFound:
    """Give one of the caller's notes."""
    found = session().execute(
        "SELECT * FROM notes WHERE id = ? AND author = ?", (input.id, user.name)
    )
    row = found.fetchone()
    return NotFound() if row is None else _note(row)


@route(summary="List the latest notes", tags=["reading"], effect="read", mcp=True)
def latest(input: Latest, user: User) -> list[Note]:
    """Give the caller's latest notes, the newest first."""
    rows = session().execute(
        "SELECT * FROM notes WHERE author = ? ORDER BY id DESC LIMIT ?", (user.name, input.count)
    )
    return [_note(row) for row in rows]


@route(summary="Remove a note", tags=["writing"], effect="destructive")
def remove(input: NoteRef, user: User) -> NotFound | None:
    """Remove one of the caller's notes."""
    gone = session().execute("DELETE FROM notes WHERE id = ? AND author = ?", (input.id, user.name))
    return None if gone.rowcount else NotFound()


notes = group("notes", routes=routes(add, get, latest, remove))


def _note(row: sqlite3.Row) -> Note:
    return Note(row["id"], row["text"], datetime.fromisoformat(row["written_at"]))
