"""Who controls which objective marker."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from engine import event as ev
from engine.facts import HORDE, PLAYERS
from engine.ruleset import Steps
from engine.state import Objective, Unit

if TYPE_CHECKING:
    from engine.game import Game


def update(game: Game) -> Steps[None]:
    """Count the level of control of every marker again. Rule: CORE.OBJ.1 to CORE.OBJ.6, PLAY.2."""
    for objective in list(game.state.objectives.values()):
        levels = {seat: level for seat, level in _levels(game, objective).items() if level > 0}
        horde = levels.pop(HORDE, 0)
        players = sum(levels.values())
        by = HORDE if horde > players else PLAYERS if players > horde else ""
        holders = tuple(sorted(levels)) if by == PLAYERS else ()
        if (by, holders) != (objective.by, objective.players):
            name = objective.facts.id
            event = ev.Controlled(objective=name, by=by, players=holders, levels=(horde, players))
            yield from game.happen(event, "CORE.OBJ.2")


def _levels(game: Game, objective: Objective) -> dict[str, int]:
    levels: dict[str, int] = {}
    for unit in game.field.near(objective):
        inside = game.field.in_range_of(unit, objective)
        models = [m for m, is_in in zip(game.state.alive(unit), inside, strict=True) if is_in]
        printed = Counter(m.facts.characteristics.get("OC", 0) for m in models)
        level = sum(count * control(game, unit, each) for each, count in printed.items())
        levels[unit.player] = levels.get(unit.player, 0) + level
    return levels


def control(game: Game, unit: Unit, printed: int) -> int:
    """Return a model's Objective Control. Rule: CORE.OBJ.3, CORE.OBJ.6, CORE.BS.3."""
    if "battle-shocked" in unit.marks or unit.has("AIRCRAFT"):
        return 0
    return max(0, int(game.query.number("model.oc", printed, unit=unit).value))
