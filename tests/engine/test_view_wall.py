"""The public attributes of a View lead to nothing that its seat may not know.

They are followed to the end.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import BuiltinFunctionType, FunctionType, MethodType, ModuleType
from typing import Any

import numpy as np
import pytest

from ai.agents import agent
from datasheets.library import Library
from engine.core.dice import AgentDice, Dice
from engine.core.game import Game
from engine.core.play import play
from engine.core.state import Deck, Position, State
from engine.horde.setup import Options
from engine.records.query import Query
from engine.systems import new_game
from engine.w40k.battle import Battle
from engine.w40k.view import View

KEPT_BACK = (State, Deck, Game, Dice, AgentDice, Query)
PLAIN = (str, bytes, int, float, bool, type(None), np.generic, type, ModuleType)
CODE = (FunctionType, MethodType, BuiltinFunctionType)


def inside(thing: Any) -> Iterator[tuple[str, Any]]:
    """Yield the items of a collection, and the public attributes of a thing but its methods.

    Each comes after the step that leads to it: `[KEY]` or `.NAME`.
    """
    if isinstance(thing, Mapping):
        yield from ((f"[{key!r}]", value) for key, value in thing.items())
    elif isinstance(thing, list | tuple | set | frozenset):
        yield from ((f"[{i}]", value) for i, value in enumerate(thing))
    for name in dir(thing):
        if name.startswith("_"):
            continue
        value = getattr(thing, name)
        if not isinstance(value, CODE):
            yield f".{name}", value


def reached(start: Any) -> Iterator[tuple[str, Any]]:
    """Yield a thing and the objects that its public attributes lead to, each after its path.

    No object comes twice; numbers, texts, types and modules are left out.
    """
    met: dict[int, Any] = {id(start): start}
    ahead = [("", start)]
    while ahead:
        way, thing = ahead.pop()
        yield way, thing
        if isinstance(thing, np.ndarray):
            continue
        for step, value in inside(thing):
            if not isinstance(value, PLAIN) and id(value) not in met:
                met[id(value)] = value
                ahead.append((way + step, value))


@pytest.fixture(scope="module")
def battle() -> Battle:
    """Return a battle in its second round, in which both sides have moved, shot and drawn cards."""
    library = Library()
    options = Options((library.army("space-marines-1000"),), ("tyranids",), rounds=2, seed=4)
    game = new_game(options, library)
    seats = {"horde": agent("horde"), "p1": agent("steady")}
    play(game, seats, View, until=lambda now: now.state.round > 1 and now.state.phase == "shooting")
    return game


@pytest.mark.parametrize("seat", ["horde", "p1"])
def test_a_view_leads_to_nothing_that_is_kept_back(battle: Battle, seat: str) -> None:
    found = list(reached(View(battle, seat)))
    assert [way for way, thing in found if isinstance(thing, KEPT_BACK)] == []
    ways = {way for way, _ in found}
    assert {".field", ".players", ".parameters"} <= ways
    assert any(isinstance(thing, Position) for _, thing in found)


@pytest.mark.parametrize("kept_back", KEPT_BACK)
def test_the_walk_finds_what_is_kept_back(battle: Battle, kept_back: type) -> None:
    """From a battle itself, and from a view with a hole in it."""
    hole = View(battle, "p1")
    hole.field.hole = [{"deep": (battle, hole._dice)}]  # type: ignore[attr-defined]
    try:
        assert any(isinstance(thing, kept_back) for _, thing in reached(hole))
    finally:
        del hole.field.hole  # type: ignore[attr-defined]


def test_the_columns_of_the_table_cannot_be_written(battle: Battle) -> None:
    table = View(battle, "p1").field.position.table
    columns = [thing for _, thing in reached(table) if isinstance(thing, np.ndarray)]
    assert len(columns) == 7
    for column in columns:
        with pytest.raises(ValueError, match="read-only"):
            column[0] = 1


def test_distances_and_sight_that_are_kept_cannot_be_written(battle: Battle) -> None:
    view = View(battle, "p1")
    mine, foe = view.units("players")[0], view.units("horde")[0]
    kept = [view.gaps(mine, foe), view.field.flat_gaps(mine, foe), view.visible(mine, foe)]
    kept.append(view.field.gap_to_disc(mine, (1.0, 1.0), 0.0))
    assert not any(each.flags.writeable for each in kept)


def test_a_copied_table_is_read_only_and_moves_by_itself(battle: Battle) -> None:
    state = battle.state.copy()
    before, copied = battle.state.position.table.xy[0].tolist(), state.position.table
    copied.put({0: (1.0, 2.0, 0.0, 0.0)})
    assert copied.xy[0].tolist() == [1.0, 2.0]
    assert battle.state.position.table.xy[0].tolist() == before
    assert not copied.xy.flags.writeable
