"""The additions of an edition to a ruleset: parameters and the language of records."""

from __future__ import annotations

from typing import Generic

from engine.core.ruleset import B, Ruleset
from engine.records.language import Language
from engine.w40k.parameters import Parameters

SILENT = Language()
"""The language of a ruleset without rule records."""


class Edition(Ruleset[B], Generic[B], frozen=True, kw_only=True):
    """A ruleset that plays on bases and terrain by an edition's parameters."""

    parameters: Parameters
    language: Language = SILENT
