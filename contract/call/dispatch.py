"""
Dispatch: running the user's code in a call, and what happens with its result.

That code is the function that authenticates, the hooks, and the resolver. The input is loaded and
the output is written in between. It is total: whatever a body contains and whatever that code does,
there is a reply.

Synchronous code runs here if it may (``*_here``, and `output_of`), else in a thread.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, TypeVar, cast

from contract.call.bound import Bound, BoundHook, HookRun
from contract.call.cached import weighed
from contract.call.context import Reply
from contract.call.incoming import Incoming, Lane, Refused
from contract.call.replies import (
    broken,
    crashed,
    failed,
    given_words,
    raised,
    refused,
    returned_words,
    unread,
    unwritten,
    written,
)
from contract.declare.authenticator import Authenticator
from contract.declare.failures import BUILTINS, Failure
from contract.declare.hook import LiveCall
from contract.declare.resolver import place_of
from contract.pred.dump.scalars import a_value, class_name
from contract.shape.exceptions import InvalidOutput

__all__ = [
    "AUTHENTICATE",
    "NOT_YET",
    "authenticate",
    "authenticate_here",
    "call_here",
    "context_here",
    "context_of",
    "in_thread",
    "invoke",
    "judged",
    "output_of",
    "outputless",
    "pass_hooks",
]


T = TypeVar("T")


async def in_thread(
    incoming: Incoming, lane: Lane, fn: Callable[..., T], *args: object
) -> T | Reply:
    """Call a synchronous function in a thread; return the reply if no thread is free for it."""
    try:
        return await incoming.offload(lane, fn, *args)
    except Refused as refusal:
        return refused(refusal)


# Before the body: the context, and the hooks that do not ask for the input.


async def context_of(bound: Bound, token: str, incoming: Incoming) -> Any:
    """
    Run everything before the body; return the context, or the reply that refuses the call.

    That is the function that authenticates, if there is a *token*, and then the hooks that do not
    ask for the input.
    """
    if bound.admitted_at_once and not incoming.blocks:
        return await in_thread(incoming, "hooks", context_here, bound, token, incoming)
    ctx = None
    if token:
        ctx = await authenticate(bound, token, incoming)
    if not bound.early or type(ctx) is Reply:
        return ctx
    refusal = await pass_hooks(bound, bound.early, ctx, None, incoming)
    return ctx if refusal is None else refusal


def context_here(bound: Bound, token: str, incoming: Incoming) -> Any:
    """Run all of that in this thread, as `context_of` does, if none is async; never raises."""
    ctx = None
    if token:
        ctx = authenticate_here(bound, token, incoming)
    if not bound.early or type(ctx) is Reply:
        return ctx
    refusal = _pass_hooks_here(bound, bound.early_hooks, ctx, None, incoming)
    return ctx if refusal is None else refusal


async def authenticate(bound: Bound, token: str, incoming: Incoming) -> Any:
    """
    Make the context by the authenticator of a route, or return the reply that refuses the call.

    The UNAUTHORIZED for a refused token has no challenge yet: the caller of this function knows the
    surface, and adds it.
    """
    authenticator = bound.authenticator
    if authenticator is None or not authenticator.is_async:
        if incoming.blocks or authenticator is None or authenticator.inline:
            return authenticate_here(bound, token, incoming)
        return await in_thread(incoming, "hooks", authenticate_here, bound, token, incoming)
    try:
        ctx = await incoming.awaited(authenticator.function, token, incoming.request())
    except BaseException as exception:
        if incoming.ends(exception):
            raise
        return raised(bound, exception, incoming, AUTHENTICATE)
    if type(ctx) is bound.context:
        return ctx
    return judged(bound, ctx, incoming)


def authenticate_here(bound: Bound, token: str, incoming: Incoming) -> Any:
    """Run a synchronous authenticator in this thread; never raises."""
    authenticator = bound.authenticator
    if authenticator is None:
        # spec() refuses a bearer route without an authenticator; if one comes here all the same,
        # nobody is let in
        return failed("INTERNAL_ERROR")
    try:
        ctx = authenticator.function(token, incoming.request())
    except BaseException as exception:  # noqa: BLE001  whatever it is, there is a reply
        return raised(bound, exception, incoming, AUTHENTICATE)
    if type(ctx) is bound.context:
        return ctx
    return judged(bound, ctx, incoming)


def judged(bound: Bound, ctx: Any, incoming: Incoming) -> Any:
    """
    The context from ``authenticate``, or the reply if it refused or returned a wrong value.
    """
    # a function that answers yes or no is wrong; its no is respected, and its yes is refused below
    if ctx is None or ctx is False:
        return failed("UNAUTHORIZED")
    # do not ask the context itself for its class: it may be a proxy that raises
    kind = cast("type[object]", type(ctx))
    if issubclass(kind, Failure):
        if kind not in BUILTINS:
            problem = f"{AUTHENTICATE} returned {kind.__name__}, which is not a builtin failure"
            return broken(bound, problem, incoming)
        try:
            return bound.failures[kind].reply(ctx)
        except InvalidOutput as invalid:
            return broken(
                bound, f"{AUTHENTICATE} returned wrong data: {invalid}", incoming, invalid
            )
    authenticator = cast("Authenticator", bound.authenticator)
    wrong = _wrong_context(ctx, kind, authenticator.contexts)
    if wrong is None:
        return ctx
    place = place_of(authenticator.function)
    return broken(bound, f"{AUTHENTICATE} returned {wrong} ({place})", incoming)


AUTHENTICATE: Final = "the authenticate hook"
"""The function that authenticates, as a log speaks of it."""


def _wrong_context(
    ctx: object, kind: type[object], contexts: tuple[type, ...] | None
) -> str | None:
    """
    The problem with a context; None if it is right.

    A context is wrong if it would let everybody in, or if ``authenticate`` does not declare it.
    """
    try:
        if hasattr(kind, "__await__"):  # a coroutine is true
            return f"{given_words(ctx)}, or write async def"
        if kind is type and issubclass(cast("type[object]", ctx), Failure):
            return given_words(ctx)
        # isinstance() also accepts a proxy of such an object
        if contexts is None or issubclass(kind, contexts) or isinstance(ctx, contexts):
            return None
    except BaseException:  # noqa: BLE001, S110  a proxy that stands for nothing
        pass
    declared = " | ".join(map(class_name, contexts or ()))
    return f"{a_value(ctx)}, and declares {declared or 'none'}"


async def pass_hooks(
    bound: Bound, runs: tuple[HookRun, ...], ctx: Any, value: Any, incoming: Incoming
) -> Reply | None:
    """
    Run hooks before *bound*; return the reply if one of them refuses the call.

    *value* is the input; None before it is read.
    """
    for run in runs:
        if run.is_async:
            refusal = await _pass_async(bound, run.hooks[0], ctx, value, incoming)
        elif incoming.blocks or run.inline:
            refusal = _pass_hooks_here(bound, run.hooks, ctx, value, incoming)
        else:
            given = (bound, run.hooks, ctx, value, incoming)
            refusal = await in_thread(incoming, "hooks", _pass_hooks_here, *given)
        if refusal is not None:
            return refusal
    return None


async def _pass_async(
    bound: Bound, hook: BoundHook, ctx: Any, value: Any, incoming: Incoming
) -> Reply | None:
    try:
        given = await incoming.awaited(hook.function, LiveCall(ctx, value, bound.name, incoming))
    except BaseException as exception:
        if incoming.ends(exception):
            raise
        return raised(bound, exception, incoming, f"the hook {hook.name}")
    if given is None:
        return None
    return _turned_away(bound, hook, given, incoming)


def _pass_hooks_here(
    bound: Bound, hooks: tuple[BoundHook, ...], ctx: Any, value: Any, incoming: Incoming
) -> Reply | None:
    """Run synchronous *hooks* in this thread; never raises."""
    call = LiveCall(ctx, value, bound.name, incoming)
    for hook in hooks:
        try:
            given = hook.function(call)
        except BaseException as exception:  # noqa: BLE001  whatever it is, there is a reply
            return raised(bound, exception, incoming, f"the hook {hook.name}")
        if given is not None:
            return _turned_away(bound, hook, given, incoming)
    return None


def _turned_away(bound: Bound, hook: BoundHook, given: object, incoming: Incoming) -> Reply:
    """The reply for the result of a *hook*, which must be a failure that it declares."""
    who = f"the hook {hook.name}"
    try:
        writer = hook.failures.get(cast("type[Failure]", type(given)))
        if writer is not None:
            return writer.reply(cast("Failure", given))
        declared = returned_words(hook.function)
        problem = f"{who} returned {given_words(given)}, and its annotation declares {declared}"
    except InvalidOutput as invalid:
        problem = f"{who} returned wrong data: {invalid} ({hook.where})"
        return broken(bound, problem, incoming, invalid)
    except BaseException as exception:  # noqa: BLE001  objects of the user's are looked into
        return crashed(bound, exception, f"writing what {who} returned raised", incoming)
    return broken(bound, f"{problem} ({hook.where})", incoming)


# The call itself: the input is loaded, the hooks that ask for it run, then the resolver, and the
# output is written. All but the hooks is written out three times, in `Service.answer`, `invoke` and
# `output_of`, since a function of ours in between costs a small call too much: change all three.


async def invoke(bound: Bound, body: bytes, ctx: Any, incoming: Incoming) -> bytes | Reply:
    """Run the call itself; return the JSON of its output, or the reply if there is none."""
    if bound.in_steps:
        return await _invoke_in_steps(bound, body, ctx, incoming)
    if not bound.is_async:
        if incoming.blocks or bound.inline:
            return output_of(bound, body, ctx, incoming)
        return await in_thread(incoming, bound.lane, output_of, bound, body, ctx, incoming)
    value = result = NOT_YET
    try:
        value = bound.input.load(body)
        result = await incoming.awaited(bound.resolver, value, ctx)
        if isinstance(result, Failure):
            return written(bound, result)
        output: bytes | Reply = bound.output.dump(result)
        if incoming.method != "POST":
            return weighed(incoming, output)
        return output
    except BaseException as exception:
        if incoming.ends(exception):
            raise
        return outputless(bound, value, result, exception, incoming)


async def _invoke_in_steps(
    bound: Bound, body: bytes, ctx: Any, incoming: Incoming
) -> bytes | Reply:
    """Run the call if the hooks that ask for its input run in another place than the resolver."""
    if incoming.blocks or bound.is_async or bound.inline:
        value: Any = _loaded(bound, body, incoming)
    else:
        value = await in_thread(incoming, bound.lane, _loaded, bound, body, incoming)
    if type(value) is Reply:
        return value
    refusal = await pass_hooks(bound, bound.late, ctx, value, incoming)
    if refusal is not None:
        return refusal
    return await invoke(bound.loaded, value, ctx, incoming)


def _loaded(bound: Bound, body: bytes, incoming: Incoming) -> Any:
    """The input, or the reply if it is refused; never raises."""
    try:
        return bound.input.load(body)
    except BaseException as exception:  # noqa: BLE001
        return unread(bound, exception, incoming)


def output_of(bound: Bound, body: bytes, ctx: Any, incoming: Incoming) -> bytes | Reply:
    """
    Run the call in this thread, if neither it nor the hooks that ask for its input are async.

    It never raises.
    """
    value = result = NOT_YET
    try:
        value = bound.input.load(body)
        if bound.late_hooks:
            refusal = _pass_hooks_here(bound, bound.late_hooks, ctx, value, incoming)
            if refusal is not None:
                return refusal
        result = bound.resolver(value, ctx)
        if isinstance(result, Failure):
            return written(bound, result)
        output: bytes | Reply = bound.output.dump(result)
        if incoming.method != "POST":
            return weighed(incoming, output)
        return output
    except BaseException as exception:  # noqa: BLE001  whatever it is, there is a reply
        return outputless(bound, value, result, exception, incoming)


def call_here(bound: Bound, token: str, body: bytes, incoming: Incoming) -> bytes | Reply:
    """Run a whole call in this thread, which is not that of the request; never raises."""
    ctx = context_here(bound, token, incoming)
    incoming.authenticated()
    if type(ctx) is Reply:
        return ctx
    return output_of(bound, body, ctx, incoming)


NOT_YET: Final[Any] = object()
"""Marks an input or a result that does not exist yet."""


def outputless(
    bound: Bound, value: object, result: object, exception: BaseException, incoming: Incoming
) -> Reply:
    """The reply to a call that an *exception* ended, given how far it had come."""
    if value is NOT_YET:  # from a user's __post_init__, predicate or default factory
        return unread(bound, exception, incoming)
    if result is NOT_YET:
        return raised(bound, exception, incoming)
    return unwritten(bound, result, exception, incoming)  # the user's objects are inspected
