"""
Values: compares the types, the listed values and the forms of texts that two schemas take.

It also compares the names of these values in generated code, if those on the wire differ.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
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

__all__ = [
    "TEXT",
    "kind_of",
    "names",
    "of_other_kind",
    "other_rules",
    "texts",
    "values",
]

TEXT: Final = frozenset({"pattern", "format", "x-contract-type"})
"""The keywords that `texts` compares."""

# how a number is stored; its limits say how large it may be
_NUMERIC: Final = frozenset({"int32", "int64", "float", "double"})
_ENDS: Final[dict[Relation, str]] = {
    "narrower": "narrowed",
    "wider": "widened",
    "unclear": "changed",
}


def of_other_kind(old: JsonSchema, new: JsonSchema) -> Finding | None:
    """
    The only finding about *old* and *new*, if they have too little in common for further ones.
    """
    was, now = _reach(old), _reach(new)
    relation: Relation = "same"
    if not was and not now:
        relation = "same"
    elif not was or not now:
        relation = "narrower" if was else "wider"
    elif bool(constraints(old)) != bool(constraints(new)):
        relation = "narrower" if constraints(new) else "wider"
    elif was.isdisjoint(now):
        relation = "unclear"
    return None if relation == "same" else _type_finding(relation, old, new)


def values(old: JsonSchema, new: JsonSchema) -> Iterator[Finding]:
    """How the types and the listed values differ."""
    was, now = enumerated(old), enumerated(new)
    if was is not None and now is not None:
        for key in was.keys() - now.keys():
            yield Finding(
                "enum_value_removed",
                "narrower",
                f"the value {quoted(was[key])} is gone",
                "",
                was[key],
            )
        for key in now.keys() - was.keys():
            yield Finding(
                "enum_value_added",
                "wider",
                f"the value {quoted(now[key])} is new",
                "",
                None,
                now[key],
            )
        yield from names(
            _named(old), _named(new), renamed="enum_member_renamed", moved="enum_member_moved"
        )
        return
    if was is not None:
        yield Finding(
            "enum_opened",
            "wider",
            f"any {kind_of(new)} is allowed, was one of {_listed(was)}",
            "",
            [*was.values()],
        )
    if now is not None:
        yield Finding(
            "enum_closed",
            "narrower",
            f"only {_listed(now)} is allowed, was any {kind_of(old)}",
            "",
            None,
            [*now.values()],
        )
    lost = _reach(old) - types_of(new)
    gained = _reach(new) - types_of(old)
    if lost or gained:
        yield _type_finding(_relation(narrower=bool(lost), wider=bool(gained)), old, new)


def texts(old: JsonSchema, new: JsonSchema) -> Iterator[Finding]:
    """How the forms of texts differ: dates, UUIDs, the author's patterns."""
    kinds = _kind(old), _kind(new)
    was, now = _patterns(old), _patterns(new)
    by_pattern = _relation(narrower=bool(now - was), wider=bool(was - now))
    formats = text_in(old, "format"), text_in(new, "format")
    if formats[0] == formats[1] or _NUMERIC.issuperset({*formats} - {None}):
        by_format: Relation = "same"
    else:
        by_format = _relation(narrower=formats[1] is not None, wider=formats[0] is not None)
    relation = combine(by_pattern, by_format)
    if kinds[0] != kinds[1]:
        told = tuple(
            kind or kind_of(schema) for kind, schema in zip(kinds, (old, new), strict=True)
        )
        if relation == "same":
            yield Finding(
                "representation_changed",
                "source",
                f"stands for {told[1]}, stood for {told[0]}",
                "",
                *told,
            )
        else:
            yield Finding(
                f"form_{_ENDS[relation]}",
                relation,
                f"has the form of {told[1]}, had that of {told[0]}",
                "",
                *told,
            )
    elif relation != "same":
        before, after = (" and ".join(map(quoted, sorted(found))) or "none" for found in (was, now))
        code = {
            "narrower": "pattern_added",
            "wider": "pattern_removed",
            "unclear": "pattern_changed",
        }[relation]
        text = f"the pattern is {after}, was {before}"
        if kinds[0] is not None:
            code, text = f"form_{_ENDS[relation]}", f"the form of {kinds[0]} has changed"
        elif relation == "unclear":
            text += "; two patterns cannot be compared, so this counts as breaking"
        yield Finding(code, relation, text, "", sorted(was), sorted(now))


def _relation(*, narrower: bool, wider: bool) -> Relation:
    """The relation of the new to the old, if it is *narrower* or *wider* in some way, or both."""
    if narrower and wider:
        return "unclear"
    if narrower:
        return "narrower"
    return "wider" if wider else "same"


def kind_of(schema: JsonSchema) -> str:
    """The values that *schema* takes, in a few words."""
    found = _reach(schema)
    if not found:
        return "nothing"
    if not constraints(schema):
        return "any value"
    kind = _kind(schema)
    if kind is not None and len(found) == 1:
        return kind
    return " or ".join(sorted(found - ({"integer"} if "number" in found else set())))


def other_rules(schema: JsonSchema) -> list[Any]:
    """The rules of ``allOf``, except those that are a single pattern."""
    rules = sequence(schema.get("allOf"))
    return [
        rule
        for rule in rules
        if [*mapping(rule)] != ["pattern"] or not isinstance(rule["pattern"], str)
    ]


def _named(schema: JsonSchema) -> dict[str, str]:
    """The members of an enum: value -> name."""
    listed, names = sequence(schema.get("enum")), sequence(schema.get("x-contract-enum-names"))
    return {key_of(value): str(name) for value, name in zip(listed, names, strict=False)}


def _patterns(schema: JsonSchema) -> frozenset[str]:
    found = [schema, *sequence(schema.get("allOf"))]
    return frozenset(
        rule["pattern"] for rule in map(mapping, found) if isinstance(rule.get("pattern"), str)
    )


def _kind(schema: JsonSchema) -> str | None:
    told = text_in(schema, "x-contract-type") or text_in(schema, "format")
    return None if told in _NUMERIC else told


def _reach(schema: JsonSchema) -> frozenset[str]:
    """The types of values that *schema* takes."""
    listed = enumerated(schema)
    return types_of(schema) if listed is None else frozenset(map(type_of, listed.values()))


def _type_finding(relation: Relation, old: JsonSchema, new: JsonSchema) -> Finding:
    return Finding(
        f"type_{_ENDS[relation]}",
        relation,
        f"is {kind_of(new)}, was {kind_of(old)}",
        "",
        kind_of(old),
        kind_of(new),
    )


def _listed(found: dict[str, Any]) -> str:
    return ", ".join(quoted(value) for value in [*found.values()][:10]) + (
        ", ..." if len(found) > 10 else ""
    )


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
        which, part = (f"the value {place} ", "") if parts is None else ("", parts[place])
        if new in before or old in after:
            yield Finding(
                moved, "breaking", f"{which}is called {new}, was {old}: {_MOVED}", part, old, new
            )
        else:
            yield Finding(
                renamed,
                "source",
                f"{which}is called {new} in code, was {old}; on the wire nothing changes",
                part,
                old,
                new,
            )
