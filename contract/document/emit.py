"""
Emit: the documents of a spec as bytes, the same from every process, and the same as over HTTP.
"""

from __future__ import annotations

import re
from typing import Final

from contract.declare.spec import AnySpec
from contract.declare.urls import check_path
from contract.document import Document, Links
from contract.document.describe import Visibility, describe
from contract.document.openapi import openapi
from contract.document.writer import canonical, dump_contract
from contract.shape.exceptions import MountError

__all__ = ["document_of", "emit_contract", "emit_openapi", "is_server"]


def document_of(
    spec: AnySpec,
    *,
    visibility: Visibility = "public",
    docs_path: str = "/docs",
    mcp_path: str | None = "/mcp",
) -> Document:
    """What `emit_contract` writes."""
    links = Links(
        docs=_relative("docs_path", docs_path, None),
        openapi="openapi.json",
        mcp=None if mcp_path is None else _relative("mcp_path", mcp_path, "None"),
    )
    return describe(spec, visibility=visibility, links=links)


def emit_contract(
    spec: AnySpec,
    *,
    visibility: Visibility = "public",
    docs_path: str = "/docs",
    mcp_path: str | None = "/mcp",
) -> bytes:
    """
    The contract.json of *spec*.

    Args:
        spec: What is described.
        visibility: "all" shows private routes too.
        docs_path: As for ``mount_spec``; the document says where to find the explorer.
        mcp_path: The same; None where there is no MCP.

    Raises:
        MountError: One of the paths is none.
        DocumentError: A text holds half a character, or a default is nested too deep.
    """
    return dump_contract(
        document_of(spec, visibility=visibility, docs_path=docs_path, mcp_path=mcp_path)
    )


def emit_openapi(spec: AnySpec, *, server: str = "/", visibility: Visibility = "public") -> bytes:
    """
    The openapi.json of *spec*: OpenAPI 3.1.

    Args:
        spec: What is described.
        server: The URL of the mount: ``/v1``, ``https://shop.example/v1``.
        visibility: "all" shows private routes too.

    Raises:
        MountError: *server* is no such URL.
        DocumentError: A text holds half a character, or a default is nested too deep.
    """
    if not is_server(server):
        problem = f"{server!r} is no URL of a mount; write it like '/v1' or 'https://shop.example/v1', with no query and no fragment"
        raise MountError("emit_openapi(server=)", problem)
    return canonical(openapi(describe(spec, visibility=visibility), server=server))


def is_server(url: object) -> bool:
    """Whether *url* is that of a mount: ``/v1``, ``https://shop.example/v1``."""
    return isinstance(url, str) and _SERVER.fullmatch(url) is not None


_PLACE: Final = r"/(?!/)[!$&-;=@-Z_a-z~%]*"  # two slashes would begin the name of another host
_SERVER: Final = re.compile(
    rf"https?://(?:[A-Za-z0-9_.-]+|\[[0-9A-Fa-f:.]+\])(?::[0-9]{{1,5}})?(?:{_PLACE})?|{_PLACE}"
)


def _relative(option: str, path: str, none: str | None) -> str:
    """
    A path below the mount as a URL that is relative to the document, which stands in the mount.
    """
    check_path(f"emit_contract({option}=)", path, none=none)
    return path[1:]
