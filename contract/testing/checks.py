"""Checks: tests of what a route promises, or every route of a spec, for pytest."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Collection, Mapping
from typing import Any, Final, TypeAlias, TypeVar, Union, final, overload

from hypothesis import settings as Settings  # noqa: N812  it is a class
from hypothesis.strategies import SearchStrategy

from contract.call.context import OK
from contract.call.mount_options import Options
from contract.declare.route import PublicRoute, Route
from contract.declare.spec import AnySpec, Spec, spec
from contract.declare.typed_route import Entry
from contract.testing.findings import (
    History,
    declared_by,
    found_by,
    settings_for,
    silence,
    told_of,
    unseen,
)
from contract.testing.laws import Laws
from contract.testing.overrides import Overrides, label
from contract.testing.strategies import Sides, any_token, entry_of, sides_in, sides_of
from contract.testing.waits import STREAM_SECONDS

try:
    import pytest

    _parametrize: Any = pytest.mark.parametrize
except ModuleNotFoundError:  # only `check_spec` needs it
    _parametrize = None

__all__ = ["ABSENT", "Absent", "Context", "check_route", "check_spec"]

C = TypeVar("C")

Context: TypeAlias = Union[C, Callable[[], C], SearchStrategy[C]]  # noqa: UP007  of a type variable
"""The context of each call: one value, the result of a function or class, or a strategy."""


@final
class Absent:
    """The type of an argument that was left out."""


ABSENT: Final = Absent()


@overload
def check_route(
    route: PublicRoute[Any, Any],
    *,
    api: AnySpec | None = None,
    settings: Settings | None = None,
    overrides: Overrides | None = None,
    reset: Callable[[], object] | None = None,
    repeatable: bool | None = None,
    options: Options | None = None,
    stream_seconds: float = STREAM_SECONDS,
) -> Callable[[], None]: ...
@overload
def check_route(
    route: Route[Any, Any, C],
    *,
    ctx: Context[C],
    api: AnySpec | None = None,
    settings: Settings | None = None,
    overrides: Overrides | None = None,
    reset: Callable[[], object] | None = None,
    repeatable: bool | None = None,
    options: Options | None = None,
    stream_seconds: float = STREAM_SECONDS,
) -> Callable[[], None]: ...
@overload
def check_route(
    route: str,
    *,
    api: Spec[C],
    ctx: Context[C] | Absent = ABSENT,
    settings: Settings | None = None,
    overrides: Overrides | None = None,
    reset: Callable[[], object] | None = None,
    repeatable: bool | None = None,
    options: Options | None = None,
    stream_seconds: float = STREAM_SECONDS,
) -> Callable[[], None]: ...
def check_route(
    route: Route[Any, Any, Any] | str,
    *,
    ctx: Any = ABSENT,
    api: AnySpec | None = None,
    settings: Settings | None = None,
    overrides: Overrides | None = None,
    reset: Callable[[], object] | None = None,
    repeatable: bool | None = None,
    options: Options | None = None,
    stream_seconds: float = STREAM_SECONDS,
) -> Callable[[], None]:
    """
    A test of one route, for pytest.

    Write ``test_order = check_route(order)``. Every valid input must give a valid output or a
    declared failure, and never an exception. Every near miss must be refused. The wire must answer
    what the function returns. A failed check reports the smallest input, as calls to copy.

    Args:
        route: The route, or its name in *api*.
        ctx: The context of a bearer route: a value, a function or class that makes one for each
            call, or a strategy. If it is None, no token is sent, which suits a route with an
            optional one. If it lacks the scopes that the route requires, the call must be
            forbidden.
        api: The spec of the route. Required if *route* is a name; give it also if the spec renames
            fields.
        settings: The settings of Hypothesis; by default those of the profile, without a deadline.
        overrides: As in `inputs`.
        reset: Called before every example, to restore the state that all calls start from.
        repeatable: Whether the same call always gives the same answer; by default True for routes
            with ``effect="read"``. Pass False if the answer depends on the time.
        options: The options of the mount, for its ``handle_unhandled_error``.
        stream_seconds: Seconds for a stream, after which it is left, and what has come is checked.
            A warning says so.

    Raises:
        DeclarationError: A route cannot carry an annotation of *route*.
        ValueError: There is no such route, no finite input, nothing that an override matches, or no
            *ctx* although the route needs one.
        TypeError: An override is not a strategy, or *route* is not a route.
    """
    if api is None:
        if isinstance(route, str):
            raise ValueError(f"check_route({route!r}) names a route; say of which spec: api=")
        sides, entry = sides_of("check_route", route, overrides)
        api = spec(routes={entry.name: route}, authenticate=any_token)
        entry = api.entries[entry.name]  # the entry of the spec knows the hooks
        if not overrides:
            sides = Sides(sides.input, sides.output, whole=sides.whole)
    else:
        entry = entry_of(api, route)
        sides = sides_in("check_route", api, entry, overrides)
    check = _laws_of(
        api,
        entry,
        sides,
        History(),
        ctx=ctx,
        reset=reset,
        repeatable=repeatable,
        options=options,
        stream_seconds=stream_seconds,
        function="check_route",
    )

    def test() -> None:
        __tracebackhide__ = True
        _run(check, settings)

    test.__name__ = f"test_{entry.name}"
    test.__doc__ = f"{entry.name} keeps its contract."
    return test


def _laws_of(
    api: AnySpec,
    entry: Entry,
    sides: Sides,
    history: History,
    *,
    ctx: Any,
    reset: Callable[[], object] | None,
    repeatable: bool | None,
    options: Options | None,
    stream_seconds: float,
    function: str,
) -> Laws:
    """The laws of one route of a spec; the arguments are those of `check_route`."""
    if entry.route.auth == "bearer" and ctx is ABSENT:
        problem = "it is a bearer route, whose resolver needs a context; give ctx="
        raise ValueError(f"{function}({entry.name}): {problem}")
    if ctx is ABSENT or entry.route.auth == "none":
        ctx = None
    if repeatable is None:
        repeatable = entry.route.effect == "read"
    return Laws(
        api,
        entry,
        sides,
        ctx,
        reset,
        options,
        history,
        repeatable=repeatable,
        stream_seconds=stream_seconds,
    )


def _run(check: Laws, settings: Settings | None) -> None:
    """
    Check that the laws of a route hold.

    Raises:
        Finding: One of them does not.
    """
    __tracebackhide__ = True
    with silence():
        for law in check.laws(settings_for(settings)):
            found_by(law, check.noted, check.name)
    if check.waits.late:
        option = f"stream_seconds={check.stream_seconds:g}"
        warnings.warn(check.waits.told(check.name, option), stacklevel=2)


def check_spec(
    api: Spec[C],
    *,
    ctx: Context[C] | Absent = ABSENT,
    contexts: Mapping[str, Any] | None = None,
    settings: Settings | None = None,
    overrides: Overrides | None = None,
    reset: Callable[[], object] | None = None,
    without: Collection[str] = (),
    options: Options | None = None,
    stream_seconds: float = STREAM_SECONDS,
) -> Callable[..., None]:
    """
    A test of every route of a spec, with one pytest case for each route.

    Write ``test_api = check_spec(api, ctx=Customer("ada"))``; ``pytest -k order`` then runs the
    case of that route.

    Args:
        api: The spec.
        ctx: As in `check_route`, like the other arguments; required if there are bearer routes.
        contexts: Group -> the ctx of its routes, for groups with their own ``authenticate``.
        settings: The settings of Hypothesis.
        overrides: Each must match something in at least one route.
        reset: Called before every example.
        without: The names of routes to leave out.
        options: The options of the mount.
        stream_seconds: As in `check_route`.

    Raises:
        ValueError: As in `check_route`; or *without* names an unknown route, or *contexts* an
            unknown group.
        ImportError: pytest is not installed.
    """
    if _parametrize is None:
        raise ImportError("check_spec needs pytest: pip install pytest")

    # 1. Check the arguments. Whatever is wrong with them is raised when the test is declared.
    unknown = sorted(set(without) - set(api.entries))
    if unknown:
        raise ValueError(f"check_spec(without=): the spec has no route {', '.join(unknown)}")
    chosen = [entry for name, entry in api.entries.items() if name not in without]
    sides = _sides(api, [entry.name for entry in chosen], overrides or {})
    for group in contexts or {}:
        # the dots let "shop" stand for "shop.cart", too, and not for "shopping"
        if not any(f"{each.group}.".startswith(f"{group}.") for each in api.entries.values()):
            raise ValueError(f"check_spec(contexts=): the spec has no group {group}")

    # 2. Make the laws of each route. All have one history: a call of one route may make the state
    #    in which a call of another one fails.
    history = History()
    checks: dict[str, Laws] = {}
    for entry in chosen:
        checks[entry.name] = _laws_of(
            api,
            entry,
            sides[entry.name],
            history,
            ctx=_context_of(entry, ctx, contexts or {}),
            reset=reset,
            repeatable=None,
            options=options,
            stream_seconds=stream_seconds,
            function="check_spec",
        )

    # 3. Make the test. Without a reset, its first case calls each selected route once: later calls
    #    then meet the state that calls of other routes make.
    looked: set[str] = set()

    def test(route: str, request: Any) -> None:
        __tracebackhide__ = True
        if reset is None and not looked:
            looked.update(_selected(request) or [route])
            with silence():
                for name in filter(looked.__contains__, checks):
                    checks[name].look(settings_for(settings))
        _run(checks[route], settings)
        _Unseen.of(request.config).routes[request.node.nodeid] = (
            declared_by(api.entries[route]),
            checks[route].codes,
        )

    parametrized: Callable[..., None] = _parametrize("route", [*checks])(test)
    return parametrized


def _context_of(entry: Entry, ctx: Any, contexts: Mapping[str, Any]) -> Any:
    """The context for a route: that of the innermost group that has one."""
    group = entry.group
    while group:
        if group in contexts:
            return contexts[group]
        group = group.rpartition(".")[0]
    return ctx


def _selected(request: Any) -> list[str]:
    """The routes whose cases pytest is about to run."""
    # With ``-k`` or by their names, these may be a few of them. Several tests of a session may be
    # made by `check_spec`, so only the cases of this function count.
    routes: list[str] = []
    for item in request.session.items:
        params = getattr(getattr(item, "callspec", None), "params", {})
        if getattr(item, "function", None) is request.function and "route" in params:
            routes.append(params["route"])
    return routes


@final
class _Unseen:
    """A pytest plugin that reports at the end which declared answers never came."""

    def __init__(self) -> None:
        self.routes: dict[str, tuple[tuple[str, ...], set[str]]] = {}
        """Case -> the failures that its route declares, and the codes that came."""

    @classmethod
    def of(cls, config: Any) -> _Unseen:
        """The plugin of this run, which the first case registers."""
        # a plugin, since only pytest knows when all cases have run, and where a report goes
        known: _Unseen | None = config.pluginmanager.get_plugin(__name__)
        if known is None:
            known = cls()
            config.pluginmanager.register(known, __name__)
        return known

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        """Print the report, if there is anything to report."""
        missing = {case: unseen(declared, seen) for case, (declared, seen) in self.routes.items()}
        if not any(missing.values()):
            return
        terminalreporter.section("declared answers that were never seen")
        for case, codes in missing.items():
            if codes:
                terminalreporter.line(f"{case}: {' '.join(codes)}")
        if any(OK in codes for codes in missing.values()):
            terminalreporter.line(
                "where no call is ever OK, no output is checked: "
                "say with overrides= which ids there are"
            )
        declared = sum(1 + len(codes) for codes, _ in self.routes.values())
        terminalreporter.line(told_of(declared, declared - sum(map(len, missing.values()))))


def _sides(api: AnySpec, names: list[str], overrides: Overrides) -> dict[str, Sides]:
    """Name -> the input and output of each route, with the overrides that match something in it."""
    fitting: dict[str, dict[Any, Any]] = {name: {} for name in names}
    # An override matches in one route at least, and need not match in the others. So each is tried
    # alone in every route, where it raises if there is nothing that it matches.
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
            raise ValueError(
                f"check_spec() overrides: nothing in any route is written as {label(key)}"
            )
    return {name: sides_in("check_spec", api, api.entries[name], fitting[name]) for name in names}
