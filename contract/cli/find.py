"""
Find: from the text that was typed to the file, the module and the value to serve.

`aim` looks at names and files only. `take` imports the app, so it must run in a process that may
end with the app.
"""

from __future__ import annotations

import ast
import importlib
import re
import sys
import sysconfig
import traceback
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any, Final, Literal, final

import contract
from contract.cli.output import Stop, dim, say
from contract.declare.spec import Spec
from contract.pred.dump.scalars import a_value
from contract.shape.exceptions import DeclarationError

__all__ = ["Kind", "Taken", "Target", "aim", "explain", "falcon_apps", "names_of_mounts", "take"]

Kind = Literal["spec", "mount", "falcon"]
"""The kind of a value: a spec by itself, a spec in a Falcon app, or a whole Falcon app."""

# An import of `spec` or `mount_spec`, which may go over several lines. A pattern finds it also in a
# file that is being written, and for the moment is not Python.
_MAKES_A_SPEC: Final = re.compile(
    rb"^[ \t]*(?:from|import)[ \t]+contract\b.*?\b(?:mount_spec|spec)\b", re.MULTILINE | re.DOTALL
)

_MODULE: Final = re.compile(r"[^\W\d]\w*(?:\.[^\W\d]\w*)*")


@final
@dataclass(frozen=True, slots=True)
class Target:
    """
    A module to import, and the name in it.

    Attributes:
        text: The text that was typed, for messages.
        module: The full name of the module.
        root: The folder that must be on ``sys.path`` to import it.
        file: The file, if one was given.
        attribute: The name in the module, perhaps dotted; None to search for it.
    """

    text: str
    module: str
    root: Path
    file: Path | None
    attribute: str | None


@final
@dataclass(frozen=True, slots=True)
class Taken:
    """
    A value that can be served.

    Attributes:
        name: Its name in the module.
        kind: The kind of *value*.
        value: A `Spec`, a `Mount` or a Falcon app.
        module: The module that has it.
    """

    name: str
    kind: Kind
    value: Any
    module: ModuleType


def aim(text: str | None) -> Target:
    """
    The target that *text* names; without a text, the file in this folder that makes a spec.

    It prints the file that it chose, since another one may be meant.
    """
    here = Path.cwd()
    if text is None:
        found = _only_file(here)
        say(dim(f"contract: no target was named; this is {found.name}"))
        return _aim_at_file(found, None)
    # a file or a module, and after a colon perhaps a name in it
    place, colon, attribute = text.partition(":")
    if colon and not _MODULE.fullmatch(attribute):
        raise Stop(2, f"{text!r} names nothing after the colon; write it like shop.py:api")
    if place.endswith(".py") or "/" in place:
        return _aim_at_file(Path(place), attribute or None)
    if not _MODULE.fullmatch(place):
        raise Stop(
            2,
            f"{text!r} is neither a file nor a module; "
            "write it like shop.py:api or package.module:api",
        )
    _refuse_our_name(place, f"module {place}")
    return Target(text, place, here, None, attribute or None)


def take(target: Target) -> Taken:
    """Import the module of *target*, and find the value to serve in it."""
    # 1. Import it; without a name, take the only value that can be served.
    module = _imported(target)
    if target.attribute is None:
        return _only(target, module)
    # 2. Follow the name. Anything may happen there: a property of the app's may raise.
    value: Any = module
    for name in target.attribute.split("."):
        try:
            value = getattr(value, name)
        except AttributeError:
            named = ", ".join(_servable(module)) or "none"
            raise Stop(
                3, f"{target.module} has no {target.attribute!r}; what can be served there: {named}"
            ) from None
        except Exception as exception:  # noqa: BLE001  whatever an app raises is told
            raise Stop(
                3, f"{target.module}:{target.attribute} cannot be had\n\n{explain(exception)}"
            ) from None
    # 3. See what it is.
    kind = _kind(value)
    if kind is None:
        raise Stop(
            3,
            f"{target.module}:{target.attribute} is {a_value(value)}; "
            "name a spec, what mount_spec() gave, or a Falcon app",
        )
    return Taken(target.attribute, kind, _meant(kind, value), module)


def names_of_mounts(module: ModuleType) -> list[str]:
    """The names of mounts in *module*, which tell the mounts of one app apart."""
    return [name for name, taken in _servable(module).items() if taken.kind == "mount"]


def _aim_at_file(path: Path, attribute: str | None) -> Target:
    text = path.name
    if attribute:
        text = f"{path.name}:{attribute}"
    # 1. Find the file: in a folder, that of the package, or the only one that makes a spec.
    try:
        if path.is_dir():
            inside = path / "__init__.py"
            if inside.exists():
                path = inside
            else:
                path = _only_file(path)
        is_file = path.is_file()
    except OSError as error:  # for example, its name is too long
        raise Stop(3, f"cannot read {path}: {error.strerror}") from None
    if not is_file:
        raise Stop(3, f"there is no file {path}")
    # 2. Find the full name of its module.
    file = path.resolve()
    names: list[str] = []
    if file.name != "__init__.py":
        names.append(file.stem)
    root = file.parent
    # a module of a package is imported as one, so that it pickles and finds its siblings
    while (root / "__init__.py").exists():
        names.insert(0, root.name)
        root = root.parent
    # 3. Check that it can be imported under that name.
    for name in names:
        if not name.isidentifier():
            raise Stop(
                3,
                f"{path} cannot be imported: {name!r} is not a valid module name; "
                "rename it, with letters, digits and underscores",
            )
    _refuse_our_name(names[0], str(path))
    return Target(text, ".".join(names), root, file, attribute)


def _refuse_our_name(module: str, what: str) -> None:
    if module.partition(".")[0] == contract.__name__:
        raise Stop(
            3,
            f"{what} shadows the package `contract`: it would import itself; "
            "give it another name, such as app.py",
        )


def _only_file(folder: Path) -> Path:
    """The one file in *folder* that makes a spec and is not imported by another such file."""
    found: list[Path] = []
    for path in sorted(folder.glob("*.py")):
        is_test = path.name.startswith(("test_", "conftest"))
        if not is_test and not path.name.startswith(".") and _makes_a_spec(path):
            found.append(path)
    meant = found
    if len(found) > 1:  # of a module and the parts that it imports, the module is meant
        meant = _unimported(found)
    if len(meant) == 1:
        return meant[0]
    if found:
        names = [path.name for path in meant or found]
        raise Stop(
            2, f"several files make a spec: {', '.join(names)}; name one, such as {names[0]}"
        )
    such = "shop.py"
    below = [path for path in sorted(folder.glob("*/*.py")) if _makes_a_spec(path)]
    if below:
        such = below[0].relative_to(folder).as_posix()
    raise Stop(2, f"no file in {folder} makes a spec; name one, such as {such}")


def _unimported(paths: Sequence[Path]) -> list[Path]:
    """Those of *paths* that no other one of them imports."""
    found: list[Path] = []
    imported = {path: _imported_by(path) for path in paths}
    for path in paths:
        others = (names for other, names in imported.items() if other != path)
        if not any(path.stem in names for names in others):
            found.append(path)
    return found


def _imported_by(path: Path) -> set[str]:
    """The names that the file imports; empty if it is not valid Python."""
    found: set[str] = set()
    with suppress(OSError, SyntaxError, ValueError):
        for node in ast.walk(ast.parse(path.read_bytes())):
            if isinstance(node, ast.Import | ast.ImportFrom):
                names = [each.name for each in node.names]
                if isinstance(node, ast.ImportFrom):
                    names.append(node.module or "")  # none in ``from . import shop``
                # every part of a dotted name: the file may be any of these modules
                for name in names:
                    found.update(name.split("."))
    return found


def _makes_a_spec(path: Path) -> bool:
    """Whether a file seems to make a spec; importing it to find out would run it."""
    try:
        return path.is_file() and _MAKES_A_SPEC.search(path.read_bytes()) is not None
    except OSError:
        return False


def _imported(target: Target) -> ModuleType:
    # 1. Import it, with its own folder in front, as Python does for a script.
    root = str(target.root)
    if root not in sys.path[:1]:
        sys.path.insert(0, root)
    try:
        module = importlib.import_module(target.module)
    except (KeyboardInterrupt, GeneratorExit):
        raise
    except BaseException as exception:  # noqa: BLE001
        # SystemExit, too: an app that ends the process cannot be served
        name: str | None = None
        if isinstance(exception, ModuleNotFoundError):
            name = exception.name
        # the target itself or a package around it; if another module is missing, the app needs it
        if name and f"{target.module}.".startswith(f"{name}."):
            raise Stop(3, f"there is no module {name!r} in {root} or on sys.path") from None
        raise Stop(3, f"{target.text} cannot be imported\n\n{explain(exception)}") from None
    # 2. Check that it is the file that was meant: another module may have been imported before
    #    under this name, such as one of the standard library.
    found = getattr(module, "__file__", None)
    if target.file is not None and (found is None or not target.file.samefile(found)):
        raise Stop(
            3,
            f"{target.file} cannot be imported: another module has the name {target.module!r} "
            f"({found or 'built in'}); rename it",
        )
    return module


def _only(target: Target, module: ModuleType) -> Taken:
    """The only value of *module* that can be served, and is not part of another such value."""
    once: dict[int, Taken] = {}
    for taken in _servable(module).values():
        once.setdefault(id(taken.value), taken)  # if one thing has two names, the first
    found = [*once.values()]
    meant = [taken for taken in found if not any(_holds(other, taken) for other in found)]
    if len(meant) == 1:
        return meant[0]
    if meant:
        names = [taken.name for taken in meant]
        raise Stop(
            3,
            f"{target.text} has several values that could be served: {', '.join(names)}; "
            f"name one, like {target.text}:{names[0]}",
        )
    raise Stop(3, f"{target.text} holds no spec; make one: api = spec(routes=routes(...))")


def _servable(module: ModuleType) -> Mapping[str, Taken]:
    found: dict[str, Taken] = {}
    for name, value in vars(module).items():
        kind = _kind(value)
        if kind is not None:
            found[name] = Taken(name, kind, _meant(kind, value), module)
    return found


def falcon_apps() -> ModuleType:
    """
    The module that knows Falcon.

    Nothing imports it, so a plain spec is served without Falcon; a Falcon app has loaded Falcon.
    """
    return importlib.import_module("contract.cli.falcon_apps")


def _kind(value: object) -> Kind | None:
    try:
        if isinstance(value, Spec):
            return "spec"
        # Falcon is not loaded, so the value cannot have one of its types
        if "falcon" not in sys.modules:
            return None
        kind: Kind | None = falcon_apps().kind(value)
    except Exception:  # noqa: BLE001  asked for its class, a proxy without an object raises
        return None
    return kind


def _meant(kind: Kind, value: Any) -> Any:
    """The *value*, or the mount whose ``wsgi`` or ``asgi`` it is."""
    if kind == "mount":
        return falcon_apps().meant(value)
    return value


def _holds(taken: Taken, other: Taken) -> bool:
    """Whether *other* is served along with *taken*: the spec of a mount, the mounts of an app."""
    return taken.kind != "spec" and bool(falcon_apps().holds(taken.value, other.value))


# Tracebacks of an app, reduced to the frames of its author.

_MACHINERY: Final = (Path(__file__).parents[1], Path(importlib.__file__).parent)
"""The folders of the code that imports an app, which appears in every traceback."""


@cache
def _installed() -> tuple[Path, ...]:
    """The folders of what is installed; to find them, Python loads a table of how it was built."""
    names = ("stdlib", "platstdlib", "purelib", "platlib")
    return tuple({Path(sysconfig.get_path(name)).resolve() for name in names})


def explain(exception: BaseException) -> str:
    """
    The traceback of *exception*, with only the frames of the app's author.

    Frames of this package, of the standard library, of installed packages and of code without a
    file (``__init__`` of a dataclass) are left out.

    The message of a `DeclarationError` needs no class name, so that is left out, too.
    """
    summary = traceback.TracebackException.from_exception(exception, compact=True)
    _strip(summary)
    text = "".join(summary.format()).rstrip()
    text = text.removeprefix("Traceback (most recent call last):\n")
    if isinstance(exception, DeclarationError):
        kind = type(exception)
        text = text.replace(f"{kind.__module__}.{kind.__qualname__}: ", "", 1)
    return text


def _strip(summary: traceback.TracebackException) -> None:
    frames = [frame for frame in summary.stack if not _is_machinery(frame.filename)]
    own = [frame for frame in frames if not _inside(frame.filename, _installed())]
    summary.stack[:] = own or frames  # the app itself may be installed
    for other in (summary.__cause__, summary.__context__, *(summary.exceptions or ())):
        if other is not None:
            _strip(other)


def _is_machinery(filename: str) -> bool:
    """Whether a frame is of what imports an app, or has no file (``<frozen importlib>``)."""
    return filename.startswith("<") or _inside(filename, _MACHINERY)


def _inside(filename: str, folders: Sequence[Path]) -> bool:
    parents = Path(filename).resolve().parents
    return any(folder in parents for folder in folders)
