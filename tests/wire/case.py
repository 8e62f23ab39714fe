"""Rows of the table: a request, where it is sent, and what has to come back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import EllipsisType
from typing import Any

from tests.wire.exchange import ALL, JSON, RawRequest
from tests.wire.lanes import Lanes, everywhere


@dataclass(frozen=True, slots=True)
class Case:
    """One row."""

    name: str
    request: RawRequest
    status: int
    body: Any = ...
    """The JSON that comes back; ... stands for anything, in any place; b"" for no body at all."""
    headers: Mapping[str, str | None] = field(default_factory=dict)
    """What some headers are; None for those that must not be there."""
    ran: tuple[str, ...] = ()
    """The hooks and resolvers that run."""
    on: frozenset[str] = ALL
    """Transports."""
    lanes: Lanes = everywhere
    """Where it makes sense."""
    of_hook: bool = False
    """Whether it is about credentials, and sent as it is; to others a good token is added where every route has a hook."""


def like(expected: Any, found: Any) -> bool:
    """Whether *found* is *expected*, in which ... stands for anything, and types count."""
    if isinstance(expected, EllipsisType):
        return True
    if isinstance(expected, dict) and isinstance(found, dict):
        return expected.keys() == found.keys() and all(
            like(value, found[key]) for key, value in expected.items()
        )
    if isinstance(expected, list) and isinstance(found, list):
        return len(expected) == len(found) and all(map(like, expected, found))
    return type(expected) is type(found) and bool(expected == found)


def error(code: str, **data: Any) -> dict[str, Any]:
    return {"error": code, "data": data} if data else {"error": code}


def issues(*found: tuple[list[str | int], str]) -> dict[str, Any]:
    """A VALIDATION_ERROR with these issues. Their messages are tested elsewhere, and their params are left out by `told`."""
    return {
        "error": "VALIDATION_ERROR",
        "data": {"issues": [{"path": path, "code": code, "message": ...} for path, code in found]},
    }


def told(body: Any) -> Any:
    """*body* without the params of its issues."""
    if isinstance(body, dict) and body.get("error") == "VALIDATION_ERROR":
        for issue in body["data"]["issues"]:
            issue.pop("params", None)
    return body


NOT_JSON = issues(([], "json_invalid"))


def call(route: str, body: bytes = b"{}", *headers: tuple[str, str], **how: Any) -> RawRequest:
    """A call as it should be made."""
    return RawRequest(target=f"/v1/{route}", headers=(JSON, *headers), body=body, **how)
