"""Calls: a checked call of a resolver, without HTTP."""

from __future__ import annotations

from collections.abc import Coroutine, Iterable
from dataclasses import replace
from typing import Any, TypeVar, cast, overload

from contract.declare.failures import Failure
from contract.declare.outputs import Download, Stream
from contract.declare.route import PublicRoute, Route
from contract.declare.typed_route import Entry
from contract.pred.compile import compile_pred
from contract.shape.exceptions import InvalidOutput
from contract.shape.graph import is_read_once
from contract.shape.pages import Cursor, Slice
from contract.testing.drawn import MOST_ITEMS, Drawn, checking
from contract.testing.findings import Undeclared, WrongOutput
from contract.testing.recorder import called
from contract.testing.source import source_of
from contract.testing.strategies import sides_of

__all__ = ["call"]

C = TypeVar("C")
I = TypeVar("I")  # noqa: E741  the input
R = TypeVar("R")


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
    the first thousand; read it with ``for``. Its last item may be a failure. An item that never
    comes is waited for; to leave such a stream, call its route with ``max_items=`` of a `Client`. A
    file is returned as one whose source is all of its bytes.

    Args:
        route: The route.
        input: An input of the route.
        ctx: The context.

    Raises:
        Finding: The result is not what the route declares.
        InvalidOutput: *input* is not a valid input.
    """
    sides, entry = sides_of("call", route, None)
    # `sides.input` is the shape without the files, which an input with files does not fit
    if sides.input is not None and sides.whole is None:
        compile_pred(sides.input).check(_without_key(entry, input, "after"))
    result = called(entry, input, ctx, checking(entry), MOST_ITEMS)

    # 1. A stream or a file. Its items were checked as they came.
    if isinstance(result, Drawn):
        finding = result.finding(entry.name)
        if finding is not None:
            raise finding
        return _drawn(result)
    if (entry.stream or entry.media) is not None and not isinstance(result, Failure):
        kind = "Stream" if entry.media is None else "Download"
        problem = f"it returned {source_of(result).text}, which is not a {kind}"
        raise WrongOutput(entry.name, problem)

    # 2. Anything else is checked whole: an output by the shape of the route, a failure by its own.
    shape = entry.output
    if is_read_once(shape) and hasattr(result, "__next__"):
        # the caller reads these, too, after the check
        result = list(cast("Iterable[Any]", result))
    if isinstance(result, Failure):
        declared = entry.failures.get(type(result))
        if declared is None:
            problem = f"it returned {type(result).__name__}, which its annotation does not declare"
            raise Undeclared(entry.name, problem)
        shape = declared.shape
    try:
        compile_pred(shape).check(_without_key(entry, result, "next"))
    except InvalidOutput as invalid:
        returned = f"it returned {source_of(result).text}"
        problem = f"{returned}, which does not fit what it declares: {invalid}"
        raise WrongOutput(entry.name, problem) from None
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
    # In a resolver the key is the author's own value. The shape of the field is that of a signed
    # key, which only a mount makes (`contract.call.paging`), so it would refuse the author's.
    if entry.page_key is None or type(value) not in (Cursor, Slice):
        return value
    key = getattr(value, field)
    if key is not None:
        try:
            compile_pred(entry.page_key).check(key)
        except InvalidOutput as invalid:
            raise InvalidOutput((field, *invalid.path), invalid.problem) from None
    return replace(value, **{field: None})
