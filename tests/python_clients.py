"""Generated Python, made into modules and held against the documents that it was generated from."""

from __future__ import annotations

import itertools
import keyword
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from types import ModuleType
from typing import Annotated, Any, Final

import pytest
from annotated_types import Ge

from contract import UNSET, Failure, NotFound, Spec, Unset, exports, route, spec
from contract.client import DeclaredFailure, RouteSchemas
from contract.codegen.package import package_of
from contract.codegen.python import python_client
from contract.document import Document
from contract.document.describe import describe
from contract.document.json_schema import SchemaWriter, closure
from contract.document.model import Side
from contract.shape.graph import definitions
from contract.shape.nodes import RefShape, Shape
from contract.shape.reader import ShapeReader

__all__ = ["differences", "document_of", "generated", "module_of"]

_NUMBERS: Final = itertools.count()


class Refused(Failure, status=409):
    """It is refused."""

    days: Annotated[int, Ge(0)]
    note: str | Unset = UNSET


def document_of(*annotations: Any) -> Document:
    """A contract with a route that takes and gives each of *annotations*, which it exports as well."""

    def taking(annotation: Any) -> Any:
        def call(input: Any, ctx: None) -> Any:
            raise NotImplementedError

        call.__annotations__ = {
            "input": annotation,
            "ctx": None,
            "return": Refused | NotFound | annotation if annotation else None,
        }
        return route(summary="Call", tags=["tests"], auth="none")(call)

    routes = {f"call{number}": taking(annotation) for number, annotation in enumerate(annotations)}
    given = {f"Given{number}": annotation for number, annotation in enumerate(annotations)}
    return describe(spec(routes=routes, exports=exports(**given)))


@contextmanager
def module_of(source: str, name: str = "generated") -> Iterator[Any]:
    """The module that *source* is, for as long as it is asked for."""
    full = f"{name}_{next(_NUMBERS)}"
    module = ModuleType(full)
    sys.modules[full] = module
    try:
        exec(compile(source, f"{full}.py", "exec", dont_inherit=True), vars(module))
        yield module
    finally:
        del sys.modules[full]


def generated(api: Spec[Any]) -> Any:
    """A fixture for a module: the client that is generated of *api*."""

    @pytest.fixture(scope="module")
    def client() -> Iterator[Any]:
        with module_of(python_client(package_of(describe(api)))) as module:
            yield module

    return client


def differences(document: Document, module: Any) -> list[str]:
    """Where the types of a client are not those of the document that it was made from."""
    found: list[str] = []
    operations = package_of(document).operations

    def compare(where: str, schema: Mapping[str, Any], shape: Shape, side: Side) -> None:
        # each definition has a name of its own, whatever it is called
        names = {each: f"<{number}>" for number, each in enumerate(closure(definitions(shape)))}
        writer = SchemaWriter(names)
        comparison = _Comparison(document.defs, writer.defs((shape, side)))
        comparison.same(schema, writer.schema(shape, side), where)
        found.extend(comparison.found)

    for name, schema in document.exports.items():
        shape = getattr(module.schemas, name).pred.shape
        compare(f"exports.{name}", schema, shape, "input" if name.endswith("Input") else "output")
    for name, described in document.routes.items():
        schemas: RouteSchemas[Any, Any] = getattr(module.schemas, name)
        if operations[name].input is not None:
            compare(f"{name}.input", described.input, schemas.input.pred.shape, "input")
        compare(f"{name}.output", described.output, schemas.output.pred.shape, "output")
        for code, error in described.errors.items():
            cls = _failure_of(module, code)
            assert cls.http_status == error.status
            shape = RefShape(ShapeReader().failure(cls, where=code))
            compare(f"{name}.{code}", error.data or _NO_DATA, shape, "output")
    return found


_NO_DATA: Final = {"type": "object", "properties": {}, "additionalProperties": False}


def _failure_of(module: Any, code: str) -> type[DeclaredFailure]:
    for each in vars(module).values():
        if isinstance(each, type) and getattr(each, "error_code", None) == code:
            assert issubclass(each, DeclaredFailure)
            return each
    raise AssertionError(f"{code} has no class")


class _Comparison:
    """Goes through two schemas at once, references included."""

    def __init__(self, theirs: Mapping[str, Any], ours: Mapping[str, Any]) -> None:
        self.theirs = theirs
        self.ours = ours
        self.found: list[str] = []
        self.seen: set[tuple[str, str]] = set()

    def same(self, their: Any, our: Any, where: str) -> None:
        if isinstance(their, Mapping) and isinstance(our, Mapping):
            self._same_schemas(their, our, where)
        elif isinstance(their, list) and isinstance(our, list) and len(their) == len(our):
            for index, (one, other) in enumerate(zip(their, our, strict=True)):
                self.same(one, other, f"{where}[{index}]")
        elif their != our or (
            type(their) is not type(our) and {type(their), type(our)} != _NUMERIC
        ):
            self.found.append(f"{where}: {their!r} is not {our!r}")

    def _same_schemas(self, their: Mapping[str, Any], our: Mapping[str, Any], where: str) -> None:
        if "$ref" in their or "$ref" in our:
            pair = (str(their.get("$ref")), str(our.get("$ref")))
            rest = ({**their, "$ref": None}, {**our, "$ref": None})
            if "$ref" in their and "$ref" in our and rest[0].keys() == rest[1].keys():
                if pair in self.seen:
                    return
                self.seen.add(pair)
            their, our = _followed(their, self.theirs), _followed(our, self.ours)
        their, our = _bare(their), _bare(our)
        for key in {**their, **our}:
            if _is_no_difference(key, their, our, where):
                continue
            if key not in their or key not in our:
                side, value = ("theirs", their[key]) if key in their else ("ours", our[key])
                self.found.append(f"{where}: only {side} has {key}: {value!r}")
            elif key == "mapping":
                for tag in {**their[key], **our[key]}:
                    one, other = ({"$ref": each[key].get(tag)} for each in (their, our))
                    self.same(one, other, f"{where}.mapping.{tag}")
            else:
                self.same(their[key], our[key], f"{where}.{key}")


_NUMERIC: Final = {int, float}


def _is_no_difference(key: str, their: Any, our: Any, where: str) -> bool:
    if key == "default" and key not in our:
        # each instance gets one of its own, from a function, of which a schema tells nothing
        return bool(their[key]) and isinstance(their[key], list | Mapping)
    if key == "x-contract-name" and key not in their:
        # what Python does not take as a name has another one
        return not is_name(where.rpartition(".properties.")[2])
    return False


def is_name(text: str) -> bool:
    """Whether Python takes *text* as the name of a field."""
    return text.isidentifier() and not keyword.iskeyword(text) and not text.startswith("__")


_NOTES: Final = ("title", "description", "examples", "deprecated", "x-contract-generic")


def _followed(schema: Mapping[str, Any], defs: Mapping[str, Any]) -> Mapping[str, Any]:
    while "$ref" in schema:
        rest = {key: value for key, value in schema.items() if key != "$ref"}
        schema = {**defs[schema["$ref"].removeprefix("#/$defs/")], **rest}
    return schema


def _bare(schema: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in schema.items() if key not in _NOTES}
