"""Finding what is meant: files, modules, and the value in them."""

from __future__ import annotations

import json
import os
import pickle
import sys
import sysconfig
import traceback
from collections.abc import Iterator
from pathlib import Path

import pytest

from contract import route
from contract.cli.find import Target, aim, explain, take
from contract.cli.output import Stop
from tests.cli_apps import ASYNC_MOUNTED, BARE, MOUNTED, TWO_MOUNTS
from tests.cli_inside import inside, stopping
from tests.tables import rows


@pytest.fixture(autouse=True)
def folder(tmp_path: Path) -> Iterator[Path]:
    """A folder of its own to stand in."""
    with inside(tmp_path):
        yield tmp_path


def _write(*names: str, text: str = BARE) -> None:
    for name in names:
        path = Path(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


@rows(
    "text, module, attribute",
    ("found_1.py", "found_1", None),
    ("found_1.py:api", "found_1", "api"),
    ("./found_1.py:holder.api", "found_1", "holder.api"),
    ("deep/found_2.py", "found_2", None),
    ("pack/inner/found_3.py", "pack.inner.found_3", None),
    ("pack/", "pack", None),
    ("deep/", "found_2", None),
)
def test_a_file_becomes_a_module_that_can_be_imported(
    folder: Path, text: str, module: str, attribute: str | None
) -> None:
    _write("found_1.py", "deep/found_2.py")
    _write("pack/__init__.py", "pack/inner/__init__.py", "pack/inner/found_3.py")
    target = aim(text)

    assert (target.module, target.attribute) == (module, attribute)
    assert target.root == (folder / "deep" if "deep" in text else folder).resolve()
    assert pickle.loads(pickle.dumps(target)) == target


def test_a_module_is_looked_for_from_here(folder: Path) -> None:
    found = aim("package.found_4:api")
    assert found == Target("package.found_4:api", "package.found_4", folder, None, "api")


@rows(
    "text, code, problem",
    ("absent.py", 3, "there is no file absent.py"),
    ("a" * 5000 + ".py", 3, "cannot read aaa"),
    ("with-dash.py", 3, "'with-dash' is not a valid module name; rename it"),
    ("with-dash", 2, "neither a file nor a module"),
    ("found:", 2, "names nothing after the colon"),
    ("found:a-b", 2, "names nothing after the colon"),
    ("contract.py", 3, "contract.py shadows the package `contract`"),
    ("contract:api", 3, "module contract shadows the package `contract`"),
    ("empty/", 2, "makes a spec; name one, such as shop.py"),
    ("around/", 2, "makes a spec; name one, such as inside/it.py"),
)
def test_what_cannot_be_meant_is_refused(text: str, code: int, problem: str) -> None:
    _write("with-dash.py", "contract.py", "empty/readme.md")
    _write("around/inside/it.py", text=BARE)
    with stopping(problem.replace(".", r"\.").replace("(", r"\("), code):
        aim(text)


@rows(
    "others, imports",
    ((), ""),
    (("test_it.py", "conftest.py"), ""),
    (("v1.py", "v2.py", "shop.py"), "import v1, pack.shop\nfrom .v2 import api as newer\n"),
)
def test_without_a_name_the_file_of_a_spec_is_taken(
    others: tuple[str, ...], imports: str, capsys: pytest.CaptureFixture[str]
) -> None:
    _write("it.py", text=imports + BARE)
    _write(*others)
    _write("api.py", text="import json\n")

    assert aim(None).module == "it"
    assert capsys.readouterr() == ("", "contract: no target was named; this is it.py\n")


@rows(
    "texts, named",
    ({"two.py": BARE, "app.py": BARE, "v1.py": f"import two\n{BARE}"}, "app.py, v1.py"),
    ({"one.py": f"import two\n{BARE}", "two.py": f"import one\n{BARE}"}, "one.py, two.py"),
    ({"one.py": BARE, "two.py": f"import one\n{BARE}1 +"}, "one.py, two.py"),
)
def test_of_several_files_one_must_be_named(texts: dict[str, str], named: str) -> None:
    for name, text in texts.items():
        _write(name, text=text)
    with pytest.raises(Stop) as stopped:
        aim(None)

    first = named.partition(",")[0]
    assert stopped.value.message == f"several files make a spec: {named}; name one, such as {first}"
    assert stopped.value.code == 2


def test_an_import_in_several_lines_is_seen() -> None:
    _write("other.py", text="from contract import (\n    route,\n    spec,\n)\n")

    assert aim(None).module == "other"


TWO_SPECS = BARE + "also = spec(routes=routes(ping))\n"
OF_WSGI = MOUNTED.replace("mount = mount_spec", "wsgi = mount_spec").replace(
    '"/up")', '"/up").wsgi'
)
OF_ASGI = ASYNC_MOUNTED.replace("mount = mount_spec", "asgi = mount_spec")


@rows(
    "text, attribute, name, kind",
    (BARE, None, "api", "spec"),
    (BARE + "also = api\n", None, "api", "spec"),
    (TWO_SPECS, "also", "also", "spec"),
    (BARE + "class Holder:\n    inner = api\n", "Holder.inner", "Holder.inner", "spec"),
    (MOUNTED, None, "mount", "mount"),
    (MOUNTED, "app", "app", "falcon"),
    (MOUNTED, "api", "api", "spec"),
    (MOUNTED.replace("mount = ", ""), None, "app", "falcon"),
    (ASYNC_MOUNTED, None, "mount", "mount"),
    (TWO_MOUNTS, None, "app", "falcon"),
    (TWO_MOUNTS, "other", "other", "mount"),
    (MOUNTED + "wsgi = mount.wsgi\n", "wsgi", "wsgi", "mount"),
    (MOUNTED + "wsgi = mount.wsgi\n", None, "mount", "mount"),
    (OF_WSGI, None, "wsgi", "mount"),
    (OF_ASGI.replace('"/up")', '"/up").asgi'), "asgi", "asgi", "mount"),
    (TWO_MOUNTS + "a, b = mount.asgi, other.asgi\n", None, "app", "falcon"),
)
def test_what_is_meant_is_found_in_the_module(
    text: str, attribute: str | None, name: str, kind: str
) -> None:
    _write("found_5.py", text=text)
    taken = take(aim("found_5.py" if attribute is None else f"found_5.py:{attribute}"))

    assert (taken.name, taken.kind, taken.module.__name__) == (name, kind, "found_5")


SEVERAL = (
    "found_6.py has several values that could be served: api, also; name one, like found_6.py:api"
)
NONE = r"found_6.py holds no spec; make one: api = spec\(routes=routes\(\.\.\.\)\)"
RAISES = "found_6.py cannot be imported(.|\n)*"


@rows(
    "text, target, problem",
    (TWO_SPECS, "found_6.py", SEVERAL),
    ("x = 1\n", "found_6.py", NONE),
    ("x = 1\n", "found_6.py:x", "found_6:x is an int; name a spec"),
    (BARE, "found_6.py:ping", "found_6:ping is a PublicRoute; name a spec"),
    (BARE, "found_6.py:apo", "found_6 has no 'apo'; what can be served there: api"),
    ("x = 1\n", "found_6.py:api", "what can be served there: none"),
    ("import absent_module\n", "found_6.py", f"{RAISES}No module named 'absent_module'"),
    ("raise SystemExit(4)\n", "found_6.py", f"{RAISES}SystemExit: 4"),
    ("x = 1\n", "absent_7:api", "there is no module 'absent_7' in .* or on sys.path"),
    ("x = 1\n", "found_6.inner:api", "cannot be imported|there is no module"),
)
def test_what_cannot_be_taken_is_told_about(text: str, target: str, problem: str) -> None:
    _write("found_6.py", text=text)
    with stopping(problem, 3):
        take(aim(target))


def test_a_file_with_the_name_of_another_module_is_refused() -> None:
    _write("json.py", "sys.py")
    for module, place in (("json", r".*json/__init__\.py"), ("sys", "built in")):
        problem = rf"another module has the name '{module}' \({place}\); rename it"
        with pytest.raises(Stop, match=problem):
            take(aim(f"{module}.py"))


def test_ctrl_c_while_an_app_is_imported_is_ctrl_c() -> None:
    _write("found_8.py", text="raise KeyboardInterrupt\n")
    with pytest.raises(KeyboardInterrupt):
        take(aim("found_8.py"))


def test_a_module_of_the_folder_is_found_twice_with_one_entry_on_the_path(folder: Path) -> None:
    _write("found_9.py")
    take(aim("found_9.py"))
    take(aim("found_9:api"))

    assert sys.path.count(str(folder)) == 1


def test_without_falcon_nothing_is_taken_for_an_app(monkeypatch: pytest.MonkeyPatch) -> None:
    _write("found_10.py", text=BARE + "app = object()\n")
    monkeypatch.delitem(sys.modules, "falcon", raising=False)

    assert take(aim("found_10.py")).name == "api"


def test_what_is_no_file_that_can_be_read_is_passed_over(folder: Path) -> None:
    """Emacs locks a file with a link to nowhere; a folder may be called anything."""
    _write("found_20.py", ".hidden_20.py")
    (folder / ".#found_20.py").symlink_to("somebody@somewhere.1")
    (folder / "gone_20.py").symlink_to("nowhere.py")
    (folder / "folder_20.py").mkdir()
    os.mkfifo(folder / "pipe_20.py")  # whoever opens it waits for a writer

    assert aim(None).module == "found_20"


def test_a_file_that_cannot_be_read_is_passed_over(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _write("found_21.py", "secret_21.py")
    read = Path.read_bytes

    def guarded(path: Path) -> bytes:
        if path.name == "secret_21.py":
            raise PermissionError
        return read(path)

    monkeypatch.setattr(Path, "read_bytes", guarded)

    assert aim(None).module == "found_21"


def test_what_an_attribute_raises_is_told() -> None:
    lazy = "class Lazy:\n    def __getattr__(self, name):\n        return 1 / 0\nlazy = Lazy()\n"
    _write("found_22.py", text=lazy)
    with stopping(r"found_22:lazy\.api cannot be had\n\n(.|\n)*ZeroDivisionError", 3):
        take(aim("found_22.py:lazy.api"))


def test_a_value_that_has_no_class_is_none_of_ours() -> None:
    broken = "class Proxy:\n    @property\n    def __class__(self):\n        return 1 / 0\nproxy = Proxy()\n"
    _write("found_23.py", text=broken + BARE)

    assert take(aim("found_23.py")).name == "api"


# Tracebacks of an app, without the frames that are not its author's.


def _raised(source: str, filename: str) -> BaseException:
    try:
        exec(compile(source, filename, "exec"), {"__name__": "app", "route": route, "json": json})
    except BaseException as exception:
        return exception
    raise AssertionError("nothing was raised")


def _without_this_test(exception: BaseException) -> BaseException:
    """Without its first frame."""
    return exception.with_traceback(exception.__traceback__ and exception.__traceback__.tb_next)


def test_only_the_author_s_frames_are_left(tmp_path: Path) -> None:
    file = str(tmp_path / "app.py")
    text = explain(_raised("def read():\n    json.loads('x')\n\nread()\n", file))

    assert text.count(f'File "{file}"') == 2
    assert text.endswith("json.decoder.JSONDecodeError: Expecting value: line 1 column 1 (char 0)")
    assert "json/" not in text
    assert not text.startswith("Traceback")


def test_code_without_a_file_has_no_frame(tmp_path: Path) -> None:
    text = explain(_raised("from contract import Meta\nMeta(title=1)\n", str(tmp_path / "app.py")))

    assert "app.py" in text
    assert "<string>" not in text


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
    text = explain(_without_this_test(_raised("1 / 0\n", file)))

    assert f'File "{file}", line 1' in text
    assert text.endswith("ZeroDivisionError: division by zero")


def test_a_traceback_is_the_standard_one_but_for_that(tmp_path: Path) -> None:
    exception = _without_this_test(_raised("1 / 0\n", str(tmp_path / "app.py")))

    found = explain(exception)
    assert found == "".join(traceback.format_exception(exception)).partition("\n")[2].rstrip()
