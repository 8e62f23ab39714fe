"""
Dispatch: one call, from a token and a body to a reply.

It is total: whatever a body holds and whatever a user's code does, there is a reply, and no text of
an exception is in it. One function, `failed`, turns every refusal into its reply, and another,
`_written`, every failure that a resolver returns, for HTTP and MCP alike.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, TypeVar, cast

import orjson

from contract.call.bearer import TOO_LONG, NoToken, challenge
from contract.call.bound import Bound, BoundHook, HookRun
from contract.call.context import Reply
from contract.call.log import log_exception
from contract.call.message import Incoming
from contract.declare.failures import (
    BUILTINS,
    FRAMEWORK,
    Failure,
    raised_failure,
)
from contract.declare.hook import LiveCall
from contract.declare.resolver import place_of
from contract.declare.spec import AnySpec
from contract.pred.dump.scalars import a_value, class_name, type_name
from contract.shape import (
    Unresolved,
    signature_of,
)
from contract.shape.exceptions import InvalidInput, InvalidOutput
from contract.shape.issues import to_json
from contract.shape.scope import display

__all__ = [
    "Challenges",
    "Refused",
    "admit",
    "admit_here",
    "authenticate",
    "authenticate_here",
    "failed",
    "invoke",
    "output_behind_hooks",
    "output_of",
    "pass_hooks",
    "pass_hooks_here",
    "refused",
]


T = TypeVar("T")


class Refused(Exception):  # noqa: N818  a signal from the place where a call runs
    """
    The call cannot go on: the pool is full, the body is too large, the deadline has passed ...

    Attributes:
        code: A framework code, or SERVICE_UNAVAILABLE.
        headers: Headers of the reply.
        data: The data of the error.
    """

    def __init__(self, code: str, headers: tuple[tuple[str, str], ...] = (), **data: Any) -> None:
        super().__init__(code)
        self.code: Final = code
        self.headers: Final = headers
        self.data: Final = data


_STATUS: Final[Mapping[str, int]] = {code: status for code, (status, _) in FRAMEWORK.items()} | {
    "SERVICE_UNAVAILABLE": 503
}


def failed(
    code: str,
    headers: tuple[tuple[str, str], ...] = (),
    exception: BaseException | None = None,
    **data: Any,
) -> Reply:
    """
    The reply that carries a framework *code*.

    An INTERNAL_ERROR has no data, and *exception* is for the log alone.
    """
    body: dict[str, Any] = {"error": code}
    if data:
        body["data"] = data
    return Reply(_STATUS[code], code, orjson.dumps(body), headers, exception)


class Challenges:
    """
    The replies to calls without a good token (RFC 6750, section 3).

    Args:
        realm: The title of the spec.
    """

    __slots__ = ("_invalid", "_missing", "_too_long")

    def __init__(self, realm: str) -> None:
        self._missing: Final = (("www-authenticate", challenge(realm, invalid=False)),)
        self._invalid: Final = (("www-authenticate", challenge(realm, invalid=True)),)
        self._too_long: Final = (
            ("www-authenticate", challenge(realm, invalid=True, why=TOO_LONG)),
        )

    def refuse(self, why: NoToken) -> Reply:
        """The reply to a call without a token, or with none that a hook gets to see."""
        if why is NoToken.REPEATED:
            return failed(
                "BAD_REQUEST", message="Send the Authorization header once, with one token."
            )
        others = {NoToken.MISSING: self._missing, NoToken.TOO_LONG: self._too_long}
        return failed("UNAUTHORIZED", others.get(why, self._invalid))

    def challenged(self, refusal: Reply) -> Reply:
        """*refusal* of a hook's, with the challenge that a 401 needs."""
        if refusal.code == "UNAUTHORIZED":
            refusal.headers = self._invalid
        return refusal


async def authenticate(
    spec: AnySpec, bound: Bound, token: str, incoming: Incoming
) -> tuple[Any, Reply | None]:
    """
    Run the hook of *spec*, and give the context or the reply that refuses the call.

    The UNAUTHORIZED for a refused token has no challenge yet: the caller, who knows the surface,
    adds it.
    """
    if spec.authenticate_is_async:
        hook: Any = spec.authenticate
        try:
            ctx = await incoming.awaited(hook, token, incoming.request())
        except BaseException as exception:
            if incoming.ends(exception):
                raise
            return None, _raised(bound, exception, incoming, "the authenticate hook")
        return _judged(spec, bound, ctx, incoming)
    if incoming.blocks or spec.authenticate_inline:
        return authenticate_here(spec, bound, token, incoming)
    try:
        return await incoming.offload("hooks", authenticate_here, spec, bound, token, incoming)
    except Refused as refusal:
        return None, refused(refusal)


def authenticate_here(
    spec: AnySpec, bound: Bound, token: str, incoming: Incoming
) -> tuple[Any, Reply | None]:
    """Run a synchronous hook in this thread; raises nothing."""
    hook = spec.authenticate
    if hook is None:
        # spec() refuses a bearer route without a hook; should one come here all the same, nobody is
        # let in
        return None, failed("INTERNAL_ERROR")
    try:
        ctx = hook(token, incoming.request())
    except BaseException as exception:  # noqa: BLE001  whatever it is, there is a reply
        return None, _raised(bound, exception, incoming, "the authenticate hook")
    return _judged(spec, bound, ctx, incoming)


def _judged(spec: AnySpec, bound: Bound, ctx: Any, incoming: Incoming) -> tuple[Any, Reply | None]:
    """The context that a hook gave, or the reply where it refused, or gave what it may not."""
    # a hook that answers yes or no is wrong; its no is believed, and its yes is refused below
    if ctx is None or ctx is False:
        return None, failed("UNAUTHORIZED")
    # the context itself is not asked for its class: it may be a proxy that raises
    kind = cast("type[object]", type(ctx))
    if spec.contexts is not None:
        for declared in spec.contexts:
            if kind is declared:
                return ctx, None
    if issubclass(kind, Failure):
        writer = bound.failures.get(kind) if kind in BUILTINS else None
        if writer is None:
            return None, _broken(
                bound,
                f"the authenticate hook returned {kind.__name__}, which is no builtin failure",
                incoming,
            )
        try:
            refusal = writer.reply(ctx)
            refusal.cause = ctx
            return None, refusal
        except InvalidOutput as invalid:
            return None, _broken(
                bound, f"the authenticate hook returned wrong data: {invalid}", incoming, invalid
            )
    wrong = _wrong_context(ctx, kind, spec.contexts)
    if wrong is not None:
        hook = cast("Callable[..., Any]", spec.authenticate)
        return None, _broken(
            bound, f"the authenticate hook returned {wrong} ({place_of(hook)})", incoming
        )
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
            return f"{_given(ctx)}, or write async def"
        if kind is type and issubclass(cast("type[object]", ctx), Failure):
            return _given(ctx)
        # isinstance() also asks a proxy what it stands for
        if contexts is None or issubclass(kind, contexts) or isinstance(ctx, contexts):
            return None
    except BaseException:  # noqa: BLE001, S110  a proxy that stands for nothing
        pass
    return f"{a_value(ctx)}, and declares {' | '.join(map(class_name, contexts or ())) or 'none'}"


async def admit(
    spec: AnySpec, bound: Bound, token: str, incoming: Incoming
) -> tuple[Any, Reply | None]:
    """
    Run all that stands before the body, and give the context or the reply that refuses the call.

    That is the hook that authenticates, where the route has a *token*, and then the hooks that do
    not ask for the input.
    """
    if bound.admitted_at_once and not incoming.blocks:
        try:
            return await incoming.offload("hooks", admit_here, spec, bound, token, incoming)
        except Refused as refusal:
            return None, refused(refusal)
    ctx: Any = None
    if bound.auth:
        ctx, denied = await authenticate(spec, bound, token, incoming)
        if denied is not None:
            return None, denied
    return ctx, await pass_hooks(bound, bound.early, ctx, None, incoming)


def admit_here(
    spec: AnySpec, bound: Bound, token: str, incoming: Incoming
) -> tuple[Any, Reply | None]:
    """Run all that stands before the body in this thread, where none of it is async."""
    ctx: Any = None
    if bound.auth:
        ctx, denied = authenticate_here(spec, bound, token, incoming)
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
        return _raised(bound, exception, incoming, f"the hook {hook.name}")
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
            return _raised(bound, exception, incoming, f"the hook {hook.name}")
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
        declared = _returns(hook.function)
        problem = f"{who} returned {_given(given)}, and its annotation declares {declared}"
    except InvalidOutput as invalid:
        problem = f"{who} returned wrong data: {invalid} ({hook.where})"
        return _broken(bound, problem, incoming, invalid)
    except BaseException as exception:  # noqa: BLE001  objects of the user's are looked into
        return _crashed(bound, exception, f"writing what {who} returned raised", incoming)
    return _broken(bound, f"{problem} ({hook.where})", incoming)


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
            return await incoming.offload("routes", output_of, bound, body, ctx, incoming)
        except Refused as refusal:
            return refused(refusal)
    try:
        value = bound.input.load(body)
    except BaseException as exception:  # noqa: BLE001
        # a user's __post_init__, predicate or default factory
        return _unread(bound, exception, incoming)
    try:
        result = await incoming.awaited(bound.resolver, value, ctx)
    except BaseException as exception:
        if incoming.ends(exception):
            raise
        return _raised(bound, exception, incoming)
    try:
        return (
            bound.output.dump(result)
            if not isinstance(result, Failure)
            else _written(bound, result)
        )
    except BaseException as exception:  # noqa: BLE001  objects of the user's are looked into
        return _unwritten(bound, result, exception, incoming)


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
    return await incoming.offload("routes", part, bound, *args, incoming)


def output_behind_hooks(bound: Bound, body: bytes, ctx: Any, incoming: Incoming) -> bytes | Reply:
    """
    Run the call in this thread, where hooks ask for its input, and neither they nor it is async.

    It raises nothing.
    """
    try:
        value: Any = bound.input.load(body)
    except BaseException as exception:  # noqa: BLE001
        # a user's __post_init__, predicate or default factory
        return _unread(bound, exception, incoming)
    refusal = pass_hooks_here(bound, bound.late_hooks, ctx, value, incoming)
    return output_of(bound.loaded, value, ctx, incoming) if refusal is None else refusal


def _load(bound: Bound, body: bytes, incoming: Incoming) -> tuple[Any, Reply | None]:
    """The input, or the reply where it is refused; raises nothing."""
    try:
        return bound.input.load(body), None
    except BaseException as exception:  # noqa: BLE001
        # a user's __post_init__, predicate or default factory
        return None, _unread(bound, exception, incoming)


def output_of(bound: Bound, body: bytes, ctx: Any, incoming: Incoming) -> bytes | Reply:
    """Run the call of a synchronous route in this thread; raises nothing."""
    try:
        value = bound.input.load(body)
    except BaseException as exception:  # noqa: BLE001
        # a user's __post_init__, predicate or default factory
        return _unread(bound, exception, incoming)
    try:
        result = bound.resolver(value, ctx)
    except BaseException as exception:  # noqa: BLE001  whatever it is, there is a reply
        return _raised(bound, exception, incoming)
    try:
        return (
            bound.output.dump(result)
            if not isinstance(result, Failure)
            else _written(bound, result)
        )
    except BaseException as exception:  # noqa: BLE001  objects of the user's are looked into
        return _unwritten(bound, result, exception, incoming)


def _unread(bound: Bound, exception: BaseException, incoming: Incoming) -> Reply:
    """The reply to an input that is refused, or on which a user's code raised."""
    if isinstance(exception, InvalidInput):
        reply = _invalid(exception)
        reply.cause = exception
        return reply
    return _crashed(bound, exception, "reading the input raised", incoming)


def _written(bound: Bound, failure: Failure, *, mapped: bool = False) -> Reply:
    """
    The reply for a failure that a resolver returned; raises where something is wrong with it.

    What an exception was *mapped* to may be a failure of a hook, too.
    """
    writer = (bound.every_failure if mapped else bound.failures).get(type(failure))
    if writer is None:
        raise _Undeclared(f"{_given(failure)}, and its annotation declares {_declared(bound)}")
    reply = writer.reply(failure)
    reply.cause = failure
    return reply


class _Undeclared(Exception):  # noqa: N818  never leaves this module
    """A failure that the route does not declare."""


def _unwritten(bound: Bound, value: object, exception: BaseException, incoming: Incoming) -> Reply:
    """The reply for a *value* that a resolver should not have returned."""
    if isinstance(exception, _Undeclared):
        reply = _broken(bound, f"the resolver returned {exception} ({bound.where})", incoming)
        reply.cause = InvalidOutput((), str(exception))
        return reply
    if not isinstance(exception, InvalidOutput):
        return _crashed(bound, exception, f"writing the output raised ({bound.where})", incoming)
    try:
        problem = _misfit(bound, value, exception)
    except BaseException:  # noqa: BLE001  this looks into classes and annotations of the user's
        problem = f"the returned value does not fit its declared type: {exception}"
    return _broken(bound, f"{problem} ({bound.where})", incoming, exception)


def _misfit(bound: Bound, value: object, invalid: InvalidOutput) -> str:
    """The words for a value that does not fit, with the mend where that is plain."""
    if isinstance(value, Failure):
        return f"the data of the returned {type_name(value)} do not fit what it declares: {invalid}"
    if value is None and not invalid.path:
        return f"the resolver returned None, and declares {_declared(bound)}; is a return missing?"
    return f"the resolver declares {_declared(bound)}, and returned {_given(value)}; {invalid}"


def _given(value: object) -> str:
    """The words for a value that was not declared; they hold its type, never the value itself."""
    kind = type(value)
    if kind is type and issubclass(cast("type[object]", value), Failure):
        name = class_name(cast("type[object]", value))
        return f"the class {name}; write {name}()"
    return f"{a_value(value)}; await it" if hasattr(kind, "__await__") else a_value(value)


def _declared(bound: Bound) -> str:
    return _returns(bound.resolver)


def _returns(function: Callable[..., object]) -> str:
    """The return annotation of a resolver or a hook."""
    returns = signature_of(function).returns
    return returns.text if isinstance(returns, Unresolved) else display(returns)


def _invalid(invalid: InvalidInput) -> Reply:
    data: dict[str, Any] = {"issues": [to_json(issue) for issue in invalid.issues]}
    if invalid.truncated:
        data["truncated"] = True
    return failed("VALIDATION_ERROR", **data)


def refused(refusal: Refused) -> Reply:
    """The reply to a call that cannot go on."""
    return failed(refusal.code, refusal.headers, **refusal.data)


def _raised(
    bound: Bound, exception: BaseException, incoming: Incoming, who: str = "the resolver"
) -> Reply:
    """The reply to what a resolver, or the hook before it, raised."""
    if isinstance(exception, Refused):
        return refused(exception)
    if raised_failure(exception):
        return _crashed(bound, exception, "failures are returned, not raised", incoming)
    if bound.map_error is None or not isinstance(exception, Exception):
        return _crashed(bound, exception, f"{who} raised", incoming)
    try:
        failure = bound.map_error(exception, incoming.request())
        if failure is not None:
            # before anything is logged: the failure may be none of the route's, or wrong
            reply = _written(bound, failure, mapped=True)
            reply.cause = exception
            _log(f"{who} raised, and was mapped", exception, bound, incoming)
            return reply
    except _Undeclared as undeclared:
        _log(f"handle_unhandled_error returned {undeclared} ({bound.where})", None, bound, incoming)
    except InvalidOutput as invalid:
        _log(f"handle_unhandled_error returned wrong data: {invalid}", None, bound, incoming)
    except BaseException as second:  # noqa: BLE001  whatever the mapper does, there is a reply
        _log("handle_unhandled_error raised", second, bound, incoming)
    return _crashed(bound, exception, f"{who} raised", incoming)


def _crashed(bound: Bound, exception: BaseException, message: str, incoming: Incoming) -> Reply:
    _log(message, exception, bound, incoming)
    return failed("INTERNAL_ERROR", exception=exception)


def _broken(
    bound: Bound, message: str, incoming: Incoming, cause: BaseException | None = None
) -> Reply:
    _log(message, None, bound, incoming)
    return failed("INTERNAL_ERROR", exception=cause)


def _log(message: str, exception: BaseException | None, bound: Bound, incoming: Incoming) -> None:
    log_exception(message, exception, route=bound.name, request_id=incoming.request_id)
