"""
Hypothesis profiles, chosen by CONTRACT_HYPOTHESIS_PROFILE, else by CI.

``dev`` is the usual one, and draws anew each time. ``ci`` draws half of that, always the same: what
it says is the change's doing. ``brief`` is for the suites beside the first.
"""

import asyncio
import gc
import os
import re
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from inspect import iscoroutinefunction, signature
from pathlib import Path
from pkgutil import walk_packages
from typing import Any, Final

import pytest
from falcon.testing import ASGIRequestEventEmitter
from hypothesis import HealthCheck, find, settings
from hypothesis.strategies import none, text

import contract
import examples

# A shell starts jobs in the background with Ctrl-C ignored, and what they start would ignore it,
# too.
signal.signal(signal.SIGINT, signal.default_int_handler)

_SLOW = [HealthCheck.too_slow]
settings.register_profile(
    "dev", max_examples=50, derandomize=False, deadline=None, suppress_health_check=_SLOW
)
settings.register_profile(
    "ci",
    max_examples=25,
    derandomize=True,
    database=None,
    deadline=None,
    print_blob=True,
    suppress_health_check=_SLOW,
)
settings.register_profile("brief", settings.get_profile("ci"), max_examples=10)
settings.load_profile(
    os.environ.get("CONTRACT_HYPOTHESIS_PROFILE") or ("ci" if os.environ.get("CI") else "dev")
)

# Hypothesis reads all modules of ours, to see which constants are in them, and keeps what it saw: a
# process that a test starts in a folder of its own would read them anew, which takes seconds.
os.environ.setdefault(
    "HYPOTHESIS_STORAGE_DIRECTORY", str(Path(__file__).resolve().parents[1] / ".hypothesis")
)

_MEASURING: Final = os.environ.get("COVERAGE_PROCESS_CONFIG")
"""Tells the processes that a test starts to measure what they run; coverage sets it."""


# Until all tests are found nothing of them is garbage, and they are a fifth faster found without it.
gc.disable()


@pytest.hookimpl(trylast=True)
def pytest_collection_finish() -> None:
    """Let the garbage collector not look at thousands of tests again and again."""
    # Hypothesis makes its generator at the first example and warns where the collector sees nobody
    # who holds it, as it does not see what is frozen.
    find(none(), lambda _: True)
    if _TRACER is not None:
        # At the first text Hypothesis reads our modules and Unicode: let coverage look away.
        with _traced(None):
            find(text(), lambda _: True)
    gc.collect()
    gc.freeze()
    gc.enable()


_TRACER: Final = None if _MEASURING is None else sys.gettrace()
"""Coverage's, where the suite is measured; whoever looks for mutants (tests/mutation) sees all."""


@contextmanager
def _traced(tracer: Any) -> Iterator[None]:
    """A while in which *tracer* looks at this thread; at those that begin, coverage looks."""
    if _TRACER is None:
        yield
        return
    before = sys.gettrace()
    sys.settrace(tracer)
    try:
        yield
    finally:
        sys.settrace(before)


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report() -> Iterator[Any]:
    """
    Let coverage look away while pytest reads modules of tests, and looks for tests in them.

    To rewrite a module and all that it imports takes three times as long when that is watched. What
    modules of the package run when they are imported, coverage has seen before.
    """
    _import_measured()
    with _traced(None):
        return (yield)


@cache
def _import_measured() -> None:
    """Import what is measured, watched; and what it needs, which is not measured, before that."""
    if _TRACER is None:
        return
    with _traced(None):
        for name in _NEEDED:
            import_module(name)
    for package in (contract, examples):
        for module in walk_packages(package.__path__, f"{package.__name__}."):
            if not re.search(_NOT_IMPORTED, module.name):
                import_module(module.name)


_NEEDED: Final = (
    "anyio", "cryptography.hazmat.primitives.asymmetric.ec", "falcon.asgi", "httptools",
    "httpx2", "jwt", "python_multipart", "pytest", "uvloop", "watchfiles",
)  # fmt: skip
_NOT_IMPORTED: Final = r"__main__$|_new-project|^examples\.helpdesk"
"""Programs, what ``contract new`` copies, and what is not measured."""


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_protocol() -> Iterator[Any]:
    """
    Let coverage look at what a test runs alone, and not at what pytest does around it.

    Watched, that takes three times as long, and there are thousands of tests.
    """
    with _traced(None):
        return (yield)


# This and the two below are the innermost of those that pytest calls, so that fixtures are watched.
@pytest.hookimpl(wrapper=True, trylast=True)
def pytest_runtest_setup(item: pytest.Item) -> Iterator[None]:
    """
    Let a test's processes be measured if it is marked so: what runs nowhere else has to be.

    To start one takes three times as long then, and hundreds are started.
    """
    if _MEASURING is not None and item.get_closest_marker("measured"):
        os.environ["COVERAGE_PROCESS_CONFIG"] = _MEASURING
    else:
        os.environ.pop("COVERAGE_PROCESS_CONFIG", None)
    with _traced(_TRACER):
        return (yield)


@pytest.hookimpl(wrapper=True, trylast=True)
def pytest_runtest_call(item: pytest.Item) -> Iterator[None]:
    """Let a test go unwatched if it is marked so: many examples of what other tests run, too. Watched, it takes three times as long."""
    with _traced(None if item.get_closest_marker("unwatched") else _TRACER):
        return (yield)


def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    """Run a test that is a coroutine on an event loop of its own."""
    test = pyfuncitem.obj
    if not iscoroutinefunction(test):
        return None
    asyncio.run(test(**{name: pyfuncitem.funcargs[name] for name in signature(test).parameters}))
    return True


@pytest.hookimpl(wrapper=True, trylast=True)
def pytest_runtest_teardown() -> Iterator[None]:
    with _traced(_TRACER):
        return (yield)


@pytest.fixture(scope="session", autouse=True)
def clients_stay() -> Iterator[None]:
    """
    Let the ASGI test client of Falcon wait for its answer.

    It says that it has gone once it has sent its request, and a call that takes longer than
    `contract.adapters.loops.PROMPT`, as any may on a busy machine, is cancelled then.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ASGIRequestEventEmitter, "disconnect", lambda *_: None)
        yield
