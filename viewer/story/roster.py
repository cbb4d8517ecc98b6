"""The units of both sides in the order in which a player asks for them: to act, reserves, done, lost, Horde.

Rows of plain words; the window draws them.
"""

from __future__ import annotations

from collections.abc import Iterable, Set as AbstractSet
from dataclasses import dataclass

from engine.core.state import State, Unit
from viewer.story.name import count, inches, short_name, unit_name
from viewer.story.role import role_of
from viewer.story.standing import badge, deed, standing

_TO = {"movement": "To move", "shooting": "To shoot", "charge": "To charge", "fight": "To fight"}


@dataclass(frozen=True, slots=True)
class Row:
    """A unit's line: its name, a note, its sign and badge, and the share of its wounds that is left."""

    unit: str
    name: str
    note: str
    role: str
    side: str
    seat: int
    badge: str = ""
    left: float = 1.0
    dim: bool = False


@dataclass(frozen=True, slots=True)
class Section:
    """Rows under a heading, with a note beside it."""

    title: str
    note: str
    side: str
    rows: tuple[Row, ...]


def roster(state: State, able: AbstractSet[str] | None = None) -> tuple[Section, ...]:
    """Return the sections; those without a unit are left out."""
    groups: dict[str, list[Unit]] = {}
    for unit in state.position.units.values():
        if unit.side == "players":
            groups.setdefault(standing(state, unit, able), []).append(unit)
    acting = _TO.get(state.phase, "To act")
    mine = [*groups.get("to act", ()), *groups.get("done", ())]
    horde = [u for u in state.position.units.values() if u.side == "horde" and u.where == "table" and u.rows]
    waiting = [u for u in state.position.units.values() if u.side == "horde" and u.where == "reserves"]
    found = [
        _section(
            state, acting, f"{len(groups.get('to act', ()))} of {len(mine)}", groups.get("to act", ()), able
        ),
        _section(state, "Units", f"{len(groups.get('waiting', ()))}", groups.get("waiting", ()), able),
        _section(state, "Reserves", f"{len(groups.get('reserves', ()))}", groups.get("reserves", ()), able),
        _section(state, "Embarked", f"{len(groups.get('embarked', ()))}", groups.get("embarked", ()), able),
        _section(state, "Done", f"{len(groups.get('done', ()))}", groups.get("done", ()), able),
        _section(state, "Lost", count(len(groups.get("lost", ())), "unit"), groups.get("lost", ()), able),
        _section(state, "Horde", count(len(horde), "unit"), horde, able, "horde"),
        _section(state, "Horde reserves", count(len(waiting), "unit"), waiting, able, "horde"),
    ]
    return tuple(section for section in found if section.rows)


def _section(
    state: State,
    title: str,
    note: str,
    units: Iterable[Unit],
    able: AbstractSet[str] | None,
    side: str = "players",
) -> Section:
    return Section(title, note, side, tuple(_row(state, unit, able) for unit in units))


def _row(state: State, unit: Unit, able: AbstractSet[str] | None) -> Row:
    where = standing(state, unit, able)
    models = state.position.alive(unit)
    full = sum(model.characteristics.get("W", 1) for model in unit.facts.models)
    left = sum(model.wounds for model in models)
    seats = list(state.players)
    return Row(
        unit=unit.id,
        name=short_name(unit_name(state, unit.id)),
        note=_note(state, unit, where),
        role=role_of(unit.facts),
        side=unit.side,
        seat=seats.index(unit.player) if unit.player in seats else 0,
        badge=badge(unit, where),
        left=left / full if full else 0.0,
        dim=where in ("done", "lost"),
    )


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
