"""Where a charge may end at all: the bound that ends a search before it begins.

Some tests have models that just get there.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pytest

from geometry.group.group_move import Moved, Party, move_into_contact
from geometry.measure.coherency import Spacing
from geometry.measure.segment_crossing import Across
from geometry.path.budget import Budget
from geometry.path.ground import Ground
from geometry.path.planner import Blocked, check_path
from geometry.shape.convex_shape import Outlines

R = 16 / 25.4
BOARD = (60.0, 44.0)
FOE = (30.0, 22.0)


def discs(*at: tuple[float, float], radius: float = R) -> Outlines:
    return Outlines(np.array(at, dtype=float).reshape(-1, 2), np.full(len(at), radius))


def party(*at: tuple[float, float], limit: float = 8.0) -> Party:
    return Party(np.array(at, dtype=float), np.full(len(at), R), np.full(len(at), limit))


def ringed(free: float, side: float = math.pi) -> Ground:
    """Return a foe in a ring of friends that may be passed.

    Two of the friends leave a gap: a base in it is `free` inches from each of them.
    """
    reach, apart = 2 * R + 0.5, 2 * R + free
    # There is most room in contact, or just within range.
    half = min(math.acos((d * d + reach**2 - apart**2) / (2 * d * reach)) for d in (2 * R, 2 * R + 1.0))
    wide = 2 * math.asin(R / reach)
    count = math.ceil((math.tau - 2 * half) / wide)
    turns = side + half + np.linspace(0.0, math.tau - 2 * half, count)
    friends = [(FOE[0] + reach * math.cos(a), FOE[1] + reach * math.sin(a)) for a in turns.tolist()]
    # A second rank leaves nothing in range behind the first.
    beyond = [(FOE[0] + 3.5 * R * math.cos(a) * 1.12, FOE[1] + 3.5 * R * math.sin(a) * 1.12) for a in turns]
    return Ground(BOARD, solid=discs(FOE), no_end=discs(*friends, *beyond))


@pytest.mark.parametrize("side", [math.pi, 0.0, math.pi / 2])
def test_core_chg_2_the_one_gap_between_friends_is_found_on_whichever_side_it_is(side: float) -> None:
    unit, ground = party((24.0, 22.0), limit=12.0), ringed(0.001, side)
    moved = move_into_contact(unit, [discs(FOE)], ground, Spacing())
    assert isinstance(moved, Moved)
    assert not check_path(moved.paths[0], R, unit.xy[0], 12.0, ground)
    assert math.dist(moved.paths[0].end, FOE) - 2 * R <= 1.0 + 1e-6


def test_core_chg_2_where_no_base_fits_the_charge_ends_before_it_is_searched_for() -> None:
    ground = ringed(-0.001)
    found = move_into_contact(party((24.0, 22.0), limit=12.0), [discs(FOE)], ground, Spacing())
    assert isinstance(found, Blocked)
    assert found.reason == "no place within engagement range is free"
    assert found.by


def test_who_stands_near_enough_already_needs_no_other_place() -> None:
    unit = party((FOE[0] - 2 * R - 0.5, 22.0), limit=0.0)
    moved = move_into_contact(unit, [discs(FOE)], Ground(BOARD, solid=discs(FOE)), Spacing())
    assert isinstance(moved, Moved)
    assert moved.left[0] == pytest.approx(0.5)


def test_core_er_2_places_across_a_barricade_are_footholds_where_the_rule_says_so() -> None:
    foe, unit = discs(FOE), party((20.0, 22.0), limit=FOE[0] - 20.0 - 2 * R - 1.8)
    ground = Ground(BOARD, solid=foe)
    assert isinstance(move_into_contact(unit, [foe], ground, Spacing()), Blocked)
    across = Across(foe.grown(2.0), lambda ends, foes: True)
    assert isinstance(move_into_contact(unit, [foe], ground, Spacing(), across=across), Moved)
    across = Across(foe.grown(2.0), lambda ends, foes: False)
    assert isinstance(move_into_contact(unit, [foe], ground, Spacing(), across=across), Blocked)


@pytest.mark.parametrize(
    "beside", [((28.74, 23.5), (31.26, 23.5), (30, 22.24)), ((28.2, 22.6), (31.8, 22.6))]
)
def test_a_charge_takes_a_narrow_place_that_no_contact_is_behind(
    beside: Sequence[tuple[float, float]],
) -> None:
    """Over a wall, guards all about the prey: only straight ahead is it alone in range."""
    prey, guards = discs((30.0, 23.5)), discs(*beside)
    wall = ((27.0, 24.5), (33.0, 24.5), (33.0, 25.0), (27.0, 25.0))
    ground = Ground(BOARD, walls=(wall,), solid=prey.joined(guards), avoid=guards.grown(1.0))
    charged = move_into_contact(party((30.0, 27.0), limit=12.0), [prey], ground, Spacing())
    assert isinstance(charged, Moved)
    end = np.array([charged.paths[0].end])
    assert prey.grown(R).distances(end) == pytest.approx(1.5 - R, abs=1e-4)
    assert (guards.grown(R).distances(end) > 1).all()


def test_a_charge_that_no_model_can_bring_home_is_soon_given_up() -> None:
    """Friends stand all round the target.

    Once each model has looked alone, no other order is tried.
    """
    foe = discs(FOE)
    ring = [(30 + 2.4 * math.cos(a), 22 + 2.4 * math.sin(a)) for a in np.arange(12) * math.tau / 12]
    wide = [(30 + 3.8 * math.cos(a), 22 + 3.8 * math.sin(a)) for a in np.arange(18) * math.tau / 18]
    ground = Ground(BOARD, solid=foe.joined(discs(*ring)).joined(discs(*wide)))
    at = np.array([(20.0 + 1.5 * (i % 2), 18.0 + 1.5 * (i // 2)) for i in range(8)])
    budget = Budget()
    unit = Party(at, np.full(8, R), np.full(8, 12.0), budget=budget)
    assert isinstance(move_into_contact(unit, [foe], ground, Spacing()), Blocked)
    assert budget.spent < 6000
