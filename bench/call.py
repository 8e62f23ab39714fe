"""
One call in-process, in every lane, beside others: ``python -m bench.call``.

The others are raw Falcon, FastAPI, Litestar and BlackSheep. Each contender is a process of its own
(`bench.burst`), whose answers are checked before anything is timed. They take turns, a burst each,
for some rounds. The table has medians over the rounds: the CPU time of a call, all threads of the
process included, and its ratio to a base in the same round. "x raw" is the ratio to a public call
of tuned raw Falcon of the same interface; "x like" is the ratio to tuned raw Falcon that looks at a
token, or has a middleware, too. Raw Falcon never validates and never logs.
"""

from __future__ import annotations

import argparse
import os
import platform
import statistics
import subprocess
import sys
from collections.abc import Iterable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from typing import Final, Self

from bench import wire, work

__all__ = ["Contender", "versions"]

COUNTS: Final[Mapping[work.Work, int]] = {"small": 1000, "fresh": 150}
"""Calls of a burst."""

ROUNDS: Final = 21


@dataclass(frozen=True)
class Contender:
    """
    Who is asked.

    Attributes:
        name: In the table.
        target: Module and factory, in `bench`.
        said: What `bench.burst` has to know of it.
        like: The contender that does the same in raw Falcon, where that is not the base of all.
    """

    name: str
    target: str
    said: tuple[str, ...] = ("validates",)
    like: str | None = None


_TOKEN: Final = ("validates", "bearer")
_RAW: Final = "tuned raw falcon"
_RAW_BEARER: Final = "tuned raw falcon, bearer"
_RAW_MARKED: Final = "tuned raw falcon, middleware"

CONTENDERS: Final[Mapping[wire.Interface, Sequence[Contender]]] = {
    "wsgi": (
        Contender(_RAW, "peers.raw_falcon:tuned_wsgi", ()),
        Contender(_RAW_BEARER, "peers.raw_falcon:tuned_wsgi_bearer", ("bearer",)),
        Contender(_RAW_MARKED, "peers.raw_falcon:tuned_wsgi_marked", ()),
        Contender("raw falcon", "peers.raw_falcon:wsgi", ()),
        Contender("raw falcon, bearer", "peers.raw_falcon:wsgi_bearer", ("bearer",), _RAW_BEARER),
        Contender("contract, public sync", "ours:wsgi"),
        Contender("contract, public sync, log", "ours:wsgi_log"),
        Contender("contract, bearer (sync hook)", "ours:wsgi_bearer", _TOKEN, _RAW_BEARER),
        Contender("contract, bearer (sync hook), log", "ours:wsgi_bearer_log", _TOKEN, _RAW_BEARER),
        Contender("contract, async resolver", "ours:wsgi_async"),
        Contender("contract, app with middleware", "ours:wsgi_marked", ("validates",), _RAW_MARKED),
        Contender("contract, bare WsgiApp", "ours:wsgi_bare"),
    ),
    "asgi": (
        Contender(_RAW, "peers.raw_falcon:tuned_asgi", ()),
        Contender(_RAW_BEARER, "peers.raw_falcon:tuned_asgi_bearer", ("bearer",)),
        Contender(_RAW_MARKED, "peers.raw_falcon:tuned_asgi_marked", ()),
        Contender("raw falcon", "peers.raw_falcon:asgi", ()),
        Contender("raw falcon, bearer", "peers.raw_falcon:asgi_bearer", ("bearer",), _RAW_BEARER),
        Contender("contract, public async", "ours:asgi"),
        Contender("contract, public sync, inline", "ours:asgi_inline"),
        Contender("contract, bearer async (async hook)", "ours:asgi_bearer", _TOKEN, _RAW_BEARER),
        Contender("contract, bearer async, log", "ours:asgi_bearer_log", _TOKEN, _RAW_BEARER),
        Contender(
            "contract, inline hook, async route", "ours:asgi_inline_hook", _TOKEN, _RAW_BEARER
        ),
        Contender("contract, sync hook, async route", "ours:asgi_sync_hook", _TOKEN, _RAW_BEARER),
        Contender("contract, async hook, sync route", "ours:asgi_hop", _TOKEN, _RAW_BEARER),
        Contender("(a hop to a pool, and no more)", "ours:hop", ("unchecked",)),
        Contender("contract, app with middleware", "ours:asgi_marked", ("validates",), _RAW_MARKED),
        Contender("contract, bare AsgiApp", "ours:asgi_bare"),
        Contender("blacksheep, public", "peers.with_blacksheep:public"),
        Contender("blacksheep, bearer", "peers.with_blacksheep:bearer", _TOKEN, _RAW_BEARER),
        Contender("litestar, public", "peers.with_litestar:public"),
        Contender("litestar, bearer", "peers.with_litestar:bearer", _TOKEN, _RAW_BEARER),
        Contender("fastapi, public", "peers.with_fastapi:public"),
        Contender("fastapi, bearer", "peers.with_fastapi:bearer", _TOKEN, _RAW_BEARER),
    ),
}

AGAINST: Final[Mapping[str, Sequence[str]]] = {
    "contract, public async": ("blacksheep, public", "litestar, public", "fastapi, public"),
    "contract, bearer async (async hook)": (
        "blacksheep, bearer",
        "litestar, bearer",
        "fastapi, bearer",
    ),
}
"""How many times as much as ours others cost."""


class Child:
    """The process of one contender."""

    def __init__(self, contender: Contender, interface: wire.Interface) -> None:
        self.name: Final = contender.name
        command = [
            sys.executable,
            "-m",
            "bench.burst",
            f"bench.{contender.target}",
            interface,
            *contender.said,
        ]
        env = {**os.environ, "PYTHONHASHSEED": "0"}
        self._process: Final = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=env,
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.communicate()

    def wait(self) -> None:
        """Wait until it has been checked; whatever is wrong with it, it has said itself."""
        if self._line() != "ready":
            raise SystemExit(f"{self.name} is not a contender")

    def burst(self, name: work.Work, count: int) -> float:
        """The CPU seconds of a call, of *count*."""
        assert self._process.stdin is not None
        self._process.stdin.write(f"{name} {count}\n")
        self._process.stdin.flush()
        return float(self._line()) / count

    def _line(self) -> str:
        assert self._process.stdout is not None
        return self._process.stdout.readline().strip()


def versions(*packages: str) -> str:
    """What is compared, for whoever reads the figures later."""
    found = [f"Python {platform.python_version()}"]
    for package in packages:
        try:
            found.append(f"{package} {version(package)}")
        except PackageNotFoundError:
            found.append(f"no {package}")
    return ", ".join(found)


def measure(children: Iterable[Child], name: work.Work, rounds: int) -> dict[str, list[float]]:
    """The seconds of a call in each round; a first round warms up."""
    children = list(children)
    taken: dict[str, list[float]] = {child.name: [] for child in children}
    for number in range(rounds + 1):
        for child in children:
            seconds = child.burst(name, COUNTS[name])
            if number:
                taken[child.name].append(seconds)
    return taken


def ratio(taken: Sequence[float], base: Sequence[float]) -> float:
    """The median of what one costs in a round, in units of the other."""
    return statistics.median(one / other for one, other in zip(taken, base, strict=True))


def table(contenders: Sequence[Contender], taken: Mapping[str, Sequence[float]]) -> None:
    for each in contenders:
        found = taken[each.name]
        micros = statistics.median(found) * 1e6
        line = f"  {each.name:<36}{micros:9.2f} us {ratio(found, taken[_RAW]):7.2f} x raw"
        print(line if each.like is None else f"{line} {ratio(found, taken[each.like]):7.2f} x like")
    for ours, others in AGAINST.items():
        if ours in taken and all(other in taken for other in others):
            ratios = [f"{other} {ratio(taken[other], taken[ours]):.2f}" for other in others]
            print(f"  in units of '{ours}': {'; '.join(ratios)}")


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m bench.call",
        description="The CPU time of one call.",
    )
    parser.add_argument("--interface", choices=CONTENDERS, help="that one alone")
    parser.add_argument("--only", default="", help="with this in their name")
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    asked = parser.parse_args()
    print(
        versions(
            "falcon",
            "orjson",
            "pydantic-core",
            "fastapi",
            "litestar",
            "msgspec",
            "blacksheep",
            "pydantic",
        ),
    )
    for interface, contenders in CONTENDERS.items():
        if asked.interface in (None, interface):
            bases = {_RAW, _RAW_BEARER, _RAW_MARKED}
            few = [each for each in contenders if asked.only in each.name or each.name in bases]
            with ExitStack() as stack:
                children = [stack.enter_context(Child(each, interface)) for each in few]
                for child in children:
                    child.wait()
                for name in COUNTS:
                    taken = measure(children, name, asked.rounds)
                    lane = f"{interface.upper()}, {name.upper()}"
                    print(f"\n{lane}: CPU of a call, {asked.rounds} rounds of {COUNTS[name]}")
                    table(few, taken)
                    sys.stdout.flush()


if __name__ == "__main__":
    main()
