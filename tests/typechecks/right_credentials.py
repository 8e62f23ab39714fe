"""Ways in that type checkers have to accept."""

# mypy: disable-error-code="empty-body"
# what is declared below is checked and never run

from __future__ import annotations

from dataclasses import dataclass
from typing import assert_type

import contract
from contract import Request, Spec, Way, api_key, bearer, cookie, route, routes, spec, ways


@dataclass(frozen=True)
class User:
    name: str


@dataclass(frozen=True)
class Robot:
    serial: int


def user_of(token: str, request: Request) -> User | contract.Forbidden | None: ...


async def user_later(token: str, request: Request) -> User | None: ...


def robot_of(key: str, request: Request) -> Robot | None: ...


@route(summary="Me", tags=["users"])
def me(input: None, ctx: User) -> str: ...


@route(summary="Anybody", tags=["users"])
def anybody(input: None, ctx: User | Robot) -> str: ...


assert_type(bearer(user_of), Way[User])
assert_type(bearer(user_later), Way[User])
assert_type(api_key(robot_of, header="X-Key"), Way[Robot])
assert_type(cookie(user_of, name="sid"), Way[User])

alone = spec(authenticate=api_key(user_of, header="X-Key"), routes=routes(me))
assert_type(alone, Spec[User])
several = spec(
    authenticate=ways(bearer(user_of), cookie(user_of, name="sid", origins=["https://a.example"])),
    routes=routes(me, anybody),
)
mixed = spec(
    authenticate=ways(bearer(user_of), api_key(robot_of, header="X-Key")), routes=routes(anybody)
)
later = spec(authenticate=ways(bearer(user_later)), routes=routes(me))
