"""The lines of a list that is text: signs made alike, indentation, bullets, counts, prices."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

import msgspec

from datasheets.rosters.raw_list import MOST_LINES, RefusedList

LONGEST_LINE = 4_000
FIRST_BULLETS = "•‣▪●∙·⁃*➤➢►■♦➔→"
SECOND_BULLETS = "◦○▫□‧⚬"
DASHES = "+&-"
BULLET = re.compile(rf"[{FIRST_BULLETS}{SECOND_BULLETS}{DASHES}](?= |[\w'\"(])")
NUMBER = r"(?:[0-9]{1,3}(?:[ .,'’][0-9]{3}){1,2}(?![0-9])|[0-9]{1,6})"
ALIKE = str.maketrans("’‘ʼ´`‐–—−“”", "'''''----\"\"")
UNIT_OF_POINTS = r"(?:points|point|pts|pt|punkte|puntos|punti)\.?"
PRICE = re.compile(
    rf"[(\[] ?(\+ ?)?({NUMBER}) ?{UNIT_OF_POINTS}(?![a-z])[^()\[\]]{{0,60}}[)\]]", re.IGNORECASE
)
BARE_PRICE = re.compile(rf"(?<![0-9 .,'’])(?: ?[:–-] ?| )?({NUMBER}) ?{UNIT_OF_POINTS}$", re.IGNORECASE)
COUNT = re.compile(r"([0-9]{1,4})(?:[x×] ?| [x×] )(?=\S)", re.IGNORECASE)
LABEL = re.compile(r"([A-Za-z]{2,9} ?[0-9]{1,3}) ?: ?(?=\S)")


class TextLine(msgspec.Struct, frozen=True):
    """A line: its number from 1, the column at which its text begins, its bullet, and its text."""

    number: int
    column: int
    bullet: str
    text: str

    @property
    def is_plain(self) -> bool:
        """Return whether the line has no bullet, no indentation and no count."""
        return not (self.bullet or self.column or COUNT.match(self.text))


class Price(msgspec.Struct, frozen=True):
    """The points in a line, whether they are added, and what stands before and after them."""

    head: str
    points: int
    is_added: bool
    tail: str


def lines_of(text: str) -> tuple[TextLine, ...]:
    """Return the lines of a list that are not blank. Raises `RefusedList` for too many."""
    rows = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    if len(rows) > MOST_LINES:
        raise RefusedList(f"it has {len(rows)} lines, more than any army list; give the list alone")
    found = (_line(number, row) for number, row in enumerate(rows, 1))
    return tuple(line for line in found if line.text)


def _line(number: int, row: str) -> TextLine:
    """Return one line, its blanks, hyphens and quotation marks made alike."""
    clean = _clean(row[:LONGEST_LINE]).replace("\t", "    ").rstrip()
    text = clean.lstrip()
    column = len(clean) - len(text)
    bullet = BULLET.match(text)
    if bullet is None or (text[0] in "+&*" and text[1:2] != " ") or _is_bold(text):
        return TextLine(number, column, "", _single_spaced(text))
    rest = text[1:].lstrip()
    # What a page drops is the indentation; its second bullet still tells the depth.
    deeper = 1 if text[0] in SECOND_BULLETS else 0
    return TextLine(number, column + len(text) - len(rest) + deeper, bullet[0], _single_spaced(rest))


def _is_bold(text: str) -> bool:
    return text.startswith("**")


def _clean(row: str) -> str:
    """Return a row without marks of direction and control characters, and with plain blanks."""
    spread = unicodedata.normalize("NFKC", row)
    return "".join(_shown(sign) for sign in spread.translate(ALIKE))


def _shown(sign: str) -> str:
    if sign == "\t" or sign.isprintable():
        return sign
    return " " if sign.isspace() else ""


def _single_spaced(text: str) -> str:
    text = " ".join(text.split())
    return text.replace("**", "").replace("__", "").strip()


def whole(text: str) -> int:
    """Return the number that a text of figures says, whatever stands between thousands."""
    return int("".join(sign for sign in text if sign in "0123456789") or "0")


def first_number(text: str) -> int | None:
    """Return the first number in a text."""
    found = re.search(NUMBER, text)
    return None if found is None else whole(found[0])


def price_of(text: str) -> Price | None:
    """Return the points at a line's end or before its colon; None where there are none."""
    for found in PRICE.finditer(text):
        tail = text[found.end() :].strip()
        if not tail or tail.startswith(":"):
            head = text[: found.start()].strip(" -–:")
            return Price(head, whole(found[2]), found[1] is not None, tail.removeprefix(":").strip())
    glued = BARE_PRICE.search(text) if len(text) < 120 else None
    if glued is None or not glued.start():
        return None
    return Price(text[: glued.start()].strip(" -–:"), whole(glued[1]), False, "")


def counted(text: str) -> tuple[int | None, str]:
    """Return the number before an "x" and what it counts; None where nothing is counted."""
    found = COUNT.match(text)
    return (int(found[1]), text[found.end() :].strip()) if found else (None, text)


def split_list(text: str, marks: str = ",;") -> list[str]:
    """Return the parts between commas that stand in no brackets, in order."""
    parts, depth, start = [], 0, 0
    for place, sign in enumerate(text):
        if sign in "([":
            depth += 1
        elif sign in ")]":
            depth = max(0, depth - 1)
        elif sign in marks and not depth:
            parts.append(text[start:place])
            start = place + 1
    parts.append(text[start:])
    return [part.strip() for part in parts if part.strip()]


def split_colon(text: str) -> tuple[str, str]:
    """Return what stands before the first colon outside of brackets, and after it ("" for none)."""
    depth = 0
    for place, sign in enumerate(text):
        if sign in "([":
            depth += 1
        elif sign in ")]":
            depth = max(0, depth - 1)
        elif sign == ":" and not depth:
            return text[:place].strip(), text[place + 1 :].strip()
    return text, ""


def prices(lines: tuple[TextLine, ...]) -> Iterator[tuple[int, Price]]:
    """Yield each line that ends with points, by its place, with its points."""
    for place, line in enumerate(lines):
        found = price_of(line.text)
        if found is not None:
            yield place, found
