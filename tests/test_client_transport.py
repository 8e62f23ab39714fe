from __future__ import annotations

from contract.client import HttpRequest, HttpResponse, TransportError
from contract.shape.exceptions import ContractException


def test_a_failure_of_the_network_has_a_cause_and_a_text() -> None:
    error = TransportError("refused", "nobody is there")

    assert (error.cause, str(error)) == ("refused", "nobody is there")
    assert str(TransportError("tls")) == "tls"
    assert isinstance(error, ContractException)


def test_messages_show_no_secrets() -> None:
    request = HttpRequest("POST", "https://a/b", {"authorization": "canary"}, b"canary")
    response = HttpResponse(200, {"set-cookie": "canary"}, b"canary")

    assert repr(request) == "HttpRequest(method='POST', url='https://a/b')"
    assert repr(response) == "HttpResponse(status=200, truncated=False, problem='')"
