"""The names of generated code that change although the documents do not show it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

from contract.codegen.package import package_of
from contract.codegen.python import python_client
from contract.codegen.renames import renamed
from contract.document import ContractError, Document
from contract.document.diff import diff
from contract.document.model import ContractFile
from tests.codegen_documents import CARD, CASH, NOTHING, Schema, closed, document, ref, route
from tests.tables import rows

TEXT: Final[Schema] = {"type": "string"}
MAYBE: Final[Schema] = {"anyOf": [ref("A"), {"type": "null"}]}
A: Final[Schema] = {"A": closed(a=TEXT)}
ONE: Final = "the input is one argument"
NO: Final = ContractError(409, "No.")
CODE: Final = "generated Python and TypeScript"


def slices(*names: str) -> Document:
    """A service with a list of texts, and of each of the types *names*."""
    defs: Schema = {name: closed(of={"const": name}) for name in names}
    for name, item in {"str": TEXT, **{name: ref(name) for name in names}}.items():
        made = {"x-contract-generic": {"name": "Slice", "arguments": [item]}}
        defs[f"Slice_{name}"] = closed(items={"type": "array", "items": item}) | made
    lists = [name for name in defs if name not in names]
    return document(*(route(f"l{name}", output=ref(name)) for name in lists), defs=defs)


def routed(*names: str, **exports: Schema) -> Document:
    """A service with these routes; those with a dot are in a group."""
    groups = {name: name.rpartition(".")[0] or None for name in names}
    found = (route(name, group=group) for name, group in groups.items())
    return document(*found, defs=A, exports=exports)


def guarded(*ways: str, **places: Any) -> Document:
    """A service with these ways in."""
    return document(route(auth="bearer", ways=ways), ways=places)


def failing(data: Schema, *others: str, **defs: Schema) -> Document:
    """A service with a failure of *data*, which may also stand in the output."""
    error = replace(NO, data=ref("Full"), data_required=True)
    known = {"Full": data, **defs}
    routes = [route(f"do_{name}", output=ref(name)) for name in others]
    return document(route(errors={"FULL": error}), *routes, defs=known)


def taking(input: Schema, output: Schema = TEXT, **defs: Schema) -> Document:
    return document(route(input=input, output=output), defs=defs)


def sending(input: Schema, name: str = "f", **defs: Schema) -> Document:
    file = ContractFile(name=name, max_bytes=1, required=True)
    return document(route(input=input, files={"part": file}), defs=defs)


def told(old: Document, new: Document) -> list[str]:
    """The path and the text of each change of a name."""
    found = [*renamed(old, new, diff(old, new))]

    assert {change.level for change in found} <= {"source"}
    end = "; on the wire nothing changes"
    return sorted(f"{change.path}: {change.text.removesuffix(end)}" for change in found)


@rows(
    "old, new, changes",
    (
        slices(),
        slices("Card"),
        [
            "$defs.Slice_str: in generated Python the type is Slice[T], was Slice_str",
            "$defs.Slice_str: in generated TypeScript the type is Slice<T>, was Slice_str",
        ],
    ),
    (slices("Card"), slices("Card", "Cash"), []),
    (
        routed("g.r"),
        routed("g.r", "g_r"),
        [
            f'routes["g.r"]: in {CODE} the validator is schemas.g_r_2, was schemas.g_r',
            'routes["g.r"]: in generated TypeScript the function is g_r_2, was g_r',
        ],
    ),
    (
        routed("g.a-b"),
        routed("g.a-b", "g.a_b"),
        [f'routes["g.a-b"]: in {CODE} the method is g.a_b_2, was g.a_b'],
    ),
    (routed("g.r"), document(route("g.r"), defs=A), []),  # diff tells what group it is in
    (
        routed("a"),
        routed("a", a=TEXT),
        [f"routes.a: in {CODE} the validator is schemas.a_, was schemas.a"],
    ),
    (
        document(route(), defs=A, exports={"Full": ref("A")}),
        document(route(errors={"FULL": NO}), defs=A, exports={"Full": ref("A")}),
        ["exports.Full: in generated Python the type is Full_2, was Full"],
    ),
    (
        routed(**{"a-b": ref("A")}),
        routed(**{"a-b": ref("A"), "a_b": TEXT}),
        ["exports.a-b: in generated Python the validator is schemas.a_b_2, was schemas.a_b"],
    ),
    (
        guarded("Token", Token="header"),
        guarded("Token", "bearer", Token="header"),
        [f"ways.Token: in {CODE} the option is token_2, was token"],
    ),
    (
        guarded("bearer"),
        document(route()),
        [f"ways.bearer: the option token is gone from {CODE}"],
    ),
    # the same header, written in another case, has the same option
    (guarded("X-Key", **{"X-Key": "header"}), guarded("x-key", **{"x-key": "header"}), []),
    (
        failing(closed()),
        failing(closed(), "Full"),
        ["errors.FULL: in generated Python the failure is Full_2, was Full"],
    ),
    (
        document(route(output=ref("Full")), defs={"Full": closed(response=TEXT)}),
        failing(closed(response=TEXT), "Full"),
        ["$defs.Full.response: in generated Python the field is response_, was response"],
    ),
)
def test_a_name_that_depends_on_others(old: Document, new: Document, changes: list[str]) -> None:
    assert told(old, new) == changes


@rows(
    "old, new, changes",
    (
        taking(ref("A"), **A),
        taking(MAYBE, **A),
        [
            f"routes.do.input: in generated Python {ONE}, was an argument for each field",
        ],
    ),
    (taking(NOTHING), taking(ref("A"), **A), []),
    (
        sending(ref("A"), **A),
        sending(ref("A"), A=closed(a=TEXT, f=TEXT)),
        ["routes.do.files.part: in generated Python the argument is f_, was f"],
    ),
    (sending(ref("A"), **A), sending(ref("A"), "g", **A), []),  # diff tells of that name
)
def test_a_method_that_takes_its_input_otherwise(
    old: Document, new: Document, changes: list[str]
) -> None:
    assert told(old, new) == changes


EITHER: Final[Schema] = {"oneOf": [ref("Card"), ref("Cash")]}
CASES: Final[Schema] = {"Card": CARD, "Cash": CASH}


@rows(
    "old, new, changes",
    # the name of a class, which code may import
    (
        taking(TEXT, EITHER, **CASES),
        taking(TEXT, ref("Card"), **CASES),
        [f"$defs.Cash: the type Cash is gone from {CODE}"],
    ),
    # a route that is gone has told of its types
    (taking(TEXT, ref("Card"), **CASES), document(route("other")), []),
    # and so has a type with another name
    (taking(TEXT, ref("A"), **A), taking(TEXT, ref("B"), B=A["A"]), []),
    (
        document(route("do", output=ref("A")), defs=A, exports={"a": ref("A")}),
        document(route("other"), defs=A, exports={"A": TEXT}),
        [],
    ),
)
def test_a_type_that_is_gone(old: Document, new: Document, changes: list[str]) -> None:
    assert told(old, new) == changes


def test_a_field_that_the_document_renames_is_not_told_twice() -> None:
    other = taking(ref("A"), A=closed(a=TEXT | {"x-contract-name": "b"}))

    assert told(taking(ref("A"), **A), other) == []


def test_a_service_of_which_no_client_can_be_made() -> None:
    paged = document(route(pages=True))
    [change] = renamed(document(route()), paged, ())

    assert (change.kind, change.level, change.path) == (
        "not_generated",
        "source",
        "routes.do.output",
    )
    assert change.text.startswith("no clients can be generated any more: a page has no list")
    assert told(paged, document(route())) == []


def test_a_change_names_what_it_is_about() -> None:
    [python, _] = renamed(slices(), slices("Card"), ())

    assert (python.kind, python.type, python.route) == ("renamed_in_code", "Slice_str", None)
    assert (python.old, python.new) == ("Slice_str", "Slice[T]")
    [gone] = renamed(guarded("bearer"), document(route()), ())
    assert (gone.kind, gone.old, gone.new) == ("removed_from_code", "token", None)


@rows("old, new", (slices(), slices("Card")), (failing(closed()), failing(closed(), "Full")))
def test_the_names_are_those_of_the_generated_module(old: Document, new: Document) -> None:
    before, after = (python_client(package_of(each)) for each in (old, new))
    changes = [change for change in renamed(old, new, ()) if "Python" in change.text]

    assert changes
    for change in changes:
        assert f"\nclass {change.old}" in before
        assert f"\nclass {str(change.new).partition('[')[0]}" in after
