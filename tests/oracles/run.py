"""
Oracles: readers of OpenAPI that others have written, asked about documents of ours.

``make oracles`` installs them beside the project's own environment and runs this. Linters may warn
of what is listed in `_WARNINGS` and of nothing else; generators have to take the whole document,
and what they write has to compile; and schemathesis sends the example service what its document
says is valid, and what it says is not.

::

    python -m tests.oracles.run TOOLS [--cases 100] [--seed 1] [--only fuzz]
"""

from __future__ import annotations

import argparse
import json
import os
import re
import sys
import tempfile
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from pathlib import Path
from typing import Any, Final

from tests.oracles.bench import REPOSITORY, Bench, Question, RefusedError, ask_all

HERE: Final = Path(__file__).parent
SERVER: Final = "https://api.example.org/v1"

_WARNINGS: Final[Mapping[str, str]] = {
    # Redocly, the recommended rules
    "info-license": "A Meta has no license.",
    "no-illogical-composition-keywords": "A tag with a default may be left out where a record stands alone, and not in the union.",
    "no-unused-components": "Exported types are there for generated clients, whether a route uses them or not.",
    "tag-description": "A tag is a name, and no more.",
    # Spectral, spectral:oas
    "info-contact": "A Meta has no contact.",
    "oas3-unused-component": "As no-unused-components.",
    "oas3-operation-security-defined": "It knows scopes of OAuth alone, as OpenAPI 3.0 did; 3.1 has them with every scheme.",
    "operation-description": "A resolver without a docstring has none, and its summary says enough.",
}
"""Rule -> why documents break it."""


def validator(bench: Bench, document: Path) -> str:
    bench.run("openapi-spec-validator", document)
    return "valid"


def redocly(bench: Bench, document: Path) -> str:
    options = ("--extends=recommended", "--format=json")
    found = json.loads(bench.run("redocly", "lint", *options, document))
    return _warned(problem["ruleId"] for problem in found["problems"])


def spectral(bench: Bench, document: Path) -> str:
    options = ("--format=json", "--quiet", "--ruleset", HERE / "spectral.yaml")
    found = json.loads(bench.run("spectral", "lint", *options, document) or "[]")
    return _warned(problem["code"] for problem in found)


def _warned(rules: Iterable[str]) -> str:
    found = sorted(set(rules))
    unexpected = [rule for rule in found if rule not in _WARNINGS]
    if unexpected:
        raise RefusedError(f"it warns of {', '.join(unexpected)}")
    return f"no error; warns of {', '.join(found)}"


def openapi_typescript(bench: Bench, document: Path) -> str:
    return _typescript(
        bench,
        document,
        "types",
        lambda folder: ("openapi-typescript", document, "--output", folder / "api.ts"),
    )


def hey_api(bench: Bench, document: Path) -> str:
    return _typescript(
        bench,
        document,
        "hey",
        lambda folder: ("openapi-ts", "--input", document, "--output", folder, "--no-log-file"),
    )


def _typescript(
    bench: Bench, document: Path, name: str, command: Callable[[Path], tuple[str | Path, ...]]
) -> str:
    folder = bench.work / f"{document.stem}-{name}"
    folder.mkdir()
    bench.run(*command(folder))
    (folder / "tsconfig.json").write_bytes((HERE / "tsconfig.json").read_bytes())
    bench.run("tsc", "--project", folder)
    return f"tsc --strict takes {_count(folder, '*.ts')}"


def python_client(bench: Bench, document: Path) -> str:
    folder = bench.work / f"{document.stem}-python"
    given = ("--path", document, "--config", HERE / "python_client.yaml", "--output-path", folder)
    bench.run("openapi-python-client", "generate", *given, "--fail-on-warning")
    [package] = (found.parent for found in folder.glob("*/__init__.py"))
    bench.run("mypy", "--strict", "--cache-dir", bench.work / "mypy", package)
    modules = "import pkgutil, importlib, sys; sys.path.insert(0, '.')\n"
    modules += f"for found in pkgutil.walk_packages(['{package.name}'], '{package.name}.'): importlib.import_module(found.name)"
    bench.run("python", "-W", "error", "-c", modules, cwd=folder)
    return f"mypy --strict takes {_count(package, '*.py')}, all are imported"


def _count(folder: Path, pattern: str) -> str:
    return f"{len([*folder.rglob(pattern)])} files"


READERS: Final = (validator, redocly, spectral, openapi_typescript, hey_api, python_client)


def fuzz(bench: Bench, cases: int, seed: int) -> str:
    """Send the example service what its document allows and forbids."""
    from examples.shop.app import api
    from examples.shop.seed import DEMO_TOKENS
    from tests.cli_servers import running

    document = _written(bench, "fuzzed", api, "/")
    database = str(bench.work / "shop.sqlite3")
    with running("serve", "examples.shop.app:api", cwd=bench.work, SHOP_DB=database) as server:
        options = {
            "url": f"http://127.0.0.1:{server.port}",
            "phases": "examples,coverage,fuzzing",
            "mode": "all",
            "checks": "all",
            "max-examples": str(cases),
            "seed": str(seed),
            "header": f"Authorization: Bearer {DEMO_TOKENS['sam']}",
        }
        printed = bench.run(
            *("schemathesis", "--config-file", HERE / "schemathesis.toml", "run", document),
            *(f"--{name}={value}" for name, value in options.items()),
            "--no-color",
            cwd=REPOSITORY,
            OPENAPI_DOCUMENT=str(document),
        )
        log = server.text()
    statuses = sorted({found[1] for found in re.finditer(r'"status":(\d+)', log)})
    counted = re.search(r"(\d+) generated, (\d+) passed", printed)
    if counted is None or counted[1] != counted[2]:
        raise RefusedError(printed)
    return f"{counted[1]} cases, no failure; answered {' '.join(statuses)}"


def _written(bench: Bench, name: str, api: Any, server: str) -> Path:
    from contract import emit_openapi

    path = bench.work / f"{name}.json"
    path.write_bytes(emit_openapi(api, server=server, visibility="all"))
    return path


def main() -> int:
    """Ask all of them; 1 where one has something to say."""
    parser = argparse.ArgumentParser(prog="python -m tests.oracles.run")
    parser.add_argument("tools", type=Path, help="the environment that make oracles has set up")
    parser.add_argument(
        "--cases", type=int, default=30, help="drawn for each route, beside the fixed ones"
    )
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", help="a part of the name of an oracle")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(given.tools.resolve(), Path(folder))
        # the module that is described opens its file
        os.environ["SHOP_DB"] = str(bench.work / "unused.sqlite3")
        return ask_all(_questions(bench, given.cases, given.seed), given.only)


def _questions(bench: Bench, cases: int, seed: int) -> Iterable[Question]:
    from examples.shop.app import api as shop
    from tests.oracles.nasty import api as nasty

    yield "fuzz shop", partial(fuzz, bench, cases, seed)
    for name, api in (("shop", shop), ("nasty", nasty)):
        document = _written(bench, name, api, SERVER)
        for reader in READERS:
            yield f"{reader.__name__} {name}", partial(reader, bench, document)


if __name__ == "__main__":
    sys.exit(main())
