"""Generic types in what is generated: ``Page[Order]``, where a document tells that it is one."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Annotated, Any, Final, Generic, TypeVar

import pytest
from annotated_types import Len

from contract import Failure, Name, exports, route, spec
from contract.codegen.package import package_of
from contract.codegen.python import python_client
from contract.codegen.typescript import typescript_client
from contract.document import ContractError, Document
from contract.document.contract_json import dump_contract, load_contract
from contract.document.describe import describe
from contract.document.diff import diff
from contract.document.openapi import openapi
from contract.shape.exceptions import DocumentError, InvalidInput
from tests.codegen_documents import CARD, CASH, Schema, closed, document, ref
from tests.codegen_documents import route as routed
from tests.python_clients import module_of
from tests.tables import rows

TEXT: Final[Schema] = {"type": "string"}
WHOLE: Final[Schema] = {"type": "integer"}


def page(
    of: Schema, *more: Schema, name: str = "Page", told: Schema | None = None, **fields: Any
) -> Schema:
    """The schema of an instance: its items are its first argument."""
    body = closed(items={"type": "array", "items": of}, **fields)
    return {**body, **(told or {}), "x-contract-generic": {"name": name, "arguments": [of, *more]}}


def both(names: Iterable[str] = "AB", **fields: Any) -> Schema:
    """Two instances, in whose *fields* T stands for the argument."""

    def put(value: Any, name: str) -> Any:
        return json.loads(json.dumps(value).replace('"#T"', f'"#/$defs/{name}"'))

    return {f"Page_{name}": page(ref(name), **put(fields, name)) for name in names}


T: Final[Schema] = {"$ref": "#T"}
ARRAY: Final[Schema] = {"type": "array"}
MAP: Final[Schema] = {"type": "object"}
WORD: Final[Schema] = {"enum": ["a", "b"], "x-contract-enum-names": ["A", "B"]}
MAYBE: Final[Schema] = {"anyOf": [T, {"type": "null"}]}
NULLABLE: Final[Schema] = {of: {"anyOf": [ref(of), {"type": "null"}]} for of in "AB"}
LIST: Final = {"name": "List", "arguments": [ref("A")]}
SOME: Final[Schema] = ARRAY | {"items": ref("A"), "x-contract-generic": LIST}


def optional(schemas: Schema, *fields: str) -> Schema:
    return {
        name: each | {"required": [key for key in each["required"] if key not in fields]}
        for name, each in schemas.items()
    }


@rows(
    "defs, found",
    (both(), ["Page"]),
    (both(next=TEXT, more=MAYBE), ["Page"]),
    ({"Page_A": page(ref("A"))}, ["Page"]),
    (optional(both(more=MAYBE | {"default": None}), "more"), ["Page"]),
    (optional(both(more=ARRAY | {"items": T, "default": []}), "more"), ["Page"]),
    (both(other={"oneOf": [ref("Card"), ref("Cash")]}), ["Page"]),
    (both(by=MAP | {"additionalProperties": T}), ["Page"]),
    # what is just an int, and what is the argument, nobody can tell
    ({"Page_int": page(WHOLE)}, []),
    # not alike
    ({"Page_A": page(ref("A")), "Page_B": page(ref("B"), next=TEXT)}, []),
    ({"Page_A": page(ref("A"), next=WHOLE), "Page_B": page(ref("B"), next=TEXT)}, []),
    ({"Page_A": page(ref("A")), "Page_B": page(ref("B"), told={"description": "B."})}, []),
    ({"Page_A": page(ref("A")), "Page_B": page(ref("B"), TEXT)}, []),
    # a parameter that stands nowhere
    ({"Page_A": page(ref("A"), ref("B"))}, []),
    # the name is another one's
    (both() | {"page": closed(a=TEXT)}, []),
    # recursive
    ({"Page_A": page(ref("A"), inner=ARRAY | {"items": ref("Page_A")})}, []),
    # declared in place
    ({"Page_A": page(closed(a=TEXT))}, []),
    # no closed objects
    ({f"Page_{of}": page(ref(of), told={"additionalProperties": TEXT}) for of in "AB"}, []),
    ({"Some": SOME}, []),
    # where no parameter can stand
    (both(("Card", "Cheque"), either={"oneOf": [T, ref("Cash")]}), []),
    (both(("Word", "Other"), by=MAP | {"propertyNames": T, "additionalProperties": TEXT}), []),
    # a default that is not right for every argument
    (optional(both(more=ARRAY | {"items": T, "default": [{"a": "x"}]}), "more"), []),
    (optional({f"Page_{of}": page(each, more=each | {"default": None}) for of, each in NULLABLE.items()}, "more"), []),
)  # fmt: skip
def test_types_are_one_generic_type_where_nothing_else_is_possible(
    defs: Schema, found: list[str]
) -> None:
    """Where they are not, all of them keep their names."""
    known = {
        "A": closed(a=TEXT),
        "B": closed(a=TEXT, b=TEXT),
        "Card": CARD,
        "Cash": CASH,
        "Cheque": CARD | {"description": "Another one."},
        "Word": WORD,
        "Other": WORD | {"description": "Another one."},
    }
    fields = {f"f{at}": ref(name) for at, name in enumerate(defs)}
    of = load_contract(dump_contract(document(routed(output=closed(**fields)), defs=known | defs)))
    package = package_of(of)

    assert [*package.generics] == found
    for name in defs:
        if name != "page":
            assert (f"class {name}" in python_client(package)) == (not found and name != "Some")
            assert (f" {name} " in typescript_client(package).partition("// The client")[0]) == (
                not found
            )


def test_a_generic_type_has_no_name_of_an_export_or_a_failure() -> None:
    routes = routed(output=ref("Page_A"))
    known = {"A": closed(a=TEXT), "Page_A": page(ref("A"))}
    failed = routed(output=ref("Page_A"), errors={"PAGE": ContractError(409, "No.")})

    assert [*package_of(document(routes, defs=known)).generics] == ["Page"]
    assert not package_of(document(routes, defs=known, exports={"Page": ref("A")})).generics
    assert not package_of(document(failed, defs=known)).generics


# A service.

V = TypeVar("V")
K = TypeVar("K")


@dataclass(frozen=True)
class Patient:
    name: str


@dataclass(frozen=True)
class Visit:
    day: int = 0


@dataclass(frozen=True)
class Page(Generic[V]):
    """Some of many."""

    items: list[V] = field(default_factory=list[V])
    next: Annotated[V | None, Name("@next")] = None


@dataclass(frozen=True)
class Keyed(Generic[K, V]):
    key: K
    value: V


@dataclass(frozen=True)
class Held:
    """In it, ``Page`` is a field."""

    Page: Page[Patient]
    keys: frozenset[Annotated[str, Len(1, 5)]] = frozenset()
    first: Keyed[str, Visit] = Keyed("", Visit(1))


class Gone(Failure, status=410):
    """It is gone."""


@route(summary="Keep", tags=["t"], auth="none")
def keep(input: Held, ctx: None) -> Keyed[int, Held] | Gone:
    raise NotImplementedError


@route(summary="Turn", tags=["t"], auth="none")
def turn(input: Page[Visit], ctx: None) -> Page[Annotated[str, Len(1, 5)]]:
    raise NotImplementedError


def described() -> Document:
    return describe(
        spec(routes=[keep, turn], exports=exports(Page_Patient=Page[Patient], Visits=Page[Visit]))
    )


def test_python_has_one_class() -> None:
    source = python_client(package_of(described()))
    with module_of(source) as module:
        patient, schemas = module.Patient, module.schemas
        page_of_patients = module.Page[patient]
        made = page_of_patients(items=[patient(name="Ada")], next=None)
        assert module.Page_Patient == page_of_patients
        assert module.Page_Patient(items=[patient(name="Ada")], next=None) == made
        assert schemas.Page_Patient.load(b'{"items":[{"name":"Ada"}],"@next":null}') == made
        assert schemas.Visits.load(b'{"items":[],"@next":{"day":1}}').next.day == 1
        with pytest.raises(InvalidInput):
            schemas.turn.output.load(b'{"items":[""],"@next":null}')
        held = schemas.keep.input.load(b'{"Page":{"items":[]}}')
        assert isinstance(held.Page, module.PageInput)
        visit = module.VisitInput
        assert held.first == module.Keyed[str, visit](key="", value=visit(day=1))

    assert "class Page(Generic[_T]):" in source
    assert "class Keyed(Generic[_T1, _T2]):" in source
    assert "    Page: _Page[Patient]\n" in source  # where a field has the name of the type
    aliases = re.findall(r"(?m)^class (?:Page|Keyed)_\w+|^Page_\w+", source)
    assert aliases == ["Page_Patient", "Page_PatientInput"]


def test_typescript_has_one_interface() -> None:
    source = typescript_client(package_of(described()))

    assert "export interface Page<T> {\n" in source
    assert "export interface Keyed<T1, T2> {\n" in source
    assert "export type Page_Patient = Page<Patient>;\n" in source
    assert "first: Keyed<string, Visit>;" in source
    assert "$Check<Page<Visit>> = " in source


def test_a_class_in_sets_is_another_one_than_elsewhere() -> None:
    """A generic class is compared in one way."""
    known = {"A": closed(a=TEXT), "B": closed(a=TEXT)} | both()
    one = ARRAY | {"items": ref("Page_A"), "uniqueItems": True, "x-contract-type": "set"}
    held = closed(one=one, other=ref("Page_B"))
    package = package_of(document(routed(output=held), defs=known))

    assert "export interface Page<T>" in typescript_client(package)
    assert "class Page_A:" in python_client(package)
    assert "class Page(" not in python_client(package)


# The documents.


def test_a_document_tells_what_is_generic() -> None:
    generic = {
        name: each["x-contract-generic"]["name"]
        for name, each in described().defs.items()
        if "x-contract-generic" in each
    }

    keyed = ("Keyed_int_Held", "Keyed_str_Visit", "Keyed_str_VisitInput")
    pages = ("Page_Patient", "Page_Visit", "Page_str")
    inputs = ("Page_PatientInput", "Page_VisitInput")
    assert generic == (
        dict.fromkeys(keyed, "Keyed")
        | dict.fromkeys(pages, "Page")
        | dict.fromkeys(inputs, "PageInput")
    )
    assert "x-contract-generic" not in str(openapi(described(), server="https://x.example"))


@dataclass(frozen=True)
class Marked(Generic[V]):
    """Its argument stands in no field."""

    day: int


def another() -> Any:
    @dataclass(frozen=True)
    class Page(Generic[V]):
        item: V

    return Page


def test_what_would_not_be_understood_is_not_told() -> None:
    @route(summary="Mark", tags=["t"], auth="none")
    def mark(input: None, ctx: None) -> Marked[Patient]:
        raise NotImplementedError

    of_two = exports(Old=Page[Visit], New=another()[Visit])
    for each in (
        spec(routes=[mark], exports=exports(Patient=Patient)),
        spec(routes=[mark]),
        spec(routes=[], exports=of_two),
    ):
        read = load_contract(dump_contract(describe(each)))
        assert not any("x-contract-generic" in schema for schema in read.defs.values())


def test_an_argument_that_stands_in_no_field_is_in_no_document() -> None:
    read = describe(spec(routes=[], exports=exports(Deep=Marked[Keyed[str, Visit]])))

    assert "Marked_Keyed_str_Visit" in read.defs
    assert not {"Visit", "Keyed_str_Visit"} & read.defs.keys()
    with module_of(python_client(package_of(read))) as module:
        assert module.Deep(day=1).day == 1


def test_the_name_of_a_generic_type_breaks_nobody() -> None:
    old = described()
    bare = {
        name: {key: value for key, value in each.items() if key != "x-contract-generic"}
        for name, each in old.defs.items()
    }

    assert not diff(replace(old, defs=bare), old)
    assert not package_of(replace(old, defs=bare)).generics


@rows(
    "told, place",
    ([], ""),
    ({"name": "Page"}, ""),
    ({"name": "a b", "arguments": [TEXT]}, ".name"),
    ({"name": "Page", "arguments": []}, ".arguments"),
    ({"name": "Page", "arguments": [ref("Nobody")]}, ".arguments[0].$ref"),
)
def test_what_is_told_wrongly_is_refused(told: Any, place: str) -> None:
    written = json.loads(dump_contract(document(routed(), defs={"A": closed(a=TEXT)})))
    written["$defs"]["A"]["x-contract-generic"] = told

    with pytest.raises(DocumentError) as caught:
        load_contract(json.dumps(written).encode())
    assert caught.value.path == f"$.$defs.A.x-contract-generic{place}"


def test_an_empty_list_of_a_generic_type_is_made_by_its_type() -> None:
    """In quotes, since the generic type may stand below it."""
    pages: Schema = {"type": "array", "items": ref("Page_A"), "default": []}
    known = {"A": closed(a=TEXT), "B": closed(b=TEXT), "All": closed(False, pages=pages)}
    told = document(routed(output=ref("All")), defs=both() | known)
    source = python_client(package_of(told))

    assert 'pages: list[Page[A]] = field(default_factory=list["Page[A]"])' in source
    with module_of(source) as module:
        assert module.All().pages == []
