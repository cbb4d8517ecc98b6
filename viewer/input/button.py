"""What may be pressed at a question: the line of each button, its words, its key.

The first button is the main one. What a line does is `viewer.input.answering`'s; nothing is drawn here.
"""

from __future__ import annotations

from typing import NamedTuple

from engine.core.request import AnyRequest, Choose, Move, Place, Split
from engine.w40k.activation.turn_taking import DONE
from engine.w40k.view import View
from viewer.input.orders import END, REST
from viewer.input.question import CLOSING
from viewer.input.unit_order import ADVANCE, STAY, UNIT, ready

AS_SUGGESTED = ("Take the suggestion", "Answer")
"""The words of the main button: with an empty line, and with one."""
WHY = "why"
_NOT_DONE = {"movement": "moved", "shooting": "shot", "charge": "charged", "fight": "fought"}
_STAYS = {"shooting": "Hold fire", "charge": "No charge"}


class Button(NamedTuple):
    """A button: the line that it stands for, what is written on it, and its key."""

    line: str
    words: str
    key: str = ""


def phase_buttons(view: View, request: AnyRequest, unit: str) -> list[Button]:
    """Return the buttons of an open phase: its end first, then what the next unit does."""
    units = ready(request)
    found = [Button(f"{unit} {UNIT}", "As suggested", "G")]
    if isinstance(request, Choose) and any(option.id == DONE for option in request.options):
        deed = _NOT_DONE.get(view.phase, "acted")
        found.insert(0, Button(END, f"End {view.phase} · {len(units)} not {deed}", "End"))
    if view.phase != "fight":
        found.append(Button(f"{unit} {STAY}", _STAYS.get(view.phase, "Stay"), "S"))
    if view.phase == "movement" and _may_advance(view, unit):
        found.append(Button(f"{unit} {ADVANCE}", "Advance", "A"))
    return found


def phase_menu() -> list[Button]:
    """Return the buttons of an open phase that stand in its menu alone."""
    return [Button(REST, "Rest of the phase as suggested", "Shift End"), Button(WHY, "Why this is suggested")]


def _may_advance(view: View, unit: str) -> bool:
    choice = view.foreseen(view.unit(unit)) if unit else None
    return isinstance(choice, Choose) and any(option.id == ADVANCE for option in choice.options)


def question_buttons(
    request: AnyRequest, *, line: str, flies: bool, has_options: bool, by_weapon: bool
) -> list[Button]:
    """Return the buttons of a question; `by_weapon` says that weapons are declared one by one."""
    found = [Button("", AS_SUGGESTED[bool(line)], "Enter")]
    if flies:
        found.append(Button("leave", "Leave the board"))
    elif isinstance(request, Move):
        found += [Button("toward enemy", CLOSING[request.kind])] if request.kind in CLOSING else []
        found.append(Button("stay", "Stay", "S"))
    elif isinstance(request, Split):
        found += [] if by_weapon else [Button("each", "Weapon by weapon", "X")]
        found.append(Button("none", "None", "S"))
    elif (isinstance(request, Choose) and not request.minimum) or (
        isinstance(request, Place) and request.optional
    ):
        found.append(Button("none", "None"))
    elif not has_options and not isinstance(request, Place):
        found += [Button("yes", "Yes"), Button("no", "No")]
    return [*found, Button(WHY, "Why?")]
