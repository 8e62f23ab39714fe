"""
Oracles of MCP: clients that others have written, asked to use the example service, and the conformance suite.

``make mcp-oracles`` installs them beside the project's own environment and runs this. Every client connects to the example service, lists
its tools and calls them, with a token and without one, and listens to progress, in every era that it knows; and the conformance suite
looks at the tools of tests/mcp_conformance, where a scenario may fail if a baseline there says why. All with two workers.

tests/wire holds that both interfaces send the same. Node's clients, which wait for progress and for the items of a stream, come over
WSGI and ASGI, and the rest over one or the other.

::

    python -m tests.mcp_oracles.run TOOLS [--only conformance]
"""

from __future__ import annotations

import argparse
import json
import os
import re
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from typing import Any, Final

from tests.cli_servers import running
from tests.oracles.bench import REPOSITORY, Bench, Question, RefusedError, ask_all

HERE: Final = Path(__file__).parent
BASELINES: Final = REPOSITORY / "tests" / "mcp_conformance"
WIRES: Final = ("wsgi", "asgi")
MODERN: Final = "2026-07-28"
HANDSHAKE: Final = "2025-11-25"
ERAS: Final = {"legacy": HANDSHAKE, "auto": MODERN, MODERN: MODERN}
"""What a client is told -> the revision that it has to come to."""

HEARD: Final = {
    "progress": [0, 50, 100],
    "stream": {"failed": True, "items": ["1", "2"], "data": {"items": [1, 2], "complete": False}},
}
"""What a client hears of a tool that tells of its progress, and of one that gives a stream."""


def python_clients(bench: Bench, shop: str, token: str, tools: list[str], fixture: str) -> str:
    """The official Python SDK, and fastmcp."""
    return _all_served(
        bench.run(
            "python", "-W", "error::UserWarning", HERE / "python_clients.py", shop, token, fixture
        ),
        tools,
    )


def stepping_up(bench: Bench, url: str) -> str:
    """The official Python SDK, whose token has not the scopes that a tool requires."""
    said = json.loads(bench.run("python", HERE / "stepping_up.py", url))
    both = ["notes:read", "notes:write"]
    right = {
        "listed": ["read_notes", "write_note"],
        "called": [both[:1], both],
        "asked": ["notes:read", "notes:read notes:write"],
    }
    if said != right:
        raise RefusedError(f"not as it should be: {json.dumps(said)}")
    return "a token with the scopes of a tool is asked for when it is called"


def node_clients(bench: Bench, shop: str, token: str, tools: list[str], fixture: str) -> str:
    """The official TypeScript SDK, the one before it too."""
    modules = str(bench.tools / "node_modules")
    return _all_served(
        bench.run("node", HERE / "node_clients.cjs", shop, token, fixture, NODE_PATH=modules), tools
    )


def _all_served(printed: str, tools: list[str]) -> str:
    answers: Mapping[str, Any] = json.loads(printed)
    for name, said in answers.items():
        client, _, about = name.partition(", ")
        if about == "progress":
            wrong = [about for about, right in HEARD.items() if said[about] != right]
        else:
            wrong = _wrong(said, client.split()[1], tools, given=about == "with a token")
        if wrong:
            raise RefusedError(
                f"{name}: not as it should be: {', '.join(wrong)}\n{json.dumps(said, indent=1)}"
            )
    if not answers:
        raise RefusedError("nobody was asked")
    return (
        ", ".join(sorted({name.partition(",")[0] for name in answers}))
        + ": with a token and without, told of progress, and of each item of a stream"
    )


def _wrong(said: Mapping[str, Any], mode: str, tools: list[str], *, given: bool) -> list[str]:
    """Which of the things that a client says are not right, where a token was *given* to it or not."""
    order, orders = said["order"], said["orders"]
    right = {
        "revision": said["revision"] == ERAS[mode],
        # A client that was told the revision need not ask who is there.
        "server": said["server"] == "Shop" or (mode == MODERN and said["server"] is None),
        "instructions": (said["instructions"] or "").startswith("Look a product up")
        or (mode == MODERN and said["instructions"] is None),
        "tools": said["tools"] == tools,
        "product": _gave(said["product"]) and said["product"]["data"]["id"] == "blue-mug",
        "missing": _failed(said["missing"], "NOT_FOUND"),
        "invalid": _failed(said["invalid"], "VALIDATION_ERROR")
        and "- id: Must be a string in double quotes" in said["invalid"]["texts"][1],
        "order": _gave(order) and order["data"]["status"] == "placed"
        if given
        else _refused(order, "A bearer token is needed."),
        "orders": _gave(orders) and len(orders["data"]["items"]) > 0
        if given
        else _refused(orders, "A bearer token is needed."),
        # A private route, so that nobody is told that there is one.
        "unknown": _refused(said["unknown"], "Unknown tool: sales_report"),
    }
    return [name for name, is_right in right.items() if not is_right]


def _gave(result: Mapping[str, Any]) -> bool:
    """Whether a call has given the same as structured content and as a text."""
    return result.get("failed") is False and [json.loads(text) for text in result["texts"]] == [
        result["data"]
    ]


def _failed(result: Mapping[str, Any], code: str) -> bool:
    return (
        result.get("failed") is True
        and result["data"] is None
        and json.loads(result["texts"][0])["error"] == code
    )


def _refused(result: Mapping[str, Any], text: str) -> bool:
    return text in result.get("refused", "")


def tutorial(bench: Bench) -> str:
    """The agent of the tutorial's last chapter, against the app that the tutorial ends with."""
    from tests.test_readme import blocks, programs

    chapter = "docs/tutorial/8-page-and-agent.md"
    folder = bench.work / "tutorial"
    (folder / "page").mkdir(parents=True)
    for module, text in programs(chapter).items():
        (folder / f"{module}.py").write_text(text, "utf-8")
    agent, answer = (
        next(block.text for block in blocks(chapter) if block.text.startswith(first))
        for first in ("# agent.py", "['")
    )
    (folder / "agent.py").write_text(agent, "utf-8")
    with running("serve", "app:app", cwd=folder, health="/v2/healthz") as server:
        url = f"http://127.0.0.1:{server.port}/v2/mcp"
        said = bench.run("python", folder / "agent.py", url, "ada-token")
    if said != answer:
        raise RefusedError(f"it says {said}, and the page says {answer}")
    return "its tools, and a ticket that it opened"


def inspector(bench: Bench, url: str, token: str, tools: list[str], era: str) -> str:
    """The Inspector's command line, which also looks for what other clients do not understand."""

    def ask(*arguments: str) -> Any:
        how = f"--transport http --protocol-era {era} --format json".split()
        command = ("mcp-inspector", "--cli", url, *how, *arguments)
        return json.loads(bench.run(*command, HOME=str(bench.work)))["result"]

    what = ["--method", "tools/call", "--tool-name", "list_orders", "--stored-auth-only"]
    calling = (*what, "--tool-args-json", '{"filter": {}}')
    listed = [tool["name"] for tool in ask("--method", "tools/list", "--strict")["tools"]]
    if listed != tools:
        raise RefusedError(f"it lists {listed}")
    given = ask(*calling, "--header", f"Authorization: Bearer {token}")
    if "items" not in given["structuredContent"]:
        raise RefusedError("a call did not give what it should")
    try:
        ask(*calling)
    except RefusedError as refused:
        if '"code":"auth_required"' in str(refused):
            return "nothing that clients would not understand; called with a token, challenged without one"
        raise
    raise RefusedError("a call without a token was answered")


def conformance(bench: Bench, package: str, baseline: str, url: str, *options: str) -> str:
    """The conformance suite: whatever fails is in the baseline, and whatever is there does fail."""
    suite = bench.tools / "node_modules" / package / "dist" / "index.js"
    known = ("--expected-failures", BASELINES / baseline)
    printed = bench.run("node", suite, "server", "--url", url, "--suite", "all", *options, *known)
    scenarios = len(re.findall(r"^✓ ", printed, re.MULTILINE))
    checks = re.search(r"^Total: (\d+) passed", printed, re.MULTILINE)
    if not scenarios or checks is None:
        raise RefusedError(printed)
    return f"{scenarios} scenarios and {checks[1]} checks pass; {baseline} tells of the rest"


@contextmanager
def _served(
    bench: Bench, name: str, app: str, *options: str, wires: tuple[str, ...] = WIRES
) -> Iterator[Mapping[str, str]]:
    """Wire -> the URL of *app* there."""
    with ExitStack() as stack:
        urls = {}
        for wire in wires:
            folder = bench.work / f"{name}-{wire}"
            folder.mkdir()
            line = f"serve {app} --workers 2 --interface {wire}"
            database = str(folder / "shop.sqlite3")
            serving = running(line, *options, cwd=folder, SHOP_DB=database)
            urls[wire] = f"http://127.0.0.1:{stack.enter_context(serving).port}/mcp"
        yield urls


def _questions(
    bench: Bench, shops: Mapping[str, str], fixtures: Mapping[str, str], notes: Mapping[str, str]
) -> Iterable[Question]:
    from contract.document.describe import describe
    from examples.shop.app import api
    from examples.shop.seed import DEMO_TOKENS

    yield "the agent of the tutorial", partial(tutorial, bench)
    tools = [found.mcp.name for found in describe(api).routes.values() if found.mcp is not None]

    def asking(ask: Callable[..., str], wire: str, *more: str) -> Callable[[], str]:
        return partial(ask, bench, shops[wire], DEMO_TOKENS["ada"], tools, *more)

    yield "python clients, asgi", asking(python_clients, "asgi", fixtures["asgi"])
    for wire in WIRES:
        yield f"node clients, {wire}", asking(node_clients, wire, fixtures[wire])
    yield "stepping up, wsgi", partial(stepping_up, bench, notes["wsgi"])
    for era, wire in (("legacy", "wsgi"), ("modern", "asgi")):
        yield f"inspector {era}, {wire}", asking(partial(inspector, era=era), wire)
    newer = "@modelcontextprotocol/conformance"
    for name, package, baseline, wire, options in (
        ("0.1", "conformance-0.1", "handshake.yml", "asgi", ()),
        (HANDSHAKE, newer, "handshake.yml", "wsgi", ("--spec-version", HANDSHAKE)),
        (MODERN, newer, "modern.yml", "asgi", ("--spec-version", MODERN)),
    ):
        suite = partial(conformance, bench, package, baseline, fixtures[wire], *options)
        yield f"conformance {name}, {wire}", suite


def main() -> int:
    """Ask all of them; 1 where one has something to say."""
    parser = argparse.ArgumentParser(prog="python -m tests.mcp_oracles.run")
    parser.add_argument("tools", type=Path, help="the environment that make mcp-oracles has set up")
    parser.add_argument("--only", help="a part of the name of an oracle")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(given.tools.resolve(), Path(folder))
        # the module that is described opens its file
        os.environ["SHOP_DB"] = str(bench.work / "unused.sqlite3")
        login = ("--authorization-server", "https://login.example")
        shop, fixture, scoped = (
            _served(bench, "shop", "examples.shop.app:api"),
            _served(bench, "fixture", "tests.mcp_conformance.app:api"),
            _served(bench, "scoped", "tests.mcp_oracles.scoped:api", *login, wires=("wsgi",)),
        )
        with shop as shops, fixture as fixtures, scoped as notes:
            return ask_all(_questions(bench, shops, fixtures, notes), given.only)


if __name__ == "__main__":
    sys.exit(main())
