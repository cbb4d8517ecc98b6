"""The rules of one battle, compiled: all of them by id, and those in force at a moment.

Owns which rule is in force where; what its clauses do is `query`'s and `interpreter`'s.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from functools import lru_cache
from typing import Protocol

import msgspec

from datasheets.errors import BadData, unknown
from datasheets.library import Library
from datasheets.rule import Rule
from engine.core.facts import HORDE
from engine.core.marks import BESTOWED, ENHANCED, GIVEN_BY, carries
from engine.core.state import State, Unit
from engine.records.clauses import ATTACKS, Active, Clauses, concerning
from engine.records.compiled import (
    ORDER,
    Change,
    Compiled,
    Gift,
    Proposal,
    Reaction,
    Replacement,
    Summons,
    Verdict,
)
from engine.records.context import GIVEN
from engine.records.expression import CONTEXT, MODEL, SHEET
from engine.records.hook import HOOKS
from engine.records.language import Language

DECKS = ("misery", "secondary", "secret")
"""Rules with one of these as their first tag are cards of that deck."""
ITSELF = "unit where unit == bearer"
"""What a record says that asks whether its bearer uses it."""


class InForce(msgspec.Struct):
    """The clauses in force, by what they are about."""

    place: int = 0
    """Its place among the battle's sets of rules, which tells it from those before and after."""
    numbers: dict[str, Clauses[Change]] = msgspec.field(default_factory=dict)
    questions: dict[str, Clauses[Verdict]] = msgspec.field(default_factory=dict)
    keywords: dict[str, Clauses[Gift]] = msgspec.field(default_factory=dict)
    abilities: Clauses[Gift] = msgspec.field(default_factory=Clauses)
    weapons: Clauses[Gift] = msgspec.field(default_factory=Clauses)
    moments: dict[str, Clauses[Reaction]] = msgspec.field(default_factory=dict)
    rolls: dict[str, Clauses[Replacement]] = msgspec.field(default_factory=dict)
    calls: dict[str, Clauses[Summons]] = msgspec.field(default_factory=dict)
    rewards: list[Active] = msgspec.field(default_factory=list)
    """The rules that reward a unit for remaining stationary."""
    passing: bool = False
    """Whether a rule is in force on a unit for a while only."""
    singled: dict[Hashable, frozenset[int] | None] = msgspec.field(default_factory=dict)
    """By numbers and unit, once it was asked, the models with numbers of their own."""
    looked: dict[Hashable, frozenset[str]] = msgspec.field(default_factory=dict)
    """By numbers and unit, once it was asked, the names at which their clauses look."""

    def add(self, active: Active) -> None:
        """Add every clause of a rule."""
        compiled = active.compiled
        for change in compiled.changes:
            self.numbers.setdefault(change.number, Clauses()).append((change, active))
        for verdict in compiled.verdicts:
            self.questions.setdefault(verdict.question, Clauses()).append((verdict, active))
        for gift in compiled.gifts:
            self._add_gift(gift, active)
        for reaction in compiled.reactions:
            self.moments.setdefault(reaction.moment, Clauses()).append((reaction, active))
        for replacement in compiled.replacements:
            self.rolls.setdefault(replacement.clause.roll, Clauses()).append((replacement, active))
        for summons in compiled.calls:
            self.calls.setdefault(summons.moment, Clauses()).append((summons, active))
        if compiled.rewards_standing_still:
            self.rewards.append(active)

    def looked_at(
        self,
        numbers: tuple[str, ...],
        unit: Unit | None = None,
        names: tuple[str, ...] = ATTACKS,
        *,
        armed: bool = False,
    ) -> frozenset[str]:
        """Return the names of the things for which any of these numbers may be another one.

        With a unit only clauses count that can concern it where it has these names. With `armed` the
        abilities of weapons count too.
        """
        key = numbers, unit.id if unit is not None else "", names, armed
        found = self.looked.get(key)
        if found is None:
            looks = [clause.looks for clause, _ in self._concerning(numbers, unit, names)]
            if armed:
                looks += [gift.looks for gift, _ in concerning(self.weapons, unit, names)]
            found = self.looked[key] = _things(frozenset().union(*looks))
        return found

    def told_by(self, unit: Unit, row: int, numbers: tuple[str, ...] = (), *, armed: bool = False) -> int:
        """Return what tells a model from its unit's others for numbers and weapons' abilities.

        It is the model's row where rules may look at it, its part of an attached unit where they look at its
        datasheet, and -1 where they look at neither. With `armed` the abilities of weapons count too.
        """
        looked = self.looked_at(numbers, unit, armed=armed)
        if MODEL in looked:
            return row
        if SHEET not in looked or len(unit.parts) < 2:
            return -1
        return next(model.part for model in unit.facts.models if model.row == row)

    def singled_out(
        self, numbers: tuple[str, ...], unit: Unit, names: tuple[str, ...]
    ) -> frozenset[int] | None:
        """Return the rows of the models for which alone numbers may differ; None for any.

        Clauses count that can concern the unit where it has these names.
        """
        key = numbers, unit.id, names
        if key not in self.singled:
            rows = [_singled_out(*each) for each in self._concerning(numbers, unit, names)]
            known = [each for each in rows if each is not None]
            self.singled[key] = frozenset().union(*known) if len(known) == len(rows) else None
        return self.singled[key]

    def _concerning(
        self, numbers: tuple[str, ...], unit: Unit | None, names: tuple[str, ...]
    ) -> list[tuple[Change, Active]]:
        known = (self.numbers[number] for number in numbers if number in self.numbers)
        return [each for clauses in known for each in concerning(clauses, unit, names)]

    def _add_gift(self, gift: Gift, active: Active) -> None:
        if gift.keyword:
            self.keywords.setdefault(gift.keyword, Clauses()).append((gift, active))
        elif gift.ability:
            self.abilities.append((gift, active))
        else:
            self.weapons.append((gift, active))


def _things(looked: frozenset[str]) -> frozenset[str]:
    """Return the names of all things that a clause can look at by these names."""
    if CONTEXT in looked:
        return frozenset(GIVEN)
    return looked | {"melee"} if "ranged" in looked else looked


def _singled_out(change: Change, active: Active) -> frozenset[int] | None:
    """Return the rows of the models that a clause looks at; None where these may be any."""
    if change.looks.isdisjoint((MODEL, CONTEXT)):
        return frozenset()
    hero = active.names.get("hero")
    if change.condition is None or hero is None or ("model", "hero") not in change.condition.same:
        return None
    return frozenset((hero.row,))


def compiled_rules(
    library: Library, language: Language, rules: Sequence[Rule] | None = None
) -> tuple[Compiled, ...]:
    """Return rules of a library, or all, made ready as needed, once for all its battles."""
    ready = _ready(library, language)
    found = []
    for rule in library.rules() if rules is None else rules:
        if rule.id not in ready or ready[rule.id].rule is not rule:
            ready[rule.id] = Compiled(rule, language)
        found.append(ready[rule.id])
    return tuple(found)


@lru_cache(maxsize=4)
def _ready(library: Library, language: Language) -> dict[str, Compiled]:
    """Return the rules of a library that were made ready, by their ids."""
    return {}


class Rulebook:
    """Every rule that a battle may need, by id and by clause."""

    def __init__(
        self, rules: tuple[Compiled, ...], factions: tuple[str, ...] = (), removed: tuple[str, ...] = ()
    ) -> None:
        """Take compiled rules.

        The rules of other Horde factions, and those `removed`, stay out of force.
        """
        self._compiled = {each.rule.id: each for each in rules if each.rule.id not in removed}
        self._clauses = {each.rule.clause: each for each in reversed(self._compiled.values())}
        self._offers: dict[str, list[Proposal]] = {}
        """By the step or occasion, once it has been asked for."""
        self.factions = factions
        self.clauses = frozenset(self._clauses)

    @classmethod
    def load(
        cls,
        library: Library,
        language: Language,
        factions: tuple[str, ...] = (),
        removed: tuple[str, ...] = (),
        rules: Sequence[Rule] | None = None,
    ) -> Rulebook:
        """Return rules, or all of the library, for a battle against these factions.

        Raises BadData for a rule that calls a hook that nobody has entered.
        """
        compiled = compiled_rules(library, language, rules)
        for each in compiled:
            for i, summons in enumerate(each.rule.call):
                if summons.hook not in HOOKS:
                    raise BadData(each.rule.id, f"call.{i}.hook", str(unknown(summons.hook, HOOKS, "hook")))
        return cls(compiled, factions, removed)

    @property
    def rules(self) -> tuple[Rule, ...]:
        """Return every rule record."""
        return tuple(each.rule for each in self._compiled.values())

    @property
    def standing(self) -> tuple[str, ...]:
        """Return the ids of the mode's and the Horde factions' rules, which are always in force."""
        return tuple(rule.id for rule in self.rules if self._stands(rule))

    def _stands(self, rule: Rule) -> bool:
        if "core" in rule.tags:
            return True
        return "faction" in rule.tags and any(each in self.factions for each in rule.factions)

    def of_army(self, faction: str, detachment: str) -> tuple[str, ...]:
        """Return the ids of the rules that a player's army brings. Rule: ARMY.10."""
        return tuple(
            rule.id
            for rule in self.rules
            if faction in rule.factions
            and ("army" in rule.tags or (rule.detachment and _same(rule.detachment, detachment)))
        )

    def faction_of(self, detachment: str) -> str:
        """Return the faction that has a detachment; nothing where no record is of it."""
        found = (rule.factions for rule in self.rules if _same(rule.detachment, detachment))
        return next((factions[0] for factions in found if factions), "")

    @property
    def decks(self) -> dict[str, tuple[str, ...]]:
        """Return the cards of each deck, in printed order."""
        return {deck: tuple(r.id for r in self.rules if r.tags[:1] == (deck,)) for deck in DECKS}

    @property
    def of_datasheets(self) -> dict[str, tuple[str, ...]]:
        """Return, by datasheet, the ids of the rules that its units bring: those that do something."""
        found: dict[str, tuple[str, ...]] = {}
        for rule in self.rules:
            for sheet in rule.datasheets if rule.has_clauses else ():
                found[sheet] = (*found.get(sheet, ()), rule.id)
        return found

    def __contains__(self, name: str) -> bool:
        """Return whether there is a rule with this id or clause."""
        return name in self._compiled or name in self._clauses

    def compiled(self, name: str) -> Compiled:
        """Return a rule by its id or its clause. Raises UnknownName."""
        found = self._compiled.get(name) or self._clauses.get(name)
        if found is None:
            raise unknown(name, self._compiled, "rule")
        return found

    def rule(self, name: str) -> Rule:
        """Return a rule's record by its id or its clause. Raises UnknownName."""
        return self.compiled(name).rule

    def summary(self, name: str) -> str:
        """Return what a rule does, in a sentence; nothing where no record has this id or clause."""
        return self.rule(name).summary if name in self else ""

    def limit(self, name: str) -> str:
        """Return the span within which a rule asks its bearer once; "" where none bounds that."""
        if name not in self:
            return ""
        asking = (when for when in self.rule(name).when if any(pick.of == ITSELF for pick in when.pick))
        return next((when.once for when in asking), "")

    def is_bestowed(self, unit: Unit, clause: str) -> bool:
        """Return whether a rule of a clause has been put on a unit."""
        keys = (key for key in unit.marks.values if key.startswith(BESTOWED))
        return any(self.rule(_bestowed_by(key)).clause == clause for key in keys)

    def offers(self, at: str) -> list[Proposal]:
        """Return every offer of this kind, in printed order."""
        if at not in self._offers:
            offering = (each for each in self._compiled.values() if _offers(each.rule, at))
            self._offers[at] = [offer for each in offering for offer in each.offers if offer.clause.at == at]
        return self._offers[at]

    def in_force(self, state: State) -> InForce:
        """Return the clauses in force now, in a fixed order of their bearers."""
        found = InForce()
        for active in self.active(state):
            found.add(active)
        for active in self._bestowed(state):
            found.add(active)
            found.passing = True
        for changes in found.numbers.values():
            changes.sort(key=lambda each: ORDER[each[0].how])
        return found

    def active(self, state: State) -> Iterator[Active]:
        """Return the rules in force: the battle's, armies', cards', markers', units', secrets'."""
        for name in dict.fromkeys(state.rules):
            if name in self and name not in state.barred:
                yield self._active(name)
        for seat, player in state.players.items():
            for name in player.facts.rules:
                if name in self and name not in state.barred and self._is_lasting(name):
                    yield self._active(name, seat=seat, owner=seat)
        for deck in state.decks.values():
            for card in deck.active:
                if card in self:
                    yield self._active(card)
        yield from self._markers(state)
        for unit in state.position.units.values():
            if unit.where != "destroyed":
                for name, part in self._of_datasheets(state, unit):
                    yield self._active(name, bearer=unit, owner=unit.player, own_part=part)
        yield from self._borne(state)
        for seat, player in state.players.items():
            for card in player.secrets:
                if card in self:
                    yield self._active(card, seat=seat, owner=seat)

    def _of_datasheets(self, state: State, unit: Unit) -> Iterator[tuple[str, int]]:
        """Return the rules of the unit's living parts, each with its part.

        The Horde has no use for some; those of wargear need a living model that carries it.
        Rule: AI.0, PLAY.6
        """
        for i, part in enumerate(unit.facts.parts):
            for name in part.rules if i not in unit.parts_lost else ():
                rule = self.rule(name)
                if rule.needs and unit.side == HORDE:
                    continue
                if not rule.wargear or _is_carried(state, unit, i, rule.wargear):
                    yield name, i

    def _borne(self, state: State) -> Iterator[Active]:
        """Return the enhancements that living models have. Rule: BUY.name-earned"""
        for unit in state.position.units.values():
            for key in unit.marks.values:
                if not key.startswith(ENHANCED):
                    continue
                hero = state.position.models[int(key.removeprefix(ENHANCED))]
                if hero.alive and unit.where != "destroyed":
                    name = str(unit.marks.get(key))
                    yield self._active(name, bearer=unit, owner=unit.player, seat=unit.player, hero=hero)

    def _bestowed(self, state: State) -> Iterator[Active]:
        """Return the rules that a unit is under for a while, by what was used on it."""
        for unit in state.position.units.values():
            for key in unit.marks.values:
                if key.startswith(BESTOWED) and unit.where != "destroyed":
                    giver = state.position.units.get(str(unit.marks.get(key)), unit)
                    yield self._active(_bestowed_by(key), bearer=unit, giver=giver, owner=giver.player)

    def _active(self, name: str, **names: object) -> Active:
        compiled = self.compiled(name)
        return Active(compiled, {"this": compiled.rule.id, "aura": compiled.rule.aura, **names})

    def _is_lasting(self, name: str) -> bool:
        """Return whether an army's rule is in force all the time.

        A Stratagem or an enhancement is not.
        """
        return not {"stratagem", "enhancement"} & set(self.rule(name).tags)

    def _markers(self, state: State) -> Iterator[Active]:
        for objective in state.position.objectives.values():
            if objective.fortified in self:
                owner = str(objective.marks.get("fortified-by", ""))
                yield self._active(objective.fortified, here=objective, owner=owner)
        for marker in state.position.markers.values():
            name = f"buy/{marker.kind}"
            if name in self:
                yield self._active(name, here=marker, owner=marker.owner)


def _bestowed_by(key: str) -> str:
    """Return the id of the rule that a mark of a unit puts in force."""
    return key.removeprefix(BESTOWED).partition(GIVEN_BY)[0]


def _is_carried(state: State, unit: Unit, part: int, items: tuple[str, ...]) -> bool:
    """Return whether a living model of a part of the unit carries one of these items."""
    models = (state.position.models[row] for row in unit.rows)
    return any(model.facts.part == part and carries(unit, model, items) for model in models)


class Ruled(Protocol):
    """What rules are in force on: a battle, or a log that is read again."""

    state: State
    rulebook: Rulebook


def _offers(rule: Rule, at: str) -> bool:
    """Return whether a rule has an offer of this kind."""
    return any(offer.at == at for offer in rule.offer)


def _same(one: str, other: str) -> bool:
    """Return whether two names of detachments mean the same."""
    return one.strip().casefold() == other.strip().casefold()
