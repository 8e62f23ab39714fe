"""Serving: from what was found in a module, and the options, to a WSGI or ASGI callable."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, Literal, final

from contract.adapters.asgi import AsgiApp
from contract.adapters.mount import service_of
from contract.adapters.wsgi import WsgiApp, WsgiFront
from contract.call.bound import Bound
from contract.call.context import Reply
from contract.call.message import Incoming
from contract.call.mount_options import Limits, Options
from contract.call.replies import failed
from contract.call.service import Service
from contract.cli.find import Taken, explain, falcon_apps
from contract.cli.output import Stop
from contract.declare.spec import AnySpec, Entry
from contract.shape.exceptions import MountError
from contract.shape.quoting import sent_back

__all__ = ["Interface", "Served", "Settings", "prepare", "services_of", "settings_of", "tool_of"]

Interface = Literal["wsgi", "asgi"]
"""How a server speaks to the app."""

_HEALTH: Final = "/healthz"


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """
    The options of the command line about an app; None where it says nothing.

    Attributes:
        interface: To force one.
        threads: Sync resolvers that run at once, in an app that leaves that to the server.
        prefix: In front of the routes of a spec.
        max_body: In bytes, for a spec.
        health_path: Of a spec; "" for none.
        deadline: For a call of a spec, in seconds.
    """

    interface: Interface | None = None
    threads: int | None = None
    prefix: str | None = None
    max_body: int | None = None
    health_path: str | None = None
    deadline: float | None = None


def settings_of(arguments: argparse.Namespace, interface: Interface | None = None) -> Settings:
    """The settings that the options of ``contract dev`` or ``contract serve`` say."""
    return Settings(
        interface=interface,
        threads=arguments.threads,
        prefix=arguments.prefix,
        max_body=arguments.max_body,
        health_path=arguments.health_path,
        deadline=arguments.deadline,
    )


@final
@dataclass(frozen=True, slots=True)
class Served:
    """
    An app, ready for a server.

    Attributes:
        interface: Which one *app* speaks.
        app: The callable.
        services: What is behind it; none where that is not known.
        fronts: Of each of them, on WSGI.
    """

    interface: Interface
    app: Callable[..., Any]
    services: tuple[Service, ...]
    fronts: tuple[WsgiFront, ...] = ()


def prepare(taken: Taken, settings: Settings) -> Served:
    """
    The app for what was *taken*.

    Raises:
        Stop: The settings do not fit it.
    """
    services = services_of(taken, settings)  # which sees whether the settings fit
    if taken.kind == "spec":
        interface = settings.interface or _interface(taken.value)
        if interface == "asgi":
            return Served(interface, AsgiApp(services[0]), services)
        app = WsgiApp(services[0])
        return Served(interface, app, services, (app,))
    mounts = falcon_apps()
    spoken: Interface = mounts.interface(taken.value)
    if settings.interface not in (None, spoken):
        kind = "falcon.asgi.App" if spoken == "asgi" else "falcon.App"
        raise Stop(
            2, f"{taken.name} is a {kind}, which speaks {spoken} only; leave out --interface"
        )
    fronts = tuple(mounts.fronts(taken.value)) if spoken == "wsgi" else ()
    app = mounts.application(taken.value)
    return Served(spoken, app, tuple(mounts.served(taken.value)), fronts)


def services_of(taken: Taken, settings: Settings) -> tuple[Service, ...]:
    """
    The services behind what was *taken*, the one of a spec with the *settings*.

    Raises:
        Stop: The settings do not fit.
    """
    if taken.kind == "spec":
        return (_service(taken, settings),)
    given = {
        "--prefix": settings.prefix,
        "--max-body": settings.max_body,
        "--health-path": settings.health_path,
        "--deadline": settings.deadline,
    }
    for flag, value in given.items():
        if value is not None:
            raise Stop(
                2, f"{flag} is for a spec, and {taken.name} is a Falcon app; say it in mount_spec()"
            )
    found: list[Service] = falcon_apps().services(taken.value)
    return tuple(found)


def tool_of(entry: Entry, options: Options) -> str | None:
    """The name that MCP clients call a route by, if they may see it at all."""
    if entry.tool is None or options.mcp_path is None:
        return None
    is_seen = entry.route.scope == "public" or options.visibility == "all"
    return entry.tool.name if is_seen else None


def _service(taken: Taken, settings: Settings) -> Service:
    health = _HEALTH if settings.health_path is None else settings.health_path
    # 0 is no choice: the parser takes neither no bytes nor no threads
    max_body = settings.max_body or Options().max_body_bytes
    threads = settings.threads or Limits().threads
    try:
        options = Options(
            prefix=settings.prefix or "",
            max_body_bytes=max_body,
            health_path=health or None,
            limits=Limits(deadline_seconds=settings.deadline, threads=threads),
        )
        return service_of(taken.value, options, kind=_Alone)
    except MountError as error:
        raise Stop(2, f"{taken.name} cannot be served\n\n{explain(error)}") from None


@final
class _Alone(Service):
    """A spec with nothing around it: whoever asks beside its prefix is told where it is."""

    def _not_a_call(self, incoming: Incoming, bound: Bound | None) -> Reply:
        if not self.options.prefix or self.owns(incoming.path):
            return super()._not_a_call(incoming, bound)
        path = sent_back(incoming.path, _LONGEST)
        return failed("ROUTE_NOT_FOUND", route=path, mounts=[self.options.prefix])


_LONGEST: Final = 64
"""Characters of a path in an answer."""


def _interface(spec: AnySpec) -> Interface:
    """WSGI is the quicker one; an event loop is only worth its price where something awaits."""
    routes_wait = any(
        entry.route.is_async or any(typed.hook.is_async for typed in entry.hooks)
        for entry in spec.entries.values()
    )
    return "asgi" if spec.authenticate_is_async or routes_wait else "wsgi"
