"""Open records: TypedDicts with ``extra_items``, through everything that a type goes through."""

from __future__ import annotations

from datetime import date
from random import Random
from typing import Annotated, Any, Final, Literal, NotRequired

import orjson
import pytest
from annotated_types import Ge
from typing_extensions import TypedDict

from contract import Failure, Spec, route, spec
from contract.codegen.package import package_of
from contract.codegen.python import python_client
from contract.codegen.typescript import typescript_client
from contract.document.describe import describe
from contract.document.openapi import openapi
from contract.explorer.llms import term
from contract.pred.compile import pred_of
from contract.pred.dump.compile import compile_dumper
from contract.shape.exceptions import GenerationError, InvalidInput, InvalidOutput
from contract.shape.reader import shape_of
from contract.testing import Client
from contract.testing.mock_values import Values
from tests.codegen_documents import closed, document, ref
from tests.codegen_documents import route as on_paper
from tests.diffs import changes, kinds, record, told
from tests.oracle import schema_of
from tests.python_clients import module_of
from tests.tables import rows


class Movie(TypedDict, extra_items=Annotated[int, Ge(0)]):  # type: ignore[call-arg]
    title: str
    year: NotRequired[int]


class Bag(TypedDict, extra_items=date):  # type: ignore[call-arg]
    pass


class Chain(TypedDict, extra_items="list[Chain]"):  # type: ignore[call-arg]
    kind: Literal["chain"]


class Other(TypedDict):
    kind: Literal["other"]


def _issues(document: Any, *, large: bool = False) -> list[tuple[Any, ...]]:
    padding = b" " * (20_000 if large else 0)
    with pytest.raises(InvalidInput) as caught:
        pred_of(Movie).load(orjson.dumps(document) + padding)
    return [(*each.path, each.code, *dict(each.params).values()) for each in caught.value.issues]


def test_the_values_of_other_keys_are_checked() -> None:
    """A value of another type that stands under what is nearly a field was meant for that field."""
    good = {"title": "a", "b": 1, "": 0}
    bad = {"title": "a", **{f"k{number}": "x" for number in range(30)}}

    assert pred_of(Movie).load(orjson.dumps(good)) == good
    found = _issues({"title": "a", "b": -1, "c": "x"})
    assert found == [("b", "greater_than_equal", 0), ("c", "integer_type", "string")]
    assert _issues({"titel": "a"}) == [("title", "missing"), ("titel", "unknown_key", "title")]
    assert _issues({"titel": "a", "title": "b"}) == [("titel", "integer_type", "string")]
    assert _issues({"titel": -1}) == [("title", "missing"), ("titel", "greater_than_equal", 0)]
    assert len(_issues(bad)) == 20


@rows(
    "value, problem",
    ({"title": "a", "b": "x"}, "b: expected int, found str"),
    ({"title": "a", "b": -1}, "b: "),
    ({"title": "a", 3: 1}, "1: its key: expected str, found int"),
    ({"title": "a", "\ud800": 1}, "0: its key: "),
    ({"b": 1}, "title: is missing"),
)
def test_the_output_is_checked(value: Any, problem: str) -> None:
    dumper = compile_dumper(shape_of(Movie))

    assert orjson.loads(dumper({"title": "a", "b": 1})) == {"title": "a", "b": 1}
    assert orjson.loads(compile_dumper(shape_of(Bag))({"": date(2024, 1, 1)})) == {"": "2024-01-01"}
    with pytest.raises(InvalidOutput) as caught:
        dumper(value)
    where = ".".join(map(str, caught.value.path))
    assert f"{where}: {caught.value.problem}".startswith(problem)


def test_its_schema_tells_of_other_keys() -> None:
    """One without fields is a map."""
    movie = schema_of(shape_of(Movie), "input")["$defs"]["Movie"]

    assert movie["additionalProperties"]["minimum"] == 0
    assert movie["required"] == ["title"]
    assert schema_of(shape_of(Bag), "input")["$defs"]["Bag"] == {
        "title": "Bag",
        "type": "object",
        "additionalProperties": {"type": "string", "format": "date", "pattern": DATE},
    }
    assert term(movie) == "{title: string, year?: integer, [key]: integer (>= 0)}"
    assert term(movie | {"additionalProperties": {}}).endswith("[key]: any}")


DATE: Final = schema_of(shape_of(date), "input")["pattern"]

OPEN: Final = record("a", a={"type": "string"}) | {"additionalProperties": {"type": "integer"}}


@rows(
    "old, new, marks",
    (record("a", a={"type": "string"}), OPEN, "~representation_changed +extra_fields_allowed"),
    (OPEN, record("a", a={"type": "string"}), "-extra_fields_refused ~representation_changed"),
    (OPEN, OPEN | {"additionalProperties": {"type": "number"}}, "+type_widened"),
    (OPEN, OPEN | {"additionalProperties": {"type": "integer", "minimum": 1}}, "-limit_narrowed"),
)  # fmt: skip
def test_a_change_of_other_keys_is_told(old: Any, new: Any, marks: str) -> None:
    for side in ("input", "output"):
        assert kinds(changes(side, old, new)) == told(marks, side)


# Clients.


class Gone(Failure, status=410):
    movie: Movie


@route(summary="Rate", tags=["m"], auth="none", mcp=True)
def rate(input: Movie, ctx: None) -> Movie | Gone:
    return input if input.get("year") != 1 else Gone(movie=input)


@route(summary="Link", tags=["m"], auth="none")
def link(input: Chain | Other, ctx: None) -> Chain | Other:
    return input


api: Final[Spec[None]] = spec(routes=[rate, link])


def test_a_service_and_its_documents_have_them() -> None:
    client = Client(api)
    sent = {"title": "a", "b": 1}
    chain = {"kind": "chain", "next": [{"kind": "chain", "": []}]}
    found = openapi(describe(api), server="/v1")

    assert client.call("rate", sent).json == sent
    assert client.call("link", chain).json == chain
    assert client.call("rate", {"title": "a", "year": 1, "c": 2}).status == 410
    assert found["components"]["schemas"]["Movie"]["additionalProperties"]["type"] == "integer"


def test_clients_have_them_as_keys() -> None:
    """In Python it is one argument, since no parameters have all names."""
    package = package_of(describe(api))
    python, typescript = python_client(package), typescript_client(package)

    assert "class Movie(TypedDict, extra_items=Annotated[int, Ge(0)]):" in python
    assert 'class Chain(TypedDict, extra_items=list["Chain"]):' in python
    assert "def rate(self, input: Movie, /) -> Ok[Movie] | Gone | CallError:" in python
    assert "  [key: string]: number | string | undefined;\n" in typescript
    assert "$others($integer({ ge: 0 }))" in typescript


def _open(**fields: Any) -> dict[str, Any]:
    return {**closed(**fields), "additionalProperties": {"type": "integer"}}


TEXT: Final = {"type": "string"}


@rows(
    "default, written",
    ({"@a": "x"}, "default_factory=lambda: Open({"),
    ({"@a": "x", "more": 1}, "UNSET"),
    ({"@a": 3}, "UNSET"),
    ({}, "UNSET"),
    (3, "UNSET"),
)
def test_a_default_is_written_where_type_checkers_take_it(default: Any, written: str) -> None:
    """Not all of them take other keys yet."""
    holder = closed() | {"properties": {"of": ref("Open") | {"default": default}}}
    given = document(
        on_paper(input=ref("Holder")), defs={"Holder": holder, "Open": _open(**{"@a": TEXT})}
    )
    [line] = [
        line
        for line in python_client(package_of(given)).splitlines()
        if line.startswith("    of: ")
    ]

    assert written in line


def _tagged(first: dict[str, Any], second: dict[str, Any]) -> str:
    both = {"First": first, "Second": second}
    given = document(on_paper(input={"oneOf": [ref("First"), ref("Second")]}), defs=both)
    return python_client(package_of(given))


def test_a_tag_is_a_key_of_all_records_that_are_open() -> None:
    first, second = ({"const": value, "type": "string"} for value in ("1", "2"))

    for tag, other in (("kind", closed), ("@kind", _open)):
        with module_of(_tagged(_open(**{tag: first}), other(**{tag: second}))) as module:
            assert module.schemas.do.input.load(f'{{"{tag}": "1", "b": 2}}'.encode())["b"] == 2
    with pytest.raises(
        GenerationError, match=r'Second: the tag "@kind" is not a name in Python, .* call it kind'
    ):
        _tagged(_open(**{"@kind": first}), closed(**{"@kind": second}))


def test_mocks_draw_them() -> None:
    package = package_of(describe(api))
    drawn = Values(package)
    shape = package.operations["rate"].output

    values = [drawn.draw(shape, Random(seed), "$") for seed in range(20)]

    assert any(value.keys() - {"title", "year"} for value in values)
