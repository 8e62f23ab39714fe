"""Permissions: the names of scopes, and the contexts that can be asked for them."""

from __future__ import annotations

from collections import UserString
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any, NamedTuple, Protocol, TypeVar

import pytest

import contract
from contract.declare.permissions import Requires, lacking, without_scopes
from tests.tables import rows

T = TypeVar("T")


@dataclass(frozen=True)
class User:
    scopes: frozenset[str] = frozenset()


def test_requires_keeps_the_order_of_its_scopes() -> None:
    made = contract.requires("orders:write", "a!#[]~")

    assert made == Requires(("orders:write", "a!#[]~"))
    assert repr(made) == "requires('orders:write', 'a!#[]~')"


@pytest.mark.parametrize(
    "wrong", ["", "two words", 'a"b', "a\\b", "caf\xe9", "a\n", "\x7f", "a" * 201, 3, None, b"a"]
)
def test_what_is_no_scope_is_refused(wrong: Any) -> None:
    """(RFC 6749, section 3.3)."""
    why = r"^requires\(\)\[1\]: .* is not a valid scope name"
    with pytest.raises(contract.RouteDeclarationError, match=why):
        contract.requires("orders:write", wrong)


def test_scopes_are_named_once_and_are_not_left_out() -> None:
    decorate: Any = contract.requires
    twice = r"^requires\(\): it names one twice: a, b, a"
    with pytest.raises(contract.RouteDeclarationError, match=twice):
        contract.requires("a", "b", "a")
    with pytest.raises(TypeError, match="scope"):
        decorate()


def test_a_route_that_requires_scopes_needs_a_token() -> None:
    @contract.route(summary="Refund", tags=["orders"], auth=contract.requires("orders:write"))
    def refund(input: None, ctx: User) -> None: ...

    assert (refund.auth, refund.requires) == ("bearer", ("orders:write",))
    assert repr(refund).startswith("<bearer route ")


@rows(
    "scopes, lacks",
    *((["a", "b", "c"], False), ({"a", "b"}, False)),
    *((("a",), True), ([], True), ({"ab": 1}, True)),
)
def test_every_scope_has_to_be_granted(scopes: Any, lacks: bool) -> None:
    assert lacking(("a", "b"), SimpleNamespace(scopes=scopes)) is lacks


class Lazy:
    """A text of someone's own, as those for translations are."""

    def __getattr__(self, name: str) -> Any:
        return getattr("orders:write", name)

    def __contains__(self, part: str) -> bool:
        raise AssertionError(part)


@rows("text", "orders:write", b"orders:write", UserString("orders:write"), Lazy())
def test_scopes_that_are_one_text_are_never_looked_into(text: Any) -> None:
    """A part of a scope would pass for the whole: ``"a" in "a:write"``."""
    with pytest.raises(TypeError, match=r"ctx\.scopes\.split\(\)"):
        lacking(("orders",), SimpleNamespace(scopes=text))


class Tuple(NamedTuple):
    scopes: tuple[str, ...]


class Property:
    @property
    def scopes(self) -> set[str]:
        return set()


class Below(Property): ...


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


@rows(
    "good",
    *(User, Tuple, Property, Below, ByHand, BelowByHand, Slots, Anything, contract.HasScopes),
    *(Interface, Any, object, T, "User"),
)
def test_what_may_have_scopes_is_left_to_type_checkers(good: object) -> None:
    assert without_scopes(good) is None


@rows(
    "given, words",
    *((given, "has no scopes") for given in (str, dict[str, Any], Bare)),
    *((given, "has scopes that are one text") for given in (Text, TextProperty, TextOfAUser)),
)
def test_what_cannot_be_asked_is_told(given: object, words: str) -> None:
    assert without_scopes(given) == words


def made(context: Any) -> None:
    def authenticate(token: str, request: contract.Request) -> Any: ...

    def resolver(input: None, ctx: Any) -> None: ...

    authenticate.__annotations__["return"] = context
    decorated = contract.route(summary="x", tags=["x"], auth=contract.requires("a", "b"))(resolver)
    contract.spec(authenticate=authenticate, routes=contract.routes(decorated))


def test_a_context_without_scopes_is_refused_by_the_spec() -> None:
    why = "requires a, b, and authenticate gives str, which has no"
    with pytest.raises(contract.SpecError, match=why):
        made(str | User | None)
    with pytest.raises(contract.SpecError, match="which has scopes that are one text"):
        made(Text)
    for context in (User | None, Any, "Missing", User | contract.Forbidden | None):
        made(context)


def refunds(**options: Any) -> Any:
    @contract.route(summary="Refund", tags=["x"], auth=contract.requires("b", "a"))
    def refund(input: None, ctx: User) -> None: ...

    @contract.route(summary="Cancel", tags=["x"])
    def cancel(input: None, ctx: User) -> None: ...

    return contract.group("refunds", routes=contract.routes(refund, cancel), **options)


def user_of(token: str, request: contract.Request) -> User | None: ...


def test_the_scopes_of_groups_stand_before_those_of_their_routes() -> None:
    inner = refunds(auth=contract.requires("a", "c"))
    outer = contract.group("shop", routes=[inner], auth=contract.requires("d"))
    entries = contract.spec(authenticate=user_of, routes=[outer]).entries

    assert entries["shop.refunds.refund"].requires == ("d", "a", "c", "b")
    assert entries["shop.refunds.cancel"].requires == ("d", "a", "c")
    assert [*entries["shop.refunds.cancel"].failures] == [contract.Forbidden]
    assert refunds().requires == ()


@rows("auth, who", ("none", "nobody has a"), ("optional", "callers may have no"))
def test_a_route_without_a_token_has_no_place_in_a_group_that_requires_scopes(
    auth: Any, who: str
) -> None:
    def home(input: None, ctx: User | None) -> None: ...

    decorate: Any = contract.route
    made = decorate(summary="Home", tags=["x"], auth=auth)(home)
    shop = contract.group("shop", routes=[made], auth=contract.requires("a", "b"))
    around = rf"^shop\.home\.ctx: a group around it requires a, b, and with auth=\"{auth}\" {who} "
    instead = r"context with scopes; put it into another group \(.*home, .*\)$"
    with pytest.raises(contract.SpecError, match=around + instead):
        contract.spec(authenticate=user_of, routes=[shop])


def test_a_group_asks_the_context_of_its_own_authenticate() -> None:
    def robot_of(token: str, request: contract.Request) -> bytes | None: ...

    made_of_robots = refunds(auth=contract.requires("a"), authenticate=robot_of)
    with pytest.raises(contract.SpecError, match=r"^refunds\.refund\.ctx: "):
        contract.spec(authenticate=user_of, routes=[made_of_robots])


def test_a_route_that_requires_scopes_may_be_answered_with_forbidden() -> None:
    @contract.route(summary="Refund", tags=["orders"], auth=contract.requires("orders:write"))
    def refund(input: None, ctx: User) -> None: ...

    @contract.route(summary="Cancel", tags=["orders"], auth=contract.requires("orders:write"))
    def cancel(input: None, ctx: User) -> contract.Forbidden | None: ...

    entries = contract.spec(authenticate=user_of, routes=contract.routes(refund, cancel)).entries

    assert [*entries["refund"].failures] == [*entries["cancel"].failures] == [contract.Forbidden]
    assert entries["refund"].hooked == {contract.Forbidden}
    assert entries["cancel"].hooked == frozenset()
    assert entries["refund"].requires == ("orders:write",)
