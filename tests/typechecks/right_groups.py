"""Groups: what the checkers infer, and what may stand in one."""

# mypy: disable-error-code="empty-body"
# what is declared below is checked and never run

from __future__ import annotations

from typing import assert_type

from contract import Forbidden, Group, Member, Request, Spec, group, hooks, routes, spec
from tests.typechecks import shop
from tests.typechecks.right_hooks import audit, banned, limited, maybe, one, public


def robot_of(token: str, request: Request) -> shop.Robot | Forbidden | None: ...


async def robot_of_later(token: str, request: Request) -> shop.Robot | None: ...


def admin_of(token: str, request: Request) -> shop.Admin | None: ...


users = group("users", routes=routes(shop.me, one, shop.order), hooks=hooks(limited, audit, maybe))
machines = group("machines", authenticate=robot_of, routes=routes(shop.robots, shop.order))
machines_later = group("machines", authenticate=robot_of_later, routes=routes(shop.robots))
later = group("later", authenticate=shop.user_of_later, routes=routes(shop.me), hooks=[banned])
inline = group(
    "inline", authenticate=shop.user_of, authenticate_inline=True, routes=[shop.me, shop.ping]
)
open_ = group("open", routes=routes(shop.order, shop.ping, public), tags=["open"])
managers = group("managers", routes=routes(shop.me, shop.admins))

assert_type(users, Group[shop.User])
assert_type(machines, Group[object])
assert_type(machines_later, Group[object])
assert_type(later, Group[object])
assert_type(inline, Group[object])
assert_type(open_, Group[object])
assert_type(managers, Group[shop.Admin])
assert_type(group("named", routes={"me": shop.me, "nested": users}), Group[shop.User])
assert_type(group("nested", routes=routes(users, machines, shop.me)), Group[shop.User])
assert_type(routes(users, machines, shop.me), list[Member[shop.User]])

assert_type(
    spec(authenticate=shop.user_of, routes=routes(users, machines, shop.me, shop.ping)),
    Spec[shop.User],
)
assert_type(
    spec(authenticate=shop.user_of_later, routes=[users, machines, shop.me, shop.ping]),
    Spec[shop.User],
)
assert_type(spec(routes=routes(machines, later, open_, shop.ping)), Spec[None])
assert_type(spec(routes=[machines, open_, shop.ping]), Spec[None])
api: Spec[shop.Admin] = spec(
    authenticate=admin_of, routes=routes(managers, users, machines), hooks=[limited]
)
