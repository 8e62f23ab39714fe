"""The page, its files and the text for agents, over every transport."""

from __future__ import annotations

import gzip
import re
from pathlib import Path
from typing import Any

import falcon
import falcon.asgi
import pytest

from contract import Logo, Meta, Spec, Theme, route, spec
from contract.adapters.falcon import mount_spec
from contract.explorer import assets
from tests.tables import rows
from tests.wire.case import error
from tests.wire.exchange import (
    Exchange,
    RawRequest,
    RawResponse,
    Transport,
    serve,
    through_asgi,
    through_wsgi,
)

MARK = "</title><script>alert(1)</script>"


def ping(input: None, ctx: None) -> str:
    return "pong"


def make_api(meta: Meta = Meta(title="Ping")) -> Spec[None]:  # noqa: B008  frozen
    return spec(routes={"ping": route(summary="Ping", tags=["t"], auth="none")(ping)}, meta=meta)


API = make_api()
ASSETS = [f"/v1/docs/assets/{name}" for name in assets()]
SHOWN = ["/v1/docs/", "/v1/docs/llms.txt", *ASSETS]


def get(target: str, *headers: tuple[str, str], method: str = "GET") -> RawRequest:
    return RawRequest(method, target, headers)


def is_absent(response: RawResponse) -> bool:
    return response.status == 404 and response.json()["error"] == "ROUTE_NOT_FOUND"


@rows("method", "GET", "HEAD")
@rows(
    "prefix, path, location",
    ("/v1", "/docs", "docs/"),
    ("", "/docs", "docs/"),
    ("/v1", "/a/guide", "guide/"),
)
def test_without_its_slash_the_page_has_moved(
    transport: Transport, method: str, prefix: str, path: str, location: str
) -> None:
    exchange = serve(transport, API, prefix=prefix, docs_path=path)
    response = exchange(get(prefix + path, method=method))

    assert (response.status, response.body, response.header("location")) == (308, b"", location)
    response.check(cache_control="no-cache", x_content_type_options="nosniff")


def test_the_page(transport: Transport) -> None:
    response = serve(transport, API)(get("/v1/docs/"))

    assert response.status == 200
    assert response.header("content-type") == "text/html; charset=utf-8"
    assert response.header("cache-control") == "no-cache"
    assert response.header("referrer-policy") == "no-referrer"
    assert response.header("x-content-type-options") == "nosniff"
    assert response.header("vary") == "Accept-Encoding"
    assert b'data-contract="../contract.json" data-server=".."' in response.body
    assert b"<title>Ping 0.0.0</title>" in response.body


def test_the_policy_lets_in_what_meta_names_and_nothing_else(transport: Transport) -> None:
    fonts = ["https://fonts.example/inter.css", "https://files.example/inter.woff2"]
    meta = Meta(logo=Logo("https://cdn.example/logo.png"), theme=Theme(font_urls=fonts))
    plain = serve(transport, API)(get("/v1/docs/")).header("content-security-policy")
    branded = serve(transport, make_api(meta))(get("/v1/docs/")).header("content-security-policy")

    assert plain == (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'"
    )
    more = {
        "style-src 'self'": "https://fonts.example",
        "img-src 'self' data:": "https://cdn.example",
        "font-src 'self'": "https://files.example https://fonts.example",
    }
    for named, places in more.items():
        plain = plain.replace(named, f"{named} {places}")
    assert branded == plain


def test_what_the_page_links_to_is_there(transport: Transport) -> None:
    exchange = serve(transport, API)
    page = exchange(get("/v1/docs/")).body.decode()
    links = re.findall(r'"(assets/[^"]+)"', page)

    assert len(links) == len(set(links)) == len(ASSETS)
    for link in links:
        response = exchange(get(f"/v1/docs/{link}"))
        response.check(200, cache_control="public, max-age=31536000, immutable")
        kind = "css" if link.endswith("css") else "javascript"
        response.check(content_type=f"text/{kind}; charset=utf-8", x_content_type_options="nosniff")
        for imported in re.findall(rb'(?m)^(?:import .*|\}) from "\./([^"]+)"', response.body):
            assert imported.decode() in assets()


def test_the_text_for_agents(transport: Transport) -> None:
    response = serve(transport, API)(get("/v1/docs/llms.txt"))

    assert (response.status, response.header("content-type")) == (200, "text/plain; charset=utf-8")
    assert response.body.startswith(b"# Ping 0.0.0\n")
    assert b"POST http://shop.example/v1/ROUTE" in response.body
    assert b"- Contract, in JSON Schema: http://shop.example/v1/contract.json\n" in response.body
    assert b"- OpenAPI: http://shop.example/v1/openapi.json\n" in response.body
    assert b"MCP" not in response.body
    known = serve(transport, API, public_url="https://api.example/")(get("/v1/docs/llms.txt"))
    assert b"POST https://api.example/v1/ROUTE" in known.body


@rows("path", *SHOWN)
def test_what_is_known_is_not_sent(transport: Transport, path: str) -> None:
    exchange = serve(transport, API)
    first = exchange(get(path))
    tag = first.header("etag")
    assert tag is not None
    known = exchange(get(path, ("If-None-Match", tag)))
    packed = exchange(get(path, ("Accept-Encoding", "gzip")))
    head = exchange(get(path, method="HEAD"))

    assert (known.status, known.body, known.header("etag")) == (304, b"", tag)
    assert known.header("content-security-policy") == first.header("content-security-policy")
    assert (gzip.decompress(packed.body), packed.header("content-encoding")) == (first.body, "gzip")
    assert packed.header("etag") != tag
    assert (head.status, head.body, head.header("etag")) == (200, b"", tag)


def test_a_page_with_another_policy_is_another_page(transport: Transport) -> None:
    """Or a browser would go on with the policy that it has put by."""
    plain = serve(transport, API)(get("/v1/docs/"))
    icon = Meta(title="Ping", favicon="https://cdn.example/icon.png")
    branded = serve(transport, make_api(icon))(get("/v1/docs/"))

    assert plain.body == branded.body
    assert plain.header("etag") != branded.header("etag")


@rows("path", "/v1/docs", "/v1/docs/", "/v1/docs/llms.txt", ASSETS[0])
def test_other_methods(transport: Transport, path: str) -> None:
    exchange = serve(transport, API)
    options = exchange(get(path, method="OPTIONS"))
    posted = exchange(get(path, method="POST"))

    assert (options.status, options.header("allow")) == (204, "GET, HEAD, OPTIONS")
    assert posted.status == 405
    assert posted.json() == error("METHOD_NOT_ALLOWED", message="Ask for this with GET.")
    assert posted.header("allow") == "GET, HEAD, OPTIONS"


NAME = next(name for name in assets() if name.startswith("main"))
NOWHERE = [
    *("index.html", "assets", "assets/", "assets/main.js", "assets/index.html", "files.py", "/"),
    *(f"assets/{NAME}/", f"assets//{NAME}", f"assets/./{NAME}", f"assets/../assets/{NAME}"),
    *(f"assets/%2e%2e/assets/{NAME}", f"assets/{NAME}%00", f"assets/{NAME}%5c"),
    *(f"assets/{NAME.upper()}", f"assets/{NAME}.map", "assets/..%5c..%5cfiles.py"),
    *("assets/%2e%2e/%2e%2e/files.py", "../contract.py", "%2e%2e/contract.json"),
    *("nope", "nope/deeper"),
]


@rows("prefix", "/v1", "")
def test_everything_else_below_is_not_there(transport: Transport, prefix: str) -> None:
    exchange = serve(transport, API, prefix=prefix)
    for path in NOWHERE:
        for method in ("GET", "POST"):
            assert is_absent(exchange(get(f"{prefix}/docs/{path}", method=method))), path
    assert exchange(get(f"{prefix}/docs/")).status == 200


@rows("path", "/v1/docs", *SHOWN)
def test_without_docs_there_is_nothing(transport: Transport, path: str) -> None:
    assert is_absent(serve(transport, API, docs=False)(get(path)))


def test_docs_at_another_path(transport: Transport) -> None:
    exchange = serve(transport, API, docs_path="/a/guide")
    page = exchange(get("/v1/a/guide/"))

    assert b'data-contract="../../contract.json" data-server="../.."' in page.body
    assert exchange(get(f"/v1/a/guide/assets/{NAME}")).status == 200
    assert b"/v1/ROUTE`" in exchange(get("/v1/a/guide/llms.txt")).body
    assert is_absent(exchange(get("/v1/docs/")))
    assert is_absent(exchange(get("/v1/a/")))


def test_a_title_is_text(transport: Transport) -> None:
    page = serve(transport, make_api(Meta(title=MARK + "{{issues}}")))(get("/v1/docs/")).body

    assert b"<script>" not in page
    assert b"&lt;script&gt;alert(1)&lt;/script&gt;{{issues}} 0.0.0</title>" in page


def test_what_cannot_be_written_is_a_500(transport: Transport) -> None:
    exchange = serve(transport, make_api(Meta(title="\ud800")), mcp_path=None)
    response = exchange(get("/v1/docs/llms.txt"))

    assert (response.status, response.json()) == (500, {"error": "INTERNAL_ERROR"})


# What the host has of its own, in Falcon.


@pytest.fixture(params=["wsgi", "asgi"])
def kind(request: pytest.FixtureRequest) -> str:
    found: str = request.param
    return found


def make_app(kind: str) -> falcon.App[Any, Any]:
    return falcon.App() if kind == "wsgi" else falcon.asgi.App()


def reach(
    kind: str, app: falcon.App[Any, Any], prefix: str = "/v1", *, front: bool = True
) -> Exchange:
    mount = mount_spec(app, API, prefix=prefix)
    if kind == "wsgi":
        return through_wsgi(mount.wsgi if front else app)
    return through_asgi(mount.asgi if front else app)


class Resource:
    def on_get(self, req: Any, resp: Any) -> None:
        resp.text = "the host's"


class AsyncResource:
    async def on_get(self, req: Any, resp: Any) -> None:
        resp.text = "the host's"


@rows("prefix", "/v1", "")
def test_routes_of_the_host_win(kind: str, prefix: str) -> None:
    app = make_app(kind)
    for path in ("/docs/llms.txt", "/docs/other"):
        app.add_route(prefix + path, Resource() if kind == "wsgi" else AsyncResource())
    exchange = reach(kind, app, prefix)

    assert exchange(get(f"{prefix}/docs/llms.txt")).body == b"the host's"
    assert exchange(get(f"{prefix}/docs/other")).body == b"the host's"
    assert exchange(get(f"{prefix}/docs/")).status == 200


@rows("prefix", "/v1", "")
@rows("folder", "/docs", "/docs/")
@rows("front", True, False)
def test_pictures_beside_the_page(
    kind: str, prefix: str, folder: str, front: bool, tmp_path: Path
) -> None:
    """A logo is relative to the page, so this is where its folder goes; the page stays."""
    (tmp_path / "logo.svg").write_bytes(b"<svg/>")
    (tmp_path / "llms.txt").write_bytes(b"the host's")
    app = make_app(kind)
    app.add_static_route(prefix + folder, str(tmp_path))
    exchange = reach(kind, app, prefix, front=front)

    assert exchange(get(f"{prefix}/docs/logo.svg")).body == b"<svg/>"
    assert exchange(get(f"{prefix}/docs/nope.svg")).status == 404
    assert b"<title>Ping" in exchange(get(f"{prefix}/docs/")).body
    assert exchange(get(f"{prefix}/docs/assets/{NAME}")).status == 200
    assert exchange(get(f"{prefix}/docs/llms.txt")).body.startswith(b"# Ping")


def test_other_static_routes_win(kind: str, tmp_path: Path) -> None:
    (tmp_path / NAME).write_bytes(b"the host's")
    app = make_app(kind)
    app.add_static_route("/v1/docs/assets", str(tmp_path))
    exchange = reach(kind, app)

    assert exchange(get(f"/v1/docs/assets/{NAME}")).body == b"the host's"
    assert exchange(get("/v1/docs/")).status == 200


@rows("front", True, False)
def test_the_page_does_not_move_to_itself_where_falcon_strips_slashes(
    kind: str, front: bool
) -> None:
    app = make_app(kind)
    app.req_options.strip_url_path_trailing_slash = True
    exchange = reach(kind, app, front=front)

    assert exchange(get("/v1/docs/")).status == 200
    assert exchange(get("/v1/docs")).header("location") == "docs/"
    assert exchange(get("/v1/docs/nope/")).status == 404
    assert exchange(RawRequest(target="/v1/ping/", headers=())).body == b'"pong"'
