"""Paging: keys of pages on the wire, which only their own mount can make."""

from __future__ import annotations

import base64
import json
from base64 import urlsafe_b64decode
from dataclasses import InitVar, dataclass, field, replace
from datetime import UTC, datetime
from typing import Annotated, Any, Literal, cast

import falcon
import pytest
from annotated_types import Predicate

import contract
from contract.adapters.mount import service_of
from contract.call.bound import bind
from contract.call.mount_options import Options
from contract.call.paging import Keys
from contract.testing import AsyncClient, Client, Reply
from contract.testing.mock_spec import mock_spec
from tests.mocks import package
from tests.tables import rows

OLD, NEW = "o" * 32, "n" * 32


@dataclass(frozen=True, slots=True)
class Filter:
    words: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Order:
    id: int


class Refused(contract.Failure, status=409):
    """There are no such orders."""


def page_of(cursor: contract.Cursor[Any, int]) -> contract.Slice[Order, int]:
    first = cursor.after or 0
    end = first + cursor.limit
    return contract.Slice(
        [Order(each) for each in range(first, min(end, 5))], end if end < 5 else None
    )


@contract.route(summary="List", tags=["orders"], auth="none", effect="read", mcp=True)
def orders(input: contract.Cursor[Filter, int], ctx: None) -> contract.Slice[Order, int] | Refused:
    return Refused() if "none" in input.filter.words else page_of(input)


@contract.route(
    summary="List", tags=["orders"], auth="none", effect="read", cache=contract.Cache(max_age=60)
)
async def later(input: contract.Cursor[Filter, int], ctx: None) -> contract.Slice[Order, int]:
    return page_of(input)


@contract.route(summary="List", tags=["orders"], auth="none")
def all_of_them(input: contract.Cursor[None, int], ctx: None) -> contract.Slice[Order, int]:
    return page_of(input)


@contract.hook
def knows_the_key(call: contract.Call[object, contract.Cursor[None, int]]) -> Refused | None:
    return None if call.input.after in (None, 2, 4) else Refused()


@contract.route(summary="List", tags=["orders"], auth="none", hooks=contract.hooks(knows_the_key))
def hooked(input: contract.Cursor[None, int], ctx: None) -> contract.Slice[Order, int]:
    return page_of(input)


@contract.route(summary="List", tags=["orders"], auth="none")
def broken(input: contract.Cursor[str, str], ctx: None) -> contract.Slice[Order]:
    match input.filter:
        case "key":
            return contract.Slice([], cast("str", 3))
        case "long":
            return contract.Slice([], "x" * 1_023)
        case "many":
            return contract.Slice([Order(each) for each in range(51)])
        case "list":
            return cast("contract.Slice[Order]", [])
        case _:
            return contract.Slice([], "x" * 1_022)


api = contract.spec(routes=contract.routes(orders, later, all_of_them, hooked, broken))
client = Client(api)


def client_of(*routes: Any) -> Client:
    return Client(contract.spec(routes=contract.routes(*routes)))


def asked(**cursor: Any) -> Reply:
    return client.call(orders, {"filter": {}, "limit": 2, **cursor})


KEY = asked().json["next"]


def issue(reply: Reply) -> tuple[list[str], str]:
    """The one issue of a reply."""
    (found,) = reply.json["data"]["issues"]
    return found["path"], found["code"]


NOT_A_KEY = (["after"], "page_key")


@pytest.mark.parametrize("name", ["orders", "later", "all_of_them", "hooked"])
def test_each_page_leads_to_the_next(name: str) -> None:
    found: list[list[int]] = []
    after: str | None = None
    for _ in range(3):
        # a filter that says nothing may be left out of any page
        given: dict[str, Any] = {"filter": {}} if name == "orders" and after else {}
        page = client.call(name, {**given, "limit": 2, "after": after}).json
        found.append([each["id"] for each in page["items"]])
        after = page["next"]

    assert found == [[0, 1], [2, 3], [4]]
    assert after is None


async def test_it_is_so_on_an_event_loop() -> None:
    async with AsyncClient(api) as client:
        first = await client.call(later, {"filter": {}, "limit": 2})
        given: dict[str, Any] = {"filter": {}, "limit": 2, "after": first.json["next"]}
        foreign, second = await client.call(orders, given), await client.call(later, given)

    assert foreign.error == "VALIDATION_ERROR"
    assert second.json["items"] == [{"id": 2}, {"id": 3}]


def test_it_is_so_where_the_input_stands_in_the_url() -> None:
    first = client.get("later", {"filter": {}, "limit": 2})
    second = client.get("later", {"filter": {}, "limit": 2, "after": first.json["next"]})

    assert second.json["items"] == [{"id": 2}, {"id": 3}]
    assert second.headers["etag"] != first.headers["etag"]


def test_it_is_so_for_mcp_clients() -> None:
    page = client.call_tool("orders", {"filter": {}, "limit": 2}).json["result"]
    after = page["structuredContent"]["next"]
    second = client.call_tool("orders", {"filter": {}, "limit": 2, "after": after})
    forged = client.call_tool("orders", {"filter": {}, "limit": 2, "after": after[::-1]})

    assert second.json["result"]["structuredContent"]["items"] == [{"id": 2}, {"id": 3}]
    assert forged.json["result"]["isError"]


def test_a_failure_stays_one_and_a_resolver_is_called_with_the_key_itself() -> None:
    assert asked(filter={"words": ["none"]}).error == "REFUSED"
    assert orders(contract.Cursor(Filter(), after=3, limit=1)) == contract.Slice([Order(3)], 4)


def changed(key: str, at: int) -> str:
    return f"{key[:at]}{'B' if key[at] == 'A' else 'A'}{key[at + 1 :]}"


def shifted(key: str) -> str:
    data = base64.urlsafe_b64decode(key + "=" * (-len(key) % 4))
    other = data[:-1] + bytes([data[-1] + 1])
    return base64.urlsafe_b64encode(other).rstrip(b"=").decode()


@rows(
    "key",
    *(changed(KEY, at) for at in range(len(KEY))),
    *(KEY[:length] for length in range(1, len(KEY))),
    *(KEY + more for more in ("A", "AA", "AAA", "AAAA", KEY)),
    *(shifted(KEY), KEY[::-1], "2", base64.urlsafe_b64encode(b"2").decode().rstrip("=")),
    base64.urlsafe_b64encode(bytes(32) + b"2").decode().rstrip("="),
)
def test_a_key_that_nobody_gave_is_refused(key: str) -> None:
    reply = asked(after=key)

    assert (reply.status, issue(reply)) == (400, NOT_A_KEY)
    assert key not in reply.body.decode() or len(key) < 3


@rows(
    "key, code",
    *((each, "pattern") for each in (f"{KEY}=", "é", "")),
    ("A" * 1_409, "string_too_long"),
    (2, "string_type"),
    ("A" * 1_408, "page_key"),
)
def test_a_key_is_bounded(key: object, code: str) -> None:
    assert issue(asked(after=key)) == (["after"], code)


@rows(
    "name, cursor",
    ("later", {"filter": {}}),
    ("all_of_them", {}),
    ("orders", {"filter": {"words": ["a"]}}),
)
def test_a_key_is_good_for_its_own_route_and_filter(name: str, cursor: dict[str, Any]) -> None:
    assert issue(client.call(name, {**cursor, "after": KEY})) == NOT_A_KEY


@dataclass(frozen=True, slots=True)
class Red:
    kind: Literal["red"]
    depth: int = 1


@dataclass(frozen=True, slots=True)
class Blue:
    kind: Literal[True]
    words: frozenset[str] = frozenset({"a", "b"})


@dataclass(frozen=True, slots=True)
class Within:
    limit: Annotated[int, Predicate(bool)] = 3
    sent: datetime = field(default_factory=lambda: datetime.now(UTC))


@dataclass(frozen=True, slots=True)
class Deep:
    colors: list[Red | Blue] = field(default_factory=list[Red | Blue])
    by_name: dict[str, Within | None] = field(default_factory=dict[str, Within | None])
    word: str | None = None
    within: Within = Within(sent=datetime(2026, 1, 1, tzinfo=UTC))
    words: frozenset[str] = frozenset({"a", "b", "c"})
    unset: str | contract.Unset = contract.UNSET
    score: float = 1.0
    size: tuple[float | str, int] = (1.0, 2)
    rest: Any = None
    seen: int = field(default=0, init=False)


@contract.route(summary="List", tags=["orders"], auth="none")
def deep(input: contract.Cursor[Deep, int], ctx: None) -> contract.Slice[Order, int]:
    return page_of(input)


DAY = "2026-01-01T00:00:00Z"
SAME: list[tuple[dict[str, Any], dict[str, Any]]] = [
    ({}, {"words": ["c", "a", "b"], "word": None, "colors": [], "by_name": {}}),
    ({"within": {"sent": DAY}}, {"within": {"sent": DAY, "limit": 3}}),
    ({"colors": [{"kind": "red"}]}, {"colors": [{"kind": "red", "depth": 1}]}),
    ({"colors": [{"kind": True}]}, {"colors": [{"kind": True, "words": ["b", "a"]}]}),
    ({"by_name": {"a": None, "b": {}}}, {"by_name": {"b": {"limit": 3}, "a": None}}),
    ({"score": 1}, {"score": 1.0, "size": [1, 2.0]}),
    ({"score": 1e17}, {"score": 10**17}),
    ({"score": -0.0, "rest": {"a": [1.0]}}, {"score": 0, "rest": {"a": [1]}}),
]


@pytest.mark.parametrize(("one", "other"), SAME)
def test_a_filter_is_the_same_with_and_without_its_defaults(
    one: dict[str, Any], other: dict[str, Any]
) -> None:
    """A client may leave a default out of one request, and send it in the next."""
    client = client_of(deep)
    for first, second in ((one, other), (other, one)):
        after = client.call(deep, {"filter": first, "limit": 2}).json["next"]
        page = client.call(deep, {"filter": second, "limit": 2, "after": after})
        assert page.json["items"] == [{"id": 2}, {"id": 3}]

    left_out = client.call(deep, {"limit": 2}).json["next"]
    changed = {"filter": {**other, "unset": ""}, "after": left_out}
    assert issue(client.call(deep, changed)) == NOT_A_KEY


SENT = {"sent": "2026-01-01T00:00:00Z"}


@rows(
    "one, other",
    ({"within": SENT}, {"within": {**SENT, "limit": 4}}),
    ({"within": SENT}, {"within": {"sent": "2026-01-01T00:00:01Z"}}),
    ({"colors": [{"kind": "red"}]}, {"colors": [{"kind": "red", "depth": 2}]}),
    ({"colors": [{"kind": True}]}, {"colors": [{"kind": True, "words": ["a"]}]}),
    ({"colors": [{"kind": "red"}, {"kind": True}]}, {"colors": [{"kind": True}, {"kind": "red"}]}),
    ({"by_name": {"a": None}}, {"by_name": {"b": None}}),
    ({"by_name": {"a": SENT}}, {"by_name": {"a": None}}),
    ({"word": "a"}, {"word": None}),
    ({"words": ["a"]}, {"words": ["b"]}),
    ({"score": 1}, {"score": 1.5}),
    ({"score": 1e17}, {"score": 1e300}),
    ({"rest": True}, {"rest": 1}),
)
def test_a_filter_is_another_wherever_it_differs(
    one: dict[str, Any], other: dict[str, Any]
) -> None:
    client = Client(contract.spec(routes=contract.routes(deep)))
    after = client.call(deep, {"filter": one, "limit": 2}).json["next"]

    assert client.call(deep, {"filter": one, "after": after}).status == 200
    assert issue(client.call(deep, {"filter": other, "after": after})) == NOT_A_KEY


@dataclass(frozen=True)
class Made:
    depth: InitVar[int] = 3
    width: int = 1


@dataclass(frozen=True)
class Given:
    depth: InitVar[int]

    def __post_init__(self, depth: int) -> None: ...


@dataclass(frozen=True)
class Holding:
    made: Made = field(default_factory=Made)
    five: Made = Made(5)
    given: tuple[Given, ...] = (Given(4),)
    area: int = field(default=0, init=False)


@rows(
    "one, other, is_same",
    ({}, {"filter": {}}, True),
    ({}, {"filter": {"made": {"depth": 3, "width": 1}}}, True),
    ({}, {"filter": {"made": {"depth": 4}}}, False),
    ({"filter": {}}, {"filter": {"five": {}}}, False),
    ({"filter": {}}, {"filter": {"five": {"depth": 3, "width": 1}}}, False),
    ({"filter": {"five": {}}}, {"filter": {"five": {"depth": 3, "width": 1}}}, True),
    ({}, {"filter": {"given": [{"depth": 4}]}}, False),
)
def test_a_default_does_not_tell_what_its_init_vars_were(
    one: dict[str, Any], other: dict[str, Any], is_same: bool
) -> None:
    @contract.route(summary="List", tags=["orders"], auth="none")
    def holding(input: contract.Cursor[Holding, int], ctx: None) -> contract.Slice[Order, int]:
        return page_of(input)

    client = client_of(holding)
    after = client.call(holding, {**one, "limit": 2}).json["next"]
    reply = client.call(holding, {**other, "after": after})

    assert client.call(holding, {**one, "after": after}).status == 200
    assert reply.status == (200 if is_same else 400)


def test_a_mock_knows_the_defaults_of_a_filter() -> None:
    client = Client(mock_spec(package(contract.spec(routes=contract.routes(deep)))))
    for one, other in SAME:
        after = client.call("deep", {"filter": one}).json["next"]
        assert client.call("deep", {"filter": other, "after": after}).status == 200


def test_a_filter_is_the_same_in_another_order_of_its_keys() -> None:
    @contract.route(summary="List", tags=["orders"], auth="none")
    def by_map(
        input: contract.Cursor[dict[str, int], int], ctx: None
    ) -> contract.Slice[Order, int]:
        return page_of(input)

    client = client_of(by_map)
    after = client.call(by_map, body=b'{"limit":2,"filter":{"a":1,"b":2}}').json["next"]
    body = b'{"after":"%s", "filter": {"b": 2, "a": 1}}' % after.encode()

    assert client.call(by_map, body=body).json["items"] == [{"id": 2}, {"id": 3}, {"id": 4}]


@rows(
    "wrong, told",
    ("key", "next: expected str"),
    ("long", "next: has 1025 bytes, and 1024 are the most"),
    ("many", "items: has 51 items, and 50 were asked for"),
    ("list", "a list"),
)
def test_a_page_that_is_none_is_an_error_of_the_server(
    wrong: str, told: str, caplog: pytest.LogCaptureFixture
) -> None:
    reply = client.call(broken, {"filter": wrong})

    assert (reply.status, reply.body) == (500, b'{"error":"INTERNAL_ERROR"}')
    assert told in caplog.text


def test_the_longest_key_comes_back() -> None:
    after = client.call(broken, {"filter": "fits"}).json["next"]

    assert len(after) == 1_408
    assert client.call(broken, {"filter": "fits", "after": after}).status == 200


def test_a_key_of_an_earlier_version_is_refused_where_its_type_was_another() -> None:
    @contract.route(summary="List", tags=["orders"], auth="none", name="orders")
    def by_text(input: contract.Cursor[Filter], ctx: None) -> contract.Slice[Order]:
        return contract.Slice([])

    client = client_of(by_text)
    assert issue(client.call("orders", {"filter": {}, "after": KEY})) == NOT_A_KEY


def signing(*secrets: str) -> Client:
    return Client(api, options=Options(secrets=secrets))


def test_any_secret_is_taken_and_the_first_signs() -> None:
    before = signing(OLD).call(orders, {"filter": {}, "limit": 2}).json["next"]
    between = signing(NEW, OLD)
    after = between.call(orders, {"filter": {}, "limit": 2}).json["next"]

    assert between.call(orders, {"filter": {}, "after": before}).status == 200
    assert signing(NEW).call(orders, {"filter": {}, "after": after}).status == 200
    assert signing(NEW).call(orders, {"filter": {}, "after": before}).status == 400
    assert signing(OLD).call(orders, {"filter": {}, "after": after}).status == 400


def test_a_key_of_any_length_comes_back_unless_it_is_empty() -> None:
    keys = Keys((NEW,))
    for key in (b"1", b"12", b"123", b"1234", b"12345", b""):
        text = keys.signed(b"orders", key)
        assert "=" not in text
        assert keys.opened(b"orders", text) == (key or None)
    for wrong in ("", "A", "A" * 43, "+" * 44, "é" * 44):
        assert keys.opened(b"orders", wrong) is None


def test_a_key_has_one_text() -> None:
    """The last bits of another would be dropped, so that both were the key."""
    keys = Keys((NEW,))
    text = keys.signed(b"orders", b"12")
    *_, last = text
    other = text[:-1] + chr(ord(last) + 1)

    assert urlsafe_b64decode(f"{other}==") == urlsafe_b64decode(f"{text}==")
    assert keys.opened(b"orders", other) is None


def test_keys_that_clients_hold_stay_good() -> None:
    """The signature is the one of the first version."""
    keys = Keys(("a secret that is long enough to be one",))

    assert keys.opened(b"orders", "drbumCh0vhk-JdXilaEzvhQEYPB0a0__p0hf0zTAW5QiYSI") == b'"a"'


@pytest.fixture
def environment(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    monkeypatch.delenv("CONTRACT_SECRETS", raising=False)
    return monkeypatch


@pytest.mark.usefixtures("environment")
def test_a_mount_without_a_secret_is_refused() -> None:
    why = r"^mount_spec\(secrets=\): orders answers in pages, .* set CONTRACT_SECRETS, or"
    with pytest.raises(contract.MountError, match=why):
        contract.mount_spec(falcon.App(), api)
    with pytest.raises(contract.MountError):
        bind(api)


@pytest.mark.usefixtures("environment")
def test_a_mount_without_pages_needs_none() -> None:
    contract.mount_spec(falcon.App(), contract.spec(routes=contract.routes()))
    contract.mount_spec(falcon.App(), api, secrets=(NEW,))


def test_the_environment_holds_them_too(environment: pytest.MonkeyPatch) -> None:
    environment.setenv("CONTRACT_SECRETS", f" {NEW},{OLD} ,")
    service = service_of(api)
    other = Client(api, options=replace(service.options, secrets=(OLD,)))

    assert other.call(orders, {"filter": {}, "limit": 2}).json["next"] != KEY
    assert [each.pages is not None for each in service.routes.values()] == [True] * 5


def test_one_that_could_be_guessed_is_refused_and_never_told(
    environment: pytest.MonkeyPatch,
) -> None:
    environment.setenv("CONTRACT_SECRETS", f"{NEW},hunter2")
    for make in (lambda: service_of(api), lambda: Options(secrets=(NEW, "hunter2"))):
        with pytest.raises(contract.MountError, match="the secret at 1 has 7 characters") as raised:
            make()
        assert "hunter2" not in str(raised.value)


@pytest.mark.parametrize("given", [NEW, (NEW.encode(),), {NEW}, None, 3])
def test_what_is_no_list_of_secrets_is_refused_and_never_told(given: Any) -> None:
    why = r"mount_spec\(secrets=\).*these are not texts"
    with pytest.raises(contract.MountError, match=why) as raised:
        Options(secrets=given)

    assert NEW not in str(raised.value)


def test_no_repr_shows_a_secret() -> None:
    service = service_of(api, Options(secrets=(NEW,)))

    assert NEW not in repr((service.options, service.routes, Keys((NEW,))))


def test_no_body_is_the_first_page_of_all() -> None:
    @contract.route(summary="Count", tags=["orders"], auth="none")
    def numbers(input: contract.Cursor[None, int], ctx: None) -> contract.Slice[Order, int]:
        return contract.Slice([], (input.after or 0) + 1)

    bound = bind(contract.spec(routes=contract.routes(numbers)), secrets=(NEW,))["numbers"]

    def key(body: bytes) -> Any:
        page = bound.resolver(bound.input.load(body), None)
        return json.loads(bound.output.dump(page))["next"]

    assert key(b"") == key(b"{}")
    assert key(json.dumps({"after": key(b"")}).encode()) not in (None, key(b""))


def test_every_pred_of_a_page_is_compiled_ahead() -> None:
    bound = bind(contract.spec(routes=contract.routes(all_of_them)), secrets=(NEW,))["all_of_them"]

    assert (len(bound.loads()), len(bound.dumps())) == (2, 2 + 4)
    assert bound.pages is not None
    assert bound.pages.pred in bound.loads()
    assert bound.pages.pred in bound.dumps()
