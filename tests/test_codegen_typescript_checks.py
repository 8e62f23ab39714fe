"""Checks in TypeScript: of every type the expression that makes its check."""

from datetime import UTC, datetime, time, timedelta
from decimal import Decimal

import pytest

from contract.codegen.typescript.checks import Checks
from contract.codegen.typescript.layout import laid_out
from contract.codegen.typescript.scope import scope_of
from contract.shape import nodes
from contract.shape.bounds import Bounds
from tests.paper import alias, enum, field, named, named_tuple, package, record, resolved
from tests.tables import rows

INT, STR = nodes.IntShape(), nodes.StrShape()
NEW_YEAR = datetime(2030, 1, 1, tzinfo=UTC)
COLOR = enum("Color", ("RED", "red"), ("ONE", 1))
CARD = record("Card", field("kind", nodes.LiteralShape(("card",))))
ALIAS = alias("Alias", nodes.NullableShape(named("Pair")))
PAIR = named_tuple("Pair", field("x", INT), field("y", INT, default=0))
DECLARED = (COLOR, CARD, ALIAS, PAIR)


def check(of: nodes.Shape, *, strings: bool = False) -> str:
    known = package(*DECLARED)
    of = resolved(of, known.definitions)
    checks = Checks(scope_of(known, "string" if strings else "Date"), [of])
    for each in checks.order:
        checks.declared(each)
    return laid_out(checks.of(of))


@rows(
    "of, written",
    (nodes.AnyShape(), "$any"),
    (nodes.NullShape(), "$null"),
    (nodes.BoolShape(), "$boolean"),
    (INT, "$integer()"),
    (nodes.IntShape(-(2**63), 2**63 - 1), "$integer()"),
    (nodes.IntShape(1, 5, 2), "$integer({ ge: 1, le: 5, multipleOf: 2 })"),
    (nodes.IntShape(2**60), "$integer({ ge: 1152921504606846976 })"),
    (nodes.FloatShape(Bounds(gt=0.5, lt=1e300)), "$number({ gt: 0.5, lt: 1e300 })"),
    (STR, "$string()"),
    (nodes.StrShape(1, 2), "$string({ min: 1, max: 2 })"),
    (nodes.StrShape(1, None, ("^a$", "b")), '$matching({ min: 1 }, "^a$", "b")'),
    (nodes.StrShape(None, None, ("^\\d$",)), '$matching({}, "^\\\\d$")'),
    (nodes.BytesShape(None, 3), "$bytes({ max: 3 })"),
    (nodes.DecimalShape(Bounds(ge=Decimal("0.01"))), '$decimal({ ge: "0.01" })'),
    (nodes.DateShape(), "$date()"),
    (nodes.TimedeltaShape(Bounds(le=timedelta(seconds=1))), '$duration({ le: "PT1S" })'),
    (nodes.UuidShape(), "$uuid()"),
    (nodes.TimeShape(), '$time("any")'),
    (nodes.TimeShape(Bounds(ge=time(9)), aware=False), '$time("no offset", { ge: "09:00:00" })'),
    (nodes.TimeShape(aware=True), '$time("offset")'),
    (nodes.DatetimeShape(), "$momentDate()"),
    (nodes.DatetimeShape(Bounds(lt=NEW_YEAR)), '$momentDate({ lt: "2030-01-01T00:00:00+00:00" })'),
    (nodes.DatetimeShape(offset=timedelta(0)), "$momentDate({}, 0)"),
    (nodes.DatetimeShape(Bounds(ge=NEW_YEAR), timedelta(minutes=330)), '$momentDate({ ge: "2030-01-01T00:00:00+00:00" }, 330)'),
    (nodes.DatetimeShape(offset=timedelta(minutes=-90)), "$momentDate({}, -90)"),
    (nodes.LiteralShape(("a", 1, True, 2**60)), '$exact(4, "a", 1, true)'),
    (nodes.ArrayShape(INT, "list", 1, 2), "$array($integer(), { min: 1, max: 2 })"),
    (nodes.ArrayShape(INT, "tuple"), "$array($integer())"),
    (nodes.ArrayShape(INT, "set"), "$array($integer(), {}, true)"),
    (nodes.ArrayShape(INT, "frozenset", None, 9), "$array($integer(), { max: 9 }, true)"),
    (nodes.TupleShape((INT, STR)), "$tuple([$integer(), $string()])"),
    (nodes.MapShape(STR, INT), "$map($integer())"),
    (nodes.MapShape(STR, INT, 1), "$map($integer(), { min: 1 })"),
    (nodes.MapShape(named("Color"), INT), "$map($integer(), {}, $Color)"),
    (nodes.MapShape(nodes.IntShape(0), INT, None, 9), '$map($integer(), { max: 9 }, $integerKey({ ge: "0" }))'),
    (nodes.MapShape(nodes.LiteralShape(("a", 1)), INT), '$map($integer(), {}, $literal("a", "1"))'),
    (nodes.MapShape(nodes.DateShape(), INT), "$map($integer(), {}, $date())"),
    (nodes.NullableShape(STR), "$nullable($string())"),
    (
        nodes.TaggedUnionShape("kind", "kind", (("card", named("Card")), (True, named("Card")))),
        '$tagged("kind", [["card", $Card], [true, $Card]])',
    ),
    (named("Alias"), "$Alias"),
)  # fmt: skip
def test_of_every_type_its_check(of: nodes.Shape, written: str) -> None:
    assert check(of) == written


def test_moments_may_be_texts() -> None:
    assert check(nodes.DatetimeShape(), strings=True) == "$momentText()"


UNIONS: list[tuple[tuple[nodes.Shape, ...], str]] = [
    ((INT, STR), '$union("integer, string", ["integer", $integer()], ["string", $string()])'),
    ((nodes.DatetimeShape(), nodes.DateShape()), '$union("date-time, date", ["string", $momentDate()], ["string", $date()])'),
    ((nodes.TimeShape(aware=False), nodes.TimedeltaShape()), '$union("partial-time, duration", '),
    ((nodes.TimeShape(aware=True), nodes.BytesShape()), '$union("time, byte", '),
    (
        (nodes.LiteralShape(("auto",)), nodes.DateShape()),
        '$choice("string, date", ["string", $literal("auto")], ["string", $date(), "date"])',
    ),
    ((named("Color"), nodes.ArrayShape(INT)), '$union("string, integer, array", ["string integer", $Color], ["array", '),
    ((named("Card"), named("Alias")), '$union("object, null, array", ["object", $Card], ["null array", $Alias])'),
    ((nodes.BoolShape(), nodes.MapShape(STR, INT)), '$union("boolean, object", '),
    ((nodes.TupleShape(()), nodes.TaggedUnionShape("kind", "kind", (("card", named("Card")),))), '$union("array, object", '),
    ((nodes.UnionShape((INT, nodes.NullShape())), nodes.FloatShape()), '$union("integer, null, number", ["integer null", '),
    ((nodes.LiteralShape(("a", True)), INT), '$union("string, boolean, integer", ["string boolean", '),
    ((nodes.AnyShape(), nodes.NullShape()), '$union("null, boolean, integer, number, string, array, object", '),
]  # fmt: skip


@pytest.mark.parametrize(("members", "written"), UNIONS)
def test_members_of_a_union_are_told_apart_by_their_json_types(
    members: tuple[nodes.Shape, ...], written: str
) -> None:
    found = " ".join(check(nodes.UnionShape(members)).split()).replace("( ", "(")
    assert found.startswith(written.strip())


def declared(name: str, *definitions: nodes.Definition) -> str:
    found = package(*definitions)
    checks = Checks(scope_of(found, "Date"), [nodes.RefShape(found.definitions[name])])
    return "; ".join(f"{each.name} = {laid_out(checks.declared(each))}" for each in checks.order)


def test_declarations_stand_behind_those_that_they_need() -> None:
    outer = record("A", field("b", named("B")), field("c", named("B"), default={}))
    both = "B = $record({}); A = $record({ b: $B, c: $optional($B) })"

    assert declared("A", outer, record("B")) == both


def test_what_needs_itself_is_looked_up_later() -> None:
    more = field("more", nodes.ArrayShape(named("Tree")))
    tree = record("Tree", field("leaf", named("Leaf"), required=False), more)
    leaf = record("Leaf", field("tree", named("Tree")))

    assert declared("Tree", tree, leaf) == (
        "Leaf = $record({ tree: $lazy(() => $Tree) }); Tree = $record({ leaf: $optional($Leaf), more: $array($lazy(() => $Tree)) })"
    )


def test_a_named_tuple_may_be_shorter() -> None:
    all_there = named_tuple("P", field("x", INT))

    assert declared("Pair", PAIR) == "Pair = $tuple([$integer(), $integer()], 1)"
    assert declared("P", all_there) == "P = $tuple([$integer()])"


def test_an_alias_is_what_it_stands_for() -> None:
    assert declared("Alias", ALIAS, PAIR).endswith("Alias = $nullable($Pair)")


def test_where_values_are_compared_absence_means_its_default() -> None:
    x, y = field("x", INT), field("y", INT, default=0)
    points = field("points", nodes.ArrayShape(named("Point"), "set"))

    point = record("Point", x, y, field("z", INT, required=False))
    found = declared("Holder", point, record("Holder", points, field("n", INT, default=0)))
    assert found == (
        "Point = $record({ x: $integer(), y: $optional($integer(), 0), z: $optional($integer()) }); "
        "Holder = $record({ points: $array($Point, {}, true), n: $optional($integer()) })"
    )
