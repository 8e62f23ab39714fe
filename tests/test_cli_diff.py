"""``contract diff``."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from contract.cli.diff import lines
from contract.cli.output import clean
from contract.document.diff import Change
from tests.cli_apps import BARE, SHOP
from tests.cli_inside import having, refused, run
from tests.tables import rows


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A shop that has changed since it was emitted."""
    assert run("emit shop.py -o old.json", cwd=having(tmp_path, SHOP)).returncode == 0
    changed = SHOP.replace("int, Ge(1)] = 1", "int, Ge(1)]\n    note: str = ''")
    changed = changed.replace('summary="Sleep"', 'summary="Nap"')
    changed = changed.replace("restock_days: Annotated[int, Ge(0)]", "restock_days: int")
    assert changed.count("note: str") == 1
    return having(tmp_path, changed)


def test_the_report_is_grouped_and_ends_with_the_bump(folder: Path) -> None:
    done = run("diff old.json shop:api", cwd=folder)
    report = done.out.splitlines()

    def at(level: str) -> list[int]:
        return [number for number, line in enumerate(report) if level in line]

    assert (done.returncode, done.stderr) == (1, b"")
    assert "type OrderInput (of order)" in report or "type Order (of order)" in report
    assert any(line.startswith("  BREAKING    quantity: ") for line in report)
    assert any(line.startswith("  compatible  note: ") for line in report)
    assert '  docs        summary: the summary is "Nap", was "Sleep"' in report
    assert min(at("BREAKING")) < min(at("docs"))
    assert report[-1] == "suggested bump: major; the version is still 1.0.0: make it 2.0.0 or later"
    assert "\x1b" not in done.out


PATCH = """
from dataclasses import dataclass
from typing import NamedTuple

from contract import UNSET, Unset, route, routes, spec


class Place(NamedTuple):
    lat: float
    lon: float


@dataclass(frozen=True)
class Patch:
    name: str | Unset | None = UNSET


@route(summary="Move", tags=["places"], auth="none")
def move(input: Patch, ctx: None) -> Place:
    raise NotImplementedError


api = spec(routes=routes(move))
"""


def test_what_the_same_bytes_mean_otherwise_breaks(tmp_path: Path) -> None:
    """Nothing that is sent is refused, and all of it is misunderstood."""
    swapped = PATCH.replace("lat: float\n    lon: float", "lon: float\n    lat: float")
    swapped = swapped.replace("str | Unset | None = UNSET", "str | None = None")
    having(having(tmp_path, PATCH, "old.py"), swapped, "new.py")
    done = run("diff old.py new.py --json", cwd=tmp_path)

    assert done.returncode == 1
    changes = json.loads(done.stdout)["changes"]
    breaking = [change for change in changes if change["level"] == "breaking"]
    moved = [("item_moved", f"$defs.Place[{index}]") for index in (0, 1)]
    added = ("input_default_added", "$defs.PatchInput.name")
    assert [(change["kind"], change["path"]) for change in breaking] == [added, *moved]


def test_nothing_has_changed(folder: Path) -> None:
    done = run("diff old.json old.json --fail-on any", cwd=folder)

    assert (done.returncode, done.stdout) == (0, b"nothing has changed\n")


@rows("fail_on, breaking, other", ("breaking", 1, 0), ("any", 1, 1), ("none", 0, 0))
def test_the_exit_code_is_a_choice(folder: Path, fail_on: str, breaking: int, other: int) -> None:
    old = (folder / "old.json").read_bytes()
    (folder / "docs.json").write_bytes(old.replace(b'"summary": "Sleep"', b'"summary": "Doze"'))

    assert run("diff old.json shop.py --fail-on", fail_on, cwd=folder).returncode == breaking
    assert run("diff old.json docs.json --fail-on", fail_on, cwd=folder).returncode == other


def test_json_has_all_of_it(folder: Path) -> None:
    found = json.loads(run("diff old.json shop.py --json", cwd=folder).stdout)
    [required] = [each for each in found["changes"] if each["kind"] == "input_field_required"]

    assert found["bump"] == "major"
    version = found["version"]["old"]
    assert found["version"] == {"old": version, "new": version, "fits": False}
    assert required["level"] == "breaking"
    assert required["path"].endswith(".quantity")
    assert required["routes"] == ["order"]


WHETHER = "whether later after 1.0.0 is enough cannot be told"


@rows(
    "old, new, told",
    ("1.0.0", "2.0.0", "version 2.0.0 after 1.0.0 fits"),
    ("1.0.0", "1.1.0", "the version is 1.1.0: make it 2.0.0 or later"),
    ("1.0.0", "1.0.0", "the version is still 1.0.0: make it 2.0.0 or later"),
    ("1.0.0", "later", f"{WHETHER}, they are not both like 1.2.3"),
)
def test_the_version_fits_or_does_not(tmp_path: Path, old: str, new: str, told: str) -> None:
    renamed = BARE.replace("def ping", "def pong").replace("routes(ping", "routes(pong")
    for name, version, source in (("old", old, BARE), ("new", new, renamed)):
        emitted = json.loads(run("emit app.py", cwd=having(tmp_path, source, "app.py")).stdout)
        emitted["info"]["version"] = version
        (tmp_path / f"{name}.json").write_text(json.dumps(emitted))

    report = run("diff old.json new.json", cwd=tmp_path).out.splitlines()
    assert report[-1] == f"suggested bump: major; {told}"


def test_a_version_alone_asks_for_nothing(folder: Path) -> None:
    document = json.loads((folder / "old.json").read_text())
    document["info"]["version"] = "9.9.9"
    (folder / "new.json").write_text(json.dumps(document))
    report = run("diff old.json new.json", cwd=folder).out.splitlines()

    assert report[0] == "service"
    assert report[-1].startswith("suggested bump: none; the version is 9.9.9, was ")


def test_what_cannot_be_read_has_its_exit_code(folder: Path) -> None:
    said = refused("diff old.json absent.json", cwd=folder, code=3)

    assert said == "contract: cannot read absent.json: No such file or directory\n"


CHANGE = Change(
    kind="x", level="breaking", path="routes.a.input.b", text="t\x1b[2J\u009b\u2028", route="a"
)


def test_a_terminal_gets_colours_but_none_of_a_document() -> None:
    assert lines([CHANGE], paint=True) == [
        "\x1b[1mroute a\x1b[0m",
        "  \x1b[31mBREAKING  \x1b[0m  input.b: t\\u001b[2J\\u009b\\u2028",
    ]
    assert clean("\x00a") == "\\u0000a"


@pytest.mark.unwatched
@rows("environ, coloured", ({}, True), ({"NO_COLOR": "1"}, False), ({"TERM": "dumb"}, False))
def test_colours_are_for_terminals(
    environ: dict[str, str], coloured: bool, monkeypatch: pytest.MonkeyPatch, folder: Path
) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    for name, value in environ.items():
        monkeypatch.setenv(name, value)
    done = run("diff old.json shop.py", cwd=folder, terminal=True)

    assert (b"\x1b[31m" in done.stdout) is coloured


def test_a_change_of_a_whole_has_no_place() -> None:
    change = Change(kind="x", level="docs", path="routes.a", text="t", route="a")

    assert lines([change], paint=False) == ["route a", "  docs        t"]


TOKEN = """
from contract import Request, api_key, bearer, route, routes, spec, ways


def user_of(token: str, request: Request) -> str:
    return token


@route(summary="Tell who calls", tags=["who"], effect="read")
def who(input: None, ctx: str) -> str:
    return ctx


api = spec(authenticate=api_key(user_of, header="Token"), routes=routes(who))
"""


def test_other_names_in_generated_code_are_told(tmp_path: Path) -> None:
    """The documents alone do not show that a client has to be used otherwise."""
    both = TOKEN.replace("api_key(", "ways(bearer(user_of), api_key(").replace('"),', '")),')
    having(having(tmp_path, TOKEN, "old.py"), both, "new.py")
    report = run("diff old.py new.py", cwd=tmp_path).out.splitlines()

    option = "in generated Python and TypeScript the option is token_2, was token"
    assert f"  source      ways.Token: {option}; on the wire nothing changes" in report
    assert "1 source, 1 compatible, 1 docs" in report
