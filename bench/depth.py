"""
How deep one call goes, from the WSGI or ASGI callable to its return: ``python -m bench.depth``.

`sys.setprofile` watches a call of each lane, after earlier ones that compiled what is compiled
once. It counts calls of Python functions, the user's own functions included, and apart from them
calls into C; a coroutine counts once, however often it goes on. The server's side (`bench.wire`)
does not count. The calls are listed in their order, those into C with ``--c``; below stand the
sums, in which functions and modules count once each.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from types import FrameType
from typing import Any, Final

from bench import wire, work
from bench.burst import load

__all__ = ["Step", "Watch"]

LANES: Final[Mapping[str, tuple[str, wire.Interface, bool]]] = {
    "WSGI, public": ("bench.ours:wsgi", "wsgi", False),
    "WSGI, bearer": ("bench.ours:wsgi_bearer", "wsgi", True),
    "ASGI, public async": ("bench.ours:asgi", "asgi", False),
    "ASGI, bearer async": ("bench.ours:asgi_bearer", "asgi", True),
    "raw Falcon WSGI, bearer": ("bench.peers.raw_falcon:wsgi_bearer", "wsgi", True),
    "raw Falcon ASGI, bearer": ("bench.peers.raw_falcon:asgi_bearer", "asgi", True),
}
"""Where its app comes from, and whether it wants a token."""


@dataclass(frozen=True, slots=True)
class Step:
    """A call that was seen: how deep in others, of what, and in which module."""

    depth: int
    function: str
    module: str
    is_c: bool


class Watch:
    """Notes each call while it is the profile function."""

    def __init__(self) -> None:
        self.steps: Final[list[Step]] = []
        self._depth = 0
        self._begun: Final[set[FrameType]] = set()
        """Frames of coroutines come again when they go on; keeping them keeps their ids apart."""

    def __call__(self, frame: FrameType, event: str, arg: Any) -> None:
        """Note one event (`sys.setprofile`)."""
        code = frame.f_code
        if code.co_filename == wire.__file__:
            return
        if event == "call":
            if frame not in self._begun:
                self._begun.add(frame)
                module = frame.f_globals.get("__name__", f"generated, {code.co_filename}")
                self.steps.append(Step(self._depth, code.co_qualname, module, is_c=False))
            self._depth += 1
        elif event == "return":
            self._depth -= 1
        elif event == "c_call" and arg is not sys.setprofile:
            self.steps.append(
                Step(self._depth, arg.__qualname__, arg.__module__ or "builtins", is_c=True),
            )

    def of(self, *, is_c: bool) -> list[Step]:
        """The calls of Python functions, or those into C."""
        return [step for step in self.steps if step.is_c is is_c]


def watch(target: str, interface: wire.Interface, *, bearer: bool) -> Watch:
    """What a SMALL call of the app *target* crosses."""
    app, seen = load(target), Watch()
    more = {"authorization": f"Bearer {work.TOKEN}"} if bearer else {}
    loop = asyncio.new_event_loop()
    wire.check(wire.asker(app, interface, loop), "small", bearer=bearer, validates=False)
    if interface == "wsgi":
        environ = wire.environ("small", work.SMALL_BODY, more)
        sys.setprofile(seen)
        wire.run_wsgi(app, [environ])
        sys.setprofile(None)
    else:
        loop.run_until_complete(_watched(seen, app, wire.scope("small", work.SMALL_BODY, more)))
    loop.close()
    return seen


async def _watched(seen: Watch, app: Any, scope: dict[str, Any]) -> None:
    sys.setprofile(seen)
    await wire.run_asgi(app, [scope], work.SMALL_BODY)
    sys.setprofile(None)


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m bench.depth",
        description="The functions that one call crosses.",
    )
    parser.add_argument("--c", action="store_true", help="list calls into C, too")
    parser.add_argument("--only", default="", help="lanes with this in their name")
    asked = parser.parse_args()
    lanes = {name: lane for name, lane in LANES.items() if asked.only in name}
    found = {name: watch(lane[0], lane[1], bearer=lane[2]) for name, lane in lanes.items()}
    for name, seen in found.items():
        print(f"\n{name}")
        for step in seen.steps:
            if asked.c or not step.is_c:
                module = f"C, {step.module}" if step.is_c else step.module
                print(f"  {'  ' * step.depth}{step.function}  ({module})")
    titles = ("Python calls", "functions", "modules", "calls into C")
    print(f"\n{'SMALL':<28}" + "".join(f"{title:>14}" for title in titles))
    for name, seen in found.items():
        python = seen.of(is_c=False)
        functions = {(step.module, step.function) for step in python}
        modules = {step.module for step in python}
        counts = map(len, (python, functions, modules, seen.of(is_c=True)))
        print(f"{name:<28}" + "".join(f"{count:>14}" for count in counts))


if __name__ == "__main__":
    main()
