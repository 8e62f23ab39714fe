"""Types in TypeScript: of every type its own, of every declaration one."""

import pytest

from contract.codegen.typescript.declarations import comment, declared, note_on, type_of
from contract.codegen.typescript.scope import Dates, Scope, scope_of
from contract.shape.nodes import (
    AnyShape,
    ArrayShape,
    BoolShape,
    BytesShape,
    DatetimeShape,
    DecimalShape,
    FloatShape,
    IntShape,
    LiteralShape,
    MapShape,
    NullableShape,
    NullShape,
    Shape,
    StrShape,
    TaggedUnionShape,
    TupleShape,
    UnionShape,
    UuidShape,
)
from tests.paper import alias, enum, field, named, named_tuple, package, record, resolved

COLOR = enum("Color", ("RED", "red"), ("GREEN", "green"))
CARD = record(
    "Card", field("kind", LiteralShape(("card",)), default="card"), field("number", StrShape())
)
CASH = record("Cash", field("kind", LiteralShape(("cash", "coins"))))
KEY = alias("Key", StrShape())
KNOWN = package(COLOR, CARD, CASH, KEY)
PAYMENT = TaggedUnionShape(
    "kind", "kind", (("card", named("Card")), ("cash", named("Cash")), ("coins", named("Cash")))
)
SCOPE = scope_of(KNOWN, "Date")
MOMENT = DatetimeShape()


@pytest.mark.parametrize(
    ("of", "written"),
    [
        (AnyShape(), "JsonValue"),
        (NullShape(), "null"),
        (BoolShape(), "boolean"),
        (IntShape(), "number"),
        (FloatShape(), "number"),
        (StrShape(), "string"),
        (BytesShape(), "Uint8Array"),
        (MOMENT, "Date"),
        (DecimalShape(), "string"),
        (LiteralShape(("a", 1, True)), '"a" | 1 | true'),
        (LiteralShape((2**60, 1)), "1"),
        (LiteralShape((2**60,)), "never"),
        (ArrayShape(StrShape()), "string[]"),
        (ArrayShape(NullableShape(StrShape()), "set"), "(string | null)[]"),
        (ArrayShape(PAYMENT), '((Card & { kind: "card" }) | Cash)[]'),
        (
            ArrayShape(TaggedUnionShape("kind", "kind", (("card", named("Card")),))),
            '(Card & { kind: "card" })[]',
        ),
        (TupleShape(()), "[]"),
        (TupleShape((IntShape(), StrShape())), "[number, string]"),
        (MapShape(StrShape(), IntShape()), "{ [key: string]: number }"),
        (MapShape(IntShape(), IntShape()), "{ [key: string]: number }"),
        (MapShape(named("Key"), IntShape()), "{ [key: string]: number }"),
        (MapShape(named("Color"), IntShape()), "{ [key in Color]?: number }"),
        (MapShape(LiteralShape(("a", "b")), IntShape()), '{ [key in "a" | "b"]?: number }'),
        (NullableShape(UnionShape((IntShape(), FloatShape(), NullShape()))), "number | null"),
        (PAYMENT, '(Card & { kind: "card" }) | Cash'),
        (named("Color"), "Color"),
    ],
)
def test_of_every_type_its_own(of: Shape, written: str) -> None:
    assert type_of(resolved(of, KNOWN.definitions), SCOPE) == written


def test_moments_may_be_texts() -> None:
    assert type_of(MOMENT, scope_of(package(), "string")) == "string"


@pytest.mark.parametrize(
    ("shape", "dates", "note"),
    [
        (DecimalShape(), "Date", 'A decimal number in a text, such as "12.50".'),
        (DatetimeShape(), "Date", None),
        (DatetimeShape(), "string", 'A moment with its offset, such as "2026-01-31T10:00:00Z".'),
        (UuidShape(), "Date", 'A UUID, such as "123e4567-e89b-12d3-a456-426614174000".'),
    ],
)
def test_what_a_text_stands_for_is_told(shape: Shape, dates: Dates, note: str | None) -> None:
    scope = scope_of(package(), dates)

    assert note_on(shape, scope) == note
    assert note_on(NullableShape(shape), scope) == note


def test_that_the_items_of_a_set_differ_is_told() -> None:
    assert note_on(ArrayShape(IntShape(), "frozenset"), SCOPE) == "No item stands in it twice."
    assert note_on(ArrayShape(IntShape()), SCOPE) is None


def lines(scope: Scope, name: str) -> list[str]:
    return declared(scope.package.definitions[name], scope).splitlines()


def test_a_record_is_an_interface() -> None:
    fields = (
        field("id", StrShape(), wire="@id", description="Its name.", deprecated=True),
        field("price", DecimalShape(), default=None, description="In euros."),
        field("note", StrShape(), required=False),
        field("__proto__", IntShape(), default=1),
        field("many", UnionShape(tuple(LiteralShape((text * 30,)) for text in "abcdef"))),
        field("long", StrShape(), default="x" * 100),
        field("end", StrShape(), default="*/"),
    )

    assert lines(
        scope_of(
            package(
                record("R", *fields, description="A record.\n\n@ts-ignore */", deprecated=True)
            ),
            "Date",
        ),
        "R",
    ) == [
        "/**",
        " * A record.",
        " *",
        " * \\@ts-ignore *\\/",
        " *",
        " * @deprecated",
        " */",
        "export interface R {",
        "  /**",
        "   * Its name.",
        "   *",
        "   * @deprecated",
        "   */",
        '  "@id": string;',
        "  /**",
        "   * In euros.",
        "   *",
        '   * A decimal number in a text, such as "12.50".',
        "   *",
        "   * @default null",
        "   */",
        "  price?: string;",
        "  note?: string;",
        "  /** @default 1 */",
        '  "__proto__"?: number;',
        "  many:",
        *(f'    | "{text * 30}"' for text in "abcde"),
        f'    | "{"f" * 30}";',
        "  long?: string;",
        '  /** @default "*\\/" */',
        "  end?: string;",
        "}",
    ]


def test_a_record_without_fields_has_none() -> None:
    assert lines(scope_of(package(record("R")), "Date"), "R") == [
        "export type R = { [key: string]: never };"
    ]


def test_a_named_tuple_has_labels_where_all_can_be_one() -> None:
    plain = named_tuple(
        "A", field("x", IntShape()), field("y", NullableShape(IntShape()), required=False)
    )
    odd = named_tuple(
        "B", field("x", IntShape()), field("a b", NullableShape(IntShape()), required=False)
    )
    twice = named_tuple("C", field("x", IntShape()), field("x", IntShape()))
    scope = scope_of(package(plain, odd, twice), "Date")

    assert lines(scope, "A") == ["export type A = [x: number, y?: number | null];"]
    assert lines(scope, "B") == ["export type B = [number, (number | null)?];"]
    assert lines(scope, "C") == ["export type C = [number, number];"]


def test_an_enum_is_a_union_and_an_object() -> None:
    members = (("A", "a"), ("B C", 1), ("__proto__", True), ("BIG", 2**60), ("A", "other"))

    assert lines(scope_of(package(enum("E", *members, description="Some.")), "Date"), "E") == [
        "/** Some. */",
        'export type E = "a" | 1 | true | "other";',
        "",
        'export const E = { A: "a", "B C": 1, ["__proto__"]: true } as const;',
    ]


def test_an_enum_of_many_values_has_a_line_for_each() -> None:
    found = lines(
        scope_of(package(enum("E", *((text * 30, text * 30) for text in "abcd"))), "Date"), "E"
    )

    assert found[:2] == ["export type E =", f'  | "{"a" * 30}"']
    assert found[6:8] == ["export const E = {", f'  {"a" * 30}: "{"a" * 30}",']


def test_an_alias_says_what_it_stands_for() -> None:
    scope = scope_of(package(alias("Price", DecimalShape(), description="In euros.")), "Date")

    assert lines(scope, "Price")[1:] == [
        " * In euros.",
        " *",
        ' * A decimal number in a text, such as "12.50".',
        " */",
        "export type Price = string;",
    ]


def test_a_comment_of_nothing_is_none() -> None:
    assert comment([]) == ""
    assert comment([], "@default 1", indent=1) == "  /** @default 1 */\n"
    assert comment(["x" * 150]) == f"/**\n * {'x' * 150}\n */\n"
