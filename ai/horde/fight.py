"""At what each model of a Horde unit strikes, and with what.

Owns AI.FIGHT.1 and the order in which Horde units fight. Piling in and consolidating are
`ai.horde.melee_move`'s.
"""

from __future__ import annotations

import numpy as np

from ai.reasons.clause import carries_out
from ai.reasons.ranking import Entry, closest
from ai.reckoning.aim import Aim, by_model, distinct, left_out
from ai.reckoning.expectation import expected_damage
from engine.core.event import Shot
from engine.core.request import Because, Line, Split, Splits
from engine.core.state import Unit
from engine.w40k.view import View


@carries_out("AI.FIGHT.1")
def fight(view: View, request: Split) -> Splits:
    """Return the attacks of a unit: each model strikes the unit of the closest enemy model.

    Rule: AI.FIGHT.1, R.A58, R.A59
    """
    unit = view.unit(request.unit)
    known: dict[tuple[int, str, tuple[str, ...]], float] = {}
    aims = [aim for line in request.lines if (aim := _aim(view, unit, line, known)) is not None]
    struck = by_model(aims, unit)
    shots = tuple(Shot(model=a.line.model, weapon=a.line.weapon, target=a.target) for a in struck)
    because = distinct(a.because for a in struck)
    return Splits(shots=shots, because=because, passed=left_out(aims, struck, "R.A59"))


def _aim(
    view: View, unit: Unit, line: Line, known: dict[tuple[int, str, tuple[str, ...]], float]
) -> Aim | None:
    own = unit.rows.index(line.model)
    entries = []
    for target in line.targets:
        gaps = view.gaps(unit, view.unit(target))[own]
        entries.append(Entry(target, float(np.min(gaps, initial=np.inf))))
    ranked = closest(view, entries, f"fight/{line.model}")
    if not ranked.chosen:
        return None
    enemy = view.unit(ranked.chosen)
    key = (line.weapon, enemy.id, view.weapon_keywords(unit, line.model, line.weapon, enemy))
    if key not in known:
        known[key] = expected_damage(view, unit, line.model, line.weapon, enemy)
    weapon = unit.weapon(line.weapon).name
    because = Because(
        clause="AI.FIGHT.1",
        reason=f"{weapon}: the closest enemy model is of {enemy.name}.",
        target=enemy.id,
        candidates=ranked.candidates,
        models=(line.model,),
        weapon=weapon,
    )
    return Aim(line, enemy.id, known[key], because)
