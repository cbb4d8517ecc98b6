"""How the terrain and the keywords of an edition bear on sight.

Owns this mapping and nothing else; sight across the table is `engine.table.screens`'s.
"""

from __future__ import annotations

from operator import methodcaller

from engine.core.state import Unit
from engine.table.edition import Vision
from engine.w40k.ground.terrain import piece
from engine.w40k.parameters import Parameters

BIG = ("MONSTER", "VEHICLE")
"""The models that close lines of sight where models do. Rule: S.L21"""


def vision_of(parameters: Parameters) -> Vision:
    """Return the rules of sight of an edition with these parameters. Rule: CORE.TER.6"""
    return Vision(
        screen_of=piece,
        sees_over=methodcaller("has", "AIRCRAFT"),
        sees_out=methodcaller("has", "TOWERING"),
        blocks=_is_big if parameters.models_block else None,
    )


def _is_big(unit: Unit) -> bool:
    return any(map(unit.has, BIG))
