"""The units of both sides as a player asks for them: to act, reserves, done, lost, Horde.

Rows of plain words; the window draws them.
"""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace

from engine.core.facts import UnitFacts
from engine.core.state import State, Unit
from viewer.story.name import count, inches, short_name, unit_name
from viewer.story.role import role_of
from viewer.story.standing import badge, deed, standing

_TO = {"movement": "To move", "shooting": "To shoot", "charge": "To charge", "fight": "To fight"}


@dataclass(frozen=True, slots=True)
class Row:
    """A unit's line: its name, a note, its sign and badge, the share of its wounds left."""

    unit: str
    name: str
    note: str
    role: str
    side: str
    seat: int
    badge: str = ""
    left: float = 1.0
    dim: bool = False
    tag: str = ""
    """A word at its end in the place of a badge: now, next, or what it has just lost."""


@dataclass(frozen=True, slots=True)
class Section:
    """Rows under a heading, with a note beside it."""

    title: str
    note: str
    side: str
    rows: tuple[Row, ...]


def roster(
    state: State,
    able: AbstractSet[str] | None = None,
    acting: str = "",
    mustered: Sequence[UnitFacts] = (),
) -> tuple[Section, ...]:
    """Return the sections; those without a unit are left out.

    `able` and `acting` are the units that may act and the one that does; `mustered` those of the armies, of
    which the ones that are not in the battle yet are to be placed.
    """
    known = state.position.units
    rows: dict[str, list[Row]] = {}
    for unit in known.values():
        where = standing(state, unit, able, acting)
        if where == "reserves" and unit.id == acting and state.phase == "setup":
            where = "placing"
        elif unit.side == "horde":
            where = {"reserves": "horde reserves", "lost": ""}.get(where, "horde")
        rows.setdefault(where, []).append(_row(state, unit, standing(state, unit, able, acting)))
    coming = [_coming(state, facts, acting) for facts in mustered if facts.id not in known]
    rows["coming"] = [
        *(replace(row, note=f"{row.note} · placing") for row in rows.pop("placing", ())),
        *coming,
    ]
    acted, placed = len(rows.get("to act", ())), len(rows["coming"])
    whole = acted + len(rows.get("done", ()))
    titles = {
        "coming": ("To place", f"{placed} of {len(mustered)}"),
        "to act": (_TO.get(state.phase, "To act"), f"{acted} of {whole}"),
        "waiting": ("Placed" if state.phase == "setup" else "Units", ""),
        "reserves": ("Reserves", ""),
        "embarked": ("Embarked", ""),
        "done": ("Done", ""),
        "lost": ("Lost", ""),
        "horde": ("Horde", ""),
        "horde reserves": ("Horde reserves", ""),
    }
    return tuple(
        Section(
            title, note or f"{len(rows[key])}", "horde" if "horde" in key else "players", tuple(rows[key])
        )
        for key, (title, note) in titles.items()
        if rows.get(key)
    )


def _row(state: State, unit: Unit, where: str) -> Row:
    models = state.position.alive(unit)
    full = sum(model.characteristics.get("W", 1) for model in unit.facts.models)
    left = sum(model.wounds for model in models)
    return Row(
        unit=unit.id,
        name=short_name(unit_name(state, unit.id)),
        note=_note(state, unit, where),
        role=role_of(unit.facts),
        side=unit.side,
        seat=_seat(state, unit.player),
        badge=badge(unit, where),
        left=left / full if full else 0.0,
        dim=where in ("done", "lost"),
    )


def _coming(state: State, facts: UnitFacts, acting: str = "") -> Row:
    """Return the line of a unit that is not in the battle yet."""
    note = f"{count(len(facts.models), 'model')} · {facts.points} points"
    note += " · placing" if facts.id == acting else ""
    seat = _seat(state, facts.player)
    return Row(facts.id, short_name(facts.name), note, role_of(facts), facts.side, seat)


def _seat(state: State, player: str) -> int:
    seats = list(state.players)
    return seats.index(player) if player in seats else 0


def _note(state: State, unit: Unit, where: str) -> str:
    """Return what stands under a unit's name: what it has left, and what it did."""
    if where == "lost":
        return "destroyed"
    models = state.position.alive(unit)
    if len(unit.facts.models) == 1 and models:
        size = f"{models[0].wounds}/{models[0].facts.characteristics.get('W', 1)} wounds"
    else:
        size = count(len(unit.rows), "model")
    more = deed(unit)
    if where == "embarked":
        more = f"in {short_name(unit_name(state, unit.transport))}"
    elif where == "to act" and not more and state.phase == "movement" and models:
        more = f"Move {inches(models[0].facts.characteristics.get('M', 0))}"
    return f"{size} · {more}" if more else size
