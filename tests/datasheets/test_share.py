"""Shares of a game's points, handicaps and transfers, as the text prints or says them."""

from __future__ import annotations

import pytest

from datasheets.errors import BadData
from datasheets.library import Library
from datasheets.roster import check_roster
from datasheets.share import Transfer, allowances, share


@pytest.mark.rule("ARMY.2")
@pytest.mark.parametrize(
    ("points", "shares"),
    [(1000, [1000, 500, 335, 250, 200, 165, 145, 125]), (2000, [2000, 1000, 665, 500, 400, 335, 285, 250])],
)
def test_points_are_shared_to_the_nearest_five(points: int, shares: list[int]) -> None:
    assert [share(points, players) for players in range(1, 9)] == shares


@pytest.mark.rule("ARMY.1")
@pytest.mark.parametrize(("points", "players"), [(1500, 1), (0, 1), (1000, 0), (1000, 9)])
def test_other_sizes_and_numbers_of_players_are_refused(points: int, players: int) -> None:
    with pytest.raises(BadData):
        share(points, players)


@pytest.mark.rule("ARMY.7")
def test_a_handicap_is_taken_off_before_points_are_shared() -> None:
    assert share(1000, 3, handicap=100) == 300
    assert share(2000, 4, handicap=300) == 425


@pytest.mark.rule("ARMY.7")
@pytest.mark.parametrize("handicap", [-5, 1000])
def test_a_handicap_leaves_some_points(handicap: int) -> None:
    with pytest.raises(BadData):
        share(1000, 2, handicap)


@pytest.mark.rule("ARMY.3")
def test_a_player_gives_points_to_several_others() -> None:
    transfers = [Transfer(1, 2, 10), Transfer(1, 3, 5), Transfer(3, 2, 15)]
    assert allowances(1000, 3, transfers=transfers) == (320, 360, 325)


@pytest.mark.rule("ARMY.3")
@pytest.mark.parametrize(
    "transfers",
    [[(1, 2, 16)], [(1, 2, 10), (1, 3, 6)], [(1, 1, 5)], [(1, 4, 5)], [(0, 2, 5)], [(1, 2, 0)], [(1, 2, -5)]],
)
def test_more_than_fifteen_points_or_none_at_all_are_refused(transfers: list[tuple[int, int, int]]) -> None:
    with pytest.raises(BadData):
        allowances(1000, 3, transfers=[Transfer(*each) for each in transfers])


@pytest.mark.rule("ARMY.2", "ARMY.4")
@pytest.mark.parametrize("points", [125, 145, 165, 200, 250, 285, 335, 400, 500, 665])
def test_there_is_a_shipped_army_for_each_share(library: Library, points: int) -> None:
    assert check_roster(library.army(f"space-marines-{points}"), library, points) == ()
