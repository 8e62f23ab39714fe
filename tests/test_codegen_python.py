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
from contract import UNSET, client
from contract.codegen.package import Package, package_of
from contract.codegen.python import python_client, python_validators
from contract.codegen.python.naming import CLIENT_MEMBERS
from contract.document.model import Deprecation
from contract.shape import nodes
from contract.shape.bounds import Bounds
from contract.shape.graph import recursive_aliases
from tests.hostile_package import HOSTILE, TEXT
from tests.paper import alias, enum, failure, field, named, named_tuple, operation, package, record
from tests.python_clients import differences, document_of, module_of
from tests.samples import ANNOTATIONS
from tests.tables import rows


@contextmanager
def client_of(of: Package) -> Iterator[Any]:
    with module_of(python_client(of)) as module:
        yield module


INT, STR = nodes.IntShape(), nodes.StrShape()
LIST = nodes.ArrayShape(INT)


# How it reads.

ID = field("id", nodes.StrShape(1, 40, ("^[a-z]+$",)))
SMALL = package(
    record("Order", ID, field("tags", LIST, default=[])),
    enum("Color", ("RED", "red")),
    operations=[operation("orders.add", named("Order"), named("Color"), ["SOLD_OUT"])],
    failures=[failure("SOLD_OUT")],
    exports={"Order": named("Order")},
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


def test_a_package_of_nothing_is_a_module_too() -> None:
    with module_of(python_validators(package())) as module:
        assert module.__all__ == ["schemas"]
    with client_of(package()) as module:
        assert vars(module.schemas) == {}
        assert module.ApiClient.__doc__ == "A client of Tests."


# Types.


def test_every_type_comes_back_as_it_was() -> None:
    """Keys that are no names do, too."""
    odd = TypedDict("odd", {"not-a-name": int, "class": str, "__init__": bool})
    document = document_of(odd, *ANNOTATIONS.values())
    with client_of(package_of(document)) as module:
        assert differences(document, module) == []
        made = module.schemas.Given0.load(b'{"not-a-name": 1, "class": "a", "__init__": true}')
        assert made.not_a_name == 1


@rows(
    "one, other, found",
    (int, Annotated[int, Ge(1)], "minimum: "),
    (list[int], Annotated[list[int], MinLen(1)], "only ours has minItems: 1"),
    (Annotated[list[int], MinLen(1)], list[int], "only theirs has minItems: 1"),
    (Literal["a", "b"], Literal["a", "b", "c"], "enum: "),
)
def test_a_difference_would_be_found(one: Any, other: Any, found: str) -> None:
    with client_of(package_of(document_of(other))) as module:
        assert any(found in each for each in differences(document_of(one), module))


CET = timezone(timedelta(hours=1))
CENT = Decimal("0.01")
FORMS: list[tuple[nodes.Shape, str]] = [
    (nodes.DecimalShape(Bounds(ge=CENT, multiple_of=CENT)), 'Annotated[Decimal, Ge(Decimal("0.01")), MultipleOf(Decimal("0.01"))]'),
    (nodes.DatetimeShape(offset=timedelta(0)), 'Annotated[datetime, Timezone("UTC")]'),
    (nodes.DatetimeShape(offset=timedelta(minutes=-330)), "Annotated[datetime, Timezone(timezone(timedelta(minutes=-330)))]"),
    (nodes.DatetimeShape(), "datetime"),
    (
        nodes.DatetimeShape(Bounds(gt=datetime(2026, 1, 2, 3, 4, 5, 600_000, tzinfo=CET))),
        "Annotated[datetime, Gt(datetime(2026, 1, 2, 3, 4, 5, 600000, tzinfo=timezone(timedelta(hours=1))))]",
    ),
    (nodes.TimeShape(aware=False), "Annotated[time, Timezone(None)]"),
    (nodes.TimeShape(Bounds(lt=time(9, 30, tzinfo=UTC)), aware=True), "Annotated[time, Lt(time(9, 30, tzinfo=UTC)), Timezone(...)]"),
    (nodes.TimeShape(), "time"),
    (
        nodes.TimedeltaShape(Bounds(ge=-timedelta(1, 4.5, hours=2, minutes=3), le=timedelta(0))),
        """Annotated[
        timedelta,
        Ge(-timedelta(days=1, hours=2, minutes=3, seconds=4, microseconds=500000)),
        Le(timedelta(0)),
    ]""",
    ),
    (nodes.UuidShape(), "UUID"),
    (nodes.StrShape(2), "Annotated[str, MinLen(2)]"),
    (nodes.StrShape(0, 2), "Annotated[str, MaxLen(2)]"),
    (nodes.TupleShape(()), "tuple[()]"),
    (nodes.NullableShape(nodes.NullableShape(INT)), "int | None"),
    (nodes.UnionShape((nodes.NullableShape(INT), STR)), "int | str | None"),
    (nodes.NullableShape(nodes.NullShape()), "None"),
    (nodes.MapShape(nodes.IntShape(1), STR, 1, 2), "Annotated[dict[Annotated[int, Ge(1)], str], Len(1, 2)]"),
]  # fmt: skip


@pytest.mark.parametrize(("type_", "written"), FORMS)
def test_types_are_written_with_all_that_limits_them(type_: nodes.Shape, written: str) -> None:
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
    needs = {"A": "BC", "B": "D", "C": "D", "D": "D", "E": "FG", "F": "", "G": ""}

    def lists_of(inner: str) -> nodes.Shape:
        return nodes.UnionShape(tuple(nodes.ArrayShape(named(each)) for each in inner))

    of = package(*(alias(name, lists_of(inner)) for name, inner in needs.items()))

    assert {each.name for each in recursive_aliases(of.definitions.values())} == {"D"}


def test_recursive_aliases_stand_in_text() -> None:
    shape = nodes.UnionShape((nodes.ArrayShape(named("Tree")), named("Leaf"), INT))
    longs = {f"Long{number}{'x' * 30}": number for number in range(3)}
    odd = nodes.LiteralShape(("it's", '"'))
    either = nodes.UnionShape((nodes.MapShape(STR, named("Other")), odd, *map(named, longs)))
    of = package(
        alias("Tree", shape, description="A tree."),
        record("Leaf", field("of", nodes.NullableShape(named("Tree")))),
        alias("Other", nodes.NullableShape(either)),
        alias("Plain", nodes.ArrayShape(named("Tree")), deprecated=True),
        *(record(name, field("kind", nodes.LiteralShape((kind,)))) for name, kind in longs.items()),
        exports={"Tree": named("Tree"), "Plain": named("Plain")},
        operations=[operation("go", named("Other"))],
    )
    source = python_client(of)

    assert 'Tree = TypeAliasType("Tree", "list[Tree] | Leaf | int")\n"""A tree."""\n' in source
    part = "_OtherPart: TypeAlias = Literal[\"it's\", '\"']\n"
    other = 'Other = TypeAliasType(\n    "Other",\n    """Union[\n        dict[str, Other],\n'
    assert part + other in source
    assert 'Plain: TypeAlias = list[Tree]\n"""Deprecated."""\n' in source
    with module_of(source) as module:
        assert module.schemas.Tree.load(b'[1, [2, {"of": null}]]') == [1, [2, module.Leaf(of=None)]]
        assert module.schemas.Plain.load(b"[[1]]") == [[1]]
        with pytest.raises(client.InvalidInput):
            module.schemas.Tree.load(b'["1"]')


@rows(
    "members, base",
    ((("LOW", 1), ("HIGH", 2)), IntEnum),
    ((("LOW", 1), ("real", 2)), Enum),  # as every int has it
    ((("LOW", 1), ("YES", True)), Enum),
    ((("LOW", 1), ("HIGH", "2")), Enum),
    ((("LOW", "1"),), Enum),
)
def test_an_enum_of_integers_is_an_int_enum(
    members: tuple[tuple[str, Any], ...], base: type[Enum]
) -> None:
    of = package(enum("Level", *members), exports={"Levels": nodes.ArrayShape(named("Level"))})
    with client_of(of) as module:
        assert module.Level.__mro__[1] is base
        found = {name: each.value for name, each in module.Level.__members__.items()}
        assert found == dict(members)
        sent = dumps([members[0][1]]).encode()
        [low] = module.schemas.Levels.load(sent)
        assert low is module.Level.LOW
        assert module.schemas.Levels.dump([low]) == sent


def test_an_exported_type_has_the_name_of_its_export_as_well() -> None:
    exports = {"Filter": "In", "FilterInput": "InInput", "Sort": "Kind", "Numbers": "Ids"}
    exports |= dict.fromkeys(("In", "date", "class", "schemas"), "In")
    exports |= {"Decimal": "In", "Other": "Decimal"}  # which is another type
    of = package(
        record("In", field("page", INT)),
        record("InInput", field("page", INT, required=False, default=1)),
        record("Decimal"),
        enum("Kind", ("A", "a")),
        alias("Ids", nodes.ArrayShape(INT)),
        exports={name: named(of) for name, of in exports.items()},
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
    three = nodes.TupleShape((named("Pairs"), named("Loose"), named("Loop")))
    pair = nodes.TupleShape((named("Behind"), named("Plain")))
    of = package(
        record("Loose", field("names", nodes.ArrayShape(STR))),
        record("Behind", field("pairs", three)),
        record("Loop", field("next", nodes.NullableShape(named("Loop")), required=False)),
        alias("Pairs", nodes.TupleShape((nodes.MapShape(STR, INT), named("Color")))),
        enum("Color", ("RED", 1)),
        named_tuple("Point", field("x", INT)),
        record("Plain", field("point", named("Point")), field("color", named("Color"))),
        exports={"Set": nodes.ArrayShape(pair, "frozenset")},
    )
    source = python_client(of)
    with module_of(source) as module:
        data = b'[[{"pairs": [[{"a": 1}, 1], {"names": []}, {}]}, {"point": [1], "color": 1}]]'
        assert len(module.schemas.Set.load(data)) == 1
    assert source.count("eq=False") == 2
    assert "@dataclass(frozen=True, slots=True, kw_only=True, eq=False)\nclass Loose:" in source


# Defaults.

POINT = named_tuple("Point", field("x", INT), field("y", nodes.FloatShape(), default=0.5))
COLOR = enum("Color", ("RED", "red"), ("ONE", 1), ("YES", True))
CARD = record("Card", field("kind", nodes.LiteralShape(("card",))), field("limit", INT, default=1))
CASH = record(
    "Cash", field("kind", nodes.LiteralShape(("cash",))), field("coins", LIST, default=[])
)
OUTER = record("Outer", field("empty", named("Empty"), default={"a": 1}))
ALIAS = alias("Ids", nodes.TupleShape((INT, STR)))
EMPTY = record("Empty", field("a", INT, default=1), field("many", LIST, required=False))
PAYMENT = nodes.TaggedUnionShape("kind", "kind", (("card", named("Card")), ("cash", named("Cash"))))


SOME_ID = "12345678-1234-5678-1234-567812345678"
OFFSET = "timezone(timedelta({}))"


def made(type_: str, value: str) -> str:
    """How a value that each record has for itself is written."""
    return f"{type_} = field(default_factory=lambda: {value})"


DEFAULTS: list[tuple[nodes.Shape, Any, str]] = [
    (nodes.AnyShape(), {"a": [1, None, "x"]}, made("Any", '{"a": [1, None, "x"]}')),
    (nodes.AnyShape(), {}, "Any = field(default_factory=dict[str, Any])"),
    (nodes.AnyShape(), [], "Any = field(default_factory=list[Any])"),
    (nodes.AnyShape(), 1.5, "Any = 1.5"),
    (nodes.NullShape(), None, "None = None"),
    (nodes.BoolShape(), True, "bool = True"),
    (INT, 1.0, "int = 1"),
    (nodes.FloatShape(), 1, "float = 1.0"),
    (STR, 'it\'s "1" \\ \n\u202e\x07\U0001f600\U000e0001', "str = 'it\\'s \"1\" \\\\ \\n\\u202e\\x07\U0001f600\\U000e0001'"),
    (nodes.BytesShape(), "AP8n", 'bytes = b"\\x00\\xff\'"'),
    (nodes.BytesShape(), "Iic=", 'bytes = b"\\"\'"'),
    (nodes.BytesShape(), "Jw==", 'bytes = b"\'"'),
    (nodes.DecimalShape(), "1.50", 'Decimal = Decimal("1.50")'),
    (nodes.DatetimeShape(), "2026-01-01T00:00:00Z", "datetime = datetime(2026, 1, 1, tzinfo=UTC)"),
    (
        nodes.DatetimeShape(),
        "2026-01-02T03:04:05.6+01:00",
        f"datetime = datetime(2026, 1, 2, 3, 4, 5, 600000, tzinfo={OFFSET.format('hours=1')})",
    ),
    (nodes.DateShape(), "0001-01-01", "date = date(1, 1, 1)"),
    (nodes.TimeShape(), "09:30:00.5-00:30", f"time = time(9, 30, 0, 500000, tzinfo={OFFSET.format('minutes=-30')})"),
    (nodes.TimedeltaShape(), "-P3DT0.5S", "timedelta = -timedelta(days=3, microseconds=500000)"),
    (nodes.DecimalShape(), "1E-3", 'Decimal = Decimal("0.001")'),
    (nodes.TimeShape(), "00:00:00", "time = time(0)"),
    (nodes.TimedeltaShape(), "PT1.000001S", "timedelta = timedelta(seconds=1, microseconds=1)"),
    (nodes.UuidShape(), SOME_ID, f'UUID = UUID("{SOME_ID}")'),
    (nodes.LiteralShape((1, True, "a")), True, 'Literal[1, True, "a"] = True'),
    (LIST, [], "list[int] = field(default_factory=list[int])"),
    (LIST, [1], made("list[int]", "[1]")),
    (nodes.ArrayShape(named("Card")), [], 'list[Card] = field(default_factory=list["Card"])'),
    (nodes.ArrayShape(nodes.UnionShape((INT, named("Card")))), [], 'list[int | Card] = field(default_factory=list[Union[int, "Card"]])'),
    (nodes.ArrayShape(INT, "set"), [], "set[int] = field(default_factory=set[int])"),
    (nodes.ArrayShape(INT, "set"), [1], made("set[int]", "{1}")),
    (nodes.ArrayShape(INT, "frozenset"), [], "frozenset[int] = frozenset()"),
    (nodes.ArrayShape(INT, "frozenset"), [1], "frozenset[int] = frozenset({1})"),
    (nodes.ArrayShape(INT, "tuple"), [1], "tuple[int, ...] = (1,)"),
    (nodes.ArrayShape(LIST, "tuple"), [[]], made("tuple[list[int], ...]", "([],)")),
    (nodes.TupleShape((INT, STR)), [1, "a"], 'tuple[int, str] = (1, "a")'),
    (nodes.MapShape(STR, INT), {}, "dict[str, int] = field(default_factory=dict[str, int])"),
    (nodes.MapShape(nodes.IntShape(), STR), {"1": "a"}, made("dict[int, str]", '{1: "a"}')),
    (nodes.MapShape(nodes.LiteralShape((1, 2)), INT), {"1": 3}, made("dict[Literal[1, 2], int]", "{1: 3}")),
    (nodes.MapShape(named("Color"), INT), {"red": 1}, made("dict[Color, int]", "{Color.RED: 1}")),
    (nodes.NullableShape(INT), None, "int | None = None"),
    (nodes.NullableShape(INT), 1, "int | None = 1"),
    (nodes.UnionShape((nodes.DateShape(), STR)), "x", 'date | str = "x"'),
    (nodes.UnionShape((LIST, INT)), 1, "list[int] | int = 1"),
    (PAYMENT, {"kind": "card", "limit": 2}, 'Card | Cash = Card(kind="card", limit=2)'),
    (PAYMENT, {"kind": "card", "limit": 1}, 'Card | Cash = Card(kind="card")'),
    (PAYMENT, {"kind": "cash", "coins": []}, made("Card | Cash", 'Cash(kind="cash")')),
    (named("Outer"), {"empty": {"a": 1}}, "Outer = Outer()"),
    (named("Outer"), {"empty": {"a": 2}}, "Outer = Outer(empty=Empty(a=2))"),
    (PAYMENT, {"kind": "cash"}, made("Card | Cash", 'Cash(kind="cash")')),
    (named("Empty"), {"a": 1}, "Empty = Empty()"),
    (named("Empty"), {"a": 1, "many": []}, made("Empty", "Empty(many=[])")),
    (named("Point"), [1], "Point = Point(1)"),
    (named("Color"), 1, "Color = Color.ONE"),
    (named("Color"), True, "Color = Color.YES"),
    (named("Ids"), [1, "a"], 'Ids = (1, "a")'),
]  # fmt: skip


@pytest.mark.parametrize(("type_", "json", "written"), DEFAULTS)
def test_defaults_are_values(type_: nodes.Shape, json: Any, written: str) -> None:
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


MISFITS: dict[nodes.Shape, list[Any]] = {
    nodes.NullShape(): [1],
    nodes.BoolShape(): [1],
    INT: [True, 1.5],
    nodes.FloatShape(): ["1", 10**400],
    STR: [1],
    nodes.BytesShape(): ["?"],
    nodes.DecimalShape(): ["1.x"],
    nodes.DateShape(): ["2026-1-1"],
    nodes.TimedeltaShape(): ["P1Y"],
    nodes.UuidShape(): [1],
    nodes.LiteralShape((1,)): [True],
    LIST: [{}, ["a"]],
    nodes.TupleShape((INT,)): [[1, 2], ["a"], 1],
    nodes.MapShape(STR, INT): [[], {"a": "b"}],
    nodes.MapShape(nodes.DateShape(), INT): [{"a": 1}],
    nodes.MapShape(nodes.IntShape(), INT): [{"a": 1}, {"01": 1}],
    nodes.UnionShape((INT, STR)): [True],
    PAYMENT: [1, {"kind": "gift"}],
    named("Card"): [{"kind": "card", "else": 1}, {"kind": "cash"}, {}, 1],
    named("Point"): [[], [1, 1.5, 1], ["a"], 1],
    named("Color"): ["blue"],
}


@rows("type_, json", *((type_, each) for type_, json in MISFITS.items() for each in json))
def test_a_default_that_is_no_value_of_its_type_is_left_to_the_server(
    type_: nodes.Shape, json: Any
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
        record("A", field("other", nodes.NullableShape(named("B")), default=nothing)),
        record("B", field("other", nodes.NullableShape(named("A")), default=nothing)),
        record("C", field("other", nodes.NullableShape(named("D")), default=endless)),
        record("D", field("other", nodes.NullableShape(named("C")), default=endless)),
        exports={"A": named("A"), "C": named("C")},
    )
    with client_of(of) as module:
        assert module.A() == module.A(other=module.B(other=None))
        assert module.C().other is UNSET


def test_a_field_may_have_the_name_of_what_every_module_imports() -> None:
    of = record("Of", field("Unset", INT, required=False))
    with client_of(package(of, exports={"Of": named("Of")})) as module:
        assert module.Of().Unset is UNSET
        assert module.schemas.Of.load(b'{"Unset": 1}') == module.Of(Unset=1)


def test_a_route_may_have_the_long_name_of_a_type() -> None:
    name = "x" * 70
    of = package(
        record(name, field("value", INT)), operations=[operation(name, named(name), named(name))]
    )
    assert f"\n_{name} = (\n    {name}\n)\n" in python_client(of)
    with client_of(of) as module:
        assert getattr(module, f"_{name}") is getattr(module, name)


def test_positions_keep_the_defaults_at_their_end() -> None:
    third = field("c", LIST, default=[1], description="See")
    fields = (field("a", INT, default=1), field("b", INT), third)
    of = package(
        named_tuple("P", *fields, field("d", INT, required=False), description="A point."),
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
        for each in (*vars(module.schemas).values(), *vars(validators.schemas).values()):
            is_route = isinstance(each, contract.client.RouteSchemas)
            for schema in (each.input, each.output) if is_route else (each,):
                assert schema.pred.shape is not None
        doc = 'It ends """ the docstring \\""" and \\N{DASH} \\u0041 \\x'
        assert inspect.cleandoc(module.Every.__doc__).startswith(doc)
        assert "\u202e" not in module.Every.__doc__
        members = [member.value for member in module.Members]
        assert members == [f"{TEXT}{number}" for number in range(len(members))]
        assert module.Ok is contract.client.Ok
        assert module.str is not str
        assert module.ApiClient._title == TEXT


def test_no_route_takes_a_name_from_the_clients() -> None:
    members = {*dir(client.ApiClientBase), *dir(client.AsyncApiClientBase)}

    assert {name for name in members if not name.startswith("_")} <= {*CLIENT_MEMBERS}


def test_names_that_become_equal_are_told_apart() -> None:
    equal = (field(name, INT) for name in ("x-y", "x_y", "x.y"))
    of = package(
        record("a", *equal, *(field("same", INT, wire=wire) for wire in ("one", "two"))),
        exports={"a": named("a"), "get_user": named("a")},
        operations=map(operation, ("get_user", "get-user", "get.user", "getUser", "close")),
    )
    with client_of(of) as module:
        assert " ".join(each.name for each in fields(module.a)) == "x_y_2 x_y x_y_3 same same_2"
        made = module.schemas.a.load(b'{"x-y": 1, "x_y": 2, "x.y": 3, "one": 4, "two": 5}')
        assert (made.x_y, made.same, made.same_2) == (2, 4, 5)
        methods = [name for name in vars(module.ApiClient) if not name.startswith("_")]
        assert sorted(methods) == ["close_", "getUser", "get_user", "get_user_2", "get_user_3"]
        assert isinstance(module.schemas.get_user, contract.client.Schema)


def tagged(tag: str, **cases: int) -> nodes.TaggedUnionShape:
    """A union of records, each with the number by which it is known."""
    told = tuple((number, named(name)) for name, number in cases.items())
    return nodes.TaggedUnionShape(tag, tag, told)


def numbered(name: str, number: int, **tags: str) -> nodes.Definition:
    """A record whose fields all have *number*, by their names on the wire."""
    fields = (field(named, nodes.LiteralShape((number,)), wire=tag) for tag, named in tags.items())
    return record(name, *fields)


def test_a_tag_has_one_name_in_all_records_of_a_union() -> None:
    of = package(
        record("One", field("tag-", INT), field("kind-of", nodes.LiteralShape((1,)), wire="@type")),
        numbered("Two", 2, **{"@type": "other"}),
        numbered("Three", 3, **{"@type": "third"}),
        exports={"A": tagged("@type", One=1, Two=2), "B": tagged("@type", Three=3, Two=2)},
    )
    with client_of(of) as module:
        assert module.schemas.A.load(b'{"@type": 2}') == module.Two(kind_of=2)
        assert module.schemas.B.load(b'{"@type": 3}') == module.Three(kind_of=3)


def test_two_tags_of_one_record_have_two_names() -> None:
    of = package(
        numbered("One", 1, a="kind", b="kind"),
        numbered("Two", 2, a="kind"),
        numbered("Three", 3, b="kind"),
        numbered("Four", 4, b="sort"),
        numbered("Five", 5, b="sort"),
        exports={
            "A": tagged("a", One=1, Two=2),
            "B": tagged("b", One=1, Three=3),
            "C": tagged("b", Four=4, Five=5),
            "D": tagged("b", Five=5, Three=3),
        },
    )
    with client_of(of) as module:
        assert module.schemas.A.load(b'{"a": 1, "b": 1}') == module.One(kind=1, kind_2=1)
        assert module.schemas.A.load(b'{"a": 2}') == module.Two(kind=2)
        assert module.schemas.B.load(b'{"b": 3}') == module.Three(kind_2=3)
        assert module.schemas.C.load(b'{"b": 4}') == module.Four(kind_2=4)
        assert module.schemas.D.load(b'{"b": 5}') == module.Five(kind_2=5)


def test_a_tag_has_one_name_in_records_of_failures_too() -> None:
    of = package(
        numbered("One", 1, error_code="error_code"),
        numbered("Two", 2, error_code="error_code"),
        exports={"A": tagged("error_code", One=1, Two=2)},
        operations=[operation("a", failures=["ONE"])],
        failures=[failure("ONE", 400, data="One")],
    )
    with client_of(of) as module:
        assert module.schemas.A.load(b'{"error_code": 2}') == module.Two(error_code_=2)


def test_long_signatures_are_broken_at_their_ends() -> None:
    codes = [f"FAILURE_NUMBER_{number}_OF_MANY" for number in range(5)]
    deep: nodes.Shape = STR
    for _ in range(12):
        deep = nodes.MapShape(STR, nodes.ArrayShape(deep))
    literals = (nodes.LiteralShape((f"literal {number}",)) for number in range(4))
    wide = nodes.UnionShape(tuple(nodes.ArrayShape(each, "frozenset") for each in literals))
    words = {f"Word{number}{'x' * 30}": number for number in range(4)}
    calls = [operation("nothing", failures=codes), operation("deep", deep, deep)]
    calls.append(operation("taking", named("Long"), wide, codes))
    middle = field("middle", nodes.ArrayShape(STR, "tuple"), default=["m" * 90])
    either = field("wide", nodes.UnionShape((INT, deep)), required=False)
    of = package(
        record("Long", field("deep", deep), field("also", wide), either),
        record("Texts", middle, field("long", STR, default="l" * 130)),
        alias("Any_of", nodes.UnionShape(tuple(map(named, words)))),
        *(record(name, field("kind", nodes.LiteralShape((kind,)))) for name, kind in words.items()),
        exports={"Texts": named("Texts"), "Any": named("Any_of")},
        operations=calls,
        failures=map(failure, codes),
    )
    source = python_client(of)

    nothing = "    def nothing(\n        self,\n    ) -> (\n        Ok[None]\n        | FailureNumber0OfMany\n"
    assert nothing in source
    broken = "        wide: Union[\n            int,\n            dict[\n                str,\n"
    assert broken in source
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
            failure("HTTP_TROUBLE", 418, "Trouble.", "HTTPTrouble", required=False),
            failure("SHARED", data="Shared"),
            failure("TWICE", description="Twice", data="Shared"),
            *(failure(code, description=code) for code in ("NO_DATA", "OTHER", "UNUSED")),
        ],
    )
    names = {"HTTPTrouble", "NoData", "Other", "Shared", "Shared_2", "Twice"}
    with client_of(of) as module:
        assert names <= {*module.__all__}
        assert (module.Twice.error_code, module.Twice.http_status) == ("TWICE", 409)
        assert module.HTTPTrouble() == module.HTTPTrouble(days=3)
        assert module.Shared_2(a=1).a == 1
        assert not hasattr(module, "Unused")


def test_codes_that_become_one_name_are_two_classes() -> None:
    codes = ["A_B", "A__B"]
    calls = [operation("a", failures=codes)]
    with client_of(package(operations=calls, failures=map(failure, codes))) as module:
        assert (module.AB.error_code, module.AB_2.error_code) == ("A_B", "A__B")


# Methods.


class Recorder:
    """A transport that keeps what is sent, and answers null."""

    def __init__(self) -> None:
        self.sent: list[bytes] = []

    def send(
        self, request: client.HttpRequest, *, timeout: float, max_bytes: int
    ) -> client.HttpResponse:
        self.sent.append(request.body)
        return client.HttpResponse(200, {"content-type": "application/json"}, b"null")

    def close(self) -> None:
        raise NotImplementedError


def test_methods_send_what_they_are_given() -> None:
    inputs = {"record": "In", "alias": "Also", "number": "Number", "empty": "None_"}
    calls = [operation(name, named(of)) for name, of in inputs.items()]
    optional = (("_self", INT), ("In", named("In")))
    fields = (field("self", INT), *(field(*each, required=False) for each in optional))
    of = package(
        record("In", *fields, field("list", LIST, default=[1]), field("class", STR, default="a")),
        *(record("None_"), CARD, CASH, alias("Number", INT)),
        *(alias(name, named(of)) for name, of in (("Also", "In"), ("Round", "Round"))),
        operations=[*calls, operation("one.of", PAYMENT), operation("nothing")],
    )
    recorder = Recorder()
    with client_of(of) as module, module.ApiClient("http://localhost", transport=recorder) as api:
        results = []
        for call in (api.record, api.alias):
            results.append(call(self=1, In=module.In(self=1)))
            results.append(call(self=1, _self=2, list=[], class_="b"))
        results += [api.number(3), api.one_of(module.Card(kind="card")), api.empty(), api.nothing()]
        assert results == [module.Ok(None)] * 8
    within = b'{"self":1,"In":{"self":1,"list":[1],"class":"a"},"list":[1],"class":"a"}'
    assert recorder.sent[:4] == [within, b'{"self":1,"_self":2,"list":[],"class":"b"}'] * 2
    assert recorder.sent[4:7] == [b"3", b'{"kind":"card","limit":1}', b"{}"]


def test_deprecated_routes_say_so_when_they_are_called() -> None:
    operations = [
        operation("old", deprecated=Deprecation("2026-01-01", "2027-01-01", "new.one")),
        operation("older", deprecated=Deprecation(use="gone")),
        operation("new.one"),
    ]
    with client_of(package(operations=operations)) as module:
        api = module.ApiClient("http://localhost", transport=Recorder())
        told = "old is deprecated since 2026-01-01; it will be removed on 2027-01-01; use new_one"
        with pytest.deprecated_call(match=f"^{told}$"):
            api.old()
        with pytest.deprecated_call(match="^older is deprecated$"):
            api.older()


def test_docs_say_what_the_contract_says() -> None:
    note: dict[str, Any] = {"description": "A number.", "deprecated": True, "examples": (1, [2])}
    told: dict[str, Any] = {"summary": "Go!", "description": "Go far.\n\nAnd back."}
    go = operation(
        "go", named("In"), failures=["GONE"], effect="destructive", auth="bearer", **told
    )
    fields = (field("a", INT, **note), field("b", INT))
    of = package(
        record("In", *fields, deprecated=True, description="The input."),
        operations=[go],
        failures=[failure("GONE", 410, "It is gone.\nFor good.")],
    )
    source = python_client(of)
    with module_of(source) as module:
        assert inspect.getdoc(module.ApiClient.go) == inspect.getdoc(module.AsyncApiClient.go)
        assert inspect.getdoc(module.ApiClient.go) == (
            "Go!\n\nGo far.\n\nAnd back.\n\n"
            "Needs a client with ``token``. Destroys something, and is never tried again by itself.\n\n"
            "Args:\n    a: A number.\n\nFailures:\n    Gone: It is gone.\n        For good."
        )
        assert inspect.getdoc(module.In) == "The input.\n\nDeprecated."
    a = '    a: int\n    """\n    A number. For example ``1``.\n\n    Deprecated.\n    """\n'
    assert a in source


def test_methods_say_what_they_ask_of_a_caller() -> None:
    operations = [operation("free", auth="none"), operation("home", auth="optional")]
    operations.append(operation("refund", auth="bearer", requires=("a*/b", "{c}'")))
    with client_of(package(operations=operations)) as module:
        free, home, refund = (
            inspect.getdoc(getattr(module.ApiClient, name)) or ""
            for name in ("free", "home", "refund")
        )

    assert "token" not in free
    assert "May be called without a credential; a client with ``token`` sends it." in home
    scopes = "\n\nNeeds a client with ``token``, and the scopes ``a*/b``, ``{c}'``. Only"
    assert scopes in refund
