"""
Cached reads: how long an answer may be kept, and which options are refused.

A route with ``cache=`` is also served at GET, with its input in the URL. So it must not change
anything: browsers and proxies repeat, prefetch and keep a GET as they like.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, cast, final

from contract.declare.route_options import Effect
from contract.shape.exceptions import RouteDeclarationError
from contract.shape.header_values import HEADER_WORD
from contract.shape.markers import Texts
from contract.shape.quoting import shown
from contract.shape.record import record

__all__ = ["Cache", "check_cache"]


@final
@record(kw_only=True)
class Cache:
    """
    How long browsers and proxies may keep the output of a read, which is then also served at GET.

    Shared caches may keep the output of a route with ``auth="none"``. The output of any other route
    is private: only the caller's own cache keeps it, for the same credentials.

    Attributes:
        max_age: Seconds that it is kept without asking again. With 0 a cache asks each time, and
            gets no body if nothing has changed.
        vary: The request headers that the output depends on, besides the credentials. An output
            that depends on ``Authorization`` or ``Cookie`` is private.
    """

    max_age: int
    vary: Texts = ()


_LONGEST: Final = 2**31 - 1
"""The most seconds that every cache can count (RFC 9111, section 1.2.2)."""


def check_cache(where: str, cache: object, effect: Effect) -> Cache | None:
    """
    Check and return the *cache* option of a route whose *effect* is known.

    Raises:
        RouteDeclarationError: It is not a `Cache`, has a value that no cache understands, or the
            route is not a read.
    """
    if cache is None:
        return None
    if not isinstance(cache, Cache):
        raise RouteDeclarationError(
            where, f"cache is {shown(cache)}; give Cache(max_age=60), or leave it out"
        )
    if effect != "read":
        raise RouteDeclarationError(
            where,
            "cache= serves the route at GET, which anybody may repeat, "
            f'and its effect is "{effect}"; write effect="read" beside it, or leave cache= out',
        )
    return Cache(max_age=_seconds(where, cache.max_age), vary=_names(where, cache.vary))


def _seconds(where: str, value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise RouteDeclarationError(
            where, f"Cache.max_age is {shown(value)}; give whole seconds, such as 60"
        )
    if not 0 <= value <= _LONGEST:
        raise RouteDeclarationError(
            where, f"Cache.max_age is {shown(value)}; give seconds from 0 to {_LONGEST}"
        )
    # a plain int, if it is a member of an IntEnum
    return int.__int__(value)


def _names(where: str, value: object) -> tuple[str, ...]:
    if isinstance(value, str) or not isinstance(value, Sequence):
        raise RouteDeclarationError(
            where,
            f"Cache.vary is {shown(value)}; "
            'give a list of names of headers: vary=["Accept-Language"]',
        )
    names = cast("Sequence[object]", value)
    for name in names:
        if not (isinstance(name, str) and _NAME.fullmatch(name)):
            raise RouteDeclarationError(
                where,
                f"Cache.vary names {shown(name)}, which is not a header; "
                'write it like "Accept-Language"',
            )
    # a member of a StrEnum becomes its text
    found = tuple(str.__str__(cast("str", name)) for name in names)
    # names of headers ignore case (RFC 9110, section 5.1)
    if len({name.lower() for name in found}) != len(found):
        raise RouteDeclarationError(where, f"Cache.vary names one twice: {[*found]}; leave one out")
    return found


_NAME: Final = re.compile(rf"(?!\*\Z){HEADER_WORD}")
"""The name of a header. A lone ``*`` is refused: no cache could ever reuse such an answer."""
