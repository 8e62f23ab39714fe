"""Hooks: the request as functions such as ``authenticate`` see it, which run before a route."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Final, final

__all__ = ["Request"]


_NO_HEADERS: Final[Mapping[str, str]] = MappingProxyType({})


@final
@dataclass(frozen=True, slots=True)
class Request:
    """
    One HTTP request, as hooks see it; the same for every adapter.

    Attributes:
        method: In capitals.
        path: Decoded, with the mount's prefix.
        headers: Names in lower case; repeated headers are joined with ", ".
        client: The address of the peer, where the server tells it.
        native: The framework's own request: a ``falcon.Request``, a WSGI environ or an ASGI scope.
    """

    method: str = "POST"
    path: str = "/"
    headers: Mapping[str, str] = field(default_factory=lambda: _NO_HEADERS)
    client: str | None = None
    native: Any = None

    def __repr__(self) -> str:
        """Without headers: they hold the token."""
        return f"Request({self.method} {self.path!r})"
