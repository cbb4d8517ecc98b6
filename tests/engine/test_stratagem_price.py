"""What a Stratagem costs where an ability makes it cheaper."""

from __future__ import annotations

from typing import Any

import pytest

STRATEGIST = "datasheet/fevered-strategist"
DEATH_GUARD = ("INFANTRY", "DEATH GUARD")


@pytest.mark.rule("R.A103", "DATASHEET.fevered-strategist")
def test_the_first_stratagem_of_a_round_that_fits_is_cheaper(play: Any, marines: Any) -> None:
    stands = [
        marines("lord", at=[(30.0, 10.0)], rules=(STRATEGIST,), keywords=DEATH_GUARD),
        marines("near", at=[(36.0, 10.0)], keywords=DEATH_GUARD),
        marines("other", at=[(30.0, 14.0)]),
        marines("far", at=[(50.0, 10.0)], keywords=DEATH_GUARD),
    ]
    game = play(stands)
    units = game.state.position.units

    def price(name: str) -> float:
        return game.query.number("stratagem.price", 1, seat="p1", unit=units[name], rule="any").value

    assert [price(name) for name in ("lord", "near", "other", "far")] == [0, 0, 1, 1]
    for name in ("far", "other", "near"):
        assert price("lord") == 0
        for _ in game.fire("stratagem-used", None, seat="p1", unit=units[name], rule="any"):
            raise AssertionError("nobody is asked")
    assert price("lord") == 1
