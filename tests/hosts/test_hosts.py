"""
Hosts: the examples of the pages of a mount inside other frameworks, run with these.

``make hosts`` installs them into an environment of their own, and runs this there.
"""

from __future__ import annotations

import asyncio
import importlib
import json
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from typing import Any

import falcon.asgi
import pytest

from contract import mount_spec, resource, route, routes, spec
from contract.adapters.falcon import Mount
from tests.test_readme import HOSTS, blocks, programs
from tests.wire.exchange import Exchange, RawRequest, talk, through_asgi, through_wsgi

ORDER = b'{"product_id":"p1","quantity":2}'
RECEIPT = {"order_id": "2-of-p1", "price_cents": 2500}

SETTINGS = """
ALLOWED_HOSTS = ["shop.example"]
ROOT_URLCONF = "mysite.urls"
SECRET_KEY = "not one"
USE_TZ = True
"""

URLS = """
from django.http import HttpResponse
from django.urls import path

urlpatterns = [path("own", lambda request: HttpResponse("own"))]
"""


@pytest.fixture(scope="module", autouse=True)
def files(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """The blocks as files, from which they import each other, and a site for those of Django."""
    folder = tmp_path_factory.mktemp("hosts")
    for page in {block.page for block in HOSTS}:
        hosts = {block.module: block.text for block in blocks(page) if block in HOSTS}
        for module, text in {**programs(page), **hosts}.items():
            (folder / f"{module}.py").write_text(text, "utf-8")
    site = folder / "mysite"
    site.mkdir()
    (site / "settings.py").write_text(SETTINGS, "utf-8")
    (site / "urls.py").write_text(URLS, "utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(folder)
        patch.setenv("DJANGO_SETTINGS_MODULE", "mysite.settings")
        yield


def named(module: str, name: str) -> Any:
    return getattr(importlib.import_module(module), name)


MOUNTED: dict[str, tuple[Callable[[Any], Exchange], str, str]] = {
    "in_fastapi": (through_asgi, "app", "/rpc/v1"),
    "in_starlette": (through_asgi, "app", "/rpc/v1"),
    "in_litestar": (through_asgi, "app", "/rpc/v1"),
    "in_flask": (through_wsgi, "app", "/rpc/v1"),
    "in_django_asgi": (through_asgi, "application", "/v1"),
    "in_django_wsgi": (through_wsgi, "application", "/v1"),
}
"""Module -> the interface that it speaks, the name of what is served, and where the routes are."""


def test_every_host_of_the_pages_is_tried() -> None:
    assert {block.module for block in HOSTS} == {*MOUNTED, "in_lambda"}


@pytest.mark.parametrize("module", MOUNTED)
def test_a_route_is_called_inside_a_framework(module: str) -> None:
    through, name, below = MOUNTED[module]
    exchange = through(named(module, name))
    good = exchange(RawRequest(target=f"{below}/order", body=ORDER))
    bad = exchange(RawRequest(target=f"{below}/order", body=b'{"quantity":0}'))
    empty = exchange(RawRequest(target=f"{below}/order", headers=()))

    assert (good.status, good.json()) == (200, RECEIPT)
    assert good.header("x-request-id")
    assert (bad.status, bad.json()["error"]) == (400, "VALIDATION_ERROR")
    assert (empty.status, empty.json()["error"]) == (400, "VALIDATION_ERROR")


@pytest.mark.parametrize("module", MOUNTED)
def test_its_paths_are_told_from_those_of_the_framework(module: str) -> None:
    through, name, below = MOUNTED[module]
    exchange = through(named(module, name))
    document = exchange(RawRequest("GET", f"{below}/openapi.json", ()))
    page = exchange(RawRequest("GET", f"{below}/docs/", ()))
    unknown = exchange(RawRequest(target=f"{below}/nothing", body=b"{}"))
    beside = exchange(RawRequest("GET", "/nothing", ()))

    assert document.json()["servers"] == [{"url": below}]
    assert (page.status, page.header("content-type")) == (200, "text/html; charset=utf-8")
    assert unknown.json() == {"error": "ROUTE_NOT_FOUND", "data": {"route": "nothing"}}
    assert beside.status == 404
    assert b"ROUTE_NOT_FOUND" not in beside.body


@pytest.mark.parametrize("module", ["in_django_asgi", "in_django_wsgi"])
def test_django_keeps_its_own_paths(module: str) -> None:
    through, name, _ = MOUNTED[module]

    assert through(named(module, name))(RawRequest("GET", "/own", ())).body == b"own"


# What AWS gives to a function, without what nobody reads.


def gateway_2(path: str, body: str) -> dict[str, Any]:
    caller = {"method": "POST", "path": path, "sourceIp": "192.0.2.7"}
    return {
        "version": "2.0",
        "rawPath": path,
        "rawQueryString": "",
        "headers": {"content-type": "application/json", "host": "shop.example"},
        "requestContext": {"http": caller, "stage": "$default"},
        "body": body,
        "isBase64Encoded": False,
    }


def gateway_1(path: str, body: str) -> dict[str, Any]:
    headers = {"Content-Type": "application/json", "Host": "shop.example"}
    return {
        "resource": "/{proxy+}",
        "path": path,
        "httpMethod": "POST",
        "headers": headers,
        "multiValueHeaders": {name: [value] for name, value in headers.items()},
        "queryStringParameters": None,
        "multiValueQueryStringParameters": None,
        "requestContext": {"identity": {"sourceIp": "192.0.2.7"}, "stage": "prod"},
        "body": body,
        "isBase64Encoded": False,
    }


def balancer(path: str, body: str) -> dict[str, Any]:
    forwarded = {"for": "192.0.2.7", "port": "443", "proto": "https"}
    return {
        "requestContext": {"elb": {"targetGroupArn": "arn:aws:elasticloadbalancing:eu:1:x"}},
        "httpMethod": "POST",
        "path": path,
        "queryStringParameters": {},
        "headers": {
            "content-type": "application/json",
            "host": "shop.example",
            **{f"x-forwarded-{name}": value for name, value in forwarded.items()},
        },
        "body": body,
        "isBase64Encoded": False,
    }


@pytest.fixture
def loop() -> Iterator[None]:
    """A loop for Mangum, which closes none that it finds or makes."""
    made = asyncio.new_event_loop()
    asyncio.set_event_loop(made)
    yield
    asyncio.set_event_loop(None)
    made.close()


@pytest.mark.usefixtures("loop")
@pytest.mark.parametrize("event", [gateway_2, gateway_1, balancer])
def test_lambda_hands_over_a_body_without_a_length(
    event: Callable[[str, str], dict[str, Any]],
) -> None:
    handler = named("in_lambda", "handler")
    good = handler(event("/v1/order", ORDER.decode()), {})
    bad = handler(event("/v1/order", '{"quantity":0}'), {})
    unknown = handler(event("/v1/nothing", "{}"), {})

    assert (good["statusCode"], json.loads(good["body"])) == (200, RECEIPT)
    assert (bad["statusCode"], json.loads(bad["body"])["error"]) == (400, "VALIDATION_ERROR")
    assert (unknown["statusCode"], json.loads(unknown["body"])["error"]) == (404, "ROUTE_NOT_FOUND")


@pytest.mark.usefixtures("loop")
def test_a_stage_is_taken_off() -> None:
    Mangum = importlib.import_module("mangum").Mangum  # noqa: N806
    handler = Mangum(named("asgi_app", "asgi"), lifespan="off", api_gateway_base_path="/prod")

    assert handler(gateway_1("/prod/v1/order", ORDER.decode()), {})["statusCode"] == 200


# The resources of a spec, which these hosts tell of no start and no end.

said: list[str] = []
FAILS: dict[str, str] = {}


@resource
def pool() -> Iterator[str]:
    if "opening" in FAILS:
        raise OSError(FAILS["opening"])
    said.append("open pool")
    yield "pool"
    said.append("leave pool")
    if "leaving" in FAILS:
        raise OSError(FAILS["leaving"])


@resource
async def queue() -> AsyncIterator[asyncio.Queue[str]]:
    loop = asyncio.get_running_loop()
    if "waiting" in FAILS:
        await asyncio.sleep(60)
    said.append(f"open queue over {pool()}")
    yield asyncio.Queue()
    assert asyncio.get_running_loop() is loop
    said.append("leave queue")


@route(summary="Use what is open", tags=["t"], auth="none")
async def use(input: None, ctx: None) -> str:
    waiting = queue()
    asyncio.get_running_loop().call_later(0.001, waiting.put_nowait, "of this loop")
    return await asyncio.wait_for(waiting.get(), 5)


def fastapi_app(mount: Mount, lifespan: Any) -> Any:
    app = importlib.import_module("fastapi").FastAPI(lifespan=lifespan)
    app.mount("/rpc", mount.asgi)
    return app


def starlette_app(mount: Mount, lifespan: Any) -> Any:
    below = importlib.import_module("starlette.routing").Mount("/rpc", app=mount.asgi)
    made = importlib.import_module("starlette.applications").Starlette
    return made(routes=[below], lifespan=lifespan)


def litestar_app(mount: Mount, lifespan: Any) -> Any:
    rpc = named("in_litestar", "rpc")
    made = importlib.import_module("litestar").Litestar
    app = made(route_handlers=[rpc], lifespan=[lifespan], logging_config=None)
    rpc.fn.__globals__["asgi"] = mount.asgi
    return app


LIVING = pytest.mark.parametrize("made", [fastapi_app, starlette_app, litestar_app])


@pytest.fixture(autouse=True)
def fresh() -> Iterator[None]:
    said.clear()
    FAILS.clear()
    kept = named("in_litestar", "asgi")
    yield
    named("in_litestar", "rpc").fn.__globals__["asgi"] = kept


class Hosted:
    """A server of *app*, on the loop that runs."""

    def __init__(self, app: Any) -> None:
        self.app = app
        self.events: asyncio.Queue[Any] = asyncio.Queue()
        self.sent: asyncio.Queue[Any] = asyncio.Queue()
        scope = {"type": "lifespan", "asgi": {"version": "3.0"}, "state": {}}
        self.life = asyncio.create_task(app(scope, self.events.get, self.sent.put))

    async def tell(self, kind: str) -> Any:
        await self.events.put({"type": f"lifespan.{kind}"})
        return await asyncio.wait_for(self.sent.get(), 10)

    async def call(self, path: str) -> tuple[int, Any]:
        response = await talk(self.app, RawRequest(target=path, headers=(), length="0"))
        return response.status, response.json()


def mount_of_resources() -> Mount:
    api = spec(routes=routes(use), resources=[pool, queue])
    return mount_spec(falcon.asgi.App(), api, prefix="/v1")


def hosted(made: Any) -> Hosted:
    mount = mount_of_resources()
    return Hosted(made(mount, mount.lifespan))


OPENED = ["open pool", "open queue over pool"]
LEFT = ["leave queue", "leave pool"]


@LIVING
async def test_a_lifespan_opens_before_the_host_is_ready_and_leaves_at_its_end(made: Any) -> None:
    host = hosted(made)
    assert (await host.tell("startup"))["type"] == "lifespan.startup.complete"
    assert said == OPENED
    assert await host.call("/rpc/v1/use") == (200, "of this loop")
    assert said == OPENED
    assert (await host.tell("shutdown"))["type"] == "lifespan.shutdown.complete"
    assert said == [*OPENED, *LEFT]


@LIVING
async def test_a_lifespan_stands_inside_that_of_the_host(made: Any) -> None:
    mount = mount_of_resources()

    @asynccontextmanager
    async def lifespan(app: Any) -> AsyncGenerator[None]:
        said.append("begin")
        async with mount.lifespan(app):
            yield
        said.append("end")

    host = Hosted(made(mount, lifespan))
    await host.tell("startup")
    assert await host.call("/rpc/v1/use") == (200, "of this loop")
    await host.tell("shutdown")
    assert said == ["begin", *OPENED, *LEFT, "end"]


@LIVING
async def test_a_host_does_not_start_without_its_resources(made: Any) -> None:
    FAILS["opening"] = "no database"
    failed = await hosted(made).tell("startup")

    assert failed["type"] == "lifespan.startup.failed"
    assert "the resource pool could not be opened: OSError: no database" in failed["message"]
    assert said == []


@LIVING
async def test_a_host_ends_well_where_a_resource_does_not(
    made: Any, caplog: pytest.LogCaptureFixture
) -> None:
    FAILS["leaving"] = "canary"
    host = hosted(made)
    await host.tell("startup")

    assert (await host.tell("shutdown"))["type"] == "lifespan.shutdown.complete"
    assert said == [*OPENED, *LEFT]
    assert caplog.text.count("leaving the resource pool raised") == 1


@LIVING
async def test_a_start_that_is_cancelled_leaves_what_is_open(made: Any) -> None:
    FAILS["waiting"] = "for ever"
    host = hosted(made)
    await host.events.put({"type": "lifespan.startup"})
    while not said:
        await asyncio.sleep(0)
    host.life.cancel()
    await asyncio.gather(host.life, return_exceptions=True)

    assert said == ["open pool", "leave pool"]
    assert asyncio.all_tasks() == {asyncio.current_task()}
