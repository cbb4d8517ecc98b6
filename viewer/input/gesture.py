"""What a hand does with a unit on the board, and the line that says the same.

Owns the words "shift 3 -1 turn 15"; where the models come to stand is `viewer.input.ghost`'s.
"""

from __future__ import annotations

import msgspec

from engine.core.facts import Point
from viewer.input.reading import Misread, number

WORD = "shift"
STEP = 0.1
"""The step of a drawn shift, in inches."""
TURN = 5.0
"""The step of a drawn turn, in degrees."""
SPREAD = 0.1
"""By how much one notch of the wheel draws a unit apart."""
LEAST_SPREAD, MOST_SPREAD = 0.3, 3.0
HOW = 'Say "shift DX DY", and after it "turn DEGREES", "spread FACTOR", "via DX DY", "model NUMBER DX DY".'


class Gesture(msgspec.Struct, frozen=True):
    """A unit carried by some inches, turned and drawn apart about its middle."""

    by: Point = (0.0, 0.0)
    turn: float = 0.0
    """Degrees to the left."""
    spread: float = 1.0
    via: tuple[Point, ...] = ()
    """Shifts at which the way bends, in order."""
    alone: tuple[tuple[int, float, float], ...] = ()
    """Models that go their own way: the place in the unit, from 0, and the inches."""

    @property
    def line(self) -> str:
        """Return the line that says it."""
        words = [f"{WORD} {_told(self.by)}"]
        words += [f"turn {self.turn:g}"] if self.turn else []
        words += [f"spread {self.spread:g}"] if self.spread != 1.0 else []
        words += [f"via {_told(bend)}" for bend in self.via]
        words += [f"model {place + 1} {_told((x, y))}" for place, x, y in self.alone]
        return " ".join(words)

    @staticmethod
    def read(line: str) -> Gesture | None:
        """Return what a line says, None where it says no gesture. Raises Misread."""
        words = line.lower().replace(",", " ").split()
        if words[:1] != [WORD]:
            return None
        found, rest = Gesture(by=_pair(words[1:3])), words[3:]
        while rest:
            word, rest = rest[0], rest[1:]
            found, used = _with(found, word, rest)
            rest = rest[used:]
        return found

    def to(self, by: Point) -> Gesture:
        """Return it carried elsewhere, in whole steps."""
        return msgspec.structs.replace(self, by=_stepped(by))

    def turned(self, steps: int) -> Gesture:
        """Return it turned by some steps more, to the left."""
        turn = (self.turn + steps * TURN + 180.0) % 360.0 - 180.0
        return msgspec.structs.replace(self, turn=turn)

    def apart(self, notches: int) -> Gesture:
        """Return it drawn apart by some notches more, or together by fewer."""
        spread = min(max(self.spread + notches * SPREAD, LEAST_SPREAD), MOST_SPREAD)
        return msgspec.structs.replace(self, spread=round(spread, 3))

    def bent(self) -> Gesture:
        """Return it with a bend of the way where it is carried now."""
        known = self.via[-1:] == (self.by,)
        return self if known else msgspec.structs.replace(self, via=(*self.via, self.by))

    def straightened(self) -> Gesture:
        """Return it without its last bend."""
        return msgspec.structs.replace(self, via=self.via[:-1])

    def lone(self, place: int, by: Point) -> Gesture:
        """Return it with one model carried by itself, in whole steps."""
        others = tuple(each for each in self.alone if each[0] != place)
        alone = tuple(sorted((*others, (place, *_stepped(by)))))
        return msgspec.structs.replace(self, alone=alone)


def _stepped(by: Point) -> Point:
    return tuple(round(round(each / STEP) * STEP, 3) + 0.0 for each in by)  # type: ignore[return-value]


def _told(by: Point) -> str:
    return f"{by[0]:g} {by[1]:g}"


def _pair(words: list[str]) -> Point:
    if len(words) != 2:
        raise Misread(HOW)
    return number(words[0]), number(words[1])


def _with(known: Gesture, word: str, rest: list[str]) -> tuple[Gesture, int]:
    """Return a gesture with what a word and those after it say, and how many these are."""
    if word == "turn" and rest:
        return msgspec.structs.replace(known, turn=number(rest[0])), 1
    if word == "spread" and rest:
        return msgspec.structs.replace(known, spread=min(max(number(rest[0]), LEAST_SPREAD), MOST_SPREAD)), 1
    if word == "via":
        return msgspec.structs.replace(known, via=(*known.via, _pair(rest[:2]))), 2
    if word == "model" and rest and rest[0].isdigit() and int(rest[0]) > 0:
        x, y = _pair(rest[1:3])
        alone = (*known.alone, (int(rest[0]) - 1, x, y))
        return msgspec.structs.replace(known, alone=alone), 3
    raise Misread(HOW)
