"""
Mutants of the call core: small changes of its source, each of which some test has to notice.

The tests are first run with nothing changed, to see which of them reach each line, and how long
they take. Then one process imports and collects them all, and forks for each mutant; the child puts
the code of the changed functions in place of the old, and runs those tests that reach the change,
those that have found others first, up to the first that fails. A change of what has run before that
(the body of a module or of a class, or what tests call when they are imported) is made before
anything is imported, in a process that imports only what it needs.

A mutant is killed where a test fails or takes far too long, else it has survived: a test is
missing, or the change makes no difference. The latter are listed in ``equivalent.toml`` beside
this, each with its reason; an entry that stands for no mutant any more is an error.

A process that a test starts as a program of its own runs what is in the files, so tests see nothing
there. None of `TESTS` is about such a process alone.

Everything is kept in ``build/mutants``. A mutant is run again where its file has changed or the
file of the test that killed it; where none did, where any test has changed.

    python -m tests.mutants [--only FILE] [--sample N] [--seed S] [--jobs N] [--list]
"""

from __future__ import annotations

import argparse
import ast
import functools
import gc
import json
import os
import resource
import signal
import sys
import tomllib
import traceback
from collections import Counter, defaultdict
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from hashlib import sha256
from importlib.machinery import SourceFileLoader
from pathlib import Path
from random import Random
from shutil import rmtree
from tempfile import TemporaryDirectory, mkdtemp
from types import CodeType, FunctionType
from typing import Any, Final, cast

import pytest
from coverage import Coverage, CoverageData

ROOT: Final = Path(__file__).resolve().parent.parent
KEPT: Final = ROOT / "build" / "mutants"
EQUIVALENT: Final = Path("tests/equivalent.toml")

FILES: Final = (
    *(f"contract/call/{name}.py" for name in ("bearer", "bound", "message", "dispatch", "service")),
    *(
        f"contract/adapters/{name}.py"
        for name in (
            *("pace", "pool", "streams", "loops", "threads"),
            *("asgi_calls", "asgi_scope", "wsgi_calls"),
            *("mount", "wsgi", "asgi", "falcon", "falcon_inside"),
        )
    ),
    "contract/mcp/surface.py",
)
"""Those that are changed."""

TESTS: Final = (
    *(
        f"tests/test_{name}.py"
        for name in (
            *("accept", "bearer", "context", "dispatch", "docs", "log", "message"),
            *("mount_options", "published", "service", "cli_bridge"),
            *(f"adapters_{name}" for name in ("wsgi", "asgi", "falcon", "wsgi_calls")),
            *(f"adapters_{name}" for name in ("asgi_calls", "threads", "loops", "streams", "pool")),
        )
    ),
    "tests/mcp",
    "tests/wire",
)
"""Those that have to notice."""


# Making them


@dataclass(frozen=True, slots=True)
class Mutant:
    """One change: the bytes from *start* to *end* of *file* become *after*."""

    file: str
    line: int
    where: str
    """The function and the class that it stands in."""
    before: str
    after: str
    start: int
    end: int
    last: int
    """Its last line."""
    number: int = 1
    """Of several that would be called the same."""

    @property
    def change(self) -> str:
        again = f" ({self.number})" if self.number > 1 else ""
        return f"{_short(self.before)} -> {_short(self.after)}{again}"

    @property
    def key(self) -> str:
        """As it is listed: without its line, which moves."""
        return f"{self.file} {self.where}: {self.change}"

    def applied(self, source: bytes) -> bytes:
        return source[: self.start] + self.after.encode() + source[self.end :]


def _short(code: str) -> str:
    return " ".join(code.split())


OTHER: Final[Mapping[type[ast.cmpop], type[ast.cmpop]]] = {
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}
TYPING: Final = ("TypeVar", "cast", "Literal")
"""Calls and subscripts whose strings are for type checkers."""


class _Maker(ast.NodeVisitor):
    """
    Walks a module, and notes down its mutants.

    Annotations and docstrings have none, nor has what only type checkers read.
    """

    def __init__(self, file: str, source: bytes) -> None:
        self.file: Final = file
        self.lines: Final = source.splitlines(keepends=True)
        self.source: Final = source
        self.where: list[str] = []
        self.in_function = 0
        self.found: list[Mutant] = []
        self.seen: Counter[tuple[str, str, str]] = Counter()

    def offset(self, line: int, column: int) -> int:
        return sum(map(len, self.lines[: line - 1])) + column

    def add(self, node: ast.expr | ast.stmt, after: str) -> None:
        start, end = (
            self.offset(node.lineno, node.col_offset),
            self.offset(node.end_lineno or 0, node.end_col_offset or 0),
        )
        before = self.source[start:end].decode()
        where = ".".join(self.where) or "(module)"
        called = (where, _short(before), _short(after))
        self.seen[called] += 1
        self.found.append(
            Mutant(
                self.file,
                node.lineno,
                where,
                before,
                after,
                start,
                end,
                node.end_lineno or 0,
                self.seen[called],
            )
        )

    def swap(self, node: ast.expr, changed: ast.expr) -> None:
        self.add(node, f"({ast.unparse(changed)})")

    def named(
        self, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef, body: Iterable[ast.AST]
    ) -> None:
        self.where.append(node.name)
        for each in body:
            self.visit(each)
        self.where.pop()

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        self.named(node, node.body)

    def visit_FunctionDef(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        if any("overload" in ast.unparse(each) for each in node.decorator_list):
            return
        self.in_function += 1
        arguments = node.args
        self.where.append(node.name)
        for default in (*arguments.defaults, *filter(None, arguments.kw_defaults)):
            self.default(default)
        self.where.pop()
        self.named(node, node.body)
        self.in_function -= 1

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> None:
        self.visit_FunctionDef(node)

    def default(self, node: ast.expr) -> None:
        if isinstance(node, ast.Constant) and node.value is not None:
            self.visit_Constant(node)
        else:
            self.add(node, "()" if isinstance(node, ast.Constant) else "None")

    def visit_If(self, node: ast.If) -> None:
        if ast.unparse(node.test) not in ("TYPE_CHECKING", "sys.platform != 'win32'"):
            self.generic_visit(node)

    def visit_Expr(self, node: ast.Expr) -> None:
        if isinstance(node.value, ast.Constant):
            return  # a docstring, or ...
        if self.in_function and isinstance(node.value, ast.Call | ast.Await):
            self.add(node, "pass")
        self.generic_visit(node)

    def visit_Assign(self, node: ast.Assign) -> None:
        if any(
            isinstance(target, ast.Name) and target.id in ("__all__", "__slots__")
            for target in node.targets
        ):
            return
        if self.in_function:
            self.add(node, "pass")
        self.visit(node.value)

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        self.add(node, "pass")
        self.visit(node.value)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        if node.value is not None:
            if self.in_function:
                self.add(node, "pass")
            self.visit(node.value)

    def visit_Return(self, node: ast.Return) -> None:
        if node.value is None or (
            isinstance(node.value, ast.Constant) and node.value.value is None
        ):
            return
        if ast.unparse(node.value) != "False":  # as good as None, to those that ask
            self.add(node, "return None")
        self.visit(node.value)

    def visit_Compare(self, node: ast.Compare) -> None:
        for at, op in enumerate(node.ops):
            self.swap(
                node,
                ast.Compare(
                    node.left,
                    [*node.ops[:at], OTHER[type(op)](), *node.ops[at + 1 :]],
                    node.comparators,
                ),
            )
        self.generic_visit(node)

    def visit_BoolOp(self, node: ast.BoolOp) -> None:
        self.swap(
            node, ast.BoolOp(ast.Or() if isinstance(node.op, ast.And) else ast.And(), node.values)
        )
        self.generic_visit(node)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> None:
        if isinstance(node.op, ast.Not):
            self.swap(node, node.operand)
        self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> None:
        typing = isinstance(node.func, ast.Name) and node.func.id in TYPING
        for each in node.args[typing:]:
            self.visit(each)
        for keyword in node.keywords:
            self.visit(keyword.value)
        self.visit(node.func)

    def visit_Subscript(self, node: ast.Subscript) -> None:
        if not (isinstance(node.value, ast.Name) and node.value.id in TYPING):
            self.generic_visit(node)

    def visit_JoinedStr(self, node: ast.JoinedStr) -> None:
        """None: before Python 3.12 what stands in it has no place that could be trusted."""

    def visit_Constant(self, node: ast.Constant) -> None:
        value = node.value
        if isinstance(value, bool):
            self.add(node, str(not value))
        elif isinstance(value, int | float):
            self.add(node, repr(value + 1))
        elif isinstance(value, str):
            self.add(node, repr("~"))
        elif isinstance(value, bytes):
            self.add(node, repr(b"~"))


def mutants_of(file: str, source: bytes) -> list[Mutant]:
    """Every mutant of a module, in the order of its lines."""
    maker = _Maker(file, source)
    maker.visit(ast.parse(source))
    return sorted(
        (mutant for mutant in maker.found if _is_python(mutant, source)),
        key=lambda mutant: (mutant.start, -mutant.end, mutant.after),
    )


def _is_python(mutant: Mutant, source: bytes) -> bool:
    """Whether it can be compiled: a name that is ``nonlocal`` has to be given a value somewhere."""
    if mutant.after != "pass" or b"nonlocal" not in source:
        return True
    try:
        compile(mutant.applied(source), mutant.file, "exec", dont_inherit=True)
    except SyntaxError:
        return False
    return True


def equivalents(
    listed: bytes, mutants: Iterable[Mutant], files: Iterable[str]
) -> tuple[Mapping[str, str], list[str]]:
    """
    The mutants that make no difference, each with its reason.

    And the entries for *files* that stand for no mutant or have no reason.
    """
    entries = cast("dict[str, str]", tomllib.loads(listed.decode()))
    known = {mutant.key for mutant in mutants}
    read = set(files)
    stale = [
        key
        for key, reason in entries.items()
        if key.partition(" ")[0] in read and (key not in known or not reason.strip())
    ]
    return entries, stale + [key for key in entries if key.partition(" ")[0] not in FILES]


# What the tests reach

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
        self._coverage: Final = Coverage(
            data_file=KEPT / "lines",
            config_file=False,
            include=[str(ROOT / file) for file in FILES],
        )

    def run(self) -> None:
        self._coverage.erase()
        self._coverage.start()
        for each in ("cache", "lru_cache"):
            setattr(functools, each, self._watched(getattr(functools, each)))
        if pytest.main([*QUIETLY, *TESTS], plugins=[self]) > pytest.ExitCode.TESTS_FAILED:
            raise SystemExit("the tests could not be run")
        self._coverage.stop()
        self._coverage.save()
        facts = {"took": self.took, "failed": sorted(self.failed), "hash": _hash_of_all_sources()}
        (KEPT / "tests.json").write_text(json.dumps(facts))

    @contextmanager
    def _in(self, context: str) -> Generator[None]:
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
        return sorted(
            tests & self.took.keys(),
            key=lambda test: (
                -self._killed[mutant.file, test],
                test not in reached,
                self.took[test],
            ),
        )

    def noticed(self, mutant: Mutant, test: str) -> None:
        """Ask *test* first from now on. Not one that hung: another may fail at once where it would hang again."""
        self._killed[mutant.file, test] += 1


# Running them

QUIETLY: Final = ("-qq", "-s", "--no-header", "--no-summary", "-p", "no:cacheprovider")
SECONDS: Final = 60
"""How long it may take until the first test begins."""
MEMORY: Final = 6 << 30
"""Bytes that a child may have: what grows without end is not to take the machine along."""

KILLED: Final = 1
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
            signal.setitimer(signal.ITIMER_REAL, 4 + 10 * self.took[item.nodeid])
            item.ihook.pytest_runtest_protocol(item=item, nextitem=after)

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_makereport(self, call: pytest.CallInfo[None]) -> None:
        if call.excinfo is not None:
            os._exit(KILLED)  # to tell of it would take longer than most tests


Judging = Callable[[Iterable[Mutant], Callable[[Mutant, Path], None]], None]
"""Has each of the mutants run, and notes down what came of it."""


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
        for each in gc.get_objects():
            if type(each) is FunctionType:  # some tests lie about their class
                functions[each.__code__.co_filename].append(each)
        gc.collect()
        gc.freeze()

        def run(mutant: Mutant, told: Path) -> None:
            put_in_place(mutant, functions[str(ROOT / mutant.file)])
            tests = self.tests.of(mutant)
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


def run_alone(mutant: Mutant, tests: Tests, told: Path) -> None:
    """Run the tests in a process that has imported nothing yet, those files first that are quick."""
    path = str(ROOT / mutant.file)
    get_code = SourceFileLoader.get_code

    def changed(loader: SourceFileLoader, name: str) -> CodeType | None:
        if loader.path != path:
            return get_code(loader, name)
        return compile(mutant.applied(Path(path).read_bytes()), path, "exec", dont_inherit=True)

    SourceFileLoader.get_code = changed  # type: ignore[assignment, method-assign]
    wanted = tests.of(mutant)
    seconds = defaultdict[str, float](float)
    for test in wanted:
        seconds[test.partition("::")[0]] += tests.took[test]
    for file in sorted(seconds, key=seconds.__getitem__):
        code = pytest.main([*QUIETLY, file], plugins=[Judge(wanted, tests.took, told)])
        if code not in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED):
            os._exit(KILLED)


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

    def by(self, mutant: Mutant) -> str:
        return self._found[mutant.key]["by"]

    def _hash(self, mutant: Mutant, found: Mapping[str, str]) -> str:
        test = found["by"].partition("::")[0]
        return _hash_of([mutant.file, test] if test else [mutant.file, *_test_files()])


@functools.cache
def _hash_of_file(name: str) -> bytes:
    path = ROOT / name
    return sha256(path.read_bytes()).digest() if path.is_file() else b""


def _hash_of(names: Iterable[str]) -> str:
    found = sha256()
    for name in names:
        found.update(name.encode() + b"\0" + _hash_of_file(name))
    return found.hexdigest()[:16]


@functools.cache
def _hash_of_all_sources() -> str:
    sources = sorted(str(path.relative_to(ROOT)) for path in (ROOT / "contract").rglob("*.py"))
    return _hash_of([*sources, *_test_files()])


@functools.cache
def _test_files() -> tuple[str, ...]:
    """The tests, and what they share."""
    found = {ROOT / name for name in TESTS if name.endswith(".py")}
    for name in TESTS:
        found.update((ROOT / name).rglob("*.py"))
    shared = {path for path in (ROOT / "tests").glob("*.py") if not path.name.startswith("test_")}
    return tuple(
        sorted(str(path.relative_to(ROOT)) for path in found | shared - {Path(__file__).resolve()})
    )


class Run:
    """Judges mutants, so many at a time."""

    def __init__(self, tests: Tests, results: Results, jobs: int, home: Path) -> None:
        self.tests: Final = tests
        self.results: Final = results
        self.jobs: Final = jobs
        self.home: Final = home

    def all(self, mutants: list[Mutant]) -> None:
        for mutant in mutants:
            if self.results.of(mutant) == "killed":
                self.tests.noticed(mutant, self.results.by(mutant))
        todo = [mutant for mutant in mutants if self.results.of(mutant) is None]
        print(f"{len(mutants)} mutants, {len(todo)} of them to be run", flush=True)
        inside = [mutant for mutant in todo if not self.tests.before(mutant)]
        if inside:
            server = Server(inside, self.tests, self.each)
            apart(lambda: pytest.main([*QUIETLY, *TESTS], plugins=[server]))
        self.results.read()
        self.each(
            (mutant for mutant in todo if self.results.of(mutant) is None),
            lambda mutant, told: run_alone(mutant, self.tests, told),
        )

    def each(self, mutants: Iterable[Mutant], run: Callable[[Mutant, Path], None]) -> None:
        waiting = iter(mutants)
        going: dict[int, tuple[Mutant, Path]] = {}
        try:
            while True:
                while len(going) < self.jobs and (mutant := next(waiting, None)):
                    home = Path(mkdtemp(dir=self.home))
                    going[forked(functools.partial(run, mutant), home)] = mutant, home
                if not going:
                    return
                process, status = os.wait()
                mutant, home = going.pop(process)
                end(process)
                self.tell(mutant, os.waitstatus_to_exitcode(status), home / "test")
                rmtree(home, ignore_errors=True)
        finally:
            for process in going:
                end(process)

    def tell(self, mutant: Mutant, code: int, told: Path) -> None:
        if code == NOT_IN_PLACE:
            return
        if code == BROKEN:
            raise RuntimeError(f"{mutant.key} cannot be run: {told.read_text()}")
        by = told.read_text() if told.exists() else "import"
        result = {0: "survived", -signal.SIGALRM: "timed out"}.get(code, "killed")
        if result == "killed":
            self.tests.noticed(mutant, by)
        self.results.add(mutant, result, by if code else "")
        print(
            f"{result:10} {mutant.file}:{mutant.line}: {mutant.where}: {mutant.change}", flush=True
        )


def end(process: int) -> None:
    """Kill *process*, and those that its tests have started."""
    with suppress(ProcessLookupError):
        os.killpg(process, signal.SIGKILL)


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


def sampled(mutants: list[Mutant], count: int, seed: int) -> list[Mutant]:
    """So many of *mutants*, from each file in turn."""
    random = Random(seed)
    piles: dict[str, list[Mutant]] = {}
    for mutant in mutants:
        piles.setdefault(mutant.file, []).append(mutant)
    for pile in piles.values():
        random.shuffle(pile)
    return list(_in_turn(list(piles.values())))[:count]


def _in_turn(piles: list[list[Mutant]]) -> Iterator[Mutant]:
    for at in range(max(map(len, piles), default=0)):
        yield from (pile[at] for pile in piles if at < len(pile))


# Telling of them


def report(mutants: list[Mutant], results: Results, entries: Mapping[str, str]) -> list[Mutant]:
    """Print what came of each file; gives the survivors."""
    counts: dict[str, Counter[str]] = {}
    survivors: list[Mutant] = []
    for mutant in mutants:
        result = "equivalent" if mutant.key in entries else str(results.of(mutant))
        counts.setdefault(mutant.file, Counter())[result] += 1
        if result == "survived":
            survivors.append(mutant)
    total: Counter[str] = Counter()
    kinds = ("killed", "survived", "timed out", "equivalent")
    print(f"\n{'':36}{''.join(f'{kind:>12}' for kind in kinds)}")
    for file, found in counts.items():
        total.update(found)
        print(f"{file:36}{''.join(f'{found[kind]:12}' for kind in kinds)}")
    print(f"{'all':36}{''.join(f'{total[kind]:12}' for kind in kinds)}")
    noticed, judged = total["killed"] + total["timed out"], sum(total[kind] for kind in kinds[:3])
    if judged:
        print(f"{noticed} of {judged} noticed: {noticed / judged:.1%}\n")
    for mutant in survivors:
        print(f"{mutant.file}:{mutant.line}: {mutant.where}: {mutant.change}")
    return survivors


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m tests.mutants",
        description="Change the call core, and see whether a test notices.",
    )
    parser.add_argument(
        "--only",
        choices=FILES,
        metavar="FILE",
        help="the mutants of one file, such as contract/call/bearer.py",
    )
    parser.add_argument("--sample", type=int, metavar="N", help="so many, from each file in turn")
    parser.add_argument("--seed", type=int, default=0, help="of the sample")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="how many at a time")
    parser.add_argument("--list", action="store_true", help="name the mutants, and run none")
    given = parser.parse_args(arguments)

    files = [given.only] if given.only else list(FILES)
    mutants = [mutant for file in files for mutant in mutants_of(file, (ROOT / file).read_bytes())]
    entries, stale = equivalents((ROOT / EQUIVALENT).read_bytes(), mutants, files)
    for key in stale:
        print(f"{EQUIVALENT}: {key}: no such mutant, or no reason")
    if stale:
        return 1
    if given.sample is not None:
        mutants = sampled(mutants, given.sample, given.seed)
    if given.list:
        print(
            *(
                f"{mutant.file}:{mutant.line}: {mutant.where}: {mutant.change}"
                for mutant in mutants
            ),
            sep="\n",
        )
        return 0
    os.environ["CONTRACT_HYPOTHESIS_PROFILE"] = "brief"
    KEPT.mkdir(parents=True, exist_ok=True)
    tests = tests_of_now()
    results = Results()
    with TemporaryDirectory() as home:
        Run(tests, results, given.jobs, Path(home)).all(
            [mutant for mutant in mutants if mutant.key not in entries]
        )
    return 1 if report(mutants, results, entries) or tests.failed else 0


def tests_of_now() -> Tests:
    """The tests, run anew where anything has changed."""
    path = KEPT / "tests.json"
    if not path.exists() or json.loads(path.read_bytes())["hash"] != _hash_of_all_sources():
        print("the tests are run with nothing changed", flush=True)
        apart(Reach().run)
    facts = json.loads(path.read_bytes())
    for test in facts["failed"]:
        print(f"{test} fails with nothing changed: it is left out")
        del facts["took"][test]
    return Tests(facts["took"], facts["failed"])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
