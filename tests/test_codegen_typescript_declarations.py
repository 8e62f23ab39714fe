"""Types in TypeScript: of every type its own, of every declaration one."""

from contract.codegen.typescript.declarations import comment, declared, note_on, type_of
from contract.codegen.typescript.scope import Dates, Scope, scope_of
from contract.shape import nodes
from tests.paper import alias, enum, field, named, named_tuple, package, record, resolved
from tests.tables import rows

INT, STR = nodes.IntShape(), nodes.StrShape()
COLOR = enum("Color", ("RED", "red"), ("GREEN", "green"))
KIND = field("kind", nodes.LiteralShape(("card",)), default="card")
CARD = record("Card", KIND, field("number", STR))
CASH = record("Cash", field("kind", nodes.LiteralShape(("cash", "coins"))))
KEY = alias("Key", STR)
KNOWN = package(COLOR, CARD, CASH, KEY)
PAYMENT = nodes.TaggedUnionShape(
    "kind", "kind", (("card", named("Card")), ("cash", named("Cash")), ("coins", named("Cash")))
)
SCOPE = scope_of(KNOWN, "Date")
MOMENT = nodes.DatetimeShape()


@rows(
    "of, written",
    (nodes.AnyShape(), "JsonValue"),
    (nodes.NullShape(), "null"),
    (nodes.BoolShape(), "boolean"),
    (INT, "number"),
    (nodes.FloatShape(), "number"),
    (STR, "string"),
    (nodes.BytesShape(), "Uint8Array"),
    (MOMENT, "Date"),
    (nodes.DecimalShape(), "string"),
    (nodes.LiteralShape(("a", 1, True)), '"a" | 1 | true'),
    (nodes.LiteralShape((2**60, 1)), "1"),
    (nodes.LiteralShape((2**60,)), "never"),
    (nodes.ArrayShape(STR), "string[]"),
    (nodes.ArrayShape(nodes.NullableShape(STR), "set"), "(string | null)[]"),
    (nodes.ArrayShape(PAYMENT), '((Card & { kind: "card" }) | Cash)[]'),
    (nodes.ArrayShape(nodes.TaggedUnionShape("kind", "kind", (("card", named("Card")),))), '(Card & { kind: "card" })[]'),
    (nodes.TupleShape(()), "[]"),
    (nodes.TupleShape((INT, STR)), "[number, string]"),
    (nodes.MapShape(STR, INT), "{ [key: string]: number }"),
    (nodes.MapShape(INT, INT), "{ [key: string]: number }"),
    (nodes.MapShape(named("Key"), INT), "{ [key: string]: number }"),
    (nodes.MapShape(named("Color"), INT), "{ [key in Color]?: number }"),
    (nodes.MapShape(nodes.LiteralShape(("a", "b")), INT), '{ [key in "a" | "b"]?: number }'),
    (nodes.NullableShape(nodes.UnionShape((INT, nodes.FloatShape(), nodes.NullShape()))), "number | null"),
    (PAYMENT, '(Card & { kind: "card" }) | Cash'),
    (named("Color"), "Color"),
)  # fmt: skip
def test_of_every_type_its_own(of: nodes.Shape, written: str) -> None:
    assert type_of(resolved(of, KNOWN.definitions), SCOPE) == written


def test_moments_may_be_texts() -> None:
    assert type_of(MOMENT, scope_of(package(), "string")) == "string"


@rows(
    "shape, dates, note",
    (nodes.DecimalShape(), "Date", 'A decimal number in a text, such as "12.50".'),
    (nodes.DatetimeShape(), "Date", None),
    (nodes.DatetimeShape(), "string", 'A moment with its offset, such as "2026-01-31T10:00:00Z".'),
    (nodes.UuidShape(), "Date", 'A UUID, such as "123e4567-e89b-12d3-a456-426614174000".'),
)
def test_what_a_text_stands_for_is_told(shape: nodes.Shape, dates: Dates, note: str | None) -> None:
    scope = scope_of(package(), dates)

    assert note_on(shape, scope) == note
    assert note_on(nodes.NullableShape(shape), scope) == note


def test_that_the_items_of_a_set_differ_is_told() -> None:
    assert note_on(nodes.ArrayShape(INT, "frozenset"), SCOPE) == "No item stands in it twice."
    assert note_on(nodes.ArrayShape(INT), SCOPE) is None


def lines(scope: Scope, name: str) -> list[str]:
    return declared(scope.package.definitions[name], scope).splitlines()


def test_a_record_is_an_interface() -> None:
    fields = (
        field("id", STR, wire="@id", description="Its name.", deprecated=True),
        field("price", nodes.DecimalShape(), default=None, description="In euros."),
        field("note", STR, required=False),
        field("__proto__", INT, default=1),
        field(
            "many", nodes.UnionShape(tuple(nodes.LiteralShape((text * 30,)) for text in "abcdef"))
        ),
        field("long", STR, default="x" * 100),
        field("end", STR, default="*/"),
    )

    told = record("R", *fields, description="A record.\n\n@ts-ignore */", deprecated=True)

    assert lines(scope_of(package(told), "Date"), "R") == [
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
    x = field("x", INT)
    maybe = nodes.NullableShape(INT)
    plain = named_tuple("A", x, field("y", maybe, required=False))
    odd = named_tuple("B", x, field("a b", maybe, required=False))
    scope = scope_of(package(plain, odd, named_tuple("C", x, x)), "Date")

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
    members = ((text * 30, text * 30) for text in "abcd")
    found = lines(scope_of(package(enum("E", *members)), "Date"), "E")

    assert found[:2] == ["export type E =", f'  | "{"a" * 30}"']
    assert found[6:8] == ["export const E = {", f'  {"a" * 30}: "{"a" * 30}",']


def test_an_alias_says_what_it_stands_for() -> None:
    scope = scope_of(package(alias("Price", nodes.DecimalShape(), description="In euros.")), "Date")

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
