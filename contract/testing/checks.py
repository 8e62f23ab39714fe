"""Checks: a pytest test of what a route promises, and a checked call of its resolver."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Iterable
from dataclasses import replace
from typing import Any, Final, TypeAlias, TypeVar, Union, cast, final, overload

from hypothesis import settings as Settings  # noqa: N812  it is a class
from hypothesis.strategies import SearchStrategy

from contract.call.mount_options import Options
from contract.declare.failures import Failure
from contract.declare.outputs import Download, Stream
from contract.declare.route import PublicRoute, Route
from contract.declare.spec import AnySpec, Spec, spec
from contract.declare.typed_route import Entry
from contract.pred.compile import compile_pred
from contract.shape.exceptions import InvalidOutput
from contract.shape.graph import is_read_once
from contract.shape.pages import Cursor, Slice
from contract.testing.drawn import MOST_ITEMS, Drawn, checking
from contract.testing.findings import (
    History,
    Undeclared,
    WrongOutput,
    found_by,
    settings_for,
    silence,
)
from contract.testing.laws import Laws, called
from contract.testing.overrides import Overrides
from contract.testing.source import source_of
from contract.testing.strategies import Sides, any_token, entry_of, sides_in, sides_of

__all__ = ["ABSENT", "Absent", "Context", "call", "check_route", "laws_of", "run"]

C = TypeVar("C")
I = TypeVar("I")  # noqa: E741  the input
R = TypeVar("R")

Context: TypeAlias = Union[C, Callable[[], C], SearchStrategy[C]]  # noqa: UP007  of a type variable
"""The context of each call: one value, the result of a function or class, or a strategy."""


@final
class Absent:
    """The type of an argument that was left out."""


ABSENT: Final = Absent()


@overload
def check_route(
    route: PublicRoute[Any, Any],
    *,
    api: AnySpec | None = None,
    settings: Settings | None = None,
    overrides: Overrides | None = None,
    reset: Callable[[], object] | None = None,
    repeatable: bool | None = None,
    options: Options | None = None,
) -> Callable[[], None]: ...
@overload
def check_route(
    route: Route[Any, Any, C],
    *,
    ctx: Context[C],
    api: AnySpec | None = None,
    settings: Settings | None = None,
    overrides: Overrides | None = None,
    reset: Callable[[], object] | None = None,
    repeatable: bool | None = None,
    options: Options | None = None,
) -> Callable[[], None]: ...
@overload
def check_route(
    route: str,
    *,
    api: Spec[C],
    ctx: Context[C] | Absent = ABSENT,
    settings: Settings | None = None,
    overrides: Overrides | None = None,
    reset: Callable[[], object] | None = None,
    repeatable: bool | None = None,
    options: Options | None = None,
) -> Callable[[], None]: ...
def check_route(
    route: Route[Any, Any, Any] | str,
    *,
    ctx: Any = ABSENT,
    api: AnySpec | None = None,
    settings: Settings | None = None,
    overrides: Overrides | None = None,
    reset: Callable[[], object] | None = None,
    repeatable: bool | None = None,
    options: Options | None = None,
) -> Callable[[], None]:
    """
    A test of one route, for pytest.

    Write ``test_order = check_route(order)``. Every valid input must give a valid output or a
    declared failure, and never an exception. Every near miss must be refused. The wire must answer
    what the function returns. A failed check reports the smallest input, as calls to copy.

    Args:
        route: The route, or its name in *api*.
        ctx: The context of a bearer route: a value, a function or class that makes one for each
            call, or a strategy. If it is None, no token is sent, which suits a route with an
            optional one. If it lacks the scopes that the route requires, the call must be
            forbidden.
        api: The spec of the route. Required if *route* is a name; give it also if the spec renames
            fields.
        settings: The settings of Hypothesis; by default those of the profile, without a deadline.
        overrides: As in `inputs`.
        reset: Called before every example, to restore the state that all calls start from.
        repeatable: Whether the same call always gives the same answer; by default True for routes
            with ``effect="read"``. Pass False if the answer depends on the time.
        options: The options of the mount, for its ``handle_unhandled_error``.

    Raises:
        DeclarationError: A route cannot carry an annotation of *route*.
        ValueError: There is no such route, no finite input, nothing that an override matches, or no
            *ctx* although the route needs one.
        TypeError: An override is not a strategy, or *route* is not a route.
    """
    if api is None:
        if isinstance(route, str):
            raise ValueError(f"check_route({route!r}) names a route; say of which spec: api=")
        sides, entry = sides_of("check_route", route, overrides)
        api = spec(routes={entry.name: route}, authenticate=any_token)
        entry = api.entries[entry.name]  # the entry of the spec knows the hooks
        if not overrides:
            sides = Sides(sides.input, sides.output, whole=sides.whole)
    else:
        entry = entry_of(api, route)
        sides = sides_in("check_route", api, entry, overrides)
    check = laws_of(
        api,
        entry,
        sides,
        History(),
        ctx=ctx,
        reset=reset,
        repeatable=repeatable,
        options=options,
        what="check_route",
    )

    def test() -> None:
        __tracebackhide__ = True
        run(check, settings)

    test.__name__ = f"test_{entry.name}"
    test.__doc__ = f"{entry.name} keeps its contract."
    return test


def laws_of(
    api: AnySpec,
    entry: Entry,
    sides: Sides,
    history: History,
    *,
    ctx: Any,
    reset: Callable[[], object] | None,
    repeatable: bool | None,
    options: Options | None,
    what: str,
) -> Laws:
    """The laws of one route of a spec; the arguments are those of `check_route`."""
    if entry.route.auth == "bearer" and ctx is ABSENT:
        raise ValueError(
            f"{what}({entry.name}): it is a bearer route, whose resolver needs a context; give ctx="
        )
    only_reads = entry.route.effect == "read" if repeatable is None else repeatable
    return Laws(
        api,
        entry,
        sides,
        None if ctx is ABSENT or entry.route.auth == "none" else ctx,
        reset,
        options,
        history,
        repeatable=only_reads,
    )


def run(check: Laws, settings: Settings | None) -> None:
    """
    Check that the laws of a route hold.

    Raises:
        Finding: One of them does not.
    """
    __tracebackhide__ = True
    with silence():
        for law in check.laws(settings_for(settings)):
            found_by(law, check.noted, check.name)


# One checked call of a resolver, without HTTP.


@overload
def call(route: PublicRoute[I, Coroutine[Any, Any, R]], input: I, ctx: None = None, /) -> R: ...
@overload
def call(route: PublicRoute[I, R], input: I, ctx: None = None, /) -> R: ...
@overload
def call(route: Route[I, Coroutine[Any, Any, R], C], input: I, ctx: C, /) -> R: ...
@overload
def call(route: Route[I, R, C], input: I, ctx: C, /) -> R: ...
def call(route: Route[Any, Any, Any], input: Any, ctx: Any = None, /) -> Any:
    """
    Call the resolver of *route*, sync or async, and return its result.

    `current_call` works inside it. A stream is returned as one with the items that came, at most
    the first thousand; read it with ``for``. Its last item may be a failure. A file is returned as
    one whose source is all of its bytes.

    Args:
        route: The route.
        input: An input of the route.
        ctx: The context.

    Raises:
        Finding: The result is not what the route declares.
        InvalidOutput: *input* is not a valid input.
    """
    sides, entry = sides_of("call", route, None)
    if sides.input is not None and sides.whole is None:
        compile_pred(sides.input).check(_without_key(entry, input, "after"))
    result = called(entry, input, ctx, checking(entry), MOST_ITEMS)
    if isinstance(result, Drawn):
        finding = result.finding(entry.name)
        if finding is not None:
            raise finding
        return _drawn(result)
    if entry.stream is not None and not isinstance(result, Failure):
        told = f"it returned {source_of(result).text}, which is not a Stream"
        raise WrongOutput(entry.name, told)
    if entry.media is not None and not isinstance(result, Failure):
        raise WrongOutput(
            entry.name, f"it returned {source_of(result).text}, which is not a Download"
        )
    shape = entry.output
    if is_read_once(shape) and hasattr(result, "__next__"):
        # the caller reads these, too, after the check
        result = list(cast("Iterable[Any]", result))
    if isinstance(result, Failure):
        declared = entry.failures.get(type(result))
        if declared is None:
            raise Undeclared(
                entry.name,
                f"it returned {type(result).__name__}, which its annotation does not declare",
            )
        shape = declared.shape
    try:
        compile_pred(shape).check(_without_key(entry, result, "next"))
    except InvalidOutput as invalid:
        text = source_of(result).text
        raise WrongOutput(
            entry.name, f"it returned {text}, which does not fit what it declares: {invalid}"
        ) from None
    return result


def _drawn(found: Drawn) -> Stream[Any] | Download:
    """A stream or a file that was read, ready to be read again."""
    file = found.file
    if file is None:
        return Stream(iter(found.items))
    return Download(b"".join(found.items), media_type=file.media_type, name=file.name)


def _without_key(entry: Entry, value: Any, field: str) -> Any:
    """
    A cursor or a page without its key, which is checked; any other *value* unchanged.

    Raises:
        InvalidOutput: The key is not valid.
    """
    if entry.page_key is None or type(value) not in (Cursor, Slice):
        return value
    key = getattr(value, field)
    if key is not None:
        try:
            compile_pred(entry.page_key).check(key)
        except InvalidOutput as invalid:
            raise InvalidOutput((field, *invalid.path), invalid.problem) from None
    return replace(value, **{field: None})
