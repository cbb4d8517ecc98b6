"""Whether what came of a scenario is what its file expects."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec

from datasheets.errors import BadData, HordeError, unknown
from datasheets.scenario import Expect
from engine.core import event as ev
from engine.core.facts import Facts
from engine.scenario.decision import KNOWN, Decision
from engine.scenario.naming import parts_of
from engine.scenario.run import Outcome
from engine.scenario.word import Words

NEAR = 0.01
"""Numbers of events closer than this (in inches) are what the file says."""
EVENTS: dict[str, type[ev.Event]] = {kind.__struct_config__.tag: kind for kind in ev.Event.__subclasses__()}  # type: ignore[misc]
WHEN = ("round", "side", "phase", "cause")
PLAINER = {("", "side"): "turn", ("rolled", "kind"): "roll", ("moved", "kind"): "kind_of_move"}
"""What fields of events may be called besides: in all events, or in one."""


UNTOLD = ("n", "round", "turn", "phase", "facts", "event", "stream", "draws", "trail", "poses", "paths")
"""The fields of an event that its description leaves out, as long or named elsewhere."""


@dataclass(frozen=True, slots=True)
class ExpectationVerdict:
    """Whether one expectation holds, what it says, and what was found instead."""

    place: int
    says: str
    holds: bool
    found: str = ""
    measures: tuple[float, ...] = ()
    """What the functions of a `that` measured."""


def judge(outcome: Outcome) -> tuple[ExpectationVerdict, ...]:
    """Return the verdict on each expectation but those over seeds. Raises BadData."""
    expected = outcome.stage.scenario.expect
    return tuple(verdict(outcome, i, each) for i, each in enumerate(expected) if each.over is None)


def verdict(outcome: Outcome, place: int, expect: Expect) -> ExpectationVerdict:
    """Return the verdict on one expectation."""
    expect = _of_attached(outcome, expect)
    if expect.that:
        return _that(outcome, place, expect)
    if expect.illegal is not None:
        return _illegal(outcome, place, expect)
    if expect.event:
        _check_event(outcome, place, expect)
        kinds = [e for e in outcome.events if e.kind == expect.event]
        found = [e for e in kinds if _event_fits(outcome, e, expect)]
        near = _nearest(outcome, kinds, expect)
        shown = "" if len(near) == len(kinds) else f", the {len(near)} nearest of them"
        told = f"{len(kinds)} '{expect.event}' in all{shown}: {_listed(map(_told_event, near))}"
        return _counted(place, expect, len(found), told)
    _check_decision(outcome, place, expect)
    found_decisions = [d for d in outcome.decisions if _decision_fits(d, expect)]
    mine = [d for d in outcome.decisions if expect.unit in (None, d.unit)]
    return _counted(place, expect, len(found_decisions), _listed(map(_told, mine)) or "no decision")


def _of_attached(outcome: Outcome, expect: Expect) -> Expect:
    """Return what is expected of a leader as expected of the unit that it leads."""
    parts = parts_of(outcome.stage.scenario)
    named = {key: getattr(expect, key) for key in ("unit", "toward", "target")}
    said: dict[str, Any] = {key: parts[name][0] for key, name in named.items() if name in parts}
    if expect.unit in parts and expect.model is not None:
        led, part = parts[expect.unit]
        models = outcome.stage.game.state.position.units[led].facts.models
        said["model"] = expect.model + next(i for i, model in enumerate(models) if model.part == part)
    return expect.model_copy(update=said) if said else expect


def _counted(place: int, expect: Expect, count: int, told: str) -> ExpectationVerdict:
    holds = count > 0 if expect.count is None else count == expect.count
    return ExpectationVerdict(place, said(expect), holds, "" if holds else f"{count} found; {told}")


def said(expect: Expect) -> str:
    """Return an expectation in a line."""
    parts = expect.model_dump(by_alias=True, exclude_defaults=True)
    return ", ".join(f"{key} = {value!r}" for key, value in parts.items())


def _bad(outcome: Outcome, place: int, key: str, mend: str) -> BadData:
    return BadData(outcome.stage.path, f"expect.{place}.{key}", mend)


# that


def _that(outcome: Outcome, place: int, expect: Expect) -> ExpectationVerdict:
    words = Words(outcome.stage.game, outcome.stage.frame, parts_of(outcome.stage.scenario))
    try:
        value = words.value(expect.that)
    except BadData:
        raise
    except HordeError as error:
        raise _bad(outcome, place, "that", str(error)) from None
    measures = tuple(words.measures)
    told = ", ".join(f"{n:.4f}".rstrip("0").rstrip(".") for n in measures)
    return ExpectationVerdict(place, expect.that, bool(value), "" if value else f"measured: {told}", measures)


# refusals


def _illegal(outcome: Outcome, place: int, expect: Expect) -> ExpectationVerdict:
    broken = [clause for refused in outcome.refusals for clause in refused.clauses]
    wanted = expect.illegal or ()
    holds = bool(outcome.refusals) and all(clause in broken for clause in wanted)
    faults = "; ".join(fault for refused in outcome.refusals for fault in refused.faults)
    told = f"refused for {', '.join(broken)}: {faults}" if broken else "every answer was legal"
    return ExpectationVerdict(place, said(expect), holds, "" if holds else told)


# decisions


def _check_decision(outcome: Outcome, place: int, expect: Expect) -> None:
    if expect.unit is not None:
        _check_unit(outcome, place, "unit", expect.unit)
    state = outcome.stage.game.state
    markers = dict.fromkeys((*(o.id for o in state.position.board.objectives), *state.position.objectives))
    known = (*state.position.units, *markers, "defender-edge")
    for key in ("toward", "target"):
        name = getattr(expect, key)
        if name and name not in known:
            raise _bad(outcome, place, key, str(unknown(name, known, "unit or objective")))
    for name in expect.rejected:
        if name not in (*known, *KNOWN):
            raise _bad(outcome, place, "rejected", str(unknown(name, known, "unit, objective or decision")))


def _check_unit(outcome: Outcome, place: int, key: str, name: str) -> None:
    units = outcome.stage.game.state.position.units
    if name not in units:
        raise _bad(outcome, place, key, str(unknown(name, units, "unit")))


def _decision_fits(made: Decision, expect: Expect) -> bool:
    if made.name != expect.decision or expect.unit not in (None, made.unit):
        return False
    if expect.toward and expect.toward not in made.toward:
        return False
    if not all(clause in made.clauses for clause in expect.because):
        return False
    if not all(rejection in made.rejected for rejection in expect.rejected.items()):
        return False
    return _fires(made, expect)


def _fires(made: Decision, expect: Expect) -> bool:
    """Return whether a weapon is used as expected.

    Where neither a model nor a weapon is expected, the target alone counts.
    """
    if expect.model is None and expect.weapon is None:
        return expect.target is None or expect.target in (*made.toward, *(f.target for f in made.fired))
    return any(
        expect.model in (None, shot.model)
        and (expect.weapon is None or str(expect.weapon).lower() == shot.weapon.lower())
        and expect.target in (None, shot.target)
        for shot in made.fired
    )


def _told(made: Decision) -> str:
    aim = f" toward {', '.join(made.toward)}" if made.toward else ""
    why = f" ({', '.join(made.clauses)})" if made.clauses else ""
    lost = [f"{name} {failed}" for name, failed in made.rejected]
    rest = f" rejecting {', '.join(lost)}" if lost else ""
    return f"{made.unit} {made.name}{aim}{why}{rest}"


def _listed(told: Iterable[str]) -> str:
    lines = list(told)
    return "; ".join(lines[:8]) + ("; …" if len(lines) > 8 else "")


# events


def _check_event(outcome: Outcome, place: int, expect: Expect) -> None:
    if expect.event not in EVENTS:
        raise _bad(outcome, place, "event", str(unknown(expect.event, EVENTS, "event")))
    fields = EVENTS[expect.event].__struct_fields__
    for key in expect.fields:
        if _field(expect.event, key) not in fields:
            own = [name for name in fields if name not in ev.Event.__struct_fields__]
            there = f"there is no field '{key}' of '{expect.event}'"
            mend = f"{there}; it has {', '.join(own)}, and {', '.join(WHEN)} as every event"
            raise _bad(outcome, place, key, mend)
    if expect.unit:
        _check_unit(outcome, place, "unit", expect.unit)


def _field(event: str, key: str) -> str:
    """Return the name that a field has in the log, where it has a plainer one too."""
    return PLAINER.get((event, key)) or PLAINER.get(("", key), key)


def _event_fits(outcome: Outcome, event: ev.Event, expect: Expect) -> bool:
    return all(_equal(outcome, _read(outcome, event, key), value) for key, value in expect.fields.items())


def _nearest(outcome: Outcome, events: Sequence[ev.Event], expect: Expect) -> list[ev.Event]:
    """Return those events of which the most fields are as they are expected."""
    fits = [
        sum(_equal(outcome, _read(outcome, event, key), value) for key, value in expect.fields.items())
        for event in events
    ]
    return [event for event, fit in zip(events, fits, strict=True) if fit == max(fits)]


def _read(outcome: Outcome, event: ev.Event, key: str) -> Any:
    """Return a field of an event, a model by its number in its unit."""
    value = getattr(event, _field(event.kind, key))
    units = outcome.stage.game.state.position.units
    unit = units.get(getattr(event, "unit", ""))
    if key == "model" and unit is not None and isinstance(value, int):
        return next((i for i, m in enumerate(unit.facts.models) if m.row == value), value)
    return value


def _equal(outcome: Outcome, found: Any, wanted: Any) -> bool:
    if isinstance(found, Facts):
        found = msgspec.to_builtins(found)
    if isinstance(wanted, bool) or isinstance(found, bool):
        return bool(found == wanted)
    if isinstance(wanted, int | float) and isinstance(found, int | float):
        return abs(found - wanted) <= NEAR
    if isinstance(wanted, str) and isinstance(found, str):
        return found == wanted or _same_rule(outcome, found, wanted)
    if isinstance(wanted, Sequence) and isinstance(found, Sequence):
        return len(wanted) == len(found) and all(
            _equal(outcome, f, w) for f, w in zip(found, wanted, strict=True)
        )
    if isinstance(wanted, dict) and isinstance(found, dict):
        names = {str(key): value for key, value in found.items()}
        return all(key in names and _equal(outcome, names[key], each) for key, each in wanted.items())
    return bool(found == wanted)


def _same_rule(outcome: Outcome, found: str, wanted: str) -> bool:
    """Return whether two names are one rule's id and clause."""
    book = outcome.stage.game.rulebook
    return found in book and wanted in book and book.rule(found).id == book.rule(wanted).id


def _told_event(event: ev.Event) -> str:
    plain = msgspec.to_builtins(event)
    return str({k: v for k, v in plain.items() if k not in UNTOLD})[:200]
