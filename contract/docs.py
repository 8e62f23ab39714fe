"""
Docs: what a mount shows of itself, to programs and to people.

The documents, the explorer with its files, and the text for agents; each is rendered once, when it is first asked for. Everything has a
path of its own in one table, so that nothing that is asked for is looked up anywhere else.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache, lru_cache
from typing import Final
from urllib.parse import quote

from contract._spec import AnySpec
from contract.describe import looks
from contract.document import Info
from contract.emit import document_of, emit_contract, emit_openapi
from contract.explorer import assets, llms, page, policy
from contract.message import Incoming, Response
from contract.options import Options
from contract.published import Moved, Published

__all__ = ["Rooted", "Shown", "docs"]


class Rooted:
    """
    A document that says where the application is reached, which may be below a root that only its host knows (`Incoming.root`).

    Args:
        render: Makes it, of the root.
        media_type: What it is.
    """

    def __init__(self, render: Callable[[str], bytes], media_type: str) -> None:
        def published(root: str) -> Published:
            return Published(lambda: render(root), media_type)

        # a host may take its root from the path of a request, so no more of them are kept than one host has at a time
        self._of: Final = lru_cache(maxsize=8)(published)

    def warm_up(self) -> None:
        """Render the one for an application that is its own host."""
        self._of("").warm_up()

    def response(self, incoming: Incoming, more: tuple[tuple[str, str], ...]) -> Response:
        """The answer to a GET or a HEAD, with *more* headers."""
        return self._of(quote(incoming.root)).response(incoming, more)


Shown = Published | Rooted | Moved
"""What stands at a path."""

_JSON: Final = "application/json"
_FOREVER: Final = "public, max-age=31536000, immutable"
_NO_REFERRER: Final = ("referrer-policy", "no-referrer")


def docs(spec: AnySpec, options: Options) -> Mapping[str, Shown]:
    """Everything that a mount shows, by its full path; nothing where the docs are switched off."""
    if not options.docs:
        return {}
    prefix, visibility = options.prefix, options.visibility
    home = prefix + options.docs_path
    up = "/".join([".."] * options.docs_path.count("/"))  # from the page to the mount

    def contract() -> bytes:
        return emit_contract(spec, visibility=visibility, docs_path=options.docs_path, mcp_path=options.mcp_path)

    def openapi(root: str) -> bytes:
        before = root if options.public_url is None else options.public_url
        return emit_openapi(spec, server=f"{before}{prefix}" or "/", visibility=visibility)

    def explorer() -> bytes:
        return page(Info(spec.meta.title, spec.meta.version), contract=f"{up}/contract.json", server=up)

    def text() -> bytes:
        document = document_of(spec, visibility=visibility, docs_path=options.docs_path, mcp_path=options.mcp_path)
        server = up if options.public_url is None else options.public_url + prefix
        return llms(document, contract=f"{up}/contract.json", server=server)

    safety = (("content-security-policy", policy(looks(spec.meta, needs_token=False))), _NO_REFERRER)
    return {
        f"{prefix}/contract.json": Published(contract, _JSON),
        f"{prefix}/openapi.json": Rooted(openapi, _JSON),
        home: Moved(f"{home.rpartition('/')[2]}/"),
        f"{home}/": Published(explorer, "text/html; charset=utf-8", headers=safety),
        f"{home}/llms.txt": Published(text, "text/plain; charset=utf-8"),
        **{f"{home}/assets/{name}": asset for name, asset in _assets().items()},
    }


@cache
def _assets() -> Mapping[str, Published]:
    """The files of the explorer, which are the same for every mount."""

    def published(data: bytes, media_type: str) -> Published:
        return Published(lambda: data, media_type, caching=_FOREVER)

    return {name: published(asset.data, asset.media_type) for name, asset in assets().items()}
