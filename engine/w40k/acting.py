"""Which rules act on a unit now, and how far a card has come, for people that look on.

It decides nothing. What depends on a target, or on anything else that only an attack knows, is left out.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

import msgspec

from engine.core.marks import BESTOWED, ENHANCED, GIVEN_BY
from engine.core.state import Unit
from engine.records.clauses import Active
from engine.records.context import GIVEN
from engine.records.expression import CONTEXT, Expression
from engine.records.question import Question
from engine.w40k.numbers import NUMBERS

if TYPE_CHECKING:
    from engine.w40k.battle import Battle

SECRET = "secret"
"""The first tag of what its player may keep hidden."""
_WORSE_WHEN_MORE = tuple(name for name, limits in NUMBERS.items() if limits.lower_is_better)
"""The numbers of which a lower one is better: saves, skills, what is needed on a die."""


class Shift(msgspec.Struct, frozen=True):
    """How a rule changes a number ("add", 2.0).

    `melee` says of which attacks; None: of all, or of none.
    """

    number: str
    how: str
    by: float
    melee: bool | None = None

    @property
    def sign(self) -> int:
        """Return 1 where it is good for the unit, -1 where it is bad, 0 where that is not clear."""
        if self.how in ("improve", "worsen"):
            return 1 if self.how == "improve" else -1
        if self.how == "add" and self.by:
            return (1 if self.by > 0 else -1) * (-1 if self.number in _WORSE_WHEN_MORE else 1)
        if self.how in ("at_most", "at_least"):
            return 1 if (self.how == "at_most") == (self.number in _WORSE_WHEN_MORE) else -1
        return 1 if "reroll" in self.number and self.by > 0 else 0


class Acting(msgspec.Struct, frozen=True):
    """A rule that acts on a unit: its id, name and summary, what it changes, and until when."""

    rule: str
    clause: str
    name: str
    summary: str
    changes: tuple[Shift, ...] = ()
    gives: tuple[str, ...] = ()
    """Keywords, abilities and permissions that it gives; what it forbids has "no " before it."""
    until: str = ""
    """The moment at which it ends, where it is on the unit for a while."""

    @property
    def sign(self) -> int:
        """Return 1 where it is good for the unit, -1 where it is bad, 0 where that is not clear."""
        found = {change.sign for change in self.changes}
        found |= {-1 if each.startswith("no ") else 1 for each in self.gives}
        return found.pop() if len(found) == 1 else 0


def acting(battle: Battle, unit: Unit, row: int | None = None) -> tuple[Acting, ...]:
    """Return the rules in force that act on a unit, or on one model of it, whatever it attacks."""
    if not unit.rows:
        return ()
    rows = _leading(battle, unit) if row is None else [row]
    changes: dict[str, dict[Shift, None]] = {}
    gives: dict[str, dict[str, None]] = {}
    for active, change in _changes(battle, unit, rows):
        changes.setdefault(active.rule.id, {})[change] = None
    for active, given in _gifts(battle, unit, rows):
        gives.setdefault(active.rule.id, {})[given] = None
    spans = _spans(unit)
    found = []
    for name in dict.fromkeys((*spans, *changes, *gives)):
        if name not in battle.rulebook:
            continue
        rule = battle.rulebook.rule(name)
        if rule.tags[:1] == (SECRET,) or "core" in rule.tags:
            continue
        found.append(
            Acting(
                rule=name,
                clause=rule.clause,
                name=rule.name,
                summary=rule.summary,
                changes=_joined(changes.get(name, ())),
                gives=tuple(gives.get(name, ())),
                until=spans.get(name, ""),
            )
        )
    return tuple(found)


def _joined(shifts: Iterable[Shift]) -> tuple[Shift, ...]:
    """Return changes, those of shooting and melee alike as one."""
    known = list(shifts)
    both = [msgspec.structs.replace(each, melee=None) for each in known]
    found = [b if both.count(b) > 1 else each for each, b in zip(known, both, strict=True)]
    return tuple(dict.fromkeys(found))


def progress(battle: Battle, card: str, seat: str = "") -> tuple[int, int] | None:
    """Return how far a card has come and how far it has to come; None where no number says so.

    Of a secret objective that the seat does not hold nothing is said. Rule: PLAY.9
    """
    state = battle.state
    own = state.players[seat].secrets if seat in state.players else ()
    in_play = [
        each for name in ("secondary", "misery") if name in state.decks for each in state.decks[name].active
    ]
    if card not in battle.rulebook or card not in (*own, *in_play):
        return None
    rule = battle.rulebook.rule(card)
    context = battle.query.context({"this": card, "seat": seat, "owner": seat})
    texts = (rule.success, *(when.condition for when in rule.when), *(d for w in rule.when for d in w.do))
    for text in texts:
        for counted, least in _thresholds(text):
            value = battle.query.evaluate(battle.query.language.trusted.expression(counted), context)
            return min(int(value), least), least
    return None


def _thresholds(text: str) -> Iterator[tuple[str, int]]:
    """Yield what a condition counts and the least of it that fulfils it: "tally(this) >= 3"."""
    if not text:
        return
    tree = ast.parse(text.strip(), mode="eval").body
    call = isinstance(tree, ast.Call) and isinstance(tree.func, ast.Name) and tree.func.id
    if isinstance(tree, ast.Call) and call == "complete_secret" and tree.args:
        tree = tree.args[0]
    terms = tree.values if isinstance(tree, ast.BoolOp) and isinstance(tree.op, ast.And) else [tree]
    for term in terms:
        if not isinstance(term, ast.Compare) or len(term.ops) != 1:
            continue
        limit = term.comparators[0]
        if not isinstance(limit, ast.Constant) or not isinstance(limit.value, int) or _is_bare(term.left):
            continue
        if isinstance(term.ops[0], ast.GtE | ast.Eq) and limit.value > 0:
            yield ast.unparse(term.left), limit.value
        elif isinstance(term.ops[0], ast.Gt):
            yield ast.unparse(term.left), limit.value + 1


def _is_bare(node: ast.expr) -> bool:
    """Return whether a term counts nothing: a name such as the round's."""
    return not any(isinstance(each, ast.Call) for each in ast.walk(node))


def _spans(unit: Unit) -> dict[str, str]:
    """Return the rules that are on a unit for a while, and its enhancements, with their ends."""
    found: dict[str, str] = {}
    for key, (value, until) in unit.marks.values.items():
        if key.startswith(BESTOWED):
            found[key.removeprefix(BESTOWED).partition(GIVEN_BY)[0]] = until
        elif key.startswith(ENHANCED):
            found[str(value)] = ""
    return found


def _contexts(battle: Battle, unit: Unit, rows: list[int]) -> Iterator[dict[str, Any]]:
    """Yield the names under which a unit is asked about: by itself, attacking, and attacked."""
    for row in rows:
        model = battle.state.position.models[row]
        yield {"unit": unit, "model": model}
        for melee in (False, True):
            yield {"attacker": unit, "model": model, "melee": melee}
        yield {"unit": unit, "model": model, "target": unit}


def _leading(battle: Battle, unit: Unit) -> list[int]:
    """Return a model of each part of a unit."""
    found: dict[int, int] = {}
    for row in unit.rows:
        found.setdefault(battle.state.position.models[row].facts.part, row)
    return list(found.values())


def _is_settled(looks: Iterable[str], names: Mapping[str, Any], active: Active) -> bool:
    """Return whether a clause looks only at things that are known here, one of them the unit's."""
    looked = set(looks)
    unknown = (looked & set(GIVEN)) - set(names) - set(active.names) - {"this", "aura"}
    return CONTEXT not in looked and not unknown


def _concerns(looks: Iterable[str], names: Mapping[str, Any], active: Active) -> bool:
    """Return whether a clause asks about the unit at all, or is one of its own rules."""
    own = active.names.get("bearer")
    return bool(set(looks) & set(names)) or (own is not None and own in names.values())


def _changes(battle: Battle, unit: Unit, rows: list[int]) -> Iterator[tuple[Active, Shift]]:
    query = battle.query
    for names in _contexts(battle, unit, rows):
        question = query.about(**names)
        for number, clauses in query.in_force.numbers.items():
            if not _fits(number, names):
                continue
            for change, active in clauses:
                if not _is_settled(change.looks, names, active):
                    continue
                if _holds(question, change.condition, names, active):
                    by = change.by
                    if isinstance(by, Expression):
                        by = float(query.evaluate(by, query.context(names, active)))
                    yield active, Shift(number, change.how, by, names.get("melee"))


def _fits(number: str, names: Mapping[str, Any]) -> bool:
    """Return whether a number is asked for under these names."""
    attacks = number.startswith(("attack.", "weapon."))
    return attacks == ("attacker" in names) and ("target" in names) == number.startswith("model.")


def _gifts(battle: Battle, unit: Unit, rows: list[int]) -> Iterator[tuple[Active, str]]:
    query, force = battle.query, battle.query.in_force
    granted = [*force.abilities, *(each for known in force.keywords.values() for each in known)]
    verdicts = [(asked, *each) for asked, known in force.questions.items() for each in known]
    for names in _contexts(battle, unit, rows):
        question = query.about(**names)
        if "target" in names:
            continue
        for gift, active in force.weapons if "attacker" in names else granted:
            if _holds(question, gift.condition, names, active):
                yield active, gift.weapon or gift.keyword or gift.ability
        for asked, verdict, active in verdicts:
            if _holds(question, verdict.condition, names, active):
                yield active, asked if verdict.yes else f"no {asked}"


def _holds(
    question: Question, condition: Expression | None, names: Mapping[str, Any], active: Active
) -> bool:
    """Return whether a clause holds of the unit, by what is known under these names."""
    looks = condition.looks if condition is not None else frozenset()
    if not _is_settled(looks, names, active) or not _concerns(looks, names, active):
        return False
    return question.holds(condition, active)
