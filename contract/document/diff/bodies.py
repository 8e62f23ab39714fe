"""Bodies: two schemas that are neither references nor unions, keyword by keyword."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final

from contract.document.diff.changes import Finding, Part, Step, quoted, said, step_of
from contract.document.diff.definitions import Node
from contract.document.diff.limits import LIMITS, limits
from contract.document.diff.values import TEXT, names, of_other_kind, other_rules, texts, values
from contract.document.model import Side
from contract.shape.json_text import JsonSchema
from contract.shape.schema_lens import (
    NOTES,
    as_schema,
    key_of,
    lengths_of_bytes,
    mapping,
    names_in,
    order_of,
    sequence,
    text_in,
)

__all__ = ["compare_bodies", "notes"]

IsAlike = Callable[[Any, Any], bool]
"""Whether two schemas mean the same."""

_OBJECT: Final = frozenset({"properties", "required", "additionalProperties", "propertyNames"})
_ARRAY: Final = frozenset({"items", "prefixItems", "uniqueItems"})
_HANDLED: Final = (
    LIMITS | TEXT | _OBJECT | _ARRAY | NOTES | {"type", "enum", "const", "allOf", "contentEncoding"}
)
_UNTYPED: Final = frozenset({"type", "$ref", "anyOf", "oneOf"})


def compare_bodies(old: Node, new: Node, side: Side, is_alike: IsAlike) -> Iterator[Finding | Step]:
    """
    Findings about the two schemas themselves, and pairs of schemas in them that must be compared.
    """
    was, now = lengths_of_bytes(old.schema), lengths_of_bytes(new.schema)
    other = of_other_kind(was, now)
    if other is not None:
        yield other
        return
    yield from values(was, now)
    yield from texts(was, now)
    are_tuples = _is_tuple(was) and _is_tuple(now)
    yield from limits(was, now, items=not (are_tuples and was["maxItems"] != now["maxItems"]))
    yield from _tuples(was, now, side) if are_tuples else _arrays(was, now)
    yield from _unique(was, now)
    yield from _objects(Node(was, old.tags), Node(now, new.tags), side)
    yield from _rest(was, now, is_alike)


def notes(old: JsonSchema, new: JsonSchema) -> Iterator[Finding]:
    """Findings about texts for readers and for code generators."""
    was, now = old.get("description"), new.get("description")
    if was != now:
        yield Finding(
            "description_changed",
            "docs",
            f"the description is {said(now)}, was {said(was)}",
            "",
            was,
            now,
        )
    if old.get("examples") != new.get("examples"):
        yield Finding(
            "examples_changed",
            "docs",
            "the examples are others",
            "",
            old.get("examples"),
            new.get("examples"),
        )
    if (old.get("deprecated") is True) != (new.get("deprecated") is True):
        code, text = (
            ("deprecated", "is deprecated")
            if new.get("deprecated") is True
            else ("undeprecated", "is no longer deprecated")
        )
        yield Finding(code, "compatible", text)


# Objects.


def _objects(old: Node, new: Node, side: Side) -> Iterator[Finding | Step]:
    if not (old.tags or new.tags) and _OBJECT.isdisjoint(old.schema.keys() | new.schema.keys()):
        return
    yield from _order(old.schema, new.schema)
    was, now = mapping(old.schema.get("properties")), mapping(new.schema.get("properties"))
    rest_was, rest_now = (
        old.schema.get("additionalProperties", True),
        new.schema.get("additionalProperties", True),
    )
    needed_was, needed_now = (
        names_in(node.schema.get("required")) | node.tags for node in (old, new)
    )
    for name in was.keys() | now.keys():
        part = step_of(name)
        if name in was and name not in now and rest_now is False:
            yield Finding("field_removed", "breaking", f"the field {quoted(name)} is gone", part)
        elif name in now and name not in was and rest_was is False:
            yield _added(name, part, side, is_needed=name in needed_now)
        else:
            before, after = as_schema(was.get(name, rest_was)), as_schema(now.get(name, rest_now))
            yield Step(part, Node(before), Node(after))
            if name in was and name in now and name not in needed_was | needed_now:
                yield from _default(before, after, part, side)
    called = [
        {
            name: text_in(as_schema(each[name]), "x-contract-name") or name
            for name in was.keys() & now.keys()
        }
        for each in (was, now)
    ]
    parts = {name: step_of(name) for name in called[0]}
    yield from names(
        *called, renamed="field_renamed_in_code", moved="field_moved_in_code", parts=parts
    )
    for name in needed_now - needed_was:
        if name in was or rest_was is not False or name not in now:
            yield Finding(
                "field_required",
                "narrower",
                f"the field {quoted(name)} is required, was optional",
                step_of(name),
            )
    for name in needed_was - needed_now:
        if name in now or rest_now is not False or name not in was:
            yield Finding(
                "field_optional",
                "wider",
                f"the field {quoted(name)} is optional, was required",
                step_of(name),
            )
    yield from _extras(rest_was, rest_now)
    yield Step("{key}", Node(_keys(old.schema)), Node(_keys(new.schema)))


def _keys(schema: JsonSchema) -> JsonSchema:
    """The schema of the keys; they are texts, even if it does not say so."""
    found = as_schema(schema.get("propertyNames", True))
    return found if not _UNTYPED.isdisjoint(found) else {"type": "string", **found}


def _added(name: str, part: Part, side: Side, *, is_needed: bool) -> Finding:
    if side == "output":
        # an output may get more fields: clients ignore unknown ones
        return Finding("field_added", "compatible", f"the field {quoted(name)} is new", part)
    if is_needed:
        return Finding(
            "field_required_added",
            "breaking",
            f"the field {quoted(name)} is new and required",
            part,
        )
    return Finding(
        "field_added", "compatible", f"the field {quoted(name)} is new and optional", part
    )


def _extras(was: Any, now: Any) -> Iterator[Finding | Step]:
    if was is False or now is False:
        if was is not now:
            yield (
                Finding(
                    "extra_fields_allowed",
                    "wider",
                    "may have other fields, had only the named ones",
                )
                if was is False
                else Finding(
                    "extra_fields_refused",
                    "narrower",
                    "has only the named fields, might have others",
                )
            )
    else:
        yield Step(".*", Node(as_schema(was)), Node(as_schema(now)))


def _default(old: JsonSchema, new: JsonSchema, part: Part, side: Side) -> Iterator[Finding]:
    was, now = ([schema["default"]] if "default" in schema else [] for schema in (old, new))
    if side == "output" or (not was and not now) or key_of(was) == key_of(now):
        return
    # an optional field without a default is UNSET if it is left out, and that is neither null nor
    # any other value
    if not now:
        yield Finding(
            "default_removed",
            "breaking",
            f"there is no default, was {quoted(was[0])}",
            part,
            was[0],
        )
    elif not was:
        yield Finding(
            "default_added",
            "breaking",
            f"the default is {quoted(now[0])}, was none",
            part,
            None,
            now[0],
        )
    else:
        yield Finding(
            "default_changed",
            "breaking",
            f"the default is {quoted(now[0])}, was {quoted(was[0])}",
            part,
            was[0],
            now[0],
        )


def _order(old: JsonSchema, new: JsonSchema) -> Iterator[Finding]:
    was, now = (order_of(schema) for schema in (old, new))
    both = {*was} & {*now}
    before, after = ([name for name in names if name in both] for names in (was, now))
    if before != after:
        yield Finding(
            "fields_reordered",
            "source",
            "the fields are declared in another order",
            "",
            before,
            after,
        )


# Arrays.


def _is_tuple(schema: JsonSchema) -> bool:
    return schema.get("items") is False and schema.get("maxItems") == len(
        sequence(schema.get("prefixItems"))
    )


def _tuples(old: JsonSchema, new: JsonSchema, side: Side) -> Iterator[Finding | Step]:
    was, now = ([*map(as_schema, sequence(schema.get("prefixItems")))] for schema in (old, new))
    needed_was, needed_now = (_count(schema.get("minItems")) for schema in (old, new))
    for index, (before, after) in enumerate(zip(was, now, strict=False)):
        yield Step(f"[{index}]", Node(before), Node(after))
        if index >= max(needed_was, needed_now):
            yield from _default(before, after, f"[{index}]", side)
    called = [
        {
            str(index): text_in(each, "x-contract-name") or str(index)
            for index, each in enumerate(items)
        }
        for items in (was, now)
    ]
    parts = {name: f"[{name}]" for name in called[0]}
    yield from names(*called, renamed="field_renamed_in_code", moved="item_moved", parts=parts)
    for index in range(len(now), len(was)):
        yield Finding("item_removed", "breaking", f"position {index} is gone", f"[{index}]")
    for index in range(len(was), len(now)):
        if index < needed_now:
            yield Finding(
                "item_required_added",
                "breaking",
                f"position {index} is new and required",
                f"[{index}]",
            )
        else:
            yield Finding(
                "item_added", "wider", f"position {index} is new and may be absent", f"[{index}]"
            )
    if len(was) < len(now) and needed_now <= len(was) and needed_now != needed_was:
        yield from limits({"minItems": needed_was}, {"minItems": needed_now})


def _arrays(old: JsonSchema, new: JsonSchema) -> Iterator[Step]:
    if not _ARRAY.isdisjoint(old.keys() | new.keys()):
        was, now = (_positions(schema) for schema in (old, new))
        for index in range(max(len(was), len(now)) - 1):
            yield Step(
                f"[{index}]",
                Node(was[min(index, len(was) - 1)]),
                Node(now[min(index, len(now) - 1)]),
            )
        yield Step("[*]", Node(was[-1]), Node(now[-1]))


def _positions(schema: JsonSchema) -> list[JsonSchema]:
    """The schemas of the first items, followed by that of all others."""
    return [
        *map(as_schema, sequence(schema.get("prefixItems"))),
        as_schema(schema.get("items", True)),
    ]


def _unique(old: JsonSchema, new: JsonSchema) -> Iterator[Finding]:
    was, now = (schema.get("uniqueItems") is True for schema in (old, new))
    if was and not now:
        yield Finding("repetition_allowed", "wider", "equal items are allowed, were refused")
    elif now and not was:
        yield Finding("repetition_refused", "narrower", "equal items are refused, were allowed")


def _count(value: Any) -> int:
    return value if isinstance(value, int) else 0


# Keywords outside the dialect of contract.json, or too rare to be compared in detail.


_CONDITION: Final = ("if", "then", "else")
_CONJUNCTIVE: Final = frozenset({"$ref", "allOf", "anyOf", "oneOf", "not", "if"})


def _rest(old: JsonSchema, new: JsonSchema, is_alike: IsAlike) -> Iterator[Finding]:
    was, now = _other(old), _other(new)
    for key in sorted(was.keys() | now.keys()):
        if key in was and key in now and is_alike(was[key], now[key]):
            continue
        if key.startswith("x-"):
            yield Finding(
                "note_changed", "docs", f"{key} has changed", "", was.get(key), now.get(key)
            )
        elif key in _CONJUNCTIVE and key not in was:
            yield Finding(
                "rule_added",
                "narrower",
                f"there is one more rule, in {quoted(key)}",
                "",
                None,
                now[key],
            )
        elif key in _CONJUNCTIVE and key not in now:
            yield Finding(
                "rule_removed", "wider", f"there is one rule fewer, in {quoted(key)}", "", was[key]
            )
        else:
            text = (
                f"the rules in {quoted(key)} differ; they cannot be compared, "
                "so this counts as breaking"
            )
            yield Finding("rule_changed", "unclear", text, "", was.get(key), now.get(key))


def _other(schema: JsonSchema) -> dict[str, Any]:
    found = {
        key: value for key, value in schema.items() if key not in _HANDLED and key not in _CONDITION
    }
    if "if" in schema:
        found["if"] = [schema.get(key, True) for key in _CONDITION]
    rules = other_rules(schema)
    return {**found, "allOf": rules} if rules else found
