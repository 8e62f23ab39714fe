"""Bodies: two schemas that are neither references nor unions, keyword by keyword."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final

from contract.document.diff.changes import Finding, Part, Step, quoted, said, step_of
from contract.document.diff.definitions import Node
from contract.document.diff.limits import LIMITS, all_keep, limits
from contract.document.diff.values import (
    TEXT,
    names,
    of_any,
    of_other_kind,
    other_rules,
    texts,
    values,
)
from contract.document.model import Side
from contract.shape.json_text import JsonSchema
from contract.shape.schema_lens import (
    NOTES,
    as_schema,
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
IsSameDefault = Callable[[Any, Any, Node], bool]
"""Whether two defaults mean the same, given the new schema."""

_OBJECT: Final = frozenset({"properties", "required", "additionalProperties", "propertyNames"})
_ARRAY: Final = frozenset({"items", "prefixItems", "uniqueItems"})
_HANDLED: Final = (
    LIMITS | TEXT | _OBJECT | _ARRAY | NOTES | {"type", "enum", "const", "allOf", "contentEncoding"}
)
_UNTYPED: Final = frozenset({"type", "$ref", "anyOf", "oneOf"})


def compare_bodies(
    old: Node, new: Node, side: Side, is_alike: IsAlike, is_same_default: IsSameDefault
) -> Iterator[Finding | Step]:
    """
    Findings about the two schemas themselves, and pairs of schemas in them that must be compared.
    """
    was, now = lengths_of_bytes(old.schema), lengths_of_bytes(new.schema)
    other = of_other_kind(was, now)
    if other is not None:
        yield other
        yield from of_any(was, now)
        return
    yield from values(was, now)
    yield from texts(was, now)
    are_tuples = _is_tuple(was) and _is_tuple(now)
    # where listed values keep the limits of the other schema, enum_closed or enum_opened tells all
    if not all_keep(was, now):
        yield from limits(was, now, items=not (are_tuples and was["maxItems"] != now["maxItems"]))
    if are_tuples:
        yield from _tuples(was, now, side, is_same_default)
    else:
        yield from _arrays(was, now)
    yield from _unique(was, now)
    yield from _objects(Node(was, old.tags), Node(now, new.tags), side, is_same_default)
    yield from _other_rules(was, now, is_alike)


def notes(old: JsonSchema, new: JsonSchema) -> Iterator[Finding]:
    """Findings about texts for readers and for code generators."""
    was, now = old.get("description"), new.get("description")
    if was != now:
        text = f"the description is {said(now)}, was {said(was)}"
        yield Finding("description_changed", "docs", text, was, now)
    was, now = old.get("examples"), new.get("examples")
    if was != now:
        yield Finding("examples_changed", "docs", "the examples are others", was, now)
    was, now = old.get("deprecated") is True, new.get("deprecated") is True
    if now and not was:
        yield Finding("deprecated", "compatible", "is deprecated")
    elif was and not now:
        yield Finding("undeprecated", "compatible", "is no longer deprecated")


# Objects.


def _objects(
    old: Node, new: Node, side: Side, is_same_default: IsSameDefault
) -> Iterator[Finding | Step]:
    if not (old.tags or new.tags) and _OBJECT.isdisjoint(old.schema.keys() | new.schema.keys()):
        return
    yield from _order(old.schema, new.schema)
    # 1. The fields on the wire. A field that one side does not name is one of its other fields, if
    #    it takes any.
    was, now = mapping(old.schema.get("properties")), mapping(new.schema.get("properties"))
    others_was = old.schema.get("additionalProperties", True)
    others_now = new.schema.get("additionalProperties", True)
    needed_was = names_in(old.schema.get("required")) | old.tags
    needed_now = names_in(new.schema.get("required")) | new.tags
    for name in was.keys() | now.keys():
        part = step_of(name)
        if name in was and name not in now and others_now is False:
            text = f"the field {quoted(name)} is gone"
            yield Finding("field_removed", "breaking", text, part=part)
        elif name in now and name not in was and others_was is False:
            yield _added(name, part, side, is_needed=name in needed_now)
        else:
            before = as_schema(was.get(name, others_was))
            after = as_schema(now.get(name, others_now))
            yield Step(part, Node(before), Node(after))
            in_both = name in was and name in now
            if side == "input" and in_both and name not in needed_was | needed_now:
                yield from _default(before, after, part, is_same_default)
    # 2. Their names in generated code.
    both = was.keys() & now.keys()
    before_names = {name: _name_in_code(was[name], name) for name in both}
    after_names = {name: _name_in_code(now[name], name) for name in both}
    yield from names(
        before_names,
        after_names,
        renamed="field_renamed_in_code",
        moved="field_moved_in_code",
        parts={name: step_of(name) for name in both},
    )
    # 3. Those that have to be there. Fields that are new or gone have been told of.
    for name in needed_now - needed_was:
        if name in was or others_was is not False or name not in now:
            text = f"the field {quoted(name)} is required, was optional"
            yield Finding("field_required", "narrower", text, part=step_of(name))
    for name in needed_was - needed_now:
        if name in now or others_now is not False or name not in was:
            text = f"the field {quoted(name)} is optional, was required"
            yield Finding("field_optional", "wider", text, part=step_of(name))
    # 4. Fields without a name, and what all names must be.
    yield from _other_fields(others_was, others_now)
    yield from _container(old.schema, new.schema)
    yield Step("{key}", Node(_keys(old.schema)), Node(_keys(new.schema)))


def _name_in_code(schema: Any, name: str) -> str:
    """The name in generated code of a field or a position, whose place is called *name*."""
    return text_in(as_schema(schema), "x-contract-name") or name


def _keys(schema: JsonSchema) -> JsonSchema:
    """The schema of the keys; they are texts, even if it does not say so."""
    found = as_schema(schema.get("propertyNames", True))
    if _UNTYPED.isdisjoint(found):
        return {"type": "string", **found}
    return found


def _added(name: str, part: Part, side: Side, *, is_needed: bool) -> Finding:
    text = f"the field {quoted(name)} is new"
    if side == "output":
        # an output may get more fields: clients ignore unknown ones
        return Finding("field_added", "compatible", text, part=part)
    if is_needed:
        return Finding("field_required_added", "breaking", f"{text} and required", part=part)
    return Finding("field_added", "compatible", f"{text} and optional", part=part)


def _other_fields(was: Any, now: Any) -> Iterator[Finding | Step]:
    if was is not False and now is not False:
        yield Step(".*", Node(as_schema(was)), Node(as_schema(now)))
    elif now is not False:
        text = "may have other fields, had only the named ones"
        yield Finding("extra_fields_allowed", "wider", text)
    elif was is not False:
        text = "has only the named fields, might have others"
        yield Finding("extra_fields_refused", "narrower", text)


def _container(old: JsonSchema, new: JsonSchema) -> Iterator[Finding]:
    """The change of what generated Python has for an object."""
    was, now = _container_of(old), _container_of(new)
    if was != now:
        text = f"is a {now} in Python, was a {was}"
        yield Finding("representation_changed", "source", text, was, now)


def _container_of(schema: JsonSchema) -> str:
    if schema.get("additionalProperties", True) is False:
        return "class"
    return "TypedDict" if mapping(schema.get("properties")) else "dict"


def _default(
    old: JsonSchema, new: JsonSchema, part: Part, is_same: IsSameDefault
) -> Iterator[Finding]:
    was, now = old.get("default"), new.get("default")
    # an optional field without a default is UNSET if it is left out, and that is neither null nor
    # any other value
    if "default" not in new:
        if "default" in old:
            text = f"there is no default, was {quoted(was)}"
            yield Finding("default_removed", "breaking", text, was, part=part)
    elif "default" not in old:
        text = f"the default is {quoted(now)}, was none"
        yield Finding("default_added", "breaking", text, None, now, part=part)
    elif not is_same(was, now, Node(new)):
        text = f"the default is {quoted(now)}, was {quoted(was)}"
        yield Finding("default_changed", "breaking", text, was, now, part=part)


def _order(old: JsonSchema, new: JsonSchema) -> Iterator[Finding]:
    was, now = order_of(old), order_of(new)
    both = {*was} & {*now}
    before = [name for name in was if name in both]
    after = [name for name in now if name in both]
    if before != after:
        text = "the fields are declared in another order"
        # arguments of generated classes have names, so code does not depend on it
        yield Finding("fields_reordered", "docs", text, before, after)


# Arrays.


def _is_tuple(schema: JsonSchema) -> bool:
    return schema.get("items") is False and schema.get("maxItems") == len(
        sequence(schema.get("prefixItems"))
    )


def _tuples(
    old: JsonSchema, new: JsonSchema, side: Side, is_same_default: IsSameDefault
) -> Iterator[Finding | Step]:
    was, now = _positions(old), _positions(new)
    needed_was, needed_now = _count(old.get("minItems")), _count(new.get("minItems"))
    # 1. The positions that both have.
    for index, (before, after) in enumerate(zip(was, now, strict=False)):
        yield Step(f"[{index}]", Node(before), Node(after))
        if index >= max(needed_was, needed_now) and side == "input":
            yield from _default(before, after, f"[{index}]", is_same_default)
    yield from names(
        {str(index): _name_in_code(each, str(index)) for index, each in enumerate(was)},
        {str(index): _name_in_code(each, str(index)) for index, each in enumerate(now)},
        renamed="field_renamed_in_code",
        moved="item_moved",
        parts={str(index): f"[{index}]" for index in range(len(was))},
    )
    # 2. Those at the end that only one has.
    for index in range(len(now), len(was)):
        text = f"position {index} is gone"
        yield Finding("item_removed", "breaking", text, part=f"[{index}]")
    for index in range(len(was), len(now)):
        if index < needed_now:
            text = f"position {index} is new and required"
            yield Finding("item_required_added", "breaking", text, part=f"[{index}]")
        else:
            text = f"position {index} is new and may be absent"
            yield Finding("item_added", "wider", text, part=f"[{index}]")
    # 3. The fewest items, if no new position has told of them: a longer tuple has another maxItems,
    #    and then `compare_bodies` leaves both limits out.
    if len(was) < len(now) and needed_now <= len(was) and needed_now != needed_was:
        yield from limits({"minItems": needed_was}, {"minItems": needed_now})


def _arrays(old: JsonSchema, new: JsonSchema) -> Iterator[Step]:
    if not _ARRAY.isdisjoint(old.keys() | new.keys()):
        was, now = _positions(old), _positions(new)
        others_was = as_schema(old.get("items", True))
        others_now = as_schema(new.get("items", True))
        for index in range(max(len(was), len(now))):
            before = _item(was, index, others_was)
            after = _item(now, index, others_now)
            yield Step(f"[{index}]", Node(before), Node(after))
        yield Step("[*]", Node(others_was), Node(others_now))


def _item(first: list[JsonSchema], index: int, others: JsonSchema) -> JsonSchema:
    """The schema of the item at *index*: one of the *first*, or that of all *others*."""
    if index < len(first):
        return first[index]
    return others


def _positions(schema: JsonSchema) -> list[JsonSchema]:
    """The schemas of the first items."""
    return [*map(as_schema, sequence(schema.get("prefixItems")))]


def _unique(old: JsonSchema, new: JsonSchema) -> Iterator[Finding]:
    was, now = old.get("uniqueItems") is True, new.get("uniqueItems") is True
    if was and not now:
        yield Finding("repetition_allowed", "wider", "equal items are allowed, were refused")
    elif now and not was:
        yield Finding("repetition_refused", "narrower", "equal items are refused, were allowed")


def _count(value: Any) -> int:
    return value if isinstance(value, int) else 0


# Keywords outside the dialect of contract.json, or too rare to be compared in detail.


# `then` and `else` mean nothing without `if`, so the three are one rule
_CONDITION: Final = ("if", "then", "else")
_KNOWN: Final = _HANDLED.union(_CONDITION)
# Keywords that only take values away, each by itself. So one that is new makes a schema narrower,
# whatever it says.
_CONJUNCTIVE: Final = frozenset({"$ref", "allOf", "anyOf", "oneOf", "not", "if"})


def _other_rules(old: JsonSchema, new: JsonSchema, is_alike: IsAlike) -> Iterator[Finding]:
    was, now = _other(old), _other(new)
    for key in sorted(was.keys() | now.keys()):
        if key in was and key in now and is_alike(was[key], now[key]):
            continue
        before, after = was.get(key), now.get(key)
        if key.startswith("x-"):
            yield Finding("note_changed", "docs", f"{key} has changed", before, after)
        elif key in _CONJUNCTIVE and key not in was:
            text = f"there is one more rule, in {quoted(key)}"
            yield Finding("rule_added", "narrower", text, before, after)
        elif key in _CONJUNCTIVE and key not in now:
            text = f"there is one rule fewer, in {quoted(key)}"
            yield Finding("rule_removed", "wider", text, before, after)
        else:
            text = (
                f"the rules in {quoted(key)} differ; they cannot be compared, "
                "so this counts as breaking"
            )
            yield Finding("rule_changed", "unclear", text, before, after)


def _other(schema: JsonSchema) -> dict[str, Any]:
    found = {key: value for key, value in schema.items() if key not in _KNOWN}
    if "if" in schema:
        found["if"] = [schema.get(key, True) for key in _CONDITION]
    rules = other_rules(schema)
    if rules:
        found["allOf"] = rules
    return found
