"""The page as a folder on a static host: ``contract docs``, below a path of the host's, with calls to a service of another origin."""

from __future__ import annotations

import mimetypes
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import cast

import falcon
import pytest
from playwright.sync_api import expect

from contract import mount_spec
from contract.cli import main
from examples.shop.app import shop_api
from examples.shop.store import Store
from tests.browser.conftest import App, Environ, Open, Start, serving
from tests.browser.steps import send

PLACE = "/some/where"


def static(folder: Path) -> App:
    """A host of the files in *folder*, which knows nothing but their names."""

    def app(environ: Environ, start: Start) -> Iterable[bytes]:
        path: str = environ["PATH_INFO"]
        file = folder / (path.removeprefix(f"{PLACE}/") or "index.html")
        if not path.startswith(f"{PLACE}/") or not file.is_file():
            start("404 Not Found", [("content-type", "text/plain")])
            return [b"no"]
        kind = mimetypes.guess_type(file.name)[0] or "application/octet-stream"
        start("200 OK", [("content-type", kind)])
        return [file.read_bytes()]

    return app


@pytest.fixture(scope="module")
def host(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Path]]:
    folder = tmp_path_factory.mktemp("host")
    server = serving(static(folder))
    yield next(server), folder
    next(server, None)


@pytest.fixture(scope="module")
def service(host: tuple[str, Path], tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The example at another origin, which lets the pages of the host call."""
    app = falcon.App()
    api = shop_api(Store(str(tmp_path_factory.mktemp("shop") / "shop.sqlite3")))
    mount_spec(app, api, prefix="/v1", cors_origins=[host[0]], logging=False)
    server = serving(cast("App", app))
    yield f"{next(server)}/v1"
    next(server, None)


Export = Callable[..., str]


@pytest.fixture
def export(host: tuple[str, Path], shop_contract: bytes, tmp_path: Path) -> Export:
    """The URL of a copy whose calls go to the server of the *options*, if they name one."""
    (tmp_path / "contract.json").write_bytes(shop_contract)

    def made(*options: str) -> str:
        origin, folder = host
        assert main(["docs", str(tmp_path), "-o", str(folder), *options]) == 0
        return f"{origin}{PLACE}/"

    return made


@pytest.fixture
def exported(export: Export) -> str:
    return export()


def test_every_page_works_below_any_path(visit: Open, exported: str) -> None:
    page = visit(exported)
    for at in ("#/", "#/routes", "#/routes/place_order", "#/types/Order", "#/errors", "#/mcp"):
        page.goto(exported + at)
        expect(page.locator("h1")).to_be_visible()

    openapi = page.get_by_role("link", name="openapi.json").first.get_attribute("href")
    assert openapi == f"{exported}openapi.json"
    assert page.request.get(f"{exported}openapi.json").json()["openapi"] == "3.1.0"
    assert page.request.get(f"{exported}llms.txt").text().startswith("# Shop 1.0.0\n")


def test_the_policy_stands_in_the_page(visit: Open, exported: str) -> None:
    page = visit(exported, watched=False)
    broken = "connect-src https://evil.example"
    with page.expect_console_message(lambda message: broken in message.text):
        page.evaluate("fetch('https://evil.example/').catch(() => {})")
    with pytest.raises(Exception, match="TrustedHTML"):
        page.evaluate("document.body.innerHTML = '<b>x</b>'")


def test_without_a_server_nothing_can_be_sent(visit: Open, exported: str) -> None:
    page = visit(f"{exported}#/routes/opening_hours")

    expect(page.locator("main")).to_contain_text("nothing can be sent")
    expect(page.get_by_role("button", name="Send")).to_have_count(0)


def test_calls_go_to_the_server_that_was_given(visit: Open, service: str, export: Export) -> None:
    url = export("--server", service)
    page = visit(f"{url}#/routes/category_tree", allowed=[service])
    expect(send(page)).to_contain_text("200")

    page.goto(f"{url}#/routes/get_account")
    page.locator("input[type=password]").fill("ada.demo-token-of-a-customer")
    expect(send(page)).to_contain_text("200")
    expect(page.locator(".result")).to_contain_text("name")
