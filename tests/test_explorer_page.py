"""The page: what is filled in, and that all of it is text."""

from __future__ import annotations

import json
from html.parser import HTMLParser

from contract.document import Info
from contract.explorer import page
from contract.shape.issues import CODES, FORMATS

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


def test_every_place_is_filled_in() -> None:
    data = page(Info("Shop", "1.0.0"), contract="../contract.json", server="..")
    found = Reader(data)
    [html] = found.all("html")

    assert b"{{" not in data
    assert (html["data-contract"], html["data-server"]) == ("../contract.json", "..")
    assert json.loads(html["data-issues"] or "") == {"codes": {**CODES}, "formats": {**FORMATS}}
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


def test_a_page_may_carry_its_policy() -> None:
    """What a policy says counts for what stands behind it."""
    data = page(
        Info("Shop", "1.0.0"), contract="contract.json", server="", policy="default-src 'none'"
    )
    names = [tag for tag, _ in Reader(data).tags]
    metas = Reader(data).all("meta")

    assert {"http-equiv": "Content-Security-Policy", "content": "default-src 'none'"} in metas
    assert {"name": "referrer", "content": "no-referrer"} in metas
    assert {"name": "generator", "content": "contract docs"} in metas
    assert data.index(b"Content-Security-Policy") < data.index(b"<link")
    assert names.index("meta") < names.index("title")
    assert b"http-equiv" not in page(Info("Shop", "1.0.0"), contract="contract.json", server="")
