"""What is known of a user's callable without calling it."""

# mypy: disable-error-code="deprecated"
# functions that are marked so are what some of these tests are about

from __future__ import annotations

import functools
import math
import sys
import typing
import warnings
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from typing import Any

import pytest
from typing_extensions import deprecated

from contract.declare.resolver import (
    check_resolver,
    docstring,
    is_async_callable,
    is_deprecated,
    is_wrapper,
    local_names,
    name_of,
    parameter_list,
    place_of,
    simple_name,
    takes,
    underlying,
)
from contract.shape.annotations import parameters_of
from contract.shape.exceptions import RouteDeclarationError


def plain(input: int, ctx: None) -> None: ...


async def later(input: int, ctx: None) -> None: ...


class Shop:
    def order(self, input: int, ctx: None) -> None: ...

    async def order_later(self, input: int, ctx: None) -> None: ...

    @staticmethod
    async def open_later(input: int, ctx: None) -> None: ...

    @classmethod
    def make(cls, input: int, ctx: None) -> None: ...


class Handler:
    def __call__(self, input: int, ctx: None) -> None: ...


class AsyncHandler:
    async def __call__(self, input: int, ctx: None) -> None: ...


def with_db(db: object, input: int, ctx: None, *, clock: object = None) -> None: ...


async def with_db_later(db: object, input: int, ctx: None) -> None: ...


async def rows(input: int, ctx: None) -> AsyncIterator[int]:
    yield input


def numbers(input: int, ctx: None) -> Iterator[int]:
    yield input


def logged(function: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(function)
    def wrapper(*args: Any, **options: Any) -> Any: ...

    return wrapper


static: Any = Shop.__dict__["open_later"]


class Old:
    @deprecated("use Shop.order")
    def order(self, input: int, ctx: None) -> None: ...

    @deprecated("use Shop.order_later")
    async def order_later(self, input: int, ctx: None) -> None: ...

    @deprecated("use Shop")
    async def __call__(self, input: int, ctx: None) -> None: ...


GOOD: list[tuple[Any, bool]] = [
    (plain, False),
    (later, True),
    (Shop().order, False),
    (Shop().order_later, True),
    (Shop.open_later, True),
    (static, True),
    (Shop.make, False),
    (Handler(), False),
    (AsyncHandler(), True),
    (functools.partial(with_db, 1, clock=2), False),
    (functools.partial(with_db_later, 1), True),
    (functools.partial(functools.partial(with_db_later), 1), True),
]


@pytest.mark.parametrize(("resolver", "is_async"), GOOD, ids=repr)
def test_functions_methods_objects_and_partials_take_an_input_and_a_context(
    resolver: Any, *, is_async: bool
) -> None:
    check_resolver(resolver, "here")

    assert is_async_callable(resolver) is is_async


def logged_later(function: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(function)
    async def wrapper(*args: Any, **options: Any) -> Any: ...

    return wrapper


def copied(function: Callable[..., Any]) -> Callable[..., Any]:
    """A wrapper with a signature and annotations of its own."""

    def wrapper(input: int, ctx: None) -> str | None:
        return str(function(input, ctx))

    return wrapper


class Logged:
    @logged
    def order(self, input: int, ctx: None) -> None: ...

    @functools.cache  # noqa: B019  what is told about
    def cached(self, input: int, ctx: None) -> None: ...

    @staticmethod
    @logged
    def free(input: int, ctx: None) -> None: ...

    @logged
    def __call__(self, input: int, ctx: None) -> None: ...


class Kept:
    """An object that says what it stands around, as those of ``wrapt`` do."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self.__wrapped__ = function

    def __call__(self, input: int, ctx: None) -> None: ...


WRAPPERS: list[Any] = [
    logged(plain),
    logged(functools.partial(plain)),
    logged(copied(plain)),
    logged_later(plain),
    logged_later(Old().order),
    functools.cache(plain),
    functools.lru_cache(maxsize=1)(plain),
    functools.singledispatch(plain),
    functools.partial(logged(plain)),
    functools.partial(logged(with_db_later), 1),
    functools.partial(logged(with_db), 1, clock=2),
    functools.partial(functools.partial(logged(with_db_later)), 1),
    Logged().order,
    Logged().cached,
    Logged().free,
    Logged.__dict__["free"],
    Logged(),
    Kept(plain),
    deprecated("use order")(logged(plain)),
    logged(Old().order_later),
]


@pytest.mark.parametrize("resolver", WRAPPERS, ids=repr)
def test_a_wrapper_is_refused_where_its_failures_are_not_named(resolver: Any) -> None:
    assert is_wrapper(resolver)
    with pytest.raises(RouteDeclarationError, match=r"^here: it is wrapped in another function "):
        check_resolver(resolver, "here")
    check_resolver(resolver, "here", wrapped=True)


@pytest.mark.parametrize(
    "resolver",
    [each for each, _ in GOOD] + [copied(plain), Old().order, Old().order_later, Old()],
    ids=repr,
)
def test_what_returns_nothing_of_its_own_is_no_wrapper(resolver: Any) -> None:
    assert not is_wrapper(resolver)


def test_both_decorators_for_deprecated_functions_make_no_wrapper() -> None:
    def old(input: int, ctx: None) -> None: ...

    decorators: list[Any] = [deprecated, getattr(warnings, "deprecated", deprecated)]

    assert not any(is_wrapper(each("use order")(old)) for each in decorators)
    assert not any(is_wrapper(each("use order", category=None)(old)) for each in decorators)
    assert not is_wrapper(deprecated("use order")(deprecated("use it")(old)))


def test_a_wrapper_says_itself_whether_it_is_async() -> None:
    assert is_async_callable(logged_later(plain))
    assert is_async_callable(logged_later(Old().order))  # functools.wraps copies __deprecated__ too
    assert is_async_callable(deprecated("use order")(logged_later(plain)))
    assert not is_async_callable(logged(later))


@pytest.mark.parametrize("wrapped", [False, True])
@pytest.mark.parametrize("resolver", [rows, contextmanager(numbers), asynccontextmanager(rows)])
def test_a_generator_is_refused_even_in_a_context_manager(resolver: Any, *, wrapped: bool) -> None:
    with pytest.raises(RouteDeclarationError, match=r"^here: a resolver returns one value, and "):
        check_resolver(resolver, "here", wrapped=wrapped)


def around_itself() -> Callable[..., Any]:
    """A function that says that it stands around itself."""

    def order(input: int, ctx: None) -> None: ...

    order.__wrapped__ = order  # type: ignore[attr-defined]
    return order


def around_each_other() -> Any:
    first, second = Kept(plain), Kept(plain)
    first.__wrapped__, second.__wrapped__ = second, first
    return first


class Endless:
    """A proxy of proxies: what it stands around is another one each time."""

    @property
    def __wrapped__(self) -> Any:
        return Endless()

    def __call__(self, input: int, ctx: None) -> None: ...


@pytest.mark.parametrize("resolver", [around_itself(), around_each_other(), Endless()])
def test_what_stands_around_itself_is_refused(resolver: Any) -> None:
    assert is_wrapper(resolver)
    with pytest.raises(RouteDeclarationError, match=r"^here: it is wrapped in another function"):
        check_resolver(resolver, "here")
    with pytest.raises(
        RouteDeclarationError, match=r"^here: its signature cannot be read; wrap it"
    ):
        check_resolver(resolver, "here", wrapped=True)
    assert str(place_of(resolver))


def test_what_is_marked_deprecated_is_known_and_stays_what_it_is() -> None:
    assert is_deprecated(Old().order)
    assert is_deprecated(functools.partial(Old().order_later))
    assert not is_deprecated(plain)
    assert not is_deprecated(Shop().order)
    assert not is_async_callable(Old().order)
    assert is_async_callable(Old().order_later)
    assert is_async_callable(functools.partial(Old().order_later))
    assert is_async_callable(Old())


def three(input: int, ctx: None, extra: int) -> None: ...


def method(self: object, input: int, ctx: None) -> None: ...


def keyword(input: int, *, ctx: None) -> None: ...


def option(input: int, ctx: None, *, clock: object = None) -> None: ...


def variadic(*args: object) -> None: ...


def keywords(input: int, ctx: None, **options: object) -> None: ...


def default(input: int, ctx: None = None) -> None: ...


@pytest.mark.parametrize(
    ("resolver", "message"),
    [
        (three, r"it takes \(input, ctx, extra\), and"),
        (
            method,
            r"it takes \(self, input, ctx\), .*; decorate the bound method: route\(...\)\(Shop\(...\).method\)",
        ),
        (Shop.order, r"it takes \(self, input, ctx\), .*: route\(...\)\(Shop\(...\).order\)"),
        (keyword, r"it takes \(input, \*, ctx\), and"),
        (option, r"it takes \(input, ctx, \*, clock=...\), and"),
        (variadic, r"it takes \(\*args\), and"),
        (keywords, r"it takes \(input, ctx, \*\*options\), and"),
        (default, "ctx has a default, which would never be used"),
        (functools.partial(with_db, 1), r"it takes \(input, ctx, \*, clock=...\), and"),
        (functools.partial(three, ctx=None), r"it takes \(input, \*, extra\), and"),
        (None, "a resolver is a function, a bound method or a callable object"),
        (math.hypot, "its signature cannot be read"),
    ],
    ids=repr,
)
def test_anything_else_is_refused_and_the_message_says_what_is_wrong(
    resolver: Any, message: str
) -> None:
    with pytest.raises(RouteDeclarationError, match=f"^here: {message}"):
        check_resolver(resolver, "here")


def test_the_underlying_function_is_the_one_that_was_written_down() -> None:
    shop = Shop()

    assert underlying(plain) is plain
    assert underlying(shop.order) is Shop.order
    assert underlying(static) is Shop.open_later
    assert underlying(logged(logged(plain))) is plain
    assert underlying(functools.partial(logged(plain))) is plain
    assert underlying(Handler()) is Handler.__call__
    assert underlying(math.hypot) is math.hypot


def test_the_docstring_is_the_functions_else_the_classs() -> None:
    class Told:
        """Of the class."""

        def __call__(self, input: int, ctx: None) -> None: ...

    class Both:
        """Of the class."""

        def __call__(self, input: int, ctx: None) -> None:
            """
            Of the call.

              Indented.
            """

    def blank(input: int, ctx: None) -> None:
        """ """  # noqa: D419

    assert docstring(Told()) == "Of the class."
    assert docstring(Both()) == "Of the call.\n\n  Indented."
    assert docstring(functools.partial(Both())) == "Of the call.\n\n  Indented."
    assert docstring(plain) is None
    assert docstring(blank) is None
    assert docstring(Handler()) is None


def test_a_callable_is_named_with_its_place() -> None:
    assert name_of(plain) == (__name__, "plain")
    assert [
        simple_name(each)
        for each in (plain, Shop().order, functools.partial(plain, 1), Handler(), static)
    ] == [*("plain", "order", "plain", "Handler", "open_later")]
    assert name_of(Shop().order) == (__name__, "Shop.order")
    assert name_of(functools.partial(plain, 1)) == (__name__, "plain")
    assert name_of(Handler()) == (__name__, "Handler")
    assert place_of(plain) == f"{__name__}.plain, {__file__}:{plain.__code__.co_firstlineno}"
    assert place_of(math.hypot) == "math.hypot"
    assert place_of([].append) == "list.append"


def test_local_names_are_types_and_modules_and_nothing_else() -> None:
    class Local: ...

    connection, here, alias, union = object(), sys, list[int], int | str
    T = typing.TypeVar("T")
    Id = typing.NewType("Id", int)
    found: Any = local_names(sys._getframe())

    assert found == {"Local": Local, "here": here, "alias": alias, "union": union, "T": T, "Id": Id}
    assert "connection" not in found, connection


def test_a_module_has_no_local_names() -> None:
    frames: list[Any] = []
    exec("import sys; x = int; frames.append(sys._getframe())", {"frames": frames})

    assert local_names(frames[0]) == {}


def f0() -> None: ...
def f1(a: int) -> None: ...
def f2(a: int, b: int) -> None: ...
def f3(a: int, b: int, c: int = 1) -> None: ...
def f4(a: int, b: int, c: int) -> None: ...
def f5(*args: int) -> None: ...
def f6(a: int, /, b: int = 2, *, c: int = 3) -> None: ...
def f7(a: int, b: int, *, c: int) -> None: ...
def f8(a: int, *args: int, b: int = 1, **options: int) -> None: ...


@pytest.mark.parametrize(
    ("function", "text", "two"),
    [
        (f0, "()", False),
        (f1, "(a)", False),
        (f2, "(a, b)", True),
        (f3, "(a, b, c=...)", True),
        (f4, "(a, b, c)", False),
        (f5, "(*args)", True),
        (f6, "(a, b=..., *, c=...)", True),
        (f7, "(a, b, *, c)", False),
        (f8, "(a, *args, b=..., **options)", True),
    ],
)
def test_parameters_are_shown_and_counted(
    function: Callable[..., None], text: str, *, two: bool
) -> None:
    parameters = parameters_of(function)

    assert parameter_list(parameters) == text
    assert takes(parameters, 2) is two
