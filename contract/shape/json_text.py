"""
JSON text: from bytes to a JSON value, for text that anybody may have written.

The work is bounded by the size of the text. Nothing here is recursive, so a deep value cannot
overflow the stack.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from math import isfinite
from typing import Any, Final, TypeGuard, final

import orjson

from contract.shape.exceptions import DocumentError
from contract.shape.quoting import cut
from contract.shape.record import record

__all__ = [
    "MAX_BYTES",
    "MAX_DEPTH",
    "Json",
    "JsonSchema",
    "Place",
    "check_json",
    "find",
    "is_array",
    "is_object",
    "kind_of",
    "parse",
]

kind_of: Final[Callable[[object], type[Any]]] = type
"""
The type of a JSON value, which is always one of the parser's seven types.

Type checkers do not guess at the contents of a value of this type.
"""

Json = Mapping[str, Any]
"""A JSON object."""

JsonSchema = Mapping[str, Any]
"""A JSON Schema object."""

MAX_BYTES: Final = 16 * 1_048_576
"""The greatest size of a document; that of a service of a thousand routes is about 1 MB."""

MAX_DEPTH: Final = 200
"""The most arrays and objects within each other."""


@final
@record
class Place:
    """Somewhere in a document; its text is a JSON path: ``$.routes.order.tags[0]``."""

    key: str | int | None = None
    """The key or index in the value around it; None for the document itself."""
    outside: Place | None = None
    """The place of the value around it."""

    def __truediv__(self, key: str | int) -> Place:
        return Place(key, self)

    def __str__(self) -> str:
        steps: list[str] = []
        place: Place | None = self
        while place is not None and place.key is not None:
            steps.append(_step(place.key))
            place = place.outside
        steps.reverse()
        if len(steps) > _MAX_STEPS:
            # the two ends tell most
            half = _MAX_STEPS // 2
            steps = [*steps[:half], "...", *steps[-half:]]
        return "".join(["$", *steps])

    def refuse(self, problem: str) -> DocumentError:
        """An exception to raise about this place."""
        return DocumentError(str(self), problem)


def parse(data: bytes) -> Any:
    """
    The JSON value that *data* contains.

    Raises:
        DocumentError: The data is too long, too deep, not UTF-8 or not JSON, or an object has a key
            twice.
    """
    if len(data) > MAX_BYTES:
        raise Place().refuse(f"it has {len(data)} bytes; at most {MAX_BYTES} are read")
    try:
        value = orjson.loads(data)
    except orjson.JSONDecodeError as error:
        raise Place().refuse(f"it is not JSON in UTF-8: {error}") from None
    # of equal keys orjson silently keeps the last; then there are fewer keys than were written
    keys = check_json(value)
    written = sum(match[1] is not None for match in _TEXTS.finditer(data))
    if keys != written:
        # read it again, slowly, to find which key it is; `str`, as int() refuses a number with too
        # many digits
        pairs = json.loads(data, object_pairs_hook=_object, parse_int=str)
        place, part = find(pairs, lambda part, _: isinstance(part, _Twice))
        raise (place / part.key).refuse("one object has this key twice")
    return value


def check_json(value: Any) -> int:
    """
    Count the keys of all objects in *value*.

    Raises:
        DocumentError: It has more than `MAX_DEPTH` levels, or a number that JSON cannot write.
    """
    # level by level, so the depth is known without recursion
    keys = 0
    level: list[Any] = [value]
    for _ in range(MAX_DEPTH + 1):
        inside: list[Any] = []
        for part in level:
            if is_array(part):
                inside.extend(part)
            elif is_object(part):
                keys += len(part)
                inside.extend(part.values())
            elif isinstance(part, float) and not isfinite(part):
                # no JSON text has one, but a value made in Python may
                place, _ = find(
                    value, lambda found, _: isinstance(found, float) and not isfinite(found)
                )
                raise place.refuse("JSON has neither infinite numbers nor NaN")
        level = [part for part in inside if type(part) not in _FLAT]
        if not level:
            return keys
    place, _ = find(value, lambda part, depth: depth > MAX_DEPTH and type(part) not in _FLAT)
    raise place.refuse(f"it is inside more than {MAX_DEPTH} arrays and objects")


def find(value: Any, wanted: Callable[[Any, int], bool]) -> tuple[Place, Any]:
    """
    The first value in *value*, in the order of the text, for which *wanted* holds at its depth.

    There must be one.
    """
    ahead: list[tuple[Place, Any, int]] = [(Place(), value, 0)]
    while True:
        place, part, depth = ahead.pop()
        if wanted(part, depth):
            return place, part
        inside: Iterable[tuple[str | int, Any]] = ()
        if is_object(part):
            inside = part.items()
        elif is_array(part):
            inside = enumerate(part)
        found = [(place / key, inner, depth + 1) for key, inner in inside]
        # reversed, as the next is taken from the end
        ahead.extend(reversed(found))


def is_object(value: object) -> TypeGuard[Mapping[str, Any]]:
    """Whether *value* is a JSON object; all keys of a parsed one are texts."""
    return type(value) is dict or isinstance(value, Mapping)  # the first check is faster


def is_array(value: object) -> TypeGuard[list[Any]]:
    """Whether *value* is a JSON array."""
    return isinstance(value, list)


# without float, so that each float is looked at
_FLAT: Final = frozenset({str, int, bool, type(None)})
# a place is shown in a message, and whoever wrote the document chose its keys
_MAX_STEPS: Final = 24
_MAX_KEY: Final = 64
_SIMPLE: Final = re.compile(rf"[A-Za-z_$][A-Za-z0-9_$-]{{0,{_MAX_KEY - 1}}}")
# every text in a JSON document, and whether it is a key: there are no quotation marks between
# texts; possessive, so that its time is linear in the size
_TEXTS: Final = re.compile(rb'"(?:[^"\\]++|\\.)*+"(\s*+:)?', re.DOTALL)


@final
@record
class _Twice:
    """Replaces an object that has a key more than once."""

    key: str


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any] | _Twice:
    found = dict(pairs)
    if len(found) == len(pairs):
        return found
    # the search for it needs one key, so take the most frequent
    return _Twice(Counter(key for key, _ in pairs).most_common(1)[0][0])


def _step(key: str | int) -> str:
    if isinstance(key, int):
        return f"[{key}]"
    if _SIMPLE.fullmatch(key):
        return f".{key}"
    return f"[{json.dumps(cut(key, _MAX_KEY))}]"
