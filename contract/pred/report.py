"""
Reports: what the walk has found wrong so far.

A loader of the walk is a function of a JSON value and a report: it gives the Python value, or
`INVALID` after it told the report why. Paths are written from the inside out: what is wrong is
added with the end of its path, and each container puts its key in front when an item comes back
`INVALID`, so that a value without faults never pays for a path.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from enum import Enum
from typing import Any, Final, Literal

from orjson import dumps

from contract.pred.words import own_words, wire_path
from contract.shape.issues import MAX_ISSUES, Issue, issue, to_json
from contract.shape.nodes import Shape

__all__ = ["DEAF", "INVALID", "Invalid", "Load", "Report"]


_MAX_TOLD: Final = 14_000
"""Bytes of issues in one refusal, which has to stay below 16 KiB."""

_MAX_ISSUE: Final = 7_000
"""Bytes of one issue; one with a longer pattern or more allowed values is told without them."""


class Invalid(Enum):
    """The type of `INVALID`."""

    INVALID = "INVALID"


INVALID: Final = Invalid.INVALID
"""The mark in place of a value that was refused; the report knows why."""


class Report:
    """
    The issues of one document, up to `MAX_ISSUES`.

    Args:
        home: The package whose code is the author's, wherever it is installed; see
            `contract.pred.words`.

    Attributes:
        told: How much is told by now; for `under`.
        hasty: Arrays and maps stop at their first bad item; so they do in large documents, and once
            the report is full.
        full: There was more than can be told, so everything may stop.
        truncated: Something was left out, or not looked at.
    """

    __slots__ = ("_found", "_home", "full", "hasty", "told", "truncated")

    def __init__(self, *, hasty: bool = False, home: str = "") -> None:
        self._found: list[tuple[list[str | int], str, dict[str, Any], str | None]] = []
        self._home = home
        self.told: int = 0
        self.hasty: bool = hasty
        self.full: bool = False
        self.truncated: bool = False

    def add(self, code: str, /, *at: str | int, **params: Any) -> Literal[Invalid.INVALID]:
        """Tell that something is wrong, *at* this key or here."""
        self._tell([*at], code, params, None)
        return INVALID

    def refuse(self, code: str, error: Exception, shape: Shape) -> Literal[Invalid.INVALID]:
        """
        Tell that the author's code refused a value of *shape* by raising *error*.

        The author's words are told if they may be shown.
        """
        # whoever raises for each of a million items is not asked for words that nobody will read
        found = own_words(error, self._home) if self.told < MAX_ISSUES else []
        for path, words in found:
            self._tell(wire_path(shape, path)[::-1], code, {}, words)
        return INVALID if found else self.add(code)

    def _tell(
        self, path: list[str | int], code: str, params: dict[str, Any], words: str | None
    ) -> None:
        if self.told == MAX_ISSUES:
            self.full = self.hasty = self.truncated = True
        else:
            self._found.append((path, code, params, words))
            self.told += 1

    def under(self, told: int, key: str | int) -> None:
        """Put *key* in front of everything after the first *told*."""
        for path, *_ in self._found[told:]:
            path.append(key)

    def issues(self) -> tuple[Issue, ...]:
        """The issues that were told, in order, as far as they fit into a refusal."""
        issues: list[Issue] = []
        room = _MAX_TOLD
        for path, code, params, words in self._found:
            found = issue(code, tuple(reversed(path)), **params)
            if words is not None:
                found = replace(found, message=words)
            size = len(dumps(to_json(found)))
            if size > _MAX_ISSUE:
                found = replace(found, params=())
                size = len(dumps(to_json(found)))
            room -= size
            if room < 0:
                self.truncated = True
                break
            issues.append(found)
        return tuple(issues)


class _Deaf(Report):
    """
    A report that keeps nothing, for those who only ask whether a value is valid; it may be shared.
    """

    __slots__ = ()

    def add(
        self,
        code: str,  # noqa: ARG002
        /,
        *at: str | int,  # noqa: ARG002
        **params: Any,  # noqa: ARG002
    ) -> Literal[Invalid.INVALID]:
        return INVALID

    def refuse(
        self,
        code: str,  # noqa: ARG002
        error: Exception,  # noqa: ARG002
        shape: Shape,  # noqa: ARG002
    ) -> Literal[Invalid.INVALID]:
        return INVALID


DEAF: Final[Report] = _Deaf(hasty=True)
DEAF.full = True

Load = Callable[[Any, Report], Any]
"""A JSON value -> the Python value, or `INVALID`; the walk is made of these."""
