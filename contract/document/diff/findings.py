"""Findings: what a comparison of two schemas comes upon, before it is known whose change it is."""

from __future__ import annotations

import json
from typing import Any, Final, Literal, final

from contract.document.diff.changes import Level
from contract.document.schema_lens import Node
from contract.shape.quoting import cut
from contract.shape.record import record

__all__ = ["Finding", "Part", "Relation", "Side", "Step", "combine", "level_of", "quoted", "said"]

Side = Literal["input", "output"]
"""Whether a value is received or sent."""

Relation = Literal["same", "narrower", "wider", "unclear"]
"""
How the new set of values lies to the old; "unclear" where that cannot be told, or it is neither.
"""

Part = str
"""A step along the data, as it stands in a path: ``.name``, ``[*]``, ``[0]``, ``.*``, ``{key}``."""

_MAX_QUOTED: Final = 120


@final
@record
class Finding:
    """A difference in one place."""

    code: str
    """The kind of change without the side."""
    meaning: Relation | Level
    """A level where it is the same for both sides."""
    text: str
    part: Part = ""
    """Where, from the place that is looked at."""
    old: Any = None
    new: Any = None


@final
@record(eq=False)
class Step:
    """Two schemas of one place, to be compared with each other."""

    part: Part
    old: Node
    new: Node


def level_of(meaning: Relation | Level, side: Side) -> Level:
    """Whom it concerns: what is received may become wider, what is sent narrower."""
    match meaning:
        case "narrower":
            return "breaking" if side == "input" else "compatible"
        case "wider":
            return "compatible" if side == "input" else "breaking"
        case "unclear" | "same":  # what is the same is not told
            return "breaking"
        case _:
            return meaning


def combine(*relations: Relation) -> Relation:
    """The relation of rules that all hold."""
    found: list[Relation] = [relation for relation in relations if relation != "same"]
    if not found:
        return "same"
    return found[0] if len({*found}) == 1 else "unclear"


def said(value: Any) -> str:
    """*value* in a text, where null stands for nothing."""
    return "none" if value is None else quoted(value)


def quoted(value: Any) -> str:
    """*value* in a text, as JSON, cut where it is long."""
    try:
        text = json.dumps(value, ensure_ascii=False)
    except (RecursionError, TypeError, ValueError):
        text = f"({type(value).__name__})"
    return cut(text, _MAX_QUOTED)
