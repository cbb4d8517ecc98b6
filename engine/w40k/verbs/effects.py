"""The verbs of rule records: everything that a rule can do to a battle, a closed list.

Each takes the act (which rule, in whose name) and its arguments, and changes the state through events.
What wounds and destruction are is `engine.w40k.attack.damage`'s; cards are `engine.horde.steps.card`'s.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import msgspec

from datasheets.rule import Rule
from engine.core import event as ev
from engine.core.facts import Point, TerrainFacts
from engine.core.request import Steps
from engine.core.state import Marker, Objective, Unit
from engine.records.context import Context

if TYPE_CHECKING:
    from engine.w40k.battle import Battle


class Act(msgspec.Struct, frozen=True):
    """A rule at work: the names in sight, and whose doing it is."""

    battle: Battle
    rule: Rule
    context: Context

    @property
    def cause(self) -> str:
        """Return the clause that events give as their cause."""
        return self.rule.clause

    @property
    def credit(self) -> str:
        """Return the player to whom destruction is credited: who bought or owns the rule. Rule: R.A76."""
        for name in ("buyer", "owner"):
            if self.context[name] in self.battle.state.players:
                return str(self.context[name])
        return ""

    @property
    def by(self) -> str:
        """Return the unit that bears the rule, where one does."""
        bearer = self.context["bearer"]
        return bearer.id if isinstance(bearer, Unit) else ""


Verb = Callable[..., Steps[None] | None]
VERBS: dict[str, Verb] = {}


def verb(function: Verb) -> Verb:
    """Enter a function into the list of verbs, under its own name."""
    VERBS[function.__name__] = function
    return function


# wounds


@verb
def mortal_wounds(act: Act, unit: Unit, amount: str | int) -> Steps[None]:
    """Inflict mortal wounds on a unit: a number, or dice to roll. Rule: CORE.ATK.6."""
    from engine.w40k.activation.amount import roll_amount

    if unit.where != "table" or not unit.rows:
        return
    count = roll_amount(act.battle, str(amount), "mortal-wounds", target=unit.id, cause=act.cause)
    yield from _hurt(act, unit, count)


def _hurt(act: Act, unit: Unit, count: int) -> Steps[None]:
    """Inflict mortal wounds, and keep the marker's tally of the wounds lost."""
    from engine.w40k.attack import damage

    before = _wounds(act.battle, unit)
    yield from damage.mortal_wounds(act.battle, unit, count, by=act.by, credit=act.credit, cause=act.cause)
    here = act.context["here"]
    if isinstance(here, Marker) and here.id in act.battle.state.position.markers:
        dealt = here.marks.count("damage") + before - _wounds(act.battle, unit)
        act.battle.log(ev.Marked(on=f"marker:{here.id}", key="damage", value=dealt), act.cause)


def _wounds(battle: Battle, unit: Unit) -> int:
    return sum(model.wounds for model in battle.state.position.alive(unit))


@verb
def wounds_by_model(act: Act, unit: Unit, need: int, each: int) -> Steps[None]:
    """Roll a D6 for each model of a unit; each that is high enough inflicts mortal wounds."""
    if unit.where == "table" and unit.rows:
        dice = act.battle.roll("mortal-wounds", len(unit.rows), target=unit.id, need=need, cause=act.cause)
        yield from _hurt(act, unit, each * sum(die >= need for die in dice))


@verb
def bombard(act: Act, area: TerrainFacts | str, amount: str) -> Steps[None]:
    """Inflict mortal wounds on every unit within a terrain piece, or a sixth of the battlefield."""
    from engine.w40k.activation.amount import roll_amount

    words = act.battle.query.vocabulary
    for unit in act.battle.state.position.on_table():
        hit = words.in_cell(unit, int(area)) if isinstance(area, str) else words.in_terrain(unit, area)
        if hit and unit.rows:
            count = roll_amount(act.battle, amount, "mortal-wounds", target=unit.id, cause=act.cause)
            yield from _hurt(act, unit, count)


@verb
def destroy_unit(act: Act, unit: Unit) -> Steps[None]:
    """Destroy a unit."""
    from engine.w40k.attack import damage

    yield from damage.destroy_unit(act.battle, unit, credit=act.credit, cause=act.cause)


@verb
def heal(act: Act, unit: Unit, wounds: int) -> None:
    """Give a unit's wounded models wounds back."""
    from engine.w40k.attack import damage

    damage.heal(act.battle, unit, wounds, act.cause)


@verb
def mend(act: Act, unit: Unit, wounds: int) -> Steps[None]:
    """Heal a unit wound by wound, or return a model to it once all are whole. Rule: BUY.field-hospital."""
    from engine.w40k.attack import returning

    yield from returning.mend(act.battle, unit, wounds, act.cause)


@verb
def restore(act: Act, unit: Unit) -> Steps[None]:
    """Return a unit to its Starting Strength with all its wounds. Rule: MISERY.8, R.A85."""
    from engine.w40k.attack import returning

    yield from returning.restore(act.battle, unit, act.cause)


# units


@verb
def battle_shock(act: Act, unit: Unit) -> Steps[None]:
    """Make a unit Battle-shocked."""
    if "battle-shocked" not in unit.marks:
        yield from act.battle.happen(ev.Shocked(unit=unit.id), act.cause)


@verb
def recover(act: Act, unit: Unit) -> Steps[None]:
    """End a unit's Battle-shock."""
    if "battle-shocked" in unit.marks:
        yield from act.battle.happen(ev.Recovered(unit=unit.id), act.cause)


@verb
def evacuate(act: Act, unit: Unit) -> Steps[None]:
    """Take a unit off the battlefield into Strategic Reserves. Rule: BUY.emergency-evac, CORE.RES.4."""
    yield from act.battle.happen(ev.Reserved(unit=unit.id, how="strategic"), act.cause)
    act.battle.log(ev.Marked(on=f"unit:{unit.id}", key="evacuated", value=True), act.cause)


# players


@verb
def gain(act: Act, seat: str, what: str, amount: int) -> None:
    """Give a player CP or SP."""
    player = act.battle.state.players[seat]
    total = (player.cp if what == "cp" else player.sp) + int(amount)
    act.battle.log(ev.Gained(player=seat, what=what, amount=int(amount), total=total), act.cause)


@verb
def lose(act: Act, seat: str, what: str, amount: int) -> None:
    """Take CP or SP from a player, never below 0. Rule: SP.3."""
    player = act.battle.state.players[seat]
    has = player.cp if what == "cp" else player.sp
    taken = min(has, int(amount))
    act.battle.log(ev.Spent(player=seat, what=what, amount=taken, total=has - taken), act.cause)


@verb
def set_resource(act: Act, seat: str, what: str, amount: int) -> None:
    """Set a player's CP or SP."""
    player = act.battle.state.players[seat]
    has = player.cp if what == "cp" else player.sp
    if has > amount:
        act.battle.log(ev.Spent(player=seat, what=what, amount=has - amount, total=amount), act.cause)
    elif has < amount:
        act.battle.log(ev.Gained(player=seat, what=what, amount=amount - has, total=amount), act.cause)


@verb
def count_up(act: Act, seat: str, key: str, amount: int = 1) -> None:
    """Add to a player's tally."""
    total = act.battle.state.players[seat].marks.count(key) + int(amount)
    act.battle.log(ev.Marked(on=f"player:{seat}", key=key, value=total), act.cause)


# tallies and marks


@verb
def tally(act: Act, key: str, amount: int = 1, until: str = "round") -> None:
    """Add to a tally of the battle."""
    total = act.battle.state.marks.count(key) + int(amount)
    act.battle.log(ev.Marked(on="battle", key=key, value=total, until=until), act.cause)


@verb
def remember(act: Act, key: str, things: Any, until: str = "round") -> None:
    """Keep names of things for the battle."""
    from engine.w40k.words.units import name_of

    names = tuple(name_of(each) for each in (things if isinstance(things, tuple) else (things,)))
    act.battle.log(ev.Marked(on="battle", key=key, value=names, until=until), act.cause)


@verb
def mark(act: Act, thing: Any, key: str, value: Any = True, until: str = "battle") -> None:
    """Set a mark on a unit, player, objective or marker: a value, or the name of another thing."""
    from engine.records.interpreter import place_of
    from engine.w40k.words.units import name_of

    if isinstance(value, Unit | Objective | Marker):
        value = name_of(value)
    act.battle.log(ev.Marked(on=place_of(thing), key=key, value=value, until=until), act.cause)


@verb
def carry(act: Act, key: str, amount: int) -> None:
    """Add to what the next round begins with: misery cards, spawn modifiers. Rule: ROUND.3, R.A82."""
    total = act.battle.state.marks.count(f"next:{key}") + int(amount)
    act.battle.log(ev.Marked(on="battle", key=f"next:{key}", value=total), act.cause)


# the battlefield


@verb
def remove_terrain(act: Act, terrain: TerrainFacts) -> Steps[None]:
    """Take a terrain piece off the battlefield."""
    yield from act.battle.happen(ev.Removed(what=f"terrain:{terrain.id}"), act.cause)


@verb
def scuttle(act: Act, unit: Unit) -> Steps[None]:
    """Take an objective marker within whose range the unit is off the battlefield. Rule: SEC.20."""
    near = [
        o
        for o in act.battle.state.position.objectives.values()
        if act.battle.field.in_range_of(unit, o).any()
    ]
    if near:
        yield from act.battle.happen(ev.Removed(what=f"objective:{near[0].facts.id}"), act.cause)


@verb
def remove_objective(act: Act, objective: Objective) -> Steps[None]:
    """Take an objective marker off the battlefield."""
    yield from act.battle.happen(ev.Removed(what=f"objective:{objective.facts.id}"), act.cause)


@verb
def remove_marker(act: Act, marker: Marker) -> Steps[None]:
    """Take a marker off the battlefield."""
    if marker.id in act.battle.state.position.markers:
        yield from act.battle.happen(ev.Removed(what=f"marker:{marker.id}"), act.cause)


@verb
def place_marker(act: Act, kind: str, spot: Point) -> Steps[None]:
    """Set up a 40 mm marker of the buyer's."""
    name = _fresh(act.battle, kind)
    event = ev.Placed(thing=kind, marker=name, owner=act.credit, at=spot)
    yield from act.battle.happen(event, act.cause)


@verb
def place_objective(act: Act, spot: Point) -> Steps[None]:
    """Set up a new objective marker in No Man's Land."""
    name = _fresh(act.battle, "supply-drop")
    yield from act.battle.happen(ev.Placed(thing="objective", marker=name, at=spot), act.cause)


def _fresh(battle: Battle, kind: str) -> str:
    made = sum(isinstance(e, ev.Placed) and e.marker.startswith(f"{kind}#") for e in battle.events)
    return f"{kind}#{made + 1}"


@verb
def fortify(act: Act, objective: Objective) -> None:
    """Fortify an objective marker with this rule."""
    on = f"objective:{objective.facts.id}"
    act.battle.log(ev.Marked(on=on, key="fortified-by", value=act.credit), act.cause)
    act.battle.log(ev.Marked(on=on, key="fortified", value=act.rule.id), act.cause)


@verb
def unfortify(act: Act, objective: Objective) -> None:
    """Destroy the Fortified marker on an objective marker."""
    if objective.fortified:
        on = f"objective:{objective.facts.id}"
        act.battle.log(ev.Marked(on=on, key="fortified", value=None), act.cause)
        act.battle.log(ev.Marked(on=on, key="fortified-by", value=None), act.cause)


# cards


@verb
def reveal_misery(act: Act, count: int) -> Steps[None]:
    """Reveal more misery cards. Rule: MISERY.20, R.A81."""
    from engine.horde.steps import card

    yield from card.reveal(act.battle, int(count), act.cause)


@verb
def resolve_misery(act: Act, name: str) -> Steps[None]:
    """Find a misery card in its deck or discards and resolve it at once. Rule: SEC.9."""
    from engine.horde.steps import card

    yield from card.resolve_named(act.battle, name, act.cause)


@verb
def reveal_mission(act: Act, count: int = 1) -> Steps[None]:
    """Reveal a secondary mission more."""
    from engine.horde.steps import mission

    for _ in range(count):
        yield from mission.reveal(act.battle, act.cause)


@verb
def replace_mission(act: Act, card: str) -> Steps[None]:
    """Remove an active secondary mission and reveal a new one. Rule: BUY.advanced-tactics."""
    from engine.horde.steps import mission

    act.battle.log(ev.CardDiscarded(deck="secondary", card=card), act.cause)
    yield from mission.reveal(act.battle, act.cause)


@verb
def save_card(act: Act) -> Steps[None]:
    """Let a random surviving player keep this mission card. Rule: SEC.1."""
    from engine.horde.steps import mission

    yield from mission.save(act.battle, act.rule.id, act.cause)


@verb
def draw_secrets(act: Act, seat: str, random: bool = False) -> Steps[None]:
    """Let a player draw two more secret objectives and keep one. Rule: BUY.change-of-plans."""
    from engine.horde.steps import secret

    yield from secret.change(act.battle, seat, random, act.cause)


@verb
def end_battle(act: Act, reason: str) -> None:
    """End the battle at once. Rule: WIN.3."""
    from engine.horde.steps import secret

    secret.conclude(act.battle, reason)


@verb
def reveal_secret(act: Act, completed: bool = True) -> Steps[None]:
    """Show the secret objective that is this rule."""
    seat = str(act.context["owner"])
    if act.rule.id not in act.battle.state.players[seat].revealed:
        event = ev.SecretRevealed(player=seat, card=act.rule.id, completed=bool(completed))
        yield from act.battle.happen(event, act.cause)
