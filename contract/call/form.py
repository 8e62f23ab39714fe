"""
Forms: the body of a call that sends files, read part by part (RFC 7578).

One part, ``input``, holds the JSON of the input; each file is a part with the name of its field.
The adapter feeds the body in pieces, and nothing waits here. A file goes to a temporary file
without a name, which is in memory while it is small; the whole body is never in memory. A part that
is refused is read and dropped, so that one answer reports all problems. A body that costs too much,
or is not a form, ends the reading.

The parser is python-multipart's. It is fed, so WSGI and ASGI share it, while Falcon's parser pulls,
and has one version for each. It is imported only if a route takes files.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Mapping
from importlib import import_module
from tempfile import SpooledTemporaryFile
from typing import Any, BinaryIO, Final, cast, final

import orjson

from contract.call.incoming import Refused
from contract.declare.files import INPUT_PART, FileField, Files
from contract.pred.compile import Pred
from contract.shape.exceptions import InvalidInput, MountError
from contract.shape.header_values import essence, parameters_in
from contract.shape.issues import MAX_ISSUES, Issue, issue
from contract.shape.media_types import is_media_type
from contract.shape.upload import UPLOADED, Upload

__all__ = ["DISK_FULL", "Form", "FormInput", "boundary_in", "file_name"]

DISK_FULL: Final = "writing a file to disk raised"
"""The words of the log for a form whose files do not fit on the disk."""

_IN_MEMORY: Final = 65_536
"""How many bytes of a file are kept in memory before it goes to disk."""
_HEADERS: Final = 16
_HEADER: Final = 4096
"""The most headers of a part, and the most bytes of each."""
_AROUND: Final = 16_384
"""Bytes of a body around each part: its headers, and the boundary."""
_UNKNOWN: Final = 20
"""How many more parts than fields are read, so that mistakes can be reported."""
_PLAIN: Final = ("7bit", "8bit", "binary")
_NO_TYPE: Final = "application/octet-stream"
"""The media type of a file without a valid one (RFC 7578, section 4.4; RFC 9110, section 8.3)."""
_JSON_TYPES: Final = ("application/json", "text/plain", _NO_TYPE)
"""Media types of the JSON: programs without a type for a part send none, or one of these."""


def boundary_in(content_type: str) -> bytes | None:
    """The boundary in the Content-Type of a form; None for another type, or without a boundary."""
    boundary = _parameters(content_type, "multipart/form-data").get("boundary", "")
    # at most 70 characters, not ending with a space (RFC 2046, section 5.1.1)
    if not 1 <= len(boundary) <= 70 or boundary.endswith(" ") or not boundary.isascii():
        return None
    return boundary.encode("ascii")


@final
class FormInput:
    """
    Reads and loads the forms of one route.

    Raises:
        MountError: No form parser is installed.
    """

    max_json: int
    """The most bytes of the JSON; the service sets it."""

    def __init__(
        self, files: Files, pred: Pred[Any] | None, load_json: Callable[[bytes], object]
    ) -> None:
        self.pred: Final = pred
        """The pred of the whole input; None to load only the JSON."""
        self.fields: Final = {each.wire: each for each in files.fields}
        self._load_json: Final = load_json
        self.parser: Final[Callable[..., Any]] = _parser()
        self.most_parts: Final = sum(each.most for each in files.fields) + 1 + _UNKNOWN
        self._max_files: Final = files.max_bytes

    @property
    def max_bytes(self) -> int:
        """The most bytes of a body."""
        return self._max_files + self.max_json + self.most_parts * _AROUND

    def begin(self, boundary: bytes) -> Form:
        """A form of which nothing has been read."""
        return Form(self, boundary)

    def load(self, form: Any) -> Any:
        """
        The input in a *form* that has been read.

        Raises:
            InvalidInput: A part, or the JSON, is refused.
        """
        if form.issues:
            truncated = len(form.issues) > MAX_ISSUES
            raise InvalidInput(tuple(form.issues[:MAX_ISSUES]), truncated=truncated)
        if self.pred is None:
            return self._without_files(form)
        body, uploaded = self._joined(form)
        token = UPLOADED.set(uploaded)
        try:
            return self.pred.load(body)
        finally:
            UPLOADED.reset(token)

    def _without_files(self, form: Form) -> Any:
        """The input without its files; only required files are checked."""
        issues: list[Issue] = []
        for wire, field in self.fields.items():
            found, (least, _) = len(form.files[wire]), field.many or (0, 0)
            if found < least:
                issues.append(issue("too_few_items", (wire,), min_items=least, length=found))
            elif field.required and not found:
                issues.append(issue("missing", (wire,)))
        if issues:
            raise InvalidInput(tuple(issues))
        return self._load_json(bytes(form.json) or b"{}")

    def _joined(self, form: Form) -> tuple[bytes, Mapping[str, Upload]]:
        """The JSON with a key for each file, and these keys -> files."""
        body = bytes(form.json).strip(b" \t\r\n") or b"{}"
        try:
            sent: object = orjson.loads(body)
        except orjson.JSONDecodeError:
            sent = None
        if not isinstance(sent, dict):
            self._load_json(body)  # without other JSON it accepts only null
            sent = {}
        known = cast("dict[str, object]", sent)
        # a text in the place of a file would be taken for the key of one
        smuggled = [wire for wire in self.fields if wire in known]
        if smuggled:
            raise InvalidInput(tuple(issue("unknown_key", (wire,)) for wire in smuggled))
        uploaded: dict[str, Upload] = {}
        # the members of one JSON object: those that were sent, byte for byte, then those of files
        members: list[bytes] = []
        if known:
            members.append(body[1:-1])
        for wire, field in self.fields.items():
            found = form.files[wire]
            if not found and field.many is None and not field.nullable:
                continue  # missing, or its default
            named = {f"{wire}:{number}": each for number, each in enumerate(found)}
            uploaded |= named
            value: object = [*named]
            if field.many is None:
                value = next(iter(named), None)
            members.append(orjson.dumps({wire: value})[1:-1])
        return b"{" + b",".join(members) + b"}", uploaded


def _parser() -> Callable[..., Any]:
    try:
        module = import_module("python_multipart.multipart")
    except ImportError:
        raise MountError(
            "mount_spec(spec=)",
            "a route takes files, and what reads forms is not installed; "
            'run pip install "contract-rpc[files]"',
        ) from None
    parser: Callable[..., Any] = module.MultipartParser
    return parser


_QUIET: Final = logging.getLogger("contract.forms")
"""Takes the parser's log messages about clients' mistakes, which contain bytes of the body."""
_QUIET.addHandler(logging.NullHandler())
_QUIET.propagate = False


@final
class Form:
    """
    A form, as its body comes.

    Attributes:
        files: Field name -> files.
        issues: The problems with its parts.
        json: The part with the JSON; empty if there is none.
    """

    def __init__(self, reader: FormInput, boundary: bytes) -> None:
        self.files: Final[dict[str, list[Upload]]] = {wire: [] for wire in reader.fields}
        self.issues: Final[list[Issue]] = []
        self.json: Final = bytearray()
        self._reader: Final = reader
        self._parts = 0
        self._exceeded: int | None = None
        """The limit, in bytes, of the first part that is too large."""
        self._has_json = self._is_whole = False
        self._headers: dict[str, str]
        self._name, self._value = bytearray(), bytearray()
        self._file_parts: Final[list[_FilePart]] = []
        self._take: Callable[[bytes], None]
        self._end: Callable[[], None]
        calls: dict[str, Callable[..., None]] = {
            "on_part_begin": self._begin_part,
            "on_header_begin": self._begin_header,
            "on_header_field": self._take_name,
            "on_header_value": self._take_value,
            "on_header_end": self._end_header,
            "on_headers_finished": self._begin_data,
            "on_part_data": self._take_data,
            "on_part_end": self._end_part,
            "on_end": self._note_end,
        }
        self._parser: Any = reader.parser(
            boundary, calls, max_header_count=_HEADERS, max_header_size=_HEADER
        )
        self._parser.logger = _QUIET

    @property
    def held(self) -> int:
        """How many of its bytes are in memory; large files are on disk."""
        files = [part.size for part in self._file_parts]
        return len(self.json) + sum(size for size in files if size <= _IN_MEMORY)

    def feed(self, data: bytes) -> None:
        """
        Read the next bytes of the body.

        Raises:
            Refused: They are not a form, or exceed a limit.
        """
        try:
            self._parser.write(data)
        except ValueError:
            raise Refused("BAD_REQUEST", message=_NO_FORM) from None

    def finish(self) -> None:
        """
        Record that the body has ended.

        Raises:
            Refused: The form is incomplete, or a part of it is too large.
        """
        # reported at the end: a client that is still sending may lose an earlier answer
        if self._exceeded is not None:
            raise Refused("PAYLOAD_TOO_LARGE", limit=self._exceeded)
        if not self._is_whole:
            raise Refused("BAD_REQUEST", message=_CUT_OFF)

    def close_files(self) -> None:
        """Close the files; those on disk are then deleted."""
        # both hold this form, which would wait for the garbage collector
        self._parser, self._take, self._end = None, _drop, _nothing
        for part in self._file_parts:
            part.spool.close()

    # The parser calls these, in this order, for each part; names, values and data come in pieces.
    # The headers tell what the data is, so `_begin_data` sets what takes it (`_take`) and what ends
    # the part (`_end`). A part that is refused is dropped.

    def _begin_part(self) -> None:
        self._parts += 1
        if self._parts > self._reader.most_parts:
            many = f"The form has more than {self._reader.most_parts} parts."
            raise Refused("BAD_REQUEST", message=many)
        self._headers = {}

    def _begin_header(self) -> None:
        self._name.clear()
        self._value.clear()

    def _take_name(self, data: bytes, start: int, end: int) -> None:
        self._name.extend(data[start:end])

    def _take_value(self, data: bytes, start: int, end: int) -> None:
        self._value.extend(data[start:end])

    def _end_header(self) -> None:
        name = self._name.decode("ascii").lower()  # the parser accepts nothing else
        # of two, another program may read the other
        if name in self._headers:
            raise Refused("BAD_REQUEST", message=_NO_FORM)
        self._headers[name] = self._value.decode("utf-8", "replace").strip(" \t")

    def _begin_data(self) -> None:
        told = _parameters(self._headers.get("content-disposition", ""), "form-data")
        # browsers write a quote as a percent sign (HTML, section 4.10.22.7), others escape it
        named = {key: text.replace("%22", '"') for key, text in told.items()}
        encoding = self._headers.get("content-transfer-encoding", "binary").lower()
        if "name" not in named or encoding not in _PLAIN:
            raise Refused("BAD_REQUEST", message=_NO_FORM)
        name, content_type = named["name"], self._headers.get("content-type")
        self._take, self._end = _drop, _nothing
        if name == INPUT_PART:
            self._begin_json(content_type)
        elif name in self._reader.fields:
            self._begin_file(self._reader.fields[name], content_type, named.get("filename"))
        else:
            self._refuse("unknown_key", name)

    def _refuse(self, code: str, name: str, **params: Any) -> None:
        if len(self.issues) <= MAX_ISSUES:  # one more shows that there are more
            self.issues.append(issue(code, (name,), **params))

    def _begin_json(self, content_type: str | None) -> None:
        if self._has_json:
            self._refuse("repeated_part", INPUT_PART)
        elif content_type is not None and not _is_json(content_type):
            self._refuse("media_type", INPUT_PART, allowed=[_JSON_TYPES[0]])
        else:
            self._take = self._take_json
        self._has_json = True

    def _take_json(self, data: bytes) -> None:
        if len(self.json) + len(data) > self._reader.max_json:
            self._exceed(self._reader.max_json)
        else:
            self.json.extend(data)

    def _exceed(self, limit: int) -> None:
        """Drop the rest of a part that is too large."""
        self._take, self._end = _drop, _nothing
        self._exceeded = self._exceeded or limit

    def _begin_file(self, field: FileField, content_type: str | None, filename: str | None) -> None:
        media_type = essence(content_type or "")
        if not is_media_type(media_type):  # a resolver may send it on in a header
            media_type = _NO_TYPE
        found = self.files[field.wire]
        is_wrong = field.media is not None and not field.media.takes(media_type)
        if len(found) == field.most:
            if field.many is None:
                self._refuse("repeated_part", field.wire)
            else:
                self._refuse("too_many_items", field.wire, max_items=field.most)
        elif is_wrong and filename != "":
            self._refuse_type(field)
        else:
            part = _FilePart(field.max_bytes)
            self._file_parts.append(part)

            def take(data: bytes) -> None:
                if not part.take(data):
                    self._exceed(field.max_bytes)

            def end() -> None:
                # a page sends no name and no bytes for a field without a chosen file (HTML, section
                # 4.10.22.4)
                if is_wrong and part.size:
                    self._refuse_type(field)
                elif part.size or filename != "":
                    found.append(part.upload(file_name(filename), media_type))

            self._take, self._end = take, end

    def _refuse_type(self, field: FileField) -> None:
        allowed = [] if field.media is None else list(field.media.types)
        self._refuse("media_type", field.wire, allowed=allowed)

    def _take_data(self, data: bytes, start: int, end: int) -> None:
        self._take(data[start:end])

    def _end_part(self) -> None:
        self._end()

    def _note_end(self) -> None:
        self._is_whole = True


_NO_FORM: Final = "The body is not a form with named parts, as its Content-Type says."
_CUT_OFF: Final = "The body ends before the last boundary of the form."


def _drop(_: bytes) -> None:
    """Take a part that is refused, or not wanted."""


def _nothing() -> None:
    """End such a part."""


@final
class _FilePart:
    """A file, as its part comes."""

    __slots__ = ("_max", "size", "spool")

    def __init__(self, most: int) -> None:
        self._max: Final = most
        self.spool: Final[Any] = SpooledTemporaryFile(_IN_MEMORY)  # noqa: SIM115  the form closes it
        self.size = 0

    def take(self, data: bytes) -> bool:
        """Take the next bytes; return False if they are too many."""
        self.size += len(data)
        if self.size > self._max:  # what came of it is of no use, and takes room on the disk
            self.spool.close()
            return False
        try:
            self.spool.write(data)
        except OSError as error:  # the disk is full
            raise Refused("SERVICE_UNAVAILABLE") from error
        return True

    def upload(self, name: str, media_type: str) -> Upload:
        self.spool.seek(0)
        file = cast("BinaryIO", self.spool)
        return Upload(file, name=name, media_type=media_type, size=self.size)


def _parameters(value: str, wanted: str) -> dict[str, str]:
    """The parameters of a header; empty if *value* is of another kind, or names one twice."""
    if essence(value) != wanted:
        return {}
    pairs = parameters_in(value)
    if pairs is None:
        return {}
    found = dict(pairs)
    if len(found) < len(pairs):
        return {}
    return {name: text.replace('\\"', '"') for name, text in found.items()}


def _is_json(content_type: str) -> bool:
    """Whether a part with this Content-Type may be the JSON, which is always in UTF-8."""
    kind = essence(content_type)
    charset = _parameters(content_type, kind).get("charset", "utf-8")
    return kind in _JSON_TYPES and charset.lower() in ("utf-8", "us-ascii")


_UNSAFE: Final = re.compile(
    r'[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff<>:"|?*]'
)
"""Characters that some system refuses in file names, or that disguise a name."""
_DEVICES: Final = re.compile(r"(?i)(con|prn|aux|nul|(com|lpt)[0-9¹²³]|con(in|out)\$) *(\.|$)")
"""Names that Windows takes for devices."""
_LONGEST: Final = 120
"""The most characters of a name."""
_MOST_BYTES: Final = 240
"""The most bytes of a name in UTF-8: file systems allow 255, so there is room for an ending."""


def file_name(sent: str | None) -> str:
    """The last part of the name that a client *sent*, made safe."""
    # some programs send the whole path, with the separators of their system
    last = re.split(r"[/\\]", sent or "")[-1]
    name = _UNSAFE.sub("", last).strip(" .")
    stem, dot, ending = name.rpartition(".")
    if not dot or len(ending) > 10:
        stem, dot, ending = name, "", ""
    # the stem is cut, never the ending: first by characters, then by bytes, where half a character
    # may be left, which `ignore` drops
    room = _MOST_BYTES - len(f"{dot}{ending}".encode())
    short = stem[: _LONGEST - len(f"{dot}{ending}")].encode()[:room].decode("utf-8", "ignore")
    name = f"{short.rstrip(' .')}{dot}{ending}"
    if _DEVICES.match(name):
        return f"_{name}"
    return name or "file"
