"""Failures: how they are declared, what is refused, and what they are at run time."""

from __future__ import annotations

import copy
import dataclasses
import pickle
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Annotated, Any, ClassVar, Generic, TypeVar

import pytest
from annotated_types import Ge

from contract.declare.failures import (
    BUILTINS,
    CLIENT_CODES,
    FRAMEWORK,
    Builtin,
    Errors,
    Failure,
    Forbidden,
    NotFound,
    ServiceUnavailable,
    TooManyRequests,
    check_failure,
    define_errors,
    is_builtin,
    raised_failure,
)
from contract.shape import RecordShape
from contract.shape.exceptions import FailureDeclarationError
from contract.shape.markers import UNSET
from contract.shape.reader import ShapeReader

T = TypeVar("T")


class SoldOut(Failure, status=409):
    """Every copy is sold."""

    restock_days: Annotated[int, Ge(0)]
    others: list[str] = field(default_factory=list)


class UserExists(Failure):
    pass


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
    class Hashed(Failure):
        seen: int
        salt: int = field(default=0, compare=False)
        note: int = field(default=0, repr=False, hash=False)

    class Other(Failure):
        seen: int

    assert SoldOut(3) == SoldOut(3)
    assert SoldOut(3) != SoldOut(4)
    assert Hashed(1) != Other(1)
    assert Hashed(1, salt=1) == Hashed(1, salt=2)
    assert hash(Hashed(1, salt=1)) == hash(Hashed(1, salt=2, note=3))
    assert {Hashed(1), Hashed(1), Other(1)} == {Hashed(1), Other(1)}
    assert "note" not in repr(Hashed(1))


def test_methods_of_the_authors_own_are_kept() -> None:
    class Terse(Failure):
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


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("UserExists", "USER_EXISTS"),
        ("HTTPBroken", "HTTP_BROKEN"),
        ("NoHTTP", "NO_HTTP"),
        ("Oops", "OOPS"),
        ("_Hidden", "HIDDEN"),
        ("Sold_Out", "SOLD_OUT"),
        ("Oauth2Failed", "OAUTH2_FAILED"),
        ("A", "A"),
    ],
)
def test_the_code_is_made_from_the_class_name(name: str, code: str) -> None:
    made: Any = type(name, (Failure,), {})

    assert made.error_code == code


def test_code_and_status_can_be_given() -> None:
    class Gone(Failure, status=HTTPStatus.GONE, code="NO_LONGER_HERE"):
        pass

    assert (Gone.error_code, Gone.http_status, type(Gone.http_status)) == (
        "NO_LONGER_HERE",
        410,
        int,
    )


def test_a_field_may_have_a_type_that_is_defined_later() -> None:
    class Early(Failure):
        later: Later

    @dataclass
    class Later:
        name: str

    assert Early(Later("a")).later.name == "a"


def test_a_dataclass_may_give_its_fields() -> None:
    @dataclass(frozen=True)
    class Message:
        message: str

    class Broken(Message, Failure):
        line: int

    assert repr(Broken("a", 1)).endswith("Broken(message='a', line=1)")
    assert Broken("a", 1) != Broken("a", 2)
    assert hash(Broken("a", 1)) == hash(Broken("a", 1))


def subclass_of_concrete() -> None:
    class MoreSoldOut(SoldOut):
        pass


def subclass_of_builtin() -> None:
    class Missing(NotFound, code="MISSING"):  # type: ignore[misc]
        pass


def generic() -> None:
    class Bad(Failure, Generic[T]):
        value: T


def slots() -> None:
    class Bad(Failure):
        __slots__ = ("value",)


def decorated_with_slots() -> None:
    @dataclass(slots=True)
    class Bad(Failure):
        value: int


def decorated_with_frozen_slots() -> None:
    @dataclass(frozen=True, slots=True)
    class Bad(Failure):
        value: int


def decorated() -> None:
    @dataclass
    class Bad(Failure):
        value: int

    define_errors(Bad)


def decorated_frozen() -> None:
    @dataclass(frozen=True)
    class Bad(Failure):
        value: int

    define_errors(Bad)


def field_error_code() -> None:
    class Bad(Failure):
        error_code: str  # type: ignore[misc]


def field_http_status() -> None:
    class Bad(Failure):
        http_status: ClassVar[int]


def value_error_code() -> None:
    class Bad(Failure):
        error_code = "BAD"


def value_http_status() -> None:
    class Bad(Failure):
        http_status: int = 404  # type: ignore[misc]


def builtin_code() -> None:
    class NotFound(Failure):
        pass


def framework_code() -> None:
    class ValidationError(Failure):
        pass


def client_code() -> None:
    class Bad(Failure, code="NETWORK_ERROR"):
        pass


def lower_case_code() -> None:
    class Bad(Failure, code="bad"):
        pass


def long_code() -> None:
    class Bad(Failure, code="B" * 65):
        pass


def foreign_code() -> None:
    class Größe(Failure):  # noqa: PLC2401
        pass


def numeric_code() -> None:
    class Bad(Failure, code=5):  # type: ignore[arg-type]
        pass


def good_status() -> None:
    class Bad(Failure, status=200):
        pass


def high_status() -> None:
    class Bad(Failure, status=600):
        pass


def true_status() -> None:
    class Bad(Failure, status=True):
        pass


def text_status() -> None:
    class Bad(Failure, status="404"):  # type: ignore[arg-type]
        pass


def mutable_default() -> None:
    class Bad(Failure):
        values: list[int] = []  # noqa: RUF012


def fields_in_wrong_order() -> None:
    class Bad(Failure):
        first: int = 1
        second: int  # type: ignore[misc]


@pytest.mark.parametrize(
    ("declare", "message"),
    [
        (
            subclass_of_concrete,
            "MoreSoldOut: it subclasses SoldOut, and would pass for it in every annotation",
        ),
        (subclass_of_builtin, "Missing: it subclasses NotFound"),
        (generic, "Bad: a failure cannot be generic"),
        (slots, "Bad: a failure cannot have __slots__"),
        (
            decorated_with_slots,
            "Bad: a failure is a frozen dataclass already; leave out @dataclass",
        ),
        (
            decorated_with_frozen_slots,
            "Bad: a failure is a frozen dataclass already; leave out @dataclass",
        ),
        (
            decorated,
            "define_errors: .*Bad: a failure is a frozen dataclass already; leave out @dataclass",
        ),
        (
            decorated_frozen,
            "define_errors: .*Bad: a failure is a frozen dataclass already; leave out @dataclass",
        ),
        (field_error_code, "Bad: a field cannot be called error_code"),
        (field_http_status, "Bad: a field cannot be called http_status"),
        (
            value_error_code,
            r"Bad: error_code is set by an option; write class Bad\(Failure, code=...\)",
        ),
        (
            value_http_status,
            r"Bad: http_status is set by an option; write class Bad\(Failure, status=...\)",
        ),
        (builtin_code, "NotFound: the code NOT_FOUND is that of contract.NotFound"),
        (framework_code, "ValidationError: the code VALIDATION_ERROR is the framework's own"),
        (client_code, "Bad: the code NETWORK_ERROR is the framework's own"),
        (lower_case_code, "Bad: the code 'bad' is not made of capitals"),
        (long_code, "Bad: the code 'B{65}' is not made of capitals"),
        (foreign_code, "Größe: the code 'GRÖSSE' is not made of capitals"),
        (numeric_code, "Bad: the code 5 is not made of capitals"),
        (good_status, "Bad: the status 200 is not an error; give one from 400 to 599"),
        (high_status, "Bad: the status 600 is not an error"),
        (true_status, "Bad: the status True is not an error"),
        (text_status, "Bad: the status '404' is not an error"),
        (mutable_default, "Bad: mutable default"),
        (
            fields_in_wrong_order,
            "Bad: the field second has no default and comes after one that has; put it before",
        ),
    ],
)
def test_what_could_not_be_told_apart_sent_or_checked_is_refused(
    declare: Callable[[], None], message: str
) -> None:
    with pytest.raises(FailureDeclarationError, match=message):
        declare()


@pytest.mark.parametrize(
    ("option", "advice"),
    [
        ("staus", r"give status= or code="),
        ("http_status", r"write class Gone\(Failure, status=...\)"),
        ("status_code", r"write class Gone\(Failure, status=...\)"),
        ("error_code", r"write class Gone\(Failure, code=...\)"),
    ],
)
def test_other_options_are_refused_with_the_name_of_the_class(option: str, advice: str) -> None:
    with pytest.raises(
        FailureDeclarationError, match=rf"Gone: there is no option {option}; {advice}$"
    ):

        class Gone(Failure, **{option: 410}):
            pass


def test_builtins_have_only_optional_fields() -> None:
    assert {cls.error_code: (cls.http_status, cls()) for cls in BUILTINS} == {
        "NOT_FOUND": (404, NotFound(message=UNSET, description=UNSET)),
        "FORBIDDEN": (403, Forbidden(message=UNSET, description=UNSET)),
        "TOO_MANY_REQUESTS": (429, TooManyRequests(title=UNSET, message=UNSET, retry_after=UNSET)),
        "SERVICE_UNAVAILABLE": (
            503,
            ServiceUnavailable(message=UNSET, description=UNSET, retry_after=UNSET),
        ),
    }


def test_the_data_of_builtins_has_one_form_in_every_spec() -> None:
    """
    By a mark, so that it does not hang on the module that they are declared in.

    And no class of the user's has it.
    """
    shapes = [
        ShapeReader(rename="camel").failure(cls, where="x").shape for cls in (*BUILTINS, SoldOut)
    ]

    wires = [
        [field.wire for field in shape.fields] for shape in shapes if isinstance(shape, RecordShape)
    ]
    assert [cls.__dict__["__contract_builtin__"] for cls in (*BUILTINS, SoldOut)] == [True] * 4 + [
        False
    ]
    assert wires[2:] == [
        ["title", "message", "retry_after"],
        ["message", "description", "retry_after"],
        ["restockDays", "others"],
    ]


def test_builtin_is_the_union_of_the_builtins() -> None:
    assert Builtin.__args__ == BUILTINS
    assert all(is_builtin(cls) for cls in BUILTINS)
    assert not is_builtin(SoldOut)


def test_the_framework_codes_are_those_of_the_wire() -> None:
    assert {code: error.status for code, error in FRAMEWORK.items()} == {
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
    assert set(CLIENT_CODES) == {"NETWORK_ERROR", "UNKNOWN_ERROR"}
    assert all(
        text.endswith(".")
        for text in (*CLIENT_CODES.values(), *(error.description for error in FRAMEWORK.values()))
    )


def test_a_request_that_is_no_sound_http_has_several_statuses_and_says_so() -> None:
    described = FRAMEWORK["BAD_REQUEST"].description

    assert re.findall("[0-9]{3}", described) == ["414", "431", "505"]
    assert described.count(".") == 1


def test_define_errors_names_failures_in_order() -> None:
    assert define_errors(UserExists, SoldOut) == Errors((UserExists, SoldOut))
    assert define_errors() == Errors(())


def test_define_errors_refuses_what_is_no_domain_failure() -> None:
    class Again(Failure, code="SOLD_OUT"):
        pass

    wrong: Any
    for wrong, message in (
        ((NotFound,), "NotFound is a builtin, which every route may return; leave it out"),
        ((SoldOut, SoldOut), "SoldOut is named twice"),
        (
            (SoldOut, Again),
            r'tests.test_failures.SoldOut and .*Again have the same code SOLD_OUT; .* class Again\(Failure, code="..."\)',
        ),
        ((int,), "int is not a failure class"),
        ((SoldOut(1),), r"SoldOut\(.*\) is not a failure class"),
        ((Failure,), "Failure itself has no code"),
    ):
        with pytest.raises(FailureDeclarationError, match=message.replace("tests.", "")):
            define_errors(*wrong)


def test_check_failure_takes_what_define_errors_takes() -> None:
    check_failure(SoldOut, "here")
    check_failure(NotFound, "here")

    with pytest.raises(FailureDeclarationError, match="here: None is not a failure class"):
        check_failure(None, "here")


def test_a_raised_failure_is_recognised() -> None:
    raised: Any
    for raised in (SoldOut(1), SoldOut):
        with pytest.raises(TypeError) as caught:
            raise raised

        assert raised_failure(caught.value)
    assert not raised_failure(TypeError("something else"))
    assert not raised_failure(ValueError("exceptions must derive from BaseException"))


@pytest.mark.parametrize("code", ["OK", "CANCELLED"])
def test_the_codes_of_events_are_reserved(code: str) -> None:
    with pytest.raises(FailureDeclarationError, match=f"the code {code} is the framework's own"):
        type("Bad", (Failure,), {}, code=code)


def test_an_instance_is_no_member_of_a_union() -> None:
    made: Any = UserExists()
    message = "^UserExists: a union is made of classes; write UserExists without parentheses$"

    with pytest.raises(FailureDeclarationError, match=message):
        _ = int | made
    with pytest.raises(FailureDeclarationError, match=message):
        _ = made | int
