"""Spawning tables of a few rows for tests, and where what spawns is set up."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from datasheets.library import Library
from engine.core.game import Game
from engine.core.request import Place, Places


def in_rows(game: Game) -> Places:
    """Set a spawned unit up in rows of seven, east of those that stand there already."""
    request = game.pending
    assert isinstance(request, Place)
    west = min(x for x, _ in request.areas[0])
    taken = sum(unit.where == "table" and unit.side == "horde" for unit in game.state.position.units.values())
    bases = [game.state.position.models[each].facts.base for each in request.rows]
    size = max(max(base.length, base.width) for base in bases)
    west, front = west + 10 * (taken % 3), 34.01 + size / 2
    places = [(west + size * (i % 7 + 0.51), front + size * (i // 7)) for i in range(len(bases))]
    return Places(poses={row: (*at, 0.0, 0.0) for row, at in zip(request.rows, places, strict=True)})


TABLE = """
[spawn]
faction = "death-guard"
name = "Death Guard"
"""
ROW = """
[[spawn.entry]]
bracket = {bracket}
id = "row-{n}"
name = "row {n}"
units = [{units}]
{more}
"""


def unit(datasheets: str, models: int = 1) -> str:
    """Return a unit of a row as its file tells it: of one of these datasheets."""
    named = ", ".join(f'"{each if "/" in each else f"death-guard/{each}"}"' for each in datasheets.split())
    return f"{{ datasheets = [{named}], models = {models} }}"


def row(bracket: int, *units: str, **more: Any) -> tuple[int, str, str]:
    """Return a row of a table: its bracket, its units, and what else its file says."""
    told = "\n".join(f"{key} = {json.dumps(value)}" for key, value in more.items())
    return bracket, ", ".join(units), told


def table(
    folder: Path,
    *rows: tuple[int, str, str],
    faction: str = "death-guard",
    leaders: dict[str, list[str]] | None = None,
) -> Library:
    """Return a library in which a faction spawns by these rows alone."""
    text = TABLE.replace("death-guard", faction) + "[spawn.leaders]\n"
    text += "".join(f'"{led}" = {json.dumps(ids)}\n' for led, ids in (leaders or {}).items())
    for n, (bracket, units, more) in enumerate(rows):
        text += ROW.format(bracket=bracket, n=n, units=units, more=more)
    (folder / f"{faction}.toml").write_text(text)
    return Library(factions=folder)


def spawned(game: Game) -> list[str]:
    """Return the ids of the Horde's units on the table, in the order in which they came."""
    return [each.id for each in game.state.position.on_table("horde")]
