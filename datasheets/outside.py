"""The bounds on what comes from outside, and the characters of it that are shown.

Owns the bounds on files that persons write or send, and the characters that a terminal would obey. What a
file may say is its format's.
"""

from __future__ import annotations

import re
import zlib
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

from datasheets.errors import BadData

MEGABYTE = 1_000_000
LARGEST_TEXT = 5 * MEGABYTE
"""The most bytes of a file that a person writes: an army, a scenario, overrides."""
LARGEST_LOG = 200 * MEGABYTE
"""The most bytes of a replay or save, packed or not."""
LONGEST_VALUE = 4000
"""The most characters of one text in a file."""
LONGEST_KEY = 200
"""The most characters of a key in a file."""
MOST_DIGITS = 30
"""The most digits of a whole number in a file."""
MOST_DEPTH = 60
"""The most lists and tables within one another."""
MOST_VALUES = 500_000
"""The most values of a file."""
LONGEST_SENTENCE = 2000
"""The most characters of a fault that is shown."""
REPLACEMENT = "\ufffd"
GZIP_MARK = b"\x1f\x8b"
_OBEYED = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]")
"""Control characters but tab and new line, and those that turn the direction of writing."""
_ESCAPED = re.compile(
    rb"(?<!\\)((?:\\\\)*)\\(?:u(?:00(?:0[0-8b-fB-F]|1[0-9a-fA-F]|7[fF]|[89][0-9a-fA-F])"
    rb"|061[cC]|20(?:0[efEF]|2[89a-eA-E]|6[6-9])|[fF][eE][fF][fF])|[bfr])"
)
"""The same characters as JSON escapes them."""
_RAW = re.compile(
    rb"\x7f|\xc2[\x80-\x9f]|\xd8\x9c|\xe2\x80[\x8e\x8f\xa8-\xae]|\xe2\x81[\xa6-\xa9]|\xef\xbb\xbf"
)
"""The same characters in UTF-8, as far as JSON lets them stand unescaped."""


def cleaned(text: str) -> str:
    """Return a text in which no character is left that a terminal obeys instead of showing it."""
    return _OBEYED.sub(REPLACEMENT, text)


def shortened(text: str, most: int = LONGEST_SENTENCE) -> str:
    """Return a text of at most this many characters, its middle left out where it is longer."""
    if len(text) <= most:
        return text
    half = (most - 3) // 2
    return f"{text[:half]} … {text[-half:]}"


def cleaned_json(body: bytes) -> bytes:
    """Return JSON in whose texts no character is left that a terminal obeys."""
    body = _ESCAPED.sub(rb"\1\\ufffd", body)
    return _RAW.sub(REPLACEMENT.encode(), body)


def read_bytes(path: Path | Traversable, most: int) -> bytes:
    """Return the bytes of a file. Raises BadData for one of more than `most` bytes, or none."""
    try:
        with path.open("rb") as file:
            body = file.read(most + 1)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "it is no file"
        raise BadData(str(path), "", f"cannot be read ({reason})") from None
    if len(body) > most:
        raise BadData(str(path), "", f"is larger than {most // MEGABYTE} MB; no such file is")
    return body


def unpacked(body: bytes, most: int, path: str) -> bytes:
    """Return what a gzip file holds. Raises BadData where it is damaged or too large."""
    parts, size, rest = [], 0, body
    while rest:
        stream = zlib.decompressobj(wbits=31)
        try:
            found = stream.decompress(rest, most + 1 - size)
        except zlib.error:
            raise BadData(path, "", "is a damaged gzip file; take another copy of it") from None
        size += len(found)
        if size > most:
            raise BadData(path, "", f"unpacks to more than {most // MEGABYTE} MB; no replay is so large")
        if not stream.eof:
            raise BadData(path, "", "is a gzip file that is cut short; take another copy of it")
        parts.append(found)
        rest = stream.unused_data
    return b"".join(parts)


def bounded(data: Any, path: str) -> Any:
    """Return data with its texts cleaned. Raises BadData where it is too deep or too long."""
    return _Bounds(path).of(data, ())


class _Bounds:
    """The bounds on the data of one file, of which the values are counted."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.count = 0

    def of(self, value: Any, key: tuple[str, ...]) -> Any:
        """Return a value with its texts cleaned; `key` leads to it. Raises BadData."""
        self.count += 1
        if len(key) > MOST_DEPTH:
            raise self._fault(key[:3], "is nested too deeply to be read")
        if self.count > MOST_VALUES:
            raise self._fault((), f"has more than {MOST_VALUES:,} values; no such file has")
        if isinstance(value, str):
            return self._short(value, LONGEST_VALUE, key)
        if isinstance(value, dict):
            return {
                self._short(name, LONGEST_KEY, key): self.of(each, (*key, str(name)[:LONGEST_KEY]))
                for name, each in value.items()
            }
        if isinstance(value, list):
            return [self.of(each, (*key, str(number))) for number, each in enumerate(value)]
        if isinstance(value, int) and abs(value) >= 10**MOST_DIGITS:
            raise self._fault(key, f"has a number of more than {MOST_DIGITS} digits")
        return value

    def _short(self, text: Any, most: int, key: tuple[str, ...]) -> Any:
        """Return a text cleaned. Raises BadData for one of more characters than `most`."""
        if not isinstance(text, str):
            return text
        if len(text) > most:
            said = f"'{cleaned(text[:40])}…' has {len(text)} characters; {most} are the most"
            raise self._fault(key, said)
        return cleaned(text)

    def _fault(self, key: tuple[str, ...], mend: str) -> BadData:
        return BadData(self.path, cleaned(".".join(key)), mend)


def has_long_text(body: bytes) -> bool:
    """Return whether a text of JSON has more bytes than a text of a file may."""
    return _LONG.search(body) is not None


_LONG = re.compile(rb'"(?:[^"\\\n]|\\.){%d}' % LONGEST_VALUE)
