"""Authenticators: what their annotations say, and what is refused."""

# mypy: disable-error-code="empty-body"
# the hooks below are read and never called

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from types import NoneType
from typing import TYPE_CHECKING, Any, Literal, NewType, Protocol, TypedDict

import pytest
from typing_extensions import TypeAliasType

from contract.declare.authenticator import context_types, given_by, read_authenticator
from contract.declare.failures import Forbidden
from contract.declare.hook import Request
from contract.shape.exceptions import SpecError
from tests.tables import rows

if TYPE_CHECKING:
    from elsewhere import Ghost  # type: ignore[import-not-found]


class User:
    pass


class Admin(User):
    pass


class Named(Protocol):
    name: str


class Claims(TypedDict):
    sub: str


UserId = NewType("UserId", int)
Ghosts = TypeAliasType("Ghosts", "User | Ghost")


def sync_hook(token: str, request: Request) -> User | Forbidden | None: ...
async def async_hook(token: str, request: Request) -> User | int | None: ...
def ghost_hook(token: str, request: Request) -> Ghost: ...
def ghosts_hook(token: str, request: Request) -> Ghosts: ...
def untyped_hook(token, request): ...  # type: ignore[no-untyped-def]
def optional_hook(token: str, request: Request, db: object = None) -> None: ...


def test_what_a_context_may_be() -> None:
    read = read_authenticator("spec", sync_hook, {}, inline=False)
    untyped = read_authenticator("spec", untyped_hook, {}, inline=False)

    assert given_by(None, "optional") == given_by(None) == (NoneType,)
    assert given_by(read) == (User,)
    assert given_by(read, "optional") == (User, NoneType)
    assert given_by(untyped, "optional") is None


async def async_generator_hook(token: str, request: Request) -> AsyncIterator[User]:
    yield User()


class HookObject:
    async def __call__(self, token: str, request: Request) -> User: ...


@rows(
    "hook, is_async, gives",
    (sync_hook, False, (User,)),
    (async_hook, True, (User, int)),
    (ghost_hook, False, None),
    (ghosts_hook, False, None),
    (untyped_hook, False, None),
    (optional_hook, False, ()),
    (HookObject(), True, (User,)),
    (max, False, None),
)
def test_a_hook_is_known_by_its_annotation(
    hook: Callable[..., Any], gives: tuple[object, ...] | None, *, is_async: bool
) -> None:
    found = read_authenticator("spec({}=)", hook, {}, inline=False)

    assert found is not None
    assert (found.function, found.is_async, found.gives) == (hook, is_async, gives)


@rows(
    "hook, message",
    (async_generator_hook, "it is a generator, and one context is needed"),
    (User, "User is not a function"),
)
def test_a_hook_that_cannot_be_one_is_refused(hook: Any, message: str) -> None:
    with pytest.raises(SpecError, match=rf"^spec\(authenticate=\): {message}"):
        read_authenticator("spec({}=)", hook, {}, inline=False)


@rows(
    "gives, types",
    ((User,), (User,)),
    ((User, Admin), (User, Admin)),
    ((dict[str, int], list[int]), (dict, list)),
    ((float,), (float, int)),
    ((Claims,), (dict,)),
    ((Any,), None),
    ((object,), None),
    ((User, UserId), None),
    ((Literal[1],), None),
    ((Named,), None),
    ((), None),
    (None, None),
)
def test_the_classes_of_contexts_are_known_where_annotations_tell(
    gives: tuple[object, ...] | None, types: tuple[type, ...] | None
) -> None:
    assert context_types(gives) == types
