"""A battle's answers in a file, appended as they are given: no sudden end loses them.

A journal is JSON Lines: the header of the battle, then its answers with their reasons, and a row for each
undoing. A row that a sudden end cut short is left out as it is read. Where the file lies is its caller's
business.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, BinaryIO

import msgspec

try:
    import fcntl
except ImportError:  # there is none on Windows
    fcntl = None  # type: ignore[assignment]

from datasheets.errors import BadData, HordeError
from datasheets.library import Library
from datasheets.outside import LARGEST_LOG, bounded, cleaned_json, has_long_text, read_bytes
from engine.core.format import is_read, played_elsewhere, unread
from engine.core.game import Begin, G, Game
from engine.core.header import UNDONE, check_data, check_header
from engine.core.log import AnswerLine, BecauseLine, reasons_of
from engine.core.replay import encode, named

MARK = b'{"journal":'
"""How the first row of a journal begins."""


class Undone(msgspec.Struct, frozen=True, omit_defaults=True):
    """The answers from this number on were taken back."""

    undone: int
    past_rolls: int = 0
    """How often in the battle answers were taken back past a roll, where this was one."""


class Journal:
    """The file to which the answers of a battle are appended."""

    def __init__(self, path: Path, game: Game) -> None:
        """Begin a new file with the battle as it stands. Raises OSError where that fails."""
        self.path = path.with_name(f".{path.name}-{os.getpid()}")
        self._kept: list[AnswerLine] = []
        self._past_rolls = _past_rolls(game.header)
        self._file: BinaryIO = self.path.open("xb", buffering=0)
        _lock(self._file)
        try:
            self._write([{"journal": named(game.header)}])
            self.keep(game)
            # It gets its name whole: a sudden end before leaves the journal that was there as the newest.
            _rename(self.path, path)
        except OSError:
            self.remove()
            raise
        self.path = path

    def keep(self, game: Game) -> None:
        """Append the answers that are new, and that others were taken back. Raises OSError."""
        same = _common(self._kept, game.answers)
        past, self._past_rolls = self._past_rolls, _past_rolls(game.origin)
        marked = self._past_rolls if self._past_rolls != past else 0
        is_undone = same < len(self._kept) or marked
        rows: list[object] = [Undone(same, marked)] if is_undone else []
        reasons = reasons_of(game.lines)
        for line in game.answers[same:]:
            rows += [line, *([reasons[line.answer]] if line.answer in reasons else ())]
        if rows:
            self._write(rows)
            self._kept = list(game.answers)

    def _write(self, rows: Sequence[object]) -> None:
        """Append rows, on the disk before this returns."""
        body = b"".join(encode(row) + b"\n" for row in rows)
        while body:
            body = body[self._file.write(body) :]
        os.fsync(self._file.fileno())

    def close(self) -> None:
        """Leave the file as it is."""
        self._file.close()

    def remove(self) -> None:
        """Take the file away: the battle is kept elsewhere, or over."""
        self._file.close()
        self.path.unlink(missing_ok=True)


def journal_of(game: Game) -> bytes:
    """Return what a file holds that keeps a battle as it stands."""
    rows = [{"journal": named(game.header)}, *_rows(game, 0)]
    return b"".join(encode(row) + b"\n" for row in rows)


def _rows(game: Game, first: int) -> list[object]:
    """Return the answers of a battle from a number on, each before its reasons."""
    reasons = reasons_of(game.lines)
    rows: list[object] = []
    for line in game.answers[first:]:
        rows += [line, *([reasons[line.answer]] if line.answer in reasons else ())]
    return rows


def _rename(path: Path, to: Path) -> None:
    """Give a file another name. Raises OSError where it cannot be given, or is another file's."""
    try:
        os.link(path, to)
    except FileExistsError:
        raise
    except OSError:  # not every disk has links
        if to.exists():
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(to)) from None
        os.rename(path, to)
        return
    path.unlink()


def _past_rolls(header: Mapping[str, object]) -> int:
    """Return how often a header says that answers were taken back past a roll."""
    times = header.get(UNDONE, 0)
    return times if isinstance(times, int) else 0


def _common(kept: Sequence[AnswerLine], given: Sequence[AnswerLine]) -> int:
    """Return the number of answers with which two lists begin alike."""
    for number, (one, other) in enumerate(zip(kept, given, strict=False)):
        if one is not other and one != other:
            return number
    return min(len(kept), len(given))


def _lock(file: BinaryIO) -> bool:
    """Lock a journal; return False where another program has locked it."""
    if fcntl is None:
        return True
    try:
        fcntl.flock(file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def is_in_use(path: Path) -> bool:
    """Return whether a running program writes a journal. Raises OSError."""
    with path.open("rb", buffering=0) as file:
        return not _lock(file)


def is_journal(path: Path) -> bool:
    """Return whether a file begins as a journal does."""
    try:
        with path.open("rb") as file:
            return file.read(len(MARK)) == MARK
    except OSError:
        return False


def load_journal(path: Path, library: Library, begin: Begin[G]) -> G:
    """Return the battle of a journal at the question after its last answer.

    Raises BadData where the file is no journal, HordeError where data differs that the battle was
    played with.
    """
    header, lines = read_journal(path)
    check_header(header, str(path))
    check_data(header, library, f"{path}: the journal")
    game = begin(header, library, str(path))
    reasons = reasons_of(lines)
    for line in lines:
        if not isinstance(line, AnswerLine):
            continue
        if game.pending is None:
            raise BadData(str(path), f"answer {line.answer}", "the battle is over before this answer")
        try:
            game.resubmit(line, reasons.get(line.answer))
        except HordeError as fault:
            raise BadData(str(path), f"answer {line.answer}", str(fault)) from None
    return game


def read_journal(path: Path) -> tuple[dict[str, Any], list[AnswerLine | BecauseLine]]:
    """Return a journal's header, and its answers and reasons without those that were taken back."""
    body = cleaned_json(read_bytes(path, LARGEST_LOG))
    texts = body.split(b"\n")
    # What follows the last end of a row was cut short as it was written.
    texts.pop()
    if not body.startswith(MARK) or not texts:
        raise BadData(str(path), "line 1", "this is not a journal; name a file that ends in .journal")
    header: dict[str, Any] = bounded(_row(path, 1, texts[0], dict[str, dict[str, Any]])["journal"], str(path))
    elsewhere = played_elsewhere(header) if is_read(header.get("format")) else unread(header)
    if elsewhere:
        # Answers alone show nothing: nobody can watch them without playing them.
        raise BadData(str(path), "format", elsewhere)
    lines: list[AnswerLine | BecauseLine] = []
    for number, text in enumerate(texts[1:], start=2):
        if has_long_text(text):
            raise BadData(str(path), f"line {number}", "a text of it is longer than any of a journal")
        if text.startswith(b'{"undone":'):
            undone = _row(path, number, text, Undone)
            kept = undone.undone
            if undone.past_rolls:
                header = {**header, UNDONE: undone.past_rolls}
            lines = [line for line in lines if _number(line) < kept]
        else:
            kind = AnswerLine if text.startswith(b'{"answer":') else BecauseLine
            lines.append(_row(path, number, text, kind))
    return header, lines


def _number(line: AnswerLine | BecauseLine) -> int:
    return line.answer if isinstance(line, AnswerLine) else line.because


def _row(path: Path, number: int, text: bytes, kind: Any) -> Any:
    try:
        return msgspec.json.decode(text, type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise BadData(str(path), f"line {number}", f"this is not a line of a journal ({error})") from None
