"""The dice tray: dice, needs and results are those of the log's events, in whole battles."""

from __future__ import annotations

import pytest

from engine.core import event as ev
from engine.core.dice import AGAIN, base_of
from tests.viewer.seeded import BATTLES, attacks, played, rolls
from viewer.story.dice_row import is_met, need_words
from viewer.story.source import Entry
from viewer.story.tray import Tray, explained, tray_at


def rolled(roll: str, *dice: int, n: int = 0, **more: object) -> ev.Rolled:
    facts = {"unit": "a", "target": "b", "total": sum(dice), **more}
    return ev.Rolled(roll=roll, dice=dice, stream="dice", draws=0, n=n, **facts)  # type: ignore[arg-type]


def attacked(n: int, **more: int) -> ev.Attacked:
    numbers = {
        "attacks": 4, "hits": 3, "critical_hits": 0, "wounds": 2, "critical_wounds": 0, "unsaved": 1, **more
    }  # fmt: skip
    return ev.Attacked(unit="a", target="b", weapon="gun", models=(0, 1), n=n, **numbers)


def shown(*entries: Entry, cursor: int | None = None) -> Tray:
    found = tray_at(entries, len(entries) if cursor is None else cursor)
    assert found is not None
    return found


@pytest.mark.parametrize(("seed", "faction"), BATTLES)
def test_every_roll_of_a_battle_is_in_its_tray_with_its_dice_and_its_need(seed: int, faction: str) -> None:
    playback = played(seed, faction)
    entries = playback.chronicle.entries
    assert len(rolls(playback)) > 300
    for index in rolls(playback):
        roll = entries[index]
        assert isinstance(roll, ev.Rolled)
        tray = tray_at(entries, index + 1)
        assert tray is not None
        row = next(each for each in tray.rows if (each.roll, each.need) == (base_of(roll.roll), roll.need))
        own = row.again if roll.roll.endswith(AGAIN) else row.dice
        assert tuple(die.face for die in own[-len(roll.dice) :]) == roll.dice
        assert row.needed == need_words(row.roll, roll.need)
        assert all(die.fresh for die in row.again)


@pytest.mark.parametrize(("seed", "faction"), BATTLES)
def test_as_many_dice_are_dashed_as_were_rolled_again(seed: int, faction: str) -> None:
    playback = played(seed, faction)
    for index in rolls(playback):
        tray = tray_at(playback.chronicle.entries, index + 1)
        assert tray is not None
        for row in tray.rows:
            if row.roll != "charge":
                assert sum(die.outcome == "again" for die in row.dice) == len(row.again)


@pytest.mark.parametrize(("seed", "faction"), BATTLES)
def test_a_volley_tells_what_its_event_counts(seed: int, faction: str) -> None:
    playback = played(seed, faction)
    entries = playback.chronicle.entries
    for index in attacks(playback):
        made = entries[index]
        assert isinstance(made, ev.Attacked)
        end = next(
            place
            for place, entry in enumerate(entries[index + 1 :], index + 1)
            if isinstance(entry, ev.Event) and entry.n > made.n
        )
        # The last roll before the end may be another one's, such as that of a target that explodes.
        trays = [tray_at(entries, cursor) for cursor in range(end, index, -1)]
        tray = next(each for each in trays if each is not None and each.target == made.target and each.weapon)
        assert (tray.unit, tray.target) == (made.unit, made.target)
        assert (tray.weapon, tray.weapons) == (made.weapon, len(made.models))
        results = {row.roll: row.result for row in tray.rows}
        assert results["hit"].split()[0] == f"{made.hits}"
        if "wound" in results and sum(row.roll == "wound" for row in tray.rows) == 1:
            assert results["wound"].split()[0] == f"{made.wounds}"
        saves = [row for row in tray.rows if row.roll == "save"]
        failed = sum(die.outcome == "missed" for row in saves for die in (*row.dice, *row.again))
        assert failed == made.unsaved or not saves


def test_the_tray_follows_the_cursor_in_both_directions() -> None:
    playback = played()
    entries = playback.chronicle.entries
    forward = [tray_at(entries, cursor) for cursor in range(len(entries))]
    back = [tray_at(entries, cursor) for cursor in reversed(range(len(entries)))]
    assert forward == back[::-1]


def test_the_dice_that_the_log_names_were_rolled_again() -> None:
    entries = (
        rolled("hit", 1, 4, 1, 5, need=3, n=1),
        rolled("hit-reroll", 3, 1, need=3, n=2, replaces=(0, 2)),
        rolled("hit-reroll", 6, need=3, n=3, replaces=(1,)),
        attacked(4),
    )
    (row, *_) = shown(*entries).rows
    assert [die.outcome for die in row.dice] == ["again", "again", "again", "met"]
    assert [(die.face, die.outcome) for die in row.again] == [(3, "met"), (1, "missed"), (6, "met")]
    assert row.result == "3 of 4"


def test_a_save_rolled_again_is_the_last_one_before() -> None:
    saves = [rolled("save", face, unit="b", target="a", need=4, n=face) for face in (1, 2)]
    again = rolled("save-reroll", 5, unit="b", target="a", need=4, n=3, replaces=(0,))
    after = rolled("save", 3, unit="b", target="a", need=4, n=4)
    (row,) = shown(*saves, again, after).rows
    assert [die.outcome for die in row.dice] == ["missed", "again", "missed"]
    assert row.result == "2 failed"


def test_a_log_that_names_no_places_shows_the_lowest_as_rolled_again() -> None:
    one = shown(rolled("hit", 1, 4, 2, 5, need=3, n=1), rolled("hit-reroll", 6, need=3, n=2))
    assert [die.outcome for die in one.rows[0].dice] == ["again", "met", "missed", "met"]


def test_critical_wounds_are_enough_though_the_need_is_higher() -> None:
    made = attacked(3, wounds=3, critical_wounds=2)
    tray = shown(rolled("hit", 4, 4, 4, need=3, n=0), rolled("wound", 4, 2, 5, need=6, n=1), made)
    assert [die.outcome for die in tray.rows[1].dice] == ["met", "missed", "met"]


def test_a_save_tells_how_it_came_about() -> None:
    steps = (("CORE.ATK.4", 6.0), ("CORE.COV.1", 5.0))
    trail = ev.NumberTrail(number="save", base=3.0, value=5.0, steps=steps)
    save = rolled("save", 1, unit="b", target="a", need=5, n=1, trail=trail)
    row = shown(rolled("hit", 4, need=3), save, attacked(2)).rows[-1]
    assert (row.needed, row.note, row.result, row.is_loss) == ("5+", "3+, AP −3, cover", "1 failed", True)
    assert shown(rolled("save", 6, unit="b", target="a", need=7)).rows[0].needed == "none"
    steps = (("CORE.ATK.4", 9.0), ("CORE.ATK.4", 7.0))
    trail = ev.NumberTrail(number="save", base=7.0, value=7.0, steps=steps)
    bare = rolled("save", 6, unit="b", target="a", need=7, trail=trail)
    assert shown(bare).rows[0].note == "7+, AP −2", "an invulnerable save of 7+ is none"
    trail = ev.NumberTrail(
        number="save", base=3.0, value=4.0, steps=(("CORE.ATK.4", 6.0), ("CORE.ATK.4", 4.0))
    )
    warded = rolled("save", 4, unit="b", target="a", need=4, trail=trail)
    assert shown(warded).rows[0].note == "3+, AP −3, invulnerable 4+"


def test_tests_on_two_dice_are_added_up() -> None:
    trail = ev.NumberTrail(number="x", base=0.0, value=-1.0, steps=(("R.1", -1.0),))
    shaken = shown(rolled("battle-shock", 3, 3, target="", need=6, trail=trail)).rows[0]
    assert (shaken.label, shaken.needed, shaken.result) == ("Battle-shock", "6+", "5, failed")
    assert {die.outcome for die in shaken.dice} == {"plain"}
    assert shown(rolled("charge", 3, 5)).rows[0].result == "8″"
    again = shown(rolled("charge", 1, 2), rolled("charge-reroll", 6, 5, n=1)).rows[0]
    assert (again.result, [die.outcome for die in again.dice]) == ("11″", ["again", "again"])


def test_hazards_tell_what_failed() -> None:
    row = shown(rolled("hazardous", 1, 3, 1, target="", need=2)).rows[0]
    assert (row.result, row.is_loss) == ("2 failed", True)
    assert shown(rolled("deadly-demise", 6, target="", need=6)).rows[0].result == "enough"


def test_damage_counts_wounds_and_models_before_the_cursor_alone() -> None:
    entries: list[Entry] = [
        rolled("hit", 4, need=3, n=0),
        rolled("wound", 4, need=3, n=1),
        rolled("damage", 5, n=2),
        attacked(9, attacks=1, hits=1, wounds=1),
        ev.Damaged(unit="b", model=3, amount=2, wounds=0, by="a", n=3),
        ev.Destroyed(unit="b", model=3, by="a", n=4),
    ]
    results = [shown(*entries, cursor=cursor).rows[-1].result for cursor in (3, 4, 5, 6)]
    assert results == ["5", "5", "2 wounds", "2 wounds, 1 model"]


def test_another_act_closes_the_tray() -> None:
    entries = (rolled("hit", 4, need=3), ev.PhaseEnded(name="x", step="x", cursor=1, n=1))
    assert tray_at(entries, 2) is None
    assert tray_at(entries, 0) is None
    assert tray_at((rolled("order", n=3),), 1) is None, "a shuffle has no dice"


def test_weapons_are_counted_as_they_were_declared() -> None:
    shots = tuple(ev.Shot(model=0, weapon=weapon, target="b") for weapon in (0, 1, 2))
    entries = (
        ev.Targeted(unit="a", shots=shots, n=0),
        rolled("hit", 4, need=3, n=1),
        attacked(2),
        rolled("hit", 2, need=3, n=3),
        attacked(4),
    )
    assert shown(*entries, cursor=3).place == (1, 3)
    assert shown(*entries).place == (2, 3)


def test_a_weapon_s_dice_are_told_as_they_are_written() -> None:
    playback = played()
    entries = playback.chronicle.entries
    seen = set()
    for index in rolls(playback):
        tray = tray_at(entries, index + 1)
        if tray is not None and tray.weapon and any(row.roll == "damage" for row in tray.rows):
            playback.seek(index + 1)
            told = explained(tray, playback.state)
            seen |= {row.needed for row in told.rows if row.roll == "damage"}
    assert {"D6", "D6+1"} & seen


def test_dice_rolled_again_tell_by_what() -> None:
    playback = played()
    playback.seek(300)
    entries = (
        rolled("hit", 1, 4, need=3, n=1),
        rolled("hit-reroll", 3, need=3, n=2, cause="ARMY.10.oath-of-moment"),
    )
    assert explained(shown(*entries), playback.state).rows[0].note == "Oath of Moment"
    entries = (rolled("charge", 1, 1), rolled("charge-reroll", 5, 5, cause="CORE.STR.1", n=1))
    assert explained(shown(*entries), playback.state).rows[0].note == "Command Re-roll"
    entries = (rolled("charge", 1, 1), rolled("charge-reroll", 5, 5, cause="CORE.DICE.1", n=1))
    assert explained(shown(*entries), playback.state).rows[0].note == ""


@pytest.mark.parametrize(
    ("face", "need", "enough"), [(1, 1, False), (6, 7, True), (2, 2, True), (2, 3, False)]
)
def test_a_natural_one_fails_and_a_six_hits(face: int, need: int, enough: bool) -> None:
    assert is_met("hit", face, need) is enough


@pytest.mark.parametrize(("seed", "faction"), BATTLES)
def test_a_charge_tells_its_targets_and_the_roll_that_reaches_them(seed: int, faction: str) -> None:
    playback = played(seed, faction)
    entries = playback.chronicle.entries
    ends = set()
    for index in rolls(playback):
        roll = entries[index]
        assert isinstance(roll, ev.Rolled)
        if base_of(roll.roll) != "charge" or base_of(getattr(entries[index + 1], "roll", "")) == "charge":
            continue
        playback.seek(index + 1)
        found = tray_at(entries, index + 1)
        assert found is not None
        tray = explained(found, playback.state)
        row = tray.rows[-1]
        assert tray.target in playback.state.position.units
        assert row.needed.endswith("″")
        acts = (e for e in entries[index + 1 :] if isinstance(e, ev.Moved | ev.Decided))
        done = next(each for each in acts if each.unit == roll.unit)
        # A roll that is enough may still find no legal way.
        assert row.result.endswith("enough") or not isinstance(done, ev.Moved)
        ends.add(row.result.endswith("enough"))
    assert ends == {True, False}
