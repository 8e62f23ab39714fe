"""The page as a folder on a static host: ``contract docs``, below a path of the host's, with calls to a service of another origin."""

from __future__ import annotations

import mimetypes
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import cast

import falcon
import pytest
from playwright.sync_api import Page, expect

from contract import mount_spec
from contract.cli import main
from examples.shop.app import shop_api
from examples.shop.store import Store
from tests.browser.conftest import App, Environ, Open, Start, serving

PLACE = "/some/where"


def static(folder: Path) -> App:
    """A host of the files in *folder*, which knows nothing but their names."""

    def app(environ: Environ, start: Start) -> Iterable[bytes]:
        path: str = environ["PATH_INFO"]
        file = folder / (path.removeprefix(f"{PLACE}/") or "index.html")
        if not path.startswith(f"{PLACE}/") or not file.is_file():
            start("404 Not Found", [("content-type", "text/plain")])
            return [b"no"]
        start(
            "200 OK",
            [("content-type", mimetypes.guess_type(file.name)[0] or "application/octet-stream")],
        )
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
    mount_spec(
        app,
        shop_api(Store(str(tmp_path_factory.mktemp("shop") / "shop.sqlite3"))),
        prefix="/v1",
        cors_origins=[host[0]],
        logging=False,
    )
    server = serving(cast("App", app))
    yield f"{next(server)}/v1"
    next(server, None)


@pytest.fixture
def exported(host: tuple[str, Path], shop_contract: bytes, tmp_path: Path) -> str:
    (tmp_path / "contract.json").write_bytes(shop_contract)
    return export(host, tmp_path, "")


def export(host: tuple[str, Path], source: Path, server: str) -> str:
    origin, folder = host
    assert (
        main(["docs", str(source), "-o", str(folder), *(["--server", server] if server else [])])
        == 0
    )
    return f"{origin}{PLACE}/"


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
    with page.expect_console_message(
        lambda message: "connect-src https://evil.example" in message.text
    ):
        page.evaluate("fetch('https://evil.example/').catch(() => {})")
    with pytest.raises(Exception, match="TrustedHTML"):
        page.evaluate("document.body.innerHTML = '<b>x</b>'")


def test_without_a_server_nothing_can_be_sent(visit: Open, exported: str) -> None:
    page = visit(f"{exported}#/routes/opening_hours")

    expect(page.locator("main")).to_contain_text("nothing can be sent")
    expect(page.get_by_role("button", name="Send")).to_have_count(0)


def sent(page: Page) -> None:
    page.get_by_role("button", name="Send").click()
    expect(page.locator(".result")).to_contain_text("200")


def test_calls_go_to_the_server_that_was_given(
    visit: Open, host: tuple[str, Path], service: str, shop_contract: bytes, tmp_path: Path
) -> None:
    (tmp_path / "contract.json").write_bytes(shop_contract)
    url = export(host, tmp_path, service)
    page = visit(f"{url}#/routes/category_tree", allowed=[service])
    sent(page)

    page.goto(f"{url}#/routes/get_account")
    page.locator("input[type=password]").fill("ada.demo-token-of-a-customer")
    sent(page)
    expect(page.locator(".result")).to_contain_text("name")
