"""The Horde in the order in which its units act in a phase: done, now, next.

Where the log goes farther than the moment shown, it tells which unit comes next; else nobody knows it yet.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from engine.core import event as ev
from engine.core.state import State
from viewer.story.aftermath import Toll
from viewer.story.chronicle import Chronicle
from viewer.story.motion import length, polyline
from viewer.story.name import count, inches, phase_name, plain, short_name, unit_name
from viewer.story.roster import Section
from viewer.story.source import Reason

_ACTING = ("movement", "shooting", "charge", "fight")
_DOES = {"shoot": "shoots", "fight": "fights", "charge": "charges", "path": "moves", "move": "moves"}
ORDINALS = {1: "1st", 2: "2nd", 3: "3rd"}


def _stretch(chronicle: Chronicle, cursor: int) -> tuple[int, int]:
    """Return where the phase of a moment begins, and where it ends as far as the log goes."""
    before = [stop.cursor for stop in chronicle.phases if stop.cursor <= cursor]
    after = [stop.cursor for stop in chronicle.phases if stop.cursor > cursor]
    return (before[-1] if before else 0), (after[0] if after else len(chronicle))


def acting_order(chronicle: Chronicle, cursor: int, state: State) -> list[tuple[int, str]]:
    """Return the units of the side whose turn it is as they are selected, each with its entry."""
    first, last = _stretch(chronicle, cursor)
    found: dict[str, int] = {}
    for index in range(first, last):
        entry = chronicle.entries[index]
        if isinstance(entry, ev.Marked) and entry.key in (f"selected:{state.phase}", "fought"):
            unit = state.position.units.get(entry.on.removeprefix("unit:"))
            if unit is not None and unit.side == state.turn:
                found.setdefault(unit.id, index)
    return [(index, unit) for unit, index in found.items()]


def place_words(chronicle: Chronicle, cursor: int, state: State, unit: str) -> str:
    """Return which unit of its side it is that acts: "3rd of 4 Horde units"."""
    order = [each for _, each in acting_order(chronicle, cursor, state)]
    whole = max(len(state.position.on_table("horde")), len(order))
    if unit not in order or state.turn != "horde":
        return ""
    nth = order.index(unit) + 1
    return f"{ORDINALS.get(nth, f'{nth}th')} of {count(whole, 'Horde unit')}"


def does(reason: Reason) -> str:
    """Return what a unit does by a decision, in a word."""
    return _DOES.get(reason.decision, plain(reason.decision))


def in_order(
    sections: Sequence[Section],
    chronicle: Chronicle,
    cursor: int,
    state: State,
    acting: Reason | None,
    tolls: dict[str, Toll],
) -> tuple[Section, ...]:
    """Return a roster's sections with the Horde first and in its order, while it is its turn."""
    horde = next((each for each in sections if each.title == "Horde"), None)
    if horde is None or state.turn != "horde" or state.phase not in _ACTING:
        return tuple(sections)
    rows = {row.unit: row for row in horde.rows}
    order = acting_order(chronicle, cursor, state)
    begun = [unit for index, unit in order if index < cursor and unit in rows]
    is_own = acting is not None and acting.unit in rows
    now = acting.unit if acting is not None and is_own else begun[-1] if acting is not None and begun else ""
    first, _ = _stretch(chronicle, cursor)
    done = [unit for index, unit in order if index < cursor and unit != now and unit in rows]
    ahead = [unit for index, unit in order if index >= cursor and unit != now and unit in rows]
    shown = []
    for unit in done:
        note = deeds(chronicle, first, cursor, unit, state)
        shown.append(replace(rows[unit], note=note or rows[unit].note, badge="done", dim=True))
    if now and acting is not None:
        note = _doing(acting, state) if is_own else deeds(chronicle, first, cursor, now, state)
        shown.append(replace(rows[now], note=note, badge="", tag="now", dim=False))
    shown += [replace(rows[u], badge="", tag="next" if u == ahead[0] else "", dim=False) for u in ahead]
    listed = {row.unit for row in shown}
    shown += [replace(row, badge="", dim=False) for row in horde.rows if row.unit not in listed]
    title = Section("Horde, in its order", phase_name(state.phase).lower(), "horde", tuple(shown))
    others = [_with_tolls(each, tolls) for each in sections if each is not horde]
    return (title, *others)


def _with_tolls(section: Section, tolls: dict[str, Toll]) -> Section:
    """Return a section whose units tell what they have just lost."""
    rows = []
    for row in section.rows:
        toll = tolls.get(row.unit)
        lost = (toll.models or toll.wounds) if toll is not None else 0
        rows.append(replace(row, tag=f"−{lost}", badge="") if lost else row)
    return replace(section, rows=tuple(rows))


def _doing(reason: Reason, state: State) -> str:
    """Return what a unit does just now, and at whom."""
    target = next((each.target for each in reason.because if each.target in state.position.units), "")
    named = f" {short_name(unit_name(state, target))}" if target and target != reason.unit else ""
    word = does(reason)
    return f"{word} toward{named}" if named and word == "moves" else f"{word}{named}"


def deeds(chronicle: Chronicle, first: int, cursor: int, unit: str, state: State) -> str:
    """Return what a unit did in a stretch: how far it moved, whom it attacked, wounds it dealt."""
    moved, wounds, targets, verb, attacked = 0.0, 0, dict[str, None](), "", ""
    for index in range(first, min(cursor, len(chronicle))):
        entry = chronicle.entries[index]
        if isinstance(entry, ev.Moved) and entry.unit == unit:
            starts = chronicle.starts.get(index, {})
            ways = [length(polyline(starts[row], entry.paths.get(row, ()))) for row in starts]
            moved = max([moved, *ways])
            verb = {"charge": "charged", "advance": "advanced"}.get(entry.kind_of_move, "moved")
        elif isinstance(entry, ev.Targeted) and entry.unit == unit:
            targets |= dict.fromkeys(shot.target for shot in entry.shots)
            attacked = "struck" if entry.melee else "shot"
        elif isinstance(entry, ev.Damaged) and entry.by == unit:
            wounds += entry.amount
    if targets:
        names = [short_name(unit_name(state, each)) for each in targets]
        at = names[0] if len(names) == 1 else f"{len(names)} units"
        return f"{attacked} {at} · {count(wounds, 'wound')}"
    return f"{verb} {inches(moved)}" if moved >= 0.05 else "stayed put"
