"""
The typing corpus: 850 annotations that people write, of which most are carried.

Fifty types stand alone and in sixteen places each. One that no route can carry is refused with what to
write instead, and nothing else is ever raised. ``python -m tests.test_typing_corpus`` prints the
figures, and each refusal.
"""

from __future__ import annotations

import collections
import collections.abc
import enum
import ipaddress
import pathlib
import re
import sys
import typing
import zoneinfo
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from fractions import Fraction
from typing import Annotated, Any, Final, Generic, Literal, NewType, TypeVar
from uuid import UUID

import pytest
from annotated_types import Ge, Len
from typing_extensions import Doc, TypeAliasType

from contract import Pattern
from contract.pred.compile import compile_pred
from contract.shape.exceptions import UnsupportedAnnotation
from contract.shape.reader import ShapeReader
from tests import samples

__all__ = ["CORPUS", "judged", "told"]

T = TypeVar("T")


class Permission(enum.Flag):
    READ = 1


class Ratio(float, enum.Enum):
    HALF = 0.5


class Bare:
    """A class like any other."""


@dataclass(frozen=True)
class Boxed(Generic[T]):
    value: T


_TYPES: Final[dict[str, Any]] = {
    "str": str,
    "int": int,
    "float": float,
    "bool": bool,
    "bytes": bytes,
    "Decimal": Decimal,
    "datetime": datetime,
    "date": date,
    "time": time,
    "timedelta": timedelta,
    "UUID": UUID,
    "Any": Any,
    "object": object,
    "complex": complex,
    "bytearray": bytearray,
    "Fraction": Fraction,
    "Path": pathlib.Path,
    "IPv4Address": ipaddress.IPv4Address,
    "IPv6Network": ipaddress.IPv6Network,
    "ZoneInfo": zoneinfo.ZoneInfo,
    "re.Pattern": re.Pattern[str],
    "Callable": Callable[[int], str],
    "range": range,
    "a class": Bare,
    "Enum": samples.Color,
    "IntEnum": samples.Level,
    "Enum of floats": Ratio,
    "Flag": Permission,
    "Literal": Literal["a", "b"],
    "Literal of ints": Literal[1, 2],
    "Literal of members": Literal[samples.Color.RED],
    "NewType": NewType("Name", str),
    "a bounded int": Annotated[int, Ge(1)],
    "a bounded str": Annotated[str, Len(1, 9)],
    "a str with a pattern": Annotated[str, Pattern("^a")],
    "alias": TypeAliasType("Id", int),
    "recursive alias": samples.Folder,
    "dataclass": samples.Point,
    "frozen dataclass": samples.Plus,
    "recursive dataclass": samples.Tree,
    "generic dataclass": Boxed[int],
    "TypedDict": samples.Options,
    "NamedTuple": samples.Place,
    "class of attrs": samples.OfAttrs,
    "struct of msgspec": samples.OfMsgspec,
    "model of pydantic": samples.OfPydantic,
    "tagged union": samples.Card | samples.Cash,
    "union": int | str,
    "list of lists": list[list[int]],
    "dict of lists": dict[str, list[date]],
}

_PLACES: Final = (
    "each | None", "list[each]", "typing.List[each]", "tuple[each, ...]", "tuple[each, int]",
    "set[each]", "dict[str, each]", "dict[each, list[bool]]", "Sequence[each]",
    "Mapping[str, each]", "Collection[each]", "Iterable[each]", "deque[each]",
    'Annotated[each, Doc("It has a note.")]', "Boxed[each]", "list[each | None] | bool",
)  # fmt: skip

_NAMES: Final[dict[str, Any]] = {
    **{name: getattr(collections.abc, name) for name in collections.abc.__all__},
    "Annotated": Annotated,
    "Boxed": Boxed,
    "Doc": Doc,
    "deque": collections.deque,
    "typing": typing,
}

CORPUS: Final[dict[str, tuple[str, Any]]] = {
    place.replace("each", name): (place, each)
    for name, each in _TYPES.items()
    for place in ("each", *_PLACES)
}
"""Annotations, as a text and what `each` means in it, by how they are called here."""

_MOST_REFUSED: Final = 183

_MEND: Final = re.compile(r"; (write|put|give|leave|define|call|make|fix|use)\b")


def judged() -> dict[str, str | None]:
    """Each of `CORPUS` with why it is refused, or None where it is carried."""
    found: dict[str, str | None] = {}
    for name, (annotation, each) in CORPUS.items():
        try:
            shape = ShapeReader().read(
                annotation, where="f.input", namespace={**_NAMES, "each": each}
            )
            compile_pred(shape).compile()
        except UnsupportedAnnotation as refused:
            found[name] = str(refused)
        else:
            found[name] = None
    return found


@pytest.mark.unwatched
def test_most_are_carried_and_each_refusal_says_what_to_write() -> None:
    refused = {name: why for name, why in judged().items() if why is not None}

    assert len(CORPUS) == 850
    assert len(refused) <= _MOST_REFUSED
    assert [why for why in refused.values() if not _MEND.search(why)] == []


def told(verdicts: dict[str, str | None]) -> list[str]:
    """The lines of a report: each refusal, and how many are carried."""
    lines = [f"{name}: {why}" for name, why in verdicts.items() if why is not None]
    return [*lines, f"{len(verdicts) - len(lines)} of {len(verdicts)} are carried"]


def test_the_report_ends_with_the_figure() -> None:
    assert told({"a": "no; write b", "b": None}) == ["a: no; write b", "1 of 2 are carried"]


if __name__ == "__main__":
    sys.stdout.write("\n".join([*told(judged()), ""]))
