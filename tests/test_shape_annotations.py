"""Annotations: the parameters of every sort of callable, each annotation evaluated alone."""

import functools
import inspect
from collections.abc import Callable
from typing import Annotated, Any, Optional, TypeVar, Union

import pytest
from typing_extensions import TypeAliasType

from contract.shape import annotations
from contract.shape.annotations import Parameter, parameters_of, signature_of, union_members
from contract.shape.exceptions import UnsupportedAnnotation
from contract.shape.nodes import MISSING
from tests.tables import rows

T = TypeVar("T")
Result = TypeAliasType("Result", "int | str")
Outcome = TypeAliasType("Outcome", Result | None)
Loop = TypeAliasType("Loop", "Loop | int")  # type: ignore[misc]
Pair = TypeAliasType("Pair", tuple[T, list[T]], type_params=(T,))
Listed = TypeAliasType("Listed", list[T] | None, type_params=(T,))
Either = TypeAliasType("Either", "Pair[T] | Listed[list[T]]", type_params=(T,))


class Item: ...


def plain(input: "Item", ctx: None) -> "Item | None": ...


def everything(
    a: int,
    /,
    b: "Absent",  # type: ignore[name-defined]  # noqa: F821
    c: str = "",
    *rest: int,
    d: int,
    e: int = 0,
    **more: int,
) -> None: ...


def unannotated(a, b): ...  # type: ignore[no-untyped-def]


async def asynchronous(input: Item, ctx: None) -> int: ...  # type: ignore[empty-body]


class Shop:
    def order(self, input: Item, ctx: "Shop") -> int: ...  # type: ignore[empty-body]

    @classmethod
    def make(cls, input: Item, ctx: None) -> int: ...  # type: ignore[empty-body]

    @staticmethod
    def free(input: Item, ctx: None) -> int: ...  # type: ignore[empty-body]

    def __call__(self, input: Item, ctx: "Shop") -> int: ...  # type: ignore[empty-body]


def logged(function: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(function)
    def wrapper(*args: Any, **kwargs: Any) -> Any: ...

    return wrapper


# what these are given does not fit their types: that is what is looked at
loose_everything: Any = everything
loose_plain: Any = plain
loose_order: Any = Shop().order


def _names(function: Callable[..., object]) -> list[str]:
    return [parameter.name for parameter in parameters_of(function)]


@rows(
    "function",
    *(plain, asynchronous, Shop().order, Shop.make, Shop.free, Shop(), logged(plain)),
    *(functools.lru_cache(plain), functools.partial(plain)),
    *(logged(functools.partial(plain)), logged(logged(Shop().order))),
)
def test_every_callable_shows_what_is_left_to_fill(function: Callable[..., object]) -> None:
    signature = signature_of(function)

    assert _names(function) == ["input", "ctx"]
    assert all(parameter.positional for parameter in parameters_of(function))
    assert signature.parameters[0].annotation is Item
    assert signature.returns in (int, Item | None)


def test_parameters_are_listed_with_kind_and_default_and_nothing_is_evaluated() -> None:
    found = parameters_of(everything)
    kinds = inspect.Parameter

    assert found == (
        Parameter("a", kinds.POSITIONAL_ONLY, has_default=False),
        Parameter("b", kinds.POSITIONAL_OR_KEYWORD, has_default=False),
        Parameter("c", kinds.POSITIONAL_OR_KEYWORD, has_default=True),
        Parameter("rest", kinds.VAR_POSITIONAL, has_default=False),
        Parameter("d", kinds.KEYWORD_ONLY, has_default=False),
        Parameter("e", kinds.KEYWORD_ONLY, has_default=True),
        Parameter("more", kinds.VAR_KEYWORD, has_default=False),
    )
    assert [each.positional for each in found] == [True] * 3 + [False] * 4


def test_a_bad_annotation_spoils_only_itself() -> None:
    by_name = {each.name: each.annotation for each in signature_of(everything).parameters}

    assert by_name["a"] is int
    assert by_name["c"] is str
    assert isinstance(by_name["b"], annotations.Unresolved)
    assert by_name["b"].text == "Absent"
    assert "the name 'Absent' is not defined" in by_name["b"].reason


def test_what_has_no_annotation_is_missing() -> None:
    signature = signature_of(unannotated)

    assert [each.annotation for each in signature.parameters] == [MISSING, MISSING]
    assert signature.returns is MISSING


def test_the_namespace_of_a_signature_is_that_of_its_module() -> None:
    assert signature_of(plain).namespace["Item"] is Item


def test_types_local_to_a_function_are_found() -> None:
    class Item: ...

    def local(input: "Item") -> "Item": ...  # type: ignore[empty-body]

    assert signature_of(local, locals()).returns is Item
    assert signature_of(plain, {"Item": int}).parameters[0].annotation is not int


@rows(
    "function, left",
    (functools.partial(loose_everything, 1), "b c rest d e more"),
    (functools.partial(loose_everything, 1, 2, 3, 4, 5), "rest d e more"),
    (functools.partial(loose_plain, 1), "ctx"),
    (functools.partial(loose_order, 1), "ctx"),
)
def test_what_partial_fills_by_position_is_gone(function: Callable[..., object], left: str) -> None:
    assert _names(function) == left.split()


def test_what_partial_fills_by_name_can_only_be_given_by_name() -> None:
    def resolver(input: int, ctx: None, db: str, other: int, *rest: int, key: int) -> int: ...  # type: ignore[empty-body]

    found = parameters_of(functools.partial(resolver, db="x", key=1))

    shown = [(each.name, each.positional, each.has_default) for each in found]
    assert shown[:3] == [("input", True, False), ("ctx", True, False), ("db", False, True)]
    assert shown[3:] == [("other", False, False), ("key", False, True)]


class NotCallable: ...


class Builtin:
    __call__ = len


@pytest.mark.parametrize("function", [len, 3, int, Shop, NotCallable(), Builtin()])
def test_what_has_no_python_signature_is_refused(function: Any) -> None:
    with pytest.raises(TypeError, match="is not a function, method or object with a __call__"):
        parameters_of(function)


def test_too_many_bound_arguments_are_refused() -> None:
    with pytest.raises(TypeError, match="more arguments are bound"):
        parameters_of(functools.partial(loose_plain, 1, 2, 3))


@rows(
    "annotation, members",
    (int, (int,)),
    (None, (None,)),
    (int | str, (int, str)),
    (Union[int, "Item", None], (int, Item, type(None))),
    ("Item | int", (Item, int)),
    (Result, (int, str)),
    (Outcome, (int, str, type(None))),
    (Optional[Result], (int, str, type(None))),  # noqa: UP045
    (Result | int | bool, (int, str, bool)),
    (Annotated[int | str, "note"], (int, str)),
    (Annotated["int | str", "note"], (int, str)),
    (Annotated[int, "note"], (Annotated[int, "note"],)),
    (list["Item"], (list["Item"],)),
    (Pair[int], (tuple[int, list[int]],)),
    (int | Pair["Item"], (int, tuple[Item, list[Item]])),
    (Listed[int], (list[int], type(None))),
    (int | Listed[Pair[str]], (int, list[Pair[str]], type(None))),
    (Either[int], (tuple[int, list[int]], list[list[int]], type(None))),
    (Listed[T], (list[T], type(None))),  # type: ignore[valid-type]
)
def test_a_union_is_taken_apart(annotation: object, members: tuple[object, ...]) -> None:
    assert union_members(annotation, globals(), where="x") == members


@rows("annotation, problem", ("Absent", "cannot be resolved"), (Loop, "is its own member"))
def test_a_union_that_cannot_be_taken_apart_is_refused(annotation: object, problem: str) -> None:
    with pytest.raises(UnsupportedAnnotation, match=problem):
        union_members(annotation, where="x")
