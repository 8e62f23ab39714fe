"""Checked JSON: a value of a document and where it stands, asked for what it has to be."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final, TypeVar, final

from contract.shape.json_text import Place, is_array, is_object
from contract.shape.record import record

__all__ = ["Node", "kind_of"]

T = TypeVar("T", bound=str)


@final
@record
class Node:
    """A value in a document. Whatever it is asked for and is not, it refuses with its place."""

    value: Any
    place: Place

    def __getitem__(self, key: str) -> Node:
        """A member that has to be there."""
        found = self.get(key)
        if found is None:
            raise self.place.refuse(f"the key {key!r} is missing")
        return found

    def get(self, key: str) -> Node | None:
        """A member that may be left out."""
        members = self.object()
        return Node(members[key], self.place / key) if key in members else None

    def object(self) -> Mapping[str, Any]:
        """An object."""
        if not is_object(self.value):
            raise self._wrong("an object")
        return self.value

    def members(self, names: re.Pattern[str], what: str) -> Iterator[tuple[str, Node]]:
        """The members of an object whose keys are *names*."""
        for key, value in self.object().items():
            place = self.place / key
            if names.fullmatch(key) is None:
                raise place.refuse(f"this is no name of {what}; one matches {names.pattern}")
            yield key, Node(value, place)

    def items(self) -> Iterator[Node]:
        """The items of an array."""
        if not is_array(self.value):
            raise self._wrong("an array")
        for index, item in enumerate(self.value):
            yield Node(item, self.place / index)

    def texts(self) -> list[str]:
        """An array of different strings."""
        seen: dict[str, None] = {}
        for item in self.items():
            if item.text() in seen:
                raise item.place.refuse("this stands in the array twice")
            seen[item.text()] = None
        return [*seen]

    def text(self, pattern: re.Pattern[str] | None = None) -> str:
        """A string, which matches *pattern* as a whole."""
        if not isinstance(self.value, str):
            raise self._wrong("a string")
        if pattern is not None and pattern.fullmatch(self.value) is None:
            raise self.place.refuse(f"this does not match {pattern.pattern}")
        return self.value

    def one_of(self, *choices: T) -> T:
        """One of some strings."""
        for choice in choices:
            if self.text() == choice:
                return choice
        raise self.place.refuse(f"this is none of {', '.join(choices)}")

    def flag(self) -> bool:
        """True or false."""
        if not isinstance(self.value, bool):
            raise self._wrong("true or false")
        return self.value

    def integer(self, low: int, high: int) -> int:
        """An integer from *low* to *high*."""
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
        return self.place.refuse(f"this has to be {wanted}, and is {kind_of(self.value)}")


_KINDS: Final[dict[type, str]] = {
    dict: "an object",
    list: "an array",
    str: "a string",
    bool: "true or false",
    int: "an integer",
    float: "a number",
    type(None): "null",
}


def kind_of(value: Any) -> str:
    """The JSON type of *value*."""
    return _KINDS[type(value)]
