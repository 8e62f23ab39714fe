"""
Settings: what the environment says, read once when a process begins.

A setting that will not do ends the process before it is ready, with the reason.
"""

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from contract import resource

SHORTEST = 16
"""Characters of a token: a shorter one could be guessed."""


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings of a process."""

    database: Path
    """The file of SQLite: STARTER_DATABASE."""
    people: Mapping[str, str] = field(repr=False)
    """Token -> person: STARTER_TOKENS, such as ``ada:TOKEN bob:TOKEN``."""


@resource
def settings() -> Iterator[Settings]:
    """The settings of this process."""
    file = os.environ.get("STARTER_DATABASE", "notes.sqlite3")
    tokens = os.environ.get("STARTER_TOKENS", "").split()
    yield Settings(database=Path(file), people=dict(map(_token_and_person, tokens)))


def _token_and_person(pair: str) -> tuple[str, str]:
    person, _, token = pair.partition(":")
    if len(token) < SHORTEST:
        raise ValueError(f"the token of {person} is shorter than {SHORTEST} characters")
    return token, person
