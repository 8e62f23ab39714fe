"""
Which tests reach which lines: they are run once with nothing changed, under `coverage`.

What runs while something is made that tests share (a cached function, a fixture of a module) is
told from what a test does itself: it is reached by whichever of them comes first, and matters to
all.
"""

from __future__ import annotations

import functools
import json
import os
import traceback
from collections import Counter, defaultdict
from collections.abc import Callable, Generator, Iterable, Mapping
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

import pytest
from coverage import Coverage, CoverageData

from tests.mutation.making import FILES, ROOT, Mutant

KEPT: Final = ROOT / "build" / "mutants"

TESTS: Final = (
    *(
        f"tests/test_{name}.py"
        for name in (
            *("accept", "bearer", "context", "dispatch", "dispatch_hooks", "docs", "header_values"),
            *("incoming", "log", "message", "mount_options", "proxies", "published", "service"),
            *(
                "cli_wsgi_server",
                "cli_asgi_server",
                "cli_loop_calls",
                "cli_lifespan",
                "provided",
                "ending",
                "resources",
                "stream",
                "streaming",
                "paging",
            ),
            *("paged", "signed", "form", "forms_sent", "download", "downloads_sent", "ranges"),
            *("adapters_wsgi", "adapters_asgi", "adapters_falcon", "adapters_wsgi_calls"),
            *("adapters_asgi_answers", "adapters_asgi_calls", "adapters_threads"),
            *("adapters_loops", "adapters_streams", "adapters_pool", "adapters_unfinished"),
            *("adapters_item_streams", "adapters_opening", "lines"),
        )
    ),
    *("tests/mcp", "tests/wire"),
)
"""Those that have to notice."""

QUIETLY: Final = ("-qq", "-s", "--no-header", "--no-summary", "-p", "no:cacheprovider")

SHARED: Final = "shared"
"""Reached while something is made that tests share, whichever of them comes first."""

FEW: Final = 20
"""
A line that fewer tests reach may make something that a process keeps, such as a loop in a thread:
the tests that are asked about it are all those of its file.
"""


class Reach:
    """Which lines each test reaches, and how long it takes: a plugin of pytest's that notes it down."""

    def __init__(self) -> None:
        self.took: Final = defaultdict[str, float](float)
        self.failed: Final = set[str]()
        self._at: Final = [""]
        self._process: int | None = None
        files = [str(ROOT / file) for file in FILES]
        self._coverage: Final = Coverage(KEPT / "lines", config_file=False, include=files)

    def run(self) -> None:
        self._process = os.getpid()
        self._coverage.erase()
        self._coverage.start()
        for each in ("cache", "lru_cache"):
            setattr(functools, each, self._watched(getattr(functools, each)))
        if pytest.main([*QUIETLY, *TESTS], plugins=[self]) > pytest.ExitCode.TESTS_FAILED:
            raise SystemExit("the tests could not be run")
        self._coverage.stop()
        self._coverage.save()
        facts = {"took": self.took, "failed": sorted(self.failed), "hash": _hash_of_all()}
        (KEPT / "tests.json").write_text(json.dumps(facts))

    @contextmanager
    def _in(self, context: str) -> Generator[None]:
        if os.getpid() != self._process:
            # a test has forked, and from its child coverage would begin the file anew
            yield
            return
        self._at.append(context)
        self._coverage.switch_context(context)
        try:
            yield
        finally:
            self._at.pop()
            self._coverage.switch_context(self._at[-1])

    def _watched(self, cache: Callable[..., Any]) -> Callable[..., Any]:
        """A way to cache functions that tells what is done in them from what the test does that calls them."""

        def shared(fn: Callable[..., Any]) -> Callable[..., Any]:
            if not fn.__module__.startswith(("contract.", "tests.")):
                return fn

            @functools.wraps(fn)
            def call(*args: Any, **options: Any) -> Any:
                with self._in(SHARED):
                    return fn(*args, **options)

            return call

        def watched(*given: Any, **options: Any) -> Any:
            if given and callable(given[0]):
                return cache(shared(given[0]))

            def decorated(fn: Callable[..., Any]) -> object:
                return cache(*given, **options)(shared(fn))

            return decorated

        return watched

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, object, object]:
        with self._in(item.nodeid):
            return (yield)

    @pytest.hookimpl(wrapper=True)
    def pytest_fixture_setup(
        self, fixturedef: pytest.FixtureDef[Any]
    ) -> Generator[None, object, object]:
        with self._in(self._at[-1] if fixturedef.scope == "function" else SHARED):
            return (yield)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.took[report.nodeid] += report.duration
        if report.failed:
            self.failed.add(report.nodeid)


class Tests:
    """Which tests are about a mutant."""

    def __init__(self, took: Mapping[str, float], failed: list[str]) -> None:
        self.took: Final = took
        self.failed: Final = failed
        data = CoverageData(str(KEPT / "lines"))
        data.read()
        self._reached: Final = {
            file: {
                line: frozenset(contexts)
                for line, contexts in data.contexts_by_lineno(str(ROOT / file)).items()
            }
            for file in FILES
        }
        self._killed: Final = Counter[tuple[str, str]]()

    def reach(self, mutant: Mutant) -> frozenset[str]:
        lines = self._reached[mutant.file]
        return frozenset[str]().union(
            *(lines.get(line, ()) for line in range(mutant.line, mutant.last + 1))
        )

    def before(self, mutant: Mutant) -> bool:
        """Whether it changes what has run before the tests do, or something that none of them reaches."""
        reached = self.reach(mutant)
        return "" in reached or not reached

    def of(self, mutant: Mutant) -> list[str]:
        """The tests that may notice *mutant*, the most promising first."""
        reached = self.reach(mutant)
        tests = reached
        if len(reached) < FEW or reached & {"", SHARED}:
            tests = frozenset[str]().union(*self._reached[mutant.file].values())

        def order(test: str) -> tuple[int, bool, float]:
            return -self._killed[mutant.file, test], test not in reached, self.took[test]

        return sorted(tests & self.took.keys(), key=order)

    def noticed(self, mutant: Mutant, test: str) -> None:
        """Ask *test* first from now on. Not one that hung: another may fail at once where it would hang again."""
        self._killed[mutant.file, test] += 1


def tests_of_now() -> Tests:
    """The tests, run anew where anything has changed."""
    path = KEPT / "tests.json"
    if not path.exists() or json.loads(path.read_bytes())["hash"] != _hash_of_all():
        print("the tests are run with nothing changed", flush=True)
        apart(Reach().run)
    facts = json.loads(path.read_bytes())
    for test in facts["failed"]:
        print(f"{test} fails with nothing changed: it is left out")
        del facts["took"][test]
    return Tests(facts["took"], facts["failed"])


def apart(run: Callable[[], object]) -> None:
    """Call *run* in a process of its own, and wait for it; what it gives is false where all went well."""
    process = os.fork()
    if not process:
        try:
            failed = bool(run())
        except BaseException:
            traceback.print_exc()
            failed = True
        os._exit(failed)
    if os.waitpid(process, 0)[1]:
        raise SystemExit("the tests could not be run")


@functools.cache
def _hash_of_file(name: str) -> bytes:
    path = ROOT / name
    return sha256(path.read_bytes()).digest() if path.is_file() else b""


def hash_of(names: Iterable[str]) -> str:
    found = sha256()
    for name in names:
        found.update(name.encode() + b"\0" + _hash_of_file(name))
    return found.hexdigest()[:16]


@functools.cache
def _hash_of_all() -> str:
    sources = sorted(str(path.relative_to(ROOT)) for path in (ROOT / "contract").rglob("*.py"))
    # this file and the list of what is changed, too: they say what is watched
    watching = sorted(str(path.relative_to(ROOT)) for path in Path(__file__).parent.glob("*.py"))
    return hash_of([*sources, *watching, *test_files()])


@functools.cache
def test_files() -> tuple[str, ...]:
    """The tests, and what they share."""
    found = {ROOT / name for name in TESTS if name.endswith(".py")}
    for name in TESTS:
        found.update((ROOT / name).rglob("*.py"))
    shared = {path for path in (ROOT / "tests").glob("*.py") if not path.name.startswith("test_")}
    return tuple(sorted(str(path.relative_to(ROOT)) for path in found | shared))
