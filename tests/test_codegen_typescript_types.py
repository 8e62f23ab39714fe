"""Types in TypeScript: of every type its own, of every declaration one."""

import pytest

from contract.codegen.model import (
    AliasDeclaration,
    AnyType,
    ArrayType,
    BoolType,
    BytesType,
    EnumDeclaration,
    FloatType,
    IntType,
    LiteralType,
    MapType,
    NamedTupleDeclaration,
    NamedType,
    NullableType,
    NullType,
    StrType,
    TaggedType,
    TextKind,
    TextType,
    TupleType,
    Type,
    UnionType,
)
from contract.codegen.typescript.declarations import comment, declared
from contract.codegen.typescript.scope import Dates, Scope, scope_of
from contract.codegen.typescript.types import note_on, type_of
from tests.hostile_package import field, package, record

COLOR = EnumDeclaration(name="Color", members=(("RED", "red"), ("GREEN", "green")))
CARD = record(
    "Card", field("kind", LiteralType(("card",)), default="card"), field("number", StrType())
)
CASH = record("Cash", field("kind", LiteralType(("cash", "coins"))))
KEY = AliasDeclaration(name="Key", type=StrType())
PAYMENT = TaggedType(
    "kind", (("card", NamedType("Card")), ("cash", NamedType("Cash")), ("coins", NamedType("Cash")))
)
SCOPE = scope_of(package(COLOR, CARD, CASH, KEY), "Date")
MOMENT = TextType("datetime", ("^.*$",))


@pytest.mark.parametrize(
    ("of", "written"),
    [
        (AnyType(), "JsonValue"),
        (NullType(), "null"),
        (BoolType(), "boolean"),
        (IntType(), "number"),
        (FloatType(), "number"),
        (StrType(), "string"),
        (BytesType(), "Uint8Array"),
        (MOMENT, "Date"),
        (TextType("decimal", ("^.*$",)), "string"),
        (LiteralType(("a", 1, True)), '"a" | 1 | true'),
        (LiteralType((2**60, 1)), "1"),
        (LiteralType((2**60,)), "never"),
        (ArrayType(StrType()), "string[]"),
        (ArrayType(NullableType(StrType()), "set"), "(string | null)[]"),
        (ArrayType(PAYMENT), '((Card & { kind: "card" }) | Cash)[]'),
        (
            ArrayType(TaggedType("kind", (("card", NamedType("Card")),))),
            '(Card & { kind: "card" })[]',
        ),
        (TupleType(()), "[]"),
        (TupleType((IntType(), StrType())), "[number, string]"),
        (MapType(StrType(), IntType()), "{ [key: string]: number }"),
        (MapType(MOMENT, IntType()), "{ [key: string]: number }"),
        (MapType(NamedType("Key"), IntType()), "{ [key: string]: number }"),
        (MapType(NamedType("Color"), IntType()), "{ [key in Color]?: number }"),
        (MapType(LiteralType(("a", "b")), IntType()), '{ [key in "a" | "b"]?: number }'),
        (NullableType(UnionType((IntType(), FloatType(), NullType()))), "number | null"),
        (PAYMENT, '(Card & { kind: "card" }) | Cash'),
        (NamedType("Color"), "Color"),
    ],
)
def test_of_every_type_its_own(of: Type, written: str) -> None:
    assert type_of(of, SCOPE) == written


def test_moments_may_be_texts() -> None:
    assert type_of(MOMENT, scope_of(package(), "string")) == "string"


@pytest.mark.parametrize(
    ("kind", "dates", "note"),
    [
        ("decimal", "Date", 'A decimal number in a text, such as "12.50".'),
        ("datetime", "Date", None),
        ("datetime", "string", 'A moment with its offset, such as "2026-01-31T10:00:00Z".'),
        ("uuid", "Date", 'A UUID, such as "123e4567-e89b-12d3-a456-426614174000".'),
    ],
)
def test_what_a_text_stands_for_is_told(kind: TextKind, dates: Dates, note: str | None) -> None:
    scope = scope_of(package(), dates)

    assert note_on(TextType(kind, ("^.*$",)), scope) == note
    assert note_on(NullableType(TextType(kind, ("^.*$",))), scope) == note


def test_that_the_items_of_a_set_differ_is_told() -> None:
    assert note_on(ArrayType(IntType(), "frozenset"), SCOPE) == "No item stands in it twice."
    assert note_on(ArrayType(IntType()), SCOPE) is None


def lines(scope: Scope, name: str) -> list[str]:
    return declared(name, scope).splitlines()


def test_a_record_is_an_interface() -> None:
    fields = (
        field("id", StrType(), wire="@id", description="Its name.", deprecated=True),
        field("price", TextType("decimal", ("^.*$",)), default=None, description="In euros."),
        field("note", StrType(), required=False),
        field("__proto__", IntType(), default=1),
        field("many", UnionType(tuple(LiteralType((text * 30,)) for text in "abcdef"))),
        field("long", StrType(), default="x" * 100),
        field("end", StrType(), default="*/"),
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
    plain = NamedTupleDeclaration(
        name="A",
        fields=(field("x", IntType()), field("y", NullableType(IntType()), required=False)),
    )
    odd = NamedTupleDeclaration(
        name="B",
        fields=(field("x", IntType()), field("a b", NullableType(IntType()), required=False)),
    )
    twice = NamedTupleDeclaration(name="C", fields=(field("x", IntType()), field("x", IntType())))
    scope = scope_of(package(plain, odd, twice), "Date")

    assert lines(scope, "A") == ["export type A = [x: number, y?: number | null];"]
    assert lines(scope, "B") == ["export type B = [number, (number | null)?];"]
    assert lines(scope, "C") == ["export type C = [number, number];"]


def test_an_enum_is_a_union_and_an_object() -> None:
    members = (("A", "a"), ("B C", 1), ("__proto__", True), ("BIG", 2**60), ("A", "other"))

    assert lines(
        scope_of(package(EnumDeclaration(name="E", members=members, description="Some.")), "Date"),
        "E",
    ) == [
        "/** Some. */",
        'export type E = "a" | 1 | true | "other";',
        "",
        'export const E = { A: "a", "B C": 1, ["__proto__"]: true } as const;',
    ]


def test_an_enum_of_many_values_has_a_line_for_each() -> None:
    found = lines(
        scope_of(
            package(
                EnumDeclaration(name="E", members=tuple((text * 30, text * 30) for text in "abcd"))
            ),
            "Date",
        ),
        "E",
    )

    assert found[:2] == ["export type E =", f'  | "{"a" * 30}"']
    assert found[6:8] == ["export const E = {", f'  {"a" * 30}: "{"a" * 30}",']


def test_an_alias_says_what_it_stands_for() -> None:
    scope = scope_of(
        package(
            AliasDeclaration(
                name="Price", type=TextType("decimal", ("^.*$",)), description="In euros."
            )
        ),
        "Date",
    )

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
