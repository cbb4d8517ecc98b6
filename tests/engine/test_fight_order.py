"""The order of fighting: Fights First, a Fights Last effect, and both."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from engine.core import event as ev
from engine.core.facts import BoardFacts
from engine.core.game import Game
from engine.core.request import Moves, Splits
from engine.core.ruleset import Step
from engine.w40k.phase import fight

Play = Callable[..., Game]
Make = Callable[..., Any]
STEPS = (
    Step("first", "fight", fight.fights_first, "players"),
    Step("rest", "fight", fight.remaining_combats, "players"),
)
ANSWERS = {
    "next-unit": lambda game: (game.pending.options[0].id,),
    "pile-in": Moves(),
    "consolidate": Moves(),
    "fight": Splits(),
}


def order(play: Play, marines: Make, foes: Make, ours: dict[str, Any], theirs: dict[str, Any]) -> list[str]:
    """Return which unit fights in which step, in order.

    Two pairs are in combat, one on either side of the board.
    """
    stands = [
        marines("a", at=[(10.0, 20.0)], **ours),
        foes("b", at=[(10.0, 21.5)], **theirs),
        marines("c", at=[(50.0, 20.0)]),
        foes("d", at=[(50.0, 21.5)]),
    ]
    game = play(stands, *STEPS, answers=ANSWERS, board=BoardFacts())
    step, found = "", []
    for event in game.events:
        if isinstance(event, ev.PhaseBegan):
            step = event.step
        elif isinstance(event, ev.Marked) and event.key == "fought":
            found.append(f"{step}: {event.on.removeprefix('unit:')}")
    return found


@pytest.mark.rule("CORE.FGT.1", "CORE.FGT.3")
@pytest.mark.parametrize(
    ("ours", "theirs", "fought"),
    [
        ((), (), ["rest: b", "rest: a", "rest: d", "rest: c"]),
        (("fights first",), (), ["first: a", "rest: b", "rest: c", "rest: d"]),
        (("fights first", "fights last"), (), ["rest: b", "rest: a", "rest: d", "rest: c"]),
        ((), ("fights first", "fights last"), ["rest: b", "rest: a", "rest: d", "rest: c"]),
        (("fights last",), (), ["rest: b", "rest: c", "rest: d", "rest: a"]),
        ((), ("fights last",), ["rest: d", "rest: a", "rest: c", "rest: b"]),
        (("fights last",), ("fights last",), ["rest: d", "rest: c", "rest: b", "rest: a"]),
    ],
)
def test_fights_first_and_last_cancel_each_other(
    play: Play, marines: Make, foes: Make, ours: tuple[str, ...], theirs: tuple[str, ...], fought: list[str]
) -> None:
    """The players' turn: in each step the Horde picks first, then the sides in turn."""
    assert order(play, marines, foes, {"abilities": ours}, {"abilities": theirs}) == fought


@pytest.mark.rule("CORE.FGT.3", "CORE.CHG.4")
def test_who_charged_under_a_fights_last_effect_waits_with_the_others(
    play: Play, marines: Make, foes: Make
) -> None:
    charged = {"abilities": ("fights last",), "marks": (("charged", True),)}
    found = order(play, marines, foes, charged, {})
    assert found == ["rest: b", "rest: a", "rest: d", "rest: c"]
