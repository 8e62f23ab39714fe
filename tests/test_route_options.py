"""Options: what may be said of a route, and what is refused of it."""

# mypy: disable-error-code="deprecated"
# functions that are marked so are what some of these tests are about

from __future__ import annotations

from datetime import UTC, date, datetime
from enum import StrEnum
from typing import Any

import pytest
from typing_extensions import deprecated

from contract.declare.route import route
from contract.declare.route_options import Deprecated, McpTool, check_name
from contract.shape.exceptions import RouteDeclarationError
from tests.tables import rows


def made(**options: Any) -> Any:
    """A route with some options, right or wrong."""

    def resolver(input: None, ctx: None) -> None: ...

    return route(**{"summary": "Do it", "tags": ["a"], **options})(resolver)


@pytest.mark.parametrize("name", ["a", "Z9", "getProduct", "users.get", "a_b-c", "a" * 100])
def test_a_name_is_letters_digits_and_three_signs(name: str) -> None:
    assert check_name("here", name) == name


NO_NAMES = ["", "1a", "_a", "a/b", "a b", "ä", "a\n", ".a", "a" * 101, 3, None]


@pytest.mark.parametrize("name", NO_NAMES)
def test_other_names_are_refused(name: object) -> None:
    with pytest.raises(RouteDeclarationError, match=r"here: .* is not a valid route name"):
        check_name("here", name)


Tool: Any = McpTool
Gone: Any = Deprecated
TOMORROW, NOW = date(2026, 1, 2), datetime(2026, 1, 2, tzinfo=UTC)
# message -> values that have it, beside those of docs/declaration-errors.md
WRONG: dict[str, dict[str, list[Any]]] = {
    "give (one line|a text)": {
        "summary": ["  ", None, "Do\nit", "Do it\n", "Do\u2028it", "a\n" * 200],
        "description": [""],
        "tags": [b"a", ["a\nb"], [" a"], [""]],
        "mcp": [Tool(title=5), Tool(title="a\nb"), Tool(title="")],
    },
    "give a list of texts": {"tags": [None, {"a"}, iter("a")]},
    "give one of ": {"effect": ["delete", ""]},
    "give True": {
        "mcp": ["tool", Tool(open_world=None), Tool(open_world="yes"), Tool(read_only=1)],
        "deprecated": ["yes"],
    },
    "is not a valid (tool|route) name": {
        "mcp": [Tool(name=""), Tool(name=5), Tool(name="a" * 65)],
        "deprecated": [Gone(since=TOMORROW, use=""), Gone(use="a b")],
    },
    "give a datetime.date, such as": {
        "deprecated": [Gone(since=NOW), Gone(remove_on=datetime(2026, 1, 2)), Gone(remove_on=3)]
    },
}
EACH = [(told, option, values) for told, each in WRONG.items() for option, values in each.items()]


@rows(
    "message, option, value",
    *((message, option, value) for message, option, values in EACH for value in values),
)
def test_wrong_options_are_refused_with_the_function_and_its_place(
    message: str, option: str, value: object
) -> None:
    place = rf"\({__name__}.made.<locals>.resolver, .*test_route_options.py:\d+\)"
    with pytest.raises(RouteDeclarationError, match=rf"^resolver:? .*{message}.* {place}$"):
        made(**{option: value})


@rows(
    "effect, hints",
    *(
        ("read", hint)
        for hint in ({"read_only": False}, {"destructive": True}, {"idempotent": False})
    ),
    *(("idempotent", {"read_only": True}), ("idempotent", {"idempotent": False})),
    *(("write", {hint: True}) for hint in ("read_only", "idempotent", "destructive")),
    *(("destructive", {"destructive": False}), ("destructive", {"read_only": True})),
)
def test_a_tool_may_not_contradict_an_effect_that_was_given(effect: str, hints: Any) -> None:
    problem = rf'effect="{effect}" and McpTool\(.*\) contradict each other'
    with pytest.raises(RouteDeclarationError, match=problem):
        made(effect=effect, mcp=McpTool(**hints))


@rows(
    "effect, tool",
    ("read", McpTool(read_only=True, destructive=False, idempotent=True)),
    ("idempotent", McpTool(destructive=True)),
    ("write", McpTool(destructive=False)),
    ("destructive", McpTool(idempotent=True)),
)
def test_a_tool_may_say_more_than_an_effect(effect: str, tool: McpTool) -> None:
    assert made(effect=effect, mcp=tool).mcp is tool


@rows(
    "tool, effect",
    *((tool, "write") for tool in (McpTool(), McpTool(open_world=True), McpTool(read_only=False))),
    (McpTool(destructive=False, idempotent=False), "write"),
    (McpTool(read_only=True), "read"),
    (McpTool(read_only=True, destructive=False, idempotent=True), "read"),
    (McpTool(idempotent=True), "idempotent"),
    (McpTool(read_only=False, idempotent=True), "idempotent"),
    (McpTool(destructive=True), "destructive"),
    (McpTool(destructive=True, idempotent=False), "destructive"),
    ids=repr,
)
def test_hints_without_an_effect_set_the_one_that_they_fit(tool: McpTool, effect: str) -> None:
    assert made(effect=None, mcp=tool).effect == effect


def test_hints_that_fit_no_effect_are_refused() -> None:
    message = r'fits no effect: effect="read" says read_only and idempotent; leave one of them out'
    with pytest.raises(RouteDeclarationError, match=rf"^resolver: McpTool\(.*\) {message} \("):
        made(effect=None, mcp=McpTool(read_only=True, idempotent=False))


def test_a_sync_resolver_may_be_inline() -> None:
    assert made(inline=True).inline is True
    assert made(inline=False).inline is False


def test_what_is_marked_deprecated_is_deprecated_and_may_say_more() -> None:
    @deprecated("use new")
    def old(input: None, ctx: None) -> None: ...

    def options(**given: Any) -> Any:
        return route(**{"summary": "x", "tags": ["a"], **given})(old)

    soon = Deprecated(remove_on=date(2027, 1, 1))

    assert options().deprecated == options(deprecated=True).deprecated == Deprecated()
    assert options(deprecated=soon).deprecated is soon
    assert made(deprecated=False).deprecated is False


def test_tags_may_be_members_of_an_enum_of_texts() -> None:
    class Tag(StrEnum):
        ORDERS = "orders"

    for tags in ([Tag.ORDERS], (Tag.ORDERS,), list(Tag)):
        assert [(type(tag), tag) for tag in made(tags=tags).tags] == [(str, "orders")]
