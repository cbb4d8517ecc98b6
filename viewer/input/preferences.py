"""A person's wishes about the window: colours, size of words, speed, motion, undoing.

Owns their part of the file of settings. What each of them does is for the window and the seat.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, NamedTuple, get_args

import msgspec

from datasheets.errors import BadData, HordeError
from viewer.input.settings import keep_section, load_section, settings_path
from viewer.input.undoing import REACHES, Reach

SECTION = "window"
"""The part of the file that holds these wishes."""
PaletteName = Literal["default", "colour-blind"]
Speed = Literal["slow", "normal", "fast", "skip"]
Motion = Literal["full", "less"]
SMALLEST, LARGEST = 80, 200
"""The least and the greatest size of words, in percent."""
SPEEDS: dict[Speed, float] = {"slow": 0.5, "normal": 1.0, "fast": 4.0, "skip": 64.0}
"""By how much faster than usual a battle is shown, by the word for it."""


class Preferences(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """What a person wishes of the window."""

    palette: PaletteName = "default"
    text: Annotated[int, msgspec.Meta(ge=SMALLEST, le=LARGEST)] = 100
    """The size of words, in percent."""
    speed: Speed = "normal"
    """How fast the battle is shown."""
    motion: Motion = "full"
    undo: Reach = "last-roll"
    """How far answers may be taken back: to the last roll, or freely."""

    def changed(self, name: str, words: list[str]) -> Preferences:
        """Return them after a change that a person typed: a name, then its word. Raises HordeError."""
        wish = WISHES[name]
        if len(words) != 1 or not wish.takes(words[0]):
            raise HordeError(f"Say what '{name}' is to be: {wish.choices}.")
        value = int(words[0]) if name == "text" else words[0]
        return msgspec.convert({**self.as_dict(), name: value}, Preferences)

    def as_dict(self) -> dict[str, Any]:
        """Return all wishes by their names."""
        return {name: getattr(self, name) for name in WISHES}


class Wish(NamedTuple):
    """A wish: what it is about, and the words that may be said; none where it is a number."""

    what: str
    words: tuple[str, ...] = ()

    @property
    def choices(self) -> str:
        """Return what may be said, for people."""
        return ", ".join(self.words) if self.words else f"a whole number from {SMALLEST} to {LARGEST}"

    def takes(self, word: str) -> bool:
        """Return whether a word may be said."""
        if self.words:
            return word in self.words
        return word.isascii() and word.isdigit() and len(word) < 4 and SMALLEST <= int(word) <= LARGEST


WISHES: dict[str, Wish] = {
    "palette": Wish("the colours of the window", get_args(PaletteName)),
    "text": Wish("the size of the window's words in percent"),
    "speed": Wish("how fast a battle is shown", get_args(Speed)),
    "motion": Wish("whether things move on the board or jump to where they go", get_args(Motion)),
    "undo": Wish("how far answers are taken back: to the last roll, or freely", REACHES),
}


def load_preferences() -> Preferences:
    """Return the wishes of the user's file, the default ones without one. Raises BadData."""
    try:
        return msgspec.convert(load_section(SECTION), Preferences)
    except msgspec.ValidationError as fault:
        raise BadData(
            str(settings_path()), SECTION, f"is at fault ({fault}); mend it or remove the file"
        ) from None


def keep_preferences(preferences: Preferences) -> None:
    """Write the wishes into the user's file, beside what else it holds. Raises HordeError."""
    keep_section(SECTION, preferences)
