"""Fuzzing as tests need it: without a log, and without a word on how far it is."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from contract import Spec
from contract.codegen.package import package_of
from contract.document.describe import describe
from contract.testing import Client
from contract.testing.findings import silence
from contract.testing.fuzzed import Fuzzed, fuzzed_in, fuzzed_of
from contract.testing.fuzzing import Answer, Post, Result, fuzz_route

__all__ = ["asking", "fuzz", "inside_and_outside"]


def asking(client: Client, **more: Any) -> Post:
    """A caller that gives each body to the service of *client*."""
    return lambda name, body: Answer(client.call(name, body=body, **more))


def fuzz(
    route: Fuzzed,
    *posts: Post,
    gets: Sequence[Post] = (),
    told: Callable[[int], None] = lambda _: None,
    seeded: int = 0,
    most: int = 30,
) -> Result:
    """What comes of *most* calls of each kind."""
    with silence():
        return fuzz_route(route, posts, gets=gets, max_examples=most, seeded=seeded, told=told)


def inside_and_outside(api: Spec[Any]) -> list[dict[str, Fuzzed]]:
    """The routes of *api* by their names, as this process knows them, and as its document does."""
    known = (fuzzed_of(api), fuzzed_in(package_of(describe(api))))
    return [{each.name: each for each in side} for side in known]
