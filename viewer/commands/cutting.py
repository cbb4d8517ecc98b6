"""A moment of a replay as a scenario file: the position, the rules in force, what follows.

Owns the words of the format for a battle's state. `viewer.commands.recorder` owns which moment it is, and
whether the file holds.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from datasheets.ability import simulated
from engine.core.facts import HORDE, BaseFacts, ModelFacts, PartFacts, WeaponFacts
from engine.core.state import Marks, State, Unit
from engine.scenario.unit import STATES

Plain = dict[str, Any]
SHAPES = {"round": "round", "oval": "oval", "hull": "rectangle"}
FIRING_DECK = "firing deck"


def scene(state: State, skip: Sequence[str] = ()) -> Plain:
    """Return the tables of a scenario for a state; units in `skip` state their own facts alone."""
    return {
        "terrain": [_terrain(state, name) for name in state.position.terrain],
        "objective": [{"id": o.facts.id, "at": _point(o.at)} for o in state.position.objectives.values()],
        "unit": [told for unit in state.position.units.values() for told in _parts(state, unit, skip)],
    }


def _terrain(state: State, name: str) -> Plain:
    piece = state.position.terrain[name]
    told: Plain = {"id": piece.id, "kind": piece.kind, "height": piece.height}
    told["footprint"] = [_point(p) for p in piece.footprint]
    if piece.kind == "ruin" and piece.walls is None:
        told["solid"] = True
    if piece.walls:
        told["walls"] = [[_point(p) for p in wall] for wall in piece.walls]
    if piece.floors:
        told["floors"] = list(piece.floors)
    return told


def _parts(state: State, unit: Unit, skip: Sequence[str]) -> Iterator[Plain]:
    """Yield a unit that is not destroyed, and the leaders attached to it as units of their own."""
    if not unit.rows or unit.where == "destroyed":
        return
    first = ""
    for number, part in enumerate(unit.facts.parts):
        rows = [row for row in unit.rows if state.position.models[row].facts.part == number]
        if not rows:
            continue
        name = f"{unit.id}+{number}" if first else unit.id
        told = _unit(state, unit, part, rows, name, datasheet=name not in skip)
        told |= _whereabouts(unit)
        if first:
            told["attached_to"] = first
        else:
            told |= _circumstances(unit)
        first = first or name
        yield told


def _whereabouts(unit: Unit) -> Plain:
    """Return where a unit is that is not on the table."""
    if unit.where == "embarked":
        return {"embarked_in": unit.transport}
    return {"state": ["in-reserves"]} if unit.where == "reserves" else {}


def _circumstances(unit: Unit) -> Plain:
    told: Plain = {}
    states = list(_states(unit))
    if states:
        told["state"] = states
    if unit.facts.bracket:
        told["bracket"] = unit.facts.bracket
    return told


def _states(unit: Unit) -> Iterator[str]:
    """Yield the words for the unit's marks, without those that a wider word includes."""
    for word, marks in STATES.items():
        plain = word in ("moved", "remained-stationary")
        if marks and _has(unit.marks, marks) and not (plain and "arrived" in unit.marks):
            yield word
    if "battle-shocked" in unit.marks:
        yield "battle-shocked"
    if unit.where == "reserves":
        yield "in-reserves"
    if any(part.warlord for part in unit.parts):
        yield "warlord"


def _has(marks: Marks, wanted: Sequence[tuple[str, Any, str]]) -> bool:
    return all(key in marks and marks.get(key) == value for key, value, _ in wanted)


def _unit(
    state: State, unit: Unit, part: PartFacts, rows: Sequence[int], name: str, *, datasheet: bool
) -> Plain:
    # The first model of a file's unit is the one that has lost wounds.
    rows = sorted(rows, key=lambda row: (not _lost(state, row), row))
    models = [state.position.models[row].facts for row in rows]
    told: Plain = {"id": name, "side": HORDE if unit.side == HORDE else unit.player}
    if datasheet:
        told["datasheet"] = part.datasheet
    told["models"] = len(rows)
    if unit.where == "table":
        table = state.position.table
        told["at"] = [_point((*table.xy[row], *((table.z[row],) if table.z[row] else ()))) for row in rows]
        told["facing"] = round(float(table.facing[rows[0]]), 7)
    if _lost(state, rows[0]):
        told["wounds_lost"] = _lost(state, rows[0])
    if not datasheet:
        told |= _own(part, models[0])
    told |= _armament(unit, models)
    told["points"] = part.points
    told["starting_models"] = part.starting_models
    return told


def _lost(state: State, row: int) -> int:
    model = state.position.models[row]
    return max(model.facts.characteristics.get("W", 1) - model.wounds, 0)


def _own(part: PartFacts, model: ModelFacts) -> Plain:
    """Return what a datasheet says, for a unit that is written without it."""
    told: Plain = {
        "base": _base(model.base),
        "height": model.height,
        "keywords": sorted(part.keywords),
        "characteristics": {key: value for key, value in model.characteristics.items() if key != "Inv"},
    }
    abilities = [word for word in part.abilities if word.startswith(simulated())]
    decks = [word for word in part.abilities if word.startswith(FIRING_DECK)]
    inv = model.characteristics.get("Inv")
    if inv:
        abilities.append(f"invulnerable {inv}+")
    told["abilities"] = [word for word in abilities if word not in decks]
    if part.transport is not None:
        deck = int(decks[0].split()[-1]) if decks else 0
        told["transport"] = {"capacity": part.transport.capacity, "firing_deck": deck}
    return told


def _base(base: BaseFacts) -> Plain:
    size = [base.length] if base.shape == "round" else [base.length, base.width]
    return {"shape": SHAPES[base.shape], "inches": [round(each, 9) for each in size]}


def _armament(unit: Unit, models: Sequence[ModelFacts]) -> Plain:
    """Return the tables of these models' weapons, and which model carries which.

    Weapons of the same name are told apart by a number.
    """
    names: dict[WeaponFacts, str] = {}
    for model in models:
        for index in model.weapons:
            weapon = unit.facts.weapons[index]
            if weapon not in names:
                same = sum(each.name == weapon.name for each in names)
                names[weapon] = f"{weapon.name} {same + 1}" if same else weapon.name
    told: Plain = {"weapons": [_weapon(weapon, name) for weapon, name in names.items()]}
    of = [[names[unit.facts.weapons[i]] for i in model.weapons] for model in models]
    if any(each != list(names.values()) for each in of):
        told["weapons_of"] = of
    return told


def _weapon(weapon: WeaponFacts, name: str) -> Plain:
    told: Plain = {"name": name}
    if weapon.item and weapon.item != name:
        told["item"] = weapon.item
    told["range"] = "melee" if weapon.range is None else weapon.range
    told["A"] = int(weapon.attacks) if weapon.attacks.isdigit() else weapon.attacks
    if weapon.skill is not None:
        told["WS" if weapon.is_melee else "BS"] = weapon.skill
    told |= {"S": weapon.strength, "AP": weapon.ap}
    told["D"] = int(weapon.damage) if weapon.damage.isdigit() else weapon.damage
    if weapon.keywords:
        told["keywords"] = list(weapon.keywords)
    return told


def _point(point: Sequence[float]) -> list[float]:
    return [round(float(each), 7) for each in point]


# as a file


def toml(said: Mapping[str, Any]) -> str:
    """Return plain data as TOML: lists of tables as tables, the contents of each in one line."""
    found = [f"{key} = {_value(each)}" for key, each in said.items() if not _is_tables(each)]
    for key, each in said.items():
        for table in each if _is_tables(each) else ():
            found += ["", f"[[{key}]]", *(f"{inner} = {_value(value)}" for inner, value in table.items())]
    return "\n".join(found) + "\n"


def _is_tables(said: Any) -> bool:
    return isinstance(said, list) and bool(said) and all(isinstance(each, dict) for each in said)


def _value(said: Any) -> str:
    if isinstance(said, Mapping):
        inner = ", ".join(f"{_key(key)} = {_value(each)}" for key, each in said.items())
        return f"{{ {inner} }}" if inner else "{}"
    if isinstance(said, list | tuple):
        return f"[{', '.join(map(_value, said))}]"
    if isinstance(said, bool):
        return "true" if said else "false"
    if isinstance(said, float):
        return str(int(said)) if said.is_integer() else repr(said)
    return json.dumps(said, ensure_ascii=False)


def _key(key: str) -> str:
    bare = key.replace("-", "").replace("_", "")
    return key if bare.isascii() and bare.isalnum() else json.dumps(key, ensure_ascii=False)
