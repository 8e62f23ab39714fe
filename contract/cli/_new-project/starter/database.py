"""Database: the tables, and one session for each call."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from contract import provide, resource

from starter.settings import settings

TABLES = """
CREATE TABLE IF NOT EXISTS notes (
    id INTEGER PRIMARY KEY,
    author TEXT NOT NULL,
    text TEXT NOT NULL,
    written_at TEXT NOT NULL
) STRICT;
CREATE INDEX IF NOT EXISTS notes_of_an_author ON notes (author, id);
"""


@resource
def database() -> Iterator[Path]:
    """The file of this process, with the tables in it."""
    path = settings().database
    with closing(sqlite3.connect(path, check_same_thread=False)) as db:
        db.execute("PRAGMA journal_mode = WAL")
        db.executescript(TABLES)
        # it stays open: whoever closes the last connection to a file waits for the disk
        yield path


@provide
def session() -> Iterator[sqlite3.Connection]:
    """
    The session of a call: committed with a success, rolled back with everything else.

    Until it ends, it locks out all other calls. So a route that gives a stream must not hold it,
    which would be open as long as the stream: open a connection for each look instead.
    An async route must not wait for it on the event loop: it asks in a thread, with ``calling``.
    """
    with closing(sqlite3.connect(database(), isolation_level=None)) as db:
        db.row_factory = sqlite3.Row
        # a commit waits for no disk: after a loss of power the last ones may be gone, and no more
        db.execute("PRAGMA synchronous = NORMAL")
        # it has the lock before it reads, so what it has read is still true when it writes
        db.execute("BEGIN IMMEDIATE")
        with db:
            yield db


def ping() -> None:
    """Look whether the database answers; raises where it does not."""
    with closing(sqlite3.connect(database())) as db:
        db.execute("SELECT 1 FROM notes LIMIT 1").fetchone()
