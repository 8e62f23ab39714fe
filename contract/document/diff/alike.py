"""Alike: whether two schemas take the same, word for word but for the names of types."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from contract.document.schema_lens import (
    NOTES,
    Definitions,
    Node,
    as_schema,
    mapping,
    sequence,
    type_of,
)

__all__ = ["is_alike"]

_BY_NAME: Final = frozenset({"properties", "patternProperties", "dependentSchemas", "$defs"})
"""Keywords whose keys are no keywords."""


def is_alike(
    old: Any, new: Any, old_types: Definitions, new_types: Definitions, spend: Callable[[], bool]
) -> bool:
    """
    Whether *old* and *new* say the same where every reference is followed; notes do not count.

    Args:
        old: A schema, or what stands in one.
        new: The other.
        old_types: What *old* refers to.
        new_types: What *new* refers to.
        spend: Says whether another step can be afforded; else they are taken for different.
    """
    met: set[tuple[str, str]] = set()
    ahead: list[tuple[Any, Any, bool]] = [(old, new, True)]
    while ahead:
        one, other, is_schema = ahead.pop()
        if not spend():
            return False
        kinds = type_of(one), type_of(other)
        if kinds == ("object", "object"):
            if is_schema:
                names = old_types.name(Node(mapping(one))), new_types.name(Node(mapping(other)))
                if names[0] is not None and names[1] is not None:
                    # types that were met before are alike if nothing else differs
                    if (names[0], names[1]) not in met:
                        met.add((names[0], names[1]))
                        ahead.append(
                            (
                                as_schema(old_types.types[names[0]]),
                                as_schema(new_types.types[names[1]]),
                                True,
                            )
                        )
                    continue
            was, now = (
                {
                    key: value
                    for key, value in mapping(each).items()
                    if not is_schema or key not in NOTES
                }
                for each in (one, other)
            )
            if was.keys() != now.keys():
                return False
            ahead.extend((was[key], now[key], not is_schema or key not in _BY_NAME) for key in was)
        elif kinds == ("array", "array"):
            before, after = sequence(one), sequence(other)
            if len(before) != len(after):
                return False
            ahead.extend((one, other, True) for one, other in zip(before, after, strict=True))
        elif kinds[0] != kinds[1] or one != other:
            return False
    return True
