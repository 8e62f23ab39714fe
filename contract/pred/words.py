"""
Words: what the author's own code says of a value that it refuses.

Only the author's own sentence is shown to callers. What Python or a library raises would often
repeat the input (``int("x")`` does), so the class has to be exactly one of three, and the last
frame of the traceback has to be the author's, at a ``raise`` or an ``assert``. A call that raised,
into C or into a library, is neither, however its exception got here: it keeps its traceback when it
is raised again.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from opcode import opmap
from types import TracebackType
from typing import Final

from contract.shape.bounds import I64_MAX, I64_MIN
from contract.shape.exceptions import InvalidInput
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

__all__ = ["own_words", "wire_path"]

_MAX_WORDS: Final = 200
"""Characters of a sentence that are shown."""

Place = tuple[str | int, ...]
"""Names and positions from the value that was refused to the place."""


def own_words(error: Exception, home: str) -> list[tuple[Place, str]]:
    """
    The author's own words in *error*, each with the place that it names.

    None where they are somebody else's, or there are none.

    Args:
        error: What the author's code raised, with its traceback.
        home: The top-level package whose code is the author's wherever it is installed; empty where
            none is known.
    """
    if not _is_own(error.__traceback__, home):
        return []
    told: list[tuple[Place, object]]
    if type(error) is InvalidInput:
        told = [(each.path, each.message) for each in error.issues]
    elif (type(error) is ValueError or type(error) is AssertionError) and len(error.args) == 1:
        told = [((), error.args[0])]
    else:
        return []
    return [
        (path, _text(words)[:_MAX_WORDS])
        for path, words in told
        if isinstance(words, str) and words.strip()
    ]


def wire_path(shape: Shape, path: Iterable[object]) -> list[str | int]:
    """
    The *path* through a value of *shape* as it is on the wire.

    Fields have their wire names there, and fields of named tuples their positions.

    A part that no type knows stays as it is: the author may speak of what stands in an `Any`.
    """
    told: list[str | int] = []
    at: Shape | None = shape
    for part in path:
        if isinstance(part, str):
            name, at = _step(at, _text(part))
        elif isinstance(part, int) and I64_MIN <= part <= I64_MAX:
            name, at = _step(at, int.__index__(part))
        else:
            break  # no JSON
        told.append(name)
    return told


def _step(shape: Shape | None, part: str | int) -> tuple[str | int, Shape | None]:
    """The wire name of *part* of a value, and its shape where that is known."""
    match shape:
        case RefShape(definition):
            return _step(definition.shape, part)
        case NullableShape(inner) | Refined(inner):
            return _step(inner, part)
        case RecordShape(_, _, fields):
            return next(
                ((each.wire, each.shape) for each in fields if each.name == part), (part, None)
            )
        case NamedTupleShape(_, fields):
            return next(
                ((at, each.shape) for at, each in enumerate(fields) if part in (at, each.name)),
                (part, None),
            )
        case ArrayShape(item) if isinstance(part, int):
            return part, item
        case TupleShape(items) if isinstance(part, int):
            return part, items[part] if 0 <= part < len(items) else None
        case MapShape(_, value):
            return part, value
        case UnionShape(members):
            return _first(members, part)
        case TaggedUnionShape(_, _, cases):
            return _first((record for _, record in cases), part)
        case _:
            return part, None


def _first(members: Iterable[Shape], part: str | int) -> tuple[str | int, Shape | None]:
    """The step into the first of *members* that has such a *part*."""
    steps: Iterator[tuple[str | int, Shape | None]] = (_step(member, part) for member in members)
    return next((step for step in steps if step[1] is not None), (part, None))


def _text(text: str) -> str:
    """
    *text* in characters that JSON can hold: pairs of surrogates are joined, halves are marked.
    """
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def _is_own(traceback: TracebackType | None, home: str) -> bool:
    if traceback is None:
        return False
    while traceback.tb_next is not None:
        traceback = traceback.tb_next
    code = traceback.tb_frame.f_code.co_code
    at = traceback.tb_lasti
    # without an operand it raises again what somebody raised before
    if code[at] != _RAISE or not code[at + 1]:
        return False
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

Its operand is the number of expressions behind ``raise``.
"""

_OURS: Final = os.path.normcase(__file__[: -len("pred/words.py")])

_STANDARD: Final = (os.path.normcase(os.__file__[: -len("os.py")]), "<frozen ")

_INSTALLED: Final = re.compile(r"[/\\](?:site|dist)-packages[/\\]")
"""
A part of the path of a file that belongs to an installed package.

The author's own service is often installed like a library where it is deployed, so the package of
the resolver is the author's there too.
"""
