"""The log as text: lines in order, each die with what it needed, and each decision."""

from __future__ import annotations

from engine.core import event as ev
from engine.core.facts import (
    BaseFacts,
    BoardFacts,
    ModelFacts,
    PartFacts,
    PlayerFacts,
    Side,
    UnitFacts,
    WeaponFacts,
)
from engine.core.request import Because
from viewer.story.chronicle import Chronicle
from viewer.story.source import Entry, Reason
from viewer.story.transcript import transcript

BASE = BaseFacts(length=1.26, width=1.26)


def stood(name: str, side: Side, row: int) -> ev.Placed:
    facts = UnitFacts(
        id=name,
        name=name.title(),
        side=side,
        player="p1" if side == "players" else "horde",
        parts=(PartFacts(datasheet=name, name=name, keywords=frozenset()),),
        models=(ModelFacts(row=row, name=name, base=BASE, height=2.5, characteristics={"W": 2}),),
        weapons=(WeaponFacts(name="Cannon", range=24.0, keywords=("devastating wounds",)),),
    )
    return ev.Placed(unit=name, facts=facts, poses={row: (10.0 + 9 * row, 10.0, 0.0, 0.0)})


def begun(*more: Entry) -> list[Entry]:
    """Return a battle with two units, and what follows."""
    players = (PlayerFacts(id="p1", name="p1", cp=2),)
    first = ev.Setup(ruleset="x", board=BoardFacts(), players=players)
    return [first, stood("marines", "players", 0), stood("gaunts", "horde", 1), *more]


def answered(decision: str, reason: str) -> Reason:
    return Reason(1, "p1", "marines", decision, (Because(clause="CORE.STR.1", reason=reason),))


TRAIL = ev.NumberTrail(number="hit", base=3, value=4, steps=(("CORE.ABL.STEALTH", 4.0),))
HIT = ev.Rolled(roll="hit", dice=(2, 5), total=7, stream="dice", draws=2, unit="marines", need=4, trail=TRAIL)
FELL = ev.Rolled(roll="advance", dice=(6,), total=6, stream="dice", draws=3, unit="marines")
USED = ev.Decided(
    seat="p1", decision="stratagem", unit="marines", choice=("stratagem/command-re-roll",), cause="CORE.STR.1"
)
FAILED = ev.Decided(seat="p1", decision="charge", unit="marines", choice=("charge-failed",))


def test_dice_are_told_with_what_they_needed_and_why() -> None:
    told = transcript(begun(HIT, FELL))
    assert "    Marines: hit 2, 5; needs 4+ (3, 4 by CORE.ABL.STEALTH)" in told
    assert [line for line in told if "advance" in line] == ["  Marines rolled 6 to advance"]


def test_amounts_are_added_up_and_other_dice_are_not() -> None:
    rolls = [
        ev.Rolled(roll=kind, dice=(3, 1), total=4, stream="dice", draws=2, unit="gaunts")
        for kind in ("attacks", "wreck")
    ]
    assert transcript(begun(*rolls))[-2:] == ["    Gaunts: attacks 3, 1 = 4", "    Gaunts: wreck 3, 1"]


def attacked(
    weapon: str, hits: int, wounds: int, critical: int, trails: tuple[ev.NumberTrail, ...] = ()
) -> ev.Attacked:
    return ev.Attacked(
        unit="marines",
        target="gaunts",
        weapon=weapon,
        models=(0,),
        attacks=2,
        hits=hits,
        critical_hits=0,
        wounds=wounds,
        critical_wounds=critical,
        unsaved=0,
        trails=trails,
    )


def test_devastating_wounds_are_told_beside_the_others() -> None:
    told = "  Cannon on Gaunts: 2 attacks, 2 hits, 1 wound and 1 devastating, 0 unsaved"
    assert transcript(begun(attacked("Cannon", 2, 1, 1)))[-1] == told
    assert (
        transcript(begun(attacked("Gun", 2, 2, 1)))[-1]
        == "  Gun on Gaunts: 2 attacks, 2 hits, 2 wounds, 0 unsaved"
    )


def test_what_an_attack_came_to_stands_before_the_numbers_that_rules_changed() -> None:
    plain = ev.NumberTrail(number="wound", base=4, value=4)
    attack = attacked("Gun", 1, 0, 0, (TRAIL, plain))
    assert transcript(begun(attack))[-2:] == [
        "  Gun on Gaunts: 2 attacks, 1 hit, 0 wounds",
        "    hit: 3, 4 by CORE.ABL.STEALTH",
    ]


def test_a_line_that_grows_is_told_once() -> None:
    lost = [ev.Damaged(unit="marines", model=0, amount=1, wounds=left) for left in (1, 0)]
    told = transcript(begun(*lost, ev.Destroyed(unit="marines", model=0)))
    assert [line for line in told if "lost" in line] == ["  Marines lost 2 wounds and 1 model"]


def texts(*entries: Entry) -> list[str]:
    chronicle = Chronicle()
    for entry in begun(*entries):
        chronicle.add(entry)
    return [line.text for line in chronicle.lines]


def test_a_stratagem_that_is_used_is_named_whatever_reason_was_told() -> None:
    assert texts(answered("stratagem", "Used: it pays."), USED)[-1] == "P1 used Command Re-roll on Marines"


def test_a_failed_charge_is_told_although_a_stratagem_was_thought_of() -> None:
    assert texts(answered("stratagem", "Not used: it costs."), FAILED)[-1] == "Marines failed its charge"
    # A reason of the charge itself has told it.
    assert texts(answered("charge", "It cannot be reached."), FAILED)[-1] == "Marines: It cannot be reached"


def test_a_bare_table_has_no_deployment_to_be_named() -> None:
    assert texts()[0] == "The Horde against p1: 60″ × 44″, for 5 rounds"
