"""
Wire: the form of an author's class on the wire, a text or an integer.

The form of somebody else's class is written beside its name: ``Annotated[Money, money]``, where
``money`` is a ``Wire[Money]``. A class of your own is decorated with `wire_str`, and is then the
annotation itself. The form is checked against the class when an annotation is read
(`contract.shape.own_types`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, Generic, Protocol, Self, TypeVar, get_origin, overload

from contract.shape.markers import Texts
from contract.shape.record import record

__all__ = ["FORM", "Wire", "WireForm", "WireStr", "is_wire", "wire_str"]

T = TypeVar("T")

FORM: Final = "__wire_form__"
"""The attribute in which `wire_str` stores the form of a class."""


@record(kw_only=True)
class WireForm:
    """The form of a class on the wire; not checked yet."""

    as_: type[Any]
    pattern: str | None = None
    min_length: int | None = None
    max_length: int | None = None
    ge: int | None = None
    le: int | None = None
    examples: tuple[Any, ...] = ()
    kind: str | None = None
    """For the classes of this package: see `contract.shape.nodes.OwnShape`."""


# not a frozen dataclass: the class in brackets is put into __orig_class__ after __init__
class Wire(Generic[T]):
    """
    The form of a class on the wire, for ``Annotated``.

    ::

        money = Wire[Money](as_=str, load=Money.parse, dump=str, pattern=r"^[0-9]+ [A-Z]{3}$")
        Amount = Annotated[Money, money]

    Args:
        as_: The JSON type on the wire: ``str`` or ``int``.
        load: Makes a value from what was received. It refuses by raising ValueError, AssertionError
            or InvalidInput; any other exception is a bug in it.
        dump: Gives what is sent for a value; the result is checked before it is sent.
        pattern: The valid texts, as in `contract.shape.markers.Pattern`. The pattern and the limits
            are all that documents, clients and tests know of the class.
        min_length: The fewest characters.
        max_length: The most characters.
        ge: The least integer.
        le: The greatest integer.
        examples: Values as they are on the wire; ``load`` and then ``dump`` must give them back.
    """

    @overload
    def __init__(
        self,
        *,
        as_: type[str],
        load: Callable[[str], T],
        dump: Callable[[T], str],
        pattern: str | None = None,
        min_length: int | None = None,
        max_length: int | None = None,
        examples: Texts = (),
    ) -> None: ...
    @overload
    def __init__(
        self,
        *,
        as_: type[int],
        load: Callable[[int], T],
        dump: Callable[[T], int],
        ge: int | None = None,
        le: int | None = None,
        examples: Sequence[int] = (),
    ) -> None: ...
    def __init__(
        self,
        *,
        as_: type[Any],
        load: Callable[[Any], T],
        dump: Callable[[T], Any],
        examples: Texts | Sequence[int] = (),
        **limits: Any,
    ) -> None:
        self.load = load
        self.dump = dump
        self.form: WireForm = WireForm(as_=as_, examples=(*examples,), **limits)

    @property
    def of(self) -> object:
        """The class in brackets, or None if there are no brackets."""
        # typing sets it on what ``Wire[Money](...)`` makes: it is ``Wire[Money]``
        made_as: object = getattr(self, "__orig_class__", None)
        arguments: tuple[object, ...] = getattr(made_as, "__args__", (None,))
        return arguments[0]


def is_wire(item: object) -> bool:
    """Whether *item*, in the metadata of a type, is a `Wire`, or that class without arguments."""
    return isinstance(item, Wire) or item is Wire or get_origin(item) is Wire


class WireStr(Protocol):
    """A class that declares its own text on the wire."""

    @classmethod
    def __from_wire__(cls, text: str, /) -> Self:
        """The value of *text*; raises ValueError, AssertionError or InvalidInput to refuse it."""
        ...

    def __to_wire__(self) -> str:
        """The text that is sent for the value."""
        ...


_OwnT = TypeVar("_OwnT", bound=WireStr)


class _WireDecorator(Protocol):
    def __call__(self, cls: type[_OwnT], /) -> type[_OwnT]: ...


def wire_str(
    *,
    pattern: str | None = None,
    min_length: int | None = None,
    max_length: int | None = None,
    examples: Texts = (),
) -> _WireDecorator:
    """
    Declare that a class is a text on the wire: the one that its ``__to_wire__`` gives.

    Its ``__from_wire__`` makes a value from such a text. The arguments are those of `Wire`.
    """
    form = WireForm(
        as_=str,
        pattern=pattern,
        min_length=min_length,
        max_length=max_length,
        examples=(*examples,),
    )

    # nothing is checked yet: the class is read where a type names it, which is where a mistake can
    # be reported with its place
    def decorate(cls: type[_OwnT], /) -> type[_OwnT]:
        setattr(cls, FORM, form)
        return cls

    return decorate
