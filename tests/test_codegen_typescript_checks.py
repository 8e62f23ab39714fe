"""Checks in TypeScript: of every type the expression that makes its check."""

from datetime import UTC, datetime, time, timedelta
from decimal import Decimal

import pytest

from contract.codegen.typescript.checks import Checks
from contract.codegen.typescript.layout import laid_out
from contract.codegen.typescript.scope import scope_of
from contract.shape.bounds import Bounds
from contract.shape.nodes import (
    AnyShape,
    ArrayShape,
    BoolShape,
    BytesShape,
    DateShape,
    DatetimeShape,
    DecimalShape,
    Definition,
    FloatShape,
    IntShape,
    LiteralShape,
    MapShape,
    NullableShape,
    NullShape,
    RefShape,
    Shape,
    StrShape,
    TaggedUnionShape,
    TimedeltaShape,
    TimeShape,
    TupleShape,
    UnionShape,
    UuidShape,
)
from tests.paper import alias, enum, field, named, named_tuple, package, record, resolved

NEW_YEAR = datetime(2030, 1, 1, tzinfo=UTC)
COLOR = enum("Color", ("RED", "red"), ("ONE", 1))
CARD = record("Card", field("kind", LiteralShape(("card",))))
ALIAS = alias("Alias", NullableShape(named("Pair")))
PAIR = named_tuple("Pair", field("x", IntShape()), field("y", IntShape(), default=0))
DECLARED = (COLOR, CARD, ALIAS, PAIR)


def check(of: Shape, *, strings: bool = False) -> str:
    known = package(*DECLARED)
    of = resolved(of, known.definitions)
    checks = Checks(scope_of(known, "string" if strings else "Date"), [of])
    for each in checks.order:
        checks.declared(each)
    return laid_out(checks.of(of))


@pytest.mark.parametrize(
    ("of", "written"),
    [
        (AnyShape(), "$any"),
        (NullShape(), "$null"),
        (BoolShape(), "$boolean"),
        (IntShape(), "$integer()"),
        (IntShape(-(2**63), 2**63 - 1), "$integer()"),
        (IntShape(1, 5, 2), "$integer({ ge: 1, le: 5, multipleOf: 2 })"),
        (IntShape(2**60), "$integer({ ge: 1152921504606846976 })"),
        (FloatShape(Bounds(gt=0.5, lt=1e300)), "$number({ gt: 0.5, lt: 1e300 })"),
        (StrShape(), "$string()"),
        (StrShape(1, 2), "$string({ min: 1, max: 2 })"),
        (StrShape(1, None, ("^a$", "b")), '$matching({ min: 1 }, "^a$", "b")'),
        (StrShape(None, None, ("^\\d$",)), '$matching({}, "^\\\\d$")'),
        (BytesShape(None, 3), "$bytes({ max: 3 })"),
        (DecimalShape(Bounds(ge=Decimal("0.01"))), '$decimal({ ge: "0.01" })'),
        (DateShape(), "$date()"),
        (TimedeltaShape(Bounds(le=timedelta(seconds=1))), '$duration({ le: "PT1S" })'),
        (UuidShape(), "$uuid()"),
        (TimeShape(), '$time("any")'),
        (TimeShape(Bounds(ge=time(9)), aware=False), '$time("no offset", { ge: "09:00:00" })'),
        (TimeShape(aware=True), '$time("offset")'),
        (DatetimeShape(), "$momentDate()"),
        (DatetimeShape(Bounds(lt=NEW_YEAR)), '$momentDate({ lt: "2030-01-01T00:00:00+00:00" })'),
        (DatetimeShape(offset=timedelta(0)), "$momentDate({}, 0)"),
        (
            DatetimeShape(Bounds(ge=NEW_YEAR), timedelta(minutes=330)),
            '$momentDate({ ge: "2030-01-01T00:00:00+00:00" }, 330)',
        ),
        (DatetimeShape(offset=timedelta(minutes=-90)), "$momentDate({}, -90)"),
        (LiteralShape(("a", 1, True, 2**60)), '$exact($literal("a", 1, true))'),
        (ArrayShape(IntShape(), "list", 1, 2), "$array($integer(), { min: 1, max: 2 })"),
        (ArrayShape(IntShape(), "tuple"), "$array($integer())"),
        (ArrayShape(IntShape(), "set"), "$array($integer(), {}, true)"),
        (ArrayShape(IntShape(), "frozenset", None, 9), "$array($integer(), { max: 9 }, true)"),
        (TupleShape((IntShape(), StrShape())), "$tuple([$integer(), $string()])"),
        (MapShape(StrShape(), IntShape()), "$map($integer())"),
        (MapShape(StrShape(), IntShape(), 1), "$map($integer(), { min: 1 })"),
        (MapShape(named("Color"), IntShape()), "$map($integer(), {}, $Color)"),
        (
            MapShape(IntShape(0), IntShape(), None, 9),
            '$map($integer(), { max: 9 }, $integerKey({ ge: "0" }))',
        ),
        (
            MapShape(LiteralShape(("a", 1)), IntShape()),
            '$map($integer(), {}, $literal("a", "1"))',
        ),
        (MapShape(DateShape(), IntShape()), "$map($integer(), {}, $date())"),
        (NullableShape(StrShape()), "$nullable($string())"),
        (
            TaggedUnionShape("kind", "kind", (("card", named("Card")), (True, named("Card")))),
            '$tagged("kind", [["card", $Card], [true, $Card]])',
        ),
        (named("Alias"), "$Alias"),
    ],
)
def test_of_every_type_its_check(of: Shape, written: str) -> None:
    assert check(of) == written


def test_moments_may_be_texts() -> None:
    assert check(DatetimeShape(), strings=True) == "$momentText()"


@pytest.mark.parametrize(
    ("members", "written"),
    [
        (
            (IntShape(), StrShape()),
            '$union("integer, string", ["integer", $integer()], ["string", $string()])',
        ),
        (
            (DatetimeShape(), DateShape()),
            '$union("date-time, date", ["string", $momentDate()], ["string", $date()])',
        ),
        ((TimeShape(aware=False), TimedeltaShape()), '$union("partial-time, duration", '),
        ((TimeShape(aware=True), BytesShape()), '$union("time, byte", '),
        (
            (LiteralShape(("auto",)), DateShape()),
            '$choice("string, date", ["string", $literal("auto")], ["string", $date(), "date"])',
        ),
        (
            (named("Color"), ArrayShape(IntShape())),
            '$union("string, integer, array", ["string integer", $Color], ["array", ',
        ),
        (
            (named("Card"), named("Alias")),
            '$union("object, null, array", ["object", $Card], ["null array", $Alias])',
        ),
        ((BoolShape(), MapShape(StrShape(), IntShape())), '$union("boolean, object", '),
        (
            (TupleShape(()), TaggedUnionShape("kind", "kind", (("card", named("Card")),))),
            '$union("array, object", ',
        ),
        (
            (UnionShape((IntShape(), NullShape())), FloatShape()),
            '$union("integer, null, number", ["integer null", ',
        ),
        (
            (LiteralShape(("a", True)), IntShape()),
            '$union("string, boolean, integer", ["string boolean", ',
        ),
        (
            (AnyShape(), NullShape()),
            '$union("null, boolean, integer, number, string, array, object", ',
        ),
    ],
)
def test_members_of_a_union_are_told_apart_by_their_json_types(
    members: tuple[Shape, ...], written: str
) -> None:
    assert (
        " ".join(check(UnionShape(members)).split()).replace("( ", "(").startswith(written.strip())
    )


def declared(name: str, *definitions: Definition) -> str:
    found = package(*definitions)
    checks = Checks(scope_of(found, "Date"), [RefShape(found.definitions[name])])
    return "; ".join(f"{each.name} = {laid_out(checks.declared(each))}" for each in checks.order)


def test_declarations_stand_behind_those_that_they_need() -> None:
    outer = record("A", field("b", named("B")), field("c", named("B"), default={}))

    assert (
        declared("A", outer, record("B"))
        == "B = $record({}); A = $record({ b: $B, c: $optional($B) })"
    )


def test_what_needs_itself_is_looked_up_later() -> None:
    tree = record(
        "Tree",
        field("leaf", named("Leaf"), required=False),
        field("more", ArrayShape(named("Tree"))),
    )
    leaf = record("Leaf", field("tree", named("Tree")))

    assert declared("Tree", tree, leaf) == (
        "Leaf = $record({ tree: $lazy(() => $Tree) }); Tree = $record({ leaf: $optional($Leaf), more: $array($lazy(() => $Tree)) })"
    )


def test_a_named_tuple_may_be_shorter() -> None:
    all_there = named_tuple("P", field("x", IntShape()))

    assert declared("Pair", PAIR) == "Pair = $tuple([$integer(), $integer()], 1)"
    assert declared("P", all_there) == "P = $tuple([$integer()])"


def test_an_alias_is_what_it_stands_for() -> None:
    assert declared("Alias", ALIAS, PAIR).endswith("Alias = $nullable($Pair)")


def test_where_values_are_compared_absence_means_its_default() -> None:
    point = record(
        "Point",
        field("x", IntShape()),
        field("y", IntShape(), default=0),
        field("z", IntShape(), required=False),
    )
    holder = record(
        "Holder",
        field("points", ArrayShape(named("Point"), "set")),
        field("n", IntShape(), default=0),
    )

    assert declared("Holder", point, holder) == (
        "Point = $record({ x: $integer(), y: $optional($integer(), 0), z: $optional($integer()) }); "
        "Holder = $record({ points: $array($Point, {}, true), n: $optional($integer()) })"
    )
