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
        kinds: set[type] = set()
        for name in types:
            kinds.update(_PYTHON[name])
        for kind in kinds:
            by_type.setdefault(kind, []).append(at)
        if "integer" in types:
            integers.append(at)
        names.update(dict.fromkeys(expected(shape)))
    all_expected = ", ".join(names)
    choices = {kind: _choice(members, places) for kind, places in by_type.items()}
    # an integer that is written as 1.0 stays a float if a member takes floats
    whole = _choice(members, dict.fromkeys([*by_type.get(float, ()), *integers]))

    def load(value: Any, report: Report) -> Any:
        # 1. The members that take this type. One alone says itself what is wrong.
        kind = kind_of(value)
        choice = choices.get(kind)
        if kind is float and integral(value):
            choice = whole
        if choice is None or not choice[0]:
            return report.add("union", expected=all_expected, found=type_name(value))
        fitting, code, params = choice
        if len(fitting) == 1:
            return fitting[0](value, report)
        # 2. In a large document, and in unions inside unions, the closest member is not looked for:
        #    it would cost too much.
        if report.hasty or report.compared == MAX_VALUES_COMPARED:
            for load_member in fitting:
                loaded = load_member(value, DEAF)
                if loaded is not INVALID:
                    return loaded
            if report.hasty:
                return report.add(code, **params)
        else:
            report.compared += 1
        # 3. Each member is tried once; on the way the first ones are compared, until one is as near
        #    as a member can be. Only a value with parts can be wrong in one of them.
        attempt = Attempt()
        best = _NOBODY
        enough = _OF_A_LIMIT
        if kind is dict or kind is list:
            enough = _OF_A_PART
        for at, load_member in enumerate(fitting):
            compared = best[0] < enough and at < _MAX_COMPARED
            listener = attempt if compared else DEAF
            loaded = load_member(value, listener)
            if loaded is not INVALID:
                return loaded
            if compared:
                best = _nearer(attempt, best)
        return report.add(code, **params, **_closest_params(best))

    return load


_Choice = tuple[tuple[Load, ...], str, Mapping[str, Any]]
"""The members that a value may belong to, and the issue's code and params if there are none."""


def _choice(members: Sequence[tuple[Shape, Load]], fitting: Collection[int]) -> _Choice:
    values: list[Any] = []
    names: dict[str, None] = {}
    for at, (shape, _) in enumerate(members):
        own = listed(shape) if at in fitting else None
        if own is None:
            names.update(dict.fromkeys(expected(shape)))
        else:
            names["allowed"] = None  # one word for all listed values, which the params name
            values += own
    loads = tuple(members[at][1] for at in fitting)
    if not values:
        return loads, "union", {"expected": ", ".join(names)}
    allowed = allowed_params(values)
    if all(listed(members[at][0]) for at in fitting):
        return loads, "unknown_value", allowed
    return loads, "union", {"expected": ", ".join(names), **allowed}


_MAX_COMPARED: Final = 4
"""The most members of a union that are compared with a value."""

MAX_VALUES_COMPARED: Final = 100
"""
The most values of unions in one document that are compared with reports of what is wrong.

After that, only values that no member takes are: such reports cost much more if names must be
compared.
"""

_OF_A_LIMIT: Final = 1
_OF_A_PART: Final = 2
"""How near a value is to a member, if only a limit or a part of it is wrong."""

_Near = tuple[int, list[str | int], str, Mapping[str, Any]]
"""How near a value is to a member, and what is wrong for it: path, code and params."""

_NOBODY: Final[_Near] = (0, [], "", {})


def _nearer(attempt: Attempt, best: _Near) -> _Near:
    """
    The nearer one: the *best* so far, or the member of this *attempt*.

    It is the first of those that accept the most of the value. A complaint about a part of the
    value is nearer than one about a limit of the value itself. If each of them expects another
    type, no member is near.
    """
    path, code, params = attempt.taken()
    nearness = 0
    if path:
        nearness = _OF_A_PART
    elif code not in _STRANGE or "reason" in params or "meant" in params:
        nearness = _OF_A_LIMIT
    if nearness > best[0]:
        return nearness, path, code, params
    return best


def _closest_params(near: _Near) -> Mapping[str, Any]:
    """
    The param that names the closest member, by what is wrong for it, and where.

    For listed values, it is the value that was probably meant.
    """
    nearness, path, code, params = near
    if not nearness:
        return {}
    if code == "unknown_value" and not path:  # the allowed values are already listed
        return {"meant": params["meant"]}
    # the path of a complaint is from the inside out
    place = short_path(path[::-1]) if path else path
    return {"closest": {"path": place, "code": code, "params": params}}


_STRANGE: Final = frozenset({"format", "unknown_value", "string_type", "union"})
"""Codes for a value of another kind, if no slip explains it."""


def tagged_loader(tag: str, cases: Mapping[tuple[type, Any], Load]) -> Load:
    """The loader of a union of records that are told apart by *tag*."""
    tags = [value for _, value in cases]
    allowed = allowed_params(tags)
    nearest = finder(tags)
    kinds = {kind for kind, _ in cases}

    def load(value: Any, report: Report) -> Any:
        if kind_of(value) is not dict:
            return report.add("object_type", found=type_name(value))
        if tag not in value:
            return report.add("missing", tag, **allowed)
        sent: Any = value[tag]
        kind = kind_of(sent)
        if kind is float and integral(sent):
            kind, sent = int, int(sent)
        load_case = None
        # an array or an object cannot be looked up, and no tag is one
        if kind is str or kind is int or kind is bool:
            load_case = cases.get((kind, sent))
        if load_case is None:
            if kind not in kinds:
                return report.add("unknown_tag", tag, **allowed, found=type_name(sent))
            return report.add("unknown_tag", tag, **allowed, **meant_params(sent, nearest, report))
        return load_case(value, report)

    return load
