"""Overrides that give files."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any

import pytest
from annotated_types import Len
from hypothesis import settings as Settings  # noqa: N812  it is a class
from hypothesis import strategies as st

from contract import UNSET, Failure, MaxBytes, Media, Name, Unset, Upload, route, spec
from contract.testing import Finding, check_route, inputs
from tests.drawing import drawn
from tests.tables import rows

QUICK = Settings(max_examples=20, database=None, derandomize=True)
PNG = b"\x89PNG good"


class Broken(Failure, status=422):
    """It is no picture."""


Image = Annotated[Upload, MaxBytes(2_000), Media("image/png")]


@dataclass(frozen=True)
class Photo:
    title: Annotated[str, Len(1, 9)]
    image: Annotated[Image, Name("the-image")]
    thumb: Image | None = None
    more: Annotated[list[Image], Len(0, 2)] = field(default_factory=list[Upload])


@dataclass(frozen=True)
class Alone:
    image: Image


@dataclass(frozen=True)
class Noted:
    image: Image
    note: str | Unset = UNSET


PNGS = st.builds(Upload.of, st.just(PNG), media_type=st.just("image/png"))
WHOLE = st.builds(Photo, st.just("cup"), PNGS, st.none() | PNGS, st.lists(PNGS, max_size=2))


def looking(seen: set[str]) -> Any:
    """A route that looks into its file."""

    @route(summary="Add", tags=["t"], auth="none", effect="read")
    def add(input: Photo, ctx: None) -> int | Broken:
        good = input.image.read() == PNG
        seen.add("OK" if good else "BROKEN")
        seen.update("thumb" for each in [input.thumb] if each is not None)
        seen.update("more" for each in input.more if each.read() == PNG)
        return input.image.size if good else Broken()

    return add


OVERRIDES: list[tuple[Mapping[Any, Any], set[str]]] = [
    ({Upload: PNGS}, {"OK", "thumb", "more"}),
    ({Image: PNGS}, {"OK", "thumb", "more"}),
    ({"image": PNGS}, {"OK"}),
    ({(Photo, "image"): PNGS}, {"OK"}),
    ({"image": PNGS, "thumb": PNGS, "more": st.just([])}, {"OK", "thumb"}),
    ({"image": PNGS, "more": st.lists(PNGS, min_size=1, max_size=2)}, {"OK", "more"}),
    ({Photo: WHOLE}, {"OK", "thumb", "more"}),
]


@rows("overrides, wanted", *OVERRIDES)
@rows("whole", False, True)
def test_a_resolver_that_looks_into_its_file_gets_one_that_it_likes(
    overrides: Any, wanted: set[str], whole: bool
) -> None:
    seen: set[str] = set()
    add = looking(seen)
    api = spec(routes=[add]) if whole else None
    check_route(add, api=api, settings=QUICK, overrides=overrides)()

    assert wanted <= seen
    assert "BROKEN" not in seen


@rows("overrides", *(each for each, _ in OVERRIDES))
def test_inputs_have_it(overrides: Any) -> None:
    for photo in drawn(inputs(looking(set()), overrides=overrides), count=15):
        assert photo.image.read() == PNG
        photo.image.file.seek(0)


def test_an_input_of_files_alone_has_it() -> None:
    seen: list[bytes] = []

    @route(summary="Add", tags=["t"], auth="none")
    def add(input: Alone, ctx: None) -> None:
        seen.append(input.image.read())

    for overrides in ({"image": PNGS}, {Alone: st.builds(Alone, PNGS)}):
        check_route(add, settings=QUICK, overrides=overrides)()
    assert {*seen} == {PNG}


def test_a_whole_input_may_leave_out_a_field_beside_its_file() -> None:
    seen: list[bytes] = []

    @route(summary="Add", tags=["t"], auth="none")
    def add(input: Noted, ctx: None) -> None:
        seen.append(input.image.read())

    check_route(add, settings=QUICK, overrides={Noted: st.builds(Noted, PNGS)})()
    assert {*seen} == {PNG}


def test_a_file_that_is_not_allowed_is_refused() -> None:
    plain = st.builds(Upload.of, st.just(PNG))
    with pytest.raises(Finding, match=r"a valid input is refused: .*Must be a file whose media"):
        check_route(looking(set()), settings=QUICK, overrides={"image": plain})()


def test_what_is_no_file_is_refused() -> None:
    with pytest.raises(ValueError, match="the override for 'image' gave b'x', which does not fit"):
        check_route(looking(set()), settings=QUICK, overrides={"image": st.just(b"x")})()
