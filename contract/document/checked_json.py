"""
Checked JSON: a value of a document with its place, and checks of what it must be.

A schema must be in the dialect of JSON Schema that readers rely on. It may have only the keywords
that `contract.document.json_schema` writes, since one that a reader does not know could refuse a
value; only keys that begin with ``x-`` may be anything. Defaults and examples are not validated.
Nothing here is recursive, so a deep schema cannot overflow the stack.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Final, TypeVar, final

from contract.shape.json_text import Place, is_array, is_object
from contract.shape.record import record
from contract.shape.schema_lens import DEFINITIONS, JSON_TYPES

__all__ = ["DEFINITION", "Node", "SchemaCheck"]

R = TypeVar("R")
T = TypeVar("T", bound=str)


@final
@record
class Node:
    """A value in a document. If it is not what a method asks for, it is refused with its place."""

    value: Any
    place: Place

    def __getitem__(self, key: str) -> Node:
        """A required member."""
        found = self.get(key)
        if found is None:
            raise self.place.refuse(f"the key {key!r} is missing")
        return found

    def get(self, key: str) -> Node | None:
        """An optional member."""
        members = self.object()
        if key not in members:
            return None
        return Node(members[key], self.place / key)

    def optional(self, key: str, read: Callable[[Node], R]) -> R | None:
        """An optional member as *read* gives it; None if it is missing."""
        member = self.get(key)
        if member is None:
            return None
        return read(member)

    def refuse_any(self, keys: Iterable[str], problem: str) -> None:
        """Refuse the members *keys*, if there are any."""
        for key in keys:
            if key in self.object():
                raise (self.place / key).refuse(problem)

    def object(self) -> Mapping[str, Any]:
        """An object."""
        if not is_object(self.value):
            raise self._wrong("an object")
        return self.value

    def members(self, names: re.Pattern[str], noun: str) -> Iterator[tuple[str, Node]]:
        """The members of an object, whose keys must match *names*; *noun* says what has them."""
        for key, value in self.object().items():
            place = self.place / key
            if names.fullmatch(key) is None:
                raise place.refuse(
                    f"this is not a valid name for {noun}; write one that matches {names.pattern}"
                )
            yield key, Node(value, place)

    def items(self) -> Iterator[Node]:
        """The items of an array."""
        if not is_array(self.value):
            raise self._wrong("an array")
        for index, item in enumerate(self.value):
            yield Node(item, self.place / index)

    def texts(self, pattern: re.Pattern[str] | None = None) -> list[str]:
        """The items of an array of different strings, each of which must match *pattern*."""
        seen: dict[str, None] = {}
        for item in self.items():
            if item.text(pattern) in seen:
                raise item.place.refuse("the array has this twice")
            seen[item.text()] = None
        return [*seen]

    def text(self, pattern: re.Pattern[str] | None = None) -> str:
        """A string that must match *pattern* as a whole."""
        if not isinstance(self.value, str):
            raise self._wrong("a string")
        if pattern is not None and pattern.fullmatch(self.value) is None:
            raise self.place.refuse(f"this does not match {pattern.pattern}")
        return self.value

    def one_of(self, *choices: T) -> T:
        """A string that must be one of *choices*."""
        for choice in choices:
            if self.text() == choice:
                return choice
        raise self.place.refuse(f"this is not one of {', '.join(choices)}")

    def flag(self) -> bool:
        """A boolean."""
        if not isinstance(self.value, bool):
            raise self._wrong("true or false")
        return self.value

    def integer(self, low: int, high: int) -> int:
        """An integer from *low* to *high*."""
        # not isinstance: true is an int in Python
        if type(self.value) is not int:
            raise self._wrong("an integer")
        if not low <= self.value <= high:
            raise self.place.refuse(f"this is not from {low} to {high}")
        return self.value

    def number(self) -> float:
        """A number."""
        if type(self.value) not in (int, float):
            raise self._wrong("a number")
        number: float = self.value
        return number

    def _wrong(self, wanted: str) -> Exception:
        return self.place.refuse(f"this has to be {wanted}, and is {_KINDS[type(self.value)]}")


_KINDS: Final[dict[type, str]] = {
    dict: "an object",
    list: "an array",
    str: "a string",
    bool: "true or false",
    int: "an integer",
    float: "a number",
    type(None): "null",
}
"""Python class of a JSON value -> its JSON type."""


# Schemas.

DEFINITION: Final = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,99}")
"""The names of types."""


class SchemaCheck:
    """
    Checks the schemas of one document.

    Args:
        names: The types in its ``$defs``, each with its place.
    """

    __slots__ = ("_leads", "_names")

    def __init__(self, names: Mapping[str, Place]) -> None:
        self._names = names
        self._leads: dict[str, list[str]] = {name: [] for name in names}

    def schema(self, node: Node, owner: str | None = None) -> Mapping[str, Any]:
        """
        The checked schema in *node*.

        Args:
            node: Any value in the document.
            owner: The type that this schema defines, if it defines one.

        Raises:
            DocumentError: It is not a schema, or refers to a type that does not exist.
        """
        # a stack of iterators, not of schemas: a text of 16 MiB may contain five million of these
        ahead: list[tuple[Iterator[Node], str | None]] = [(iter([node]), owner)]
        while ahead:
            nodes, owner = ahead[-1]
            each = next(nodes, None)
            if each is None:
                ahead.pop()
            else:
                ahead += self._parts(each, owner)
        return node.object()

    def _parts(self, node: Node, owner: str | None) -> list[tuple[Iterator[Node], str | None]]:
        """Check one schema, and give the schemas in it, which are not checked yet."""
        parts: list[tuple[Iterator[Node], str | None]] = []
        for keyword, value in node.object().items():
            inner = Node(value, node.place / keyword)
            check = _CHECKS.get(keyword)
            if keyword == "$ref":
                target = self.reference(inner)
                if owner is not None:
                    self._leads[owner].append(target)
            elif keyword == "discriminator":
                self._discriminator(inner)
            elif keyword in _INSIDE:
                # of another value, so a type may refer to itself there
                parts.append((_INSIDE[keyword](inner), None))
            elif keyword in _IN_PLACE:
                parts.append((_IN_PLACE[keyword](inner), owner))
            elif check is not None:
                check(inner)
            elif not keyword.startswith("x-"):
                raise inner.place.refuse("this keyword is not known here")
        _agree(node)
        return parts

    def reference(self, node: Node) -> str:
        """
        The name of the type that *node* refers to.

        Raises:
            DocumentError: It is not ``#/$defs/NAME``, or there is no such type.
        """
        name = node.text().removeprefix(DEFINITIONS)
        if name == node.value or not DEFINITION.fullmatch(name):
            raise node.place.refuse("a reference is written #/$defs/NAME; no others are followed")
        if name not in self._names:
            raise node.place.refuse(f"there is no {name} in $defs")
        return name

    def finish(self) -> None:
        """
        Refuse types that are defined only by themselves.

        Call it once all types have been checked. A type may contain itself, in a field or an item,
        but it must not be an alias of itself.

        Raises:
            DocumentError: A type is defined only by itself.
        """
        # Types are settled from those that lead nowhere, back to those that lead only to settled
        # ones. What is left at the end leads round in a circle.
        waiting = {name: len(leads) for name, leads in self._leads.items()}
        led_to_by: dict[str, list[str]] = {name: [] for name in waiting}
        for name, leads in self._leads.items():
            for target in leads:
                led_to_by[target].append(name)
        settled = [name for name, count in waiting.items() if not count]
        while settled:
            for name in led_to_by[settled.pop()]:
                waiting[name] -= 1
                if not waiting[name]:
                    settled.append(name)
        for name, count in waiting.items():
            if count:
                raise self._names[name].refuse(
                    "its references lead back to themselves, with no field or item between"
                )

    def _discriminator(self, node: Node) -> None:
        node["propertyName"].text()
        mapping = node["mapping"]
        for tag in mapping.object():
            self.reference(mapping[tag])


# The keywords that hold schemas: for other values than the one that is described, and for the same
# value.


def _one(node: Node) -> Iterator[Node]:
    yield node


def _one_or_flag(node: Node) -> Iterator[Node]:
    if not isinstance(node.value, bool):
        yield node


def _several(node: Node) -> Iterator[Node]:
    if node.value == []:
        raise node.place.refuse("there has to be at least one item")
    return node.items()


def _each(node: Node) -> Iterator[Node]:
    return (node[key] for key in node.object())


def _arguments(node: Node) -> Iterator[Node]:
    node["name"].text(DEFINITION)
    return _several(node["arguments"])


_INSIDE: Final[Mapping[str, Callable[[Node], Iterator[Node]]]] = {
    "properties": _each,
    "additionalProperties": _one_or_flag,
    "propertyNames": _one,
    "items": _one_or_flag,
    "prefixItems": _several,
    "x-contract-generic": _arguments,
}
_IN_PLACE: Final[Mapping[str, Callable[[Node], Iterator[Node]]]] = {
    "anyOf": _several,
    "oneOf": _several,
    "allOf": _several,
    "if": _one,
    "then": _one,
}


# The values that the other keywords must have.

_BOUNDS: Final = ("ge", "gt", "le", "lt", "multiple_of")
# up to here a double is exact, and many readers of JSON have only doubles (RFC 8259, section 6,
# which ends at 2**53 - 1)
_MAX_COUNT: Final = 2**53


def _type(node: Node) -> None:
    if is_array(node.value):
        for item in _several(node):
            item.one_of(*JSON_TYPES)
        node.texts()
    else:
        node.one_of(*JSON_TYPES)


def _scalar(node: Node) -> None:
    if is_object(node.value) or is_array(node.value):
        raise node.place.refuse("this has to be null, a boolean, a number or a string")


def _enum(node: Node) -> None:
    seen: set[tuple[str, Any]] = set()
    for item in node.items():
        _scalar(item)
        # with the kind, since True == 1 in Python
        key = (_KINDS[type(item.value)], item.value)
        if key in seen:
            raise item.place.refuse("the array has this twice")
        seen.add(key)
    if not seen:
        raise node.place.refuse("there has to be at least one item")


def _step(node: Node) -> None:
    if node.number() <= 0:
        raise node.place.refuse("this has to be more than 0")


def _bounds(node: Node) -> None:
    for name in node.object():
        if name not in _BOUNDS:
            raise (node.place / name).refuse(f"this is not one of {', '.join(_BOUNDS)}")
        if not isinstance(node[name].value, str):
            node[name].number()


def _anything(_: Node) -> None:
    """Every JSON value is allowed."""


def _count(node: Node) -> None:
    node.integer(0, _MAX_COUNT)


_CHECKS: Final[Mapping[str, Callable[[Node], object]]] = {
    **dict.fromkeys(
        (
            "title",
            "description",
            "format",
            "pattern",
            "contentEncoding",
            "x-contract-type",
            "x-contract-name",
        ),
        Node.text,
    ),
    **dict.fromkeys(("deprecated", "uniqueItems"), Node.flag),
    **dict.fromkeys(
        ("minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties"), _count
    ),
    **dict.fromkeys(("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"), Node.number),
    **dict.fromkeys(("required", "x-contract-order", "x-contract-enum-names"), Node.texts),
    "multipleOf": _step,
    "type": _type,
    "const": _scalar,
    "enum": _enum,
    "default": _anything,
    "examples": lambda node: [*node.items()],
    "x-contract-bounds": _bounds,
}


def _agree(node: Node) -> None:
    """Refuse keywords that list what another one lacks, although each is valid by itself."""
    schema = node.object()
    properties = schema.get("properties", {})
    for index, name in enumerate(schema.get("required", ())):
        if name not in properties:
            raise (node.place / "required" / index).refuse("this is not one of the properties")
    order = schema.get("x-contract-order")
    if order is not None and {*order} != properties.keys():
        raise (node.place / "x-contract-order").refuse("these are not the names of the properties")
    names = schema.get("x-contract-enum-names")
    if names is not None and len(names) != len(schema.get("enum", ())):
        raise (node.place / "x-contract-enum-names").refuse("there must be as many as in enum")
