"""Dice that must reach a number: what succeeds and what is rolled again.

Owns how the number came about, too. Hit and wound rolls are made here alike; what they need is worked out by
`hit` and `wound`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import msgspec

from engine.core import event as ev
from engine.core.dice import AGAIN
from engine.core.request import Steps
from engine.w40k.activation.throw import Throw, offer_again
from engine.w40k.attack.volley import Volley

if TYPE_CHECKING:
    from engine.records.question import Number
    from engine.w40k.battle import Battle

ONES = 1
"""Only unmodified 1s are rolled again; more than this: every failure."""


class Need(msgspec.Struct, frozen=True):
    """What the dice of a hit or wound roll need.

    They succeed from the `natural` roll on, and are critical from `critical` on.
    """

    natural: int
    critical: int
    least: int
    """Natural rolls below it fail whatever changes them."""
    again: int
    trail: ev.NumberTrail
    by: str = ""
    """The clause that lets dice be rolled again."""

    def is_met(self, die: int) -> bool:
        """Return whether a natural roll succeeds. Rule: CORE.DICE.4."""
        if die < max(self.least, 2):
            return False
        return die >= self.critical or die == 6 or die >= self.natural

    def fails_again(self, die: int) -> bool:
        """Return whether a natural roll is one that is rolled again. Rule: CORE.DICE.1."""
        if not self.again:
            return False
        return die == 1 if self.again == ONES else not self.is_met(die)


def roll_against(
    battle: Battle, volley: Volley, roll: str, count: int, need: Need, *, fishes: bool = False
) -> Steps[tuple[int, ...]]:
    """Return the dice of a hit or wound roll, each rolled again at most once.

    With `fishes` a critical success is more than a success. Rule: CORE.DICE.1, CORE.STR.1.
    """
    if count <= 0:
        return ()
    about = {"unit": volley.attacker.id, "target": volley.target.id, "need": need.natural}
    dice = list(battle.roll(roll, count, cause="CORE.ATK.1", trail=need.trail, **about))  # type: ignore[arg-type]
    failed = tuple(i for i, die in enumerate(dice) if need.fails_again(die))
    if failed:
        again = f"{roll}{AGAIN}"
        fresh = battle.roll(again, len(failed), cause=need.by, replaces=failed, **about)  # type: ignore[arg-type]
        for i, die in zip(failed, fresh, strict=True):
            dice[i] = die
    throw = Throw(
        roll,
        volley.attacker,
        dice,
        lambda die: not need.is_met(die) or (fishes and die < need.critical),
        fixed=frozenset(failed),
        need=need.natural,
        target=volley.target.id,
        weapon=volley.weapon.name,
    )
    return (yield from offer_again(battle, throw))


def modified(
    number: str,
    printed: int,
    before: Sequence[tuple[str, int]],
    own: Sequence[tuple[str, int]],
    change: Number,
) -> tuple[int, ev.NumberTrail]:
    """Return the natural roll that is needed, and its trail.

    `printed` is what it is before anything changes it, `before` what it is after each change of a
    characteristic, `own` the modifiers of the core rules, `change` all modifiers together. Rule: CORE.DICE.3.
    """
    steps = [(rule, float(value)) for rule, value in before]
    plain = before[-1][1] if before else printed
    total = 0
    for rule, amount in own:
        total += amount
        steps.append((rule, float(plain - total)))
    steps += [(rule, plain - value) for rule, value in change.trail.steps]
    need = plain - int(change.value)
    if steps and steps[-1][1] != need:
        steps.append(("CORE.DICE.3", float(need)))
    return need, ev.NumberTrail(number=number, base=float(printed), value=float(need), steps=tuple(steps))
