"""Why not X? For any unit, objective marker, edge or option, what kept a decision from it.

Reads the decision's own record first; where that does not name the thing, it tells why it was no candidate.
"""

from __future__ import annotations

from collections.abc import Iterable

from ai.reasons.condition import NOT_VISIBLE
from datasheets.errors import unknown
from engine.core.request import Because
from engine.core.state import Unit
from engine.scenario.decision import FAMILY, KNOWN
from viewer.story.account import grouped, option_name, told
from viewer.story.name import Known, inches, listed, plain, seat_name, unit_name
from viewer.story.reasoning import reason_sentence
from viewer.story.source import Reason
from viewer.story.vantage import Vantage

EDGES = ("defender-edge", "horde-edge")
FAMILIES = {"move": "movement", "shoot": "shooting", "charge": "charge"}
"""Which of the scenarios' families of options a decision chooses from."""


IDLE = {"charge": "no-charge", "shoot": "no-shot", "fight": "no-fight"}
"""What a decision is called that falls on nothing."""


def thing_of(state: Known, name: str, others: Iterable[str] = ()) -> str:
    """Return the id of a unit, objective, edge or option by its id or name. Raises UnknownName."""
    known = [*state.position.units, *state.position.objectives, *EDGES, *KNOWN, *others]
    names = {option_name(state, id_).lower(): id_ for id_ in reversed(known)}
    plain_names = {plain(id_).lower(): id_ for id_ in reversed(known)}
    ids = {id_.lower(): id_ for id_ in known}
    wanted = name.strip().lower().replace("_", " ")
    for table in (ids, names, plain_names):
        if wanted in table:
            return table[wanted]
    raise unknown(name, (*ids.values(), *(option_name(state, i) for i in known)), "unit, objective or option")


def why_not(reason: Reason, thing: str, state: Known) -> list[str]:
    """Return why a decision did not fall on a thing, in at least one line.

    `state` is that of the moment of the decision.
    """
    recorded = on_record(reason, thing, state)
    name = _capital(option_name(state, thing))
    return recorded or [f"{name} was no candidate: {_no_candidate(reason, thing, state)}."]


def on_record(reason: Reason, thing: str, state: Known) -> list[str]:
    """Return what a decision's record says of a thing: chosen, or what it failed first."""
    return _chosen(reason, thing, state) or _rejected(reason, thing, state)


def concerns(reason: Reason, thing: str, state: Known) -> bool:
    """Return whether a decision of this kind could have fallen on a thing.

    Whether the thing was a candidate does not count.
    """
    if reason.is_minor:
        return False
    if any(thing in family for family in FAMILY.values()):
        return thing in FAMILY.get(FAMILIES.get(reason.decision, ""), ())
    if thing in state.position.objectives or thing in EDGES:
        return reason.decision in ("move", "consolidate")
    return True


def phase_of(option: str) -> str:
    """Return the phase in which an option may be taken; "" where no phase asks for it."""
    return next((phase for phase, family in FAMILY.items() if option in family), "")


def never_asked(unit: Unit, option: str, state: Known) -> str:
    """Return why a unit is not asked about an option in the phase that begins.

    The reason is the first of several that the position shows; there may be others.
    """
    vantage, name = Vantage(state, unit), unit_name(state, unit.id)
    near = vantage.nearest()
    if unit.where != "table":
        why = "it is not on the battlefield"
    elif near is None:
        why = "there is no enemy"
    elif phase_of(option) == "charge" and vantage.is_engaged:
        why = "it is in combat"
    elif phase_of(option) == "charge" and near > vantage.charge_range:
        why = f"no enemy is within {inches(vantage.charge_range)}, the closest is {inches(near)} away"
    else:
        marks = [plain(mark) for mark in ("advanced", "fell-back") if mark in unit.marks]
        none = f"nothing that it may choose is there; an enemy is {inches(near)} away"
        why = f"it {' and '.join(marks)}" if marks else none
    return f"{name} is not asked about it in this {phase_of(option)} phase: {why}."


def candidates_of(reasons: Iterable[Because]) -> list[str]:
    """Return the ids of all candidates, each once."""
    return list(dict.fromkeys(c.id for because in reasons for c in because.candidates))


def _chosen(reason: Reason, thing: str, state: Known) -> list[str]:
    aimed = [b for b in reason.because if b.target == thing and thing != reason.unit]
    named = [b for b in reason.because if any(c.id == thing and not c.failed for c in b.candidates)]
    why = list(dict.fromkeys((*aimed, *named)))
    falls = bool(reason.chosen) or any(b.target for b in reason.because)
    done = thing == (reason.decision if falls else IDLE.get(reason.decision))
    if not why and (thing in reason.chosen or done):
        why = list(reason.because[-1:])
    name = _capital(option_name(state, thing))
    return [
        f"{name} was chosen. {b.clause}: {reason_sentence(b, state, reason.unit)}."
        for b in (alike[0] for alike in grouped(why))
    ]


def _rejected(reason: Reason, thing: str, state: Known) -> list[str]:
    """Return the first condition that a thing failed, for each clause that asked."""
    hidden = (
        Vantage(state, state.position.units[reason.unit]).hidden_by
        if reason.unit in state.position.units
        else None
    )
    lines: dict[str, None] = {}
    for alike in grouped((*reason.passed, *reason.because)):
        because = alike[0]
        same = [c for b in alike for c in b.candidates if c.id == thing and c.failed]
        if same:
            weapon = f" ({because.weapon})" if because.weapon else ""
            words = told(same[0], state, hidden, same) if hidden else told(same[0], state)
            lines[f"{because.clause}{weapon}: {_capital(words)}{_instead(because, state)}."] = None
    return list(lines)


def _instead(because: Because, state: Known) -> str:
    """Return what was chosen instead, with its distance where it has one."""
    found = next((c for c in because.candidates if not c.failed and c.id != because.target), None)
    found = next((c for c in because.candidates if c.id == because.target), found)
    if found is None or found.failed:
        return ""
    far = "" if found.distance is None else f", {inches(found.distance)}"
    return f"; {option_name(state, found.id)} was chosen{far}"


def _no_candidate(reason: Reason, thing: str, state: Known) -> str:
    unit = state.position.units.get(thing)
    settled = _settled(reason, state)
    if unit is not None and reason.decision == "fight" and unit.side != seat_side(reason, state):
        return f"no model may fight it from where it stands; {settled}"
    if unit is not None:
        return _no_target(reason, unit, state) or f"{_lies(reason, thing, state)}{settled}"
    if thing in state.position.objectives or thing in EDGES:
        return f"{_lies(reason, thing, state)}{settled}"
    family = FAMILY.get(FAMILIES.get(reason.decision, ""), ())
    if thing in family:
        return f"nothing asked for it; {settled}"
    return f"it is nothing that this decision ({plain(reason.decision)}) could fall on; {settled}"


def _no_target(reason: Reason, unit: Unit, state: Known) -> str:
    """Return why a unit cannot be what the decision falls on, "" where it might be."""
    if unit.id == reason.unit:
        return "it is the unit that decides"
    if unit.where != "table":
        where = {"reserves": "in reserves", "embarked": "aboard a transport"}.get(unit.where, unit.where)
        return f"it is {where} at that moment, not on the battlefield"
    side = seat_side(reason, state)
    if reason.decision == "next-unit":
        if unit.side != side:
            return f"it is {seat_name(state, unit.side)}', whose turn it is not"
        return "it has acted in this phase already, or has nothing to do in it"
    return "it is a friend" if unit.side == side else ""


def seat_side(reason: Reason, state: Known) -> str:
    """Return the side of the unit that decides, or of the seat where no unit does."""
    decides = state.position.units.get(reason.unit)
    return decides.side if decides is not None else "horde" if reason.seat == "horde" else "players"


def _lies(reason: Reason, thing: str, state: Known) -> str:
    """Return how far the thing is and whether it is seen, where that is known."""
    if reason.unit not in state.position.units:
        return ""
    vantage = Vantage(state, state.position.units[reason.unit])
    far = vantage.distance(thing)
    if far is None:
        return ""
    behind = vantage.hidden_by(thing)
    sight = f"{plain(NOT_VISIBLE)}, behind {listed(list(behind))}" if behind else "visible"
    return f"it is {inches(far)} away and {sight}, but "


def _settled(reason: Reason, state: Known) -> str:
    """Return what settled the decision."""
    if not reason.because:
        return "no reason is in the log"
    last = next((b for b in reason.because if b.target and b.target != reason.unit), reason.because[-1])
    return f"{last.clause} settled it: {reason_sentence(last, state, reason.unit)}"


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
