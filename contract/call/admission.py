"""
Admission: what stands before a call, and gives its context or refuses it.

That is the function that authenticates, and then the hooks before the resolver.
"""

from __future__ import annotations

from typing import Any, cast

from contract.call.bound import Bound, BoundHook, HookRun
from contract.call.context import Reply
from contract.call.message import Incoming
from contract.call.replies import (
    Refused,
    broken,
    crashed,
    failed,
    given_words,
    raised,
    refused,
    returned_words,
)
from contract.declare.authenticator import Authenticator
from contract.declare.failures import BUILTINS, Failure
from contract.declare.hook import LiveCall
from contract.declare.resolver import place_of
from contract.pred.dump.scalars import a_value, class_name
from contract.shape.exceptions import InvalidOutput

__all__ = [
    "admit",
    "admit_here",
    "authenticate",
    "authenticate_here",
    "pass_hooks",
    "pass_hooks_here",
]


async def authenticate(bound: Bound, token: str, incoming: Incoming) -> tuple[Any, Reply | None]:
    """
    Ask the authenticator of a route for the context, or give the reply that refuses the call.

    The UNAUTHORIZED for a refused token has no challenge yet: the caller, who knows the surface,
    adds it.
    """
    authenticator = bound.authenticator
    if authenticator is not None and authenticator.is_async:
        try:
            ctx = await incoming.awaited(authenticator.function, token, incoming.request())
        except BaseException as exception:
            if incoming.ends(exception):
                raise
            return None, raised(bound, exception, incoming, "the authenticate hook")
        return _judged(authenticator, bound, ctx, incoming)
    if incoming.blocks or authenticator is None or authenticator.inline:
        return authenticate_here(bound, token, incoming)
    try:
        return await incoming.offload("hooks", authenticate_here, bound, token, incoming)
    except Refused as refusal:
        return None, refused(refusal)


def authenticate_here(bound: Bound, token: str, incoming: Incoming) -> tuple[Any, Reply | None]:
    """Run a synchronous hook in this thread; raises nothing."""
    authenticator = bound.authenticator
    if authenticator is None:
        # spec() refuses a bearer route without a hook; should one come here all the same, nobody is
        # let in
        return None, failed("INTERNAL_ERROR")
    try:
        ctx = authenticator.function(token, incoming.request())
    except BaseException as exception:  # noqa: BLE001  whatever it is, there is a reply
        return None, raised(bound, exception, incoming, "the authenticate hook")
    return _judged(authenticator, bound, ctx, incoming)


def _judged(
    authenticator: Authenticator, bound: Bound, ctx: Any, incoming: Incoming
) -> tuple[Any, Reply | None]:
    """The context that a hook gave, or the reply where it refused, or gave what it may not."""
    # a hook that answers yes or no is wrong; its no is believed, and its yes is refused below
    if ctx is None or ctx is False:
        return None, failed("UNAUTHORIZED")
    # the context itself is not asked for its class: it may be a proxy that raises
    kind = cast("type[object]", type(ctx))
    contexts = authenticator.contexts
    if contexts is not None:
        for declared in contexts:
            if kind is declared:
                return ctx, None
    if issubclass(kind, Failure):
        writer = bound.failures.get(kind) if kind in BUILTINS else None
        if writer is None:
            return None, broken(
                bound,
                f"the authenticate hook returned {kind.__name__}, which is no builtin failure",
                incoming,
            )
        try:
            refusal = writer.reply(ctx)
            refusal.cause = ctx
            return None, refusal
        except InvalidOutput as invalid:
            return None, broken(
                bound, f"the authenticate hook returned wrong data: {invalid}", incoming, invalid
            )
    wrong = _wrong_context(ctx, kind, contexts)
    if wrong is not None:
        place = place_of(authenticator.function)
        return None, broken(bound, f"the authenticate hook returned {wrong} ({place})", incoming)
    return ctx, None


def _wrong_context(
    ctx: object, kind: type[object], contexts: tuple[type, ...] | None
) -> str | None:
    """
    The words for a context that will not do, or None where it is right.

    Wrong is a context that would let everybody in, and one that the hook does not declare.
    """
    try:
        if hasattr(kind, "__await__"):  # a coroutine is true
            return f"{given_words(ctx)}, or write async def"
        if kind is type and issubclass(cast("type[object]", ctx), Failure):
            return given_words(ctx)
        # isinstance() also asks a proxy what it stands for
        if contexts is None or issubclass(kind, contexts) or isinstance(ctx, contexts):
            return None
    except BaseException:  # noqa: BLE001, S110  a proxy that stands for nothing
        pass
    return f"{a_value(ctx)}, and declares {' | '.join(map(class_name, contexts or ())) or 'none'}"


async def admit(bound: Bound, token: str, incoming: Incoming) -> tuple[Any, Reply | None]:
    """
    Run all that stands before the body, and give the context or the reply that refuses the call.

    That is the hook that authenticates, where there is a *token*, and then the hooks that do not
    ask for the input.
    """
    if bound.admitted_at_once and not incoming.blocks:
        try:
            return await incoming.offload("hooks", admit_here, bound, token, incoming)
        except Refused as refusal:
            return None, refused(refusal)
    ctx: Any = None
    if token:
        ctx, denied = await authenticate(bound, token, incoming)
        if denied is not None:
            return None, denied
    return ctx, await pass_hooks(bound, bound.early, ctx, None, incoming)


def admit_here(bound: Bound, token: str, incoming: Incoming) -> tuple[Any, Reply | None]:
    """Run all that stands before the body in this thread, where none of it is async."""
    ctx: Any = None
    if token:
        ctx, denied = authenticate_here(bound, token, incoming)
        if denied is not None:
            return None, denied
    return ctx, pass_hooks_here(bound, bound.early_hooks, ctx, None, incoming)


async def pass_hooks(
    bound: Bound, runs: tuple[HookRun, ...], ctx: Any, value: Any, incoming: Incoming
) -> Reply | None:
    """
    Run hooks before *bound*, and give the reply that refuses the call, if one does.

    Args:
        bound: The route.
        runs: The hooks.
        ctx: The context, None for public routes.
        value: The input, None before it is read.
        incoming: The request.
    """
    for run in runs:
        if run.is_async:
            refusal = await _pass_async(bound, run.hooks[0], ctx, value, incoming)
        elif incoming.blocks or run.inline:
            refusal = pass_hooks_here(bound, run.hooks, ctx, value, incoming)
        else:
            try:
                refusal = await incoming.offload(
                    "hooks", pass_hooks_here, bound, run.hooks, ctx, value, incoming
                )
            except Refused as refused_:
                return refused(refused_)
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
    return None if given is None else _turned_away(bound, hook, given, incoming)


def pass_hooks_here(
    bound: Bound, hooks: tuple[BoundHook, ...], ctx: Any, value: Any, incoming: Incoming
) -> Reply | None:
    """Run synchronous *hooks* in this thread; raises nothing."""
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
    """The reply for what a *hook* returned, which has to be a failure that it declares."""
    who = f"the hook {hook.name}"
    try:
        writer = hook.failures.get(cast("type[Failure]", type(given)))
        if writer is not None:
            reply = writer.reply(cast("Failure", given))
            reply.cause = given
            return reply
        declared = returned_words(hook.function)
        problem = f"{who} returned {given_words(given)}, and its annotation declares {declared}"
    except InvalidOutput as invalid:
        problem = f"{who} returned wrong data: {invalid} ({hook.where})"
        return broken(bound, problem, incoming, invalid)
    except BaseException as exception:  # noqa: BLE001  objects of the user's are looked into
        return crashed(bound, exception, f"writing what {who} returned raised", incoming)
    return broken(bound, f"{problem} ({hook.where})", incoming)
