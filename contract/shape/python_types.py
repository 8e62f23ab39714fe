"""
Types of Python that have a shape as they are, without parts that must be read.

Those of the standard library are in tables, also those whose values are text on the wire, such as
``IPv4Address``. ``Literal`` and ``Enum`` list their values, each of which must have its own form in
JSON.
"""

from __future__ import annotations

import collections
import collections.abc
import inspect
import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from enum import Enum, Flag
from functools import cache
from importlib import import_module
from operator import attrgetter, methodcaller
from types import NoneType
from typing import Any, Final, Literal, get_origin

from contract.shape.bounds import I64_MIN
from contract.shape.exceptions import UnsupportedAnnotation
from contract.shape.nodes import (
    AnyShape,
    Container,
    EnumShape,
    IntShape,
    LiteralShape,
    NullableShape,
    NullShape,
    OwnShape,
    Scalar,
    Shape,
    StrShape,
)
from contract.shape.own_texts import OWN_TEXTS
from contract.shape.patterns import matcher
from contract.shape.quoting import shown
from contract.shape.record import record
from contract.shape.scalars import ROWS
from contract.shape.scope import display
from contract.shape.wire import FORM, WireForm

__all__ = [
    "CONTAINERS",
    "MAPS",
    "SCALARS",
    "abstract",
    "enum_shape",
    "fits",
    "is_text",
    "known_shape",
    "literal_of",
    "literal_shape",
    "narrowed",
    "outline_of",
    "ready_shape",
    "ready_text",
]

SCALARS: Final[Mapping[object, Shape]] = {
    Any: AnyShape(),  # a class since Python 3.11
    object: AnyShape(),  # a type checker accepts the same values
    **{row.python: row.shape for row in ROWS.values() if row.marker is None},
}
"""Types without arguments."""

CONTAINERS: Final[Mapping[Any, Container]] = {
    list: "list",
    set: "set",
    frozenset: "frozenset",
    collections.deque: "deque",
    collections.abc.MutableSequence: "list",
    collections.abc.Sequence: "sequence",
    collections.abc.Collection: "sequence",
    collections.abc.Iterable: "sequence",
    collections.abc.MutableSet: "set",
    collections.abc.Set: "frozenset",
}
"""Types of arrays, with one argument."""

MAPS: Final = (dict, collections.abc.Mapping, collections.abc.MutableMapping)
"""Types of objects with free keys."""


def outline_of(annotation: object) -> Literal["array", "object"] | None:
    """The JSON type of an *annotation* that is an array or a map; None for any other."""
    origin = get_origin(annotation)
    if origin in MAPS:
        return "object"
    if origin is tuple or origin in CONTAINERS:
        return "array"
    return None


def abstract(origin: type[Any]) -> type[Any] | None:
    """*origin*, a class from the two tables, if it is one of ``collections.abc``; else None."""
    if inspect.isabstract(origin):
        return origin
    return None


# Values of a Literal or an enum. Python takes 1, 1.0 and True for one key, but JSON does not: so
# values are known by type and value together.


def literal_of(values: Iterable[Any], where: str) -> LiteralShape:
    """
    A literal of *values*, each once; true is not 1.

    Raises:
        UnsupportedAnnotation: Two have one form on the wire: a member of an enum and its value.
    """
    chosen: dict[tuple[type, Scalar], Any] = {}
    for value in values:
        wire = _wire_of(value)
        other = chosen.setdefault((type(wire), wire), value)
        if other is not value and (isinstance(value, Enum) or isinstance(other, Enum)):
            raise UnsupportedAnnotation(
                where,
                f"{shown(other)} and {shown(value)} are both {shown(wire)} on the wire; "
                "write one of them",
            )
    wires = tuple(wire for _, wire in chosen)
    if any(isinstance(value, Enum) for value in chosen.values()):
        return LiteralShape(wires, tuple(chosen.values()))
    return LiteralShape(wires)


def _wire_of(value: Any) -> Scalar:
    wire: Scalar = value.value if isinstance(value, Enum) else value
    return wire


def literal_shape(values: tuple[Any, ...], where: str) -> Shape:
    """
    The shape of ``Literal[*values]``.

    Raises:
        UnsupportedAnnotation: A value has no JSON form, or shares it with another.
    """
    if not values:
        raise UnsupportedAnnotation(where, "Literal[()] has no values; write at least one")
    for value in values:
        if type(value) is not NoneType and not _has_form(_wire_of(value)):
            raise UnsupportedAnnotation(
                where,
                f"Literal[{shown(value)}] has no form on the wire; write str, bool, "
                "None or an int of 64 bits",
            )
    literal = literal_of((value for value in values if value is not None), where)
    if None not in values:
        return literal
    if not literal.values:
        return NullShape()
    return NullableShape(literal)


def is_text(value: str) -> bool:
    """Whether *value* can be sent: UTF-8 has no form for a lone surrogate."""
    try:
        value.encode()
    except UnicodeEncodeError:
        return False
    return True


def enum_shape(cls: type[Enum], where: str) -> EnumShape:
    """
    The shape of an enum.

    Raises:
        UnsupportedAnnotation: Its values cannot be told apart in JSON, or it has no members.
    """
    if issubclass(cls, Flag):
        raise UnsupportedAnnotation(
            where,
            f"{display(cls)} is a Flag, whose values can be combined; write list[...] of an Enum",
        )
    for member in cls:
        if not _has_form(member.value) and not _is_one_number(member.value):
            raise UnsupportedAnnotation(
                where,
                f"{display(cls)}.{member.name} has no form on the wire; write str, bool, "
                "a finite float (if it is whole, below 2**53) or an int of 64 bits",
            )
    if not len(cls):
        raise UnsupportedAnnotation(where, f"{display(cls)} has no members; write at least one")
    return EnumShape(cls, tuple((member.name, member.value) for member in cls))


def _has_form(value: object) -> bool:
    if type(value) is str:
        return is_text(value)
    # from the least int64 to the greatest uint64, as orjson writes them
    return type(value) is bool or (type(value) is int and I64_MIN <= value < 2**64)


def _is_one_number(value: object) -> bool:
    """Whether *value* is a float that does not stand for several integers."""
    if type(value) is not float or not math.isfinite(value):
        return False
    return not value.is_integer() or abs(value) < 2**53


# Classes whose values are text on the wire. They are known by name, so that no module is imported
# unless an annotation uses it. Each has the pattern of the texts that its class reads and writes.
# What a pattern cannot say, such as which time zones exist, the class itself checks.


@record(kw_only=True)
class _Ready:
    """A class of the standard library, before it is imported."""

    kind: str
    pattern: str
    max_length: int | None = None
    examples: tuple[str, ...]
    load: Callable[[type[Any]], Callable[[str], Any]] = lambda cls: cls
    """Takes the class, and gives the function that reads a text."""
    dump: Callable[[Any], Any] = str


def ready_shape(cls: type[Any]) -> OwnShape | None:
    """The shape of *cls*, if it is one of these."""
    ready = _READY.get(f"{cls.__module__}.{cls.__qualname__}")
    if ready is None:
        return None
    inner = StrShape(max_length=ready.max_length, patterns=(f"^{ready.pattern}$",))
    return OwnShape(inner, cls, ready.load(cls), ready.dump, ready.examples, ready.kind)


def known_shape(kind: str | None, text: StrShape) -> OwnShape | None:
    """
    The shape of texts of a *kind* in a document, with the rules of *text*.

    It is None if the kind is unknown, or if the rules are not those of its class.
    """
    shape = _of_kind(kind)
    if shape is None or shape.inner == text:
        return shape
    whole = shape.inner
    assert isinstance(whole, StrShape)  # noqa: S101  none of these types is an integer
    most, patterns = whole.max_length, whole.patterns
    # a field may add rules to a class of ours: a shorter length, and patterns behind those of the
    # class; whatever else differs is a text of its own that only has the name
    is_narrower = (
        kind in OWN_TEXTS
        and text.patterns[: len(patterns)] == patterns
        and (most is None or (text.max_length is not None and text.max_length <= most))
    )
    if not is_narrower:
        return None
    return narrowed(shape, text)


def narrowed(shape: OwnShape, inner: StrShape) -> OwnShape:
    """*shape* with the rules of *inner*, and those of its examples that obey them."""
    examples = tuple(each for each in shape.examples if fits(inner, each))
    return replace(shape, inner=inner, examples=examples)


def fits(inner: StrShape | IntShape, value: object) -> bool:
    """Whether *value*, as written on the wire, obeys the rules of *inner*."""
    if isinstance(inner, IntShape):
        return type(value) is int and inner.minimum <= value <= inner.maximum
    return (
        type(value) is str
        and (inner.min_length or 0) <= len(value)
        and (inner.max_length is None or len(value) <= inner.max_length)
        and all(matcher(pattern)(value) for pattern in inner.patterns)
    )


def ready_text(shape: OwnShape) -> StrShape:
    """The rules of the class of *shape*, without those that a field adds."""
    whole = _of_kind(shape.kind)
    assert whole is not None  # noqa: S101  for the type checker, like the next
    assert isinstance(whole.inner, StrShape)  # noqa: S101
    return whole.inner


def _of_kind(kind: str | None) -> OwnShape | None:
    own = OWN_TEXTS.get(kind or "")
    if own is not None:
        form: WireForm = getattr(own, FORM)
        patterns = (form.pattern,) if form.pattern else ()
        inner = StrShape(form.min_length, form.max_length, patterns)
        return OwnShape(inner, own, own.__from_wire__, own.__to_wire__, form.examples, kind)
    name = _NAMES.get(kind or "")
    if name is None:
        return None
    module, _, cls = name.rpartition(".")
    return ready_shape(getattr(import_module(module), cls))


_BYTE: Final = "(25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])"
_IPV4: Final = rf"({_BYTE}\.){{3}}{_BYTE}"
_H16: Final = "[0-9A-Fa-f]{1,4}"
_LS32: Final = f"({_H16}:{_H16}|{_IPV4})"
# RFC 3986, section 3.2.2: IPv6address, one alternative for each of its lines
_IPV6_LINES: Final = (
    f"({_H16}:){{6}}{_LS32}",
    f"::({_H16}:){{5}}{_LS32}",
    f"({_H16})?::({_H16}:){{4}}{_LS32}",
    f"(({_H16}:){{0,1}}{_H16})?::({_H16}:){{3}}{_LS32}",
    f"(({_H16}:){{0,2}}{_H16})?::({_H16}:){{2}}{_LS32}",
    f"(({_H16}:){{0,3}}{_H16})?::({_H16}:){{1}}{_LS32}",
    f"(({_H16}:){{0,4}}{_H16})?::({_H16}:){{0}}{_LS32}",
    f"(({_H16}:){{0,5}}{_H16})?::{_H16}",
    f"(({_H16}:){{0,6}}{_H16})?::",
)
_IPV6: Final = f"({'|'.join(_IPV6_LINES)})"


@cache
def _zone_names() -> frozenset[str]:
    # ZoneInfo(name) searches the files of the system, which a name from outside must not reach
    from zoneinfo import available_timezones  # noqa: PLC0415

    return frozenset(available_timezones())


def _zone(name: str) -> Any:
    from zoneinfo import ZoneInfo  # noqa: PLC0415  it imports threading, as in pred/dump/module

    if name not in _zone_names():
        raise ValueError("There is no time zone of this name.")
    return ZoneInfo(name)


def _path_of(_: type[Any]) -> Callable[[str], Any]:
    # PurePath has two subclasses: this one has the separators of the wire
    from pathlib import PurePosixPath  # noqa: PLC0415

    return PurePosixPath


_PATH: Final = _Ready(
    kind="path",
    pattern=r"[^\x00]+",
    max_length=4_096,
    examples=("invoices/2026-01.pdf",),
    load=_path_of,
    dump=methodcaller("as_posix"),
)

_READY: Final[Mapping[str, _Ready]] = {
    "ipaddress.IPv4Address": _Ready(kind="ipv4", pattern=_IPV4, examples=("192.0.2.1",)),
    "ipaddress.IPv6Address": _Ready(kind="ipv6", pattern=_IPV6, examples=("2001:db8::1",)),
    "ipaddress.IPv4Network": _Ready(
        kind="ipv4-network",
        pattern=f"{_IPV4}/(3[0-2]|[12]?[0-9])",
        examples=("192.0.2.0/24", "0.0.0.0/0"),
    ),
    "ipaddress.IPv6Network": _Ready(
        kind="ipv6-network",
        pattern=f"{_IPV6}/(12[0-8]|1[01][0-9]|[1-9]?[0-9])",
        examples=("2001:db8::/32", "::/0"),
    ),
    "zoneinfo.ZoneInfo": _Ready(
        kind="timezone",
        pattern="[A-Za-z][A-Za-z0-9_+-]*(/[A-Za-z0-9_+-]+)*",
        max_length=64,
        examples=("Europe/Berlin", "UTC", "America/New_York"),
        load=lambda _: _zone,
        dump=attrgetter("key"),
    ),
    # from Python 3.13 on they are in a module of their own
    "pathlib.PurePath": _PATH,
    "pathlib.PurePosixPath": _PATH,
    "pathlib._local.PurePath": _PATH,
    "pathlib._local.PurePosixPath": _PATH,
}

_NAMES: Final[Mapping[str, str]] = {
    ready.kind: name for name, ready in _READY.items() if not name.startswith("pathlib._local")
}
"""``x-contract-type`` -> the class that it means; for paths, the last one."""
