"""
The private parts of others that this package uses: each in one file, and none that is not listed here.

A test that fails here, after an upgrade, names the release and the file that has to be looked at.
"""

from __future__ import annotations

import ast
import asyncio
import logging
from collections.abc import Mapping
from importlib.metadata import version
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Final

import falcon
import falcon.asgi
import falcon.testing
import httpcore2
import httpx2
import pytest

import contract
from contract.client.httpx_deadlines import keep_deadlines
from tests.tables import rows

USED: Final[Mapping[str, set[str]]] = {
    "declare/authenticator.py": {"_is_protocol"},
    "adapters/falcon_inside.py": {
        *("_asgi_headers", "_find", "_first_event", "_get_responder", "_headers", "_middleware"),
        *("_receive", "_request_type", "_response_type", "_router", "_sink_and_static_routes"),
        *("_sinks", "_stream"),
    },
    "call/log.py": {"_cache"},
    "cli/completion.py": {"_actions"},
    "cli/worker.py": {"_run_exitfuncs"},
    "shape/records.py": {"_field_type"},
    "client/httpx_deadlines.py": {"_mounts", "_network_backend", "_pool", "_transport"},
}
"""File -> attributes and modules."""

PUBLIC: Final = {
    *("_exit", "_name_", "_value_", "_getframe", "_replace", "_fields", "_field_defaults"),
    *("_missing_", "_value2member_map_", "_thread"),
}
"""Documented, whatever they are called; of dataclasses and enums the last ones are as old as they."""


OURS: Final = {"_native", "_replied"}
"""Of a class that another file extends."""


def private(name: str) -> bool:
    return name.startswith("_") and not name.startswith("__")


def taken(tree: ast.Module) -> set[str]:
    """The private names in a file that nothing in it defines."""
    own: set[str] = set()
    used: set[str] = set()
    for node in ast.walk(tree):
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                own.add(name)
            case ast.ClassDef(name=name) | ast.AnnAssign(target=ast.Name(id=name)):
                own.add(name)
            case ast.Attribute(value=ast.Name(id="self" | "made"), attr=name, ctx=ast.Store()):
                own.add(name)
            case ast.Attribute(attr=name):
                used.add(name)
            case ast.Call(func=ast.Name(id="getattr"), args=[_, ast.Constant(value=str(name)), *_]):
                used.add(name)
            case ast.ImportFrom(module=str(module)) if not module.startswith("contract") and any(
                map(private, module.split("."))
            ):
                used.add(module)
            case _:
                pass
    return {name for name in used - own if private(name.rpartition(".")[2])}


def test_each_private_part_is_used_in_one_file() -> None:
    root = Path(contract.__file__).parent
    trees = {
        path.relative_to(root).as_posix(): ast.parse(path.read_text(encoding="utf-8"))
        for path in root.rglob("*.py")
    }
    found = {place: taken(tree) - PUBLIC - OURS for place, tree in trees.items()}

    assert {place: names for place, names in found.items() if names} == USED
    assert sum(map(len, USED.values())) == len(set[str]().union(*USED.values()))


def has(package: str, owner: object, name: str) -> None:
    place = next(place for place, names in USED.items() if name in names)
    assert hasattr(owner, name), (
        f"{package} {version(package)} has no {name} in {type(owner).__name__} any more: see contract/{place}"
    )


def test_loggers_remember_which_levels_they_log() -> None:
    """Without it, each call asks again, and its line takes a tenth longer."""
    logger = logging.Logger("shop")  # noqa: LOG001  those that are registered are listened to
    answers: Any = logger._cache  # type: ignore[attr-defined]
    logger.isEnabledFor(logging.INFO)

    assert answers == {logging.INFO: True}


@rows(
    "name",
    *("_middleware", "_request_type", "_response_type", "_router"),
    *("_sink_and_static_routes", "_sinks"),
)
@pytest.mark.parametrize("app", [falcon.App(), falcon.asgi.App()], ids=["wsgi", "asgi"])
def test_apps_of_falcon(app: Any, name: str) -> None:
    has("falcon", app, name)


class Own:
    """Middleware, a resource and a sink."""

    def process_request(self, req: object, resp: object) -> None: ...

    on_get = sink = process_request


class AsyncOwn:
    async def process_request(self, req: object, resp: object) -> None: ...

    on_get = sink = process_request


@rows("app, own", (falcon.App(), Own()), (falcon.asgi.App(), AsyncOwn()), ids=["wsgi", "asgi"])
def test_an_app_of_falcon_replaces_what_is_added_to(app: Any, own: Any) -> None:
    def responder(path: str) -> object:
        return app._get_responder(SimpleNamespace(path=path, method="GET", is_websocket=False))[0]

    has("falcon", app, "_get_responder")
    app.add_sink(own.sink, "/v1/")
    found = responder("/v1/a")
    has("falcon", app._router, "_find")
    before = (app._middleware, app._sink_and_static_routes, app._router._find)
    app.add_middleware(own)
    app.add_sink(own.sink, "/v2/")
    app.add_route("/v3", own)
    responder("/v3")

    told = f"falcon {version('falcon')} changes its app in another way: see contract/adapters/falcon_inside.py"
    assert found == own.sink, told
    assert before[0] is not app._middleware, told
    assert before[1] is not app._sink_and_static_routes, told
    assert before[2] is not app._router._find, told


def test_requests_and_responses_of_falcon() -> None:
    scope: Any = falcon.testing.create_scope()
    receive: Any = None
    event: Any = {"type": "http.request", "body": b"", "more_body": False}
    request = falcon.asgi.Request(scope, receive, first_event=event)
    for name in ("_asgi_headers", "_first_event", "_receive", "_stream"):
        has("falcon", request, name)
    has("falcon", falcon.Response(), "_headers")
    has("falcon", falcon.asgi.Response(), "_headers")


class Wire(asyncio.Transport):
    """A connection on which nothing is sent."""

    def write(self, data: object) -> None: ...

    def is_closing(self) -> bool:
        return False

    def get_extra_info(self, name: str, default: object = None) -> object:
        return default


def test_connections_of_httpx2() -> None:
    with keep_deadlines(httpx2.Client()) as client:
        pool: Any = client
        for name in ("_transport", "_pool", "_network_backend"):
            has("httpx2", pool, name)
            pool = getattr(pool, name)
        has("httpx2", client, "_mounts")

    told = f"httpx2 {version('httpx2')} connects in another way: see contract/client/httpx_deadlines.py"
    assert isinstance(pool, httpcore2.SyncBackend), told
    assert type(pool) is not httpcore2.SyncBackend, told
