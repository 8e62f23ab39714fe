"""Serving: from a value in a module, and the options, to a WSGI or ASGI callable."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, Literal, final

import orjson

from contract.adapters.asgi import AsgiApp
from contract.adapters.mount import service_of
from contract.adapters.wsgi import WsgiApp
from contract.call.bound import Bound
from contract.call.context import Reply
from contract.call.incoming import Incoming
from contract.call.mount_options import Limits, Options
from contract.call.service import Service
from contract.cli.find import Taken, explain, falcon_apps
from contract.cli.output import Stop
from contract.declare.spec import AnySpec, Entry
from contract.shape.exceptions import MountError

if TYPE_CHECKING:  # workers have no arguments
    import argparse

__all__ = [
    "FLAGS",
    "Interface",
    "Served",
    "Settings",
    "prepare",
    "services_of",
    "settings_of",
    "tool_of",
]

Interface = Literal["wsgi", "asgi"]
"""The interface between a server and the app."""

_HEALTH: Final = "/healthz"


# It is read both ways: for what was typed, and for the flag that a message is about.
FLAGS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "prefix": "--prefix",
        "docs": "--no-docs",
        "docs_path": "--docs-path",
        "mcp_path": "--mcp-path",
        "health_path": "--health-path",
        "visibility": "--visibility",
        "public_url": "--public-url",
        "trusted_proxies": "--trusted-proxy",
        "logging": "--no-call-log",
        "cors_origins": "--cors-origin",
        "cors_headers": "--cors-header",
        "mcp_origins": "--mcp-origin",
        "mcp_challenge": "--mcp-challenge",
        "authorization_servers": "--authorization-server",
        "max_body_bytes": "--max-body",
        "deadline_seconds": "--deadline",
        "read_seconds": "--read-timeout",
        "body_seconds": "--body-timeout",
        "queue": "--queue",
        "item_seconds": "--item-deadline",
        "stream_seconds": "--stream-deadline",
        "stream_threads": "--stream-threads",
    }
)
"""Option of a mount, or of its limits -> the flag that sets it for a spec."""

_LIMITS: Final = FLAGS.keys() & {each.name for each in fields(Limits)}
"""The options that belong to `Limits`."""

_SWITCHED_OFF: Final = ("health_path", "mcp_path")
"""Paths that an empty value switches off."""


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """
    The options of the command line for an app.

    Attributes:
        interface: The interface to force; None to choose.
        threads: Sync resolvers that run at once, in an app that leaves this to the server.
        mount: Name -> value of the options of a mount and its limits, given for a spec.
    """

    interface: Interface | None = None
    threads: int | None = None
    mount: Mapping[str, Any] = field(default_factory=dict[str, Any])


def settings_of(arguments: argparse.Namespace, interface: Interface | None = None) -> Settings:
    """The settings from the options of ``contract dev`` or ``contract serve``."""
    said = {name: getattr(arguments, name) for name in FLAGS}
    return Settings(
        interface=interface,
        threads=arguments.threads,
        mount={name: value for name, value in said.items() if value is not None},
    )


@final
@dataclass(frozen=True, slots=True)
class Served:
    """
    An app, ready for a server.

    Attributes:
        interface: The interface of *app*.
        app: The callable.
        services: The services of the app; empty if they are not known.
        fronts: The fronts of the services; empty if they are not known.
    """

    interface: Interface
    app: Callable[..., Any]
    services: tuple[Service, ...]
    fronts: tuple[Any, ...] = ()


def prepare(taken: Taken, settings: Settings) -> Served:
    """
    The app for the value that was *taken*.

    Raises:
        Stop: The settings do not fit it.
    """
    # 1. A spec by itself, on the interface that suits it best.
    services = services_of(taken, settings)  # also checks that the settings fit
    if taken.kind == "spec":
        interface = settings.interface or _interface(taken.value)
        if interface == "asgi":
            on_loop = AsgiApp(services[0])
            return Served(interface, on_loop, services, (on_loop,))
        app = WsgiApp(services[0])
        return Served(interface, app, services, (app,))
    # 2. A Falcon app, which speaks one of the two. A mount is served with the app around it: there
    #    may be middleware, and other routes.
    mounts = falcon_apps()
    spoken: Interface = mounts.interface(taken.value)
    if settings.interface not in (None, spoken):
        kind = "falcon.App"
        if spoken == "asgi":
            kind = "falcon.asgi.App"
        raise Stop(
            2, f"{taken.name} is a {kind}, which speaks {spoken} only; leave out --interface"
        )
    fronts = tuple(mounts.fronts(taken.value))
    app = mounts.application(taken.value, nothing_at)
    return Served(spoken, app, tuple(mounts.served(taken.value)), fronts)


def services_of(taken: Taken, settings: Settings) -> tuple[Service, ...]:
    """
    The services for the value that was *taken*; a spec gets the *settings*.

    Raises:
        Stop: The settings do not fit.
    """
    if taken.kind == "spec":
        return (_service(taken, settings),)
    kind = "mount" if taken.kind == "mount" else "Falcon app"
    for name in settings.mount:
        raise Stop(
            2,
            f"{FLAGS[name]} is for a spec, and {taken.name} is a {kind}; "
            f"say it in {_place_of(name)}",
        )
    found: list[Service] = falcon_apps().services(taken.value)
    return tuple(found)


def listed(service: Service, name: str) -> str:
    """The route *name* of *service* as ``contract routes`` lists it: with the prefix, if any."""
    return f"{service.options.prefix}/{name}".removeprefix("/")


def tool_of(entry: Entry, options: Options) -> str | None:
    """The name of a route as an MCP tool; None if clients may not see it."""
    if entry.tool is None or options.mcp_path is None:
        return None
    if entry.route.scope != "public" and options.visibility != "all":
        return None
    return entry.tool.name


def _place_of(name: str) -> str:
    """Where an app sets the option *name* itself."""
    if name in _LIMITS:
        return f"mount_spec(limits=Limits({name}=))"
    return f"mount_spec({name}=)"


def _service(taken: Taken, settings: Settings) -> Service:
    try:
        return service_of(taken.value, _options(settings), kind=_Alone)
    except MountError as error:
        raise Stop(2, f"{taken.name} cannot be served\n\n{explain(_by_flag(error))}") from None


def _options(settings: Settings) -> Options:
    """The options of the mount for a spec."""
    given: dict[str, Any] = {"health_path": _HEALTH, **settings.mount}
    limits: dict[str, Any] = {name: given.pop(name) for name in _LIMITS & given.keys()}
    if settings.threads is not None:
        limits["threads"] = settings.threads
    for name in _SWITCHED_OFF:
        if given.get(name) == "":  # a command line cannot say None
            given[name] = None
    return Options(**given, limits=Limits(**limits))


def _by_flag(error: MountError) -> MountError:
    """The *error*, with the flag if it is about an option of a mount."""
    for name, flag in FLAGS.items():
        if error.where == f"mount_spec({name}=)":
            return MountError(flag, error.problem)
    return error


@final
class _Alone(Service):
    """A spec with nothing around it; a request beside its prefix is told where it is."""

    def _not_a_call(self, incoming: Incoming, bound: Bound | None) -> Reply:
        if not self.options.prefix or self.owns(incoming.path):
            return super()._not_a_call(incoming, bound)
        # nothing from contract.json is answered here, so the text is Falcon's
        told = {"title": "404 Not Found", "description": nothing_at([self.options.prefix])}
        return Reply(404, "ROUTE_NOT_FOUND", orjson.dumps(told))


def nothing_at(prefixes: Sequence[str]) -> str:
    """The text for a request to a path of no mount."""
    below = " and ".join(prefixes)
    return f"There is nothing at this path. The mounts here answer below {below}."


def _interface(spec: AnySpec) -> Interface:
    """WSGI is faster; an event loop is only worth its cost if something awaits."""
    asked = [spec.authenticator, *(entry.authenticator for entry in spec.entries.values())]
    if any(each is not None and each.is_async for each in asked):
        return "asgi"
    for entry in spec.entries.values():
        if entry.route.is_async or any(typed.hook.is_async for typed in entry.hooks):
            return "asgi"
    return "wsgi"
