"""Falcon: a mount beside what the app has of its own."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import falcon
import falcon.asgi
import falcon.inspect
import falcon.testing
import pytest

from contract import Failure, MountError, Request, ServiceUnavailable, Spec, route, routes, spec
from contract.adapters.falcon import Mount, mount_spec, mounts_of
from contract.call.context import current_call
from contract.document.contract_json import dump_contract
from tests.tables import rows
from tests.wire import site
from tests.wire.case import call
from tests.wire.exchange import Exchange, RawRequest, scope_of, talk, through_asgi, through_wsgi

App = Any


@pytest.fixture(params=["wsgi", "asgi", "mount-wsgi", "mount-asgi"])
def kind(request: pytest.FixtureRequest) -> Any:
    return request.param


def make_app(kind: str, **options: Any) -> App:
    return falcon.App(**options) if kind.endswith("wsgi") else falcon.asgi.App(**options)


@pytest.fixture
def app(kind: str) -> App:
    return make_app(kind)


def reach(kind: str, mount: Mount) -> Exchange:
    if kind.endswith("wsgi"):
        return through_wsgi(mount.wsgi if kind.startswith("mount") else mount.app)
    return through_asgi(mount.asgi if kind.startswith("mount") else mount.app)


def get(target: str, method: str = "GET", *headers: tuple[str, str]) -> RawRequest:
    return RawRequest(method=method, target=target, headers=headers)


def one(input: None, ctx: None) -> str:
    return "one"


def two(input: None, ctx: None) -> str:
    return "two"


def named(name: str, resolver: Callable[[Any, Any], Any] = one) -> Spec[None]:
    return spec(routes={name: route(summary="S", tags=["t"], auth="none")(resolver)})


class Host:
    """A resource of the app's own."""

    def __init__(self, text: str = "host") -> None:
        self.text = text

    def on_get(self, req: falcon.Request, resp: falcon.Response, **params: str) -> None:
        resp.text = self.text + "".join(params.values())

    def on_post(self, req: falcon.Request, resp: falcon.Response, **params: str) -> None:
        resp.media = {"read": req.bounded_stream.read().decode()}


class AsyncHost(Host):
    async def on_get(self, req: Any, resp: Any, **params: str) -> None:  # type: ignore[override]
        resp.text = self.text + "".join(params.values())

    async def on_post(self, req: Any, resp: Any, **params: str) -> None:  # type: ignore[override]
        resp.media = {"read": (await req.stream.read()).decode()}


def host(kind: str, text: str = "host") -> Host:
    return Host(text) if kind.endswith("wsgi") else AsyncHost(text)


def either(kind: str, run: Callable[..., None]) -> Callable[..., Any]:
    """What *run* does, as an app of this kind calls it."""

    async def run_async(*args: Any, **more: Any) -> None:
        run(*args, **more)

    return run if kind.endswith("wsgi") else run_async


def sink(req: Any, resp: Any, **_: Any) -> None:
    resp.text = f"sink of {req.path}"


def unknown(name: str) -> object:
    return {"error": "ROUTE_NOT_FOUND", "data": {"route": name}}


def test_several_specs_live_in_one_app(kind: str, app: App) -> None:
    first = mount_spec(app, named("one"), prefix="/v1")
    second = mount_spec(app, named("one", two), prefix="/v2")

    for mount in (first, second, mount_spec(app, named("root"))):
        exchange = reach(kind, mount)
        assert exchange(call("one")).json() == "one"
        assert exchange(RawRequest(target="/v2/one", headers=())).json() == "two"
        assert exchange(RawRequest(target="/root", headers=())).json() == "one"
        assert exchange(RawRequest(target="/v1/root", headers=())).json() == unknown("root")


def test_a_spec_that_is_mounted_after_the_first_request_is_served(kind: str, app: App) -> None:
    first = mount_spec(app, named("one"), prefix="/v1")
    assert reach(kind, first)(call("one")).status == 200
    for mount in (first, mount_spec(app, named("one", two), prefix="/v2")):
        exchange = reach(kind, mount)
        assert exchange(call("one")).json() == "one"
        assert exchange(get("/v2/one", "POST")).json() == "two"
        assert exchange(get("/v2/nope", "POST")).json()["data"] == {"route": "nope"}


@pytest.mark.parametrize("kind", ["wsgi", "asgi"])
@rows(
    "first, second",
    ("/v1", "/v1"),
    ("", ""),
    ("/v1", "/v1/deeper"),
    ("/v1/deeper", "/v1"),
    ("/a/b", "/a/b/c/d"),
)
def test_overlapping_mounts_are_refused(kind: str, first: str, second: str, app: App) -> None:
    mount_spec(app, named("one"), prefix=first)

    with pytest.raises(MountError, match="mount_spec\\(prefix="):
        mount_spec(app, named("one"), prefix=second)


def test_prefixes_that_only_look_alike_do_not_overlap(kind: str, app: App) -> None:
    mount_spec(app, named("one"), prefix="/v1")
    mount = mount_spec(app, named("one", two), prefix="/v10")

    assert reach(kind, mount)(RawRequest(target="/v10/one", headers=())).json() == "two"
    assert reach(kind, mount)(RawRequest(target="/v1/one", headers=())).json() == "one"


def test_the_app_keeps_what_is_not_below_the_prefix(kind: str) -> None:
    exchange = reach(kind, mount_spec(make_app(kind), site.make_site(), prefix="/v1"))

    for target in ("/", "/v1", "/nope", "/v10/x", "/echo"):
        response = exchange(get(target))
        assert response.status == 404
        assert response.header("x-request-id") is None
        assert response.json() == {"title": "404 Not Found"}


def test_at_the_root_a_mount_owns_its_names_alone(kind: str, app: App) -> None:
    app.add_route("/other", host(kind))
    exchange = reach(kind, mount_spec(app, named("one")))

    assert exchange(RawRequest(target="/one", headers=())).json() == "one"
    assert exchange(get("/one")).json()["error"] == "METHOD_NOT_ALLOWED"
    assert exchange(get("/other")).body == b"host"
    for target in ("/", "/nope", "/one/deeper"):
        assert exchange(get(target)).json() == {"title": "404 Not Found"}
    for target in ("/one/", "//one", "/one%2F"):
        assert exchange(get(target)).json()["error"] == "ROUTE_NOT_FOUND"


def test_a_root_mount_has_its_health_route(kind: str) -> None:
    exchange = reach(kind, mount_spec(make_app(kind), named("one"), health_path="/healthz"))

    assert exchange(get("/healthz")).json() == {"ready": True}
    assert exchange(get("/healthz", "HEAD")).body == b""
    options, posted = exchange(get("/healthz", "OPTIONS")), exchange(get("/healthz", "POST"))
    assert (options.status, options.header("allow")) == (204, "GET, HEAD, OPTIONS")
    assert (posted.status, posted.json()["error"]) == (405, "METHOD_NOT_ALLOWED")
    assert posted.header("allow") == "GET, HEAD, OPTIONS"


def test_a_mount_that_drains_says_so_and_answers_all_the_same(kind: str, app: App) -> None:
    other = mount_spec(app, named("two"), prefix="/v2", health_path="/healthz")
    mount = mount_spec(app, named("one"), prefix="/v1", health_path="/healthz")
    exchange = reach(kind, mount)
    assert exchange(get("/v1/healthz")).json() == {"ready": True}

    mount.drain()
    mount.drain()

    health = exchange(get("/v1/healthz"))
    assert (health.status, health.json()) == (503, {"error": "SERVICE_UNAVAILABLE"})
    assert exchange(RawRequest(target="/v1/one", headers=())).json() == "one"
    assert reach(kind, other)(get("/v2/healthz")).status == 200


@pytest.mark.parametrize("before", [True, False])
def test_routes_of_the_app_go_before_those_of_the_mount(kind: str, before: bool, app: App) -> None:

    def add() -> None:
        app.add_route("/v1/host", host(kind))
        app.add_route("/v1/host/{name}", host(kind))

    if before:
        add()
    mount = mount_spec(app, site.make_site(), prefix="/v1")
    if not before:
        add()
    exchange = reach(kind, mount)

    assert exchange(get("/v1/host")).body == b"host"
    assert exchange(get("/v1/host/x")).body == b"hostx"
    posted = exchange(RawRequest(target="/v1/host", body=b"some body"))
    assert posted.json() == {"read": "some body"}
    assert exchange(get("/v1/host", "PUT")).status == 405
    assert exchange(get("/v1/host/x/y")).json()["data"] == {"route": "host/x/y"}
    assert exchange(call("ping")).json() == "pong"


@pytest.mark.parametrize("before", [True, False])
def test_static_routes_below_the_docs_path_work(
    kind: str, before: bool, tmp_path: Path, app: App
) -> None:
    (tmp_path / "logo.svg").write_bytes(b"<svg/>")

    def add() -> None:
        app.add_static_route("/v1/docs/brand", str(tmp_path))
        app.add_static_route("/v1/assets/", str(tmp_path))

    if before:
        add()
    mount = mount_spec(app, site.make_site(), prefix="/v1")
    if not before:
        add()
    exchange = reach(kind, mount)

    assert exchange(get("/v1/docs/brand/logo.svg")).body == b"<svg/>"
    assert exchange(get("/v1/assets/logo.svg")).body == b"<svg/>"
    assert exchange(get("/v1/docs/brand/nope.svg")).status == 404
    assert exchange(get("/v1/docs/nope.svg")).json()["error"] == "ROUTE_NOT_FOUND"
    assert exchange(get("/v1/docs/branding")).json()["error"] == "ROUTE_NOT_FOUND"
    assert exchange(call("ping")).json() == "pong"


def test_a_static_route_of_all_paths_of_a_mount_takes_its_documents_too(
    kind: str, tmp_path: Path, app: App
) -> None:
    (tmp_path / "contract.json").write_bytes(b"the app's")
    app.add_static_route("/v1", str(tmp_path))
    exchange = reach(kind, mount_spec(app, site.make_site(), prefix="/v1"))

    assert exchange(get("/v1/contract.json")).body == b"the app's"
    assert exchange(call("ping")).json() == "pong"


def test_sinks_of_the_app_keep_what_the_mount_does_not_own(kind: str, app: App) -> None:
    app.add_sink(either(kind, sink), "/")
    exchange = reach(kind, mount_spec(app, site.make_site(), prefix="/v1"))

    assert exchange(get("/elsewhere")).body == b"sink of /elsewhere"
    assert exchange(get("/v1")).body == b"sink of /v1"
    assert exchange(call("ping")).json() == "pong"
    assert exchange(get("/v1/nope")).json()["error"] == "ROUTE_NOT_FOUND"


class Middleware:
    """Notes what passes through."""

    def __init__(self) -> None:
        self.seen: list[Any] = []

    def process_request(self, req: Any, resp: Any) -> None:
        self.seen.append(("request", req.path))
        if req.get_header("X-Stop"):
            resp.complete = True
            resp.text = "stopped"

    def process_resource(self, req: Any, resp: Any, resource: Any, params: Any) -> None:
        self.seen.append(("resource", type(resource).__name__))

    def process_response(self, req: Any, resp: Any, resource: Any, req_succeeded: bool) -> None:
        self.seen.append(("response", resp.status_code, req_succeeded))
        resp.set_header("X-Middleware", "was here")

    async def process_request_async(self, req: Any, resp: Any) -> None:
        self.process_request(req, resp)

    async def process_resource_async(self, *args: Any) -> None:
        self.process_resource(*args)

    async def process_response_async(self, *args: Any) -> None:
        self.process_response(*args)


@pytest.mark.parametrize("independent", [True, False])
def test_middleware_that_is_added_after_a_mount_runs_before_its_calls(
    kind: str, independent: bool
) -> None:
    app = make_app(kind, independent_middleware=independent)
    mount = mount_spec(app, site.make_site(), prefix="/v1")
    app.add_middleware(Seen())
    mount_spec(app, site.make_site(), prefix="/v2")

    response = reach(kind, mount)(call("ping"))
    assert (response.json(), response.header("x-seen")) == ("pong", "yes")


@pytest.mark.parametrize("independent", [True, False])
def test_behind_middleware_falcon_looks_for_no_responder(kind: str, independent: bool) -> None:
    app = make_app(kind, middleware=[Seen()], independent_middleware=independent)
    exchange = reach(kind, mount_spec(app, site.make_site(), prefix="/v1"))

    assert exchange(call("ping")).json() == "pong"
    app._router_search = None
    response = exchange(call("ping"))
    assert (response.json(), response.header("x-seen")) == ("pong", "yes")


@pytest.mark.parametrize("independent", [True, False])
def test_middleware_runs_around_every_call(kind: str, independent: bool) -> None:
    middleware = Middleware()
    app = make_app(kind, middleware=[middleware], independent_middleware=independent)
    exchange = reach(kind, mount_spec(app, site.make_site(), prefix="/v1"))

    good = exchange(call("ping"))
    assert (good.json(), good.header("x-middleware")) == ("pong", "was here")
    bad = exchange(call("misbehave", b'{"which":"ValueError"}'))
    assert (bad.status, bad.header("x-middleware")) == (500, "was here")
    assert exchange(call("ping", b"", ("X-Stop", "1"))).body == b"stopped"
    assert middleware.seen[:2] == [("request", "/v1/ping"), ("response", 200, True)]
    assert middleware.seen[2:4] == [("request", "/v1/misbehave"), ("response", 500, True)]
    middleware.seen.clear()
    app.add_route("/host", host(kind))
    assert exchange(get("/host")).body == b"host"
    assert ("resource", type(host(kind)).__name__) in middleware.seen


def test_middleware_may_rewrite_the_path(kind: str) -> None:
    class Rewriting(Middleware):
        def process_request(self, req: Any, resp: Any) -> None:
            req.path = req.path.replace("/old", "/v1")

    app = make_app(kind, middleware=[Rewriting()])
    exchange = reach(kind, mount_spec(app, site.make_site(), prefix="/v1"))

    assert exchange(RawRequest(target="/old/ping", headers=())).json() == "pong"
    assert exchange(RawRequest(target="/old/echo", body=b'{"text":"x"}')).json()["text"] == "x"


class Reading:
    """Middleware that reads the beginning of a body."""

    def process_request(self, req: Any, resp: Any) -> None:
        assert req.env["wsgi.input"].read(4) == b"1234"

    async def process_request_async(self, req: Any, resp: Any) -> None:
        assert await req.stream.read(4) == b"1234"


@pytest.mark.parametrize("chunked", [False, True])
def test_a_body_that_middleware_has_read_is_missing(kind: str, chunked: bool) -> None:
    """It is told, and does not wait for what never comes."""
    app = make_app(kind, middleware=[Reading()])
    exchange = reach(kind, mount_spec(app, site.make_site(), prefix="/v1"))
    response = exchange(RawRequest(target="/v1/anything", body=b"1234567", chunked=chunked, part=4))

    assert response.status == (200 if chunked else 400)
    why = {"message": "The body is not as long as its Content-Length."}
    assert response.json() == (567 if chunked else {"error": "BAD_REQUEST", "data": why})


@rows("rest, status", (b'"' + b"a" * 500 + b'"', 200), (b'"a"' + b" " * 500 + b"b", 400))
def test_what_middleware_leaves_of_a_body_is_read_to_its_end(
    kind: str, rest: bytes, status: int
) -> None:
    """A route may take more than its mount; the beginning of a body is never taken for it all."""

    def long(input: str, ctx: None) -> int:
        return len(input)

    made = route(summary="s", tags=["t"], auth="none", max_body_bytes=1000)(long)
    app = make_app(kind, middleware=[Reading()])
    exchange = reach(kind, mount_spec(app, spec(routes=[made]), prefix="/v1", max_body_bytes=10))
    response = exchange(RawRequest(target="/v1/long", body=b"1234" + rest, chunked=True, part=100))

    assert response.status == status
    assert (response.json() == 500) is (status == 200)


def test_error_handlers_of_the_app_see_no_call(kind: str, app: App) -> None:
    seen: list[BaseException] = []

    def handle(req: Any, resp: Any, ex: Exception, params: Any) -> None:
        seen.append(ex)
        resp.text = "handled"

    def broken(req: Any, resp: Any) -> None:
        raise ValueError("of the host")

    app.add_error_handler(Exception, either(kind, handle))
    app.add_route("/broken", SimpleNamespace(on_get=either(kind, broken)))
    exchange = reach(kind, mount_spec(app, site.make_site(), prefix="/v1"))

    assert exchange(call("misbehave", b'{"which":"ValueError"}')).json() == {
        "error": "INTERNAL_ERROR"
    }
    assert (exchange(get("/v1/nope")).json()["error"], seen) == ("ROUTE_NOT_FOUND", [])
    assert exchange(get("/broken")).body == b"handled"
    assert [str(each) for each in seen] == ["of the host"]


def test_forms_and_odd_queries_do_not_disturb(kind: str, app: App) -> None:
    app.req_options.keep_blank_qs_values = False
    exchange = reach(kind, mount_spec(app, site.make_site(), prefix="/v1"))
    form = RawRequest(headers=(("Content-Type", "application/x-www-form-urlencoded"),), body=b"a=b")

    assert exchange(form).status == 415
    assert exchange(RawRequest(target="/v1/ping?a=%zz&&=", headers=())).json() == "pong"


def test_media_handlers_of_the_app_are_not_used(kind: str, app: App) -> None:
    class Refusing(falcon.media.BaseHandler):
        def serialize(self, media: object, content_type: str) -> bytes:
            raise AssertionError("used")

        def deserialize(
            self, stream: Any, content_type: str | None, content_length: int | None
        ) -> object:
            raise AssertionError("used")

    handlers = falcon.media.Handlers({"application/json": Refusing()})
    app.req_options.media_handlers = handlers
    app.resp_options.media_handlers = handlers
    app.resp_options.default_media_type = "text/html"
    exchange = reach(kind, mount_spec(app, site.make_site(), prefix="/v1"))

    assert exchange(call("echo", b'{"text":"x"}')).header("content-type") == "application/json"
    assert exchange(get("/v1/nope")).header("content-type") == "application/json"
    assert app.req_options.media_handlers is handlers
    assert exchange(get("/v1/ping", "OPTIONS")).header("content-type") is None


def test_cookies_and_headers_that_middleware_sets_are_kept(kind: str) -> None:
    class Cookie(Middleware):
        def process_request(self, req: Any, resp: Any) -> None:
            resp.set_cookie("a", "b")
            resp.set_header("X-Frame-Options", "DENY")

    app = make_app(kind, middleware=[Cookie()])
    response = reach(kind, mount_spec(app, site.make_site(), prefix="/v1"))(call("ping"))

    assert (response.header("set-cookie") or "").startswith("a=b")
    assert response.header("x-frame-options") == "DENY"


def test_an_app_with_mounts_can_be_inspected(kind: str, app: App) -> None:
    app.add_route("/host", host(kind))
    mount_spec(app, site.make_site(), prefix="/v1")
    mount_spec(app, named("one"))

    text = falcon.inspect.inspect_app(app).to_string(verbose=True, internal=True)

    assert "/v1/" in text
    assert "contract_mount" in text


def test_the_test_client_of_falcon_works(kind: str) -> None:
    client = falcon.testing.TestClient(
        mount_spec(make_app(kind), site.make_site(), prefix="/v1").app
    )

    result = client.simulate_post("/v1/echo", json={"text": "x"})
    assert (result.status_code, result.json["text"]) == (200, "x")
    assert client.simulate_post("/v1/ping").json == "pong"
    assert client.simulate_post("/v1/me").status_code == 401
    token = {"Authorization": f"Bearer {site.TOKEN}"}
    assert client.simulate_post("/v1/me", headers=token).json["user"] == "ada"
    others = (client.simulate_get, client.simulate_options, client.simulate_head)
    assert [simulate("/v1/me").status_code for simulate in others] == [405, 204, 405]


def test_hooks_see_the_request_of_falcon(kind: str) -> None:
    seen: list[Request] = []

    def authenticate(token: str, request: Request) -> str:
        seen.append(request)
        return token

    def me(input: None, ctx: str) -> str:
        return ctx

    served = spec(authenticate=authenticate, routes=routes(route(summary="S", tags=["t"])(me)))
    exchange = reach(kind, mount_spec(make_app(kind), served, prefix="/v1"))
    exchange(call("me", b"", ("Authorization", "Bearer abc"), ("X-Many", "a"), ("X-Many", "b")))

    [request] = seen
    assert (request.method, request.path, request.client) == ("POST", "/v1/me", "192.0.2.7")
    assert isinstance(request.native, falcon.Request)
    assert request.headers["authorization"] == "Bearer abc"
    assert request.headers["x-many"].replace(" ", "") == "a,b"
    assert request.headers["content-type"] == "application/json"
    assert "abc" not in repr(request)
    assert request.headers.get("X-Many") == request.headers["x-many"]
    assert set(request.headers) == {"host", "content-type", "authorization", "x-many"}
    assert len(request.headers) == 4


def test_a_mount_says_what_it_is() -> None:
    app = falcon.App()
    api = site.make_site()
    mount = mount_spec(app, api, prefix="/v1", visibility="all")

    assert mount.app is app
    assert mount.spec is api
    assert (mount.visibility, mount.paths) == ("all", tuple(f"/v1/{name}" for name in api.entries))


CORS = "https://app.example"


@pytest.mark.parametrize("path", ["/v1/ping", "/v1/mcp"])
def test_pages_may_send_the_headers_that_the_author_names(kind: str, path: str) -> None:
    options: dict[str, Any] = {"cors_origins": [CORS], "mcp_origins": [CORS]}
    options["cors_headers"] = ["X-Tenant", "Content-Type"]
    exchange = reach(kind, mount_spec(make_app(kind), site.make_site(), prefix="/v1", **options))

    allowed = exchange(get(path, "OPTIONS", ("Origin", CORS))).header(
        "access-control-allow-headers"
    )

    assert allowed is not None
    names = allowed.split(", ")
    assert {"authorization", "content-type", "x-request-id", "x-tenant"} <= {*names}
    assert len({*names}) == len(names)


class Mapped(Failure, status=409):
    """What an exception is made of."""

    what: str


class Other(Failure):
    """Not declared."""


def turned_away(token: str, request: Request) -> str:
    raise LookupError(token)


async def turned_away_async(token: str, request: Request) -> str:
    raise LookupError(token)


@pytest.mark.parametrize("authenticate", [turned_away, turned_away_async])
def test_what_the_hook_raises_is_mapped_too(kind: str, authenticate: Callable[..., Any]) -> None:
    def busy(exception: Exception, request: Request) -> Failure | None:
        known = {"busy": ServiceUnavailable(retry_after=1), "mapped": Mapped(what=request.path)}
        return {**known, "other": Other()}.get(str(exception))

    def mine(input: None, ctx: str) -> str | Mapped:
        return ctx

    api = spec(authenticate=authenticate, routes=[route(summary="S", tags=["t"], mcp=True)(mine)])
    exchange = reach(
        kind, mount_spec(make_app(kind), api, prefix="/v1", handle_unhandled_error=busy)
    )

    def told(token: str) -> tuple[int, Any]:
        response = exchange(call("mine", b"", ("Authorization", f"Bearer {token}")))
        return response.status, response.json()

    assert told("busy") == (503, {"error": "SERVICE_UNAVAILABLE", "data": {"retry_after": 1}})
    assert told("mapped") == (409, {"error": "MAPPED", "data": {"what": "/v1/mine"}})
    assert told("other") == told("else") == (500, {"error": "INTERNAL_ERROR"})


def test_the_mounts_of_an_app_are_known(kind: str, app: App) -> None:
    first = mount_spec(app, named("one"), prefix="/v1")
    second = mount_spec(app, named("two"), prefix="/v2")

    assert mounts_of(app) == (second, first)
    assert mounts_of(make_app(kind)) == ()


def test_a_version_that_falcon_does_not_know_is_answered() -> None:
    mount = mount_spec(falcon.asgi.App(), site.make_site(), prefix="/v1")

    assert (
        through_asgi(mount.asgi)(RawRequest(version="1", target="/v1/ping", headers=())).json()
        == "pong"
    )
    assert [
        through_asgi(mount.asgi)(RawRequest(method=method, version="4")).status
        for method in ("POST", "GET")
    ] == [505, 505]


def test_a_version_that_the_server_does_not_tell_is_one_that_falcon_knows() -> None:
    mount = mount_spec(falcon.asgi.App(middleware=[Seen()]), site.make_site(), prefix="/v1")
    exchange = through_asgi(lambda scope, *rest: mount.asgi(without(scope), *rest))
    response = exchange(get("/v1/contract.json"))

    assert (response.status, response.header("x-seen")) == (200, "yes")


def test_headers_that_can_be_read_again_are_read_as_they_were_sent() -> None:
    """Falcon keeps only the last of several types."""
    app: Any = mount_spec(falcon.asgi.App(), site.make_site(), prefix="/v1").app
    exchange = through_asgi(
        lambda scope, *rest: app({**scope, "headers": tuple(scope["headers"])}, *rest)
    )
    text, json = (("Content-Type", kind) for kind in ("text/plain", "application/json"))

    assert exchange(RawRequest(headers=(json,), body=b'{"text":"x"}')).status == 200
    assert exchange(RawRequest(headers=(text, json), body=b'{"text":"x"}')).status == 415


def without(scope: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in scope.items() if key != "http_version"}


@pytest.mark.parametrize("kind", ["asgi", "mount-asgi"])
async def test_websockets_are_closed(kind: str) -> None:
    mount = mount_spec(falcon.asgi.App(), site.make_site(), prefix="/v1")
    sent: list[str] = []

    async def receive() -> Any:
        return {"type": "websocket.connect"}

    async def send(event: Any) -> None:
        sent.append(event["type"])

    scope = scope_of(RawRequest()) | {"type": "websocket", "scheme": "ws", "subprotocols": []}
    app: Any = mount.asgi if kind == "mount-asgi" else mount.app
    await app(scope, receive, send)

    assert sent == ["websocket.close"]


@pytest.fixture
def loop() -> Iterator[asyncio.AbstractEventLoop]:
    found = asyncio.new_event_loop()
    yield found
    found.close()


def test_who_goes_before_falcon_has_begun_gets_nothing(loop: asyncio.AbstractEventLoop) -> None:
    """Falcon itself stops there: nothing is sent, and no resolver runs."""
    site.RAN.clear()
    app = mount_spec(falcon.asgi.App(), site.make_site(), prefix="/v1").app

    with pytest.raises(ValueError, match="not enough values"):
        loop.run_until_complete(talk(app, RawRequest(length="12", ends="disconnect")))
    assert site.RAN == []


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The paths of the requests that came to Falcon."""
    found: list[str] = []
    for kind, key in ((falcon.App, "PATH_INFO"), (falcon.asgi.App, "path")):

        def noting(
            self: Any, given: Any, *rest: Any, of: Any = kind.__call__, key: str = key
        ) -> Any:
            found.append(given[key])
            return of(self, given, *rest)

        monkeypatch.setattr(kind, "__call__", noting)
    return found


async def later(input: None, ctx: None) -> str:
    return "later"


def mine(input: None, ctx: str) -> str:
    return ctx


def allows(token: str, request: Request) -> str:
    return token


async def allows_async(token: str, request: Request) -> str:
    return token


def all_kinds(authenticate: Callable[..., Any] = allows, **more: Any) -> Spec[str]:
    public = {"free": one, "later": later, **more}
    made: dict[str, Any] = {
        name: route(summary="S", tags=["t"], auth="none")(resolver)
        for name, resolver in public.items()
    }
    return spec(
        authenticate=authenticate, routes={**made, "mine": route(summary="S", tags=["t"])(mine)}
    )


TOKEN = ("Authorization", "Bearer ada")
PING = call("mcp", b'{"jsonrpc":"2.0","id":1,"method":"ping"}', ("Accept", "*/*"))
MOUNTS = pytest.mark.parametrize("kind", ["mount-wsgi", "mount-asgi"])


@MOUNTS
@pytest.mark.parametrize("authenticate", [allows, allows_async])
def test_calls_go_past_falcon(
    kind: str, asked: list[str], authenticate: Callable[..., Any], app: App
) -> None:
    """All but those of paths for which the app has something of its own."""
    app.add_route("/v1/taken", host(kind))
    mount = mount_spec(app, all_kinds(authenticate, taken=one, sunk=one), prefix="/v1")
    app.add_sink(either(kind, sink), "/v1/sunk")
    exchange = reach(kind, mount)

    assert [
        exchange(call(*each)).json()
        for each in (("free", b"null"), ("later", b""), ("mine", b"", TOKEN))
    ] == ["one", "later", "ada"]
    assert exchange(call("mine")).status == 401
    assert (exchange(PING).json(), asked) == ({"jsonrpc": "2.0", "id": 1, "result": {}}, [])
    assert exchange(call("taken", b"null")).json() == {"read": "null"}
    assert exchange(call("sunk")).body == b"sink of /v1/sunk"
    assert exchange(get("/v1/free")).status == 405
    assert exchange(get("/v1/contract.json")).status == 200
    assert asked == ["/v1/taken", "/v1/sunk", "/v1/free", "/v1/contract.json"]


@MOUNTS
def test_what_an_app_gets_later_is_asked_from_then_on(
    kind: str, asked: list[str], app: App
) -> None:
    exchange = reach(kind, mount_spec(app, all_kinds(taken=one, sunk=one), prefix="/v1"))
    names = ("free", "taken", "sunk")
    assert ([exchange(call(name)).json() for name in names], asked) == (["one"] * 3, [])

    app.add_route("/v1/taken", host(kind))
    assert exchange(call("taken", b"null")).json() == {"read": "null"}
    assert (exchange(call("free")).json(), asked) == ("one", ["/v1/taken"])
    app.add_sink(either(kind, sink), "/v1/sunk")
    assert exchange(call("sunk")).body == b"sink of /v1/sunk"
    assert (exchange(call("free")).json(), asked) == ("one", ["/v1/taken", "/v1/sunk"])
    app.add_middleware(Seen())
    assert [
        exchange(each).header("x-seen") for each in (call("free"), call("mine", b"", TOKEN), PING)
    ] == ["yes"] * 3
    assert asked == ["/v1/taken", "/v1/sunk", "/v1/free", "/v1/mine", "/v1/mcp"]


class Seen:
    """Middleware that only looks."""

    def process_request(self, req: Any, resp: Any) -> None:
        resp.set_header("x-seen", "yes")

    async def process_request_async(self, req: Any, resp: Any) -> None:
        resp.set_header("x-seen", "yes")


class OwnRequest(falcon.Request):
    pass


class OwnAsgiResponse(falcon.asgi.Response):
    pass


class OwnRouter:
    def add_route(self, template: str, resource: object, **options: Any) -> None: ...

    def find(self, uri: str, req: Any = None) -> None:
        return None


if TYPE_CHECKING:
    AnyApp = falcon.App[Any, Any]
else:
    AnyApp = falcon.App  # which older releases do not declare generic


class OwnApp(AnyApp):
    pass


@rows(
    "make, options",
    (falcon.App, {"middleware": [Seen()]}),
    (falcon.App, {"cors_enable": True}),
    (falcon.App, {"independent_middleware": False, "middleware": [Seen()]}),
    (falcon.App, {"request_type": OwnRequest}),
    (falcon.App, {"router": OwnRouter()}),
    (OwnApp, {}),
    (falcon.asgi.App, {"middleware": [Seen()]}),
    (falcon.asgi.App, {"cors_enable": True}),
    (falcon.asgi.App, {"response_type": OwnAsgiResponse}),
)
def test_an_app_that_has_a_say_in_every_request_is_asked(
    make: Callable[..., Any], options: dict[str, Any], asked: list[str]
) -> None:
    mount = mount_spec(make(**options), named("one"), prefix="/v1")

    assert (
        reach("mount-asgi" if make is falcon.asgi.App else "mount-wsgi", mount)(
            call("one", b"null")
        ).json()
        == "one"
    )
    assert asked == ["/v1/one"]


@MOUNTS
def test_past_falcon_hooks_still_see_its_request(kind: str, asked: list[str]) -> None:
    seen: list[Any] = []

    def authenticate(token: str, request: Request) -> str:
        seen.append(request.native)
        raise ValueError(token)

    def mapped(exception: Exception, request: Request) -> None:
        seen.append(request.native)

    mount = mount_spec(
        make_app(kind), all_kinds(authenticate), prefix="/v1", handle_unhandled_error=mapped
    )
    response = reach(kind, mount)(call("mine", b"", TOKEN, ("X-Own", "1")))

    assert (response.status, asked, len(seen)) == (500, [], 2)
    for native in seen:
        assert type(native) is (falcon.Request if kind == "mount-wsgi" else falcon.asgi.Request)
        assert (native.path, native.get_header("X-Own")) == ("/v1/mine", "1")


def test_the_paths_that_a_mount_answers_itself_are_known() -> None:
    app = falcon.App()
    front = mount_spec(app, all_kinds(taken=one), prefix="/v1").wsgi
    app.add_route("/v1/taken", Host())

    names = ("free", "mine", "mcp", "taken", "nothing", "contract.json")
    assert [front.answers(f"/v1/{name}") for name in names] == [True] * 3 + [False] * 3


def test_a_mount_speaks_what_its_app_speaks() -> None:
    with pytest.raises(MountError, match=r"serve Mount\.wsgi"):
        _ = mount_spec(falcon.App(), named("one")).asgi
    with pytest.raises(MountError, match=r"serve Mount\.asgi"):
        _ = mount_spec(falcon.asgi.App(), named("one")).wsgi


def test_a_mount_drains_when_its_server_shuts_down(loop: asyncio.AbstractEventLoop) -> None:
    """The middleware of the app hears of its life, too."""
    seen: list[str] = []

    class Starting:
        async def process_startup(self, scope: Any, event: Any) -> None:
            seen.append("startup")

    app = falcon.asgi.App(middleware=[Starting()])
    mount = mount_spec(app, named("one"), prefix="/v1", health_path="/up")
    events = iter(["lifespan.startup", "lifespan.shutdown"])
    sent: list[tuple[str, bool]] = []

    async def receive() -> Any:
        return {"type": next(events)}

    async def send(event: Any) -> None:
        sent.append((event["type"], mount.service.draining))

    assert through_asgi(mount.asgi)(get("/v1/up")).status == 200
    loop.run_until_complete(
        mount.asgi({"type": "lifespan", "asgi": {"version": "3.0"}, "state": {}}, receive, send)
    )
    assert sent == [("lifespan.startup.complete", False), ("lifespan.shutdown.complete", True)]
    assert seen == ["startup"]
    assert through_asgi(mount.asgi)(get("/v1/up")).status == 503


def test_the_document_of_a_mount_is_what_it_serves() -> None:
    mount = mount_spec(falcon.App(), named("one"), prefix="/v1", docs_path="/manual", mcp_path=None)

    assert dump_contract(mount.document) == through_wsgi(mount.app)(get("/v1/contract.json")).body
    assert (mount.document.links.docs, mount.document.links.mcp) == ("manual", None)


def test_a_root_path_is_no_part_of_any_route() -> None:
    app = falcon.asgi.App()
    app.add_route("/own", SimpleNamespace(on_get=either("asgi", sink)))
    mount = mount_spec(app, named("one"), prefix="/v1", cors_origins=["https://app.example"])

    async def below(scope: Any, receive: Any, send: Any) -> None:
        await mount.asgi(scope | {"root_path": "/api"}, receive, send)

    exchange = through_asgi(below)

    assert exchange(RawRequest(target="/api/v1/one", headers=())).json() == "one"
    assert exchange(RawRequest(target="/api/v1/nope", headers=())).json() == unknown("nope")
    assert exchange(get("/api/v1/openapi.json")).json()["servers"] == [{"url": "/api/v1"}]
    assert exchange(get("/api/own")).body == b"sink of /own"


def test_a_script_name_stands_before_the_mount() -> None:
    mount = mount_spec(falcon.App(), named("one"), prefix="/v1")

    def below(environ: dict[str, Any], start_response: Any) -> Any:
        return mount.wsgi(environ | {"SCRIPT_NAME": "/api"}, start_response)

    exchange = through_wsgi(below)

    assert exchange(RawRequest(target="/v1/one", headers=())).json() == "one"
    assert exchange(get("/v1/openapi.json")).json()["servers"] == [{"url": "/api/v1"}]


def test_the_document_of_a_mount_without_docs_links_to_none() -> None:
    links = mount_spec(falcon.App(), named("one"), docs=False, mcp_path="/docs").document.links

    assert (links.docs, links.openapi, links.mcp) == (None, None, "docs")


def test_headers_and_cookies_that_a_call_sets_go_through_the_app(kind: str, app: App) -> None:
    def set_(input: None, ctx: None) -> None:
        out = current_call().headers_out
        out.set("X-Total", "1")
        out.set_cookie("one", "1")
        out.set_cookie("two", "2")

    response = reach(kind, mount_spec(app, named("set", set_), prefix="/v1"))(
        RawRequest(target="/v1/set", headers=())
    )

    assert response.header("x-total") == "1"
    cookies = [value[:5] for name, value in response.headers if name == "set-cookie"]
    assert cookies == ["one=1", "two=2"]


def test_the_page_is_shown_where_falcon_takes_the_slash_away(app: App, kind: str) -> None:
    """Without it, the page would move to itself."""
    app.req_options.strip_url_path_trailing_slash = True
    exchange = reach(kind, mount_spec(app, named("one")))

    assert exchange(get("/docs/")).status == 200
    assert exchange(get("/docs")).header("location") == "docs/"
