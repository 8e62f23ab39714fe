"""Optional tokens and permissions that are asked for wrongly."""

# mypy: disable-error-code="empty-body"
# what is declared below is checked and never run

from __future__ import annotations

from contract import Spec, group, hooks, requires, route, routes, spec
from tests.typechecks import right_permissions
from tests.typechecks.right_hooks import audit, limited, maybe
from tests.typechecks.right_permissions import Clerk, Member, count, home, refund, refunds
from tests.typechecks.shop import Order, Receipt, Robot, User, user_of


@route(summary="x", tags=["x"], auth="optional")  # type: ignore[arg-type]
def without_none(input: Order, ctx: User) -> Receipt: ...


@route(summary="x", tags=["x"], auth="optional", hooks=[maybe])  # type: ignore[arg-type]
def behind_another(input: Order, ctx: Robot | None) -> Receipt: ...


@route(summary="x", tags=["x"], auth=requires("orders:write"))  # type: ignore[type-var]
def without_scopes(input: Order, ctx: User) -> Receipt: ...


@route(summary="x", tags=["x"], auth=requires("orders:write"), hooks=[right_permissions.of_member])  # type: ignore[arg-type]
def of_another(input: Order, ctx: Clerk) -> Receipt: ...


requires()  # type: ignore[call-arg]
requires(["orders:write"])  # type: ignore[arg-type]
requires("orders:write", 3)  # type: ignore[arg-type]
requires(scope="orders:write")  # type: ignore[call-arg]
route(summary="x", tags=["x"], auth="orders:write")  # type: ignore[call-overload]
route(summary="x", tags=["x"], auth=requires)  # type: ignore[call-overload]
route(summary="x", tags=["x"], auth=["orders:write"])  # type: ignore[call-overload]
route(summary="x", tags=["x"], auth="optional", hooks=[limited])  # type: ignore[call-overload]
route(summary="x", tags=["x"], auth="optional", hooks=hooks(audit, limited))  # type: ignore[call-overload]
route(summary="x", tags=["x"], auth=requires("a"), hooks=[limited])  # type: ignore[list-item]
group("a", routes=routes(refund), auth="orders:write")  # type: ignore[call-overload]
group("a", routes=routes(refund), auth="optional")  # type: ignore[call-overload]
spec(authenticate=user_of, routes=routes(refunds))  # type: ignore[arg-type]
home.behind(limited)  # type: ignore[arg-type]
spec(routes=routes(home))  # type: ignore[arg-type]
spec(routes=routes(refund))  # type: ignore[arg-type]
spec(authenticate=user_of, routes=routes(refund))  # type: ignore[arg-type]
api: Spec[Member] = spec(authenticate=right_permissions.member_of, routes=routes(refund, count))  # type: ignore[arg-type]
