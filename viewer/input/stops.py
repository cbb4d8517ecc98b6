"""The kinds of question, and which are put to a person: always, when they matter, or never.

Owns the table of kinds by the engine's decisions, and what matters in each. What a person has set for a kind
is `viewer.input.settings`'s; what was ordered ahead is `viewer.input.orders`'.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, NamedTuple

import msgspec

from ai.autopilot.stratagem import weighed
from engine.core.request import (
    AnyAnswer,
    AnyRequest,
    Because,
    Choose,
    Chosen,
    Option,
    Order,
    Split,
    YesNo,
)
from engine.core.state import Model, Unit
from engine.w40k.activation.turn_taking import DONE, PASS
from engine.w40k.attack.damage import GIVEN
from engine.w40k.view import View
from viewer.story.name import title

Asking = Literal["always", "matters", "never"]
"""When a kind of question is put."""
ASKINGS: tuple[Asking, ...] = ("always", "matters", "never")
OFFER = "stratagem"
"""The decision of an offer of a Stratagem, and the name of all offers together."""
SETUP = "setup"
"""The phase before the battle."""


class Weight(NamedTuple):
    """Whether a question matters, and its numbers in words."""

    matters: bool
    words: str = ""
    worth: float = 0.0


Weigh = Callable[[View, AnyRequest, float], Weight]


class Kind(msgspec.Struct, frozen=True, kw_only=True):
    """A kind of question: when it is put by default, when it matters, how it is settled."""

    name: str
    what: str
    """What is asked, for the list of settings."""
    title: str = ""
    """What an offer is called in the log."""
    asking: Asking = "always"
    when: str = ""
    """When it matters, in words."""
    weigh: Weigh | None = None
    threshold: float | None = None
    """What the worth has to be at least, in prices of the Stratagem."""
    declines: bool = False
    """Whether it is declined where it is settled; else answered as the adviser suggests."""
    once: bool = False
    """Whether all its questions in a phase are one stop."""
    called_up: bool = False
    """Whether it follows from an answer in the phase, and is no stop of its own."""


# what matters


def several_options(view: View, request: AnyRequest, threshold: float) -> Weight:
    """Weigh a choice: it matters where more than one thing may be had."""
    return Weight(not is_forced(request))


def worth_its_price(view: View, request: AnyRequest, threshold: float) -> Weight:
    """Weigh an offer of a Stratagem by what it wins against what its CP are worth."""
    found = weighed(view, request) if isinstance(request, Choose) else None
    if found is None:
        return Weight(True, "cannot be weighed")
    price = f" of {found.price:.0f}" if found.price else ", free"
    matters = found.worth > 0 and found.worth >= threshold * found.price
    return Weight(matters, f"worth {found.worth:.1f}{price}", found.worth)


def at_unlike_markers(view: View, request: AnyRequest, threshold: float) -> Weight:
    """Weigh the order of wounds: it matters where models hold different contested markers.

    Of models that stand alike the one whose weapons are worth least goes, as the adviser suggests; where a
    wounded model has to take the next wound, nothing is chosen. A marker is contested with an enemy in range.
    """
    ids = [item.id for item in request.items] if isinstance(request, Order) else []
    if not request.unit or not all(one.isdigit() for one in ids):
        return Weight(len(ids) > 1)
    unit = view.unit(request.unit)
    takers = {model.row for model in _takers(unit, [view.model(int(one)) for one in ids])}
    enemies, field = view.enemies(unit), view.field
    contested = [
        marker
        for marker in view.objectives.values()
        if any(field.in_range_of(enemy, marker).any() for enemy in enemies)
    ]
    held = [field.in_range_of(unit, marker).tolist() for marker in contested]
    places = [place for place, row in enumerate(unit.rows) if row in takers]
    return Weight(len({tuple(each[place] for each in held) for place in places}) > 1)


def _takers(unit: Unit, models: list[Model]) -> list[Model]:
    """Return the models of which one takes the next wound. Rule: CORE.ATK.2, CORE.ATK.3"""
    if unit.is_attached:
        models = [m for m in models if "CHARACTER" not in unit.facts.parts[m.facts.part].keywords] or models
    wounded = [m for m in models if m.wounds < m.facts.characteristics.get("W", 1)]
    given = [m for m in models if m.row == unit.marks.get(GIVEN, -1)]
    return wounded or given or models


def unlike_options(view: View, request: AnyRequest, threshold: float) -> Weight:
    """Weigh a choice among models: it matters where they are not all called the same."""
    labels = {option.label for option in request.options} if isinstance(request, Choose) else set()
    return Weight(len(labels) > 1)


def once_a_battle(view: View, request: AnyRequest, threshold: float) -> Weight:
    """Weigh an ability: it matters where it can be had once a battle."""
    return Weight(not is_forced(request) and view.limit_of(request.rule) == "battle")


def without_need(view: View, request: AnyRequest, threshold: float) -> Weight:
    """Weigh a roll that is made again for nothing: it matters where the roll has no need."""
    return Weight(isinstance(request, YesNo) and not request.need)


# the table

PHASE = Kind(name="phase", what="which unit acts next: the open phase", once=True)
ACT = Kind(name="act", what="what a chosen unit does: its move, shots, charge, fight", called_up=True)
SET_UP = Kind(name="set-up", what="where units are set up before the battle", once=True)
PURCHASE = Kind(
    name="purchase",
    what="what is bought, and for whom",
    asking="matters",
    when="something can be paid",
    weigh=several_options,
    once=True,
)
CARD = Kind(
    name="card",
    what="what a card asks",
    asking="matters",
    when="more than one option",
    weigh=several_options,
)
ARMY_RULE = Kind(name="army-rule", what="Oath of Moment, Doctrines and other army rules", asking="never")
ABILITY = Kind(
    name="ability",
    what="whether and on whom an ability is used",
    asking="matters",
    when="it is had once a battle",
    weigh=once_a_battle,
)
KINDS: tuple[Kind, ...] = (
    Kind(
        name="secret",
        what="which secret is kept",
        asking="matters",
        when="more than one card",
        weigh=several_options,
    ),
    SET_UP,
    PHASE,
    ACT,
    PURCHASE,
    CARD,
    ARMY_RULE,
    ABILITY,
    Kind(
        name="allocation",
        what="which models take wounds first",
        asking="matters",
        when="they hold different contested markers, and no wounded one has to",
        weigh=at_unlike_markers,
    ),
    Kind(
        name="precision",
        what="which model of a unit is picked out",
        asking="matters",
        when="unlike models may be",
        weigh=unlike_options,
    ),
    Kind(name="close-up", what="where a pile-in, consolidation or surge ends", asking="never"),
    Kind(name="return", what="which model is healed or returns, and where", asking="never"),
    Kind(name="sequence", what="which of several rules goes first", asking="never"),
    Kind(name="dice", what="which roll is made again, once that is paid", asking="never"),
    Kind(
        name="free-re-roll",
        what="whether a roll is made again for nothing",
        asking="matters",
        when="it has no need",
        weigh=without_need,
    ),
    Kind(name="game-master", what="what the rules leave open to the Horde", once=True),
)
_WORTH = "worth the threshold times its price"


def _offer(name: str, what: str) -> Kind:
    return Kind(
        name=name,
        what=f"the offer of {what}",
        title=what,
        asking="matters",
        when=_WORTH,
        weigh=worth_its_price,
        threshold=1.0,
        declines=True,
    )


OFFERS: dict[str, Kind] = {
    "CORE.STR.1": _offer("command-re-roll", "Command Re-roll"),
    "CORE.STR.2": _offer("counter-offensive", "Counter-offensive"),
    "CORE.STR.3": _offer("epic-challenge", "Epic Challenge"),
    "CORE.STR.4": _offer("insane-bravery", "Insane Bravery"),
    "CORE.STR.5": _offer("grenade", "Grenade"),
    "CORE.STR.6": _offer("tank-shock", "Tank Shock"),
    "CORE.STR.7": _offer("rapid-ingress", "Rapid Ingress"),
    "CORE.STR.8": _offer("fire-overwatch", "Fire Overwatch"),
    "CORE.STR.9": _offer("go-to-ground", "Go to Ground"),
    "CORE.STR.10": _offer("smokescreen", "Smokescreen"),
    "CORE.STR.11": _offer("heroic-intervention", "Heroic Intervention"),
}
"""The kinds of offers of Stratagems, by their clauses."""
OTHER_OFFER = _offer("detachment-stratagem", "a Stratagem of a detachment or datasheet")
NAMED = {kind.name: kind for kind in (*KINDS, *OFFERS.values(), OTHER_OFFER)}
"""All kinds by their names."""
OF_DECISIONS: dict[str, str] = {
    "action": "act",
    "allocation": "allocation",
    "arrive": "act",
    "champion": "act",
    "charge": "act",
    "consolidate": "close-up",
    "deep-strike": "act",
    "deploy": "set-up",
    "disembark": "act",
    "embark": "act",
    "fight": "act",
    "firing-deck": "act",
    "grenadier": "act",
    "gun": "act",
    "heal": "return",
    "hover": "act",
    "in-whose-name": "purchase",
    "keep-secret": "secret",
    "marker": "card",
    "move": "act",
    "next-unit": "phase",
    "nullify": "card",
    "order": "sequence",
    "path": "act",
    "pile-in": "close-up",
    "place": "set-up",
    "precision": "precision",
    "promote": "purchase",
    "purchase": "purchase",
    "recruit": "purchase",
    "redeploy": "set-up",
    "reinforce": "phase",
    "reroll": "free-re-roll",
    "return": "return",
    "roll": "dice",
    "sacrifice": "card",
    "scout": "phase",
    "shoot": "act",
    "sole-target": "act",
    "spawn": "game-master",
    "spawn-unit": "game-master",
    "spawn-zone": "game-master",
    "surge": "close-up",
    "target": "ability",
    "teleport": "act",
    "tie": "game-master",
}
"""The kind of each decision, where its clause says no other; offers have theirs by clause."""
BY_CLAUSE = (("BUY.", PURCHASE), ("SP.", PURCHASE), ("ARMY.", ARMY_RULE), ("CORE.", ACT))
"""The kinds of what records let somebody choose, by how the clause begins."""
CARDS = ("MISERY.", "SEC.", "SECRET.")
"""How the clauses of cards begin."""
CHOICES = ("target", "marker")
"""The decisions with which records let somebody choose."""


def kind_of(view: View, request: AnyRequest) -> Kind:
    """Return the kind of a question."""
    if request.decision == OFFER:
        return OFFERS.get(request.rule, OTHER_OFFER)
    kind = NAMED[OF_DECISIONS.get(request.decision, "card")]
    if request.decision in CHOICES:
        found = next((kind for start, kind in BY_CLAUSE if request.rule.startswith(start)), None)
        kind = found or (NAMED["card"] if request.rule.startswith(CARDS) else kind)
    return SET_UP if view.phase == SETUP and kind.name != "secret" else kind


def is_forced(request: AnyRequest) -> bool:
    """Return whether a question has one legal answer: one option, one item, or no attack."""
    if isinstance(request, Choose):
        return request.minimum >= len(request.options)
    if isinstance(request, Order):
        return len(request.items) < 2
    return isinstance(request, Split) and not request.lines


def declined(request: AnyRequest, advice: AnyAnswer) -> AnyAnswer:
    """Return the answer that takes nothing: the advice where that is it, with its reasons."""
    if isinstance(advice, Chosen) and not advice.ids:
        return advice
    because = Because(clause=request.rule, reason="Not asked: a rule of yours declines it.")
    return Chosen(ids=(), because=(because,))


def offered(request: AnyRequest) -> list[Option]:
    """Return the options of a choice but for the ways out of it."""
    options = request.options if isinstance(request, Choose) else ()
    return [option for option in options if option.id not in (DONE, PASS)]


def named(kind: Kind, rule: str) -> str:
    """Return what an offer is called: by its kind, or by its clause where the kind has several."""
    return title(rule.rpartition(".")[2]) if kind is OTHER_OFFER else kind.title
