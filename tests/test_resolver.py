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

from contract.declare import resolver as resolvers
from contract.declare.resolver import check_resolver, is_async_callable, is_wrapper, underlying
from contract.shape.annotations import parameters_of
from contract.shape.exceptions import RouteDeclarationError
from tests.tables import rows


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


async def numbers_later(input: int, ctx: None) -> AsyncIterator[int]:
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
    *((each, True) for each in (Shop().order_later, Shop.open_later, static)),
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
    order = logged(Shop.order)

    @functools.cache  # noqa: B019  what is told about
    def cached(self, input: int, ctx: None) -> None: ...

    free = staticmethod(logged(plain))
    __call__ = logged(Handler.__call__)


class Kept:
    """An object that says what it stands around, as those of ``wrapt`` do."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self.__wrapped__ = function

    def __call__(self, input: int, ctx: None) -> None: ...


WRAPPERS: list[Any] = [
    *(logged(each) for each in (plain, functools.partial(plain), copied(plain), Old().order_later)),
    *(logged_later(plain), logged_later(Old().order), deprecated("use order")(logged(plain))),
    *(functools.cache(plain), functools.lru_cache(1)(plain), functools.singledispatch(plain)),
    *(functools.partial(logged(plain)), functools.partial(logged(with_db_later), 1)),
    functools.partial(logged(with_db), 1, clock=2),
    functools.partial(functools.partial(logged(with_db_later)), 1),
    *(Logged().order, Logged().cached, Logged().free, Logged.__dict__["free"], Logged()),
    Kept(plain),
]


@pytest.mark.parametrize("resolver", WRAPPERS, ids=repr)
def test_a_wrapper_is_refused_where_its_failures_are_not_named(resolver: Any) -> None:
    assert is_wrapper(resolver)
    with pytest.raises(RouteDeclarationError, match=r"^here: it is wrapped in another function "):
        check_resolver(resolver, "here")
    check_resolver(resolver, "here", wrapped=True)


OLD: list[Any] = [copied(plain), Old().order, Old().order_later, Old()]


@pytest.mark.parametrize("resolver", [each for each, _ in GOOD] + OLD, ids=repr)
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


GENERATORS = [numbers_later, contextmanager(numbers), asynccontextmanager(numbers_later)]


@pytest.mark.parametrize("wrapped", [False, True])
@pytest.mark.parametrize("resolver", GENERATORS)
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
    assert str(resolvers.place_of(resolver))


def test_what_is_marked_deprecated_is_known_and_stays_what_it_is() -> None:
    marked = (Old().order, Old().order_later, functools.partial(Old().order_later), Old())

    assert all(map(resolvers.is_deprecated, marked[::2]))
    assert not any(map(resolvers.is_deprecated, (plain, Shop().order)))
    assert [is_async_callable(each) for each in marked] == [False, True, True, True]


def three(input: int, ctx: None, extra: int) -> None: ...
def method(self: object, input: int, ctx: None) -> None: ...
def keyword(input: int, *, ctx: None) -> None: ...
def option(input: int, ctx: None, *, clock: object = None) -> None: ...
def variadic(*args: object) -> None: ...


def keywords(input: int, ctx: None, **options: object) -> None: ...


def default(input: int, ctx: None = None) -> None: ...


OF_SELF = r"it takes \(self, input, ctx\), .*; decorate the bound method: route\(...\)\(Shop\(...\)"


@rows(
    "resolver, message",
    (three, r"it takes \(input, ctx, extra\), and"),
    (method, rf"{OF_SELF}.method\)"),
    (Shop.order, rf"{OF_SELF}.order\)"),
    (keyword, r"it takes \(input, \*, ctx\), and"),
    (option, r"it takes \(input, ctx, \*, clock=...\), and"),
    (variadic, r"it takes \(\*args\), and"),
    (keywords, r"it takes \(input, ctx, \*\*options\), and"),
    (default, "ctx has a default, which would never be used"),
    (functools.partial(with_db, 1), r"it takes \(input, ctx, \*, clock=...\), and"),
    (functools.partial(three, ctx=None), r"it takes \(input, \*, extra\), and"),
    (None, "a resolver is a function, a bound method or a callable object"),
    (math.hypot, "its signature cannot be read"),
    ids=repr,
)
def test_anything_else_is_refused_and_told_what_is_wrong(resolver: Any, message: str) -> None:
    with pytest.raises(RouteDeclarationError, match=f"^here: {message}"):
        check_resolver(resolver, "here")


def test_the_underlying_function_is_the_one_that_was_written_down() -> None:
    for given, written in (
        *((plain, plain), (Shop().order, Shop.order), (static, Shop.open_later)),
        *((logged(logged(plain)), plain), (functools.partial(logged(plain)), plain)),
        *((Handler(), Handler.__call__), (math.hypot, math.hypot)),
    ):
        assert underlying(given) is written


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

    given = (Told(), Both(), functools.partial(Both()), plain, blank, Handler())
    of_call = "Of the call.\n\n  Indented."
    told = ["Of the class.", of_call, of_call, None, None, None]
    assert [resolvers.docstring(each) for each in given] == told


def test_a_callable_is_named_with_its_place() -> None:
    named = (plain, Shop().order, functools.partial(plain, 1), Handler(), static)
    names = ["plain", "Shop.order", "plain", "Handler"]
    simple = ["plain", "order", "plain", "Handler", "open_later"]
    place_of = resolvers.place_of
    assert [resolvers.simple_name(each) for each in named] == simple
    assert [resolvers.name_of(each) for each in named[:4]] == [(__name__, each) for each in names]
    assert place_of(plain) == f"{__name__}.plain, {__file__}:{plain.__code__.co_firstlineno}"
    assert (place_of(math.hypot), place_of([].append)) == ("math.hypot", "list.append")


def test_local_names_are_types_and_modules_and_nothing_else() -> None:
    class Local: ...

    connection, here, alias, union = object(), sys, list[int], int | str
    T = typing.TypeVar("T")
    Id = typing.NewType("Id", int)
    found: Any = resolvers.local_names(sys._getframe())

    assert found == {"Local": Local, "here": here, "alias": alias, "union": union, "T": T, "Id": Id}
    assert "connection" not in found, connection


def test_a_module_has_no_local_names() -> None:
    frames: list[Any] = []
    exec("import sys; x = int; frames.append(sys._getframe())", {"frames": frames})

    assert resolvers.local_names(frames[0]) == {}


def f0() -> None: ...
def f1(a: int) -> None: ...
def f2(a: int, b: int) -> None: ...
def f3(a: int, b: int, c: int = 1) -> None: ...
def f4(a: int, b: int, c: int) -> None: ...
def f5(*args: int) -> None: ...
def f6(a: int, /, b: int = 2, *, c: int = 3) -> None: ...
def f7(a: int, b: int, *, c: int) -> None: ...
def f8(a: int, *args: int, b: int = 1, **options: int) -> None: ...


@rows(
    "function, text, two",
    (f0, "()", False),
    (f1, "(a)", False),
    (f2, "(a, b)", True),
    (f3, "(a, b, c=...)", True),
    (f4, "(a, b, c)", False),
    (f5, "(*args)", True),
    (f6, "(a, b=..., *, c=...)", True),
    (f7, "(a, b, *, c)", False),
    (f8, "(a, *args, b=..., **options)", True),
)
def test_parameters_are_shown_and_counted(function: Any, text: str, *, two: bool) -> None:
    parameters = parameters_of(function)

    assert resolvers.parameter_list(parameters) == text
    assert resolvers.takes(parameters, 2) is two
