"""The words in which a question is put to a person in the terminal.

Owns the words only: what is asked, what is suggested, what stands near. It decides nothing and reads no
answer.
"""

from __future__ import annotations

from collections import Counter

import numpy as np

from datasheets.errors import UnknownName
from engine.core.facts import HORDE
from engine.core.request import (
    AnyAnswer,
    AnyRequest,
    Choose,
    Chosen,
    Move,
    Moves,
    Option,
    Order,
    Ordered,
    Place,
    Places,
    Said,
    Split,
    Splits,
)
from engine.core.state import Unit
from engine.w40k.view import View
from geometry.shape.base import Floats
from viewer.input.course import flight_told, told_of
from viewer.input.lookup import looked_up
from viewer.input.offer import worth_words
from viewer.input.stops import OFFER
from viewer.input.thinking import Advice, advised
from viewer.story.account import account
from viewer.story.knowledge import Knowledge
from viewer.story.name import Names, count, plain, unit_name
from viewer.story.shelf import shelf_lines
from viewer.story.source import Reason
from viewer.story.why_not import candidates_of, thing_of, why_not

CLOSING = {"charge": "Charge", "pile-in": "Pile in", "consolidate": "Consolidate", "surge": "Surge"}
"""Moves of which the rules say where they go."""
WHY_NOT = "why not "
FEW = 4
"""A question with at most this many options also says what each rule among them does."""
SIDES = {"horde": "the Horde", "players": "the players", "": "nobody"}


def question(view: View, request: AnyRequest) -> str:
    """Return what is asked: the moment, the question, and what may be chosen."""
    whose = {"horde": "the Horde's ", "players": "the players' "}.get(view.turn, "")
    when = f"Round {view.round}, {whose}{view.phase}" if view.round else "Set-up"
    when = f"{view.seat}: {when}" if len(view.players) > 1 else when
    return "\n".join([f"[{when}] {request.prompt} ({request.rule})", *_details(view, request)])


def _details(view: View, request: AnyRequest) -> list[str]:
    if isinstance(request, Choose) and request.decision == "purchase":
        told = shelf_lines(names_of(view), view.wares, view.players[view.seat].sp)
        return [*_numbered(labelled(view, request.options)), *(f"  {words}" for words in told)]
    if isinstance(request, Choose):
        few = summaries(view, request) if len(request.options) <= FEW else []
        few += [f"{worth_words(view, request)}."] if request.decision == OFFER else []
        return [*_numbered(labelled(view, request.options)), *(f"  {words}" for words in few)]
    if isinstance(request, Order):
        return _numbered(labelled(view, request.items))
    if isinstance(request, Split):
        targets = dict.fromkeys(target for line in request.lines for target in line.targets)
        return [f"  {i} {_near(view, request, name)}" for i, name in enumerate(targets, start=1)]
    if isinstance(request, Move) and request.least:
        return [f"  {told_of(view, view.unit(request.unit))}"]
    if isinstance(request, Move):
        far = max(request.limits.values(), default=0.0)
        into = " and ".join(view.unit(target).name for target in request.targets)
        return [f'  Up to {far:g}"{f", into contact with {into}" if into else ""}.']
    if isinstance(request, Place):
        boxes = [_box(area) for area in request.areas]
        clears = "other terrain" if request.piece is not None else "enemy"
        what = request.kind if request.rows == (-1,) else count(len(request.rows), "model")
        clear = f', more than {request.clear:g}" from every {clears}' if request.clear else ""
        others = [f'{far:g}" from {view.unit(name).name}' for name, far in request.apart.items() if far > 0]
        clear += f", more than {' and '.join(others)}" if others else ""
        return [f"  {what} within {'; or '.join(boxes) or 'the board'}{clear}."]
    return []


def summaries(view: View, request: AnyRequest) -> list[str]:
    """Return what each rule among the options does: cards, purchases, actions."""
    options = request.options if isinstance(request, Choose) else ()
    told = {option.label: view.rule_summary(option.id) for option in options}
    return [f"{label}: {words}" for label, words in told.items() if words]


def _numbered(options: tuple[Option, ...]) -> list[str]:
    return [f"  {i} {option.label}" for i, option in enumerate(options, start=1)]


def labelled(view: View, options: tuple[Option, ...]) -> tuple[Option, ...]:
    """Return options so labelled that those of the same name can be told apart."""
    often = Counter(option.label for option in options)
    return tuple(
        option if often[option.label] == 1 else Option(id=option.id, label=_apart(view, option))
        for option in options
    )


def _apart(view: View, option: Option) -> str:
    """Return an option's label with what sets it apart from options of the same label.

    For a unit this is its place; for a model, its place and the wounds that it has left; for anything else,
    its id.
    """
    rows = rows_of(view, option)
    if not rows:
        return f"{option.label} [{option.id}]"
    unit = view.unit(view.model(rows[0]).unit)
    where = _middle(np.array([view.at(row) for row in rows]))
    if option.id == unit.id:
        return f"{_unit(view, unit)} at {where}"
    return f"{option.label} at {where} ({count(view.wounds(rows[0]), 'wound')})"


def rows_of(view: View, option: Option) -> tuple[int, ...]:
    """Return the models on the table that an option stands for: a unit's, or the one of its row."""
    for unit in view.units():
        if option.id == unit.id:
            return unit.rows
        if option.id.isdigit() and int(option.id) in unit.rows:
            row = int(option.id)
            return (row,) if option.label.startswith(view.model(row).facts.name) else ()
    return ()


def _near(view: View, request: AnyRequest, name: str) -> str:
    far = view.gap(view.unit(request.unit), view.unit(name))
    return f'{_unit(view, view.unit(name))}, {far:.1f}" away'


def _box(area: tuple[tuple[float, float], ...]) -> str:
    low, high = np.min(area, axis=0), np.max(area, axis=0)
    return f"x {low[0]:g} to {high[0]:g}, y {low[1]:g} to {high[1]:g}"


def hint(request: AnyRequest) -> str:
    """Return what may be typed."""
    if isinstance(request, Choose):
        if request.maximum == 1:
            return "number" if request.minimum else "number, none"
        return f"numbers ({request.minimum} to {request.maximum})" + ("" if request.minimum else ", none")
    if isinstance(request, Order):
        return "numbers, the first first"
    if isinstance(request, Move):
        if request.kind in CLOSING:
            return "toward enemy, stay"
        return "ahead 24, ahead 24 turn 45, leave" if request.least else "toward X Y, toward NAME, away, stay"
    if isinstance(request, Place):
        turned = ", at X Y facing DEGREES" if request.piece is not None else ""
        return "at X Y, at NAME" + turned + (", none" if request.optional else "")
    if isinstance(request, Split):
        return "a target for all, each, none"
    return "yes, no"


def suggestion(view: View, request: AnyRequest, advice: AnyAnswer) -> str:
    """Return what the adviser would answer, in words."""
    if isinstance(advice, Chosen) and isinstance(request, Choose):
        return _labels(labelled(view, request.options), advice.ids)
    if isinstance(advice, Ordered) and isinstance(request, Order):
        return _labels(labelled(view, request.items), advice.ids)
    if isinstance(advice, Moves) and isinstance(request, Move):
        return flight_told(view, request, advice) if request.least else _moves(view, advice)
    if isinstance(advice, Places) and isinstance(request, Place):
        return places_told(request, advice)
    if isinstance(advice, Splits):
        return _shots(view, request, advice)
    return "yes" if isinstance(advice, Said) and advice.yes else "no"


def _labels(options: tuple[Option, ...], ids: tuple[str, ...]) -> str:
    labels = {option.id: option.label for option in options}
    return ", ".join(labels[one] for one in ids) or "none"


def _moves(view: View, advice: Moves) -> str:
    moving = [(view.at(row), legs[-1]) for row, legs in sorted(advice.paths.items()) if legs]
    if not moving:
        return "stay"
    before, after = np.array([a for a, _ in moving]), np.array([b[:2] for _, b in moving])
    return f"{count(len(moving), 'model')}, from about {_middle(before)} to about {_middle(after)}"


def places_told(request: Place, answer: Places) -> str:
    """Return where a set-up is, and how many models find a place if not all do."""
    if not answer.poses:
        return "none"
    where = f"about {_middle(np.array([pose[:2] for pose in answer.poses.values()]))}"
    some, whole = len(answer.poses), len(request.rows)
    return where if some >= whole else f"{where}, {some} of {count(whole, 'model')}"


def _middle(xy: Floats) -> str:
    x, y = xy.mean(axis=0)
    return f"{x:.1f} {y:.1f}"


def _shots(view: View, request: AnyRequest, advice: Splits) -> str:
    unit = view.unit(request.unit)
    groups = Counter((unit.weapon(shot.weapon).name, shot.target) for shot in advice.shots)
    told = [f"{n} × {weapon} at {view.unit(target).name}" for (weapon, target), n in groups.items()]
    return "; ".join(told) or "none"


def names_of(view: View) -> Names:
    """Return what the seat knows, for names to be looked up in it."""
    return Names(view.field.position, view.players, view.ruleset)


def reasons(view: View, advice: AnyAnswer) -> str:
    """Return why the adviser suggests it, a line for each reason."""
    told = [f"  {line}\n" for line in account(advice.because, advice.passed, names_of(view), "")]
    return "".join(told) or "  The adviser gives no reason for it.\n"


def aside(view: View, request: AnyRequest, advice: Advice, text: str, knowledge: Knowledge) -> str:
    """Return what a line asks for that is no answer, or "" where it asks for nothing.

    It may ask for the reasons of the advice, why not something else, what stands where, or to look something
    up.
    """
    word = text.lower()
    if word == "why":
        return reasons(view, advised(advice))
    if word.startswith(WHY_NOT):
        return told_instead(view, request, advised(advice), text[len(WHY_NOT) :].rstrip("? "))
    return surroundings(view, request) if word in ("?", "help") else looked_up(view, request, text, knowledge)


def told_instead(view: View, request: AnyRequest, advice: AnyAnswer, name: str) -> str:
    """Return why a thing is not suggested, and why the Horde's last decision was not for it."""
    state = names_of(view)
    own = Reason(0, view.seat, request.unit, request.decision, advice.because, advice.passed)
    others = candidates_of((*advice.because, *advice.passed))
    line = view.last_reasons(HORDE)
    if line is not None:
        others += candidates_of((*line.reasons, *line.passed))
    try:
        thing = thing_of(state, name, others)
    except UnknownName as fault:
        return f"  {fault}\n"
    told = [f"  What is suggested: {words}\n" for words in why_not(own, thing, state)] if own.because else []
    if line is not None:
        horde = Reason(line.because, line.seat, line.unit, line.decision, line.reasons, line.passed)
        who = f"{unit_name(state, line.unit)}, {plain(line.decision)}"
        told += [f"  The Horde's last ({who}): {words}\n" for words in why_not(horde, thing, state)]
    return "".join(told) or "  Nothing has been decided yet.\n"


def surroundings(view: View, request: AnyRequest) -> str:
    """Return the table as it bears on the question, and what the rule says."""
    here = next((unit for unit in view.units() if unit.id == request.unit), None)
    rows = [f"  {request.rule}: {view.rule_summary(request.rule)}"]
    rows += [f"  {words}" for words in summaries(view, request)]
    if here is not None:
        rows.append(f"  {_unit(view, here)} at {_middle(view.xy(here))}")
    foes = [unit for unit in view.units() if unit.side == "horde"]
    own = [unit for unit in view.units() if unit.side != "horde" and unit is not here]
    for title, units in (("Enemies", foes), ("Friends", own)):
        if units:
            rows.append(f"  {title}:")
            rows += [f"    {_told(view, here, unit)}" for unit in _by_distance(view, here, units)]
    rows.append("  Objectives:")
    for name, marker in view.objectives.items():
        far = "" if here is None else f', {view.field.closest_to_objective(here, marker):.1f}" away'
        rows.append(f"    {name} at {marker.at[0]:g} {marker.at[1]:g}{far}, held by {SIDES[marker.by]}")
    for player in view.players.values():
        rows.append(f"  {player.facts.name}: {player.cp} CP, {player.sp} SP")
    return "\n".join(rows) + "\n"


def _by_distance(view: View, here: Unit | None, units: list[Unit]) -> list[Unit]:
    if here is None:
        return units
    return sorted(units, key=lambda unit: (view.gap(here, unit), unit.id))


def _told(view: View, here: Unit | None, unit: Unit) -> str:
    told = f"{_unit(view, unit)} at {_middle(view.xy(unit))}"
    if here is None:
        return told
    told += f', {view.gap(here, unit):.1f}" away'
    if unit.side == here.side:
        return told
    told += ", visible" if view.visible(here, unit).any() else ", hidden"
    return told + (", in engagement range" if view.field.engaged(here, unit) else "")


def _unit(view: View, unit: Unit) -> str:
    """Return a unit's name, id and size; its wounds where it has one model."""
    left = len(unit.rows)
    size = count(left, "model") if left != 1 else count(view.wounds(unit.rows[0]), "wound")
    return f"{unit.name} [{unit.id}] ({size})"
