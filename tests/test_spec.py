"""Specs: what `spec` puts together, and every rule that it checks while loading."""

# mypy: disable-error-code="empty-body"
# the resolvers below are read and never called

from __future__ import annotations

from dataclasses import FrozenInstanceError, dataclass, field, replace
from enum import Enum
from functools import partial
from typing import Annotated, Any, Literal, NamedTuple

import pytest
from annotated_types import Ge, Len, Predicate

from contract.declare.failures import BUILTINS, Failure, NotFound
from contract.declare.hook import Request
from contract.declare.meta import Meta
from contract.declare.route import PublicRoute, Route, route, routes
from contract.declare.route_options import Deprecated, McpTool
from contract.declare.spec import AnySpec, Exports, Spec, exports, spec
from contract.shape.exceptions import DeclarationError, SpecError
from contract.shape.markers import UNSET, Example, Unset
from contract.shape.nodes import ArrayShape, IntShape, MapShape, RecordShape, RefShape, Shape

public = route(summary="x", tags=["x"], auth="none")
bearer = route(summary="x", tags=["x"])


class SoldOut(Failure, status=409):
    restock_days: int


class User:
    pass


class Colour(Enum):
    RED = "red"


@dataclass
class Order:
    product_id: str
    colour: Colour | None = Colour.RED
    quantity: Annotated[int, Ge(1), Example(2)] = 1
    note: str | Unset = UNSET
    parts: list[Order] = field(default_factory=list)


@public
def order(input: Order, ctx: None) -> int | SoldOut | NotFound: ...


@public
async def ping(input: None, ctx: None) -> None: ...


@bearer
def me(input: None, ctx: User) -> str | SoldOut: ...


optional = route(summary="x", tags=["x"], auth="optional")


@optional
def home(input: None, ctx: User | None) -> str: ...


def authenticate(token: str, request: Request) -> User | None: ...


async def authenticate_later(token: str, request: Request) -> User | None: ...


def test_a_spec_holds_its_routes_in_order_by_name() -> None:
    api = spec(routes=routes(ping, order))

    assert list(api.entries) == ["ping", "order"]
    assert api.entries["order"].route is order
    assert api.authenticator is None
    assert (api.meta, api.exports, api.rename) == (Meta(), {}, None)
    assert repr(api) == "<spec 'Contract API' 0.0.0: 2 routes>"


def test_a_mapping_names_its_routes_and_name_does_too() -> None:
    @route(summary="x", tags=["x"], auth="none", name="orders.make")
    def make(input: None, ctx: None) -> None: ...

    assert list(spec(routes={"makeOrder": make, "Ping": ping}).entries) == ["makeOrder", "Ping"]
    assert list(spec(routes=[make]).entries) == ["orders.make"]
    assert list(spec(routes=(ping,)).entries) == ["ping"]


def test_one_route_may_have_two_names() -> None:
    assert list(spec(routes={"a": ping, "b": ping}).entries) == ["a", "b"]


def test_bearer_routes_go_with_a_hook() -> None:
    plain = spec(authenticate=authenticate, routes=routes(order, me))
    inline = spec(authenticate=authenticate, authenticate_inline=True, routes=routes(order, me))
    later = spec(authenticate=authenticate_later, routes=routes(order, me))

    for api, function, is_async, is_inline in (
        (plain, authenticate, False, False),
        (inline, authenticate, False, True),
        (later, authenticate_later, True, False),
    ):
        made = api.authenticator
        assert made is not None
        assert (made.function, made.is_async, made.inline) == (function, is_async, is_inline)
        assert api.entries["order"].authenticator is None
        assert api.entries["me"].authenticator is made


def test_builtins_are_known_without_being_declared() -> None:
    api = spec(routes=[ping])

    assert tuple(api.builtins) == BUILTINS
    assert all(isinstance(definition.shape, RecordShape) for definition in api.builtins.values())


def test_one_type_has_one_definition() -> None:
    @public
    def other(input: list[Order], ctx: None) -> Order: ...

    api = spec(routes=routes(order, other), exports=exports(Order=Order))
    first, second = api.entries["order"].input, api.entries["other"].output

    assert first == second == api.exports["Order"]
    assert api.builtins[NotFound] is api.entries["order"].failures[NotFound]


def test_exports_are_read_as_shapes() -> None:
    assert spec(routes=[], exports=exports(Ids=list[int], Prices=dict[str, int])).exports == {
        "Ids": ArrayShape(IntShape()),
        "Prices": MapShape(spec(routes=[], exports=exports(S=str)).exports["S"], IntShape()),
    }


def wire_names(shape: Shape | None) -> list[str]:
    assert isinstance(shape, RefShape)
    record = shape.definition.shape
    assert isinstance(record, RecordShape)
    return [each.wire for each in record.fields]


def test_rename_is_for_every_dataclass_and_no_builtin() -> None:
    class SoldOutAgain(Failure):
        restock_days: int

    @public
    def again(input: Order, ctx: None) -> int | SoldOutAgain: ...

    api = spec(routes=[again], rename="camel")
    entry = api.entries["again"]
    last = [wire_names(RefShape(each))[-1] for each in api.builtins.values()]

    assert wire_names(entry.input) == ["productId", "colour", "quantity", "note", "parts"]
    assert wire_names(RefShape(entry.failures[SoldOutAgain])) == ["restockDays"]
    assert last == ["description", "description", "retry_after", "retry_after"]
    assert wire_names(spec(routes=[order]).entries["order"].input)[0] == "product_id"


def test_types_that_are_local_to_a_function_are_found_wherever_they_stand_in_it() -> None:
    @public
    def late(input: Later, ctx: None) -> int | Late: ...

    @dataclass
    class Later:
        inner: list[Inner]

    @dataclass
    class Inner:
        value: int

    class Late(Failure):
        later: Later

    assert list(spec(routes=[late]).entries["late"].failures) == [Late]


def make_local_route() -> PublicRoute[Any, Any]:
    @dataclass
    class Local:
        value: int

    @public
    def local(input: Local, ctx: None) -> list[Local]: ...

    return local


def test_types_that_were_local_where_the_route_was_made_are_found_elsewhere() -> None:
    class Local:
        """Another one, which is not meant."""

    entry = spec(routes=[make_local_route()]).entries["local"]

    assert Local.__doc__ is not None
    assert wire_names(entry.input) == ["value"]


@route(summary="x", tags=["x"], auth="none", deprecated=Deprecated(use="older"))
def older(input: None, ctx: None) -> None: ...


@public
def _hidden(input: None, ctx: None) -> None: ...


@dataclass
class BadDefault:
    quantity: Annotated[int, Ge(1)] = 0


@dataclass
class BadNested:
    sizes: tuple[int, ...] = (1, 2, "3")  # type: ignore[assignment]


@dataclass
class BadExample:
    quantity: Annotated[int, Example("one")]


@dataclass
class BadMade:
    tags: Annotated[list[str], Len(1, 9)] = field(default_factory=list)


@dataclass
class Page:
    size: int = 20


@dataclass
class BadRecord:
    page: Annotated[Page, Predicate(lambda page: page.size > 20)] = field(default_factory=Page)


@dataclass
class Filled:
    """Its defaults are made by code, or filled in by it, so only a call can tell what they are."""

    page: Annotated[Page, Predicate(lambda page: page.size > 20)] = field(
        default_factory=lambda: Page(0)
    )
    tags: Annotated[list[str], Len(1, 9)] = field(default_factory=list, init=False)

    def __post_init__(self) -> None:
        self.tags.append("a")


class BadTuple(NamedTuple):
    quantity: Annotated[int, Ge(1)] = 0


@dataclass
class Holder:
    inner: list[BadDefault]


class BadFailure(Failure):
    days: Annotated[int, Ge(0)] = -1


@public
def bad_default(input: Holder, ctx: None) -> None: ...


@public
def bad_nested(input: None, ctx: None) -> BadNested: ...


@public
def bad_example(input: BadExample, ctx: None) -> BadExample: ...


@public
def bad_failure(input: None, ctx: None) -> int | BadFailure: ...


@public
def bad_tuple(input: BadTuple, ctx: None) -> None: ...


@dataclass
class BadNulls:
    notes: list[str] = None  # type: ignore[assignment]


@public
def bad_nulls(input: BadNulls, ctx: None) -> None: ...


def lying(token: str, request: Request) -> Any: ...


lambda_route: Any = public(lambda input, ctx: None)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({}, r"spec\(routes=\): None holds no routes; write routes\(order, ping\)"),
        ({"routes": "ping"}, r"spec\(routes=\): 'ping' holds no routes"),
        ({"routes": {ping}}, r"spec\(routes=\): {<public route .*>} holds no routes"),
        ({"routes": iter([ping])}, r"spec\(routes=\): list_iterator.* holds no routes"),
        ({"routes": {"a": None}}, r"spec\(routes=\)\['a'\]: None is not a route; "),
        ({"routes": {"a b": ping}}, r"spec\(routes=\)\['a b'\]: 'a b' is not a valid route name"),
        ({"routes": {3: ping}}, r"spec\(routes=\)\[3\]: 3 is not a valid route name"),
        (
            {"routes": [_hidden]},
            r"spec\(routes=\)\[0\] \(.*_hidden, .*test_spec.py:\d+\): '_hidden' is not a valid route name",
        ),
        ({"routes": [lambda_route]}, ".*'<lambda>' is not a valid route"),
        ({"routes": [home]}, r"home: it takes a token; give spec\(authenticate=...\)"),
        ({"routes": [bad_nulls]}, r".*BadNulls.notes: .*; write notes: ... \| None = None \("),
        (
            {"routes": [older]},
            r"older: Deprecated\(use='older'\) names no other route of this spec",
        ),
        (
            {"routes": [], "authenticate": authenticate, "authenticate_inline": "yes"},
            r"spec\(authenticate_inline=\): it says where authenticate= runs; write",
        ),
        ({"routes": [], "exports": Order}, r"spec\(exports=\): .* is not a mapping from names"),
        ({"routes": [], "exports": exports(C=complex)}, r"spec\(exports=\)\['C'\]: complex is not"),
        ({"routes": [bad_default]}, "bad_default: BadDefault.quantity: the default is not one of"),
        ({"routes": [bad_nested]}, r"bad_nested: BadNested.sizes: the default at \[2\] is not one"),
        ({"routes": [bad_example]}, "bad_example: BadExample.quantity: the example is not one of"),
        ({"routes": [bad_failure]}, "bad_failure: BadFailure.days: the default is not one of"),
        ({"routes": [bad_tuple]}, "bad_tuple: BadTuple.quantity: the default is not one of"),
        (
            {"routes": [], "exports": exports(X=BadMade)},
            r"spec\(exports=\)\['X'\]: BadMade.tags: .*: expected at least 1 items",
        ),
        (
            {"routes": [], "exports": exports(X=BadRecord)},
            r"spec\(exports=\)\['X'\]: BadRecord.page: .*: does not fulfil its predicate",
        ),
    ],
)
def test_what_does_not_fit_is_refused_with_the_route_and_the_place(
    options: dict[str, Any], message: str
) -> None:
    """These are the variants; docs/declaration-errors.md has a program for each message."""
    with pytest.raises(DeclarationError, match=f"^{message}"):
        spec(**options)


def test_a_default_that_code_makes_is_left_to_the_call() -> None:
    """It may be a clock or a connection, and is made for one call alone."""
    assert isinstance(spec(routes=[], exports=exports(X=Filled)).exports["X"], RefShape)


def test_exports_are_kept_as_they_were_given() -> None:
    assert exports(Order=Order, Kind=Literal["a"]) == Exports(
        {"Order": Order, "Kind": Literal["a"]}
    )
    assert exports() == Exports({})
    assert list(
        spec(routes=[], exports=exports(Kind=Literal["a"], Short=Annotated[str, Len(1)])).exports
    ) == ["Kind", "Short"]


def test_every_spec_is_of_the_class_that_any_is_of() -> None:
    api = spec(routes=[ping])

    assert isinstance(api, Spec)
    assert isinstance(api, AnySpec)
    assert replace(api, meta=Meta(title="Shop")).meta.title == "Shop"
    with pytest.raises(FrozenInstanceError):
        api.meta = Meta()  # type: ignore[misc]


def test_a_route_is_named_by_what_its_function_is_called() -> None:
    def getter(of: str) -> Any:
        def get(input: None, ctx: None) -> str: ...

        get.__name__ = f"get_{of}"
        return public(get)

    class Handler:
        def __init__(self, name: str) -> None:
            self.__name__ = name

        def __call__(self, input: None, ctx: None) -> str: ...

    made: list[Route[Any, Any, Any]] = [
        getter("order"),
        getter("parcel"),
        public(Handler("find")),
        public(partial(Handler("look"))),
    ]

    assert list(spec(routes=made).entries) == ["get_order", "get_parcel", "find", "look"]
    assert [each.__name__ for each in made] == ["get_order", "get_parcel", "find", "look"]


def test_a_spec_knows_what_its_contexts_are() -> None:
    made = spec(routes=[me], authenticate=authenticate).authenticator

    assert made is not None
    assert made.contexts == (User,)


def test_routes_that_take_any_context_need_a_token_all_the_same() -> None:
    """A type checker cannot tell these from public routes."""

    @bearer
    def anybody(input: None, ctx: object) -> None: ...

    with pytest.raises(SpecError, match="anybody: it needs a token"):
        spec(routes=[anybody])


def test_a_replacement_may_be_any_other_route() -> None:
    @route(summary="x", tags=["x"], auth="none", deprecated=Deprecated(use="ping"))
    def pong(input: None, ctx: None) -> None: ...

    assert isinstance(spec(routes=[pong, ping]), Spec)


@route(summary="x", tags=["x"], auth="none", mcp=True)
def find(input: None, ctx: None) -> None: ...


@route(summary="x", tags=["x"], auth="none", mcp=McpTool(name="find"), scope="private")
def search(input: None, ctx: None) -> None: ...


def test_tools_have_names_of_their_own() -> None:
    api = spec(routes={"users.find": find, "users.search": search, "ping": ping})

    assert {name: entry.tool and entry.tool.name for name, entry in api.entries.items()} == {
        "users.find": "users_find",
        "users.search": "find",
        "ping": None,
    }


def test_one_route_is_not_two_tools_of_one_name() -> None:
    with pytest.raises(
        SpecError, match=r"^users.find and users_find: both are the MCP tool 'users_find'"
    ):
        spec(routes={"users.find": find, "users_find": find})


def test_an_annotation_that_only_a_hook_cannot_resolve_is_no_reason_to_refuse() -> None:
    made = spec(authenticate=lying, routes=routes(me)).authenticator

    assert made is not None
    assert not made.is_async


def test_a_dataclass_with_a_post_init_is_not_constructed() -> None:
    @dataclass
    class Counted:
        value: int = 1

        def __post_init__(self) -> None:
            raise AssertionError("constructed while loading")

    @public
    def counted(input: Counted, ctx: None) -> None: ...

    assert list(spec(routes=[counted]).entries) == ["counted"]
