"""
Falcon apps: everything in the command line that depends on Falcon.

It is loaded only if an app has loaded Falcon.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, Literal, NoReturn, cast

import falcon
import falcon.asgi
import falcon.inspect

from contract.adapters.asgi import AsgiFront
from contract.adapters.falcon import Mount, mounts_of
from contract.adapters.falcon_inside import FalconAsgi, FalconWsgi
from contract.adapters.wsgi import WsgiFront
from contract.call.service import Service

__all__ = ["application", "fronts", "holds", "interface", "kind", "meant", "served", "services"]


def kind(value: object) -> Literal["mount", "falcon"] | None:
    """The kind of *value*; None if it cannot be served."""
    if isinstance(value, Mount | FalconWsgi | FalconAsgi):
        return "mount"
    if isinstance(value, falcon.App):
        return "falcon"
    return None


def meant(value: object) -> object:
    """
    The mount whose ``wsgi`` or ``asgi`` *value* is; other servers are given these.

    Any other *value* is returned unchanged.
    """
    if isinstance(value, FalconWsgi | FalconAsgi):
        return next(mount for mount in mounts_of(value.app) if mount.service is value.service)
    return value


def holds(value: object, other: object) -> bool:
    """
    Whether *other* is served along with *value*, and so need not be named.

    A mount includes its spec and, if it is the only one, its app; an app with several mounts
    includes them all.
    """
    mounts = _mounts(value)
    if any(other is mount.spec for mount in mounts):
        return True
    alone = len(mounts_of(_app(value))) == 1
    if isinstance(value, Mount):
        return alone and other is value.app
    return not alone and other in mounts


def services(value: object) -> list[Service]:
    """The services behind a mount or an app."""
    return [mount.service for mount in _mounts(value)]


def served(value: object) -> list[Service]:
    """The services of the whole app that *value* belongs to: that is what is served."""
    return [mount.service for mount in mounts_of(_app(value))]


def fronts(value: object) -> list[WsgiFront | AsgiFront]:
    """The fronts of the whole app that *value* belongs to."""
    is_async = interface(value) == "asgi"
    return [_front(mount, is_async=is_async) for mount in mounts_of(_app(value))]


def _front(mount: Mount, *, is_async: bool) -> WsgiFront | AsgiFront:
    if is_async:
        return mount.asgi
    return mount.wsgi


def interface(value: object) -> Literal["wsgi", "asgi"]:
    """The interface of the app that *value* belongs to; it supports no other."""
    return "asgi" if isinstance(_app(value), falcon.asgi.App) else "wsgi"


def application(value: object, nothing_at: Callable[[Sequence[str]], str]) -> Callable[..., Any]:
    """
    The callable to serve: ``Mount.wsgi`` or ``Mount.asgi`` of the mount that a request is for.

    If the app has nothing else, its 404 now names the mounts, in the words of *nothing_at*.
    """
    # 1. Let its 404 help, unless the author answers such requests.
    app = _app(value)
    mounts = mounts_of(app)
    is_async = interface(value) == "asgi"
    handlers = falcon.inspect.inspect_error_handlers(app)
    handled = [each.error for each in handlers if not each.internal]
    if mounts and _NOT_FOUND.isdisjoint(handled):
        prefixes = sorted(mount.service.options.prefix or "/" for mount in mounts)
        _name_mounts(app, nothing_at(prefixes), is_async=is_async)
    # 2. A mount answers what is its own, and hands the rest to the app. With several of them, each
    #    request goes to the one that owns its path, or straight to the app.
    if len(mounts) == 1:
        return _front(mounts[0], is_async=is_async)

    def serve(path: str) -> Callable[..., Any]:
        for mount in mounts:
            if mount.service.owns(path):
                if is_async:  # as `_front`, but without a function call in each request
                    return mount.asgi
                return mount.wsgi
        return cast("Callable[..., Any]", app)

    def wsgi(environ: Any, start_response: Any) -> Any:
        return serve(environ.get("PATH_INFO", ""))(environ, start_response)

    async def asgi(scope: Any, receive: Any, send: Any) -> None:
        await serve(scope.get("path", ""))(scope, receive, send)

    return asgi if is_async else wsgi


_NOT_FOUND: Final = {
    cls.__name__ for cls in (falcon.HTTPRouteNotFound, falcon.HTTPNotFound, falcon.HTTPError)
}
"""The errors that an author's own handler answers, if the app has one."""


def _name_mounts(app: Any, sentence: str, *, is_async: bool) -> None:
    def handle(*_: object) -> NoReturn:
        # the text has nothing from the request; Falcon formats it as the app does
        raise falcon.HTTPRouteNotFound(description=sentence)

    async def handle_async(*_: object) -> NoReturn:
        handle()

    if is_async:
        app.add_error_handler(falcon.HTTPRouteNotFound, handle_async)
    else:
        app.add_error_handler(falcon.HTTPRouteNotFound, handle)


def _app(value: object) -> falcon.App[Any, Any]:
    if isinstance(value, Mount):
        return value.app
    return cast("falcon.App[Any, Any]", value)


def _mounts(value: object) -> tuple[Mount, ...]:
    if isinstance(value, Mount):
        return (value,)
    return mounts_of(_app(value))
