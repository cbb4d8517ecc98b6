"""Which rolls are made again, by the Horde and by the autopilot."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from ai.agents import agent
from engine.core.request import Said, YesNo


@pytest.mark.rule("R.A102")
@pytest.mark.parametrize("name", ["horde", "steady"])
@pytest.mark.parametrize(
    ("rolled", "need", "again"), [(6, 7, True), (7, 7, False), (2, 2, False), (3, 0, True), (4, 0, False)]
)
def test_a_roll_that_falls_short_is_made_again(name: str, rolled: int, need: int, again: bool) -> None:
    asked = YesNo(
        seats=("horde",), rule="CORE.CHG.2", decision="reroll", prompt="Again?", rolled=rolled, need=need
    )
    answer = agent(name).answer(SimpleNamespace(broken_off=0), asked)
    assert isinstance(answer, Said)
    assert answer.yes is again
