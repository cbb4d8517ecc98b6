"""The order of rules that apply at once: the side that has the turn chooses it.

Owns which seats are asked, and whether the order can matter at all. What the rules do is `interpreter`'s.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations, groupby
from typing import Any

import msgspec

from engine.core.facts import HORDE, PLAYERS
from engine.core.request import Option, Order, Ordered, Steps
from engine.core.state import Unit
from engine.records.clauses import Active
from engine.records.compiled import Compiled, Reaction
from engine.records.expression import SELECTING, VerbCall
from engine.records.language import Language, Verb
from engine.records.ruled_battle import RuledBattle

WORD = re.compile(r"'[^']*'|\b[a-z_]+\b")
THINGS = ("attacker", "bearer", "here", "marker", "member", "model", "objective", "target", "terrain", "unit")
"""Names in sight of what other rules may have changed."""
UNORDERED = frozenset(("tally", "secret"))
"""The tags of rules that only keep count of what happens, or show a card that is secret."""
OF_ARMIES = frozenset(("army", "detachment"))
"""The tags of the rules that a player's army brings."""
Pair = tuple[Reaction, Active]


class Matter(msgspec.Struct, frozen=True):
    """What a rule's clauses write, and what they look at first."""

    writes: frozenset[str]
    reads: frozenset[str]
    looks_at_table: bool
    """Whether the conditions look at what other rules may have changed."""


def may_matter(one: Matter, other: Matter) -> bool:
    """Return whether it may make a difference which of two rules comes first.

    It may where both write one thing, or where one looks at what the other writes. Two that write different
    marks, and look at neither, come to the same in any order.
    """
    if one.writes & other.writes:
        return True
    return _is_seen(one, other) or _is_seen(other, one)


def _is_seen(writer: Matter, reader: Matter) -> bool:
    marks = {each for each in writer.writes if each.startswith("'")}
    return bool(marks & reader.reads) or (reader.looks_at_table and bool(writer.writes - marks))


def matter_of(reactions: Iterable[Reaction], language: Language) -> Matter:
    """Return what these clauses write and look at."""
    writes: set[str] = set()
    texts: list[str] = []
    for reaction in reactions:
        for call in reaction.every_verb:
            writes |= _written(call, language.verbs[call.verb])
        texts += _texts(reaction)
    return _matter(writes, texts, language)


def matter_of_card(card: Compiled, language: Language) -> Matter:
    """Return what counting up a mission writes and looks at."""
    judged = [each for each in card.reactions if each.moment in ("success", "failure")]
    asked = [card.success.text] if card.success is not None else []
    texts = [text for reaction in judged for text in _texts(reaction)]
    return _matter(matter_of(judged, language).writes, [*texts, *asked], language)


def _matter(writes: Iterable[str], texts: Iterable[str], language: Language) -> Matter:
    reads = {name for text in texts for name in WORD.findall(text)}
    words = (language.words[name] for name in reads if name in language.words)
    looks = not reads.isdisjoint((*THINGS, *SELECTING)) or any(word.looks_around for word in words)
    return Matter(frozenset(writes), frozenset(reads), looks)


def _written(call: VerbCall, verb: Verb) -> set[str]:
    """Return what a verb writes: nothing if it only adds, one mark, or all of a kind of thing."""
    if verb.adds:
        return set()
    if verb.mark_at < 0:
        return {verb.writes}
    # What a rule keeps on its own marker is nobody else's.
    return set() if call.arguments[0].text == "here" else {call.arguments[verb.mark_at].text}


def _texts(reaction: Reaction) -> Iterator[str]:
    if reaction.condition is not None:
        yield reaction.condition.text
    selectors = [reaction.each, *(choice.of for choice in reaction.choices)]
    yield from (each.condition.text for each in selectors if each is not None and each.condition is not None)


def in_sequence(battle: RuledBattle, reactions: Sequence[Pair], names: dict[str, Any]) -> Steps[list[Pair]]:
    """Return the clauses of a moment in the order in which they are carried out.

    A rule's own clauses stay together. In a turn its side orders them, the Horde at random; outside a turn
    the players order theirs, and then come the Horde's at random. Nobody is asked where the order cannot
    matter. Rule: CORE.SEQ.1, R.ORDER
    """
    rules = [(active, [pair[0] for pair in pairs]) for active, pairs in _by_rule(reactions)]
    if len(rules) < 2:
        return list(reactions)
    live = [
        i
        for i, (active, clauses) in enumerate(rules)
        if UNORDERED.isdisjoint(active.rule.tags)
        and any(battle.query.holds(each.condition, names, active) for each in clauses)
    ]
    matters = {i: matter_of(rules[i][1], battle.query.language) for i in live}
    pairs = [
        (i, j)
        for i, j in combinations(live, 2)
        if may_matter(matters[i], matters[j]) and not _are_alike(rules[i][0], rules[j][0])
    ]
    contested = [i for i in live if any(i in pair for pair in pairs)]
    if not contested:
        return list(reactions)
    labels = [(_label(rules[i][0]), _side(rules[i][0])) for i in contested]
    order = yield from ordered(battle, labels)
    places = iter([contested[i] for i in order])
    turned = [rules[next(places)] if i in contested else rule for i, rule in enumerate(rules)]
    return [(clause, active) for active, clauses in turned for clause in clauses]


def _are_alike(one: Active, other: Active) -> bool:
    """Return whether two are one rule, so that either may come first.

    The rule is in the same hands, or it is of two players' armies.
    """
    if one.rule.name != other.rule.name:
        return False
    # What a player's army brings is about that army alone. Rule: ARMY.10
    return bool(OF_ARMIES & set(one.rule.tags)) or one.names.get("owner") == other.names.get("owner")


def _by_rule(reactions: Sequence[Pair]) -> Iterator[tuple[Active, list[Pair]]]:
    for _, pairs in groupby(reactions, key=lambda pair: id(pair[1])):
        found = list(pairs)
        yield found[0][1], found


def ordered(battle: RuledBattle, labels: Sequence[tuple[str, str]]) -> Steps[list[int]]:
    """Return the order of things, each given by its name and its side.

    Ruling `order.outside_turn`: with "roll_off" the sides roll off in nobody's turn, and the winner orders
    the rules of both.
    Rule: CORE.SEQ.1, R.ORDER
    """
    every = list(range(len(labels)))
    whose = battle.state.turn
    both = len({side == HORDE for _, side in labels}) > 1
    if not whose and both and battle.ruling("order.outside_turn") == "roll_off":
        whose = _rolled_off(battle)
    if whose == HORDE:
        return _at_random(battle, every)
    if whose == PLAYERS:
        return (yield from _asked(battle, every, labels))
    ours = [i for i in every if labels[i][1] != HORDE]
    theirs = [i for i in every if labels[i][1] == HORDE]
    first = yield from _asked(battle, ours, labels)
    return [*first, *_at_random(battle, theirs)]


def _rolled_off(battle: RuledBattle) -> str:
    """Return the side that rolls higher; equal dice are rolled again."""
    players = horde = 0
    while players == horde:
        players, horde = battle.roll("roll-off", 2, stream="table", cause="CORE.SEQ.1")
    return PLAYERS if players > horde else HORDE


def _at_random(battle: RuledBattle, items: list[int]) -> list[int]:
    if len(items) < 2:
        return items
    names = [str(i) for i in items]
    return [int(name) for name in battle.shuffle("order", names, stream="table", cause="CORE.SEQ.1")]


def _asked(battle: RuledBattle, items: list[int], labels: Sequence[tuple[str, str]]) -> Steps[list[int]]:
    seats = tuple(battle.state.players_alive()) or tuple(battle.state.players)
    if len(items) < 2 or not seats:
        return items
    answer = yield Order(
        seats=seats,
        rule="CORE.SEQ.1",
        decision="order",
        prompt="These rules apply at once. In which order?",
        items=tuple(Option(id=str(i), label=labels[i][0]) for i in items),
    )
    assert isinstance(answer, Ordered)
    return [int(name) for name in answer.ids]


def _label(active: Active) -> str:
    bearer = active.names.get("bearer")
    return f"{active.rule.name} ({bearer.name})" if isinstance(bearer, Unit) else active.rule.name


def _side(active: Active) -> str:
    """Return the side of a rule: its bearer's, or else its owner's.

    Without either, a misery card or a faction's rule is the Horde's, and any other rule the players'.
    """
    bearer = active.names.get("bearer")
    if isinstance(bearer, Unit):
        return bearer.side
    if active.names.get("owner") or active.names.get("seat"):
        return PLAYERS
    return HORDE if {"misery", "faction"} & set(active.rule.tags) else PLAYERS
