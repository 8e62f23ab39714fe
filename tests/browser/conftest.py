"""
The explorer in a real browser: headless Chromium, as Debian packages it, driven by Playwright.

A server of this process's own answers, on a free port: the pages, with the policy that a mount
sends, and the calls of a spec.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from shutil import which
from socketserver import ThreadingMixIn
from typing import Any, Final, cast, final
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer, make_server

import falcon
import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

from contract import Spec, emit_contract, mount_spec
from contract.document import Info
from contract.explorer import assets, policy
from contract.explorer import page as explorer_page
from examples.shop.app import shop_api
from examples.shop.store import Store
from tests.cli_servers import PATIENCE, REPOSITORY, running

TOOLS: Final = Path(os.environ.get("CONTRACT_TOOLS", REPOSITORY / ".venv" / "browser"))
"""What ``make browser`` installs: node, and the packages that package.json locks."""

expect.set_options(timeout=PATIENCE * 1000)

AXE: Final = TOOLS / "node_modules" / "axe-core" / "axe.min.js"


def node(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    """What a run of Node comes to."""
    path = which("node", path=f"{TOOLS / 'bin'}{os.pathsep}{os.environ['PATH']}")
    assert path is not None, "there is no node; make browser installs one"
    return subprocess.run([path, *map(str, arguments)], capture_output=True, text=True, check=False)


def script_of(program: str, folder: Path) -> str:
    """A *program* in TypeScript as a script, which says no types and exports nothing."""
    (folder / "strip.mjs").write_text(_STRIP)
    (folder / "program.ts").write_text(program)
    stripped = node("--no-warnings", folder / "strip.mjs", folder / "program.ts")
    assert stripped.returncode == 0, stripped.stderr
    return re.sub(r"(?m)^export (?=async|class|const|function)", "", stripped.stdout)


_STRIP: Final = """
import { readFileSync } from "node:fs"
import { stripTypeScriptTypes } from "node:module"
process.stdout.write(stripTypeScriptTypes(readFileSync(process.argv[2], "utf8")))
"""


def tsc(project: Path) -> subprocess.CompletedProcess[str]:
    """What the compiler says of a *project*: a folder, or its tsconfig.json. Its own declarations it need not check."""
    compiler = TOOLS / "node_modules" / "typescript" / "bin" / "tsc"
    return node(compiler, "-p", project, "--skipDefaultLibCheck")


Environ = dict[str, Any]
Start = Callable[[str, list[tuple[str, str]]], object]
App = Callable[[Environ, Start], Iterable[bytes]]


def _app(contract: bytes, calls: App | None) -> App:
    said = json.loads(contract)
    ui = said.get("ui", {})
    info = Info(said["info"]["title"], said["info"].get("version", ""))
    files = {"/v1/contract.json": ([("content-type", "application/json")], contract)}
    headers = [
        ("content-type", "text/html; charset=utf-8"),
        ("content-security-policy", policy(ui)),
        ("referrer-policy", "no-referrer"),
    ]
    files["/v1/docs/"] = (headers, explorer_page(info, contract="../contract.json", server=".."))
    for name, asset in assets().items():
        files[f"/v1/docs/assets/{name}"] = (
            [("content-type", asset.media_type), ("x-content-type-options", "nosniff")],
            asset.data,
        )

    def app(environ: Environ, start: Start) -> Iterable[bytes]:
        found = files.get(environ["PATH_INFO"])
        if found is not None:
            start("200 OK", found[0])
            return [found[1]]
        if calls is not None:
            return calls(environ, start)
        start("404 Not Found", [("content-type", "application/json")])
        return [b'{"error":"ROUTE_NOT_FOUND","data":{"route":"x"}}']

    return app


class _Server(ThreadingMixIn, WSGIServer):
    daemon_threads = True


class _Quiet(WSGIRequestHandler):
    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
        """Nothing."""


def serving(app: App) -> Iterator[str]:
    """The origin of a server of *app*, which stops at the next step."""
    server = make_server("127.0.0.1", 0, app, server_class=_Server, handler_class=_Quiet)
    # how often it looks whether to stop
    thread = threading.Thread(target=server.serve_forever, args=(0.02,))
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def _mounted(api: Spec[Any]) -> App:
    app = falcon.App()
    mount_spec(
        app, api, prefix="/v1", logging=False, secrets=("signs keys of pages in these tests",)
    )
    return cast("App", app)


BROWSERS: Final = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
"""The first of them that is there; that without windows takes two thirds of the others' time."""

Launch = Callable[[], Browser]
"""Starts a browser."""


@pytest.fixture(scope="session")
def launch() -> Iterator[Launch]:
    """Starts browsers, which whoever starts them closes."""
    path = next(filter(None, map(which, BROWSERS)), None)
    if path is None:
        pytest.exit(
            "tests/browser needs chromium, and there is none on the PATH: "
            "apt-get install chromium-headless-shell",
            returncode=3,
        )
    with sync_playwright() as playwright:
        yield partial(playwright.chromium.launch, executable_path=path, args=["--no-sandbox"])


@pytest.fixture(scope="session")
def browser(launch: Launch) -> Iterator[Browser]:
    """The browser."""
    browser = launch()
    yield browser
    browser.close()


Open = Callable[..., Page]
"""A page of a contract: ``page_of(document)`` or ``page_of(document, "#/types", dark=True, width=360)``."""

VIOLATION: Final = "a violation of the policy: "
_REPORTING: Final = f"""addEventListener("securitypolicyviolation", event =>
    console.error("{VIOLATION}" + event.effectiveDirective + " " + event.blockedURI + " " + event.sample))"""


@final
class Pool:
    """
    Pages that are open: to open one takes longer than most tests.

    Those that pay no heed to the policy stand apart, as that is a matter of all the pages of a
    context. What a test kept in its page is gone with the origin: nearly each has a server of its
    own.
    """

    def __init__(self, browser: Browser) -> None:
        self._browser: Final = browser
        self._contexts: Final[dict[bool, BrowserContext]] = {}
        self._idle: Final[dict[bool, list[Page]]] = {False: [], True: []}

    def take(self, *, bypass_csp: bool) -> Page:
        """A page on which nothing is, and nobody listens."""
        if self._idle[bypass_csp]:
            return self._idle[bypass_csp].pop()
        if bypass_csp not in self._contexts:
            permissions = ["clipboard-read", "clipboard-write"]
            self._contexts[bypass_csp] = self._browser.new_context(
                bypass_csp=bypass_csp, permissions=permissions
            )
            self._contexts[bypass_csp].add_init_script(_REPORTING)
        page = self._contexts[bypass_csp].new_page()
        page.set_default_timeout(PATIENCE * 1000)
        return page

    def give_back(self, page: Page, *, bypass_csp: bool) -> None:
        """Let others have the page; what it kept is thrown away."""
        page.unroute_all(behavior="ignoreErrors")
        # a page that is not a site's has none
        page.evaluate("() => { try { localStorage.clear(); sessionStorage.clear() } catch {} }")
        page.goto("about:blank")
        self._idle[bypass_csp].append(page)


@pytest.fixture(scope="session")
def pool(browser: Browser) -> Pool:
    """The pages that tests share."""
    return Pool(browser)


@pytest.fixture
def visit(pool: Pool) -> Iterator[Open]:
    """
    Opens URLs: ``visit(url, dark=True, width=360)``.

    Afterwards no script may have failed, the policy may not have been broken, and nothing may have
    been asked of another origin than that of the URL and of those that were *allowed*.
    """
    taken: list[tuple[Page, bool, dict[str, Callable[[Any], None]]]] = []
    wrong: list[str] = []

    def open_url(
        url: str,
        *,
        dark: bool = False,
        width: int = 1440,
        bypass_csp: bool = False,
        allowed: Sequence[str] = (),
        watched: bool = True,
    ) -> Page:
        page = pool.take(bypass_csp=bypass_csp)
        page.set_viewport_size({"width": width, "height": 900})
        page.emulate_media(color_scheme="dark" if dark else "light", reduced_motion="no-preference")
        at_home = (
            *("/".join(each.split("/")[:3]) + "/" for each in (url, *allowed)),
            "data:",
            "about:",
        )
        listeners: dict[str, Callable[[Any], None]] = {
            "request": lambda asked: (
                None
                if asked.url.startswith(at_home)
                else wrong.append(f"asked elsewhere: {asked.url}")
            ),
            "pageerror": lambda error: wrong.append(str(error)),
            "console": lambda message: (
                wrong.append(message.text) if is_violation(message.text) else None
            ),
        }
        taken.append((page, bypass_csp, listeners if watched else {}))
        for name, listener in taken[-1][2].items():
            _on(page, name, listener)
        page.goto(url)
        page.wait_for_selector("h1")
        return page

    yield open_url
    for page, bypass_csp, listeners in taken:
        for name, listener in listeners.items():
            page.remove_listener(name, listener)
        pool.give_back(page, bypass_csp=bypass_csp)
    assert wrong == []


def _on(page: Page, name: Any, listener: Callable[[Any], None]) -> None:
    page.on(name, listener)


def is_violation(message: str) -> bool:
    """Whether a line of the console speaks of the policy."""
    return message.startswith(VIOLATION) or "Content Security Policy" in message


@pytest.fixture
def page_of(visit: Open) -> Iterator[Open]:
    """Opens pages of documents, as `visit` does."""
    servers: list[Iterator[str]] = []

    def open_page(
        contract: Any, at: str = "#/", *, calls: Spec[Any] | None = None, **options: Any
    ) -> Page:
        body = contract if isinstance(contract, bytes) else json.dumps(contract).encode()
        servers.append(serving(_app(body, None if calls is None else _mounted(calls))))
        return visit(f"{next(servers[-1])}/v1/docs/{at}", **options)

    yield open_page
    for server in servers:
        next(server, None)


@pytest.fixture(scope="session")
def shop_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The example, as ``contract serve`` serves it."""
    folder = tmp_path_factory.mktemp("served")
    with running(
        "serve", "examples.shop.app:api", cwd=folder, SHOP_DB=str(folder / "shop.sqlite3")
    ) as server:
        yield f"http://127.0.0.1:{server.port}"


@pytest.fixture(scope="session")
def shop_contract(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The example's contract."""
    return emit_contract(shop_api(Store(str(tmp_path_factory.mktemp("shop") / "shop.sqlite3"))))


@pytest.fixture
def shop(page_of: Open, shop_contract: bytes, tmp_path: Any) -> Open:
    """A page of the example, which answers calls: ``shop("#/routes/place_order")``."""
    api = shop_api(Store(str(tmp_path / "shop.sqlite3")))

    def open_page(at: str = "#/", **options: Any) -> Page:
        return page_of(shop_contract, at, calls=api, **options)

    return open_page
