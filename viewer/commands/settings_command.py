"""`horde settings`: which kinds of question are put to a person, and from which worth on.

Owns the list and the change that a person types; the rules are `viewer.input.settings`'.
"""

from __future__ import annotations

import json
import sys

from datasheets.errors import HordeError
from viewer.commands.sheet_text import table
from viewer.input.gate import Gate
from viewer.input.settings import Rules, keep_rules, load_rules, settings_path
from viewer.input.stops import NAMED, Kind
from viewer.input.undoing import Reach

RESET = "reset"
"""The word that puts all settings back to the default ones."""
REACH_TOLD: dict[Reach, str] = {
    "last-roll": "to the last roll or revealed card; 'horde settings undo=free' lets it go farther",
    "free": "as far as you like, and the replay says so",
}
"""How far undo goes, in words."""


def gate(*, ask_all: bool) -> Gate:
    """Return what decides which questions are put: all of them, or by the user's settings."""
    return Gate(None if ask_all else load_rules())


def settings(kind: str, words: list[str], as_json: bool) -> None:
    """Print the rules; with a kind and its rule or threshold change and keep them first.

    A kind and a rule may be written in one word, as "undo=free".
    """
    kind, _, first = kind.partition("=")
    words = [first, *words] if first else words
    if kind == RESET:
        if words:
            raise HordeError("'reset' puts everything back to the default; it takes no other word.")
        rules = Rules()
        keep_rules(rules)
    elif kind:
        rules = load_rules().changed(kind, words)
        keep_rules(rules)
    else:
        rules = load_rules()
    if as_json:
        told = {name: _row(rules, each) for name, each in NAMED.items()}
        sys.stdout.write(json.dumps(told, indent=1) + "\n")
        return
    sys.stdout.write("\n".join(_lines(rules)) + "\n")


def _row(rules: Rules, kind: Kind) -> dict[str, object]:
    """Return what holds for a kind, as plain data."""
    return {
        "what": kind.what,
        "asked": rules.asking(kind),
        "matters": kind.when,
        "threshold": rules.threshold(kind) if kind.threshold is not None else None,
        "default": kind.asking,
        "unasked": "declined" if kind.declines else "as suggested",
    }


def _lines(rules: Rules) -> list[str]:
    rows = [("question", "asked", "threshold", "else")]
    for kind in NAMED.values():
        threshold = f"{rules.threshold(kind):g}" if kind.threshold is not None else ""
        rows.append(
            (kind.name, rules.asking(kind), threshold, "declined" if kind.declines else "as suggested")
        )
    words = [
        f"  {kind.name}: {kind.what}{f'; matters: {kind.when}' if kind.when else ''}"
        for kind in NAMED.values()
    ]
    path = settings_path()
    return [
        *(line.rstrip() for line in table(rows)),
        "",
        *words,
        "",
        "A question with one possible answer is never asked. A threshold of 1.5 is one and a half prices.",
        f"Undo goes back {REACH_TOLD[rules.undo]} (undo={rules.undo}).",
        f"Kept in: {path if path is not None else 'no file'}",
    ]
