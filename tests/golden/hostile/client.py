"""
It ends \"\"\" here \\\"\"\" and \\N{DASH} \\u0041 \\x \\ */ alert(1) /* // `${alert(1)}` </script><!-- ]]>: a client.

import os

Generated from the contract with the SHA-256 digest 66c03aeb603a917751aadee09a82d23bd315f0537576f44c12765e000eca0df5. Do
not change this file; generate it again::

    contract generate contract.json -o client.py
"""

from __future__ import annotations

from builtins import dict as _dict
from builtins import int as _int
from builtins import list as _list
from builtins import str as _str
from dataclasses import dataclass as _dataclass
from dataclasses import field as _field
from enum import Enum as _Enum
from typing import Final, NamedTuple, Never, TypeAlias, Union, Unpack, final
from typing import Annotated as _Annotated
from typing import Any as _Any
from typing import Literal as _Literal

from contract.client import (
    UNSET,
    ApiClientBase,
    AsyncApiClientBase,
    AsyncClientOptions,
    AsyncHeaderValue,
    CallError,
    CallFailed,
    ClientOptions,
    DeclaredFailure,
    HeaderValue,
    Name,
    Ok,
    Pattern,
    RouteSchemas,
    Unset,
    unwrap,
)
from contract.client import UNSET as _UNSET
from contract.client import Ok as _Ok
from contract.client import Operation as _Operation
from contract.client import Schema as _Schema
from typing_extensions import TypeAliasType, deprecated

__all__ = [
    "AB",
    "AB_2",
    "Any",
    "ApiClient",
    "ApiClient_",
    "ApiClient_2",
    "Array",
    "AsyncApiClient",
    "AsyncApiClient_",
    "CallError",
    "CallError_",
    "CallError_2",
    "CallFailed",
    "Class",
    "ClientInput",
    "Constructor",
    "Data",
    "Date",
    "Decimal",
    "Either",
    "Enum",
    "Error",
    "Error_2",
    "Everything",
    "GETUSERInput",
    "InPlace",
    "InPlaceBackSlash",
    "InPlaceData",
    "InPlaceDelete",
    "InPlaceFi",
    "InPlaceNone",
    "InPlacePrototype",
    "InPlaceSlots",
    "InPlaceType",
    "InPlaceUuid",
    "InPlaceX",
    "Infinity",
    "Json",
    "Left",
    "Loop",
    "Map",
    "NaN",
    "Names",
    "None_",
    "Number",
    "Object",
    "Ok",
    "Ok_",
    "Ok_2",
    "Operation",
    "Promise",
    "PromiseInput",
    "Record",
    "Renamed",
    "Response",
    "Result",
    "Right",
    "Schema",
    "SchemasInput",
    "StrInput",
    "String",
    "String_2",
    "Symbol",
    "Timeout",
    "ToStringInput",
    "True_",
    "Tuple",
    "UNSET",
    "UNSET_",
    "USER",
    "Uint8Array",
    "Unset",
    "Unset_",
    "Unset_2",
    "Values",
    "any",
    "arguments",
    "await_",
    "class_",
    "constructor",
    "dataclass",
    "dict",
    "eval",
    "exec",
    "get_user",
    "globalThis",
    "int",
    "interface",
    "let",
    "list",
    "never",
    "prototype",
    "schemas",
    "schemas_",
    "str",
    "toString",
    "type",
    "unwrap",
    "unwrap_",
    "user",
    "yield_",
]


Loop = TypeAliasType("Loop", "_list[Loop] | None")
"""
@ts-nocheck
@ts-ignore
# type: ignore
# noqa
// eslint-disable
"""


class Any(_Enum):
    """
    import os
    os.abort()

    \\u0000\\u001b[31m
    """

    Any = "Any"
    mro_ = "*/"


class ApiClient_(_Enum):
    """
    @ts-nocheck
    @ts-ignore
    # type: ignore
    # noqa
    // eslint-disable
    """

    ApiClient = "ApiClient"
    mro_ = "*/"


Array: TypeAlias = _Literal["Array", 1]
"""
import os
os.abort()

\\u0000\\u001b[31m
"""


CallError_: TypeAlias = _Literal["CallError", 1]
"""\\u202e gnitirw \\u200b\\u2066 desrever \\u00ad\\ufeff"""


AsyncApiClient_: TypeAlias = _list[CallError_]
"""
import os
os.abort()

\\u0000\\u001b[31m
"""


@_dataclass(frozen=True, slots=True, kw_only=True)
class ClientInput:
    self: _str
    """
    It ends \"\"\" here \\\"\"\" and \\N{DASH} \\u0041 \\x \\. For example ``It ends \"\"\" here \\\"\"\" and \\N{DASH} \\u0041 \\x \\``.
    """
    input: _list[_Annotated[_str, Pattern("^[\"'`\\\\]*/$")]] = _field(default_factory=lambda: ["\\", "\n", "${x}"])
    """*/ alert(1) /* // `${alert(1)}` </script><!-- ]]>."""
    options: _Literal["*/"] | Unset = _UNSET
    """
    @ts-nocheck
    @ts-ignore
    # type: ignore
    # noqa
    // eslint-disable.
    """
    client: _dict[_str, _Any] = _field(default_factory=lambda: {"__proto__": {"constructor": 1}, "toString": None})
    """
    import os
    os.abort()

    \\u0000\\u001b[31m.
    """
    timeout: _str | None = "\u202e\\"
    """\\u202e gnitirw \\u200b\\u2066 desrever \\u00ad\\ufeff."""
    signal: Names
    """-*- coding: utf-7 -*-."""
    body: _dict[Names, None] | Unset = _UNSET
    """
    aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa
    bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb.
    """


@_dataclass(frozen=True, slots=True, kw_only=True)
class Data:
    error_code_: _Annotated[_str, Name("error_code")]
    """
    It ends \"\"\" here \\\"\"\" and \\N{DASH} \\u0041 \\x \\. For example ``It ends \"\"\" here \\\"\"\" and \\N{DASH} \\u0041 \\x \\``.
    """
    http_status_: _Annotated[_list[_Annotated[_str, Pattern("^[\"'`\\\\]*/$")]], Name("http_status")] = _field(
        default_factory=lambda: ["\\", "\n", "${x}"],
    )
    """*/ alert(1) /* // `${alert(1)}` </script><!-- ]]>."""
    code: _Literal["*/"] | Unset = _UNSET
    """
    @ts-nocheck
    @ts-ignore
    # type: ignore
    # noqa
    // eslint-disable.
    """
    status: _dict[_str, _Any] = _field(default_factory=lambda: {"__proto__": {"constructor": 1}, "toString": None})
    """
    import os
    os.abort()

    \\u0000\\u001b[31m.
    """
    data: _str | None = "\u202e\\"
    """\\u202e gnitirw \\u200b\\u2066 desrever \\u00ad\\ufeff."""
    error: Names
    """-*- coding: utf-7 -*-."""
    issues: _dict[Names, None] | Unset = _UNSET
    """
    aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa
    bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb.
    """
    ok: _int = -9223372036854775808
    """
    ".
    """
    value: _Any | Unset = _UNSET
    """\\."""


@_dataclass(frozen=True, slots=True, kw_only=True)
class Date:
    """\\u202e gnitirw \\u200b\\u2066 desrever \\u00ad\\ufeff"""

    Date: _str
    """
    It ends \"\"\" here \\\"\"\" and \\N{DASH} \\u0041 \\x \\. For example ``It ends \"\"\" here \\\"\"\" and \\N{DASH} \\u0041 \\x \\``.
    """
    next: _list[_Annotated[_str, Pattern("^[\"'`\\\\]*/$")]] = _field(default_factory=lambda: ["\\", "\n", "${x}"])
    """*/ alert(1) /* // `${alert(1)}` </script><!-- ]]>."""
    type: _Literal["*/"] | Unset = _UNSET
    """
    @ts-nocheck
    @ts-ignore
    # type: ignore
    # noqa
    // eslint-disable.
    """


Decimal: TypeAlias = _Literal["Decimal", 1]
"""*/ alert(1) /* // `${alert(1)}` </script><!-- ]]>"""


@_dataclass(frozen=True, slots=True, kw_only=True)
class Left:
    """*/ alert(1) /* // `${alert(1)}` </script><!-- ]]>"""

    proto: _Annotated[_Literal["left*/"], Name("__proto__")]
    then: _Literal['"""']


@_dataclass(frozen=True, slots=True, kw_only=True)
class Right:
    """*/ alert(1) /* // `${alert(1)}` </script><!-- ]]>"""

    proto: _Annotated[_Literal['ri"""ght'], Name("__proto__")]
    then: _Literal['"""']


Either: TypeAlias = Left | Right


@_dataclass(frozen=True, slots=True, kw_only=True)
class Enum:
    """
    @ts-nocheck
    @ts-ignore
    # type: ignore
    # noqa
    // eslint-disable
    """

    Enum: _str
    """
    It ends \"\"\" here \\\"\"\" and \\N{DASH} \\u0041 \\x \\. For example ``It ends \"\"\" here \\\"\"\" and \\N{DASH} \\u0041 \\x \\``.
    """
    next: _list[_Annotated[_str, Pattern("^[\"'`\\\\]*/$")]] = _field(default_factory=lambda: ["\\", "\n", "${x}"])
    """*/ alert(1) /* // `${alert(1)}` </script><!-- ]]>."""
    type: _Literal["*/"] | Unset = _UNSET
    """
    @ts-nocheck
    @ts-ignore
    # type: ignore
    # noqa
    // eslint-disable.
    """


class Error(_Enum):
    """{@link javascript:alert(1)} @deprecated @internal"""

    Error = "Error"
    mro_ = "*/"


class Names(_Enum):
    """*/ alert(1) /* // `${alert(1)}` </script><!-- ]]>"""

    MEMBER = " "
    MEMBER_1st = "1st"
    a_b_2 = "a b"
    a_b_3 = "a-b"
    a_b = "a_b"
    a_b_4 = "a.b"
    A_B = "A_B"
    class_ = "class"
    def_ = "def"
    None_ = "None"
    await_ = "await"
    match = "match"
    type = "type"
    self = "self"
    cls = "cls"
    lambda_ = "lambda"
    init = "__init__"
    class_2 = "__class__"
    slots = "__slots__"
    dict_2 = "__dict__"
    post_init = "__post_init__"
    mangled = "__mangled"
    private = "_private"
    MEMBER_6 = "_"
    MEMBER_7 = "__"
    constructor = "constructor"
    proto = "__proto__"
    prototype = "prototype"
    toString = "toString"
    valueOf = "valueOf"
    hasOwnProperty = "hasOwnProperty"
    then = "then"
    toJSON = "toJSON"
    ok = "ok"
    code = "code"
    value_ = "value"
    data = "data"
    str = "str"
    int = "int"
    list = "list"
    dict = "dict"
    object = "object"
    date = "date"
    datetime = "datetime"
    Decimal = "Decimal"
    UUID = "UUID"
    field = "field"
    Annotated = "Annotated"
    Literal = "Literal"
    Any = "Any"
    Ok = "Ok"
    UNSET = "UNSET"
    quote_s = 'quote"s'
    it_s = "it's"
    back_slash = "back\\slash"
    new_line = "new\nline"
    car_riage = "car\rriage"
    tab = "tab\t"
    nul = "nul\x00"
    MEMBER_3 = "*/"
    MEMBER_4 = "/*"
    MEMBER_5 = "//"
    MEMBER_2 = "#"
    x = "${x}"
    MEMBER_8 = "`"
    script = "</script>"
    u202e_gnp = "\u202egnp"
    zero_u200b_width = "zero\u200bwidth"
    line_u2028_end = "line\u2028end"
    é = "é"
    e = "é"
    fi_2 = "ﬁ"
    fi = "fi"
    日本 = "日本"
    а = "а"
    u1f600 = "😀"
    xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx_0d4e2ca9 = "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
    default = "default"
    enum = "enum"
    export = "export"
    function = "function"
    delete = "delete"
    new = "new"
    this = "this"
    arguments = "arguments"
    eval = "eval"
    undefined = "undefined"
    input = "input"
    options = "options"
    client = "client"


@_dataclass(frozen=True, slots=True, kw_only=True)
class Everything:
    """
    It ends \"\"\" here \\\"\"\" and \\N{DASH} \\u0041 \\x \\

    Deprecated.
    """

    field_2: _Annotated[_str, Name(" ")]
    """
    It ends \"\"\" here \\\"\"\" and \\N{DASH} \\u0041 \\x \\. For example ``It ends \"\"\" here \\\"\"\" and \\N{DASH} \\u0041 \\x \\``.
    """
    field_1st: _Annotated[_list[_Annotated[_str, Pattern("^[\"'`\\\\]*/$")]], Name("1st")] = _field(
        default_factory=lambda: ["\\", "\n", "${x}"],
    )
    """*/ alert(1) /* // `${alert(1)}` </script><!-- ]]>."""
    a_b_2: _Annotated[_Literal["*/"] | Unset, Name("a b")] = _UNSET
    """
    @ts-nocheck
    @ts-ignore
    # type: ignore
    # noqa
    // eslint-disable.
    """
    a_b_3: _Annotated[_dict[_str, _Any], Name("a-b")] = _field(
        default_factory=lambda: {"__proto__": {"constructor": 1}, "toString": None},
    )
    """
    import os
    os.abort()

    \\u0000\\u001b[31m.
    """
    a_b: _str | None = "\u202e\\"
    """\\u202e gnitirw \\u200b\\u2066 desrever \\u00ad\\ufeff."""
    a_b_4: _Annotated[Names, Name("a.b")]
    """-*- coding: utf-7 -*-."""
    A_B: _dict[Names, None] | Unset = _UNSET
    """
    aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa
    bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb.
    """
    class_: _Annotated[_int, Name("class")] = -9223372036854775808
    """
    ".
    """
    def_: _Annotated[_Any | Unset, Name("def")] = _UNSET
    """\\."""
    None_: _Annotated[_str, Name("None")] = '"""'
    """
    {@link javascript:alert(1)} @deprecated @internal. For example ``It ends \"\"\" here \\\"\"\" and \\N{DASH} \\u0041 \\x \\``.
    """
    await_: _Annotated[_list[_Annotated[_str, Pattern("^[\"'`\\\\]*/$")]], Name("await")]
    """%s %(x)s {x} {0.__class__}."""
    match: _Literal["*/"] | Unset = _UNSET
    """It ends \"\"\" here \\\"\"\" and \\N{DASH} \\u0041 \\x \\."""
    type: _dict[_str, _Any] = _field(default_factory=lambda: {"__proto__": {"constructor": 1}, "toString": None})
    """*/ alert(1) /* // `${alert(1)}` </script><!-- ]]>."""
    self: _str | None = "\u202e\\"
    """
    @ts-nocheck
    @ts-ignore
    # type: ignore
    # noqa
    // eslint-disable.
    """
    cls: Names = Names.client
    """
    import os
    os.abort()

    \\u0000\\u001b[31m.
    """
    lambda_: _Annotated[_dict[Names, None], Name("lambda")]
    """\\u202e gnitirw \\u200b\\u2066 desrever \\u00ad\\ufeff."""
    init: _Annotated[_int, Name("__init__")] = -9223372036854775808
    """-*- coding: utf-7 -*-."""
    class_2: _Annotated[_Any | Unset, Name("__class__")] = _UNSET
    """
    aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa
    bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb.
    """
    slots: _Annotated[_str, Name("__slots__")] = '"""'
    """
    ". For example ``It ends \"\"\" here \\\"\"\" and \\N{DASH} \\u0041 \\x \\``.
    """
    dict_2: _Annotated[_list[_Annotated[_str, Pattern("^[\"'`\\\\]*/$")]], Name("__dict__")] = _field(
        default_factory=lambda: ["\\", "\n", "${x}"],
    )
    """\\."""
    post_init: _Annotated[_Literal["*/"], Name("__post_init__")]
    """{@link javascript:alert(1)} @deprecated @internal."""
    mangled: _Annotated[_dict[_str, _Any], Name("__mangled")] = _field(
        default_factory=lambda: {"__proto__": {"constructor": 1}, "toString": None},
    )
    """%s %(x)s {x} {0.__class__}."""
    _private: _str | None = "\u202e\\"
    """It ends \"\"\" here \\\"\"\" and \\N{DASH} \\u0041 \\x \\."""
    _: Names = Names.client
    """*/ alert(1) /* // `${alert(1)}` </script><!-- ]]>."""
    field_7: _Annotated[_dict[Names, None] | Unset, Name("__")] = _UNSET
    """
    @ts-nocheck
    @ts-ignore
    # type: ignore
    # noqa
    // eslint-disable.
    """
    constructor: _int
    """
    import os
    os.abort()

    \\u0000\\u001b[31m.
    """
    proto: _Annotated[_Any | Unset, Name("__proto__")] = _UNSET
    """\\u202e gnitirw \\u200b\\u2066 desrever \\u00ad\\ufeff."""
    prototype: _str = '"""'
    """-*- coding: utf-7 -*-. For example ``It ends \"\"\" here \\\"\"\" and \\N{DASH} \\u0041 \\x \\``."""
    toString: _list[_Annotated[_str, Pattern("^[\"'`\\\\]*/$")]] = _field(default_factory=lambda: ["\\", "\n", "${x}"])
    """
    aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa
    bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb.
    """
    valueOf: _Literal["*/"] | Unset = _UNSET
    """
    ".
    """
    hasOwnProperty: _dict[_str, _Any]
    """\\."""
    then: _str | None = "\u202e\\"
    """{@link javascript:alert(1)} @deprecated @internal."""
    toJSON: Names = Names.client
    """%s %(x)s {x} {0.__class__}."""
    ok: _dict[Names, None] | Unset = _UNSET
    """It ends \"\"\" here \\\"\"\" and \\N{DASH} \\u0041 \\x \\."""
    code: _int = -9223372036854775808
    """*/ alert(1) /* // `${alert(1)}` </script><!-- ]]>."""
    value: _Any
    """
    @ts-nocheck
    @ts-ignore
    # type: ignore
    # noqa
    // eslint-disable.
    """
    data: _str = '"""'
    """
    import os
    os.abort()

    \\u0000\\u001b[31m. For example ``It ends \"\"\" here \\\"\"\" and \\N{DASH} \\u0041 \\x \\``.
    """
    str: _list[_Annotated[_str, Pattern("^[\"'`\\\\]*/$")]] = _field(default_factory=lambda: ["\\", "\n", "${x}"])
    """\\u202e gnitirw \\u200b\\u2066 desrever \\u00ad\\ufeff."""
    int: _Literal["*/"] | Unset = _UNSET
    """-*- coding: utf-7 -*-."""
    list: _dict[_str, _Any] = _field(default_factory=lambda: {"__proto__": {"constructor": 1}, "toString": None})
    """
    aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa
    bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb.
    """
    dict: _str | None
    """
    ".
    """
    object: Names = Names.client
    """\\."""
    date: _dict[Names, None] | Unset = _UNSET
    """{@link javascript:alert(1)} @deprecated @internal."""
    datetime: _int = -9223372036854775808
    """%s %(x)s {x} {0.__class__}."""
    Decimal: _Any | Unset = _UNSET
    """It ends \"\"\" here \\\"\"\" and \\N{DASH} \\u0041 \\x \\."""
    UUID: _str
    """
    */ alert(1) /* // `${alert(1)}` </script><!-- ]]>. For example ``It ends \"\"\" here \\\"\"\" and \\N{DASH} \\u0041 \\x \\``.
    """
    field: _list[_Annotated[_str, Pattern("^[\"'`\\\\]*/$")]] = _field(default_factory=lambda: ["\\", "\n", "${x}"])
    """
    @ts-nocheck
    @ts-ignore
    # type: ignore
    # noqa
    // eslint-disable.
    """
    Annotated: _Literal["*/"] | Unset = _UNSET
    """
    import os
    os.abort()

    \\u0000\\u001b[31m.
    """
    Literal: _dict[_str, _Any] = _field(default_factory=lambda: {"__proto__": {"constructor": 1}, "toString": None})
    """\\u202e gnitirw \\u200b\\u2066 desrever \\u00ad\\ufeff."""
    Any: _str | None = "\u202e\\"
    """-*- coding: utf-7 -*-."""
    Ok: Names
    """
    aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa
    bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb.
    """
    UNSET: _dict[Names, None] | Unset = _UNSET
    """
    ".
    """
    quote_s: _Annotated[_int, Name('quote"s')] = -9223372036854775808
    """\\."""
    it_s: _Annotated[_Any | Unset, Name("it's")] = _UNSET
    """{@link javascript:alert(1)} @deprecated @internal."""
    back_slash: _Annotated[_str, Name("back\\slash")] = '"""'
    """%s %(x)s {x} {0.__class__}. For example ``It ends \"\"\" here \\\"\"\" and \\N{DASH} \\u0041 \\x \\``."""
    new_line: _Annotated[_list[_Annotated[_str, Pattern("^[\"'`\\\\]*/$")]], Name("new\nline")]
    """It ends \"\"\" here \\\"\"\" and \\N{DASH} \\u0041 \\x \\."""
    car_riage: _Annotated[_Literal["*/"] | Unset, Name("car\rriage")] = _UNSET
    """*/ alert(1) /* // `${alert(1)}` </script><!-- ]]>."""
    tab: _Annotated[_dict[_str, _Any], Name("tab\t")] = _field(
        default_factory=lambda: {"__proto__": {"constructor": 1}, "toString": None},
    )
    """
    @ts-nocheck
    @ts-ignore
    # type: ignore
    # noqa
    // eslint-disable.
    """
    nul: _Annotated[_str | None, Name("nul\x00")] = "\u202e\\"
    """
    import os
    os.abort()

    \\u0000\\u001b[31m.
    """
    field_4: _Annotated[Names, Name("*/")] = Names.client
    """\\u202e gnitirw \\u200b\\u2066 desrever \\u00ad\\ufeff."""
    field_5: _Annotated[_dict[Names, None], Name("/*")]
    """-*- coding: utf-7 -*-."""
    field_6: _Annotated[_int, Name("//")] = -9223372036854775808
    """
    aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa
    bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb.
    """
    field_3: _Annotated[_Any | Unset, Name("#")] = _UNSET
    """
    ".
    """
    x: _Annotated[_str, Name("${x}")] = '"""'
    """\\. For example ``It ends \"\"\" here \\\"\"\" and \\N{DASH} \\u0041 \\x \\``."""
    field_8: _Annotated[_list[_Annotated[_str, Pattern("^[\"'`\\\\]*/$")]], Name("`")] = _field(
        default_factory=lambda: ["\\", "\n", "${x}"],
    )
    """{@link javascript:alert(1)} @deprecated @internal."""
    script: _Annotated[_Literal["*/"], Name("</script>")]
    """%s %(x)s {x} {0.__class__}."""
    u202e_gnp: _Annotated[_dict[_str, _Any], Name("\u202egnp")] = _field(
        default_factory=lambda: {"__proto__": {"constructor": 1}, "toString": None},
    )
    """It ends \"\"\" here \\\"\"\" and \\N{DASH} \\u0041 \\x \\."""
    zero_u200b_width: _Annotated[_str | None, Name("zero\u200bwidth")] = "\u202e\\"
    """*/ alert(1) /* // `${alert(1)}` </script><!-- ]]>."""
    line_u2028_end: _Annotated[Names, Name("line\u2028end")] = Names.client
    """
    @ts-nocheck
    @ts-ignore
    # type: ignore
    # noqa
    // eslint-disable.
    """
    é: _dict[Names, None] | Unset = _UNSET
    """
    import os
    os.abort()

    \\u0000\\u001b[31m.
    """
    e: _Annotated[_int, Name("é")]
    """\\u202e gnitirw \\u200b\\u2066 desrever \\u00ad\\ufeff."""
    fi_2: _Annotated[_Any | Unset, Name("ﬁ")] = _UNSET
    """-*- coding: utf-7 -*-."""
    fi: _str = '"""'
    """
    aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa
    bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb.
    For example ``It ends \"\"\" here \\\"\"\" and \\N{DASH} \\u0041 \\x \\``.
    """
    日本: _list[_Annotated[_str, Pattern("^[\"'`\\\\]*/$")]] = _field(default_factory=lambda: ["\\", "\n", "${x}"])
    """
    ".
    """
    а: _Literal["*/"] | Unset = _UNSET
    """\\."""
    u1f600: _Annotated[_dict[_str, _Any], Name("😀")]
    """{@link javascript:alert(1)} @deprecated @internal."""
    xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx_0d4e2ca9: _Annotated[
        _str | None,
        Name(
            "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
        ),
    ] = "\u202e\\"
    """%s %(x)s {x} {0.__class__}."""
    default: Names = Names.client
    """It ends \"\"\" here \\\"\"\" and \\N{DASH} \\u0041 \\x \\."""
    enum: _dict[Names, None] | Unset = _UNSET
    """*/ alert(1) /* // `${alert(1)}` </script><!-- ]]>."""
    export: _int = -9223372036854775808
    """
    @ts-nocheck
    @ts-ignore
    # type: ignore
    # noqa
    // eslint-disable.
    """
    function: _Any
    """
    import os
    os.abort()

    \\u0000\\u001b[31m.
    """
    delete: _str = '"""'
    """
    \\u202e gnitirw \\u200b\\u2066 desrever \\u00ad\\ufeff. For example ``It ends \"\"\" here \\\"\"\" and \\N{DASH} \\u0041 \\x \\``.
    """
    new: _list[_Annotated[_str, Pattern("^[\"'`\\\\]*/$")]] = _field(default_factory=lambda: ["\\", "\n", "${x}"])
    """-*- coding: utf-7 -*-."""
    this: _Literal["*/"] | Unset = _UNSET
    """
    aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa
    bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb.
    """
    arguments: _dict[_str, _Any] = _field(default_factory=lambda: {"__proto__": {"constructor": 1}, "toString": None})
    """
    ".
    """
    eval: _str | None
    """\\."""
    undefined: Names = Names.client
    """{@link javascript:alert(1)} @deprecated @internal."""
    input: _dict[Names, None] | Unset = _UNSET
    """%s %(x)s {x} {0.__class__}."""
    options: _int = -9223372036854775808
    """It ends \"\"\" here \\\"\"\" and \\N{DASH} \\u0041 \\x \\."""
    client: _Any | Unset = _UNSET
    """*/ alert(1) /* // `${alert(1)}` </script><!-- ]]>."""


@_dataclass(frozen=True, slots=True, kw_only=True)
class GETUSERInput:
    self: _str
    """
    It ends \"\"\" here \\\"\"\" and \\N{DASH} \\u0041 \\x \\. For example ``It ends \"\"\" here \\\"\"\" and \\N{DASH} \\u0041 \\x \\``.
    """
    input: _list[_Annotated[_str, Pattern("^[\"'`\\\\]*/$")]] = _field(default_factory=lambda: ["\\", "\n", "${x}"])
    """*/ alert(1) /* // `${alert(1)}` </script><!-- ]]>."""
    options: _Literal["*/"] | Unset = _UNSET
    """
    @ts-nocheck
    @ts-ignore
    # type: ignore
    # noqa
    // eslint-disable.
    """
    client: _dict[_str, _Any] = _field(default_factory=lambda: {"__proto__": {"constructor": 1}, "toString": None})
    """
    import os
    os.abort()

    \\u0000\\u001b[31m.
    """
    timeout: _str | None = "\u202e\\"
    """\\u202e gnitirw \\u200b\\u2066 desrever \\u00ad\\ufeff."""
    signal: Names
    """-*- coding: utf-7 -*-."""
    body: _dict[Names, None] | Unset = _UNSET
    """
    aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa
    bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb.
    """


@_dataclass(frozen=True, slots=True, kw_only=True)
class InPlace:
    field: _Annotated[InPlaceType | Unset, Name(" ")] = _UNSET
    None_: _Annotated[InPlaceNone | Unset, Name("None")] = _UNSET
    slots: _Annotated[InPlaceSlots | Unset, Name("__slots__")] = _UNSET
    prototype: InPlacePrototype | Unset = _UNSET
    data: InPlaceData | Unset = _UNSET
    UUID: InPlaceUuid | Unset = _UNSET
    back_slash: _Annotated[InPlaceBackSlash | Unset, Name("back\\slash")] = _UNSET
    x: _Annotated[InPlaceX | Unset, Name("${x}")] = _UNSET
    fi: InPlaceFi | Unset = _UNSET
    delete: InPlaceDelete | Unset = _UNSET


@_dataclass(frozen=True, slots=True, kw_only=True)
class InPlaceBackSlash:
    back_slash: _Annotated[_str, Name("back\\slash")]
    """
    It ends \"\"\" here \\\"\"\" and \\N{DASH} \\u0041 \\x \\. For example ``It ends \"\"\" here \\\"\"\" and \\N{DASH} \\u0041 \\x \\``.
    """


@_dataclass(frozen=True, slots=True, kw_only=True)
class InPlaceData:
    data: _str
    """
    It ends \"\"\" here \\\"\"\" and \\N{DASH} \\u0041 \\x \\. For example ``It ends \"\"\" here \\\"\"\" and \\N{DASH} \\u0041 \\x \\``.
    """


@_dataclass(frozen=True, slots=True, kw_only=True)
class InPlaceDelete:
    delete: _str
    """
    It ends \"\"\" here \\\"\"\" and \\N{DASH} \\u0041 \\x \\. For example ``It ends \"\"\" here \\\"\"\" and \\N{DASH} \\u0041 \\x \\``.
    """


@_dataclass(frozen=True, slots=True, kw_only=True)
class InPlaceFi:
    fi: _str
    """
    It ends \"\"\" here \\\"\"\" and \\N{DASH} \\u0041 \\x \\. For example ``It ends \"\"\" here \\\"\"\" and \\N{DASH} \\u0041 \\x \\``.
    """


@_dataclass(frozen=True, slots=True, kw_only=True)
class InPlaceNone:
    None_: _Annotated[_str, Name("None")]
    """
    It ends \"\"\" here \\\"\"\" and \\N{DASH} \\u0041 \\x \\. For example ``It ends \"\"\" here \\\"\"\" and \\N{DASH} \\u0041 \\x \\``.
    """


@_dataclass(frozen=True, slots=True, kw_only=True)
class InPlacePrototype:
    prototype: _str
    """
    It ends \"\"\" here \\\"\"\" and \\N{DASH} \\u0041 \\x \\. For example ``It ends \"\"\" here \\\"\"\" and \\N{DASH} \\u0041 \\x \\``.
    """


@_dataclass(frozen=True, slots=True, kw_only=True)
class InPlaceSlots:
    slots: _Annotated[_str, Name("__slots__")]
    """
    It ends \"\"\" here \\\"\"\" and \\N{DASH} \\u0041 \\x \\. For example ``It ends \"\"\" here \\\"\"\" and \\N{DASH} \\u0041 \\x \\``.
    """


@_dataclass(frozen=True, slots=True, kw_only=True)
class InPlaceType:
    field: _Annotated[_str, Name(" ")]
    """
    It ends \"\"\" here \\\"\"\" and \\N{DASH} \\u0041 \\x \\. For example ``It ends \"\"\" here \\\"\"\" and \\N{DASH} \\u0041 \\x \\``.
    """


@_dataclass(frozen=True, slots=True, kw_only=True)
class InPlaceUuid:
    UUID: _str
    """
    It ends \"\"\" here \\\"\"\" and \\N{DASH} \\u0041 \\x \\. For example ``It ends \"\"\" here \\\"\"\" and \\N{DASH} \\u0041 \\x \\``.
    """


@_dataclass(frozen=True, slots=True, kw_only=True)
class InPlaceX:
    x: _Annotated[_str, Name("${x}")]
    """
    It ends \"\"\" here \\\"\"\" and \\N{DASH} \\u0041 \\x \\. For example ``It ends \"\"\" here \\\"\"\" and \\N{DASH} \\u0041 \\x \\``.
    """


Infinity: TypeAlias = _Literal["Infinity", 1]
"""
import os
os.abort()

\\u0000\\u001b[31m
"""


Map: TypeAlias = _Literal["Map", 1]
"""
It ends \"\"\" here \\\"\"\" and \\N{DASH} \\u0041 \\x \\
"""


NaN: TypeAlias = _list[Infinity]
"""
@ts-nocheck
@ts-ignore
# type: ignore
# noqa
// eslint-disable
"""


True_: TypeAlias = _Literal["True", 1]
"""{@link javascript:alert(1)} @deprecated @internal"""


None_: TypeAlias = _list[True_]
"""
\\
"""


class Number(_Enum):
    """*/ alert(1) /* // `${alert(1)}` </script><!-- ]]>"""

    Number = "Number"
    mro_ = "*/"


Object: TypeAlias = _list[Array]
"""
@ts-nocheck
@ts-ignore
# type: ignore
# noqa
// eslint-disable
"""


_Object = Object


@_dataclass(frozen=True, slots=True, kw_only=True)
class Ok_:
    """-*- coding: utf-7 -*-"""

    Ok: _str
    """
    It ends \"\"\" here \\\"\"\" and \\N{DASH} \\u0041 \\x \\. For example ``It ends \"\"\" here \\\"\"\" and \\N{DASH} \\u0041 \\x \\``.
    """
    next: _list[_Annotated[_str, Pattern("^[\"'`\\\\]*/$")]] = _field(default_factory=lambda: ["\\", "\n", "${x}"])
    """*/ alert(1) /* // `${alert(1)}` </script><!-- ]]>."""
    type: _Literal["*/"] | Unset = _UNSET
    """
    @ts-nocheck
    @ts-ignore
    # type: ignore
    # noqa
    // eslint-disable.
    """


Operation: TypeAlias = _list[Decimal]
"""
It ends \"\"\" here \\\"\"\" and \\N{DASH} \\u0041 \\x \\
"""


class Promise(_Enum):
    """-*- coding: utf-7 -*-"""

    Promise = "Promise"
    mro_ = "*/"


_Promise = Promise


@_dataclass(frozen=True, slots=True, kw_only=True)
class PromiseInput:
    self: _str
    """
    It ends \"\"\" here \\\"\"\" and \\N{DASH} \\u0041 \\x \\. For example ``It ends \"\"\" here \\\"\"\" and \\N{DASH} \\u0041 \\x \\``.
    """
    input: _list[_Annotated[_str, Pattern("^[\"'`\\\\]*/$")]] = _field(default_factory=lambda: ["\\", "\n", "${x}"])
    """*/ alert(1) /* // `${alert(1)}` </script><!-- ]]>."""
    options: _Literal["*/"] | Unset = _UNSET
    """
    @ts-nocheck
    @ts-ignore
    # type: ignore
    # noqa
    // eslint-disable.
    """
    client: _dict[_str, _Any] = _field(default_factory=lambda: {"__proto__": {"constructor": 1}, "toString": None})
    """
    import os
    os.abort()

    \\u0000\\u001b[31m.
    """
    timeout: _str | None = "\u202e\\"
    """\\u202e gnitirw \\u200b\\u2066 desrever \\u00ad\\ufeff."""
    signal: Names
    """-*- coding: utf-7 -*-."""
    body: _dict[Names, None] | Unset = _UNSET
    """
    aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa
    bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb.
    """


Result: TypeAlias = _Literal["Result", 1]
"""
\"
"""


Record: TypeAlias = _list[Result]
"""
aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa
bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb
"""


@_dataclass(frozen=True, slots=True, kw_only=True)
class Renamed:
    field_2: _Annotated[None, Name("0")]
    field_1st: _Annotated[Unset | None, Name("1")] = _UNSET
    await_: _Annotated[Unset | None, Name("10")] = _UNSET
    match: _Annotated[Unset | None, Name("11")] = _UNSET
    type: _Annotated[Unset | None, Name("12")] = _UNSET
    self: _Annotated[Unset | None, Name("13")] = _UNSET
    cls: _Annotated[Unset | None, Name("14")] = _UNSET
    lambda_: _Annotated[Unset | None, Name("15")] = _UNSET
    init: _Annotated[Unset | None, Name("16")] = _UNSET
    class_3: _Annotated[Unset | None, Name("17")] = _UNSET
    slots: _Annotated[Unset | None, Name("18")] = _UNSET
    dict_2: _Annotated[Unset | None, Name("19")] = _UNSET
    a_b_2: _Annotated[Unset | None, Name("2")] = _UNSET
    post_init: _Annotated[Unset | None, Name("20")] = _UNSET
    mangled: _Annotated[Unset | None, Name("21")] = _UNSET
    _private: _Annotated[Unset | None, Name("22")] = _UNSET
    _: _Annotated[Unset | None, Name("23")] = _UNSET
    field_7: _Annotated[Unset | None, Name("24")] = _UNSET
    constructor: _Annotated[Unset | None, Name("25")] = _UNSET
    proto: _Annotated[Unset | None, Name("26")] = _UNSET
    prototype: _Annotated[Unset | None, Name("27")] = _UNSET
    toString: _Annotated[Unset | None, Name("28")] = _UNSET
    valueOf: _Annotated[Unset | None, Name("29")] = _UNSET
    a_b_3: _Annotated[None, Name("3")]
    hasOwnProperty: _Annotated[Unset | None, Name("30")] = _UNSET
    then: _Annotated[Unset | None, Name("31")] = _UNSET
    toJSON: _Annotated[Unset | None, Name("32")] = _UNSET
    ok: _Annotated[Unset | None, Name("33")] = _UNSET
    code: _Annotated[Unset | None, Name("34")] = _UNSET
    value: _Annotated[Unset | None, Name("35")] = _UNSET
    data: _Annotated[Unset | None, Name("36")] = _UNSET
    str: _Annotated[Unset | None, Name("37")] = _UNSET
    int: _Annotated[Unset | None, Name("38")] = _UNSET
    list: _Annotated[Unset | None, Name("39")] = _UNSET
    a_b: _Annotated[Unset | None, Name("4")] = _UNSET
    dict: _Annotated[Unset | None, Name("40")] = _UNSET
    object: _Annotated[Unset | None, Name("41")] = _UNSET
    date: _Annotated[Unset | None, Name("42")] = _UNSET
    datetime: _Annotated[Unset | None, Name("43")] = _UNSET
    Decimal: _Annotated[Unset | None, Name("44")] = _UNSET
    UUID: _Annotated[Unset | None, Name("45")] = _UNSET
    field: _Annotated[Unset | None, Name("46")] = _UNSET
    Annotated: _Annotated[Unset | None, Name("47")] = _UNSET
    Literal: _Annotated[Unset | None, Name("48")] = _UNSET
    Any: _Annotated[Unset | None, Name("49")] = _UNSET
    a_b_4: _Annotated[Unset | None, Name("5")] = _UNSET
    Ok: _Annotated[Unset | None, Name("50")] = _UNSET
    UNSET: _Annotated[Unset | None, Name("51")] = _UNSET
    quote_s: _Annotated[Unset | None, Name("52")] = _UNSET
    it_s: _Annotated[Unset | None, Name("53")] = _UNSET
    back_slash: _Annotated[Unset | None, Name("54")] = _UNSET
    new_line: _Annotated[Unset | None, Name("55")] = _UNSET
    car_riage: _Annotated[Unset | None, Name("56")] = _UNSET
    tab: _Annotated[Unset | None, Name("57")] = _UNSET
    nul: _Annotated[Unset | None, Name("58")] = _UNSET
    field_4: _Annotated[Unset | None, Name("59")] = _UNSET
    A_B: _Annotated[Unset | None, Name("6")] = _UNSET
    field_5: _Annotated[Unset | None, Name("60")] = _UNSET
    field_6: _Annotated[Unset | None, Name("61")] = _UNSET
    field_3: _Annotated[Unset | None, Name("62")] = _UNSET
    x: _Annotated[Unset | None, Name("63")] = _UNSET
    field_8: _Annotated[Unset | None, Name("64")] = _UNSET
    script: _Annotated[Unset | None, Name("65")] = _UNSET
    u202e_gnp: _Annotated[Unset | None, Name("66")] = _UNSET
    zero_u200b_width: _Annotated[Unset | None, Name("67")] = _UNSET
    line_u2028_end: _Annotated[Unset | None, Name("68")] = _UNSET
    é: _Annotated[Unset | None, Name("69")] = _UNSET
    class_2: _Annotated[Unset | None, Name("7")] = _UNSET
    e: _Annotated[Unset | None, Name("70")] = _UNSET
    fi_2: _Annotated[Unset | None, Name("71")] = _UNSET
    fi: _Annotated[Unset | None, Name("72")] = _UNSET
    日本: _Annotated[Unset | None, Name("73")] = _UNSET
    а: _Annotated[Unset | None, Name("74")] = _UNSET
    u1f600: _Annotated[Unset | None, Name("75")] = _UNSET
    xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx_0d4e2ca9: _Annotated[
        Unset | None,
        Name("76"),
    ] = _UNSET
    default: _Annotated[Unset | None, Name("77")] = _UNSET
    enum: _Annotated[Unset | None, Name("78")] = _UNSET
    export: _Annotated[Unset | None, Name("79")] = _UNSET
    def_: _Annotated[Unset | None, Name("8")] = _UNSET
    function: _Annotated[Unset | None, Name("80")] = _UNSET
    delete: _Annotated[Unset | None, Name("81")] = _UNSET
    new: _Annotated[Unset | None, Name("82")] = _UNSET
    this: _Annotated[Unset | None, Name("83")] = _UNSET
    arguments: _Annotated[Unset | None, Name("84")] = _UNSET
    eval: _Annotated[Unset | None, Name("85")] = _UNSET
    undefined: _Annotated[Unset | None, Name("86")] = _UNSET
    input: _Annotated[Unset | None, Name("87")] = _UNSET
    options: _Annotated[Unset | None, Name("88")] = _UNSET
    client: _Annotated[Unset | None, Name("89")] = _UNSET
    None_: _Annotated[Unset | None, Name("9")] = _UNSET
    a_b_5: _Annotated[Unset | None, Name("90")] = _UNSET
    class_: _Annotated[Unset | None, Name("91")] = _UNSET


@_dataclass(frozen=True, slots=True, kw_only=True)
class Response:
    """
    \\
    """

    Response: _str
    """
    It ends \"\"\" here \\\"\"\" and \\N{DASH} \\u0041 \\x \\. For example ``It ends \"\"\" here \\\"\"\" and \\N{DASH} \\u0041 \\x \\``.
    """
    next: _list[_Annotated[_str, Pattern("^[\"'`\\\\]*/$")]] = _field(default_factory=lambda: ["\\", "\n", "${x}"])
    """*/ alert(1) /* // `${alert(1)}` </script><!-- ]]>."""
    type: _Literal["*/"] | Unset = _UNSET
    """
    @ts-nocheck
    @ts-ignore
    # type: ignore
    # noqa
    // eslint-disable.
    """


@_dataclass(frozen=True, slots=True, kw_only=True)
class Schema:
    """{@link javascript:alert(1)} @deprecated @internal"""

    Schema: _str
    """
    It ends \"\"\" here \\\"\"\" and \\N{DASH} \\u0041 \\x \\. For example ``It ends \"\"\" here \\\"\"\" and \\N{DASH} \\u0041 \\x \\``.
    """
    next: _list[_Annotated[_str, Pattern("^[\"'`\\\\]*/$")]] = _field(default_factory=lambda: ["\\", "\n", "${x}"])
    """*/ alert(1) /* // `${alert(1)}` </script><!-- ]]>."""
    type: _Literal["*/"] | Unset = _UNSET
    """
    @ts-nocheck
    @ts-ignore
    # type: ignore
    # noqa
    // eslint-disable.
    """


@_dataclass(frozen=True, slots=True, kw_only=True)
class SchemasInput:
    self: _str
    """
    It ends \"\"\" here \\\"\"\" and \\N{DASH} \\u0041 \\x \\. For example ``It ends \"\"\" here \\\"\"\" and \\N{DASH} \\u0041 \\x \\``.
    """
    input: _list[_Annotated[_str, Pattern("^[\"'`\\\\]*/$")]] = _field(default_factory=lambda: ["\\", "\n", "${x}"])
    """*/ alert(1) /* // `${alert(1)}` </script><!-- ]]>."""
    options: _Literal["*/"] | Unset = _UNSET
    """
    @ts-nocheck
    @ts-ignore
    # type: ignore
    # noqa
    // eslint-disable.
    """
    client: _dict[_str, _Any] = _field(default_factory=lambda: {"__proto__": {"constructor": 1}, "toString": None})
    """
    import os
    os.abort()

    \\u0000\\u001b[31m.
    """
    timeout: _str | None = "\u202e\\"
    """\\u202e gnitirw \\u200b\\u2066 desrever \\u00ad\\ufeff."""
    signal: Names
    """-*- coding: utf-7 -*-."""
    body: _dict[Names, None] | Unset = _UNSET
    """
    aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa
    bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb.
    """


@_dataclass(frozen=True, slots=True, kw_only=True)
class StrInput:
    self: _str
    """
    It ends \"\"\" here \\\"\"\" and \\N{DASH} \\u0041 \\x \\. For example ``It ends \"\"\" here \\\"\"\" and \\N{DASH} \\u0041 \\x \\``.
    """
    input: _list[_Annotated[_str, Pattern("^[\"'`\\\\]*/$")]] = _field(default_factory=lambda: ["\\", "\n", "${x}"])
    """*/ alert(1) /* // `${alert(1)}` </script><!-- ]]>."""
    options: _Literal["*/"] | Unset = _UNSET
    """
    @ts-nocheck
    @ts-ignore
    # type: ignore
    # noqa
    // eslint-disable.
    """
    client: _dict[_str, _Any] = _field(default_factory=lambda: {"__proto__": {"constructor": 1}, "toString": None})
    """
    import os
    os.abort()

    \\u0000\\u001b[31m.
    """
    timeout: _str | None = "\u202e\\"
    """\\u202e gnitirw \\u200b\\u2066 desrever \\u00ad\\ufeff."""
    signal: Names
    """-*- coding: utf-7 -*-."""
    body: _dict[Names, None] | Unset = _UNSET
    """
    aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa
    bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb.
    """


@_dataclass(frozen=True, slots=True, kw_only=True)
class String:
    """
    It ends \"\"\" here \\\"\"\" and \\N{DASH} \\u0041 \\x \\
    """

    String: _str
    """
    It ends \"\"\" here \\\"\"\" and \\N{DASH} \\u0041 \\x \\. For example ``It ends \"\"\" here \\\"\"\" and \\N{DASH} \\u0041 \\x \\``.
    """
    next: _list[_Annotated[_str, Pattern("^[\"'`\\\\]*/$")]] = _field(default_factory=lambda: ["\\", "\n", "${x}"])
    """*/ alert(1) /* // `${alert(1)}` </script><!-- ]]>."""
    type: _Literal["*/"] | Unset = _UNSET
    """
    @ts-nocheck
    @ts-ignore
    # type: ignore
    # noqa
    // eslint-disable.
    """


@_dataclass(frozen=True, slots=True, kw_only=True)
class Symbol:
    """*/ alert(1) /* // `${alert(1)}` </script><!-- ]]>"""

    Symbol: _str
    """
    It ends \"\"\" here \\\"\"\" and \\N{DASH} \\u0041 \\x \\. For example ``It ends \"\"\" here \\\"\"\" and \\N{DASH} \\u0041 \\x \\``.
    """
    next: _list[_Annotated[_str, Pattern("^[\"'`\\\\]*/$")]] = _field(default_factory=lambda: ["\\", "\n", "${x}"])
    """*/ alert(1) /* // `${alert(1)}` </script><!-- ]]>."""
    type: _Literal["*/"] | Unset = _UNSET
    """
    @ts-nocheck
    @ts-ignore
    # type: ignore
    # noqa
    // eslint-disable.
    """


@_dataclass(frozen=True, slots=True, kw_only=True)
class ToStringInput:
    self: _str
    """
    It ends \"\"\" here \\\"\"\" and \\N{DASH} \\u0041 \\x \\. For example ``It ends \"\"\" here \\\"\"\" and \\N{DASH} \\u0041 \\x \\``.
    """
    input: _list[_Annotated[_str, Pattern("^[\"'`\\\\]*/$")]] = _field(default_factory=lambda: ["\\", "\n", "${x}"])
    """*/ alert(1) /* // `${alert(1)}` </script><!-- ]]>."""
    options: _Literal["*/"] | Unset = _UNSET
    """
    @ts-nocheck
    @ts-ignore
    # type: ignore
    # noqa
    // eslint-disable.
    """
    client: _dict[_str, _Any] = _field(default_factory=lambda: {"__proto__": {"constructor": 1}, "toString": None})
    """
    import os
    os.abort()

    \\u0000\\u001b[31m.
    """
    timeout: _str | None = "\u202e\\"
    """\\u202e gnitirw \\u200b\\u2066 desrever \\u00ad\\ufeff."""
    signal: Names
    """-*- coding: utf-7 -*-."""
    body: _dict[Names, None] | Unset = _UNSET
    """
    aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa
    bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb.
    """


class Tuple(NamedTuple):
    item: None
    """It ends \"\"\" here \\\"\"\" and \\N{DASH} \\u0041 \\x \\."""
    item_1st: None
    """*/ alert(1) /* // `${alert(1)}` </script><!-- ]]>."""
    a_b_2: None
    """
    @ts-nocheck
    @ts-ignore
    # type: ignore
    # noqa
    // eslint-disable.
    """
    a_b_3: None = None
    """
    import os
    os.abort()

    \\u0000\\u001b[31m.
    """
    a_b: None = None
    """\\u202e gnitirw \\u200b\\u2066 desrever \\u00ad\\ufeff."""
    a_b_4: None = None
    """-*- coding: utf-7 -*-."""
    A_B: None = None
    """
    aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa
    bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb.
    """
    class_: None = None
    """
    ".
    """
    def_: None = None
    """\\."""
    None_: None = None
    """{@link javascript:alert(1)} @deprecated @internal."""
    await_: None = None
    """%s %(x)s {x} {0.__class__}."""
    match: None = None
    """It ends \"\"\" here \\\"\"\" and \\N{DASH} \\u0041 \\x \\."""
    type: None = None
    """*/ alert(1) /* // `${alert(1)}` </script><!-- ]]>."""
    self: None = None
    """
    @ts-nocheck
    @ts-ignore
    # type: ignore
    # noqa
    // eslint-disable.
    """
    cls: None = None
    """
    import os
    os.abort()

    \\u0000\\u001b[31m.
    """
    lambda_: None = None
    """\\u202e gnitirw \\u200b\\u2066 desrever \\u00ad\\ufeff."""
    init: None = None
    """-*- coding: utf-7 -*-."""
    class_2: None = None
    """
    aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa
    bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb.
    """
    slots: None = None
    """
    ".
    """
    dict_2: None = None
    """\\."""
    post_init: None = None
    """{@link javascript:alert(1)} @deprecated @internal."""
    mangled: None = None
    """%s %(x)s {x} {0.__class__}."""
    private: None = None
    """It ends \"\"\" here \\\"\"\" and \\N{DASH} \\u0041 \\x \\."""
    item_6: None = None
    """*/ alert(1) /* // `${alert(1)}` </script><!-- ]]>."""
    item_7: None = None
    """
    @ts-nocheck
    @ts-ignore
    # type: ignore
    # noqa
    // eslint-disable.
    """
    constructor: None = None
    """
    import os
    os.abort()

    \\u0000\\u001b[31m.
    """
    proto: None = None
    """\\u202e gnitirw \\u200b\\u2066 desrever \\u00ad\\ufeff."""
    prototype: None = None
    """-*- coding: utf-7 -*-."""
    toString: None = None
    """
    aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa
    bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb.
    """
    valueOf: None = None
    """
    ".
    """
    hasOwnProperty: None = None
    """\\."""
    then: None = None
    """{@link javascript:alert(1)} @deprecated @internal."""
    toJSON: None = None
    """%s %(x)s {x} {0.__class__}."""
    ok: None = None
    """It ends \"\"\" here \\\"\"\" and \\N{DASH} \\u0041 \\x \\."""
    code: None = None
    """*/ alert(1) /* // `${alert(1)}` </script><!-- ]]>."""
    value: None = None
    """
    @ts-nocheck
    @ts-ignore
    # type: ignore
    # noqa
    // eslint-disable.
    """
    data: None = None
    """
    import os
    os.abort()

    \\u0000\\u001b[31m.
    """
    str: None = None
    """\\u202e gnitirw \\u200b\\u2066 desrever \\u00ad\\ufeff."""
    int: None = None
    """-*- coding: utf-7 -*-."""
    list: None = None
    """
    aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa
    bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb.
    """
    dict: None = None
    """
    ".
    """
    object: None = None
    """\\."""
    date: None = None
    """{@link javascript:alert(1)} @deprecated @internal."""
    datetime: None = None
    """%s %(x)s {x} {0.__class__}."""
    Decimal: None = None
    """It ends \"\"\" here \\\"\"\" and \\N{DASH} \\u0041 \\x \\."""
    UUID: None = None
    """*/ alert(1) /* // `${alert(1)}` </script><!-- ]]>."""
    field: None = None
    """
    @ts-nocheck
    @ts-ignore
    # type: ignore
    # noqa
    // eslint-disable.
    """
    Annotated: None = None
    """
    import os
    os.abort()

    \\u0000\\u001b[31m.
    """
    Literal: None = None
    """\\u202e gnitirw \\u200b\\u2066 desrever \\u00ad\\ufeff."""
    Any: None = None
    """-*- coding: utf-7 -*-."""
    Ok: None = None
    """
    aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa
    bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb.
    """
    UNSET: None = None
    """
    ".
    """
    quote_s: None = None
    """\\."""
    it_s: None = None
    """{@link javascript:alert(1)} @deprecated @internal."""
    back_slash: None = None
    """%s %(x)s {x} {0.__class__}."""
    new_line: None = None
    """It ends \"\"\" here \\\"\"\" and \\N{DASH} \\u0041 \\x \\."""
    car_riage: None = None
    """*/ alert(1) /* // `${alert(1)}` </script><!-- ]]>."""
    tab: None = None
    """
    @ts-nocheck
    @ts-ignore
    # type: ignore
    # noqa
    // eslint-disable.
    """
    nul: None = None
    """
    import os
    os.abort()

    \\u0000\\u001b[31m.
    """
    item_3: None = None
    """\\u202e gnitirw \\u200b\\u2066 desrever \\u00ad\\ufeff."""
    item_4: None = None
    """-*- coding: utf-7 -*-."""
    item_5: None = None
    """
    aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa
    bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb.
    """
    item_2: None = None
    """
    ".
    """
    x: None = None
    """\\."""
    item_8: None = None
    """{@link javascript:alert(1)} @deprecated @internal."""
    script: None = None
    """%s %(x)s {x} {0.__class__}."""
    u202e_gnp: None = None
    """It ends \"\"\" here \\\"\"\" and \\N{DASH} \\u0041 \\x \\."""
    zero_u200b_width: None = None
    """*/ alert(1) /* // `${alert(1)}` </script><!-- ]]>."""
    line_u2028_end: None = None
    """
    @ts-nocheck
    @ts-ignore
    # type: ignore
    # noqa
    // eslint-disable.
    """
    é: None = None
    """
    import os
    os.abort()

    \\u0000\\u001b[31m.
    """
    e: None = None
    """\\u202e gnitirw \\u200b\\u2066 desrever \\u00ad\\ufeff."""
    fi_2: None = None
    """-*- coding: utf-7 -*-."""
    fi: None = None
    """
    aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa
    bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb.
    """
    日本: None = None
    """
    ".
    """
    а: None = None
    """\\."""
    u1f600: None = None
    """{@link javascript:alert(1)} @deprecated @internal."""
    xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx_0d4e2ca9: None = None
    """%s %(x)s {x} {0.__class__}."""
    default: None = None
    """It ends \"\"\" here \\\"\"\" and \\N{DASH} \\u0041 \\x \\."""
    enum: None = None
    """*/ alert(1) /* // `${alert(1)}` </script><!-- ]]>."""
    export: None = None
    """
    @ts-nocheck
    @ts-ignore
    # type: ignore
    # noqa
    // eslint-disable.
    """
    function: None = None
    """
    import os
    os.abort()

    \\u0000\\u001b[31m.
    """
    delete: None = None
    """\\u202e gnitirw \\u200b\\u2066 desrever \\u00ad\\ufeff."""
    new: None = None
    """-*- coding: utf-7 -*-."""
    this: None = None
    """
    aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa
    bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb.
    """
    arguments: None = None
    """
    ".
    """
    eval: None = None
    """\\."""
    undefined: None = None
    """{@link javascript:alert(1)} @deprecated @internal."""
    input: None = None
    """%s %(x)s {x} {0.__class__}."""
    options: None = None
    """It ends \"\"\" here \\\"\"\" and \\N{DASH} \\u0041 \\x \\."""
    client: None = None
    """*/ alert(1) /* // `${alert(1)}` </script><!-- ]]>."""
    count_: None = None
    """
    @ts-nocheck
    @ts-ignore
    # type: ignore
    # noqa
    // eslint-disable.
    """
    index_: None = None
    """
    import os
    os.abort()

    \\u0000\\u001b[31m.
    """
    asdict: None = None
    """\\u202e gnitirw \\u200b\\u2066 desrever \\u00ad\\ufeff."""
    replace: None = None
    """-*- coding: utf-7 -*-."""


schemas_: TypeAlias = _Literal["schemas", 1]
"""
\\
"""


UNSET_: TypeAlias = _list[schemas_]
"""
\"
"""


USER: TypeAlias = _Literal["USER", 1]
"""%s %(x)s {x} {0.__class__}"""


Uint8Array: TypeAlias = _list[Map]
"""%s %(x)s {x} {0.__class__}"""


class Unset_(_Enum):
    """
    aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa
    bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb
    """

    Unset = "Unset"
    mro_ = "*/"


Values: TypeAlias = _Literal[
    " ",
    "1st",
    "a b",
    "a-b",
    "a_b",
    "a.b",
    "A_B",
    "class",
    "def",
    "None",
    "await",
    "match",
    "type",
    "self",
    "cls",
    "lambda",
    "__init__",
    "__class__",
    "__slots__",
    "__dict__",
    "__post_init__",
    "__mangled",
    "_private",
    "_",
    "__",
    "constructor",
    "__proto__",
    "prototype",
    "toString",
    "valueOf",
    "hasOwnProperty",
    "then",
    "toJSON",
    "ok",
    "code",
    "value",
    "data",
    "str",
    "int",
    "list",
    "dict",
    "object",
    "date",
    "datetime",
    "Decimal",
    "UUID",
    "field",
    "Annotated",
    "Literal",
    "Any",
    "Ok",
    "UNSET",
    'quote"s',
    "it's",
    "back\\slash",
    "new\nline",
    "car\rriage",
    "tab\t",
    "nul\x00",
    "*/",
    "/*",
    "//",
    "#",
    "${x}",
    "`",
    "</script>",
    "\u202egnp",
    "zero\u200bwidth",
    "line\u2028end",
    "é",
    "é",
    "ﬁ",
    "fi",
    "日本",
    "а",
    "😀",
    "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
    "default",
    "enum",
    "export",
    "function",
    "delete",
    "new",
    "this",
    "arguments",
    "eval",
    "undefined",
    "input",
    "options",
    "client",
    0,
    1,
    -9223372036854775808,
    18446744073709551615,
    True,
]


@_dataclass(frozen=True, slots=True, kw_only=True)
class any:
    """
    import os
    os.abort()

    \\u0000\\u001b[31m
    """

    any: _str
    """
    It ends \"\"\" here \\\"\"\" and \\N{DASH} \\u0041 \\x \\. For example ``It ends \"\"\" here \\\"\"\" and \\N{DASH} \\u0041 \\x \\``.
    """
    next: _list[_Annotated[_str, Pattern("^[\"'`\\\\]*/$")]] = _field(default_factory=lambda: ["\\", "\n", "${x}"])
    """*/ alert(1) /* // `${alert(1)}` </script><!-- ]]>."""
    type: _Literal["*/"] | Unset = _UNSET
    """
    @ts-nocheck
    @ts-ignore
    # type: ignore
    # noqa
    // eslint-disable.
    """


class arguments(_Enum):
    """-*- coding: utf-7 -*-"""

    arguments = "arguments"
    mro_ = "*/"


class await_(_Enum):
    """
    It ends \"\"\" here \\\"\"\" and \\N{DASH} \\u0041 \\x \\
    """

    await_ = "await"
    mro_ = "*/"


_await_ = await_


@_dataclass(frozen=True, slots=True, kw_only=True)
class class_:
    """%s %(x)s {x} {0.__class__}"""

    class_: _Annotated[_str, Name("class")]
    """
    It ends \"\"\" here \\\"\"\" and \\N{DASH} \\u0041 \\x \\. For example ``It ends \"\"\" here \\\"\"\" and \\N{DASH} \\u0041 \\x \\``.
    """
    next: _list[_Annotated[_str, Pattern("^[\"'`\\\\]*/$")]] = _field(default_factory=lambda: ["\\", "\n", "${x}"])
    """*/ alert(1) /* // `${alert(1)}` </script><!-- ]]>."""
    type: _Literal["*/"] | Unset = _UNSET
    """
    @ts-nocheck
    @ts-ignore
    # type: ignore
    # noqa
    // eslint-disable.
    """


_class_ = class_


@_dataclass(frozen=True, slots=True, kw_only=True)
class constructor:
    """
    \"
    """

    constructor: _str
    """
    It ends \"\"\" here \\\"\"\" and \\N{DASH} \\u0041 \\x \\. For example ``It ends \"\"\" here \\\"\"\" and \\N{DASH} \\u0041 \\x \\``.
    """
    next: _list[_Annotated[_str, Pattern("^[\"'`\\\\]*/$")]] = _field(default_factory=lambda: ["\\", "\n", "${x}"])
    """*/ alert(1) /* // `${alert(1)}` </script><!-- ]]>."""
    type: _Literal["*/"] | Unset = _UNSET
    """
    @ts-nocheck
    @ts-ignore
    # type: ignore
    # noqa
    // eslint-disable.
    """


_constructor = constructor


dataclass: TypeAlias = _Literal["dataclass", 1]
"""
aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa
bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb
"""


class dict(_Enum):
    """
    \"
    """

    dict = "dict"
    mro_ = "*/"


@_dataclass(frozen=True, slots=True, kw_only=True)
class eval:
    """\\u202e gnitirw \\u200b\\u2066 desrever \\u00ad\\ufeff"""

    eval: _str
    """
    It ends \"\"\" here \\\"\"\" and \\N{DASH} \\u0041 \\x \\. For example ``It ends \"\"\" here \\\"\"\" and \\N{DASH} \\u0041 \\x \\``.
    """
    next: _list[_Annotated[_str, Pattern("^[\"'`\\\\]*/$")]] = _field(default_factory=lambda: ["\\", "\n", "${x}"])
    """*/ alert(1) /* // `${alert(1)}` </script><!-- ]]>."""
    type: _Literal["*/"] | Unset = _UNSET
    """
    @ts-nocheck
    @ts-ignore
    # type: ignore
    # noqa
    // eslint-disable.
    """


@_dataclass(frozen=True, slots=True, kw_only=True)
class globalThis:
    """
    It ends \"\"\" here \\\"\"\" and \\N{DASH} \\u0041 \\x \\
    """

    globalThis: _str
    """
    It ends \"\"\" here \\\"\"\" and \\N{DASH} \\u0041 \\x \\. For example ``It ends \"\"\" here \\\"\"\" and \\N{DASH} \\u0041 \\x \\``.
    """
    next: _list[_Annotated[_str, Pattern("^[\"'`\\\\]*/$")]] = _field(default_factory=lambda: ["\\", "\n", "${x}"])
    """*/ alert(1) /* // `${alert(1)}` </script><!-- ]]>."""
    type: _Literal["*/"] | Unset = _UNSET
    """
    @ts-nocheck
    @ts-ignore
    # type: ignore
    # noqa
    // eslint-disable.
    """


_globalThis = globalThis


int: TypeAlias = _Literal["int", 1]
"""-*- coding: utf-7 -*-"""


interface: TypeAlias = _Literal["interface", 1]
"""
@ts-nocheck
@ts-ignore
# type: ignore
# noqa
// eslint-disable
"""


yield_: TypeAlias = _Literal["yield", 1]
"""
\"
"""


let: TypeAlias = _list[yield_]
"""
aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa
bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb
"""


@_dataclass(frozen=True, slots=True, kw_only=True)
class list:
    """
    aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa
    bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb
    """

    list: _str
    """
    It ends \"\"\" here \\\"\"\" and \\N{DASH} \\u0041 \\x \\. For example ``It ends \"\"\" here \\\"\"\" and \\N{DASH} \\u0041 \\x \\``.
    """
    next: _list[_Annotated[_str, Pattern("^[\"'`\\\\]*/$")]] = _field(default_factory=lambda: ["\\", "\n", "${x}"])
    """*/ alert(1) /* // `${alert(1)}` </script><!-- ]]>."""
    type: _Literal["*/"] | Unset = _UNSET
    """
    @ts-nocheck
    @ts-ignore
    # type: ignore
    # noqa
    // eslint-disable.
    """


_list_2 = list


class never(_Enum):
    """\\u202e gnitirw \\u200b\\u2066 desrever \\u00ad\\ufeff"""

    never = "never"
    mro_ = "*/"


class prototype(_Enum):
    """
    \\
    """

    prototype = "prototype"
    mro_ = "*/"


str: TypeAlias = _list[int]
"""\\u202e gnitirw \\u200b\\u2066 desrever \\u00ad\\ufeff"""


_str_2 = str


type: TypeAlias = _list[interface]
"""*/ alert(1) /* // `${alert(1)}` </script><!-- ]]>"""


class unwrap_(_Enum):
    """%s %(x)s {x} {0.__class__}"""

    unwrap = "unwrap"
    mro_ = "*/"


user: TypeAlias = _list[USER]
"""{@link javascript:alert(1)} @deprecated @internal"""


@final
@_dataclass(frozen=True, slots=True, kw_only=True)
class AB(DeclaredFailure, code="A_B", status=409):
    """{@link javascript:alert(1)} @deprecated @internal"""

    proto: _Annotated[_Literal["left*/"], Name("__proto__")]
    then: _Literal['"""']


@final
@_dataclass(frozen=True, slots=True, kw_only=True)
class AB_2(DeclaredFailure, code="A__B", status=409):
    """%s %(x)s {x} {0.__class__}"""

    error_code_: _Annotated[_str, Name("error_code")]
    """
    It ends \"\"\" here \\\"\"\" and \\N{DASH} \\u0041 \\x \\. For example ``It ends \"\"\" here \\\"\"\" and \\N{DASH} \\u0041 \\x \\``.
    """
    http_status_: _Annotated[_list[_Annotated[_str, Pattern("^[\"'`\\\\]*/$")]], Name("http_status")] = _field(
        default_factory=lambda: ["\\", "\n", "${x}"],
    )
    """*/ alert(1) /* // `${alert(1)}` </script><!-- ]]>."""
    code: _Literal["*/"] | Unset = _UNSET
    """
    @ts-nocheck
    @ts-ignore
    # type: ignore
    # noqa
    // eslint-disable.
    """
    status: _dict[_str, _Any] = _field(default_factory=lambda: {"__proto__": {"constructor": 1}, "toString": None})
    """
    import os
    os.abort()

    \\u0000\\u001b[31m.
    """
    data: _str | None = "\u202e\\"
    """\\u202e gnitirw \\u200b\\u2066 desrever \\u00ad\\ufeff."""
    error: Names
    """-*- coding: utf-7 -*-."""
    issues: _dict[Names, None] | Unset = _UNSET
    """
    aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa
    bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb.
    """
    ok: _int = -9223372036854775808
    """
    ".
    """
    value: _Any | Unset = _UNSET
    """\\."""


@final
@_dataclass(frozen=True, slots=True, kw_only=True)
class ApiClient_2(DeclaredFailure, code="API_CLIENT", status=409):
    """\\u202e gnitirw \\u200b\\u2066 desrever \\u00ad\\ufeff"""


@final
@_dataclass(frozen=True, slots=True, kw_only=True)
class CallError_2(DeclaredFailure, code="CALL_ERROR", status=409):
    """*/ alert(1) /* // `${alert(1)}` </script><!-- ]]>"""

    proto: _Annotated[_Literal["left*/"], Name("__proto__")]
    then: _Literal['"""']


@final
@_dataclass(frozen=True, slots=True, kw_only=True)
class Class(DeclaredFailure, code="CLASS_", status=409):
    """
    aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa
    bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb
    """

    error_code_: _Annotated[_str, Name("error_code")]
    """
    It ends \"\"\" here \\\"\"\" and \\N{DASH} \\u0041 \\x \\. For example ``It ends \"\"\" here \\\"\"\" and \\N{DASH} \\u0041 \\x \\``.
    """
    http_status_: _Annotated[_list[_Annotated[_str, Pattern("^[\"'`\\\\]*/$")]], Name("http_status")] = _field(
        default_factory=lambda: ["\\", "\n", "${x}"],
    )
    """*/ alert(1) /* // `${alert(1)}` </script><!-- ]]>."""
    code: _Literal["*/"] | Unset = _UNSET
    """
    @ts-nocheck
    @ts-ignore
    # type: ignore
    # noqa
    // eslint-disable.
    """
    status: _dict[_str, _Any] = _field(default_factory=lambda: {"__proto__": {"constructor": 1}, "toString": None})
    """
    import os
    os.abort()

    \\u0000\\u001b[31m.
    """
    data: _str | None = "\u202e\\"
    """\\u202e gnitirw \\u200b\\u2066 desrever \\u00ad\\ufeff."""
    error: Names
    """-*- coding: utf-7 -*-."""
    issues: _dict[Names, None] | Unset = _UNSET
    """
    aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa
    bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb.
    """
    ok: _int = -9223372036854775808
    """
    ".
    """
    value: _Any | Unset = _UNSET
    """\\."""


@final
@_dataclass(frozen=True, slots=True, kw_only=True)
class Constructor(DeclaredFailure, code="CONSTRUCTOR", status=409):
    """
    import os
    os.abort()

    \\u0000\\u001b[31m
    """

    proto: _Annotated[_Literal["left*/"], Name("__proto__")]
    then: _Literal['"""']


@final
@_dataclass(frozen=True, slots=True, kw_only=True)
class Error_2(DeclaredFailure, code="ERROR", status=409):
    """
    It ends \"\"\" here \\\"\"\" and \\N{DASH} \\u0041 \\x \\
    """

    proto: _Annotated[_Literal["left*/"], Name("__proto__")]
    then: _Literal['"""']


@final
@_dataclass(frozen=True, slots=True, kw_only=True)
class Json(DeclaredFailure, code="JSON", status=409):
    """
    \\
    """


@final
@_dataclass(frozen=True, slots=True, kw_only=True)
class Ok_2(DeclaredFailure, code="OK", status=409):
    """
    It ends \"\"\" here \\\"\"\" and \\N{DASH} \\u0041 \\x \\
    """


@final
@_dataclass(frozen=True, slots=True, kw_only=True)
class String_2(DeclaredFailure, code="STRING", status=409):
    """-*- coding: utf-7 -*-"""

    proto: _Annotated[_Literal["left*/"], Name("__proto__")]
    then: _Literal['"""']


@final
@_dataclass(frozen=True, slots=True, kw_only=True)
class Timeout(DeclaredFailure, code="TIMEOUT", status=409):
    """
    \"
    """

    proto: _Annotated[_Literal["left*/"], Name("__proto__")]
    then: _Literal['"""']


@final
@_dataclass(frozen=True, slots=True, kw_only=True)
class Unset_2(DeclaredFailure, code="UNSET", status=409):
    """
    @ts-nocheck
    @ts-ignore
    # type: ignore
    # noqa
    // eslint-disable
    """

    error_code_: _Annotated[_str, Name("error_code")]
    """
    It ends \"\"\" here \\\"\"\" and \\N{DASH} \\u0041 \\x \\. For example ``It ends \"\"\" here \\\"\"\" and \\N{DASH} \\u0041 \\x \\``.
    """
    http_status_: _Annotated[_list[_Annotated[_str, Pattern("^[\"'`\\\\]*/$")]], Name("http_status")] = _field(
        default_factory=lambda: ["\\", "\n", "${x}"],
    )
    """*/ alert(1) /* // `${alert(1)}` </script><!-- ]]>."""
    code: _Literal["*/"] | Unset = _UNSET
    """
    @ts-nocheck
    @ts-ignore
    # type: ignore
    # noqa
    // eslint-disable.
    """
    status: _dict[_str, _Any] = _field(default_factory=lambda: {"__proto__": {"constructor": 1}, "toString": None})
    """
    import os
    os.abort()

    \\u0000\\u001b[31m.
    """
    data: _str | None = "\u202e\\"
    """\\u202e gnitirw \\u200b\\u2066 desrever \\u00ad\\ufeff."""
    error: Names
    """-*- coding: utf-7 -*-."""
    issues: _dict[Names, None] | Unset = _UNSET
    """
    aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa
    bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb.
    """
    ok: _int = -9223372036854775808
    """
    ".
    """
    value: _Any | Unset = _UNSET
    """\\."""


exec: TypeAlias = Enum
get_user: TypeAlias = Uint8Array
toString: TypeAlias = Unset_


@final
class _Schemas:
    """Validators: of every exported type, and of the input and the output of every route."""

    def __init__(self) -> None:
        self.Any: Final[_Schema[Tuple]] = _Schema(Tuple)
        self.ApiClient: Final[_Schema[class_]] = _Schema(class_)
        self.Array: Final[_Schema[unwrap_]] = _Schema(unwrap_)
        self.AsyncApiClient: Final[_Schema[dataclass]] = _Schema(dataclass)
        self.CallError: Final[_Schema[NaN]] = _Schema(NaN)
        self.Date: Final[_Schema[list]] = _Schema(list)
        self.Decimal: Final[_Schema[USER]] = _Schema(USER)
        self.Enum: Final[_Schema[let]] = _Schema(let)
        self.Error: Final[_Schema[Date]] = _Schema(Date)
        self.Infinity: Final[_Schema[type]] = _Schema(type)
        self.Map: Final[_Schema[UNSET_]] = _Schema(UNSET_)
        self.NaN: Final[_Schema[int]] = _Schema(int)
        self.None_: Final[_Schema[await_]] = _Schema(await_)
        self.Number: Final[_Schema[Result]] = _Schema(Result)
        self.Object: Final[_Schema[AsyncApiClient_]] = _Schema(AsyncApiClient_)
        self.Ok: Final[_Schema[Names]] = _Schema(Names)
        self.Operation: Final[_Schema[any]] = _Schema(any)
        self.Promise: Final[_Schema[interface]] = _Schema(interface)
        self.Record: Final[_Schema[user]] = _Schema(user)
        self.Response: Final[_Schema[Loop]] = _Schema(Loop)
        self.Result: Final[_Schema[arguments]] = _Schema(arguments)
        self.Schema: Final[_Schema[Operation]] = _Schema(Operation)
        self.String: Final[_Schema[String]] = _Schema(String)
        self.Symbol: Final[_Schema[Any]] = _Schema(Any)
        self.True_: Final[_Schema[constructor]] = _Schema(constructor)
        self.UNSET: Final[_Schema[Response]] = _Schema(Response)
        self.USER: Final[_Schema[Record]] = _Schema(Record)
        self.Uint8Array: Final[_Schema[Map]] = _Schema(Map)
        self.Unset: Final[_Schema[Number]] = _Schema(Number)
        self.any: Final[_Schema[Ok_]] = _Schema(Ok_)
        self.arguments: Final[_Schema[eval]] = _Schema(eval)
        self.await_: Final[_Schema[Values]] = _Schema(Values)
        self.class_: Final[_Schema[Infinity]] = _Schema(Infinity)
        self.constructor: Final[_Schema[globalThis]] = _Schema(globalThis)
        self.dataclass: Final[_Schema[never]] = _Schema(never)
        self.dict: Final[_Schema[str]] = _Schema(str)
        self.eval: Final[_Schema[prototype]] = _Schema(prototype)
        self.exec: Final[_Schema[Enum]] = _Schema(Enum)
        self.get_user: Final[_Schema[Uint8Array]] = _Schema(Uint8Array)
        self.globalThis: Final[_Schema[ApiClient_]] = _Schema(ApiClient_)
        self.int: Final[_Schema[Symbol]] = _Schema(Symbol)
        self.interface: Final[_Schema[Error]] = _Schema(Error)
        self.let: Final[_Schema[Either]] = _Schema(Either)
        self.list: Final[_Schema[schemas_]] = _Schema(schemas_)
        self.never: Final[_Schema[Decimal]] = _Schema(Decimal)
        self.prototype: Final[_Schema[yield_]] = _Schema(yield_)
        self.schemas: Final[_Schema[CallError_]] = _Schema(CallError_)
        self.str: Final[_Schema[Promise]] = _Schema(Promise)
        self.toString: Final[_Schema[Unset_]] = _Schema(Unset_)
        self.type: Final[_Schema[Object]] = _Schema(Object)
        self.undefined: Final[_Schema[Schema]] = _Schema(Schema)
        self.unknown: Final[_Schema[None_]] = _Schema(None_)
        self.unwrap: Final[_Schema[dict]] = _Schema(dict)
        self.user: Final[_Schema[InPlace]] = _Schema(InPlace)
        self.yield_: Final[_Schema[Array]] = _Schema(Array)
        self.ApiClient_: Final[RouteSchemas[Data, dict]] = RouteSchemas(input=_Schema(Data), output=_Schema(dict))
        self.GETUSER: Final[RouteSchemas[GETUSERInput, arguments]] = RouteSchemas(
            input=_Schema(GETUSERInput),
            output=_Schema(arguments),
        )
        self.Object_: Final[RouteSchemas[Either, Ok_]] = RouteSchemas(input=_Schema(Either), output=_Schema(Ok_))
        self.Promise_: Final[RouteSchemas[PromiseInput, Decimal]] = RouteSchemas(
            input=_Schema(PromiseInput),
            output=_Schema(Decimal),
        )
        self.a_b: Final[RouteSchemas[Data, never]] = RouteSchemas(input=_Schema(Data), output=_Schema(never))
        self.a_2: Final[RouteSchemas[None, globalThis]] = RouteSchemas(input=_Schema(None), output=_Schema(globalThis))
        self.aclose_: Final[RouteSchemas[None, Names]] = RouteSchemas(input=_Schema(None), output=_Schema(Names))
        self.async_: Final[RouteSchemas[Error, None_]] = RouteSchemas(input=_Schema(Error), output=_Schema(None_))
        self.await__2: Final[RouteSchemas[USER, Promise]] = RouteSchemas(input=_Schema(USER), output=_Schema(Promise))
        self.baseUrl: Final[RouteSchemas[Either, await_]] = RouteSchemas(input=_Schema(Either), output=_Schema(await_))
        self.base_url_: Final[RouteSchemas[_str, str]] = RouteSchemas(input=_Schema(_str), output=_Schema(str))
        self.call: Final[RouteSchemas[None, any]] = RouteSchemas(input=_Schema(None), output=_Schema(any))
        self.class__2: Final[RouteSchemas[interface, Loop]] = RouteSchemas(
            input=_Schema(interface),
            output=_Schema(Loop),
        )
        self.client: Final[RouteSchemas[ClientInput, constructor]] = RouteSchemas(
            input=_Schema(ClientInput),
            output=_Schema(constructor),
        )
        self.close_: Final[RouteSchemas[Data, NaN]] = RouteSchemas(input=_Schema(Data), output=_Schema(NaN))
        self.constructor_: Final[RouteSchemas[_str, UNSET_]] = RouteSchemas(input=_Schema(_str), output=_Schema(UNSET_))
        self.delete: Final[RouteSchemas[None, Map]] = RouteSchemas(input=_Schema(None), output=_Schema(Map))
        self.fetch: Final[RouteSchemas[None, Object]] = RouteSchemas(input=_Schema(None), output=_Schema(Object))
        self.get_user_2: Final[RouteSchemas[Either, user]] = RouteSchemas(input=_Schema(Either), output=_Schema(user))
        self.get_user_3: Final[RouteSchemas[_str, interface]] = RouteSchemas(
            input=_Schema(_str),
            output=_Schema(interface),
        )
        self.getUser: Final[RouteSchemas[Everything, unwrap_]] = RouteSchemas(
            input=_Schema(Everything),
            output=_Schema(unwrap_),
        )
        self.get_user_: Final[RouteSchemas[None, list]] = RouteSchemas(input=_Schema(None), output=_Schema(list))
        self.globalThis_: Final[RouteSchemas[_str, Error]] = RouteSchemas(input=_Schema(_str), output=_Schema(Error))
        self.import_: Final[RouteSchemas[Renamed, Date]] = RouteSchemas(input=_Schema(Renamed), output=_Schema(Date))
        self.input: Final[RouteSchemas[str, Infinity]] = RouteSchemas(input=_Schema(str), output=_Schema(Infinity))
        self.list_: Final[RouteSchemas[Either, let]] = RouteSchemas(input=_Schema(Either), output=_Schema(let))
        self.options_: Final[RouteSchemas[None, schemas_]] = RouteSchemas(input=_Schema(None), output=_Schema(schemas_))
        self.print: Final[RouteSchemas[_str, USER]] = RouteSchemas(input=_Schema(_str), output=_Schema(USER))
        self.prototype_: Final[RouteSchemas[UNSET_, dataclass]] = RouteSchemas(
            input=_Schema(UNSET_),
            output=_Schema(dataclass),
        )
        self.schemas_: Final[RouteSchemas[SchemasInput, CallError_]] = RouteSchemas(
            input=_Schema(SchemasInput),
            output=_Schema(CallError_),
        )
        self.self: Final[RouteSchemas[Data, Values]] = RouteSchemas(input=_Schema(Data), output=_Schema(Values))
        self.str_: Final[RouteSchemas[StrInput, Tuple]] = RouteSchemas(input=_Schema(StrInput), output=_Schema(Tuple))
        self.then: Final[RouteSchemas[Either, Any]] = RouteSchemas(input=_Schema(Either), output=_Schema(Any))
        self.toString_: Final[RouteSchemas[ToStringInput, class_]] = RouteSchemas(
            input=_Schema(ToStringInput),
            output=_Schema(class_),
        )
        self.unwrap_: Final[RouteSchemas[Number, Operation]] = RouteSchemas(
            input=_Schema(Number),
            output=_Schema(Operation),
        )
        self.withOptions: Final[RouteSchemas[Either, Response]] = RouteSchemas(
            input=_Schema(Either),
            output=_Schema(Response),
        )
        self.with_options_: Final[RouteSchemas[_str, Number]] = RouteSchemas(
            input=_Schema(_str),
            output=_Schema(Number),
        )
        self.x: Final[RouteSchemas[Data, Symbol]] = RouteSchemas(input=_Schema(Data), output=_Schema(Symbol))


schemas: Final = _Schemas()
"""Validators, with ``load``, ``check`` and ``dump``: the same as the server's."""


_APICLIENT: Final[_Operation[Data, dict, ApiClient_2 | AB | CallError_2]] = _Operation(
    "ApiClient",
    effect="write",
    schemas=schemas.ApiClient_,
    failures=(ApiClient_2, AB, CallError_2),
)
_GETUSER: Final[_Operation[GETUSERInput, arguments, ApiClient_2 | AB | CallError_2]] = _Operation(
    "GETUSER",
    effect="read",
    schemas=schemas.GETUSER,
    failures=(ApiClient_2, AB, CallError_2),
)
_OBJECT: Final[_Operation[Either, Ok_, Ok_2]] = _Operation(
    "Object",
    effect="idempotent",
    schemas=schemas.Object_,
    failures=(Ok_2,),
)
_PROMISE: Final[_Operation[PromiseInput, Decimal, Never]] = _Operation(
    "Promise",
    effect="write",
    schemas=schemas.Promise_,
)
_A_B: Final[_Operation[Data, never, Class | String_2]] = _Operation(
    "a..b",
    effect="read",
    schemas=schemas.a_b,
    failures=(Class, String_2),
)
_A_2: Final[_Operation[None, globalThis, Error_2 | Unset_2]] = _Operation(
    "a_2",
    effect="idempotent",
    schemas=schemas.a_2,
    failures=(Error_2, Unset_2),
)
_ACLOSE_: Final[_Operation[None, Names, Never]] = _Operation("aclose", effect="idempotent", schemas=schemas.aclose_)
_ASYNC_: Final[_Operation[Error, None_, Timeout]] = _Operation(
    "async.",
    effect="destructive",
    schemas=schemas.async_,
    failures=(Timeout,),
)
_AWAIT_: Final[_Operation[USER, Promise, Error_2 | Unset_2]] = _Operation(
    "await",
    effect="destructive",
    schemas=schemas.await__2,
    failures=(Error_2, Unset_2),
)
_BASEURL: Final[_Operation[Either, await_, Never]] = _Operation(
    "baseUrl",
    effect="destructive",
    schemas=schemas.baseUrl,
)
_BASE_URL_: Final[_Operation[_str, str, Ok_2]] = _Operation(
    "base_url",
    effect="write",
    schemas=schemas.base_url_,
    failures=(Ok_2,),
)
_CALL: Final[_Operation[None, any, Ok_2]] = _Operation(
    "call",
    effect="destructive",
    schemas=schemas.call,
    failures=(Ok_2,),
)
_CLASS_: Final[_Operation[interface, Loop, Ok_2]] = _Operation(
    "class",
    effect="idempotent",
    schemas=schemas.class__2,
    failures=(Ok_2,),
)
_CLIENT: Final[_Operation[ClientInput, constructor, Timeout]] = _Operation(
    "client",
    effect="read",
    schemas=schemas.client,
    failures=(Timeout,),
)
_CLOSE_: Final[_Operation[Data, NaN, Ok_2]] = _Operation(
    "close",
    effect="read",
    schemas=schemas.close_,
    failures=(Ok_2,),
)
_CONSTRUCTOR: Final[_Operation[_str, UNSET_, Class | String_2]] = _Operation(
    "constructor",
    effect="read",
    schemas=schemas.constructor_,
    failures=(Class, String_2),
)
_DELETE: Final[_Operation[None, Map, Timeout]] = _Operation(
    "delete",
    effect="destructive",
    schemas=schemas.delete,
    failures=(Timeout,),
)
_FETCH: Final[_Operation[None, Object, AB_2 | Constructor | Json]] = _Operation(
    "fetch",
    effect="destructive",
    schemas=schemas.fetch,
    failures=(AB_2, Constructor, Json),
)
_GET_USER_2: Final[_Operation[Either, user, AB_2 | Constructor | Json]] = _Operation(
    "get-user",
    effect="destructive",
    schemas=schemas.get_user_2,
    failures=(AB_2, Constructor, Json),
)
_GET_USER_3: Final[_Operation[_str, interface, Error_2 | Unset_2]] = _Operation(
    "get.user",
    effect="write",
    schemas=schemas.get_user_3,
    failures=(Error_2, Unset_2),
)
_GETUSER_2: Final[_Operation[Everything, unwrap_, Timeout]] = _Operation(
    "getUser",
    effect="read",
    schemas=schemas.getUser,
    failures=(Timeout,),
)
_GET_USER: Final[_Operation[None, list, Class | String_2]] = _Operation(
    "get_user",
    effect="idempotent",
    schemas=schemas.get_user_,
    failures=(Class, String_2),
)
_GLOBALTHIS: Final[_Operation[_str, Error, ApiClient_2 | AB | CallError_2]] = _Operation(
    "globalThis",
    effect="read",
    schemas=schemas.globalThis_,
    failures=(ApiClient_2, AB, CallError_2),
)
_IMPORT_: Final[_Operation[Renamed, Date, Never]] = _Operation("import", effect="write", schemas=schemas.import_)
_INPUT: Final[_Operation[str, Infinity, Class | String_2]] = _Operation(
    "input",
    effect="idempotent",
    schemas=schemas.input,
    failures=(Class, String_2),
)
_LIST: Final[_Operation[Either, let, Timeout]] = _Operation(
    "list",
    effect="idempotent",
    schemas=schemas.list_,
    failures=(Timeout,),
)
_OPTIONS_: Final[_Operation[None, schemas_, ApiClient_2 | AB | CallError_2]] = _Operation(
    "options",
    effect="idempotent",
    schemas=schemas.options_,
    failures=(ApiClient_2, AB, CallError_2),
)
_PRINT: Final[_Operation[_str, USER, Never]] = _Operation("print", effect="read", schemas=schemas.print)
_PROTOTYPE: Final[_Operation[UNSET_, dataclass, ApiClient_2 | AB | CallError_2]] = _Operation(
    "prototype",
    effect="destructive",
    schemas=schemas.prototype_,
    failures=(ApiClient_2, AB, CallError_2),
)
_SCHEMAS: Final[_Operation[SchemasInput, CallError_, Error_2 | Unset_2]] = _Operation(
    "schemas",
    effect="read",
    schemas=schemas.schemas_,
    failures=(Error_2, Unset_2),
)
_SELF: Final[_Operation[Data, Values, Error_2 | Unset_2]] = _Operation(
    "self",
    effect="write",
    schemas=schemas.self,
    failures=(Error_2, Unset_2),
)
_STR: Final[_Operation[StrInput, Tuple, Class | String_2]] = _Operation(
    "str",
    effect="write",
    schemas=schemas.str_,
    failures=(Class, String_2),
)
_THEN: Final[_Operation[Either, Any, Error_2 | Unset_2]] = _Operation(
    "then",
    effect="idempotent",
    schemas=schemas.then,
    failures=(Error_2, Unset_2),
)
_TOSTRING: Final[_Operation[ToStringInput, class_, AB_2 | Constructor | Json]] = _Operation(
    "toString",
    effect="write",
    schemas=schemas.toString_,
    failures=(AB_2, Constructor, Json),
)
_UNWRAP: Final[_Operation[Number, Operation, AB_2 | Constructor | Json]] = _Operation(
    "unwrap",
    effect="idempotent",
    schemas=schemas.unwrap_,
    failures=(AB_2, Constructor, Json),
)
_WITHOPTIONS: Final[_Operation[Either, Response, Class | String_2]] = _Operation(
    "withOptions",
    effect="destructive",
    schemas=schemas.withOptions,
    failures=(Class, String_2),
)
_WITH_OPTIONS_: Final[_Operation[_str, Number, Timeout]] = _Operation(
    "with_options",
    effect="write",
    schemas=schemas.with_options_,
    failures=(Timeout,),
)
_X: Final[_Operation[Data, Symbol, AB_2 | Constructor | Json]] = _Operation(
    "x-",
    effect="read",
    schemas=schemas.x,
    failures=(AB_2, Constructor, Json),
)


class ApiClient(ApiClientBase):
    """A client of It ends \"\"\" here \\\"\"\" and \\N{DASH} \\u0041 \\x \\."""

    _title = 'It ends """ here \\""" and \\N{DASH} \\u0041 \\x \\'
    _version = "*/ alert(1) /* // `${alert(1)}` </script><!-- ]]>"

    def __init__(
        self,
        base_url: _str,
        *,
        token: HeaderValue | None = None,
        **options: Unpack[ClientOptions],
    ) -> None:
        """
        Make a client with the credential, or without.

        Args:
            token: A bearer token, or a function that gives it.
            options: As those of every client.
        """
        ApiClientBase.__init__(self, base_url, **options)
        self._send_with(bearer=token)

    def ApiClient(
        self,
        *,
        error_code_: _str,
        http_status_: _list[_str] | Unset = _UNSET,
        code: _Literal["*/"] | Unset = _UNSET,
        status: _dict[_str, _Any] | Unset = _UNSET,
        data: _str | None = "\u202e\\",
        error: Names,
        issues: _dict[Names, None] | Unset = _UNSET,
        ok: _int = -9223372036854775808,
        value: _Any | Unset = _UNSET,
    ) -> _Ok[dict] | ApiClient_2 | AB | CallError_2 | CallError:
        """
        ".

        \\

        Is never tried again by itself.

        Args:
            error_code_: It ends \"\"\" here \\\"\"\" and \\N{DASH} \\u0041 \\x \\.
            http_status_: */ alert(1) /* // `${alert(1)}` </script><!-- ]]>.
            code: @ts-nocheck
                @ts-ignore
                # type: ignore
                # noqa
                // eslint-disable.
            status: import os
                os.abort()

                \\u0000\\u001b[31m.
            data: \\u202e gnitirw \\u200b\\u2066 desrever \\u00ad\\ufeff.
            error: -*- coding: utf-7 -*-.
            issues:
                aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa
                bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb.
            ok: ".
            value: \\.

        Failures:
            ApiClient_2: \\u202e gnitirw \\u200b\\u2066 desrever \\u00ad\\ufeff
            AB: {@link javascript:alert(1)} @deprecated @internal
            CallError_2: */ alert(1) /* // `${alert(1)}` </script><!-- ]]>
        """
        return self._call(
            _APICLIENT,
            Data(
                error_code_=error_code_,
                http_status_=["\\", "\n", "${x}"] if http_status_ is _UNSET else http_status_,
                code=code,
                status={"__proto__": {"constructor": 1}, "toString": None} if status is _UNSET else status,
                data=data,
                error=error,
                issues=issues,
                ok=ok,
                value=value,
            ),
        )

    def GETUSER(
        _self,
        *,
        self: _str,
        input: _list[_str] | Unset = _UNSET,
        options: _Literal["*/"] | Unset = _UNSET,
        client: _dict[_str, _Any] | Unset = _UNSET,
        timeout: _str | None = "\u202e\\",
        signal: Names,
        body: _dict[Names, None] | Unset = _UNSET,
    ) -> _Ok[arguments] | ApiClient_2 | AB | CallError_2 | CallError:
        """
        \\u202e gnitirw \\u200b\\u2066 desrever \\u00ad\\ufeff.

        -*- coding: utf-7 -*-

        Only reads, so it is tried again if no answer comes.

        Args:
            self: It ends \"\"\" here \\\"\"\" and \\N{DASH} \\u0041 \\x \\.
            input: */ alert(1) /* // `${alert(1)}` </script><!-- ]]>.
            options: @ts-nocheck
                @ts-ignore
                # type: ignore
                # noqa
                // eslint-disable.
            client: import os
                os.abort()

                \\u0000\\u001b[31m.
            timeout: \\u202e gnitirw \\u200b\\u2066 desrever \\u00ad\\ufeff.
            signal: -*- coding: utf-7 -*-.
            body:
                aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa
                bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb.

        Failures:
            ApiClient_2: \\u202e gnitirw \\u200b\\u2066 desrever \\u00ad\\ufeff
            AB: {@link javascript:alert(1)} @deprecated @internal
            CallError_2: */ alert(1) /* // `${alert(1)}` </script><!-- ]]>
        """
        return _self._call(
            _GETUSER,
            GETUSERInput(
                self=self,
                input=["\\", "\n", "${x}"] if input is _UNSET else input,
                options=options,
                client={"__proto__": {"constructor": 1}, "toString": None} if client is _UNSET else client,
                timeout=timeout,
                signal=signal,
                body=body,
            ),
        )

    def Object(self, input: Either, /) -> _Ok[Ok_] | Ok_2 | CallError:
        """
        It ends \"\"\" here \\\"\"\" and \\N{DASH} \\u0041 \\x \\.

        */ alert(1) /* // `${alert(1)}` </script><!-- ]]>

        Needs a client with ``token``. Does no more when it is repeated, so it is tried again if no answer comes.

        Failures:
            Ok_2: It ends \"\"\" here \\\"\"\" and \\N{DASH} \\u0041 \\x \\
        """
        return self._call(_OBJECT, input)

    def Promise(
        _self,
        *,
        self: _str,
        input: _list[_str] | Unset = _UNSET,
        options: _Literal["*/"] | Unset = _UNSET,
        client: _dict[_str, _Any] | Unset = _UNSET,
        timeout: _str | None = "\u202e\\",
        signal: Names,
        body: _dict[Names, None] | Unset = _UNSET,
    ) -> _Ok[Decimal] | CallError:
        """
        */ alert(1) /* // `${alert(1)}` </script><!-- ]]>.

        @ts-nocheck
        @ts-ignore
        # type: ignore
        # noqa
        // eslint-disable

        Is never tried again by itself.

        Args:
            self: It ends \"\"\" here \\\"\"\" and \\N{DASH} \\u0041 \\x \\.
            input: */ alert(1) /* // `${alert(1)}` </script><!-- ]]>.
            options: @ts-nocheck
                @ts-ignore
                # type: ignore
                # noqa
                // eslint-disable.
            client: import os
                os.abort()

                \\u0000\\u001b[31m.
            timeout: \\u202e gnitirw \\u200b\\u2066 desrever \\u00ad\\ufeff.
            signal: -*- coding: utf-7 -*-.
            body:
                aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa
                bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb.
        """
        return _self._call(
            _PROMISE,
            PromiseInput(
                self=self,
                input=["\\", "\n", "${x}"] if input is _UNSET else input,
                options=options,
                client={"__proto__": {"constructor": 1}, "toString": None} if client is _UNSET else client,
                timeout=timeout,
                signal=signal,
                body=body,
            ),
        )

    @deprecated("a_b is deprecated; use async_")
    def a_b(
        self,
        *,
        error_code_: _str,
        http_status_: _list[_str] | Unset = _UNSET,
        code: _Literal["*/"] | Unset = _UNSET,
        status: _dict[_str, _Any] | Unset = _UNSET,
        data: _str | None = "\u202e\\",
        error: Names,
        issues: _dict[Names, None] | Unset = _UNSET,
        ok: _int = -9223372036854775808,
        value: _Any | Unset = _UNSET,
    ) -> _Ok[never] | Class | String_2 | CallError:
        """
        import os
        os.abort()

        \\u0000\\u001b[31m.

        \\u202e gnitirw \\u200b\\u2066 desrever \\u00ad\\ufeff

        Only reads, so it is tried again if no answer comes.

        Args:
            error_code_: It ends \"\"\" here \\\"\"\" and \\N{DASH} \\u0041 \\x \\.
            http_status_: */ alert(1) /* // `${alert(1)}` </script><!-- ]]>.
            code: @ts-nocheck
                @ts-ignore
                # type: ignore
                # noqa
                // eslint-disable.
            status: import os
                os.abort()

                \\u0000\\u001b[31m.
            data: \\u202e gnitirw \\u200b\\u2066 desrever \\u00ad\\ufeff.
            error: -*- coding: utf-7 -*-.
            issues:
                aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa
                bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb.
            ok: ".
            value: \\.

        Failures:
            Class:
                aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa
                bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb
            String_2: -*- coding: utf-7 -*-
        """
        return self._call(
            _A_B,
            Data(
                error_code_=error_code_,
                http_status_=["\\", "\n", "${x}"] if http_status_ is _UNSET else http_status_,
                code=code,
                status={"__proto__": {"constructor": 1}, "toString": None} if status is _UNSET else status,
                data=data,
                error=error,
                issues=issues,
                ok=ok,
                value=value,
            ),
        )

    def a_2(self) -> _Ok[_globalThis] | Error_2 | Unset_2 | CallError:
        """
        \\u202e gnitirw \\u200b\\u2066 desrever \\u00ad\\ufeff.

        -*- coding: utf-7 -*-

        Needs a client with ``token``. Does no more when it is repeated, so it is tried again if no answer comes.

        Failures:
            Error_2: It ends \"\"\" here \\\"\"\" and \\N{DASH} \\u0041 \\x \\
            Unset_2: @ts-nocheck
                @ts-ignore
                # type: ignore
                # noqa
                // eslint-disable
        """
        return self._call(_A_2, None)

    def aclose_(self) -> _Ok[Names] | CallError:
        """
        @ts-nocheck
        @ts-ignore
        # type: ignore
        # noqa
        // eslint-disable.

        import os
        os.abort()

        \\u0000\\u001b[31m

        Needs a client with ``token``. Does no more when it is repeated, so it is tried again if no answer comes.
        """
        return self._call(_ACLOSE_, None)

    def async_(self, input: Error, /) -> _Ok[None_] | Timeout | CallError:
        """
        @ts-nocheck
        @ts-ignore
        # type: ignore
        # noqa
        // eslint-disable.

        import os
        os.abort()

        \\u0000\\u001b[31m

        Needs a client with ``token``. Destroys something, and is never tried again by itself.

        Failures:
            Timeout: \"
        """
        return self._call(_ASYNC_, input)

    def await_(self, input: USER, /) -> _Ok[_Promise] | Error_2 | Unset_2 | CallError:
        """
        */ alert(1) /* // `${alert(1)}` </script><!-- ]]>.

        @ts-nocheck
        @ts-ignore
        # type: ignore
        # noqa
        // eslint-disable

        Needs a client with ``token``. Destroys something, and is never tried again by itself.

        Failures:
            Error_2: It ends \"\"\" here \\\"\"\" and \\N{DASH} \\u0041 \\x \\
            Unset_2: @ts-nocheck
                @ts-ignore
                # type: ignore
                # noqa
                // eslint-disable
        """
        return self._call(_AWAIT_, input)

    def baseUrl(self, input: Either, /) -> _Ok[_await_] | CallError:
        """
        -*- coding: utf-7 -*-.

        aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa
        bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb

        Needs a client with ``token``. Destroys something, and is never tried again by itself.
        """
        return self._call(_BASEURL, input)

    @deprecated("base_url_ is deprecated; use options_")
    def base_url_(self, input: _str, /) -> _Ok[_str_2] | Ok_2 | CallError:
        """
        \\u202e gnitirw \\u200b\\u2066 desrever \\u00ad\\ufeff.

        -*- coding: utf-7 -*-

        Is never tried again by itself.

        Failures:
            Ok_2: It ends \"\"\" here \\\"\"\" and \\N{DASH} \\u0041 \\x \\
        """
        return self._call(_BASE_URL_, input)

    def call(self) -> _Ok[any] | Ok_2 | CallError:
        """
        \\.

        {@link javascript:alert(1)} @deprecated @internal

        Needs a client with ``token``. Destroys something, and is never tried again by itself.

        Failures:
            Ok_2: It ends \"\"\" here \\\"\"\" and \\N{DASH} \\u0041 \\x \\
        """
        return self._call(_CALL, None)

    def class_(self, input: interface, /) -> _Ok[Loop] | Ok_2 | CallError:
        """
        -*- coding: utf-7 -*-.

        aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa
        bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb

        Needs a client with ``token``. Does no more when it is repeated, so it is tried again if no answer comes.

        Failures:
            Ok_2: It ends \"\"\" here \\\"\"\" and \\N{DASH} \\u0041 \\x \\
        """
        return self._call(_CLASS_, input)

    def client(
        _self,
        *,
        self: _str,
        input: _list[_str] | Unset = _UNSET,
        options: _Literal["*/"] | Unset = _UNSET,
        client: _dict[_str, _Any] | Unset = _UNSET,
        timeout: _str | None = "\u202e\\",
        signal: Names,
        body: _dict[Names, None] | Unset = _UNSET,
    ) -> _Ok[_constructor] | Timeout | CallError:
        """
        aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa
        bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb.

        \"

        Only reads, so it is tried again if no answer comes.

        Args:
            self: It ends \"\"\" here \\\"\"\" and \\N{DASH} \\u0041 \\x \\.
            input: */ alert(1) /* // `${alert(1)}` </script><!-- ]]>.
            options: @ts-nocheck
                @ts-ignore
                # type: ignore
                # noqa
                // eslint-disable.
            client: import os
                os.abort()

                \\u0000\\u001b[31m.
            timeout: \\u202e gnitirw \\u200b\\u2066 desrever \\u00ad\\ufeff.
            signal: -*- coding: utf-7 -*-.
            body:
                aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa
                bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb.

        Failures:
            Timeout: \"
        """
        return _self._call(
            _CLIENT,
            ClientInput(
                self=self,
                input=["\\", "\n", "${x}"] if input is _UNSET else input,
                options=options,
                client={"__proto__": {"constructor": 1}, "toString": None} if client is _UNSET else client,
                timeout=timeout,
                signal=signal,
                body=body,
            ),
        )

    def close_(
        self,
        *,
        error_code_: _str,
        http_status_: _list[_str] | Unset = _UNSET,
        code: _Literal["*/"] | Unset = _UNSET,
        status: _dict[_str, _Any] | Unset = _UNSET,
        data: _str | None = "\u202e\\",
        error: Names,
        issues: _dict[Names, None] | Unset = _UNSET,
        ok: _int = -9223372036854775808,
        value: _Any | Unset = _UNSET,
    ) -> _Ok[NaN] | Ok_2 | CallError:
        """
        */ alert(1) /* // `${alert(1)}` </script><!-- ]]>.

        @ts-nocheck
        @ts-ignore
        # type: ignore
        # noqa
        // eslint-disable

        Only reads, so it is tried again if no answer comes.

        Args:
            error_code_: It ends \"\"\" here \\\"\"\" and \\N{DASH} \\u0041 \\x \\.
            http_status_: */ alert(1) /* // `${alert(1)}` </script><!-- ]]>.
            code: @ts-nocheck
                @ts-ignore
                # type: ignore
                # noqa
                // eslint-disable.
            status: import os
                os.abort()

                \\u0000\\u001b[31m.
            data: \\u202e gnitirw \\u200b\\u2066 desrever \\u00ad\\ufeff.
            error: -*- coding: utf-7 -*-.
            issues:
                aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa
                bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb.
            ok: ".
            value: \\.

        Failures:
            Ok_2: It ends \"\"\" here \\\"\"\" and \\N{DASH} \\u0041 \\x \\
        """
        return self._call(
            _CLOSE_,
            Data(
                error_code_=error_code_,
                http_status_=["\\", "\n", "${x}"] if http_status_ is _UNSET else http_status_,
                code=code,
                status={"__proto__": {"constructor": 1}, "toString": None} if status is _UNSET else status,
                data=data,
                error=error,
                issues=issues,
                ok=ok,
                value=value,
            ),
        )

    def constructor(self, input: _str, /) -> _Ok[UNSET_] | Class | String_2 | CallError:
        """
        \\.

        {@link javascript:alert(1)} @deprecated @internal

        Only reads, so it is tried again if no answer comes.

        Failures:
            Class:
                aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa
                bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb
            String_2: -*- coding: utf-7 -*-
        """
        return self._call(_CONSTRUCTOR, input)

    def delete(self) -> _Ok[Map] | Timeout | CallError:
        """
        ".

        \\

        Needs a client with ``token``. Destroys something, and is never tried again by itself.

        Failures:
            Timeout: \"
        """
        return self._call(_DELETE, None)

    @deprecated("fetch is deprecated; use self")
    def fetch(self) -> _Ok[_Object] | AB_2 | Constructor | Json | CallError:
        """
        {@link javascript:alert(1)} @deprecated @internal.

        %s %(x)s {x} {0.__class__}

        Needs a client with ``token``. Destroys something, and is never tried again by itself.

        Failures:
            AB_2: %s %(x)s {x} {0.__class__}
            Constructor:

                import os
                os.abort()

                \\u0000\\u001b[31m
            Json: \\
        """
        return self._call(_FETCH, None)

    def get_user_2(self, input: Either, /) -> _Ok[user] | AB_2 | Constructor | Json | CallError:
        """
        import os
        os.abort()

        \\u0000\\u001b[31m.

        \\u202e gnitirw \\u200b\\u2066 desrever \\u00ad\\ufeff

        Needs a client with ``token``. Destroys something, and is never tried again by itself.

        Failures:
            AB_2: %s %(x)s {x} {0.__class__}
            Constructor:

                import os
                os.abort()

                \\u0000\\u001b[31m
            Json: \\
        """
        return self._call(_GET_USER_2, input)

    def get_user_3(self, input: _str, /) -> _Ok[interface] | Error_2 | Unset_2 | CallError:
        """
        @ts-nocheck
        @ts-ignore
        # type: ignore
        # noqa
        // eslint-disable.

        import os
        os.abort()

        \\u0000\\u001b[31m

        Is never tried again by itself.

        Failures:
            Error_2: It ends \"\"\" here \\\"\"\" and \\N{DASH} \\u0041 \\x \\
            Unset_2: @ts-nocheck
                @ts-ignore
                # type: ignore
                # noqa
                // eslint-disable
        """
        return self._call(_GET_USER_3, input)

    def getUser(
        _self,
        *,
        field_2: _str,
        field_1st: _list[_str] | Unset = _UNSET,
        a_b_2: _Literal["*/"] | Unset = _UNSET,
        a_b_3: _dict[_str, _Any] | Unset = _UNSET,
        a_b: _str | None = "\u202e\\",
        a_b_4: Names,
        A_B: _dict[Names, None] | Unset = _UNSET,
        class_: _int = -9223372036854775808,
        def_: _Any | Unset = _UNSET,
        None_: _str = '"""',
        await_: _list[_str],
        match: _Literal["*/"] | Unset = _UNSET,
        type: _dict[_str, _Any] | Unset = _UNSET,
        self: _str | None = "\u202e\\",
        cls: Names = Names.client,
        lambda_: _dict[Names, None],
        init: _int = -9223372036854775808,
        class_2: _Any | Unset = _UNSET,
        slots: _str = '"""',
        dict_2: _list[_str] | Unset = _UNSET,
        post_init: _Literal["*/"],
        mangled: _dict[_str, _Any] | Unset = _UNSET,
        _private: _str | None = "\u202e\\",
        _: Names = Names.client,
        field_7: _dict[Names, None] | Unset = _UNSET,
        constructor: _int,
        proto: _Any | Unset = _UNSET,
        prototype: _str = '"""',
        toString: _list[_str] | Unset = _UNSET,
        valueOf: _Literal["*/"] | Unset = _UNSET,
        hasOwnProperty: _dict[_str, _Any],
        then: _str | None = "\u202e\\",
        toJSON: Names = Names.client,
        ok: _dict[Names, None] | Unset = _UNSET,
        code: _int = -9223372036854775808,
        value: _Any,
        data: _str = '"""',
        str: _list[_str] | Unset = _UNSET,
        int: _Literal["*/"] | Unset = _UNSET,
        list: _dict[_str, _Any] | Unset = _UNSET,
        dict: _str | None,
        object: Names = Names.client,
        date: _dict[Names, None] | Unset = _UNSET,
        datetime: _int = -9223372036854775808,
        Decimal: _Any | Unset = _UNSET,
        UUID: _str,
        field: _list[_str] | Unset = _UNSET,
        Annotated: _Literal["*/"] | Unset = _UNSET,
        Literal: _dict[_str, _Any] | Unset = _UNSET,
        Any: _str | None = "\u202e\\",
        Ok: Names,
        UNSET: _dict[Names, None] | Unset = _UNSET,
        quote_s: _int = -9223372036854775808,
        it_s: _Any | Unset = _UNSET,
        back_slash: _str = '"""',
        new_line: _list[_str],
        car_riage: _Literal["*/"] | Unset = _UNSET,
        tab: _dict[_str, _Any] | Unset = _UNSET,
        nul: _str | None = "\u202e\\",
        field_4: Names = Names.client,
        field_5: _dict[Names, None],
        field_6: _int = -9223372036854775808,
        field_3: _Any | Unset = _UNSET,
        x: _str = '"""',
        field_8: _list[_str] | Unset = _UNSET,
        script: _Literal["*/"],
        u202e_gnp: _dict[_str, _Any] | Unset = _UNSET,
        zero_u200b_width: _str | None = "\u202e\\",
        line_u2028_end: Names = Names.client,
        é: _dict[Names, None] | Unset = _UNSET,
        e: _int,
        fi_2: _Any | Unset = _UNSET,
        fi: _str = '"""',
        日本: _list[_str] | Unset = _UNSET,
        а: _Literal["*/"] | Unset = _UNSET,
        u1f600: _dict[_str, _Any],
        xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx_0d4e2ca9: Union[
            _str,
            None,
        ] = "\u202e\\",
        default: Names = Names.client,
        enum: _dict[Names, None] | Unset = _UNSET,
        export: _int = -9223372036854775808,
        function: _Any,
        delete: _str = '"""',
        new: _list[_str] | Unset = _UNSET,
        this: _Literal["*/"] | Unset = _UNSET,
        arguments: _dict[_str, _Any] | Unset = _UNSET,
        eval: _str | None,
        undefined: Names = Names.client,
        input: _dict[Names, None] | Unset = _UNSET,
        options: _int = -9223372036854775808,
        client: _Any | Unset = _UNSET,
    ) -> _Ok[unwrap_] | Timeout | CallError:
        """
        It ends \"\"\" here \\\"\"\" and \\N{DASH} \\u0041 \\x \\.

        */ alert(1) /* // `${alert(1)}` </script><!-- ]]>

        Only reads, so it is tried again if no answer comes.

        Args:
            field_2: It ends \"\"\" here \\\"\"\" and \\N{DASH} \\u0041 \\x \\.
            field_1st: */ alert(1) /* // `${alert(1)}` </script><!-- ]]>.
            a_b_2: @ts-nocheck
                @ts-ignore
                # type: ignore
                # noqa
                // eslint-disable.
            a_b_3: import os
                os.abort()

                \\u0000\\u001b[31m.
            a_b: \\u202e gnitirw \\u200b\\u2066 desrever \\u00ad\\ufeff.
            a_b_4: -*- coding: utf-7 -*-.
            A_B:
                aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa
                bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb.
            class_: ".
            def_: \\.
            None_: {@link javascript:alert(1)} @deprecated @internal.
            await_: %s %(x)s {x} {0.__class__}.
            match: It ends \"\"\" here \\\"\"\" and \\N{DASH} \\u0041 \\x \\.
            type: */ alert(1) /* // `${alert(1)}` </script><!-- ]]>.
            self: @ts-nocheck
                @ts-ignore
                # type: ignore
                # noqa
                // eslint-disable.
            cls: import os
                os.abort()

                \\u0000\\u001b[31m.
            lambda_: \\u202e gnitirw \\u200b\\u2066 desrever \\u00ad\\ufeff.
            init: -*- coding: utf-7 -*-.
            class_2:
                aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa
                bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb.
            slots: ".
            dict_2: \\.
            post_init: {@link javascript:alert(1)} @deprecated @internal.
            mangled: %s %(x)s {x} {0.__class__}.
            _private: It ends \"\"\" here \\\"\"\" and \\N{DASH} \\u0041 \\x \\.
            _: */ alert(1) /* // `${alert(1)}` </script><!-- ]]>.
            field_7: @ts-nocheck
                @ts-ignore
                # type: ignore
                # noqa
                // eslint-disable.
            constructor: import os
                os.abort()

                \\u0000\\u001b[31m.
            proto: \\u202e gnitirw \\u200b\\u2066 desrever \\u00ad\\ufeff.
            prototype: -*- coding: utf-7 -*-.
            toString:
                aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa
                bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb.
            valueOf: ".
            hasOwnProperty: \\.
            then: {@link javascript:alert(1)} @deprecated @internal.
            toJSON: %s %(x)s {x} {0.__class__}.
            ok: It ends \"\"\" here \\\"\"\" and \\N{DASH} \\u0041 \\x \\.
            code: */ alert(1) /* // `${alert(1)}` </script><!-- ]]>.
            value: @ts-nocheck
                @ts-ignore
                # type: ignore
                # noqa
                // eslint-disable.
            data: import os
                os.abort()

                \\u0000\\u001b[31m.
            str: \\u202e gnitirw \\u200b\\u2066 desrever \\u00ad\\ufeff.
            int: -*- coding: utf-7 -*-.
            list:
                aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa
                bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb.
            dict: ".
            object: \\.
            date: {@link javascript:alert(1)} @deprecated @internal.
            datetime: %s %(x)s {x} {0.__class__}.
            Decimal: It ends \"\"\" here \\\"\"\" and \\N{DASH} \\u0041 \\x \\.
            UUID: */ alert(1) /* // `${alert(1)}` </script><!-- ]]>.
            field: @ts-nocheck
                @ts-ignore
                # type: ignore
                # noqa
                // eslint-disable.
            Annotated: import os
                os.abort()

                \\u0000\\u001b[31m.
            Literal: \\u202e gnitirw \\u200b\\u2066 desrever \\u00ad\\ufeff.
            Any: -*- coding: utf-7 -*-.
            Ok:
                aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa
                bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb.
            UNSET: ".
            quote_s: \\.
            it_s: {@link javascript:alert(1)} @deprecated @internal.
            back_slash: %s %(x)s {x} {0.__class__}.
            new_line: It ends \"\"\" here \\\"\"\" and \\N{DASH} \\u0041 \\x \\.
            car_riage: */ alert(1) /* // `${alert(1)}` </script><!-- ]]>.
            tab: @ts-nocheck
                @ts-ignore
                # type: ignore
                # noqa
                // eslint-disable.
            nul: import os
                os.abort()

                \\u0000\\u001b[31m.
            field_4: \\u202e gnitirw \\u200b\\u2066 desrever \\u00ad\\ufeff.
            field_5: -*- coding: utf-7 -*-.
            field_6:
                aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa
                bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb.
            field_3: ".
            x: \\.
            field_8: {@link javascript:alert(1)} @deprecated @internal.
            script: %s %(x)s {x} {0.__class__}.
            u202e_gnp: It ends \"\"\" here \\\"\"\" and \\N{DASH} \\u0041 \\x \\.
            zero_u200b_width: */ alert(1) /* // `${alert(1)}` </script><!-- ]]>.
            line_u2028_end: @ts-nocheck
                @ts-ignore
                # type: ignore
                # noqa
                // eslint-disable.
            é: import os
                os.abort()

                \\u0000\\u001b[31m.
            e: \\u202e gnitirw \\u200b\\u2066 desrever \\u00ad\\ufeff.
            fi_2: -*- coding: utf-7 -*-.
            fi:
                aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa
                bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb.
            日本: ".
            а: \\.
            u1f600: {@link javascript:alert(1)} @deprecated @internal.
            xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx_0d4e2ca9: %s
                %(x)s {x} {0.__class__}.
            default: It ends \"\"\" here \\\"\"\" and \\N{DASH} \\u0041 \\x \\.
            enum: */ alert(1) /* // `${alert(1)}` </script><!-- ]]>.
            export: @ts-nocheck
                @ts-ignore
                # type: ignore
                # noqa
                // eslint-disable.
            function: import os
                os.abort()

                \\u0000\\u001b[31m.
            delete: \\u202e gnitirw \\u200b\\u2066 desrever \\u00ad\\ufeff.
            new: -*- coding: utf-7 -*-.
            this:
                aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa
                bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb.
            arguments: ".
            eval: \\.
            undefined: {@link javascript:alert(1)} @deprecated @internal.
            input: %s %(x)s {x} {0.__class__}.
            options: It ends \"\"\" here \\\"\"\" and \\N{DASH} \\u0041 \\x \\.
            client: */ alert(1) /* // `${alert(1)}` </script><!-- ]]>.

        Failures:
            Timeout: \"
        """
        return _self._call(
            _GETUSER_2,
            Everything(
                field_2=field_2,
                field_1st=["\\", "\n", "${x}"] if field_1st is _UNSET else field_1st,
                a_b_2=a_b_2,
                a_b_3={"__proto__": {"constructor": 1}, "toString": None} if a_b_3 is _UNSET else a_b_3,
                a_b=a_b,
                a_b_4=a_b_4,
                A_B=A_B,
                class_=class_,
                def_=def_,
                None_=None_,
                await_=await_,
                match=match,
                type={"__proto__": {"constructor": 1}, "toString": None} if type is _UNSET else type,
                self=self,
                cls=cls,
                lambda_=lambda_,
                init=init,
                class_2=class_2,
                slots=slots,
                dict_2=["\\", "\n", "${x}"] if dict_2 is _UNSET else dict_2,
                post_init=post_init,
                mangled={"__proto__": {"constructor": 1}, "toString": None} if mangled is _UNSET else mangled,
                _private=_private,
                _=_,
                field_7=field_7,
                constructor=constructor,
                proto=proto,
                prototype=prototype,
                toString=["\\", "\n", "${x}"] if toString is _UNSET else toString,
                valueOf=valueOf,
                hasOwnProperty=hasOwnProperty,
                then=then,
                toJSON=toJSON,
                ok=ok,
                code=code,
                value=value,
                data=data,
                str=["\\", "\n", "${x}"] if str is _UNSET else str,
                int=int,
                list={"__proto__": {"constructor": 1}, "toString": None} if list is _UNSET else list,
                dict=dict,
                object=object,
                date=date,
                datetime=datetime,
                Decimal=Decimal,
                UUID=UUID,
                field=["\\", "\n", "${x}"] if field is _UNSET else field,
                Annotated=Annotated,
                Literal={"__proto__": {"constructor": 1}, "toString": None} if Literal is _UNSET else Literal,
                Any=Any,
                Ok=Ok,
                UNSET=UNSET,
                quote_s=quote_s,
                it_s=it_s,
                back_slash=back_slash,
                new_line=new_line,
                car_riage=car_riage,
                tab={"__proto__": {"constructor": 1}, "toString": None} if tab is _UNSET else tab,
                nul=nul,
                field_4=field_4,
                field_5=field_5,
                field_6=field_6,
                field_3=field_3,
                x=x,
                field_8=["\\", "\n", "${x}"] if field_8 is _UNSET else field_8,
                script=script,
                u202e_gnp={"__proto__": {"constructor": 1}, "toString": None} if u202e_gnp is _UNSET else u202e_gnp,
                zero_u200b_width=zero_u200b_width,
                line_u2028_end=line_u2028_end,
                é=é,
                e=e,
                fi_2=fi_2,
                fi=fi,
                日本=["\\", "\n", "${x}"] if 日本 is _UNSET else 日本,
                а=а,
                u1f600=u1f600,
                xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx_0d4e2ca9=xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx_0d4e2ca9,
                default=default,
                enum=enum,
                export=export,
                function=function,
                delete=delete,
                new=["\\", "\n", "${x}"] if new is _UNSET else new,
                this=this,
                arguments={"__proto__": {"constructor": 1}, "toString": None} if arguments is _UNSET else arguments,
                eval=eval,
                undefined=undefined,
                input=input,
                options=options,
                client=client,
            ),
        )

    @deprecated("get_user is deprecated; use getUser")
    def get_user(self) -> _Ok[_list_2] | Class | String_2 | CallError:
        """
        */ alert(1) /* // `${alert(1)}` </script><!-- ]]>.

        @ts-nocheck
        @ts-ignore
        # type: ignore
        # noqa
        // eslint-disable

        Needs a client with ``token``. Does no more when it is repeated, so it is tried again if no answer comes.

        Failures:
            Class:
                aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa
                bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb
            String_2: -*- coding: utf-7 -*-
        """
        return self._call(_GET_USER, None)

    def globalThis(self, input: _str, /) -> _Ok[Error] | ApiClient_2 | AB | CallError_2 | CallError:
        """
        %s %(x)s {x} {0.__class__}.

        It ends \"\"\" here \\\"\"\" and \\N{DASH} \\u0041 \\x \\

        Only reads, so it is tried again if no answer comes.

        Failures:
            ApiClient_2: \\u202e gnitirw \\u200b\\u2066 desrever \\u00ad\\ufeff
            AB: {@link javascript:alert(1)} @deprecated @internal
            CallError_2: */ alert(1) /* // `${alert(1)}` </script><!-- ]]>
        """
        return self._call(_GLOBALTHIS, input)

    @deprecated("import_ is deprecated; use class_")
    def import_(
        _self,
        *,
        field_2: None,
        field_1st: Unset | None = _UNSET,
        await_: Unset | None = _UNSET,
        match: Unset | None = _UNSET,
        type: Unset | None = _UNSET,
        self: Unset | None = _UNSET,
        cls: Unset | None = _UNSET,
        lambda_: Unset | None = _UNSET,
        init: Unset | None = _UNSET,
        class_3: Unset | None = _UNSET,
        slots: Unset | None = _UNSET,
        dict_2: Unset | None = _UNSET,
        a_b_2: Unset | None = _UNSET,
        post_init: Unset | None = _UNSET,
        mangled: Unset | None = _UNSET,
        _private: Unset | None = _UNSET,
        _: Unset | None = _UNSET,
        field_7: Unset | None = _UNSET,
        constructor: Unset | None = _UNSET,
        proto: Unset | None = _UNSET,
        prototype: Unset | None = _UNSET,
        toString: Unset | None = _UNSET,
        valueOf: Unset | None = _UNSET,
        a_b_3: None,
        hasOwnProperty: Unset | None = _UNSET,
        then: Unset | None = _UNSET,
        toJSON: Unset | None = _UNSET,
        ok: Unset | None = _UNSET,
        code: Unset | None = _UNSET,
        value: Unset | None = _UNSET,
        data: Unset | None = _UNSET,
        str: Unset | None = _UNSET,
        int: Unset | None = _UNSET,
        list: Unset | None = _UNSET,
        a_b: Unset | None = _UNSET,
        dict: Unset | None = _UNSET,
        object: Unset | None = _UNSET,
        date: Unset | None = _UNSET,
        datetime: Unset | None = _UNSET,
        Decimal: Unset | None = _UNSET,
        UUID: Unset | None = _UNSET,
        field: Unset | None = _UNSET,
        Annotated: Unset | None = _UNSET,
        Literal: Unset | None = _UNSET,
        Any: Unset | None = _UNSET,
        a_b_4: Unset | None = _UNSET,
        Ok: Unset | None = _UNSET,
        UNSET: Unset | None = _UNSET,
        quote_s: Unset | None = _UNSET,
        it_s: Unset | None = _UNSET,
        back_slash: Unset | None = _UNSET,
        new_line: Unset | None = _UNSET,
        car_riage: Unset | None = _UNSET,
        tab: Unset | None = _UNSET,
        nul: Unset | None = _UNSET,
        field_4: Unset | None = _UNSET,
        A_B: Unset | None = _UNSET,
        field_5: Unset | None = _UNSET,
        field_6: Unset | None = _UNSET,
        field_3: Unset | None = _UNSET,
        x: Unset | None = _UNSET,
        field_8: Unset | None = _UNSET,
        script: Unset | None = _UNSET,
        u202e_gnp: Unset | None = _UNSET,
        zero_u200b_width: Unset | None = _UNSET,
        line_u2028_end: Unset | None = _UNSET,
        é: Unset | None = _UNSET,
        class_2: Unset | None = _UNSET,
        e: Unset | None = _UNSET,
        fi_2: Unset | None = _UNSET,
        fi: Unset | None = _UNSET,
        日本: Unset | None = _UNSET,
        а: Unset | None = _UNSET,
        u1f600: Unset | None = _UNSET,
        xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx_0d4e2ca9: Union[
            Unset,
            None,
        ] = _UNSET,
        default: Unset | None = _UNSET,
        enum: Unset | None = _UNSET,
        export: Unset | None = _UNSET,
        def_: Unset | None = _UNSET,
        function: Unset | None = _UNSET,
        delete: Unset | None = _UNSET,
        new: Unset | None = _UNSET,
        this: Unset | None = _UNSET,
        arguments: Unset | None = _UNSET,
        eval: Unset | None = _UNSET,
        undefined: Unset | None = _UNSET,
        input: Unset | None = _UNSET,
        options: Unset | None = _UNSET,
        client: Unset | None = _UNSET,
        None_: Unset | None = _UNSET,
        a_b_5: Unset | None = _UNSET,
        class_: Unset | None = _UNSET,
    ) -> _Ok[Date] | CallError:
        """
        aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa
        bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb.

        \"

        Is never tried again by itself.
        """
        return _self._call(
            _IMPORT_,
            Renamed(
                field_2=field_2,
                field_1st=field_1st,
                await_=await_,
                match=match,
                type=type,
                self=self,
                cls=cls,
                lambda_=lambda_,
                init=init,
                class_3=class_3,
                slots=slots,
                dict_2=dict_2,
                a_b_2=a_b_2,
                post_init=post_init,
                mangled=mangled,
                _private=_private,
                _=_,
                field_7=field_7,
                constructor=constructor,
                proto=proto,
                prototype=prototype,
                toString=toString,
                valueOf=valueOf,
                a_b_3=a_b_3,
                hasOwnProperty=hasOwnProperty,
                then=then,
                toJSON=toJSON,
                ok=ok,
                code=code,
                value=value,
                data=data,
                str=str,
                int=int,
                list=list,
                a_b=a_b,
                dict=dict,
                object=object,
                date=date,
                datetime=datetime,
                Decimal=Decimal,
                UUID=UUID,
                field=field,
                Annotated=Annotated,
                Literal=Literal,
                Any=Any,
                a_b_4=a_b_4,
                Ok=Ok,
                UNSET=UNSET,
                quote_s=quote_s,
                it_s=it_s,
                back_slash=back_slash,
                new_line=new_line,
                car_riage=car_riage,
                tab=tab,
                nul=nul,
                field_4=field_4,
                A_B=A_B,
                field_5=field_5,
                field_6=field_6,
                field_3=field_3,
                x=x,
                field_8=field_8,
                script=script,
                u202e_gnp=u202e_gnp,
                zero_u200b_width=zero_u200b_width,
                line_u2028_end=line_u2028_end,
                é=é,
                class_2=class_2,
                e=e,
                fi_2=fi_2,
                fi=fi,
                日本=日本,
                а=а,
                u1f600=u1f600,
                xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx_0d4e2ca9=xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx_0d4e2ca9,
                default=default,
                enum=enum,
                export=export,
                def_=def_,
                function=function,
                delete=delete,
                new=new,
                this=this,
                arguments=arguments,
                eval=eval,
                undefined=undefined,
                input=input,
                options=options,
                client=client,
                None_=None_,
                a_b_5=a_b_5,
                class_=class_,
            ),
        )

    def input(self, input: _str_2, /) -> _Ok[Infinity] | Class | String_2 | CallError:
        """
        ".

        \\

        Needs a client with ``token``. Does no more when it is repeated, so it is tried again if no answer comes.

        Failures:
            Class:
                aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa
                bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb
            String_2: -*- coding: utf-7 -*-
        """
        return self._call(_INPUT, input)

    @deprecated("list is deprecated; use print")
    def list(self, input: Either, /) -> _Ok[let] | Timeout | CallError:
        """
        %s %(x)s {x} {0.__class__}.

        It ends \"\"\" here \\\"\"\" and \\N{DASH} \\u0041 \\x \\

        Needs a client with ``token``. Does no more when it is repeated, so it is tried again if no answer comes.

        Failures:
            Timeout: \"
        """
        return self._call(_LIST, input)

    def options_(self) -> _Ok[schemas_] | ApiClient_2 | AB | CallError_2 | CallError:
        """
        import os
        os.abort()

        \\u0000\\u001b[31m.

        \\u202e gnitirw \\u200b\\u2066 desrever \\u00ad\\ufeff

        Needs a client with ``token``. Does no more when it is repeated, so it is tried again if no answer comes.

        Failures:
            ApiClient_2: \\u202e gnitirw \\u200b\\u2066 desrever \\u00ad\\ufeff
            AB: {@link javascript:alert(1)} @deprecated @internal
            CallError_2: */ alert(1) /* // `${alert(1)}` </script><!-- ]]>
        """
        return self._call(_OPTIONS_, None)

    def print(self, input: _str, /) -> _Ok[USER] | CallError:
        """
        {@link javascript:alert(1)} @deprecated @internal.

        %s %(x)s {x} {0.__class__}

        Only reads, so it is tried again if no answer comes.
        """
        return self._call(_PRINT, input)

    @deprecated("prototype is deprecated; use toString")
    def prototype(self, input: UNSET_, /) -> _Ok[dataclass] | ApiClient_2 | AB | CallError_2 | CallError:
        """
        It ends \"\"\" here \\\"\"\" and \\N{DASH} \\u0041 \\x \\.

        */ alert(1) /* // `${alert(1)}` </script><!-- ]]>

        Needs a client with ``token``. Destroys something, and is never tried again by itself.

        Failures:
            ApiClient_2: \\u202e gnitirw \\u200b\\u2066 desrever \\u00ad\\ufeff
            AB: {@link javascript:alert(1)} @deprecated @internal
            CallError_2: */ alert(1) /* // `${alert(1)}` </script><!-- ]]>
        """
        return self._call(_PROTOTYPE, input)

    @deprecated("schemas is deprecated; use withOptions")
    def schemas(
        _self,
        *,
        self: _str,
        input: _list[_str] | Unset = _UNSET,
        options: _Literal["*/"] | Unset = _UNSET,
        client: _dict[_str, _Any] | Unset = _UNSET,
        timeout: _str | None = "\u202e\\",
        signal: Names,
        body: _dict[Names, None] | Unset = _UNSET,
    ) -> _Ok[CallError_] | Error_2 | Unset_2 | CallError:
        """
        -*- coding: utf-7 -*-.

        aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa
        bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb

        Only reads, so it is tried again if no answer comes.

        Args:
            self: It ends \"\"\" here \\\"\"\" and \\N{DASH} \\u0041 \\x \\.
            input: */ alert(1) /* // `${alert(1)}` </script><!-- ]]>.
            options: @ts-nocheck
                @ts-ignore
                # type: ignore
                # noqa
                // eslint-disable.
            client: import os
                os.abort()

                \\u0000\\u001b[31m.
            timeout: \\u202e gnitirw \\u200b\\u2066 desrever \\u00ad\\ufeff.
            signal: -*- coding: utf-7 -*-.
            body:
                aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa
                bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb.

        Failures:
            Error_2: It ends \"\"\" here \\\"\"\" and \\N{DASH} \\u0041 \\x \\
            Unset_2: @ts-nocheck
                @ts-ignore
                # type: ignore
                # noqa
                // eslint-disable
        """
        return _self._call(
            _SCHEMAS,
            SchemasInput(
                self=self,
                input=["\\", "\n", "${x}"] if input is _UNSET else input,
                options=options,
                client={"__proto__": {"constructor": 1}, "toString": None} if client is _UNSET else client,
                timeout=timeout,
                signal=signal,
                body=body,
            ),
        )

    def self(
        self,
        *,
        error_code_: _str,
        http_status_: _list[_str] | Unset = _UNSET,
        code: _Literal["*/"] | Unset = _UNSET,
        status: _dict[_str, _Any] | Unset = _UNSET,
        data: _str | None = "\u202e\\",
        error: Names,
        issues: _dict[Names, None] | Unset = _UNSET,
        ok: _int = -9223372036854775808,
        value: _Any | Unset = _UNSET,
    ) -> _Ok[Values] | Error_2 | Unset_2 | CallError:
        """
        \\.

        {@link javascript:alert(1)} @deprecated @internal

        Is never tried again by itself.

        Args:
            error_code_: It ends \"\"\" here \\\"\"\" and \\N{DASH} \\u0041 \\x \\.
            http_status_: */ alert(1) /* // `${alert(1)}` </script><!-- ]]>.
            code: @ts-nocheck
                @ts-ignore
                # type: ignore
                # noqa
                // eslint-disable.
            status: import os
                os.abort()

                \\u0000\\u001b[31m.
            data: \\u202e gnitirw \\u200b\\u2066 desrever \\u00ad\\ufeff.
            error: -*- coding: utf-7 -*-.
            issues:
                aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa
                bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb.
            ok: ".
            value: \\.

        Failures:
            Error_2: It ends \"\"\" here \\\"\"\" and \\N{DASH} \\u0041 \\x \\
            Unset_2: @ts-nocheck
                @ts-ignore
                # type: ignore
                # noqa
                // eslint-disable
        """
        return self._call(
            _SELF,
            Data(
                error_code_=error_code_,
                http_status_=["\\", "\n", "${x}"] if http_status_ is _UNSET else http_status_,
                code=code,
                status={"__proto__": {"constructor": 1}, "toString": None} if status is _UNSET else status,
                data=data,
                error=error,
                issues=issues,
                ok=ok,
                value=value,
            ),
        )

    def str(
        _self,
        *,
        self: _str,
        input: _list[_str] | Unset = _UNSET,
        options: _Literal["*/"] | Unset = _UNSET,
        client: _dict[_str, _Any] | Unset = _UNSET,
        timeout: _str | None = "\u202e\\",
        signal: Names,
        body: _dict[Names, None] | Unset = _UNSET,
    ) -> _Ok[Tuple] | Class | String_2 | CallError:
        """
        It ends \"\"\" here \\\"\"\" and \\N{DASH} \\u0041 \\x \\.

        */ alert(1) /* // `${alert(1)}` </script><!-- ]]>

        Is never tried again by itself.

        Args:
            self: It ends \"\"\" here \\\"\"\" and \\N{DASH} \\u0041 \\x \\.
            input: */ alert(1) /* // `${alert(1)}` </script><!-- ]]>.
            options: @ts-nocheck
                @ts-ignore
                # type: ignore
                # noqa
                // eslint-disable.
            client: import os
                os.abort()

                \\u0000\\u001b[31m.
            timeout: \\u202e gnitirw \\u200b\\u2066 desrever \\u00ad\\ufeff.
            signal: -*- coding: utf-7 -*-.
            body:
                aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa
                bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb.

        Failures:
            Class:
                aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa
                bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb
            String_2: -*- coding: utf-7 -*-
        """
        return _self._call(
            _STR,
            StrInput(
                self=self,
                input=["\\", "\n", "${x}"] if input is _UNSET else input,
                options=options,
                client={"__proto__": {"constructor": 1}, "toString": None} if client is _UNSET else client,
                timeout=timeout,
                signal=signal,
                body=body,
            ),
        )

    def then(self, input: Either, /) -> _Ok[Any] | Error_2 | Unset_2 | CallError:
        """
        {@link javascript:alert(1)} @deprecated @internal.

        %s %(x)s {x} {0.__class__}

        Needs a client with ``token``. Does no more when it is repeated, so it is tried again if no answer comes.

        Failures:
            Error_2: It ends \"\"\" here \\\"\"\" and \\N{DASH} \\u0041 \\x \\
            Unset_2: @ts-nocheck
                @ts-ignore
                # type: ignore
                # noqa
                // eslint-disable
        """
        return self._call(_THEN, input)

    def toString(
        _self,
        *,
        self: _str,
        input: _list[_str] | Unset = _UNSET,
        options: _Literal["*/"] | Unset = _UNSET,
        client: _dict[_str, _Any] | Unset = _UNSET,
        timeout: _str | None = "\u202e\\",
        signal: Names,
        body: _dict[Names, None] | Unset = _UNSET,
    ) -> _Ok[_class_] | AB_2 | Constructor | Json | CallError:
        """
        %s %(x)s {x} {0.__class__}.

        It ends \"\"\" here \\\"\"\" and \\N{DASH} \\u0041 \\x \\

        Is never tried again by itself.

        Args:
            self: It ends \"\"\" here \\\"\"\" and \\N{DASH} \\u0041 \\x \\.
            input: */ alert(1) /* // `${alert(1)}` </script><!-- ]]>.
            options: @ts-nocheck
                @ts-ignore
                # type: ignore
                # noqa
                // eslint-disable.
            client: import os
                os.abort()

                \\u0000\\u001b[31m.
            timeout: \\u202e gnitirw \\u200b\\u2066 desrever \\u00ad\\ufeff.
            signal: -*- coding: utf-7 -*-.
            body:
                aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa
                bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb.

        Failures:
            AB_2: %s %(x)s {x} {0.__class__}
            Constructor:

                import os
                os.abort()

                \\u0000\\u001b[31m
            Json: \\
        """
        return _self._call(
            _TOSTRING,
            ToStringInput(
                self=self,
                input=["\\", "\n", "${x}"] if input is _UNSET else input,
                options=options,
                client={"__proto__": {"constructor": 1}, "toString": None} if client is _UNSET else client,
                timeout=timeout,
                signal=signal,
                body=body,
            ),
        )

    def unwrap(self, input: Number, /) -> _Ok[Operation] | AB_2 | Constructor | Json | CallError:
        """
        aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa
        bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb.

        \"

        Needs a client with ``token``. Does no more when it is repeated, so it is tried again if no answer comes.

        Failures:
            AB_2: %s %(x)s {x} {0.__class__}
            Constructor:

                import os
                os.abort()

                \\u0000\\u001b[31m
            Json: \\
        """
        return self._call(_UNWRAP, input)

    def withOptions(self, input: Either, /) -> _Ok[Response] | Class | String_2 | CallError:
        """
        \\u202e gnitirw \\u200b\\u2066 desrever \\u00ad\\ufeff.

        -*- coding: utf-7 -*-

        Needs a client with ``token``. Destroys something, and is never tried again by itself.

        Failures:
            Class:
                aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa
                bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb
            String_2: -*- coding: utf-7 -*-
        """
        return self._call(_WITHOPTIONS, input)

    def with_options_(self, input: _str, /) -> _Ok[Number] | Timeout | CallError:
        """
        import os
        os.abort()

        \\u0000\\u001b[31m.

        \\u202e gnitirw \\u200b\\u2066 desrever \\u00ad\\ufeff

        Is never tried again by itself.

        Failures:
            Timeout: \"
        """
        return self._call(_WITH_OPTIONS_, input)

    def x(
        self,
        *,
        error_code_: _str,
        http_status_: _list[_str] | Unset = _UNSET,
        code: _Literal["*/"] | Unset = _UNSET,
        status: _dict[_str, _Any] | Unset = _UNSET,
        data: _str | None = "\u202e\\",
        error: Names,
        issues: _dict[Names, None] | Unset = _UNSET,
        ok: _int = -9223372036854775808,
        value: _Any | Unset = _UNSET,
    ) -> _Ok[Symbol] | AB_2 | Constructor | Json | CallError:
        """
        @ts-nocheck
        @ts-ignore
        # type: ignore
        # noqa
        // eslint-disable.

        import os
        os.abort()

        \\u0000\\u001b[31m

        Only reads, so it is tried again if no answer comes.

        Args:
            error_code_: It ends \"\"\" here \\\"\"\" and \\N{DASH} \\u0041 \\x \\.
            http_status_: */ alert(1) /* // `${alert(1)}` </script><!-- ]]>.
            code: @ts-nocheck
                @ts-ignore
                # type: ignore
                # noqa
                // eslint-disable.
            status: import os
                os.abort()

                \\u0000\\u001b[31m.
            data: \\u202e gnitirw \\u200b\\u2066 desrever \\u00ad\\ufeff.
            error: -*- coding: utf-7 -*-.
            issues:
                aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa
                bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb.
            ok: ".
            value: \\.

        Failures:
            AB_2: %s %(x)s {x} {0.__class__}
            Constructor:

                import os
                os.abort()

                \\u0000\\u001b[31m
            Json: \\
        """
        return self._call(
            _X,
            Data(
                error_code_=error_code_,
                http_status_=["\\", "\n", "${x}"] if http_status_ is _UNSET else http_status_,
                code=code,
                status={"__proto__": {"constructor": 1}, "toString": None} if status is _UNSET else status,
                data=data,
                error=error,
                issues=issues,
                ok=ok,
                value=value,
            ),
        )


class AsyncApiClient(AsyncApiClientBase):
    """A client of It ends \"\"\" here \\\"\"\" and \\N{DASH} \\u0041 \\x \\, for asyncio or Trio."""

    _title = 'It ends """ here \\""" and \\N{DASH} \\u0041 \\x \\'
    _version = "*/ alert(1) /* // `${alert(1)}` </script><!-- ]]>"

    def __init__(
        self,
        base_url: _str,
        *,
        token: AsyncHeaderValue | None = None,
        **options: Unpack[AsyncClientOptions],
    ) -> None:
        """
        Make a client with the credential, or without.

        Args:
            token: A bearer token, or a function that gives it.
            options: As those of every client.
        """
        AsyncApiClientBase.__init__(self, base_url, **options)
        self._send_with(bearer=token)

    async def ApiClient(
        self,
        *,
        error_code_: _str,
        http_status_: _list[_str] | Unset = _UNSET,
        code: _Literal["*/"] | Unset = _UNSET,
        status: _dict[_str, _Any] | Unset = _UNSET,
        data: _str | None = "\u202e\\",
        error: Names,
        issues: _dict[Names, None] | Unset = _UNSET,
        ok: _int = -9223372036854775808,
        value: _Any | Unset = _UNSET,
    ) -> _Ok[dict] | ApiClient_2 | AB | CallError_2 | CallError:
        """
        ".

        \\

        Is never tried again by itself.

        Args:
            error_code_: It ends \"\"\" here \\\"\"\" and \\N{DASH} \\u0041 \\x \\.
            http_status_: */ alert(1) /* // `${alert(1)}` </script><!-- ]]>.
            code: @ts-nocheck
                @ts-ignore
                # type: ignore
                # noqa
                // eslint-disable.
            status: import os
                os.abort()

                \\u0000\\u001b[31m.
            data: \\u202e gnitirw \\u200b\\u2066 desrever \\u00ad\\ufeff.
            error: -*- coding: utf-7 -*-.
            issues:
                aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa
                bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb.
            ok: ".
            value: \\.

        Failures:
            ApiClient_2: \\u202e gnitirw \\u200b\\u2066 desrever \\u00ad\\ufeff
            AB: {@link javascript:alert(1)} @deprecated @internal
            CallError_2: */ alert(1) /* // `${alert(1)}` </script><!-- ]]>
        """
        return await self._call(
            _APICLIENT,
            Data(
                error_code_=error_code_,
                http_status_=["\\", "\n", "${x}"] if http_status_ is _UNSET else http_status_,
                code=code,
                status={"__proto__": {"constructor": 1}, "toString": None} if status is _UNSET else status,
                data=data,
                error=error,
                issues=issues,
                ok=ok,
                value=value,
            ),
        )

    async def GETUSER(
        _self,
        *,
        self: _str,
        input: _list[_str] | Unset = _UNSET,
        options: _Literal["*/"] | Unset = _UNSET,
        client: _dict[_str, _Any] | Unset = _UNSET,
        timeout: _str | None = "\u202e\\",
        signal: Names,
        body: _dict[Names, None] | Unset = _UNSET,
    ) -> _Ok[arguments] | ApiClient_2 | AB | CallError_2 | CallError:
        """
        \\u202e gnitirw \\u200b\\u2066 desrever \\u00ad\\ufeff.

        -*- coding: utf-7 -*-

        Only reads, so it is tried again if no answer comes.

        Args:
            self: It ends \"\"\" here \\\"\"\" and \\N{DASH} \\u0041 \\x \\.
            input: */ alert(1) /* // `${alert(1)}` </script><!-- ]]>.
            options: @ts-nocheck
                @ts-ignore
                # type: ignore
                # noqa
                // eslint-disable.
            client: import os
                os.abort()

                \\u0000\\u001b[31m.
            timeout: \\u202e gnitirw \\u200b\\u2066 desrever \\u00ad\\ufeff.
            signal: -*- coding: utf-7 -*-.
            body:
                aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa
                bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb.

        Failures:
            ApiClient_2: \\u202e gnitirw \\u200b\\u2066 desrever \\u00ad\\ufeff
            AB: {@link javascript:alert(1)} @deprecated @internal
            CallError_2: */ alert(1) /* // `${alert(1)}` </script><!-- ]]>
        """
        return await _self._call(
            _GETUSER,
            GETUSERInput(
                self=self,
                input=["\\", "\n", "${x}"] if input is _UNSET else input,
                options=options,
                client={"__proto__": {"constructor": 1}, "toString": None} if client is _UNSET else client,
                timeout=timeout,
                signal=signal,
                body=body,
            ),
        )

    async def Object(self, input: Either, /) -> _Ok[Ok_] | Ok_2 | CallError:
        """
        It ends \"\"\" here \\\"\"\" and \\N{DASH} \\u0041 \\x \\.

        */ alert(1) /* // `${alert(1)}` </script><!-- ]]>

        Needs a client with ``token``. Does no more when it is repeated, so it is tried again if no answer comes.

        Failures:
            Ok_2: It ends \"\"\" here \\\"\"\" and \\N{DASH} \\u0041 \\x \\
        """
        return await self._call(_OBJECT, input)

    async def Promise(
        _self,
        *,
        self: _str,
        input: _list[_str] | Unset = _UNSET,
        options: _Literal["*/"] | Unset = _UNSET,
        client: _dict[_str, _Any] | Unset = _UNSET,
        timeout: _str | None = "\u202e\\",
        signal: Names,
        body: _dict[Names, None] | Unset = _UNSET,
    ) -> _Ok[Decimal] | CallError:
        """
        */ alert(1) /* // `${alert(1)}` </script><!-- ]]>.

        @ts-nocheck
        @ts-ignore
        # type: ignore
        # noqa
        // eslint-disable

        Is never tried again by itself.

        Args:
            self: It ends \"\"\" here \\\"\"\" and \\N{DASH} \\u0041 \\x \\.
            input: */ alert(1) /* // `${alert(1)}` </script><!-- ]]>.
            options: @ts-nocheck
                @ts-ignore
                # type: ignore
                # noqa
                // eslint-disable.
            client: import os
                os.abort()

                \\u0000\\u001b[31m.
            timeout: \\u202e gnitirw \\u200b\\u2066 desrever \\u00ad\\ufeff.
            signal: -*- coding: utf-7 -*-.
            body:
                aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa
                bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb.
        """
        return await _self._call(
            _PROMISE,
            PromiseInput(
                self=self,
                input=["\\", "\n", "${x}"] if input is _UNSET else input,
                options=options,
                client={"__proto__": {"constructor": 1}, "toString": None} if client is _UNSET else client,
                timeout=timeout,
                signal=signal,
                body=body,
            ),
        )

    @deprecated("a_b is deprecated; use async_")
    async def a_b(
        self,
        *,
        error_code_: _str,
        http_status_: _list[_str] | Unset = _UNSET,
        code: _Literal["*/"] | Unset = _UNSET,
        status: _dict[_str, _Any] | Unset = _UNSET,
        data: _str | None = "\u202e\\",
        error: Names,
        issues: _dict[Names, None] | Unset = _UNSET,
        ok: _int = -9223372036854775808,
        value: _Any | Unset = _UNSET,
    ) -> _Ok[never] | Class | String_2 | CallError:
        """
        import os
        os.abort()

        \\u0000\\u001b[31m.

        \\u202e gnitirw \\u200b\\u2066 desrever \\u00ad\\ufeff

        Only reads, so it is tried again if no answer comes.

        Args:
            error_code_: It ends \"\"\" here \\\"\"\" and \\N{DASH} \\u0041 \\x \\.
            http_status_: */ alert(1) /* // `${alert(1)}` </script><!-- ]]>.
            code: @ts-nocheck
                @ts-ignore
                # type: ignore
                # noqa
                // eslint-disable.
            status: import os
                os.abort()

                \\u0000\\u001b[31m.
            data: \\u202e gnitirw \\u200b\\u2066 desrever \\u00ad\\ufeff.
            error: -*- coding: utf-7 -*-.
            issues:
                aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa
                bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb.
            ok: ".
            value: \\.

        Failures:
            Class:
                aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa
                bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb
            String_2: -*- coding: utf-7 -*-
        """
        return await self._call(
            _A_B,
            Data(
                error_code_=error_code_,
                http_status_=["\\", "\n", "${x}"] if http_status_ is _UNSET else http_status_,
                code=code,
                status={"__proto__": {"constructor": 1}, "toString": None} if status is _UNSET else status,
                data=data,
                error=error,
                issues=issues,
                ok=ok,
                value=value,
            ),
        )

    async def a_2(self) -> _Ok[_globalThis] | Error_2 | Unset_2 | CallError:
        """
        \\u202e gnitirw \\u200b\\u2066 desrever \\u00ad\\ufeff.

        -*- coding: utf-7 -*-

        Needs a client with ``token``. Does no more when it is repeated, so it is tried again if no answer comes.

        Failures:
            Error_2: It ends \"\"\" here \\\"\"\" and \\N{DASH} \\u0041 \\x \\
            Unset_2: @ts-nocheck
                @ts-ignore
                # type: ignore
                # noqa
                // eslint-disable
        """
        return await self._call(_A_2, None)

    async def aclose_(self) -> _Ok[Names] | CallError:
        """
        @ts-nocheck
        @ts-ignore
        # type: ignore
        # noqa
        // eslint-disable.

        import os
        os.abort()

        \\u0000\\u001b[31m

        Needs a client with ``token``. Does no more when it is repeated, so it is tried again if no answer comes.
        """
        return await self._call(_ACLOSE_, None)

    async def async_(self, input: Error, /) -> _Ok[None_] | Timeout | CallError:
        """
        @ts-nocheck
        @ts-ignore
        # type: ignore
        # noqa
        // eslint-disable.

        import os
        os.abort()

        \\u0000\\u001b[31m

        Needs a client with ``token``. Destroys something, and is never tried again by itself.

        Failures:
            Timeout: \"
        """
        return await self._call(_ASYNC_, input)

    async def await_(self, input: USER, /) -> _Ok[_Promise] | Error_2 | Unset_2 | CallError:
        """
        */ alert(1) /* // `${alert(1)}` </script><!-- ]]>.

        @ts-nocheck
        @ts-ignore
        # type: ignore
        # noqa
        // eslint-disable

        Needs a client with ``token``. Destroys something, and is never tried again by itself.

        Failures:
            Error_2: It ends \"\"\" here \\\"\"\" and \\N{DASH} \\u0041 \\x \\
            Unset_2: @ts-nocheck
                @ts-ignore
                # type: ignore
                # noqa
                // eslint-disable
        """
        return await self._call(_AWAIT_, input)

    async def baseUrl(self, input: Either, /) -> _Ok[_await_] | CallError:
        """
        -*- coding: utf-7 -*-.

        aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa
        bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb

        Needs a client with ``token``. Destroys something, and is never tried again by itself.
        """
        return await self._call(_BASEURL, input)

    @deprecated("base_url_ is deprecated; use options_")
    async def base_url_(self, input: _str, /) -> _Ok[_str_2] | Ok_2 | CallError:
        """
        \\u202e gnitirw \\u200b\\u2066 desrever \\u00ad\\ufeff.

        -*- coding: utf-7 -*-

        Is never tried again by itself.

        Failures:
            Ok_2: It ends \"\"\" here \\\"\"\" and \\N{DASH} \\u0041 \\x \\
        """
        return await self._call(_BASE_URL_, input)

    async def call(self) -> _Ok[any] | Ok_2 | CallError:
        """
        \\.

        {@link javascript:alert(1)} @deprecated @internal

        Needs a client with ``token``. Destroys something, and is never tried again by itself.

        Failures:
            Ok_2: It ends \"\"\" here \\\"\"\" and \\N{DASH} \\u0041 \\x \\
        """
        return await self._call(_CALL, None)

    async def class_(self, input: interface, /) -> _Ok[Loop] | Ok_2 | CallError:
        """
        -*- coding: utf-7 -*-.

        aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa
        bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb

        Needs a client with ``token``. Does no more when it is repeated, so it is tried again if no answer comes.

        Failures:
            Ok_2: It ends \"\"\" here \\\"\"\" and \\N{DASH} \\u0041 \\x \\
        """
        return await self._call(_CLASS_, input)

    async def client(
        _self,
        *,
        self: _str,
        input: _list[_str] | Unset = _UNSET,
        options: _Literal["*/"] | Unset = _UNSET,
        client: _dict[_str, _Any] | Unset = _UNSET,
        timeout: _str | None = "\u202e\\",
        signal: Names,
        body: _dict[Names, None] | Unset = _UNSET,
    ) -> _Ok[_constructor] | Timeout | CallError:
        """
        aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa
        bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb.

        \"

        Only reads, so it is tried again if no answer comes.

        Args:
            self: It ends \"\"\" here \\\"\"\" and \\N{DASH} \\u0041 \\x \\.
            input: */ alert(1) /* // `${alert(1)}` </script><!-- ]]>.
            options: @ts-nocheck
                @ts-ignore
                # type: ignore
                # noqa
                // eslint-disable.
            client: import os
                os.abort()

                \\u0000\\u001b[31m.
            timeout: \\u202e gnitirw \\u200b\\u2066 desrever \\u00ad\\ufeff.
            signal: -*- coding: utf-7 -*-.
            body:
                aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa
                bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb.

        Failures:
            Timeout: \"
        """
        return await _self._call(
            _CLIENT,
            ClientInput(
                self=self,
                input=["\\", "\n", "${x}"] if input is _UNSET else input,
                options=options,
                client={"__proto__": {"constructor": 1}, "toString": None} if client is _UNSET else client,
                timeout=timeout,
                signal=signal,
                body=body,
            ),
        )

    async def close_(
        self,
        *,
        error_code_: _str,
        http_status_: _list[_str] | Unset = _UNSET,
        code: _Literal["*/"] | Unset = _UNSET,
        status: _dict[_str, _Any] | Unset = _UNSET,
        data: _str | None = "\u202e\\",
        error: Names,
        issues: _dict[Names, None] | Unset = _UNSET,
        ok: _int = -9223372036854775808,
        value: _Any | Unset = _UNSET,
    ) -> _Ok[NaN] | Ok_2 | CallError:
        """
        */ alert(1) /* // `${alert(1)}` </script><!-- ]]>.

        @ts-nocheck
        @ts-ignore
        # type: ignore
        # noqa
        // eslint-disable

        Only reads, so it is tried again if no answer comes.

        Args:
            error_code_: It ends \"\"\" here \\\"\"\" and \\N{DASH} \\u0041 \\x \\.
            http_status_: */ alert(1) /* // `${alert(1)}` </script><!-- ]]>.
            code: @ts-nocheck
                @ts-ignore
                # type: ignore
                # noqa
                // eslint-disable.
            status: import os
                os.abort()

                \\u0000\\u001b[31m.
            data: \\u202e gnitirw \\u200b\\u2066 desrever \\u00ad\\ufeff.
            error: -*- coding: utf-7 -*-.
            issues:
                aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa
                bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb.
            ok: ".
            value: \\.

        Failures:
            Ok_2: It ends \"\"\" here \\\"\"\" and \\N{DASH} \\u0041 \\x \\
        """
        return await self._call(
            _CLOSE_,
            Data(
                error_code_=error_code_,
                http_status_=["\\", "\n", "${x}"] if http_status_ is _UNSET else http_status_,
                code=code,
                status={"__proto__": {"constructor": 1}, "toString": None} if status is _UNSET else status,
                data=data,
                error=error,
                issues=issues,
                ok=ok,
                value=value,
            ),
        )

    async def constructor(self, input: _str, /) -> _Ok[UNSET_] | Class | String_2 | CallError:
        """
        \\.

        {@link javascript:alert(1)} @deprecated @internal

        Only reads, so it is tried again if no answer comes.

        Failures:
            Class:
                aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa
                bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb
            String_2: -*- coding: utf-7 -*-
        """
        return await self._call(_CONSTRUCTOR, input)

    async def delete(self) -> _Ok[Map] | Timeout | CallError:
        """
        ".

        \\

        Needs a client with ``token``. Destroys something, and is never tried again by itself.

        Failures:
            Timeout: \"
        """
        return await self._call(_DELETE, None)

    @deprecated("fetch is deprecated; use self")
    async def fetch(self) -> _Ok[_Object] | AB_2 | Constructor | Json | CallError:
        """
        {@link javascript:alert(1)} @deprecated @internal.

        %s %(x)s {x} {0.__class__}

        Needs a client with ``token``. Destroys something, and is never tried again by itself.

        Failures:
            AB_2: %s %(x)s {x} {0.__class__}
            Constructor:

                import os
                os.abort()

                \\u0000\\u001b[31m
            Json: \\
        """
        return await self._call(_FETCH, None)

    async def get_user_2(self, input: Either, /) -> _Ok[user] | AB_2 | Constructor | Json | CallError:
        """
        import os
        os.abort()

        \\u0000\\u001b[31m.

        \\u202e gnitirw \\u200b\\u2066 desrever \\u00ad\\ufeff

        Needs a client with ``token``. Destroys something, and is never tried again by itself.

        Failures:
            AB_2: %s %(x)s {x} {0.__class__}
            Constructor:

                import os
                os.abort()

                \\u0000\\u001b[31m
            Json: \\
        """
        return await self._call(_GET_USER_2, input)

    async def get_user_3(self, input: _str, /) -> _Ok[interface] | Error_2 | Unset_2 | CallError:
        """
        @ts-nocheck
        @ts-ignore
        # type: ignore
        # noqa
        // eslint-disable.

        import os
        os.abort()

        \\u0000\\u001b[31m

        Is never tried again by itself.

        Failures:
            Error_2: It ends \"\"\" here \\\"\"\" and \\N{DASH} \\u0041 \\x \\
            Unset_2: @ts-nocheck
                @ts-ignore
                # type: ignore
                # noqa
                // eslint-disable
        """
        return await self._call(_GET_USER_3, input)

    async def getUser(
        _self,
        *,
        field_2: _str,
        field_1st: _list[_str] | Unset = _UNSET,
        a_b_2: _Literal["*/"] | Unset = _UNSET,
        a_b_3: _dict[_str, _Any] | Unset = _UNSET,
        a_b: _str | None = "\u202e\\",
        a_b_4: Names,
        A_B: _dict[Names, None] | Unset = _UNSET,
        class_: _int = -9223372036854775808,
        def_: _Any | Unset = _UNSET,
        None_: _str = '"""',
        await_: _list[_str],
        match: _Literal["*/"] | Unset = _UNSET,
        type: _dict[_str, _Any] | Unset = _UNSET,
        self: _str | None = "\u202e\\",
        cls: Names = Names.client,
        lambda_: _dict[Names, None],
        init: _int = -9223372036854775808,
        class_2: _Any | Unset = _UNSET,
        slots: _str = '"""',
        dict_2: _list[_str] | Unset = _UNSET,
        post_init: _Literal["*/"],
        mangled: _dict[_str, _Any] | Unset = _UNSET,
        _private: _str | None = "\u202e\\",
        _: Names = Names.client,
        field_7: _dict[Names, None] | Unset = _UNSET,
        constructor: _int,
        proto: _Any | Unset = _UNSET,
        prototype: _str = '"""',
        toString: _list[_str] | Unset = _UNSET,
        valueOf: _Literal["*/"] | Unset = _UNSET,
        hasOwnProperty: _dict[_str, _Any],
        then: _str | None = "\u202e\\",
        toJSON: Names = Names.client,
        ok: _dict[Names, None] | Unset = _UNSET,
        code: _int = -9223372036854775808,
        value: _Any,
        data: _str = '"""',
        str: _list[_str] | Unset = _UNSET,
        int: _Literal["*/"] | Unset = _UNSET,
        list: _dict[_str, _Any] | Unset = _UNSET,
        dict: _str | None,
        object: Names = Names.client,
        date: _dict[Names, None] | Unset = _UNSET,
        datetime: _int = -9223372036854775808,
        Decimal: _Any | Unset = _UNSET,
        UUID: _str,
        field: _list[_str] | Unset = _UNSET,
        Annotated: _Literal["*/"] | Unset = _UNSET,
        Literal: _dict[_str, _Any] | Unset = _UNSET,
        Any: _str | None = "\u202e\\",
        Ok: Names,
        UNSET: _dict[Names, None] | Unset = _UNSET,
        quote_s: _int = -9223372036854775808,
        it_s: _Any | Unset = _UNSET,
        back_slash: _str = '"""',
        new_line: _list[_str],
        car_riage: _Literal["*/"] | Unset = _UNSET,
        tab: _dict[_str, _Any] | Unset = _UNSET,
        nul: _str | None = "\u202e\\",
        field_4: Names = Names.client,
        field_5: _dict[Names, None],
        field_6: _int = -9223372036854775808,
        field_3: _Any | Unset = _UNSET,
        x: _str = '"""',
        field_8: _list[_str] | Unset = _UNSET,
        script: _Literal["*/"],
        u202e_gnp: _dict[_str, _Any] | Unset = _UNSET,
        zero_u200b_width: _str | None = "\u202e\\",
        line_u2028_end: Names = Names.client,
        é: _dict[Names, None] | Unset = _UNSET,
        e: _int,
        fi_2: _Any | Unset = _UNSET,
        fi: _str = '"""',
        日本: _list[_str] | Unset = _UNSET,
        а: _Literal["*/"] | Unset = _UNSET,
        u1f600: _dict[_str, _Any],
        xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx_0d4e2ca9: Union[
            _str,
            None,
        ] = "\u202e\\",
        default: Names = Names.client,
        enum: _dict[Names, None] | Unset = _UNSET,
        export: _int = -9223372036854775808,
        function: _Any,
        delete: _str = '"""',
        new: _list[_str] | Unset = _UNSET,
        this: _Literal["*/"] | Unset = _UNSET,
        arguments: _dict[_str, _Any] | Unset = _UNSET,
        eval: _str | None,
        undefined: Names = Names.client,
        input: _dict[Names, None] | Unset = _UNSET,
        options: _int = -9223372036854775808,
        client: _Any | Unset = _UNSET,
    ) -> _Ok[unwrap_] | Timeout | CallError:
        """
        It ends \"\"\" here \\\"\"\" and \\N{DASH} \\u0041 \\x \\.

        */ alert(1) /* // `${alert(1)}` </script><!-- ]]>

        Only reads, so it is tried again if no answer comes.

        Args:
            field_2: It ends \"\"\" here \\\"\"\" and \\N{DASH} \\u0041 \\x \\.
            field_1st: */ alert(1) /* // `${alert(1)}` </script><!-- ]]>.
            a_b_2: @ts-nocheck
                @ts-ignore
                # type: ignore
                # noqa
                // eslint-disable.
            a_b_3: import os
                os.abort()

                \\u0000\\u001b[31m.
            a_b: \\u202e gnitirw \\u200b\\u2066 desrever \\u00ad\\ufeff.
            a_b_4: -*- coding: utf-7 -*-.
            A_B:
                aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa
                bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb.
            class_: ".
            def_: \\.
            None_: {@link javascript:alert(1)} @deprecated @internal.
            await_: %s %(x)s {x} {0.__class__}.
            match: It ends \"\"\" here \\\"\"\" and \\N{DASH} \\u0041 \\x \\.
            type: */ alert(1) /* // `${alert(1)}` </script><!-- ]]>.
            self: @ts-nocheck
                @ts-ignore
                # type: ignore
                # noqa
                // eslint-disable.
            cls: import os
                os.abort()

                \\u0000\\u001b[31m.
            lambda_: \\u202e gnitirw \\u200b\\u2066 desrever \\u00ad\\ufeff.
            init: -*- coding: utf-7 -*-.
            class_2:
                aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa
                bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb.
            slots: ".
            dict_2: \\.
            post_init: {@link javascript:alert(1)} @deprecated @internal.
            mangled: %s %(x)s {x} {0.__class__}.
            _private: It ends \"\"\" here \\\"\"\" and \\N{DASH} \\u0041 \\x \\.
            _: */ alert(1) /* // `${alert(1)}` </script><!-- ]]>.
            field_7: @ts-nocheck
                @ts-ignore
                # type: ignore
                # noqa
                // eslint-disable.
            constructor: import os
                os.abort()

                \\u0000\\u001b[31m.
            proto: \\u202e gnitirw \\u200b\\u2066 desrever \\u00ad\\ufeff.
            prototype: -*- coding: utf-7 -*-.
            toString:
                aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa
                bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb.
            valueOf: ".
            hasOwnProperty: \\.
            then: {@link javascript:alert(1)} @deprecated @internal.
            toJSON: %s %(x)s {x} {0.__class__}.
            ok: It ends \"\"\" here \\\"\"\" and \\N{DASH} \\u0041 \\x \\.
            code: */ alert(1) /* // `${alert(1)}` </script><!-- ]]>.
            value: @ts-nocheck
                @ts-ignore
                # type: ignore
                # noqa
                // eslint-disable.
            data: import os
                os.abort()

                \\u0000\\u001b[31m.
            str: \\u202e gnitirw \\u200b\\u2066 desrever \\u00ad\\ufeff.
            int: -*- coding: utf-7 -*-.
            list:
                aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa
                bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb.
            dict: ".
            object: \\.
            date: {@link javascript:alert(1)} @deprecated @internal.
            datetime: %s %(x)s {x} {0.__class__}.
            Decimal: It ends \"\"\" here \\\"\"\" and \\N{DASH} \\u0041 \\x \\.
            UUID: */ alert(1) /* // `${alert(1)}` </script><!-- ]]>.
            field: @ts-nocheck
                @ts-ignore
                # type: ignore
                # noqa
                // eslint-disable.
            Annotated: import os
                os.abort()

                \\u0000\\u001b[31m.
            Literal: \\u202e gnitirw \\u200b\\u2066 desrever \\u00ad\\ufeff.
            Any: -*- coding: utf-7 -*-.
            Ok:
                aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa
                bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb.
            UNSET: ".
            quote_s: \\.
            it_s: {@link javascript:alert(1)} @deprecated @internal.
            back_slash: %s %(x)s {x} {0.__class__}.
            new_line: It ends \"\"\" here \\\"\"\" and \\N{DASH} \\u0041 \\x \\.
            car_riage: */ alert(1) /* // `${alert(1)}` </script><!-- ]]>.
            tab: @ts-nocheck
                @ts-ignore
                # type: ignore
                # noqa
                // eslint-disable.
            nul: import os
                os.abort()

                \\u0000\\u001b[31m.
            field_4: \\u202e gnitirw \\u200b\\u2066 desrever \\u00ad\\ufeff.
            field_5: -*- coding: utf-7 -*-.
            field_6:
                aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa
                bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb.
            field_3: ".
            x: \\.
            field_8: {@link javascript:alert(1)} @deprecated @internal.
            script: %s %(x)s {x} {0.__class__}.
            u202e_gnp: It ends \"\"\" here \\\"\"\" and \\N{DASH} \\u0041 \\x \\.
            zero_u200b_width: */ alert(1) /* // `${alert(1)}` </script><!-- ]]>.
            line_u2028_end: @ts-nocheck
                @ts-ignore
                # type: ignore
                # noqa
                // eslint-disable.
            é: import os
                os.abort()

                \\u0000\\u001b[31m.
            e: \\u202e gnitirw \\u200b\\u2066 desrever \\u00ad\\ufeff.
            fi_2: -*- coding: utf-7 -*-.
            fi:
                aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa
                bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb.
            日本: ".
            а: \\.
            u1f600: {@link javascript:alert(1)} @deprecated @internal.
            xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx_0d4e2ca9: %s
                %(x)s {x} {0.__class__}.
            default: It ends \"\"\" here \\\"\"\" and \\N{DASH} \\u0041 \\x \\.
            enum: */ alert(1) /* // `${alert(1)}` </script><!-- ]]>.
            export: @ts-nocheck
                @ts-ignore
                # type: ignore
                # noqa
                // eslint-disable.
            function: import os
                os.abort()

                \\u0000\\u001b[31m.
            delete: \\u202e gnitirw \\u200b\\u2066 desrever \\u00ad\\ufeff.
            new: -*- coding: utf-7 -*-.
            this:
                aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa
                bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb.
            arguments: ".
            eval: \\.
            undefined: {@link javascript:alert(1)} @deprecated @internal.
            input: %s %(x)s {x} {0.__class__}.
            options: It ends \"\"\" here \\\"\"\" and \\N{DASH} \\u0041 \\x \\.
            client: */ alert(1) /* // `${alert(1)}` </script><!-- ]]>.

        Failures:
            Timeout: \"
        """
        return await _self._call(
            _GETUSER_2,
            Everything(
                field_2=field_2,
                field_1st=["\\", "\n", "${x}"] if field_1st is _UNSET else field_1st,
                a_b_2=a_b_2,
                a_b_3={"__proto__": {"constructor": 1}, "toString": None} if a_b_3 is _UNSET else a_b_3,
                a_b=a_b,
                a_b_4=a_b_4,
                A_B=A_B,
                class_=class_,
                def_=def_,
                None_=None_,
                await_=await_,
                match=match,
                type={"__proto__": {"constructor": 1}, "toString": None} if type is _UNSET else type,
                self=self,
                cls=cls,
                lambda_=lambda_,
                init=init,
                class_2=class_2,
                slots=slots,
                dict_2=["\\", "\n", "${x}"] if dict_2 is _UNSET else dict_2,
                post_init=post_init,
                mangled={"__proto__": {"constructor": 1}, "toString": None} if mangled is _UNSET else mangled,
                _private=_private,
                _=_,
                field_7=field_7,
                constructor=constructor,
                proto=proto,
                prototype=prototype,
                toString=["\\", "\n", "${x}"] if toString is _UNSET else toString,
                valueOf=valueOf,
                hasOwnProperty=hasOwnProperty,
                then=then,
                toJSON=toJSON,
                ok=ok,
                code=code,
                value=value,
                data=data,
                str=["\\", "\n", "${x}"] if str is _UNSET else str,
                int=int,
                list={"__proto__": {"constructor": 1}, "toString": None} if list is _UNSET else list,
                dict=dict,
                object=object,
                date=date,
                datetime=datetime,
                Decimal=Decimal,
                UUID=UUID,
                field=["\\", "\n", "${x}"] if field is _UNSET else field,
                Annotated=Annotated,
                Literal={"__proto__": {"constructor": 1}, "toString": None} if Literal is _UNSET else Literal,
                Any=Any,
                Ok=Ok,
                UNSET=UNSET,
                quote_s=quote_s,
                it_s=it_s,
                back_slash=back_slash,
                new_line=new_line,
                car_riage=car_riage,
                tab={"__proto__": {"constructor": 1}, "toString": None} if tab is _UNSET else tab,
                nul=nul,
                field_4=field_4,
                field_5=field_5,
                field_6=field_6,
                field_3=field_3,
                x=x,
                field_8=["\\", "\n", "${x}"] if field_8 is _UNSET else field_8,
                script=script,
                u202e_gnp={"__proto__": {"constructor": 1}, "toString": None} if u202e_gnp is _UNSET else u202e_gnp,
                zero_u200b_width=zero_u200b_width,
                line_u2028_end=line_u2028_end,
                é=é,
                e=e,
                fi_2=fi_2,
                fi=fi,
                日本=["\\", "\n", "${x}"] if 日本 is _UNSET else 日本,
                а=а,
                u1f600=u1f600,
                xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx_0d4e2ca9=xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx_0d4e2ca9,
                default=default,
                enum=enum,
                export=export,
                function=function,
                delete=delete,
                new=["\\", "\n", "${x}"] if new is _UNSET else new,
                this=this,
                arguments={"__proto__": {"constructor": 1}, "toString": None} if arguments is _UNSET else arguments,
                eval=eval,
                undefined=undefined,
                input=input,
                options=options,
                client=client,
            ),
        )

    @deprecated("get_user is deprecated; use getUser")
    async def get_user(self) -> _Ok[_list_2] | Class | String_2 | CallError:
        """
        */ alert(1) /* // `${alert(1)}` </script><!-- ]]>.

        @ts-nocheck
        @ts-ignore
        # type: ignore
        # noqa
        // eslint-disable

        Needs a client with ``token``. Does no more when it is repeated, so it is tried again if no answer comes.

        Failures:
            Class:
                aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa
                bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb
            String_2: -*- coding: utf-7 -*-
        """
        return await self._call(_GET_USER, None)

    async def globalThis(self, input: _str, /) -> _Ok[Error] | ApiClient_2 | AB | CallError_2 | CallError:
        """
        %s %(x)s {x} {0.__class__}.

        It ends \"\"\" here \\\"\"\" and \\N{DASH} \\u0041 \\x \\

        Only reads, so it is tried again if no answer comes.

        Failures:
            ApiClient_2: \\u202e gnitirw \\u200b\\u2066 desrever \\u00ad\\ufeff
            AB: {@link javascript:alert(1)} @deprecated @internal
            CallError_2: */ alert(1) /* // `${alert(1)}` </script><!-- ]]>
        """
        return await self._call(_GLOBALTHIS, input)

    @deprecated("import_ is deprecated; use class_")
    async def import_(
        _self,
        *,
        field_2: None,
        field_1st: Unset | None = _UNSET,
        await_: Unset | None = _UNSET,
        match: Unset | None = _UNSET,
        type: Unset | None = _UNSET,
        self: Unset | None = _UNSET,
        cls: Unset | None = _UNSET,
        lambda_: Unset | None = _UNSET,
        init: Unset | None = _UNSET,
        class_3: Unset | None = _UNSET,
        slots: Unset | None = _UNSET,
        dict_2: Unset | None = _UNSET,
        a_b_2: Unset | None = _UNSET,
        post_init: Unset | None = _UNSET,
        mangled: Unset | None = _UNSET,
        _private: Unset | None = _UNSET,
        _: Unset | None = _UNSET,
        field_7: Unset | None = _UNSET,
        constructor: Unset | None = _UNSET,
        proto: Unset | None = _UNSET,
        prototype: Unset | None = _UNSET,
        toString: Unset | None = _UNSET,
        valueOf: Unset | None = _UNSET,
        a_b_3: None,
        hasOwnProperty: Unset | None = _UNSET,
        then: Unset | None = _UNSET,
        toJSON: Unset | None = _UNSET,
        ok: Unset | None = _UNSET,
        code: Unset | None = _UNSET,
        value: Unset | None = _UNSET,
        data: Unset | None = _UNSET,
        str: Unset | None = _UNSET,
        int: Unset | None = _UNSET,
        list: Unset | None = _UNSET,
        a_b: Unset | None = _UNSET,
        dict: Unset | None = _UNSET,
        object: Unset | None = _UNSET,
        date: Unset | None = _UNSET,
        datetime: Unset | None = _UNSET,
        Decimal: Unset | None = _UNSET,
        UUID: Unset | None = _UNSET,
        field: Unset | None = _UNSET,
        Annotated: Unset | None = _UNSET,
        Literal: Unset | None = _UNSET,
        Any: Unset | None = _UNSET,
        a_b_4: Unset | None = _UNSET,
        Ok: Unset | None = _UNSET,
        UNSET: Unset | None = _UNSET,
        quote_s: Unset | None = _UNSET,
        it_s: Unset | None = _UNSET,
        back_slash: Unset | None = _UNSET,
        new_line: Unset | None = _UNSET,
        car_riage: Unset | None = _UNSET,
        tab: Unset | None = _UNSET,
        nul: Unset | None = _UNSET,
        field_4: Unset | None = _UNSET,
        A_B: Unset | None = _UNSET,
        field_5: Unset | None = _UNSET,
        field_6: Unset | None = _UNSET,
        field_3: Unset | None = _UNSET,
        x: Unset | None = _UNSET,
        field_8: Unset | None = _UNSET,
        script: Unset | None = _UNSET,
        u202e_gnp: Unset | None = _UNSET,
        zero_u200b_width: Unset | None = _UNSET,
        line_u2028_end: Unset | None = _UNSET,
        é: Unset | None = _UNSET,
        class_2: Unset | None = _UNSET,
        e: Unset | None = _UNSET,
        fi_2: Unset | None = _UNSET,
        fi: Unset | None = _UNSET,
        日本: Unset | None = _UNSET,
        а: Unset | None = _UNSET,
        u1f600: Unset | None = _UNSET,
        xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx_0d4e2ca9: Union[
            Unset,
            None,
        ] = _UNSET,
        default: Unset | None = _UNSET,
        enum: Unset | None = _UNSET,
        export: Unset | None = _UNSET,
        def_: Unset | None = _UNSET,
        function: Unset | None = _UNSET,
        delete: Unset | None = _UNSET,
        new: Unset | None = _UNSET,
        this: Unset | None = _UNSET,
        arguments: Unset | None = _UNSET,
        eval: Unset | None = _UNSET,
        undefined: Unset | None = _UNSET,
        input: Unset | None = _UNSET,
        options: Unset | None = _UNSET,
        client: Unset | None = _UNSET,
        None_: Unset | None = _UNSET,
        a_b_5: Unset | None = _UNSET,
        class_: Unset | None = _UNSET,
    ) -> _Ok[Date] | CallError:
        """
        aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa
        bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb.

        \"

        Is never tried again by itself.
        """
        return await _self._call(
            _IMPORT_,
            Renamed(
                field_2=field_2,
                field_1st=field_1st,
                await_=await_,
                match=match,
                type=type,
                self=self,
                cls=cls,
                lambda_=lambda_,
                init=init,
                class_3=class_3,
                slots=slots,
                dict_2=dict_2,
                a_b_2=a_b_2,
                post_init=post_init,
                mangled=mangled,
                _private=_private,
                _=_,
                field_7=field_7,
                constructor=constructor,
                proto=proto,
                prototype=prototype,
                toString=toString,
                valueOf=valueOf,
                a_b_3=a_b_3,
                hasOwnProperty=hasOwnProperty,
                then=then,
                toJSON=toJSON,
                ok=ok,
                code=code,
                value=value,
                data=data,
                str=str,
                int=int,
                list=list,
                a_b=a_b,
                dict=dict,
                object=object,
                date=date,
                datetime=datetime,
                Decimal=Decimal,
                UUID=UUID,
                field=field,
                Annotated=Annotated,
                Literal=Literal,
                Any=Any,
                a_b_4=a_b_4,
                Ok=Ok,
                UNSET=UNSET,
                quote_s=quote_s,
                it_s=it_s,
                back_slash=back_slash,
                new_line=new_line,
                car_riage=car_riage,
                tab=tab,
                nul=nul,
                field_4=field_4,
                A_B=A_B,
                field_5=field_5,
                field_6=field_6,
                field_3=field_3,
                x=x,
                field_8=field_8,
                script=script,
                u202e_gnp=u202e_gnp,
                zero_u200b_width=zero_u200b_width,
                line_u2028_end=line_u2028_end,
                é=é,
                class_2=class_2,
                e=e,
                fi_2=fi_2,
                fi=fi,
                日本=日本,
                а=а,
                u1f600=u1f600,
                xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx_0d4e2ca9=xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx_0d4e2ca9,
                default=default,
                enum=enum,
                export=export,
                def_=def_,
                function=function,
                delete=delete,
                new=new,
                this=this,
                arguments=arguments,
                eval=eval,
                undefined=undefined,
                input=input,
                options=options,
                client=client,
                None_=None_,
                a_b_5=a_b_5,
                class_=class_,
            ),
        )

    async def input(self, input: _str_2, /) -> _Ok[Infinity] | Class | String_2 | CallError:
        """
        ".

        \\

        Needs a client with ``token``. Does no more when it is repeated, so it is tried again if no answer comes.

        Failures:
            Class:
                aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa
                bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb
            String_2: -*- coding: utf-7 -*-
        """
        return await self._call(_INPUT, input)

    @deprecated("list is deprecated; use print")
    async def list(self, input: Either, /) -> _Ok[let] | Timeout | CallError:
        """
        %s %(x)s {x} {0.__class__}.

        It ends \"\"\" here \\\"\"\" and \\N{DASH} \\u0041 \\x \\

        Needs a client with ``token``. Does no more when it is repeated, so it is tried again if no answer comes.

        Failures:
            Timeout: \"
        """
        return await self._call(_LIST, input)

    async def options_(self) -> _Ok[schemas_] | ApiClient_2 | AB | CallError_2 | CallError:
        """
        import os
        os.abort()

        \\u0000\\u001b[31m.

        \\u202e gnitirw \\u200b\\u2066 desrever \\u00ad\\ufeff

        Needs a client with ``token``. Does no more when it is repeated, so it is tried again if no answer comes.

        Failures:
            ApiClient_2: \\u202e gnitirw \\u200b\\u2066 desrever \\u00ad\\ufeff
            AB: {@link javascript:alert(1)} @deprecated @internal
            CallError_2: */ alert(1) /* // `${alert(1)}` </script><!-- ]]>
        """
        return await self._call(_OPTIONS_, None)

    async def print(self, input: _str, /) -> _Ok[USER] | CallError:
        """
        {@link javascript:alert(1)} @deprecated @internal.

        %s %(x)s {x} {0.__class__}

        Only reads, so it is tried again if no answer comes.
        """
        return await self._call(_PRINT, input)

    @deprecated("prototype is deprecated; use toString")
    async def prototype(self, input: UNSET_, /) -> _Ok[dataclass] | ApiClient_2 | AB | CallError_2 | CallError:
        """
        It ends \"\"\" here \\\"\"\" and \\N{DASH} \\u0041 \\x \\.

        */ alert(1) /* // `${alert(1)}` </script><!-- ]]>

        Needs a client with ``token``. Destroys something, and is never tried again by itself.

        Failures:
            ApiClient_2: \\u202e gnitirw \\u200b\\u2066 desrever \\u00ad\\ufeff
            AB: {@link javascript:alert(1)} @deprecated @internal
            CallError_2: */ alert(1) /* // `${alert(1)}` </script><!-- ]]>
        """
        return await self._call(_PROTOTYPE, input)

    @deprecated("schemas is deprecated; use withOptions")
    async def schemas(
        _self,
        *,
        self: _str,
        input: _list[_str] | Unset = _UNSET,
        options: _Literal["*/"] | Unset = _UNSET,
        client: _dict[_str, _Any] | Unset = _UNSET,
        timeout: _str | None = "\u202e\\",
        signal: Names,
        body: _dict[Names, None] | Unset = _UNSET,
    ) -> _Ok[CallError_] | Error_2 | Unset_2 | CallError:
        """
        -*- coding: utf-7 -*-.

        aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa
        bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb

        Only reads, so it is tried again if no answer comes.

        Args:
            self: It ends \"\"\" here \\\"\"\" and \\N{DASH} \\u0041 \\x \\.
            input: */ alert(1) /* // `${alert(1)}` </script><!-- ]]>.
            options: @ts-nocheck
                @ts-ignore
                # type: ignore
                # noqa
                // eslint-disable.
            client: import os
                os.abort()

                \\u0000\\u001b[31m.
            timeout: \\u202e gnitirw \\u200b\\u2066 desrever \\u00ad\\ufeff.
            signal: -*- coding: utf-7 -*-.
            body:
                aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa
                bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb.

        Failures:
            Error_2: It ends \"\"\" here \\\"\"\" and \\N{DASH} \\u0041 \\x \\
            Unset_2: @ts-nocheck
                @ts-ignore
                # type: ignore
                # noqa
                // eslint-disable
        """
        return await _self._call(
            _SCHEMAS,
            SchemasInput(
                self=self,
                input=["\\", "\n", "${x}"] if input is _UNSET else input,
                options=options,
                client={"__proto__": {"constructor": 1}, "toString": None} if client is _UNSET else client,
                timeout=timeout,
                signal=signal,
                body=body,
            ),
        )

    async def self(
        self,
        *,
        error_code_: _str,
        http_status_: _list[_str] | Unset = _UNSET,
        code: _Literal["*/"] | Unset = _UNSET,
        status: _dict[_str, _Any] | Unset = _UNSET,
        data: _str | None = "\u202e\\",
        error: Names,
        issues: _dict[Names, None] | Unset = _UNSET,
        ok: _int = -9223372036854775808,
        value: _Any | Unset = _UNSET,
    ) -> _Ok[Values] | Error_2 | Unset_2 | CallError:
        """
        \\.

        {@link javascript:alert(1)} @deprecated @internal

        Is never tried again by itself.

        Args:
            error_code_: It ends \"\"\" here \\\"\"\" and \\N{DASH} \\u0041 \\x \\.
            http_status_: */ alert(1) /* // `${alert(1)}` </script><!-- ]]>.
            code: @ts-nocheck
                @ts-ignore
                # type: ignore
                # noqa
                // eslint-disable.
            status: import os
                os.abort()

                \\u0000\\u001b[31m.
            data: \\u202e gnitirw \\u200b\\u2066 desrever \\u00ad\\ufeff.
            error: -*- coding: utf-7 -*-.
            issues:
                aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa
                bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb.
            ok: ".
            value: \\.

        Failures:
            Error_2: It ends \"\"\" here \\\"\"\" and \\N{DASH} \\u0041 \\x \\
            Unset_2: @ts-nocheck
                @ts-ignore
                # type: ignore
                # noqa
                // eslint-disable
        """
        return await self._call(
            _SELF,
            Data(
                error_code_=error_code_,
                http_status_=["\\", "\n", "${x}"] if http_status_ is _UNSET else http_status_,
                code=code,
                status={"__proto__": {"constructor": 1}, "toString": None} if status is _UNSET else status,
                data=data,
                error=error,
                issues=issues,
                ok=ok,
                value=value,
            ),
        )

    async def str(
        _self,
        *,
        self: _str,
        input: _list[_str] | Unset = _UNSET,
        options: _Literal["*/"] | Unset = _UNSET,
        client: _dict[_str, _Any] | Unset = _UNSET,
        timeout: _str | None = "\u202e\\",
        signal: Names,
        body: _dict[Names, None] | Unset = _UNSET,
    ) -> _Ok[Tuple] | Class | String_2 | CallError:
        """
        It ends \"\"\" here \\\"\"\" and \\N{DASH} \\u0041 \\x \\.

        */ alert(1) /* // `${alert(1)}` </script><!-- ]]>

        Is never tried again by itself.

        Args:
            self: It ends \"\"\" here \\\"\"\" and \\N{DASH} \\u0041 \\x \\.
            input: */ alert(1) /* // `${alert(1)}` </script><!-- ]]>.
            options: @ts-nocheck
                @ts-ignore
                # type: ignore
                # noqa
                // eslint-disable.
            client: import os
                os.abort()

                \\u0000\\u001b[31m.
            timeout: \\u202e gnitirw \\u200b\\u2066 desrever \\u00ad\\ufeff.
            signal: -*- coding: utf-7 -*-.
            body:
                aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa
                bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb.

        Failures:
            Class:
                aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa
                bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb
            String_2: -*- coding: utf-7 -*-
        """
        return await _self._call(
            _STR,
            StrInput(
                self=self,
                input=["\\", "\n", "${x}"] if input is _UNSET else input,
                options=options,
                client={"__proto__": {"constructor": 1}, "toString": None} if client is _UNSET else client,
                timeout=timeout,
                signal=signal,
                body=body,
            ),
        )

    async def then(self, input: Either, /) -> _Ok[Any] | Error_2 | Unset_2 | CallError:
        """
        {@link javascript:alert(1)} @deprecated @internal.

        %s %(x)s {x} {0.__class__}

        Needs a client with ``token``. Does no more when it is repeated, so it is tried again if no answer comes.

        Failures:
            Error_2: It ends \"\"\" here \\\"\"\" and \\N{DASH} \\u0041 \\x \\
            Unset_2: @ts-nocheck
                @ts-ignore
                # type: ignore
                # noqa
                // eslint-disable
        """
        return await self._call(_THEN, input)

    async def toString(
        _self,
        *,
        self: _str,
        input: _list[_str] | Unset = _UNSET,
        options: _Literal["*/"] | Unset = _UNSET,
        client: _dict[_str, _Any] | Unset = _UNSET,
        timeout: _str | None = "\u202e\\",
        signal: Names,
        body: _dict[Names, None] | Unset = _UNSET,
    ) -> _Ok[_class_] | AB_2 | Constructor | Json | CallError:
        """
        %s %(x)s {x} {0.__class__}.

        It ends \"\"\" here \\\"\"\" and \\N{DASH} \\u0041 \\x \\

        Is never tried again by itself.

        Args:
            self: It ends \"\"\" here \\\"\"\" and \\N{DASH} \\u0041 \\x \\.
            input: */ alert(1) /* // `${alert(1)}` </script><!-- ]]>.
            options: @ts-nocheck
                @ts-ignore
                # type: ignore
                # noqa
                // eslint-disable.
            client: import os
                os.abort()

                \\u0000\\u001b[31m.
            timeout: \\u202e gnitirw \\u200b\\u2066 desrever \\u00ad\\ufeff.
            signal: -*- coding: utf-7 -*-.
            body:
                aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa
                bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb.

        Failures:
            AB_2: %s %(x)s {x} {0.__class__}
            Constructor:

                import os
                os.abort()

                \\u0000\\u001b[31m
            Json: \\
        """
        return await _self._call(
            _TOSTRING,
            ToStringInput(
                self=self,
                input=["\\", "\n", "${x}"] if input is _UNSET else input,
                options=options,
                client={"__proto__": {"constructor": 1}, "toString": None} if client is _UNSET else client,
                timeout=timeout,
                signal=signal,
                body=body,
            ),
        )

    async def unwrap(self, input: Number, /) -> _Ok[Operation] | AB_2 | Constructor | Json | CallError:
        """
        aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa
        bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb.

        \"

        Needs a client with ``token``. Does no more when it is repeated, so it is tried again if no answer comes.

        Failures:
            AB_2: %s %(x)s {x} {0.__class__}
            Constructor:

                import os
                os.abort()

                \\u0000\\u001b[31m
            Json: \\
        """
        return await self._call(_UNWRAP, input)

    async def withOptions(self, input: Either, /) -> _Ok[Response] | Class | String_2 | CallError:
        """
        \\u202e gnitirw \\u200b\\u2066 desrever \\u00ad\\ufeff.

        -*- coding: utf-7 -*-

        Needs a client with ``token``. Destroys something, and is never tried again by itself.

        Failures:
            Class:
                aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa
                bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb
            String_2: -*- coding: utf-7 -*-
        """
        return await self._call(_WITHOPTIONS, input)

    async def with_options_(self, input: _str, /) -> _Ok[Number] | Timeout | CallError:
        """
        import os
        os.abort()

        \\u0000\\u001b[31m.

        \\u202e gnitirw \\u200b\\u2066 desrever \\u00ad\\ufeff

        Is never tried again by itself.

        Failures:
            Timeout: \"
        """
        return await self._call(_WITH_OPTIONS_, input)

    async def x(
        self,
        *,
        error_code_: _str,
        http_status_: _list[_str] | Unset = _UNSET,
        code: _Literal["*/"] | Unset = _UNSET,
        status: _dict[_str, _Any] | Unset = _UNSET,
        data: _str | None = "\u202e\\",
        error: Names,
        issues: _dict[Names, None] | Unset = _UNSET,
        ok: _int = -9223372036854775808,
        value: _Any | Unset = _UNSET,
    ) -> _Ok[Symbol] | AB_2 | Constructor | Json | CallError:
        """
        @ts-nocheck
        @ts-ignore
        # type: ignore
        # noqa
        // eslint-disable.

        import os
        os.abort()

        \\u0000\\u001b[31m

        Only reads, so it is tried again if no answer comes.

        Args:
            error_code_: It ends \"\"\" here \\\"\"\" and \\N{DASH} \\u0041 \\x \\.
            http_status_: */ alert(1) /* // `${alert(1)}` </script><!-- ]]>.
            code: @ts-nocheck
                @ts-ignore
                # type: ignore
                # noqa
                // eslint-disable.
            status: import os
                os.abort()

                \\u0000\\u001b[31m.
            data: \\u202e gnitirw \\u200b\\u2066 desrever \\u00ad\\ufeff.
            error: -*- coding: utf-7 -*-.
            issues:
                aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa
                bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb.
            ok: ".
            value: \\.

        Failures:
            AB_2: %s %(x)s {x} {0.__class__}
            Constructor:

                import os
                os.abort()

                \\u0000\\u001b[31m
            Json: \\
        """
        return await self._call(
            _X,
            Data(
                error_code_=error_code_,
                http_status_=["\\", "\n", "${x}"] if http_status_ is _UNSET else http_status_,
                code=code,
                status={"__proto__": {"constructor": 1}, "toString": None} if status is _UNSET else status,
                data=data,
                error=error,
                issues=issues,
                ok=ok,
                value=value,
            ),
        )
