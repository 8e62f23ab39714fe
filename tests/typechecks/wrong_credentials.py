"""Ways in that type checkers have to refuse, each on its line."""

# mypy: disable-error-code="empty-body"
# what is declared below is checked and never run

from __future__ import annotations

from contract import Spec, Way, api_key, bearer, cookie, routes, spec, ways
from tests.typechecks.right_credentials import Robot, User, me, robot_of, user_of


def of_text(token: str) -> User | None: ...


two = ways(bearer(user_of), api_key(robot_of, header="X-Key"))
key = api_key(robot_of, header="X-Key")

a: Spec[User] = spec(authenticate=two, routes=routes(me))  # type: ignore[arg-type]
b: Spec[User] = spec(authenticate=key, routes=routes(me))  # type: ignore[arg-type]
c: Spec[User | Robot] = spec(authenticate=two, routes=routes(me))  # type: ignore[arg-type]

api_key(robot_of)  # type: ignore[call-overload]
api_key(robot_of, header=1)  # type: ignore[call-overload]
cookie(user_of)  # type: ignore[call-overload]
bearer(of_text)  # type: ignore[arg-type]
ways(user_of)  # type: ignore[call-overload]
d: Way[User] = key  # type: ignore[assignment]
