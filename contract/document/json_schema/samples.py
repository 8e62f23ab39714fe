"""
Samples: the defaults and the examples of fields, as they stand on the wire.

Both are notes to the reader, and nothing depends on them, so what cannot be written is left out.
"""

from __future__ import annotations

from typing import Any

from contract.document.json_schema.sides import Facts, Side
from contract.pred.dump.walk import Json, plain
from contract.shape.defaults import known_default
from contract.shape.exceptions import InvalidOutput
from contract.shape.nodes import MISSING, Field, Missing

__all__ = ["default_of", "examples_of"]


def default_of(field: Field, facts: Facts) -> Json | Missing:
    """
    The value of *field* in an input that lacks it.

    MISSING where there is none, or it cannot be told.
    """
    if facts.is_one_way(field.shape):
        return MISSING  # what is written of it is no input
    value = known_default(field)
    return MISSING if value is MISSING else _written(field, value)


def examples_of(field: Field, facts: Facts, side: Side) -> list[Json]:
    """The examples of *field* that are valid."""
    if not field.examples or (side == "input" and facts.is_one_way(field.shape)):
        return []
    written = (_written(field, example) for example in field.examples)
    return [example for example in written if example is not MISSING]


def _written(field: Field, value: Any) -> Json | Missing:
    try:
        return plain(field.shape, value)
    except InvalidOutput:
        return MISSING
