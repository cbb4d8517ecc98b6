"""What a Horde unit would lose by a move: the bonus of its abilities for standing still.

Owns AI.STAY.3. An ability gives such a bonus where a condition in its record asks whether the unit has
remained stationary. Heavy weapons are `ai.horde.stay`'s.
"""

from __future__ import annotations

import numpy as np

from ai.horde.target import moment
from ai.reasons.clause import carries_out
from ai.reasons.condition import NO_REWARD, NOTHING_IN_RANGE, TOO_SMALL_A_GAIN
from ai.reasons.inquiry import Inquiry
from ai.reasons.ranking import Entry, Ranked, closest
from ai.reckoning.aim import Aim, by_model
from ai.reckoning.expectation import expected_damage
from engine.core.request import Because, Line
from engine.core.state import Unit
from engine.w40k.view import View
from geometry.measure.distance import within
from geometry.portable import sum_of
from geometry.tolerance import TOLERANCE

STAY = "remain-stationary"
RULING = "ai.move.stationary_gain"
"""The setting for the least gain in damage that is significant, as a share. Rule: R.A23"""


@carries_out("AI.STAY.3")
def significant_bonus(view: View, unit: Unit, asked: Inquiry) -> Because | None:
    """Return why a unit stays that would lose a significant bonus by moving.

    None where it would lose none. Rule: AI.STAY.3, R.A23
    """
    abilities = view.rewards(unit)
    if not abilities:
        asked.failed("AI.STAY.3", STAY, NO_REWARD)
        return None
    stand = Stand(view, unit)
    ranked = stand.closest()
    if not ranked.chosen:
        asked.failed("AI.STAY.3", STAY, NOTHING_IN_RANGE)
        return None
    bonus, plain = (stand.damage(ranked.chosen, rewarded) for rewarded in (True, False))
    enough = plain * (1 + float(view.ruling(RULING)))
    if bonus <= plain + TOLERANCE or bonus < enough - TOLERANCE:
        asked.failed("AI.STAY.3", STAY, TOO_SMALL_A_GAIN, bonus, enough)
        return None
    return Because(
        clause="AI.STAY.3",
        reason=f"With {' and '.join(abilities)} it is expected to cost {view.unit(ranked.chosen).name} "
        f"{bonus:.2f} wounds instead of {plain:.2f}, if it does not move.",
        target=ranked.chosen,
        candidates=ranked.candidates,
        ruling=RULING,
    )


class Stand:
    """What a unit may shoot, and sees, from where it stands."""

    def __init__(self, view: View, unit: Unit) -> None:
        """Find the visible targets in range of each gun."""
        self.view = view
        self.unit = unit
        look = view.field.outlook(unit)
        seen = np.where(look.visible, look.gaps, np.inf)
        columns = {target: look.columns(target) for target in dict.fromkeys(look.units)}
        self._shots: dict[str, list[tuple[Line, float]]] = {}
        for line in view.shots(unit):
            for target in line.targets:
                gap = float(seen[look.own.index(line.model)][columns[target]].min(initial=np.inf))
                if within(gap, self._reach(line)):
                    self._shots.setdefault(target, []).append((line, gap))

    def _reach(self, line: Line) -> float:
        return self.view.reach(self.unit, self.unit.weapon(line.weapon))

    def closest(self) -> Ranked:
        """Return the closest legal target that it sees."""
        entries = [Entry(target, min(gap for _, gap in shots)) for target, shots in self._shots.items()]
        return closest(self.view, entries, f"stand/{self.unit.id}", moment(self.view))

    def damage(self, target: str, rewarded: bool) -> float:
        """Return the expected damage at a target if the unit stands still.

        `rewarded` says whether the reward of its abilities for that counts.
        """
        foe = self.view.unit(target)
        covered = self.view.covered(self.unit, foe)
        because = Because(clause="AI.STAY.3", reason="")
        aims = []
        for line, gap in self._shots[target]:
            damage = expected_damage(
                self.view,
                self.unit,
                line.model,
                line.weapon,
                foe,
                half_range=bool(within(gap, self._reach(line) / 2)),
                covered=covered,
                rewarded=rewarded,
            )
            aims.append(Aim(line, target, damage, because))
        return sum_of(aim.damage for aim in by_model(aims, self.unit))
