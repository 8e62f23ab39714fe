"""Streams: what an annotation says of one, what is refused, and how documents tell of it."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, replace
from typing import Any

import pytest

import contract
from contract.adapters.pool import Lanes
from contract.call.bound import bind
from contract.call.context import Outcome
from contract.call.stream import EVENTS, LINES, Form, Gathered, OpenStreams, checked_id, form_for
from contract.document import ContractRoute, ContractStream
from contract.document.diff import diff
from contract.explorer.llms import llms
from contract.shape.exceptions import InvalidOutput
from tests.diffs import ROUTE, kinds, shop
from tests.tables import rows
from tests.wire.exchange import Bare, RawRequest, serve


class Interrupted(contract.Failure, status=409):
    """The model was stopped."""

    after: int


class Refused(contract.Failure, status=403):
    """Nobody may ask for that."""


@dataclass(frozen=True, slots=True)
class Token:
    text: str


type_of_items = Token | Interrupted


def given(annotation: Any, **options: Any) -> Any:
    """A spec of one route with this return *annotation*."""

    def chat(input: None, ctx: None) -> Any:
        return contract.Stream(iter([Token("a")]))

    chat.__annotations__["return"] = annotation
    return of_route(chat, **options)


def of_route(resolver: Any, **options: Any) -> Any:
    made = contract.route(summary="Chat", tags=["t"], auth="none", **options)(resolver)
    return contract.spec(routes=[made])


def written(api: Any) -> Any:
    return contract.load_contract(contract.emit_contract(api))


@rows(
    "annotation, items, before",
    (contract.Stream[Token], [], []),
    (contract.Stream[Token | Interrupted], ["INTERRUPTED"], []),
    (contract.Stream[Token | Interrupted] | Refused, ["INTERRUPTED"], ["REFUSED"]),
    (Refused | contract.Stream["Token | Refused"], ["REFUSED"], ["REFUSED"]),
    (contract.Stream["type_of_items"] | contract.NotFound, ["INTERRUPTED"], ["NOT_FOUND"]),
    (contract.Stream[Token | contract.ServiceUnavailable], ["SERVICE_UNAVAILABLE"], []),
)
def test_the_failures_in_a_stream_are_those_between_items(
    annotation: Any, items: list[str], before: list[str]
) -> None:
    [entry] = given(annotation).entries.values()

    assert entry.stream is not None
    assert [cls.error_code for cls in entry.stream.failures] == items
    assert [cls.error_code for cls in entry.failures] == before
    more = [code for code in items if code not in before]
    assert [cls.error_code for cls in entry.every_failure] == [*before, *more]


def test_items_may_be_of_many_types() -> None:
    loaded = written(given(contract.Stream[int | str | None]))

    number = {"type": "integer", "format": "int64", "minimum": -(2**63), "maximum": 2**63 - 1}
    members = [number, {"type": "string"}, {"type": "null"}]
    assert loaded.routes["chat"].output == {"anyOf": members}


class Stopped(contract.Failure, code="INTERRUPTED"):
    """Another class of the same code."""


@rows(
    "annotation, problem",
    (contract.Stream[Token] | None, "a route has one form of success"),
    (contract.Stream[Token] | contract.Stream[int], "a route has one form of success"),
    (contract.Stream[Token | Interrupted] | Stopped, "INTERRUPTED"),
    (contract.Stream[complex], "chat.return.item: complex is not a type that a route can carry"),
    (list[contract.Stream[Token]], "is not a type that a route can carry"),
)
def test_what_no_stream_is_is_refused_with_its_place(annotation: Any, problem: str) -> None:
    with pytest.raises(contract.DeclarationError, match=problem) as caught:
        given(annotation)

    assert caught.value.where.startswith("chat.return")
    assert "test_stream" in str(caught.value)


def test_a_stream_is_no_input() -> None:
    def chat(input: contract.Stream[Token], ctx: None) -> None: ...

    with pytest.raises(contract.DeclarationError, match=r"chat.input: .* is not a type that"):
        of_route(chat)


def test_errors_name_the_failures_in_a_stream_too() -> None:
    both = contract.define_errors(Interrupted, Refused)
    annotation = contract.Stream[Token | Interrupted] | Refused
    given(annotation, errors=both)

    why = "the return annotation declares Interrupted"
    with pytest.raises(contract.RouteDeclarationError, match=why):
        given(annotation, errors=contract.define_errors(Refused))


@pytest.mark.parametrize(
    ("items", "hint"), [([Token("a")], r"; write Stream\(iter\(...\)\)"), ("a", "iter"), (1, "$")]
)
def test_a_stream_is_made_of_an_iterator(items: Any, hint: str) -> None:
    with pytest.raises(TypeError, match=f"which is not an iterator.*{hint}"):
        contract.Stream(items)


# On paper.

CHAT = given(contract.Stream[Token | Interrupted] | Refused)


def test_a_document_has_the_items_and_what_may_end_them() -> None:
    text = contract.emit_contract(CHAT)
    told = json.loads(text)["routes"]["chat"]

    data = {"data": {"$ref": "#/$defs/Interrupted"}, "data_required": True}
    interrupted = {"status": 409, "description": "The model was stopped.", **data}
    items = {"stream": {"$ref": "#/$defs/Token"}}
    assert told["output"] == {**items, "errors": {"INTERRUPTED": interrupted}}
    assert [*told["errors"]] == ["REFUSED"]
    document = contract.load_contract(text)
    assert isinstance(document.routes["chat"].stream, ContractStream)
    assert contract.dump_contract(document) == text


def test_a_stream_may_be_a_tool() -> None:
    text = contract.emit_contract(given(contract.Stream[Token | Interrupted], mcp=True))

    assert contract.dump_contract(contract.load_contract(text)) == text
    assert json.loads(text)["routes"]["chat"]["mcp"]["name"] == "chat"


def test_a_document_whose_stream_caches_keep_is_refused() -> None:
    told = json.loads(contract.emit_contract(CHAT))
    told["routes"]["chat"]["cache"] = {}

    with pytest.raises(contract.DocumentError, match="a stream cannot have this") as no:
        contract.load_contract(json.dumps(told).encode())
    assert no.value.path == "$.routes.chat.cache"


def test_openapi_has_both_media_types() -> None:
    told = json.loads(contract.emit_openapi(CHAT))
    response = told["paths"]["/chat"]["post"]["responses"]["200"]
    kinds = ("text/event-stream", "application/jsonl")
    events, lines = (response["content"][each]["x-contract-item-schema"]["oneOf"] for each in kinds)

    item = {"$ref": "#/components/schemas/Token"}
    assert response["description"] == "The items of the stream, and its end."
    assert events[0]["properties"]["data"]["contentSchema"] == item
    [interrupted, _] = events[1]["properties"]["data"]["contentSchema"]["anyOf"]
    assert interrupted == {"$ref": "#/components/schemas/InterruptedError"}
    properties = told["components"]["schemas"]["InterruptedError"]["properties"]
    assert properties["error"] == {"type": "string", "const": "INTERRUPTED"}
    assert (lines[0]["properties"]["item"], lines[1]["anyOf"][0]) == (item, interrupted)


STREAM = replace(ROUTE, stream=ContractStream({}))


def test_a_stream_is_no_output_and_the_other_way_round() -> None:
    for old, new, text in (
        (ROUTE, STREAM, "the output is a stream of items, was one value"),
        (STREAM, ROUTE, "the output is one value, was a stream of items"),
    ):
        [change] = diff(shop(order=old), shop(order=new))
        found = (change.level, change.kind, change.path)
        assert found == ("breaking", "stream_changed", "routes.order.output")
        assert text in change.text


def test_items_are_compared_by_who_reads_them() -> None:
    def of(schema: Any) -> ContractRoute:
        return replace(STREAM, output=schema)

    text, number = {"type": "string"}, {"anyOf": [{"type": "string"}, {"type": "null"}]}
    [change] = diff(shop(order=of(text)), shop(order=of(number)))

    assert change.level == "breaking"
    assert change.path.startswith("routes.order.output.stream")
    assert diff(shop(order=of(text)), shop(order=of(text))) == ()


def test_failures_between_items_are_compared_like_others() -> None:
    [error] = written(CHAT).routes["chat"].errors.values()
    ended = replace(ROUTE, stream=ContractStream({"REFUSED": error}))

    assert kinds(diff(shop(order=STREAM), shop(order=ended))) == ["breaking: error_added"]
    assert kinds(diff(shop(order=ended), shop(order=STREAM))) == ["source: error_removed"]
    both, one = shop(order=ended, other=ended), shop(order=STREAM, other=ended)
    assert kinds(diff(both, one)) == ["compatible: error_removed"]


def test_llms_txt_says_that_it_is_a_stream() -> None:
    for api, told in (
        (CHAT, "output: a stream of Token, which may end with INTERRUPTED; errors: REFUSED"),
        (given(contract.Stream[Token]), "output: a stream of Token"),
    ):
        text = llms(written(api), contract="/contract.json", server="/v1").decode()
        assert re.search(rf"{told}$", text, re.MULTILINE)


def test_pages_may_say_which_item_they_have() -> None:
    for api, sends in ((CHAT, True), (given(Token), False)):
        exchange = serve("wsgi", api, cors_origins=["https://app.example"])
        asked = RawRequest("OPTIONS", "/v1/chat", (("Origin", "https://app.example"),))
        allowed = exchange(asked).header("access-control-allow-headers")
        assert ("last-event-id" in (allowed or "")) is sends
        told = exchange(RawRequest(target="/v1/chat", headers=asked.headers))
        exposed = (told.header("access-control-expose-headers") or "").split(", ")
        assert "x-request-id" in exposed
        assert "content-disposition" not in exposed  # it is not a file


EVENT = b'"\xe2\x80\xa8\xc3\xa9"'
"""JSON that some readers take for two lines."""


DATA = b'data: "\\u2028\xc3\xa9"\n\n'
WITH_ID = (b'id: a "\\b\ndata: 1\n\n', b'{"item":1,"id":"a \\"\\\\b"}\n')
UNKEPT = {"x-content-type-options": "nosniff", "cache-control": "no-store"}


@rows(
    "form, kind, around, bare, with_id, error",
    (EVENTS, "text/event-stream", (b": working\n\n", b"event: end\ndata: {}\n\n"), DATA, WITH_ID[0], b"event: error\n" + DATA),
    (LINES, "application/jsonl", (b"{}\n", b'{"end":true}\n'), b'{"item":"\\u2028\xc3\xa9"}\n', WITH_ID[1], b'"\\u2028\xc3\xa9"\n'),
)  # fmt: skip
def test_each_part_is_written_in_its_form(
    form: Form, kind: str, around: tuple[bytes, bytes], bare: bytes, with_id: bytes, error: bytes
) -> None:
    sent = {"content-type": kind, **UNKEPT, "x-accel-buffering": "no"}
    assert (form.headers.mapping, form.quiet, form.end()) == (sent, *around)
    assert (form.item(EVENT, None), form.error(EVENT)) == (bare, error)
    assert form.item(b"1", 'a "\\b') == with_id
    assert f"{form.part} of the {form.word}" == "item of the stream"


@rows(
    "accept, form",
    (None, EVENTS),
    ("*/*", EVENTS),
    ("application/jsonl", LINES),
    ("application/json, application/jsonl;q=0.5", LINES),
    ("application/jsonl;q=0", EVENTS),
    ("application/jsonl, text/event-stream", EVENTS),
)
def test_lines_come_to_who_names_them_and_no_events(accept: str | None, form: Form) -> None:
    headers = () if accept is None else (("Accept", accept),)

    assert form_for(Bare(RawRequest(headers=headers), Lanes(contract.Limits()))) is form


@pytest.mark.parametrize(
    ("most_items", "most_bytes", "kept"),
    [(3, 4, 3), (2, 9, 2), (9, 3, 2), (9, 2, 1), (0, 9, 0), (9, 0, 0)],
)
def test_items_are_gathered_as_long_as_there_is_room(
    most_items: int, most_bytes: int, kept: int
) -> None:
    told: list[tuple[int, bytes]] = []
    gathered = Gathered(most_items, most_bytes, 7.5, lambda *each: told.append(each))
    items = [b"1", b"23", b"4"]
    parts = [gathered.item(each, None) for each in items[: kept + 1]]

    assert parts == [*[b""] * kept, *[None] * (kept < 3)]
    assert (gathered.items, told) == (items[:kept], [*enumerate(items[:kept], start=1)])
    assert gathered.complete is (kept == 3)
    assert (gathered.seconds, gathered.quiet, gathered.end()) == (7.5, b"", b"")
    assert f"{gathered.part} of the {gathered.word}" == "item of the stream"


@pytest.mark.parametrize("body", [b'{"error":"ENDED"}', b""])
def test_what_is_gathered_is_not_all_where_a_failure_ended_it(body: bytes) -> None:
    incoming: Any = None
    raised = LookupError("it has gone")
    gathered = Gathered(1, 1, 1, lambda *_: None)
    gathered.tell(incoming, Outcome("chat", "http", "OK", 200), None)
    assert (gathered.complete, gathered.outcome) == (True, None)

    if body:
        assert gathered.error(body) == b""
    gathered.tell(incoming, Outcome("chat", "http", "ENDED", 409), raised)
    found = gathered.outcome

    assert found is not None
    assert not gathered.complete
    assert (found.status, found.code, found.exception) == (409, "ENDED", raised)
    assert found.body == (body or b'{"error":"INTERNAL_ERROR"}')


def test_an_id_is_what_a_header_can_hold() -> None:
    for good in ("a", "~!", "a b", "x" * 256):
        assert checked_id(good) == good
    for wrong in ("", " a", "a ", "x" * 257, "a\n", "\xe9", "\x7f", 3, None, b"a"):
        with pytest.raises(InvalidOutput, match="printable ASCII"):
            checked_id(wrong)


def test_whatever_a_stream_needs_is_compiled_before_the_first_call() -> None:
    bound: Any = bind(CHAT)["chat"]
    needed = [bound.output.pred, *(each.pred for each in bound.output.failures.values())]

    assert len(needed) > 1
    assert {*map(id, needed)} <= {*map(id, bound.dumps())}


def test_streams_that_are_open_are_counted() -> None:
    streams = OpenStreams(lambda *_: None)

    class Ends:
        ended = 0

        def end_soon(self) -> None:
            self.ended += 1

    one, other = Ends(), Ends()
    streams.add(one)
    streams.end()
    streams.add(other)
    assert (one.ended, other.ended, len(streams)) == (1, 1, 2)
    streams.discard(one)
    assert len(streams) == 1
