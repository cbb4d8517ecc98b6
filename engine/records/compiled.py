"""Rule records made ready: every text compiled, every name checked.

A fault names its rule and key.
"""

from __future__ import annotations

import msgspec

from datasheets.errors import BadData, unknown
from datasheets.rule import Ask, Call, Clause, Grant, Instead, Modify, Offer, Pick, Rule, Value, When
from engine.records.expression import BadExpression, Expression, Selector, VerbCall
from engine.records.hook import ASKED
from engine.records.language import Language
from geometry.shape.cached import cached_property

STATIONARY = "remained_stationary("
"""How a condition asks for the reward of standing still."""
GIVER = "giver"
"""How a condition names the unit that bestowed the rule."""
ORDER = {
    "set": 0,
    "multiply": 1,
    "add": 2,
    "improve": 2,
    "worsen": 2,
    "at_least": 3,
    "at_most": 3,
}
"""The order of changes: replaced, multiplied, added to, bounded. Rule: CORE.DICE.5."""
CHANGES = tuple(ORDER)


CLAUSES = ("changes", "gifts", "verdicts", "reactions", "replacements", "offers", "calls")
CLAIMS = ("success", "drawable", "borne_by")
"""What a rule says beside its clauses, each an expression."""


class Change(msgspec.Struct, frozen=True):
    """A modify clause: how a number changes, by what, and when."""

    number: str
    how: str
    by: float | Expression
    condition: Expression | None
    looks: frozenset[str]
    """The things at which it looks; `context` where they may be any."""


class Gift(msgspec.Struct, frozen=True):
    """A grant clause."""

    keyword: str
    ability: str
    weapon: str
    condition: Expression | None

    @property
    def looks(self) -> frozenset[str]:
        """Return the names at which its condition looks."""
        return self.condition.looks if self.condition else frozenset()


class Verdict(msgspec.Struct, frozen=True):
    """A permit or forbid clause."""

    question: str
    yes: bool
    condition: Expression | None


class Choice(msgspec.Struct, frozen=True):
    """A pick, with its selector."""

    pick: Pick
    of: Selector | None
    where: Expression | None = None


class Reaction(msgspec.Struct, frozen=True):
    """A when clause."""

    rule: Rule
    moment: str
    condition: Expression | None
    each: Selector | None
    choices: tuple[Choice, ...]
    verbs: tuple[VerbCall, ...]
    when: When
    place: int
    add: float | Expression = 0
    """What is added to the roll."""
    table: tuple[tuple[tuple[int, ...], tuple[VerbCall, ...]], ...] = ()
    """The results of each row of the roll table, with its verbs."""

    @property
    def every_verb(self) -> tuple[VerbCall, ...]:
        """Return its verbs, those of the roll table too."""
        return (*self.verbs, *(call for _, row in self.table for call in row))


class Replacement(msgspec.Struct, frozen=True):
    """An instead clause."""

    rule: Rule
    clause: Instead
    condition: Expression | None


class Summons(msgspec.Struct, frozen=True):
    """A call clause: a function by its name in `engine.records.hook`."""

    hook: str
    moment: str
    condition: Expression | None


class Proposal(msgspec.Struct, frozen=True):
    """An offer clause."""

    rule: Rule
    clause: Offer
    condition: Expression | None
    on: Selector | None
    price: float | Expression
    choices: tuple[Choice, ...]
    verbs: tuple[VerbCall, ...]


class Compiled:
    """A rule with its clauses, each kind of them made ready when it is first asked for.

    What the rule may not say raises BadData then, with the rule's id and the key.
    """

    def __init__(self, rule: Rule, language: Language) -> None:
        """Take the rule's record, and the language that it is written in."""
        self.rule = rule
        self._language = language

    @cached_property
    def changes(self) -> tuple[Change, ...]:
        """Return the modify clauses."""
        return tuple(self._change(i, each) for i, each in enumerate(self.rule.modify))

    @cached_property
    def gifts(self) -> tuple[Gift, ...]:
        """Return the grant clauses."""
        return tuple(self._gift(i, each) for i, each in enumerate(self.rule.grant))

    @cached_property
    def verdicts(self) -> tuple[Verdict, ...]:
        """Return the permit and forbid clauses."""
        yes, no = enumerate(self.rule.permit), enumerate(self.rule.forbid)
        return (
            *(self._verdict(f"permit.{i}", each, True) for i, each in yes),
            *(self._verdict(f"forbid.{i}", each, False) for i, each in no),
        )

    @cached_property
    def reactions(self) -> tuple[Reaction, ...]:
        """Return the when clauses."""
        return tuple(self._reaction(i, each) for i, each in enumerate(self.rule.when))

    @cached_property
    def replacements(self) -> tuple[Replacement, ...]:
        """Return the instead clauses."""
        return tuple(self._replacement(i, each) for i, each in enumerate(self.rule.instead))

    @cached_property
    def offers(self) -> tuple[Proposal, ...]:
        """Return the offer clauses."""
        return tuple(self._offer(i, each) for i, each in enumerate(self.rule.offer))

    @cached_property
    def calls(self) -> tuple[Summons, ...]:
        """Return the call clauses."""
        return tuple(self._call(i, each) for i, each in enumerate(self.rule.call))

    @cached_property
    def success(self) -> Expression | None:
        """Return when a mission or a secret objective is fulfilled."""
        return self._claim("success", self.rule.success)

    @cached_property
    def drawable(self) -> Expression | None:
        """Return when a card may be revealed."""
        return self._claim("drawable", self.rule.drawable)

    @cached_property
    def borne_by(self) -> Expression | None:
        """Return which characters may bear an enhancement."""
        return self._claim("borne_by", self.rule.borne_by)

    @cached_property
    def rewards_standing_still(self) -> bool:
        """Return whether it rewards a unit for remaining stationary. Rule: AI.STAY.3"""
        rule = self.rule
        lasting = (*rule.modify, *rule.grant, *rule.permit, *rule.forbid)
        return any(STATIONARY in each.condition for each in lasting)

    @cached_property
    def names_giver(self) -> bool:
        """Return whether it is another rule for each unit that bestows it."""
        texts = [text for each in self._lasting for text in (each.condition, getattr(each, "by", None))]
        return any(GIVER in text.names for text in texts if isinstance(text, Expression))

    @property
    def _lasting(self) -> tuple[Change | Gift | Verdict | Reaction, ...]:
        return (*self.changes, *self.gifts, *self.verdicts, *self.reactions)

    def checked(self) -> Compiled:
        """Return the rule with all that it says made ready. Raises BadData."""
        for each in (*CLAUSES, *CLAIMS):
            getattr(self, each)
        return self

    def _bad(self, key: str, why: str) -> BadData:
        return BadData(self.rule.id, key, why)

    def _expression(self, key: str, text: str, own: tuple[str, ...] = ()) -> Expression:
        try:
            return self._language.grammar.expression(text, own)
        except BadExpression as error:
            raise self._bad(key, str(error)) from None

    def _selector(self, key: str, text: str, own: tuple[str, ...]) -> Selector:
        try:
            return self._language.grammar.selector(text, own)
        except BadExpression as error:
            raise self._bad(key, str(error)) from None

    def _verb(self, key: str, text: str, own: tuple[str, ...]) -> VerbCall:
        try:
            call = self._language.grammar.verb(text, own)
        except BadExpression as error:
            raise self._bad(key, str(error)) from None
        span = call.literal(self._language.verbs[call.verb].span_at)
        if span is not None:
            self._known(key, str(span), self._language.spans, "span")
        return call

    def _claim(self, key: str, text: str) -> Expression | None:
        return self._expression(key, text) if text else None

    def _condition(self, key: str, clause: Clause, own: tuple[str, ...] = ()) -> Expression | None:
        return self._expression(f"{key}.if", clause.condition, own) if clause.condition else None

    def _value(self, key: str, value: Value, own: tuple[str, ...] = ()) -> float | Expression:
        return self._expression(key, value, own) if isinstance(value, str) else value

    def _known(self, key: str, name: str, names: tuple[str, ...], kind: str) -> str:
        if name not in names:
            raise self._bad(key, str(unknown(name, names, kind)))
        return name

    def _change(self, place: int, clause: Modify) -> Change:
        key = f"modify.{place}"
        how = next(each for each in CHANGES if getattr(clause, each) is not None)
        number = self._known(f"{key}.number", clause.number, tuple(self._language.numbers), "number")
        by = self._value(f"{key}.{how}", getattr(clause, how))
        condition = self._condition(key, clause)
        texts = [each for each in (by, condition) if isinstance(each, Expression)]
        return Change(number, how, by, condition, frozenset().union(*(each.looks for each in texts)))

    def _gift(self, place: int, clause: Grant) -> Gift:
        if clause.ability:
            bare = clause.ability.rstrip('0123456789+" ')
            self._known(f"grant.{place}.ability", bare, self._language.abilities, "ability")
        return Gift(clause.keyword, clause.ability, clause.weapon, self._condition(f"grant.{place}", clause))

    def _verdict(self, key: str, clause: Ask, yes: bool) -> Verdict:
        question = self._known(
            f"{key}.question", clause.question, tuple(self._language.questions), "question"
        )
        return Verdict(question, yes, self._condition(key, clause))

    def _reaction(self, place: int, clause: When) -> Reaction:
        key = f"when.{place}"
        moment = self._known(f"{key}.moment", clause.moment, self._language.moments, "moment")
        each = self._selector(f"{key}.each", clause.each, ()) if clause.each else None
        own: tuple[str, ...] = (each.kind,) if each else ()
        choices, own = self._choices(key, clause.pick, own)
        verbs = tuple(self._verb(f"{key}.do", text, own) for text in clause.do)
        table = tuple(
            (row.on, tuple(self._verb(f"{key}.table.{i}.do", text, own) for text in row.do))
            for i, row in enumerate(clause.table)
        )
        condition, add = self._condition(key, clause), self._value(f"{key}.add", clause.add)
        return Reaction(self.rule, moment, condition, each, choices, verbs, clause, place, add, table)

    def _choices(
        self, key: str, picks: tuple[Pick, ...], own: tuple[str, ...]
    ) -> tuple[tuple[Choice, ...], tuple[str, ...]]:
        found = []
        for pick in picks:
            of = self._selector(f"{key}.pick", pick.of, own) if pick.of else None
            where = self._expression(f"{key}.pick", pick.where, (*own, "option")) if pick.where else None
            found.append(Choice(pick, of, where))
            own = (*own, pick.name)
        return tuple(found), own

    def _replacement(self, place: int, clause: Instead) -> Replacement:
        key = f"instead.{place}"
        self._known(f"{key}.roll", clause.roll, self._language.rolls, "kind of roll")
        return Replacement(self.rule, clause, self._condition(key, clause))

    def _call(self, place: int, clause: Call) -> Summons:
        key = f"call.{place}"
        self._known(f"{key}.moment", clause.moment, (*self._language.moments, *ASKED), "moment")
        return Summons(clause.hook, clause.moment, self._condition(key, clause))

    def _offer(self, place: int, clause: Offer) -> Proposal:
        key = f"offer.{place}"
        choices, own = self._choices(key, clause.pick, ())
        return Proposal(
            self.rule,
            clause,
            self._condition(key, clause),
            self._selector(f"{key}.on", clause.on, ()) if clause.on else None,
            self._value(f"{key}.price", clause.price, own),
            choices,
            tuple(self._verb(f"{key}.do", text, own) for text in clause.do),
        )
