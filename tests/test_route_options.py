"""Options: what may be said of a route, and what is refused of it."""

# mypy: disable-error-code="deprecated"
# functions that are marked so are what some of these tests are about

from __future__ import annotations

from datetime import UTC, date, datetime
from enum import StrEnum
from typing import Any

import pytest
from typing_extensions import deprecated

from contract.declare.failures import Failure
from contract.declare.route import route
from contract.declare.route_options import Deprecated, McpTool, check_name
from contract.shape.exceptions import RouteDeclarationError


class SoldOut(Failure, status=409):
    pass


def made(**options: Any) -> Any:
    """A route with some options, right or wrong."""

    def resolver(input: None, ctx: None) -> None: ...

    return route(**{"summary": "Do it", "tags": ["a"], **options})(resolver)


@pytest.mark.parametrize("name", ["a", "Z9", "getProduct", "users.get", "a_b-c", "a" * 100])
def test_a_name_is_letters_digits_and_three_signs(name: str) -> None:
    assert check_name("here", name) == name


@pytest.mark.parametrize(
    "name", ["", "1a", "_a", "a/b", "a b", "ä", "a\n", ".a", "a" * 101, 3, None]
)
def test_other_names_are_refused(name: object) -> None:
    with pytest.raises(RouteDeclarationError, match=r"here: .* is not a valid route name"):
        check_name("here", name)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"summary": ""}, "summary is ''; give a text that says something"),
        ({"summary": "  "}, "summary is '  '"),
        ({"summary": None}, "summary is None"),
        ({"summary": "Do\nit"}, r"summary is 'Do\\nit'; give one line, without spaces around it"),
        ({"summary": "Do it\n"}, r"summary is 'Do it\\n'; give one line"),
        ({"summary": "Do\u2028it"}, r"summary is 'Do\\u2028it'; give one line"),
        ({"summary": "a\n" * 200}, r"summary is '(a\\n){39}a\\\.\.\.; give one line"),
        ({"description": ""}, "description is ''"),
        ({"tags": "orders"}, r"tags is 'orders'; give a list: tags=\['orders'\]"),
        ({"tags": None}, "tags is None; give a list of texts"),
        ({"tags": b"a"}, "a tag is 97"),
        ({"tags": {"a"}}, "tags is {'a'}; give a list of texts"),
        ({"tags": iter("a")}, "tags is .*; give a list of texts"),
        ({"tags": []}, r"tags is empty; say what the route belongs to: tags=\["),
        ({"tags": ["a\nb"]}, r"a tag is 'a\\nb'; give one line"),
        ({"tags": [" a"]}, "a tag is ' a'; give one line"),
        ({"tags": [""]}, "a tag is ''"),
        ({"tags": [3]}, "a tag is 3"),
        ({"tags": ["a", "a"]}, r"tags names one twice: \['a', 'a'\]"),
        ({"auth": "basic"}, "auth is 'basic'; give one of 'none', 'optional', 'bearer'"),
        ({"scope": "hidden"}, "scope is 'hidden'; give one of 'public', 'private'"),
        (
            {"effect": "delete"},
            "effect is 'delete'; give one of 'read', 'idempotent', 'write', 'destructive'",
        ),
        ({"mcp": "tool"}, r"mcp is 'tool'; give True, False or McpTool\(\.\.\.\)"),
        (
            {"mcp": McpTool(name="a.b")},
            "McpTool.name is 'a.b', which is not a valid tool name; take 1 to 64 letters, digits, underscores and hyphens",
        ),
        ({"mcp": McpTool(name="")}, "McpTool.name is '', which is not a valid tool name"),
        ({"mcp": McpTool(name=5)}, "McpTool.name is 5, which is not a valid tool name"),  # type: ignore[arg-type]
        (
            {"mcp": McpTool(name="a" * 65)},
            "McpTool.name is 'a{65}', which is not a valid tool name",
        ),
        ({"mcp": McpTool(title=5)}, "McpTool.title is 5"),  # type: ignore[arg-type]
        ({"mcp": McpTool(title="a\nb")}, r"McpTool.title is 'a\\nb'; give one line"),
        ({"mcp": McpTool(open_world=None)}, "McpTool.open_world is None; give True or False"),  # type: ignore[arg-type]
        ({"mcp": McpTool(title="")}, "McpTool.title is ''"),
        ({"mcp": McpTool(open_world="yes")}, "McpTool.open_world is 'yes'; give True or False"),  # type: ignore[arg-type]
        ({"mcp": McpTool(read_only=1)}, "McpTool.read_only is 1; give True or False"),  # type: ignore[arg-type]
        (
            {"mcp": McpTool(read_only=True, destructive=True)},
            "McpTool says both read_only and destructive",
        ),
        ({"errors": [SoldOut]}, "errors is .*; write errors=define_errors"),
        ({"name": "a b"}, "'a b' is not a valid route name"),
        ({"inline": 1}, "inline is 1; give True or False"),
        ({"deprecated": "yes"}, r"deprecated is 'yes'; give True, False or Deprecated\(\.\.\.\)"),
        (
            {"deprecated": Deprecated(since="2.0")},  # type: ignore[arg-type]
            r"Deprecated.since is '2.0'; give a datetime.date, such as date\(2026, 1, 31\)",
        ),
        (
            {"deprecated": Deprecated(since=datetime(2026, 1, 2, tzinfo=UTC))},
            r"Deprecated.since is datetime.*; give a datetime.date, such as date\(2026, 1, 31\)",
        ),
        (
            {"deprecated": Deprecated(remove_on=datetime(2026, 1, 2))},
            r"Deprecated.remove_on is datetime.*; give a datetime.date, such as ",
        ),
        ({"deprecated": Deprecated(remove_on=3)}, "Deprecated.remove_on is 3; give a date"),  # type: ignore[arg-type]
        (
            {"deprecated": Deprecated(since=date(2026, 1, 2), remove_on=date(2026, 1, 1))},
            "Deprecated.remove_on is before since",
        ),
        (
            {"deprecated": Deprecated(since=date(2026, 1, 2), use="")},
            "Deprecated.use: '' is not a valid route name",
        ),
        ({"deprecated": Deprecated(use="a b")}, "Deprecated.use: 'a b' is not a valid route name"),
    ],
)
def test_wrong_options_are_refused_with_the_function_and_its_place(
    options: dict[str, object], message: str
) -> None:
    with pytest.raises(
        RouteDeclarationError,
        match=rf"^resolver:? {message}.* \({__name__}.made.<locals>.resolver, .*test_route_options.py:\d+\)$",
    ):
        made(**options)


@pytest.mark.parametrize(
    ("effect", "tool", "refused"),
    [
        ("read", McpTool(read_only=False), True),
        ("read", McpTool(destructive=True), True),
        ("read", McpTool(idempotent=False), True),
        ("read", McpTool(read_only=True, destructive=False, idempotent=True), False),
        ("idempotent", McpTool(read_only=True), True),
        ("idempotent", McpTool(idempotent=False), True),
        ("idempotent", McpTool(destructive=True), False),
        ("write", McpTool(read_only=True), True),
        ("write", McpTool(idempotent=True), True),
        ("write", McpTool(destructive=True), True),
        ("write", McpTool(destructive=False), False),
        ("destructive", McpTool(destructive=False), True),
        ("destructive", McpTool(read_only=True), True),
        ("destructive", McpTool(idempotent=True), False),
    ],
)
def test_a_tool_may_not_contradict_an_effect_that_was_given(
    effect: str | None, tool: McpTool, *, refused: bool
) -> None:
    if refused:
        with pytest.raises(
            RouteDeclarationError,
            match=rf'effect="{effect}" and McpTool\(.*\) contradict each other',
        ):
            made(effect=effect, mcp=tool)
    else:
        assert made(effect=effect, mcp=tool).mcp is tool


@pytest.mark.parametrize(
    ("tool", "effect"),
    [
        (McpTool(), "write"),
        (McpTool(open_world=True), "write"),
        (McpTool(read_only=True), "read"),
        (McpTool(read_only=True, destructive=False, idempotent=True), "read"),
        (McpTool(idempotent=True), "idempotent"),
        (McpTool(read_only=False, idempotent=True), "idempotent"),
        (McpTool(destructive=True), "destructive"),
        (McpTool(destructive=True, idempotent=False), "destructive"),
        (McpTool(read_only=False), "write"),
        (McpTool(destructive=False, idempotent=False), "write"),
    ],
    ids=repr,
)
def test_hints_without_an_effect_set_the_one_that_they_fit(tool: McpTool, effect: str) -> None:
    assert made(effect=None, mcp=tool).effect == effect


@pytest.mark.parametrize(
    ("tool", "message"),
    [
        (
            McpTool(destructive=True, idempotent=True),
            r'fits effect="idempotent" and effect="destructive"; write the one that is meant beside it',
        ),
        (
            McpTool(read_only=True, idempotent=False),
            'fits no effect: effect="read" says read_only and idempotent; leave one of them out',
        ),
    ],
    ids=["several", "none"],
)
def test_hints_that_fit_no_effect_or_several_are_refused(tool: McpTool, message: str) -> None:
    with pytest.raises(
        RouteDeclarationError, match=rf"^resolver: McpTool\((\w+=\w+(, )?){{2}}\) {message} \("
    ):
        made(effect=None, mcp=tool)


def test_an_effect_is_not_left_out_by_an_empty_text() -> None:
    with pytest.raises(RouteDeclarationError, match="effect is ''; give one of"):
        made(effect="")


def test_only_a_sync_resolver_can_be_inline() -> None:
    async def later(input: None, ctx: None) -> None: ...

    assert made(inline=True).inline is True
    assert made(inline=False).inline is False
    with pytest.raises(
        RouteDeclarationError,
        match=r"^.*later: inline=True is for sync resolvers, .*; leave it out \(",
    ):
        route(summary="x", tags=["a"], inline=True)(later)


def test_what_is_marked_deprecated_is_deprecated_and_may_say_more() -> None:
    @deprecated("use new")
    def old(input: None, ctx: None) -> None: ...

    def options(**given: Any) -> Any:
        return route(**{"summary": "x", "tags": ["a"], **given})(old)

    soon = Deprecated(remove_on=date(2027, 1, 1))

    assert options().deprecated == options(deprecated=True).deprecated == Deprecated()
    assert options(deprecated=soon).deprecated is soon
    assert made(deprecated=False).deprecated is False
    with pytest.raises(
        RouteDeclarationError,
        match="deprecated=False, but it has the decorator @deprecated; leave one of them out",
    ):
        options(deprecated=False)


def test_tags_may_be_members_of_an_enum_of_texts() -> None:
    class Tag(StrEnum):
        ORDERS = "orders"

    for tags in ([Tag.ORDERS], (Tag.ORDERS,), list(Tag)):
        assert [(type(tag), tag) for tag in made(tags=tags).tags] == [(str, "orders")]
