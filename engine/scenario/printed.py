"""A unit of a scenario as its datasheet prints it, or what is left of one.

Owns how the faults of a datasheet's unit are named by the keys of the file. What the unit states of itself
goes over it: that is `engine.scenario.unit`'s.
"""

from __future__ import annotations

from collections import Counter
from typing import Literal

from msgspec.structs import replace

from datasheets.errors import BadData, UnknownName
from datasheets.library import Library
from datasheets.scenario import Unit
from datasheets.schema import RosterUnit
from engine.core.facts import HORDE, PLAYERS, ModelFacts, UnitFacts
from engine.w40k.muster import muster, roster_part


def printed(
    library: Library, rules: dict[str, tuple[str, ...]], unit: Unit, path: str, key: str
) -> UnitFacts:
    """Return the facts of a datasheet's unit, its models' rows from 0 on.

    With fewer models than the datasheet allows it is what is left of its smallest unit. `rules` gives the
    rule records of each datasheet; `path` and the unit's `key` name it in faults. Raises BadData.
    """
    try:
        fewest = library.datasheet(unit.datasheet).unit_size.minimum
    except UnknownName as fault:
        raise BadData(path, f"{key}.datasheet", str(fault)) from None
    size = max(unit.size, unit.starting_models or 0) if unit.size else fewest
    asked = RosterUnit(id=unit.id, datasheet=unit.datasheet, models=max(size, fewest), wargear=unit.wargear)
    try:
        part = roster_part(library, asked)
    except BadData as fault:
        raise BadData(path, f"{key}.{fault.key}", fault.mend) from None
    except UnknownName as fault:
        raise BadData(path, f"{key}.wargear", str(fault)) from None
    side: Literal["horde", "players"] = HORDE if unit.side == HORDE else PLAYERS
    facts = muster(
        unit.id, [part], side=side, player=unit.side, first_row=0, bracket=unit.bracket, rules=rules
    )
    return replace(facts, models=_left(facts.models, size))


def _left(models: tuple[ModelFacts, ...], size: int) -> tuple[ModelFacts, ...]:
    """Return `size` of the models: of the kind that there are most of, the last have fallen."""
    left = list(models)
    while len(left) > size:
        kinds = Counter((model.name, model.weapons) for model in left)
        most = max(kinds, key=lambda kind: kinds[kind])
        left.remove(next(m for m in reversed(left) if (m.name, m.weapons) == most))
    return tuple(replace(model, row=row) for row, model in enumerate(left))
