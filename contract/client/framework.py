"""
Framework: what the codes that are in no contract of yours carry.

A code of this table that its route does not declare becomes a `CallError` of that code, if its data
is as it should be.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from types import MappingProxyType
from typing import Annotated, Any, Final, Literal, final

from annotated_types import Ge

from contract.client.results import CallErrorCode
from contract.client.schemas import Schema
from contract.shape.issues import Issue
from contract.shape.markers import UNSET, Unset
from contract.shape.record import record

__all__ = ["BY_STATUS", "CODES", "Code", "Refusal"]


@record
class _Nothing:
    """No data."""


@record
class _Notice:
    """What people are told."""

    message: str | Unset = UNSET
    description: str | Unset = UNSET


@record
class _TooMany:
    """What people are told, and how long to stay away."""

    title: str | Unset = UNSET
    message: str | Unset = UNSET
    retry_after: Annotated[int, Ge(0)] | Unset = UNSET


@record
class _Away:
    """What people are told, and how long to stay away."""

    message: str | Unset = UNSET
    description: str | Unset = UNSET
    retry_after: Annotated[int, Ge(0)] | Unset = UNSET


@record
class _Message:
    """What is wrong."""

    message: str


@record
class _Unknown:
    """What was asked for."""

    route: str


@record
class _Limit:
    """In bytes."""

    limit: Annotated[int, Ge(0)]


@record
class _Issue:
    """One thing that is wrong."""

    path: list[str | int]
    code: str
    message: str
    params: dict[str, Any] = field(default_factory=dict[str, Any])


@final
@record
class Refusal:
    """The data of a VALIDATION_ERROR."""

    issues: list[_Issue]
    truncated: Literal[True] | Unset = UNSET

    def told(self) -> tuple[Issue, ...]:
        """The issues, as everybody else has them."""
        return tuple(
            Issue(tuple(each.path), each.code, each.message, tuple(each.params.items()))
            for each in self.issues
        )


@final
@record
class Code:
    """What comes with a code."""

    code: CallErrorCode
    data: Schema[Any]
    """Where there need not be any, it loads ``{}``."""


_NOTHING: Final = Schema(_Nothing)
_NOTICE: Final = Schema(_Notice)
_MESSAGE: Final = Schema(_Message)

CODES: Final[Mapping[str, Code]] = MappingProxyType(
    {
        each.code: each
        for each in (
            Code("BAD_REQUEST", _MESSAGE),
            Code("DEADLINE_EXCEEDED", _NOTHING),
            Code("FORBIDDEN", _NOTICE),
            Code("INTERNAL_ERROR", _NOTHING),
            Code("LENGTH_REQUIRED", _NOTHING),
            Code("METHOD_NOT_ALLOWED", _NOTICE),
            Code("NOT_FOUND", _NOTICE),
            Code("PAYLOAD_TOO_LARGE", Schema(_Limit)),
            Code("REQUEST_TIMEOUT", _NOTHING),
            Code("ROUTE_NOT_FOUND", Schema(_Unknown)),
            Code("SERVICE_UNAVAILABLE", Schema(_Away)),
            Code("TOO_MANY_REQUESTS", Schema(_TooMany)),
            Code("UNAUTHORIZED", _NOTHING),
            Code("UNSUPPORTED_MEDIA_TYPE", _MESSAGE),
            Code("VALIDATION_ERROR", Schema(Refusal)),
        )
    }
)
"""Every code that a server of any contract may answer with."""

BY_STATUS: Final[Mapping[int, CallErrorCode]] = MappingProxyType(
    {
        401: "UNAUTHORIZED",
        413: "PAYLOAD_TOO_LARGE",
        429: "TOO_MANY_REQUESTS",
        502: "SERVICE_UNAVAILABLE",
        503: "SERVICE_UNAVAILABLE",
        504: "SERVICE_UNAVAILABLE",
    }
)
"""
The codes of statuses that mean the same whoever sends them: a proxy, a gateway, a firewall.

403 and 404 are not among them: what was forbidden or not found there is nothing that a route spoke
of.
"""
