"""What becomes of a mutant: each has a process of its own, in which its tests are run."""

from __future__ import annotations

import functools
import gc
import json
import os
import resource
import signal
import traceback
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from importlib.machinery import SourceFileLoader
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp
from types import CodeType, FunctionType
from typing import Final

import pytest

from tests.mutation.making import ROOT, Mutant
from tests.mutation.reach import KEPT, QUIETLY, TESTS, Tests, apart, hash_of, test_files

PATIENCE: Final = 4
"""Seconds that a test may take that takes none with nothing changed; else ten times its own."""
DOUBTS: Final = 3
"""How many tests may notice a mutant and then not do so alone, before one is believed."""
SECONDS: Final = 60
"""How long it may take until the first test of a file begins."""
MEMORY: Final = 6 << 30
"""Bytes that a child may have: what grows without end is not to take the machine along."""

KILLED: Final = 1
HUNG: Final = -signal.SIGALRM
BROKEN: Final = 3
NOT_IN_PLACE: Final = 2
"""The changed code cannot stand in for the old: it has other variables of the functions around it."""


class Judge:
    """Runs *tests* in their order, and leaves at the first that fails: a plugin of pytest's."""

    def __init__(self, tests: list[str], took: Mapping[str, float], told: Path) -> None:
        self.tests: Final = tests
        self.took: Final = took
        self.told: Final = told

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        if session.testsfailed:
            os._exit(KILLED)  # they cannot be imported
        items = {item.nodeid: item for item in session.items}
        self.run([items[test] for test in self.tests if test in items])
        return True

    def run(self, items: list[pytest.Item]) -> None:
        for item, after in zip(items, [*items[1:], None], strict=True):
            self.told.write_text(item.nodeid)
            signal.setitimer(signal.ITIMER_REAL, PATIENCE + 10 * self.took[item.nodeid])
            item.ihook.pytest_runtest_protocol(item=item, nextitem=after)

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_makereport(self, call: pytest.CallInfo[None]) -> None:
        if call.excinfo is not None:
            os._exit(KILLED)  # to tell of it would take longer than most tests


Trying = Callable[[Mutant, list[str], Path], None]
"""Runs tests on a mutant in this process, and writes down which of them it has come to."""

Judging = Callable[[Iterable[Mutant], Trying], None]
"""Has each of the mutants tried, and notes down what came of it."""


class Server:
    """Has collected every test, and forks for each mutant: a plugin of pytest's."""

    def __init__(self, mutants: list[Mutant], tests: Tests, judge: Judging) -> None:
        self.mutants: Final = mutants
        self.tests: Final = tests
        self.judge: Final = judge

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        items = {item.nodeid: item for item in session.items}
        functions = defaultdict[str, list[FunctionType]](list)
        gc.unfreeze()  # what tests/conftest.py has put away is among them
        for each in gc.get_objects():
            if type(each) is FunctionType:  # some tests lie about their class
                functions[each.__code__.co_filename].append(each)
        gc.collect()
        gc.freeze()

        def run(mutant: Mutant, tests: list[str], told: Path) -> None:
            put_in_place(mutant, functions[str(ROOT / mutant.file)])
            judge = Judge(tests, self.tests.took, told)
            session.config.pluginmanager.register(judge)
            judge.run([items[test] for test in tests])

        self.judge(self.mutants, run)
        return True


def put_in_place(mutant: Mutant, functions: Iterable[FunctionType]) -> None:
    """Give *functions* the code that they have in *mutant*."""
    path = ROOT / mutant.file
    source = path.read_bytes()
    changed = defaultdict[str, list[CodeType]](list)
    for code in codes(compile(mutant.applied(source), path, "exec", dont_inherit=True)):
        changed[code.co_qualname].append(code)
    found: dict[CodeType, CodeType] = {}
    for code in codes(compile(source, path, "exec", dont_inherit=True)):
        if changed[code.co_qualname]:
            found[code] = changed[code.co_qualname].pop(0)
    differs = False
    for function in functions:
        old = function.__code__
        try:
            function.__code__ = found.get(old, old)
        except ValueError:
            os._exit(NOT_IN_PLACE)
        differs = differs or function.__code__ != old
    if not differs:
        os._exit(NOT_IN_PLACE)


def codes(code: CodeType) -> Iterator[CodeType]:
    """*code*, and that of all functions and classes in it."""
    yield code
    for each in code.co_consts:
        if isinstance(each, CodeType):
            yield from codes(each)


def run_alone(took: Mapping[str, float], mutant: Mutant, tests: list[str], told: Path) -> None:
    """Run the tests, ordered as by `by_file`, in a process that has imported nothing yet."""
    path = str(ROOT / mutant.file)
    get_code = SourceFileLoader.get_code

    def changed(loader: SourceFileLoader, name: str) -> CodeType | None:
        if loader.path != path:
            return get_code(loader, name)
        return compile(mutant.applied(Path(path).read_bytes()), path, "exec", dont_inherit=True)

    SourceFileLoader.get_code = changed  # type: ignore[assignment, method-assign]
    for file in dict.fromkeys(test.partition("::")[0] for test in tests):
        told.write_text("import")
        signal.setitimer(signal.ITIMER_REAL, SECONDS)
        code = pytest.main([*QUIETLY, file], plugins=[Judge(tests, took, told)])
        if code not in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED):
            os._exit(KILLED)


def by_file(took: Mapping[str, float], tests: list[str]) -> list[str]:
    """The *tests* of a file together, those files first that are quick."""
    files = defaultdict[str, list[str]](list)
    for test in tests:
        files[test.partition("::")[0]].append(test)
    quick_first = sorted(files.values(), key=lambda tests: sum(took[test] for test in tests))
    return [test for tests in quick_first for test in tests]


def forked(run: Callable[[Path], None], home: Path) -> int:
    """The process in which *run* is called, which says nothing, and succeeds where that comes to its end."""
    process = os.fork()
    if process:
        return process
    told = home / "test"
    try:
        os.setsid()
        nowhere = os.open(os.devnull, os.O_RDWR)
        for each in range(3):
            os.dup2(nowhere, each)
        os.environ["PYTEST_DEBUG_TEMPROOT"] = str(home)
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        signal.setitimer(signal.ITIMER_REAL, SECONDS)
        run(told)
    except BaseException:
        told.write_text(traceback.format_exc())
        os._exit(BROKEN)
    os._exit(0)


class Results:
    """What came of each mutant, kept from run to run, a line for each."""

    def __init__(self) -> None:
        self.path: Final = KEPT / "results.jsonl"
        self._found: Final = dict[str, dict[str, str]]()
        self.read()

    def read(self) -> None:
        for line in self.path.read_text().splitlines() if self.path.exists() else ():
            self._keep(json.loads(line))

    def _keep(self, found: dict[str, str]) -> None:
        self._found[found["key"]] = found

    def add(self, mutant: Mutant, result: str, by: str) -> None:
        found = {"key": mutant.key, "result": result, "by": by}
        found["hash"] = self._hash(mutant, found)
        self._keep(found)
        with self.path.open("a") as file:
            file.write(json.dumps(found) + "\n")

    def of(self, mutant: Mutant) -> str | None:
        """What came of *mutant*, where nothing has changed that was looked at."""
        found = self._found.get(mutant.key)
        return found["result"] if found and found["hash"] == self._hash(mutant, found) else None

    def killer(self, mutant: Mutant) -> str | None:
        """The test that killed *mutant* the last time, whatever has changed."""
        found = self._found.get(mutant.key)
        return found["by"] if found and found["result"] == "killed" else None

    def _hash(self, mutant: Mutant, found: Mapping[str, str]) -> str:
        test = found["by"].partition("::")[0]
        return hash_of([mutant.file, test] if test else [mutant.file, *test_files()])


class Run:
    """Judges mutants, so many at a time."""

    def __init__(self, tests: Tests, results: Results, jobs: int, home: Path) -> None:
        self.tests: Final = tests
        self.results: Final = results
        self.jobs: Final = jobs
        self.home: Final = home

    def all(self, mutants: list[Mutant]) -> None:
        for mutant in mutants:
            killer = self.results.killer(mutant)
            if killer is not None:
                self.tests.noticed(mutant, killer)
        todo = [mutant for mutant in mutants if self.results.of(mutant) is None]
        print(f"{len(mutants)} mutants, {len(todo)} of them to be run", flush=True)
        inside = [mutant for mutant in todo if not self.tests.before(mutant)]
        if inside:
            server = Server(inside, self.tests, self.each)
            apart(lambda: pytest.main([*QUIETLY, *TESTS], plugins=[server]))
        self.results.read()
        rest = (mutant for mutant in todo if self.results.of(mutant) is None)
        self.each_alone(rest)

    def each_alone(self, mutants: Iterable[Mutant]) -> None:
        """Try each of *mutants* in a process that imports what it needs."""
        took = self.tests.took
        self.each(mutants, functools.partial(run_alone, took), functools.partial(by_file, took))

    def each(
        self,
        mutants: Iterable[Mutant],
        run: Trying,
        order: Callable[[list[str]], list[str]] = list,
    ) -> None:
        """
        Try each of *mutants*; *run* takes its tests in this *order*.

        A test that fails or hangs is tried once more, alone: one that does so now and then, on a
        busy machine, has found nothing, and the others go on. Where `DOUBTS` of them have passed
        alone, the next one is believed: the mutant breaks what tests leave to each other, such as a
        thread that all of them use.
        """
        waiting = iter(mutants)
        again: list[tuple[Mutant, list[str], list[str], int]] = []
        going: dict[int, tuple[Mutant, list[str], list[str], int, Path]] = {}
        try:
            while True:
                while len(going) < self.jobs:
                    if again:
                        mutant, tests, others, doubts = again.pop()
                    elif found := next(waiting, None):
                        mutant, tests, others, doubts = found, order(self.tests.of(found)), [], 0
                    else:
                        break
                    home = Path(mkdtemp(dir=self.home))
                    process = forked(functools.partial(run, mutant, tests), home)
                    going[process] = mutant, tests, others, doubts, home
                if not going:
                    return
                process, status = os.wait()
                mutant, tests, others, doubts, home = going.pop(process)
                end(process)
                code = os.waitstatus_to_exitcode(status)
                told = home / "test"
                by = told.read_text() if told.exists() else "import"
                rmtree(home, ignore_errors=True)
                noticed = code in (KILLED, HUNG) and by in tests
                if noticed and len(tests) > 1 and doubts < DOUBTS:
                    again.append((mutant, [by], tests[tests.index(by) + 1 :], doubts))
                elif code == 0 and others:
                    again.append((mutant, others, [], doubts + 1))
                else:
                    self.tell(mutant, code, by)
        finally:
            for process in going:
                end(process)

    def tell(self, mutant: Mutant, code: int, by: str) -> None:
        if code == NOT_IN_PLACE:
            return
        if code == BROKEN:
            raise RuntimeError(f"{mutant.key} cannot be run: {by}")
        result = {0: "survived", HUNG: "timed out"}.get(code, "killed")
        if result == "killed":
            self.tests.noticed(mutant, by)
        self.results.add(mutant, result, by if code else "")
        print(f"{result:10} {told(mutant)}", flush=True)


def told(mutant: Mutant) -> str:
    return f"{mutant.file}:{mutant.line}: {mutant.where}: {mutant.change}"


def end(process: int) -> None:
    """Kill *process*, and those that its tests have started."""
    with suppress(ProcessLookupError):
        os.killpg(process, signal.SIGKILL)
