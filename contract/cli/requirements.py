"""
Requirements: the packages that a project needs, compared with those that are installed.

Only names, extras and releases are read (PEP 508, PEP 440). A requirement with a marker does not
apply to every environment, and one with a URL names no release.
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
    """The requirement of one package."""

    name: str
    extras: tuple[str, ...]
    releases: str
    """The releases that fit, such as ``>=1.2,<2``; empty for any."""
    marker: str | None
    """The environments that need it; None for all."""

    @property
    def text(self) -> str:
        """The requirement of that package alone, for pip."""
        return f"{self.name}{self.releases}"


def requirement(text: str) -> Requirement | None:
    """Parse a requirement; None if *text* is not one."""
    found = _REQUIREMENT.fullmatch(text)
    if found is None:
        return None
    extras = tuple(each.strip() for each in (found["extras"] or "").split(",") if each.strip())
    return Requirement(found["name"], extras, found["releases"].strip(), found["marker"])


def installed(name: str) -> str | None:
    """The installed release of the package *name*; None if it is not installed."""
    try:
        return distribution(name).version
    except PackageNotFoundError:
        return None


def asked_by(name: str, extra: str | None = None) -> Iterator[Requirement]:
    """The requirements of the package *name*, or of one *extra*; empty if it is not installed."""
    try:
        texts = distribution(name).requires or ()
    except PackageNotFoundError:
        return
    for found in filter(None, map(requirement, texts)):
        of = _EXTRA.search(found.marker or "")
        if of is not None:
            is_asked = of[1] == extra
        else:  # with another marker, it is for some environments only
            is_asked = extra is None and found.marker is None
        if is_asked:
            yield found


_EXTRA: Final = re.compile(r"""extra\s*==\s*['"]([\w.-]+)""")


def allows(releases: str, release: str) -> bool:
    """Whether *releases*, such as ``>=1.2,<2``, include *release*; one without its ``rc1``."""
    found = _numbers(release)
    for clause in map(_CLAUSE.fullmatch, releases.split(",")):
        # what is no clause, and so refuses nothing, is left to pip
        if clause is None:
            continue
        operator, wanted, open_ = clause.groups()
        if not _holds(operator, _numbers(wanted), found, open_=open_ is not None):
            return False
    return True


def _numbers(release: str) -> tuple[int, ...]:
    return tuple(int(part) for part in re.findall(r"\d+", re.split(r"[^\d.]", release)[0]))


def _holds(operator: str, wanted: tuple[int, ...], found: tuple[int, ...], *, open_: bool) -> bool:
    """Whether a clause is true; *open_* if it ends with ``.*``."""
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
    """Negative, zero or positive, as *left* is less than, equal to or greater than *right*."""
    for one, other in zip_longest(left, right, fillvalue=0):
        if one != other:
            return one - other
    return 0
