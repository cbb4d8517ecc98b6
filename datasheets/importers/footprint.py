"""What models stand on where no source prints it, and how tall they are.

The numbers stand in `footprints.toml`. Every one is our own estimate and is marked so in the data.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from datasheets.errors import BadData
from datasheets.importers.naming import plain
from datasheets.importers.tables import table
from datasheets.schema import BaseSize

ORDINARY_HEIGHT = 2.5
SWARM_HEIGHT = 1.0


@cache
def _by_name() -> Mapping[str, Mapping[str, Any]]:
    return {plain(name): entry for entry in table("footprints")["footprint"] for name in entry["names"]}


def _entry(*names: str) -> Mapping[str, Any]:
    """Return the table's entry for the first of the names that has one."""
    return next((_by_name()[plain(name)] for name in names if plain(name) in _by_name()), {})


def footprint(model: str, datasheet: str) -> BaseSize:
    """Return the estimated base or hull of a model, by its name or that of its datasheet.

    Raises BadData where the table has neither.
    """
    for entry in (_entry(model), _entry(datasheet)):
        if "inches" in entry:
            return BaseSize(shape="hull", inches=tuple(map(float, entry["inches"])), estimated=True)
        if "mm" in entry:
            shape = "round" if len(entry["mm"]) == 1 else "oval"
            return BaseSize(shape=shape, mm=tuple(map(float, entry["mm"])), estimated=True)  # type: ignore[arg-type]
    raise BadData("footprints.toml", datasheet, f"no source has a base for '{model}'; estimate it here")


def height(model: str, datasheet: str, base: BaseSize, keywords: Sequence[str]) -> float:
    """Return the height of a model in inches: the table's, else from its base and keywords.

    A SWARM is 1" tall; a MONSTER or VEHICLE is 1" and one and a half times its base's mean radius, from
    2.5" to 8"; every other model is 2.5".
    """
    known = _entry(model, datasheet).get("height")
    return float(known) if known is not None else height_of_base(base, keywords)


def height_of_base(base: BaseSize, keywords: Sequence[str]) -> float:
    """Return how tall a model with such a base and keywords is taken to be, in inches."""
    if "SWARM" in keywords:
        return SWARM_HEIGHT
    if "MONSTER" in keywords or "VEHICLE" in keywords:
        mean_radius = sum(base.size) / 4
        return round(min(8.0, max(ORDINARY_HEIGHT, 1 + 1.5 * mean_radius)), 1)
    return ORDINARY_HEIGHT
