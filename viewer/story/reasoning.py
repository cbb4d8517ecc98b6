"""Why a seat decided something, in words: its reason, and what it passed over.

It asks the state for names only; which reasons there are is the log's.
"""

from __future__ import annotations

import re

from engine.core.request import Because
from viewer.story.condition_words import failed_words
from viewer.story.name import Known, count, inches, listed, thing_name, title

_SCORE = re.compile(r" \(-?\d+\)$")
_ALONE = {"are": "its model is", "fight": "its model fights"}
_INCHES = re.compile(r"(\d+(?:\.\d+)?)[\"″]")
_WORD = r"[\w/#-]+(?:\.[\w/#-]+)*"
_RULE = re.compile(r"(?<![\w/#-])[a-z]+(?:-[a-z]+)+(?= is wanted)")


def reason_sentence(because: Because, state: Known, unit: str = "") -> str:
    """Return why something was decided, with the name of the target where the reason lacks it.

    `unit` is the one that decides, which is not named as its own target.
    """
    text = _named(_SCORE.sub("", because.reason.strip().rstrip(".")), state)
    # A sentence has two decimals: where it speaks of a candidate, its distance has more.
    exact = {f"{c.distance:.2f}": c.distance for c in because.candidates if c.distance is not None}
    text = _INCHES.sub(lambda found: inches(exact.get(found[1], float(found[1]))), text)
    text = re.sub(r"\b1 of 1 models (are|fight)\b", lambda found: _ALONE[found[1]], text)
    text = re.sub(r"\b(\d+) of \1 models\b", r"all \1 models", text)
    if because.target and because.target != unit:
        text = _aimed(text, because.target, state)
    return text[:1].upper() + text[1:] if text else because.clause


def _aimed(text: str, target: str, state: Known) -> str:
    """Return the text of a reason with the name of its target in it.

    The name has the number of the target, where the text left it out.
    """
    name = thing_name(state, target)
    if name.lower() in text.lower():
        return text
    unit = state.position.units.get(target)
    if unit is not None and unit.name in text:
        return text.replace(unit.name, name, 1)
    return f"{text} → {name}" if text else name


def sentences(reasons: tuple[Because, ...], state: Known, unit: str = "") -> list[tuple[str, str]]:
    """Return the clause and the sentence of each reason.

    Reasons that differ only in distances are given once.
    """
    told: dict[tuple[str, str], list[Because]] = {}
    for because in reasons:
        text = reason_sentence(because, state, unit)
        told.setdefault((because.clause, re.sub(r"[\d.]+″", "″", text)), []).append(because)
    return [
        (clause, reason_sentence(alike[0], state, unit) + _times(alike))
        for (clause, _), alike in told.items()
    ]


def _times(alike: list[Because]) -> str:
    """Return for how many models a reason stands, or how often it was given."""
    models = {row for because in alike for row in because.models}
    if len(models) > 1:
        return f" ({len(models)} models)"
    return f" ({len(alike)} times)" if len(alike) > 1 and not models else ""


def _named(text: str, state: Known) -> str:
    """Return a sentence with names in place of the ids of units, objectives, terrain and rules."""

    def name(found: re.Match[str]) -> str:
        word = found.group()
        known = (
            word in state.position.units
            or word in state.position.objectives
            or word in state.position.terrain
        )
        return thing_name(state, word) if known else word

    # A unit that is led may have ids in its very name.
    whole = sorted(
        {unit.name for unit in state.position.units.values() if " + " in unit.name}, key=len, reverse=True
    )
    text = re.sub("|".join((*map(re.escape, whole), _WORD)), name, text)
    return _RULE.sub(lambda found: title(found.group()), text)


def rejected_sentence(because: Because, state: Known, most: int = 3) -> str:
    """Return which candidates were passed over and why, or "" where there were none.

    Candidates with the same reason stand together.
    """
    failed = [c for c in because.candidates if c.failed]
    reasons: dict[str, list[str]] = {}
    for candidate in failed[:most]:
        reasons.setdefault(failed_words(candidate), []).append(thing_name(state, candidate.id))
    parts = [f"{listed(names)} ({why})" for why, names in reasons.items()]
    more = f" and {count(len(failed) - most, 'other')}" if len(failed) > most else ""
    return f"Passed over: {', '.join(parts)}{more}" if parts else ""
