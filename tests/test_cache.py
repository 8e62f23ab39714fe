"""Cached reads as they are declared: what may be said of them, and what is refused."""

from __future__ import annotations

from typing import Any

import pytest

from contract import Cache, McpTool, Route, RouteDeclarationError, route


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


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            {"cache": Cache(max_age=1)},
            (
                "cache= serves the route at GET, which anybody may repeat, and its effect is "
                '"write"; write effect="read" beside it, or leave cache= out'
            ),
        ),
        (
            {"effect": "idempotent", "cache": Cache(max_age=1)},
            'cache= .* its effect is "idempotent"',
        ),
        (
            {"effect": "destructive", "cache": Cache(max_age=1)},
            'cache= .* its effect is "destructive"',
        ),
        ({"effect": "read", "cache": 60}, r"cache is 60; give Cache\(max_age=60\)"),
        ({"effect": "read", "cache": Cache}, r"cache is .*; give Cache\(max_age=60\)"),
        ({"effect": "read", "cache": True}, r"cache is True; give Cache\(max_age=60\)"),
        *(
            ({"effect": "read", "cache": Cache(max_age=wrong)}, message)  # type: ignore[arg-type]
            for wrong, message in (
                (1.5, "Cache.max_age is 1.5; give whole seconds, such as 60"),
                ("60", "Cache.max_age is '60'; give whole seconds"),
                (True, "Cache.max_age is True; give whole seconds"),
                (-1, "Cache.max_age is -1; give seconds from 0 to 2147483647"),
                (2**31, "Cache.max_age is 2147483648; give seconds from 0 to"),
            )
        ),
        *(
            ({"effect": "read", "cache": Cache(max_age=1, vary=wrong)}, message)  # type: ignore[arg-type]
            for wrong, message in (
                ("Cookie", r"Cache.vary is 'Cookie'; give a list of names of headers"),
                ({"Cookie"}, "Cache.vary is {'Cookie'}; give a list of names of headers"),
                (["*"], r"Cache.vary names '\*', which is not a header"),
                (["a b"], "Cache.vary names 'a b', which is not a header; write it like \"Accept-"),
                ([""], "Cache.vary names '', which is not a header"),
                ([3], "Cache.vary names 3, which is not a header"),
                (["a\r\nb"], r"Cache.vary names 'a\\r\\nb', which is not a header"),
                (["A", "a"], r"Cache.vary names one twice: \['A', 'a'\]"),
            )
        ),
    ],
)
def test_wrong_ones_are_refused_with_the_function_and_its_place(
    options: dict[str, object], message: str
) -> None:
    place = rf"\({__name__}.made.<locals>.resolver, .*test_cache.py:\d+\)"
    with pytest.raises(RouteDeclarationError, match=rf"^resolver: {message}.* {place}$"):
        made(**options)
