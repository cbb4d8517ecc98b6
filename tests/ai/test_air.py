"""How AIRCRAFT fly: as near to the aim as they can, turned to where they can fly on."""

from __future__ import annotations

import pytest

from ai.agents import agent
from ai.moving.flying import Flights
from engine.core.request import Choose, Move, Moves, Option

JET = "VEHICLE AIRCRAFT FLY"


def eastward(battle, side, x):
    """Return a jet that faces along the x axis."""
    jet = battle.add("jet", side, [(x, 22)], keywords=JET)
    table = battle.state.position.table
    for row in jet.rows:
        table.put({row: (*table.after(row, ())[:3], 0.0)})
    return jet


def asked(unit):
    options = (Option(id="normal-move", label=""), Option(id="leave-board", label=""))
    return Choose(
        seats=(unit.player,), rule="CORE.MOVE.1", decision="move", prompt="", unit=unit.id, options=options
    )


def flown(battle, unit, who):
    """Return what an agent chooses for a unit in the air, and its flight, which has to be legal."""
    view = battle.view(unit.player)
    kind = agent(who).answer(view, asked(unit))
    assert battle.faults(asked(unit), kind) == []
    request = Move(
        seats=(unit.player,),
        rule="CORE.MOVE.5",
        decision="path",
        prompt="",
        unit=unit.id,
        kind="normal",
        limits=dict.fromkeys(unit.rows, 99.0),
        least=20.0,
    )
    moves = agent(who).answer(view, request)
    assert isinstance(moves, Moves)
    assert battle.faults(request, moves) == []
    assert any(moves.paths.values()) == (kind.ids == ("normal-move",))
    return kind, moves


@pytest.mark.rule("CORE.AIR.2", "AI.MOVE.1")
@pytest.mark.parametrize(
    ("prey", "end"),
    [
        ((45.0, 22.0), 45.0 - 32 / 25.4 - 1.0),
        ((20.0, 22.0), 25.0),
        ((40.0, 30.0), 40.0),
    ],
)
def test_the_horde_flies_as_near_to_its_prey_as_it_may(situation, prey, end):
    """Up to engagement range; no less than 20 inches; past no one that it need not."""
    battle = situation()
    jet = eastward(battle, "horde", 5)
    battle.players("squad", [prey])
    kind, moves = flown(battle, jet, "horde")
    assert [b.clause for b in kind.because] == ["AI.MOVE.1", "CORE.AIR.2"]
    assert moves.paths[jet.rows[0]][0] == pytest.approx((end, 22.0), abs=0.01)


@pytest.mark.rule("CORE.AIR.2")
@pytest.mark.parametrize("who", ["horde", "steady", "fuzz"])
def test_who_cannot_fly_on_leaves_the_board_and_says_why(situation, who):
    battle = situation()
    jet = eastward(battle, "horde" if who == "horde" else "players", 45)
    (battle.players if who == "horde" else battle.horde)("squad", [(20, 22)])
    if who == "fuzz":
        assert Flights(battle.view("p1"), jet).lengths() == []
        return
    kind, moves = flown(battle, jet, who)
    assert kind.ids == ("leave-board",)
    assert not moves.paths
    assert kind.because[-1].reason


@pytest.mark.rule("CORE.AIR.2")
def test_a_flight_ends_turned_to_where_there_is_room(situation):
    """Near the far edge only a turn leads on; of two the one toward the aim is taken."""
    battle = situation()
    jet = eastward(battle, "players", 35)
    flights = Flights(battle.view("p1"), jet)
    for aim, facing in [((55.0, 40.0), 90.0), ((55.0, 4.0), -90.0)]:
        assert flights.plan(20.0, aim).paths[jet.rows[0]][1][2] == pytest.approx(facing)
    for length in flights.lengths():
        assert flights.leads_on(length)


@pytest.mark.rule("CORE.AIR.2")
def test_a_flight_over_others_ends_between_them(situation):
    """Every place is taken but a gap 4.74 inches wide.

    A base of 1.26 inches has room there, more than 1 inch from the bases on both sides.
    """
    battle = situation()
    jet = eastward(battle, "players", 5)
    row = [x for x in range(25, 60, 2) if x not in (39, 41)]
    battle.horde("mob", [(x, 22) for x in row])
    lengths = Flights(battle.view("p1"), jet).lengths()
    assert lengths
    assert all(37 + 32 / 25.4 + 1 < 5 + far < 43 - 32 / 25.4 - 1 for far in lengths)
