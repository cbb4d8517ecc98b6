"""What a typed line is made of: numbers, places, names, picks; and the slip of the pen.

Owns the reading of single words; what they ask for is its callers'.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from engine.core.facts import Point
from engine.core.request import Option
from engine.w40k.view import View

NOTHING = ("none", "nothing", "no")


class Misread(Exception):  # noqa: N818 - a person's slip of the pen is no error
    """A line that means nothing here; the text says what would be understood."""


def picked(options: Sequence[Option], text: str, several: bool) -> tuple[str, ...]:
    """Return the ids of options given by numbers, by one id, or by the beginning of one label."""
    words = text.replace(",", " ").split()
    wrong = [word for word in words if not _is_number_to(word, len(options))]
    if wrong:
        # Ids may be numbers, too: what is written beside an option counts first.
        named = [o.id for o in options if text.lower() in (o.id.lower(), o.label.lower())]
        named = named or [o.id for o in options if o.label.lower().startswith(text.lower())]
        if len(named) == 1:
            return (named[0],)
        if named:
            numbers = [str(i) for i, option in enumerate(options, start=1) if option.id in named]
            raise Misread(f"'{text}' may be {', '.join(numbers[:9])}; give one of these numbers.")
        raise Misread(f"'{wrong[0]}' is no option; give a number from 1 to {len(options)}.")
    if len(words) > 1 and not several:
        raise Misread("Choose one of them.")
    return tuple(options[int(word) - 1].id for word in words)


def _is_number_to(word: str, most: int) -> bool:
    return word.isascii() and word.isdigit() and len(word) < 6 and 1 <= int(word) <= most


def point(text: str) -> Point | None:
    """Return a place given by two numbers, None where the text begins with no number."""
    words = text.replace(",", " ").split()
    if len(words) != 2:
        return None
    try:
        x, y = float(words[0]), float(words[1])
    except ValueError:
        return None
    if not (math.isfinite(x) and math.isfinite(y) and max(abs(x), abs(y)) < 1000):
        raise Misread("That is no place on the table.")
    return x, y


def number(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        raise Misread(f"'{text}' is no number of inches.") from None
    if not math.isfinite(value):
        raise Misread(f"'{text}' is no number of inches.")
    return value


def named(view: View, text: str) -> str:
    """Return the id of the unit on the table or objective that a text names."""
    word = text.strip().lower()
    names = {i: i.lower() for i in view.objectives}
    names |= {unit.id: unit.name.lower() for unit in view.units()}
    exact = [i for i in names if i.lower() == word]
    found = exact or [i for i, name in names.items() if name == word]
    found = found or [i for i, name in names.items() if word in name or word in i.lower()]
    if len(found) == 1:
        return found[0]
    if not found:
        raise Misread(f"Nothing on the table is called '{text.strip()}'; ? lists what is there.")
    raise Misread(f"'{text.strip()}' may be {', '.join(found[:6])}; give one of these ids.")
