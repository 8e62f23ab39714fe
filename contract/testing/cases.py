"""Cases: the checks of all routes of a spec, each a case of pytest's."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any, TypeVar

from hypothesis import settings as Settings  # noqa: N812  it is a class

from contract._spec import AnySpec, Spec
from contract.options import Options
from contract.testing.checks import ABSENT, Absent, Context, check_entry
from contract.testing.overrides import Overrides, label
from contract.testing.routes import Sides, sides_in

try:
    import pytest

    _parametrize: Any = pytest.mark.parametrize
except ModuleNotFoundError:  # only `check_spec` needs it
    _parametrize = None

__all__ = ["check_spec"]

C = TypeVar("C")


def check_spec(
    api: Spec[C],
    *,
    ctx: Context[C] | Absent = ABSENT,
    settings: Settings | None = None,
    overrides: Overrides | None = None,
    reset: Callable[[], object] | None = None,
    without: Collection[str] = (),
    options: Options | None = None,
) -> Callable[..., None]:
    """
    A test of every route of a spec, each a case of its own.

    Write ``test_api = check_spec(api, ctx=Customer("ada"))``; ``pytest -k order`` then runs that of one route.

    Args:
        api: The spec.
        ctx: As of `check_route`, like the others; needed where there are bearer routes.
        settings: Of Hypothesis.
        overrides: Each has to be for something in one of the routes at least.
        reset: Called before every example.
        without: Routes that are left out.
        options: Of the mount.

    Raises:
        ValueError: As of `check_route`, or *without* names no route.
        ImportError: There is no pytest.
    """
    if _parametrize is None:
        raise ImportError("check_spec needs pytest: pip install pytest")
    unknown = sorted(set(without) - set(api.entries))
    if unknown:
        raise ValueError(f"check_spec(without=): the spec has no route {', '.join(unknown)}")
    chosen = [entry for name, entry in api.entries.items() if name not in without]
    sides = _sides(api, [entry.name for entry in chosen], overrides or {})
    tests = {
        entry.name: check_entry(
            api,
            entry,
            sides[entry.name],
            ctx=ctx,
            settings=settings,
            reset=reset,
            repeatable=None,
            options=options,
            what="check_spec",
        )
        for entry in chosen
    }

    def test(route: str) -> None:
        __tracebackhide__ = True
        tests[route]()

    parametrized: Callable[..., None] = _parametrize("route", [*tests])(test)
    return parametrized


def _sides(api: AnySpec, names: list[str], overrides: Overrides) -> dict[str, Sides]:
    """What each route takes and gives, with those overrides that are for something in it."""
    fitting: dict[str, dict[Any, Any]] = {name: {} for name in names}
    for key, strategy in overrides.items():
        problem: ValueError | None = None
        for name in names:
            try:
                sides_in("check_spec", api, api.entries[name], {key: strategy})
            except ValueError as error:
                problem = error
            else:
                fitting[name][key] = strategy
        if problem is not None and not any(key in given for given in fitting.values()):
            raise ValueError(f"check_spec() overrides: nothing in any route is written as {label(key)}")
    return {name: sides_in("check_spec", api, api.entries[name], fitting[name]) for name in names}
