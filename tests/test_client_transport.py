from __future__ import annotations

from contract.client import HttpRequest, HttpResponse, TransportError
from contract.shape.exceptions import ContractException


def test_a_failure_of_the_network_has_a_cause_and_a_text() -> None:
    error = TransportError("refused", "nobody is there")

    assert (error.cause, str(error), str(TransportError("tls"))) == (
        "refused",
        "nobody is there",
        "tls",
    )
    assert isinstance(error, ContractException)


def test_messages_show_no_secrets() -> None:
    assert (
        repr(HttpRequest("POST", "https://a/b", {"authorization": "canary"}, b"canary"))
        == "HttpRequest(method='POST', url='https://a/b')"
    )
    assert (
        repr(HttpResponse(200, {"set-cookie": "canary"}, b"canary"))
        == "HttpResponse(status=200, truncated=False, problem='')"
    )
