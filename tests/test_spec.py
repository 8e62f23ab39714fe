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
from contract.shape.nodes import RecordShape, RefShape, Shape
from contract.shape.reader import shape_of
from tests.tables import rows

public = route(summary="x", tags=["x"], auth="none")
bearer = route(summary="x", tags=["x"])


class SoldOut(Failure, status=409):
    restock_days: int


class User: ...


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
    assert list(spec(routes={"a": ping, "b": ping}).entries) == ["a", "b"]
    assert list(spec(routes=[make]).entries) == ["orders.make"]
    assert list(spec(routes=(ping,)).entries) == ["ping"]


def test_bearer_routes_go_with_a_hook() -> None:
    for function, is_async, is_inline in (
        (authenticate, False, False),
        (authenticate, False, True),
        (authenticate_later, True, False),
    ):
        given: Any = {"authenticate": function, "authenticate_inline": is_inline}
        api = spec(**given, routes=routes(order, me))
        made = api.authenticator
        assert made is not None
        assert (made.function, made.is_async, made.inline) == (function, is_async, is_inline)
        assert api.entries["order"].authenticator is None
        assert api.entries["me"].authenticator is made


def test_builtins_are_known_without_being_declared() -> None:
    builtins = spec(routes=[ping]).builtins

    assert tuple(builtins) == BUILTINS
    assert all(isinstance(definition.shape, RecordShape) for definition in builtins.values())


def test_one_type_has_one_definition() -> None:
    @public
    def other(input: list[Order], ctx: None) -> Order: ...

    api = spec(routes=routes(order, other), exports=exports(Order=Order))
    first, second = api.entries["order"].input, api.entries["other"].output

    assert first == second == api.exports["Order"]
    assert api.builtins[NotFound] is api.entries["order"].failures[NotFound]


def test_exports_are_read_as_shapes() -> None:
    api = spec(routes=[], exports=exports(Ids=list[int], Prices=dict[str, int]))

    assert api.exports == {"Ids": shape_of(list[int]), "Prices": shape_of(dict[str, int])}


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


LargePage = Annotated[Page, Predicate(lambda page: page.size > 20)]


@dataclass
class BadRecord:
    page: LargePage = field(default_factory=Page)


@dataclass
class Filled:
    """Its defaults are made by code, or filled in by it, so only a call can tell what they are."""

    page: LargePage = field(default_factory=lambda: Page(0))
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


@dataclass
class BadNulls:
    notes: list[str] = None  # type: ignore[assignment]


def bad(input: Any = None, output: Any = None) -> dict[str, Any]:
    """The options of a spec with one route of this input and output."""

    def bad(input: Any, ctx: None) -> None: ...

    bad.__annotations__ = {"input": input, "ctx": None, "return": output}
    return {"routes": [public(bad)]}


def exported(cls: type) -> dict[str, Any]:
    return {"routes": [], "exports": exports(X=cls)}


INLINE = {"routes": [], "authenticate": authenticate, "authenticate_inline": "yes"}


def lying(token: str, request: Request) -> Any: ...


lambda_route: Any = public(lambda input, ctx: None)


@rows(
    "options, message",
    ({}, r"spec\(routes=\): None holds no routes; write routes\(order, ping\)"),
    ({"routes": "ping"}, r"spec\(routes=\): 'ping' holds no routes"),
    ({"routes": {ping}}, r"spec\(routes=\): {<public route .*>} holds no routes"),
    ({"routes": iter([ping])}, r"spec\(routes=\): list_iterator.* holds no routes"),
    ({"routes": {"a": None}}, r"spec\(routes=\)\['a'\]: None is not a route; "),
    ({"routes": {"a b": ping}}, r"spec\(routes=\)\['a b'\]: 'a b' is not a valid route name"),
    ({"routes": {3: ping}}, r"spec\(routes=\)\[3\]: 3 is not a valid route name"),
    ({"routes": [_hidden]}, r".*\[0\] \(.*_hidden, .*test_spec.py:\d+\): '_hidden' is not a valid"),
    ({"routes": [lambda_route]}, ".*'<lambda>' is not a valid route"),
    ({"routes": [home]}, r"home: it takes a token; give spec\(authenticate=...\)"),
    (bad(BadNulls), r".*BadNulls.notes: .*; write notes: ... \| None = None \("),
    ({"routes": [older]}, r"older: Deprecated\(use='older'\) names no other route of this spec"),
    (INLINE, r"spec\(authenticate_inline=\): it says where authenticate= runs; write"),
    ({"routes": [], "exports": Order}, r"spec\(exports=\): .* is not a mapping from names"),
    ({"routes": [], "exports": exports(C=complex)}, r"spec\(exports=\)\['C'\]: complex is not"),
    (bad(Holder), "bad: BadDefault.quantity: the default is not one of"),
    (bad(output=BadNested), r"bad: BadNested.sizes: the default at \[2\] is not one"),
    (bad(BadExample, BadExample), "bad: BadExample.quantity: the example is not one of"),
    (bad(output=int | BadFailure), "bad: BadFailure.days: the default is not one of"),
    (bad(BadTuple), "bad: BadTuple.quantity: the default is not one of"),
    (exported(BadMade), r"spec\(exports=\)\['X'\]: BadMade.tags: .*: expected at least 1 items"),
    (exported(BadRecord), r".*\['X'\]: BadRecord.page: .*: does not fulfil its predicate"),
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
    assert exports(Order=Order, Tag=Literal["a"]) == Exports({"Order": Order, "Tag": Literal["a"]})
    assert exports() == Exports({})
    given = exports(Kind=Literal["a"], Short=Annotated[str, Len(1)])
    assert list(spec(routes=[], exports=given).exports) == ["Kind", "Short"]


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

    handlers = [public(Handler("find")), public(partial(Handler("look")))]
    made: list[Route[Any, Any, Any]] = [getter("order"), getter("parcel"), *handlers]
    names = ["get_order", "get_parcel", "find", "look"]

    assert list(spec(routes=made).entries) == [each.__name__ for each in made] == names


def test_a_spec_knows_what_its_contexts_are() -> None:
    made: Any = spec(routes=[me], authenticate=authenticate).authenticator

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

    tools = [entry.tool and entry.tool.name for entry in api.entries.values()]
    assert tools == ["users_find", "find", None]
    both = r"^users.find and users_find: both are the MCP tool 'users_find'"
    with pytest.raises(SpecError, match=both):
        spec(routes={"users.find": find, "users_find": find})


def test_an_annotation_that_only_a_hook_cannot_resolve_is_no_reason_to_refuse() -> None:
    made: Any = spec(authenticate=lying, routes=routes(me)).authenticator

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
