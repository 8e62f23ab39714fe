"""Failures: how they are declared, what is refused, and what they are at run time."""

from __future__ import annotations

import copy
import dataclasses
import pickle
import re
from dataclasses import dataclass, field
from http import HTTPStatus
from types import new_class
from typing import Annotated, Any

import pytest
from annotated_types import Ge

from contract.declare import failures
from contract.shape.exceptions import FailureDeclarationError
from contract.shape.markers import UNSET
from contract.shape.reader import ShapeReader
from tests.tables import rows


class SoldOut(failures.Failure, status=409):
    """Every copy is sold."""

    restock_days: Annotated[int, Ge(0)]
    others: list[str] = field(default_factory=list)


class UserExists(failures.Failure): ...


def test_a_subclass_is_a_frozen_dataclass_with_a_code_and_a_status() -> None:
    failure = SoldOut(3)

    assert dataclasses.is_dataclass(failure)
    assert (failure.error_code, failure.http_status) == ("SOLD_OUT", 409)
    assert (failure.restock_days, failure.others) == (3, [])
    assert repr(failure) == "SoldOut(restock_days=3, others=[])"
    assert SoldOut.__match_args__ == ("restock_days", "others")
    assert (UserExists.error_code, UserExists.http_status) == ("USER_EXISTS", 400)


def test_the_docstring_is_the_authors_or_none() -> None:
    assert SoldOut.__doc__ == "Every copy is sold."
    assert UserExists.__doc__ is None


def test_a_failure_cannot_be_changed() -> None:
    failure = SoldOut(3)

    with pytest.raises(dataclasses.FrozenInstanceError, match="restock_days"):
        failure.restock_days = 4  # type: ignore[misc]
    with pytest.raises(dataclasses.FrozenInstanceError, match="restock_days"):
        del failure.restock_days


def test_failures_are_compared_by_class_and_fields() -> None:
    class Hashed(failures.Failure):
        seen: int
        salt: int = field(default=0, compare=False)
        note: int = field(default=0, repr=False, hash=False)

    class Other(failures.Failure):
        seen: int

    assert SoldOut(3) == SoldOut(3)
    assert SoldOut(3) != SoldOut(4)
    assert Hashed(1) != Other(1)
    assert Hashed(1, salt=1) == Hashed(1, salt=2)
    assert hash(Hashed(1, salt=1)) == hash(Hashed(1, salt=2, note=3))
    assert {Hashed(1), Hashed(1), Other(1)} == {Hashed(1), Other(1)}
    assert "note" not in repr(Hashed(1))


def test_methods_of_the_authors_own_are_kept() -> None:
    class Terse(failures.Failure):
        value: int

        def __repr__(self) -> str:
            return "terse"

    assert repr(Terse(1)) == "terse"
    assert Terse(1) == Terse(1)


def test_a_failure_can_be_copied_pickled_and_replaced() -> None:
    failure = SoldOut(3, ["p2"])

    assert pickle.loads(pickle.dumps(failure)) == failure
    assert copy.deepcopy(failure) == failure
    assert dataclasses.replace(failure, restock_days=4) == SoldOut(4, ["p2"])


@rows(
    "name, code",
    ("UserExists", "USER_EXISTS"),
    ("HTTPBroken", "HTTP_BROKEN"),
    ("NoHTTP", "NO_HTTP"),
    ("Oops", "OOPS"),
    ("_Hidden", "HIDDEN"),
    ("Sold_Out", "SOLD_OUT"),
    ("Oauth2Failed", "OAUTH2_FAILED"),
    ("A", "A"),
)
def test_the_code_is_made_from_the_class_name(name: str, code: str) -> None:
    made: Any = type(name, (failures.Failure,), {})

    assert made.error_code == code


def test_code_and_status_can_be_given() -> None:
    class Gone(failures.Failure, status=HTTPStatus.GONE, code="NO_LONGER_HERE"): ...

    assert (Gone.error_code, Gone.http_status) == ("NO_LONGER_HERE", 410)
    assert type(Gone.http_status) is int


def test_a_field_may_have_a_type_that_is_defined_later() -> None:
    class Early(failures.Failure):
        later: Later

    @dataclass
    class Later:
        name: str

    assert Early(Later("a")).later.name == "a"


def test_a_dataclass_may_give_its_fields() -> None:
    @dataclass(frozen=True)
    class Message:
        message: str

    class Broken(Message, failures.Failure):
        line: int

    assert repr(Broken("a", 1)).endswith("Broken(message='a', line=1)")
    assert Broken("a", 1) != Broken("a", 2)
    assert hash(Broken("a", 1)) == hash(Broken("a", 1))


def declared(*bases: type, options: Any = (), **body: Any) -> Any:
    """A failure called Bad, with these options and this body."""
    return new_class(
        "Bad", bases or (failures.Failure,), dict(options), lambda names: names.update(body)
    )


@pytest.mark.parametrize("options", [{}, {"frozen": True}, {"slots": True}])
def test_a_failure_is_no_dataclass_of_the_authors_too(options: Any) -> None:
    message = "Bad: a failure is a frozen dataclass already; leave out @dataclass"
    with pytest.raises(FailureDeclarationError, match=message):
        failures.define_errors(dataclass(**options)(declared()))


@rows(
    "bases, body, message",
    ((failures.NotFound,), {}, "Bad: it subclasses NotFound, and would pass for it in every annotation"),
    *(((), {"__annotations__": {name: int}}, f"Bad: a field cannot be called {name}") for name in ("http_status", "error_code")),
    *(
        (
            (),
            body,
            rf"Bad: {next(iter(body))} is set by an option; write class Bad\(Failure, {to}=",
        )
        for to, body in (
            *(("code", {"error_code": "BAD"}), ("code", {"code": "GONE"})),
            *(("status", {"status": 409}), ("status", {"status_code": HTTPStatus.CONFLICT})),
        )
    ),
    ((), {"values": [], "__annotations__": {"values": list[int]}}, "Bad: mutable default"),
)  # fmt: skip
def test_what_could_not_be_told_apart_sent_or_checked_is_refused(
    bases: tuple[type, ...], body: dict[str, Any], message: str
) -> None:
    with pytest.raises(FailureDeclarationError, match=message):
        declared(*bases, **body)


@rows(
    "option, values, told",
    ("code", ["NETWORK_ERROR", "BAD_REQUEST", "OK", "CANCELLED"], "is the framework's own"),
    ("code", ["bad", "B" * 65, "GRÖSSE", 5], "is not made of capitals, digits and underscores"),
    ("status", [200, 399, 600, True, "404"], "is not an error; give one from 400 to 599"),
)
def test_other_codes_and_statuses_are_refused(option: str, values: list[object], told: str) -> None:
    for value in values:
        with pytest.raises(FailureDeclarationError, match=f"Bad: the {option} .*{value}.* {told}"):
            declared(options={option: value})


@rows(
    "name, told",
    ("staus", r"give status= or code="),
    ("http_status", r"write class Bad\(Failure, status=...\)"),
    ("status_code", r"write class Bad\(Failure, status=...\)"),
    ("error_code", r"write class Bad\(Failure, code=...\)"),
)
def test_other_options_are_refused_with_the_name_of_the_class(name: str, told: str) -> None:
    with pytest.raises(FailureDeclarationError, match=rf"Bad: there is no option {name}; {told}$"):
        declared(options={name: 410})


def test_builtins_have_only_optional_fields() -> None:
    assert {cls.error_code: (cls.http_status, cls()) for cls in failures.BUILTINS} == {
        "NOT_FOUND": (404, failures.NotFound(UNSET, UNSET)),
        "FORBIDDEN": (403, failures.Forbidden(UNSET, UNSET)),
        "TOO_MANY_REQUESTS": (429, failures.TooManyRequests(UNSET, UNSET, UNSET)),
        "SERVICE_UNAVAILABLE": (503, failures.ServiceUnavailable(UNSET, UNSET, UNSET)),
    }


def test_the_data_of_builtins_has_one_form_in_every_spec() -> None:
    """By a mark, which no class of the user's has, and not by the module that they are in."""
    classes = (*failures.BUILTINS, SoldOut)
    read: Any = ShapeReader(rename="camel").failure
    shapes = [read(cls, where="x").shape for cls in classes]

    assert [cls.__dict__["__contract_builtin__"] for cls in classes] == [True] * 4 + [False]
    assert [[field.wire for field in shape.fields] for shape in shapes[2:]] == [
        ["title", "message", "retry_after"],
        ["message", "description", "retry_after"],
        ["restockDays", "others"],
    ]


def test_builtin_is_the_union_of_the_builtins() -> None:
    assert failures.Builtin.__args__ == failures.BUILTINS
    assert all(failures.is_builtin(cls) for cls in failures.BUILTINS)
    assert not failures.is_builtin(SoldOut)


def test_the_framework_codes_are_those_of_the_wire() -> None:
    assert {code: error.status for code, error in failures.FRAMEWORK.items()} == {
        "VALIDATION_ERROR": 400,
        "BAD_REQUEST": 400,
        "UNAUTHORIZED": 401,
        "ROUTE_NOT_FOUND": 404,
        "METHOD_NOT_ALLOWED": 405,
        "REQUEST_TIMEOUT": 408,
        "LENGTH_REQUIRED": 411,
        "PAYLOAD_TOO_LARGE": 413,
        "UNSUPPORTED_MEDIA_TYPE": 415,
        "INTERNAL_ERROR": 500,
        "DEADLINE_EXCEEDED": 504,
    }
    assert set(failures.CLIENT_CODES) == {"NETWORK_ERROR", "UNKNOWN_ERROR"}
    told = (error.description for error in failures.FRAMEWORK.values())
    assert all(text.endswith(".") for text in (*failures.CLIENT_CODES.values(), *told))


def test_a_request_that_is_no_sound_http_has_several_statuses_and_says_so() -> None:
    described = failures.FRAMEWORK["BAD_REQUEST"].description

    assert re.findall("[0-9]{3}", described) == ["412", "414", "416", "431", "505"]
    assert described.count(".") == 1


def test_define_errors_names_failures_in_order() -> None:
    assert failures.define_errors(UserExists, SoldOut) == failures.Errors((UserExists, SoldOut))
    assert failures.define_errors() == failures.Errors(())


def test_any_failure_passes_the_check() -> None:
    failures.check_failure(SoldOut, "here")
    failures.check_failure(failures.NotFound, "here")

    with pytest.raises(FailureDeclarationError, match="here: None is not a failure class"):
        failures.check_failure(None, "here")


def test_a_raised_failure_is_recognised() -> None:
    raised: Any
    for raised in (SoldOut(1), SoldOut):
        with pytest.raises(TypeError) as caught:
            raise raised

        assert failures.raised_failure(caught.value)
    assert not failures.raised_failure(TypeError("something else"))
    assert not failures.raised_failure(ValueError("exceptions must derive from BaseException"))


def test_an_instance_is_no_member_of_a_union() -> None:
    made: Any = UserExists()
    message = "^UserExists: a union is made of classes; write UserExists without parentheses$"

    with pytest.raises(FailureDeclarationError, match=message):
        _ = int | made
    with pytest.raises(FailureDeclarationError, match=message):
        _ = made | int
