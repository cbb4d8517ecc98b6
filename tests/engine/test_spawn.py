"""What spawns: two units where a bracket has none left, and no epic hero twice."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from engine.core import event as ev
from engine.core.game import Game
from engine.core.request import Place, Places
from engine.core.ruleset import Step
from engine.horde.steps import spawn

Play = Callable[..., Game]
Make = Callable[..., Any]


def in_rows(game: Game) -> Places:
    """Set a spawned unit up in rows from the west end of its zone."""
    request = game.pending
    assert isinstance(request, Place)
    west = min(x for x, _ in request.areas[0])
    taken = sum(unit.where == "table" and unit.side == "horde" for unit in game.state.position.units.values())
    poses = {}
    for i, row in enumerate(request.rows):
        size = 2 * float(game.state.position.table.radius[row])
        poses[row] = (west + size * (i % 10 + 0.5), 35.0 + 4 * (taken % 2) + size * (i // 10), 0.0, 0.0)
    return Places(poses=poses)


@pytest.mark.rule("SP.R5", "SP.R6", "S.S11")
@pytest.mark.parametrize(("hero", "units"), [(False, 2), (True, 1)])
def test_two_come_from_the_bracket_below_even_twice_the_same(
    play: Play, marines: Make, monkeypatch: pytest.MonkeyPatch, hero: bool, units: int
) -> None:
    """The third bracket is empty, the second has one entry: it comes twice, unless it is an epic hero."""
    entries = spawn.entries_of

    def sparse(game: Game, bracket: int) -> list[Any]:
        found = [e for e in entries(game, bracket) if bool(spawn._heroes(game, e)) == hero]
        return [e for e in found if spawn.is_available(game, e) and len(e.units) == 1][:1]

    def one(game: Game, bracket: int) -> list[Any]:
        if bracket == 3:
            return []
        return next(found for b in (1, 2, 3, 4) if (found := sparse(game, b)))

    monkeypatch.setattr(spawn, "entries_of", one)
    game = play(
        [marines()],
        Step("spawn", "start-of-round", spawn.spawn),
        factions=("death-guard",),
        dice={"spawn-bracket": [7, 1]},
        answers={"spawn": in_rows},
        round_number=1,
    )
    rolled = next(e for e in game.events if isinstance(e, ev.SpawnRolled))
    assert rolled.bracket == 3
    assert len(game.state.position.on_table("horde")) == units


@pytest.mark.rule("SP.R8", "SPAWN.4")
@pytest.mark.parametrize(("ruling", "choices"), [({}, 1), ({"spawn.leader_on_downgrade": "no"}, 0)])
def test_a_unit_from_a_lower_bracket_comes_with_a_leader_that_is_not_in_play(
    play: Play, marines: Make, ruling: dict[str, str], choices: int
) -> None:
    game = play([marines()], factions=("tyranids",), rulings=ruling)
    rows = [e for b in (1, 2, 3, 4) for e in spawn.entries_of(game, b)]
    plain = next(
        e
        for e in rows
        if e.units[0].datasheets == ("tyranids/genestealers",) and not e.leaders and not e.leader_choices
    )
    led = spawn.with_leader(game, plain)
    assert led.leader_choices == choices
    assert ("tyranids/broodlord" in led.possible_leaders) is bool(choices)
