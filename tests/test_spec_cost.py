"""What a large spec costs: eight times as many routes and types take about eight times as long, not 64 times."""

from __future__ import annotations

from dataclasses import field, make_dataclass
from typing import Any

from contract import Spec, emit_contract, pred_of, route, routes, spec
from contract.pred.dump.compile import compile_dumper
from contract.shape.graph import reachable
from contract.shape.nodes import Definition, RefShape
from tests.growth import growth, least


def in_a_chain(count: int) -> list[type]:
    """Types, each of which holds the one before."""
    found: list[type] = [int]
    for index in range(count):
        found.append(make_dataclass(f"Part{index}", [("inner", found[-1])], frozen=True))
    return found[1:]


def around_a_hub(count: int) -> list[type]:
    """Types that all hold one type, which holds all of them."""
    types = [
        make_dataclass(f"Part{index}", [("hub", Any, field(default=None))])
        for index in range(count)
    ]
    held = [(f"part{index}", cls | None, field(default=None)) for index, cls in enumerate(types)]
    hub = make_dataclass("Hub", held)
    for cls in types:
        cls.__annotations__["hub"] = hub | None
    return types


def changing(types: list[type]) -> list[Any]:
    """A route for each of the *types*, which takes and gives it."""
    found: list[Any] = []
    for cls in types:

        def resolver(input: Any, ctx: None) -> None: ...

        resolver.__name__ = f"change_{cls.__name__.lower()}"
        resolver.__annotations__ |= {"input": cls, "return": cls}
        found.append(route(summary="Change a part", tags=["parts"], auth="none")(resolver))
    return found


def read(of: list[Any]) -> Spec[Any]:
    return spec(routes=routes(*of))


def test_types_that_many_routes_reach_are_looked_at_once() -> None:
    assert growth(read, changing(in_a_chain(50)), changing(in_a_chain(400))) < 24


def test_a_default_is_told_without_a_look_at_all_types() -> None:
    assert (
        growth(emit_contract, read(changing(around_a_hub(25))), read(changing(around_a_hub(200))))
        < 24
    )


def test_a_type_is_compiled_for_the_first_who_needs_it() -> None:
    first, second, *_ = reachable(pred_of(around_a_hub(200)[0]).shape)

    def anew(of: Definition) -> None:
        for definition in reachable(RefShape(of)):
            definition.compiled.clear()
        again(of)

    def again(of: Definition) -> None:
        compile_dumper(RefShape(of))

    assert least(anew, first) > 5 * least(again, second)
