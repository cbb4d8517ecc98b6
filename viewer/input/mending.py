"""Setting up anew a unit that stands: its answer is changed, all later ones stay.

It works on the battle of a seat at the window, before the first round. The later answers stay as they were
as long as they are legal; from the first that is not on, the person is asked again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.core.log import AnswerLine, BecauseLine, reasons_of
from engine.core.request import AnyAnswer, AnyRequest, Chosen, Place, Places
from viewer.input.reading import Misread
from viewer.input.setting_up import FIELD, RESERVES, placed_by
from viewer.input.wish import answer_of

if TYPE_CHECKING:
    from viewer.input.seat import Seated


def mend(seated: Seated, unit: str, line: str) -> str:
    """Set a unit up where a line says; return why it could not be, "" where it was."""
    known = seated.game.state.position.units.get(unit)
    given = placed_by(list(seated.game.answers), known.rows) if known is not None else None
    if given is None or known is None or not seated.is_asked_for(given):
        return "It is not yours to set up anew"
    later = [each for each in seated.game.answers if each.answer >= given.answer]
    reasons = reasons_of(seated.game.lines)
    unasked = seated.take_back_to(given.answer)
    request = seated.game.pending
    assert request is not None
    answer, fault = _wanted(seated, request, line)
    if answer is None:
        seated.give_again(given, reasons.get(given.answer))
    else:
        seated.give_instead(given.seat, answer)
    _again(seated, later[1:], reasons)
    seated.keep_unasked(unasked)
    return fault


def into_reserves(seated: Seated, unit: str) -> bool:
    """Keep a unit in reserves whose place is asked for; return whether it may be."""
    answers = list(seated.game.answers)
    last = next((line for line in reversed(answers) if line.decision in ("deploy", "redeploy")), None)
    pending = seated.game.pending
    if last is None or not isinstance(pending, Place) or pending.unit != unit:
        return False
    unasked = seated.take_back_to(last.answer)
    request = seated.game.pending
    options = {option.id for option in getattr(request, "options", ())}
    where = RESERVES if RESERVES in options else FIELD
    seated.give_instead(last.seat, Chosen(ids=(where,)))
    seated.keep_unasked(unasked - {last.answer})
    return where == RESERVES


def _wanted(seated: Seated, request: AnyRequest, line: str) -> tuple[AnyAnswer | None, str]:
    """Return the set-up that a line means, or None and what is wrong with it."""
    view = seated.views[request.seats[0]]
    try:
        answer = answer_of(view, request, line)
    except Misread as fault:
        return None, str(fault)
    faults = view.faults(request, answer)
    if faults:
        return None, f"That may not be: {faults[0]}"
    if isinstance(request, Place) and isinstance(answer, Places) and len(answer.poses) < len(request.rows):
        return None, "Not all its models find a place there"
    return answer, ""


def _again(seated: Seated, lines: list[AnswerLine], reasons: dict[int, BecauseLine]) -> None:
    """Give answers again, up to the first that fits the question no more."""
    for line in lines:
        request = seated.game.pending
        if request is None or line.seat not in request.seats or line.decision != request.decision:
            return
        if seated.views[line.seat].faults(request, line.value):
            return
        seated.give_again(line, reasons.get(line.answer))
