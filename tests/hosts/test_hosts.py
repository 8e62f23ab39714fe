"""
Hosts: the README's examples of a mount inside other frameworks, run with these.

``make hosts`` installs them into an environment of their own, and runs this there.
"""

from __future__ import annotations

import importlib
import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.test_readme import BLOCKS, HOSTS
from tests.wire.exchange import Exchange, RawRequest, through_asgi, through_wsgi

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
    for block in BLOCKS:
        (folder / f"{block.module}.py").write_text(block.text, "utf-8")
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


def test_every_host_of_the_readme_is_tried() -> None:
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
    return {
        "version": "2.0",
        "rawPath": path,
        "rawQueryString": "",
        "headers": {"content-type": "application/json", "host": "shop.example"},
        "requestContext": {
            "http": {"method": "POST", "path": path, "sourceIp": "192.0.2.7"},
            "stage": "$default",
        },
        "body": body,
        "isBase64Encoded": False,
    }


def gateway_1(path: str, body: str) -> dict[str, Any]:
    return {
        "resource": "/{proxy+}",
        "path": path,
        "httpMethod": "POST",
        "headers": {"Content-Type": "application/json", "Host": "shop.example"},
        "multiValueHeaders": {"Content-Type": ["application/json"], "Host": ["shop.example"]},
        "queryStringParameters": None,
        "multiValueQueryStringParameters": None,
        "requestContext": {"identity": {"sourceIp": "192.0.2.7"}, "stage": "prod"},
        "body": body,
        "isBase64Encoded": False,
    }


def balancer(path: str, body: str) -> dict[str, Any]:
    return {
        "requestContext": {"elb": {"targetGroupArn": "arn:aws:elasticloadbalancing:eu:1:x"}},
        "httpMethod": "POST",
        "path": path,
        "queryStringParameters": {},
        "headers": {
            "content-type": "application/json",
            "host": "shop.example",
            "x-forwarded-for": "192.0.2.7",
            "x-forwarded-port": "443",
            "x-forwarded-proto": "https",
        },
        "body": body,
        "isBase64Encoded": False,
    }


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


def test_a_stage_is_taken_off() -> None:
    Mangum = importlib.import_module("mangum").Mangum  # noqa: N806
    handler = Mangum(named("asgi_app", "asgi"), lifespan="off", api_gateway_base_path="/prod")

    assert handler(gateway_1("/prod/v1/order", ORDER.decode()), {})["statusCode"] == 200
