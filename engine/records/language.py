"""The grammar of this program's rule records: its functions, names, things to select and verbs."""

from __future__ import annotations

from functools import lru_cache

from engine.horde import card_verbs as _deed  # noqa: F401 - enters its verbs into the list
from engine.records.context import VARIABLES
from engine.records.expression import Grammar
from engine.w40k.verbs import out_of_turn as _interruption  # noqa: F401 - and so does this
from engine.w40k.verbs.effects import VERBS
from engine.w40k.words.units import FUNCTIONS, KINDS


@lru_cache(maxsize=1)
def grammar() -> Grammar:
    """Return the grammar by which rules are checked as they are made ready."""
    return Grammar(FUNCTIONS, VARIABLES, KINDS, VERBS)


class _Trusting(Grammar):
    """The grammar for texts inside checked rules: their rule's own names are not known here."""

    def _check_name(self, name: str, own: frozenset[str]) -> None:
        """Take the name as it is."""


@lru_cache(maxsize=1)
def trusted() -> Grammar:
    """Return the grammar for selectors inside expressions that have been checked."""
    return _Trusting(FUNCTIONS, VARIABLES, KINDS, VERBS)
