"""
Replies to calls without an output: refusals, failures, and errors in the user's code.

They never contain the text of an exception. One function, `failed`, turns every refusal into its
reply, and another, `written`, every failure that a resolver returns, for HTTP and MCP alike.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, cast, final

import orjson

from contract.call.bearer import TOO_LONG, NoToken, challenge
from contract.call.bound import Bound
from contract.call.context import Reply
from contract.call.credentials import Credentials
from contract.call.failure_writers import FailureWriter
from contract.call.incoming import Incoming, Refused
from contract.call.log import log_exception
from contract.call.signed_body import NotSigned
from contract.declare.failures import FRAMEWORK, Failure, raised_failure
from contract.pred.dump.scalars import a_value, class_name, type_name
from contract.shape.annotations import Unresolved, signature_of
from contract.shape.exceptions import InvalidInput, InvalidOutput
from contract.shape.issues import to_json
from contract.shape.scope import display

__all__ = [
    "Challenges",
    "broken",
    "crashed",
    "failed",
    "given_words",
    "raised",
    "refused",
    "returned_words",
    "unread",
    "unwritten",
    "written",
]


_STATUS: Final[Mapping[str, int]] = {code: status for code, (status, _) in FRAMEWORK.items()} | {
    "FORBIDDEN": 403,
    "SERVICE_UNAVAILABLE": 503,
}


def failed(
    code: str,
    headers: tuple[tuple[str, str], ...] = (),
    exception: BaseException | None = None,
    **data: Any,
) -> Reply:
    """
    The reply with a framework *code*.

    An INTERNAL_ERROR has no data; *exception* is only for the log.
    """
    body: dict[str, Any] = {"error": code}
    if data:
        body["data"] = data
    return Reply(_STATUS[code], code, orjson.dumps(body), headers, exception)


@final
class Challenges:
    """
    The replies to calls without a valid credential (RFC 6750, section 3).

    *credentials* are those that are accepted; None for a bearer token and nothing else.
    """

    def __init__(self, realm: str, credentials: Credentials | None = None) -> None:
        self._credentials: Final = credentials
        # RFC 6750, section 3.1: a call without any credential is told no error code
        if credentials is None:
            missing = challenge(realm, invalid=False)
        else:
            missing = credentials.challenge
        too_long = challenge(realm, invalid=True, why=TOO_LONG)
        self._missing: Final = (("www-authenticate", missing),)
        self._invalid: Final = (("www-authenticate", challenge(realm, invalid=True)),)
        self._too_long: Final = (("www-authenticate", too_long),)

    def refuse(self, why: NoToken, incoming: Incoming) -> Reply:
        """The reply to a call without a credential, or with a malformed one."""
        if why is NoToken.REPEATED:
            message = _ONCE if self._credentials is None else _ONE
            return failed("BAD_REQUEST", message=message)
        if why is NoToken.FOREIGN:
            return failed("FORBIDDEN", message=_FOREIGN)
        # `invalid_token` is said of bearer tokens alone (RFC 6750, section 3.1)
        if why is NoToken.MISSING or not self._has_token(incoming):
            return failed("UNAUTHORIZED", self._missing)
        if why is NoToken.TOO_LONG:
            return failed("UNAUTHORIZED", self._too_long)
        return failed("UNAUTHORIZED", self._invalid)

    def challenged(self, refusal: Reply, incoming: Incoming) -> Reply:
        """The *refusal* of an authenticator, with the challenge that a 401 needs."""
        if refusal.code == "UNAUTHORIZED":
            refusal.headers = self._invalid if self._has_token(incoming) else self._missing
        return refusal

    def _has_token(self, incoming: Incoming) -> bool:
        """Whether a refused call has a bearer token, valid or not."""
        taken = self._credentials
        return taken is None or (taken.takes_token and incoming.authorization() is not None)


_ONCE: Final = "Send the Authorization header once, with one token."
_ONE: Final = "Send one credential, once: nobody can say which of two was meant."
_FOREIGN: Final = (
    "This cookie is not taken from pages of another origin, nor without Origin or Sec-Fetch-Site."
)


def unread(bound: Bound, exception: BaseException, incoming: Incoming) -> Reply:
    """The reply to an input that is refused, or for which the user's code raised."""
    if isinstance(exception, InvalidInput):
        data: dict[str, Any] = {"issues": [to_json(issue) for issue in exception.issues]}
        if exception.truncated:
            data["truncated"] = True
        reply = failed("VALIDATION_ERROR", **data)
        reply.cause = exception
        return reply
    if isinstance(exception, NotSigned):
        return failed("BAD_REQUEST", message=str(exception))
    return crashed(bound, exception, "reading the input raised", incoming)


def written(
    bound: Bound,
    failure: Failure,
    writers: Mapping[type[Failure], FailureWriter] | None = None,
) -> Reply:
    """
    The reply for a failure that a resolver returned; raises if something is wrong with it.

    A mapped exception may have other *writers* than the resolver's failures.
    """
    if writers is None:
        writers = bound.failures
    writer = writers.get(type(failure))
    if writer is None:
        raise _Undeclared(f"{given_words(failure)}, and its annotation declares {_declared(bound)}")
    return writer.reply(failure)


class _Undeclared(Exception):  # noqa: N818  never leaves this module
    """A failure that the route does not declare."""


def unwritten(bound: Bound, value: object, exception: BaseException, incoming: Incoming) -> Reply:
    """The reply for a *value* that a resolver should not have returned."""
    if isinstance(exception, _Undeclared):
        reply = broken(bound, f"the resolver returned {exception} ({bound.where})", incoming)
        reply.cause = InvalidOutput((), str(exception))
        return reply
    if not isinstance(exception, InvalidOutput):
        return crashed(bound, exception, f"writing the output raised ({bound.where})", incoming)
    try:
        problem = _misfit(bound, value, exception)
    except BaseException:  # noqa: BLE001  this looks into classes and annotations of the user's
        problem = f"the returned value does not fit its declared type: {exception}"
    return broken(bound, f"{problem} ({bound.where})", incoming, exception)


def _misfit(bound: Bound, value: object, invalid: InvalidOutput) -> str:
    """The message for a value that does not fit, with the fix if that is obvious."""
    if isinstance(value, Failure):
        return f"the data of the returned {type_name(value)} do not fit what it declares: {invalid}"
    if value is None and not invalid.path:
        return f"the resolver returned None, and declares {_declared(bound)}; is a return missing?"
    return f"the resolver declares {_declared(bound)}, and returned {given_words(value)}; {invalid}"


def given_words(value: object) -> str:
    """The message for a value that was not declared; it names its type, never the value itself."""
    kind = type(value)
    if kind is type and issubclass(cast("type[object]", value), Failure):
        name = class_name(cast("type[object]", value))
        return f"the class {name}; write {name}()"
    # by its class: the value itself may be a proxy, which would be asked, and may raise
    if hasattr(kind, "__await__"):
        return f"{a_value(value)}; await it"
    return a_value(value)


def _declared(bound: Bound) -> str:
    return returned_words(bound.resolver)


def returned_words(function: Callable[..., object]) -> str:
    """The return annotation of a resolver or a hook."""
    returns = signature_of(function).returns
    if isinstance(returns, Unresolved):
        return returns.text
    return display(returns)


def refused(refusal: Refused) -> Reply:
    """The reply to a call that cannot go on."""
    return failed(refusal.code, refusal.headers, **refusal.data)


def raised(
    bound: Bound,
    exception: BaseException,
    incoming: Incoming,
    who: str = "the resolver",
    writers: Mapping[type[Failure], FailureWriter] | None = None,
) -> Reply:
    """
    The reply for an exception of a resolver, or of *who* else raised it.

    It may be mapped to a failure that has one of the *writers*; by default, those of the route.
    """
    if isinstance(exception, Refused):
        return refused(exception)
    # before the mapper is asked: it could only hide the mistake, which is one to fix
    if raised_failure(exception):
        return crashed(bound, exception, "failures are returned, not raised", incoming)
    if bound.map_error is None or not isinstance(exception, Exception):
        return crashed(bound, exception, f"{who} raised", incoming)
    if writers is None:
        writers = bound.every_failure
    try:
        failure = bound.map_error(exception, incoming.request())
        if failure is not None:
            # before anything is logged: the failure may not be one of the route's, or may be wrong
            reply = written(bound, failure, writers)
            reply.cause = exception
            _log(f"{who} raised, and was mapped", exception, bound, incoming)
            return reply
    except _Undeclared as undeclared:
        _log(f"handle_unhandled_error returned {undeclared} ({bound.where})", None, bound, incoming)
    except InvalidOutput as invalid:
        _log(f"handle_unhandled_error returned wrong data: {invalid}", None, bound, incoming)
    except BaseException as second:  # noqa: BLE001  whatever the mapper does, there is a reply
        _log("handle_unhandled_error raised", second, bound, incoming)
    return crashed(bound, exception, f"{who} raised", incoming)


def crashed(bound: Bound, exception: BaseException, message: str, incoming: Incoming) -> Reply:
    """The INTERNAL_ERROR for an *exception* in the user's code, which is logged."""
    _log(message, exception, bound, incoming)
    return failed("INTERNAL_ERROR", exception=exception)


def broken(
    bound: Bound, message: str, incoming: Incoming, cause: BaseException | None = None
) -> Reply:
    """The INTERNAL_ERROR for the user's code that broke a rule; *message* is logged."""
    _log(message, None, bound, incoming)
    return failed("INTERNAL_ERROR", exception=cause)


def _log(message: str, exception: BaseException | None, bound: Bound, incoming: Incoming) -> None:
    log_exception(message, exception, bound.name, incoming.request_id)
