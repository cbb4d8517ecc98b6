"""`horde settings`: which questions are put to a person, and how the window looks.

Owns the list and the change that a person types; the rules are `viewer.input.settings`', the wishes
`viewer.input.preferences`'.
"""

from __future__ import annotations

import json
import sys

from datasheets.errors import HordeError
from viewer.commands.sheet_text import table
from viewer.input.gate import Gate
from viewer.input.preferences import WISHES, Preferences, keep_preferences, load_preferences
from viewer.input.settings import Rules, keep_rules, load_rules, settings_path
from viewer.input.stops import NAMED, Kind

RESET = "reset"
"""The word that puts all settings back to the default ones."""
WINDOW = "window"
"""The word for what the person wishes of the window, to be printed alone."""


def gate(*, ask_all: bool) -> Gate:
    """Return what decides which questions are put: all of them, or by the user's settings."""
    return Gate(None if ask_all else load_rules())


def settings(kind: str, words: list[str], as_json: bool) -> None:
    """Print rules and wishes; with a name and its words change and keep one of them first."""
    if kind == RESET:
        if words:
            raise HordeError("'reset' puts everything back to the default; it takes no other word.")
        keep_rules(Rules())
        keep_preferences(Preferences())
    elif kind == WINDOW:
        if words:
            raise HordeError(f"Say which of {', '.join(WISHES)} is to change; 'window' tells them all.")
        _tell_window(load_preferences(), as_json)
        return
    elif kind in WISHES:
        keep_preferences(load_preferences().changed(kind, words))
    elif kind:
        keep_rules(load_rules().changed(kind, words))
    rules, wishes = load_rules(), load_preferences()
    if as_json:
        told = {name: _row(rules, each) for name, each in NAMED.items()}
        sys.stdout.write(json.dumps(told, indent=1) + "\n")
        return
    sys.stdout.write("\n".join(_lines(rules, wishes)) + "\n")


def _tell_window(wishes: Preferences, as_json: bool) -> None:
    """Print what holds for the window."""
    if not as_json:
        sys.stdout.write("\n".join(_wish_lines(wishes)) + "\n")
        return
    default = Preferences().as_dict()
    told = {
        name: {"what": WISHES[name].what, "value": value, "default": default[name]}
        for name, value in wishes.as_dict().items()
    }
    sys.stdout.write(json.dumps(told, indent=1) + "\n")


def _wish_lines(wishes: Preferences) -> list[str]:
    rows = [("window", "is", "may be")]
    rows += [(name, str(value), WISHES[name].choices) for name, value in wishes.as_dict().items()]
    return [line.rstrip() for line in table(rows)]


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


def _lines(rules: Rules, wishes: Preferences) -> list[str]:
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
        "",
        *_wish_lines(wishes),
        "",
        f"Kept in: {path if path is not None else 'no file'}",
    ]
