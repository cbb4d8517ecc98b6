"""Small battles in which rules of a test's own are borne: what tests of abilities share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from datasheets.library import Library
from datasheets.rule import Rule
from engine.core.facts import BoardFacts, WeaponFacts
from engine.core.game import Game
from engine.core.request import Steps
from engine.core.ruleset import Step
from engine.horde.language import LANGUAGE
from engine.records.compiled import Compiled
from engine.records.rulebook import Rulebook, compiled_rules
from engine.scenario.situation import Stand
from tests.engine.conftest import foes, marines, play

GUN = WeaponFacts(name="Bolt rifle - aimed", range=24.0, attacks="1", skill=3, strength=4, damage="1")
BLADE = WeaponFacts(name="blade", attacks="1", skill=3, strength=4, damage="1")
PHASES = ("command", "movement", "shooting", "charge", "fight")

__all__ = ["BLADE", "GUN", "PHASES", "battle", "foes", "idle", "marines", "nothing", "rule", "unit"]


def rule(name: str, *, state: bool = False, **clauses: Any) -> Rule:
    """Return a rule "test/NAME" that units may bear, or a state "state/NAME" that others bestow."""
    kind, tags = ("state", ("state",)) if state else ("test", ())
    return Rule(
        id=f"{kind}/{name}", clause=f"TEST.{name}", name=name, source="", summary="", tags=tags, **clauses
    )


def nothing(game: Game) -> Steps[bool]:
    """Do nothing, in a step that a test needs for its phase."""
    return False
    yield


def idle(turn: str, *phases: str) -> tuple[Step, ...]:
    """Return steps of a side's turn in which these phases only begin and end."""
    return tuple(Step(f"{turn}.{phase}", phase, nothing, turn) for phase in phases)


def battle(rules: Sequence[Rule], stands: Sequence[Stand], *steps: Step, **more: Any) -> Game:
    """Return a battle, played to its end, in which units may bear these rules beside the core's."""
    known = [each for each in compiled_rules(Library(), LANGUAGE) if "core" in each.rule.tags]
    book = Rulebook((*known, *(Compiled(each, LANGUAGE).checked() for each in rules)))
    return play(stands, *steps, rulebook=book, **{"board": BoardFacts(), **more})


def unit(game: Game, name: str) -> Any:
    """Return a unit of a battle."""
    return game.state.position.units[name]
