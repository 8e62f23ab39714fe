"""``contract dev``: real servers, and what they do when a file is saved."""

from __future__ import annotations

import json
import signal
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, Literal

import pytest
from annotated_types import Len

from contract import Download, Media, Signed, Stream, Upload, route, routes, spec
from contract.call.paging import SECRETS
from contract.cli.dev import welcome
from contract.cli.find import Target
from contract.cli.probe import Seen, SeenRoute, _seen
from tests import three_ways
from tests.cli_apps import ASYNC_FEED, ASYNC_MOUNTED, BARE, FEED, MOUNTED, SHOP
from tests.cli_inside import having, refused
from tests.cli_servers import contract, running, told_to_end, until
from tests.tables import rows


def test_a_saved_file_is_served_and_a_broken_one_says_so(tmp_path: Path) -> None:
    app = tmp_path / "shop.py"
    app.write_text(BARE)
    with running("dev", cwd=tmp_path, NO_COLOR="1") as server:
        first = server.post("/ping")
        app.write_text(BARE.replace('"pong"', '"PONG"'))
        until(lambda: server.post("/ping").body == b'"PONG"')
        app.write_text(BARE + "1 / 0\n")
        broken = until(lambda: (found := server.post("/ping")).status == 503 and found)
        app.write_text(BARE)
        until(lambda: server.post("/ping").body == b'"pong"')
        code = server.stop(signal.SIGINT)
        text = server.text()

    assert (first.status, first.body) == (200, b'"pong"')
    message = "shop.py cannot be imported; the terminal says why."
    error = {"error": "SERVICE_UNAVAILABLE", "data": {"message": message}}
    assert json.loads(broken.body) == error
    assert "ZeroDivisionError" in text
    assert (text.count("File "), code) == (1, 0)


@rows("source", FEED, ASYNC_FEED)
def test_an_open_stream_is_told_to_end_when_a_file_is_saved(tmp_path: Path, source: str) -> None:
    app = tmp_path / "shop.py"
    app.write_text(source)
    with running("dev", cwd=tmp_path, NO_COLOR="1") as server:
        code = told_to_end(server, "/count", lambda: app.write_text(source + "\n"))
        until(lambda: server.text().count("is loaded") == 2)
        text = server.text()

    assert (code, "is killed" in text) == ("SERVICE_UNAVAILABLE", False)


@pytest.mark.measured
def test_an_app_that_cannot_be_imported_at_first_is_waited_for(tmp_path: Path) -> None:
    app = tmp_path / "shop.py"
    app.write_text("import nothing_of_that_name\n")
    (tmp_path / "contract.py").write_text("")
    (tmp_path / ".#shop.py").symlink_to("somebody@somewhere.1")  # Emacs's lock, a link to nowhere
    with running("dev shop.py", cwd=tmp_path, health=None, ready=r"waiting for a change") as server:
        app.write_text(BARE)
        until(lambda: "is loaded" in server.text())
        text = server.text()

    assert "No module named 'nothing_of_that_name'" in text
    assert "waiting for a change" in text
    assert "contract.py shadows the package `contract`" in text
    assert "POST http://127.0.0.1" in text


@pytest.mark.measured
def test_what_waiting_cannot_mend_ends_the_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done = contract("dev", "--prefix", "v1", "--port", "0", cwd=having(tmp_path, SHOP))
    monkeypatch.setenv(SECRETS, "of this test")  # or the command sets it for its workers
    absent = refused("dev absent.py", cwd=tmp_path, code=3)
    ours = refused("dev contract.py", cwd=having(tmp_path, BARE, "contract.py"), code=3)

    assert (done.returncode, b"'v1' is not a path" in done.stderr) == (2, True)
    assert absent == "contract: there is no file absent.py\n"
    assert "shadows the package" in ours


@pytest.mark.measured
def test_an_app_that_speaks_another_interface_now_has_to_be_started_again(tmp_path: Path) -> None:
    """What serves a spec stays as it is; what serves a Falcon app cannot."""
    app = tmp_path / "shop.py"
    app.write_text(MOUNTED)
    with running("dev", "shop.py", cwd=tmp_path, health="/v1/up") as server:
        app.write_text(BARE.replace("def ping", "async def ping"))
        until(lambda: server.post("/ping").body == b'"pong"')
        app.write_text(ASYNC_MOUNTED)
        until(lambda: server.post("/v1/ping").status == 503)

        assert "shop.py speaks asgi now instead of wsgi; start the command again" in server.text()


ROUTE = SeenRoute("/order", "Order", asks=(), sample='{"name":"it\'s"}')
TARGET = Target("shop.py", "shop", Path(), None, None)


def shown(*seen: SeenRoute, **more: Any) -> str:
    return welcome(TARGET, Seen("api", "wsgi", seen, **more), "http://h:1")


def test_the_welcome_shows_how_to_call_a_route() -> None:
    lines = shown(ROUTE).splitlines()

    assert "  POST http://h:1/order  Order" in lines
    body = """'{"name":"it'\\''s"}'"""
    assert f"  curl -X POST http://h:1/order -H 'content-type: application/json' -d {body}" in lines


def test_the_welcome_prefers_a_public_route_and_shows_only_some() -> None:
    closed = [SeenRoute(f"/r{i}", "R", asks=("X-Key: KEY",), sample=None) for i in range(11)]
    text = shown(*closed, SeenRoute("/r11", "R", asks=(), sample=None))

    assert text.count("POST http://h:1") == 11
    assert "... and 2 more: contract routes shop.py" in text
    assert "curl -X POST http://h:1/r11\n" in text


def test_the_welcome_names_every_mount_however_large_the_first_is() -> None:
    large = [SeenRoute(f"/r{i}", "R", asks=(), sample=None) for i in range(12)]
    small = SeenRoute("/v2/ping", "P", asks=(), sample=None)
    lines = shown(*large, small, prefixes=("/v2", "")).splitlines()

    assert [line for line in lines if line.startswith(("  POST", "  ..."))] == [
        *(f"  POST http://h:1/r{i}  R" for i in range(5)),
        "  ... and 7 more below /: contract routes shop.py",
        "  POST http://h:1/v2/ping  P",
    ]


@rows(
    "authenticate, command",
    (three_ways.user_of, "-H 'authorization: Bearer TOKEN'"),
    (three_ways.THREE, "-H 'authorization: Bearer TOKEN'"),
    (three_ways.KEY, "-H 'X-Key: KEY'"),
    (three_ways.COOKIE, "-H 'cookie: sid=VALUE' -H 'sec-fetch-site: none'"),
)
def test_the_welcome_says_where_a_credential_belongs(authenticate: Any, command: str) -> None:
    @route(summary="R", tags=["r"])
    def r(input: None, ctx: object) -> None:
        return None

    text = shown(_seen("/r", spec(authenticate=authenticate, routes=routes(r)).entries["r"]))

    assert text.endswith(f"  curl -X POST http://h:1/r {command}\n")


@dataclass(frozen=True)
class Photo:
    title: str
    image: Annotated[Upload, Media("image/*")]
    raw: Annotated[Upload | None, Media("image/png")] = None
    pages: Annotated[list[Upload], Len(1, 2)] = field(default_factory=list[Upload])


@dataclass(frozen=True)
class Scan:
    scan: Annotated[Upload | None, Media("image/png", "image/jpeg")] = None


def add(input: Photo, ctx: None) -> None: ...
def scan(input: Scan, ctx: None) -> None: ...
def chat(input: int, ctx: None) -> Stream[int]:
    return Stream(iter([input]))


def picture(input: None, ctx: None) -> Annotated[Download, Media("image/png")]:
    return Download(b"", media_type="image/png")


PICTURES = "-F 'image=@FILE;type=image/png' -F 'pages=@FILE'"


@rows(
    "resolver, command",
    (add, f"""curl http://h:1/r --form-string 'input={{"title":"text"}}' {PICTURES}"""),
    (scan, "curl http://h:1/r -F 'scan=@FILE;type=image/png'"),
    (chat, "curl -N -X POST http://h:1/r -H 'content-type: application/json' -d '1'"),
    (picture, "curl -OJ -X POST http://h:1/r"),
)
def test_the_welcome_shows_how_files_and_streams_are_had(resolver: Any, command: str) -> None:
    api = spec(routes={"r": route(summary="R", tags=["r"], auth="none")(resolver)})
    assert shown(_seen("/r", api.entries["r"])).endswith(f"  {command}\n")


def test_the_welcome_asks_for_nothing_that_is_not_needed() -> None:
    assert shown(_seen("/ping", three_ways.api.entries["ping"])).endswith(
        "  curl -X POST http://h:1/ping\n"
    )


@rows(
    "beside, command",
    (None, "contract call pay.paid '\"it'\\''s\"' --app shop.py"),
    ("X-Key: KEY", "curl -X POST http://h:1/v1/r -H 'X-Key: KEY'"),
)
def test_the_welcome_signs_for_a_webhook(beside: str | None, command: str) -> None:
    @route(summary="R", tags=["r"], auth="none", signed=Signed(list))
    def paid(input: Literal["it's"], ctx: None) -> None: ...

    seen = [_seen("/v1/pay.paid", spec(routes=routes(paid)).entries["paid"])]
    if beside is not None:
        seen.append(SeenRoute("/v1/r", "R", asks=(beside,), sample=None))
    assert shown(*seen).endswith(f"  {command}\n")


def test_the_welcome_of_an_app_without_routes_is_short() -> None:
    assert "curl" not in shown()


def test_the_welcome_names_the_page() -> None:
    text = shown(ROUTE, docs=("/docs/", "/v2/guide/"))

    assert "  docs http://h:1/docs/\n  docs http://h:1/v2/guide/\n" in text
    assert "docs" not in shown(ROUTE)


def test_the_welcome_names_where_agents_go() -> None:
    text = shown(ROUTE, mcp=("/mcp", "/v2/agents"))

    assert "  MCP  http://h:1/mcp\n  MCP  http://h:1/v2/agents\n" in text
    assert "MCP" not in shown(ROUTE)


def test_what_a_webhook_lacks_is_said_at_the_start() -> None:
    lacks = ("paid has no secret to know its senders by: Signed.secrets: it is empty\x1b",)
    told = shown(SeenRoute("/paid", "Paid", (), None, is_signed=True), lacks=lacks)

    assert "senders by: Signed.secrets: it is empty" in told
    assert "its messages are answered with 500, and the health route with 503" in told
    assert "\x1b" not in told
