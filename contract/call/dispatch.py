"""
Dispatch: one call, from its body to its output or to the reply where there is none.

It is total: whatever a body holds and whatever a user's code does, there is a reply.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from contract.call.admission import pass_hooks, pass_hooks_here
from contract.call.bound import Bound
from contract.call.context import Reply
from contract.call.message import Incoming
from contract.call.replies import Refused, raised, refused, unread, unwritten, written
from contract.declare.failures import Failure

__all__ = ["invoke", "output_behind_hooks", "output_of"]


T = TypeVar("T")


async def invoke(bound: Bound, body: bytes, ctx: Any, incoming: Incoming) -> bytes | Reply:
    """
    Run the call itself, and give the JSON of its output, or the reply where there is none.

    Args:
        bound: The route.
        body: JSON, as it was sent.
        ctx: The context from the hook, None for public routes.
        incoming: The request.
    """
    if bound.asks:
        return await _invoke_behind_hooks(bound, body, ctx, incoming)
    if not bound.is_async:
        if incoming.blocks or bound.inline:
            return output_of(bound, body, ctx, incoming)
        try:
            return await incoming.offload(bound.lane, output_of, bound, body, ctx, incoming)
        except Refused as refusal:
            return refused(refusal)
    try:
        value = bound.input.load(body)
    except BaseException as exception:  # noqa: BLE001
        # a user's __post_init__, predicate or default factory
        return unread(bound, exception, incoming)
    try:
        result = await incoming.awaited(bound.resolver, value, ctx)
    except BaseException as exception:
        if incoming.ends(exception):
            raise
        return raised(bound, exception, incoming)
    try:
        return (
            bound.output.dump(result) if not isinstance(result, Failure) else written(bound, result)
        )
    except BaseException as exception:  # noqa: BLE001  objects of the user's are looked into
        return unwritten(bound, result, exception, incoming)


async def _invoke_behind_hooks(
    bound: Bound, body: bytes, ctx: Any, incoming: Incoming
) -> bytes | Reply:
    """Run the call where hooks ask for its input."""
    try:
        if not bound.in_steps:
            return await _in_place(incoming, bound, output_behind_hooks, body, ctx)
        value, denied = await _in_place(incoming, bound, _load, body)
    except Refused as refusal:
        return refused(refusal)
    if denied is None:
        denied = await pass_hooks(bound, bound.late, ctx, value, incoming)
    return await invoke(bound.loaded, value, ctx, incoming) if denied is None else denied


async def _in_place(incoming: Incoming, bound: Bound, part: Callable[..., T], *args: Any) -> T:
    """
    Run a synchronous *part* of the call where that may run.

    Raises:
        Refused: There is no room for it, or its deadline has passed.
    """
    if incoming.blocks or bound.is_async or bound.inline:
        return part(bound, *args, incoming)
    return await incoming.offload(bound.lane, part, bound, *args, incoming)


def output_behind_hooks(bound: Bound, body: bytes, ctx: Any, incoming: Incoming) -> bytes | Reply:
    """
    Run the call in this thread, where hooks ask for its input, and neither they nor it is async.

    It raises nothing.
    """
    try:
        value: Any = bound.input.load(body)
    except BaseException as exception:  # noqa: BLE001
        # a user's __post_init__, predicate or default factory
        return unread(bound, exception, incoming)
    refusal = pass_hooks_here(bound, bound.late_hooks, ctx, value, incoming)
    return output_of(bound.loaded, value, ctx, incoming) if refusal is None else refusal


def _load(bound: Bound, body: bytes, incoming: Incoming) -> tuple[Any, Reply | None]:
    """The input, or the reply where it is refused; raises nothing."""
    try:
        return bound.input.load(body), None
    except BaseException as exception:  # noqa: BLE001
        # a user's __post_init__, predicate or default factory
        return None, unread(bound, exception, incoming)


def output_of(bound: Bound, body: bytes, ctx: Any, incoming: Incoming) -> bytes | Reply:
    """Run the call of a synchronous route in this thread; raises nothing."""
    try:
        value = bound.input.load(body)
    except BaseException as exception:  # noqa: BLE001
        # a user's __post_init__, predicate or default factory
        return unread(bound, exception, incoming)
    try:
        result = bound.resolver(value, ctx)
    except BaseException as exception:  # noqa: BLE001  whatever it is, there is a reply
        return raised(bound, exception, incoming)
    try:
        return (
            bound.output.dump(result) if not isinstance(result, Failure) else written(bound, result)
        )
    except BaseException as exception:  # noqa: BLE001  objects of the user's are looked into
        return unwritten(bound, result, exception, incoming)
