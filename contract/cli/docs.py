"""``contract docs``: the explorer of a document, as a folder that any static host can serve."""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Final

from contract.cli.output import Stop, clean, data, say, write_files
from contract.cli.sources import NAME, asked_as, document_at
from contract.document import Document
from contract.document.contract_json import canonical, dump_contract
from contract.document.openapi import openapi
from contract.explorer import assets, cleaned, llms, page, policy
from contract.shape.urls import is_mount_url

__all__ = ["run"]

_INDEX: Final = "index.html"
_OURS: Final = b'<meta name="generator" content="contract docs">'
_HEAD: Final = 65_536
"""How many bytes of a page are searched for this mark."""

_ASSET: Final = re.compile(r"[a-z]+\.[0-9a-f]{16}\.(?:css|js)")


def run(arguments: argparse.Namespace) -> int:
    """Write the folder, and return the exit code."""
    folder, server = Path(arguments.output), arguments.server or ""
    if server and not is_mount_url(server):
        example = "write it like /v1 or https://shop.example/v1, with no query and no fragment"
        raise Stop(2, f"--server: {clean(repr(server))} is not a URL of a mount; {example}")
    _check_place(folder)
    document = document_at(
        arguments.source, visibility=arguments.visibility, access=asked_as(arguments)
    )
    document, left_out = cleaned(document)
    contents = _contents(document, server)
    _write(folder, contents)
    if arguments.json:
        facts = {
            "source": arguments.source,
            "output": str(folder),
            "files": sorted(contents),
            "left_out": [*left_out],
        }
        data(json.dumps(facts))
        return 0
    for each in left_out:
        say(f"contract: left out {clean(each)}")
    size = sum(map(len, contents.values()))
    say(f"contract: wrote {folder} ({len(contents)} files, {size} bytes)")
    return 0


def _contents(document: Document, server: str) -> Mapping[str, bytes]:
    """Path -> file; each file comes after the files that it refers to, for writing in order."""
    links = replace(document.links, docs=".", openapi="openapi.json")
    if not server:  # the host of the files answers no MCP client
        links = replace(links, mcp=None)
    here = replace(document, links=links)
    content_policy = policy(here.ui, server=server, embedded=True)
    return {
        **{f"assets/{name}": asset.data for name, asset in assets().items()},
        NAME: dump_contract(here),
        "openapi.json": canonical(openapi(here, server=server or "/")),
        "llms.txt": llms(here, contract=NAME, server=server),
        _INDEX: page(here.info, contract=NAME, server=server, policy=content_policy),
    }


def _check_place(folder: Path) -> None:
    """Check that the folder can be used: it is absent, empty, or was written by this command."""
    try:
        if not folder.exists():
            if not folder.parent.is_dir():
                raise Stop(2, f"there is no folder {folder.parent}; make it, or choose another")
        elif not folder.is_dir():
            raise Stop(2, f"{folder} is not a folder; choose another name, or remove it")
        elif any(folder.iterdir()) and not _is_ours(folder / _INDEX):
            raise Stop(
                2,
                f"{folder} contains files that this command did not write; "
                "choose a folder that is empty, or not there yet",
            )
    except OSError as error:
        raise Stop(2, f"cannot look into {folder}: {error.strerror}") from None


def _is_ours(index: Path) -> bool:
    if not index.is_file():
        return False
    with index.open("rb") as file:
        return _OURS in file.read(_HEAD)


def _write(folder: Path, contents: Mapping[str, bytes]) -> None:
    """
    Write all *contents* into the folder, or none of them.

    Other files there (pictures, a CNAME) stay.
    """
    inner = folder / "assets"
    made: list[Path] = []
    try:
        for each in (folder, inner):
            if not each.is_dir():
                each.mkdir()
                made.append(each)
        write_files({folder / name: content for name, content in contents.items()})
    except BaseException as failure:
        for each in reversed(made):
            with suppress(OSError):
                each.rmdir()
        if isinstance(failure, OSError):
            raise Stop(2, f"cannot write {folder}: {failure.strerror}") from None
        raise
    # only now: until the new page was there, the old one referred to them
    for path in inner.iterdir():
        if _ASSET.fullmatch(path.name) and f"assets/{path.name}" not in contents:
            path.unlink()  # written by an earlier version of this package
