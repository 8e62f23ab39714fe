"""What a large spec costs: eight times as many routes over eight times as many types take about eight times as long to read."""

from dataclasses import make_dataclass
from typing import Any

from contract import Spec, route, routes, spec
from tests.growth import growth


def chained(count: int) -> list[Any]:
    """Routes, each with an output that holds that of the one before."""
    found: list[Any] = []
    gives: type = int
    for index in range(count):
        gives = make_dataclass(f"Part{index}", [("inner", gives)], frozen=True)

        def resolver(input: None, ctx: None) -> None: ...

        resolver.__name__ = f"r{index}"
        resolver.__annotations__["return"] = gives
        found.append(route(summary="Give a part", tags=["parts"], auth="none")(resolver))
    return found


def read(of: list[Any]) -> Spec[Any]:
    return spec(routes=routes(*of))


def test_types_that_many_routes_reach_are_looked_at_once() -> None:
    assert growth(read, chained(50), chained(400)) < 24
