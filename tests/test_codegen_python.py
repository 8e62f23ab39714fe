"""Python that is generated: how it reads, what it is called, and that it works."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import fields
from datetime import UTC, datetime, time, timedelta, timezone
from decimal import Decimal
from enum import Enum, IntEnum
from json import dumps
from typing import Annotated, Any, Literal, TypedDict

import pytest
from annotated_types import Ge, MinLen

import contract.client
from contract import UNSET
from contract.client import (
    ApiClientBase,
    AsyncApiClientBase,
    HttpRequest,
    HttpResponse,
    InvalidInput,
)
from contract.codegen.package import FailureType, Package, package_of
from contract.codegen.python import python_client, python_validators
from contract.codegen.python.naming import CLIENT_MEMBERS
from contract.document.model import Deprecation
from contract.shape.bounds import Bounds
from contract.shape.graph import recursive_aliases
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
    Shape,
    StrShape,
    TaggedUnionShape,
    TimedeltaShape,
    TimeShape,
    TupleShape,
    UnionShape,
    UuidShape,
)
from tests.hostile_package import HOSTILE, TEXT
from tests.paper import alias, enum, field, named, named_tuple, operation, package, record
from tests.python_clients import differences, document_of, module_of
from tests.samples import ANNOTATIONS


@contextmanager
def client_of(of: Package) -> Iterator[Any]:
    with module_of(python_client(of)) as module:
        yield module


INT, STR = IntShape(), StrShape()
LIST = ArrayShape(INT)


# How it reads.

SMALL = package(
    record(
        "Order",
        field("id", StrShape(1, 40, ("^[a-z]+$",)), description="Lower-case", examples=("abc",)),
        field("tags", LIST, default=[]),
    ),
    enum("Color", ("RED", "red"), description="A color."),
    operations=[
        operation(
            "orders.add",
            named("Order"),
            named("Color"),
            ["SOLD_OUT"],
            summary="Add an order",
            auth="bearer",
            effect="write",
        ),
        operation("ping", summary="Ping", description="Ping."),
    ],
    failures=[FailureType(code="SOLD_OUT", status=409, description="All gone.")],
    exports={"Order": named("Order")},
    title="Shop",
    description="A shop.\n\nMore of it.",
)


def test_a_client_says_how_to_generate_it_again() -> None:
    """All else that stands in one is seen in `tests/golden`."""
    source = python_client(SMALL, source="shop.json")

    assert "::\n\n    contract generate shop.json -o client.py\n" in source


def test_validators_have_what_is_exported_and_no_more() -> None:
    source = python_validators(SMALL)
    with module_of(source) as module:
        assert module.__all__ == ["Order", "schemas"]
        assert module.schemas.Order.load(b'{"id": "a"}') == module.Order(id="a", tags=[])
    assert "contract generate contract.json -o validators.py --validators" in source


def test_validators_of_nothing_are_a_module_too() -> None:
    with module_of(python_validators(package())) as module:
        assert module.__all__ == ["schemas"]
    with client_of(package()) as module:
        assert vars(module.schemas) == {}
        assert module.ApiClient.__doc__ == "A client of Tests."


# Types.


def test_every_type_comes_back_as_it_was() -> None:
    document = document_of(*ANNOTATIONS.values())
    with client_of(package_of(document)) as module:
        assert differences(document, module) == []


def test_keys_that_are_no_names_come_back_too() -> None:
    odd = TypedDict("odd", {"not-a-name": int, "class": str, "__init__": bool})
    document = document_of(odd)
    with client_of(package_of(document)) as module:
        assert differences(document, module) == []
        assert (
            module.schemas.Given0.load(
                b'{"not-a-name": 1, "class": "a", "__init__": true}'
            ).not_a_name
            == 1
        )


@pytest.mark.parametrize(
    ("one", "other", "found"),
    [
        (int, Annotated[int, Ge(1)], "minimum: "),
        (list[int], Annotated[list[int], MinLen(1)], "only ours has minItems: 1"),
        (Annotated[list[int], MinLen(1)], list[int], "only theirs has minItems: 1"),
        (Literal["a", "b"], Literal["a", "b", "c"], "enum: "),
    ],
)
def test_a_difference_would_be_found(one: Any, other: Any, found: str) -> None:
    with client_of(package_of(document_of(other))) as module:
        assert any(found in each for each in differences(document_of(one), module))


FORMS: list[tuple[Shape, str]] = [
    (
        DecimalShape(Bounds(ge=Decimal("0.01"), multiple_of=Decimal("0.01"))),
        'Annotated[Decimal, Ge(Decimal("0.01")), MultipleOf(Decimal("0.01"))]',
    ),
    (DatetimeShape(offset=timedelta(0)), 'Annotated[datetime, Timezone("UTC")]'),
    (
        DatetimeShape(offset=timedelta(minutes=-330)),
        "Annotated[datetime, Timezone(timezone(timedelta(minutes=-330)))]",
    ),
    (DatetimeShape(), "datetime"),
    (
        DatetimeShape(
            Bounds(gt=datetime(2026, 1, 2, 3, 4, 5, 600_000, tzinfo=timezone(timedelta(hours=1))))
        ),
        "Annotated[datetime, Gt(datetime(2026, 1, 2, 3, 4, 5, 600000, tzinfo=timezone(timedelta(hours=1))))]",
    ),
    (TimeShape(aware=False), "Annotated[time, Timezone(None)]"),
    (
        TimeShape(Bounds(lt=time(9, 30, tzinfo=UTC)), aware=True),
        "Annotated[time, Lt(time(9, 30, tzinfo=UTC)), Timezone(...)]",
    ),
    (TimeShape(), "time"),
    (
        TimedeltaShape(
            Bounds(ge=-timedelta(days=1, hours=2, minutes=3, seconds=4.5), le=timedelta(0))
        ),
        (
            "Annotated[\n"
            "        timedelta,\n"
            "        Ge(-timedelta(days=1, hours=2, minutes=3, seconds=4, microseconds=500000)),\n"
            "        Le(timedelta(0)),\n"
            "    ]"
        ),
    ),
    (UuidShape(), "UUID"),
    (StrShape(2), "Annotated[str, MinLen(2)]"),
    (StrShape(0, 2), "Annotated[str, MaxLen(2)]"),
    (TupleShape(()), "tuple[()]"),
    (NullableShape(NullableShape(INT)), "int | None"),
    (UnionShape((NullableShape(INT), STR)), "int | str | None"),
    (NullableShape(NullShape()), "None"),
    (MapShape(IntShape(1), STR, 1, 2), "Annotated[dict[Annotated[int, Ge(1)], str], Len(1, 2)]"),
]


@pytest.mark.parametrize(("type_", "written"), FORMS)
def test_types_are_written_with_all_that_limits_them(type_: Shape, written: str) -> None:
    source = python_client(package(record("Of", field("it", type_)), exports={"Of": named("Of")}))

    assert f"    it: {written}" in source


def test_a_field_whose_name_is_empty_has_another_one_in_python() -> None:
    with client_of(package(record("Of", field("", INT)), exports={"Of": named("Of")})) as module:
        assert module.schemas.Of.load(b'{"": 1}') == module.Of(field=1)
        assert module.schemas.Of.dump(module.Of(field=1)) == b'{"":1}'


def test_the_validators_of_a_route_step_back_behind_an_export() -> None:
    of = package(operations=[operation("order")], exports={"order": INT})
    with client_of(of) as module:
        assert module.schemas.order.load(b"1") == 1
        assert module.schemas.order_.output.load(b"null") is None


def test_what_leads_to_a_circle_in_two_ways_is_in_none() -> None:
    def lists(name: str, *inner: str) -> Definition:
        return alias(name, UnionShape(tuple(ArrayShape(named(each)) for each in inner)))

    of = package(
        lists("A", "B", "C"),
        lists("B", "D"),
        lists("C", "D"),
        lists("D", "D"),
        lists("E", "F", "G"),
        lists("F"),
        lists("G"),
    )

    assert {each.name for each in recursive_aliases(of.definitions.values())} == {"D"}


def test_recursive_aliases_stand_in_text() -> None:
    tree = alias(
        "Tree", UnionShape((ArrayShape(named("Tree")), named("Leaf"), INT)), description="A tree."
    )
    leaf = record("Leaf", field("of", NullableShape(named("Tree"))))
    odd = LiteralShape(("it's", '"'))
    either = UnionShape(
        (
            MapShape(STR, named("Other")),
            odd,
            *(named(f"Long{number}{'x' * 30}") for number in range(3)),
        )
    )
    other = alias("Other", NullableShape(either))
    longs = [
        record(f"Long{number}{'x' * 30}", field("kind", LiteralShape((number,))))
        for number in range(3)
    ]
    plain = alias("Plain", ArrayShape(named("Tree")), deprecated=True)
    of = package(
        tree,
        leaf,
        other,
        plain,
        *longs,
        exports={"Tree": named("Tree"), "Plain": named("Plain")},
        operations=[operation("go", named("Other"))],
    )
    source = python_client(of)

    assert 'Tree = TypeAliasType("Tree", "list[Tree] | Leaf | int")\n"""A tree."""\n' in source
    assert (
        '_OtherPart: TypeAlias = Literal["it\'s", \'"\']\nOther = TypeAliasType(\n    "Other",\n    """Union[\n        dict[str, Other],\n'
        in source
    )
    assert 'Plain: TypeAlias = list[Tree]\n"""Deprecated."""\n' in source
    with module_of(source) as module:
        assert module.schemas.Tree.load(b'[1, [2, {"of": null}]]') == [1, [2, module.Leaf(of=None)]]
        assert module.schemas.Plain.load(b"[[1]]") == [[1]]
        with pytest.raises(InvalidInput):
            module.schemas.Tree.load(b'["1"]')


@pytest.mark.parametrize(
    ("members", "base"),
    [
        ((("LOW", 1), ("HIGH", 2)), IntEnum),
        ((("LOW", 1), ("real", 2)), Enum),  # as every int has it
        ((("LOW", 1), ("YES", True)), Enum),
        ((("LOW", 1), ("HIGH", "2")), Enum),
        ((("LOW", "1"),), Enum),
    ],
)
def test_an_enum_of_integers_is_an_int_enum(
    members: tuple[tuple[str, Any], ...], base: type[Enum]
) -> None:
    source = python_client(
        package(enum("Level", *members), exports={"Levels": ArrayShape(named("Level"))})
    )

    with module_of(source) as module:
        assert module.Level.__mro__[1] is base
        assert [*module.Level.__members__.items()] == [
            (name, module.Level(value)) for name, value in members
        ]
        [low] = module.schemas.Levels.load(dumps([members[0][1]]).encode())
        assert low is module.Level.LOW
        assert module.schemas.Levels.dump([low]) == dumps([members[0][1]]).encode()


def test_an_exported_type_has_the_name_of_its_export_as_well() -> None:
    of = package(
        record("In", field("page", INT)),
        record("InInput", field("page", INT, required=False, default=1)),
        record("Decimal"),
        enum("Kind", ("A", "a")),
        alias("Ids", ArrayShape(INT)),
        exports={
            "Filter": named("In"),
            "FilterInput": named("InInput"),
            "In": named("In"),
            "Sort": named("Kind"),
            "Decimal": named("In"),  # which is another type
            "Other": named("Decimal"),
            "Numbers": named("Ids"),
            "date": named("In"),
            "class": named("In"),
            "schemas": named("In"),
        },
    )

    for source in (python_client(of), python_validators(of)):
        with module_of(source) as module:
            assert module.Filter is module.In is module.date is module.class_ is module.schemas_
            assert module.FilterInput is module.InInput
            assert (module.Sort, module.Numbers) == (module.Kind, module.Ids)
            assert module.Decimal.__name__ == "Decimal"
            public = ["Filter", "FilterInput", "In", "Sort", "Numbers", "date", "class_"]
            assert {*public, "schemas_"} <= {*module.__all__}
            assert module.schemas.Filter.load(b'{"page": 2}') == module.Filter(page=2)
            assert module.schemas.FilterInput.load(b"{}") == module.FilterInput()


def test_records_in_sets_can_be_hashed() -> None:
    """A record whose fields have no hash is compared by its identity, as at the server."""
    of = package(
        record("Loose", field("names", ArrayShape(STR))),
        record(
            "Behind", field("pairs", TupleShape((named("Pairs"), named("Loose"), named("Loop"))))
        ),
        record("Loop", field("next", NullableShape(named("Loop")), required=False)),
        alias("Pairs", TupleShape((MapShape(STR, INT), named("Color")))),
        enum("Color", ("RED", 1)),
        named_tuple("Point", field("x", INT)),
        record("Plain", field("point", named("Point")), field("color", named("Color"))),
        exports={"Set": ArrayShape(TupleShape((named("Behind"), named("Plain"))), "frozenset")},
    )
    source = python_client(of)
    with module_of(source) as module:
        data = b'[[{"pairs": [[{"a": 1}, 1], {"names": []}, {}]}, {"point": [1], "color": 1}]]'
        assert len(module.schemas.Set.load(data)) == 1
    assert source.count("eq=False") == 2
    assert "@dataclass(frozen=True, slots=True, kw_only=True, eq=False)\nclass Loose:" in source


# Defaults.

POINT = named_tuple("Point", field("x", INT), field("y", FloatShape(), default=0.5))
COLOR = enum("Color", ("RED", "red"), ("ONE", 1), ("YES", True))
CARD = record("Card", field("kind", LiteralShape(("card",))), field("limit", INT, default=1))
CASH = record("Cash", field("kind", LiteralShape(("cash",))), field("coins", LIST, default=[]))
OUTER = record("Outer", field("empty", named("Empty"), default={"a": 1}))
ALIAS = alias("Ids", TupleShape((INT, STR)))
EMPTY = record("Empty", field("a", INT, default=1), field("many", LIST, required=False))
PAYMENT = TaggedUnionShape("kind", "kind", (("card", named("Card")), ("cash", named("Cash"))))


DEFAULTS: list[tuple[Shape, Any, str]] = [
    (
        AnyShape(),
        {"a": [1, None, "x"]},
        'Any = field(default_factory=lambda: {"a": [1, None, "x"]})',
    ),
    (AnyShape(), {}, "Any = field(default_factory=dict[str, Any])"),
    (AnyShape(), [], "Any = field(default_factory=list[Any])"),
    (AnyShape(), 1.5, "Any = 1.5"),
    (NullShape(), None, "None = None"),
    (BoolShape(), True, "bool = True"),
    (INT, 1.0, "int = 1"),
    (FloatShape(), 1, "float = 1.0"),
    (
        STR,
        'it\'s "1" \\ \n\u202e\x07\U0001f600\U000e0001',
        "str = 'it\\'s \"1\" \\\\ \\n\\u202e\\x07\U0001f600\\U000e0001'",
    ),
    (BytesShape(), "AP8n", 'bytes = b"\\x00\\xff\'"'),
    (BytesShape(), "Iic=", 'bytes = b"\\"\'"'),
    (BytesShape(), "Jw==", 'bytes = b"\'"'),
    (DecimalShape(), "1.50", 'Decimal = Decimal("1.50")'),
    (DatetimeShape(), "2026-01-01T00:00:00Z", "datetime = datetime(2026, 1, 1, tzinfo=UTC)"),
    (
        DatetimeShape(),
        "2026-01-02T03:04:05.6+01:00",
        "datetime = datetime(2026, 1, 2, 3, 4, 5, 600000, tzinfo=timezone(timedelta(hours=1)))",
    ),
    (DateShape(), "0001-01-01", "date = date(1, 1, 1)"),
    (
        TimeShape(),
        "09:30:00.5-00:30",
        "time = time(9, 30, 0, 500000, tzinfo=timezone(timedelta(minutes=-30)))",
    ),
    (
        TimedeltaShape(),
        "-P3DT0.5S",
        "timedelta = -timedelta(days=3, microseconds=500000)",
    ),
    (DecimalShape(), "1E-3", 'Decimal = Decimal("0.001")'),
    (TimeShape(), "00:00:00", "time = time(0)"),
    (TimedeltaShape(), "PT1.000001S", "timedelta = timedelta(seconds=1, microseconds=1)"),
    (
        UuidShape(),
        "12345678-1234-5678-1234-567812345678",
        'UUID = UUID("12345678-1234-5678-1234-567812345678")',
    ),
    (LiteralShape((1, True, "a")), True, 'Literal[1, True, "a"] = True'),
    (LIST, [], "list[int] = field(default_factory=list[int])"),
    (LIST, [1], "list[int] = field(default_factory=lambda: [1])"),
    (ArrayShape(named("Card")), [], 'list[Card] = field(default_factory=list["Card"])'),
    (
        ArrayShape(UnionShape((INT, named("Card")))),
        [],
        'list[int | Card] = field(default_factory=list[Union[int, "Card"]])',
    ),
    (ArrayShape(INT, "set"), [], "set[int] = field(default_factory=set[int])"),
    (ArrayShape(INT, "set"), [1], "set[int] = field(default_factory=lambda: {1})"),
    (ArrayShape(INT, "frozenset"), [], "frozenset[int] = frozenset()"),
    (ArrayShape(INT, "frozenset"), [1], "frozenset[int] = frozenset({1})"),
    (ArrayShape(INT, "tuple"), [1], "tuple[int, ...] = (1,)"),
    (
        ArrayShape(LIST, "tuple"),
        [[]],
        "tuple[list[int], ...] = field(default_factory=lambda: ([],))",
    ),
    (TupleShape((INT, STR)), [1, "a"], 'tuple[int, str] = (1, "a")'),
    (MapShape(STR, INT), {}, "dict[str, int] = field(default_factory=dict[str, int])"),
    (
        MapShape(IntShape(), STR),
        {"1": "a"},
        'dict[int, str] = field(default_factory=lambda: {1: "a"})',
    ),
    (
        MapShape(named("Color"), INT),
        {"red": 1},
        "dict[Color, int] = field(default_factory=lambda: {Color.RED: 1})",
    ),
    (NullableShape(INT), None, "int | None = None"),
    (NullableShape(INT), 1, "int | None = 1"),
    (UnionShape((DateShape(), STR)), "x", 'date | str = "x"'),
    (UnionShape((LIST, INT)), 1, "list[int] | int = 1"),
    (PAYMENT, {"kind": "card", "limit": 2}, 'Card | Cash = Card(kind="card", limit=2)'),
    (PAYMENT, {"kind": "card", "limit": 1}, 'Card | Cash = Card(kind="card")'),
    (
        PAYMENT,
        {"kind": "cash", "coins": []},
        'Card | Cash = field(default_factory=lambda: Cash(kind="cash"))',
    ),
    (named("Outer"), {"empty": {"a": 1}}, "Outer = Outer()"),
    (named("Outer"), {"empty": {"a": 2}}, "Outer = Outer(empty=Empty(a=2))"),
    (PAYMENT, {"kind": "cash"}, 'Card | Cash = field(default_factory=lambda: Cash(kind="cash"))'),
    (named("Empty"), {"a": 1}, "Empty = Empty()"),
    (named("Empty"), {"a": 1, "many": []}, "Empty = field(default_factory=lambda: Empty(many=[]))"),
    (named("Point"), [1], "Point = Point(1)"),
    (named("Color"), 1, "Color = Color.ONE"),
    (named("Color"), True, "Color = Color.YES"),
    (named("Ids"), [1, "a"], 'Ids = (1, "a")'),
]


@pytest.mark.parametrize(("type_", "json", "written"), DEFAULTS)
def test_defaults_are_values(type_: Shape, json: Any, written: str) -> None:
    known = (POINT, COLOR, CARD, CASH, ALIAS, EMPTY, OUTER)
    of = record("Of", field("it", type_, default=json))
    go = operation("go", named("Of"))
    source = python_client(package(of, *known, exports={"Of": named("Of")}, operations=[go]))
    assert f"    it: {written}\n" in source
    with module_of(source) as module:
        one, other = module.Of(), module.Of()
        assert one == other
        if "default_factory" in written:
            assert one.it is not other.it


MISFITS: list[tuple[Shape, Any]] = [
    (NullShape(), 1),
    (BoolShape(), 1),
    (INT, True),
    (INT, 1.5),
    (FloatShape(), "1"),
    (FloatShape(), 10**400),
    (STR, 1),
    (BytesShape(), "?"),
    (DecimalShape(), "1.x"),
    (DateShape(), "2026-1-1"),
    (TimedeltaShape(), "P1Y"),
    (UuidShape(), 1),
    (LiteralShape((1,)), True),
    (LIST, {}),
    (LIST, ["a"]),
    (TupleShape((INT,)), [1, 2]),
    (TupleShape((INT,)), ["a"]),
    (TupleShape((INT,)), 1),
    (MapShape(STR, INT), []),
    (MapShape(STR, INT), {"a": "b"}),
    (MapShape(DateShape(), INT), {"a": 1}),
    (UnionShape((INT, STR)), True),
    (PAYMENT, 1),
    (PAYMENT, {"kind": "gift"}),
    (named("Card"), {"kind": "card", "else": 1}),
    (named("Card"), {"kind": "cash"}),
    (named("Card"), {}),
    (named("Card"), 1),
    (named("Point"), []),
    (named("Point"), [1, 1.5, 1]),
    (named("Point"), ["a"]),
    (named("Point"), 1),
    (named("Color"), "blue"),
]


@pytest.mark.parametrize(("type_", "json"), MISFITS)
def test_a_default_that_is_no_value_of_its_type_is_left_to_the_server(
    type_: Shape, json: Any
) -> None:
    of = record("Of", field("it", type_, default=json))
    with client_of(package(of, POINT, COLOR, CARD, CASH, exports={"Of": named("Of")})) as module:
        assert module.Of().it is UNSET


def test_what_a_default_is_made_of_stands_before_it() -> None:
    of = package(
        record("A", field("z", named("Z"), default={"color": "red"})),
        record("Z", field("color", named("Zzz"), default="red")),
        enum("Zzz", ("RED", "red")),
        exports={"A": named("A")},
    )
    with client_of(of) as module:
        assert module.A().z.color is module.Zzz.RED


def test_defaults_that_need_each_other_are_made_later() -> None:
    """No server can say so, but a document can."""
    nothing: dict[str, Any] = {"other": None}
    endless: dict[str, Any] = {}
    of = package(
        record("A", field("other", NullableShape(named("B")), default=nothing)),
        record("B", field("other", NullableShape(named("A")), default=nothing)),
        record("C", field("other", NullableShape(named("D")), default=endless)),
        record("D", field("other", NullableShape(named("C")), default=endless)),
        exports={"A": named("A"), "C": named("C")},
    )
    with client_of(of) as module:
        assert module.A() == module.A(other=module.B(other=None))
        assert module.C().other is UNSET


def test_a_field_may_have_the_name_of_what_every_module_imports() -> None:
    of = package(
        record("Of", field("Unset", INT, required=False)),
        exports={"Of": named("Of")},
    )
    with client_of(of) as module:
        assert module.Of().Unset is UNSET
        assert module.schemas.Of.load(b'{"Unset": 1}') == module.Of(Unset=1)


def test_positions_keep_the_defaults_at_their_end() -> None:
    of = package(
        named_tuple(
            "P",
            field("a", INT, default=1),
            field("b", INT),
            field("c", LIST, default=[1], description="See"),
            field("d", INT, required=False),
            description="A point.",
        ),
        named_tuple("Q", field("a", INT), field("b", LIST, default=[1])),
        exports={"P": named("P"), "Q": named("Q")},
    )
    with client_of(of) as module:
        assert module.P(1, 2, [3], 4) == (1, 2, [3], 4)
        assert module.P._field_defaults == {}
        assert module.Q(1) == (1, [1])
        assert module.P.__doc__ == "A point."


# Names.


@pytest.mark.unwatched
def test_hostile_names_are_only_names() -> None:
    with client_of(HOSTILE) as module, module_of(python_validators(HOSTILE)) as validators:
        for of in (module, validators):
            for each in vars(of.schemas).values():
                for schema in (
                    [each.input, each.output]
                    if isinstance(each, contract.client.RouteSchemas)
                    else [each]
                ):
                    assert schema.pred.shape is not None
        assert inspect.cleandoc(module.Every.__doc__).startswith(
            'It ends """ the docstring \\""" and \\N{DASH} \\u0041 \\x'
        )
        assert "\u202e" not in module.Every.__doc__
        assert [member.value for member in module.Members] == [
            f"{TEXT}{number}" for number in range(len(module.Members))
        ]
        assert module.Ok is contract.client.Ok
        assert module.str is not str
        assert module.ApiClient._title == TEXT


def test_no_route_takes_a_name_from_the_clients() -> None:
    members = {
        name
        for base in (ApiClientBase, AsyncApiClientBase)
        for name in dir(base)
        if not name.startswith("_")
    }

    assert members <= {*CLIENT_MEMBERS}


def test_names_that_become_equal_are_told_apart() -> None:
    of = package(
        record(
            "a",
            field("x-y", INT),
            field("x_y", INT),
            field("x.y", INT),
            field("same", INT, wire="one"),
            field("same", INT, wire="two"),
        ),
        exports={"a": named("a"), "get_user": named("a")},
        operations=[
            operation("get_user"),
            operation("get-user"),
            operation("get.user"),
            operation("getUser"),
            operation("close"),
        ],
        failures=[],
    )
    with client_of(of) as module:
        assert [each.name for each in fields(module.a)] == [
            "x_y_2",
            "x_y",
            "x_y_3",
            "same",
            "same_2",
        ]
        made = module.schemas.a.load(b'{"x-y": 1, "x_y": 2, "x.y": 3, "one": 4, "two": 5}')
        assert (made.x_y, made.same, made.same_2) == (2, 4, 5)
        methods = [name for name in vars(module.ApiClient) if not name.startswith("_")]
        assert sorted(methods) == ["close_", "getUser", "get_user", "get_user_2", "get_user_3"]
        assert isinstance(module.schemas.get_user, contract.client.Schema)


def test_a_tag_has_one_name_in_all_records_of_a_union() -> None:
    one = record("One", field("tag-", INT), field("kind-of", LiteralShape((1,)), wire="@type"))
    two = record("Two", field("other", LiteralShape((2,)), wire="@type"))
    three = record("Three", field("third", LiteralShape((3,)), wire="@type"))
    of = package(
        one, two, three,
        exports={
            "A": TaggedUnionShape("@type", "@type", ((1, named("One")), (2, named("Two")))),
            "B": TaggedUnionShape("@type", "@type", ((3, named("Three")), (2, named("Two")))),
        },
    )  # fmt: skip
    with client_of(of) as module:
        assert module.schemas.A.load(b'{"@type": 2}') == module.Two(kind_of=2)
        assert module.schemas.B.load(b'{"@type": 3}') == module.Three(kind_of=3)


def test_two_tags_of_one_record_have_two_names() -> None:
    one = record(
        "One",
        field("kind", LiteralShape((1,)), wire="a"),
        field("kind", LiteralShape((1,)), wire="b"),
    )
    two = record("Two", field("kind", LiteralShape((2,)), wire="a"))
    three = record("Three", field("kind", LiteralShape((3,)), wire="b"))
    four = record("Four", field("sort", LiteralShape((4,)), wire="b"))
    five = record("Five", field("sort", LiteralShape((5,)), wire="b"))
    of = package(
        one, two, three, four, five,
        exports={
            "A": TaggedUnionShape("a", "a", ((1, named("One")), (2, named("Two")))),
            "B": TaggedUnionShape("b", "b", ((1, named("One")), (3, named("Three")))),
            "C": TaggedUnionShape("b", "b", ((4, named("Four")), (5, named("Five")))),
            "D": TaggedUnionShape("b", "b", ((5, named("Five")), (3, named("Three")))),
        },
    )  # fmt: skip
    with client_of(of) as module:
        assert module.schemas.A.load(b'{"a": 1, "b": 1}') == module.One(kind=1, kind_2=1)
        assert module.schemas.A.load(b'{"a": 2}') == module.Two(kind=2)
        assert module.schemas.B.load(b'{"b": 3}') == module.Three(kind_2=3)
        assert module.schemas.C.load(b'{"b": 4}') == module.Four(kind_2=4)
        assert module.schemas.D.load(b'{"b": 5}') == module.Five(kind_2=5)


def test_a_tag_has_one_name_in_records_of_failures_too() -> None:
    one = record("One", field("error_code", LiteralShape((1,))))
    two = record("Two", field("error_code", LiteralShape((2,))))
    of = package(
        one, two,
        exports={"A": TaggedUnionShape("error_code", "error_code", ((1, named("One")), (2, named("Two"))))},
        operations=[operation("a", failures=["ONE"])],
        failures=[FailureType(code="ONE", status=400, description="", data=named("One"), data_required=True)],
    )  # fmt: skip
    with client_of(of) as module:
        assert module.schemas.A.load(b'{"error_code": 2}') == module.Two(error_code_=2)


def test_long_signatures_are_broken_at_their_ends() -> None:
    codes = [f"FAILURE_NUMBER_{number}_OF_MANY" for number in range(5)]
    failures = [FailureType(code=code, status=409, description="No.") for code in codes]
    deep: Shape = STR
    for _ in range(12):
        deep = MapShape(STR, ArrayShape(deep))
    wide = UnionShape(
        tuple(ArrayShape(LiteralShape((f"literal {number}",)), "frozenset") for number in range(4))
    )
    of = package(
        record(
            "Long",
            field("deep", deep),
            field("also", wide),
            field("wide", UnionShape((INT, deep)), required=False),
        ),
        record(
            "Texts",
            field("middle", ArrayShape(STR, "tuple"), default=["m" * 90]),
            field("long", STR, default="l" * 130),
        ),
        alias("Any_of", UnionShape(tuple(named(f"Word{number}{'x' * 30}") for number in range(4)))),
        *(
            record(f"Word{number}{'x' * 30}", field("kind", LiteralShape((number,))))
            for number in range(4)
        ),
        exports={"Texts": named("Texts"), "Any": named("Any_of")},
        operations=[
            operation("nothing", failures=codes),
            operation("taking", named("Long"), wide, codes),
            operation("deep", deep, deep),
        ],
        failures=failures,
    )
    source = python_client(of)

    assert (
        "    def nothing(\n        self,\n    ) -> (\n        Ok[None]\n        | FailureNumber0OfMany\n"
        in source
    )
    assert (
        "        wide: Union[\n            int,\n            dict[\n                str,\n"
        in source
    )
    assert "        Unset,\n    ] = UNSET\n" in source
    assert "\nAny_of: TypeAlias = (\n    Word0" in source
    assert f'    long: str = "{"l" * 130}"\n' in source
    with module_of(source) as module:
        assert module.schemas.deep.input.load(b"{}") == {}
        assert module.Texts().middle == ("m" * 90,)


# Failures.


def test_failures_are_called_like_their_data() -> None:
    of = package(
        record("HTTPTrouble", field("days", INT, default=3)),
        record("Shared", field("a", INT)),
        operations=[
            operation("a", failures=["OTHER", "HTTP_TROUBLE", "SHARED", "NO_DATA"]),
            operation("b", named("Shared"), failures=["TWICE"]),
        ],
        failures=[
            FailureType(
                code="HTTP_TROUBLE", status=418, description="Trouble.", data=named("HTTPTrouble")
            ),
            FailureType(
                code="SHARED", status=409, description="", data=named("Shared"), data_required=True
            ),
            FailureType(
                code="TWICE",
                status=409,
                description="Twice",
                data=named("Shared"),
                data_required=True,
            ),
            FailureType(code="NO_DATA", status=409, description="None."),
            FailureType(code="OTHER", status=409, description="Other."),
            FailureType(code="UNUSED", status=409, description="Unused."),
        ],
    )
    with client_of(of) as module:
        assert {"HTTPTrouble", "NoData", "Other", "Shared", "Shared_2", "Twice"} <= {
            *module.__all__
        }
        assert (module.Twice.error_code, module.Twice.http_status) == ("TWICE", 409)
        assert module.HTTPTrouble() == module.HTTPTrouble(days=3)
        assert module.Shared_2(a=1).a == 1
        assert not hasattr(module, "Unused")


def test_codes_that_become_one_name_are_two_classes() -> None:
    alike = [FailureType(code=code, status=409, description=code) for code in ("A_B", "A__B")]
    with client_of(
        package(operations=[operation("a", failures=["A__B", "A_B"])], failures=alike)
    ) as module:
        assert (module.AB.error_code, module.AB_2.error_code) == ("A_B", "A__B")


# Methods.


class Recorder:
    """A transport that keeps what is sent, and answers null."""

    def __init__(self) -> None:
        self.sent: list[bytes] = []

    def send(self, request: HttpRequest, *, timeout: float, max_bytes: int) -> HttpResponse:
        self.sent.append(request.body)
        return HttpResponse(200, {"content-type": "application/json"}, b"null")

    def close(self) -> None:
        raise NotImplementedError


def test_methods_send_what_they_are_given() -> None:
    of = package(
        record(
            "In",
            field("self", INT),
            field("_self", INT, required=False),
            field("In", named("In"), required=False),
            field("list", LIST, default=[1]),
            field("class", STR, default="a"),
        ),
        record("None_"),
        CARD,
        CASH,
        alias("Also", named("In")),
        alias("Number", INT),
        alias("Round", named("Round")),
        operations=[
            operation("record", named("In")),
            operation("alias", named("Also")),
            operation("number", named("Number")),
            operation("one.of", PAYMENT),
            operation("empty", named("None_")),
            operation("nothing"),
        ],
    )
    with client_of(of) as module:
        recorder = Recorder()
        with module.ApiClient("http://localhost", transport=recorder) as api:
            inner = module.In(self=1)
            for call in (api.record, api.alias):
                assert call(self=1, In=inner) == module.Ok(None)
                assert call(self=1, _self=2, list=[], class_="b") == module.Ok(None)
            assert api.number(3) == module.Ok(None)
            assert api.one_of(module.Card(kind="card")) == module.Ok(None)
            assert api.empty() == module.Ok(None)
            assert api.nothing() == module.Ok(None)
    written = [
        b'{"self":1,"In":{"self":1,"list":[1],"class":"a"},"list":[1],"class":"a"}',
        b'{"self":1,"_self":2,"list":[],"class":"b"}',
    ]
    assert recorder.sent[:4] == written * 2
    assert recorder.sent[4:7] == [b"3", b'{"kind":"card","limit":1}', b"{}"]


def test_deprecated_routes_say_so_when_they_are_called() -> None:
    of = package(
        operations=[
            operation("old", deprecated=Deprecation("2026-01-01", "2027-01-01", "new.one")),
            operation("older", deprecated=Deprecation(use="gone")),
            operation("new.one"),
        ]
    )
    with client_of(of) as module:
        api = module.ApiClient("http://localhost", transport=Recorder())
        with pytest.warns(
            DeprecationWarning,
            match=r"^old is deprecated since 2026-01-01; it will be removed on 2027-01-01; use new_one$",
        ):
            api.old()
        with pytest.warns(DeprecationWarning, match="^older is deprecated$"):
            api.older()


def test_docs_say_what_the_contract_says() -> None:
    of = package(
        record(
            "In",
            field("a", INT, description="A number.", deprecated=True, examples=(1, [2])),
            field("b", INT),
            deprecated=True,
            description="The input.",
        ),
        operations=[
            operation(
                "go",
                named("In"),
                failures=["GONE"],
                summary="Go!",
                description="Go far.\n\nAnd back.",
                effect="destructive",
                auth="bearer",
            ),
        ],
        failures=[FailureType(code="GONE", status=410, description="It is gone.\nFor good.")],
    )
    with client_of(of) as module:
        assert inspect.getdoc(module.ApiClient.go) == inspect.getdoc(module.AsyncApiClient.go)
        assert inspect.getdoc(module.ApiClient.go) == (
            "Go!\n\nGo far.\n\nAnd back.\n\n"
            "Needs a client with ``token``. Destroys something, and is never tried again by itself.\n\n"
            "Args:\n    a: A number.\n\nFailures:\n    Gone: It is gone.\n        For good."
        )
        assert inspect.getdoc(module.In) == "The input.\n\nDeprecated."
    assert (
        '    a: int\n    """\n    A number. For example ``1``.\n\n    Deprecated.\n    """\n'
        in python_client(of)
    )


def test_methods_say_what_they_ask_of_a_caller() -> None:
    asked: dict[str, dict[str, Any]] = {
        "free": {"auth": "none"},
        "home": {"auth": "optional"},
        "refund": {"auth": "bearer", "requires": ("a*/b", "{c}'")},
    }
    of = package(operations=[operation(name, **given) for name, given in asked.items()])
    with client_of(of) as module:
        docs = {name: inspect.getdoc(getattr(module.ApiClient, name)) or "" for name in asked}

    assert "token" not in docs["free"]
    assert "May be called without a credential; a client with ``token`` sends it." in docs["home"]
    assert (
        "\n\nNeeds a client with ``token``, and the scopes ``a*/b``, ``{c}'``. Only"
        in docs["refund"]
    )
