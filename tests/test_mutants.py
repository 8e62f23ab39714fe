"""The mutants themselves: which changes are made, and that the list of those that make no difference stays true."""

from __future__ import annotations

import ast
import json
from pathlib import Path
from types import FunctionType

import pytest
from coverage import CoverageData

from tests.mutation import reach, running
from tests.mutation.making import EQUIVALENT, FILES, ROOT, Mutant, equivalents, mutants_of, sampled
from tests.mutation.reach import TESTS
from tests.mutation.running import Results, Run, codes
from tests.tables import rows

SOURCE = b'''
"""A docstring."""

__all__ = ["f"]

A: Literal["x"] = cast("X", 1)


class K:
    """One more."""

    def f(self, a: "int", b=None, *, c=3) -> "str":
        """The last."""
        if a == 1 and not b:
            self.go("now")
        d = f"{a} and 1"
        return d
'''


def changes(source: bytes) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for mutant in mutants_of("a.py", source):
        found.setdefault(mutant.where, set()).add(mutant.change)
    return found


def test_what_runs_is_changed_and_what_is_only_read_is_not() -> None:
    assert changes(SOURCE) == {
        "(module)": {"1 -> 2"},
        "K.f": {
            "None -> ()",
            "3 -> 4",
            "a == 1 and not b -> (a == 1 or not b)",
            "a == 1 -> (a != 1)",
            "1 -> 2",
            "not b -> (b)",
            'self.go("now") -> pass',
            "\"now\" -> '~'",
            'd = f"{a} and 1" -> pass',
            "return d -> return None",
        },
    }


@rows(
    "code, changed",
    *(
        (f"a {one} b", f"(a {other} b)")
        for one, other in (("<", "<="), (">=", ">"), ("is", "is not"), ("not in", "in"))
    ),
    ("a or b", "(a and b)"),
    ("True", "False"),
    ("1.5", "2.5"),
    ("b'x'", "b'~'"),
)
def test_each_change_stands_where_it_was_read(code: str, changed: str) -> None:
    source = f"x = {code}; y = 'ä'\n".encode()
    mutant = mutants_of("a.py", source)[0]

    assert mutant.applied(source) == f"x = {changed}; y = 'ä'\n".encode()
    assert mutant.line == 1


def test_those_of_one_name_are_numbered() -> None:
    found = [mutant.change for mutant in mutants_of("a.py", b"x = [1, 1]\n")]
    assert found == ["1 -> 2", "1 -> 2 (2)"]


def test_what_is_no_python_is_no_mutant() -> None:
    """A name that is nonlocal has to be given a value around it."""
    source = b"""
def f():
    a = 1

    def g():
        nonlocal a
        a = 2
"""
    assert changes(source) == {"f": {"1 -> 2"}, "f.g": {"a = 2 -> pass", "2 -> 3"}}


@pytest.fixture(scope="module")
def mutants() -> list[Mutant]:
    return [mutant for file in FILES for mutant in mutants_of(file, (ROOT / file).read_bytes())]


def test_every_mutant_of_the_core_is_another_module(mutants: list[Mutant]) -> None:
    sources = {file: (ROOT / file).read_bytes() for file in FILES}

    assert len({mutant.key for mutant in mutants}) == len(mutants)
    for mutant in mutants[::7]:  # parsing them all takes its time
        ast.parse(mutant.applied(sources[mutant.file]))
        assert sources[mutant.file][mutant.start : mutant.end].decode() == mutant.before


def test_the_files_and_their_tests_are_there_with_every_adapter() -> None:
    adapters = {
        f"contract/adapters/{path.name}"
        for path in (ROOT / "contract/adapters").glob("*.py")
        # an authenticate, and no part of a call
        if path.stem not in {"__init__", "exchanges", "jwks", "jwt", "jwt_keys"}
    }

    assert adapters <= set(FILES)
    assert all((ROOT / file).exists() for file in (*FILES, *TESTS))


def test_an_entry_without_a_mutant_or_a_reason_is_an_error() -> None:
    found = mutants_of("contract/call/bearer.py", b"x = 1\n")
    listed = b"""
"contract/call/bearer.py (module): 1 -> 2" = "Nobody reads x."
"contract/call/bearer.py (module): 3 -> 4" = "It has gone."
"contract/gone.py (module): 1 -> 2" = "So has the file."
"contract/call/message.py (module): 1 -> 2" = "Of a file that is not looked at."
"""
    entries, stale = equivalents(listed, found, ["contract/call/bearer.py"])
    assert len(entries) == 4
    gone = ["contract/call/bearer.py (module): 3 -> 4", "contract/gone.py (module): 1 -> 2"]
    assert stale == gone
    without = listed.replace(b"Nobody reads x.", b" ")
    _, stale = equivalents(without, found, ["contract/call/bearer.py"])
    assert stale == ["contract/call/bearer.py (module): 1 -> 2", *gone]


def test_every_entry_of_the_list_stands_for_a_mutant(mutants: list[Mutant]) -> None:
    assert equivalents((ROOT / EQUIVALENT).read_bytes(), mutants, FILES)[1] == []


def test_a_sample_is_of_every_file_and_always_the_same(mutants: list[Mutant]) -> None:
    found = sampled(mutants, 2 * len(FILES), 1)

    assert {mutant.file for mutant in found} == set(FILES)
    assert found == sampled(mutants, 2 * len(FILES), 1)
    assert found != sampled(mutants, 2 * len(FILES), 2)


def test_a_function_that_is_there_already_gets_the_code_of_the_mutant(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = b"""
def f():
    return 1


def make():
    def f():
        return 2

    return f
"""
    monkeypatch.setattr(running, "ROOT", tmp_path)
    (tmp_path / "a.py").write_bytes(source)
    module: dict[str, FunctionType] = {}
    exec(compile(source, tmp_path / "a.py", "exec", dont_inherit=True), module)
    functions = [module["f"], module["make"], module["make"]()]

    mutant = next(each for each in mutants_of("a.py", source) if each.before == "2")
    running.put_in_place(mutant, functions)

    names = [code.co_qualname for code in codes(functions[1].__code__)]
    assert names == ["make", "make.<locals>.f"]
    assert [functions[0](), functions[1]()(), functions[2]()] == [1, 3, 3]


def test_what_came_of_a_mutant_is_kept_as_long_as_it_is_true(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(running, "KEPT", tmp_path)
    hashes = {"a.py": b"", "test_a.py": b"", "test_b.py": b""}
    monkeypatch.setattr(reach, "_hash_of_file", hashes.__getitem__)
    monkeypatch.setattr(running, "test_files", lambda: ("test_a.py", "test_b.py"))
    killed, survived = mutants_of("a.py", b"x = [1, 2]")
    results = Results()
    results.add(killed, "killed", "test_a.py::test_one")
    results.add(survived, "survived", "")

    assert [Results().of(killed), Results().of(survived)] == ["killed", "survived"]

    hashes["test_b.py"] = b"changed"
    assert [Results().of(killed), Results().of(survived)] == ["killed", None]

    hashes["a.py"] = b"changed"
    assert Results().of(killed) is None


def test_a_test_that_forks_hides_nothing_that_others_have_reached(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "test_forks.py").write_text(
        """
import functools, os
from contract.call.bearer import bearer_token

def answer():
    return 42
answer.__module__ = "tests.forks"
answer = functools.cache(answer)

def test_reaches():
    assert bearer_token("Bearer a") == "a"

def test_forks():
    child = os.fork()
    if not child:
        answer()
        os._exit(0)
    os.waitpid(child, 0)
"""
    )
    monkeypatch.setattr(reach, "KEPT", tmp_path)
    monkeypatch.setattr(reach, "TESTS", (str(tmp_path / "test_forks.py"),))
    monkeypatch.setattr(reach, "_hash_of_all", str)
    reach.apart(reach.Reach().run)
    facts = json.loads((tmp_path / "tests.json").read_bytes())
    tests = reach.Tests(facts["took"], facts["failed"])
    file = "contract/call/bearer.py"
    reached = [tests.reach(mutant) for mutant in mutants_of(file, (ROOT / file).read_bytes())]

    assert facts["failed"] == []
    assert any(name.endswith("::test_reaches") for names in reached for name in names)


def test_a_test_that_fails_now_and_then_hides_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Alone, quick files come first: another test that stands before it may not have run yet."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(reach, "KEPT", tmp_path)
    monkeypatch.setattr(running, "KEPT", tmp_path)
    (tmp_path / "test_quick.py").write_text(
        """
from pathlib import Path

def test_fails_once():
    times = Path("times")
    times.write_text(times.read_text() + "." if times.exists() else "")
    assert times.read_text()
"""
    )
    (tmp_path / "test_slow.py").write_text("def test_finds(): raise AssertionError")
    quick, slow = "test_quick.py::test_fails_once", "test_slow.py::test_finds"
    file = "contract/call/bearer.py"
    mutant = mutants_of(file, (ROOT / file).read_bytes())[0]
    data = CoverageData(str(tmp_path / "lines"))
    for name in (quick, slow):
        data.set_context(name)
        data.add_lines({str(ROOT / file): [mutant.line]})
    data.write()
    tests = reach.Tests({quick: 0.0, slow: 1.0}, [])
    tests.noticed(mutant, slow)
    results = Results()

    Run(tests, results, 1, tmp_path).each_alone([mutant])

    assert (results.of(mutant), results.killer(mutant)) == ("killed", slow)
