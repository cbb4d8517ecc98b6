"""`horde scenario show`: a scenario's position in words, on demand in a picture.

Tells what stands where before anything is played; what must come of it is `horde scenario run`'s.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from datasheets.errors import BadData, HordeError
from datasheets.library import Library
from datasheets.scenario import Scenario, load_scenario, words
from engine.core.dice import BadScript
from engine.core.facts import BaseFacts, WeaponFacts
from engine.core.state import Unit
from engine.scenario.judge import said
from engine.scenario.stage import Builder, Stage
from engine.w40k.view import View
from viewer.commands.drawing import drawing

Plain = dict[str, Any]


def show(path: Path, png: Path | None, as_json: bool) -> None:
    """Print a scenario's position, and draw it into a file where one is named. Raises BadData."""
    stage = position(load_scenario(path), Library(), str(path))
    if as_json:
        sys.stdout.write(json.dumps(tableau(stage), indent=1, ensure_ascii=False) + "\n")
    else:
        sys.stdout.write("\n".join(lines(stage)) + "\n")
    if png is not None:
        with drawing():
            from viewer.window.snapshot import save
        save(png, stage.game.events)
        if not as_json:
            sys.stdout.write(f"Picture: {png}\n")


def position(scenario: Scenario, library: Library, path: str) -> Stage:
    """Return a scenario set up with nothing played. Raises BadData for an unplayable file."""
    still = scenario.model_copy(update={"step": "none"})
    try:
        # Whether its dice suffice is no business of what stands where.
        with suppress(BadScript):
            Builder(scenario, library, path).stage()
        return _named(Builder(still, library, path).stage(), scenario)
    except BadData as error:
        if error.path == path:
            raise
        raise BadData(path, "", str(error)) from None
    except HordeError as error:
        raise BadData(path, "", str(error)) from None


def _named(stage: Stage, scenario: Scenario) -> Stage:
    return Stage(scenario, stage.game, stage.frame, stage.path)


# what stands where, for a machine


def tableau(stage: Stage) -> Plain:
    """Return the position as plain data: lengths in inches, facings in degrees."""
    scenario, state = stage.scenario, stage.game.state
    return {
        "title": scenario.title,
        "rules": list(scenario.rules),
        "ruleset": scenario.ruleset,
        "round": scenario.round,
        "step": list(words(scenario.step)),
        "side": scenario.side,
        "board": {"size": list(state.position.board.size), "deployment": state.position.board.deployment},
        "in_force": _in_force(scenario),
        "terrain": [
            {"id": t.id, "kind": t.kind, "height": t.height, "footprint": [list(p) for p in t.footprint]}
            for t in state.position.terrain.values()
        ],
        "zones": [
            {"id": z.id, "kind": z.kind, "polygon": [list(p) for p in z.polygon]}
            for z in state.position.zones.values()
            if z.kind != "no-mans-land"
        ],
        "objectives": [
            {"id": o.facts.id, "at": list(o.at), "held_by": o.by} for o in state.position.objectives.values()
        ],
        "markers": [
            {"kind": m.kind, "owner": m.owner, "at": list(m.at)} for m in state.position.markers.values()
        ],
        "units": [_unit(stage, unit) for unit in state.position.units.values()],
    }


def _in_force(scenario: Scenario) -> Plain:
    """Return the cards, rulings, detachments and points that the file sets."""
    told = {key: getattr(scenario, key) for key in ("active", "rulings", "detachments", "cp", "sp", "deck")}
    return {key: list(each) if isinstance(each, tuple) else each for key, each in told.items() if each}


def _unit(stage: Stage, unit: Unit) -> Plain:
    table = stage.game.state.position.table
    first = stage.game.state.position.models[unit.facts.models[0].row].facts
    told: Plain = {
        "id": unit.id,
        "name": unit.name,
        "side": unit.player,
        "where": unit.where,
        "transport": unit.transport,
        "state": [word for each in stage.scenario.unit if each.id == unit.id for word in each.state if word],
        "keywords": sorted({word for part in unit.parts for word in part.keywords}),
        "abilities": sorted({word for part in unit.parts for word in part.abilities}),
        "base": _base(first.base),
        "height": first.height,
        "characteristics": first.characteristics,
        "weapons": [{"count": n, **_weapon(w)} for w, n in _carried(unit)],
        "models": [_model(stage, unit, row) for row in unit.rows],
        "not_simulated": [name for part in unit.parts for name in part.unmodelled],
    }
    if unit.where == "table" and unit.rows and table.on[list(unit.rows)].any():
        told["closest_enemy"] = _closest(stage, unit)
    return told


def _model(stage: Stage, unit: Unit, row: int) -> Plain:
    state = stage.game.state
    model = state.position.models[row]
    told: Plain = {"name": model.facts.name, "wounds": model.wounds}
    if unit.where == "table":
        table = state.position.table
        x, y, z = float(table.xy[row, 0]), float(table.xy[row, 1]), float(table.z[row])
        told |= {"at": [x, y, z] if z else [x, y], "facing": float(table.facing[row])}
    return told


def _closest(stage: Stage, unit: Unit) -> Plain | None:
    """Return the closest enemy: how far it is from base to base, and whether it is seen."""
    view = View(stage.game, unit.player)
    gaps = [(view.gap(unit, enemy), enemy.id, enemy) for enemy in view.enemies(unit)]
    if not gaps:
        return None
    gap, name, enemy = min(gaps, key=lambda each: each[:2])
    return {"id": name, "inches": round(gap, 4), "visible": bool(view.visible(unit, enemy).any())}


def _carried(unit: Unit) -> list[tuple[WeaponFacts, int]]:
    """Return the unit's weapon profiles, each with how many models carry it."""
    count = Counter(i for model in unit.facts.models if model.row in unit.rows for i in model.weapons)
    same: dict[WeaponFacts, int] = {}
    for i, weapon in enumerate(unit.facts.weapons):
        if count[i]:
            same[weapon] = same.get(weapon, 0) + count[i]
    return list(same.items())


def _weapon(weapon: WeaponFacts) -> Plain:
    return {
        "name": weapon.name,
        "range": "melee" if weapon.range is None else weapon.range,
        "A": weapon.attacks,
        "skill": weapon.skill,
        "S": weapon.strength,
        "AP": weapon.ap,
        "D": weapon.damage,
        "keywords": list(weapon.keywords),
    }


def _base(base: BaseFacts) -> str:
    if base.shape == "hull":
        return f"hull {base.length:.4g} by {base.width:.4g} inches"
    length, width = round(base.length * 25.4, 1), round(base.width * 25.4, 1)
    return f"round {length:g} mm" if base.shape == "round" else f"oval {length:g} by {width:g} mm"


# in words


def lines(stage: Stage) -> list[str]:
    """Return the position in lines for people."""
    told = tableau(stage)
    pins = f"; pins {', '.join(told['rules'])}" if told["rules"] else ""
    step = ", ".join(told["step"])
    played = "nothing is played" if step == "none" else f"{told['side']}: {step}"
    width, depth = told["board"]["size"]
    found = [f"{told['title'] or stage.path}{pins}"]
    found.append(f"{told['ruleset']}, round {told['round']}, {played}")
    found.append(f"Board {width:g} by {depth:g}, deployment {told['board']['deployment']}")
    found += [f"In force: {key} {_listed(each)}" for key, each in told["in_force"].items()]
    found += _ground(told)
    for unit in told["units"]:
        found += _unit_lines(unit)
    return [*found, *_to_come(stage.scenario)]


def _listed(said: Any) -> str:
    if isinstance(said, dict):
        return ", ".join(f"{key} = {_listed(each)}" for key, each in said.items())
    return ", ".join(map(str, said)) if isinstance(said, list | tuple) else str(said)


def _ground(told: Plain) -> Iterator[str]:
    for piece in told["terrain"]:
        yield f"{piece['kind'].capitalize()} {piece['id']}, {piece['height']:g} high: {_ring(piece)}"
    for zone in told["zones"]:
        yield f"Zone {zone['id']} ({zone['kind']}): {_ring(zone, 'polygon')}"
    for each in told["objectives"]:
        yield f"Objective {each['id']} at {_at(each['at'])}, held by {each['held_by'] or 'nobody'}"
    for each in told["markers"]:
        yield f"Marker {each['kind']} of {each['owner']} at {_at(each['at'])}"


def _ring(piece: Plain, key: str = "footprint") -> str:
    return " ".join(_at(point) for point in piece[key])


def _at(point: list[float]) -> str:
    return f"({', '.join(f'{each:.2f}'.rstrip('0').rstrip('.') for each in point)})"


def _unit_lines(unit: Plain) -> Iterator[str]:
    states = f", {', '.join(unit['state'])}" if unit["state"] else ""
    where = {"table": "", "embarked": f" in {unit['transport']}"}.get(unit["where"], f" in {unit['where']}")
    count = len(unit["models"])
    size = f"{count} model{'' if count == 1 else 's'}"
    name = "" if unit["name"] == unit["id"] else f" {unit['name']}"
    yield f"{unit['id']} ({unit['side']}){name}: {size}{where}{states}"
    numbers = " ".join(f"{key} {value}" for key, value in unit["characteristics"].items())
    yield f"  {numbers}; {unit['base']}, {unit['height']:g} high; {', '.join(unit['keywords'])}"
    if unit["abilities"]:
        yield f"  {', '.join(unit['abilities'])}"
    for weapon in unit["weapons"]:
        yield f"  {_weapon_line(weapon)}"
    if unit["where"] == "table":
        yield f"  at {' '.join(_at(model['at']) for model in unit['models'])}"
    full = unit["characteristics"].get("W", 1)
    hurt = [f"model {i} {m['wounds']}" for i, m in enumerate(unit["models"]) if m["wounds"] < full]
    if hurt:
        yield f"  wounds left: {', '.join(hurt)}"
    closest = unit.get("closest_enemy")
    if closest:
        seen = "in sight" if closest["visible"] else "out of sight"
        yield f"  closest enemy {closest['id']}, {closest['inches']:.2f} away, {seen}"
    if unit["not_simulated"]:
        yield f"  not simulated: {', '.join(unit['not_simulated'])}"


def _weapon_line(weapon: Plain) -> str:
    skill = "" if weapon["skill"] is None else f" {weapon['skill']}+"
    far = "melee" if weapon["range"] == "melee" else f"{weapon['range']:g}″"
    words_ = f" [{', '.join(weapon['keywords'])}]" if weapon["keywords"] else ""
    return (
        f"{weapon['count']} × {weapon['name']}: {far}, A {weapon['A']}{skill}, S {weapon['S']}, "
        f"AP {weapon['AP']}, D {weapon['D']}{words_}"
    )


def _to_come(scenario: Scenario) -> Iterator[str]:
    """Yield what the file says of dice, answers and expectations."""
    for spawn in scenario.spawn:
        late = next(unit for unit in scenario.unit if unit.id == spawn.unit)
        kind_of = f" ({late.datasheet})" if late.datasheet else ""
        yield f"Spawn {spawn.zone}: {late.id}{kind_of}, models: {late.size or 1}"
    for kind, dice in scenario.dice.items():
        yield f"Dice {kind}: {', '.join(map(str, dice))}"
    for answer in scenario.answer:
        told = answer.model_dump(exclude_defaults=True)
        yield f"Answer: {', '.join(f'{key} = {value!r}' for key, value in told.items())}"
    for expect in scenario.expect:
        yield f"Expect: {expect.that or said(expect)}"
