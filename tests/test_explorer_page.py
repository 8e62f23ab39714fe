"""The page: what is filled in, and that all of it is text."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from html import escape
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

import contract.explorer
from contract.document import Info
from contract.document.contract_json import load_contract
from contract.explorer import cleaned, page, policy
from contract.explorer.page import assets, clean_ui, template
from contract.shape.sentences import SENTENCES
from tests.documents import text, whole

EVIL = "</title><script>alert(1)</script>\"'&{{issues}}\u2028ü"


class Reader(HTMLParser):
    def __init__(self, data: bytes) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.inside: dict[str, str] = {}
        self.feed(data.decode())

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        if data.strip():
            tag = self.tags[-1][0]
            self.inside[tag] = self.inside.get(tag, "") + data

    def all(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.tags if name == tag]


def shown(contract: str = "contract.json", server: str = "", **more: Any) -> bytes:
    return page(Info("Shop", "1.0.0"), contract=contract, server=server, **more)


def test_every_place_is_filled_in() -> None:
    data = shown(contract="../contract.json", server="..")
    found = Reader(data)
    [html] = found.all("html")

    assert b"{{" not in data
    assert (html["data-contract"], html["data-server"]) == ("../contract.json", "..")
    issues = json.loads(html["data-issues"] or "")
    assert issues["sentences"] == {**SENTENCES}
    assert issues["samples"]["date"] == "2026-01-31"
    assert issues["general"] == [SENTENCES["predicate"], SENTENCES["invalid_value"]]
    assert found.inside["title"] == "Shop 1.0.0"
    assert "../contract.json" in [link["href"] for link in found.all("link")]


def test_what_is_put_in_is_text_and_is_not_looked_into() -> None:
    data = page(Info(EVIL, EVIL), contract=f"{EVIL}.json", server=EVIL)
    found = Reader(data)
    [html] = found.all("html")

    assert (html["data-contract"], html["data-server"]) == (f"{EVIL}.json", EVIL)
    assert found.inside["title"] == f"{EVIL} {EVIL}"
    assert len(found.all("script")) == 1
    assert data.isascii()


def test_it_is_escaped_as_the_standard_library_does() -> None:
    name = "".join(map(chr, range(32, 127)))

    assert escape(f"{name} 1").encode() in page(Info(name, "1"), contract="c", server="s")


def test_a_page_may_carry_its_policy() -> None:
    """What a policy says counts for what stands behind it."""
    data = shown(policy="default-src 'none'")
    names = [tag for tag, _ in Reader(data).tags]
    metas = Reader(data).all("meta")

    assert {"http-equiv": "Content-Security-Policy", "content": "default-src 'none'"} in metas
    assert {"name": "referrer", "content": "no-referrer"} in metas
    assert {"name": "generator", "content": "contract docs"} in metas
    assert data.index(b"Content-Security-Policy") < data.index(b"<link")
    assert names.index("meta") < names.index("title")
    assert b"http-equiv" not in shown()


FOLDER = Path(contract.explorer.__file__).parent / "assets"


def plain(name: str) -> str:
    return re.sub(r"\.[0-9a-f]{16}\.", ".", name)


def test_every_file_of_the_folder_is_served_but_the_template() -> None:
    files = [path.name for path in FOLDER.iterdir() if path.name != "index.html"]

    assert sorted(map(plain, assets())) == sorted(files)


def test_the_names_have_one_hash() -> None:
    """A page never gets two modules that do not belong together."""
    assert len({name.split(".")[1] for name in assets()}) == 1
    assert all(re.fullmatch(r"[a-z]+\.[0-9a-f]{16}\.(?:css|js)", name) for name in assets())


def test_nothing_else_of_a_file_is_changed() -> None:
    types = {"css": "text/css; charset=utf-8", "js": "text/javascript; charset=utf-8"}
    for name, asset in assets().items():
        source = (FOLDER / plain(name)).read_text("utf-8")

        assert asset.data.decode().replace(f".{name.split('.')[1]}.", ".") == source
        assert asset.media_type == types[name.rpartition(".")[2]]


def test_the_template_names_them_all_and_has_no_script_of_its_own() -> None:
    text = template()

    assert sorted(re.findall(r'"assets/([^"]+)"', text)) == sorted(assets())
    assert re.findall(r"<script[^>]*>(.*?)</script>", text, re.DOTALL) == [""]
    assert "<style" not in text
    assert not re.search(r"\s(?:style|on[a-z]+)=", text)
    assert text.index('<meta charset="utf-8">') < text.index("<link")


def test_nothing_is_read_twice() -> None:
    assert assets() is assets()
    assert template() is template()


# What the page may load.


PLAIN = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'"
)


def sources(directive: str, ui: dict[str, Any], **more: Any) -> list[str]:
    found = dict(part.split(" ", 1) for part in policy(ui, **more).split("; "))
    return found[directive].split(" ")


def test_without_looks_nothing_comes_from_elsewhere() -> None:
    logo = {"light": "logo.svg", "dark": "/dark.svg"}
    local = {"theme": {"accent": "red"}, "logo": logo, "website": {"url": "https://a.example"}}

    assert policy({}) == policy(local) == PLAIN


def test_pictures() -> None:
    logo = {"light": "https://b.example/a/b.png?c", "dark": "HTTP://a.example:8080/x"}
    ui = {"logo": logo, "favicon": "//c.example/i.ico"}

    hosts = ["c.example", "http://a.example:8080", "https://b.example"]
    assert sources("img-src", ui) == ["'self'", "data:", *hosts]
    assert sources("img-src", {"favicon": "data:image/png;base64,AAAA"}) == ["'self'", "data:"]


def test_fonts_are_style_sheets_or_files() -> None:
    files = ["https://file.example/inter.woff2?v=1", "https://file.example/b.otf"]
    ui = {"theme": {"fontUrls": ["https://css.example/inter", "fonts/own.css", *files]}}

    assert sources("style-src", ui) == ["'self'", "https://css.example"]
    assert sources("font-src", ui) == ["'self'", "https://css.example", "https://file.example"]
    assert "'unsafe-inline'" not in policy(ui)


@pytest.mark.parametrize("server", ["", "..", "/v1", "http://[::1]:8000"])
def test_a_service_that_has_no_name_needs_no_source_of_its_own(server: str) -> None:
    assert sources("connect-src", {}, server=server) == ["'self'"]


@pytest.mark.parametrize("host", ["https://shop.example", "http://127.0.0.1:8000"])
def test_calls_go_to_the_service(host: str) -> None:
    for server in (host, f"{host}/v1"):
        assert sources("connect-src", {}, server=server) == ["'self'", host]


def test_a_policy_in_a_page_says_nothing_of_frames() -> None:
    assert policy({}, embedded=True) == PLAIN.replace("frame-ancestors 'none'; ", "")


NO_HOSTS = ["*.example", "*", "a;script-src%20*", "a,b", "a'b", "[::1]", "%61.example"]
NO_HOSTS += ["a.example:x", ".example", "u:p@"]
NO_URLS = ["///evil.example/a.png", "javascript:alert(1)", "https://a.example/ script-src *"]
NO_URLS += ["https://a.example\n;script-src *", "blob:https://a.example/x", "data:text/html,x"]


@pytest.mark.parametrize("url", [*(f"https://{host}/a.png" for host in NO_HOSTS), *NO_URLS])
def test_what_no_policy_can_name_is_not_let_in(url: str) -> None:
    ui = {"logo": {"light": url}, "favicon": url, "theme": {"fontUrls": [url]}}

    assert policy(ui) == PLAIN


def test_credentials_do_not_stand_in_a_policy() -> None:
    found = sources("img-src", {"favicon": "https://user:secret@cdn.example/a"})

    assert found == ["'self'", "data:", "https://cdn.example"]


EVIL_URL = "javascript:alert(1)"


def test_what_meta_would_take_is_left_as_it_is() -> None:
    document = load_contract(text(whole()))

    assert document.ui
    assert cleaned(document) == (document, ())
    assert cleaned(document)[0] is document


def test_every_place_is_looked_at() -> None:
    wrong = {"accent": "url(x)", "background": "red;", "surface": "var(--x)", "fontFamily": "a}"}
    link_b, link_d = {"label": "B", "href": "mailto:b@shop.example"}, {"label": "D", "href": "/d"}
    other = {"footer": {"poweredBy": False}, "later": {"href": EVIL_URL}}
    ui: dict[str, Any] = {
        "website": {"url": EVIL_URL, "label": "Us"},
        "logo": {"light": EVIL_URL, "dark": "dark.png"},
        "favicon": "data:image/svg+xml,<svg/>",
        "theme": {**wrong, "fontUrls": [EVIL_URL, "own.css"], "x": 1},
        "navbarLinks": [{"label": "A", "href": EVIL_URL}, link_b],
        "notice": {"message": "Hi", "links": [{"label": "C", "href": "data:text/html,x"}, link_d]},
        **other,
    }
    kept, left_out = clean_ui(ui)

    assert kept == {
        "theme": {"fontUrls": ["own.css"], "x": 1},
        "navbarLinks": [link_b],
        "notice": {"message": "Hi", "links": [link_d]},
        **other,
    }
    assert [place.partition(": ")[0].removeprefix("ui.") for place in left_out] == [
        *("website.url", "logo.light", "favicon"),
        *(f"theme.{key}" for key in (*wrong, "fontUrls")),
        *("navbarLinks.href", "notice.links.href"),
    ]
    assert all(EVIL_URL not in each for each in left_out)


def test_a_dark_logo_may_go_alone() -> None:
    notice = {"message": "Hi"}
    kept, left_out = clean_ui({"logo": {"light": "a.png", "dark": EVIL_URL}, "notice": notice})

    assert kept == {"logo": {"light": "a.png"}, "notice": notice}
    assert len(left_out) == 1


def test_the_document_given_stays_as_it_is() -> None:
    document = replace(load_contract(text(whole())), ui={"favicon": EVIL_URL})
    clean, left_out = cleaned(document)

    assert (clean.ui, document.ui) == ({}, {"favicon": EVIL_URL})
    assert replace(clean, ui=document.ui) == document
    assert len(left_out) == 1


def test_a_page_may_have_the_words_of_another_language() -> None:
    [html] = Reader(shown(sentences={"missing": "Fehlt."})).all("html")
    sentences = json.loads(html["data-issues"] or "")["sentences"]

    assert sentences["missing"] == "Fehlt."
    assert sentences["null_type"] == SENTENCES["null_type"]
