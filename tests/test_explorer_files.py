"""The files of the page: their names, their contents, and that they fit together."""

from __future__ import annotations

import re
from pathlib import Path

import contract.explorer
from contract.explorer.files import assets, template

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
