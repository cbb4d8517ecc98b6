"""A decision's facts as lines: its clauses in order, under each its candidates.

Says what the log holds, and where it is asked to, what hides a candidate that is not visible. `horde replay
explain`, `horde scenario explain`, the window and the terminal share it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from ai.reasons.condition import NOT_VISIBLE
from engine.core.request import Because, Candidate
from engine.scenario.decision import KNOWN
from viewer.story.condition_words import failed_words
from viewer.story.name import Known, inches, listed, plain, thing_name
from viewer.story.reasoning import reason_sentence

Hidden = Callable[[str], tuple[str, ...]]
"""What closes every line to a thing, by its id."""


def nothing_known(thing: str) -> tuple[str, ...]:
    """Return that nothing is known of what hides a thing."""
    return ()


def account(
    because: Sequence[Because],
    passed: Sequence[Because],
    state: Known,
    unit: str,
    hidden: Hidden = nothing_known,
) -> Iterator[str]:
    """Yield the reasons, then the clauses that settled nothing, each with its candidates."""
    listed_for: dict[tuple[Candidate, ...], str] = {}
    for alike in grouped(because):
        options, weapon = alike[0].candidates, alike[0].weapon
        who = _who(alike, state)
        sentence = reason_sentence(alike[0], state, unit)
        yield f"{_head(alike[0])}: {sentence}{f' ({who})' if who else ''}"
        if options in listed_for:
            yield f"  The same candidates as for the {listed_for[options]}"
        elif not _is_said(options):
            yield from (f"  {line}" for line in _candidates(alike, state, hidden))
        if weapon and len(alike) == 1:
            listed_for.setdefault(options, weapon)
    for alike in grouped(passed):
        head, options = _head(alike[0], _who(alike, state, alike[0].weapon)), alike[0].candidates
        if len(options) == 1 and options[0].distance is None:
            yield f"{head}, {option_name(state, options[0].id)}? No: {failed_words(options[0])}"
        else:
            yield f"{head} finds nothing:"
            yield from (f"  {line}" for line in _candidates(alike, state, hidden))


def _is_said(candidates: Sequence[Candidate]) -> bool:
    """Return whether the only candidate is what the unit does, which the reason says."""
    return len(candidates) == 1 and not candidates[0].failed and candidates[0].distance is None


def grouped(reasons: Sequence[Because]) -> list[list[Because]]:
    """Return the reasons, those together that different models have for the same outcome."""
    found: dict[object, list[Because]] = {}
    for place, because in enumerate(reasons):
        outcome = tuple(sorted((c.id, c.failed) for c in because.candidates))
        alike = (because.clause, because.weapon, because.target, outcome)
        found.setdefault(alike if because.models else place, []).append(because)
    return list(found.values())


def option_name(state: Known, id_: str) -> str:
    """Return the name of a candidate: of a thing on the battlefield, or of what a unit may do."""
    if id_.isdigit() and int(id_) < len(state.position.models):
        return f"the {state.position.models[int(id_)].facts.name}"
    return plain(id_) if id_ in KNOWN else thing_name(state, id_)


def _head(because: Because, *more: str) -> str:
    """Return a clause, and in brackets its ruling and what else there is to say of it."""
    ruling = f"ruling {because.ruling}" if because.ruling else ""
    told = "; ".join(each for each in (ruling, *more) if each)
    return f"{because.clause} ({told})" if told else because.clause


def _who(alike: list[Because], state: Known, weapon: str = "") -> str:
    """Return with which weapon and whose reason it is, where it is not the whole unit's."""
    rows = list(dict.fromkeys(row for because in alike for row in because.models))
    if not rows:
        return ""
    facts = state.position.units[state.position.models[rows[0]].unit].facts.models
    numbers = {model.row: i for i, model in enumerate(facts, start=1)}
    parts = [weapon] if weapon else []
    if len(facts) > 1:
        parts.append(_models([numbers[row] for row in rows if row in numbers], len(facts)))
    return ", ".join(parts)


def _models(numbers: list[int], size: int) -> str:
    if len(numbers) == size:
        return f"all {size} models"
    return f"model{'s' if len(numbers) > 1 else ''} {listed([str(n) for n in sorted(numbers)])} of {size}"


def _candidates(alike: list[Because], state: Known, hidden: Hidden) -> Iterator[str]:
    """Yield the candidates in order.

    Where models are at different distances from a candidate, the least and the most are given.
    """
    for place, candidate in enumerate(alike[0].candidates, start=1):
        same = [c for because in alike for c in because.candidates if c.id == candidate.id]
        yield f"{place}. {told(candidate, state, hidden, same)}"


def told(
    candidate: Candidate, state: Known, hidden: Hidden = nothing_known, same: Sequence[Candidate] = ()
) -> str:
    """Return a candidate in words: its name, its distance, what it failed or "chosen"."""
    far = _far([c.distance for c in same or (candidate,) if c.distance is not None])
    words = failed_words(candidate) or "chosen"
    behind = hidden(candidate.id) if candidate.failed == NOT_VISIBLE else ()
    by = f" (behind {listed(list(behind))})" if behind else ""
    return f"{option_name(state, candidate.id)}{far}: {words}{by}"


def _far(distances: list[float]) -> str:
    if not distances:
        return ""
    least, most = inches(min(distances)), inches(max(distances))
    return f", {least}" if least == most else f", {least.removesuffix('″')} to {most}"
