"""Names of fields, positions and members in generated code, where the wire goes by others."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from contract.document.diff.changes import Finding, Part

__all__ = ["names"]

_MOVED: Final = "a name that has moved, so the same value means something else"


def names(
    was: Mapping[str, str],
    now: Mapping[str, str],
    *,
    renamed: str,
    moved: str,
    parts: Mapping[str, Part] | None = None,
) -> Iterator[Finding]:
    """
    The names that differ where both documents have one.

    A new name for the same thing concerns code alone. A name that has moved concerns the wire: a
    server that reads ``[lon, lat]`` takes the ``[lat, lon]`` of its older clients, and is wrong.

    Args:
        was: The name of each place on the wire.
        now: The same of the new document.
        renamed: The code of a new name.
        moved: The code of a name that belonged to another place, or belongs to one now.
        parts: The step to each place; without them a text says which one is meant.
    """
    before, after = {*was.values()}, {*now.values()}
    for place in sorted(was.keys() & now.keys()):
        old, new = was[place], now[place]
        if old == new:
            continue
        which, part = (f"the value {place} ", "") if parts is None else ("", parts[place])
        if new in before or old in after:
            yield Finding(
                moved, "breaking", f"{which}is called {new}, was {old}: {_MOVED}", part, old, new
            )
        else:
            yield Finding(
                renamed,
                "source",
                f"{which}is called {new} in code, was {old}; on the wire nothing changes",
                part,
                old,
                new,
            )
