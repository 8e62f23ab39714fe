"""JSON: what is read as JSON at all, and which values fit which types (SECURITY 14 to 23)."""

from __future__ import annotations

from typing import Any

import orjson

from contract.shape.sentences import sentence
from tests.wire.case import NOT_JSON, Case, call, error, issues
from tests.wire.exchange import SERVERLESS
from tests.wire.site import SECRET

NOT_AT_ALL = [
    # brackets, commas, keys and what follows a value
    *(b" ", b"{", b"}", b"{]", b"[1,]", b"[,1]", b'{"a":1,}', b'{"a"}', b'{"a":}', b"{'a':1}"),
    *(b"{a:1}", b'{"a":1}}', b'{"a":1} x', b"{} {}", b"[" * 2000),
    # words and comments
    *(b"nul", b"NULL", b"True", b"undefined", b"// x\n{}", b"{}//", b"/**/{}", b"#{}"),
    # numbers
    *(b"NaN", b"[NaN]", b"Infinity", b"-Infinity", b"[-Infinity]", b"+1", b"01", b"-01", b"1."),
    *(b".1", b"1e", b"0x10", b"1_000", b"--1"),
    # strings and what stands around them
    *(b'"', b'"\\x"', b'"\\u12"', b'"\t"', b'"\n"', b'"\x00"', b"\x00", b"{}\x00"),
    *(b"\xa0{}", b"\x0c{}", "\u2028{}".encode(), b'"' + SECRET.encode()),
    # bytes that are no UTF-8, and halves of characters
    *(b"\xef\xbb\xbf{}", "{}".encode("utf-16"), "{}".encode("utf-16-le"), "{}".encode("utf-32")),
    *(b'"\xff"', b'"\xc0\xaf"', b'"\xed\xa0\x80"', b'"\xf4\x90\x80\x80"', b'"\\ud800"'),
    *(b'"\\udc00"', b'"\\udc00\\ud800"', b'"\\ud800x"', b'{"\\ud800":1}'),
]

TOO_DEEP = [b"[" * 201 + b"]" * 201, b'{"a":' * 500 + b"1" + b"}" * 500]

ECHO_DEFAULTS: dict[str, Any] = {
    "text": "", "number": 0, "real": 0.0, "flag": False, "items": [], "colour": None, "level": None, "one": None, "yes": None,
    "day": None, "moment": None, "price": None,
}  # fmt: skip


def good(body: bytes, name: str | None = None, **values: Any) -> Case:
    return Case(
        f"takes {name or body!r}", call("echo", body), 200, ECHO_DEFAULTS | values, ran=("echo",)
    )


def bad(body: bytes, path: list[str | int], code: str, name: str | None = None) -> Case:
    return Case(f"refuses {name or body!r}", call("echo", body), 400, issues((path, code)))


GOOD = [
    good(b"{}"),
    good(b' \t\r\n{ "text" : "x" } \n', text="x"),
    good(b'{"text":"\\ud83d\\ude00"}', text="\U0001f600"),
    good('{"text":"\u2028 \U0001f600 é"}'.encode(), text="\u2028 \U0001f600 é"),
    good(b'{"text":"\\u0000"}', text="\0"),
    good(b'{"number":1,"number":2}', number=2),
    good(b'{"number":"x","number":2}', number=2),
    good(b'{"number":1.0}', number=1),
    good(b'{"number":-1.0}', number=-1),
    good(b'{"number":9007199254740991.0}', number=2**53 - 1),
    good(b'{"number":9223372036854775807}', number=2**63 - 1),
    good(b'{"number":-9223372036854775808}', number=-(2**63)),
    good(b'{"real":1}', real=1.0),
    good(b'{"real":1e-400}', real=0.0),
    good(b'{"real":0.1}', real=0.1),
    good(b'{"flag":true}', flag=True),
    good(b'{"colour":"red","level":2,"one":1,"yes":true}', colour="red", level=2, one=1, yes=True),
    good(b'{"day":"2026-02-28"}', day="2026-02-28"),
    good(b'{"moment":"2026-02-28T12:00:00Z"}', moment=...),
    good(b'{"moment":"2026-02-28T12:00:00+01:30"}', moment="2026-02-28T12:00:00+01:30"),
    good(b'{"price":"12.50"}', price="12.50"),
    Case("takes any JSON", call("anything", b'[null,true,1,1.5,"x",{"__proto__":{"__class__":1}}]'), 200,
         [None, True, 1, 1.5, "x", {"__proto__": {"__class__": 1}}], ran=("anything",)),
    Case("takes 200 levels", call("anything", b"[" * 200 + b"]" * 200), 200, ..., ran=("anything",)),
    Case("takes the last of duplicate keys, in anything", call("anything", b'{"a":1,"a":2}'), 200, {"a": 2}, ran=("anything",)),
]  # fmt: skip

BEYOND = ("9007199254740992.0", "9007199254740993.0")
WRONG: dict[str, tuple[str, tuple[str, ...]]] = {
    "text": ("string_type", ("1", "null", '["x"]')),
    "number": ("integer_type", ('"1"', "true", "1.5", "2.6e-42", *BEYOND, "null")),
    "real": ("number_type", ('"1"', "true", "1e400")),
    "flag": ("boolean_type", ("1", '"true"')),
    "items": ("array_type", ("{}", '"12"')),
    "colour": ("unknown_value", ('"RED"', "1")),
    "level": ("unknown_value", ("true", '"1"')),
    "one": ("unknown_value", ("true",)),
    "yes": ("unknown_value", ("1",)),
    "day": ("string_type", ("1577836800",)),
    "price": ("string_type", ("12.5",)),
}
"""Fields, and values that are not of their types."""

BAD = [
    *(bad(body, [], "object_type") for body in (b"null", b"1", b'"x"', b"[]", b"true")),
    bad(b'{"nope":1}', ["nope"], "unknown_key"),
    *(bad(orjson.dumps({key: {}}), [key], "unknown_key") for key in ("__proto__", "__class__", "__dict__", "constructor", "Text", "text ")),
    *(
        bad(f'{{"{name}":{value}}}'.encode(), [name], code)
        for name, (code, values) in WRONG.items()
        for value in values
    ),
    bad(b'{"items":[1,"2"]}', ["items", 1], "integer_type"),
    *(bad(orjson.dumps({"day": day}), ["day"], "format") for day in ("1577836800", "2026-02-30", "2026-2-3", "2026-02-28T00:00:00Z", "")),
    *(
        bad(orjson.dumps({"moment": moment}), ["moment"], "format")
        for moment in (
            "1577836800", "2026-02-28T12:00:00", "2026-02-28", "2026-02-28T24:00:00Z", "2026-02-28T12:00:60Z", "2026-02-28T12:00:00+25:00",
        )
    ),
    *(
        bad(orjson.dumps({"price": price}), ["price"], "format")
        for price in ("1_000", "NaN", "Infinity", " 1", "0x1", "")
    ),
    *(bad(orjson.dumps({"price": price}), ["price"], "decimal_size") for price in ("1E-100", "1E+999999999", "1" * 41)),
    *(
        bad(b'{"number":' + digits + b"}", ["number"], code, name=f"{len(digits)} digits")
        for digits, code in ((b"9223372036854775808", "less_than_equal"), (b"-9223372036854775809", "greater_than_equal"))
    ),
    Case("refuses an integer of 4000 digits", call("echo", b'{"number":' + b"9" * 4000 + b"}"), 400),
    Case("refuses 1e400 in anything", call("anything", b"[1e400]"), 400, ...),
    Case("refuses 65 bits in anything", call("anything", b"[18446744073709551616]"), 400, ...),
    Case("takes required fields", call("named", b'{"age":1,"name":"n"}'), 200, {"name": "n", "age": 1}, ran=("named",)),
    Case("reports missing fields", call("named", b"{}"), 400, issues((["name"], "missing"), (["age"], "missing"))),
    Case("reports limits", call("named", b'{"name":"","age":-1}'), 400,
         issues((["name"], "string_too_short"), (["age"], "greater_than_equal"))),
    Case("reports at most 20", call("echo", b'{"items":[' + b",".join([b'"x"'] * 30) + b"]}"), 400,
         {"error": "VALIDATION_ERROR", "data": {"issues": [...] * 20, "truncated": True}}),
    Case("shortens long keys", call("echo", orjson.dumps({"k" * 200: 1})), 400, issues((["k" * 64], "unknown_key"))),
    Case("does not repeat values", call("named", orjson.dumps({"name": [SECRET], "age": SECRET})), 400,
         issues((["name"], "string_type"), (["age"], "integer_type"))),
]  # fmt: skip

REASONED = {
    "empty": b"", "byte_order_mark": b"\xef\xbb\xbf{}", "form": b"a=1&b=2", "not_finite": b"[NaN]",
    "trailing_comma": b"[1,]", "lone_surrogate": b'"\\ud800"', "too_deep": b"[" * 201 + b"]" * 201,
}  # fmt: skip

COLUMNS = {"not_finite": 2, "trailing_comma": 3, "lone_surrogate": 2, "too_deep": 201}


def not_json(reason: str) -> dict[str, Any]:
    limits = {"max_depth": 200, "line": 1, "column": COLUMNS.get(reason, 1)}
    message = sentence("json_invalid", {"reason": reason, **limits})
    return error(
        "VALIDATION_ERROR", issues=[{"path": [], "code": "json_invalid", "message": message}]
    )


ROWS = [
    *(
        Case(f"no JSON: {body[:40]!r}", call("anything", body), 400, NOT_JSON)
        for body in NOT_AT_ALL
    ),
    Case("no JSON: nothing at all", call("anything", b""), 400, NOT_JSON),
    *(
        Case(f"no JSON for echo: {body[:40]!r}", call("echo", body), 400, NOT_JSON, on=SERVERLESS)
        for body in NOT_AT_ALL
    ),
    *(
        Case(f"no JSON, in a text for {reason}", call("anything", body), 400, not_json(reason))
        for reason, body in REASONED.items()
    ),
    *(Case(f"too deep: {body[:3]!r}", call("anything", body), 400, NOT_JSON) for body in TOO_DEEP),
    *(Case(f"too deep for echo: {body[:3]!r}", call("echo", body), 400) for body in TOO_DEEP),
    *GOOD,
    *BAD,
]
