"""
Calls: one call of a resolver, with all that a declaration promises looked at, and nothing of HTTP.
"""

from __future__ import annotations

from collections.abc import Coroutine
from typing import Any, TypeVar, overload

from contract.adapters.threads import BACKGROUND
from contract.call.context import calling
from contract.declare.failures import Failure
from contract.declare.route import PublicRoute, Route
from contract.pred.compile import compile_pred
from contract.shape.exceptions import InvalidOutput
from contract.testing.findings import Undeclared, WrongOutput
from contract.testing.routes import sides_of
from contract.testing.source import source_of

__all__ = ["call"]

I = TypeVar("I")  # noqa: E741  the input
R = TypeVar("R")
C = TypeVar("C")


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

    `current_call` knows the call.

    Args:
        route: The route.
        input: A value of its input.
        ctx: Its context.

    Raises:
        Finding: It gave what it does not declare.
        InvalidOutput: *input* is no value of its input.
    """
    sides, entry = sides_of("call", route, None)
    if sides.input is not None:
        compile_pred(sides.input).check(input)
    with calling(entry.name):
        result = (
            BACKGROUND.call(route.resolver, input, ctx)
            if route.is_async
            else route.resolver(input, ctx)
        )
    shape = entry.output
    if isinstance(result, Failure):
        declared = entry.failures.get(type(result))
        if declared is None:
            raise Undeclared(
                entry.name,
                f"it returned {type(result).__name__}, which its annotation does not declare",
            )
        shape = declared.shape
    try:
        compile_pred(shape).check(result)
    except InvalidOutput as invalid:
        text = source_of(result).text
        raise WrongOutput(
            entry.name, f"it returned {text}, which does not fit what it declares: {invalid}"
        ) from None
    return result
