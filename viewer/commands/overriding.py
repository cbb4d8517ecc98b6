"""The line that says at the beginning of a battle that overrides change its datasheets."""

from __future__ import annotations

import sys

from datasheets.dependency import OVERRIDES
from engine.core.game import Game
from engine.core.header import data_of


def tell_overrides(game: Game) -> None:
    """Say on standard error that overrides change datasheets of this battle, and from where."""
    overrides, path = game.library.overrides(), game.library.overrides_path
    if overrides is not None and OVERRIDES in data_of(game.origin, game.library):
        sys.stderr.write(f"Overrides of datasheets are in force: {path} ({overrides.source}).\n")
