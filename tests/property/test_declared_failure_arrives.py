"""The law: a failure that a resolver returns arrives as its code and its status, with its data, if the return annotation declares it."""

from types import new_class
from typing import Any

import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from contract import Failure, route, spec
from contract.declare.failures import BUILTINS
from contract.pred.compile import compile_pred
from contract.shape.reader import ShapeReader, shape_of
from contract.testing import strategy, values
from tests.effort import examples
from tests.samples import ANNOTATIONS
from tests.strategies import LARGE, same, types
from tests.wire.exchange import RawRequest, RawResponse, Transport, serve

TRANSPORTS: list[Transport] = ["service", "wsgi", "asgi"]


def failure_class(status: int, annotations: dict[str, Any]) -> Any:
    def body(namespace: dict[str, Any]) -> None:
        namespace["__annotations__"] = annotations

    return new_class("Drawn", (Failure,), {"status": status}, body)


def arrived(failure: Failure, declared: Any, transport: Transport) -> RawResponse:
    """The response of a route that returns *failure*."""

    def resolver(input: None, ctx: None) -> Any:
        return failure

    resolver.__annotations__["return"] = declared
    api = spec(routes={"fail": route(summary="Fail", tags=["failures"], auth="none")(resolver)})
    return serve(transport, api, logging=False)(RawRequest(target="/v1/fail"))


def check_arrived(failure: Failure, response: RawResponse) -> None:
    cls = type(failure)
    body = orjson.loads(response.body)
    pred = compile_pred(ShapeReader().failure(cls, where="Drawn").shape)

    assert (response.status, body["error"]) == (cls.http_status, cls.error_code)
    assert same(pred.load(orjson.dumps(body.get("data", {}))), failure)
    assert body.get("data") != {}


@settings(suppress_health_check=LARGE)
@given(st.data())
def test_any_declared_failure_arrives(data: st.DataObject) -> None:
    names = st.sampled_from(["a", "b", "c"])
    fields = data.draw(st.dictionaries(names, types(depth=1), max_size=2), label="fields")
    cls = failure_class(data.draw(st.integers(400, 599), label="status"), fields)
    failure = cls(**{name: data.draw(strategy(of), label=name) for name, of in fields.items()})
    transport = data.draw(st.sampled_from(TRANSPORTS), label="transport")

    check_arrived(failure, arrived(failure, int | cls, transport))


@pytest.mark.parametrize("cls", BUILTINS)
def test_builtins_arrive(cls: type[Failure]) -> None:
    @settings(max_examples=examples(20))
    @given(values(ShapeReader().failure(cls, where="x").shape), st.sampled_from(TRANSPORTS))
    def law(failure: Failure, transport: Transport) -> None:
        response = arrived(failure, int | cls, transport)

        check_arrived(failure, response)
        seconds = getattr(failure, "retry_after", None)
        told = str(seconds) if isinstance(seconds, int) else None
        assert response.header("retry-after") == told

    law()


@pytest.mark.parametrize("transport", TRANSPORTS)
@pytest.mark.parametrize("label", ["int", "dataclass", "Any", "union of scalars"])
def test_undeclared_failure_is_an_internal_error(label: str, transport: Transport) -> None:
    cls = failure_class(409, {"secret": ANNOTATIONS[label]})

    @settings(max_examples=examples(5))
    @given(values(shape_of(ANNOTATIONS[label])))
    def law(secret: Any) -> None:
        response = arrived(cls(secret=secret), ANNOTATIONS[label], transport)

        assert (response.status, response.json()) == (500, {"error": "INTERNAL_ERROR"})

    law()
