"""
Emit: the documents of a spec as bytes, the same from every process and over HTTP.
"""

from __future__ import annotations

from contract.declare.own_paths import check_names, own_paths
from contract.declare.spec import AnySpec
from contract.document import Document, Links
from contract.document.contract_json import canonical, dump_contract
from contract.document.describe import Visibility, describe
from contract.document.openapi import openapi
from contract.shape.exceptions import MountError
from contract.shape.urls import is_mount_url

__all__ = ["document_of", "emit_contract", "emit_openapi"]


def document_of(
    spec: AnySpec,
    *,
    visibility: Visibility = "public",
    docs_path: str | None = "/docs",
    mcp_path: str | None = "/mcp",
) -> Document:
    """The document that `emit_contract` writes."""
    check_names(spec.entries, own_paths("emit_contract", docs_path=docs_path, mcp_path=mcp_path))
    # the document is below the mount, so a path without its slash is a URL relative to it
    docs, mcp = docs_path and docs_path[1:], mcp_path and mcp_path[1:]
    return describe(
        spec,
        visibility=visibility,
        links=Links(docs=docs, openapi=docs and "openapi.json", mcp=mcp),
    )


def emit_contract(
    spec: AnySpec,
    *,
    visibility: Visibility = "public",
    docs_path: str | None = "/docs",
    mcp_path: str | None = "/mcp",
) -> bytes:
    """
    The contract.json of *spec*.

    Args:
        spec: The spec to describe.
        visibility: "all" also shows private routes.
        docs_path: As for ``mount_spec``; the document says where the explorer is. None if there
            are no docs.
        mcp_path: As for ``mount_spec``; None if there is no MCP.

    Raises:
        MountError: A mount cannot have these paths.
        DocumentError: A text contains half a character, or a default is nested too deep.
    """
    return dump_contract(
        document_of(spec, visibility=visibility, docs_path=docs_path, mcp_path=mcp_path)
    )


def emit_openapi(spec: AnySpec, *, server: str = "/", visibility: Visibility = "public") -> bytes:
    """
    The openapi.json of *spec*: OpenAPI 3.1.

    Args:
        spec: The spec to describe.
        server: The URL of the mount: ``/v1``, ``https://shop.example/v1``.
        visibility: "all" also shows private routes.

    Raises:
        MountError: *server* is not such a URL.
        DocumentError: A text contains half a character, or a default is nested too deep.
    """
    if not is_mount_url(server):
        problem = (
            f"{server!r} is not a URL of a mount; "
            "write it like '/v1' or 'https://shop.example/v1', "
            "with no query and no fragment"
        )
        raise MountError("emit_openapi(server=)", problem)
    return canonical(openapi(describe(spec, visibility=visibility), server=server))
