"""Guards: a route that a group is meant to stand before does not stand beside it unseen."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest

from contract.declare.group import group
from contract.declare.hook import Call, Request, hook
from contract.declare.permissions import requires
from contract.declare.route import route
from contract.declare.spec import spec
from contract.shape.exceptions import SpecError
from tests.tables import rows


@dataclass(frozen=True)
class User:
    scopes: tuple[str, ...] = ()


def user_of(token: str, request: Request) -> User | None:
    return None


def staff_of(token: str, request: Request) -> User | None:
    return None


@hook
def limited(call: Call[object]) -> None: ...


@hook
def of_user(call: Call[User]) -> None: ...


@route(summary="Cancel", tags=["orders"])
def cancel(input: None, ctx: User) -> None: ...


@route(summary="Ping", tags=["orders"], auth="none")
def ping(input: None, ctx: None) -> None: ...


STAFF: dict[str, Any] = {"authenticate": staff_of}
WRITE: dict[str, Any] = {"auth": requires("a", "b")}


@rows(
    "members, message",  # beside the group whose name it has before its own
    (
        {"o": group("o", routes=[cancel], hooks=[limited]), "o.ping": ping},
        (
            "o.ping: it is not in the group o, whose name is in its own, so the hook "
            "limited of that group would not guard it; add it to the routes= of the group, "
            "or give it another name (test_guards.ping, "
        ),
    ),
    (
        {"o": group("o", routes=[], hooks=[limited, of_user], **WRITE), "o.cancel": cancel},
        (
            "o.cancel: it is not in the group o, whose name is in its own, so the hooks "
            "limited, of_user and the scopes a, b of that group would not guard it; "
        ),
    ),
    (
        [group("o", routes={"in": group("in", routes=[], **STAFF), "in.x": cancel})],
        (
            "o.in.x: it is not in the group in, whose name is in its own, so the "
            "authenticate of that group would not guard it; "
        ),
    ),
    # behind the group in one place, and not in another
    (
        [group("o", routes=[cancel], hooks=[of_user], **WRITE), cancel],
        (
            "cancel: the same route is o.cancel, and the hook of_user and the scopes a, b of the "
            "group there would not guard it here; list it once, or put it into a group "
            "here, too (test_guards.cancel, "
        ),
    ),
    (
        [group("p", routes=[cancel]), group("o", routes=[cancel], hooks=[limited])],
        "p.cancel: the same route is o.cancel, and the hook limited of the group there would ",
    ),
)
def test_a_route_does_not_stand_beside_what_is_meant_to_guard_it(
    members: Any, message: str
) -> None:
    with pytest.raises(SpecError) as refused:
        spec(authenticate=user_of, routes=members)

    assert str(refused.value).startswith(message)


HARMLESS: list[Any] = [
    # the group asks nothing of the callers of this route
    {"o": group("o", routes=[], tags=["t"]), "o.cancel": cancel},
    {"o": group("o", routes=[], **STAFF), "o.ping": ping},
    {"o": group("o", routes=[cancel], hooks=[of_user]), "o.ping": ping},
    [group("o", routes=[ping, cancel], hooks=[of_user]), ping],
    # each place has guards or callers of its own
    [group("o", routes=[cancel], hooks=[limited], **STAFF), cancel],
    [group("o", routes=[cancel], **STAFF), group("p", routes=[cancel], hooks=[of_user])],
    [group("o", routes={"in.x": cancel}, **STAFF)],
]


@pytest.mark.parametrize("members", HARMLESS)
def test_a_route_may_stand_where_nothing_is_lost(members: Any) -> None:
    assert spec(authenticate=user_of, routes=members).entries
