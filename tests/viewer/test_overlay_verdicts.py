"""The overlays of the window against the engine's own verdicts, in a position."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from random import Random

import pytest
import shapely
from overlay_verdicts import CHECKS, Check, reach, sight, threat
from overlays import stopped

from engine.w40k.battle import Battle
from geometry.shape.base import Base
from geometry.shape.convex_shape import stance_of
from viewer.input import reach as reaches
from viewer.input import seeing
from viewer.input.region import NOTHING, eroded, swept, within_limit


@pytest.fixture(scope="module")
def battle() -> Battle:
    """Return a battle at a random moment, units on the table on both sides."""
    return stopped(3)


@pytest.mark.parametrize("name", list(CHECKS))
def test_overlays_are_the_engine_s_verdicts(name: str, battle: Battle) -> None:
    count = Counter[str]()
    assert CHECKS[name](battle, Random(3), count) == []
    assert count.total() > 0


def test_a_model_that_stays_threatens_from_where_no_other_could_end() -> None:
    # A hull stands closer to a wall than any may come to it.
    assert threat(stopped(199), Random("199 threat"), Counter[str]()) == []


def _always_clear(look: seeing.Sightline) -> seeing.Sightline:
    return seeing.Sightline(look.line)


def test_a_wrong_sight_is_found(battle: Battle, monkeypatch: pytest.MonkeyPatch) -> None:
    real: Callable[..., seeing.Sightline] = seeing._looked
    monkeypatch.setattr(seeing, "_looked", lambda *words: _always_clear(real(*words)))
    assert any(sight(battle, Random(seed), Counter()) for seed in range(12))


@pytest.mark.parametrize("check", [reach, threat])
def test_a_wrong_reach_is_found(check: Check, battle: Battle, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reaches, "closed_to", lambda *_: NOTHING)
    monkeypatch.setattr(
        reaches, "within_limit", lambda far, limit, *words: within_limit(far, limit + 1.0, *words)
    )
    assert any(check(battle, Random(seed), Counter()) for seed in range(12))


def test_a_base_is_wholly_in_an_area_where_its_middle_is_in_the_eroded_one() -> None:
    oval, area = stance_of(Base("oval", 4.0, 2.0)), shapely.box(0, 0, 10, 6)
    inner = eroded(area, oval)
    assert inner.bounds == pytest.approx((2.0, 1.0, 8.0, 5.0), abs=0.01)
    assert swept(inner, oval).bounds == pytest.approx(area.bounds, abs=0.01)


def test_a_limit_is_found_to_a_cell() -> None:
    found = within_limit(lambda spots: (spots**2).sum(axis=1) ** 0.5, 3.0, (-4, -4, 4, 4), 0.02)
    exact = shapely.Point(0, 0).buffer(3.0, quad_segs=64)
    assert shapely.hausdorff_distance(found.exterior, exact.exterior) < 0.03


def test_a_base_that_stays_covers_its_own_place() -> None:
    oval = stance_of(Base("oval", 4.0, 2.0), 90.0)
    covered = swept(shapely.MultiPoint([(5.0, 5.0), (20.0, 5.0)]), oval)
    assert covered.bounds == pytest.approx((4.0, 3.0, 21.0, 7.0), abs=0.01)
