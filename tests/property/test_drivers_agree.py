"""The law: a request gets the same answer, whoever carries it, and whether the resolver is asynchronous or not."""

from typing import Any, Literal, get_args

import pytest
from hypothesis import given

from contract import Failure, NotFound, Spec, route, spec
from tests.echoes import echoes, posts
from tests.wire.exchange import TRANSPORTS, Exchange, RawRequest, RawResponse, serve


class SoldOut(Failure, status=409):
    days: int


class Undeclared(Failure): ...


Right = Literal["a value", "a failure", "a builtin"]
Wrong = Literal["a wrong value", "a wrong failure", "an undeclared failure"]
Raised = Literal["an exception", "an exit"]
Wanted = Right | Wrong | Raised


def behave(wanted: Wanted) -> int | SoldOut | NotFound:
    match wanted:
        case "a value":
            return 1
        case "a wrong value":
            return "1"  # type: ignore[return-value]
        case "a failure":
            return SoldOut(3)
        case "a wrong failure":
            return SoldOut("3")  # type: ignore[arg-type]
        case "a builtin":
            return NotFound(message="gone")
        case "an undeclared failure":
            return Undeclared()  # type: ignore[return-value]
        case "an exception":
            raise ValueError(wanted)
        case _:
            raise SystemExit(wanted)


@route(summary="Behave", tags=["behaviour"], auth="none", name="behave")
def behave_at_once(input: Wanted, ctx: None) -> int | SoldOut | NotFound:
    return behave(input)


@route(summary="Behave", tags=["behaviour"], auth="none", name="behave")
async def behave_later(input: Wanted, ctx: None) -> int | SoldOut | NotFound:
    return behave(input)


def essence(response: RawResponse) -> tuple[int, bytes, list[tuple[str, str]]]:
    """All that must be the same: the service alone does not announce the length, and each reply has its own id."""
    apart = ("x-request-id", "content-length")
    headers = sorted(pair for pair in response.headers if pair[0] not in apart)
    return response.status, response.body, headers


def everywhere(at_once: Spec[Any], later: Spec[Any]) -> list[Exchange]:
    return [serve(each, api, logging=False) for each in TRANSPORTS for api in (at_once, later)]


@pytest.fixture(scope="module")
def echo_exchanges() -> list[Exchange]:
    return everywhere(echoes(), echoes(is_async=True))


@pytest.fixture(scope="module")
def behaviour_exchanges() -> list[Exchange]:
    return everywhere(spec(routes=[behave_at_once]), spec(routes=[behave_later]))


@given(request=posts())
def test_all_agree_on_any_body(echo_exchanges: list[Exchange], request: RawRequest) -> None:
    first, *others = [essence(exchange(request)) for exchange in echo_exchanges]

    assert all(other == first for other in others)


CODES = {"a value": "OK", "a failure": "SOLD_OUT", "a builtin": "NOT_FOUND"}


@pytest.mark.parametrize("wanted", [*get_args(Right), *get_args(Wrong), *get_args(Raised)])
def test_all_agree_on_any_outcome(behaviour_exchanges: list[Exchange], wanted: str) -> None:
    code = CODES.get(wanted, "INTERNAL_ERROR")
    request = RawRequest(target="/v1/behave", body=f'"{wanted}"'.encode())
    responses = [exchange(request) for exchange in behaviour_exchanges]

    assert len({str(essence(response)) for response in responses}) == 1
    assert responses[0].json() == 1 if code == "OK" else responses[0].json()["error"] == code
