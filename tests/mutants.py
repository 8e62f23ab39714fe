"""
Mutants of the call core: small changes of its source, each of which some test has to notice.

A mutant is run in a copy of the tree, by the tests that are about its file and then by the table of
the wire, up to the first that fails. It is killed where one fails or takes far too long, else it
has survived: a test is missing, or the change makes no difference. The latter are listed in
``equivalent.toml`` beside this, each with its reason; an entry that stands for no mutant any more
is an error.

What came of each is kept in ``build/mutants.json``, for as long as its file and the tests are as
they were, so that a run can be broken off and gone on with.

    python -m tests.mutants [--only FILE] [--sample N] [--seed S] [--jobs N] [--list]
"""

from __future__ import annotations

import argparse
import ast
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from queue import SimpleQueue
from random import Random
from typing import Any, Final, TypeVar, cast

ROOT: Final = Path(__file__).resolve().parent.parent
RESULTS: Final = Path("build/mutants.json")
EQUIVALENT: Final = Path("tests/equivalent.toml")

WIRE: Final = "tests/wire/test_wire_table.py"
ADAPTERS: Final = (
    "tests/test_adapters_wsgi.py",
    "tests/test_adapters_asgi.py",
    "tests/test_adapters_falcon.py",
)
DRIVERS: Final = tuple(
    f"tests/test_adapters_{name}.py"
    for name in ("wsgi_calls", "asgi_calls", "threads", "loops", "streams", "pool")
)
DISPATCH: Final = ("tests/test_dispatch.py", "tests/test_dispatch_hooks.py")
CORE: Final = ("tests/test_service.py", *DISPATCH, "tests/test_context.py")

TESTS: Final[Mapping[str, tuple[str, ...]]] = {
    "contract/call/bearer.py": ("tests/test_bearer.py",),
    "contract/call/bound.py": (*DISPATCH, "tests/test_service.py"),
    "contract/call/message.py": ("tests/test_message.py", "tests/test_published.py", *CORE),
    "contract/call/dispatch.py": (*DISPATCH, "tests/test_service.py"),
    "contract/call/service.py": (*CORE, "tests/test_docs.py", "tests/mcp", *DRIVERS),
    "contract/mcp/surface.py": (
        "tests/mcp/test_mcp_surface.py",
        "tests/test_service.py",
        "tests/mcp",
        "tests/wire/test_wire_mcp.py",
    ),
    "contract/adapters/pace.py": (
        "tests/test_adapters_loops.py",
        "tests/test_adapters_asgi_calls.py",
        "tests/test_cli_bridge.py",
    ),
    "contract/adapters/pool.py": ("tests/test_adapters_pool.py", "tests/test_adapters_loops.py"),
    "contract/adapters/streams.py": ("tests/test_adapters_streams.py",),
    "contract/adapters/loops.py": (
        "tests/test_adapters_loops.py",
        "tests/test_adapters_asgi_calls.py",
        "tests/test_adapters_asgi.py",
    ),
    "contract/adapters/threads.py": (
        "tests/test_adapters_threads.py",
        "tests/test_adapters_wsgi_calls.py",
        "tests/test_cli_bridge.py",
    ),
    "contract/adapters/asgi_calls.py": (
        "tests/test_adapters_asgi_calls.py",
        "tests/test_adapters_loops.py",
        *ADAPTERS,
    ),
    "contract/adapters/asgi_scope.py": (
        "tests/test_adapters_asgi_calls.py",
        "tests/test_adapters_loops.py",
        *ADAPTERS,
    ),
    "contract/adapters/wsgi_calls.py": (
        "tests/test_adapters_wsgi_calls.py",
        "tests/test_adapters_threads.py",
        *ADAPTERS,
    ),
    "contract/adapters/mount.py": ("tests/test_mount_options.py", "tests/test_service.py"),
    "contract/adapters/wsgi.py": (
        "tests/test_adapters_wsgi.py",
        "tests/test_mount_options.py",
        "tests/test_cli_bridge.py",
    ),
    "contract/adapters/asgi.py": (
        "tests/test_adapters_asgi.py",
        "tests/test_mount_options.py",
        "tests/test_adapters_loops.py",
    ),
    "contract/adapters/falcon.py": ("tests/test_adapters_falcon.py", "tests/test_mount_options.py"),
    "contract/adapters/falcon_inside.py": (
        "tests/test_adapters_falcon.py",
        "tests/test_cli_bridge.py",
    ),
}
"""
The files that are changed, and the tests of each, its own first; the table of the wire comes after
them for every file.
"""


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

Expr = TypeVar("Expr", bound=ast.expr)


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
            Mutant(self.file, node.lineno, where, before, after, start, end, self.seen[called])
        )

    def swap(self, node: Expr, changed: ast.expr) -> None:
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
        if node.value is not None and not (
            isinstance(node.value, ast.Constant) and node.value.value is None
        ):
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
    return sorted(maker.found, key=lambda mutant: (mutant.start, -mutant.end, mutant.after))


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
    return entries, stale + [key for key in entries if key.partition(" ")[0] not in TESTS]


# Running them


def _files() -> list[str]:
    """Everything that a copy of the tree needs."""
    told = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard", "-z"],
        cwd=ROOT,
        capture_output=True,
        check=True,
        text=True,
    )
    return [name for name in told.stdout.split("\0") if name and (ROOT / name).is_file()]


def copy_to(tree: Path, files: Iterable[str]) -> Path:
    for name in files:
        (tree / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / name, tree / name)
    return tree


def run_tests(tree: Path, tests: Iterable[str], seconds: float) -> tuple[str, str]:
    """What came of the tests in *tree*, and the first that failed."""
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-x",
        "-q",
        "--tb=no",
        "-p",
        "no:cacheprovider",
        *tests,
    ]
    environment = os.environ | {"PYTHONPATH": str(tree), "CONTRACT_HYPOTHESIS_PROFILE": "brief"}
    process = subprocess.Popen(
        command,
        cwd=tree,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )
    try:
        said, _ = process.communicate(timeout=seconds)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        return "timed out", ""
    if process.returncode == 0:
        return "survived", ""
    failed = [line for line in said.splitlines() if line.startswith(("FAILED ", "ERROR "))]
    return "killed", failed[0].split(" ", 1)[1].partition(" - ")[
        0
    ] if failed else f"exit code {process.returncode}"


def _hash(names: Iterable[str]) -> str:
    found = sha256()
    for name in sorted(names):
        found.update(name.encode() + b"\0" + sha256((ROOT / name).read_bytes()).digest())
    return found.hexdigest()[:16]


def _matters(name: str, file: str) -> bool:
    """Whether *name* is one of the tests of *file*, or something that tests share."""
    if not name.startswith("tests/") or not name.endswith(".py") or name == "tests/mutants.py":
        return False
    return not Path(name).name.startswith("test_") or any(
        name == test or name.startswith(f"{test}/") for test in judges_of(file)
    )


class Runner:
    """Runs mutants in copies of the tree."""

    def __init__(self, jobs: int, home: Path, files: list[str]) -> None:
        self.trees: Final[SimpleQueue[Path]] = SimpleQueue()
        for number in range(jobs):
            self.trees.put(copy_to(home / str(number), files))
        self.took: Final[dict[str, float]] = {}
        """Seconds of each test file that passes when nothing is changed."""

    def measure(self, test: str) -> bool:
        """Whether *test* passes when nothing is changed."""
        tree = self.trees.get()
        began = time.monotonic()
        result, failed = run_tests(tree, [test], 600)
        self.trees.put(tree)
        if result == "survived":
            self.took[test] = time.monotonic() - began
            return True
        print(f"{test} {result} with nothing changed ({failed}): it is left out")
        return False

    def run(self, mutant: Mutant) -> tuple[str, str]:
        tests = [test for test in judges_of(mutant.file) if test in self.took]
        tree = self.trees.get()
        changed = tree / mutant.file
        source = changed.read_bytes()
        try:
            changed.write_bytes(mutant.applied(source))
            forget(changed)
            for test in tests:
                result, failed = run_tests(tree, [test], 30 + 5 * self.took[test])
                if result != "survived":
                    return result, failed or test
            return "survived", ""
        finally:
            changed.write_bytes(source)
            forget(changed)
            self.trees.put(tree)


def forget(module: Path) -> None:
    """Take away what Python has compiled of *module*: it would be taken for that of the change, where size and time are alike."""
    for compiled in (module.parent / "__pycache__").glob(f"{module.stem}.*.pyc"):
        compiled.unlink()


def judges_of(file: str) -> tuple[str, ...]:
    return (*TESTS[file], WIRE)


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


def report(
    mutants: list[Mutant], results: Mapping[str, Any], entries: Mapping[str, str]
) -> list[Mutant]:
    """Print what came of each file; gives the survivors."""
    counts: dict[str, Counter[str]] = {}
    survivors: list[Mutant] = []
    for mutant in mutants:
        result = "equivalent" if mutant.key in entries else results[mutant.key]["result"]
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
        choices=TESTS,
        metavar="FILE",
        help="the mutants of one file, such as contract/call/bearer.py",
    )
    parser.add_argument("--sample", type=int, metavar="N", help="so many, from each file in turn")
    parser.add_argument("--seed", type=int, default=0, help="of the sample")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="how many at a time")
    parser.add_argument("--list", action="store_true", help="name the mutants, and run none")
    given = parser.parse_args(arguments)

    files = [given.only] if given.only else list(TESTS)
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
    results, left_out = run_all(mutants, entries, given.jobs)
    return 1 if report(mutants, results, entries) or left_out else 0


def run_all(
    mutants: list[Mutant], entries: Mapping[str, str], jobs: int
) -> tuple[Mapping[str, Any], bool]:
    """What came of *mutants*, and whether some tests had to be left out; kept from run to run."""
    tracked = _files()
    hashes = {
        file: _hash([file, *(name for name in tracked if _matters(name, file))]) for file in TESTS
    }
    kept = ROOT / RESULTS
    kept.parent.mkdir(exist_ok=True)
    results: dict[str, Any] = json.loads(kept.read_bytes()) if kept.exists() else {}
    fresh = {
        mutant.key
        for mutant in mutants
        if results.get(mutant.key, {}).get("hash") == hashes[mutant.file]
    }
    todo = [mutant for mutant in mutants if mutant.key not in entries and mutant.key not in fresh]
    print(f"{len(mutants)} mutants, {len(todo)} of them to be run")
    if not todo:
        return results, False
    with tempfile.TemporaryDirectory() as home, ThreadPoolExecutor(jobs) as pool:
        runner = Runner(jobs, Path(home), tracked)
        wanted = dict.fromkeys(test for mutant in todo for test in judges_of(mutant.file))
        left_out = not all(list(pool.map(runner.measure, wanted)))
        going: dict[Future[tuple[str, str]], Mutant] = {
            pool.submit(runner.run, mutant): mutant for mutant in todo
        }
        try:
            while going:
                done, _ = wait(going, return_when=FIRST_COMPLETED)
                for future in done:
                    mutant = going.pop(future)
                    result, by = future.result()
                    results[mutant.key] = {"result": result, "by": by, "hash": hashes[mutant.file]}
                    kept.write_text(json.dumps(results, indent=1))
                    print(
                        f"{result:10} {mutant.file}:{mutant.line}: {mutant.where}: {mutant.change}",
                        flush=True,
                    )
        finally:
            pool.shutdown(cancel_futures=True)
    return results, left_out


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
