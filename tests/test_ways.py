"""Ways in: which there are, and which cannot be."""

from __future__ import annotations

from typing import Any

import pytest

from contract import Request, api_key, bearer, cookie, route, routes, spec, ways
from contract.declare.ways import Shown, cookies_in
from contract.shape.exceptions import SpecError
from tests.tables import rows
from tests.three_ways import COOKIE, KEY, THREE, Robot, User, page_of, ping, robot_of, user_of, who


def request(**headers: str) -> Request:
    return Request(headers={name.replace("_", "-"): value for name, value in headers.items()})


def test_a_way_is_called_as_an_authenticate_is() -> None:
    assert KEY("robot", Request()) == Robot("r2")
    assert COOKIE("page", Request()) == User("page")
    assert bearer(user_of)("user", Request()) == User("ada")


def test_several_ask_the_one_whose_credential_was_shown() -> None:
    """The headers of the request are not asked again: who read them has decided."""
    token, key, page = THREE.credentials
    confusing = request(x_key="robot", cookie="sid=page", authorization="Bearer user")
    assert THREE(Shown.of(key, "robot"), confusing) == Robot("r2")
    assert THREE(Shown.of(page, "page"), confusing) == User("page")
    assert THREE(Shown.of(token, "user"), confusing) == User("ada")
    assert THREE("user", Request()) == User("ada")
    assert ways(KEY, COOKIE)("robot", Request()) == Robot("r2")


def test_a_way_says_what_it_takes() -> None:
    assert repr(THREE) == "<way in by bearer, X-Key, sid>"
    assert [each.header for each in THREE.credentials] == ["authorization", "x-key", "cookie"]


@rows(
    "header, values",
    *((header, []) for header in (None, "", "pref=x, sid=b", "sid=", "sid", "xsid=a; SID=b")),
    *(("sid=a", ["a"]), ("b=1; sid=a;c=2", ["a"]), ("sid=a=b", ["a=b"])),
    ("sid=a, sid=b", ["a, sid=b"]),
)
def test_cookies_are_found_by_their_name(header: str | None, values: list[str]) -> None:
    assert cookies_in(header, "sid") == values


@rows("name",
        "authorization", "Cookie", "Content-Type", "content-anything", "Host", "TE", "Connection",
        "Proxy-Authorization", "Sec-Fetch-Site", "Origin", "X-Request-Id", "X-Forwarded-For",
        "Forwarded", "Accept", "If-None-Match", "Bearer", "Mcp-Session-Id"
    )  # fmt: skip
def test_a_header_that_means_something_else_is_no_key(name: str) -> None:
    with pytest.raises(SpecError, match=f"{name} means something else already"):
        api_key(robot_of, header=name)


@rows("name", "", "X_Key", "X-", "-X", "1X", "X Key", "Ä", "X" * 65, None, 3)
def test_a_name_that_is_no_header_is_refused(name: Any) -> None:
    with pytest.raises(SpecError, match="is not a valid header name; write it like 'X-Key'"):
        api_key(robot_of, header=name)


@rows("name", "", "a b", "$a", "a;", "ä", "a" * 65, None, "bearer", "Bearer")
def test_a_name_that_is_no_cookie_is_refused(name: Any) -> None:
    with pytest.raises(SpecError, match="is not a valid cookie name; write it like 'sid'"):
        cookie(page_of, name=name)


@rows("name", "sid", "__Host-sid", "a.b", "bearer_id")
def test_other_cookies_will_do(name: str) -> None:
    assert cookie(page_of, name=name).credentials[0].name == name


@rows(
    "origins, problem",
    (["*"], r"origins=\)\[0\]: '\*' would let every page in"),
    (["https://app.example", "null"], r"\[1\]: 'null' is the origin of every page"),
    (["https://App.example"], "is not an origin"),
    ([3], "3 is not an origin"),
)
def test_origins_are_named_one_by_one(origins: Any, problem: str) -> None:
    with pytest.raises(SpecError, match=problem):
        cookie(page_of, name="sid", origins=origins)


@rows("second", api_key(robot_of, header="x-key"), cookie(page_of, name="X-Key"))
def test_ways_of_one_name_are_refused_in_any_case(second: Any) -> None:
    with pytest.raises(SpecError, match=r"two ways in are called [xX]-[kK]ey"):
        ways(KEY, second)


def unsure(token: str, request: Request): ...  # type: ignore[no-untyped-def]


def of_three(a: str, b: Request, c: int) -> User | None: ...


def test_the_ways_into_a_spec_are_read_like_every_authenticate() -> None:
    found: Any = spec(authenticate=THREE, routes=routes(who)).entries["who"].authenticator

    assert (found.is_async, found.contexts) == (False, (User, Robot, User))
    assert found.way_names == ("bearer", "X-Key", "sid")
    assert found.headers == ("Authorization", "X-Key", "Cookie")


def test_a_bearer_token_alone_is_the_default() -> None:
    found: Any = spec(authenticate=bearer(user_of), routes=routes(who)).authenticator

    assert (found.function, found.ways) == (user_of, ())
    assert (found.way_names, found.headers) == (("bearer",), ("Authorization",))


def test_a_way_whose_function_says_nothing_may_give_anything() -> None:
    found: Any = spec(authenticate=ways(KEY, bearer(unsure)), routes=routes(ping)).authenticator

    assert (found.gives, found.contexts) == (None, None)


def test_functions_that_do_not_fit_are_refused() -> None:
    wrong: Any = ways(KEY, bearer(of_three))  # type: ignore[arg-type]
    with pytest.raises(SpecError, match=r"it takes \(a, b, c\), and is called with"):
        spec(authenticate=wrong, routes=routes(who))


def test_a_route_takes_what_all_ways_give() -> None:
    @route(summary="Me", tags=["t"])
    def me(input: None, ctx: User) -> None: ...

    with pytest.raises(SpecError, match="it takes User, and authenticate gives Robot"):
        spec(authenticate=THREE, routes=routes(me))  # type: ignore[arg-type]
