"""The game systems that can be played: their rulesets, and the beginning of a battle."""

from __future__ import annotations

from typing import Any

from datasheets.errors import unknown
from datasheets.library import Library
from engine.core.header import check_header
from engine.horde import setup
from engine.horde.ruleset_1_1 import HORDE_1_1
from engine.horde.setup import Options
from engine.records.rulebook import Rulebook
from engine.w40k.battle import Battle
from engine.w40k.edition import Edition

RULESETS: dict[str, Edition[Battle]] = {HORDE_1_1.id: HORDE_1_1}


def ruleset_of(name: str) -> Edition[Battle]:
    """Return a ruleset by its id. Raises UnknownName where there is none."""
    if name not in RULESETS:
        raise unknown(name, RULESETS, "ruleset")
    return RULESETS[name]


def new_game(options: Options, library: Library) -> Battle:
    """Return a battle at its first question. Raises HordeError for what cannot be played."""
    return setup.new_battle(options, ruleset_of(options.ruleset), library)


def header_of(options: Options, library: Library) -> dict[str, Any]:
    """Return everything that a battle is made from; the seed draws what was left open."""
    return setup.header_of(options, ruleset_of(options.ruleset), library)


def rulebook_of(header: dict[str, Any], library: Library) -> tuple[Edition[Battle], Rulebook]:
    """Return the ruleset under the rulings of a battle, and the battle's rule records.

    The rulings set the parameters.
    """
    return setup.rulebook_of(header, ruleset_of(str(header.get("ruleset"))), library)


def begin(header: dict[str, Any], library: Library, source: str = "") -> Battle:
    """Return the battle of a header at its first question.

    `source` names the file that the header was read from: its keys are checked first. Raises BadData for
    the first key that is wrong, UnknownName for a ruleset that there is not.
    """
    if source:
        check_header(header, source)
    return setup.from_header(header, ruleset_of(str(header.get("ruleset"))), library)
