"""Retries: whether a call is tried again, and after how long."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Final

from contract.client.lazy import load
from contract.client.operation import Effect
from contract.client.options import Retries
from contract.client.results import NetworkCause

__all__ = ["backoff", "is_repeatable", "may_help", "retry_after"]

_REPEATABLE: Final[frozenset[Effect]] = frozenset({"read", "idempotent"})
_PASSING: Final = frozenset({429, 502, 503, 504})
"""Statuses that another time there may be another answer to."""


def is_repeatable(effect: Effect) -> bool:
    """Whether a call may be sent again although it may have run."""
    return effect in _REPEATABLE


def may_help(status: int, cause: NetworkCause | None) -> bool:
    """Whether another try may come out otherwise: a certificate that is not trusted will not be trusted a second later."""
    return status in _PASSING if cause is None else cause != "tls"


def retry_after(header: str | None, now: float) -> float | None:
    """
    The seconds of a Retry-After, which has a number of them or a date (RFC 9110, section 10.2.3).

    None where it makes no sense.

    Args:
        header: As it was sent.
        now: Seconds since 1970.
    """
    if header is None:
        return None
    text = header.strip()
    if text.isascii() and text.isdigit():
        return float(text[:9]) if len(text) <= 9 else float(10**9)
    try:
        date: datetime = load("email.utils").parsedate_to_datetime(text)
        if date.tzinfo is None:
            date = date.replace(tzinfo=UTC)
        return max(0.0, date.timestamp() - now)
    except (ValueError, TypeError, IndexError, OverflowError):
        return None


def backoff(retries: Retries, attempt: int, asked: float | None, chance: float) -> float | None:
    """
    Seconds to wait after try number *attempt*; None where there is to be no other.

    The wait is a random part (*chance*, 0 to 1) of a time that doubles, so that those who failed
    together do not come back together. Where the server asks for a time it gets at least that.
    """
    if attempt > retries.limit:
        return None
    if asked is not None and asked > retries.longest_asked:
        return None
    highest = min(retries.longest, retries.base * 2.0 ** min(attempt - 1, 60))
    return max(highest * chance, asked or 0.0)
