"""
The instructions of a call, held against those that are recorded: ``python -m bench.instructions``.

It needs Linux and Valgrind; with ``--record`` it records what it counts. Times say little on a busy
machine; a count of instructions is the same in every run, to a few in a thousand. One process under
Valgrind makes all lanes ready. Then it forks a child for each lane and each of two numbers of
calls. The difference between the two children, divided by the difference of the two numbers, is the
cost of one call: the start and the end of a process, and the building of requests, are not part.

A figure holds for one interpreter, its build, and the packages that take most of the instructions.
Where nothing is recorded for those that run, this says so and passes, since another interpreter is
no regression. Where a lane is more than 5 % from its figure, up or down, it fails: a gain that is
not recorded could be lost again unseen.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import json
import logging
import math
import os
import platform
import re
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Callable, Mapping
from importlib.metadata import version
from pathlib import Path
from typing import Final

from bench import mcp, wire, work
from bench.burst import load
from contract.call.log_text import CLOCK

__all__ = ["LANES", "counted", "setting"]

RECORD: Final = Path(__file__).with_suffix(".json")
ALLOWED: Final = 0.05
FEW: Final = 200
MANY: Final = 1200

_TOKEN: Final = {"authorization": f"Bearer {work.TOKEN}"}
LANES: Final[Mapping[str, tuple[str, wire.Interface, str, bytes, Mapping[str, str]]]] = {
    "WSGI public sync": ("bench.ours:wsgi", "wsgi", "small", work.SMALL_BODY, {}),
    "WSGI bearer, log": ("bench.ours:wsgi_bearer_log", "wsgi", "small", work.SMALL_BODY, _TOKEN),
    "ASGI bearer async": ("bench.ours:asgi_bearer", "asgi", "small", work.SMALL_BODY, _TOKEN),
    "MCP tools/call": ("bench.ours:wsgi", "wsgi", *mcp.request("modern", "small")),
}
"""The app, and what it is asked."""


_OPTIONS: Final = ("--enable-optimizations", "--with-lto", "--with-pydebug")
"""What makes one build of an interpreter take many more instructions than another."""


def setting() -> str:
    """What a figure holds for."""
    configured = sysconfig.get_config_var("CONFIG_ARGS") or ""
    build = [
        platform.machine(),
        platform.python_compiler(),
        *(option for option in _OPTIONS if option in configured),
    ]
    # a release that mends defects changes a call by less than is allowed
    packages = [
        f"{name} {'.'.join(version(name).split('.')[:2])}"
        for name in ("falcon", "orjson", "pydantic-core")
    ]
    release = ".".join(platform.python_version_tuple()[:2])
    interpreter = f"{platform.python_implementation()} {release}"
    return ", ".join([f"{interpreter} ({', '.join(build)})", *packages])


def counted() -> dict[str, float]:
    """The instructions of a call in each lane."""
    command = [
        "valgrind",
        "--tool=cachegrind",
        "--cache-sim=no",
        "--cachegrind-out-file=/dev/null",
        sys.executable,
        "-m",
        "bench.instructions",
    ]
    if shutil.which("setarch"):  # every address is the same in every run
        command = ["setarch", "-R", *command]
    done = subprocess.run(
        [*command, "--children"],
        env={**os.environ, "PYTHONHASHSEED": "0"},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise SystemExit(done.stdout + done.stderr)
    told = re.findall(r"==(\d+)== I\s+refs:\s+([\d,]+)", done.stderr)
    totals = {pid: int(total.replace(",", "")) for pid, total in told}
    found: dict[str, list[int]] = {}
    for line in done.stdout.splitlines():
        pid, _, lane = line.partition(" ")
        found.setdefault(lane, []).append(totals[pid])
    return {lane: (many - few) / (MANY - FEW) for lane, (few, many) in found.items()}


def children() -> None:
    """Run each lane in children of this process, and print a line for each: its id and its lane."""
    lanes = {name: _runner(*lane) for name, lane in LANES.items()}
    for run in lanes.values():
        run(0)  # its one call compiles what is compiled at first use
    # a hundred calls share a millisecond, and thus the time in their lines; under Valgrind, none do
    CLOCK.now = (CLOCK.next(), math.inf)
    gc.collect()
    gc.freeze()
    for name, run in lanes.items():
        for count in (FEW, MANY):
            sys.stdout.flush()
            child = os.fork()
            if child == 0:
                run(count)
                os._exit(0)
            if os.waitpid(child, 0)[1]:
                raise SystemExit(f"{name}: a child has failed")
            print(child, name)


def _runner(
    target: str,
    interface: wire.Interface,
    path: str,
    body: bytes,
    more: Mapping[str, str],
) -> Callable[[int], None]:
    """Looks at the answer of one call, then makes as many calls as it is told."""
    app = load(target)
    handlers = logging.getLogger("contract").handlers
    build = wire.environ if interface == "wsgi" else wire.scope
    requests = [build(path, body, more) for _ in range(MANY)]

    def run(count: int) -> None:
        loop = asyncio.new_event_loop()
        status, answer = wire.asker(app, interface, loop)(path, body, more)
        if status != 200:
            raise wire.WrongAnswerError(f"{path}: {status} {answer[:300]!r}")
        if interface == "wsgi":
            wire.run_wsgi(app, requests[:count])
        else:
            loop.run_until_complete(wire.run_asgi(app, requests[:count], body))
        for handler in handlers:
            handler.flush()
        loop.close()

    return run


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="python -m bench.instructions",
        description="The instructions of a call.",
    )
    parser.add_argument(
        "--record",
        action="store_true",
        help="make what is counted the figures of this interpreter",
    )
    parser.add_argument("--children", action="store_true", help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.children:
        children()
        return 0
    recorded: dict[str, dict[str, int]] = json.loads(RECORD.read_text(encoding="utf-8"))
    here, found = setting(), counted()
    figures = recorded.get(here)
    for lane, count in found.items():
        print(f"{lane:<20}{count:>10,.0f} instructions", end="")
        known = (figures or {}).get(lane)
        print("" if known is None else f"   {count / known - 1:+7.2%} of the {known:,} recorded")
    if asked.record:
        recorded[here] = {lane: round(count) for lane, count in found.items()}
        RECORD.write_text(json.dumps(recorded, indent=2, sort_keys=True) + "\n", encoding="utf-8")
        print(f"recorded for {here}")
        return 0
    if figures is None:
        print(f"nothing is recorded for {here}, and so nothing is compared")
        print("make instructions RECORD=1 records it")
        return 0
    return _judge(found, figures)


def _judge(found: Mapping[str, float], figures: Mapping[str, int]) -> int:
    far = [lane for lane, count in found.items() if not _near(count, figures.get(lane))]
    if far:
        print(f"more than {ALLOWED:.0%} from what is recorded, or not recorded: {'; '.join(far)}")
        print("where that is meant, make instructions RECORD=1 records it")
    return 1 if far else 0


def _near(count: float, known: int | None) -> bool:
    return known is not None and abs(count / known - 1) <= ALLOWED


if __name__ == "__main__":
    sys.exit(main())
