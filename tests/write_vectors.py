"""
Write the vectors: choose documents for every type, and let the server say what it says of them.

::

    python -m tests.write_vectors
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from typing import Any, Final

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis.strategies import SearchStrategy

from contract.shape.reader import shape_of
from contract.testing import documents, near_misses
from tests.vectors import FILE, TYPES, verdict

_VALID: Final = 8
_NEAR: Final = 16
_MAX_LENGTH: Final = 1_000
"""Characters of a document; what is said of longer ones is said of shorter ones too."""

_CLOCKS: Final = r"""
    "10:00:00"  "10:00:00Z"  "10:00:00+05:30"  "10:00:00.5"  "10:00:00.123456"
    "10:00:00.1234567"  "10:00:00.123456789"  "10:00:00.1234567890"  "24:00:00"  "10:00"  "10:00Z"
    "10:00:60"
"""

_FORMS: Final[dict[str, str]] = {
    "bool": r'true  false  1  0  "true"  null',
    "none": r'null  0  {}  ""',
    "int": r"""
        0  -0  1  -1  1.0  1e3  1.5  1e-1  "1"  true  null  []  9007199254740991
        -9007199254740991  9007199254740991.0  1e400  -1e400  -9007199254740991.0
        9007199254740992.0  9007199254740993.0  -9007199254740992.0  9.007199254740993e15
        9007199254740992  9007199254740993  9223372036854775807  -9223372036854775808
        9223372036854775808  1e18  1e19
    """,
    "int_multiple": r"7  98  105  0  8  7.0",
    "int_unsigned": r"0  -1  18446744073709551615  18446744073709551616",
    "float": r'0  -0.0  1  1.5  1e308  1e309  -1e309  1e-400  9007199254740993  "1"  true  null',
    "float_multiple": r"0  0.1  0.3  0.7  1e22  0.35  1e-7  -0.1",
    "str": r'""  "a"  "\u0000"  "\ud83d\ude00"  1  null  []  "\ud800"',
    "str_lengths": r'"a"  "ab"  "abcd"  "abcde"  "😀"  "😀😀"  "😀😀😀😀"  "😀😀😀😀😀"  "e\u0301"',
    "str_pattern": r'"a"  "a-b"  "a-"  "A"  "a\n"  ""  "ä"',
    "bytes": r"""
        ""  "AA=="  "AAA="  "AAAA"  "AB=="  "AAB="  "A"  "AA"  "AA="  "A==="  "AA_-"  "AAAA\n"
        "AA==AA=="  1
    """,
    "bytes_lengths": r'""  "AA=="  "AAA="  "AAAA"  "AAAAAA=="',
    "datetime": r"""
        "2024-02-29T10:00:00Z"  "2023-02-29T10:00:00Z"  "2024-01-01T00:00:00+23:59"
        "2024-01-01T00:00:00-00:00"  "2024-01-01T00:00:00"  "2024-01-01t00:00:00z"
        "2024-01-01 00:00:00Z"  "2024-01-01T24:00:00Z"  "2024-01-01T00:00:60Z"
        "2024-01-01T00:00:00.123456Z"  "2024-01-01T00:00:00.1234567Z"  "2024-01-01T00:00:00.Z"
        "0000-01-01T00:00:00Z"  "0001-01-01T00:00:00Z"  "9999-12-31T23:59:59.999999Z"
        "1969-12-31T23:59:59.999Z"  "2024-01-01"  1704067200  null
        "2024-01-01T00:00:00+24:00"  "2024-13-01T00:00:00Z"  "2024-00-10T00:00:00Z"
        "+002024-01-01T00:00:00Z"
    """,
    "datetime_bounds": r"""
        "2024-01-01T00:00:00Z"  "2023-12-31T23:59:59.999999Z"  "2024-01-01T05:29:59+05:30"
        "2024-01-01T05:30:00+05:30"  "2024-01-01T18:29:59.999999Z"  "2024-01-01T18:30:00Z"
        "2024-01-02T00:00:00+05:30"  "2024-01-01T23:59:59.999999+05:30"
    """,
    "datetime_in_a_zone": r"""
        "2024-01-01T00:00:00+05:30"  "2024-01-01T00:00:00Z"  "2024-01-01T00:00:00+05:00"
        "2024-01-01T00:00:00-05:30"
    """,
    "datetime_in_utc": r"""
        "2024-01-01T00:00:00Z"  "2024-01-01T00:00:00+00:00"  "2024-01-01T00:00:00-00:00"
        "2024-01-01T00:00:00+00:01"
    """,
    "datetime_without_an_offset": r"""
        "2024-01-01T00:00:00"  "2024-01-01T00:00:00.5"  "2024-01-01T00:00:00.123456789"
        "2024-01-01T00:00:00.1234567890"  "2024-01-01T00:00:00Z"  "2024-01-01T00:00:00+01:00"
        "2024-01-01"  "2024-01-01 00:00:00"  "2024-01-01T24:00:00"  "2024-02-30T00:00:00"
        "0000-01-01T00:00:00"  "0001-01-01T00:00:00"  "9999-12-31T23:59:59.999999"  1
    """,
    "datetime_without_an_offset_limited": r"""
        "2024-01-01T00:00:00"  "2023-12-31T23:59:59.999999"  "2024-01-02T00:00:00"
        "2024-01-01T23:59:59.999999"
    """,
    "date": r"""
        "2024-01-32"  "2024-13-01"  "2024-02-30"  "0000-02-30"  "0099-02-29"  "2000-02-30"
        "1900-02-29"  "2024-02-30 "  "2024-02-00"  "12024-02-30"
        "2024-02-29"  "2023-02-29"  "2024-04-31"  "0001-01-01"  "0000-01-01"  "9999-12-31"
        "2024-1-1"  "20240101"  1
    """,
    "date_bounds": r'"2024-01-01"  "2024-01-02"  "2024-01-03"',
    "time": _CLOCKS,
    "time_aware": _CLOCKS,
    "time_naive": _CLOCKS,
    "time_bounds": r'"09:00:00"  "08:59:59.999999"  "17:00:00"  "17:00:00.000001"  "09:00:00Z"',
    "time_aware_bounds": r"""
        "09:00:00Z"  "10:00:00+01:00"  "09:59:59.999999+01:00"  "17:00:00Z"
        "16:59:59.999999Z"  "00:30:00-15:00"
    """,
    "timedelta": r"""
        "PT0S"  "P1D"  "-P1D"  "P1DT2H3M4.5S"  "PT1H5S"  "PT36H"  "PT0.000001S"
        "PT0.0000001S"  "P1W"  "P1Y"  "P"  "PT"  "P1DT"  "+P1D"  "PT5M1H"  "P999999999D"
        "-P999999999D"  "P999999999DT23H59M59.999999S"  "P999999999DT24H"
        "-P999999999DT0.000001S"  "p1d"  "PT1.S"  60
    """,
    "timedelta_bounds": r'"PT0S"  "PT0.000001S"  "PT1S"  "PT1.000001S"  "-PT1S"  "P0DT1S"',
    "decimal": r"""
        "0"  "-0"  "1.50"  "007"  ".5"  "5."  "+1"  "1_000"  "NaN"  "Infinity"  "1e5"  "1E-5"
        "1e+40"  "1e41"  "1e-41"  "1e999999999"  "9999999999999999999999999999999999999999"
        "99999999999999999999999999999999999999999"
        "0.0000000000000000000000000000000000000001"
        "1.0000000000000000000000000000000000000001"
        "1.0000000000000000000000000000000000000000"
        "000000000000000000000000000000000000000001"  1.5  ""
    """,
    "decimal_bounds": r"""
        "0.01"  "0.0099999999999999999999"  "1e-2"  "99.999999999999999999999999"  "100"
        "1e2"
    """,
    "decimal_narrow": r'"0"  "1E-139"  "0.000001"  "0.00001"  "1e-40"',
    "decimal_multiple": r'"0.05"  "0.1"  "1e10"  "0.06"  "0.050000000001"',
    "uuid": r"""
        "123e4567-e89b-12d3-a456-426614174000"  "123E4567-E89B-12D3-A456-426614174000"
        "123e4567e89b12d3a456426614174000"  "{123e4567-e89b-12d3-a456-426614174000}"
        "urn:uuid:123e4567-e89b-12d3-a456-426614174000"
        "123e4567-e89b-12d3-a456-42661417400g"
    """,
    "any": r"""
        null  1.5  {"__proto__": 1, "a": [{}]}  9223372036854775807  9223372036854775808
        1e300  1e17  9007199254740993
    """,
    "literal": r'"a"  1  true  1.0  "1"  false  0  9007199254740993  null  "A"  []  {}',
    "enum_of_kinds": r'true  1  "1"  1.0  false  "true"',
    "set": r'[]  [1, 2]  [1, 1]  [1, 1.0]  [1, "1"]  [9007199254740992.0]',
    "set_of_decimals": r'["1", "2"]  ["1.0", "1.00"]  ["0", "-0"]  ["1e1", "10"]',
    "set_of_records": r"""
        [{"x": 1}, {"x": 2}]  [{"x": 1}, {"x": 1, "y": 0}]  [{"x": 1}, {"x": 1, "y": 1}]
    """,
    "set_of_tuples": r"""
        [[1, "2024-01-01"], [1, "2024-01-02"]]  [[1, "2024-01-01"], [1.0, "2024-01-01"]]
    """,
    "set_of_clocks": r"""
        ["10:00:00", "10:00:00Z"]  ["10:00:00Z", "11:00:00+01:00"]  ["10:00:00", "10:00:00.0"]
        ["00:00:01", "PT1S"]  ["PT60S", "PT1M"]  ["1970-01-01T00:00:01", "1970-01-01T00:00:01Z"]
        ["1970-01-01T00:00:01Z", "1970-01-01T01:00:01+01:00"]  ["00:00:01", "1970-01-01T00:00:01"]
    """,
    "dict": r'{"__proto__": null, "constructor": 1, "toString": [], "": {}}  []  null',
    "dict_by_int": r"""
        {"1": "a"}  {"01": "a"}  {"-0": "a"}  {"9223372036854775808": "a"}  {"1.0": "a"}
        {"": "a"}
    """,
    "dict_by_uuid": r"""
        {"123e4567-e89b-12d3-a456-426614174000": 1, "123E4567-E89B-12D3-A456-426614174000": 2}
    """,
    "dict_by_date": r'{"2024-01-01": 1}  {"2024-01-32": 1}',
    "dict_by_enum": r'{"red": 1}  {"RED": 1}  {"__proto__": 1}  {"constructor": 1}',
    "dataclass": r"""
        {"x": 1, "X": 2}  {"X": 1}  {"xx": 1}
        {"x": 1}  {"x": 1, "y": 2}  {"y": 2}  {}  []  null  {"x": 1, "z": 2}  {"x": 1, "x": 2}
        {"x": 1, "__proto__": 2}  {"x": 1, "constructor": 2}  {"x": 1, "toString": 2}
        {"x": 1, "hasOwnProperty": 2}  {"x": null}  {"x": "a", "y": "b", "c": 1}
        {"__proto__": {"x": 1}}
    """,
    "dataclass_without_fields": r'{}  {"a": 1}  []  {"__proto__": {}}',
    "dataclass_renamed": r'{"@id": 1, "class": "a"}  {"id_": 1}',
    "tagged_union": r"""
        {"kind": "card", "number": "1234567812345678"}  {"kind": "coins"}
        {"number": "1234567812345678"}  {"kind": "cheque"}  {"kind": null}
        {"kind": "Card"}  {"kind": "caard"}  {"kind": 7}  {"kind": "card", "nummber": "1"}
        {"kind": "__proto__"}  {"kind": "constructor"}  {"kind": ["card"]}  {}  []
    """,
    "namedtuple": r'[1, 2]  [1]  [1, 2, null, 0]  [1, 2, null, 0, 1]  [1, "2"]  {"latitude": 1}',
    "typeddict": r'{"name": "a"}  {"name": "a", "size": null}  {"name": "a", "size": 1}',
    "union_of_listed_values_and_a_date": r"""
        "todey"  "rad"  "x"  "2024-02-30"  "2024-01-01"  3  1  true  "today"  "red"
    """,
    "union_of_listed_values": r'"autto"  "x"  "rad"  "auto"  "red"  2  1  null',
    "typeddict_with_extra_items": r"""
        {"title": "a"}  {"title": "a", "b": 1, "": 0}  {"title": "a", "b": -1}  {"title": 1}
        {"titel": "a"}  {"titel": "a", "title": "b"}  {"titel": 3}  {"title": "a", "Year": "1999"}
        {"title": "a", "__proto__": 1, "toString": 2}  {"title": "a", "b": null, "c": 1.0, "d": []}
    """,
    "typeddict_with_extra_items_recursive": r"""
        {"kind": "twig", "a": {"kind": "twig", "b": "2024-01-01"}}  {"kind": "twig", "kidn": 1}
        {"kind": "twig", "a": {"kind": "twig", "b": "2024-02-30"}}  {"kind": "stump", "a": 1}
    """,
    "tuple": r'[1, "a", true]  [1, "a"]  [1, "a", true, null]  ["1", "a", true]',
    "tuple_of_none": r"[]  [null]",
    "union_of_scalars": r'"a"  1  null  1.5  true  []  9007199254740992.0',
    "union_of_numbers": r'1  1.5  1.0  "1"',
    "union_of_dates": r'"2024-01-01"  "2024-01-01T00:00:00Z"  "2024-01-01T00:00:00"  1',
    "union_of_list_and_map": r"""
        [1]  {"a": 1}  true  ["a"]  {"a": "b"}  "a"  1  [9007199254740993.0]
    """,
    "recursive_alias": '[[[{"a": [1, null, "b", {"c": true}]}]]]  1.5  [1.5]  '
    f"{'[' * 200}{']' * 200}  {'[' * 201}{']' * 201}",
    "tree": r"""
        {"value": 1}  {"value": 1, "children": [{"value": "a"}]}
        {"value": 1, "children": [{"value": 2, "children": [{}]}]}
    """,
    "expression": r"""
        {"op": "and", "left": {"op": "leaf", "value": true}, "right": {"op": "leaf", "value": 1}}
        {"op": "nor"}
    """,
}
"""Route -> documents, with two spaces or a line between them."""


def _drawn(strategy: SearchStrategy[Any], count: int) -> list[Any]:
    found: list[Any] = []

    @settings(
        max_examples=count,
        database=None,
        derandomize=True,
        phases=[Phase.generate],
        suppress_health_check=[*HealthCheck],
    )
    @given(strategy)
    def collect(value: Any) -> None:
        found.append(value)

    collect()
    return found


def _texts(name: str) -> Iterator[str]:
    shape = shape_of(TYPES[name])
    yield from filter(None, re.split(r"\s{2,}", _FORMS.get(name, "").strip()))
    for document in _drawn(documents(shape), _VALID):
        yield json.dumps(document)
    for miss in _drawn(near_misses(shape), _NEAR):
        yield json.dumps(miss.document)


def _written(names: Iterable[str]) -> str:
    parts: list[str] = []
    for name in names:
        texts = dict.fromkeys(text for text in _texts(name) if len(text) <= _MAX_LENGTH)
        rows = ",\n".join(json.dumps([text, verdict(name, text)]) for text in texts)
        parts.append(f"{json.dumps(name)}: [\n{rows}\n]")
    return "{\n" + ",\n".join(parts) + "\n}\n"


if __name__ == "__main__":
    FILE.write_text(_written(TYPES))
