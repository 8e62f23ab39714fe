"""
The law: what `diff` calls compatible is.

Of an input, every document that the old schema takes is taken by the new one. Of an output, every
document that the new schema takes is taken by the old one, but for fields that it does not know.

The schemas are those of drawn types, and what comes of them when anything is changed anywhere, so
that most are never written by `contract.document.json_schema`. What an independent validator says
decides.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from functools import cache
from typing import Annotated, Any, Final, NotRequired

import pytest
import typing_extensions
from annotated_types import Ge, Gt, Le, Lt, MultipleOf, Timezone
from hypothesis import HealthCheck, event, given, settings
from hypothesis import strategies as st
from typing_extensions import TypedDict

from contract.document import Document
from contract.document.diff import bump, diff
from contract.document.model import Side
from contract.pred.compile import Pred, compile_pred
from contract.shape.exceptions import InvalidInput, UnsupportedAnnotation
from contract.shape.graph import takes_nothing
from contract.shape.markers import LocalDatetime
from contract.shape.reader import shape_of
from contract.testing import documents
from tests.codegen_documents import document as made
from tests.codegen_documents import route
from tests.effort import examples
from tests.oracle import is_valid, schema_of
from tests.property.test_pred_and_schema_agree import attempts
from tests.samples import CITY, EVERY
from tests.strategies import LARGE, types

NOTHING: Final = {"type": "object", "properties": {}, "additionalProperties": False}
Json = dict[str, Any]
Kinds = st.SearchStrategy[Any]
SIDES: Final[tuple[Side, ...]] = ("input", "output")


def without_defs(schema: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in schema.items() if key != "$defs"}


def document(schema: dict[str, Any], side: Side) -> Document:
    """A document whose only schema is *schema*."""
    root = without_defs(schema)
    sides: dict[str, Json] = {"input": {"type": "null"}, "output": {"type": "null"}, side: root}
    return made(route(input=sides["input"], output=sides["output"]), defs=schema.get("$defs", {}))


# Changes of schemas.

_KEYWORDS: Final[tuple[dict[str, Any], ...]] = (
    *({"minLength": 1}, {"maxLength": 2}, {"pattern": "^[a-z]+$"}, {"format": "date"}),
    *({"minimum": 0}, {"exclusiveMaximum": 7}, {"multipleOf": 2}, {"maxProperties": 1}),
    *({"minItems": 1}, {"maxItems": 1}, {"uniqueItems": True}, {"items": False}),
    *({"const": 1}, {"enum": ["a", 1, None]}, {"type": "string"}, {"required": ["a"]}),
    {"type": ["integer", "null"]},
    {"not": {"type": "null"}},
    {"allOf": [{"minimum": 1}]},
    {"if": {"minLength": 2}, "then": {"pattern": "^a"}},
    {"anyOf": [{"type": "string"}, {"type": "integer"}]},
    {"oneOf": [{"type": "number"}, {"type": "integer"}]},
    {"additionalProperties": {"type": "integer"}},
    {"additionalProperties": False},
    {"propertyNames": {"maxLength": 1}},
    {"properties": {"a": {"type": "integer"}}},
    {"prefixItems": [{"type": "integer"}]},
    {"items": {"type": "integer"}},
)
_WHOLE: Final[tuple[dict[str, Any], ...]] = (
    *({}, {"enum": []}, {"type": "array", "items": {}}),
    *({"type": name} for name in ("null", "integer", "number", "string", "object")),
)
_BY_NAME: Final = ("properties", "$defs")
_LISTS: Final = ("anyOf", "oneOf", "allOf", "prefixItems")
_SINGLE: Final = ("items", "additionalProperties", "propertyNames", "not", "if", "then")


def places(schema: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """*schema* and all schemas in it, outermost first."""
    yield schema
    for key, value in schema.items():
        inner = []
        if key in _BY_NAME:
            inner = value.values()
        elif key in _LISTS:
            inner = value
        elif key in _SINGLE:
            inner = [value]
        for each in inner:
            if isinstance(each, dict):
                yield from places(each)


@st.composite
def changed(draw: st.DrawFn, schema: dict[str, Any]) -> dict[str, Any]:
    """*schema* with one to three changes."""
    copy: dict[str, Any] = json.loads(json.dumps(schema))
    for _ in range(draw(st.integers(1, 3))):
        _change(draw, draw(st.sampled_from([*places(copy)])), copy)
    return copy


def _change(draw: st.DrawFn, place: dict[str, Any], whole: dict[str, Any]) -> None:
    keys = sorted(place.keys() - {"$defs"})
    how = draw(st.integers(0, 6))
    inner = without_defs(place)
    if how == 0:
        # it may be changed, too
        place.update(json.loads(json.dumps(draw(st.sampled_from(_KEYWORDS)))))
    elif how == 1:
        _replace(place, draw(st.sampled_from(_WHOLE)))
    elif how == 2:
        other = draw(st.sampled_from([*places(whole)]))
        _replace(place, {"anyOf": [inner, without_defs(other)]})
    elif how == 3 and whole.get("$defs"):
        _replace(place, {"$ref": f"#/$defs/{draw(st.sampled_from(sorted(whole['$defs'])))}"})
    elif keys:
        key = draw(st.sampled_from(keys))
        if how == 4:
            del place[key]
        else:
            _bend(draw, place, key)


def _replace(place: dict[str, Any], schema: dict[str, Any]) -> None:
    kept = {key: value for key, value in place.items() if key == "$defs"}
    place.clear()
    place.update(json.loads(json.dumps(schema)) | kept)


def _bend(draw: st.DrawFn, place: dict[str, Any], key: str) -> None:
    match place[key]:
        case bool():
            place[key] = not place[key]
        case int() | float() as number:
            least = 1 if key == "multipleOf" else 0
            place[key] = max(number + draw(st.sampled_from([-1, 1])), least)
        case [*items] if items:
            index = draw(st.integers(0, len(items) - 1))
            place[key] = [*reversed(items)]
            if draw(st.booleans()) and len(items) > 1:
                place[key] = [*items[:index], *items[index + 1 :]]
        case {**members} if members and key == "properties":
            name = draw(st.sampled_from(sorted(map(str, members))))
            value = members.pop(name)
            if draw(st.booleans()):
                members["new"] = value
            place[key] = members


def opened(schema: Any) -> Any:
    """*schema* for a client that ignores fields that it does not know."""
    if isinstance(schema, list):
        return [*map(opened, schema)]
    if not isinstance(schema, dict):
        return schema
    return {
        key: opened(value)
        for key, value in schema.items()
        if (key, value) != ("additionalProperties", False)
    }


def is_guarded(schema: dict[str, Any]) -> bool:
    """Whether no type is itself, which validators cannot bear."""
    for name in schema.get("$defs", {}):
        seen: set[str] = set()
        ahead = [schema["$defs"][name]]
        while ahead:
            each = ahead.pop()
            if isinstance(each, dict):
                target = each.get("$ref", "").removeprefix("#/$defs/")
                if target == name:
                    return False
                if target and target not in seen:
                    seen.add(target)
                    ahead.append(schema["$defs"][target])
                ahead.extend(each.get("anyOf", []) + each.get("oneOf", []) + each.get("allOf", []))
                ahead.extend([each.get("not", True), each.get("if", True), each.get("then", True)])
    return True


def hold(side: Side, old: Json, new: Json, data: st.DataObject, kinds: Kinds) -> None:
    """Draw documents of *kinds* only where the change is called compatible: else nobody reads them."""
    changes = diff(document(old, side), document(new, side))
    if bump(changes) == "major":
        event("breaking")
        return
    event("compatible" if changes else "nothing")
    wider, narrower = (new, old) if side == "input" else (opened(old), new)
    for each in data.draw(st.lists(kinds, min_size=1, max_size=8), label="documents"):
        if is_valid(narrower, each):
            event("a document that both take")
            assert is_valid(wider, each), [change.text for change in changes]


@cache
def known(name: str) -> tuple[dict[Side, dict[str, Any]], st.SearchStrategy[Any]]:
    """The schemas of a type of `EVERY`, and documents that it takes, or may not take; made once."""
    shape = shape_of(EVERY[name])
    kinds = st.one_of(documents(shape), attempts(shape))
    return {side: schema_of(shape, side) for side in SIDES}, kinds


_RARE: Final = (*LARGE, HealthCheck.filter_too_much)


@settings(suppress_health_check=_RARE)
@given(st.data())
def test_what_is_called_compatible_is(data: st.DataObject) -> None:
    shape = shape_of(data.draw(types(one_way=True), label="type"))
    side = data.draw(st.sampled_from(SIDES), label="side")
    old = schema_of(shape, side)
    new = data.draw(changed(old).filter(is_guarded), label="changed")
    if data.draw(st.booleans(), label="backwards"):
        old, new = new, old

    hold(side, old, new, data, attempts(shape))


@settings(max_examples=examples(10))
@given(st.data())
@pytest.mark.parametrize("name", EVERY)
def test_what_is_called_compatible_is_for_each_kind_of_type(name: str, data: st.DataObject) -> None:
    schemas, kinds = known(name)
    side = data.draw(st.sampled_from(SIDES), label="side")
    old = schemas[side]
    new = data.draw(changed(old).filter(is_guarded), label="changed")

    hold(side, old, new, data, kinds)
    hold(side, new, old, data, kinds)


@settings(max_examples=examples(200))
@given(st.data())
def test_two_types_that_have_nothing_to_do_with_each_other(data: st.DataObject) -> None:
    names = st.sampled_from([*EVERY])
    (one, of_one), (other, of_other) = (known(data.draw(names, label="type")) for _ in range(2))
    side = data.draw(st.sampled_from(SIDES), label="side")

    hold(side, one[side], other[side], data, st.one_of(of_one, of_other))


# Limits of texts, which are not looked at by validators: the preds decide.

_NEW_YEAR: Final = datetime(2024, 1, 1, tzinfo=UTC)
_NINE: Final = time(9, tzinfo=UTC)
_HOUR: Final = timedelta(hours=1)
_HOURS: Final = [n * _HOUR for n in range(3)]
_MOMENTS: Final = [_NEW_YEAR + each for each in _HOURS]
LIMITS: Final[dict[Any, list[Any]]] = {
    int: [-1, 0, 1, 2],
    Decimal: [Decimal(text) for text in ("-1", "0", "0.5", "1.0", "1E+1")],
    datetime: [*_MOMENTS, *(each.astimezone(CITY) for each in _MOMENTS)],
    LocalDatetime: [each.replace(tzinfo=None) for each in _MOMENTS],
    date: [date(2024, 1, day) for day in (1, 3, 5)],
    Annotated[time, Timezone(None)]: [time(9), time(10), time(23)],
    Annotated[time, Timezone(...)]: [_NINE, time(15, tzinfo=CITY), _NINE.replace(hour=23)],
    timedelta: [-_HOUR, *_HOURS],
}
STEPS: Final[dict[Any, list[Any]]] = {
    int: [1, 2, 4, 3],
    Decimal: [Decimal(text) for text in ("0.25", "0.5", "0.50", "1")],
}


@st.composite
def limited(draw: st.DrawFn, kind: Any) -> Any:
    """*kind* with some limits; one that leaves nothing is drawn again."""
    limits = st.sampled_from(LIMITS[kind])
    found = [
        draw(st.sampled_from(ends))(draw(limits))
        for ends in ((Ge, Gt), (Le, Lt))
        if draw(st.booleans())
    ]
    if kind in STEPS and draw(st.booleans()):
        found.append(MultipleOf(draw(st.sampled_from(STEPS[kind]))))
    return Annotated[kind, *found] if found else kind


def is_legal(annotation: Any) -> bool:
    """Whether it can be read, and has any values: of decimals, no multiple may lie within bounds."""
    try:
        documents(shape_of(annotation))
    except (UnsupportedAnnotation, ValueError):
        return False
    return True


def takes(pred: Pred[Any], document: Any) -> bool:
    try:
        pred.load(json.dumps(document).encode())
    except InvalidInput:
        return False
    return True


@settings(max_examples=examples(200))
@given(st.data())
def test_limits_of_texts_are_compared_as_values(data: st.DataObject) -> None:
    kind = data.draw(st.sampled_from([*LIMITS]), label="kind")
    old, new = (
        shape_of(dict[data.draw(limited(kind).filter(is_legal), label=label), int])  # type: ignore[misc]
        for label in ("old", "new")
    )
    side = data.draw(st.sampled_from(SIDES), label="side")
    changes = diff(document(schema_of(old, side), side), document(schema_of(new, side), side))
    if bump(changes) == "major":
        event("breaking")
        return
    wider, narrower = (new, old) if side == "input" else (old, new)
    for each in data.draw(st.lists(documents(narrower), min_size=1, max_size=4), label="documents"):
        event("compatible" if changes else "nothing")
        assert takes(compile_pred(narrower), each)
        assert takes(compile_pred(wider), each), [change.text for change in changes]


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("annotation", EVERY.values(), ids=EVERY.keys())
def test_no_kind_of_type_differs_from_itself(annotation: Any, side: Side) -> None:
    one, again = (document(schema_of(shape_of(annotation), side), side) for _ in range(2))

    assert diff(one, again) == ()


@given(types(one_way=True), st.sampled_from(SIDES))
def test_nothing_differs_from_itself(annotation: Any, side: Side) -> None:
    test_no_kind_of_type_differs_from_itself(annotation, side)


@given(st.data())
def test_where_a_value_is_listed_is_no_difference(data: st.DataObject) -> None:
    listed = st.lists(st.sampled_from([True, False, 1, 2, "a", "b", "c"]), unique=True, min_size=1)
    values = data.draw(listed, label="values")
    old, new = (
        {"anyOf": [{"enum": part} for part in parts if part]}
        for parts in (
            [[each for each in values if place[each] == index] for index in range(3)]
            for place in (
                {each: data.draw(st.integers(0, 2), label="member") for each in values}
                for _ in range(2)
            )
        )
    )
    side = data.draw(st.sampled_from(SIDES), label="side")

    assert diff(document(old, side), document(new, side)) == ()


class Loose(TypedDict, total=False):
    count: int


class Named(TypedDict):
    count: int


class Open(typing_extensions.TypedDict, extra_items=int):  # type: ignore[call-arg]
    count: NotRequired[int]


@dataclass
class Nothing:
    pass


@dataclass
class Defaults:
    count: int = 0


@dataclass
class Computed:
    count: int = field(init=False, default=0)


ROOTS: Final[dict[str, tuple[Any, bool]]] = {
    "no fields": (Nothing, True),
    "defaults": (Defaults, True),
    "keys that may be absent": (Loose, True),
    "only fields that are no parameters": (Computed, True),
    "a required key": (Named, False),
    "more keys": (Open, False),
    "null": (Defaults | None, False),
    "a map": (dict[str, int], False),
    "anything": (Any, False),
}


def may_be_left_out(annotation: Any) -> bool:
    """Whether `diff` says that an input could be left out: it is told where it no longer can be."""
    old = document(schema_of(shape_of(annotation), "input"), "input")
    new = document({"type": "integer"}, "input")
    return "input_body_required" in {change.kind for change in diff(old, new)}


@pytest.mark.parametrize(("annotation", "expected"), ROOTS.values(), ids=ROOTS.keys())
def test_the_diff_knows_which_body_may_be_left_out(annotation: Any, expected: bool) -> None:
    assert takes_nothing(shape_of(annotation)) is expected
    assert may_be_left_out(annotation) is expected


@pytest.mark.parametrize("annotation", EVERY.values(), ids=EVERY.keys())
def test_the_diff_knows_it_for_every_kind_of_type(annotation: Any) -> None:
    assert may_be_left_out(annotation) == takes_nothing(shape_of(annotation))


@given(types(one_way=True))
def test_the_diff_knows_it_for_all_types(annotation: Any) -> None:
    assert may_be_left_out(annotation) == takes_nothing(shape_of(annotation))
