"""What just may not be: each limit of a core rule from both of its sides."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from engine.core.event import Shot
from engine.core.facts import BaseFacts, BoardFacts, TerrainFacts, WeaponFacts
from engine.core.game import Game, IllegalAnswer
from engine.core.request import Moves, Splits
from engine.core.ruleset import Step
from engine.w40k.phase import charge, command, fight, movement, shooting

Play = Callable[..., Game]
Make = Callable[..., Any]
R32 = 32 / 25.4
MOVE = Step("players.movement", "movement", movement.movement, "players")
FIGHT = Step("rest", "fight", fight.remaining_combats, "players")
FIRST = {"next-unit": lambda game: (game.pending.options[0].id,)}


def moved(play: Play, stands: list[Any], kind: str, paths: dict[int, Any]) -> Game:
    """Return the battle after the first unit's move along these paths."""
    answers = {**FIRST, "move": kind, "path": Moves(paths=paths)}
    return play(stands, MOVE, answers=answers, board=BoardFacts())


@pytest.mark.rule("CORE.DICE.4")
@pytest.mark.parametrize(("die", "hits"), [(1, False), (2, True)])
def test_a_natural_one_never_hits(play: Play, marines: Make, foes: Make, die: int, hits: bool) -> None:
    """Not even where a 1 would be enough: 2+, and 1 better for a unit that stands still."""
    gun = WeaponFacts(name="gun", range=24.0, skill=2, keywords=("heavy",))
    stands = [marines(weapons=(gun,)), foes(at=[(30.0, 18.0)], characteristics=(("W", 9),))]
    game = play(
        stands,
        Step("shooting", "shooting", shooting.shooting, "players"),
        answers={
            **FIRST,
            "shoot": lambda game: Splits(
                shots=tuple(
                    Shot(model=line.model, weapon=line.weapon, target=line.targets[0])
                    for line in game.pending.lines
                )
            ),
        },
        board=BoardFacts(),
        dice={"hit": [die], **({"wound": [1]} if hits else {})},
    )
    assert any(e.kind == "rolled" and e.roll == "wound" for e in game.events) is hits


@pytest.mark.rule("CORE.WPN.IND")
def test_only_indirect_fire_reaches_who_is_out_of_sight(play: Play, marines: Make, foes: Make) -> None:
    ring = ((20.0, 14.0), (40.0, 14.0), (40.0, 15.0), (20.0, 15.0))
    board = BoardFacts(terrain=(TerrainFacts(id="wall", kind="wall", footprint=ring, height=9.0),))
    plain, lobbed = (
        WeaponFacts(name=n, range=24.0, keywords=k) for n, k in (("a", ()), ("b", ("indirect fire",)))
    )
    game = play([marines(weapons=(plain, lobbed)), foes(at=[(30.0, 22.0)])], board=board)
    lines = shooting.lines(game, game.state.position.units["marines"])
    assert [(line.weapon, line.targets) for line in lines] == [(1, ("foes",))]


@pytest.mark.rule("CORE.MOVE.3")
@pytest.mark.parametrize(("paid", "legal"), [(0.0, False), (1.0, False), (2.0, True)])
def test_the_first_pivot_is_paid_for(play: Play, marines: Make, paid: float, legal: bool) -> None:
    """2 inches of a vehicle's 6: what its answer says is not believed."""
    oval = BaseFacts(shape="oval", length=4.0, width=3.0)
    tank = marines(at=[(20.0, 20.0)], keywords=("VEHICLE",), base=oval)
    legs = ((20.0, 20.0, 30.0, paid), (22.0, 20.0))
    if legal:
        assert moved(play, [tank], "normal-move", {0: legs}).state.position.table.facing[0] == 30.0
    else:
        with pytest.raises(IllegalAnswer, match="pay for its pivot"):
            moved(play, [tank], "normal-move", {0: legs})


@pytest.mark.rule("CORE.MOVE.4")
def test_no_model_ends_on_another_of_its_own_unit(play: Play, marines: Make) -> None:
    squad = marines(at=[(20.0, 20.0), (22.0, 20.0)])
    for second, legal in [((24.0, 22.0), True), ((23.2, 22.0), False)]:
        paths = {0: ((22.0, 22.0),), 1: (second,)}
        if legal:
            moved(play, [squad], "normal-move", paths)
        else:
            with pytest.raises(IllegalAnswer, match="overlap"):
                moved(play, [squad], "normal-move", paths)


@pytest.mark.rule("CORE.MOVE.7")
def test_nobody_stays_behind_in_a_fall_back(play: Play, marines: Make, foes: Make) -> None:
    """Also a model that does not move has to be out of engagement range then."""
    stands = [marines(at=[(20.0, 20.0), (22.0, 20.0)]), foes(at=[(20.0, 21.9)])]
    both = {0: ((20.0, 18.0),), 1: ((22.0, 18.0),)}
    assert moved(play, stands, "fall-back", both).state.position.table.xy[0, 1] == 18.0
    stands = [marines(at=[(20.0, 20.0), (22.0, 20.0)]), foes(at=[(21.0, 21.6)])]
    with pytest.raises(IllegalAnswer, match="must end outside engagement range"):
        moved(play, stands, "fall-back", {0: ((20.0, 18.0),)})


@pytest.mark.rule("CORE.MOVE.10")
def test_who_flies_piles_in_over_nobody(play: Play, marines: Make, foes: Make) -> None:
    """To the far side of its enemy it would have to pass over it."""
    stands = [
        marines(at=[(20.0, 20.0)], keywords=("INFANTRY", "FLY"), weapons=()),
        foes(at=[(20.0, 21.5)], weapons=()),
    ]
    for y, legal in [(21.5 - R32, True), (21.5 + R32, False)]:
        answers = {
            **FIRST,
            "pile-in": lambda game, y=y: (
                Moves(paths={0: ((20.0, y),)}) if game.pending.unit == "marines" else Moves()
            ),
            "consolidate": Moves(),
        }
        if legal:
            play(stands, FIGHT, answers=answers, board=BoardFacts())
        else:
            with pytest.raises(IllegalAnswer):
                play(stands, FIGHT, answers=answers, board=BoardFacts())


@pytest.mark.rule("CORE.BS.2")
@pytest.mark.parametrize(("starting", "below"), [(2, False), (3, True)])
def test_half_is_not_below_half(play: Play, marines: Make, starting: int, below: bool) -> None:
    game = play([marines(starting_models=starting)], board=BoardFacts())
    assert command.is_below_half(game, game.state.position.units["marines"]) is below


@pytest.mark.rule("CORE.CHG.1")
@pytest.mark.parametrize(("gap", "targets"), [(1.0, []), (1.01, ["near", "far"])])
def test_who_is_in_combat_declares_no_charge(
    play: Play, marines: Make, foes: Make, gap: float, targets: list[str]
) -> None:
    stands = [
        marines(at=[(20.0, 20.0)]),
        foes("near", at=[(20.0, 20.0 + R32 + gap)]),
        foes("far", at=[(26.0, 20.0)]),
    ]
    game = play(stands, board=BoardFacts())
    assert [unit.id for unit in charge.targets(game, game.state.position.units["marines"])] == targets
