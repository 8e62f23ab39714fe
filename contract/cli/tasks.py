"""Tasks: what answers a request of a synchronous worker, the service at once or the app."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Final, Protocol, final

from contract.adapters.asgi_scope import path_of
from contract.adapters.pool import Lanes
from contract.adapters.wsgi import WsgiApp, WsgiFront
from contract.adapters.wsgi_calls import WsgiIncoming
from contract.call.incoming import Refused
from contract.call.log import log_exception
from contract.call.mount_options import Limits
from contract.call.service import Service
from contract.cli.app_calls import AppCall
from contract.cli.direct_calls import Call, Place, environ_of
from contract.cli.socket_connections import SocketConnection

__all__ = ["Task", "Tasks"]

_AHEAD: Final = 1_048_576
"""
How many bytes of a body to wait for before the app is called, if no mount sets a limit.
"""


class Task(Protocol):
    """
    A task, which answers one request: a `Call`, an `AppCall`, or a refusal.

    Attributes:
        ahead: How many bytes of the body to wait for before it is answered.
        asks_first: Whether its caller is authenticated before any of its files is kept.
        checked: Whether its caller is known, or need not be.
        limits: The limits of its body.
        waits: Whether it waits for its body.
    """

    @property
    def ahead(self) -> int: ...  # noqa: D102
    @property
    def asks_first(self) -> bool: ...  # noqa: D102
    @property
    def checked(self) -> bool: ...  # noqa: D102
    @property
    def limits(self) -> Limits: ...  # noqa: D102
    @property
    def waits(self) -> bool: ...  # noqa: D102

    def answer(self) -> None:
        """Answer the request."""


@final
class Tasks:
    """
    Finds what answers a request.

    Args:
        app: The app.
        fronts: The fronts of its mounts, if they are known.

    Attributes:
        paths: Target -> path of the calls that are known, as nearly all clients send them.
    """

    def __init__(self, app: Callable[..., Iterable[bytes]], fronts: tuple[WsgiFront, ...]) -> None:
        self._app: Final = app
        self._sole: Final = app.service if isinstance(app, WsgiApp) else None
        """The only service, if every path belongs to it."""
        self._services: Final = tuple(front.service for front in fronts)
        self._places: Final[dict[str, Place]] = {}
        for front in fronts:
            for path in front.service.paths:
                self._places[path] = Place(front, path)
        self._limits: Final = _widest(self._services)
        self._lanes: Final = Lanes(self._limits)
        self.paths: Final[Mapping[bytes, str]] = {path.encode(): path for path in self._places}

    def task_for(self, connection: SocketConnection) -> Task:
        """The task that answers the first request of a connection."""
        scope = connection.exchanges[0].scope
        try:
            # 1. A path that is no call's: pages, the document, an app's own paths.
            path = self.paths.get(scope["raw_path"]) or path_of(scope)
            place = self._places.get(path)
            if place is None:
                return self._app_call(connection, path, None)
            # 2. A method that calls nothing, for which the service has answers (OPTIONS, 405).
            method = scope["method"]
            if method != "POST" and not (method == "GET" and place.reads):
                return self._app_call(connection, place.path, place)
            # 3. A call that the app wants to see first, since it has middleware, say.
            if not place.front.answers(place.path):
                return self._app_call(connection, place.path, place)
            return Call(connection, place)
        except BaseException as error:  # noqa: BLE001  the router of an app may be anybody's
            log_exception("a request could not be taken", error)
            return _Refusal(connection, Refused("INTERNAL_ERROR"))

    def _app_call(self, connection: SocketConnection, path: str, place: Place | None) -> AppCall:
        """
        A request that only the app can answer.

        If it is a call, at a known *place*, the app is called when all of the body has come, so
        that no thread waits for it.
        """
        exchange = connection.exchanges[0]
        environ = environ_of(exchange.scope)
        owner = next((service for service in self._services if service.owns(path)), self._sole)
        if owner is None:
            waits, ahead, limits = True, _AHEAD, self._limits
        else:
            # with one byte more than the service allows, it can refuse the body as too large
            waits = owner.awaits(WsgiIncoming(environ, path, dict, self._lanes))
            ahead, limits = owner.options.max_body_bytes + 1, owner.options.limits
        if place is not None:
            ahead = place.ahead
            if waits and place.form is not None:
                exchange.body.spools(place.form.max_bytes)
        return AppCall(
            self._app,
            environ,
            connection,
            ahead,
            limits,
            foreign=owner is None,
            waits=waits,
        )


@final
class _Refusal:
    """Answers a request without asking anybody."""

    ahead: int = 0
    asks_first: bool = False
    checked: bool = True
    limits: Limits = Limits()
    waits: bool = False

    def __init__(self, connection: SocketConnection, refused: Refused) -> None:
        self._connection: Final = connection
        self._refused: Final = refused

    def answer(self) -> None:
        """Refuse it."""
        self._connection.refuse(self._refused)


def _widest(services: tuple[Service, ...]) -> Limits:
    """The limits of a body that belongs to no service: the widest of all."""
    if not services:
        return Limits()
    every = [service.options.limits for service in services]
    return Limits(
        read_seconds=max(one.read_seconds for one in every),
        body_seconds=max(one.body_seconds for one in every),
    )
