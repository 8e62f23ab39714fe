"""A spec with three ways in, for the tests."""

from __future__ import annotations

from dataclasses import dataclass

from contract import Request, Way, api_key, bearer, cookie, current_call, route, routes, spec, ways


@dataclass(frozen=True, slots=True)
class User:
    name: str


@dataclass(frozen=True, slots=True)
class Robot:
    name: str


def user_of(token: str, request: Request) -> User | None:
    return User("ada") if token == "user" else None


def robot_of(key: str, request: Request) -> Robot | None:
    return Robot("r2") if key == "robot" else None


def page_of(sid: str, request: Request) -> User | None:
    return User("page") if sid == "page" else None


@route(summary="Say who calls", tags=["who"], mcp=True, effect="read")
def who(input: None, ctx: User | Robot) -> str:
    return f"{current_call().route} {ctx.name}"


@route(summary="Ping", tags=["who"], auth="none")
def ping(input: None, ctx: None) -> None: ...


KEY = api_key(robot_of, header="X-Key")
COOKIE = cookie(page_of, name="sid", origins=["https://app.example"])
THREE: Way[User | Robot] = ways(bearer(user_of), KEY, COOKIE)

api = spec(authenticate=THREE, routes=routes(who, ping))
keyed = spec(authenticate=KEY, routes=routes(who, ping))


@route(summary="Say which page calls", tags=["who"])
def page(input: None, ctx: User) -> str:
    return ctx.name


paged = spec(authenticate=COOKIE, routes=routes(page, ping))
