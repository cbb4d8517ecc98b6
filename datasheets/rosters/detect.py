"""What kind of army list some bytes are, by their shape, and what they say.

It resolves no name: `resolve` does.
"""

from __future__ import annotations

import codecs
import re

from datasheets.rosters.json_list import packed_text, read_json_list, read_packed_list, unzipped
from datasheets.rosters.raw_list import LARGEST, RawRoster, RefusedList
from datasheets.rosters.text_list import read_text_list
from datasheets.rosters.xml_list import read_xml_list, read_zip_list

ZIP = b"PK\x03\x04"
GZIP = b"\x1f\x8b"
MARKS = ((codecs.BOM_UTF8, "utf-8-sig"), (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"))
DECLARATION = re.compile(r"^<\?xml[^>]{0,200}\?>")
LONGEST_TEXT = 1_000_000
"""The signs that a list may have that is text."""


def read_list(data: bytes) -> RawRoster:
    """Return what a list of any format says. Raises `RefusedList` where none is known."""
    if len(data) > LARGEST:
        raise RefusedList(f"it is larger than {LARGEST // 1_000_000} MB; that is no army list")
    if data.startswith(ZIP):
        return read_zip_list(data)
    if data.startswith(GZIP):
        return read_json_list(unzipped(data))
    begin = data[:200].removeprefix(codecs.BOM_UTF8).lstrip()
    if begin.startswith(b"<"):
        return read_xml_list(data.removeprefix(codecs.BOM_UTF8).lstrip())
    return _read_text(text_of(data))


def _read_text(text: str) -> RawRoster:
    begin = text[:200].lstrip()
    if begin.startswith("<"):
        # The text is no longer in the encoding that its declaration names.
        return read_xml_list(DECLARATION.sub("", text.lstrip()).encode())
    if begin.startswith(("{", "[{")):
        return read_json_list(text)
    packed = packed_text(text)
    if packed is not None:
        return read_packed_list(packed[0])
    if len(text) > LONGEST_TEXT:
        raise RefusedList(f"it has more than {LONGEST_TEXT:,} signs; that is no army list")
    return read_text_list(text)


def text_of(data: bytes) -> str:
    """Return bytes as text: by their mark, as UTF-8, or in Windows' letters of Western Europe."""
    encoding = next((name for mark, name in MARKS if data.startswith(mark)), "utf-8")
    try:
        return data.decode(encoding)
    except UnicodeDecodeError:
        if b"\0" in data:
            raise RefusedList("it is no text and no list that is known") from None
        return data.decode("cp1252", errors="replace")


def is_own(data: bytes) -> bool:
    """Return whether the bytes have the shape of this program's own roster files."""
    return any(row.strip().startswith(b"[[unit]]") for row in data[:LONGEST_TEXT].splitlines())
