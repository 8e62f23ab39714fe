"""Files: compares the files that two versions of a route take."""

from __future__ import annotations

from collections.abc import Iterator

from contract.document.diff.changes import Change, difference, quoted, said
from contract.document.model import ContractFile, ContractRoute

__all__ = ["files"]


def files(path: str, name: str, old: ContractRoute, new: ContractRoute) -> Iterator[Change]:
    """The changes in the files of the route *name*, and in its greatest body size."""
    if bool(old.files) != bool(new.files):
        form = "a form" if new.files else "JSON"
        text = f"a body is {form} now: what clients send is refused (415)"
        yield difference("body_form_changed", "breaking", f"{path}.files", text, name)
    for part in dict.fromkeys((*old.files, *new.files)):
        yield from _file(
            f"{path}.files.{part}", name, part, old.files.get(part), new.files.get(part)
        )
    yield from _limit(f"{path}.max_body_bytes", name, old.max_body_bytes, new.max_body_bytes)


def _file(
    path: str, name: str, part: str, old: ContractFile | None, new: ContractFile | None
) -> Iterator[Change]:
    if new is None:
        text = f"takes no file {quoted(part)} any more: clients that send it are refused"
        yield difference("file_removed", "breaking", path, text, name)
    elif old is None:
        if new.required:
            text = f"needs the file {quoted(part)}: clients that do not send it are refused"
            yield difference("file_required", "breaking", path, text, name)
        else:
            text = f"takes the file {quoted(part)}, too"
            yield difference("file_added", "compatible", path, text, name)
    else:
        yield from _changed(path, name, part, old, new)


def _changed(
    path: str, name: str, part: str, old: ContractFile, new: ContractFile
) -> Iterator[Change]:
    if old.required != new.required:
        if new.required:
            text = f"needs the file {quoted(part)}: clients that do not send it are refused"
            yield difference("file_required", "breaking", f"{path}.required", text, name)
        else:
            text = f"does not need the file {quoted(part)} any more"
            yield difference("file_optional", "compatible", f"{path}.required", text, name)
    yield from _limit(f"{path}.max_bytes", name, old.max_bytes, new.max_bytes)
    yield from _media(f"{path}.media", name, old.media, new.media)
    yield from _number(path, name, old.many, new.many)
    if old.name != new.name:
        text = f"is the field {said(new.name or part)} in Python, was {said(old.name or part)}"
        yield difference("file_renamed", "source", f"{path}.name", text, name, old.name, new.name)
    if old.description != new.description:
        text = f"the description is {said(new.description)}, was {said(old.description)}"
        yield difference(
            "description_changed",
            "docs",
            f"{path}.description",
            text,
            name,
            old.description,
            new.description,
        )


def _limit(path: str, name: str, old: int | None, new: int | None) -> Iterator[Change]:
    if old == new:
        return
    if new is not None and (old is None or new < old):
        text = f"takes at most {new} bytes, was {said(old)}: larger ones are refused (413)"
        yield difference("bytes_lowered", "breaking", path, text, name, old, new)
    else:
        text = f"takes at most {said(new)} bytes, was {said(old)}"
        yield difference("bytes_raised", "compatible", path, text, name, old, new)


def _media(path: str, name: str, old: tuple[str, ...], new: tuple[str, ...]) -> Iterator[Change]:
    if {*old} == {*new}:
        return
    gone = [each for each in old or ("*/*",) if not _takes(new, each)]
    if gone:
        text = f"does not take {', '.join(gone)} any more"
        yield difference("media_removed", "breaking", path, text, name, [*old], [*new])
    else:
        text = f"takes {', '.join(new) or 'every media type'}"
        yield difference("media_added", "compatible", path, text, name, [*old], [*new])


def _takes(media: tuple[str, ...], one: str) -> bool:
    kind = one.partition("/")[0]
    return not media or any(each in (one, f"{kind}/*", "*/*") for each in media)


def _number(
    path: str, name: str, old: tuple[int, int] | None, new: tuple[int, int] | None
) -> Iterator[Change]:
    if old == new:
        return
    least, most = (0, 1) if old is None else old
    now_least, now_most = (0, 1) if new is None else new
    text = f"takes {now_least} to {now_most} files, was {least} to {most}"
    if now_most < most or now_least > least:
        yield difference("files_narrowed", "breaking", f"{path}.max_files", text, name)
    elif (old is None) != (new is None):
        text += ": they are a list now" if old is None else ": it is one now"
        yield difference("files_listed", "source", f"{path}.max_files", text, name)
    else:
        yield difference("files_widened", "compatible", f"{path}.max_files", text, name)
