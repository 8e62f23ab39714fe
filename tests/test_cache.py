"""Cached reads as they are declared: what may be said of them, and what is refused."""

from typing import Any

import pytest

from contract import Cache, McpTool, Route, RouteDeclarationError, route
from tests.tables import rows


def made(**options: Any) -> Route[None, str, Any]:
    def resolver(input: None, ctx: Any) -> str:
        return "x"

    decorate: Any = route
    return decorate(summary="S", tags=["t"], **options)(resolver)  # type: ignore[no-any-return]


def test_a_read_keeps_what_it_is_told() -> None:
    found = made(effect="read", cache=Cache(max_age=60, vary=["Accept-Language"])).cache

    assert found == Cache(max_age=60, vary=("Accept-Language",))
    assert made(effect="read", cache=Cache(max_age=0)).cache == Cache(max_age=0)
    assert made(effect="read").cache is made().cache is None
    assert repr(found) == "Cache(max_age=60, vary=('Accept-Language',))"


def test_a_tool_that_reads_is_a_read() -> None:
    found = made(mcp=McpTool(read_only=True), cache=Cache(max_age=1))

    assert (found.effect, found.cache) == ("read", Cache(max_age=1))


WRITTEN = "cache= .* its effect is "
NO_CACHE = r"cache is .*; give Cache\(max_age=60\)"
NO_SECONDS = "Cache.max_age is .*; give (whole seconds, such as 60|seconds from 0 to 2147483647)"
NO_LIST = "Cache.vary is .*; give a list of names"
NO_HEADER = "Cache.vary names .*, which is not a "
Kept: Any = Cache


@rows(
    "effect, cache, message",
    *((effect, Kept(max_age=1), WRITTEN) for effect in ("idempotent", "destructive")),
    *(("read", wrong, NO_CACHE) for wrong in (Cache, True)),
    *(("read", Kept(max_age=wrong), NO_SECONDS) for wrong in (1.5, "60", True, -1, 2**31)),
    ("read", Kept(max_age=1, vary={"Cookie"}), NO_LIST),
    *(
        ("read", Kept(max_age=1, vary=[wrong]), NO_HEADER)
        for wrong in ("*", "a b", "", 3, "a\r\nb")
    ),
    ("read", Kept(max_age=1, vary=["A", "a"]), r"Cache.vary names one twice: \['A', 'a'\]"),
)
def test_wrong_ones_are_refused_with_the_function_and_its_place(
    effect: str, cache: object, message: str
) -> None:
    place = rf"\({__name__}.made.<locals>.resolver, .*test_cache.py:\d+\)"
    with pytest.raises(RouteDeclarationError, match=rf"^resolver: {message}.* {place}$"):
        made(effect=effect, cache=cache)
