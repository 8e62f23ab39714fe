"""Tracebacks of an app, without the frames that are not its author's."""

from __future__ import annotations

import json
import sysconfig
import traceback
from pathlib import Path

from contract import route
from contract.cli.traces import explain


def _raised(source: str, filename: str) -> BaseException:
    try:
        exec(compile(source, filename, "exec"), {"__name__": "app", "route": route, "json": json})
    except BaseException as exception:
        return exception
    raise AssertionError("nothing was raised")


def test_only_the_author_s_frames_are_left(tmp_path: Path) -> None:
    file = str(tmp_path / "app.py")
    text = explain(_raised("def read():\n    json.loads('x')\n\nread()\n", file))

    assert text.count(f'File "{file}"') == 2
    assert text.endswith("json.decoder.JSONDecodeError: Expecting value: line 1 column 1 (char 0)")
    assert "json/" not in text
    assert not text.startswith("Traceback")


def test_a_wrong_declaration_speaks_for_itself(tmp_path: Path) -> None:
    source = (
        "@route(summary='', tags=[], auth='none')\ndef order(input: None, ctx: None) -> None: ...\n"
    )
    text = explain(_raised(source, str(tmp_path / "app.py")))

    assert "app.py" in text
    assert "RouteDeclarationError" not in text
    assert text.splitlines()[-1].partition(":")[0].startswith("order")


def test_causes_and_groups_are_stripped_as_well(tmp_path: Path) -> None:
    file = str(tmp_path / "app.py")
    source = "try:\n    json.loads('x')\nexcept ValueError as e:\n    raise ExceptionGroup('both', [RuntimeError('one')]) from e\n"
    text = explain(_raised(source, file))

    assert "decoder.py" not in text
    assert "direct cause" in text
    assert "RuntimeError: one" in text


def test_a_syntax_error_shows_its_line(tmp_path: Path) -> None:
    file = tmp_path / "app.py"
    text = explain(_raised("x = (\n", str(file)))

    assert f'File "{file}", line 1' in text
    assert "was never closed" in text


def test_frames_of_an_installed_app_are_kept_where_there_are_no_others() -> None:
    file = str(Path(sysconfig.get_path("purelib")) / "app" / "main.py")
    exception = _raised("1 / 0\n", file)
    exception.__traceback__ = (
        exception.__traceback__ and exception.__traceback__.tb_next
    )  # the frame of this test
    text = explain(exception)

    assert f'File "{file}", line 1' in text
    assert text.endswith("ZeroDivisionError: division by zero")


def test_a_traceback_is_the_standard_one_but_for_that(tmp_path: Path) -> None:
    exception = _raised("1 / 0\n", str(tmp_path / "app.py"))
    exception.__traceback__ = exception.__traceback__ and exception.__traceback__.tb_next

    assert (
        explain(exception)
        == "".join(traceback.format_exception(exception)).partition("\n")[2].rstrip()
    )
