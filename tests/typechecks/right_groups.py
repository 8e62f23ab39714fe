"""Groups: what the checkers infer, and what may stand in one."""

from __future__ import annotations

from typing import assert_type

from contract import Forbidden, Group, Member, Request, Spec, group, hooks, routes, spec
from tests.typechecks.right_hooks import audit, banned, limited, maybe, one, public
from tests.typechecks.shop import (
    Admin,
    Robot,
    User,
    admins,
    me,
    order,
    ping,
    robots,
    user_of,
    user_of_later,
)


def robot_of(token: str, request: Request) -> Robot | Forbidden | None:
    return Robot() if token else None


async def robot_of_later(token: str, request: Request) -> Robot | None:
    return Robot() if token else None


def admin_of(token: str, request: Request) -> Admin | None:
    return Admin() if token else None


users = group("users", routes=routes(me, one, order), hooks=hooks(limited, audit, maybe))
machines = group("machines", authenticate=robot_of, routes=routes(robots, order))
machines_later = group("machines", authenticate=robot_of_later, routes=routes(robots))
later = group("later", authenticate=user_of_later, routes=routes(me), hooks=[banned])
inline = group("inline", authenticate=user_of, authenticate_inline=True, routes=[me, ping])
open_ = group("open", routes=routes(order, ping, public), tags=["open"])
managers = group("managers", routes=routes(me, admins))

assert_type(users, Group[User])
assert_type(machines, Group[object])
assert_type(machines_later, Group[object])
assert_type(later, Group[object])
assert_type(inline, Group[object])
assert_type(open_, Group[object])
assert_type(managers, Group[Admin])
assert_type(group("named", routes={"me": me, "nested": users}), Group[User])
assert_type(group("nested", routes=routes(users, machines, me)), Group[User])
assert_type(routes(users, machines, me), list[Member[User]])

assert_type(spec(authenticate=user_of, routes=routes(users, machines, me, ping)), Spec[User])
assert_type(spec(authenticate=user_of_later, routes=[users, machines, me, ping]), Spec[User])
assert_type(spec(routes=routes(machines, later, open_, ping)), Spec[None])
assert_type(spec(routes=[machines, open_, ping]), Spec[None])
api: Spec[Admin] = spec(
    authenticate=admin_of, routes=routes(managers, users, machines), hooks=[limited]
)
