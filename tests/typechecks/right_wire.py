"""Types of one's own that are told rightly."""

# mypy: disable-error-code="empty-body"
# what is declared below is checked and never run

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Annotated, NewType, Self, assert_type

from contract import Wire, wire_str


class Money:
    """A class of others."""

    def __init__(self, amount: Decimal) -> None:
        self.amount = amount

    @classmethod
    def parse(cls, text: str) -> Money:
        return cls(Decimal(text))


def cents_of(value: Money) -> int:
    return int(value.amount * 100)


def of_cents(cents: int) -> Money:
    return Money(Decimal(cents) / 100)


money = Wire[Money](as_=str, load=Money.parse, dump=str, pattern=r"^[0-9]+$", examples=["12"])
cents = Wire[Money](as_=int, load=of_cents, dump=cents_of, ge=0, le=100, examples=[1])
fraction = Wire[Fraction](as_=str, load=Fraction, dump=str, max_length=40)
Amount = Annotated[Money, money]
Total = NewType("Total", Money)


@wire_str(pattern=r"^[0-9]{4}$", min_length=4, max_length=4, examples=("1234",))
@dataclass(frozen=True)
class Pin:
    digits: str

    @classmethod
    def __from_wire__(cls, text: str, /) -> Self:
        return cls(text)

    def __to_wire__(self) -> str: ...


@dataclass(frozen=True)
class Bill:
    amount: Amount
    share: Annotated[Fraction, fraction]
    pin: Pin
    tip: Amount | None = None


assert_type(money, Wire[Money])
assert_type(Pin("1234").digits, str)
assert_type(Bill(Money(Decimal(1)), Fraction(1, 2), Pin("1234")).amount, Money)
