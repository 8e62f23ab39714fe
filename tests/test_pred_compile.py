import json
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, make_dataclass, replace
from inspect import stack
from typing import Annotated, Any, Literal, NamedTuple, TypedDict, cast

import pytest
from annotated_types import Ge, Predicate
from pydantic_core import ValidationError

import contract.pred.compile
from contract.pred.compile import CheapRecords, Pred, cheap_records_of, compile_pred, pred_of
from contract.pred.core import Core, compile_core
from contract.pred.parse import parsed
from contract.pred.walk import Walker
from contract.shape.exceptions import InvalidInput, InvalidOutput, UnsupportedAnnotation
from contract.shape.nodes import IntShape, Shape
from contract.shape.reader import ShapeReader, shape_of
from tests.samples import ends_in
from tests.tables import rows


@dataclass(frozen=True, slots=True)
class Order:
    product_id: str
    quantity: Annotated[int, Ge(1)] = 1


@dataclass
class Node:
    value: float
    children: "list[Node]" = field(default_factory=list)


@dataclass
class Bare:
    value: float
    children: "list[Bare]"


@dataclass
class Checked:
    outcome: Literal["good", "value", "foreign", "bug", "recursion"]

    def __post_init__(self) -> None:
        ends_in(self.outcome)


@dataclass
class Stamped:
    stamp: int = field(default_factory=lambda: int("no number"))


def refusal(pred: Pred[Any], document: bytes) -> InvalidInput:
    with pytest.raises(InvalidInput) as caught:
        pred.load(document)
    return caught.value


def test_load_undoes_dump() -> None:
    pred = pred_of(Order)

    assert pred.load(b'{"product_id":"p1"}') == Order("p1")
    assert pred.dump(Order("p1")) == b'{"product_id":"p1","quantity":1}'
    assert pred.load(pred.dump(Order("p1", 3))) == Order("p1", 3)


def test_check_finds_what_dump_would_refuse() -> None:
    pred = pred_of(Order)

    pred.check(Order("p1"))
    with pytest.raises(InvalidOutput):
        pred.check(Order("p1", 0))
    with pytest.raises(InvalidOutput):
        pred.dump(Order("p1", 0))


def test_each_part_is_compiled_when_it_is_first_used() -> None:
    pred: Pred[int] = compile_pred(IntShape())
    load, dump = pred.load, pred.dump

    assert load(b"1") == 1
    assert pred.load is not load
    assert dump(1) == b"1"
    assert pred.dump is not dump

    compiled = pred.load, pred.dump
    assert (load(b"2"), dump(2)) == (2, b"2")  # whoever took them before gets the same
    assert (pred.load, pred.dump) == compiled


def test_all_parts_can_be_compiled_ahead() -> None:
    pred: Pred[int] = compile_pred(IntShape())
    load = pred.load
    pred.compile()

    assert pred.load is not load
    assert (pred.load(b"1"), load(b"1"), pred.dump(1)) == (1, 1, b"1")
    assert pred.shape == IntShape()
    assert repr(pred).startswith("Pred(IntShape(")


def test_threads_may_all_come_first() -> None:
    pred = pred_of(Node)
    with ThreadPoolExecutor(8) as pool:
        assert [*pool.map(pred.load, [b'{"value":1}'] * 8)] == [Node(1.0)] * 8


def test_names_can_be_camel_case() -> None:
    assert pred_of(Order, rename="camel").load(b'{"productId":"p1"}') == Order("p1")


@rows(
    "document",
    *(b"", b"{", b"NaN", b"[Infinity]", b'{"value":-Infinity}', b'{"value":NaN,"value":1}'),
    *(b'{"value":Infinity,"value":1}', b"\xef\xbb\xbf1", b'"\xff"', b'"\\ud800"', b"1 1"),
    *(b"// 1", "1".encode("utf-16"), b"9" * 5000, b"[" * 202 + b"]" * 202),
)
def test_what_is_no_json_is_one_issue_without_a_path(document: bytes) -> None:
    for annotation in (Node, float, str, Any):
        refused = refusal(pred_of(annotation), document)

        assert refused.issues == (parsed(document),)
        assert (refused.issues[0].path, refused.issues[0].code) == ((), "json_invalid")
        assert not refused.truncated


def test_nothing_of_the_document_hangs_on_the_exception() -> None:
    for document in (b"{", b'{"product_id":1}'):
        refused = refusal(pred_of(Order), document)

        assert refused.__context__ is None
        assert refused.__cause__ is None


@pytest.mark.parametrize("text", ["NaN", "Infinity", "Not a number", "In between"])
def test_texts_may_say_what_numbers_may_not(text: str) -> None:
    assert pred_of(Order).load(b'{"product_id":"%b"}' % text.encode()) == Order(text)


def test_of_duplicate_keys_the_last_wins() -> None:
    assert pred_of(Order).load(b'{"product_id":1,"product_id":"p1"}') == Order("p1")
    assert pred_of(dict[str, int]).load(b'{"a":"x","a":1}') == {"a": 1}
    assert pred_of(dict[str, Any]).load(b'{"a":"x","a":1}') == {"a": 1}
    refused = refusal(pred_of(Order), b'{"product_id":"p1","product_id":1}')
    assert refused.issues[0].code == "string_type"


def test_a_float_without_fraction_is_an_int() -> None:
    loaded = pred_of(Order).load(b'{"product_id":"p1","quantity":2.0}')

    assert loaded == Order("p1", 2)
    assert type(loaded.quantity) is int


def test_small_documents_are_told_everything_and_large_ones_the_first_of_each_array() -> None:
    pred = pred_of(list[Order])
    bad = b'{"product_id":1,"quantity":0}'

    small = refusal(pred, b"[%b,%b]" % (bad, bad))
    large = refusal(pred, b"[%b,%b%b]" % (bad, bad, b" " * 70_000))

    names = ("product_id", "quantity")
    assert [issue.path for issue in small.issues] == [(at, name) for at in (0, 1) for name in names]
    assert not small.truncated
    assert [issue.path for issue in large.issues] == [(0, "product_id"), (0, "quantity")]
    assert large.truncated


def test_large_documents_are_loaded_alike() -> None:
    native, called = pred_of(list[str]), pred_of(list[bytes])

    assert native.load(b'["YQ==",%b"YQ=="]' % (b" " * 70_000)) == ["YQ==", "YQ=="]
    assert called.load(b'["YQ==",%b"YQ=="]' % (b" " * 70_000)) == [b"a", b"a"]
    assert called.load(b'["YQ=="]') == [b"a"]


@dataclass
class Taken:
    kept: Any
    value: int = 0

    def __post_init__(self) -> None:
        if not self.kept.pop("new", False):
            raise ValueError("taken twice")


@pytest.mark.parametrize("blanks", [20_000, 70_000])
def test_what_the_author_does_to_a_value_does_not_change_what_is_told(blanks: int) -> None:
    new = b'{"kept":{"new":true}}'

    refused = refusal(pred_of(list[Taken]), b'[%b,{"kept":{},"value":"1"}]' % new + b" " * blanks)

    assert [(each.path, each.code) for each in refused.issues] == [((1, "value"), "integer_type")]


@dataclass(frozen=True)
class Watcher:
    """Counts the times that a document is parsed, and says what each value is loaded from."""

    parsed: list[int]
    loaded: list[str]


@pytest.fixture
def watcher(monkeypatch: pytest.MonkeyPatch) -> Watcher:
    seen = Watcher([], [])

    def counted(data: bytes) -> Any:
        seen.parsed.append(len(data))
        return parsed(data)

    def told(how: str, validate: Callable[[Any], Any]) -> Callable[[Any], Any]:
        def call(given: Any) -> Any:
            seen.loaded.append(how)
            return validate(given)

        return call

    def compiled(shape: Shape, walker: Walker) -> Core:
        core = compile_core(shape, walker)
        return replace(
            core,
            validate=told("bytes", core.validate),
            validate_parsed=told("parsed", core.validate_parsed),
        )

    monkeypatch.setattr(contract.pred.compile, "parsed", counted)
    monkeypatch.setattr(contract.pred.compile, "compile_core", compiled)
    return seen


@rows(
    "annotation, size, how",
    (list[Order], 10_000, ["bytes"]),
    (list[Order], 20_000, ["parsed"]),
    (list[Order], 70_000, ["parsed"]),
    (list[Checked], 20_000, ["parsed"]),
    (list[Checked], 70_000, []),
)
def test_only_a_small_document_that_is_refused_is_parsed_again(
    watcher: Watcher, annotation: Any, size: int, how: list[str]
) -> None:
    """A large one is parsed once, and walked alone where Python has a part in its values."""
    pred = pred_of(annotation)

    with pytest.raises(InvalidInput):
        pred.load(b"[{}]".ljust(size))
    assert (watcher.parsed, watcher.loaded) == ([size], how)


@pytest.mark.parametrize(("size", "parsed"), [(10_000, []), (20_000, [20_000]), (70_000, [70_000])])
def test_what_is_taken_the_core_reads_alone(watcher: Watcher, size: int, parsed: list[int]) -> None:
    assert pred_of(Order).load(b'{"product_id":"p1"}'.ljust(size)) == Order("p1")
    assert (watcher.parsed, len(watcher.loaded)) == (parsed, 1)


@pytest.mark.parametrize("blanks", [0, 70_000])
@pytest.mark.parametrize("annotation", [Node, Bare])
def test_what_is_not_too_deep_is_loaded_or_refused_alike(annotation: Any, blanks: int) -> None:
    children = b",".join([b'{"value":1,"children":[]}'] * 300)
    document = b'{"value":%b,"children":[' + children + b"]}" + b" " * blanks

    assert len(pred_of(annotation).load(document % b"1").children) == 300
    assert [issue.path for issue in refusal(pred_of(annotation), document % b'"1"').issues] == [
        ("value",)
    ]


def test_a_refusal_of_the_authors_is_an_issue_in_its_words() -> None:
    (issue,) = refusal(pred_of(list[Checked]), b'[{"outcome":"good"},{"outcome":"value"}]').issues

    assert (issue.path, issue.code, issue.message) == ((1,), "invalid_value", "no good")
    assert issue.params == ()


@rows(
    "outcome, exception",
    ("foreign", ValidationError),
    ("bug", KeyError),
    ("recursion", RecursionError),
)
def test_what_else_the_author_raises_is_raised(outcome: str, exception: type[Exception]) -> None:
    with pytest.raises(exception) as caught:
        pred_of(list[Checked]).load(b'[{"outcome":"%b"}]' % outcome.encode())

    assert type(caught.value) is exception


def test_no_input_is_to_blame_for_a_default() -> None:
    with pytest.raises(ValueError, match="no number") as caught:
        pred_of(Stamped).load(b"{}")

    assert type(caught.value) is ValueError


def test_the_deepest_document_fits_on_the_stack_of_a_server() -> None:
    document = b'{"value":1,"children":[' * 100 + b"1" + b"]}" * 100
    pred = pred_of(Node)

    def within(frames: int) -> InvalidInput:
        return within(frames - 1) if frames else refusal(pred, document)

    assert sys.getrecursionlimit() >= 1000
    assert within(200).issues[0].code == "object_type"


def holds(value: object) -> bool:
    return value is not None


@dataclass
class A:
    kind: Literal["a"] = "a"
    child: Annotated["A | B | None", Predicate(holds)] = None


@dataclass
class B:
    kind: Literal["b"] = "b"
    child: Annotated["A | B | None", Predicate(holds)] = None


@dataclass
class Endless:
    child: "Endless | None" = None

    def __post_init__(self) -> None:
        self.__post_init__()


def below(frames: int, run: Callable[[], Any]) -> Any:
    """*run*, with *frames* of the stack in use."""
    return run() if not frames else below(frames - 1, run)


def test_nesting_is_refused_only_where_the_stack_has_no_room() -> None:
    document = b'{"kind":"a","x":1,"child":' + b'{"kind":"a","child":' * 199 + b"null" + b"}" * 200
    pred = pred_of(A | B)
    room = sys.getrecursionlimit() - len(stack())

    with_room = refusal(pred, document)
    without = below(room - 400, lambda: refusal(pred, document))

    assert [(issue.path, issue.code) for issue in with_room.issues] == [(("x",), "unknown_key")]
    (issue,) = without.issues
    place = {"line": 1, "column": document.rindex(b"{") + 1}
    assert (issue.path, issue.code) == ((), "json_invalid")
    assert dict(issue.params) == {"reason": "stack", **place}
    assert issue.message.startswith("Arrays and objects are nested deeper than the server has room")
    assert without.__context__ is None


def test_code_of_the_author_that_calls_itself_for_ever_is_no_refusal() -> None:
    with pytest.raises(RecursionError):
        pred_of(Endless).load(b'{"child":{}}')


@dataclass(eq=False)
class Tagged:
    tags: list[str] = field(default_factory=list)
    weight: float = 1
    on: bool | float = True
    more: dict[str, int] = field(default_factory=dict)


@dataclass(frozen=True)
class Around:
    inner: Tagged


@dataclass(eq=False)
class Spoilt:
    value: int

    def __post_init__(self) -> None:
        object.__setattr__(self, "value", "not an int")


SETS = [
    ('[{"tags":["a"]},{"tags":["b"]}]', 2),
    ('[{"tags":["a"]},{"tags":["a"]}]', None),
    ('[{"tags":[]},{}]', None),
    ('[{"weight":2},{"weight":2.0}]', None),
    ('[{"on":true},{"on":1}]', 2),
    ('[{"on":1},{"on":1.0}]', None),
    ('[{"more":{"a":1,"b":2}},{"more":{"b":2,"a":1}}]', None),
    ('[{"more":{"a":1,"b":2}},{"more":{"a":2,"b":1}}]', 2),
]


@pytest.mark.parametrize(("document", "size"), SETS)
@pytest.mark.parametrize("around", [False, True])
def test_a_set_of_dataclasses_without_eq_is_one_in_json_too(
    document: str, size: int | None, *, around: bool
) -> None:
    """What is loaded can be dumped: two of equal fields are equal in JSON, whatever Python says of them."""
    pred: Pred[Any] = pred_of(frozenset[Around]) if around else pred_of(set[Tagged])
    body = json.dumps([{"inner": of} if around else of for of in json.loads(document)]).encode()

    if size is None:
        assert [issue.code for issue in refusal(pred, body).issues] == ["not_unique"]
    else:
        assert len(pred.load(pred.dump(pred.load(body)))) == size


def test_an_output_with_items_that_are_equal_in_json_is_no_set() -> None:
    pred = pred_of(set[Tagged])

    assert json.loads(pred.dump({Tagged(["b"]), Tagged(["a"])}))[0]["tags"] == ["a"]
    for value in ({Tagged(), Tagged()}, {Tagged(weight=1), Tagged(weight=1.0)}):
        with pytest.raises(InvalidOutput, match="has items that are equal in JSON"):
            pred.dump(value)


def test_what_the_author_makes_of_an_item_is_told_when_it_is_written() -> None:
    pred = pred_of(set[Spoilt])

    assert len(pred.load(b'[{"value":1},{"value":1}]')) == 2
    with pytest.raises(InvalidOutput, match="expected int, found str"):
        pred.dump(pred.load(b'[{"value":1}]'))


@dataclass
class BadDefault:
    quantity: Annotated[int, Ge(1)] = 0


def test_defaults_and_examples_are_checked_as_those_of_a_spec() -> None:
    problem = r"^type: BadDefault\.quantity: the default is not one of its type: expected an int"
    with pytest.raises(UnsupportedAnnotation, match=problem):
        pred_of(list[BadDefault])


@dataclass
class Query:
    text: str = ""
    page: int = 1
    tags: list[str] = field(default_factory=list)


@dataclass
class Whole:
    text: str


class Pair(NamedTuple):
    left: int
    right: int = 0


class Total(NamedTuple):
    left: int


class Options(TypedDict, total=False):
    text: str


def test_only_types_with_defaults_are_counted() -> None:
    for annotation in (int, Whole, list[Options], list[Total]):
        assert cheap_records_of(shape_of(annotation)) is None
    assert cheap_records_of(shape_of(list[Query])) == CheapRecords(b"{", 12)
    assert cheap_records_of(shape_of(dict[str, Pair])) == CheapRecords(b"[", 10)
    assert cheap_records_of(shape_of(tuple[Query, Pair])) == CheapRecords(b"[{", 12)


def test_a_document_may_hold_so_many_for_its_size() -> None:
    cheap = CheapRecords(b"{", 10)

    assert (cheap.most(0), cheap.most(327_690), cheap.most(1_048_576)) == (32_768, 32_769, 104_857)
    assert not cheap.are_too_many(b"{}" * 32_768)
    assert cheap.are_too_many(b"{}" * 32_769)
    assert not cheap.are_too_many(b"[]" * 32_769)


@pytest.mark.parametrize("text", [b'"%b"', b'"\\"%b\\\\"', b'"\\\\%b'])
def test_brackets_within_texts_are_no_objects(text: bytes) -> None:
    assert not CheapRecords(b"{", 10).are_too_many(b"[{},%b,{}]" % (text % (b"{" * 40_000)))


def test_cheap_records_are_refused_before_they_are_made() -> None:
    made: list[None] = []

    def count() -> int:
        made.append(None)
        return 0

    @dataclass
    class Counted:
        at: int = field(default_factory=count)

    def document(count: int, last: bytes = b"{}") -> bytes:
        return b"[" + b"{}," * (count - 1) + last + b"]"

    load = pred_of(list[Counted]).load
    assert len(load(document(32_768))) == len(made) == 32_768
    made.clear()
    for last in (b"{}", b"1"):
        with pytest.raises(InvalidInput) as refused:
            load(document(32_770, last))

        assert [(issue.code, issue.params) for issue in refused.value.issues] == [
            ("too_many_objects", (("max_objects", 32_768),))
        ]
    assert made == []


def test_other_types_may_have_any_number() -> None:
    annotations: list[Any] = [list[Options], list[dict[str, int]]]
    for annotation in annotations:
        assert len(pred_of(annotation).load(b"[" + b"{}," * 40_000 + b"{}]")) == 40_001


def chain(count: int, around: Callable[[Any], Any]) -> Pred[Any]:
    """A pred of the last of *count* types, each of which holds the one before; that is read first."""
    reader, held, shape = ShapeReader(), cast("Any", int), cast("Shape", IntShape())
    for index in range(count):
        held = make_dataclass(f"Link{index}", [("inner", around(held))], frozen=True)
        shape = reader.read(held, where="test")
    return compile_pred(shape)


def within(levels: int, value: bytes) -> bytes:
    return b'{"inner":' * levels + value + b"}" * levels


def test_types_with_many_lists_between_them_can_be_compiled() -> None:
    """Forty in each of them are more than Python's stack has room for, were all made at once."""

    def listed(held: Any) -> Any:
        for _ in range(40):
            held = list[held]
        return held

    pred = chain(30, listed)
    document = within(1, b"[" * 40 + b"]" * 40)

    pred.compile()
    assert pred.dump(pred.load(document)) == document


AROUND: list[Callable[[Any], Any]] = [
    lambda held: held,
    lambda held: Annotated[held | None, Predicate(lambda value: value is not False)],
]


@pytest.mark.parametrize("around", AROUND)
def test_two_hundred_types_within_each_other_are_read_and_written(around: Any) -> None:
    pred = chain(200, around)
    document = within(200, b"1")

    assert pred.dump(pred.load(document)) == document
    with pytest.raises(InvalidInput, match="Must be an integer"):
        pred.load(within(200, b'"1"'))


@pytest.mark.parametrize("count", [240, 1000])
def test_a_document_may_end_before_its_types_do(count: int) -> None:
    pred = chain(count, lambda held: held | None)
    document = within(200, b"null")

    pred.compile()
    assert pred.dump(pred.load(document)) == document
    with pytest.raises(InvalidInput, match="must not be nested deeper than 200 levels"):
        pred.load(within(201, b"null"))
