"""Which rolls bring which bracket, in each scheme for which a battle can ask."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from itertools import product
from typing import Any

import pytest

from engine.audit.referee.reading import read
from engine.core import event as ev
from engine.core.game import Game
from engine.core.request import Places
from engine.core.ruleset import Step
from engine.horde.ruleset_1_1 import HORDE_1_1
from engine.horde.steps import spawn
from tests.engine.spawning import in_rows, spawned

Play = Callable[..., Game]
Make = Callable[..., Any]
ODDS = {
    "v1_2d6": {
        1: (2.8, 13.9, 25.0, 41.7, 16.7),
        3: (2.8, 5.6, 19.4, 44.4, 27.8),
        5: (2.8, 0.0, 13.9, 41.7, 41.7),
    },
    "d12_matched": {
        1: (8.3, 16.7, 16.7, 41.7, 16.7),
        3: (8.3, 8.3, 16.7, 41.7, 25.0),
        5: (8.3, 0.0, 16.7, 41.7, 33.3),
    },
    "d12_labels": {
        1: (16.7, 16.7, 16.7, 25.0, 25.0),
        3: (8.3, 16.7, 16.7, 25.0, 33.3),
        5: (8.3, 8.3, 16.7, 25.0, 41.7),
    },
    "d12_even": {
        1: (8.3, 25.0, 25.0, 25.0, 16.7),
        3: (8.3, 16.7, 25.0, 25.0, 25.0),
        5: (8.3, 8.3, 25.0, 25.0, 33.3),
    },
    "d12_strict2": {1: (16.7, 8.3, 16.7, 41.7, 16.7)},
}
"""By scheme and round: the per cent of rolls for nothing, and for each bracket in order."""
FACES = {"v1_2d6": [*product(range(1, 7), repeat=2)]}


def rolled(play: Play, marines: Make, scheme: str, *dice: int, **more: Any) -> ev.SpawnRolled:
    """Return the roll for the first zone, made with these dice, where nothing finds a place."""
    game = play(
        [marines(), *more.pop("beside", ())],
        Step("spawn", "start-of-round", spawn.spawn),
        rulings={"spawn.scheme": scheme},
        dice={"spawn-bracket": [*dice, *[1] * 3]},
        answers={"spawn": Places(poses={})},
        **{"factions": ("death-guard",), "round_number": 1, **more},
    )
    assert not read(game.events, HORDE_1_1, game.rulebook, game.rulings).disagreements
    return next(e for e in game.events if isinstance(e, ev.SpawnRolled))


@pytest.mark.rule("SPAWN.3", "R.A97", "ROUND.2")
@pytest.mark.parametrize(
    ("scheme", "number"), [(scheme, number) for scheme, rounds in ODDS.items() for number in rounds]
)
def test_a_scheme_brings_each_bracket_as_often_as_its_table_says(
    play: Play, marines: Make, scheme: str, number: int
) -> None:
    faces = FACES.get(scheme, [(face,) for face in range(1, 13)])
    found = Counter(rolled(play, marines, scheme, *each, round_number=number).bracket for each in faces)
    assert tuple(round(100 * found[i] / len(faces), 1) for i in range(5)) == ODDS[scheme][number]


@pytest.mark.rule("SPAWN.3", "R.A97")
@pytest.mark.parametrize(("scheme", "dice"), [(each, (1, 1)) for each in ODDS])
def test_a_natural_one_spawns_nothing_whatever_is_added(
    play: Play, marines: Make, foes: Make, scheme: str, dice: tuple[int, ...]
) -> None:
    """A unit of the fourth bracket was removed: its lowest roll would bring the fourth again."""
    removed = foes(at=((5.0, 36.0),), bracket=4)
    told = rolled(play, marines, scheme, *dice, beside=[removed], round_number=5)
    assert told.total > 10
    assert told.bracket == 0


@pytest.mark.rule("SPAWN.2", "SP.C5", "R.A97")
@pytest.mark.parametrize(
    ("scheme", "dice", "total"),
    [
        ("d12_matched", (5,), 5 + 6),
        ("d12_labels", (5,), 5 + 7),
        ("d12_even", (5,), 5 + 8),
        ("d12_strict2", (5,), 5 + 6),
        ("v1_2d6", (3, 2), 5 + 7),
    ],
)
def test_a_unit_removed_adds_the_lowest_roll_of_its_bracket(
    play: Play, marines: Make, foes: Make, scheme: str, dice: tuple[int, ...], total: int
) -> None:
    told = rolled(play, marines, scheme, *dice, beside=[foes(at=((5.0, 36.0),), bracket=3)])
    assert (told.total, told.bracket) == (total, 4)


@pytest.mark.rule("MISERY.7", "R.A97")
@pytest.mark.parametrize(
    ("scheme", "dice", "kept", "bracket"),
    [("d12_matched", (1, 4), (4,), 2), ("d12_matched", (1, 1), (1,), 0), ("v1_2d6", (1, 4, 3), (4, 3), 3)],
)
def test_an_unlucky_night_rolls_one_die_more_and_drops_the_lowest(
    play: Play,
    marines: Make,
    scheme: str,
    dice: tuple[int, ...],
    kept: tuple[int, ...],
    bracket: int,
) -> None:
    told = rolled(play, marines, scheme, *dice, active=["MISERY.7"])
    assert (told.natural, told.bracket) == (kept, bracket)


@pytest.mark.rule("SP.R5")
def test_knights_have_no_third_bracket_and_bring_two_of_the_second(play: Play, marines: Make) -> None:
    game = play(
        [marines()],
        Step("spawn", "start-of-round", spawn.spawn),
        dice={"spawn-bracket": [7, 1]},
        answers={"spawn": in_rows},
        factions=("imperial-knights",),
        round_number=1,
    )
    assert len(spawned(game)) == 2
    assert {unit.facts.bracket for unit in game.state.position.on_table("horde")} == {2}
