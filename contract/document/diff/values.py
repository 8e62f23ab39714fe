"""
Values: compares the types, the listed values and the forms of texts that two schemas take.

It also compares the names of these values in generated code, if those on the wire differ.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any, Final

from contract.document.diff.changes import Finding, Part, Relation, combine, quoted
from contract.shape.json_text import JsonSchema
from contract.shape.schema_lens import (
    constraints,
    enumerated,
    key_of,
    mapping,
    sequence,
    text_in,
    type_of,
    types_of,
)
from contract.shape.schema_scalars import BY_FORMAT

__all__ = [
    "TEXT",
    "kind_of",
    "named",
    "names",
    "of_any",
    "of_other_kind",
    "other_rules",
    "texts",
    "values",
]

TEXT: Final = frozenset({"pattern", "format", "x-contract-type"})
"""The keywords that `texts` compares."""

# how a number is stored; its limits say how large it may be
_NUMERIC: Final = frozenset({"int32", "int64", "float", "double"})
_BOOLEAN: Final = frozenset({"boolean"})
_PLAIN: Final = frozenset({"null", "boolean", "integer", "number", "string"})
_INTEGER: Final = frozenset({"integer"})
_RANGE: Final = frozenset({"type", "minimum", "maximum"})
_ENDS: Final[dict[Relation, str]] = {
    "narrower": "narrowed",
    "wider": "widened",
    "unclear": "changed",
}


def of_other_kind(old: JsonSchema, new: JsonSchema) -> Finding | None:
    """
    The only finding about *old* and *new*, if they have too little in common for further ones.
    """
    was, now = _types_in(old), _types_in(new)
    if not was or not now:
        relation = _relation(narrower=bool(was), wider=bool(now))
    elif bool(constraints(old)) != bool(constraints(new)):
        relation = "narrower" if constraints(new) else "wider"
    elif was.isdisjoint(now):
        relation = "unclear"
    else:
        return None
    if relation == "same":
        return None
    return _type_finding(relation, old, new)


def of_any(old: JsonSchema, new: JsonSchema) -> Iterator[Finding]:
    """The other type in generated code of what was, or is now, any value."""
    for schema, other in ((old, new), (new, old)):
        if not constraints(schema) and constraints(other) and not _is_plain(other):
            was, now = kind_of(old), kind_of(new)
            text = f"is {now} in generated code, was {was}"
            yield Finding("representation_changed", "source", text, was, now)


def _is_plain(schema: JsonSchema) -> bool:
    """Whether its values are the same in code as in JSON."""
    return _types_in(schema) <= _PLAIN and _class(schema) is None and not named(schema)


def values(old: JsonSchema, new: JsonSchema) -> Iterator[Finding]:
    """How the types and the listed values differ."""
    was, now = enumerated(old), enumerated(new)
    # to list all values of a type (true and false, or the integers of a range) changes nothing
    if was is None and now is not None and _are_all(now, old):
        was = now
    elif now is None and was is not None and _are_all(was, new):
        now = was
    members = named(old)
    # 1. Both list their values.
    if was is not None and now is not None:
        for key in was.keys() - now.keys():
            text = f"the value {quoted(was[key])} is gone"
            yield Finding("enum_value_removed", "narrower", text, was[key])
            if key in members:
                text = f"the member {members[key]} is gone from generated code"
                yield Finding("enum_member_removed", "source", text, members[key])
        for key in now.keys() - was.keys():
            text = f"the value {quoted(now[key])} is new"
            yield Finding("enum_value_added", "wider", text, None, now[key])
        before, after = _in_code(old), _in_code(new)
        if before != after:
            yield _other_code(before, after)
        yield from names(
            members, named(new), renamed="enum_member_renamed", moved="enum_member_moved"
        )
        return
    # 2. One of them does, or neither.
    if members or named(new):
        before = "any" if was is None else _in_code(old)
        after = "any" if now is None else _in_code(new)
        yield _other_code(before, after)
    if was is not None:
        text = f"any {kind_of(new)} is allowed, was one of {_listed(was)}"
        yield Finding("enum_opened", "wider", text, [*was.values()])
    if now is not None:
        text = f"only {_listed(now)} is allowed, was any {kind_of(old)}"
        yield Finding("enum_closed", "narrower", text, None, [*now.values()])
    lost = _types_in(old) - types_of(new)
    gained = _types_in(new) - types_of(old)
    if lost or gained:
        yield _type_finding(_relation(narrower=bool(lost), wider=bool(gained)), old, new)


def texts(old: JsonSchema, new: JsonSchema) -> Iterator[Finding]:
    """How the forms of texts differ: dates, UUIDs, the author's patterns."""
    # The form of a text is in three keywords. The pattern and the format decide what is taken on
    # the wire; the kind (x-contract-type, or else the format) decides what it is in code.
    old_kind, new_kind = _kind(old), _kind(new)
    was, now = _patterns(old), _patterns(new)
    by_pattern = _relation(narrower=bool(now - was), wider=bool(was - now))
    old_format, new_format = text_in(old, "format"), text_in(new, "format")
    by_format: Relation = "same"
    if old_format != new_format and not {old_format, new_format} <= {*_NUMERIC, None}:
        by_format = _relation(narrower=new_format is not None, wider=old_format is not None)
    relation = combine(by_pattern, by_format)
    if old_kind != new_kind:
        before, after = old_kind or kind_of(old), new_kind or kind_of(new)
        if relation == "same" or (relation != "unclear" and _class(old) != _class(new)):
            text = f"stands for {after}, stood for {before}"
            yield Finding("representation_changed", "source", text, before, after)
        if relation != "same":
            text = f"has the form of {after}, had that of {before}"
            yield Finding(f"form_{_ENDS[relation]}", relation, text, before, after)
    elif relation != "same":
        code, text = f"form_{_ENDS[relation]}", f"the form of {old_kind} has changed"
        if old_kind is None:
            code, text = _PATTERN_CODES[relation], f"the pattern is {_all(now)}, was {_all(was)}"
            if relation == "unclear":
                text += "; two patterns cannot be compared, so this counts as breaking"
        yield Finding(code, relation, text, sorted(was), sorted(now))


_PATTERN_CODES: Final[dict[Relation, str]] = {
    "narrower": "pattern_added",
    "wider": "pattern_removed",
    "unclear": "pattern_changed",
}


def _all(patterns: frozenset[str]) -> str:
    return " and ".join(map(quoted, sorted(patterns))) or "none"


def _relation(*, narrower: bool, wider: bool) -> Relation:
    """The relation of the new to the old, if it is *narrower* or *wider* in some way, or both."""
    if narrower and wider:
        return "unclear"
    if narrower:
        return "narrower"
    if wider:
        return "wider"
    return "same"


def kind_of(schema: JsonSchema) -> str:
    """The values that *schema* takes, in a few words."""
    found = _types_in(schema)
    if not found:
        return "nothing"
    if not constraints(schema):
        return "any value"
    kind = _kind(schema)
    if kind is not None and len(found) == 1:
        return kind
    if "number" in found:
        found -= {"integer"}  # an integer is a number
    return " or ".join(sorted(found))


def other_rules(schema: JsonSchema) -> list[Any]:
    """The rules of ``allOf``, except those that are a single pattern."""
    return [rule for rule in sequence(schema.get("allOf")) if not _is_pattern(rule)]


def _is_pattern(rule: Any) -> bool:
    return [*mapping(rule)] == ["pattern"] and isinstance(rule["pattern"], str)


def _are_all(listed: Mapping[str, Any], other: JsonSchema) -> bool:
    """Whether all values of *other* are *listed*: true and false, or the integers of a range."""
    if types_of(other) == _BOOLEAN:
        return {*listed} == {"true", "false"}
    if types_of(other) != _INTEGER or constraints(other) - {"format"} != _RANGE:
        return False
    low, high = other["minimum"], other["maximum"]
    integers = [each for each in listed.values() if type(each) is int]
    within = [each for each in integers if low <= each <= high]
    size: float = high - low + 1
    return len(listed) == len(within) == size


def _in_code(schema: JsonSchema) -> str:
    """The key in `_IN_CODE` of what generated code makes of the values of *schema*."""
    if named(schema):
        return "names"
    if types_of(schema) == _INTEGER and enumerated(schema) is None:
        return "range"
    return "none"


def _other_code(before: str, after: str) -> Finding:
    text = f"its values are {_IN_CODE[after]} in code, were {_IN_CODE[before]}"
    return Finding("representation_changed", "source", text, before, after)


_IN_CODE: Final = {
    "any": "any of their type",
    "names": "the members of an enum",
    "none": "literals",
    "range": "any integers",
}


def named(schema: JsonSchema) -> dict[str, str]:
    """The members of an enum: value -> name."""
    listed, names = sequence(schema.get("enum")), sequence(schema.get("x-contract-enum-names"))
    return {key_of(value): str(name) for value, name in zip(listed, names, strict=False)}


def _patterns(schema: JsonSchema) -> frozenset[str]:
    found = [schema, *sequence(schema.get("allOf"))]
    patterns = [rule.get("pattern") for rule in map(mapping, found)]
    return frozenset(each for each in patterns if isinstance(each, str))


def _kind(schema: JsonSchema) -> str | None:
    kind = text_in(schema, "x-contract-type") or text_in(schema, "format")
    return None if kind in _NUMERIC else kind


def _class(schema: JsonSchema) -> str | None:
    """The name of the class that generated code has for a text; None if it is just a text."""
    kind, format_ = text_in(schema, "x-contract-type"), text_in(schema, "format")
    if kind is None and format_ in BY_FORMAT:
        return format_
    return kind


def _types_in(schema: JsonSchema) -> frozenset[str]:
    """The types of values that *schema* takes."""
    listed = enumerated(schema)
    if listed is None:
        return types_of(schema)
    return frozenset(map(type_of, listed.values()))


def _type_finding(relation: Relation, old: JsonSchema, new: JsonSchema) -> Finding:
    was, now = kind_of(old), kind_of(new)
    return Finding(f"type_{_ENDS[relation]}", relation, f"is {now}, was {was}", was, now)


def _listed(values: dict[str, Any]) -> str:
    shown = [quoted(value) for value in islice(values.values(), 10)]
    if len(values) > 10:
        shown.append("...")
    return ", ".join(shown)


# Names of fields, positions and members in generated code.

_MOVED: Final = "a name that has moved, so the same value means something else"


def names(
    was: Mapping[str, str],
    now: Mapping[str, str],
    *,
    renamed: str,
    moved: str,
    parts: Mapping[str, Part] | None = None,
) -> Iterator[Finding]:
    """
    The names that differ, for places that both documents have.

    A new name for the same thing only affects code. A name that moved to another place affects the
    wire: a server that reads ``[lon, lat]`` accepts the ``[lat, lon]`` of its older clients, and
    gets it wrong.

    Args:
        was: The old name of each place on the wire.
        now: The new name of each place.
        renamed: The code for a new name.
        moved: The code for a name that belonged, or now belongs, to another place.
        parts: The step to each place; without them the text says which place it is.
    """
    before, after = {*was.values()}, {*now.values()}
    for place in sorted(was.keys() & now.keys()):
        old, new = was[place], now[place]
        if old == new:
            continue
        which, part = f"the value {place} ", ""
        if parts is not None:
            which, part = "", parts[place]
        if new in before or old in after:
            text = f"{which}is called {new}, was {old}: {_MOVED}"
            yield Finding(moved, "breaking", text, old, new, part=part)
        else:
            text = f"{which}is called {new} in code, was {old}; on the wire nothing changes"
            yield Finding(renamed, "source", text, old, new, part=part)
