"""
Page: the HTML around the explorer, its files, and what it may load.

The HTML contains no script and no style, and every text in it is escaped. The files have names that
change with their contents, so that browsers may cache them for ever. Their table is fixed: a
requested name is never looked up in a folder.

Nothing comes from other hosts except what the document's looks name: pictures, style sheets and
fonts. Scripts come only from the service, and Trusted Types make the browser refuse anything that
would turn a string into markup. Values of `contract.Meta` were checked when the program started,
and are used unchanged. A document from elsewhere may contain anything: values that its author could
not have declared are left out here, and reported.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final, final

from contract.declare.meta import instead_of_colour, instead_of_fonts
from contract.document import Document
from contract.document.model import Info
from contract.shape.json_text import Json
from contract.shape.record import record
from contract.shape.sentences import SENTENCES, Sentences
from contract.shape.text_forms import FORMS, READY_FORMS
from contract.shape.urls import host_in, instead_of_url

__all__ = ["Asset", "assets", "clean_ui", "cleaned", "page", "policy", "template"]

_PLACE: Final = re.compile(r"\{\{([a-z]+)\}\}")
"""A place of the template to fill in."""
_HEAD: Final = '<meta charset="utf-8">\n'


def page(
    info: Info,
    *,
    contract: str,
    server: str,
    policy: str | None = None,
    sentences: Sentences = SENTENCES,
) -> bytes:
    """
    The HTML of the page.

    It is the same for all documents except for these arguments: it reads contract.json itself.
    These places of the template are filled in: ``contract``, ``server``, ``title``, and ``issues``,
    with the texts by which the page reports what the server would say about an input.

    Args:
        info: The title and version of the service.
        contract: The URL of contract.json, relative to the page.
        server: The URL of the service, relative to the page; empty if there is none to send calls
            to.
        policy: The result of `contract.explorer.policy`, for the page itself, if no header can
            carry it.
        sentences: A table of `contract.shape.sentences`, with the texts of issues.
    """
    # "a URL like https://example.org": the last word is the sample of such a form
    ready = {name: described.rpartition(" ")[2] for name, described in READY_FORMS.items()}
    issues = {
        "sentences": {**SENTENCES, **sentences},
        "samples": {form.name: form.sample for form in FORMS},
        "ready": ready,
        "general": [SENTENCES["predicate"], SENTENCES["invalid_value"]],
    }
    given = {
        "contract": contract,
        "server": server,
        "title": f"{info.title} {info.version}",
        "issues": json.dumps(issues, separators=(",", ":")),
    }
    # all at once: inserted text is not searched again
    filled = _PLACE.sub(lambda place: _escaped(given[place[1]]), template())
    # in ASCII, since a file host may not name the encoding, and browsers look for that only in the
    # first 1024 bytes
    return filled.replace(_HEAD, _HEAD + _metas(policy), 1).encode("ascii", "xmlcharrefreplace")


_ENTITIES: Final = str.maketrans(
    {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#x27;"}
)
"""Those of `html.escape`, whose module would take half a MiB in each worker for all others."""


def _escaped(text: str) -> str:
    return text.translate(_ENTITIES)


def _metas(policy: str | None) -> str:
    """
    The headers of a served page as ``<meta>`` elements; a policy applies only to what follows it.
    """
    if policy is None:
        return ""
    return (
        f'<meta http-equiv="Content-Security-Policy" content="{_escaped(policy)}">\n'
        '<meta name="referrer" content="no-referrer">\n'
        '<meta name="generator" content="contract docs">\n'
    )


# The files. All of them get new names when one of them changes: `_hashed` gives the names, and the
# references in the files are changed to them, imports of modules here and links of the page there.
# A file that is referred to by its new name may be kept for ever.

_HERE: Final = Path(__file__).parent / "assets"
_MODULES: Final = ("call", "contract", "main", "sentences", "tools")
_NAMES: Final = ("explorer.css", *(f"{name}.js" for name in _MODULES))
_PRELOADS: Final = "\n".join(
    f'<link rel="modulepreload" href="assets/{name}.js">' for name in _MODULES if name != "main"
)
"""Without these, a browser learns what a module imports only when it has loaded the module."""
_MEDIA_TYPES: Final = {"css": "text/css; charset=utf-8", "js": "text/javascript; charset=utf-8"}

# an import of several names ends with a line of its own: } from "./tools.js"
_IMPORT: Final = re.compile(r'^((?:import\b[^\n"]*|\}) from "\./)([a-z]+\.js)(?=")', re.MULTILINE)
_LINK: Final = re.compile(r'(?<="assets/)[a-z]+\.(?:js|css)(?=")')


@final
@record
class Asset:
    """
    A file of the page.

    Attributes:
        media_type: Its media type.
        data: Its contents.
    """

    media_type: str
    data: bytes


@cache
def assets() -> Mapping[str, Asset]:
    """Served name -> file, for every file of the page; read at the first use."""
    named = _hashed()
    found: dict[str, Asset] = {}
    for name in _NAMES:
        text = _IMPORT.sub(lambda each: each[1] + named[each[2]], _text(name))
        ending = name.rpartition(".")[2]
        found[named[name]] = Asset(_MEDIA_TYPES[ending], text.encode())
    return MappingProxyType(found)


@cache
def template() -> str:
    """The page with these names in it, and with places to fill in."""
    named = _hashed()
    # the links to the modules come first, since they too need the new names
    text = _text("index.html").replace("{{modules}}", _PRELOADS)
    return _LINK.sub(lambda each: named[each[0]], text)


@cache
def _hashed() -> Mapping[str, str]:
    """
    File -> the name that it is served under.

    Each name has the hash of all files, since modules refer to each other: so a page never gets two
    that do not belong together.
    """
    digest = hashlib.sha256()
    for name in _NAMES:
        data = _text(name).encode()
        # with its length, or a piece that moves from one file to the next would not be seen
        digest.update(b"%d " % len(data) + data)
    # 64 bits are enough against chance, and nobody else chooses the contents
    short = digest.hexdigest()[:16]
    named: dict[str, str] = {}
    for name in _NAMES:
        stem, _, ending = name.partition(".")
        named[name] = f"{stem}.{short}.{ending}"
    return named


@cache
def _text(name: str) -> str:
    return (_HERE / name).read_text("utf-8")


# What the page may load, and from where (Content Security Policy, level 3). Everything is forbidden
# first; then each kind of thing that the page needs is allowed from the page's own origin, and from
# the origins that its looks name.


def policy(ui: Json, *, server: str = "", embedded: bool = False) -> str:
    """
    The policy of a page.

    Args:
        ui: The looks of the page: `Document.ui`.
        server: The URL of the service, if that may be on another origin.
        embedded: Whether it is inside the page itself, where browsers ignore rules about frames.
    """
    looks, _ = clean_ui(ui)
    theme: Json = looks.get("theme", {})
    logo: Json = looks.get("logo", {})
    fonts: list[str] = theme.get("fontUrls", [])
    sheets = [url for url in fonts if not _FONT_FILE.search(url)]
    pictures = [*logo.values(), looks.get("favicon")]
    directives = {
        "default-src": ("'none'",),
        "script-src": ("'self'",),
        "style-src": ("'self'", *_origins(sheets)),
        "img-src": ("'self'", "data:", *_origins(pictures)),
        # also from where the style sheets are, which may load fonts from there
        "font-src": ("'self'", *_origins(fonts)),
        "connect-src": ("'self'", *_origins([server])),
        "base-uri": ("'none'",),
        "form-action": ("'none'",),
        "frame-ancestors": ("'none'",),
        "require-trusted-types-for": ("'script'",),
        "trusted-types": ("'none'",),
    }
    if embedded:
        # browsers ignore it in a <meta> element, and warn (Content Security Policy, section 3.3)
        del directives["frame-ancestors"]
    return "; ".join(f"{name} {' '.join(sources)}" for name, sources in directives.items())


_FONT_FILE: Final = re.compile(r"\.(?:woff2?|[ot]tf)\b")
"""The page loads these as fonts, and all others as style sheets."""


def _origins(urls: Iterable[Any]) -> list[str]:
    """The origins of URLs, as sources of a policy; relative URLs have that of the page."""
    found: set[str] = set()
    for url in urls:
        if not isinstance(url, str):
            continue
        scheme, host = host_in(url)
        # the grammar of a policy has no IPv6 addresses (Content Security Policy, section 2.3.1)
        if not host or host.startswith("["):
            continue
        if scheme:
            host = f"{scheme}://{host}"
        found.add(host)
    return sorted(found)


_Instead = Callable[[object], str | None]
"""The advice for a value that is not valid; None for one that is."""

_picture: Final[_Instead] = partial(instead_of_url, image=True)
_link: Final[_Instead] = partial(instead_of_url, mail=True)

_THEME: Final[dict[str, _Instead]] = {
    "accent": instead_of_colour,
    "background": instead_of_colour,
    "surface": instead_of_colour,
    "fontFamily": instead_of_fonts,
}


def cleaned(document: Document) -> tuple[Document, tuple[str, ...]]:
    """
    Remove everything from *document* that could do harm in a page.

    Return the rest, and for each removed part its place and a valid form.
    """
    ui, left_out = clean_ui(document.ui)
    if not left_out:
        return document, ()
    return replace(document, ui=ui), left_out


# Only values that could do harm are checked: URLs, which could be of scripts or name other hosts,
# and what the page writes into its style. All others are shown as text.


def clean_ui(ui: Json) -> tuple[Json, tuple[str, ...]]:
    """Clean the looks alone, as `contract.document.contract_json` does."""
    sieve = _Sieve()
    looks = dict(ui)
    if "website" in looks and not sieve.lets("website.url", ui["website"]["url"], instead_of_url):
        del looks["website"]
    if "logo" in looks:
        looks["logo"] = sieve.members("logo", ui["logo"], {"light": _picture, "dark": _picture})
        # the light picture is required; it also stands for the dark one
        if "light" not in looks["logo"]:
            del looks["logo"]
    if "favicon" in looks and not sieve.lets("favicon", ui["favicon"], _picture):
        del looks["favicon"]
    if "theme" in looks:
        theme = looks["theme"] = sieve.members("theme", ui["theme"], _THEME)
        if "fontUrls" in theme:
            theme["fontUrls"] = sieve.urls("theme.fontUrls", theme["fontUrls"])
    if "navbarLinks" in looks:
        looks["navbarLinks"] = sieve.links("navbarLinks", ui["navbarLinks"])
    if "links" in looks.get("notice", {}):
        links = sieve.links("notice.links", ui["notice"]["links"])
        looks["notice"] = {**ui["notice"], "links": links}
    return looks, tuple(sieve.left_out)


@final
class _Sieve:
    """Keeps what does no harm, and remembers the rest."""

    def __init__(self) -> None:
        self.left_out: Final[list[str]] = []

    def lets(self, place: str, value: object, instead: _Instead) -> bool:
        advice = instead(value)
        if advice is None:
            return True
        self.left_out.append(f"ui.{place}: {advice}")
        return False

    def members(self, place: str, members: Json, checks: dict[str, _Instead]) -> dict[str, Any]:
        # members without a check are kept: they are shown as text
        return {
            name: value
            for name, value in members.items()
            if name not in checks or self.lets(f"{place}.{name}", value, checks[name])
        }

    def urls(self, place: str, urls: list[Any]) -> list[Any]:
        return [url for url in urls if self.lets(place, url, instead_of_url)]

    def links(self, place: str, links: list[Json]) -> list[Json]:
        return [link for link in links if self.lets(f"{place}.href", link["href"], _link)]
