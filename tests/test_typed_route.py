"""Entries: what is read from the annotations of a resolver, and what is refused."""

# mypy: disable-error-code="empty-body"
# the resolvers below are read and never called

from __future__ import annotations

import functools
from collections.abc import Callable, Coroutine, Mapping
from dataclasses import dataclass
from typing import (
    TYPE_CHECKING,
    Annotated,
    Any,
    Generic,
    Literal,
    NewType,
    Protocol,
    TypedDict,
    TypeVar,
    Union,
)

import pytest
from annotated_types import Predicate
from typing_extensions import TypeAliasType

from contract.declare.authenticator import Authenticator
from contract.declare.failures import (
    Builtin,
    Failure,
    Forbidden,
    NotFound,
    ServiceUnavailable,
    TooManyRequests,
    define_errors,
)
from contract.declare.route import Route, route
from contract.declare.tool import Tool
from contract.declare.typed_route import Entry, read_entry
from contract.shape.exceptions import (
    DeclarationError,
    RouteDeclarationError,
    SpecError,
    UnsupportedAnnotation,
)
from contract.shape.nodes import (
    ArrayShape,
    IntShape,
    NullableShape,
    NullShape,
    RefShape,
    StrShape,
    UnionShape,
)
from contract.shape.reader import ShapeReader

if TYPE_CHECKING:
    from elsewhere import Ghost  # type: ignore[import-not-found]

T = TypeVar("T")


class SoldOut(Failure, status=409):
    restock_days: int


class Blocked(Failure):
    pass


class Odd(Failure):
    what: complex


class Again(Failure, code="SOLD_OUT"):
    pass


@dataclass
class Order:
    product: str


class User:
    pass


class Admin(User):
    pass


@dataclass
class Page(Generic[T]):
    items: list[T]


def entry(
    resolver: Callable[..., Any],
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

    assert found.input == ArrayShape(IntShape())
    assert found.output == StrShape()
    assert list(found.failures) == [SoldOut, NotFound]
    assert found.failures[SoldOut].name == "SoldOut"
    assert found.where.endswith(f"order, {__file__}:{order.__code__.co_firstlineno}")


def test_a_route_without_input_has_none() -> None:
    def order(input: None, ctx: None) -> None: ...

    found = entry(order)

    assert found.input is None
    assert found.output == NullShape()
    assert found.failures == {}


def test_null_and_failures_give_an_output_of_null() -> None:
    def order(input: None, ctx: None) -> NotFound | None: ...

    assert entry(order).output == NullShape()


def test_the_rest_of_the_union_is_the_output() -> None:
    def order(input: None, ctx: None) -> int | str | SoldOut | None: ...

    assert entry(order).output == NullableShape(UnionShape((IntShape(), StrShape())))


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

    assert list(entry(by_alias).failures) == [
        SoldOut,
        NotFound,
        Forbidden,
        TooManyRequests,
        ServiceUnavailable,
    ]
    assert (entry(by_name).output, list(entry(by_name).failures)) == (StrShape(), [Blocked])
    assert isinstance(entry(by_generic).output, ArrayShape)
    assert entry(by_items).output == ArrayShape(IntShape())
    assert list(entry(by_items).failures) == [SoldOut, Blocked]
    assert list(entry(annotated).failures) == [SoldOut]


def test_an_output_without_failures_is_read_as_it_was_written() -> None:
    def order(input: Plain, ctx: None) -> Plain: ...

    found = entry(order)

    assert isinstance(found.output, ArrayShape)
    assert isinstance(found.output.item, RefShape)
    assert found.output.item.definition.name == "Order"


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

    found = entry(order, names={"Local": Local, "Later": Later, "Bad": Bad})

    assert list(found.failures) == [Bad]
    assert isinstance(found.input, RefShape)
    assert found.input.definition.name == "Local"


def test_a_partial_is_read_without_what_is_bound() -> None:
    def order(db: User, input: int, ctx: None, *, clock: object) -> str: ...

    found = entry(functools.partial(order, User(), clock=None))

    assert (found.input, found.output) == (IntShape(), StrShape())


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


@pytest.mark.parametrize(
    ("resolver", "message"),
    [
        (unresolved_return, r"order.return: 'Ghost \| SoldOut' cannot be resolved"),
        (unsupported_return, "order.return: complex is not a type"),
        (failure_input, "order.input: SoldOut is a failure"),
        (failure_inside, r"order.return\[\]: SoldOut is a failure"),
        (any_failure, "order.return: Failure itself has no code"),
        (one_code, "order.return: .*SoldOut and .*Again have the same code SOLD_OUT"),
        (coroutine, "order.return: .*Coroutine.* is an awaitable"),
        (decorated, "order.return: Decorated: a failure is a frozen dataclass already"),
    ],
)
def test_wrong_annotations_are_refused_with_the_route_and_the_place(
    resolver: Callable[..., Any], message: str
) -> None:
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
        assert list(entry(resolver, errors=define_errors(Blocked, SoldOut)).failures) == [
            SoldOut,
            NotFound,
            Blocked,
        ]
        assert list(entry(resolver, errors=define_errors(SoldOut)).failures) == [SoldOut, NotFound]
        with pytest.raises(
            RouteDeclarationError,
            match="order errors=: the return annotation declares SoldOut, and errors= does not name it",
        ):
            entry(resolver, errors=define_errors(Blocked))
    with pytest.raises(
        UnsupportedAnnotation, match=r"^order errors= Odd.what: complex is not a type"
    ):
        entry(wrapper, errors=define_errors(SoldOut, Odd))


class Named1(Protocol):
    name: str


class Claims(TypedDict):
    sub: str


UserId = NewType("UserId", int)


def takes_user(input: None, ctx: User) -> None: ...
def takes_admin(input: None, ctx: Admin) -> None: ...
def takes_none(input: None, ctx: None) -> None: ...
def takes_object(input: None, ctx: object) -> None: ...
def takes_any(input: None, ctx: Any) -> None: ...
def takes_either(input: None, ctx: User | int) -> None: ...
def takes_optional(input: None, ctx: User | None) -> None: ...
def takes_protocol(input: None, ctx: Named1) -> None: ...
def takes_claims(input: None, ctx: Claims) -> None: ...
def takes_float(input: None, ctx: float) -> None: ...
def takes_id(input: None, ctx: UserId) -> None: ...
def takes_dict(input: None, ctx: dict[str, Any]) -> None: ...
def takes_ghost(input: None, ctx: Ghost) -> None: ...
def takes_ghosts(input: None, ctx: Ghosts) -> None: ...
def takes_untyped(input: None, ctx) -> None: ...  # type: ignore[no-untyped-def]


@pytest.mark.parametrize(
    ("resolver", "gives"),
    [
        (takes_user, (User,)),
        (takes_user, (Admin,)),
        (takes_user, (Any,)),
        (takes_user, (Literal[1],)),
        (takes_user, ()),
        (takes_admin, None),
        (takes_either, (User, int)),
        (takes_object, (User,)),
        (takes_any, (User,)),
        (takes_optional, (User,)),
        (takes_protocol, (User,)),
        (takes_claims, (Claims,)),
        (takes_claims, (User,)),
        (takes_dict, (dict[str, int],)),
        (takes_float, (int,)),
        (takes_id, (UserId,)),
        (takes_id, (int,)),
        (takes_ghost, (User,)),
        (takes_ghosts, (User,)),
        (takes_untyped, (User,)),
    ],
)
def test_a_context_may_be_more_than_a_resolver_takes(
    resolver: Callable[..., Any], gives: tuple[object, ...] | None
) -> None:
    assert entry(resolver, hook=Authenticator(print, gives=gives)).route.auth == "bearer"


@pytest.mark.parametrize(
    ("resolver", "gives"),
    [
        (takes_admin, (User,)),
        (takes_user, (int,)),
        (takes_user, (User, int)),
        (takes_none, (User,)),
        (takes_dict, (list[int],)),
    ],
)
def test_a_context_has_to_be_what_authenticate_gives(
    resolver: Callable[..., Any], gives: tuple[object, ...]
) -> None:
    with pytest.raises(SpecError, match=r"order.ctx: it takes .*, and authenticate gives "):
        entry(resolver, hook=Authenticator(print, gives=gives))


def swapped(ctx: User, input: int) -> None: ...


def swapped_unsupported(context: complex, input: None) -> None: ...


def named_otherwise(first: complex, second: None) -> None: ...


@pytest.mark.parametrize(
    ("resolver", "told"), [(swapped, True), (swapped_unsupported, True), (named_otherwise, False)]
)
def test_parameters_in_the_wrong_order_are_told_about(
    resolver: Callable[..., Any], *, told: bool
) -> None:
    with pytest.raises(DeclarationError) as refused:
        entry(resolver, hook=Authenticator(print, gives=(User,)))

    assert ("; the input comes first: (input, ctx) (" in str(refused.value)) is told


@pytest.mark.parametrize(
    "resolver", [takes_none, takes_object, takes_any, takes_optional, takes_ghost, takes_untyped]
)
def test_a_public_route_takes_no_context_whatever_the_hook_gives(
    resolver: Callable[..., Any],
) -> None:
    hook = Authenticator(print, gives=(Admin,))

    assert entry(resolver, hook=hook, auth="none").route.auth == "none"


def test_an_entry_is_compared_by_identity() -> None:
    first, second = entry(takes_none), entry(takes_none)

    assert first != second
    assert isinstance(first.route, Route)


class Filter(TypedDict, total=False):
    text: str


Filters = TypeAliasType("Filters", "dict[str, list[Filters]]")


def test_a_route_that_is_a_tool_says_how_it_looks() -> None:
    def order(input: Order, ctx: None) -> None: ...

    tool = entry(order, mcp=True, summary="Order a product").tool

    assert tool == Tool(
        "order",
        "Order a product",
        read_only=False,
        destructive=False,
        idempotent=False,
        open_world=False,
    )
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


@pytest.mark.parametrize(
    ("annotation", "shown"),
    [
        ("int", "int"),
        ("list[Order]", r"list\[.*Order\]"),
        ("Order | None", r".*Order \| None"),
        ("Card | Cash", r".*Card \| .*Cash"),
        ("Any", "Any"),
    ],
)
def test_another_input_is_refused_where_a_tool_is_asked_for(annotation: str, shown: str) -> None:
    def order(input: Any, ctx: None) -> None: ...

    order.__annotations__["input"] = annotation

    assert entry(order).tool is None
    problem = rf"the arguments of an MCP tool are one object, and {shown} is not always one; make it a field of a dataclass, or leave out mcp="
    with pytest.raises(
        RouteDeclarationError, match=rf"^order\.input: {problem} \(.*test_typed_route.py:\d+\)$"
    ):
        entry(order, mcp=True)
