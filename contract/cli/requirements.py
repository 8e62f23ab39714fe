"""
Requirements: what a project asks of packages, held against what is installed.

Read as far as a doctor needs it (PEP 508, PEP 440): names, extras and releases. A requirement with
a marker is not a business of every environment, and one with a URL says no release.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, distribution
from itertools import zip_longest
from typing import Final, final

from contract.shape.record import record

__all__ = ["Requirement", "allows", "asked_by", "installed", "requirement"]

_REQUIREMENT: Final = re.compile(
    r"\s*(?P<name>[A-Za-z0-9][\w.-]*)\s*(?:\[(?P<extras>[^]]*)\])?"
    r"\s*\(?(?P<releases>[^;@)]*)\)?\s*(?P<url>@[^;]*)?(?:;(?P<marker>.*))?"
)
_CLAUSE: Final = re.compile(r"\s*(~=|===?|!=|<=|>=|<|>)\s*v?([0-9][\w.+-]*?)(\.\*)?\s*")


@final
@record
class Requirement:
    """What is asked of one package."""

    name: str
    extras: tuple[str, ...]
    releases: str
    """The releases that will do, such as ``>=1.2,<2``; empty where all do."""
    marker: str | None
    """Where it is asked; None for everywhere."""

    @property
    def text(self) -> str:
        """The requirement of that package alone, for pip."""
        return f"{self.name}{self.releases}"


def requirement(text: str) -> Requirement | None:
    """Read a requirement; None where *text* is none."""
    found = _REQUIREMENT.fullmatch(text)
    if found is None:
        return None
    extras = tuple(each.strip() for each in (found["extras"] or "").split(",") if each.strip())
    return Requirement(found["name"], extras, found["releases"].strip(), found["marker"])


def installed(name: str) -> str | None:
    """The release of the package *name* that is installed; None where none is."""
    try:
        return distribution(name).version
    except PackageNotFoundError:
        return None


def asked_by(name: str, extra: str | None = None) -> Iterator[Requirement]:
    """What the package *name* asks for, everywhere or for one *extra*; nothing, if it is absent."""
    try:
        texts = distribution(name).requires or ()
    except PackageNotFoundError:
        return
    for found in filter(None, map(requirement, texts)):
        of = _EXTRA.search(found.marker or "")
        if extra == (None if of is None else of[1]) and (found.marker is None or of is not None):
            yield found


_EXTRA: Final = re.compile(r"""extra\s*==\s*['"]([\w.-]+)""")


def allows(releases: str, release: str) -> bool:
    """
    Whether *releases* name *release*; of what is read here, a release candidate is its release.

    Args:
        releases: Clauses with commas between them, such as ``>=1.2,<2``.
        release: Such as ``1.4.0``.
    """
    found = _numbers(release)
    return all(
        clause is None or _holds(clause[1], _numbers(clause[2]), found, open_=bool(clause[3]))
        for clause in map(_CLAUSE.fullmatch, releases.split(","))
    )


def _numbers(release: str) -> tuple[int, ...]:
    return tuple(int(part) for part in re.findall(r"\d+", re.split(r"[^\d.]", release)[0]))


def _holds(operator: str, wanted: tuple[int, ...], found: tuple[int, ...], *, open_: bool) -> bool:
    """Whether a clause holds; *open_* where it ends with ``.*``."""
    if operator == "~=":
        return _compared(found, wanted) >= 0 and found[: len(wanted) - 1] == wanted[:-1]
    if open_:
        return (found[: len(wanted)] == wanted) == (operator != "!=")
    sign = _compared(found, wanted)
    return {
        "==": sign == 0,
        "===": sign == 0,
        "!=": sign != 0,
        "<=": sign <= 0,
        ">=": sign >= 0,
        "<": sign < 0,
        ">": sign > 0,
    }[operator]


def _compared(left: tuple[int, ...], right: tuple[int, ...]) -> int:
    """Below, at or above zero, as *left* is before, the same as or behind *right*."""
    for one, other in zip_longest(left, right, fillvalue=0):
        if one != other:
            return one - other
    return 0
