"""
Reports: the mistakes that the walk has found so far.

A loader of the walk is a function of a JSON value and a report. It gives the Python value; or it
adds the reason to the report and gives `INVALID`. Paths are built from the inside out: an issue is
added with the end of its path, and each container puts its key in front when an item comes back
`INVALID`. So a valid value never pays for a path.

A report also takes the words of the author's own code for a value that it refuses (`own_words`).
Only the author's own sentence is shown to callers. The text of an exception of Python or a library
would often repeat the input (``int("x")`` does). So the class must be exactly one of three, and the
last frame of the traceback must be the author's, at a ``raise`` or an ``assert``. A frame that
called C or a library is neither, even if the exception is raised again: it keeps its traceback.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from enum import Enum
from opcode import opmap
from pathlib import Path
from types import MappingProxyType, TracebackType
from typing import Any, Final, Literal

from orjson import dumps

from contract.shape.bounds import I64_MAX, I64_MIN
from contract.shape.exceptions import InvalidInput
from contract.shape.issues import MAX_ISSUES, Issue, to_json, weighed
from contract.shape.json_text import kind_of
from contract.shape.nodes import (
    ArrayShape,
    MapShape,
    NamedTupleShape,
    NullableShape,
    RecordShape,
    Refined,
    RefShape,
    Shape,
    TaggedUnionShape,
    TupleShape,
    UnionShape,
)

__all__ = [
    "DEAF",
    "INVALID",
    "Attempt",
    "Invalid",
    "Load",
    "Report",
    "integral",
    "own_words",
    "type_name",
    "wire_path",
]

_MAX_SIZE: Final = 14_000
"""The most bytes of issues in one refusal, which must stay below 16 KiB."""

_MAX_ISSUE: Final = 7_000
"""The most bytes of one issue; params that make it longer, such as a pattern, are left out."""


class Invalid(Enum):
    """The type of `INVALID`."""

    INVALID = "INVALID"


INVALID: Final = Invalid.INVALID
"""Marks a value that was refused; the report knows why."""


class Report:
    """
    The issues of one document, up to `MAX_ISSUES`.

    Args:
        home: The package whose code is the author's, wherever it is installed; see `own_words`.

    Attributes:
        compared: How many values of unions were compared with their members (`union_loader`).
        count: How many issues were added; for `under`.
        hasty: Whether arrays and maps stop at their first bad item: in large documents, and
            once the report is full.
        full: Whether there are more issues than fit, so everything may stop.
        truncated: Whether something was left out, or not looked at.
    """

    __slots__ = ("_found", "_home", "compared", "count", "full", "hasty", "truncated")

    def __init__(self, *, hasty: bool = False, home: str = "") -> None:
        self._found: list[tuple[list[str | int], str, dict[str, Any], str | None]] = []
        self._home = home
        self.compared: int = 0
        self.count: int = 0
        self.hasty: bool = hasty
        self.full: bool = False
        self.truncated: bool = False

    def add(self, code: str, /, *at: str | int, **params: Any) -> Literal[Invalid.INVALID]:
        """Add an issue, *at* this key or here."""
        # as in `_tell`, without another call
        if self.count == MAX_ISSUES:
            self.full = self.hasty = self.truncated = True
        else:
            self._found.append(([*at], code, params, None))
            self.count += 1
        return INVALID

    def refuse(self, code: str, error: Exception, shape: Shape) -> Literal[Invalid.INVALID]:
        """
        Add the issue that the author's code refused a value of *shape* by raising *error*.

        The author's words are included if they may be shown.
        """
        found: list[tuple[Place, str]] = []
        # if an exception is raised for each of a million items, only those that are read are worded
        if self.count < MAX_ISSUES:
            found = own_words(error, self._home)
        for path, words in found:
            self._tell(wire_path(shape, path)[::-1], code, {}, words)
        if not found:
            return self.add(code)
        return INVALID

    def _tell(
        self, path: list[str | int], code: str, params: dict[str, Any], words: str | None
    ) -> None:
        if self.count == MAX_ISSUES:
            self.full = self.hasty = self.truncated = True
        else:
            self._found.append((path, code, params, words))
            self.count += 1

    def under(self, count: int, key: str | int) -> None:
        """Put *key* in front of the paths of all issues after the first *count*."""
        # at the end, since a path is kept from the inside out: to insert it would cost more
        for path, _, _, _ in self._found[count:]:
            path.append(key)

    def is_mistyped(self, count: int) -> bool:
        """Whether the only issue after the first *count* is that this value has the wrong type."""
        path, code, _, _ = self._found[count]
        return not path and code.endswith("_type")

    def instead(self, count: int, code: str, key: str, **params: Any) -> None:
        """Replace all issues after the first *count* by one: that *key* is wrong."""
        del self._found[count:]
        self.count = count
        self.add(code, key, **params)

    def issues(self) -> tuple[Issue, ...]:
        """The issues that were added, in order, as far as they fit into a refusal."""
        issues: list[Issue] = []
        total = largest = 0
        for path, code, params, words in self._found:
            found, size = weighed(code, path[::-1], params, words)
            issues.append(found)
            total += size
            if size > largest:
                largest = size
        # writing small ones once more to measure them takes a tenth of the time of a refusal
        if total > _MAX_SIZE or largest > _MAX_ISSUE:
            issues = self._cut(issues)
        return tuple(issues)

    def _cut(self, issues: Iterable[Issue]) -> list[Issue]:
        """As many of *issues* as fit into a refusal."""
        fitting: list[Issue] = []
        room = _MAX_SIZE
        for found in issues:
            size = len(dumps(to_json(found)))
            # its code and path are kept, which say what is wrong and where
            if size > _MAX_ISSUE:
                found = replace(found, params=())
                size = len(dumps(to_json(found)))
            room -= size
            if room < 0:
                self.truncated = True
                break
            fitting.append(found)
        return fitting


class Attempt(Report):
    """A report that keeps only the first complaint, for one member of a union after another."""

    __slots__ = ()

    def __init__(self) -> None:
        Report.__init__(self, hasty=True)

    def add(self, code: str, /, *at: str | int, **params: Any) -> Literal[Invalid.INVALID]:
        """Keep the complaint if it is the first one."""
        if not self.full:
            self._found = [([*at], code, params, None)]
            self.count = 1
            self.full = True  # going on would be useless
        return INVALID

    def refuse(self, code: str, error: Exception, shape: Shape) -> Literal[Invalid.INVALID]:
        """Keep the place that the author names; the words are not read."""
        if self.full:
            return INVALID
        found = own_words(error, self._home)
        if not found:
            return self.add(code)
        place, _ = found[0]
        return self.add(code, *wire_path(shape, place))

    def taken(self) -> tuple[list[str | int], str, dict[str, Any]]:
        """
        The path, from the inside out, the code and the params of the complaint.

        There must be one. It is then removed, for the next member.
        """
        path, code, params, _ = self._found.pop()
        self.count: int = 0
        self.full: bool = False
        return path, code, params


class _Deaf(Report):
    """A report that keeps nothing, if only a verdict is needed; it may be shared."""

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

_TYPE_NAMES: Final = MappingProxyType(
    {
        type(None): "null",
        bool: "boolean",
        int: "integer",
        float: "number",
        str: "string",
        list: "array",
        dict: "object",
    }
)


def type_name(value: object) -> str:
    """
    The JSON type of a parsed *value*: issues say nothing else about a value.

    ``1.0`` is an integer if it is small enough to be exact.
    """
    if isinstance(value, float) and integral(value):
        return "integer"
    return _TYPE_NAMES[kind_of(value)]


def integral(value: float) -> bool:
    """Whether *value*, as it came from JSON, is an integer: in JSON Schema ``1.0`` is one."""
    return value.is_integer() and -_EXACT <= value <= _EXACT


_EXACT: Final = 2**53 - 1
"""
The largest integer below which no two integers are rounded to one float.

Up to here ``1.0`` says which integer is meant (RFC 8259, section 6).
"""


Load = Callable[[Any, Report], Any]
"""A JSON value -> the Python value, or `INVALID`; the walk is made of these."""


_MAX_WORDS: Final = 200
"""The most characters of a sentence that are shown."""

Place = tuple[str | int, ...]
"""The names and positions that lead from the refused value to the place."""


def own_words(error: Exception, home: str) -> list[tuple[Place, str]]:
    """
    The author's own words in *error*, each with the place that it names.

    There are none if the words are somebody else's.

    Args:
        error: The exception of the author's code, with its traceback.
        home: The top-level package whose code is the author's, wherever it is installed; empty if
            unknown.
    """
    if not _is_own(error.__traceback__, home):
        return []
    sentences: list[tuple[Place, object]]
    if type(error) is InvalidInput:
        sentences = [(each.path, each.message) for each in error.issues]
    elif (type(error) is ValueError or type(error) is AssertionError) and len(error.args) == 1:
        sentences = [((), error.args[0])]
    else:
        return []
    found: list[tuple[Place, str]] = []
    for path, words in sentences:
        # anything but a text, such as a tuple, was not meant for a reader
        if isinstance(words, str) and words.strip():
            found.append((path, _text(words)[:_MAX_WORDS]))
    return found


def wire_path(shape: Shape, path: Iterable[object]) -> list[str | int]:
    """
    The *path* through a value of *shape*, as it is on the wire.

    Fields get their wire names, fields of named tuples their positions, and keys are texts.

    A part that no type knows stays as it is: it may be inside an `Any`.
    """
    names: list[str | int] = []
    inner: Shape | None = shape
    for part in path:
        if isinstance(part, str):
            name, inner = _step(inner, _text(part))
        elif isinstance(part, int) and I64_MIN <= part <= I64_MAX:
            name, inner = _step(inner, int.__index__(part))
        else:
            break  # not JSON
        names.append(name)
    return names


def _step(shape: Shape | None, part: str | int) -> tuple[str | int, Shape | None]:
    """The wire name of *part* of a value, and its shape if it is known."""
    match shape:
        case RefShape(definition):
            return _step(definition.shape, part)
        case NullableShape(inner) | Refined(inner):
            return _step(inner, part)
        case RecordShape(_, _, fields, extra=extra):
            for each in fields:
                if each.name == part:
                    return each.wire, each.shape
            return part, extra
        case NamedTupleShape(_, fields):
            for at, each in enumerate(fields):
                if part in (at, each.name):
                    return at, each.shape
            return part, None
        case ArrayShape(item) if isinstance(part, int):
            return part, item
        case TupleShape(items) if isinstance(part, int) and 0 <= part < len(items):
            return part, items[part]
        case MapShape(_, value):
            return str(part), value  # an int is a text as a key
        case UnionShape(members):
            return _first(members, part)
        case TaggedUnionShape(_, _, cases):
            return _first((record for _, record in cases), part)
        case _:
            return part, None


def _first(members: Iterable[Shape], part: str | int) -> tuple[str | int, Shape | None]:
    """The step into the first of *members* that has this *part*."""
    steps: Iterator[tuple[str | int, Shape | None]] = (_step(member, part) for member in members)
    return next((step for step in steps if step[1] is not None), (part, None))


def _text(text: str) -> str:
    """*text* as JSON can carry it: pairs of surrogates are joined, halves are replaced."""
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def _is_own(traceback: TracebackType | None, home: str) -> bool:
    # 1. The frame that raised it, at the end of the traceback.
    if traceback is None:
        return False
    while traceback.tb_next is not None:
        traceback = traceback.tb_next
    # 2. The instruction. Only a `raise` has the author's words; an exception out of a call, of C
    #    or of an operator, has Python's.
    code = traceback.tb_frame.f_code.co_code
    at = traceback.tb_lasti
    # without an operand, it raises an earlier exception again
    if code[at] != _RAISE or not code[at + 1]:
        return False
    # 3. The file: the author's is not ours, not of a package, and not of the standard library.
    file = os.path.normcase(traceback.tb_frame.f_code.co_filename)
    if file.startswith(_OURS):
        return False
    if _INSTALLED.search(file):
        return (
            bool(home)
            and str(traceback.tb_frame.f_globals.get("__name__")).partition(".")[0] == home
        )
    return not file.startswith(_STANDARD)


_RAISE: Final = opmap["RAISE_VARARGS"]
"""
The instruction of ``raise`` and ``assert``.

Its operand is the number of expressions after ``raise``.
"""

_OURS: Final = os.path.normcase(f"{Path(__file__).parents[1]}{os.sep}")

_STANDARD: Final = (os.path.normcase(os.__file__[: -len("os.py")]), "<frozen ")

_INSTALLED: Final = re.compile(r"[/\\](?:site|dist)-packages[/\\]")
"""
A part of a file's path that marks an installed package.

In production the author's own service is often installed like a library, so the package of the
resolver counts as the author's too.
"""
