"""What an attack sequence should come to, as exact fractions from the rules.

Nothing here comes from the engine. An attack is a list of chances for the normal and devastating wounds that
it brings; wounds are then put on the target's models one after another. `Tree` is the other side: dice that
go through every way they can fall.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import product
from math import comb
from typing import TypeVar

T = TypeVar("T")
Odds = dict[T, Fraction]
SIXTH = Fraction(1, 6)


@dataclass(frozen=True)
class Attacks:
    """Some attacks that are alike, as a player would write them down for the target at hand."""

    count: str = "1"
    hit: int | None = 3
    """The natural roll that hits, modifiers and all; None: by itself."""
    hit_again: str = ""
    """Which hit rolls are made again: "", "ones" or "failed"."""
    critical_hit: int = 6
    blind: bool = False
    """Natural rolls below 4 never hit."""
    sustained: str = "0"
    lethal: bool = False
    wound: int = 4
    wound_again: str = ""
    critical_wound: int = 6
    devastating: bool = False
    save: int = 4
    damage: str = "1"
    more_damage: int = 0
    ignored: int = 7
    """The roll of the target's Feel No Pain."""
    ignored_mortal: int | None = None
    models: tuple[int, ...] = (1,)
    """The wounds of the models, in the order in which they suffer."""
    to_leader: bool = False
    """Precision: the last model suffers first."""


def amounts(text: str, more: int = 0) -> Odds[int]:
    """Return each value of "2", "D3", "2D6+1" with its chance."""
    dice, _, added = text.partition("+")
    if "D" not in dice:
        return {int(dice) + more: Fraction(1)}
    number, _, sides = dice.partition("D")
    found: Odds[int] = defaultdict(Fraction)
    for faces in product(range(1, int(sides) + 1), repeat=int(number or 1)):
        found[sum(faces) + int(added or 0) + more] += Fraction(1, int(sides) ** int(number or 1))
    return found


def faces(passes: Callable[[int], bool], again: str) -> Odds[int]:
    """Return each face of a roll with its chance, after re-rolls."""
    found: Odds[int] = defaultdict(Fraction)
    for first in range(1, 7):
        if (again == "failed" and not passes(first)) or (again == "ones" and first == 1):
            for second in range(1, 7):
                found[second] += SIXTH * SIXTH
        else:
            found[first] += SIXTH
    return found


def one_hit(a: Attacks) -> Odds[tuple[int, int]]:
    """Return the chances of what one attack brings.

    It brings a number of hits that roll to wound, and a number of hits that wound without a roll.
    """
    if a.hit is None:
        return {(1, 0): Fraction(1)}
    needed, blind, critical = a.hit, a.blind, a.critical_hit

    def passes(face: int) -> bool:
        if face == 1 or (blind and face < 4):
            return False
        return face >= needed or face >= critical or face == 6

    found: Odds[tuple[int, int]] = defaultdict(Fraction)
    for face, chance in faces(passes, a.hit_again).items():
        if not passes(face):
            found[0, 0] += chance
        elif face < critical:
            found[1, 0] += chance
        else:
            for more, part in amounts(a.sustained).items():
                sure = 1 if a.lethal else 0
                found[1 - sure + more, sure] += chance * part
    return found


def one_wound(a: Attacks) -> Odds[tuple[int, int]]:
    """Return the chances of what one wound roll brings.

    It brings a wound to save, a devastating wound, or neither.
    """

    def passes(face: int) -> bool:
        return face != 1 and (face >= a.wound or face >= a.critical_wound or face == 6)

    found: Odds[tuple[int, int]] = defaultdict(Fraction)
    for face, chance in faces(passes, a.wound_again).items():
        if not passes(face):
            found[0, 0] += chance
        elif a.devastating and face >= a.critical_wound:
            found[0, 1] += chance
        else:
            found[1, 0] += chance
    return found


def added(a: Odds[tuple[int, int]], b: Odds[tuple[int, int]]) -> Odds[tuple[int, int]]:
    found: Odds[tuple[int, int]] = defaultdict(Fraction)
    for (i, j), p in a.items():
        for (k, m), q in b.items():
            found[i + k, j + m] += p * q
    return found


def times(a: Odds[tuple[int, int]], n: int) -> Odds[tuple[int, int]]:
    found: Odds[tuple[int, int]] = {(0, 0): Fraction(1)}
    for _ in range(n):
        found = added(found, a)
    return found


def wounds(a: Attacks) -> Odds[tuple[int, int]]:
    """Return the chances of each number of wounds to save and of devastating wounds.

    The numbers are those of all attacks together.
    """
    each: Odds[tuple[int, int]] = defaultdict(Fraction)
    for (rolling, sure), p in one_hit(a).items():
        for (normal, devastating), q in times(one_wound(a), rolling).items():
            each[normal + sure, devastating] += p * q
    found: Odds[tuple[int, int]] = defaultdict(Fraction)
    for count, p in amounts(a.count).items():
        for brought, q in times(each, count).items():
            found[brought] += p * q
    return found


def ignored(damage: int, roll: int) -> Odds[int]:
    """Return how much of some damage is left after a roll for each of its wounds."""
    lost = Fraction(min(roll, 7) - 1, 6)
    return {
        left: comb(damage, left) * lost**left * (1 - lost) ** (damage - left)
        for left in range(damage + 1)
        if lost < 1 or left == damage
    }


def struck(left: tuple[int, ...], amount: int, to_leader: bool) -> tuple[int, ...]:
    """Return the models' wounds after this much is taken off the one that suffers next."""
    alive = [i for i, wounds_left in enumerate(left) if wounds_left]
    if not alive:
        return left
    at = len(left) - 1 if to_leader and left[-1] else alive[0]
    return tuple(max(0, w - amount) if i == at else w for i, w in enumerate(left))


def outcome(a: Attacks) -> Odds[tuple[int, ...]]:
    """Return the chances of every state in which the attacks leave the target's models."""
    saved = Fraction(7 - max(2, min(7, a.save)), 6)
    mortal = a.ignored if a.ignored_mortal is None else a.ignored_mortal
    found: Odds[tuple[int, ...]] = defaultdict(Fraction)
    for (normal, devastating), chance in wounds(a).items():
        states: Odds[tuple[int, ...]] = {a.models: chance}
        for i in range(normal + devastating):
            states = _after(
                a, states, saved if i < normal else Fraction(0), a.ignored if i < normal else mortal
            )
        for state, p in states.items():
            found[state] += p
    return {state: p for state, p in found.items() if p}


def _after(a: Attacks, states: Odds[tuple[int, ...]], saved: Fraction, roll: int) -> Odds[tuple[int, ...]]:
    found: Odds[tuple[int, ...]] = defaultdict(Fraction)
    for state, chance in states.items():
        found[state] += chance * saved
        for damage, p in amounts(a.damage, a.more_damage).items():
            for left, q in ignored(damage, roll).items():
                found[struck(state, left, a.to_leader)] += chance * (1 - saved) * p * q
    return found


Lumps = dict[str, tuple[tuple[int, Fraction], ...]]
"""By kind of roll, a face and a chance for each group of faces that come to the same."""


def lumps(a: Attacks) -> Lumps:
    """Return the faces that tell the rolls of these attacks apart.

    For attacks that are several at once: that the faces of a group are alike is shown by single attacks.
    """
    hit, special = a.hit or 2, a.lethal or a.sustained != "0"

    def hits(face: int) -> object:
        passes = face != 1 and (face >= hit or face == 6 or face >= a.critical_hit)
        return passes, special and face >= a.critical_hit, face == 1 and a.hit_again == "ones"

    def wounds(face: int) -> object:
        passes = face != 1 and (face >= a.wound or face >= a.critical_wound or face == 6)
        return passes, a.devastating and face >= a.critical_wound, face == 1 and a.wound_again == "ones"

    saves = _grouped(lambda face: face != 1 and face >= a.save)
    return {"hit": _grouped(hits), "wound": _grouped(wounds), "save": saves}


def _grouped(kind: Callable[[int], object]) -> tuple[tuple[int, Fraction], ...]:
    groups: dict[object, list[int]] = defaultdict(list)
    for face in range(1, 7):
        groups[kind(face)].append(face)
    return tuple((some[0], Fraction(len(some), 6)) for some in groups.values())


@dataclass
class Tree:
    """Dice that fall in every possible way, one way a run.

    `chance` is that of the way in which they fell last.
    """

    lumps: Lumps = field(default_factory=dict)
    draws: dict[str, int] = field(default_factory=dict)
    _path: list[tuple[int, tuple[tuple[int, Fraction], ...]]] = field(default_factory=list)
    _at: int = 0

    def die(self, kind: str, sides: int, stream: str) -> int:
        """Return the next die of the way that is being gone."""
        if self._at == len(self._path):
            faces = self.lumps.get(kind.removesuffix("-reroll"))
            even = tuple((face, Fraction(1, sides)) for face in range(1, sides + 1))
            self._path.append((0, faces or even))
        at, faces = self._path[self._at]
        self._at += 1
        return faces[at][0]

    def ways(self) -> Iterator[None]:
        """Go every way, from all first faces to all last ones."""
        while True:
            self._at = 0
            yield
            while self._path and self._path[-1][0] == len(self._path[-1][1]) - 1:
                self._path.pop()
            if not self._path:
                return
            at, faces = self._path.pop()
            self._path.append((at + 1, faces))

    @property
    def chance(self) -> Fraction:
        """Return the chance that the dice fall so."""
        found = Fraction(1)
        for at, faces in self._path:
            found *= faces[at][1]
        return found
