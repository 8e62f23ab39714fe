"""
TypeScript: what is generated for it, compiled by two compilers and run in Node.

``make typescript`` installs these beside the project's own environment and runs this. The programs
in ``programs/`` are compiled with the generated files, in the strictest settings there are, and
then run: against the example service, WSGI and ASGI, against a service that gives back what it
gets, and against answers that none of our services gives.

::

    python -m tests.typescript.run TOOLS [--only vectors]
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import shutil
import sys
import tempfile
from collections.abc import Iterable, Mapping
from functools import partial
from pathlib import Path
from typing import Any, Final, Literal, NamedTuple

from contract.codegen.package import Package, package_of
from contract.codegen.typescript import Dates, typescript_client, typescript_validators
from contract.document.describe import describe
from contract.document.model import Document
from examples.shop.seed import DEMO_TOKENS
from tests import grouped, headed, ledger, pictures, sent, talks, three_ways, uploaded, vectors
from tests.cli_servers import running
from tests.hostile_package import HOSTILE
from tests.oracles.bench import REPOSITORY, Bench, Question, RefusedError, ask_all
from tests.typescript.drawn import drawn
from tests.typescript.hostile import NAMES, hostile
from tests.typescript.patterns import described as patterns_described
from tests.typescript.patterns import rows as pattern_rows
from tests.typescript.types import described as types_described
from tests.typescript.types import rows as type_rows

_DRAWN: Final = 16
"""Documents."""

HERE: Final = Path(__file__).parent

_MOST: Final = 6_450  # of which 950 are for the stream that the example has, 1,000 for its files
"""Bytes, minified and compressed, that a client with groups and credentials costs a bundle beside its validators."""


def tsc(bench: Bench, version: str, project: str | Path, *options: str | Path) -> str:
    """What a compiler prints: typescript is the newer one, and typescript5 the older one."""
    program = bench.tools / "node_modules" / version / "bin" / "tsc"
    return bench.run("node", program, "--project", project, *options)


def compiled(bench: Bench, config: str, folder: str) -> str:
    """Compile all that is generated, and what else *config* names."""
    tsc(bench, "typescript", config, "--outDir", bench.work / folder)
    return f"{len([*(bench.work / folder).rglob('*.js')])} files"


def accepted(bench: Bench) -> str:
    """
    Have the older compiler look at what the newer one has compiled.

    It takes five times as long, so it writes nothing, and of the clients whose dates are texts it
    sees those that programs use.
    """
    printed = tsc(bench, "typescript5", "tsconfig.five.json", "--noEmit", "--listFiles")
    seen = [line for line in printed.splitlines() if Path(line).is_relative_to(bench.work)]
    return f"{len(seen)} files"


def golden(bench: Bench) -> str:
    """Compile the clients that stand in the repository."""
    folder = REPOSITORY / "tests/golden"
    tsc(bench, "typescript", folder / "tsconfig.json")
    return f"{len([*folder.glob('*/*.ts')])} files"


def ran(bench: Bench, program: str, *arguments: str | Path) -> str:
    """Run a program, as the compiler of `compiled` has written it."""
    script = bench.work / "out" / "programs" / f"{program}.js"
    return bench.run("node", "--unhandled-rejections=strict", script, *arguments).strip()


Interface = Literal["wsgi", "asgi"]


class Served(NamedTuple):
    """A program that calls a service, what serves, and over which interfaces."""

    program: str
    app: str
    interfaces: tuple[Interface, ...]
    arguments: tuple[str | Path, ...] = ()
    settings: Mapping[str, str] = {}


# The table in tests/wire says that both interfaces send the same. What waits and what streams is
# tried over both, and the rest over one or the other.
_BOTH: Final[tuple[Interface, ...]] = ("wsgi", "asgi")
_SECRETS: Final = {"CONTRACT_SECRETS": "signs keys of pages in these tests"}
_SHOP: Final = (DEMO_TOKENS["ada"], DEMO_TOKENS["sam"], "new")
_SERVED: Final = (
    Served("shop", "examples.shop.app:api", _BOTH, _SHOP, {"SHOP_DB": "shop.sqlite3"}),
    Served("echo", "tests.vectors:api", ("asgi",), (vectors.FILE,)),
    Served("headers", "tests.headed:api", ("wsgi",)),
    Served("groups", "tests.grouped:api", ("asgi",)),
    Served("ways", "tests.three_ways:api", ("wsgi",)),
    Served("pages", "tests.ledger:api", ("asgi",), settings=_SECRETS),
    Served("streams", "tests.talks:api", _BOTH),
    Served("uploads", "tests.uploaded:api", _BOTH),
    Served("downloads", "tests.pictures:api", _BOTH),
)


def served(bench: Bench, asked: Served, interface: Interface) -> str:
    """Run a program against a service."""
    folder = bench.work / f"{asked.program}-{interface}"
    folder.mkdir()
    command = ("serve", asked.app, "--interface", interface)
    with running(*command, cwd=folder, **asked.settings) as server:
        return ran(bench, asked.program, f"http://127.0.0.1:{server.port}", *asked.arguments)


def webhooks(bench: Bench) -> str:
    """Messages that a service sends, and forged ones; they are signed now, since they grow old."""
    file = bench.work / "messages.json"
    file.write_text(json.dumps([*sent.messages()]))
    return ran(bench, "webhooks", file)


def size(bench: Bench) -> str:
    """What a client costs a bundle that has its types and validators."""
    whole = _bundled(bench, "ApiClient", "schemas")
    beside = _bundled(bench, "schemas")
    nothing = _bundled(bench)
    one = _bundled(bench, "createClient", "get_account")
    told = f"{whole - beside} bytes beside the validators of {beside}; {one} for one route; {nothing} for an import of nothing"
    if whole - beside > _MOST or one > whole - 1_500 or nothing > 50:
        raise RefusedError(told)
    return told


def _bundled(bench: Bench, *names: str) -> int:
    """The size of a bundle in which these names of the client are kept."""
    kept = ", ".join(names)
    code = f"import {{ {kept} }} from './generated/shop.ts'; globalThis.kept = [{kept}];"
    if not names:
        code = "import './generated/shop.ts';"
    with tempfile.NamedTemporaryFile("w", suffix=".ts", dir=bench.work, delete=False) as entry:
        entry.write(code)
    esbuild = bench.tools / "node_modules" / ".bin" / "esbuild"
    options = ("--bundle", "--minify", "--format=esm", "--log-level=error")
    return len(gzip.compress(bench.run(esbuild, entry.name, *options).encode(), 9))


def _write(bench: Bench) -> None:
    from examples.shop.app import api as shop_api
    from tests.oracles.nasty import api as nasty_api

    generated = bench.work / "generated"
    generated.mkdir()
    described: dict[str, Document] = {
        "shop": describe(shop_api),
        "nasty": describe(nasty_api, visibility="all"),
        "vectors": describe(vectors.api),
        "headed": describe(headed.api),
        "grouped": describe(grouped.api),
        "ways": describe(three_ways.api),
        "sent": describe(sent.api),
        "ledger": describe(ledger.api),
        "talks": describe(talks.api),
        "uploaded": describe(uploaded.api),
        "pictures": describe(pictures.api),
        "hostile": hostile(),
    }

    def client(name: str, package: Package, dates: Dates = "Date") -> None:
        (generated / f"{name}.ts").write_text(typescript_client(package, dates=dates), "utf-8")

    def validators(name: str, package: Package, dates: Dates = "Date") -> None:
        (generated / f"{name}.ts").write_text(typescript_validators(package, dates=dates), "utf-8")

    packages = {name: package_of(document) for name, document in described.items()}
    for name, package in {**packages, "worse": HOSTILE}.items():
        client(name, package)
        client(f"{name}_string", package, "string")
        validators(f"{name}_validators", package)
        validators(f"{name}_validators_string", package, "string")
    for seed in range(_DRAWN):
        client(f"drawn{seed}", package_of(drawn(seed)))
    of_types = package_of(describe(types_described()))
    client("types", of_types)
    client("types_string", of_types, "string")
    validators("patterns", package_of(patterns_described()))
    shutil.copytree(HERE / "programs", bench.work / "programs")
    for config in (*HERE.glob("tsconfig*.json"), *HERE.glob("*.d.ts"), HERE / "package.json"):
        shutil.copy(config, bench.work)
    (bench.work / "node_modules").symlink_to(bench.tools / "node_modules")
    for name, rows in (("names", NAMES), ("patterns", pattern_rows()), ("types", type_rows())):
        (bench.work / f"{name}.json").write_text(json.dumps(rows))


def _questions(bench: Bench) -> Iterable[Question]:
    yield "TypeScript 5", partial(accepted, bench)
    yield "TypeScript 7 without Node", partial(compiled, bench, "tsconfig.json", "browser")
    yield "TypeScript 7 without a browser", partial(compiled, bench, "tsconfig.node.json", "node")
    yield "golden", partial(golden, bench)
    yield "size", partial(size, bench)
    yield "vectors", partial(ran, bench, "vectors", vectors.FILE, "vectors", "vectors_string")
    of_types = "types", "types_string"
    yield "types", partial(ran, bench, "vectors", bench.work / "types.json", *of_types)
    yield "patterns", partial(ran, bench, "patterns", bench.work / "patterns.json")
    yield "hostile", partial(ran, bench, "hostile", bench.work / "names.json")
    yield "drawn", partial(ran, bench, "drawn")
    yield "answers", partial(ran, bench, "answers")
    yield "reads", partial(ran, bench, "reads")
    yield "webhooks", partial(webhooks, bench)
    for asked in _SERVED:
        for interface in asked.interfaces:
            yield f"{asked.program} {interface}", partial(served, bench, asked, interface)


def main() -> int:
    """Ask all; 1 where something is wrong."""
    parser = argparse.ArgumentParser(prog="python -m tests.typescript.run")
    parser.add_argument("tools", type=Path, help="the environment that make typescript has set up")
    parser.add_argument("--only", help="a part of the name of a question")
    given: Any = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(given.tools.resolve(), Path(folder).resolve())
        # the module that is described opens its file
        os.environ["SHOP_DB"] = str(bench.work / "unused.sqlite3")
        _write(bench)
        compiled(bench, "tsconfig.programs.json", "out")
        return ask_all(_questions(bench), given.only)


if __name__ == "__main__":
    sys.exit(main())
