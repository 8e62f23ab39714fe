"""Unions: which member a JSON value belongs to, by its JSON type or by its tag."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any, Final

from contract.pred.report import DEAF, INVALID, Attempt, Load, Report, integral, type_name
from contract.pred.scalars import allowed_params, meant_params
from contract.shape.graph import expected, json_types, listed
from contract.shape.issues import short_path
from contract.shape.json_text import kind_of
from contract.shape.nearest import finder
from contract.shape.nodes import Shape

__all__ = ["MAX_VALUES_COMPARED", "tagged_loader", "union_loader"]

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
    by_type: dict[type, list[int]] = {}
    integers: list[int] = []
    names: dict[str, None] = {}
    for at, (shape, _) in enumerate(members):
        types = frozenset(json_types(shape))
        for kind in {kind for name in types for kind in _PYTHON[name]}:
            by_type.setdefault(kind, []).append(at)
        if "integer" in types:
            integers.append(at)
        names.update(dict.fromkeys(expected(shape)))
    told = ", ".join(names)
    choices = {kind: _choice(members, places) for kind, places in by_type.items()}
    # an integer that is written as 1.0 stays a float where there is a member for it
    whole = _choice(members, dict.fromkeys([*by_type.get(float, ()), *integers]))

    def load(value: Any, report: Report) -> Any:
        kind = kind_of(value)
        choice = choices.get(kind)
        if kind is float and integral(value):
            choice = whole
        if choice is None or not choice[0]:
            return report.add("union", expected=told, found=type_name(value))
        fitting, code, said = choice
        if len(fitting) == 1:
            return fitting[0](value, report)
        # who is meant is not told in a large document, nor of unions inside of each other: it would
        # cost too much
        if report.hasty or report.compared == MAX_VALUES_COMPARED:
            for load_member in fitting:
                loaded = load_member(value, DEAF)
                if loaded is not INVALID:
                    return loaded
            if report.hasty:
                return report.add(code, **said)
        else:
            report.compared += 1
        attempt = Attempt()
        best = _NOBODY
        enough = _OF_A_PART if kind is dict or kind is list else _OF_A_LIMIT
        for at, load_member in enumerate(fitting):
            compared = best[0] < enough and at < _MAX_COMPARED
            loaded = load_member(value, attempt if compared else DEAF)
            if loaded is not INVALID:
                return loaded
            if compared:
                best = _nearer(attempt, best)
        return report.add(code, **said, **_closest_params(best))

    return load


_Choice = tuple[tuple[Load, ...], str, Mapping[str, Any]]
"""The members that a value may belong to, and the code and the params of one that is of none."""


def _choice(members: Sequence[tuple[Shape, Load]], fitting: Collection[int]) -> _Choice:
    values: list[Any] = []
    names: dict[str, None] = {}
    for at, (shape, _) in enumerate(members):
        own = listed(shape) if at in fitting else None
        names.update(dict.fromkeys(expected(shape) if own is None else ("allowed",)))
        values += own or ()
    loads = tuple(members[at][1] for at in fitting)
    if not values:
        return loads, "union", {"expected": ", ".join(names)}
    allowed = allowed_params(values)
    if all(listed(members[at][0]) for at in fitting):
        return loads, "unknown_value", allowed
    return loads, "union", {"expected": ", ".join(names), **allowed}


_MAX_COMPARED: Final = 4
"""Members of a union that are asked how near a value is to them."""

MAX_VALUES_COMPARED: Final = 100
"""
Values of unions in one document that are held against their members with an ear for complaints.

From then on that is done only for those that no member takes, since to listen costs much more where
names have to be compared.
"""

_OF_A_LIMIT: Final = 1
_OF_A_PART: Final = 2
"""How near a value is to a member that complains of a limit of it, or of a part."""

_Near = tuple[int, list[str | int], str, Mapping[str, Any]]
"""How near a value is to a member, and what it lacks for it: path, code and params."""

_NOBODY: Final[_Near] = (0, [], "", {})


def _nearer(attempt: Attempt, best: _Near) -> _Near:
    """
    The nearer of the *best* so far and the member that an *attempt* was made with.

    That is the first of those that take the most of the value: one whose complaint is about a part
    of it, before one that takes the value for what it is, but for a limit. Where each of them takes
    it for something else, none is meant.
    """
    path, code, params = attempt.taken()
    if path:
        nearness = _OF_A_PART
    elif code not in _STRANGE or "reason" in params or "meant" in params:
        nearness = _OF_A_LIMIT
    else:
        return best
    return (nearness, path, code, params) if nearness > best[0] else best


def _closest_params(near: _Near) -> Mapping[str, Any]:
    """
    The param that says which member is meant, by what the value lacks for it, and where.

    Of values that are listed it is the one that is meant.
    """
    nearness, path, code, params = near
    if not nearness:
        return {}
    if code == "unknown_value" and not path:  # its values are told
        return {"meant": params["meant"]}
    place = short_path(path[::-1]) if path else path
    return {"closest": {"path": place, "code": code, "params": params}}


_STRANGE: Final = frozenset({"format", "unknown_value", "string_type", "union"})
"""Codes that say that a value is something else, where nothing is known of a slip."""


def tagged_loader(tag: str, cases: Mapping[tuple[type, Any], Load]) -> Load:
    """The loader of a union of records that name themselves in *tag*."""
    tags = [value for _, value in cases]
    told = allowed_params(tags)
    nearest = finder(tags)
    kinds = {kind for kind, _ in cases}

    def load(value: Any, report: Report) -> Any:
        if kind_of(value) is not dict:
            return report.add("object_type", found=type_name(value))
        if tag not in value:
            return report.add("missing", tag, **told)
        sent: Any = value[tag]
        kind = kind_of(sent)
        if kind is float and integral(sent):
            kind, sent = int, int(sent)
        load_case = cases.get((kind, sent)) if kind is str or kind is int or kind is bool else None
        if load_case is None:
            if kind not in kinds:
                return report.add("unknown_tag", tag, **told, found=type_name(sent))
            return report.add("unknown_tag", tag, **told, **meant_params(sent, nearest, report))
        return load_case(value, report)

    return load
