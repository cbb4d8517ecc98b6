"""What an inspection finds: faults put on a table on purpose, and none on a clean one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import pytest

from engine.audit.inspection import Inspection, inspect
from engine.audit.progress import Headway, headway
from engine.core import event as ev
from engine.core.facts import BaseFacts, BoardFacts, TerrainFacts
from engine.core.game import Game
from engine.core.log import AnswerLine, BecauseLine, LogLine
from engine.core.request import Because, Chosen
from engine.horde.ruleset_1_1 import HORDE_1_1
from engine.scenario.situation import Stand

KNOBS = HORDE_1_1.parameters
MM32 = 32 / 25.4


@pytest.fixture
def seen(play: Callable[..., Game]) -> Callable[..., Inspection]:
    """Return a function that inspects a table with these units, after these events more."""

    def inspected(stands: Sequence[Stand], *more: ev.Event) -> Inspection:
        return inspect([*play(stands).events, *more], KNOBS)

    return inspected


def moved(row: int, x: float, y: float, kind: str = "normal", unit: str = "marines") -> ev.Moved:
    """Return the event of a model moved straight to a place."""
    return ev.Moved(n=99, unit=unit, kind_of_move=kind, poses={row: (x, y, 0.0, 0.0)}, paths={row: ((x, y),)})


def checks(found: Inspection) -> list[str]:
    return [fault.check for fault in found.faults]


def test_a_clean_table_has_no_faults(seen: Callable[..., Inspection], marines: Any, foes: Any) -> None:
    touching = [(30.0, 8.0), (30.0 + MM32, 8.0), (30.0 + 2 * MM32, 8.0)]
    found = seen([marines(at=touching), foes()], moved(0, 30.0, 8.0), ev.TurnEnded(whose="players"))
    assert found.faults == []


def test_bases_that_overlap_are_found(seen: Callable[..., Inspection], marines: Any, foes: Any) -> None:
    found = seen([marines(), foes(at=[(30.0, 30.0)])], moved(0, 30.0, 30.0 - MM32 + 0.001))
    assert checks(found) == ["overlap"]
    assert found.faults[0].n == 99
    assert "model 0 of marines overlaps model 1 of foes" in found.faults[0].text
    touching = seen([marines(), foes(at=[(30.0, 30.0)])], moved(0, 30.0, 30.0 - MM32))
    assert touching.faults == []


def thrown(roll: str, *dice: int, replaces: tuple[int, ...] = ()) -> ev.Rolled:
    return ev.Rolled(
        roll=roll, dice=dice, total=sum(dice), stream="dice", draws=0, unit="marines", replaces=replaces
    )


@pytest.mark.rule("CORE.DICE.1")
def test_a_die_is_rolled_again_once_and_after_it_was_rolled(
    seen: Callable[..., Inspection], marines: Any
) -> None:
    first, again = thrown("hit", 1, 1, 4), thrown("hit-reroll", 2, 5, replaces=(0, 1))
    other = thrown("hit-reroll", 3, replaces=(2,))
    assert seen([marines()], first, again, other, first, again).faults == []
    for more in (
        (again, thrown("hit-reroll", 3, replaces=(1,))),
        (thrown("hit-reroll", 3, replaces=(3,)),),
        (thrown("hit-reroll", 3, 4, replaces=(0,)),),
        (thrown("hit-reroll", 3),),
        (thrown("wound-reroll", 3, replaces=(0,)),),
    ):
        assert checks(seen([marines()], first, *more)) == ["dice"]


@pytest.mark.parametrize(("x", "y"), [(0.6, 8.0), (59.4, 8.0), (30.0, 0.6), (30.0, 43.4)])
def test_a_base_over_the_edge_is_found(
    seen: Callable[..., Inspection], marines: Any, x: float, y: float
) -> None:
    assert checks(seen([marines()], moved(0, x, y))) == ["board"]


def test_a_base_that_touches_the_edge_is_on_the_board(seen: Callable[..., Inspection], marines: Any) -> None:
    assert seen([marines()], moved(0, MM32 / 2, 44 - MM32 / 2)).faults == []


def test_a_unit_is_coherent_when_a_turn_ends(seen: Callable[..., Inspection], marines: Any) -> None:
    near = marines(at=[(30.0, 8.0), (30.0 + MM32 + 2.0, 8.0)])
    far = marines(at=[(30.0, 8.0), (30.0 + MM32 + 2.01, 8.0)])
    ended = ev.TurnEnded(whose="players")
    assert checks(seen([near], ended)) == []
    assert checks(seen([far])) == []
    assert checks(seen([far], ended)) == ["coherency"]


def test_the_dead_take_no_room(seen: Callable[..., Inspection], marines: Any, foes: Any) -> None:
    gone = ev.Destroyed(unit="foes", model=1)
    assert seen([marines(), foes(at=[(30.0, 30.0)])], gone, moved(0, 30.0, 30.0)).faults == []


def test_deeds_are_counted_by_side(seen: Callable[..., Inspection], marines: Any, foes: Any) -> None:
    shot = ev.Shot(model=1, weapon=0, target="marines")
    found = seen(
        [marines(), foes()],
        moved(0, 31.0, 9.0, "advance"),
        moved(0, 32.0, 9.0, "charge"),
        ev.Rolled(roll="charge", dice=(3, 4), total=7, stream="dice", draws=2, unit="foes"),
        ev.Targeted(unit="foes", shots=(shot,)),
        ev.Targeted(unit="foes", shots=(shot,), melee=True),
        ev.Targeted(unit="marines", shots=()),
    )
    assert found.deeds["players"] == {"moved": 1, "shot": 0, "charged": 0, "fought": 0}
    assert found.deeds["horde"] == {"moved": 0, "shot": 1, "charged": 1, "fought": 1}
    assert found.missing() == ["horde: moved", "players: shot", "players: charged", "players: fought"]


def test_cards_purchases_and_what_rules_brought_about_are_listed(
    seen: Callable[..., Inspection], marines: Any
) -> None:
    trail = ev.NumberTrail(number="weapon.ap", base=0, value=-1, steps=(("MISERY.3", -1),))
    found = seen(
        [marines()],
        ev.Purchased(player="p1", rule="buy/air-strike", price=2),
        ev.Rolled(roll="save", dice=(3,), total=3, stream="dice", draws=1, trail=trail, cause="CORE.ATK.4"),
    )
    assert found.bought == ["buy/air-strike"]
    assert found.causes["MISERY.3"] == 1
    assert found.causes["CORE.ATK.4"] == 1


# headway


def courses(
    play: Callable[..., Game],
    stands: Sequence[Stand],
    target: str,
    to: tuple[float, float] | None,
    *more: Because,
    facing: float = 0.0,
    falls: bool = False,
) -> list[Headway]:
    """Return the headway of a Horde unit that named this target.

    Its first model moves to `to`, or the unit falls.
    """
    game = play(stands)
    foes = game.state.position.units["foes"]
    clause = {"marines": "AI.MOVE.1", "defender-edge": "AI.MOVE.3"}.get(target, "AI.MOVE.2")
    because = (Because(clause=clause, reason="", target=target), *more)
    at = game.state.position.table.xy[list(foes.rows)]
    lines: list[LogLine] = [*(e for e in game.events if not isinstance(e, ev.BattleEnded))]
    lines += [
        ev.PhaseBegan(name="movement", step="horde.movement", cursor=0),
        AnswerLine(answer=5, seat="horde", decision="move", rule="X", value=Chosen(ids=("normal-move",))),
        BecauseLine(because=5, seat="horde", decision="move", unit="foes", reasons=because),
    ]
    if falls:
        lines += [ev.Destroyed(unit="foes", model=row) for row in foes.rows]
    if to is not None:
        step = (to[0] - at[0, 0], to[1] - at[0, 1])
        ends = {row: (x + step[0], y + step[1]) for row, (x, y) in zip(foes.rows, at.tolist(), strict=True)}
        lines.append(
            ev.Moved(
                unit="foes",
                kind_of_move="normal",
                poses={row: (*end, 0.0, facing) for row, end in ends.items()},
                paths={row: (end,) for row, end in ends.items()},
            )
        )
    lines.append(ev.PhaseEnded(name="movement", step="horde.movement", cursor=1))
    return headway(lines, HORDE_1_1, game.rulebook)


def course(*asked: Any, **more: Any) -> Headway:
    """Return the same of the one unit that moved."""
    (found,) = courses(*asked, **more)
    return found


def test_a_unit_that_came_nearer(play: Any, marines: Any, foes: Any) -> None:
    found = course(play, [marines(at=[(30.0, 8.0)]), foes(at=[(30.0, 30.0)])], "marines", (30.0, 24.0))
    assert (found.outcome, found.n, found.unit) == ("nearer", 5, "foes")
    # To where it would stand just outside engagement range.
    assert found.before == pytest.approx(22.0 - MM32 - 1.0, abs=0.01)
    assert found.after == pytest.approx(16.0 - MM32 - 1.0, abs=0.01)


def test_a_unit_that_went_astray_without_a_reason(play: Any, marines: Any, foes: Any) -> None:
    stands = [marines(at=[(30.0, 8.0)]), foes(at=[(30.0, 30.0)])]
    assert course(play, stands, "marines", (30.0, 31.0)).outcome == "unexplained"
    assert course(play, stands, "marines", None).outcome == "unexplained"


def test_a_unit_that_says_why_it_got_no_nearer(play: Any, marines: Any, foes: Any) -> None:
    stands = [marines(at=[(30.0, 8.0)]), foes(at=[(30.0, 30.0)])]
    shut = Because(clause="AI.MOVE.1", reason="It cannot get nearer: it is shut in.", ruling="R.A03")
    leave = Because(clause="AI.STAY.5", reason="It must leave the zone.")
    found = course(play, stands, "marines", None, shut)
    assert (found.outcome, found.why) == ("explained", shut.reason)
    assert course(play, stands, "marines", (31.0, 30.0), leave).outcome == "explained"
    # Having to leave is no reason to stay.
    assert course(play, stands, "marines", None, leave).outcome == "unexplained"


def test_a_unit_that_is_shot_dead_before_it_moves_is_not_counted(play: Any, marines: Any, foes: Any) -> None:
    stands = [marines(at=[(30.0, 8.0)]), foes(at=[(30.0, 30.0)])]
    assert courses(play, stands, "marines", None, falls=True) == []


def test_a_unit_that_holds_or_is_in_combat_is_not_counted(play: Any, marines: Any, foes: Any) -> None:
    heavy = Because(clause="AI.STAY.1", reason="Most carry Heavy weapons.")
    stands = [marines(at=[(30.0, 8.0)]), foes(at=[(30.0, 30.0)])]
    assert course(play, stands, "marines", None, heavy).outcome == "held"
    engaged = [marines(at=[(30.0, 8.0)]), foes(at=[(30.0, 8.0 + MM32 + 1.0)])]
    assert course(play, engaged, "marines", None).outcome == "engaged"


def test_a_unit_that_stands_where_its_move_would_end_has_arrived(play: Any, marines: Any, foes: Any) -> None:
    beside = [marines(at=[(30.0, 8.0)]), foes(at=[(30.0, 8.0 + MM32 + 1.001)])]
    assert course(play, beside, "marines", None).outcome == "arrived"
    on_marker = [marines(), foes(at=[(30.0, 22.0), (30.0, 23.5)])]
    assert course(play, on_marker, "centre", None).outcome == "arrived"
    at_edge = [marines(), foes(at=[(10.0, MM32 / 2)])]
    assert course(play, at_edge, "defender-edge", None).outcome == "arrived"
    assert course(play, at_edge, "defender-edge", (12.0, MM32 / 2)).outcome == "nearer"


def test_the_way_is_measured_round_walls(play: Any, marines: Any, foes: Any) -> None:
    """A tank comes nearer by going round the ruin, though the straight distance grows."""
    tank = foes(at=[(21.0, 21.5)], keywords=("VEHICLE",))
    found = course(play, [marines(), tank], "home", (16.0, 21.5))
    assert found.outcome == "unexplained"
    found = course(play, [marines(at=[(2.0, 2.0)]), tank], "home", (25.0, 21.0))
    assert found.outcome == "nearer"


@pytest.mark.rule("R.A03", "CORE.MOVE.8")
def test_the_way_is_measured_over_what_may_be_climbed_with_the_climbs(
    play: Any, marines: Any, foes: Any
) -> None:
    """Climbing 3 inches up and down adds 6 inches to a tank's way.

    The way over the container is still shorter than the way round its end.
    """
    ring = ((4.0, 18.0), (60.0, 18.0), (60.0, 19.0), (4.0, 19.0))
    board = BoardFacts(terrain=(TerrainFacts(id="long", kind="container", height=3.0, footprint=ring),))
    stands = [marines(at=[(30.0, 8.0)]), foes(at=[(30.0, 25.0)], keywords=("VEHICLE",))]
    before = partial(play, board=board)
    found = course(before, stands, "marines", (30.0, 22.0))
    assert found.outcome == "nearer"
    assert found.before == pytest.approx(17.0 - MM32 - 1.0 + 6.0, abs=0.01)
    assert found.after == pytest.approx(14.0 - MM32 - 1.0 + 6.0, abs=0.01)
    assert course(before, stands, "marines", (24.0, 25.0)).outcome == "unexplained"


@pytest.mark.parametrize(("facing", "outcome"), [(90.0, "nearer"), (0.0, "unexplained")])
def test_who_turns_is_measured_as_it_faces_then(
    play: Any, marines: Any, foes: Any, facing: float, outcome: str
) -> None:
    """Lengthwise a tank fits through the lane between two ruins; broadside on it does not."""
    both = ((0.0, 28.8), (31.2, 60.0))
    ruins = tuple(
        TerrainFacts(
            id=f"ruin-{left}",
            kind="ruin",
            height=5.0,
            footprint=((left, 19), (right, 19), (right, 21), (left, 21)),
        )
        for left, right in both
    )
    hull = BaseFacts(shape="hull", length=4.0, width=2.0)
    stands = [marines(at=[(30.0, 8.0)]), foes(at=[(20.0, 24.0)], keywords=("VEHICLE",), base=hull)]
    found = course(
        lambda units: play(units, board=BoardFacts(terrain=ruins)),
        stands,
        "marines",
        (22.0, 27.0),
        facing=facing,
    )
    assert found.outcome == outcome


def test_who_closes_up_behind_a_friend_is_measured_as_it_will_be_without_it(
    play: Any, marines: Any, foes: Any
) -> None:
    """Behind a friendly tank in a lane, each inch gained makes the present way round longer."""
    ruins = tuple(
        TerrainFacts(
            id=f"ruin-{left}",
            kind="ruin",
            height=40.0,
            footprint=((left, 15), (right, 15), (right, 29), (left, 29)),
        )
        for left, right in ((6.0, 29.0), (31.0, 54.0))
    )
    tank = ("VEHICLE",)
    ahead = foes("ahead", at=[(30.0, 20.0)], keywords=tank)
    stands = [marines(at=[(30.0, 8.0)]), foes(at=[(30.0, 28.0)], keywords=tank), ahead]
    in_lane = partial(play, board=BoardFacts(terrain=ruins))
    behind = Because(clause="AI.MOVE.1", reason="It closes up.", target="marines", ruling="R.A03")
    found = course(in_lane, stands, "marines", (30.0, 22.0), behind)
    assert found.outcome == "nearer"
    assert found.before - found.after == pytest.approx(6.0, abs=0.01)
    assert course(in_lane, stands, "marines", (30.0, 22.0)).outcome == "unexplained"
    assert course(in_lane, stands, "marines", None, behind).outcome == "explained"


@pytest.mark.rule("MISERY.28")
def test_who_flies_by_a_card_is_measured_over_walls(play: Any, marines: Any, foes: Any) -> None:
    """A tank that goes from the ruin's corner to its middle comes nearer only if it flies."""
    stands = [marines(at=[(21.0, 10.0)]), foes(at=[(18.5, 21.0)], keywords=("VEHICLE",))]
    assert course(play, stands, "marines", (21.0, 20.7)).outcome == "unexplained"
    flying = course(lambda units: play(units, active=["MISERY.28"]), stands, "marines", (21.0, 20.7))
    assert flying.outcome == "nearer"
