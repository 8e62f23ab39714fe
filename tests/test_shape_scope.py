"""Scopes: which of several things of one name an annotation means, and what a parameter stands for."""

import sys
import typing
from collections import deque
from dataclasses import dataclass
from types import ModuleType, new_class
from typing import Annotated, Any, Generic, Literal, NewType, Optional, ParamSpec, TypeVar, Union

import pytest
import typing_extensions
from annotated_types import Ge, MaxLen
from typing_extensions import TypeAliasType

from contract.shape.exceptions import UnsupportedAnnotation
from contract.shape.nodes import RefShape
from contract.shape.reader import shape_of
from contract.shape.scope import (
    Binding,
    Unresolvable,
    class_scope,
    closed,
    display,
    is_alias,
    module_scope,
    resolve,
    root_scope,
)
from tests.tables import rows

T = TypeVar("T")
Text = TypeAliasType("Text", str)
Pair = TypeAliasType("Pair", tuple[T, T], type_params=(T,))
value = "the module's"


@dataclass
class Holder:
    class Nested: ...

    value: int = 1

    def method(self) -> None: ...


def test_the_callers_names_are_looked_up_last() -> None:
    names = {"int": str, "value": "the caller's", "only": "here"}

    assert root_scope(names).evaluate("int") is int
    assert module_scope(__name__, names).evaluate("value") == "the module's"
    assert module_scope(__name__, names).evaluate(" only ") == "here"
    assert root_scope(None).evaluate("int | None") == int | None


def test_a_module_that_is_gone_has_only_builtins() -> None:
    assert module_scope("no.such.module", {}).evaluate("int") is int


def test_the_body_of_a_class_is_nearest_but_for_its_fields() -> None:
    scope = class_scope(Holder, {}, {})

    assert scope.evaluate("Nested") is Holder.Nested
    assert scope.evaluate("value") == "the module's"
    assert scope.evaluate("Holder") is Holder
    with pytest.raises(Unresolvable, match="the name 'method' is not defined here"):
        scope.evaluate("method")


def test_the_names_among_which_a_class_was_made_are_nearer_than_those_of_its_module() -> None:
    class Local: ...

    assert class_scope(Local, {}, {"Local": Local, "value": "local"}).evaluate("value") == "local"
    assert class_scope(Local, {}, {"value": "other"}).evaluate("value") == "the module's"
    assert class_scope(Local, {}, {}).evaluate("Local") is Local


def test_a_class_may_be_called_like_a_local_one_elsewhere() -> None:
    scope = class_scope(Holder, {}, {"Holder": Holder, "value": "other"})

    assert scope.evaluate("value") == "the module's"


@rows(
    "text, problem",
    ("absent", "the name 'absent' is not defined here"),
    ("1 +", "SyntaxError"),
    ("int.absent", "AttributeError"),
    ("'a' | None", "TypeError"),
    ("", "SyntaxError"),
)
def test_text_that_is_no_annotation_says_why(text: str, problem: str) -> None:
    with pytest.raises(Unresolvable, match=problem):
        root_scope({}).evaluate(text)


def test_bound_variables_give_way_to_what_they_stand_for() -> None:
    inner = module_scope(__name__, {}, bindings={T: Binding("int", root_scope(None))})
    scope = module_scope(__name__, {}, bindings={T: Binding(list[T], inner)})  # type: ignore[valid-type]

    assert closed(T, scope, "x") == list[int]
    assert closed("dict[str, T]", scope, "x") == dict[str, list[int]]
    assert closed(Pair[T], scope, "x") == Pair[list[int]]  # type: ignore[valid-type]
    assert closed(Generic, scope, "x") is Generic
    assert closed(list[T], root_scope(None), "x") == list[T]  # type: ignore[valid-type]
    assert closed(T, root_scope(None), "x") is T
    assert closed(int | None, scope, "x") == int | None


def test_text_is_evaluated_until_there_is_none() -> None:
    scope = root_scope({"name": "other", "other": "int"})

    assert resolve("name", scope, "x") == (int, scope)
    assert resolve(typing.ForwardRef("other"), scope, "x") == (int, scope)
    assert resolve(3, scope, "x") == (3, scope)


def test_a_reference_may_name_its_module() -> None:
    other = ModuleType("shapes_elsewhere")
    vars(other)["Thing"] = bytes
    sys.modules["shapes_elsewhere"] = other
    binding = Binding(int, root_scope(None))
    scope = module_scope(__name__, {}, bindings={T: binding})
    found, of = resolve(typing.ForwardRef("Thing", module="shapes_elsewhere"), scope, "x")

    assert found is bytes
    assert (of.module, of.bindings) == ("shapes_elsewhere", {T: binding})


def test_a_lambda_sees_the_module() -> None:
    annotation: Any = module_scope(__name__, {}).evaluate("lambda: value")

    assert annotation() == "the module's"


def test_what_cannot_be_resolved_is_refused_with_the_place() -> None:
    problem = r"^f.input: 'Absent' cannot be resolved: .* outside of `if TYPE_CHECKING:`"
    with pytest.raises(UnsupportedAnnotation, match=problem):
        resolve("Absent", root_scope({}), "f.input")


@rows(
    "annotation, text",
    (None, "None"),
    (type(None), "None"),
    (int, "int"),
    (Holder.Nested, "Holder.Nested"),
    (list[int], "list[int]"),
    (Optional[int], "int | None"),  # noqa: UP045
    (Union[int, Holder.Nested], "int | Holder.Nested"),  # noqa: UP007
    (int | Holder.Nested, "int | Holder.Nested"),
    (Literal["a"], "Literal['a']"),
    (Annotated[int, "note"], "int"),
    (typing.Callable[[int], str], "Callable[[int], str]"),
    (T, "T"),
    (Text, "Text"),
    (Pair[int], "Pair[int]"),
    (Any, "Any"),
    (3, "3"),
)
def test_an_annotation_is_shown_as_it_was_written(annotation: object, text: str) -> None:
    assert display(annotation) == text


def test_a_local_class_is_shown_by_its_name() -> None:
    class Local: ...

    assert display(Local) == "Local"


def test_an_alias_is_known_with_and_without_arguments() -> None:
    assert is_alias(Text)
    assert is_alias(Pair[int])
    assert not is_alias(list[int])


def test_what_says_itself_why_it_is_no_annotation_is_heard() -> None:
    class Loud:
        def __ror__(self, other: object) -> None:
            raise UnsupportedAnnotation("Loud", "write another")

    with pytest.raises(Unresolvable, match=r"^write another$"):
        root_scope({"Loud": Loud}).evaluate("int | Loud()")


class HasLength(typing.Protocol):
    def __len__(self) -> int: ...


P = ParamSpec("P")
Name = NewType("Name", str)
Number = NewType("Number", int)


def generic(name: str, variable: Any) -> Any:
    """A dataclass with a field of the type *variable*."""
    annotations = {"value": int if variable is P else variable}
    body = {"__annotations__": annotations, "__module__": __name__}
    base: Any = Generic
    return dataclass(new_class(name, (base[variable],), exec_body=lambda names: names.update(body)))


OfList = generic("OfList", TypeVar("Listed", bound=list[Any] | deque[Any]))
OfNullable = generic("OfNullable", TypeVar("Nullable", bound=int | None))
OfAny = generic("OfAny", TypeVar("Whatever", bound=Any))
OfMany = generic("OfMany", P)
OfDefault = generic("OfDefault", typing_extensions.TypeVar("Kind", default=int))
OfText = generic("OfText", TypeVar("Word", bound=str))
OfReal = generic("OfReal", TypeVar("Real", bound=float))
OfEither = generic("OfEither", TypeVar("Either", int, str))
OfSized = generic("OfSized", TypeVar("Sized", bound=HasLength))
OfLater = generic("OfLater", TypeVar("Later", bound="str"))


@rows(
    "annotation",
    *(OfText[str], OfText[Any], OfText[Annotated[str, MaxLen(3)]], OfText[Name]),
    *(OfText[Literal["a"]], OfReal[int], OfReal[int | float], OfReal["int"], OfEither[str]),
    *(OfSized[list[int]], OfSized[str], OfLater[str], OfDefault, OfList[list[int]]),
    *(OfList[deque[str]], OfNullable[None], OfNullable[int | None], OfAny[int]),
)
def test_an_argument_is_within_its_bound(annotation: object) -> None:
    assert isinstance(shape_of(annotation), RefShape)


@rows(
    "annotation, problem",
    (OfText[int], "int is not a str, for which Word of OfText stands; write one of those"),
    (OfReal[str], "str is not a float"),
    (OfEither[float], "float is not an int or str"),
    (OfText[Annotated[int, Ge(1)]], "int is not a str"),
    (OfReal[int | str], "str is not a float"),
    (OfText[Number], "int is not a str"),
    (OfText[Literal["a", 1]], "int is not a str"),
    (OfText[list[str]], "list is not a str"),
    (OfList[tuple[int, ...]], "tuple is not a list or deque"),
    (OfNullable[str], "str is not an int or None"),
    (OfLater[int], "int is not a str"),
    (OfMany[int], "is generic in ~P; write a TypeVar"),
    (OfText, r"OfText is generic; write OfText\[...\] with types for Word"),
)
def test_an_argument_beyond_its_bound_is_refused(annotation: object, problem: str) -> None:
    with pytest.raises(UnsupportedAnnotation, match=problem):
        shape_of(annotation)
