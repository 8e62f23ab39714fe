"""
Docs: the documents of a mount, for programs and for people.

They are the documents, the explorer with its files, and the text for agents; each is rendered at
its first use. One table has the path of each, so a requested path is never looked up anywhere else.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Final
from urllib.parse import quote

from contract.call.incoming import origin_of
from contract.call.mount_options import Options
from contract.call.published import Located, Moved, Published, Shown
from contract.declare.spec import AnySpec
from contract.document import Info
from contract.document.describe import looks
from contract.document.emit import document_of, emit_contract, emit_openapi
from contract.explorer import assets, llms, page, policy

__all__ = ["docs"]

_JSON: Final = "application/json"
_FOREVER: Final = "public, max-age=31536000, immutable"
_PLACE: Final = "\0"
"""Stands for the URL of the service; no generated text contains this character."""
_NO_REFERRER: Final = ("referrer-policy", "no-referrer")


def docs(spec: AnySpec, options: Options) -> Mapping[str, Shown]:
    """Full path -> document of a mount; empty if the docs are switched off."""
    if not options.docs:
        return {}
    prefix, visibility = options.prefix, options.visibility
    home = prefix + options.docs_path
    up = "/".join([".."] * options.docs_path.count("/"))  # from the page to the mount

    def contract() -> bytes:
        return emit_contract(
            spec, visibility=visibility, docs_path=options.docs_path, mcp_path=options.mcp_path
        )

    def openapi(root: str) -> bytes:
        before = root if options.public_url is None else options.public_url
        # a mount without a prefix is at "/": the URL of a server must not be empty
        return emit_openapi(spec, server=f"{before}{prefix}" or "/", visibility=visibility)

    def explorer() -> bytes:
        return page(
            Info(spec.meta.title, spec.meta.version),
            contract=f"{up}/contract.json",
            server=up,
            sentences=options.sentences,
        )

    # The text for agents has full URLs. It is made once, with a mark in place of the URL of the
    # service, which `located` fills in for each request.
    @cache
    def text() -> bytes:
        document = document_of(
            spec, visibility=visibility, docs_path=options.docs_path, mcp_path=options.mcp_path
        )
        return llms(document, contract=f"{_PLACE}{prefix}/contract.json", server=_PLACE + prefix)

    def located(place: str) -> bytes:
        # clients may send any host, so the text is not rendered again for each
        return text().replace(_PLACE.encode(), (options.public_url or place).encode())

    safety = (
        ("content-security-policy", policy(looks(spec.meta, takes_token=False))),
        _NO_REFERRER,
    )
    return {
        f"{prefix}/contract.json": Published(contract, _JSON),
        f"{prefix}/openapi.json": Located(openapi, _JSON, lambda incoming: quote(incoming.root)),
        # relative links of the page need the slash at the end
        home: Moved(f"{home.rpartition('/')[2]}/"),
        f"{home}/": Published(explorer, "text/html; charset=utf-8", headers=safety),
        f"{home}/llms.txt": Located(
            located, "text/plain; charset=utf-8", lambda incoming: origin_of(incoming) or ""
        ),
        **{f"{home}/assets/{name}": asset for name, asset in _assets().items()},
    }


@cache
def _assets() -> Mapping[str, Published]:
    """The files of the explorer, which are the same for every mount."""

    def published(data: bytes, media_type: str) -> Published:
        return Published(lambda: data, media_type, caching=_FOREVER)

    return {name: published(asset.data, asset.media_type) for name, asset in assets().items()}
