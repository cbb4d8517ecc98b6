"""Dice just rolled for a unit, of which its player may have one roll made again.

Owns which roll that is and what becomes of its dice. Which player may pay for it is
`engine.w40k.activation.stratagem`'s.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import msgspec

from engine.core.dice import AGAIN
from engine.core.request import Choose, Chosen, Option, Said, Steps, YesNo
from engine.core.state import Unit
from engine.w40k.activation.stratagem import offer
from engine.w40k.activation.unit_choice import decide

if TYPE_CHECKING:
    from engine.w40k.battle import Battle


CHANGED = "changed-roll"
"""What is logged as decided where a rule changes a die: its face before and after."""


class Throw(msgspec.Struct):
    """Rolls of one kind made together, each of `size` dice that are added up."""

    roll: str
    unit: Unit
    dice: list[int]
    could_be_better: Callable[[int], bool]
    """Whether a roll that came to this, unmodified, could be better."""
    size: int = 1
    sides: int = 6
    fixed: frozenset[int] = frozenset()
    """The places of rolls that have been made again before."""
    need: int = 0
    target: str = ""
    weapon: str = ""

    def totals(self) -> list[int]:
        """Return what each of the rolls came to."""
        return [sum(self.dice[i : i + self.size]) for i in range(0, len(self.dice), self.size)]

    def worst(self) -> int | None:
        """Return the place of the lowest roll that could be better and was not made again yet."""
        found = [
            (total, place)
            for place, total in enumerate(self.totals())
            if place not in self.fixed and self.could_be_better(total)
        ]
        return min(found)[1] if found else None

    def __str__(self) -> str:
        """Return what was rolled, for the player that may have it rolled again."""
        place = self.worst()
        total = self.totals()[place] if place is not None else sum(self.dice)
        need = f" and needs {self.need}" if self.need else ""
        kind = self.roll.replace("-", " ")
        weapon = f", {self.weapon}" if self.weapon else ""
        return f"{self.unit.name} rolled a {total}{need} ({kind} roll{weapon})."


def offer_own(battle: Battle, throw: Throw, permitted: bool, name: str, clause: str) -> Steps[bool]:
    """Ask whether a roll is made again where a rule permits that; return whether it was.

    Rule: CORE.DICE.1
    """
    place = throw.worst()
    if place is None or not permitted:
        return False
    yes = yield from agree(throw, f"to {name}", "rolled again", clause)
    if yes:
        roll_again(battle, throw, place, "CORE.DICE.1")
    return yes


def agree(throw: Throw, why: str, what: str, clause: str) -> Steps[bool]:
    """Return whether the unit's player has something done to its worst roll."""
    place = throw.worst()
    assert place is not None
    rolled = throw.totals()[place]
    needed = f", and needs {throw.need}" if throw.need else ""
    answer = yield YesNo(
        seats=(throw.unit.player,),
        rule=clause,
        decision="reroll",
        prompt=f"{throw.unit.name} rolled {rolled} {why}{needed}. Is it {what}?",
        unit=throw.unit.id,
        rolled=rolled,
        need=throw.need,
    )
    assert isinstance(answer, Said)
    return answer.yes


def offer_again(battle: Battle, throw: Throw) -> Steps[tuple[int, ...]]:
    """Return the dice after abilities and the unit's player may have changed one roll.

    Rule: CORE.STR.1, CORE.DICE.1.
    """
    known = battle.query.reactions("thrown")
    is_player = throw.unit.player in battle.state.players
    if not (known or is_player) or throw.worst() is None:
        return tuple(throw.dice)
    if battle.query.instead(throw.roll, unit=throw.unit) is None:
        if known:
            yield from battle.fire("thrown", None, unit=throw.unit, kind=throw.roll, throw=throw)
        if is_player and throw.worst() is not None:
            yield from offer(battle, "rolled", throw.unit, kind=throw.roll, throw=throw)
    return tuple(throw.dice)


def pick_roll(battle: Battle, throw: Throw, rule: str) -> Steps[int | None]:
    """Return the place of the roll that is made again, as the unit's player picks it.

    Rolls that came to the same are one choice, the lowest that could be better the first. Rule: CORE.STR.1
    """
    totals, worst = throw.totals(), throw.worst()
    places: dict[int, int] = {} if worst is None else {totals[worst]: worst}
    for total, place in sorted((total, place) for place, total in enumerate(totals)):
        if place not in throw.fixed:
            places.setdefault(total, place)
    if len(places) < 2:
        return worst
    kind = throw.roll.replace("-", " ")
    answer = yield Choose(
        seats=(throw.unit.player,),
        rule=rule,
        decision="roll",
        prompt=f"Which {kind} roll of {throw.unit.name} is made again?",
        unit=throw.unit.id,
        options=tuple(Option(id=str(total), label=f"A roll of {total}") for total in places),
    )
    assert isinstance(answer, Chosen)
    return places[int(answer.ids[0])]


def roll_again(battle: Battle, throw: Throw, place: int | None, cause: str) -> None:
    """Make the roll at a place again, with all of its dice. Rule: CORE.DICE.1."""
    if place is None:
        return
    first = place * throw.size
    fresh = battle.roll(
        f"{throw.roll}{AGAIN}",
        throw.size,
        throw.sides,
        unit=throw.unit.id,
        target=throw.target,
        need=throw.need,
        cause=cause,
        replaces=tuple(range(first, first + throw.size)),
    )
    throw.dice[first : first + throw.size] = fresh
    throw.fixed |= {place}


def set_to(battle: Battle, throw: Throw, place: int, face: int, cause: str) -> None:
    """Change the roll of one die at a place to a face, unmodified; nothing rolls it again."""
    assert throw.size == 1, "only a roll of one die is changed"
    decide(battle, throw.unit, CHANGED, str(throw.dice[place]), str(face), cause=cause)
    throw.dice[place] = face
    throw.fixed |= {place}
