"""Groups that are made wrongly, or hold what they cannot."""

# mypy: disable-error-code="empty-body"
# what is declared below is checked and never run

from __future__ import annotations

from contract import Call, Group, Member, Request, Spec, group, hook, hooks, routes, spec
from tests.typechecks import right_groups, shop
from tests.typechecks.right_groups import machines, managers, robot_of, robot_of_later, users
from tests.typechecks.right_hooks import audit, limited


@hook
def of_robot(call: Call[shop.Robot]) -> shop.Blocked | None: ...


def plain(call: Call[shop.User]) -> shop.Blocked | None: ...


def yes(token: str, request: Request) -> shop.Blocked | None: ...


# a group has one context, and that is its own, or of what it stands in
group("a", authenticate=robot_of, routes=routes(shop.me))  # type: ignore[arg-type]
group("a", authenticate=robot_of, routes=[shop.me])  # type: ignore[arg-type]
group("a", authenticate=robot_of_later, routes=routes(shop.me))  # type: ignore[arg-type]
group("a", authenticate=robot_of, routes=routes(users))  # type: ignore[arg-type]
group("a", authenticate=shop.user_of, routes=routes(shop.admins))  # type: ignore[arg-type]
group("a", authenticate=shop.user_of, routes=routes(shop.me, managers))  # type: ignore[arg-type]
spec(authenticate=robot_of, routes=routes(users))  # type: ignore[arg-type]
spec(authenticate=robot_of, routes=[users])  # type: ignore[arg-type]
spec(authenticate=robot_of_later, routes=routes(machines, users))  # type: ignore[arg-type]
spec(authenticate=shop.user_of, routes=routes(managers))  # type: ignore[arg-type]
spec(routes=routes(users))  # type: ignore[arg-type]
spec(routes=[users, shop.ping])  # type: ignore[list-item]
refused: Group[shop.Robot] = users  # type: ignore[assignment]
narrowed: Group[shop.User] = managers  # type: ignore[assignment]
members: list[Member[shop.User]] = routes(users, managers)  # type: ignore[arg-type]
api: Spec[shop.Robot] = spec(authenticate=robot_of, routes=routes(machines, users))  # type: ignore[arg-type]

# so have its hooks
group("a", authenticate=shop.user_of, routes=routes(shop.me), hooks=[of_robot])  # type: ignore[arg-type]
group("a", authenticate=shop.user_of_later, routes=routes(shop.me), hooks=[of_robot])  # type: ignore[misc]
group("a", authenticate=shop.user_of, routes=routes(shop.me), hooks=hooks(audit, of_robot))  # type: ignore[arg-type]
group("a", authenticate=shop.user_of, routes=routes(shop.me), hooks=[plain])  # type: ignore[arg-type, list-item]
group("a", routes=routes(shop.me), hooks=[plain])  # type: ignore[list-item]
group("a", routes=routes(shop.me), hooks=limited)  # type: ignore[call-overload]
spec(authenticate=shop.user_of, routes=[group("a", routes=routes(shop.me), hooks=[of_robot])])  # type: ignore[arg-type]
spec(authenticate=shop.user_of, routes=[group("a", routes=routes(shop.me, shop.robots))])  # type: ignore[arg-type]

# what is not a group, or is not an option
group("a", routes=[plain])  # type: ignore[arg-type]
group("a", routes=routes(plain))  # type: ignore[arg-type]
group("a", routes=shop.me)  # type: ignore[call-overload]
group(routes=routes(shop.me))  # type: ignore[call-overload]
group("a")  # type: ignore[call-overload]
group(1, routes=routes(shop.me))  # type: ignore[call-overload]
group("a", routes(shop.me))  # type: ignore[call-overload]
group("a", routes=routes(shop.me), tags="orders")  # type: ignore[call-overload]
group("a", routes=routes(shop.me), tags=[1])  # type: ignore[list-item]
group("a", routes=routes(shop.me), summary="x")  # type: ignore[call-overload]
group("a", routes=routes(shop.me), authenticate_inline=True)  # type: ignore[call-overload]
group("a", routes=routes(shop.me), authenticate="secret")  # type: ignore[call-overload]
group("a", routes=routes(shop.me), authenticate=right_groups.admin_of(token="", request=Request()))  # type: ignore[call-overload]
users.name = "b"  # type: ignore[misc]
users(shop.order)  # type: ignore[operator]
routes("a")  # type: ignore[arg-type]
