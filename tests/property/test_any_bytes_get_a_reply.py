"""The law: whatever is sent to a mount, the answer is one that the contract declares: never an exception, never HTML."""

import orjson
import pytest
from hypothesis import assume, given

from contract.pred.compile import compile_pred
from contract.shape.reader import shape_of
from tests.echoes import NAMES, check_declared, echoes, posts, requests
from tests.samples import ANNOTATIONS
from tests.wire.exchange import TRANSPORTS, Exchange, RawRequest, Transport, serve

PREDS = {name: compile_pred(shape_of(ANNOTATIONS[label])) for name, label in NAMES.items()}


@pytest.fixture(scope="module")
def exchange() -> Exchange:
    return serve("service", echoes(), logging=False)


@given(request=posts())
def test_any_body_is_taken_or_refused(exchange: Exchange, request: RawRequest) -> None:
    response = exchange(request)

    assert check_declared(response) in ("OK", "VALIDATION_ERROR")
    if response.status == 200:
        PREDS[request.target.removeprefix("/v1/")].load(response.body)
    else:
        assert orjson.loads(response.body)["data"]["issues"]


@pytest.mark.parametrize("transport", TRANSPORTS)
def test_any_request_gets_a_declared_reply(transport: Transport) -> None:
    exchange = serve(transport, echoes(), logging=False)

    @given(requests())
    def law(request: RawRequest) -> None:
        # Falcon's ASGI app waits for the first event of a body before anything of ours runs; a
        # client that is gone by then reads no reply
        assume(transport != "falcon-asgi" or request.body or request.ends == "whole")
        assert check_declared(exchange(request), request.method) != "INTERNAL_ERROR"

    law()
