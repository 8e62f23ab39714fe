"""
Bound routes: those of one mount, ready to be called.

Their preds and the writers of their failures are made once, and shared where routes have the same.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import UTC, date, datetime
from email.utils import format_datetime
from typing import Any, Final, Literal

import orjson

from contract.call.context import Reply
from contract.declare.failures import Failure, ServiceUnavailable, TooManyRequests
from contract.declare.hook import Request
from contract.declare.route import Route
from contract.declare.route_options import Deprecated
from contract.declare.spec import AnySpec, Entry
from contract.pred.compile import Pred, compile_pred
from contract.shape import UNSET, Definition, NullableShape, RecordShape, RefShape, Shape
from contract.shape.graph import takes_nothing

__all__ = ["Bound", "ErrorMapper", "bind"]

ErrorMapper = Callable[[Exception, Request], Failure | None]
"""
The type of `handle_unhandled_error`.

It maps an exception that a resolver or a hook raised to a builtin or a declared failure.
"""


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
