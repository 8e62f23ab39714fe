"""The mutants of a module: which changes are made, and which of them make no difference."""

from __future__ import annotations

import ast
import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Final, cast

ROOT: Final = Path(__file__).resolve().parent.parent.parent

EQUIVALENT: Final = Path("tests/equivalent.toml")
"""The mutants that make no difference, each with its reason."""

FILES: Final = (
    *(
        f"contract/call/{name}.py"
        for name in (
            *("bearer", "bodies", "bound", "failure_writers", "incoming", "message", "proxies"),
            *("calling", "dispatch", "process", "replies", "responses", "service", "paging"),
            *("signed_body", "stream", "streaming", "files", "form", "log", "log_text", "lines"),
        )
    ),
    *(
        f"contract/adapters/{name}.py"
        for name in (
            *("pace", "unfinished", "pool", "hops", "streams", "loops", "background", "threads"),
            *("opening", "item_streams", "thread_items", "asgi_answers", "asgi_calls"),
            *("asgi_scope", "wsgi_calls", "mount", "wsgi", "asgi", "falcon", "falcon_inside"),
        )
    ),
    *(
        f"contract/cli/{name}.py"
        for name in ("app_calls", "bodies", "bounds", "connections", "direct_calls", "exchanges")
    ),
    "contract/mcp/surface.py",
    "contract/shape/header_values.py",
)
"""Those that are changed."""


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
    ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE,
    ast.GtE: ast.Gt, ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In,
}  # fmt: skip
TYPING: Final = ("TypeVar", "cast", "Literal")
"""Calls and subscripts whose strings are for type checkers."""


class _Maker(ast.NodeVisitor):
    """Walks a module, and notes down its mutants. Annotations and docstrings have none, nor has what only type checkers read."""

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
        last = node.end_lineno or 0
        start = self.offset(node.lineno, node.col_offset)
        end = self.offset(last, node.end_col_offset or 0)
        before = self.source[start:end].decode()
        where = ".".join(self.where) or "(module)"
        called = (where, _short(before), _short(after))
        self.seen[called] += 1
        place = (self.file, node.lineno, where)
        self.found.append(Mutant(*place, before, after, start, end, last, self.seen[called]))

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
        names = {target.id for target in node.targets if isinstance(target, ast.Name)}
        if names & {"__all__", "__slots__"}:
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
            ops = [*node.ops[:at], OTHER[type(op)](), *node.ops[at + 1 :]]
            self.swap(node, ast.Compare(node.left, ops, node.comparators))
        self.generic_visit(node)

    def visit_BoolOp(self, node: ast.BoolOp) -> None:
        other = ast.Or() if isinstance(node.op, ast.And) else ast.And()
        self.swap(node, ast.BoolOp(other, node.values))
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
    found = [mutant for mutant in maker.found if _is_python(mutant, source)]
    return sorted(found, key=lambda mutant: (mutant.start, -mutant.end, mutant.after))


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
