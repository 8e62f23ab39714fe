"""
Files of the page, each under a name that changes with its contents.

So browsers may keep them for ever.

The table is fixed: no name that is asked for is ever looked up in a folder.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Final, final

from contract.shape.record import record

__all__ = ["Asset", "assets", "template"]

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
