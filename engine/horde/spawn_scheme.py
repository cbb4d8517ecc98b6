"""The odds of spawning: brackets by roll, and how a D20 picks from a list of any length."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from engine.w40k.battle import Battle


class Scheme(msgspec.Struct, frozen=True):
    """What is rolled for the bracket, and the least result that brings each."""

    dice: int
    sides: int
    minima: tuple[int, ...]


SCHEMES = {
    "d12_matched": Scheme(1, 12, (2, 4, 6, 11)),
    "d12_labels": Scheme(1, 12, (3, 5, 7, 10)),
    "d12_even": Scheme(1, 12, (2, 5, 8, 11)),
    "d12_strict2": Scheme(1, 12, (3, 4, 6, 11)),
    "v1_2d6": Scheme(2, 6, (3, 5, 7, 10)),
}
"""By name; the first copies the odds of the printed 2D6 table on a D12."""


def scheme_of(battle: Battle) -> str:
    """Return the name of the scheme that the battle spawns by. Rule: SPAWN.3, R.A97"""
    return battle.ruling("spawn.scheme")


def bracket_of(scheme: str, total: int) -> int:
    """Return the bracket that a modified roll brings, 0 for none. Rule: SPAWN.3, SP.R2, SP.R3."""
    return sum(total >= least for least in SCHEMES[scheme].minima)


def minimum(scheme: str, bracket: int) -> int:
    """Return the lowest roll of a bracket; 0 for a unit without one. Rule: SPAWN.2, SP.C5."""
    return SCHEMES[scheme].minima[bracket - 1] if bracket else 0


def index_dice(battle: Battle, length: int) -> int:
    """Return a random place in a list of this length, by D20s.

    A D20 is rolled again where it is above the last full share. In a list longer than 20, a page of 20 is
    chosen first. Every place is equally likely. Rule: SPAWN.4.
    """
    if length > 20:
        place = battle.pick("spawn-page", length, stream="spawn", cause="SPAWN.4")
        page, length = place // 20, min(20, length - place // 20 * 20)
        return page * 20 + index_dice(battle, length)
    share = 20 // length * length
    while True:
        die = battle.roll("spawn-unit", 1, 20, stream="spawn", cause="SPAWN.4")[0]
        if die <= share:
            return (die - 1) % length
