"""
A call with hooks and values, against the same call without: ``python -m bench.hooks``.

CPU time on WSGI, contenders interleaved in turns, in one process. The ratio and the difference are
medians over the rounds, each to the plain call of its own round.
"""

from __future__ import annotations

import logging
import statistics
import time
from collections.abc import Iterator
from typing import Any, Final

from bench import work
from bench.wire import environ
from contract import Call, Failure, after_commit, current_call, hook, hooks, provide, route, spec
from contract.adapters.mount import service_of
from contract.adapters.wsgi import WsgiApp
from contract.call.mount_options import Options

ROUNDS: Final = 61
COUNT: Final = 500


class Refused(Failure, status=409):
    """What the hooks could return."""


@hook
def look(call: Call[object]) -> Refused | None:
    """Let everybody pass."""
    return None


@hook
def look_at_input(call: Call[object, work.SmallIn]) -> Refused | None:
    """Let every input pass."""
    return None


@provide
def value() -> Iterator[int]:
    """Give a value that needs nothing."""
    yield 1


def nothing() -> None:
    """Follow the reply."""


def plain(input: work.SmallIn, ctx: None) -> work.SmallOut:
    """Do what the others do beside."""
    return work.small(input, ctx)


def with_value(input: work.SmallIn, ctx: None) -> work.SmallOut:
    """Ask for a value."""
    value()
    return work.small(input, ctx)


def with_header(input: work.SmallIn, ctx: None) -> work.SmallOut:
    """Set a header."""
    current_call().headers_out.set("X-Total-Count", "120")
    return work.small(input, ctx)


def with_follower(input: work.SmallIn, ctx: None) -> work.SmallOut:
    """Have something done after the reply."""
    after_commit(nothing)
    return work.small(input, ctx)


ROUTES: Final[dict[str, tuple[Any, Any, float | None]]] = {
    "plain": (plain, (), None),
    "hook": (plain, hooks(look), 0.5),
    "hook_with_input": (plain, hooks(look_at_input), 0.5),
    "value": (with_value, (), 1.5),
    "headers_out": (with_header, (), None),
    "after_commit": (with_follower, (), None),
}
"""Route -> its resolver, its hooks, and the microseconds that it may take beside a plain call."""


def start_response(status: str, _headers: Any) -> None:
    """See that it is what it should be."""
    if status != "200 OK":
        raise RuntimeError(status)


def asked(app: Any, name: str) -> float:
    """The CPU time of a call, in microseconds."""
    environs = [environ(name, work.SMALL_BODY) for _ in range(COUNT)]
    begin = time.process_time()
    for each in environs:
        parts = app(each, start_response)
        if type(parts) is not list:  # what follows a reply is done once the server has sent it
            for _ in parts:
                pass
            parts.close()
    return (time.process_time() - begin) / COUNT * 1e6


def main() -> None:
    """Write the table."""
    logging.getLogger("contract").setLevel(logging.ERROR)
    made: dict[str, Any] = {
        name: route(summary=name, tags=["bench"], auth="none", hooks=behind)(resolver)
        for name, (resolver, behind, _) in ROUTES.items()
    }
    app = WsgiApp(service_of(spec(routes=made), Options(prefix="/v1")))
    rounds = [{name: asked(app, name) for name in ROUTES} for _ in range(ROUNDS)]
    plain = statistics.median(each["plain"] for each in rounds)
    print(f"\nhooks and values on WSGI, SMALL: a plain call takes {plain:.2f} us")
    for name, (_, _, budget) in ROUTES.items():
        ratio = statistics.median(each[name] / each["plain"] for each in rounds)
        more = statistics.median(each[name] - each["plain"] for each in rounds)
        told = "" if budget is None else f"   (budget: {budget} us)"
        print(f"  {name:<16}{ratio:6.2f} x plain {more:+8.2f} us{told}")


if __name__ == "__main__":
    main()
