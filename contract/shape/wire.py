"""
Wire: how a class of one's own stands on the wire, as a text or an integer.

A class of somebody else's is told beside its name: ``Annotated[Money, money]``, where ``money`` is
a ``Wire[Money]``. One's own is decorated with `wire_str`, and is then the annotation itself. What
is written here is held against the class when an annotation is read (`contract.shape.own_types`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, Generic, Protocol, Self, TypeVar, get_origin, overload

from contract.shape.markers import Texts
from contract.shape.record import record

__all__ = ["FORM", "Wire", "WireForm", "WireStr", "is_wire", "wire_str"]

T = TypeVar("T")

FORM: Final = "__wire_form__"
"""The attribute in which `wire_str` leaves its form on a class."""


@record(kw_only=True)
class WireForm:
    """The values of a class as they stand on the wire; not checked yet."""

    as_: type[Any]
    pattern: str | None = None
    min_length: int | None = None
    max_length: int | None = None
    ge: int | None = None
    le: int | None = None
    examples: tuple[Any, ...] = ()
    kind: str | None = None
    """For the classes of this package: see `contract.shape.nodes.OwnShape`."""


# no dataclass and not frozen: the class in brackets is put into __orig_class__ after __init__
class Wire(Generic[T]):
    """
    The form of a class on the wire, for ``Annotated``.

    ::

        money = Wire[Money](as_=str, load=Money.parse, dump=str, pattern=r"^[0-9]+ [A-Z]{3}$")
        Amount = Annotated[Money, money]

    Args:
        as_: What stands on the wire: ``str`` or ``int``.
        load: The value of what was received. It refuses by raising ValueError, AssertionError or
            InvalidInput; any other exception is a mistake in it.
        dump: What is sent for a value. It is checked before it leaves.
        pattern: The texts that there are, as in `contract.shape.markers.Pattern`; documents,
            clients and tests know no more of the class than this, and the limits.
        min_length: The fewest characters.
        max_length: The most characters.
        ge: The least integer.
        le: The greatest integer.
        examples: Values as they stand on the wire, which ``load`` and ``dump`` give back.
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
        """The class in brackets, or None where there are none."""
        made_as: object = getattr(self, "__orig_class__", None)
        arguments: tuple[object, ...] = getattr(made_as, "__args__", (None,))
        return arguments[0]


def is_wire(item: object) -> bool:
    """Whether *item*, of the metadata of a type, is a `Wire`, or its class that was meant so."""
    return isinstance(item, Wire) or item is Wire or get_origin(item) is Wire


class WireStr(Protocol):
    """A class that says itself which text stands for a value."""

    @classmethod
    def __from_wire__(cls, text: str, /) -> Self:
        """The value of *text*, or ValueError, AssertionError or InvalidInput."""
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
    Let a class stand on the wire as the text that its ``__to_wire__`` gives.

    Its ``__from_wire__`` makes a value of a text again. The arguments are those of `Wire`.
    """
    form = WireForm(
        as_=str,
        pattern=pattern,
        min_length=min_length,
        max_length=max_length,
        examples=(*examples,),
    )

    def decorate(cls: type[_OwnT], /) -> type[_OwnT]:
        setattr(cls, FORM, form)
        return cls

    return decorate
