"""Groups that are made wrongly, or hold what they cannot."""

from __future__ import annotations

from contract import Call, Group, Member, Request, Spec, group, hook, hooks, routes, spec
from tests.typechecks.right_groups import (
    admin_of,
    machines,
    managers,
    robot_of,
    robot_of_later,
    users,
)
from tests.typechecks.right_hooks import audit, limited
from tests.typechecks.shop import (
    Blocked,
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


@hook
def of_robot(call: Call[Robot]) -> Blocked | None:
    return None


def plain(call: Call[User]) -> Blocked | None:
    return None


def yes(token: str, request: Request) -> Blocked | None:
    return None


# a group has one context, and that is its own, or of what it stands in
group("a", authenticate=robot_of, routes=routes(me))  # type: ignore[arg-type]
group("a", authenticate=robot_of, routes=[me])  # type: ignore[arg-type]
group("a", authenticate=robot_of_later, routes=routes(me))  # type: ignore[arg-type]
group("a", authenticate=robot_of, routes=routes(users))  # type: ignore[arg-type]
group("a", authenticate=user_of, routes=routes(admins))  # type: ignore[arg-type]
group("a", authenticate=user_of, routes=routes(me, managers))  # type: ignore[arg-type]
spec(authenticate=robot_of, routes=routes(users))  # type: ignore[arg-type]
spec(authenticate=robot_of, routes=[users])  # type: ignore[arg-type]
spec(authenticate=robot_of_later, routes=routes(machines, users))  # type: ignore[arg-type]
spec(authenticate=user_of, routes=routes(managers))  # type: ignore[arg-type]
spec(routes=routes(users))  # type: ignore[arg-type]
spec(routes=[users, ping])  # type: ignore[list-item]
refused: Group[Robot] = users  # type: ignore[assignment]
narrowed: Group[User] = managers  # type: ignore[assignment]
members: list[Member[User]] = routes(users, managers)  # type: ignore[arg-type]
api: Spec[Robot] = spec(authenticate=robot_of, routes=routes(machines, users))  # type: ignore[arg-type]

# so have its hooks
group("a", authenticate=user_of, routes=routes(me), hooks=[of_robot])  # type: ignore[arg-type]
group("a", authenticate=user_of_later, routes=routes(me), hooks=[of_robot])  # type: ignore[misc]
group("a", authenticate=user_of, routes=routes(me), hooks=hooks(audit, of_robot))  # type: ignore[arg-type]
group("a", authenticate=user_of, routes=routes(me), hooks=[plain])  # type: ignore[arg-type, list-item]
group("a", routes=routes(me), hooks=[plain])  # type: ignore[list-item]
group("a", routes=routes(me), hooks=limited)  # type: ignore[call-overload]
spec(authenticate=user_of, routes=[group("a", routes=routes(me), hooks=[of_robot])])  # type: ignore[arg-type]
spec(authenticate=user_of, routes=[group("a", routes=routes(me, robots))])  # type: ignore[arg-type]

# what is not a group, or is not an option
group("a", routes=[plain])  # type: ignore[arg-type]
group("a", routes=routes(plain))  # type: ignore[arg-type]
group("a", routes=me)  # type: ignore[call-overload]
group(routes=routes(me))  # type: ignore[call-overload]
group("a")  # type: ignore[call-overload]
group(1, routes=routes(me))  # type: ignore[call-overload]
group("a", routes(me))  # type: ignore[call-overload]
group("a", routes=routes(me), tags="orders")  # type: ignore[call-overload]
group("a", routes=routes(me), tags=[1])  # type: ignore[list-item]
group("a", routes=routes(me), summary="x")  # type: ignore[call-overload]
group("a", routes=routes(me), authenticate_inline=True)  # type: ignore[call-overload]
group("a", routes=routes(me), authenticate="secret")  # type: ignore[call-overload]
group("a", routes=routes(me), authenticate=admin_of(token="", request=Request()))  # type: ignore[call-overload]
users.name = "b"  # type: ignore[misc]
users(order)  # type: ignore[operator]
routes("a")  # type: ignore[arg-type]
