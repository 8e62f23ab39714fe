"""Events as they are declared, described, sent and received."""

from __future__ import annotations

import time
from base64 import b64encode
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from types import ModuleType
from typing import Any, cast

import orjson
import pytest
from standardwebhooks.webhooks import Webhook

import contract
from contract.client import Events, NotSigned, Schema
from contract.codegen.package import package_of
from contract.codegen.python import python_client, python_validators
from contract.codegen.typescript import typescript_client, typescript_validators
from contract.document.contract_json import dump_contract, load_contract
from contract.document.describe import describe
from contract.document.diff import diff
from contract.document.openapi import openapi
from contract.explorer.llms import llms
from contract.shape.signatures import signed_headers
from tests import sent
from tests.python_clients import module_of
from tests.tables import rows

SECRET = f"whsec_{b64encode(bytes(32)).decode()}"
OTHER = f"whsec_{b64encode(bytes([7]) * 32).decode()}"


@dataclass(frozen=True)
class Shipped:
    """An order on its way."""

    order_id: str
    boxes: int = 1
    notes: list[str] = field(default_factory=list[str])


shipped = contract.event("order.shipped", Shipped, summary="An order has left", description="Once.")
gone = contract.event("product.gone", str, summary="A product is gone")


@contract.route(summary="Ping", tags=["t"], auth="none")
def ping(input: None, ctx: None) -> str:
    return "pong"


def made(*events: contract.Event[Any], **options: Any) -> contract.Spec[Any]:
    return contract.spec(routes=[ping], events=events, **options)


SENDER = made(shipped, gone, rename="camel")
SILENT = made()


def test_a_message_has_type_time_and_data() -> None:
    before = datetime.now(UTC)
    delivery = SENDER.emit(shipped, Shipped("o1", notes=["fragile"]), secrets=[SECRET])
    message = orjson.loads(delivery.body)

    assert message.pop("type") == "order.shipped"
    assert before <= datetime.fromisoformat(message.pop("timestamp")) <= datetime.now(UTC)
    assert message == {"data": {"orderId": "o1", "boxes": 1, "notes": ["fragile"]}}
    assert delivery.headers["content-type"] == "application/json"
    assert delivery.headers["webhook-id"] == delivery.id
    assert repr(shipped) == "<event order.shipped>"


def test_other_libraries_take_it() -> None:
    delivery = SENDER.emit(gone, "p1", secrets=[OTHER, SECRET], message_id="msg_1")

    for secret in (SECRET, OTHER):
        assert Webhook(secret).verify(delivery.body, dict(delivery.headers))["data"] == "p1"
    assert delivery.id == "msg_1"
    assert len({SENDER.emit(gone, "p1", secrets=[SECRET]).id for _ in range(3)}) == 3


def test_what_is_sent_is_checked() -> None:
    wrong = cast("Any", SENDER)

    with pytest.raises(contract.InvalidOutput, match="data: expected str, found int"):
        wrong.emit(gone, 3, secrets=[SECRET])
    with pytest.raises(contract.InvalidOutput, match=r"data\.boxes: expected int, found str"):
        wrong.emit(shipped, Shipped("o1", cast("Any", "2")), secrets=[SECRET])
    with pytest.raises(ValueError, match="there is no secret to sign with"):
        SENDER.emit(gone, "p1", secrets=[])
    with pytest.raises(
        contract.SpecError, match=r"it is not an event of this spec; .* \(.*test_event.py:"
    ):
        SILENT.emit(gone, "p1", secrets=[SECRET])
    twin = contract.event("product.gone", str, summary="Another")
    with pytest.raises(contract.SpecError, match="it is not an event of this spec"):
        SENDER.emit(twin, "p1", secrets=[SECRET])


@pytest.mark.parametrize("name", [3, "", "order-shipped", "order..shipped"])
def test_an_event_has_a_name(name: Any) -> None:
    with pytest.raises(contract.SpecError, match=r"it is not a valid event name; .*test_event.py:"):
        contract.event(name, str, summary="S")


@pytest.mark.parametrize("options", [{"summary": ""}, {"description": ""}])
def test_an_event_has_words(options: dict[str, Any]) -> None:
    [option] = options
    with pytest.raises(contract.SpecError, match=rf"{option} is ''; give .*test_event.py:"):
        contract.event("a", str, **{"summary": "S"} | options)


def test_a_spec_takes_a_list_of_events() -> None:
    events: Any = shipped
    with pytest.raises(contract.SpecError, match="is not a list of events"):
        contract.spec(routes=[ping], events=events)


def test_the_data_of_an_event_can_be_carried() -> None:
    with pytest.raises(contract.UnsupportedAnnotation, match=r"event\('a.b'\)"):
        made(contract.event("a.b", complex, summary="S"))

    @dataclass
    class Wrong:
        count: int = cast("int", "many")

    with pytest.raises(
        contract.UnsupportedAnnotation, match=r"event\('a.b'\): Wrong.count: the default"
    ):
        made(contract.event("a.b", Wrong, summary="S"))


def test_the_document_has_them() -> None:
    document = describe(SENDER)

    assert [*document.events] == ["order.shipped", "product.gone"]
    told = document.events["order.shipped"]
    assert (told.summary, told.description) == ("An order has left", "Once.")
    assert told.message == {"$ref": "#/$defs/OrderShippedEvent"}
    assert document.defs["OrderShippedEvent"]["required"] == ["type", "timestamp", "data"]
    assert document.defs["Shipped"]["required"] == ["orderId", "boxes", "notes"]
    assert load_contract(dump_contract(document)) == document
    assert b'"events"' not in dump_contract(describe(SILENT))


@rows(
    "name, event_, place",
    ("a-b", {"summary": "S", "message": {"$ref": "#/$defs/Shipped"}}, "$.events.a-b"),
    ("a", {"summary": "S", "message": {"$ref": "#/$defs/None"}}, "$.events.a.message.$ref"),
    ("a", {"summary": "S", "message": {"type": "string"}}, "$.events.a.message"),
    ("a", {"summary": 1, "message": {"$ref": "#/$defs/Shipped"}}, "$.events.a.summary"),
)
def test_a_document_with_another_event_is_refused(name: str, event_: Any, place: str) -> None:
    document = orjson.loads(dump_contract(describe(SENDER)))
    document["events"][name] = event_

    with pytest.raises(contract.DocumentError) as caught:
        load_contract(orjson.dumps(document))
    assert caught.value.path.startswith(place.partition(".$ref")[0])


def test_openapi_has_webhooks() -> None:
    found = openapi(describe(SENDER), server="/")
    post = found["webhooks"]["order.shipped"]["post"]

    assert (post["summary"], post["description"]) == ("An order has left", "Once.")
    schema = {"$ref": "#/components/schemas/OrderShippedEvent"}
    assert post["requestBody"]["content"]["application/json"]["schema"] == schema
    assert len(post["parameters"]) == 3
    assert "description" not in found["webhooks"]["product.gone"]["post"]
    assert "webhooks" not in openapi(describe(SILENT), server="/")


def test_changes_of_events_are_told() -> None:
    @dataclass(frozen=True)
    class Shipped:
        order_id: str
        boxes: str

    told = contract.event("order.shipped", Shipped, summary="An order is away", description="Once.")
    old, new = describe(made(shipped)), describe(made(told, gone))
    found = {(each.level, each.kind, each.path) for each in diff(old, new)}

    assert any(level == "breaking" and "boxes" in path for level, _, path in found)
    assert ("docs", "summary_changed", 'events["order.shipped"].summary') in found
    assert ("source", "event_added", 'events["product.gone"]') in found
    assert [each.level for each in diff(describe(SILENT), old) if each.kind == "event_added"] == [
        "compatible"  # nobody had to tell it apart from others
    ]
    [removed] = [each for each in diff(new, old) if each.kind == "event_removed"]
    assert removed.level == "breaking"


def test_agents_are_told() -> None:
    told = llms(describe(SENDER), contract="contract.json", server="/").decode()

    assert "## Events that are sent by webhooks (Standard Webhooks)" in told
    assert "- `order.shipped`: An order has left\n  Message: OrderShippedEvent" in told


def client_of(api: contract.Spec[Any]) -> str:
    return python_client(package_of(describe(api)))


def receiver() -> Any:
    return module_of(client_of(SENDER))


def test_a_generated_client_receives_what_is_sent() -> None:
    delivery = SENDER.emit(shipped, Shipped("o1"), secrets=[SECRET])
    with receiver() as module:
        found = module.events.receive(delivery.body, delivery.headers, [SECRET])

        assert isinstance(found, module.OrderShippedEvent)
        assert found.data == module.Shipped(order_id="o1", boxes=1, notes=[])
        assert (found.type, found.timestamp.tzinfo) == ("order.shipped", UTC)
        assert "events" in module.__all__
        assert repr(module.events) == "Events(order.shipped, product.gone)"


def test_headers_come_in_any_case_and_one_secret_is_enough() -> None:
    delivery = SENDER.emit(gone, "p1", secrets=[SECRET])
    headers = {name.title(): value for name, value in delivery.headers.items()}
    with receiver() as module:
        assert module.events.receive(delivery.body, headers, [OTHER, SECRET]).data == "p1"


def test_a_receiver_believes_nobody_else() -> None:
    delivery = SENDER.emit(gone, "p1", secrets=[SECRET])
    late = signed_headers([SECRET], "msg_1", int(time.time()) - 90, delivery.body)
    with receiver() as module:
        events = module.events
        with pytest.raises(NotSigned, match="webhook-signature does not fit"):
            events.receive(delivery.body, delivery.headers, [OTHER])
        with pytest.raises(NotSigned, match="webhook-signature does not fit"):
            events.receive(delivery.body + b" ", delivery.headers, [SECRET])
        with pytest.raises(NotSigned, match="send webhook-id, webhook-timestamp"):
            events.receive(delivery.body, {}, [SECRET])
        with pytest.raises(NotSigned, match="more than 60 seconds from now"):
            events.receive(delivery.body, late, [SECRET], tolerance=60)
        assert events.receive(delivery.body, late, [SECRET]).data == "p1"
        with pytest.raises(ValueError, match="this secret is not base64"):
            events.receive(delivery.body, delivery.headers, ["secret"])


@rows(
    "body, outcome",
    (b'{"type":"order.lost","timestamp":"2026-01-01T00:00:00Z","data":{}}', None),
    (b'{"data":{}}', None),
    (b'{"type":3}', None),
    (b'{"type":"product.gone","timestamp":"2026-01-01T00:00:00Z"}', contract.InvalidInput),
    (b'{"type":"product.gone","timestamp":"yesterday","data":"p1"}', contract.InvalidInput),
    (b"[]", contract.InvalidInput),
    (b"{", contract.InvalidInput),
    (b'"\xff"', contract.InvalidInput),
    (b'{"type":"product.gone","timestamp":"2026-01-01T00:00:00Z","data":"p1","by":1}', "p1"),
)
def test_what_is_signed_and_unknown_is_passed_over(
    body: bytes, outcome: type[Exception] | str | None
) -> None:
    headers = signed_headers([SECRET], "msg_1", int(time.time()), body)
    with receiver() as module:
        if isinstance(outcome, type):
            with pytest.raises(outcome):
                module.events.receive(body, headers, [SECRET])
        else:
            found = module.events.receive(body, headers, [SECRET])
            assert (found and found.data) == outcome


@pytest.mark.parametrize("index", range(20))
def test_both_languages_come_to_the_same(index: int) -> None:
    message = [*sent.messages()][index]
    body, headers = message["body"].encode(), message["headers"]
    with module_of(client_of(sent.api)) as module:
        try:
            found = module.events.receive(body, headers, [message["secret"]])
        except NotSigned:
            outcome = "unsigned"
        except contract.InvalidInput:
            outcome = "wrong"
        else:
            outcome = "unknown" if found is None else "ok"

    assert outcome == message["outcome"]


def test_the_runtime_takes_messages_of_ones_own() -> None:
    body = b'{"type":"a","n":1}'
    headers = signed_headers([SECRET], "msg_1", int(time.time()), body)
    events: Events[dict[str, Any]] = Events({"a": Schema(dict[str, Any])})

    assert events.receive(body, headers, [SECRET]) == {"type": "a", "n": 1}


def test_typescript_has_a_receiver() -> None:
    source = typescript_client(package_of(describe(SENDER)))

    assert "export const events: Events<OrderShippedEvent | ProductGoneEvent> = $events({" in source
    assert "$notSigned" in source
    silent = typescript_client(package_of(describe(SILENT)))
    assert "webhook" not in silent
    assert "events" not in module_names(client_of(SILENT))


def module_names(source: str) -> list[str]:
    with module_of(source) as module:
        found: list[str] = cast("ModuleType", module).__all__
        return found


def test_a_type_has_the_same_name_whether_there_are_events_or_not() -> None:
    """And none of the receiver's."""

    @dataclass
    class Webhook:
        events: str

    exported = contract.exports(Webhook=Webhook)
    for each in (made(exports=exported), made(gone, exports=exported)):
        assert "export interface Webhook_ {" in typescript_client(package_of(describe(each)))


def test_validators_have_no_events() -> None:
    package = package_of(describe(made(gone, exports=contract.exports(Shipped=Shipped))))

    assert "ProductGone" not in python_validators(package)
    assert "ProductGone" not in typescript_validators(package)


def test_a_spec_without_events_has_none() -> None:
    assert not SILENT.events
    assert [*SENDER.events] == ["order.shipped", "product.gone"]
    assert replace(describe(SENDER), events={}) != describe(SENDER)


def test_each_try_of_a_message_tells_when_the_event_occurred() -> None:
    """Standard Webhooks: the time of the attempt is updated, that of the event remains the same."""
    occurred = datetime(2026, 1, 31, 12, 0, 0, 250_000, tzinfo=UTC)
    first, later = (
        SENDER.emit(gone, "p1", secrets=[SECRET], message_id="msg_1", occurred_at=occurred)
        for _ in range(2)
    )

    assert orjson.loads(first.body)["timestamp"] == "2026-01-31T12:00:00.250000+00:00"
    assert later.body == first.body
    assert int(later.headers["webhook-timestamp"]) > occurred.timestamp() + 300
    assert Webhook(SECRET).verify(later.body, dict(later.headers))["data"] == "p1"


def test_the_time_of_an_event_has_an_offset() -> None:
    with pytest.raises(contract.InvalidOutput, match="timestamp: "):
        SENDER.emit(gone, "p1", secrets=[SECRET], occurred_at=datetime(2026, 1, 31))
