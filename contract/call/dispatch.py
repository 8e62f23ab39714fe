"""
Dispatch: one call, from a token and a body to a reply.

It is total: whatever a body holds and whatever a user's code does, there is a reply, and no text of
an exception is in it. One function, `failed`, turns every refusal into its reply, and another,
`_written`, every failure that a resolver returns, for HTTP and MCP alike.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import UTC, date, datetime
from email.utils import format_datetime
from typing import Any, Final, Literal, cast

import orjson

from contract.call.bearer import TOO_LONG, NoToken, challenge
from contract.call.context import Reply
from contract.call.log import log_exception
from contract.call.message import Incoming
from contract.declare.failures import (
    BUILTINS,
    FRAMEWORK,
    Failure,
    ServiceUnavailable,
    TooManyRequests,
    raised_failure,
)
from contract.declare.hook import Request
from contract.declare.resolver import place_of
from contract.declare.route import Route
from contract.declare.route_options import Deprecated
from contract.declare.spec import AnySpec, Entry
from contract.pred.compile import Pred, compile_pred
from contract.pred.dump.scalars import a_value, class_name, type_name
from contract.shape import (
    UNSET,
    Definition,
    NullableShape,
    RecordShape,
    RefShape,
    Shape,
    Unresolved,
    signature_of,
)
from contract.shape.exceptions import InvalidInput, InvalidOutput
from contract.shape.graph import takes_nothing
from contract.shape.issues import to_json
from contract.shape.scope import display

__all__ = [
    "Bound",
    "Challenges",
    "ErrorMapper",
    "Refused",
    "authenticate",
    "authenticate_here",
    "bind",
    "failed",
    "invoke",
    "output_of",
    "refused",
]

ErrorMapper = Callable[[Exception, Request], Failure | None]
"""
The type of `handle_unhandled_error`.

It maps an exception that a resolver or a hook raised to a builtin or a declared failure.
"""


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


class Bound:
    """A route of one mount, ready to be called: its preds are compiled at their first use."""

    __slots__ = (
        "auth",
        "failures",
        "inline",
        "input",
        "is_async",
        "map_error",
        "name",
        "notices",
        "output",
        "resolver",
        "where",
    )

    def __init__(
        self,
        entry: Entry,
        failures: Mapping[type[Failure], _FailureWriter],
        map_error: ErrorMapper | None,
    ) -> None:
        self.name: Final = entry.name
        self.auth: Final = entry.route.auth == "bearer"
        self.is_async: Final = entry.route.is_async
        self.inline: Final = entry.route.inline
        self.resolver: Final[Callable[..., Any]] = entry.route.resolver
        self.input: Final[Pred[Any] | _Nothing | _Defaults] = (
            _Nothing() if entry.input is None else _loader(entry.input, _home(entry.route))
        )
        self.output: Final[Pred[Any]] = compile_pred(entry.output)
        self.failures: Final = failures
        self.map_error: Final = map_error
        self.notices: Final = _notices(entry.route.deprecated)
        """The headers of each reply: when the route is deprecated, and when it goes away."""
        self.where: Final = entry.where
        """Module, function, file and line, for the log."""

    def preds(self) -> list[Pred[Any]]:
        """Every pred that a call may need; routes share those of failures."""
        found: list[Pred[Any]] = [self.output, *(writer.pred for writer in self.failures.values())]
        if isinstance(self.input, _Defaults):
            found.append(self.input.pred)
        elif not isinstance(self.input, _Nothing):
            found.append(self.input)
        return found


def _home(route: Route[Any, Any, Any]) -> str:
    """The top-level package of a resolver; the texts of its validators are shown to callers."""
    return route.__module__.partition(".")[0]


class _Nothing:
    """The input of a route without input: no body, null or the empty object."""

    __slots__ = ()

    def load(self, body: bytes) -> None:
        if body:
            _EMPTY.load(body)


_EMPTY: Final = compile_pred(
    NullableShape(
        RefShape(
            Definition(("nothing",), "Nothing", __name__, _shape=RecordShape("typeddict", dict, ()))
        )
    )
)


class _Defaults:
    """An input whose fields may all be left out; a missing body is an empty object."""

    __slots__ = ("pred",)

    def __init__(self, pred: Pred[Any]) -> None:
        self.pred: Final = pred

    def load(self, body: bytes) -> Any:
        return self.pred.load(body or b"{}")


def _loader(shape: Shape, home: str) -> Pred[Any] | _Defaults:
    pred = compile_pred(shape, home=home)
    return _Defaults(pred) if takes_nothing(shape) else pred


class _FailureWriter:
    """Writes the replies for one class of failure."""

    __slots__ = ("head", "pred")

    def __init__(self, cls: type[Failure], definition: Definition) -> None:
        self.pred: Final[Pred[Any]] = compile_pred(definition.shape)
        self.head: Final = orjson.dumps({"error": cls.error_code})[:-1]

    def reply(self, failure: Failure) -> Reply:
        data = self.pred.dump(failure)
        body = self.head + (b"}" if data == b"{}" else b',"data":' + data + b"}")
        headers: tuple[tuple[str, str], ...] = ()
        if (
            isinstance(failure, TooManyRequests | ServiceUnavailable)
            and failure.retry_after is not UNSET
        ):
            # str() of a subclass of int may give anything
            headers = (("retry-after", str(int.__int__(failure.retry_after))),)
        return Reply(failure.http_status, failure.error_code, body, headers)


def bind(spec: AnySpec, *, map_error: ErrorMapper | None = None) -> dict[str, Bound]:
    """Every route of *spec* by its name, ready to be called."""
    builtins = {cls: _FailureWriter(cls, definition) for cls, definition in spec.builtins.items()}
    writers = builtins.copy()
    bound: dict[str, Bound] = {}
    for name, entry in spec.entries.items():
        failures = builtins.copy()
        for cls, definition in entry.failures.items():
            if cls not in writers:
                writers[cls] = _FailureWriter(cls, definition)
            failures[cls] = writers[cls]
        bound[name] = Bound(entry, failures, map_error)
    return bound


def _notices(deprecated: Literal[False] | Deprecated) -> tuple[tuple[str, str], ...]:
    """The headers that say when a route is deprecated (RFC 9745) and goes away (RFC 8594)."""
    headers: list[tuple[str, str]] = []
    if deprecated and deprecated.since is not None:
        headers.append(("deprecation", f"@{(deprecated.since - _EPOCH).days * 86_400}"))
    if deprecated and deprecated.remove_on is not None:
        day = deprecated.remove_on
        midnight = datetime(day.year, day.month, day.day, tzinfo=UTC)
        # strftime would speak the language of the locale
        headers.append(("sunset", format_datetime(midnight, usegmt=True)))
    return tuple(headers)


_EPOCH: Final = date(1970, 1, 1)


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
            return None, writer.reply(ctx)
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


async def invoke(bound: Bound, body: bytes, ctx: Any, incoming: Incoming) -> bytes | Reply:
    """
    Run the call itself, and give the JSON of its output, or the reply where there is none.

    Args:
        bound: The route.
        body: JSON, as it was sent.
        ctx: The context from the hook, None for public routes.
        incoming: The request.
    """
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
        return _invalid(exception)
    return _crashed(bound, exception, "reading the input raised", incoming)


def _written(bound: Bound, failure: Failure) -> Reply:
    """The reply for a failure that a resolver returned; raises where something is wrong with it."""
    writer = bound.failures.get(type(failure))
    if writer is None:
        raise _Undeclared(f"{_given(failure)}, and its annotation declares {_declared(bound)}")
    return writer.reply(failure)


class _Undeclared(Exception):  # noqa: N818  never leaves this module
    """A failure that the route does not declare."""


def _unwritten(bound: Bound, value: object, exception: BaseException, incoming: Incoming) -> Reply:
    """The reply for a *value* that a resolver should not have returned."""
    if isinstance(exception, _Undeclared):
        return _broken(bound, f"the resolver returned {exception} ({bound.where})", incoming)
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
    """The return annotation of a resolver."""
    returns = signature_of(bound.resolver).returns
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
            reply = _written(bound, failure)
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
