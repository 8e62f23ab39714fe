"""Environs: the environ of a request (PEP 3333), from what granian says of it for ASGI."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Final
from urllib.parse import unquote_to_bytes

__all__ = ["environ_of"]

_EVERY: Final[Mapping[str, Any]] = {
    "SCRIPT_NAME": "",
    "SERVER_SOFTWARE": "granian",
    "wsgi.errors": sys.stderr,
    "wsgi.input_terminated": True,
    "wsgi.multiprocess": True,
    "wsgi.multithread": True,
    "wsgi.run_once": False,
    "wsgi.version": (1, 0),
}
"""Keys that every request has alike."""


@lru_cache(1024)  # bounded, since clients choose the names
def _key(name: bytes) -> str:
    key = name.decode("latin-1").upper().replace("-", "_")
    return key if key in ("CONTENT_TYPE", "CONTENT_LENGTH") else f"HTTP_{key}"


def environ_of(scope: Mapping[str, Any]) -> dict[str, Any]:
    """The environ of a request (PEP 3333)."""
    path: str = scope["path"]
    raw: bytes = scope["raw_path"]
    query = scope["query_string"].decode("latin-1")
    target = raw.decode("latin-1")
    version: str = scope["http_version"]  # granian says 1 for 1.0
    if not path.isascii():  # bytes as characters; what was no UTF-8 stands in *path* as U+FFFD
        path = unquote_to_bytes(raw).decode("latin-1")
    environ: dict[str, Any] = {
        **_EVERY,
        "REQUEST_METHOD": scope["method"],
        "PATH_INFO": path,
        "QUERY_STRING": query,
        "RAW_URI": f"{target}?{query}" if query else target,
        "SERVER_PROTOCOL": "HTTP/1.0" if version == "1" else f"HTTP/{version}",
        "wsgi.url_scheme": scope["scheme"],
    }
    environ["SERVER_NAME"], environ["SERVER_PORT"] = scope["server"]
    environ["REMOTE_ADDR"], environ["REMOTE_PORT"] = scope["client"]
    for name, value in scope["headers"]:
        key = _key(name)
        text = value.decode("latin-1")
        if key in environ:
            # lines of one name are one list (RFC 9110, section 5.3), but cookies (RFC 6265)
            separator = ";" if key == "HTTP_COOKIE" else ","
            text = f"{environ[key]}{separator}{text}"
        environ[key] = text
    return environ
