"""Envelopes: JSON-RPC as MCP has it."""

from __future__ import annotations

import orjson
import pytest

from contract.mcp import envelope
from contract.shape.sentences import sentence
from tests.tables import rows


def message_in(body: bytes) -> envelope.Message:
    found = envelope.read(body)
    assert isinstance(found, envelope.Message)
    return found


def problem_in(body: bytes) -> envelope.Problem:
    found = envelope.read(body)
    assert isinstance(found, envelope.Problem)
    return found


def test_a_request_has_an_id_and_a_notification_has_none() -> None:
    request = message_in(
        b'{"jsonrpc":"2.0","id":"a\\"b","method":"ping","params":{"x":1,"_meta":{"y":2}}}'
    )
    notification = message_in(b'{"jsonrpc":"2.0","method":"notifications/initialized"}')

    found = (request.kind, request.id, request.method, request.params["x"], request.meta)
    assert found == (envelope.Kind.REQUEST, b'"a\\"b"', "ping", 1, {"y": 2})
    assert (notification.kind, notification.id) == (envelope.Kind.NOTIFICATION, None)
    assert notification.params == notification.meta == {}


@rows("outcome", '"result":{}', '"error":{"code":1,"message":"x"}')
def test_what_has_an_outcome_is_a_response(outcome: str) -> None:
    assert (
        message_in(b'{"jsonrpc":"2.0","id":1,%b}' % outcome.encode()).kind is envelope.Kind.RESPONSE
    )


@rows("params", b"null", b"{}", b'{"_meta":3}')
def test_params_and_meta_may_be_missing(params: bytes) -> None:
    assert message_in(b'{"jsonrpc":"2.0","id":1,"method":"ping","params":%b}' % params).meta == {}


@rows(
    "body",
    b"", b"{", b'{"a":1}x', b'"\xff"', b"\xef\xbb\xbf{}", b'{"a":NaN}', b'{"a":"\\ud800"}',
    b"[" * 300 + b"]" * 300, b'{"a":0' + b"1" * 5000 + b"}",
)  # fmt: skip
def test_what_is_no_json_is_no_message(body: bytes) -> None:
    problem = problem_in(body)

    assert (problem.code, problem.id) == (envelope.PARSE_ERROR, None)
    assert problem.data is not None
    assert problem.message == sentence("json_invalid", problem.data)
    assert [*problem.data][:3] == ["reason", "line", "column"]


def test_what_is_no_message_is_told_as_over_http() -> None:
    problem = problem_in(b'{"jsonrpc":"2.0",\n "id":1,}')

    assert problem.message == "A comma must not stand before a closing bracket (line 2, column 8)."
    assert problem.data == {"reason": "trailing_comma", "line": 2, "column": 8}


@rows(
    "body, known",
    (b"[]", None),
    (b'"ping"', None),
    (b"null", None),
    (b"{}", None),
    (b'{"id":1,"method":"ping"}', b"1"),
    (b'{"jsonrpc":"1.0","id":1,"method":"ping"}', b"1"),
    (b'{"jsonrpc":2.0,"id":"x","method":"ping"}', b'"x"'),
    (b'{"jsonrpc":"2.0","id":null,"method":"ping"}', None),
    (b'{"jsonrpc":"2.0","id":true,"method":"ping"}', None),
    (b'{"jsonrpc":"2.0","id":1.5,"method":"ping"}', None),
    (b'{"jsonrpc":"2.0","id":[1],"method":"ping"}', None),
    (b'{"jsonrpc":"2.0","id":"%b","method":"ping"}' % (b"x" * 257), None),
    (b'{"jsonrpc":"2.0","id":7}', b"7"),
    (b'{"jsonrpc":"2.0","id":7,"method":3}', b"7"),
    (b'{"jsonrpc":"2.0","id":7,"method":3,"result":{}}', b"7"),
    (b'{"jsonrpc":"2.0","id":7,"method":"ping","params":[1]}', b"7"),
    (b'{"jsonrpc":"2.0","id":7,"method":"ping","params":"x"}', b"7"),
)
def test_what_is_json_may_be_no_message(body: bytes, known: bytes | None) -> None:
    problem = problem_in(body)

    assert (problem.code, problem.id) == (envelope.INVALID_REQUEST, known)


def test_a_long_id_is_sent_back_whole() -> None:
    long = b'"%b"' % (b"x" * 256)

    assert message_in(b'{"jsonrpc":"2.0","id":%b,"method":"ping"}' % long).id == long


def test_an_error_whose_id_is_not_known_has_none() -> None:
    found = envelope.write_error(None, envelope.Problem(-1, "why"))
    assert found == b'{"jsonrpc":"2.0","error":{"code":-1,"message":"why"}}'
    assert (
        envelope.write_error(b"1", envelope.Problem(-1, "why", {"a": 2}))
        == b'{"jsonrpc":"2.0","id":1,"error":{"code":-1,"message":"why","data":{"a":2}}}'
    )


def test_a_result_is_put_in_as_it_is() -> None:
    assert (
        envelope.write_result(b'"x"', b'{"a": 1}')
        == b'{"jsonrpc":"2.0","id":"x","result":{"a": 1}}'
    )


@rows(
    "arguments",
    b"{}",
    b'{"a":1,"b":[1.5,true,null,"\\u0000"],"c":123456789012345678901234567890}',
    b'{"Infinity":"-Infinity \\" Infinity","a":1}',
)
def test_arguments_are_written_as_they_came(arguments: bytes) -> None:
    message = message_in(b'{"jsonrpc":"2.0","id":1,"method":"x","params":%b}' % arguments)

    assert envelope.write_arguments(message.params) == arguments


def test_a_number_too_great_for_a_float_stays_one() -> None:
    message = message_in(
        b'{"jsonrpc":"2.0","id":1,"method":"x","params":{"a":1e400,"b":[-1e400],"c":"Infinity"}}'
    )

    written = envelope.write_arguments(message.params)

    assert written == b'{"a":1e999,"b":[-1e999],"c":"Infinity"}'
    with pytest.raises(orjson.JSONDecodeError):
        orjson.loads(b'{"a":Infinity}')
