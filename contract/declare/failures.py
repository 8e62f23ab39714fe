"""
Failures: the errors that a route may answer with instead of its output.

A kind of failure is a class, and one failure is an instance, which a resolver *returns*. The return
annotation of the resolver declares its failures, so the type checker refuses any other. Failures
are not exceptions: the type checker refuses ``raise SoldOut()``, and if nobody runs one, the log
names the mistake.

Codes come from three places: a resolver's own failures, the four builtins that every resolver may
return, and the framework, whose codes (`FRAMEWORK`) no resolver can return.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import (
    TYPE_CHECKING,
    Annotated,
    Any,
    ClassVar,
    Final,
    Generic,
    NamedTuple,
    NoReturn,
    cast,
    final,
    get_args,
)

from annotated_types import Ge
from typing_extensions import dataclass_transform

from contract.shape.exceptions import FailureDeclarationError
from contract.shape.markers import UNSET, Unset
from contract.shape.quoting import shown
from contract.shape.record import record

__all__ = [
    "BUILTINS",
    "CLIENT_CODES",
    "FRAMEWORK",
    "Builtin",
    "Errors",
    "Failure",
    "Forbidden",
    "FrameworkError",
    "NotFound",
    "ServiceUnavailable",
    "TooManyRequests",
    "check_failure",
    "define_errors",
    "is_builtin",
    "raised_failure",
    "same_code",
]


class FrameworkError(NamedTuple):
    """The status and meaning of a framework code."""

    status: int
    description: str
    """One sentence, for the documents."""


FRAMEWORK: Final[Mapping[str, FrameworkError]] = MappingProxyType(
    {
        "VALIDATION_ERROR": FrameworkError(
            400, "The body is not valid JSON, or not a valid input of the route."
        ),
        "BAD_REQUEST": FrameworkError(
            400,
            "The request is not valid HTTP, or carries its credentials more than once; "
            "it is also sent with the status "
            "412 (the output is not the one that If-Match, or for a file If-Unmodified-Since, "
            "asks for), "
            "414 (the URL is too long), "
            "416 (the file has no part like the one that Range asks for), "
            "431 (the headers are too many or too long) "
            "and 505 (the version of HTTP is not supported).",
        ),
        "UNAUTHORIZED": FrameworkError(
            401, "The route needs a credential, and the request has none or an invalid one."
        ),
        "ROUTE_NOT_FOUND": FrameworkError(404, "No route has this name."),
        "METHOD_NOT_ALLOWED": FrameworkError(405, "The route does not answer this method."),
        "REQUEST_TIMEOUT": FrameworkError(408, "The body did not arrive in time."),
        "LENGTH_REQUIRED": FrameworkError(411, "The request must state the length of its body."),
        "PAYLOAD_TOO_LARGE": FrameworkError(413, "The body is larger than this service accepts."),
        "UNSUPPORTED_MEDIA_TYPE": FrameworkError(
            415,
            "The body must be application/json in UTF-8, "
            "or multipart/form-data if it brings files.",
        ),
        "INTERNAL_ERROR": FrameworkError(
            500, "The service failed; its log has the cause, under the request id in the header."
        ),
        "DEADLINE_EXCEEDED": FrameworkError(504, "The route did not answer in time."),
    }
)
"""
The codes that only the framework answers with; ``BAD_REQUEST`` is also sent with 412, 414, 416, 431
and 505.
"""

CLIENT_CODES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "NETWORK_ERROR": "No answer came back.",
        "UNKNOWN_ERROR": "An answer came back that the contract does not describe.",
    }
)
"""Codes that only a generated client gives; they are never on the wire."""

_CODE: Final = re.compile(r"[A-Z][A-Z0-9_]{0,63}")
# where words meet in the name of a class: UserExists is USER_EXISTS, and HTTPError is HTTP_ERROR
_WORDS: Final = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
# BUILTINS has them, too, but is made of classes that come after the first use of these
_BUILTIN_CODES: Final = ("NOT_FOUND", "FORBIDDEN", "TOO_MANY_REQUESTS", "SERVICE_UNAVAILABLE")
# what every failure class has, set from the options code= and status=
_OURS: Final = ("error_code", "http_status")


# These come before the classes, because the builtins are made while this module is loaded.
_DECORATED: Final = "a failure is a frozen dataclass already; leave out @dataclass"


def _refuse_what_breaks(cls: type[Failure], where: str) -> None:
    """Refuse a class that type checkers accept, but that would fail or mislead."""
    # @dataclass(slots=True) makes the class a second time
    if "__dataclass_fields__" in cls.__dict__:
        raise FailureDeclarationError(where, _DECORATED)
    # The type checker takes a subclass for its base. So an annotation that declares the base would
    # let through a code that no document shows.
    for base in cls.__mro__[1:]:
        if base is not Failure and issubclass(base, Failure):
            raise FailureDeclarationError(
                where,
                f"it subclasses {base.__qualname__}, and would pass for it in every annotation; "
                "subclass Failure and repeat the fields",
            )
    if Generic in cls.__mro__:
        raise FailureDeclarationError(
            where,
            "a failure cannot be generic: its code has one kind of data; write one class for each",
        )
    if "__slots__" in cls.__dict__:
        raise FailureDeclarationError(where, "a failure cannot have __slots__; leave them out")
    for name, option in zip(_OURS, ("code", "status"), strict=True):
        if name in cls.__dict__:
            raise _set_by_an_option(cls, name, option)


def _set_by_an_option(cls: type[Failure], name: str, option: str) -> FailureDeclarationError:
    return FailureDeclarationError(
        cls.__qualname__,
        f"{name} is set by an option; write class {cls.__name__}(Failure, {option}=...)",
    )


_MEANT: Final = {"code": "code", "status": "status", "status_code": "status"}
"""Attributes that look as if they set an option: other frameworks have them in their errors."""


def _refuse_what_is_ignored(cls: type[Failure]) -> None:
    """Refuse an attribute that is no field, and that its author takes for an option."""
    # a field of such a name is data like any other; only a bare `status = 409` is a mistake
    fields = {field.name for field in _fields(cls)}
    for name, option in _MEANT.items():
        if name not in fields and isinstance(cls.__dict__.get(name), int | str):
            raise _set_by_an_option(cls, name, option)


_OUTCOMES: Final = frozenset({"OK", "CANCELLED"})
"""The words that logs and events use for a call without an error."""


def _code_of(cls: type[Failure], where: str, given: object) -> str:
    code = given
    if code is None:
        code = _WORDS.sub("_", cls.__name__.strip("_")).upper()
    if not isinstance(code, str) or _CODE.fullmatch(code) is None:
        how = "is not made of capitals, digits and underscores (at most 64, a letter first)"
        raise FailureDeclarationError(
            where, f'the code {shown(code)} {how}; write class {cls.__name__}(Failure, code="...")'
        )
    if code in _BUILTIN_CODES and cls.__module__ != __name__:
        # NOT_FOUND is the code of NotFound
        builtin = code.title().replace("_", "")
        raise FailureDeclarationError(
            where, f"the code {code} is that of contract.{builtin}; return that, or give code="
        )
    if code in FRAMEWORK or code in CLIENT_CODES or code in _OUTCOMES:
        raise FailureDeclarationError(
            where, f"the code {code} is the framework's own; choose another name, or give code="
        )
    return code


def _status_of(where: str, status: object) -> int:
    if not isinstance(status, int) or not 400 <= status <= 599:
        raise FailureDeclarationError(
            where, f"the status {shown(status)} is not an error; give one from 400 to 599"
        )
    return int(status)  # an HTTPStatus is an int, too


def _fields(failure: Failure | type[Failure]) -> tuple[dataclasses.Field[object], ...]:
    # a failure is a dataclass, but only dataclass_transform says so
    return dataclasses.fields(cast("Any", failure))


def _is_hashed(field: dataclasses.Field[object]) -> bool:
    # as in dataclass(): field(hash=None) means that equality decides
    if field.hash is None:
        return field.compare
    return field.hash


_BEHIND_A_DEFAULT: Final = re.compile("non-default argument '(.+?)' follows")
"""The start of the message of ``dataclass()``; the rest differs between versions of Python."""


def _make(cls: type[Failure], status: object, code: str | None) -> None:
    """Make *cls*, which was just defined, a frozen dataclass with a code and a status."""
    where = cls.__qualname__
    # 1. Its code and its status.
    _refuse_what_breaks(cls, where)
    cls.error_code = _code_of(cls, where, code)
    cls.http_status = _status_of(where, status)

    # 2. Its fields, by dataclass().
    doc = cls.__doc__
    # dataclass() writes a signature into an empty docstring (slowly), and that would become the
    # description
    cls.__doc__ = doc or where
    try:
        dataclass(frozen=True, repr=False, eq=False)(cls)
    except (TypeError, ValueError) as error:
        problem = str(error)
        late = _BEHIND_A_DEFAULT.match(problem)
        if late is not None:
            field = late[1]
            problem = f"the field {field} has no default and comes after one that has"
            problem += "; put it before that"
        raise FailureDeclarationError(where, problem) from None
    cls.__doc__ = doc
    _refuse_what_is_ignored(cls)
    for name in _OURS:
        if name in cls.__dict__["__dataclass_fields__"]:
            raise FailureDeclarationError(
                where,
                f"a field cannot be called {name}, which every failure has already; rename it",
            )

    # 3. Its methods.
    for name in ("__repr__", "__eq__", "__hash__"):
        if name not in cls.__dict__:  # a base that is a dataclass has a repr of its own fields only
            setattr(cls, name, Failure.__dict__[name])
    # so that a second @dataclass gets as far as check_failure, whose message says what is wrong
    del cls.__setattr__, cls.__delattr__

    # 4. Its marks.
    # no attribute for anybody else
    type.__setattr__(cls, "__contract_params__", cls.__dict__["__dataclass_params__"])
    # shapes are read in a lower layer, and look for the mark
    type.__setattr__(cls, "__contract_builtin__", cls.__module__ == __name__)


@dataclass_transform(frozen_default=True, field_specifiers=(dataclasses.field,))
class Failure:
    """
    The base class of failures: a subclass becomes a frozen dataclass.

    A resolver returns a failure in place of its output.

    ::

        class SoldOut(Failure, status=409):      # its code is SOLD_OUT
            \"\"\"Every copy is sold.\"\"\"         # its description in the documents
            restock_days: Annotated[int, Ge(0)]  # its fields are the error's data

    Args:
        status: The HTTP status, 400 to 599.
        code: The code on the wire, if the one made from the class name (``UserExists`` ->
            ``USER_EXISTS``) will not do.

    Raises:
        FailureDeclarationError: The class cannot be told apart, sent or type-checked.
    """

    error_code: ClassVar[str]
    """The code on the wire."""
    http_status: ClassVar[int]
    """The status of the answer."""

    if TYPE_CHECKING:

        def __init_subclass__(cls, *, status: int = 400, code: str | None = None) -> None: ...

    else:
        # type checkers report any other keyword; without one, this message names the class to
        # subclass

        def __init_subclass__(cls, *, status=400, code=None, **unknown):
            super().__init_subclass__()
            if unknown:
                names, advice = ", ".join(unknown), "give status= or code="
                for option in ("code", "status"):
                    if option in names:
                        advice = f"write class {cls.__name__}(Failure, {option}=...)"
                problem = f"there is no option {names}; {advice}"
                raise FailureDeclarationError(cls.__qualname__, problem)
            _make(cls, status, code)

        # for `-> Receipt | SoldOut()`, about which Python says only that it cannot join the two
        def __or__(self, other):
            raise FailureDeclarationError(
                type(self).__qualname__,
                f"a union is made of classes; write {type(self).__name__} without parentheses",
            )

        __ror__ = __or__

    # written once here, because dataclass() would compile them again for every class

    def __repr__(self) -> str:
        names = [field.name for field in _fields(self) if field.repr]
        values = ", ".join(f"{name}={getattr(self, name)!r}" for name in names)
        return f"{type(self).__qualname__}({values})"

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        names = [field.name for field in _fields(self) if field.compare]
        return all(getattr(self, name) == getattr(other, name) for name in names)

    def __hash__(self) -> int:
        names = [field.name for field in _fields(self) if _is_hashed(field)]
        return hash((type(self), *(getattr(self, name) for name in names)))

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise dataclasses.FrozenInstanceError(f"cannot assign to field {name!r}")

    def __delattr__(self, name: str) -> NoReturn:
        raise dataclasses.FrozenInstanceError(f"cannot delete field {name!r}")


@final
class NotFound(Failure, status=404, code="NOT_FOUND"):
    """The thing that the call names does not exist."""

    message: str | Unset = UNSET
    description: str | Unset = UNSET


@final
class Forbidden(Failure, status=403, code="FORBIDDEN"):
    """The caller is known, but may not do this."""

    message: str | Unset = UNSET
    description: str | Unset = UNSET


@final
class TooManyRequests(Failure, status=429, code="TOO_MANY_REQUESTS"):
    """The caller must slow down."""

    title: str | Unset = UNSET
    message: str | Unset = UNSET
    retry_after: Annotated[int, Ge(0)] | Unset = UNSET
    """Seconds to wait before the next call; also sent as the Retry-After header."""


@final
class ServiceUnavailable(Failure, status=503, code="SERVICE_UNAVAILABLE"):
    """The service cannot answer now, but may later."""

    message: str | Unset = UNSET
    description: str | Unset = UNSET
    retry_after: Annotated[int, Ge(0)] | Unset = UNSET
    """Seconds to wait before the next call; also sent as the Retry-After header."""


Builtin = NotFound | Forbidden | TooManyRequests | ServiceUnavailable
"""Any failure that hooks may return undeclared, and that resolvers may name."""

BUILTINS: Final[tuple[type[Failure], ...]] = get_args(Builtin)
"""The members of `Builtin`."""


@final
@record
class Errors:
    """The handle that `define_errors` gives."""

    failures: tuple[type[Failure], ...]
    """The failures, in the order in which they were named."""


def define_errors(*failures: type[Failure]) -> Errors:
    """
    Name the domain failures of a route explicitly, for ``@route(errors=...)``.

    The list must agree with the annotation of the route.

    If a decorator wraps the resolver (``functools.wraps``), name the failures of both.

    Raises:
        FailureDeclarationError: One of *failures* is not a class of your own failures, or two have
            the same code.
    """
    where = "define_errors"
    codes: dict[str, type[Failure]] = {}
    for cls in failures:
        check_failure(cls, where)
        if is_builtin(cls):
            raise FailureDeclarationError(
                where, f"{cls.__name__} is a builtin, which every route may return; leave it out"
            )
        other = codes.get(cls.error_code)
        if other is cls:
            raise FailureDeclarationError(
                where, f"{cls.__qualname__} is named twice; leave one out"
            )
        if other is not None:
            raise FailureDeclarationError(where, same_code(other, cls))
        codes[cls.error_code] = cls
    return Errors(failures)


def is_builtin(cls: type[Failure]) -> bool:
    """Whether *cls* is one of the four failures that come with this package."""
    return cls in BUILTINS


def same_code(one: type[Failure], other: type[Failure]) -> str:
    """The message for two failures that could not be told apart on the wire."""
    names = f"{one.__module__}.{one.__qualname__} and {other.__module__}.{other.__qualname__}"
    return (
        f"{names} have the same code {other.error_code}; "
        f'give one of them another: class {other.__name__}(Failure, code="...")'
    )


def check_failure(cls: object, where: str) -> None:
    """
    Refuse what is not a failure class, and a failure class that was changed after it was made.

    Raises:
        FailureDeclarationError: With the place *where* it was named.
    """
    given = cls
    if not (isinstance(cls, type) and issubclass(cls, Failure)):
        if isinstance(given, Failure):
            advice = f"write the class, {type(given).__name__}"
        else:
            advice = f"write class {getattr(given, '__name__', 'SoldOut')}(Failure): ..."
        raise FailureDeclarationError(where, f"{shown(given)} is not a failure class; {advice}")
    if cls is Failure:
        raise FailureDeclarationError(
            where, "Failure itself has no code; name the failures one by one"
        )
    if cls.__dict__["__dataclass_params__"] is not cls.__dict__["__contract_params__"]:
        raise FailureDeclarationError(where, f"{cls.__qualname__}: {_DECORATED}")


def raised_failure(exception: BaseException) -> bool:
    """
    Whether *exception* is the one that Python raises for ``raise SoldOut()``.

    A failure is not an exception, so the type checker refuses to raise it. Without a type checker,
    Python raises this TypeError.
    """
    # the message is all that tells it from other TypeErrors
    return type(exception) is TypeError and exception.args == (
        "exceptions must derive from BaseException",
    )
