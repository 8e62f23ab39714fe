"""The page: what is filled in, and that all of it is text."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from pathlib import Path

import contract.explorer
from contract.document import Info
from contract.explorer import page
from contract.explorer.page import assets, template
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


FOLDER = Path(contract.explorer.__file__).parent / "assets"


def plain(name: str) -> str:
    return re.sub(r"\.[0-9a-f]{16}\.", ".", name)


def test_every_file_of_the_folder_is_served_but_the_template() -> None:
    assert sorted(map(plain, assets())) == sorted(
        path.name for path in FOLDER.iterdir() if path.name != "index.html"
    )


def test_the_names_have_one_hash() -> None:
    """A page never gets two modules that do not belong together."""
    assert len({name.split(".")[1] for name in assets()}) == 1
    assert all(re.fullmatch(r"[a-z]+\.[0-9a-f]{16}\.(?:css|js)", name) for name in assets())


def test_modules_import_each_other_by_these_names() -> None:
    found = {
        name: re.findall(r'(?m)^(?:import\b.*|\}) from "\./([^"]+)"', asset.data.decode())
        for name, asset in assets().items()
    }

    assert {each for imports in found.values() for each in imports} <= {*assets()}
    assert any(found.values())


def test_nothing_else_of_a_file_is_changed() -> None:
    for name, asset in assets().items():
        assert asset.data.decode().replace(f".{name.split('.')[1]}.", ".") == (
            FOLDER / plain(name)
        ).read_text("utf-8")


def test_media_types() -> None:
    assert {
        plain(name).rpartition(".")[2]: asset.media_type for name, asset in assets().items()
    } == {
        "css": "text/css; charset=utf-8",
        "js": "text/javascript; charset=utf-8",
    }


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
