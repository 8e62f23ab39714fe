"""
Page: the HTML around the explorer, and its files.

The HTML holds no script and no style of its own, and every text in it is escaped. The files have
names that change with their contents, so that browsers may keep them for ever. Their table is
fixed: no name that is asked for is ever looked up in a folder.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from functools import cache
from html import escape
from pathlib import Path
from types import MappingProxyType
from typing import Final, final

from contract.document.model import Info
from contract.shape.issues import CODES, FORMATS
from contract.shape.record import record

__all__ = ["Asset", "assets", "page", "template"]

_PLACE: Final = re.compile(r"\{\{([a-z]+)\}\}")
_HEAD: Final = '<meta charset="utf-8">\n'


def page(info: Info, *, contract: str, server: str, policy: str | None = None) -> bytes:
    """
    The page.

    It is the same for all documents but for what is given here: it reads contract.json by itself.
    These places of the template are filled in: ``contract``, ``server``, ``title``, and ``issues``,
    by which the page says what the server would say of an input.

    Args:
        info: What the service calls itself.
        contract: Where contract.json is, relative to the page.
        server: Where the service is, relative to the page; empty where there is none to send calls
            to.
        policy: What `contract.explorer.policy` gave, to stand in the page itself, where no header
            can carry it.
    """
    given = {
        "contract": contract,
        "server": server,
        "title": f"{info.title} {info.version}",
        "issues": json.dumps({"codes": {**CODES}, "formats": {**FORMATS}}, separators=(",", ":")),
    }
    # in one go: what is put in is not looked into again
    filled = _PLACE.sub(lambda place: escape(given[place[1]]), template())
    # in ASCII, since a host of files may not say what else it is, and browsers look for that in the
    # first 1024 bytes alone
    return filled.replace(_HEAD, _HEAD + _metas(policy), 1).encode("ascii", "xmlcharrefreplace")


def _metas(policy: str | None) -> str:
    """
    The headers of a served page as ``<meta>`` elements; a policy counts only for what follows it.
    """
    if policy is None:
        return ""
    return (
        f'<meta http-equiv="Content-Security-Policy" content="{escape(policy)}">\n'
        '<meta name="referrer" content="no-referrer">\n'
        '<meta name="generator" content="contract docs">\n'
    )


_HERE: Final = Path(__file__).parent / "assets"
_MODULES: Final = ("call", "contract", "main", "tools")
_NAMES: Final = ("explorer.css", *(f"{name}.js" for name in _MODULES))
_PRELOADS: Final = "\n".join(
    f'<link rel="modulepreload" href="assets/{name}.js">' for name in _MODULES if name != "main"
)
"""Without these, a browser finds out what a module imports only when it has it."""
_MEDIA_TYPES: Final = {"css": "text/css; charset=utf-8", "js": "text/javascript; charset=utf-8"}

_IMPORT: Final = re.compile(r'^((?:import\b[^\n"]*|\}) from "\./)([a-z]+\.js)(?=")', re.MULTILINE)
_LINK: Final = re.compile(r'(?<="assets/)[a-z]+\.(?:js|css)(?=")')


@final
@record
class Asset:
    """
    A file of the page.

    Attributes:
        media_type: What it is.
        data: What is in it.
    """

    media_type: str
    data: bytes


@cache
def assets() -> Mapping[str, Asset]:
    """Every file of the page, by the name that it is served under; read once, at the first use."""
    named = _hashed()
    found = {
        name: _IMPORT.sub(lambda each: each[1] + named[each[2]], _text(name)).encode()
        for name in _NAMES
    }
    return MappingProxyType(
        {
            named[name]: Asset(_MEDIA_TYPES[name.rpartition(".")[2]], data)
            for name, data in found.items()
        }
    )


@cache
def template() -> str:
    """The page with these names in it, and with places that are to be filled in."""
    named = _hashed()
    return _LINK.sub(
        lambda each: named[each[0]], _text("index.html").replace("{{modules}}", _PRELOADS)
    )


@cache
def _hashed() -> Mapping[str, str]:
    """
    The name that each file is served under.

    All have the hash of all, since modules name each other: a page never gets two that do not
    belong together.
    """
    digest = hashlib.sha256()
    for name in _NAMES:
        data = _text(name).encode()
        digest.update(b"%d " % len(data) + data)
    return {name: f".{digest.hexdigest()[:16]}.".join(name.split(".")) for name in _NAMES}


@cache
def _text(name: str) -> str:
    return (_HERE / name).read_text("utf-8")
