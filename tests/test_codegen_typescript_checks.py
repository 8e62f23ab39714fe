"""Checks in TypeScript: of every type the expression that makes its check."""

import pytest

from contract.codegen.forms import OFFSET_OF_UTC, TIME_PATTERNS
from contract.codegen.model import (
    AliasDeclaration,
    AnyType,
    ArrayType,
    BoolType,
    BytesType,
    EnumDeclaration,
    FloatType,
    IntType,
    Limits,
    LiteralType,
    MapType,
    NamedTupleDeclaration,
    NamedType,
    NullableType,
    NullType,
    StrType,
    TaggedType,
    TextType,
    TupleType,
    Type,
    UnionType,
)
from contract.codegen.typescript.checks import Checks
from contract.codegen.typescript.layout import laid_out
from contract.codegen.typescript.scope import scope_of
from tests.hostile_package import field, package, record

ANY = ("^.*$",)
ANY_TIME, NAIVE, AWARE = (
    next(pattern for pattern, aware in TIME_PATTERNS.items() if aware is wanted)
    for wanted in (None, False, True)
)
COLOR = EnumDeclaration(name="Color", members=(("RED", "red"), ("ONE", 1)))
CARD = record("Card", field("kind", LiteralType(("card",))))
ALIAS = AliasDeclaration(name="Alias", type=NullableType(NamedType("Pair")))
PAIR = NamedTupleDeclaration(
    name="Pair", fields=(field("x", IntType()), field("y", IntType(), default=0))
)
DECLARED = (COLOR, CARD, ALIAS, PAIR)


def check(of: Type, *, strings: bool = False) -> str:
    scope = scope_of(package(*DECLARED), "string" if strings else "Date")
    checks = Checks(scope, [of])
    for name in checks.order:
        checks.declared(name)
    return laid_out(checks.of(of))


@pytest.mark.parametrize(
    ("of", "written"),
    [
        (AnyType(), "$any"),
        (NullType(), "$null"),
        (BoolType(), "$boolean"),
        (IntType(), "$integer()"),
        (IntType(Limits(ge=-(2**63), le=2**63 - 1)), "$integer()"),
        (IntType(Limits(ge=1, le=5, multiple_of=2)), "$integer({ ge: 1, le: 5, multipleOf: 2 })"),
        (IntType(Limits(ge=2**60)), "$integer({ ge: 1152921504606846976 })"),
        (FloatType(Limits(gt=0.5, lt=1e300)), "$number({ gt: 0.5, lt: 1e300 })"),
        (StrType(), "$string()"),
        (StrType(1, 2), "$string({ min: 1, max: 2 })"),
        (StrType(1, None, ("^a$", "b")), '$matching({ min: 1 }, "^a$", "b")'),
        (StrType(None, None, ("^\\d$",)), '$matching({}, "^\\\\d$")'),
        (BytesType(None, 3), "$bytes({ max: 3 })"),
        (TextType("decimal", ANY, Limits(ge="0.01")), '$decimal({ ge: "0.01" })'),
        (TextType("date", ANY), "$date()"),
        (TextType("timedelta", ANY, Limits(le="PT1S")), '$duration({ le: "PT1S" })'),
        (TextType("uuid", ANY), "$uuid()"),
        (TextType("time", (ANY_TIME,)), '$time("any")'),
        (
            TextType("time", (NAIVE,), Limits(ge="09:00:00")),
            '$time("no offset", { ge: "09:00:00" })',
        ),
        (TextType("time", (AWARE,)), '$time("offset")'),
        (TextType("datetime", ANY), "$momentDate()"),
        (
            TextType("datetime", ANY, Limits(lt="2030-01-01T00:00:00Z")),
            '$momentDate({ lt: "2030-01-01T00:00:00Z" })',
        ),
        (TextType("datetime", (*ANY, OFFSET_OF_UTC)), "$momentDate({}, 0)"),
        (
            TextType("datetime", (*ANY, "[+]05:30$"), Limits(ge="x")),
            '$momentDate({ ge: "x" }, 330)',
        ),
        (TextType("datetime", (*ANY, "-01:30$")), "$momentDate({}, -90)"),
        (LiteralType(("a", 1, True, 2**60)), '$literal("a", 1, true)'),
        (ArrayType(IntType(), "list", 1, 2), "$array($integer(), { min: 1, max: 2 })"),
        (ArrayType(IntType(), "tuple"), "$array($integer())"),
        (ArrayType(IntType(), "set"), "$array($integer(), {}, true)"),
        (ArrayType(IntType(), "frozenset", None, 9), "$array($integer(), { max: 9 }, true)"),
        (TupleType((IntType(), StrType())), "$tuple([$integer(), $string()])"),
        (MapType(StrType(), IntType()), "$map($integer())"),
        (MapType(StrType(), IntType(), 1), "$map($integer(), { min: 1 })"),
        (MapType(NamedType("Color"), IntType()), "$map($integer(), {}, $Color)"),
        (
            MapType(TextType("int", ANY, Limits(ge=0)), IntType(), None, 9),
            '$map($integer(), { max: 9 }, $integerKey({ ge: "0" }))',
        ),
        (MapType(TextType("datetime", ANY), IntType()), "$map($integer(), {}, $momentText())"),
        (NullableType(StrType()), "$nullable($string())"),
        (
            TaggedType("kind", (("card", NamedType("Card")), (True, NamedType("Card")))),
            '$tagged("kind", [["card", $Card], [true, $Card]])',
        ),
        (NamedType("Alias"), "$Alias"),
    ],
)
def test_of_every_type_its_check(of: Type, written: str) -> None:
    assert check(of) == written


def test_moments_may_be_texts() -> None:
    assert check(TextType("datetime", ANY), strings=True) == "$momentText()"


@pytest.mark.parametrize(
    ("members", "written"),
    [
        (
            (IntType(), StrType()),
            '$union("integer, string", ["integer", $integer()], ["string", $string()])',
        ),
        (
            (TextType("datetime", ANY), TextType("date", ANY)),
            '$union("date-time, date", ["string", $momentDate()], ["string", $date()])',
        ),
        (
            (TextType("time", (NAIVE,)), TextType("timedelta", ANY)),
            '$union("partial-time, duration", ',
        ),
        ((TextType("time", (AWARE,)), BytesType()), '$union("time, byte", '),
        (
            (NamedType("Color"), ArrayType(IntType())),
            '$union("string, integer, array", ["string integer", $Color], ["array", ',
        ),
        (
            (NamedType("Card"), NamedType("Alias")),
            '$union("object, null, array", ["object", $Card], ["null array", $Alias])',
        ),
        ((BoolType(), MapType(StrType(), IntType())), '$union("boolean, object", '),
        (
            (TupleType(()), TaggedType("kind", (("card", NamedType("Card")),))),
            '$union("array, object", ',
        ),
        (
            (UnionType((IntType(), NullType())), FloatType()),
            '$union("integer, null, number", ["integer null", ',
        ),
        (
            (LiteralType(("a", True)), IntType()),
            '$union("string, boolean, integer", ["string boolean", ',
        ),
        (
            (AnyType(), NullType()),
            '$union("null, boolean, integer, number, string, array, object", ',
        ),
    ],
)
def test_members_of_a_union_are_told_apart_by_their_json_types(
    members: tuple[Type, ...], written: str
) -> None:
    assert (
        " ".join(check(UnionType(members)).split()).replace("( ", "(").startswith(written.strip())
    )


def declared(name: str, *declarations: object) -> str:
    found = package(*declarations)  # type: ignore[arg-type]
    checks = Checks(scope_of(found, "Date"), [NamedType(name)])
    return "; ".join(f"{each} = {laid_out(checks.declared(each))}" for each in checks.order)


def test_declarations_stand_behind_those_that_they_need() -> None:
    outer = record("A", field("b", NamedType("B")), field("c", NamedType("B"), default={}))

    assert (
        declared("A", outer, record("B"))
        == "B = $record({}); A = $record({ b: $B, c: $optional($B) })"
    )


def test_what_needs_itself_is_looked_up_later() -> None:
    tree = record(
        "Tree",
        field("leaf", NamedType("Leaf"), required=False),
        field("more", ArrayType(NamedType("Tree"))),
    )
    leaf = record("Leaf", field("tree", NamedType("Tree")))

    assert declared("Tree", tree, leaf) == (
        "Leaf = $record({ tree: $lazy(() => $Tree) }); Tree = $record({ leaf: $optional($Leaf), more: $array($lazy(() => $Tree)) })"
    )


def test_a_named_tuple_may_be_shorter() -> None:
    all_there = NamedTupleDeclaration(name="P", fields=(field("x", IntType()),))

    assert declared("Pair", PAIR) == "Pair = $tuple([$integer(), $integer()], 1)"
    assert declared("P", all_there) == "P = $tuple([$integer()])"


def test_an_alias_is_what_it_stands_for() -> None:
    assert declared("Alias", ALIAS, PAIR).endswith("Alias = $nullable($Pair)")


def test_where_values_are_compared_absence_means_its_default() -> None:
    point = record(
        "Point",
        field("x", IntType()),
        field("y", IntType(), default=0),
        field("z", IntType(), required=False),
    )
    holder = record(
        "Holder",
        field("points", ArrayType(NamedType("Point"), "set")),
        field("n", IntType(), default=0),
    )

    assert declared("Holder", point, holder) == (
        "Point = $record({ x: $integer(), y: $optional($integer(), 0), z: $optional($integer()) }); "
        "Holder = $record({ points: $array($Point, {}, true), n: $optional($integer()) })"
    )
