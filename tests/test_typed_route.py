"""Entries: what is read from the annotations of a resolver, and what is refused."""

# mypy: disable-error-code="empty-body"
# the resolvers below are read and never called

from __future__ import annotations

import functools
import typing
from collections.abc import Coroutine, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, Literal, NewType, TypeVar, Union

import pytest
from annotated_types import Predicate
from typing_extensions import TypeAliasType

from contract.declare.authenticator import Authenticator
from contract.declare.failures import BUILTINS, Builtin, Failure, NotFound, define_errors
from contract.declare.route import Route, route
from contract.declare.tool import Tool
from contract.declare.typed_route import Entry, read_entry
from contract.shape import exceptions, nodes
from contract.shape.exceptions import DeclarationError, RouteDeclarationError, SpecError
from contract.shape.reader import ShapeReader, shape_of
from tests.samples import Page
from tests.tables import rows

if TYPE_CHECKING:
    from elsewhere import Ghost  # type: ignore[import-not-found]

T = TypeVar("T")


class SoldOut(Failure, status=409):
    restock_days: int


class Blocked(Failure): ...


class Odd(Failure):
    what: complex


class Again(Failure, code="SOLD_OUT"): ...


@dataclass
class Order:
    product: str


class User: ...


class Admin(User): ...


def entry(
    resolver: Any,
    *,
    hook: Authenticator | None = None,
    names: Mapping[str, object] | None = None,
    **options: Any,
) -> Entry:
    """The entry of a resolver, public unless there is a hook."""
    made: Any = route(
        **{"summary": "x", "tags": ["x"], "auth": "none" if hook is None else "bearer", **options}
    )(resolver)
    return read_entry(made, "order", ShapeReader(), hook, names or {})


def test_the_input_is_a_shape_and_the_return_value_is_an_output_and_failures() -> None:
    def order(input: list[int], ctx: None) -> str | SoldOut | NotFound: ...

    found = entry(order)

    assert found.input == nodes.ArrayShape(nodes.IntShape())
    assert found.output == nodes.StrShape()
    assert list(found.failures) == [SoldOut, NotFound]
    assert found.failures[SoldOut].name == "SoldOut"
    assert found.where.endswith(f"order, {__file__}:{order.__code__.co_firstlineno}")


def test_a_route_without_input_has_none() -> None:
    def order(input: None, ctx: None) -> None: ...

    found = entry(order)

    assert found.input is None
    assert found.output == nodes.NullShape()
    assert found.failures == {}


def test_null_and_failures_give_an_output_of_null() -> None:
    def order(input: None, ctx: None) -> NotFound | None: ...

    assert entry(order).output == nodes.NullShape()


def test_the_rest_of_the_union_is_the_output() -> None:
    def order(input: None, ctx: None) -> int | str | SoldOut | None: ...

    assert entry(order).output == shape_of(int | str | None)


Result = Union[T, SoldOut]  # noqa: UP007  with a variable
Named = TypeAliasType("Named", "str | Blocked")
Generic1 = TypeAliasType("Generic1", T | SoldOut, type_params=(T,))  # type: ignore[valid-type, unused-ignore]
Generic2 = TypeAliasType("Generic2", list[T] | SoldOut, type_params=(T,))  # type: ignore[valid-type, unused-ignore]
Ghosts = TypeAliasType("Ghosts", "User | Ghost")
Plain = TypeAliasType("Plain", "list[Order]")


def test_failures_are_found_through_aliases_and_annotated() -> None:
    def by_alias(input: None, ctx: None) -> Result[str] | Builtin: ...
    def by_name(input: None, ctx: None) -> Named: ...
    def by_generic(input: None, ctx: None) -> Generic1[list[Order]]: ...
    def by_items(input: None, ctx: None) -> Generic2[int] | Blocked: ...
    def annotated(input: None, ctx: None) -> Annotated[str | SoldOut, "said"]: ...

    assert list(entry(by_alias).failures) == [SoldOut, *BUILTINS]
    assert (entry(by_name).output, list(entry(by_name).failures)) == (nodes.StrShape(), [Blocked])
    assert isinstance(entry(by_generic).output, nodes.ArrayShape)
    assert entry(by_items).output == nodes.ArrayShape(nodes.IntShape())
    assert list(entry(by_items).failures) == [SoldOut, Blocked]
    assert list(entry(annotated).failures) == [SoldOut]


def test_an_output_without_failures_is_read_as_it_was_written() -> None:
    def order(input: Plain, ctx: None) -> Plain: ...

    output: Any = entry(order).output

    assert (type(output), output.item.definition.name) == (nodes.ArrayShape, "Order")


def test_local_types_are_found_by_the_names_that_are_given() -> None:
    @dataclass
    class Local:
        later: Later

    def order(input: Local, ctx: None) -> Page[Later] | Bad: ...

    @dataclass
    class Later:
        value: int

    class Bad(Failure):
        later: Later

    found: Any = entry(order, names={"Local": Local, "Later": Later, "Bad": Bad})

    assert list(found.failures) == [Bad]
    assert found.input.definition.name == "Local"


def test_a_partial_is_read_without_what_is_bound() -> None:
    def order(db: User, input: int, ctx: None, *, clock: object) -> str: ...

    found = entry(functools.partial(order, User(), clock=None))

    assert (found.input, found.output) == (nodes.IntShape(), nodes.StrShape())


def unresolved_return(input: None, ctx: None) -> Ghost | SoldOut: ...
def unsupported_return(input: None, ctx: None) -> complex | SoldOut: ...
def failure_input(input: SoldOut, ctx: None) -> str: ...
def failure_inside(input: None, ctx: None) -> list[SoldOut]: ...
def any_failure(input: None, ctx: None) -> str | Failure: ...
def one_code(input: None, ctx: None) -> str | SoldOut | Again: ...
def coroutine(input: None, ctx: None) -> Coroutine[Any, Any, str] | None: ...


class Decorated(Failure):
    value: int


dataclass(frozen=True)(Decorated)


def decorated(input: None, ctx: None) -> str | Decorated: ...


@rows(
    "resolver, message",
    (unresolved_return, r"order.return: 'Ghost \| SoldOut' cannot be resolved"),
    (unsupported_return, "order.return: complex is not a type"),
    (failure_input, "order.input: SoldOut is a failure"),
    (failure_inside, r"order.return\[\]: SoldOut is a failure"),
    (any_failure, "order.return: Failure itself has no code"),
    (one_code, "order.return: .*SoldOut and .*Again have the same code SOLD_OUT"),
    (coroutine, "order.return: .*Coroutine.* is an awaitable"),
    (decorated, "order.return: Decorated: a failure is a frozen dataclass already"),
)
def test_wrong_annotations_are_refused_with_route_and_place(resolver: Any, message: str) -> None:
    place = rf"\({__name__}.{resolver.__name__}, .*test_typed_route.py:{resolver.__code__.co_firstlineno}\)"
    with pytest.raises(DeclarationError, match=rf"^{message}.* {place}$"):
        entry(resolver)


def test_errors_are_those_of_the_annotation() -> None:
    def order(input: None, ctx: None) -> str | SoldOut | NotFound: ...

    assert list(entry(order, errors=define_errors(SoldOut)).failures) == [SoldOut, NotFound]


def test_errors_of_a_wrapper_may_be_more_than_those_of_the_annotation() -> None:
    def order(input: None, ctx: None) -> str | SoldOut | NotFound: ...

    @functools.wraps(order)
    def wrapper(*args: Any) -> Any: ...

    for resolver in (wrapper, functools.partial(wrapper), functools.cache(order)):
        found = entry(resolver, errors=define_errors(Blocked, SoldOut)).failures
        assert list(found) == [SoldOut, NotFound, Blocked]
        assert list(entry(resolver, errors=define_errors(SoldOut)).failures) == [SoldOut, NotFound]
        problem = "errors=: the return annotation declares SoldOut, and errors= does not name it"
        with pytest.raises(RouteDeclarationError, match=f"order {problem}"):
            entry(resolver, errors=define_errors(Blocked))
    problem = r"^order errors= Odd.what: complex is not a type"
    with pytest.raises(exceptions.UnsupportedAnnotation, match=problem):
        entry(wrapper, errors=define_errors(SoldOut, Odd))


class Named1(typing.Protocol):
    name: str


class Claims(typing.TypedDict):
    sub: str


UserId = NewType("UserId", int)


def takes(context: str) -> Any:
    """A resolver with a context of this type."""

    def order(input: None, ctx: Any) -> None: ...

    order.__annotations__["ctx"] = context
    return order


def takes_untyped(input: None, ctx) -> None: ...  # type: ignore[no-untyped-def]


@rows(
    "context, gives",
    *(("User", gives) for gives in ((User,), (Admin,), (Any,), (Literal[1],), ())),
    *((each, (User,)) for each in ("object", "Any", "User | None", "Named1", "Ghost", "Ghosts")),
    ("Admin", None),
    ("User | int", (User, int)),
    *(("Claims", (each,)) for each in (Claims, User)),
    ("dict[str, Any]", (dict[str, int],)),
    ("float", (int,)),
    *(("UserId", (each,)) for each in (UserId, int)),
)
def test_a_context_may_be_more_than_a_resolver_takes(context: str, gives: Any) -> None:
    hook = Authenticator(print, gives=gives)

    assert entry(takes(context), hook=hook).route.auth == "bearer"


def test_a_context_without_a_type_may_be_any() -> None:
    hook = Authenticator(print, gives=(User,))

    assert entry(takes_untyped, hook=hook).route.auth == "bearer"


@rows(
    "context, gives",
    ("Admin", (User,)),
    *(("User", gives) for gives in ((int,), (User, int))),
    ("None", (User,)),
    ("dict[str, Any]", (list[int],)),
)
def test_a_context_has_to_be_what_authenticate_gives(context: str, gives: Any) -> None:
    with pytest.raises(SpecError, match=r"order.ctx: it takes .*, and authenticate gives "):
        entry(takes(context), hook=Authenticator(print, gives=gives))


def swapped(ctx: User, input: int) -> None: ...


def swapped_unsupported(context: complex, input: None) -> None: ...


def named_otherwise(first: complex, second: None) -> None: ...


@rows("resolver, told", (swapped, True), (swapped_unsupported, True), (named_otherwise, False))
def test_parameters_in_the_wrong_order_are_told_about(resolver: Any, *, told: bool) -> None:
    with pytest.raises(DeclarationError) as refused:
        entry(resolver, hook=Authenticator(print, gives=(User,)))

    assert ("; the input comes first: (input, ctx) (" in str(refused.value)) is told


@rows("context", "None", "object", "Any", "User | None", "Ghost", None)
def test_a_public_route_has_no_context_whatever_a_hook_gives(context: str | None) -> None:
    resolver = takes_untyped if context is None else takes(context)

    assert (
        entry(resolver, hook=Authenticator(print, gives=(Admin,)), auth="none").route.auth == "none"
    )


def test_an_entry_is_compared_by_identity() -> None:
    first, second = (entry(takes("None")) for _ in range(2))

    assert first != second
    assert isinstance(first.route, Route)


class Filter(typing.TypedDict, total=False):
    text: str


Filters = TypeAliasType("Filters", "dict[str, list[Filters]]")


def test_a_route_that_is_a_tool_says_how_it_looks() -> None:
    def order(input: Order, ctx: None) -> None: ...

    tool = entry(order, mcp=True, summary="Order a product").tool

    assert tool == Tool("order", "Order a product", False, False, False, False)
    assert entry(order).tool is None


def test_a_tool_takes_an_object_or_nothing() -> None:
    def nothing(input: None, ctx: None) -> None: ...
    def typed_dict(input: Filter, ctx: None) -> None: ...
    def mapping(input: Mapping[str, int], ctx: None) -> None: ...
    def alias(input: Filters, ctx: None) -> None: ...
    def refined(input: Annotated[Order, Predicate(bool)], ctx: None) -> None: ...

    for resolver in (nothing, typed_dict, mapping, alias, refined):
        assert entry(resolver, mcp=True).tool is not None


@dataclass
class Card:
    kind: Literal["card"]


@dataclass
class Cash:
    kind: Literal["cash"]


@rows(
    "annotation, shown",
    ("int", "int"), ("list[Order]", r"list\[.*Order\]"), ("Order | None", r".*Order \| None"),
    ("Card | Cash", r".*Card \| .*Cash"), ("Any", "Any"),
)  # fmt: skip
def test_another_input_is_refused_where_a_tool_is_asked_for(annotation: str, shown: str) -> None:
    def order(input: Any, ctx: None) -> None: ...

    order.__annotations__["input"] = annotation

    assert entry(order).tool is None
    problem = rf"the arguments of an MCP tool are one object, and {shown} is not always one; make it a field of a dataclass, or leave out mcp="
    place = r"\(.*test_typed_route.py:\d+\)"
    with pytest.raises(RouteDeclarationError, match=rf"^order\.input: {problem} {place}$"):
        entry(order, mcp=True)
