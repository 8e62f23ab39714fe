"""Permissions: the names of scopes, and the contexts that can be asked for them."""

from __future__ import annotations

from collections import UserString
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol, TypeVar

import pytest

from contract import (
    Forbidden,
    HasScopes,
    Request,
    RouteDeclarationError,
    SpecError,
    group,
    requires,
    route,
    routes,
    spec,
)
from contract.declare.permissions import Requires, lacking, without_scopes

T = TypeVar("T")


@dataclass(frozen=True)
class User:
    scopes: frozenset[str] = frozenset()


def test_requires_keeps_the_order_of_its_scopes() -> None:
    made = requires("orders:write", "a!#[]~")

    assert made == Requires(("orders:write", "a!#[]~"))
    assert repr(made) == "requires('orders:write', 'a!#[]~')"


@pytest.mark.parametrize(
    "wrong", ["", "two words", 'a"b', "a\\b", "caf\xe9", "a\n", "\x7f", "a" * 201, 3, None, b"a"]
)
def test_what_is_no_scope_is_refused(wrong: Any) -> None:
    """(RFC 6749, section 3.3)."""
    with pytest.raises(
        RouteDeclarationError, match=r"^requires\(\)\[1\]: .* is not a valid scope name"
    ):
        requires("orders:write", wrong)


def test_scopes_are_named_once_and_are_not_left_out() -> None:
    decorate: Any = requires
    with pytest.raises(RouteDeclarationError, match=r"^requires\(\): it names one twice: a, b, a"):
        requires("a", "b", "a")
    with pytest.raises(TypeError, match="scope"):
        decorate()


def test_a_route_that_requires_scopes_needs_a_token() -> None:
    @route(summary="Refund", tags=["orders"], auth=requires("orders:write"))
    def refund(input: None, ctx: User) -> None: ...

    assert (refund.auth, refund.requires) == ("bearer", ("orders:write",))
    assert repr(refund).startswith("<bearer route ")


@pytest.mark.parametrize(
    ("scopes", "lacks"),
    [(["a", "b", "c"], False), ({"a", "b"}, False), (("a",), True), ([], True), ({"ab": 1}, True)],
)
def test_every_scope_has_to_be_granted(scopes: Any, lacks: bool) -> None:
    class Context:
        def __init__(self) -> None:
            self.scopes = scopes

    assert lacking(("a", "b"), Context()) is lacks


class Lazy:
    """A text of someone's own, as those for translations are."""

    def __getattr__(self, name: str) -> Any:
        return getattr("orders:write", name)

    def __contains__(self, part: str) -> bool:
        raise AssertionError(part)


@pytest.mark.parametrize(
    "text", ["orders:write", b"orders:write", UserString("orders:write"), Lazy()]
)
def test_scopes_that_are_one_text_are_never_looked_into(text: Any) -> None:
    """A part of a scope would pass for the whole: ``"a" in "a:write"``."""

    class Context:
        scopes = text

    with pytest.raises(TypeError, match=r"ctx\.scopes\.split\(\)"):
        lacking(("orders",), Context())


class Tuple(NamedTuple):
    scopes: tuple[str, ...]


class Property:
    @property
    def scopes(self) -> set[str]:
        return set()


class Below(Property):
    pass


class ByHand:
    def __init__(self) -> None:
        self.scopes = {"a"}


class BelowByHand(ByHand):
    pass


class Slots:
    __slots__ = ("scopes",)


class Anything:
    def __getattr__(self, name: str) -> set[str]:
        return {name}


class Bare:
    def __init__(self) -> None:
        self.name = "scopes"


class Text:
    scopes: str = "a b"


class TextOfAUser:
    scopes: UserString


class TextProperty:
    @property
    def scopes(self) -> str:
        return "a b"


class Interface(Protocol):
    scopes: frozenset[str]


@pytest.mark.parametrize(
    "good",
    [
        *(User, Tuple, Property, Below, ByHand, BelowByHand, Slots, Anything, HasScopes),
        *(Interface, Any, object, T, "User"),
    ],
)
def test_what_may_have_scopes_is_left_to_type_checkers(good: object) -> None:
    assert without_scopes(good) is None


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (str, "has no scopes"),
        (dict[str, Any], "has no scopes"),
        (Bare, "has no scopes"),
        (Text, "has scopes that are one text"),
        (TextProperty, "has scopes that are one text"),
        (TextOfAUser, "has scopes that are one text"),
    ],
)
def test_what_cannot_be_asked_is_told(given: object, words: str) -> None:
    assert without_scopes(given) == words


def made(context: Any) -> Callable[[], object]:
    def authenticate(token: str, request: Request) -> Any: ...

    def resolver(input: None, ctx: Any) -> None: ...

    authenticate.__annotations__["return"] = context
    decorated = route(summary="x", tags=["x"], auth=requires("a", "b"))(resolver)
    return lambda: spec(authenticate=authenticate, routes=routes(decorated))


def test_a_context_without_scopes_is_refused_by_the_spec() -> None:
    with pytest.raises(
        SpecError, match="it requires a, b, and authenticate gives str, which has no"
    ):
        made(str | User | None)()
    with pytest.raises(SpecError, match="which has scopes that are one text"):
        made(Text)()


def test_a_context_with_scopes_is_taken() -> None:
    for context in (User | None, Any, "Missing", User | Forbidden | None):
        made(context)()


def refunds(**options: Any) -> Any:
    @route(summary="Refund", tags=["x"], auth=requires("b", "a"))
    def refund(input: None, ctx: User) -> None: ...

    @route(summary="Cancel", tags=["x"])
    def cancel(input: None, ctx: User) -> None: ...

    return group("refunds", routes=routes(refund, cancel), **options)


def user_of(token: str, request: Request) -> User | None: ...


def test_the_scopes_of_groups_stand_before_those_of_their_routes() -> None:
    outer = group("shop", routes=[refunds(auth=requires("a", "c"))], auth=requires("d"))
    entries = spec(authenticate=user_of, routes=[outer]).entries

    assert entries["shop.refunds.refund"].requires == ("d", "a", "c", "b")
    assert entries["shop.refunds.cancel"].requires == ("d", "a", "c")
    assert [*entries["shop.refunds.cancel"].failures] == [Forbidden]
    assert refunds().requires == ()


@pytest.mark.parametrize(
    ("auth", "who"), [("none", "nobody has a"), ("optional", "callers may have no")]
)
def test_a_route_without_a_token_has_no_place_in_a_group_that_requires_scopes(
    auth: Any, who: str
) -> None:
    def home(input: None, ctx: User | None) -> None: ...

    decorate: Any = route
    made = decorate(summary="Home", tags=["x"], auth=auth)(home)
    with pytest.raises(
        SpecError,
        match=rf"^shop\.home\.ctx: a group around it requires a, b, and with auth=\"{auth}\" {who} "
        r"context with scopes; put it into another group \(.*home, .*\)$",
    ):
        spec(authenticate=user_of, routes=[group("shop", routes=[made], auth=requires("a", "b"))])


def test_a_group_asks_the_context_of_its_own_authenticate() -> None:
    def robot_of(token: str, request: Request) -> bytes | None: ...

    made_of_robots = refunds(auth=requires("a"), authenticate=robot_of)
    with pytest.raises(SpecError, match=r"^refunds\.refund\.ctx: "):
        spec(authenticate=user_of, routes=[made_of_robots])


def test_a_route_that_requires_scopes_may_be_answered_with_forbidden() -> None:
    @route(summary="Refund", tags=["orders"], auth=requires("orders:write"))
    def refund(input: None, ctx: User) -> None: ...

    @route(summary="Cancel", tags=["orders"], auth=requires("orders:write"))
    def cancel(input: None, ctx: User) -> Forbidden | None: ...

    def authenticate(token: str, request: Request) -> User | None: ...

    entries = spec(authenticate=authenticate, routes=routes(refund, cancel)).entries

    assert [*entries["refund"].failures] == [*entries["cancel"].failures] == [Forbidden]
    assert entries["refund"].hooked == {Forbidden}
    assert entries["cancel"].hooked == frozenset()
    assert entries["refund"].requires == ("orders:write",)
