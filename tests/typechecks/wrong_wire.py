"""Types of one's own that are told wrongly."""

# mypy: disable-error-code="empty-body"
# what is declared below is checked and never run

from __future__ import annotations

from typing import Annotated, Self

from contract import Wire, wire_str
from tests.typechecks.right_wire import Bill, Money, Pin, cents_of, money, of_cents


def no_text(value: Money) -> bytes: ...


Wire[Money](as_=str, load=int, dump=str)  # type: ignore[arg-type]
Wire[Money](as_=str, load=of_cents, dump=str)  # type: ignore[arg-type]
Wire[Money](as_=str, load=Money.parse, dump=no_text)  # type: ignore[arg-type]
Wire[Money](as_=str, load=Money.parse, dump=cents_of)  # type: ignore[arg-type]
Wire[Money](as_=int, load=Money.parse, dump=cents_of)  # type: ignore[arg-type]
Wire[Money](as_=float, load=of_cents, dump=cents_of)  # type: ignore[arg-type]
Wire[Money](as_=str, load=Money.parse)  # type: ignore[call-overload]
Wire[Money](as_=str, load=Money.parse, dump=str, ge=1)  # type: ignore[arg-type]
Wire[Money](as_=int, load=of_cents, dump=cents_of, pattern="a")  # type: ignore[arg-type]
Wire[Money](as_=str, load=Money.parse, dump=str, examples="12")  # type: ignore[arg-type]
Wire[Money](as_=str, load=Money.parse, dump=str, examples=[12])  # type: ignore[list-item]
Wire[Money](as_=int, load=of_cents, dump=cents_of, examples=["12"])  # type: ignore[arg-type]
Wire[Money](str, Money.parse, str)  # type: ignore[call-overload]

Money2 = money(Money)  # type: ignore[operator]


def pay(amount: Annotated[Money, money]) -> None: ...


pay("12 EUR")  # type: ignore[arg-type]
Bill("12 EUR", money, Pin("1"))  # type: ignore[arg-type]


class Nothing: ...


class NoDump:
    @classmethod
    def __from_wire__(cls, text: str, /) -> Self:
        raise ValueError(text)


class OfBytes:
    @classmethod
    def __from_wire__(cls, data: bytes, /) -> Self:
        raise ValueError(data)

    def __to_wire__(self) -> str: ...


wire_str(pattern="a")(Nothing)  # type: ignore[type-var]
wire_str(pattern="a")(NoDump)  # type: ignore[type-var]
wire_str(pattern="a")(OfBytes)  # type: ignore[type-var]
wire_str("a")(Pin)  # type: ignore[call-arg]
wire_str(load=Money.parse)(Pin)  # type: ignore[call-arg]
wire_str(examples="a")  # type: ignore[arg-type]
