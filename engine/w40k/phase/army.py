"""The armies that the players field: what of their rules is not simulated.

Owns what the log says of an army before it is set up; its rules are records, its datasheets the library's.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.core import event as ev
from engine.core.request import Steps

if TYPE_CHECKING:
    from engine.core.facts import PlayerFacts
    from engine.w40k.battle import Battle


def muster(battle: Battle) -> Steps[bool]:
    """Name in the log each player's army rule and detachment that are not simulated.

    Rule: ARMY.10.
    """
    for player in battle.state.players.values():
        for name, reason in _unmodelled(battle, player.facts):
            battle.log(ev.Unmodelled(rule=name, reason=reason), "ARMY.10")
    return False
    yield


def _unmodelled(battle: Battle, facts: PlayerFacts) -> list[tuple[str, str]]:
    brought = [battle.rulebook.rule(name) for name in facts.rules]
    found = []
    if facts.faction and not any("army" in rule.tags for rule in brought):
        name = f"army rule of {facts.faction.replace('-', ' ').title()}"
        found.append((name, "this faction's army rule is not simulated yet"))
    if facts.detachment and not any(rule.detachment and not rule.reason for rule in brought):
        reason = "the rule, Stratagems and enhancements of this detachment are not simulated yet"
        found.append((f"detachment {facts.detachment}", reason))
    return found
