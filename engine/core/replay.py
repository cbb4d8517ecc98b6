"""A battle as a file: JSON Lines of a header, answers, events and reasons.

A file is written in one piece, and each line is checked as it is read.
"""

from __future__ import annotations

import gzip
import os
import tempfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from datasheets.errors import BadData, HordeError
from datasheets.outside import (
    GZIP_MARK,
    LARGEST_LOG,
    bounded,
    cleaned_json,
    has_long_text,
    read_bytes,
    unpacked,
)
from engine.core.event import Event, event_type
from engine.core.format import FORMAT, PROGRAM, is_read, is_upgraded, unread, upgraded
from engine.core.header import check_header
from engine.core.log import AnswerLine, BecauseLine, LogLine
from engine.core.log_check import check_log


class ReplayDiverged(HordeError):  # noqa: N818 - the name that the design gives it
    """A replay whose answers do not lead to its events."""

    def __init__(self, n: int, found: str, expected: str) -> None:
        """Keep the number of the first event that differs, and both."""
        super().__init__(f"The replay diverges at event {n}: it says {expected}, playing it gives {found}.")
        self.n = n


class Replay(msgspec.Struct, frozen=True):
    """A replay as read: its header and its lines in order."""

    header: dict[str, Any]
    lines: tuple[LogLine, ...]

    @property
    def events(self) -> tuple[Event, ...]:
        """Return its events."""
        return tuple(line for line in self.lines if isinstance(line, Event))

    @property
    def answers(self) -> tuple[AnswerLine, ...]:
        """Return its answers."""
        return tuple(line for line in self.lines if isinstance(line, AnswerLine))

    @property
    def reasons(self) -> tuple[BecauseLine, ...]:
        """Return the reasons given with its answers."""
        return tuple(line for line in self.lines if isinstance(line, BecauseLine))


def write_replay(path: Path, header: dict[str, object], lines: list[LogLine]) -> None:
    """Write a replay in one piece: the file is there whole, or as it was before."""
    write_lines(path, header, lines, {"end": {"lines": len(lines)}})


def write_lines(path: Path, header: dict[str, object], lines: list[LogLine], tail: dict[str, object]) -> None:
    """Write a log between a header and a last line, in one piece.

    What is no file, such as a pipe, is written to directly.
    """
    body = b"".join(row + b"\n" for row in rows(header, lines, tail))
    if path.name.endswith(".gz"):
        body = gzip.compress(body, mtime=0)
    if path.exists() and not path.is_file():
        path.write_bytes(body)
        return
    path = path.resolve()
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(body)
        os.chmod(name, 0o644)
        os.replace(name, path)
    except OSError:
        Path(name).unlink(missing_ok=True)
        raise


def rows(header: dict[str, object], lines: list[LogLine], tail: dict[str, object]) -> Iterator[bytes]:
    """Yield the rows of the file."""
    yield encode({"header": named(header)})
    for line in lines:
        yield encode(line)
    yield encode(tail)


def named(header: dict[str, object]) -> dict[str, object]:
    """Return the header of a battle with the format and the program that write it."""
    return {**header, "format": FORMAT, "program": PROGRAM}


def read_event(text: bytes) -> Event:
    """Return the event that a row of a file tells."""
    event: Event = _decoders()[0].decode(text)
    return event


@cache
def _decoders() -> tuple[msgspec.json.Decoder[Any], ...]:
    """Return what reads an event, an answer and its reasons, made when a file is first read."""
    return tuple(msgspec.json.Decoder(kind) for kind in (event_type(), AnswerLine, BecauseLine))


def encode(row: object) -> bytes:
    """Return a row as JSON that is the same for equal rows; keys that are numbers become text."""
    return msgspec.json.encode(msgspec.to_builtins(row, str_keys=True, order="deterministic"))


def read_replay(path: Path) -> Replay:
    """Return a replay or save of any format. Raises BadData for what is none, or cut short."""
    header, lines, tail = read_lines(path)
    check_header(header, str(path))
    end = tail.get("end")
    if "save" not in tail and (not isinstance(end, dict) or end.get("lines") != len(lines)):
        raise BadData(str(path), "end", "the replay is cut short: its last lines are missing")
    return Replay(header, tuple(lines))


def read_lines(path: Path) -> tuple[dict[str, Any], list[LogLine], dict[str, Any]]:
    """Return a file's header, its lines and its last line. Raises BadData where it is no log."""
    body = _read(path)
    texts = [text for text in body.split(b"\n") if text.strip()]
    if has_long_text(body):
        long = next(n for n, text in enumerate(texts, start=1) if has_long_text(text))
        raise BadData(str(path), f"line {long}", "a text of it is longer than any of a replay")
    header = _first(path, texts)
    tail = _decode(path, len(texts), texts[-1])
    if "end" not in tail and "save" not in tail:
        raise BadData(
            str(path), f"line {len(texts)}", "the replay is cut short: its last line is not its end"
        )
    older = header["format"] if is_upgraded(header["format"]) else FORMAT
    lines = [_line(path, n, text, older) for n, text in enumerate(texts[1:-1], start=2)]
    check_log(lines, str(path))
    return header, lines, tail


def _read(path: Path) -> bytes:
    if not path.exists():
        raise BadData(str(path), "", "there is no such file; name a replay that --replay wrote")
    body = read_bytes(path, LARGEST_LOG)
    if body.startswith(GZIP_MARK):
        body = unpacked(body, LARGEST_LOG, str(path))
    return cleaned_json(body)


def _first(path: Path, texts: list[bytes]) -> dict[str, Any]:
    first = _decode(path, 1, texts[0]) if texts else {}
    header = first.get("header")
    if not isinstance(header, dict):
        raise BadData(
            str(path), "line 1", "this is not a replay: it has no header; name a file that --replay wrote"
        )
    if not is_read(header.get("format")):
        raise BadData(str(path), "format", unread(header))
    found: dict[str, Any] = upgraded(first, header["format"])["header"]
    return found


def _decode(path: Path, number: int, text: bytes) -> dict[str, Any]:
    try:
        found = msgspec.json.decode(text)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise BadData(
            str(path), f"line {number}", "this is not a line of a replay, or it is cut short"
        ) from None
    return bounded(found, f"{path}: line {number}") if isinstance(found, dict) else {}


def _line(path: Path, number: int, text: bytes, older: int) -> LogLine:
    if older != FORMAT:
        text = encode(upgraded(_decode(path, number, text), older))
    event, answer, because = _decoders()
    decoder = event if b'"event":' in text else answer if b'"answer":' in text else because
    try:
        line: LogLine = decoder.decode(text)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise BadData(str(path), f"line {number}", f"this is not a line of a replay ({error})") from None
    return line
