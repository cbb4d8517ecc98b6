"""What an edition of the game adds to a ruleset: its parameters and its scheme of spawning."""

from __future__ import annotations

from typing import Generic

from engine.core.ruleset import B, Ruleset
from engine.w40k.parameters import Parameters


class Edition(Ruleset[B], Generic[B], frozen=True, kw_only=True):
    """A ruleset that plays on bases and terrain by an edition's parameters."""

    parameters: Parameters
    spawn_scheme: str = "d12_matched"
