"""What the referee finds in the Horde's reasons: nothing in true ones, each doctored one."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any, cast

import pytest
from msgspec.structs import replace

from engine.audit.referee.lookout import Lookout
from engine.audit.referee.reading import Reading, read
from engine.core import event as ev
from engine.core.facts import HORDE, TerrainFacts, WeaponFacts
from engine.core.log import BecauseLine
from engine.core.request import Because, Candidate
from engine.horde.ruleset_1_1 import HORDE_1_1

MM32 = 32 / 25.4
GUN = WeaponFacts(name="gun", range=24.0, strength=4)
HEAVY = WeaponFacts(name="heavy gun", range=24.0, strength=4, keywords=("heavy",))
RIFLE = WeaponFacts(name="rifle", range=24.0, strength=4, keywords=("assault",))
FISTS = WeaponFacts(name="close combat weapon", strength=4)
CLAWS = WeaponFacts(name="claws", strength=4, ap=-2)
WALL = TerrainFacts(
    id="wall", kind="wall", footprint=((24.0, 20.0), (36.0, 20.0), (36.0, 21.0), (24.0, 21.0)), height=6.0
)
Told = Callable[..., list[str]]


@pytest.fixture
def told(play: Any) -> Told:
    """Return a function that reads a table, then lines, and names what is wrong."""

    def reading(stands: Any, *lines: Any, **given: Any) -> list[str]:
        return [each.check for each in _read(play, stands, lines, given).disagreements]

    return reading


def _read(play: Any, stands: Any, lines: Any, given: Any) -> Reading:
    game = play(stands, **given)
    opening = [event for event in game.events if not isinstance(event, ev.BattleEnded)]
    return read([*opening, *lines], HORDE_1_1, game.rulebook, game.rulings)


def says(
    clause: str, *more: Because, decision: str = "move", unit: str = "foes", **facts: Any
) -> BecauseLine:
    """Return the reasons of a unit, the first by this clause."""
    because = Because(clause=clause, reason="said", **facts)
    return BecauseLine(because=7, seat=HORDE, decision=decision, unit=unit, reasons=(because, *more))


def heads_for(target: str, far: float | None = None, *others: Candidate) -> BecauseLine:
    own = Candidate(id=target, distance=far)
    return says("AI.MOVE.1", target=target, candidates=(own, *others))


def goes(*legs: tuple[float, ...], row: int = 1) -> ev.Moved:
    """Return the Advance of a unit's only model along these legs."""
    x, y = legs[-1][:2]
    return ev.Moved(unit="foes", kind_of_move="advance", poses={row: (x, y, 0.0, 0.0)}, paths={row: legs})


# targets


@pytest.mark.rule("AI.MOVE.1")
def test_the_closest_visible_enemy_is_measured_anew(told: Told, marines: Any, foes: Any) -> None:
    stands = [marines("near", [(30.0, 14.0)]), marines("far", [(33.0, 8.0)]), foes()]
    gap = 16.0 - MM32
    assert told(stands, heads_for("near", round(gap, 4))) == []
    assert told(stands, heads_for("near", round(gap + 0.01, 4))) == ["distance"]
    assert told(stands, heads_for("far")) == ["target"]
    assert told(stands, heads_for("nobody")) == ["target"]
    assert told(stands, heads_for("foes")) == ["target"]
    too_near = Candidate(id="far", distance=3.0, failed="farther")
    assert told(stands, heads_for("near", round(gap, 4), too_near)) == ["distance"]


def test_a_disagreement_with_a_reason_names_the_answer_and_both_sides(
    play: Any, marines: Any, foes: Any
) -> None:
    stands = [marines("near", [(30.0, 14.0)]), marines("far", [(30.0, 8.0)]), foes()]
    found = _read(play, stands, [heads_for("far")], {})
    assert [str(each) for each in found.disagreements] == [
        "answer 7, foes, target: far is the closest visible enemy; measured: "
        'it is 20.7402" away, and model 0 of near, 14.7402" away, is visible'
    ]


@pytest.mark.rule("AI.MOVE.1", "AI.MOVE.2", "AI.MOVE.3")
def test_hidden_enemies_and_markers_are_no_targets(told: Told, marines: Any, foes: Any, board: Any) -> None:
    walled = replace(board, terrain=(WALL,))
    stands = [marines("hidden", [(30.0, 10.0)]), foes(at=[(30.0, 24.0)])]
    seen = [marines("seen", [(56.0, 24.0)]), *stands]
    assert told(seen, heads_for("seen"), board=walled) == []
    assert told(stands, heads_for("hidden"), board=walled) == ["target"]
    assert told(stands, says("AI.MOVE.2", target="centre"), board=walled) == []
    assert told(stands, says("AI.MOVE.2", target="west"), board=walled) == ["target"]
    assert told(stands, says("AI.MOVE.2", target="home"), board=walled) == ["target", "target"]
    assert told(stands, says("AI.MOVE.2", target="far"), board=walled) == ["target", "target"]
    assert told(seen, says("AI.MOVE.2", target="centre"), board=walled) == ["target"]
    assert told(stands, says("AI.MOVE.3", target="defender-edge"), board=walled) == ["target"]
    lost = replace(board, terrain=(WALL,), objectives=())
    assert told(stands, says("AI.MOVE.3", target="defender-edge"), board=lost) == []
    assert told(seen, says("AI.MOVE.3", target="defender-edge"), board=lost) == ["target"]


@pytest.mark.rule("AI.MOVE.2")
def test_a_marker_that_another_unit_holds_is_no_target(
    told: Told, marines: Any, foes: Any, board: Any
) -> None:
    """R.A11, R.A12: the unit with most control of it holds it."""
    walled = replace(board, terrain=(WALL,))
    stands = [
        marines(at=[(30.0, 8.0)]),
        foes(at=[(33.0, 24.0)]),
        foes("others", [(31.0, 24.0), (29.0, 24.0)]),
    ]
    held = ev.Controlled(objective="centre", by=HORDE)
    line = says("AI.MOVE.2", target="centre")
    assert told(stands, held, line, board=walled) == ["target"]
    assert told(stands, held, says("AI.MOVE.2", target="centre", unit="others"), board=walled) == []
    assert told(stands, held, says("AI.MOVE.2", target="east"), board=walled) == []


# staying and leaving


@pytest.mark.rule("AI.STAY.1", "AI.STAY.2")
def test_heavy_majorities_are_counted_anew(told: Told, marines: Any, foes: Any) -> None:
    at = [(30.0, 30.0), (31.5, 30.0), (33.0, 30.0)]
    two, one = ((0,), (0,), (1,)), ((0,), (1,), (1,))
    stays = says("AI.STAY.1", target="marines")
    moves = says("AI.MOVE.1", target="marines")
    for weapons_of, wrong in ((two, moves), (one, stays)):
        unit = foes(at=at, weapons=(HEAVY, GUN), weapons_of=weapons_of)
        right = stays if wrong is moves else moves
        assert told([marines(), unit], right) == []
        assert told([marines(), unit], wrong) == ["heavy"]
    far = [marines(at=[(30.0, 4.0)]), foes(at=at, weapons=(HEAVY,))]
    assert told(far, stays) == ["heavy"]
    assert told(far, moves) == []


@pytest.mark.rule("AI.STAY.2")
def test_the_primary_gun_of_a_single_model_is_weighed_anew(told: Told, marines: Any, foes: Any) -> None:
    strong = replace(HEAVY, attacks="D6")
    stays, moves = says("AI.STAY.2", target="marines"), says("AI.MOVE.1", target="marines")
    assert told([marines(), foes(weapons=(strong, GUN))], stays) == []
    assert told([marines(), foes(weapons=(strong, GUN))], moves) == ["heavy"]
    assert told([marines(), foes(weapons=(HEAVY, replace(GUN, attacks="2")))], stays) == ["heavy"]
    assert told([marines(), foes(weapons=(HEAVY,))], says("AI.STAY.1", target="marines")) == ["heavy"]


@pytest.mark.rule("AI.STAY.5")
def test_who_is_in_a_spawning_zone_says_so_and_nobody_else(told: Told, marines: Any, foes: Any) -> None:
    aims = Because(clause="AI.MOVE.1", reason="said", target="marines")
    leaves = says("AI.STAY.5", aims)
    inside, outside = [marines(), foes(at=[(30.0, 34.5)])], [marines(), foes(at=[(30.0, 33.0)])]
    assert told(inside, leaves) == []
    assert told(outside, leaves) == ["zone"]
    assert told(inside, says("AI.MOVE.1", target="marines")) == ["zone"]


# advances, charges and falling back


@pytest.mark.rule("AI.ADV.1", "AI.ADV.2", "AI.ADV.3")
def test_reasons_to_advance_are_checked(told: Told, marines: Any, foes: Any) -> None:
    aims = Because(clause="AI.MOVE.1", reason="said", target="marines")
    pair = [(30.0, 30.0), (31.5, 30.0)]
    assert told([marines(), foes(at=pair, weapons=(RIFLE,))], says("AI.ADV.1", aims)) == []
    mixed = foes(at=pair, weapons=(RIFLE, GUN), weapons_of=((0,), (1,)))
    assert told([marines(), mixed], says("AI.ADV.1", aims)) == ["assault"]
    assert told([marines(), foes()], says("AI.ADV.2", aims)) == ["advance"]


@pytest.mark.rule("AI.ADV.3", "AI.ADV.4")
def test_who_comes_nearer_within_charge_range_could_have_charged(told: Told, marines: Any, foes: Any) -> None:
    aims = Because(clause="AI.MOVE.1", reason="said", target="marines")
    near, far = marines(at=[(30.0, 18.0)]), marines(at=[(30.0, 16.0)])
    fierce = foes(weapons=(GUN, CLAWS))
    straight, away = goes((30.0, 26.0)), goes((30.0, 36.0))
    assert told([near, fierce], says("AI.ADV.3", aims), straight) == ["charge"]
    assert told([near, foes(weapons=(GUN, FISTS))], says("AI.ADV.3", aims), straight) == []
    assert told([far, fierce], says("AI.ADV.4", aims), straight) == []
    assert told([near, fierce], says("AI.ADV.3", aims), away) == []
    over = goes((30.0, 30.0, 3.0), (30.0, 26.0, 3.0), (30.0, 26.0, 0.0))
    assert "charge" not in told([near, fierce], says("AI.ADV.3", aims), over)
    closed = says("AI.MOVE.1", decision="path", target="marines", ruling="R.A03")
    assert told([near, fierce], says("AI.ADV.3", aims), closed, straight) == []


@pytest.mark.rule("AI.CHARGE.1")
def test_charge_majorities_and_targets_are_measured_anew(told: Told, marines: Any, foes: Any) -> None:
    at = [(30.0, 30.0), (31.5, 30.0), (33.0, 30.0)]
    stands = [marines("near", [(30.0, 24.0)]), marines("next", [(30.0, 21.0)])]
    most = foes(at=at, weapons=(CLAWS, FISTS), weapons_of=((0,), (0,), (1,)))
    few = foes(at=at, weapons=(CLAWS, FISTS), weapons_of=((0,), (1,), (1,)))
    near = Candidate(id="near", distance=round(6.0 - MM32, 4))
    charges = says("AI.CHARGE.1", decision="charge", target="near", candidates=(near,))
    assert told([*stands, most], charges) == []
    assert told([*stands, few], charges) == ["majority"]
    for stays in ((), (Candidate(id="charge", failed="no-majority"),)):
        line = says("AI.CHARGE.1", decision="charge", candidates=stays)
        assert told([*stands, few], line) == []
        assert told([*stands, most], line) == ["majority"]
    passed = says("AI.CHARGE.1", decision="charge", target="next", candidates=(Candidate(id="next"),))
    assert told([*stands, most], passed) == ["target"]
    shut = Candidate(id="near", failed="out-of-reach")
    over = says("AI.CHARGE.1", decision="charge", target="next", candidates=(Candidate(id="next"), shut))
    assert told([*stands, most], over) == []


@pytest.mark.rule("AI.FALLBACK.1")
def test_a_unit_that_could_do_nothing_afterwards_does_not_fall_back(
    told: Told, marines: Any, foes: Any
) -> None:
    stands = [marines(at=[(30.0, 28.0)]), foes()]
    back = ev.Decided(seat=HORDE, decision="move", unit="foes", choice=("fall-back",))
    assert told(stands, back) == ["fall-back"]


# shots, blows and spawns


@pytest.mark.rule("AI.SHOOT.1", "AI.SHOOT.2", "AI.SHOOT.4")
def test_shots_at_others_than_those_preferred_are_found(told: Told, marines: Any, foes: Any) -> None:
    tank = marines("tank", [(34.0, 12.0)], keywords=("VEHICLE",))
    stands = [marines("near", [(30.0, 16.0)]), tank]

    def shot(target: str, *keywords: str) -> list[str]:
        gun = replace(GUN, keywords=keywords)
        event = ev.Targeted(unit="foes", shots=(ev.Shot(model=2, weapon=0, target=target),))
        return told([*stands, foes(weapons=(gun,))], event)

    assert (shot("near"), shot("tank")) == ([], ["aim"])
    assert (shot("tank", "anti-vehicle 4+"), shot("near", "anti-vehicle 4+")) == ([], ["aim"])
    assert (shot("tank", "melta 2"), shot("near", "melta 2")) == ([], ["aim"])
    assert (shot("near", "anti-fly 2+"), shot("tank", "anti-fly 2+")) == ([], ["aim"])


def test_a_distance_is_as_blurred_as_the_least_sharp_base_of_either_side() -> None:
    blurs = {0: 0.0, 1: 1e-4, 2: 0.0, 3: 1e-5}
    scene: Any = SimpleNamespace(body=lambda row: SimpleNamespace(blur=blurs[row]))
    attached, enemy, round_alone = (
        cast("Any", SimpleNamespace(rows=rows)) for rows in ((0, 1), (2, 3), (2,))
    )
    looks = Lookout(scene, attached)
    assert looks.blur(enemy) - looks.blur(round_alone) == pytest.approx(2e-5)
    assert looks.blur(round_alone) - Lookout(scene, round_alone).blur(round_alone) == pytest.approx(2e-4)


def test_shots_in_reply_have_no_choice_of_their_target(told: Told, marines: Any, foes: Any) -> None:
    stands = [marines("near", [(30.0, 16.0)]), marines("far", [(34.0, 12.0)]), foes(weapons=(GUN,))]
    shots = (ev.Shot(model=2, weapon=0, target="far"),)
    assert told(stands, ev.Targeted(unit="foes", shots=shots, turn="horde")) == ["aim"]
    assert told(stands, ev.Targeted(unit="foes", shots=shots, turn="players")) == []


@pytest.mark.rule("AI.FIGHT.1")
def test_a_blow_at_another_than_the_closest_is_found(told: Told, marines: Any, foes: Any) -> None:
    stands = [marines("left", [(29.0, 31.0)]), marines("right", [(31.8, 30.0)]), foes()]
    for target, found in (("left", []), ("right", ["aim"])):
        event = ev.Targeted(unit="foes", melee=True, shots=(ev.Shot(model=2, weapon=1, target=target),))
        assert told(stands, event) == found


@pytest.mark.rule("SPAWN.2", "SPAWN.3", "ROUND.2")
def test_spawn_rolls_are_counted_up_anew(told: Told, marines: Any, foes: Any) -> None:
    third = ev.RoundBegan(number=3)

    def roll(natural: int, total: int, bracket: int, *steps: tuple[str, float]) -> ev.SpawnRolled:
        value = steps[-1][1] if steps else 0.0
        trail = ev.NumberTrail(number="spawn.modifier", base=0.0, value=value, steps=steps)
        return ev.SpawnRolled(zone="s1", natural=(natural,), total=total, bracket=bracket, trail=trail)

    one = ("ROUND.2", 1.0)
    fourth = ev.RoundBegan(number=4)
    two = {"spawn.round_four": "two"}
    assert told([marines()], fourth, roll(5, 6, 3, one)) == []
    assert told([marines()], fourth, roll(5, 6, 3, one), rulings=two) == ["spawn"]
    assert told([marines()], fourth, roll(5, 7, 3, ("ROUND.2", 2.0)), rulings=two) == []
    assert told([marines()], third, roll(5, 6, 3, one)) == []
    assert told([marines()], third, roll(1, 2, 0, one)) == []
    assert told([marines()], third, roll(5, 7, 3, one)) == ["spawn"]
    assert told([marines()], third, roll(5, 6, 2, one)) == ["spawn"]
    assert told([marines()], third, roll(1, 2, 1, one)) == ["spawn"]
    assert told([marines()], third, roll(5, 7, 3, ("ROUND.2", 2.0))) == ["spawn"]
    assert told([marines()], third, roll(5, 10, 3, one, ("SPAWN.2", 5.0))) == ["spawn"]
    stands = [marines(), foes(at=[(10.0, 38.0)], bracket=2)]
    gone = ev.UnitDestroyed(unit="foes", cause="SPAWN.2")
    dead = ev.Destroyed(unit="foes", model=1)
    assert told(stands, third, dead, gone, roll(5, 10, 3, one, ("SPAWN.2", 5.0))) == []
    assert told(stands, third, dead, gone, roll(5, 6, 3, one)) == ["spawn"]
    assert told(stands, third, roll(5, 6, 3, one)) == ["spawn"]
    bought = [marines(at=[(10.0, 38.0)], bracket=2), foes()]
    lost = (ev.Destroyed(unit="marines", model=0), ev.UnitDestroyed(unit="marines", cause="SPAWN.2"))
    assert told(bought, third, *lost, roll(5, 6, 3, one)) == []
