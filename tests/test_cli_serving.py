"""From what was found to a callable: interfaces, and options that fit."""

from __future__ import annotations

import argparse
import asyncio
import shlex
from dataclasses import fields
from types import ModuleType
from typing import Any

import falcon
import falcon.asgi
import falcon.testing
import pytest

from contract import Call, Limits, Mount, Spec, mount_spec, route, routes, spec
from contract import hook as before_resolvers
from contract.adapters.asgi import AsgiApp
from contract.adapters.wsgi import WsgiApp
from contract.call.mount_options import Options
from contract.cli import falcon_apps, options
from contract.cli.find import Kind, Taken
from contract.cli.output import Stop
from contract.cli.serving import FLAGS, Interface, Settings, prepare, services_of, settings_of
from tests.cli_inside import stopping
from tests.tables import rows
from tests.test_adapters_loops import answer
from tests.wire.exchange import RawRequest

MODULE = ModuleType("shop")


@route(summary="Say pong", tags=["tests"], auth="none")
def ping(input: None, ctx: None) -> str:
    raise NotImplementedError


@route(summary="Say pong later", tags=["tests"], auth="none")
async def later(input: None, ctx: None) -> str:
    raise NotImplementedError


@route(summary="Tell who asks", tags=["tests"])
async def mine(input: None, ctx: str) -> str:
    raise NotImplementedError


def hook(token: str, request: object) -> str | None:
    raise NotImplementedError


async def async_hook(token: str, request: object) -> str | None:
    raise NotImplementedError


@before_resolvers
def before(call: Call[object]) -> None: ...


@before_resolvers
async def before_later(call: Call[object]) -> None: ...


PING = spec(routes=routes(ping))
NOTHING = {"error": "ROUTE_NOT_FOUND", "data": {"route": "nothing"}}


def two_mounts(app: Any) -> tuple[Mount, Mount]:
    return mount_spec(app, PING, prefix="/a"), mount_spec(app, PING, prefix="/b")


def _taken(kind: Kind, value: Any) -> Taken:
    return Taken("api", kind, value, MODULE)


@rows(
    "api, forced, interface",
    (PING, None, "wsgi"),
    (spec(routes=routes(ping, later)), None, "asgi"),
    (spec(authenticate=hook, routes=routes(ping)), None, "wsgi"),
    (spec(authenticate=async_hook, routes=routes(ping)), None, "asgi"),
    (spec(routes=routes(ping), hooks=[before]), None, "wsgi"),
    (spec(routes=routes(ping.behind(before_later))), None, "asgi"),
    (PING, "asgi", "asgi"),
    (spec(routes=routes(ping, later)), "wsgi", "wsgi"),
)
def test_a_spec_is_served_by_the_interface_that_fits(
    api: Spec[Any], forced: Interface | None, interface: Interface
) -> None:
    served = prepare(_taken("spec", api), Settings(interface=forced))

    assert served.interface == interface
    assert type(served.app) is (WsgiApp if interface == "wsgi" else AsgiApp)


def _said(flags: str = "") -> Settings:
    """The settings that `contract serve` reads from *flags*."""
    parser = argparse.ArgumentParser()
    options.serve(parser)
    return settings_of(parser.parse_args(["api", *shlex.split(flags)]))


def test_a_spec_has_a_health_route_unless_it_is_switched_off() -> None:
    taken = _taken("spec", PING)
    (plain,) = services_of(taken, _said())
    (given,) = services_of(taken, _said("--health-path ''"))

    assert (plain.options, given.options) == (Options(health_path="/healthz"), Options())


def test_a_spec_takes_every_option_of_a_mount_that_a_command_line_can_give() -> None:
    of_mounts = {each.name for each in fields(Options)}
    of_limits = {each.name for each in fields(Limits)}

    left_out = {"on_call", "handle_unhandled_error", "secrets", "sentences", "limits"}
    assert (of_mounts - {*FLAGS}, of_limits - {*FLAGS}) == (left_out, {"threads"})
    assert {*FLAGS} <= of_mounts | of_limits


A, B, LOGIN = "https://a.example", "https://b.example", "https://login.example"


@rows(
    "flags, name, value",
    ("--prefix /v1", "prefix", "/v1"),
    ("--no-docs", "docs", False),
    ("--docs-path /d", "docs_path", "/d"),
    ("--mcp-path /m", "mcp_path", "/m"),
    ("--mcp-path ''", "mcp_path", None),
    ("--health-path /up", "health_path", "/up"),
    ("--visibility all", "visibility", "all"),
    (f"--public-url {A}/b/", "public_url", f"{A}/b"),
    ("--trusted-proxy 10.0.0.0/8 --trusted-proxy ::1", "trusted_proxies", ("10.0.0.0/8", "::1")),
    ("--no-call-log", "logging", False),
    (f"--cors-origin {A} --cors-origin {B}", "cors_origins", (A, B)),
    (f"--cors-origin {A} --cors-header X-Tenant", "cors_headers", ("x-tenant",)),
    (f"--mcp-origin {A}", "mcp_origins", (A,)),
    ("--mcp-challenge connect", "mcp_challenge", "connect"),
    (f"--authorization-server {LOGIN}", "authorization_servers", (LOGIN,)),
    ("--max-body 9", "max_body_bytes", 9),
    ("--deadline 2", "limits", Limits(deadline_seconds=2)),
    ("--read-timeout 3", "limits", Limits(read_seconds=3)),
    ("--body-timeout 4", "limits", Limits(body_seconds=4)),
    ("--queue 0", "limits", Limits(queue=0)),
    ("--item-deadline 5", "limits", Limits(item_seconds=5)),
    ("--stream-deadline 6", "limits", Limits(stream_seconds=6)),
    ("--stream-threads 7", "limits", Limits(stream_threads=7)),
    ("--threads 3 --queue 5", "limits", Limits(threads=3, queue=5)),
)
def test_a_flag_gives_a_spec_the_option_of_a_mount(flags: str, name: str, value: object) -> None:
    (service,) = services_of(_taken("spec", PING), _said(flags))

    assert getattr(service.options, name) == value


@rows(
    "flags, told",
    ("--prefix v1", r"^api cannot be served\n\n--prefix: 'v1' is not a path"),
    ("--trusted-proxy *", r"\n\n--trusted-proxy: '\*' is everybody"),
    ("--cors-origin *", r"\n\n--cors-origin: '\*' "),
    ("--docs-path /x --mcp-path /x", r"\n\n--mcp-path: '/x' collides with "),
    ("--docs-path /ping", r"\n\nping: the mount needs this path itself"),
)
def test_options_that_a_spec_cannot_have_are_wrong_usage(flags: str, told: str) -> None:
    with stopping(told):
        services_of(_taken("spec", PING), _said(flags))


@rows("flags, told", ("--prefix /v1", r"^--prefix is for a spec, and api is a Falcon app; say it in mount_spec\(prefix=\)$"),
        ("--no-docs", r"^--no-docs is for .* say it in mount_spec\(docs=\)$"),
        ("--health-path ''", r"^--health-path is for .* say it in mount_spec\(health_path=\)$"),
        ("--queue 0", r"^--queue is for .* say it in mount_spec\(limits=Limits\(queue=\)\)$"))  # fmt: skip
def test_a_mount_has_said_these_itself(flags: str, told: str) -> None:
    with stopping(told):
        prepare(_taken("falcon", falcon.App()), _said(flags))
    mount = mount_spec(falcon.App(), PING)
    with pytest.raises(Stop, match=told.replace("a Falcon app", "a mount")):
        prepare(_taken("mount", mount), _said(flags))


def test_an_app_of_falcon_speaks_one_interface() -> None:
    assert prepare(_taken("falcon", falcon.App()), Settings(interface="wsgi")).interface == "wsgi"
    assert prepare(_taken("falcon", falcon.asgi.App()), Settings()).interface == "asgi"
    with pytest.raises(Stop, match=r"api is a falcon\.asgi\.App, which speaks asgi only"):
        prepare(_taken("falcon", falcon.asgi.App()), Settings(interface="wsgi"))
    with pytest.raises(Stop, match=r"api is a falcon\.App, which speaks wsgi only"):
        prepare(_taken("falcon", falcon.App()), Settings(interface="asgi"))


def test_a_mount_on_wsgi_is_served_past_its_app() -> None:
    app = falcon.App()
    mount = mount_spec(app, PING)

    for taken in (_taken("mount", mount), _taken("falcon", app)):
        served = prepare(taken, Settings())
        assert served.app is mount.wsgi
        assert (served.services, served.fronts) == ((mount.service,), (mount.wsgi,))


def test_what_other_servers_are_given_is_served_as_its_mount() -> None:
    app, later_app = falcon.App(), falcon.asgi.App()
    first, second = two_mounts(app)
    third = mount_spec(later_app, PING)

    assert [falcon_apps.kind(front) for front in (first.wsgi, third.asgi)] == ["mount", "mount"]
    found = [falcon_apps.meant(value) for value in (first.wsgi, second.wsgi, third.asgi)]
    assert found == [first, second, third]
    assert falcon_apps.meant(third) is third


def test_several_mounts_on_wsgi_are_served_past_their_app() -> None:
    app = falcon.App()
    mounts = two_mounts(app)
    served = prepare(_taken("falcon", app), Settings())
    client = falcon.testing.TestClient(served.app)

    for _ in range(2):
        statuses = [client.simulate_post(f"/{name}/ping").status_code for name in "abc"]
        assert statuses == [500, 500, 404]
    assert set(served.fronts) == {mount.wsgi for mount in mounts}
    found = [[mount.wsgi.answers(path) for path in ("/a/ping", "/b/ping")] for mount in mounts]
    assert found == [[True, False], [False, True]]


def test_a_mount_on_asgi_refuses_before_the_body() -> None:
    app = falcon.asgi.App()
    mount = mount_spec(app, PING)

    for taken in (_taken("mount", mount), _taken("falcon", app)):
        assert prepare(taken, Settings()).app is mount.asgi


def test_several_mounts_on_asgi_do_so_each() -> None:
    app = falcon.asgi.App()
    first, second = two_mounts(app)
    served = prepare(_taken("falcon", app), Settings())

    found = [asyncio.run(_status(served.app, path)) for path in ("/a/ping", "/b/ping", "/c/ping")]
    assert (found, set(served.services)) == ([413, 413, 404], {first.service, second.service})


def test_a_mount_is_served_with_the_others_of_its_app() -> None:
    """They are announced, warmed up and drained like the one that was named."""
    first, second = two_mounts(falcon.App())

    found = set(prepare(_taken("mount", first), Settings()).services)
    assert found == {first.service, second.service}
    assert services_of(_taken("mount", first), Settings()) == (first.service,)


class Item:
    def on_get(self, req: Any, resp: Any) -> None:
        raise falcon.HTTPNotFound


class AsyncItem:
    async def on_get(self, req: Any, resp: Any) -> None:
        raise falcon.HTTPNotFound


def _mounted(app: falcon.App[Any, Any]) -> falcon.testing.TestClient:
    """What serves *app* with two mounts, and a 404 of its own."""
    app.add_route("/items", AsyncItem() if isinstance(app, falcon.asgi.App) else Item())
    mount_spec(app, PING, prefix="/v1")
    mount_spec(app, PING)
    return falcon.testing.TestClient(prepare(_taken("falcon", app), Settings()).app)


def not_found(places: str) -> dict[str, str]:
    said = f"There is nothing at this path. The mounts here answer below {places}."
    return {"title": "404 Not Found", "description": said}


@pytest.mark.parametrize("make", [falcon.App, falcon.asgi.App])
def test_where_an_app_has_nothing_it_names_its_mounts(make: Any) -> None:
    """No part of the request is repeated, and what the app itself does not find stays its own."""
    client = _mounted(make())

    found = [client.simulate_request(method, "/<b>").json for method in ("GET", "POST", "PUT")]
    assert found == [not_found("/ and /v1")] * 3
    assert client.simulate_get("/items").json == {"title": "404 Not Found"}
    assert client.simulate_post("/v1/nothing").json == NOTHING


@rows("handled", falcon.HTTPRouteNotFound, falcon.HTTPNotFound, falcon.HTTPError)
def test_where_the_author_has_a_handler_it_has_the_word(handled: type[Exception]) -> None:
    app = falcon.App()

    def handle(req: Any, resp: falcon.Response, exception: Exception, params: Any) -> None:
        resp.status, resp.text = "404 Not Found", "mine"

    app.add_error_handler(handled, handle)

    assert _mounted(app).simulate_get("/nothing").text == "mine"


def test_an_app_without_mounts_is_left_alone() -> None:
    client = falcon.testing.TestClient(prepare(_taken("falcon", falcon.App()), Settings()).app)

    assert client.simulate_get("/").json == {"title": "404 Not Found"}


def test_a_spec_says_where_it_is_to_whoever_asks_elsewhere() -> None:
    api = _taken("spec", PING)
    below, at_root = (
        falcon.testing.TestClient(prepare(api, _said(f"--prefix '{prefix}'")).app)
        for prefix in ("/v1", "")
    )

    assert below.simulate_get("/ping").json == not_found("/v1")
    assert below.simulate_post("/v1/nothing").json == NOTHING
    assert below.simulate_get("/v1/ping").json["error"] == "METHOD_NOT_ALLOWED"
    assert at_root.simulate_get("/nothing").json == NOTHING


async def _status(app: Any, path: str) -> int:
    """Of a call whose body is too large, and does not come."""
    events = [{"type": "http.request", "body": b"", "more_body": True}, {"type": "http.disconnect"}]

    async def receive() -> Any:
        return events.pop(0)

    return (await answer(app, RawRequest(target=path, length="99999999"), receive)).status


def test_what_is_served_along_is_not_meant_by_itself() -> None:
    one, two, api = falcon.App(), falcon.App(), PING
    alone = mount_spec(one, api)
    first, second = two_mounts(two)

    found = [falcon_apps.holds(alone, other) for other in (api, one, two, first)]
    assert found == [True, True, False, False]
    assert [falcon_apps.holds(first, other) for other in (api, two, second)] == [True, False, False]
    expected = [True, True, True, False]
    assert [falcon_apps.holds(two, other) for other in (api, first, second, alone)] == expected
    assert [falcon_apps.holds(one, other) for other in (api, alone)] == [True, False]
    assert [falcon_apps.kind(value) for value in (one, alone, api)] == ["falcon", "mount", None]
