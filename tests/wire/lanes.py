"""
Lanes: the ways that a call can take through the core, and which of them each row of the table takes.

All of them for every row would be some four hundred runs. So a row takes a cover: enough runs that it goes over every transport, on
every lane (who lets a call in, and where the resolver runs), and with every setting of the mount. What lies behind a transport is
the same for all of them, and what a setting does is the same on each lane; so a transport meets the values of each other dimension,
and a setting those of a lane, in each kind of row (a file of them) in place of each row. The row's name seeds the choice, so it stays
as it is from run to run, and the combinations differ from row to row.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextvars import ContextVar
from dataclasses import dataclass
from functools import cache
from random import Random
from typing import Any, Literal, get_args, get_type_hints

from contract import Builtin, Request, Route, Spec, current_call, route, spec
from tests.wire import site
from tests.wire.exchange import EVERY, FALCON, Transport

Door = Literal["public", "sync", "inline", "async"]
"""Who lets a call in: a hook of this kind, before every route; "public" leaves the routes as they are, most of them with none."""

Runs = Literal["sync", "inline", "async"]
"""The kind of every resolver."""

DOORS: tuple[Door, ...] = get_args(Door)
RUNS: tuple[Runs, ...] = get_args(Runs)


@dataclass(frozen=True, slots=True)
class Lane:
    """A mount of the table's spec: how its hook and its resolvers run, and what it has been told."""

    door: Door
    runs: Runs
    log: bool
    told: bool
    """Whether there is an ``on_call``."""
    deadline: bool
    middleware: bool
    """Falcon's; for the other transports it is always False."""


Lanes = Callable[[Lane], bool]
"""Whether a row makes sense on a lane."""


def everywhere(_: Lane) -> bool:
    return True


def public(lane: Lane) -> bool:
    return lane.door == "public"


def guarded(lane: Lane) -> bool:
    return lane.door != "public"


def running(runs: Runs, *, deadline: bool | None = None) -> Lanes:
    """Lanes with resolvers of this kind; of both settings of the deadline, or of one."""
    return lambda lane: lane.runs == runs and deadline in (None, lane.deadline)


Run = tuple[Transport, Lane]

Meeting = tuple[Any, ...]
"""What a row has to meet: a transport, a lane or a setting."""


@cache
def runs_of(transport: Transport) -> list[tuple[Run, frozenset[Meeting]]]:
    """
    Every run on *transport*, with what meets in it.

    Four settings are enough for each door and kind of resolver: in them, any two of log, deadline
    and middleware meet in every way. Whether there is an ``on_call`` alternates from lane to lane,
    so that it meets the rest in the whole table.
    """
    found: list[tuple[Run, frozenset[Meeting]]] = []
    for at, (door, runs) in enumerate((door, runs) for door in DOORS for runs in RUNS):
        for setting in range(4):
            log, deadline = bool(setting & 1), bool(setting & 2)
            told = log is ((at + EVERY.index(transport)) % 2 == 0)
            lane = Lane(
                door, runs, log, told, deadline, transport in FALCON and log is not deadline
            )
            met: frozenset[Meeting] = frozenset({(transport,), (door, runs), (setting,)})
            found.append(((transport, lane), met))
    return found


@cache
def cover(name: str, transports: frozenset[str], lanes: Lanes) -> list[Run]:
    """The runs of the row *name*: among those that make sense, it meets whatever it can in one; and four more."""
    random = Random(f"some lanes of {name}")
    possible = [
        each
        for transport in EVERY
        if transport in transports
        for each in runs_of(transport)
        if lanes(each[0][1])
    ]
    random.shuffle(possible)
    ways: dict[Meeting, list[tuple[Run, frozenset[Meeting]]]] = {}
    for each in possible:
        for meeting in each[1]:
            ways.setdefault(meeting, []).append(each)
    wanted = set(ways)
    chosen: list[Run] = []
    # those with the fewest ways first
    for meeting in sorted(ways, key=lambda meeting: (len(ways[meeting]), repr(meeting))):
        if meeting in wanted:
            run, met = max(ways[meeting], key=lambda each: len(each[1] & wanted))
            chosen.append(run)
            wanted -= met
    more = [run for run, _ in possible if run not in chosen]
    return chosen + more[:4]


SEEN: list[tuple[str, str, str, object, str | None]] = []
"""What the resolvers saw that ran: route, surface and request id of the current call, the context, and what the hook had set."""

LET_IN: ContextVar[str | None] = ContextVar("LET_IN", default=None)
"""Set by hooks, for the resolvers after them."""

HEARD: list[tuple[str, str]] = []
"""Surface and request id of the current call, in each hook that ran."""


def authenticate(token: str, request: Request) -> site.User | Builtin | None:
    LET_IN.set(token)
    HEARD.append((current_call().surface, current_call().request_id))
    return site.authenticate(token, request)


async def authenticate_async(token: str, request: Request) -> site.User | Builtin | None:
    await asyncio.sleep(0)
    LET_IN.set(token)
    HEARD.append((current_call().surface, current_call().request_id))
    return await site.authenticate_async(token, request)


def let_in(door: Door, authenticate: Any, made: Any, **options: Any) -> Spec[Any]:
    """A spec whose one route is for those whom *authenticate* knows, which is asked as the *door* says."""

    async def later(token: str, request: Request) -> Any:
        await asyncio.sleep(0)
        return authenticate(token, request)

    later.__annotations__ = get_type_hints(authenticate)
    asked = later if door == "async" else authenticate
    return spec(authenticate=asked, authenticate_inline=door == "inline", routes=[made], **options)


def see(ctx: object) -> None:
    call = current_call()
    SEEN.append((call.route, call.surface, call.request_id, ctx, LET_IN.get()))


def moved(one: Route[Any, Any, Any], door: Door, runs: Runs) -> Route[Any, Any, Any]:
    """*one* with a resolver of another kind; with a hook before it, unless nobody lets calls in."""
    resolve = one.resolver
    auth = one.auth if door == "public" else "bearer"

    def here(input: Any, ctx: Any) -> Any:
        see(ctx)
        return resolve(input, ctx)

    async def on_loop(input: Any, ctx: Any) -> Any:
        await asyncio.sleep(0)
        see(ctx)
        return resolve(input, ctx)

    made: Any = on_loop if runs == "async" else here
    made.__name__, made.__qualname__ = one.__name__, one.__qualname__
    made.__annotations__ = get_type_hints(resolve, include_extras=True) | {
        "ctx": site.User if auth == "bearer" else None
    }
    options: dict[str, Any] = {
        name: getattr(one, name) for name in ("summary", "tags", "deprecated", "hooks", "name")
    }
    return route(**options, auth=auth, inline=runs == "inline")(made)


@cache
def make_lane(door: Door, runs: Runs) -> Spec[site.User]:
    """The table's spec, whose routes are all of one kind."""
    moved_routes = [
        moved(one, door, runs) for one in site.ROUTES if isinstance(one, Route) and not one.is_async
    ]
    return spec(
        authenticate=authenticate_async if door == "async" else authenticate,
        routes=moved_routes,
        meta=site.META,
        authenticate_inline=door == "inline",
    )
