"""What holds in any position: the Horde ignores what it cannot see, and gives reasons."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from datasheets.library import Library
from datasheets.scenario import Scenario, load_scenario, parse_scenario
from engine.scenario.decision import Decision
from engine.scenario.run import Outcome, play
from engine.scenario.stage import Builder
from engine.scenario.word import Words
from viewer.commands.cast import CAST

SITUATIONS = sorted((Path(__file__).parents[1] / "scenarios").glob("S.A*.toml"))
SEEDS = range(1, 9)
CELL = (2.0, 36.0, 8.0, 42.0)
"""A walled cell in a corner of the board: a unit in it sees nobody, and nobody sees it."""
HEAD = """
title = "a position drawn by a seed"
rules = ["AI.MOVE.1"]
board = { deployment = "none" }
step = ["movement", "shooting", "charge", "fight"]
"""
WALL = """
[[terrain]]
kind = "wall"
footprint = [[%(x0)s, %(y0)s], [%(x1)s, %(y0)s], [%(x1)s, %(y1)s], [%(x0)s, %(y1)s]]
"""
RUIN = WALL.replace('"wall"', '"ruin"')
HORDE = """
[[unit]]
id = "h"
side = "horde"
at = %s
weapons = [
  { name = "rifle", range = 24, A = 1, BS = 4, S = 4, AP = 0, D = 1 },
  { name = "choppa", range = "melee", A = 2, WS = 3, S = 4, AP = -1, D = 1 },
]
"""
ENEMY = """
[[unit]]
id = "%s"
side = "p1"
at = [[%s, %s]]
"""
END = """
[[expect]]
that = "True"
"""


@pytest.fixture(scope="module")
def library() -> Library:
    return Library()


def rectangle(kind: str, x0: float, y0: float, x1: float, y1: float) -> str:
    return kind % {"x0": x0, "y0": y0, "x1": x1, "y1": y1}


def cell() -> Iterator[str]:
    x0, y0, x1, y1 = CELL
    yield rectangle(WALL, x0 - 0.5, y0 - 0.5, x1 + 0.5, y0)
    yield rectangle(WALL, x0 - 0.5, y1, x1 + 0.5, y1 + 0.5)
    yield rectangle(WALL, x0 - 0.5, y0, x0, y1)
    yield rectangle(WALL, x1, y0, x1 + 0.5, y1)


def position(seed: int) -> str:
    """Return a position: two ruins, a unit of the Horde in the east, and three enemies."""
    chance = Random(seed)
    x, y = chance.uniform(40, 52), chance.uniform(14, 30)
    models = [[round(x + 1.6 * (i % 2), 3), round(y + 1.6 * (i // 2), 3)] for i in range(3)]
    text = HEAD + "".join(cell())
    for x0, y0 in ((14, chance.uniform(4, 30)), (30, chance.uniform(4, 30))):
        text += rectangle(RUIN, x0, round(y0, 3), x0 + 5, round(y0 + 6, 3))
    for i, east in enumerate((10.0, 24.0, 37.0)):
        text += ENEMY % (f"e{i}", round(east + chance.uniform(-1, 1), 3), round(chance.uniform(2, 32), 3))
    return text + HORDE % models


def outcome(text: str, library: Library) -> Outcome:
    return play(Builder(scenario(text), library, "drawn").stage(), CAST)


def scenario(text: str) -> Scenario:
    return parse_scenario(text + END, "drawn")


def acts(found: Outcome) -> list[tuple[object, ...]]:
    """Return what the Horde did, without what it thought of others."""
    made = [d for d in found.decisions if d.unit == "h"]
    return [(d.name, d.toward, d.fired, sorted(d.paths.items())) for d in made]


@pytest.mark.rule("AI.MOVE.1", "AI.SHOOT.1", "AI.CHARGE.1")
@pytest.mark.parametrize("seed", SEEDS)
def test_an_enemy_that_nobody_sees_changes_no_decision(seed: int, library: Library) -> None:
    plain = position(seed)
    hidden = plain + ENEMY % ("hidden", 5, 39)
    before, after = outcome(plain, library), outcome(hidden, library)
    assert not Words(after.stage.game, after.stage.frame).visible("h", "hidden")
    assert acts(before) == acts(after)
    assert any(d.name in ("normal-move", "advance", "charge") for d in before.decisions)


@pytest.mark.rule("AI.MOVE.1")
@pytest.mark.parametrize("seed", SEEDS)
def test_a_closer_enemy_in_sight_always_becomes_the_target(seed: int, library: Library) -> None:
    plain = position(seed)
    moved = next(d for d in outcome(plain, library).decisions if d.unit == "h")
    still = outcome(plain.replace('["movement", "shooting", "charge", "fight"]', '"none"'), library)
    words = Words(still.stage.game, still.stage.frame)
    farthest = words.distance("h", moved.toward[0]) if moved.toward[0] != "defender-edge" else 30.0
    closer = next(
        text
        for text in nearer_places(plain, words, farthest)
        if sees(text.replace('["movement", "shooting", "charge", "fight"]', '"none"'), library)
    )
    found = next(d for d in outcome(closer, library).decisions if d.unit == "h")
    assert found.toward == ("closer",)
    assert "AI.MOVE.1" in found.clauses


def nearer_places(plain: str, words: Words, farthest: float) -> Iterator[str]:
    """Yield the position with one enemy more, nearer than `farthest` inches to the unit `h`."""
    x, y, _ = words.position("h", 0)
    for share in (0.9, 0.75, 0.6, 0.45):
        for dx, dy in ((-1, 0), (0, 1), (0, -1), (-0.7, 0.7), (-0.7, -0.7), (0.7, 0.7)):
            spot = (round(x + share * farthest * dx, 3), round(y + share * farthest * dy, 3))
            if 1 < spot[0] < 59 and 1 < spot[1] < 43:
                yield plain + ENEMY % ("closer", *spot)


def sees(text: str, library: Library) -> bool:
    """Return whether the added enemy is nearer than the others, in the open, and seen."""
    found = outcome(text, library)
    words = Words(found.stage.game, found.stage.frame)
    gaps = [words.distance("h", other) for other in ("e0", "e1", "e2") if words.visible("h", other)]
    near = words.distance("h", "closer")
    apart = min(words.distance("closer", other) for other in ("e0", "e1", "e2"))
    return 1.1 < near < min(gaps, default=99.0) - 0.01 and apart > 0.1 and words.visible("h", "closer")


# S.A35


def reasons(made: Decision) -> Iterator[tuple[str, tuple[str, ...], tuple[str, ...]]]:
    """Yield each reason's clause, with the candidates that it took and those that it rejected."""
    for because in made.because:
        taken = tuple(c.id for c in because.candidates if not c.failed)
        lost = tuple(c.id for c in because.candidates if c.failed)
        yield because.clause, taken, lost


@pytest.mark.rule("S.A35")
@pytest.mark.parametrize("path", SITUATIONS, ids=lambda path: path.stem)
def test_every_decision_names_its_clause_and_why_each_other_candidate_lost(
    path: Path, library: Library
) -> None:
    found = play(Builder(load_scenario(path), library, path.name).stage(), CAST)
    enemies = {unit.id for unit in found.stage.game.state.position.units.values() if unit.side == "players"}
    asked = [d for d in found.decisions if d.seat == "horde" and d.because]
    assert asked or not [d for d in found.decisions if d.seat == "horde" and d.paths]
    for made in asked:
        for clause, taken, lost in reasons(made):
            assert clause
            assert len(taken) <= 1
            assert not set(taken) & set(lost)
            if clause == "AI.MOVE.1" and taken:
                assert set(taken) | set(lost) <= enemies
                assert made.toward[0] == taken[0]


@pytest.mark.rule("S.A35")
@pytest.mark.parametrize("seed", SEEDS[:4])
def test_the_target_of_a_move_is_chosen_among_all_enemies_nearest_first(seed: int, library: Library) -> None:
    found = outcome(position(seed) + ENEMY % ("hidden", 5, 39), library)
    made = next(d for d in found.decisions if d.unit == "h")
    because = next(b for b in made.because if b.clause == "AI.MOVE.1")
    chosen, *others = because.candidates
    assert {c.id for c in because.candidates} == {"e0", "e1", "e2", "hidden"}
    assert not chosen.failed
    assert all(c.failed in ("farther", "not-visible") for c in others)
    seen = [c.distance for c in because.candidates if c.failed != "not-visible"]
    assert seen == sorted(seen)
    assert next(c.failed for c in others if c.id == "hidden") == "not-visible"
