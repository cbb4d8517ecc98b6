"""What the sources do not print: the footprints of hulls without a base, and how tall models are.

Every number here is our own estimate and is marked so in the data.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from datasheets.schema import BaseSize

HULLS: tuple[tuple[str, tuple[float, float]], ...] = (
    ("rhino", (4.5, 3.0)),
    ("razorback", (4.5, 3.0)),
    ("predator", (4.5, 3.0)),
    ("vindicator", (4.5, 3.0)),
    ("whirlwind", (4.5, 3.0)),
    ("hunter", (4.5, 3.0)),
    ("stalker", (4.5, 3.0)),
    ("land raider", (6.5, 4.2)),
    ("terminus ultra", (6.5, 4.2)),
    ("plagueburst crawler", (4.7, 3.9)),
    ("miasmic malignifier", (5.0, 3.5)),
    ("drop pod", (4.7, 4.7)),
    ("hammerfall bunker", (5.0, 3.9)),
    ("tarantula", (2.0, 2.0)),
    ("thunderfire cannon", (2.8, 2.0)),
    ("techmarine gunner", (1.6, 1.6)),
    ("invader atv", (4.1, 2.6)),
    ("attack bike", (3.1, 2.3)),
    ("bike", (2.9, 1.0)),
    ("hierophant", (11.0, 8.0)),
)
"""Length and width in inches by a word of the model's name, the first that fits."""

BASES: dict[str, float] = {
    "the red terror": 60,
    "tyranid prime with lash whip": 50,
    "lieutenant titus": 40,
    "ferren areios": 40,
}
"""Round bases in mm of datasheets that no base list names yet, by our estimate from like models."""

ORDINARY_HEIGHT = 2.5
SWARM_HEIGHT = 1.0


def hull(model: str) -> BaseSize | None:
    """Return the estimated footprint of a hull by the name of its model or datasheet."""
    name = model.lower()
    for word, (length, width) in HULLS:
        if word in name:
            return BaseSize(shape="hull", inches=(length, width), estimated=True)
    return None


def missing_base(datasheet: str) -> BaseSize | None:
    """Return the estimated round base of a datasheet that no list of bases names."""
    name = datasheet.lower().removesuffix(" [legends]")
    return BaseSize(shape="round", mm=(BASES[name],), estimated=True) if name in BASES else None


def from_wounds(row: Mapping[str, Any]) -> BaseSize:
    """Return a footprint estimated from the Wounds of a datasheet whose model is in no table."""
    wounds = max(int(re.sub(r"\D", "", profile["W"]) or 1) for profile in row["profiles"])
    if not {"VEHICLE", "MONSTER", "FORTIFICATION"} & {word.upper() for word in row["keywords"]}:
        return BaseSize(shape="round", mm=(32.0 if wounds < 3 else 40.0,), estimated=True)
    length = round(min(14.0, 2.0 + 0.22 * wounds), 1)
    return BaseSize(shape="hull", inches=(length, round(0.7 * length, 1)), estimated=True)


def height(base: BaseSize, keywords: Sequence[str]) -> float:
    """Return how tall a model stands, in inches, for sight: an estimate from its base and keywords.

    A SWARM is 1" tall; a MONSTER or VEHICLE is 1" and one and a half times its base's mean radius, from
    2.5" to 8"; every other model is 2.5".
    """
    if "SWARM" in keywords:
        return SWARM_HEIGHT
    if "MONSTER" in keywords or "VEHICLE" in keywords:
        mean_radius = sum(base.size) / 4
        return round(min(8.0, max(ORDINARY_HEIGHT, 1 + 1.5 * mean_radius)), 1)
    return ORDINARY_HEIGHT
