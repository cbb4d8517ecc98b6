"""What is remembered of a battle after an awkward event is what its log alone tells."""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from typing import Any

import pytest

from ai.autopilot.appraisal import Appraisal
from ai.reckoning.expectation import models_of
from engine.core import event as ev
from engine.core.apply import fold
from engine.core.facts import TransportFacts, WeaponFacts
from engine.w40k.battle import Battle
from engine.w40k.phase.movement import limits
from engine.w40k.view import View

BOX = TransportFacts(capacity=6)
PIERCING = WeaponFacts(name="lance", range=24.0, attacks="2", skill=3, strength=8, ap=-4, damage="2")
BLADE = WeaponFacts(name="blade", attacks="2", skill=3, strength=4, ap=-1, damage="1")
HOME = {0: (28.5, 22.0, 0.0, 0.0), 1: (30.0, 22.0, 0.0, 0.0), 2: (31.5, 22.0, 0.0, 0.0)}
ELSEWHERE = {row: (x - 12.0, y + 9.0, z, facing) for row, (x, y, z, facing) in HOME.items()}
COVERED = "under:stratagem/go-to-ground"


def moved(poses: dict[int, ev.Pose]) -> ev.Event:
    return ev.Moved(unit="marines", kind_of_move="normal", poses=poses, paths={})


STORIES: dict[str, list[ev.Event]] = {
    "there and back": [moved(ELSEWHERE), moved(HOME)],
    "a rule for a while": [
        ev.Marked(on="unit:marines", key=COVERED, value=True, until="phase"),
        ev.PhaseEnded(name="idle", step="idle", cursor=0),
    ],
    "a weapon under a record": [
        ev.Marked(on="objective:centre", key="fortified", value="buy/ammo-supplies"),
        ev.Marked(on="objective:centre", key="fortified", value=None),
    ],
    "a leader dies": [
        ev.Destroyed(unit="marines", model=2),
        ev.UnitDestroyed(unit="marines", part=1),
    ],
    "its guards die": [
        ev.Destroyed(unit="marines", model=0),
        ev.Destroyed(unit="marines", model=1),
        ev.UnitDestroyed(unit="marines", part=0),
    ],
    "in and out of a transport": [
        ev.Embarked(unit="marines", transport="box"),
        ev.Disembarked(unit="marines", transport="box", poses=ELSEWHERE),
    ],
    "out where it got in": [
        ev.Embarked(unit="marines", transport="box"),
        ev.Moved(unit="box", kind_of_move="normal", poses={3: (36.0, 10.0, 0, 0)}, paths={}),
        ev.Disembarked(unit="marines", transport="box", poses=HOME),
    ],
    "into reserves and back": [
        ev.Reserved(unit="foes"),
        ev.Arrived(unit="foes", poses={4: (28.5, 23.6, 0.0, 0.0), 5: (30.0, 23.6, 0.0, 0.0)}),
    ],
    "a ruin goes": [ev.Removed(what="terrain:ruin"), ev.Destroyed(unit="foes", model=5)],
}
"""What happens, one event after another, by name."""


def known_of_table(battle: Battle) -> list[object]:
    """Return what a battle says of all pairs of units on its table."""
    field, units = battle.field, battle.state.position.on_table()
    found: list[object] = []
    for one in units:
        look = field.outlook(one)
        others = [each for each in units if each.side != one.side]
        found += [look.nearest, look.nearest_seen, look.rows, field.closest_gap(one, others)]
        found += [field.is_engaged(one), [each.id for each in field.engaged_with(one)]]
        found += [field.outlines(one.rows).xy.tolist(), field.sees_points(one, [(30.0, 22.0)], 0.5).tolist()]
        found += [field.gaps(one, each).tolist() for each in units]
        found += [field.touching(one, each).any() for each in others]
    return found


def known_of_fights(battle: Battle, view: View) -> list[object]:
    """Return what a seat expects of attacks between all pairs of units."""
    values, units = Appraisal(view), battle.state.position.on_table()
    found: list[object] = [(limits(battle, each), values.reach(each), values.move_of(each)) for each in units]
    for one in units:
        for other in units:
            if other.side != one.side:
                found.append(values.shots(one, other))
                found += [
                    values.damage(one, model.row, weapon, other)
                    for model in models_of(one)
                    for weapon in model.weapons
                ]
    return found


def newcomer(battle: Battle) -> Battle:
    """Return the same battle as its log alone tells it, with nothing remembered."""
    found = copy(battle)
    found.state = fold(battle.events)
    found.wire()
    return found


@pytest.fixture
def battle(play: Callable[..., Battle], marines: Any, foes: Any) -> Battle:
    tough, strong = (("T", 9), ("W", 3), ("Sv", 4)), (("T", 5), ("W", 2))
    return play(
        (
            marines(at=[pose[:2] for pose in HOME.values()], leaders=1),
            marines(
                "box",
                at=((36.0, 8.0),),
                mm=100.0,
                keywords=("VEHICLE", "TRANSPORT"),
                transport=BOX,
                characteristics=tough,
            ),
            foes(at=((14.0, 30.0), (30.0, 27.0)), weapons=(PIERCING, BLADE), characteristics=strong),
        )
    )


@pytest.mark.parametrize("story", STORIES)
def test_a_memory_holds_after_every_event(battle: Battle, story: str) -> None:
    seats = [View(battle, "horde"), View(battle, "p1")]
    known = [[known_of_table(battle), *(known_of_fights(battle, view) for view in seats)]]
    for event in STORIES[story]:
        battle.log(event)
        known.append([known_of_table(battle), *(known_of_fights(battle, view) for view in seats)])
        anew = newcomer(battle)
        fresh = [known_of_fights(anew, View(anew, view.seat)) for view in seats]
        assert known[-1] == [known_of_table(anew), *fresh]
    assert any(each != known[0] for each in known), "the story changes nothing, and proves nothing"
