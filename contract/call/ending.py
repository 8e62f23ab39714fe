"""
Ending: how the values of a call end, once its outcome is known and before its reply is sent.

They end with the outcome. If one fails at its end, the reply becomes a 500, whatever it was;
nothing else in the reply depends on them.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from contextlib import suppress
from functools import partial
from typing import Any, TypeVar

from contract.call.bound import Bound
from contract.call.context import OK, Reply
from contract.call.incoming import Incoming, Refused
from contract.call.log import log_exception
from contract.call.provided import cause_of
from contract.call.replies import failed, refused
from contract.call.stream import StreamReply
from contract.call.values import OVER, After, Values
from contract.declare.resolver import simple_name

__all__ = ["abandon", "abandoned", "ended", "followers", "guarded", "lost", "tell"]

T = TypeVar("T")


async def ended(bound: Bound, found: bytes | Reply, incoming: Incoming) -> bytes | Reply:
    """
    End the provided values of a call, of which there are some, and return the answer.

    *found* is the output or the reply, as it would be without the values.
    """
    if isinstance(found, StreamReply):
        try:
            found.parts = incoming.items(bound, found)
            return found  # its values end when the stream does
        except Refused as refusal:  # there is no thread left
            found = refused(refusal)
    values: Any = incoming.values
    if not values.over:
        values.over = True
        if not isinstance(found, bytes):
            values.cause = cause_of(found)
    # Those that belong to this thread, or to any, end without a hop.
    values.leave_here()
    if values.found:
        try:
            await _leave(values, incoming)
        except Refused as refusal:  # the deadline has passed meanwhile
            return _late(values, refused(refusal), bound, incoming)
        _look_whether_gone(values, incoming)
    # A provider that failed at its end did not commit, so a success is not answered.
    if values.kept is not None or values.troubles:
        found = _release_and_log(values, bound.name, incoming) or found
    if not (isinstance(found, bytes) or found.code == OK):
        values.after = ()
    return found


def _look_whether_gone(values: Values, incoming: Incoming) -> None:
    """Raise the cancellation of a call whose values were about to end with success."""
    for _, trouble in values.troubles:
        if incoming.ends(trouble):
            raise trouble


def _late(values: Values, found: Reply, bound: Bound, incoming: Incoming) -> Reply:
    """End as many values as possible of a call whose deadline has passed meanwhile."""
    values.cause = values.cause or cause_of(found)
    values.leave_here()
    _release_and_log(values, bound.name, incoming)
    values.after = ()
    return found


async def guarded(incoming: Incoming, call: Coroutine[Any, Any, T]) -> T:
    """The result of *call*; if it is cancelled, its values end before the cancellation goes on."""
    try:
        return await call
    except BaseException as exception:
        await lost(incoming, exception)
        raise


async def lost(incoming: Incoming, why: BaseException) -> None:
    """End the values of a call that is cancelled; nothing may be awaited where its loop ends."""
    if isinstance(why, GeneratorExit):
        abandon(incoming, why)
    else:
        await abandoned(incoming, why)


async def abandoned(incoming: Incoming, why: BaseException) -> None:
    """End the values of a call without a reply, if it has any."""
    values = _values_given_up(incoming, why)
    if values is not None:
        values.leave_here()
        try:
            with suppress(Refused):  # its deadline has passed, so nobody waits any more
                await _leave(values, incoming)
        finally:
            abandon(incoming, why)


def abandon(incoming: Incoming, why: BaseException) -> None:
    """End the values of a call without a reply, as far as that is possible without awaiting."""
    values = _values_given_up(incoming, why)
    if values is not None:
        values.leave_here()
        values.after = ()
        _release_and_log(values, incoming.route, incoming)


def _values_given_up(incoming: Incoming, why: BaseException) -> Values | None:
    """The values of a call that is given up, if it has any; it cannot make more."""
    # a request may be given up before it reaches the service, which sets them
    values: Values | None = getattr(incoming, "values", None)
    if values is None or values is OVER:
        incoming.values = OVER
        return None
    values.settle(why)
    values.cause = values.cause or why  # they may have been about to end with success
    return values


async def _leave(values: Values, incoming: Incoming) -> None:
    """End the values, each in its own thread or loop."""
    # set only once the call has been in a thread
    hop = getattr(incoming, "hop", None)
    if values.found and hop is not None and hop.given_up is not None:
        # the thread that has the others has not finished yet
        await incoming.awaited(partial(values.leave_on_loop, past=True))
        return
    # They end in reverse order, so the loop and the thread that is kept take turns, as long as one
    # of them ends any. What neither ends belongs to a thread of the user's, and is given up.
    while values.found:
        left = len(values.found)
        await incoming.awaited(values.leave_on_loop)
        if len(values.found) == left:
            if values.kept is not None:
                await incoming.offload("values", values.leave_here)
            if len(values.found) == left:
                values.drop()
        values.leave_here()


def followers(incoming: Incoming) -> tuple[After, ...]:
    """The functions to call now that the reply is on its way; each once."""
    values = incoming.values or OVER
    found = values.after
    if found:  # `OVER` has none, and is shared by all calls, so it is never written
        values.after = ()
    return found


def tell(incoming: Incoming, fn: Callable[..., object], raised: BaseException) -> None:
    """Log an exception of a function that was called after the reply."""
    message = f"{simple_name(fn)} raised, which after_commit() was given"
    log_exception(message, raised, incoming.route, incoming.request_id)


def _release_and_log(values: Values, route: str, incoming: Incoming) -> Reply | None:
    """
    Release what is kept for the values, and log those that failed at their end.

    Return the reply if any failed.
    """
    values.release()
    for name, trouble in values.troubles:
        # the client has gone while the call was about to end with success
        if not incoming.ends(trouble):
            message = f"the provider {name} failed at its end"
            log_exception(message, trouble, route, incoming.request_id)
    if not values.troubles:
        return None
    _, first = values.troubles[0]
    return failed("INTERNAL_ERROR", exception=first)
