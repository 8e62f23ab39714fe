"""``contract diff``: what changed between two documents, and which clients break."""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import fields
from typing import Final

from contract.cli.output import clean, coloured, data, is_painted
from contract.cli.sources import document_at
from contract.codegen.renames import renamed
from contract.document import Document
from contract.document.diff import Bump, Change, Level, bump, diff, fits
from contract.document.diff.changes import LEVELS, in_order, least, step_of

__all__ = ["compared", "lines", "run"]

_COLOURS: Final[dict[Level, str]] = {
    "breaking": "31",
    "source": "33",
    "compatible": "32",
    "docs": "2",
}


def run(arguments: argparse.Namespace) -> int:
    """Compare, report, and return the exit code."""
    old = document_at(arguments.old, visibility=arguments.visibility)
    new = document_at(arguments.new, visibility=arguments.visibility)
    changes = compared(old, new)
    if arguments.json:
        data(_json(old, new, changes))
    else:
        data("\n".join(_report(old, new, changes)))
    if arguments.fail_on == "none":
        return 0
    fails = [each for each in changes if arguments.fail_on in ("any", each.level)]
    return 1 if fails else 0


def compared(old: Document, new: Document) -> tuple[Change, ...]:
    """All changes: those of the documents, and those of the names in what is generated of them."""
    changes = diff(old, new)
    return in_order([*changes, *renamed(old, new, changes)])


def lines(changes: Iterable[Change], *, paint: bool) -> list[str]:
    """The *changes* for people, grouped by route and type; the most severe group first."""
    groups: dict[str, list[Change]] = {}
    for change in changes:
        groups.setdefault(_group(change), []).append(change)
    found: list[str] = []
    for group in sorted(groups, key=lambda name: (_gravest(groups[name]), name)):
        title = coloured(clean(group), "1", paint=paint)
        users: set[str] = set()
        for change in groups[group]:
            users.update(change.routes)
        if users:
            title += f" (of {clean(', '.join(sorted(users)))})"
        found += ["", title]
        for change in groups[group]:
            name: str = change.level
            if name == "breaking":  # to be seen without colours, too
                name = "BREAKING"
            level = coloured(f"{name:<10}", _COLOURS[change.level], paint=paint)
            found.append(f"  {level}  {_line(change)}")
    return found[1:]  # without the empty line before the first group


def _gravest(changes: Iterable[Change]) -> int:
    """The place of the most severe of *changes* in `LEVELS`, which begins with the worst."""
    return min(LEVELS.index(each.level) for each in changes)


def _report(old: Document, new: Document, changes: Sequence[Change]) -> list[str]:
    paint = is_painted(sys.stdout)
    if not changes:
        return ["nothing has changed"]
    counts = Counter(change.level for change in changes)
    counted = ", ".join(f"{counts[level]} {level}" for level in LEVELS if level in counts)
    return [
        *lines(changes, paint=paint),
        "",
        counted,
        _verdict(old.info.version, new.info.version, bump(changes)),
    ]


def _verdict(old: str, new: str, wanted: Bump) -> str:
    if wanted == "none":
        return f"suggested bump: none; the version is {clean(new)}, was {clean(old)}"
    fit = fits(old, new, wanted)
    if fit is None:
        return (
            f"suggested bump: {wanted}; whether {clean(new)} after {clean(old)} is enough cannot "
            "be told, they are not both like 1.2.3"
        )
    needed = ".".join(map(str, least(old, wanted) or ()))
    if fit:
        return f"suggested bump: {wanted}; version {clean(new)} after {clean(old)} fits"
    verb = "is"
    if new == old:
        verb = "is still"
    return f"suggested bump: {wanted}; the version {verb} {clean(new)}: make it {needed} or later"


def _json(old: Document, new: Document, changes: Sequence[Change]) -> str:
    wanted = bump(changes)
    versions = old.info.version, new.info.version
    found = {
        "bump": wanted,
        "version": {"old": versions[0], "new": versions[1], "fits": fits(*versions, wanted)},
        "changes": list(map(_facts, changes)),
    }
    # orjson refuses integers beyond 64 bits, which a document may contain
    return json.dumps(found, indent=2, default=dict)


def _facts(change: Change) -> dict[str, object]:
    return {field.name: getattr(change, field.name) for field in fields(Change)}


def _group(change: Change) -> str:
    if change.route is not None:
        return f"route {change.route}"
    if change.type is not None:
        return f"type {change.type}"
    return "service"


def _line(change: Change) -> str:
    # the heading of the group already names the route or the type
    owner = ""
    if change.route is not None:
        owner = f"routes{step_of(change.route)}"
    elif change.type is not None:
        owner = f"$defs{step_of(change.type)}"
    place = change.path.removeprefix(owner).removeprefix(".")
    if not place:
        return clean(change.text)
    return clean(f"{place}: {change.text}")
