"""Classes of the standard library that stand on the wire as a text."""

from __future__ import annotations

import json
import re
import struct
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from io import BytesIO
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from pathlib import PurePath, PurePosixPath, PureWindowsPath
from random import Random
from typing import Annotated, Any
from zoneinfo import ZoneInfo, available_timezones

import pytest
from annotated_types import Len
from hypothesis import given
from hypothesis import strategies as st

import contract
from contract.codegen.package import package_of
from contract.codegen.python import python_client
from contract.codegen.typescript import typescript_client
from contract.shape.nodes import OwnShape, StrShape
from contract.shape.patterns import matcher
from contract.shape.python_types import known_shape, ready_shape, ready_text
from contract.shape.reader import shape_of
from contract.shape.text_forms import READY_FORMS
from contract.testing.mock_values import Values
from tests.python_clients import document_of
from tests.tables import rows

EVERY = [IPv4Address, IPv6Address, IPv4Network, IPv6Network, ZoneInfo, PurePath, PurePosixPath]


def taken(cls: type[Any], text: str) -> bool:
    try:
        contract.pred_of(cls).load(f'"{text}"'.encode())
    except contract.InvalidInput:
        return False
    return True


@pytest.mark.parametrize("cls", EVERY)
def test_examples_come_back(cls: type[Any]) -> None:
    shape: Any = ready_shape(cls)

    for example in shape.examples:
        text = f'"{example}"'.encode()
        assert contract.pred_of(cls).dump(contract.pred_of(cls).load(text)) == text


def test_other_classes_are_not_known() -> None:
    assert ready_shape(int) is None


@rows(
    "cls, text, value",
    (IPv4Address, "10.0.0.255", IPv4Address("10.0.0.255")),
    (IPv6Address, "::FFFF:1.2.3.4", IPv6Address("::ffff:1.2.3.4")),
    (IPv4Network, "10.0.0.0/8", IPv4Network("10.0.0.0/8")),
    (IPv6Network, "2001:DB8::/32", IPv6Network("2001:db8::/32")),
    (ZoneInfo, "Asia/Kolkata", ZoneInfo("Asia/Kolkata")),
    (PurePath, "a/../b", PurePosixPath("a/../b")),
    (PurePosixPath, "/a b/ü", PurePosixPath("/a b/ü")),
)
def test_texts_are_read(cls: type[Any], text: str, value: object) -> None:
    loaded = contract.pred_of(cls).load(f'"{text}"'.encode())

    assert loaded == value
    assert type(loaded) is type(value)


WRONG: dict[type[Any], list[str]] = {
    IPv4Address: ["", "1.2.3", "01.2.3.4", "1.2.3.256", "1.2.3.4/32", "1.2.3.٤"],
    IPv6Address: ["1::2::3", "fe80::1%eth0", "1.2.3.4"],
    IPv4Network: ["10.0.0.1/8", "10.0.0.0", "10.0.0.0/33", "10.0.0.0/255.0.0.0"],
    IPv6Network: ["::/129", "::1/64"],
    ZoneInfo: ["Europe/Atlantis", "../../etc/passwd", "europe/berlin"],
    PurePath: ["", "a" * 4_097, r"a\u0000b"],
}


@pytest.mark.parametrize(("cls", "text"), [(cls, text) for cls in WRONG for text in WRONG[cls]])
def test_other_texts_are_refused(cls: type[Any], text: str) -> None:
    assert not taken(cls, text)


@given(
    st.lists(st.sampled_from(["", "", "0", "1", "ffff", "FA", "1.2.3.4", "12345", "g"]), max_size=9)
)
def test_the_patterns_of_addresses_are_those_of_python(parts: list[str]) -> None:
    for separator, version in ((":", IPv6Address), (".", IPv4Address)):
        text = separator.join(parts)
        assert taken(version, text) == is_read(version, text)


def is_read(read: Callable[[str], object], text: str) -> bool:
    try:
        read(text)
    except ValueError:
        return False
    return True


def test_every_time_zone_is_known() -> None:
    shape: Any = ready_shape(ZoneInfo)

    assert all(matcher(shape.inner.patterns[0])(name) for name in available_timezones())


@rows(
    "cls, value",
    (IPv6Address, IPv6Address("fe80::1%eth0")),
    (IPv4Address, ip_network("10.0.0.0/8")),
    (IPv4Network, ip_address("10.0.0.1")),
    (PurePath, PurePosixPath("a\0b")),
    (PurePath, "a"),
    (PurePosixPath, PureWindowsPath("a")),
)
def test_other_values_are_not_sent(cls: type[Any], value: object) -> None:
    with pytest.raises(contract.InvalidOutput):
        contract.pred_of(cls).dump(value)


def test_a_zone_without_a_name_is_not_sent() -> None:
    # RFC 9636, section 3: a file of the first version, with one type and no transitions
    header = b"TZif" + bytes(16) + struct.pack(">6l", 0, 0, 0, 0, 1, 4)
    nameless = ZoneInfo.from_file(BytesIO(header + struct.pack(">lbb", 0, 0, 0) + b"UTC\0"))

    with pytest.raises(contract.InvalidOutput):
        contract.pred_of(ZoneInfo).dump(nameless)


def test_paths_of_windows_are_sent_with_the_separators_of_the_wire() -> None:
    assert contract.pred_of(PurePath).dump(PureWindowsPath(r"a\b")) == b'"a/b"'


def test_nobody_imports_what_no_annotation_names() -> None:
    """Some releases of orjson do, for their own sake."""
    code = "import sys, orjson; had = {*sys.modules}; import contract; print({'zoneinfo'} & ({*sys.modules} - had))"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert ran.stdout == "set()\n"


# Issues.


EMAIL, IPV4 = "an address of e-mail like ada@example.org", "an IPv4 address like 192.0.2.1"


@rows(
    "annotation, document, code, told",
    *(
        (cls, f'"{text}"', "format", told)
        for cls, text, told in (
            (IPv4Address, "1.2.3", IPV4),
            (IPv6Address, "1::2::3", "an IPv6 address like 2001:db8::1"),
            (IPv4Network, "10.0.0.1/8", "an IPv4 network like 192.0.2.0/24"),
            (IPv6Network, "::/129", "an IPv6 network like 2001:db8::/32"),
            (ZoneInfo, "Europe/Atlantis", "the name of a time zone like Europe/Berlin"),
            (PurePath, r"a\u0000b", "a path like invoices/2026-01.pdf"),
            (contract.Email, "ada", EMAIL),
            (contract.Url, "example.org", "a URL like https://example.org/a?b=c"),
            (contract.SemVer, "1.4", "a semantic version like 1.4.0"),
        )
    ),
    (dict[contract.Email, int], '{"ada": 1}', "format", EMAIL),
    (contract.Email, "1", "string_type", f"a string in double quotes with {EMAIL}, not an integer"),
    (int | IPv4Address, "true", "union", f"an integer or {IPV4}, not true or false"),
)
def test_a_miss_shows_what_is_right(annotation: Any, document: str, code: str, told: str) -> None:
    with pytest.raises(contract.InvalidInput) as caught:
        contract.pred_of(annotation).load(document.encode())
    (issue,) = caught.value.issues

    assert (issue.code, issue.message) == (code, f"Must be {told}.")


def codes(annotation: Any, text: str) -> list[str]:
    with pytest.raises(contract.InvalidInput) as caught:
        contract.pred_of(annotation).load(f'"{text}"'.encode())
    return [issue.code for issue in caught.value.issues]


def test_rules_of_the_author_are_told_as_such() -> None:
    texts = ("ada@example.com", "a@b", "a@bc.org" + "g" * 40, "ada@org")
    found = [
        codes(Annotated[contract.Email, Len(5, 30), contract.Pattern("org$")], text)
        for text in texts
    ]

    assert found == [["pattern"], ["string_too_short"], ["string_too_long"], ["format"]]


def test_a_secret_has_no_form() -> None:
    assert codes(Annotated[contract.SecretStr, contract.Pattern("[0-9]")], "abc") == ["pattern"]


def test_addresses_and_networks_are_told_apart() -> None:
    pred = contract.pred_of(list[IPv4Address | IPv6Address | IPv4Network])
    text = b'["192.0.2.1","2001:db8::1","192.0.2.0/24"]'
    loaded = pred.load(text)

    assert [*map(type, loaded)] == [IPv4Address, IPv6Address, IPv4Network]
    assert pred.dump(loaded) == text
    others = "an IPv6 address like 2001:db8::1 or an IPv4 network like 192.0.2.0/24"
    with pytest.raises(contract.InvalidInput) as caught:
        pred.load(b'["ada"]')
    assert [issue.message for issue in caught.value.issues] == [f"Must be {IPV4}, {others}."]


@pytest.mark.parametrize(
    "annotation",
    [contract.Email | contract.Url, contract.Email | IPv4Address, IPv4Address | contract.SecretStr],
)
def test_other_texts_are_not(annotation: Any) -> None:
    with pytest.raises(contract.UnsupportedAnnotation, match="cannot be told apart"):
        shape_of(annotation)


def test_each_has_a_sentence_with_a_value_that_it_takes() -> None:
    samples = {kind: told.rpartition(" ")[2] for kind, told in READY_FORMS.items()}
    shapes = {cls: shape_of(cls) for cls in (*EVERY, contract.Email, contract.SemVer, contract.Url)}
    kinds = {str(shape.form): cls for cls, shape in shapes.items() if isinstance(shape, OwnShape)}

    assert kinds.keys() == samples.keys()
    assert [kind for kind, cls in kinds.items() if not taken(cls, samples[kind])] == []


# On paper.


@pytest.mark.parametrize(
    "cls", [*EVERY, contract.Email, contract.SecretStr, contract.SemVer, contract.Url]
)
def test_paper_knows_the_class_by_its_kind(cls: type[Any]) -> None:
    shape: Any = shape_of(cls)
    known = known_shape(shape.kind, shape.inner)

    assert known == (shape_of(PurePosixPath) if cls is PurePath else shape)
    assert known is not None
    assert ready_text(known) == shape.inner


def test_paper_may_narrow_a_text_of_ours() -> None:
    narrow: Any = shape_of(Annotated[contract.Email, Len(5, 30)])

    assert known_shape("email", narrow.inner) == narrow
    assert narrow.examples == ("ada@example.org",)


@rows(
    "kind, text",
    *((each, StrShape()) for each in (None, "money", "email")),
    ("email", StrShape(max_length=254)),
    ("url", StrShape(patterns=("^https",))),
    ("ipv4", StrShape(max_length=7)),
)
def test_other_rules_are_those_of_a_text(kind: str | None, text: StrShape) -> None:
    assert known_shape(kind, text) is None


def test_a_text_of_ours_keeps_its_longest() -> None:
    email: Any = shape_of(contract.Email)
    longer = StrShape(max_length=300, patterns=email.inner.patterns)

    assert known_shape("email", longer) is None
    assert known_shape("email", StrShape(patterns=email.inner.patterns)) is None


@dataclass
class Host:
    address: IPv4Address
    contact: Annotated[contract.Email, Len(5, 30)]
    login: Annotated[contract.SecretStr, Len(2, 9), contract.Pattern("a")]
    home: PurePath | None = None
    zone: ZoneInfo = ZoneInfo("UTC")  # noqa: RUF009  it cannot change
    by_zone: dict[ZoneInfo, contract.Url] = field(default_factory=dict)
    any_of: int | IPv6Address = IPv6Address("::1")  # noqa: RUF009  nor can this


def test_clients_have_the_classes() -> None:
    written = python_client(package_of(document_of(Host)))

    for line in (
        "from ipaddress import IPv4Address, IPv6Address",
        "from pathlib import PurePosixPath",
        "from zoneinfo import ZoneInfo",
        "    address: IPv4Address",
        "    contact: Annotated[Email, Len(5, 30)]",
        '    login: Annotated[SecretStr, Len(2, 9), Pattern("a")]',
        "    home: PurePosixPath | None = None",
        '    zone: ZoneInfo = ZoneInfo("UTC")',
    ):
        assert line in written.splitlines()


def test_a_default_that_is_none_of_the_class_is_left_out() -> None:
    text = contract.dump_contract(document_of(Host))
    changed = re.sub(rb'"default": ?"UTC"', b'"default":"Nowhere/Town"', text)
    assert changed != text
    written = python_client(package_of(contract.load_contract(changed)))

    assert "Nowhere/Town" not in written


def test_typescript_has_texts() -> None:
    written = typescript_client(package_of(document_of(Host)))

    assert '/** Such as "192.0.2.1". */' in written
    assert '  address: Branded<"ipv4">;' in written
    assert "export type Branded<Kind extends string>" in written
    assert "by_zone" in written


def test_mocks_make_up_values_that_the_class_takes() -> None:
    paper = package_of(document_of(Host))
    pred = contract.pred_of(Host)
    operation: Any = next(iter(paper.operations.values()))

    for seed in range(5):
        drawn = Values(paper).draw(operation.input, Random(seed), "route")
        assert isinstance(pred.load(json.dumps(drawn).encode()), Host)
