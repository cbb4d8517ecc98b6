"""What attacks at a target do on average: weapon by weapon, the best profile of each item.

Asks `ai.reckoning` for every number and adds no formula of its own.
"""

from __future__ import annotations

from ai.reckoning.aim import Aim, by_model
from ai.reckoning.expectation import expected_damage
from engine.core.request import Because, Line, Split
from engine.core.state import Unit
from engine.w40k.view import View
from geometry.measure.distance import within

CLAUSES = {False: "CORE.SHOOT.2", True: "CORE.FGT.6"}
"""The clause of attacks that are declared: by shooting, and in melee."""


def wounds_of(view: View, unit: Unit, line: Line, target: str, melee: bool) -> float:
    """Return the wounds that one line costs a target on average, cover and half range counted."""
    enemy = view.unit(target)
    covered = frozenset() if melee else view.covered(unit, enemy)
    reach = view.reach(unit, unit.weapon(line.weapon))
    apart = float(view.gaps(unit, enemy)[unit.rows.index(line.model)].min())
    near = reach > 0 and bool(within(apart, reach / 2))
    return expected_damage(view, unit, line.model, line.weapon, enemy, half_range=near, covered=covered)


def best_at(view: View, request: Split, lines: list[Line], target: str) -> list[Aim]:
    """Return what does most at a target: of each item one profile, of each model one set. Rule: R.A50

    A line stands in it once; those that fire the same weapon again are not counted apart.
    """
    unit = view.unit(request.unit)
    because = Because(clause=CLAUSES[request.melee], target=target)
    aims = [
        Aim(line, target, wounds_of(view, unit, line, target, request.melee), because)
        for line in lines
        if target in line.targets
    ]
    return by_model(aims, unit)
