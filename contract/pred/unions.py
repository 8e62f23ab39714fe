"""Unions: which member a JSON value belongs to, by its JSON type or by its tag."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from contract.pred.report import DEAF, INVALID, Load, Report
from contract.pred.scalars import integral
from contract.shape.graph import expected, json_types
from contract.shape.json_text import kind_of
from contract.shape.nodes import Shape

__all__ = ["tagged_loader", "union_loader"]

_PYTHON: Final[dict[str, tuple[type, ...]]] = {
    "null": (type(None),),
    "boolean": (bool,),
    "integer": (int,),
    "number": (int, float),
    "string": (str,),
    "array": (list,),
    "object": (dict,),
}
"""JSON type -> the types that the parser makes of it."""


def union_loader(members: Sequence[tuple[Shape, Load]]) -> Load:
    """The loader of a union whose members share no JSON value."""
    by_type: dict[type, list[Load]] = {}
    integers: list[Load] = []
    names: dict[str, None] = {}
    for shape, load_member in members:
        types = frozenset(json_types(shape))
        for kind in {kind for name in types for kind in _PYTHON[name]}:
            by_type.setdefault(kind, []).append(load_member)
        if "integer" in types:
            integers.append(load_member)
        names.update(dict.fromkeys(expected(shape)))
    told = ", ".join(names)

    def load(value: Any, report: Report) -> Any:
        kind = kind_of(value)
        fitting = by_type.get(kind, ())
        if kind is float and integral(value):
            # last, so that 1.0 stays a float where there is a member for it
            fitting = [*fitting, *integers]
        if len(fitting) == 1:
            return fitting[0](value, report)
        for load_member in fitting:
            loaded = load_member(value, DEAF)
            if loaded is not INVALID:
                return loaded
        return report.add("union", expected=told)

    return load


def tagged_loader(tag: str, cases: Mapping[tuple[type, Any], Load]) -> Load:
    """The loader of a union of records that name themselves in *tag*."""
    allowed = [value for _, value in cases]

    def load(value: Any, report: Report) -> Any:
        if kind_of(value) is not dict:
            return report.add("object_type")
        if tag not in value:
            return report.add("missing", tag)
        sent: Any = value[tag]
        kind = kind_of(sent)
        if kind is float and integral(sent):
            kind, sent = int, int(sent)
        load_case = cases.get((kind, sent)) if kind is str or kind is int or kind is bool else None
        if load_case is None:
            return report.add("unknown_tag", tag, allowed=allowed)
        return load_case(value, report)

    return load
