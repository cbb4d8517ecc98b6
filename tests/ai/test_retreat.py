"""How a unit gets away: what is no move at all."""

from __future__ import annotations

from ai.moving.retreat import away, straight_away


def test_who_is_engaged_with_nobody_has_nothing_to_get_away_from(situation):
    battle = situation()
    battle.horde("boyz", [(30, 22)])
    battle.players("enemy", [(30, 12)])
    view = battle.view()
    unit = view.unit("boyz")
    assert away(view, unit, view.move_limits(unit)) is None
    assert away(view, unit, view.move_limits(unit), least=True) is None
    assert straight_away(view, unit, 2.0) is None


def test_from_between_two_enemies_no_way_is_straight(situation):
    """Their middle is where it stands itself."""
    battle = situation()
    battle.horde("boyz", [(30, 22)])
    battle.players("enemy", [(31.5, 22)])
    battle.players("other", [(28.5, 22)])
    view = battle.view()
    assert straight_away(view, view.unit("boyz"), 2.0) is None
