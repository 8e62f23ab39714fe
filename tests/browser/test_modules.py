"""The modules of the page are typed: what the compiler would refuse in TypeScript it refuses in them."""

import json
import re
from pathlib import Path
from typing import Final

from contract import explorer
from tests.browser.conftest import tsc

HERE: Final = Path(explorer.__file__).parent
TYPES: Final = (HERE / "types.d.ts").read_text()
NAMESPACES: Final = dict(
    re.findall(r"^declare namespace (\w+) \{\n(.*?)^\}", TYPES, re.MULTILINE | re.DOTALL)
)
DECLARATION: Final = re.compile(
    r"^((?:export )?(?:const|let|function\*?) (\w+)\b"
    r"|\t+(?:const|let) (\w+) = (?:(?:async )?\(.*\) =>|(?:[\[{]|\[\]|null|new Map\(\))$))",
    re.MULTILINE,
)
"""What stands in no function; in a function, another one, and what has yet to be filled."""


def typed(module: str, source: str) -> str:
    """The *source* of a module in which each declaration has the type of its name. Its lines stay where they are."""
    names = {*re.findall(r"^\ttype (\w+)", NAMESPACES.get(module, ""), re.MULTILINE)}

    def annotated(found: re.Match[str]) -> str:
        name = found[2] or found[3]
        return f"/** @type {{{module}.{name}}} */ {found[1]}" if name in names else found[0]

    return DECLARATION.sub(annotated, source)


def test_the_modules_are_typed(tmp_path: Path) -> None:
    options = json.loads(Path(__file__).with_name("tsconfig.json").read_text())
    (tmp_path / "tsconfig.json").write_text(json.dumps({**options, "include": ["*.js", "*.d.ts"]}))
    (tmp_path / "types.d.ts").write_text(TYPES)
    for path in (HERE / "assets").glob("*.js"):
        (tmp_path / path.name).write_text(typed(path.stem, path.read_text()))

    done = tsc(tmp_path)

    assert (done.returncode, done.stdout) == (0, "")
